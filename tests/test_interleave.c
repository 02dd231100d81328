/*
 * Several compilers that write to one stream. A Used line has no name, so after `make -j` the reader has to find the
 * kernel of each line or mark it as ambiguous. The test cuts logs into messages (the text that a tool writes at once: a
 * properties message and its stack line are one), mixes the messages at random, and reads the mix. The truth is what
 * the reader makes of each log alone. Every record of a mix must be one of the truth: each number is the true one or
 * unknown. Some facts follow only from the position in the log: the module's global memory, the compile time, the
 * architecture of a function, the source. They have to be right if the reader knows that the log is interleaved. If the
 * logs change exactly between two records, the reader cannot know, and such a fact can be another record's; the test
 * counts and prints these.
 *
 * With a label before each line nothing may be ambiguous, and the facts that follow from the position have to be right
 * too.
 *
 * The logs of ninja and make are mixed with those of compilers too: a line of a build tool must not end a record that
 * another writer has begun.
 *
 * Torn: `nvcc -t` writes 100,000 bytes at once, and a name can be longer than a pipe accepts in one write; then text of
 * another compiler can follow at any byte. Names are torn too, so a record of such a mix may be missing or have a wrong
 * name; but a record with a wrong name has no numbers, and no record has a wrong number.
 *
 * The seeds are fixed. WARPLINT_TEST_ROUNDS=N runs N mixes of each mode, which adds other seeds.
 */
#include "log/reader.h"
#include "logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MIXED = 6, MAX_LOG_BYTES = 24 * 1024 };

/* One log, its messages, and the model that was read from it alone. */
struct stream {
    const char *path;
    bool has_commands; /* a build tool or compiler echoes commands between the records */
    struct buf text;
    struct str *messages;
    size_t message_count, message_cap;
    struct model model;
};

struct pool {
    struct stream *items;
    size_t count, cap;
};

/* xorshift64*: gives the same numbers on every machine. */
static uint64_t random_state;

static size_t random_below(size_t bound)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (size_t)((random_state * 2685821657736338717u >> 33) % bound);
}

/* With labels the parts that are mixed are single lines. */
static void split_messages(struct stream *stream, bool labelled)
{
    struct str text = buf_str(&stream->text);
    for (size_t at = 0; at < text.len;) {
        size_t length = str_find_char(str_from(text, at), '\n');
        struct str line = str_sub(text, at, length == STR_NONE ? text.len : at + length + 1);
        at += line.len;
        if (!labelled && stream->message_count && str_find(line, STR(" bytes stack frame")) != STR_NONE) {
            stream->messages[stream->message_count - 1].len += line.len;
            continue;
        }
        stream->messages =
            mem_reserve(stream->messages, &stream->message_cap, stream->message_count + 1, sizeof *stream->messages);
        stream->messages[stream->message_count++] = line;
    }
}

/* Accepts only logs of one writer: not mixed, torn or truncated already. */
static bool usable(const struct model *model)
{
    const struct log_info *log = &model->logs[0];
    if (log->interleaved || log->torn || log->cut || model->kernel_count == 0)
        return false;
    for (size_t at = 0; at < model->kernel_count; at++)
        if (model->kernels[at].flags & (KERNEL_AMBIGUOUS | KERNEL_NO_ENTRY))
            return false;
    return true;
}

static void free_stream(struct stream *stream)
{
    model_free(&stream->model);
    buf_free(&stream->text);
    free(stream->messages);
}

/* The logs that are mixed. PLAIN: compiler output without commands. ECHOED: one command, with its own source file,
 * before each plain log. BUILDS: logs of make and ninja, and plain logs. LABELLED: the same, with a label before each
 * line. */
enum content { PLAIN, ECHOED, BUILDS, LABELLED };

static void add_labelled(struct buf *text, struct str log, size_t number)
{
    struct str line;
    while (log.len && str_split(&log, '\n', &line))
        buf_fmt(text, "[job-%zu] %.*s\n", number, STR_ARG(line));
}

static bool holds_commands(struct str log)
{
    return str_find(log, STR("nvcc -")) != STR_NONE || str_find(log, STR("] Building ")) != STR_NONE;
}

