/* The calculator's answer as one JSON object. A key has the same name as in a kernel record if it has the same
 * meaning. */
#include "base/json.h"
#include "cli/occupancy/calculator.h"
#include "cli/settings.h"
#include "report/steps.h"

/* A negative value becomes null. */
static void add_given(struct json *json, const char *key, int64_t value)
{
    json_pair_known(json, key, value, value >= 0);
}

/* Adds what must be given up for one more block, what can be added for free, and where the occupancy falls; null if
 * there is no such step. */
static void add_cliff(struct json *json, const struct question *q)
{
    struct cliff cliff = {0};
    if (!occupancy_cliff(q->arch, &q->launch, &cliff))
        return;
    add_given(json, "registers_to_next_block", cliff.registers_up < 0 ? -1 : q->launch.registers - cliff.registers_up);
    json_pair_int(json, "register_slack", cliff.register_slack);
    add_given(json, "registers_at_cliff", cliff.registers_down);
    add_given(json, "warps_at_cliff", cliff.registers_down < 0 ? -1 : cliff.warps_down);
    add_given(json, "smem_bytes_to_next_block",
              cliff.smem_up_bytes < 0 ? -1 : launch_smem(&q->launch) - cliff.smem_up_bytes);
    add_given(json, "smem_slack_bytes", cliff.smem_slack_bytes);
}

static void add_launch(struct json *json, const struct question *q)
{
    struct occupancy o = calculator_compute(q->arch, &q->launch);
    struct waves waves = {0};
    occupancy_json(&o, json);
    json_pair_open(json, "limits", '{');
    for (int at = 0; at < LIMIT_COUNT; at++)
        add_given(json, limiter_ids[at], o.limit[at] == OCCUPANCY_NO_LIMIT ? -1 : o.limit[at]);
    json_close(json, '}');
    add_given(json, "registers_per_block", o.registers_per_block);
    json_pair_int(json, "smem_per_block_bytes", o.smem_per_block_bytes);
    json_pair_int(json, "smem_capacity_bytes", o.smem_capacity_bytes);
    json_pair_bool(json, "needs_optin", o.needs_optin);
    add_cliff(json, q);
    if (occupancy_waves(o.blocks, q->sms, q->grid, &waves))
        wave_json(&o, &waves, json);
}

void calculator_json(const struct question *question, struct buf *out)
{
    const struct launch *launch = &question->launch;
    struct block_sizes best = {.max_warps = question->arch->max_warps_per_sm};
    struct json json = {.out = out};
    occupancy_block_sizes(question->arch, launch, 0, &best); /* stays empty if there are too many registers to launch */
    document_open(&json, "occupancy");
    json_pair_str(&json, "arch", question->arch_name);
    json_pair_known(&json, "threads", launch->threads, launch->threads > 0);
    json_pair_int(&json, "registers", launch->registers);
    json_pair_int(&json, "smem_bytes", launch->smem_bytes);
    json_pair_int(&json, "dynamic_smem_bytes", launch->dynamic_smem_bytes);
    json_pair_known(&json, "barriers", launch->barriers, question->has_barriers);
    add_given(&json, "carveout", launch->carveout);
    if (launch->threads > 0) {
        add_launch(&json, question);
    } else {
        json_pair_int(&json, "best_warps_per_sm", best.warps);
        json_pair_int(&json, "max_warps_per_sm", best.max_warps);
        add_given(&json, "best_threads_smallest", best.count ? best.sizes[0].threads : -1);
        add_given(&json, "best_threads_largest", best.count ? best.nvidia_threads : -1);
        add_cliff(&json, question);
    }
    json_key(&json, "best_block_sizes");
    block_sizes_json(&best, &json);
    json_pair_int(&json, "max_threads_launchable", occupancy_largest_block(question->arch, launch->registers));
    json_close(&json, '}');
    buf_char(out, '\n');
}
