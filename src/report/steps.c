#include "report/steps.h"

const char *limiter_words(enum limiter limiter)
{
    static const char *const words[LIMIT_COUNT] = {
        [LIMIT_WARPS] = "warps",   [LIMIT_REGISTERS] = "registers", [LIMIT_SHARED_MEMORY] = "shared memory",
        [LIMIT_BLOCKS] = "blocks", [LIMIT_BARRIERS] = "barriers",
    };
    return words[limiter];
}

void limiters_text(unsigned limiters, struct buf *out)
{
    int left = __builtin_popcount(limiters);
    for (int at = 0; at < LIMIT_COUNT; at++) {
        if (!(limiters >> at & 1))
            continue;
        left--;
        buf_fmt(out, "%s%s", limiter_words((enum limiter)at), left > 1 ? ", " : left == 1 ? " and " : "");
    }
}

void limiters_json(unsigned limiters, struct json *json)
{
    json_open(json, '[');
    for (int at = 0; at < LIMIT_COUNT; at++)
        if (limiters >> at & 1)
            json_str(json, str_of(limiter_ids[at]));
    json_close(json, ']');
}

void occupancy_json(const struct occupancy *occupancy, struct json *json)
{
    json_pair_int(json, "blocks_per_sm", occupancy->blocks);
    json_pair_int(json, "warps_per_sm", occupancy->warps);
    json_pair_int(json, "max_warps_per_sm", occupancy->max_warps);
    json_key(json, "limiters");
    limiters_json(occupancy->limiters, json);
}

void block_sizes_json(const struct block_sizes *best, struct json *json)
{
    json_open(json, '{');
    json_pair_int(json, "warps_per_sm", best->warps);
    json_pair_int(json, "max_warps_per_sm", best->max_warps);
    json_pair_known(json, "smallest_threads", best->sizes[0].threads, best->count > 0);
    json_pair_known(json, "nvidia_threads", best->nvidia_threads, best->count > 0);
    json_pair_known(json, "nvidia_blocks_per_sm", best->nvidia_blocks, best->count > 0);
    json_pair_open(json, "sizes", '[');
    for (size_t at = 0; at < best->count; at++) {
        json_open(json, '{');
        json_pair_int(json, "threads", best->sizes[at].threads);
        json_pair_int(json, "blocks_per_sm", best->sizes[at].blocks);
        json_close(json, '}');
    }
    json_close_all(json, "]}");
}

struct limit_row limit_row(const struct arch *arch, const struct launch *launch, const struct occupancy *occupancy,
                           enum limiter limiter)
{
    int warps = (launch->threads + arch->warp_size - 1) / arch->warp_size, pair = arch->warp_granularity;
    switch (limiter) {
    case LIMIT_WARPS: return (struct limit_row){(warps + pair - 1) / pair * pair, arch->max_warps_per_sm, ""};
    case LIMIT_REGISTERS: return (struct limit_row){occupancy->registers_per_block, arch->registers_per_sm, ""};
    case LIMIT_SHARED_MEMORY:
        return (struct limit_row){occupancy->smem_per_block_bytes, occupancy->smem_capacity_bytes, " B"};
    case LIMIT_BLOCKS: return (struct limit_row){1, arch->max_blocks_per_sm, ""};
    default: return (struct limit_row){launch->barriers, arch->barriers_per_sm, ""};
    }
}

/* Appends the result of a step: blocks and occupancy, or only a bound of the occupancy if the block size is unknown. */
static void add_reached(const struct arch *arch, const struct launch *launch, const char *verb, int blocks, int warps,
                        struct buf *out)
{
    if (warps == 0) {
        buf_add(out, STR(" cannot launch\n"));
        return;
    }
    if (launch->threads > 0)
        buf_fmt(out, " %s %d block%s, ", verb, blocks, PLURAL(blocks));
    else
        buf_fmt(out, " %s at best ", verb);
    buf_fmt(out, "%.1f %%\n", 100.0 * warps / arch->max_warps_per_sm);
}

void register_steps(const struct arch *arch, const struct launch *launch, const struct cliff *cliff, const char *indent,
                    struct buf *out)
{
    int up = cliff->registers_up, slack = cliff->register_slack, fewer = launch->registers - up;
    if (up >= 0) {
        buf_fmt(out, "%s%d register%s fewer (%d)", indent, fewer, PLURAL(fewer), up);
        add_reached(arch, launch, fewer == 1 ? "gives" : "give", cliff->blocks_up, cliff->warps_up, out);
    } else {
        buf_fmt(out, "%sfewer registers gain nothing\n", indent);
    }
    if (slack > 0)
        buf_fmt(out, "%sup to %d more register%s free\n", indent, slack, slack == 1 ? " is" : "s are");
    if (cliff->registers_down >= 0) {
        buf_fmt(out, "%s%d registers", indent, cliff->registers_down);
        add_reached(arch, launch, "give", cliff->blocks_down, cliff->warps_down, out);
    } else {
        buf_fmt(out, "%s%d registers are the most that a thread may use\n", indent, arch->registers_per_thread);
    }
}