static void pool_add(struct pool *pool, const char *path, enum content content)
{
    struct buf log = read_file(path);
    struct stream stream = {.path = path, .has_commands = holds_commands(buf_str(&log))};
    if (content == ECHOED)
        buf_fmt(&stream.text, "nvcc -O3 -Xptxas=-v -c source_%zu.cu -o source_%zu.o\n", pool->count, pool->count);
    if (content == LABELLED)
        add_labelled(&stream.text, buf_str(&log), pool->count);
    else
        buf_add(&stream.text, buf_str(&log));
    bool whole = log.len > 0 && log.len <= MAX_LOG_BYTES && log.ptr[log.len - 1] == '\n';
    if (content == LABELLED) /* only the first piece of such a line would get the label */
        whole = whole && !memchr(log.ptr, '\r', log.len);
    buf_free(&log);
    if (whole && (content >= BUILDS || !stream.has_commands)) {
        read_in_pieces(&stream.model, str_of(path), buf_str(&stream.text), 0);
        if (usable(&stream.model)) {
            split_messages(&stream, content == LABELLED);
            pool->items = mem_reserve(pool->items, &pool->cap, pool->count + 1, sizeof *pool->items);
            pool->items[pool->count++] = stream;
            return;
        }
    }
    free_stream(&stream);
}

struct mix {
    struct stream *streams[MAX_MIXED];
    size_t next[MAX_MIXED]; /* index of a message */
    size_t count;
    struct buf text;
};

/* With BUILDS the first stream is a build tool's. */
static void choose_streams(struct mix *mix, struct pool *pool, enum content content)
{
    mix->count = 2 + random_below(MAX_MIXED - 1);
    for (size_t at = 0; at < mix->count;) {
        mix->streams[at] = &pool->items[random_below(pool->count)];
        mix->next[at] = 0;
        bool twice = content == BUILDS && at == 0 && !mix->streams[at]->has_commands;
        for (size_t other = 0; other < at; other++)
            twice |= mix->streams[other] == mix->streams[at];
        at += !twice;
    }
}

/* Uniform: each next message comes from any stream. Bursty: runs of 1 to 16 messages of one stream, as process
 * schedulers cause. */
static void mix_messages(struct mix *mix, bool bursty)
{
    size_t left = 0;
    for (size_t at = 0; at < mix->count; at++)
        left += mix->streams[at]->message_count;
    buf_clear(&mix->text);
    while (left) {
        size_t from = random_below(mix->count);
        struct stream *stream = mix->streams[from];
        size_t run = bursty ? 1 + random_below(16) : 1;
        for (; run && mix->next[from] < stream->message_count; run--, left--)
            buf_add(&mix->text, stream->messages[mix->next[from]++]);
    }
}

/* The length of a piece of about this many bytes that ends with a message: most writes are not torn. */
static size_t whole_messages(struct str text, size_t about)
{
    size_t end = about;
    while (end < text.len && (text.ptr[end - 1] != '\n' || text.ptr[end] == ' '))
        end++;
    return end;
}

/* Every second piece is cut at any byte. */
static void mix_torn(struct mix *mix)
{
    size_t left = 0;
    for (size_t at = 0; at < mix->count; at++)
        left += mix->streams[at]->text.len;
    buf_clear(&mix->text);
    while (left) {
        size_t from = random_below(mix->count);
        struct str rest = str_from(buf_str(&mix->streams[from]->text), mix->next[from]);
        size_t length = 1 + random_below(4096);
        if (random_below(2))
            length = whole_messages(rest, length);
        struct str piece = str_sub(rest, 0, length);
        buf_add(&mix->text, piece);
        mix->next[from] += piece.len;
        left -= piece.len;
    }
}

/* A record, with the model that holds its strings. */
struct record {
    const struct model *model;
    const struct kernel *kernel;
};

struct records {
    struct record *items;
    size_t count, cap;
};

static void add_records(struct records *records, const struct model *model)
{
    records->items =
        mem_reserve(records->items, &records->cap, records->count + model->kernel_count, sizeof *records->items);
    for (size_t at = 0; at < model->kernel_count; at++)
        records->items[records->count++] = (struct record){model, &model->kernels[at]};
}

/* The identity of a record, which is everything except its numbers; only records of equal identity are compared. In
 * torn logs (by_name_only) the identity is the name alone: a torn Compiling line loses its architecture, and the
 * properties then look like those of a device function. */
static bool by_name_only;

