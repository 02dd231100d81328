#include "logs.h"

#include "base/diag.h"
#include "log/reader.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

void paths_add(struct paths *paths, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        paths->items = mem_reserve(paths->items, &paths->cap, paths->count + found.gl_pathc, sizeof *paths->items);
        for (size_t at = 0; at < found.gl_pathc; at++) {
            size_t bytes = strlen(found.gl_pathv[at]) + 1;
            paths->items[paths->count] = mem_alloc(bytes);
            memcpy(paths->items[paths->count++], found.gl_pathv[at], bytes);
        }
    }
    globfree(&found);
}

void paths_free(struct paths *paths)
{
    for (size_t at = 0; at < paths->count; at++)
        free(paths->items[at]);
    free(paths->items);
    *paths = (struct paths){0};
}

void read_in_pieces(struct model *model, struct str path, struct str text, size_t piece_bytes)
{
    struct log_reader *reader = log_reader_new(model, path);
    size_t block_bytes = piece_bytes ? piece_bytes : text.len + 1;
    char *block = mem_alloc(block_bytes);
    for (size_t at = 0; at < text.len;) {
        struct str piece = str_sub(text, at, at + block_bytes);
        char *start = block + block_bytes - piece.len;
        memcpy(start, piece.ptr, piece.len);
        log_reader_feed(reader, (struct str){start, piece.len});
        memset(block, '!', block_bytes);
        at += piece.len;
    }
    free(block);
    log_reader_finish(reader);
}

void print_metric(struct buf *out, int32_t value)
{
    if (value == UNKNOWN)
        buf_char(out, '-');
    else
        buf_int(out, value);
}

static void print_word(struct buf *out, struct str word)
{
    buf_char(out, ' ');
    buf_add(out, word.len ? word : STR("-"));
}

static void print_index(struct buf *out, uint32_t index)
{
    buf_char(out, ' ');
    if (index == NO_INDEX)
        buf_char(out, '-');
    else
        buf_int(out, index);
}

static void print_kernel(const struct model *model, const struct kernel *kernel, struct buf *out)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    buf_fmt(out, "kernel %s %s flags %u log %u:%u", kernel_kind_names[kernel->kind], producer_names[kernel->producer],
            kernel->flags, kernel->log, kernel->log_line);
    print_word(out, kernel_name(model, kernel));
    print_word(out, model_string(model, kernel->arch));
    print_word(out, model_string(model, kernel->arch_inferred));
    print_word(out, model_string(model, kernel->source));
    buf_fmt(out, " line %u link", rare->source_line);
    print_index(out, rare->link);
    buf_fmt(out, " cap %u min %u:", rare->register_cap_from, rare->min_blocks);
    const int32_t metrics[] = {
        rare->register_cap,
        kernel->registers,
        kernel->barriers,
        kernel->stack_bytes,
        kernel->cumulative_stack_bytes,
        kernel->spill_store_bytes,
        kernel->spill_load_bytes,
        kernel->smem_bytes,
        rare->lmem_bytes,
        rare->textures,
        rare->surfaces,
        rare->samplers,
    };
    for (size_t at = 0; at < sizeof metrics / sizeof *metrics; at++) {
        buf_char(out, ' ');
        print_metric(out, metrics[at]);
    }
    buf_fmt(out, " gmem %lld constant %lld time %lld banks", (long long)kernel->gmem_bytes,
            (long long)kernel->constant_bytes, (long long)kernel->compile_us);
    for (size_t at = 0; at < kernel->bank_count; at++) {
        const struct bank *bank = &model->banks[kernel->first_bank + at];
        buf_fmt(out, " %u:%d", bank->bank, bank->bytes);
    }
    buf_char(out, '\n');
}

static void print_event(const struct model *model, const struct event *event, struct buf *out)
{
    buf_fmt(out, "event log %u:%u", event->log, event->log_line);
    print_word(out, model_string(model, event->id));
    buf_fmt(out, " %s x%u", severity_names[event->severity], event->count);
    print_word(out, event->name == NO_INDEX ? (struct str){0} : intern_get(&model->names, event->name));
    print_word(out, model_string(model, event->arch));
    print_word(out, model_string(model, event->file));
    buf_fmt(out, ":%u:%u", event->line, event->column);
    for (size_t at = 0; at < event->number_count; at++)
        buf_fmt(out, " %lld", (long long)event->number[at]);
    print_word(out, model_string(model, event->text));
    buf_char(out, '\n');
}

void print_model(const struct model *model, struct buf *out)
{
    for (size_t at = 0; at < model->kernel_count; at++)
        print_kernel(model, &model->kernels[at], out);
    for (size_t at = 0; at < model->event_count; at++)
        print_event(model, &model->events[at], out);
    for (size_t at = 0; at < model->log_count; at++) {
        const struct log_info *log = &model->logs[at];
        buf_add(out, STR("log"));
        print_word(out, model_string(model, log->path));
        buf_fmt(out, " interleaved %d torn %d cut %d verbose %d lines %llu unknown %llu", log->interleaved, log->torn,
                log->cut, log->verbose, (unsigned long long)log->lines, (unsigned long long)log->unknown_lines);
        buf_fmt(out, " toolkit %d.%d\n", log->toolkit.major, log->toolkit.minor);
    }
    for (size_t at = 0; at < model->unknown_count; at++) {
        const struct unknown_line *line = &model->unknown[at];
        buf_fmt(out, "unknown %u:%u", line->log, line->line);
        print_word(out, model_string(model, line->text));
        buf_char(out, '\n');
    }
}

size_t test_rounds(size_t usual)
{
    uint64_t rounds = 0;
    return str_to_uint(str_of(getenv("WARPLINT_TEST_ROUNDS")), &rounds) && rounds ? (size_t)rounds : usual;
}