void smem_steps(const struct arch *arch, const struct launch *launch, const struct cliff *cliff, const char *indent,
                struct buf *out)
{
    long long present = launch_smem(launch);
    long long up = cliff->smem_up_bytes, slack = cliff->smem_slack_bytes;
    if (up >= 0) {
        buf_fmt(out, "%s%lld B less (%lld B)", indent, present - up, up);
        add_reached(arch, launch, "give", cliff->smem_blocks_up, cliff->smem_warps_up, out);
    } else if (present > 0) {
        buf_fmt(out, "%sless shared memory gains nothing\n", indent);
    }
    if (slack > 0)
        buf_fmt(out, "%sup to %lld B more %s free\n", indent, slack, slack == 1 ? "is" : "are");
    buf_fmt(out, "%s%lld B", indent, present + slack + 1);
    add_reached(arch, launch, "give", cliff->smem_blocks_down, cliff->smem_warps_down, out);
}

void register_price(const struct advice_size *size, const struct advice_step *step, int registers, struct buf *out)
{
    if (step->registers_over > 0)
        buf_fmt(out,
                "%d block%s of %d threads %s %d registers per thread; this kernel uses %d and would have to give up "
                "%d\n",
                step->blocks, PLURAL(step->blocks), size->threads, step->blocks == 1 ? "has" : "have",
                step->register_cap, registers, step->registers_over);
}

void smem_price(const struct advice_step *step, int64_t bytes, struct buf *out)
{
    if (step->smem_over_bytes > 0)
        buf_fmt(out, "%d block%s %lld B of shared memory%s; this kernel uses %lld B and would have to give up %lld B\n",
                step->blocks, step->blocks == 1 ? " has" : "s have", (long long)step->smem_ceiling_bytes,
                step->blocks == 1 ? "" : " each", (long long)bytes, (long long)step->smem_over_bytes);
}

void wave_text(const struct occupancy *occupancy, int sms, int64_t grid, const char *head, const char *indent,
               struct buf *out)
{
    struct waves waves = {0};
    if (!occupancy_waves(occupancy->blocks, sms, grid, &waves))
        return;
    int64_t started = waves.full_waves + (waves.last_blocks > 0);
    double exact = (double)grid / (double)waves.wave_blocks;
    buf_add(out, str_of(head));
    buf_fmt(out, "%sa wave is %lld block%s: %d on each of %d SM%s\n", indent, (long long)waves.wave_blocks,
            PLURAL(waves.wave_blocks), occupancy->blocks, sms, PLURAL(sms));
    buf_fmt(out, "%s%lld block%s %.2f waves", indent, (long long)grid, grid == 1 ? " is" : "s are", exact);
    if (waves.last_blocks > 0 && waves.full_waves > 0)
        buf_fmt(out, ", the last %.1f %% full", 100.0 * (double)waves.last_blocks / (double)waves.wave_blocks);
    buf_fmt(out, "; efficiency %.1f %%\n", 100.0 * exact / (double)started);
    if (waves.most_blocks < occupancy->blocks)
        buf_fmt(out, "%sat most %d block%s on an SM: achieved occupancy is at most %.1f %%\n", indent,
                waves.most_blocks, PLURAL(waves.most_blocks), 100 * occupancy_at_most(occupancy, &waves));
    if (grid % waves.sm_waves || grid / waves.sm_waves < waves.most_blocks)
        buf_fmt(out, "%swith blocks that all take the same time achieved occupancy is %.1f %%\n", indent,
                100 * occupancy_of_equal_blocks(occupancy, &waves));
}

void wave_json(const struct occupancy *occupancy, const struct waves *waves, struct json *json)
{
    json_pair_int(json, "wave_blocks", waves->wave_blocks);
    json_pair_int(json, "full_waves", waves->full_waves);
    json_pair_int(json, "last_wave_blocks", waves->last_blocks);
    json_pair_percent(json, "achieved_occupancy_at_most_percent", occupancy_at_most(occupancy, waves));
    json_pair_percent(json, "achieved_occupancy_of_equal_blocks_percent", occupancy_of_equal_blocks(occupancy, waves));
}