static int compare_identity(const struct record *a, const struct record *b)
{
    if (by_name_only)
        return str_cmp(kernel_name(a->model, a->kernel), kernel_name(b->model, b->kernel));
    int order = a->kernel->kind - b->kernel->kind;
    order = order ? order : a->kernel->producer - b->kernel->producer;
    order = order ? order : str_cmp(kernel_name(a->model, a->kernel), kernel_name(b->model, b->kernel));
    return order ? order : str_cmp(model_string(a->model, a->kernel->arch), model_string(b->model, b->kernel->arch));
}

static int compare_records(const void *a, const void *b)
{
    return compare_identity(a, b);
}

static bool string_agrees(const struct record *read, uint32_t value, const struct record *truth, uint32_t expected)
{
    return value == NO_INDEX || str_eq(model_string(read->model, value), model_string(truth->model, expected));
}

static bool arch_agrees(const struct record *read, const struct record *truth)
{
    return string_agrees(read, read->kernel->arch, truth, truth->kernel->arch_inferred);
}

static bool banks_agree(const struct record *read, const struct record *truth)
{
    if (read->kernel->bank_count == 0)
        return true;
    if (read->kernel->bank_count != truth->kernel->bank_count)
        return false;
    for (size_t at = 0; at < read->kernel->bank_count; at++) {
        const struct bank *a = &read->model->banks[read->kernel->first_bank + at];
        const struct bank *b = &truth->model->banks[truth->kernel->first_bank + at];
        if (a->bank != b->bank || a->bytes != b->bytes)
            return false;
    }
    return true;
}

struct number {
    const char *field;
    int64_t read, truth, unknown;
};

static const char *wrong_number(const struct number *numbers, size_t count)
{
    for (size_t at = 0; at < count; at++)
        if (numbers[at].read != numbers[at].unknown && numbers[at].read != numbers[at].truth)
            return numbers[at].field;
    return NULL;
}

/* The first metric that is known and not the true one, or NULL. */
static const char *wrong_metric(const struct record *read, const struct record *truth)
{
    const struct kernel *a = read->kernel, *b = truth->kernel;
    const struct rare_metrics *extra_a = kernel_rare(read->model, a), *extra_b = kernel_rare(truth->model, b);
    const struct number numbers[] = {
        {"registers", a->registers, b->registers, UNKNOWN},
        {"barriers", a->barriers, b->barriers, UNKNOWN},
        {"stack_bytes", a->stack_bytes, b->stack_bytes, UNKNOWN},
        {"cumulative_stack_bytes", a->cumulative_stack_bytes, b->cumulative_stack_bytes, UNKNOWN},
        {"spill_store_bytes", a->spill_store_bytes, b->spill_store_bytes, UNKNOWN},
        {"spill_load_bytes", a->spill_load_bytes, b->spill_load_bytes, UNKNOWN},
        {"smem_bytes", a->smem_bytes, b->smem_bytes, UNKNOWN},
        {"lmem_bytes", extra_a->lmem_bytes, extra_b->lmem_bytes, UNKNOWN},
        {"textures", extra_a->textures, extra_b->textures, UNKNOWN},
        {"surfaces", extra_a->surfaces, extra_b->surfaces, UNKNOWN},
        {"samplers", extra_a->samplers, extra_b->samplers, UNKNOWN},
    };
    const char *field = wrong_number(numbers, sizeof numbers / sizeof *numbers);
    if (field)
        return field;
    /* After a whole Used line an absent metric is 0, not unknown. */
    if ((a->flags & KERNEL_USED_LINE) &&
        (a->smem_bytes != b->smem_bytes || extra_a->lmem_bytes != extra_b->lmem_bytes ||
         a->cumulative_stack_bytes != b->cumulative_stack_bytes))
        return "an absent metric";
    return banks_agree(read, truth) ? NULL : "cmem_bytes";
}

/* The same for the facts that follow from the position in the log. */
static const char *wrong_context(const struct record *read, const struct record *truth)
{
    const struct kernel *a = read->kernel, *b = truth->kernel;
    const struct rare_metrics *extra_a = kernel_rare(read->model, a), *extra_b = kernel_rare(truth->model, b);
    const struct number numbers[] = {
        {"gmem_bytes", a->gmem_bytes, b->gmem_bytes, INT64_MIN},
        {"compile_us", a->compile_us, b->compile_us, INT64_MIN},
        {"register_cap", extra_a->register_cap, extra_b->register_cap, UNKNOWN},
        {"source_line", extra_a->source_line, extra_b->source_line, 0},
    };
    const char *field = wrong_number(numbers, sizeof numbers / sizeof *numbers);
    if (field)
        return field;
    if (!string_agrees(read, a->arch_inferred, truth, b->arch_inferred))
        return "arch_inferred";
    return string_agrees(read, a->source, truth, b->source) ? NULL : "source";
}

