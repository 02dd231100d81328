#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_check(bool holds, const char *fmt, ...)
{
    if (holds)
        return;
    va_list args;
    va_start(args, fmt);
    fputs("oracle: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

struct dice dice_of(struct str bytes)
{
    return (struct dice){str_hash(bytes) | 1};
}

size_t dice_below(struct dice *dice, size_t limit)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return limit ? (size_t)(dice->state >> 8) % limit : 0;
}

void fuzz_in_pieces(struct str bytes, struct dice *dice, void (*feed)(void *context, struct str piece), void *context)
{
    size_t largest = 1 + (bytes.len >> dice_below(dice, 8));
    while (bytes.len) {
        size_t size = 1 + dice_below(dice, largest);
        struct str piece = str_sub(bytes, 0, size);
        char *copy = malloc(piece.len);
        fuzz_check(copy != NULL, "no memory");
        memcpy(copy, piece.ptr, piece.len);
        feed(context, (struct str){copy, piece.len});
        free(copy);
        bytes = str_from(bytes, size);
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

static int open_memory(const char *name)
{
    int fd = memfd_create(name, 0);
    fuzz_check(fd >= 0, "no file in memory");
    return fd;
}

static char folder[] = P_tmpdir "/warplint-fuzz-XXXXXX", path[sizeof folder + 8];

static void remove_file(void)
{
    unlink(path);
    rmdir(folder);
}

/* In a folder of its own, so that a file name in the input finds no other file. */
const char *fuzz_file(struct str text)
{
    static int fd = -1;
    if (fd < 0) {
        fuzz_check(mkdtemp(folder) != NULL, "no folder for the input");
        snprintf(path, sizeof path, "%s/input", folder);
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        atexit(remove_file);
    }
    fuzz_check(ftruncate(fd, 0) == 0 && pwrite(fd, text.ptr, text.len, 0) == (ssize_t)text.len,
               "no room for the input");
    return path;
}

static int output = -1; /* the file; fuzz_output returns a duplicate, which the writer closes */

int fuzz_output(void)
{
    if (output < 0)
        output = open_memory("output");
    fuzz_check(ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0, "the output cannot be emptied");
    return dup(output);
}

void fuzz_read_output(struct buf *text)
{
    off_t size = lseek(output, 0, SEEK_END);
    fuzz_check(size >= 0, "the output cannot be read");
    char *room = buf_room(text, (size_t)size);
    fuzz_check(pread(output, room, (size_t)size, 0) == (ssize_t)size, "the output cannot be read");
    text->len += (size_t)size;
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* The place is in the text, or just after its last line. `cr`: a CR ends a line too, as in YAML. */
static bool is_in_text(struct place place, struct str text, bool cr)
{
    size_t line = 1, start = 0;
    for (size_t at = 0; at < text.len && line < place.line; at++) {
        bool crlf = text.ptr[at] == '\r' && at + 1 < text.len && text.ptr[at + 1] == '\n';
        if (text.ptr[at] == '\n' || (cr && text.ptr[at] == '\r' && !crlf)) {
            line++;
            start = at + 1;
        }
    }
    size_t width = start;
    while (width < text.len && text.ptr[width] != '\n')
        width++;
    return place.line <= line && place.column <= width - start + 1;
}

void fuzz_check_places(const struct diags *diags, struct str text)
{
    for (size_t at = 0; at < diags->count; at++) {
        const struct diag *diag = &diags->items[at];
        fuzz_check(diag->message.len > 0, "a diagnostic without a message");
        fuzz_check(is_in_text(diag->place, text, false) || is_in_text(diag->place, text, true),
                   "%zu:%zu is not in the text: %.*s", diag->place.line, diag->place.column, STR_ARG(diag->message));
    }
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static unsigned bit_of(uint64_t value)
{
    return (unsigned)((value * 0x9E3779B97F4A7C15u) >> 48);
}

static void add_number(struct numbers *numbers, uint64_t value)
{
    numbers->bits[bit_of(value) >> 3] |= (uint8_t)(1u << (bit_of(value) & 7));
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void numbers_read(struct numbers *numbers, struct str text)
{
    uint64_t value = 0, sum = 0;
    char before = 0;
    memset(numbers, 0, sizeof *numbers);
    while (text.len) {
        char here = text.ptr[0];
        if (!str_uint(&text, &value)) {
            if (here != '+' && !(here == '-' && before == '+'))
                sum = 0;
            before = here;
            text = str_from(text, 1);
            continue;
        }
        sum += before == '-' ? 0 - value : value;
        before = 0;
        add_number(numbers, value);
        add_number(numbers, magnitude((int64_t)sum));
    }
}

bool numbers_hold(const struct numbers *numbers, int64_t value)
{
    unsigned bit = bit_of(magnitude(value));
    return numbers->bits[bit >> 3] >> (bit & 7) & 1;
}

/* ---- models ----------------------------------------------------------------------------------------------------- */

static bool same_string(const struct model *a, const struct model *b, uint32_t in_a, uint32_t in_b)
{
    return (in_a == NO_INDEX) == (in_b == NO_INDEX) && str_eq(model_string(a, in_a), model_string(b, in_b));
}

static bool same_name(const struct model *a, const struct model *b, uint32_t in_a, uint32_t in_b)
{
    return (in_a == NO_INDEX) == (in_b == NO_INDEX) && str_eq(intern_get(&a->names, in_a), intern_get(&b->names, in_b));
}

/* Compares the bytes from field `from` to field `to`, between which the struct has no padding. */
#define SAME_BYTES(type, a, b, from, to)                                                                               \
    (memcmp((const char *)(a) + offsetof(type, from), (const char *)(b) + offsetof(type, from),                        \
            offsetof(type, to) + sizeof((a)->to) - offsetof(type, from)) == 0)

static bool same_kernel(const struct model *a, const struct model *b, size_t at)
{
    const struct kernel *x = &a->kernels[at], *y = &b->kernels[at];
    bool same = same_name(a, b, x->name, y->name) && same_string(a, b, x->source, y->source) &&
                same_string(a, b, x->arch, y->arch) && same_string(a, b, x->arch_inferred, y->arch_inferred) &&
                x->log_line == y->log_line && SAME_BYTES(struct kernel, x, y, log, flags) &&
                SAME_BYTES(struct kernel, x, y, registers, smem_bytes) &&
                SAME_BYTES(struct rare_metrics, kernel_rare(a, x), kernel_rare(b, y), source_line, line_from) &&
                x->gmem_bytes == y->gmem_bytes && x->compile_us == y->compile_us;
    return same && (!x->bank_count ||
                    memcmp(&a->banks[x->first_bank], &b->banks[y->first_bank], x->bank_count * sizeof *a->banks) == 0);
}

static bool same_event(const struct model *a, const struct model *b, size_t at)
{
    const struct event *x = &a->events[at], *y = &b->events[at];
    return same_string(a, b, x->id, y->id) && same_string(a, b, x->text, y->text) &&
           same_name(a, b, x->name, y->name) && same_string(a, b, x->arch, y->arch) &&
           same_string(a, b, x->file, y->file) && SAME_BYTES(struct event, x, y, line, severity) &&
           x->arch_inferred == y->arch_inferred && x->number_count == y->number_count &&
           memcmp(x->number, y->number, x->number_count * sizeof *x->number) == 0;
}

static bool same_log(const struct log_info *x, const struct log_info *y)
{
    return toolkit_order(x->toolkit, y->toolkit) == 0 && x->interleaved == y->interleaved && x->torn == y->torn &&
           x->cut == y->cut && x->no_code == y->no_code && x->verbose == y->verbose && x->lines == y->lines &&
           x->unknown_lines == y->unknown_lines && x->stopped_line == y->stopped_line &&
           x->clipped_line == y->clipped_line && x->lost_stack_line == y->lost_stack_line;
}

void fuzz_same_models(const struct model *a, const struct model *b, const char *what)
{
    fuzz_check(a->kernel_count == b->kernel_count, "%s: %zu records and %zu", what, a->kernel_count, b->kernel_count);
    fuzz_check(a->event_count == b->event_count, "%s: %zu events and %zu", what, a->event_count, b->event_count);
    fuzz_check(a->log_count == b->log_count, "%s: %zu logs and %zu", what, a->log_count, b->log_count);
    fuzz_check(a->unknown_count == b->unknown_count, "%s: unknown lines differ", what);
    for (size_t at = 0; at < a->kernel_count; at++)
        fuzz_check(same_kernel(a, b, at), "%s: record %zu differs", what, at);
    for (size_t at = 0; at < a->event_count; at++)
        fuzz_check(same_event(a, b, at), "%s: event %zu differs", what, at);
    for (size_t at = 0; at < a->log_count; at++)
        fuzz_check(same_log(&a->logs[at], &b->logs[at]), "%s: log %zu differs", what, at);
    for (size_t at = 0; at < a->unknown_count; at++)
        fuzz_check(a->unknown[at].line == b->unknown[at].line &&
                       same_string(a, b, a->unknown[at].text, b->unknown[at].text),
                   "%s: unknown line %zu differs", what, at);
}