static const char *disagreement(const struct record *read, const struct record *truth, bool with_context)
{
    const char *field = arch_agrees(read, truth) ? wrong_metric(read, truth) : "arch";
    return field || !with_context ? field : wrong_context(read, truth);
}

/*
 * One kernel may be compiled twice with different numbers (two files, two flags). The order of its records does not
 * matter, but each must have its own partner. Finds augmenting paths; a group has only a few records.
 */
struct matching {
    const struct record *read, *truth;
    size_t truth_count;
    bool with_context;
    size_t *partner; /* for each record of the truth: index + 1 of its partner, 0: none */
    bool *visited;
};

static bool match_one(struct matching *matching, size_t read)
{
    for (size_t truth = 0; truth < matching->truth_count; truth++) {
        if (matching->visited[truth] ||
            disagreement(&matching->read[read], &matching->truth[truth], matching->with_context))
            continue;
        matching->visited[truth] = true;
        if (!matching->partner[truth] || match_one(matching, matching->partner[truth] - 1)) {
            matching->partner[truth] = read + 1;
            return true;
        }
    }
    return false;
}

static size_t match_group(const struct record *read, size_t read_count, const struct record *truth, size_t truth_count,
                          bool with_context)
{
    struct matching matching = {.read = read,
                                .truth = truth,
                                .truth_count = truth_count,
                                .with_context = with_context,
                                .partner = mem_alloc((truth_count + 1) * sizeof *matching.partner),
                                .visited = mem_alloc((truth_count + 1) * sizeof *matching.visited)};
    size_t matched = 0;
    for (size_t at = 0; at < read_count; at++) {
        for (size_t other = 0; other < truth_count; other++)
            matching.visited[other] = false;
        matched += match_one(&matching, at);
    }
    free(matching.partner);
    free(matching.visited);
    return matched;
}

static size_t group_end(const struct records *records, size_t start)
{
    size_t end = start + 1;
    while (end < records->count && compare_identity(&records->items[start], &records->items[end]) == 0)
        end++;
    return end;
}

static bool is_bare(const struct kernel *kernel)
{
    return kernel->registers == UNKNOWN && kernel->stack_bytes == UNKNOWN && kernel->spill_store_bytes == UNKNOWN &&
           kernel->smem_bytes == UNKNOWN && kernel->barriers == UNKNOWN && kernel->bank_count == 0;
}

/* Records of a torn mix that have a number and agree with no true record of their name. */
static size_t false_records(const struct record *read, size_t read_count, const struct record *truth,
                            size_t truth_count, bool with_context)
{
    size_t found = 0;
    for (size_t at = 0; at < read_count; at++) {
        bool agrees = is_bare(read[at].kernel);
        for (size_t other = 0; other < truth_count && !agrees; other++)
            agrees = !disagreement(&read[at], &truth[other], with_context);
        found += !agrees;
    }
    return found;
}

struct tally {
    bool tearing, labelled;
    size_t mixes, logs, records, entries, attributed, stacks, ambiguous, unmarked, wrong, invented, lost, flagged,
        context, torn;
};

static void print_group(const char *what, const struct records *records, size_t start, size_t end)
{
    for (size_t at = start; at < end; at++) {
        const struct record *record = &records->items[at];
        const struct kernel *kernel = record->kernel;
        printf("  %s %.*s %.*s line %u: registers ", what, STR_ARG(kernel_name(record->model, kernel)),
               STR_ARG(model_string(record->model, kernel->arch)), kernel->log_line);
        struct buf numbers = {0};
        const int32_t metrics[] = {
            kernel->registers,  kernel->stack_bytes, kernel->spill_store_bytes,     kernel->spill_load_bytes,
            kernel->smem_bytes, kernel->barriers,    kernel->cumulative_stack_bytes};
        for (size_t metric = 0; metric < sizeof metrics / sizeof *metrics; metric++) {
            print_metric(&numbers, metrics[metric]);
            buf_char(&numbers, ' ');
        }
        printf("%.*s flags %u\n", STR_ARG(buf_str(&numbers)), kernel->flags);
        buf_free(&numbers);
    }
}

/* Walks over both lists, which are sorted, group by group. */
static void compare_mix(const struct records *read, const struct records *truth, bool flagged, struct tally *tally)
{
    size_t left = 0, right = 0;
    while (left < read->count || right < truth->count) {
        int order = left == read->count     ? 1
                    : right == truth->count ? -1
                                            : compare_identity(&read->items[left], &truth->items[right]);
        size_t left_end = order <= 0 ? group_end(read, left) : left;
        size_t right_end = order >= 0 ? group_end(truth, right) : right;
        size_t left_count = left_end - left, right_count = right_end - right;
        tally->invented += left_count > right_count ? left_count - right_count : 0;
        tally->lost += right_count > left_count ? right_count - left_count : 0;
        size_t wrong = 0;
        const struct record *a = &read->items[left], *b = &truth->items[right];
        if (tally->tearing)
            wrong = false_records(a, left_count, b, right_count, flagged);
        else if (left_count == right_count)
            wrong = left_count - match_group(a, left_count, b, right_count, flagged);
        if (left_count == right_count && !flagged)
            tally->context += left_count - match_group(a, left_count, b, right_count, true);
        tally->wrong += wrong;
        if (wrong || (left_count != right_count && !tally->tearing)) {
            const char *field = wrong && left_count && right_count
                                    ? disagreement(&read->items[left], &truth->items[right], flagged)
                                    : NULL;
            printf("%s\n", wrong ? field ? field : "a wrong number" : "another number of records");
            print_group("read ", read, left, left_end);
            print_group("truth", truth, right, right_end);
        }
        left = left_end;
        right = right_end;
    }
}

/* Counts entries with registers. `told`: the reader reported a torn or missing line, so an entry may lack registers
 * without being marked as ambiguous. */
static void count_attributed(const struct records *read, bool told, struct tally *tally)
{
    for (size_t at = 0; at < read->count; at++) {
        const struct kernel *kernel = read->items[at].kernel;
        if (kernel->kind != KERNEL_ENTRY)
            continue;
        tally->entries++;
        tally->attributed += kernel->registers != UNKNOWN;
        tally->stacks += kernel->stack_bytes != UNKNOWN;
        tally->ambiguous += (kernel->flags & KERNEL_AMBIGUOUS) != 0;
        tally->unmarked += !told && kernel->registers == UNKNOWN && !(kernel->flags & KERNEL_AMBIGUOUS);
    }
}

static bool check_mix(struct mix *mix, struct tally *tally)
{
    struct tally before = *tally;
    struct model model = {0};
    read_in_pieces(&model, STR("mix"), buf_str(&mix->text), 0);
    struct records read = {0}, truth = {0};
    add_records(&read, &model);
    for (size_t at = 0; at < mix->count; at++)
        add_records(&truth, &mix->streams[at]->model);
    qsort(read.items, read.count, sizeof *read.items, compare_records);
    qsort(truth.items, truth.count, sizeof *truth.items, compare_records);
    compare_mix(&read, &truth, model.logs[0].interleaved || tally->labelled, tally);
    count_attributed(&read, tally->tearing && (model.logs[0].torn || model.logs[0].unknown_lines || model.logs[0].cut),
                     tally);
    tally->mixes++;
    tally->flagged += model.logs[0].interleaved;
    tally->torn += model.logs[0].torn;
    tally->logs += mix->count;
    tally->records += truth.count;
    free(read.items);
    free(truth.items);
    model_free(&model);
    bool all = tally->lost == before.lost && tally->invented == before.invented;
    bool sure = !tally->labelled || tally->ambiguous == before.ambiguous;
    return tally->wrong == before.wrong && (all || tally->tearing) && tally->unmarked == before.unmarked && sure;
}

/* Writes the mix that failed to the path in WARPLINT_TEST_KEEP. */
static void keep_mix(const struct mix *mix)
{
    const char *path = getenv("WARPLINT_TEST_KEEP");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (!file)
        return;
    fwrite(mix->text.ptr, 1, mix->text.len, file);
    fclose(file);
}

enum mode { UNIFORM, BURSTY, TORN };

static void run_mode(struct pool *pool, enum mode mode, enum content content, size_t rounds)
{
    struct tally tally = {.tearing = mode == TORN, .labelled = content == LABELLED};
    struct mix mix = {0};
    by_name_only = tally.tearing;
    for (size_t round = 0; round < rounds; round++) {
        random_state = 0x9e3779b97f4a7c15u * (2 * round + (mode == BURSTY) + 1);
        choose_streams(&mix, pool, content);
        if (mode == TORN)
            mix_torn(&mix);
        else
            mix_messages(&mix, mode == BURSTY);
        if (check_mix(&mix, &tally))
            continue;
        printf("round %zu:\n", round);
        for (size_t at = 0; at < mix.count; at++)
            printf("  of %s\n", mix.streams[at]->path);
        keep_mix(&mix);
        if (mode != TORN) /* counts all failures */
            break;
    }
    size_t percent = tally.entries ? tally.entries : 1;
    printf("  %zu mixes of %zu logs, %zu records: %zu wrong, %zu invented, %zu lost\n", tally.mixes, tally.logs,
           tally.records, tally.wrong, tally.invented, tally.lost);
    printf("  of %zu entries: registers of %zu %%, stacks of %zu %%, %zu %% ambiguous\n", tally.entries,
           tally.attributed * 100 / percent, tally.stacks * 100 / percent, tally.ambiguous * 100 / percent);
    printf("  %zu mixes seen to be interleaved; in the others %zu records with a neighbour's context\n", tally.flagged,
           tally.context);
    if (mode == TORN)
        printf("  %zu mixes seen to be torn\n", tally.torn);
    if (mode == TORN) /* a tear between two lines is noticed only after a later one */
        ck_assert_uint_le(tally.wrong * 10000, tally.records);
    else
        ck_assert_uint_eq(tally.wrong, 0);
    ck_assert_uint_eq(tally.unmarked, 0); /* entries without registers that are not marked as ambiguous */
    ck_assert_uint_eq(tally.mixes, rounds);
    if (mode != TORN) {
        ck_assert_uint_eq(tally.invented, 0);
        ck_assert_uint_eq(tally.lost, 0);
        ck_assert_uint_ge(2 * tally.attributed, tally.entries);
    }
    if (content == LABELLED)
        ck_assert_uint_eq(tally.ambiguous, 0);
    buf_free(&mix.text);
}

static struct paths paths;
static struct pool pool;

static void fill_pool(enum content content)
{
    paths_add(&paths, source_path("fixtures/*/log.txt"));
    paths_add(&paths, source_path("../shared/logs/builds/*.log"));
    if (content >= BUILDS)
        paths_add(&paths, source_path("../shared/logs/*.log"));
    for (size_t at = 0; at < paths.count; at++)
        pool_add(&pool, paths.items[at], content);
    ck_assert_msg(pool.count >= 20, "only %zu logs can be mixed", pool.count);
}

static void empty_pool(void)
{
    for (size_t at = 0; at < pool.count; at++)
        free_stream(&pool.items[at]);
    free(pool.items);
    pool = (struct pool){0};
    paths_free(&paths);
}

static const struct {
    const char *name;
    enum mode mode;
    enum content content;
} modes[] = {
    {"any message next", UNIFORM, PLAIN},
    {"bursts", BURSTY, PLAIN},
    {"bursts, each compiler's command before its messages", BURSTY, ECHOED},
    {"any message next, of ninja, make and compilers", UNIFORM, BUILDS},
    {"bursts of ninja, make and compilers", BURSTY, BUILDS},
    {"any line next, with a label, of ninja, make and compilers", UNIFORM, LABELLED},
    {"bursts of lines with labels, of ninja, make and compilers", BURSTY, LABELLED},
    {"torn at any byte", TORN, PLAIN},
};

START_TEST(mixed_logs_have_no_wrong_number)
{
    printf("%s\n", modes[_i].name);
    fill_pool(modes[_i].content);
    run_mode(&pool, modes[_i].mode, modes[_i].content, test_rounds(800));
    empty_pool();
}
END_TEST

int main(void)
{
    TCase *interleave = tcase_create("interleave");
    tcase_set_timeout(interleave, 600);
    tcase_add_loop_test(interleave, mixed_logs_have_no_wrong_number, 0, (int)(sizeof modes / sizeof *modes));
    return run_suite("interleave", &interleave, 1);
}
