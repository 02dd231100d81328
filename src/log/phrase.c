/*
 * The phrase table for CUDA 2 to 13, in the wording of the tools' own message templates and of public logs.
 *
 * To add a phrase, add one row here, in the tool's own wording with a placeholder for each part that varies, and one
 * group in tests/log.test. The rows of a group are tried in their order: of two rows that begin alike, the longer one
 * must be first. A row with an event name becomes an event that rules can match. Several rows may have the same event
 * name (versions of one message).
 */
#include "log/phrase.h"

#include <string.h>

#define EVENT(name, text)                                                                                              \
    {                                                                                                                  \
        GROUP_TOOL, PHRASE_EVENT, name, text, 0                                                                        \
    }
#define REPEATED(name, text)                                                                                           \
    {                                                                                                                  \
        GROUP_TOOL, PHRASE_EVENT, name, text, PHRASE_ONCE_PER_FUNCTION                                                 \
    }
#define PLACE(name, text)                                                                                              \
    {                                                                                                                  \
        GROUP_PLACE, PHRASE_EVENT, name, text, 0                                                                       \
    }
#define FAILURE(text)                                                                                                  \
    {                                                                                                                  \
        GROUP_FAILURE, PHRASE_EVENT, "nvcc-message", text, 0                                                           \
    }
#define LOOP(kind, text)                                                                                               \
    {                                                                                                                  \
        GROUP_PLACE, kind, NULL, text, 0                                                                               \
    }

const struct phrase phrase_table[] = {
    /* Resource records, the most frequent ones first. */
    {GROUP_STACK, PHRASE_STACK, NULL, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", 0},
    {GROUP_TOOL, PHRASE_ENTRY, NULL, "Compiling entry function '%n' for '%a'", 0},
    {GROUP_TOOL, PHRASE_ENTRY, NULL, "Compiling entry function '%n'", 0}, /* CUDA 2: no architecture */
    {GROUP_LINKER, PHRASE_LINK_PROPERTIES, NULL, "Function properties for '%n':", 0},
    {GROUP_TOOL, PHRASE_PROPERTIES, NULL, "Function properties for %n", 0},
    {GROUP_TOOL, PHRASE_USED, NULL, "Used %d registers%m", 0},
    {GROUP_LINKER, PHRASE_LINK_USED, NULL, "used %d registers%m", 0},
    {GROUP_TOOL, PHRASE_TIME, NULL, "Compile time = %f ms", 0},
    {GROUP_TOOL, PHRASE_STACK, NULL, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", 0},
    {GROUP_LINKER, PHRASE_MODULE, NULL, "%d bytes gmem%m", 0},

    /* Spills, stack and local memory. */
    EVENT("spill-warning",
          "Registers are spilled to local memory in function '%n', %d bytes spill stores, %d bytes spill loads"),
    EVENT("lmem-warning", "Local memory used for function '%n', size of stack frame: %d bytes"),
    EVENT("stack-unknown", "Stack size for entry function '%n' cannot be statically determined"),
    EVENT("stack-limit", "Function '%n' uses %d bytes stack but limited to %d"),
    EVENT("address-taken", "Function '%n' has address taken but no %s"),

    /* Register caps. */
    EVENT("maxrregcount-raised", "For profile %a adjusting per thread register count of %d to lower bound of %d"),
    EVENT("maxrregcount-ignored", "Too big maxrregcount value specified %d, will be ignored"),
    EVENT("register-cap-option", "Overriding maximum register limit %d for '%n' with %d of maxrregcount option"),
    EVENT("register-cap-launch-bounds",
          "Overriding global maxrregcount %d with entry-specific value %d computed using thread count"),
    EVENT("register-cap-maxnreg", "Overriding global maxrregcount %d with entry-specific value %d of .maxnreg"),
    EVENT("register-allocation-failed", "(C%d) Register allocation failed with register count of '%d'. %s"),
    EVENT("register-allocation-failed", "Register allocation failed with register count of '%d'. %s"),
    EVENT("register-allocation-failed", "(C%d) Insufficient registers (%d) to compile instruction at line %d in "
                                        "function %n. Try to compile with register target of %s"),
    EVENT("register-allocation-failed", "Insufficient registers (%d) to compile instruction at line %d in function %n. "
                                        "Try to compile with register target of %s"),
    EVENT("link-register-mismatch",
          "entry function '%n' with max regcount of %d calls function '%s' with regcount of %d"),
    EVENT("link-register-mismatch",
          "Entry function '%n' with max regcount of %d calls function '%s' with regcount of %d"),

    /* Launch bounds. */
    EVENT("launch-bounds-ignored",
          "Value of threads per SM for entry %n is out of range. .minnctapersm will be ignored"),
    EVENT("launch-threads-ignored",
          "Value of threads per SM for entry %n is out of range. .minnctapersm and .maxntid will be ignored"),
    EVENT("launch-bounds-ignored", "Value of minnctapersm for entry %n is out of range. minnctapersm will be ignored"),
    EVENT("launch-bounds-ignored", "Too many %s specified for entry %n, will be ignored"),

    /* Resources that do not fit. */
    EVENT("too-much-shared", "Entry function '%n' uses too much shared data (%x bytes, %x max)"),
    EVENT("too-much-shared", "Entry function '%n' uses too much shared data (%x bytes + %x bytes system, %x max)"),
    EVENT("resource-error", "Entry function '%n' uses too much %s"),
    EVENT("resource-error", "File uses too much global constant data (%x bytes, %x max)"),
    EVENT("resource-error", "More than %d %s used in entry function '%n'"),

    /* Advisories of the compiler core, printed without -v. */
    EVENT("setmaxnreg-ignored", "(C%d) Potential Performance Loss: 'setmaxnreg' ignored%s"),
    EVENT(
        "wgmma-serialized",
        "(C%d) Potential Performance Loss: wgmma.mma_async instructions are serialized due to %s in the function '%n'"),
    EVENT("wgmma-serialized",
          "(C%d) Potential Performance Loss: wgmma.mma_async instructions are serialized due to %s in function '%n'"),
    EVENT("wgmma-serialized",
          "(C%d) Potential Performance Loss: wgmma.mma_async instructions are serialized due to %s"),
    REPEATED("wgmma-injected", "(C%d) warpgroup.wait is injected in around line %d by compiler to allow use of "
                               "registers defined by GMMA in function '%n'"),
    REPEATED("wgmma-injected", "(C%d) warpgroup.arrive is injected in around line %d by compiler to allow use of "
                               "registers in GMMA in function '%n'"),
    EVENT("performance-loss", "(C%d) Potential Performance Loss: %s"),
    EVENT("advisory", "(C%d) %s"),
    EVENT("advisory", "Advisory: %s"),

    /* Double precision. */
    REPEATED("double-use", "Program is doing double precision computations."),
    REPEATED("double-demoted", "Double is not supported. Demoting to float"),

    /* Errors without numbers, and messages that state nothing about a kernel. */
    EVENT("unresolved", "Unresolved extern function '%n'"),
    EVENT("unresolved", "Undefined reference to '%s' in '%s'"),
    EVENT("unresolved", "Unresolved extern variable '%s' in whole program compilation, ignoring extern qualifier"),
    EVENT("assembly-error", "Instruction '%s' not supported on .target '%a'"),
    EVENT("assembly-error", "Instruction '%s' requires %s"),
    EVENT("assembly-error", "Feature '%s' requires %s"),
    EVENT("assembly-error", "Feature '%s' not supported on .target '%a'"),
    EVENT("assembly-error", "Parsing error near '%s': %s"),
    EVENT("assembly-error", "Unsupported .version %s"),
    EVENT("assembly-error", "Ptx assembly aborted due to errors"),
    EVENT("assembly-error", "SM version specified by .target is higher than default SM version assumed"),
    EVENT("assembly-error", "Unknown option '%s'"),
    EVENT("assembly-error", "Input file '%s' could not be opened"),
    EVENT("assembly-error", "no argument expected after '%s'"),
    EVENT("assembly-error", "Internal error%s"),
    EVENT("option-conflict", "incompatible redefinition for option '%s', the last value of this option was used"),
    EVENT("option-conflict", "'%s' overrides '%s'"),
    EVENT("abi", "Program compiled without abi%s"),
    EVENT("abi", "32-Bit compilation is no longer supported%s"),
    EVENT("pic-disabled", "Disabling default position-independent-code(pic) compilation mode as program requires more "
                          "resources than allowed."),
    EVENT("pointer-space", "Cannot tell what pointer points to, assuming global memory space"),
    EVENT("pointer-space", "Const space overflowed%s"),
    EVENT("link-input", "SM Arch ('%a') not found in '%s'"),
    EVENT("link-input", "Skipping incompatible '%s' %s"),
    EVENT("link-error", "elfLink %s"),

    /* The source language: pragmas that were ignored. */
    PLACE("unroll-pragma-ignored", "the #pragma unroll must precede a loop"),
    PLACE("unroll-pragma-ignored", "the unroll value does not fit in a integer, ignoring pragma for this loop"),
    PLACE("unroll-pragma-ignored", "the unroll value cannot be zero or negative, ignoring pragma for this loop"),
    PLACE("unroll-pragma-ignored", "the optional argument to the unroll pragma must be an integral constant "
                                   "expression, ignoring pragma for this loop"),
    PLACE("unroll-pragma-ignored", "extra characters in the unroll pragma %s"),
    {GROUP_PLACE, PHRASE_PRAGMA, "unroll-pragma-ignored", "unrecognized GCC pragma", 0},
    {GROUP_PLACE, PHRASE_PRAGMA, "unroll-pragma-ignored", "unrecognized #pragma in device code", 0},
    {GROUP_PLACE, PHRASE_PRAGMA, "unroll-pragma-ignored", "this pragma must immediately precede a statement", 0},
    {GROUP_PLACE, PHRASE_PRAGMA, "unroll-pragma-ignored", "this kind of pragma may not be used here", 0},
    PLACE("unroll-host", "ignoring %spragma unroll%s"),
    PLACE("unroll-host", "unknown pragma 'unroll'"),
    PLACE("missing-launch-bounds", "no __launch_bounds__ specified for __global__ function"),

    /* Loops: Open64 (CUDA 2 to 4.0), clang, and the remarks of cicc (sm_75 to 90, then sm_100 and later). */
    PLACE("unroll", "Loop was not unrolled, %s"),
    PLACE("unroll", "loop not unrolled: %s"),
    LOOP(PHRASE_LOOP_START, "Starting analysis in loop, in function F[%n]..."),
    LOOP(PHRASE_LOOP_START, "Starting analysis in nested loop (loop depth : %d), in function F[%n]..."),
    LOOP(PHRASE_LOOP_PRAGMA, "Loop has \"#pragma unroll %d\""),
    LOOP(PHRASE_LOOP_PRAGMA, "Loop has \"#pragma unroll\" %s"),
    LOOP(PHRASE_LOOP_REFUSED, "Warning : unable to %s"),
    LOOP(PHRASE_LOOP_REFUSED, "Unable to %s"),
    LOOP(PHRASE_LOOP_REASON, "Failed : %s"),
    LOOP(PHRASE_LOOP_REASON, "Failed: %s"),
    LOOP(PHRASE_LOOP_REASON, "Warning : %s"),
    LOOP(PHRASE_LOOP_PLANNED, "Success! Unrolling strategy :"),
    LOOP(PHRASE_LOOP_PLAN, "runtime unroll by factor of %d%s"),
    LOOP(PHRASE_LOOP_PLAN, "partially unroll by factor of %d%s"),
    LOOP(PHRASE_LOOP_PLAN_COMPLETE, "fully unroll %s"),
    LOOP(PHRASE_LOOP_SIDE_EXITS,
         "Note : cannot generate the remainder loop. Will unroll the main loop with side-exits%s"),
    LOOP(PHRASE_LOOP_FACTOR, "unrolled loop by a factor of %d%s"),
    LOOP(PHRASE_LOOP_COMPLETE, "completely unrolled loop%s"),
    LOOP(PHRASE_LOOP_STEP, "Analyzing unrolling strategy..."),
    LOOP(PHRASE_LOOP_STEP, "Applying unrolling strategy..."),
    LOOP(PHRASE_LOOP_STEP, "Trying %s"),
    LOOP(PHRASE_LOOP_STEP, "Loop is from an inlined function: inlined into %s"),
    LOOP(PHRASE_LOOP_STEP, "Reminder: loop accesses local arrays with approximate size of %d"),
    LOOP(PHRASE_LOOP_STEP, "Unrolling is disabled by source code \"#pragma unroll 1\"%s"),
    LOOP(PHRASE_LOOP_STEP, "Not unrolling%s"),
    LOOP(PHRASE_LOOP_STEP, "Attempting aggressive runtime unrolling%s"),
    LOOP(PHRASE_LOOP_STEP, "Didn't aggressively runtime unroll%s"),
    LOOP(PHRASE_LOOP_STEP, "Aggressive runtime unrolling %s"),
    LOOP(PHRASE_LOOP_STEP, "Aggressive Runtime Unrolling %s"),
    LOOP(PHRASE_LOOP_STEP, "loop peeling by %d iterations"),
    LOOP(PHRASE_LOOP_STEP, "peeled loop by %d iterations"),
    LOOP(PHRASE_LOOP_STEP, "unroll and jammed loop by a factor of %d%s"),
    LOOP(PHRASE_LOOP_STEP, "completely unroll and jammed loop with %d%s"),

    /* Messages of nvcc, fatbinary and the front end: after such an error, records are missing. */
    {GROUP_NVCC, PHRASE_EVENT, "nvcc-message", "%s", 0},
    {GROUP_SOURCE_ERROR, PHRASE_EVENT, "nvcc-message", "%s", 0},
    FAILURE("%d error%s detected in the compilation of \"%s\"."),
    FAILURE("%d catastrophic error%s detected in the compilation of \"%s\"."),
    FAILURE("%d error%s generated when compiling for %s"), /* clang */
    FAILURE("%d warning%s and %d error%s generated when compiling for %s"),

    /* Errors of programs that nvcc starts (nvcc itself does not report them), and of programs that start nvcc. */
    FAILURE("cc1plus: error: %s"),
    FAILURE("cc1plus: fatal error: %s"),
    FAILURE("gcc: error: %s"),
    FAILURE("gcc: fatal error: %s"),
    FAILURE("g++: error: %s"),
    FAILURE("g++: fatal error: %s"),
    FAILURE("c++: error: %s"),
    FAILURE("c++: fatal error: %s"),
    FAILURE("%s: fatal error: Killed signal terminated program %s"),
    FAILURE("clang: error: %s"),
    FAILURE("clang++: error: %s"),
    FAILURE("collect2: error: %s"),
    FAILURE("collect2: fatal error: %s"),
    FAILURE("%snvcc: command not found"),
    FAILURE("%snvcc: not found"),
    FAILURE("%snvcc: No such file or directory"),
    FAILURE("zsh: command not found: nvcc"),
    FAILURE("'nvcc' is not recognized as an internal or external command,"),
    FAILURE("error: command '%s' failed%s"), /* setuptools */
    FAILURE("RuntimeError: Error compiling objects for extension"),
    FAILURE("RuntimeError: Error building extension '%s'%s"),
    FAILURE("ninja: build stopped: %s"),
};
const size_t phrase_count = sizeof phrase_table / sizeof *phrase_table;

const char *const derived_events[] = {"binary-mismatch", "unroll-unclear"};
const size_t derived_event_count = sizeof derived_events / sizeof *derived_events;

#define WORDS(words, name)                                                                                             \
    {                                                                                                                  \
        STR_INIT(words), offsetof(struct metrics, name)                                                                \
    }
#define BANK_METRIC ((size_t)-1) /* "bytes cmem[K]" */
#define GMEM_METRIC ((size_t)-2) /* "bytes gmem", which only a separate line about a module states */

/* To add a metric, add its words here and its row in log/metric.h. The most frequent metrics are first. */
const struct metric_phrase metric_phrases[] = {
    {STR_INIT("bytes cmem"), BANK_METRIC}, WORDS("barriers", barriers),
    WORDS("bytes smem", smem_bytes),       WORDS("bytes cumulative stack size", cumulative_stack_bytes),
    WORDS("stack", stack_bytes), /* nvlink */
    WORDS("bytes lmem", lmem_bytes),       WORDS("textures", textures),
    WORDS("surfaces", surfaces),           WORDS("samplers", samplers),
    {STR_INIT("bytes gmem"), GMEM_METRIC},
};
const size_t metric_phrase_count = sizeof metric_phrases / sizeof *metric_phrases;

/* ---- matching ------------------------------------------------------------------------------------------------- */

/* A literal part of a template and the placeholder after it. */
struct part {
    struct str literal; /* may be empty */
    char hole;          /* the letter of the placeholder; 0: the template ends here */
    const char *rest;   /* the template after the placeholder */
};

static struct part part_of(const char *template)
{
    const char *hole = strchr(template, '%');
    if (!hole)
        return (struct part){str_of(template), '\0', NULL};
    return (struct part){{template, (size_t)(hole - template)}, hole[1], hole + 2};
}

/* hole: the placeholder, 'd' or 'x' */
static bool take_number(struct str *text, char hole, struct captures *captures)
{
    uint64_t hex = 0;
    int64_t value = 0;
    const bool ok =
        hole == 'x' ? str_take(text, STR("0x")) && str_hex(text, &hex) && hex <= INT64_MAX : str_int(text, &value);
    if (!ok || captures->number_count >= 4)
        return false;
    captures->number[captures->number_count++] = hole == 'x' ? (int64_t)hex : value;
    return true;
}

bool milliseconds_read(struct str *text, int64_t *time_us)
{
    uint64_t whole = 0, fraction = 0, unit = 1000;
    if (!str_uint(text, &whole) || whole > INT64_MAX / 1000000)
        return false;
    if (str_take(text, STR("."))) {
        for (; text->len && is_digit(text->ptr[0]); *text = str_from(*text, 1)) {
            unit /= 10;
            fraction += unit * (uint64_t)(text->ptr[0] - '0');
        }
    }
    *time_us = (int64_t)(whole * 1000 + fraction);
    return true;
}

static bool match_parts(const char *template, struct str text, struct captures *captures);

/* Matches a placeholder of any length. Names may contain blanks, commas and quotes, so the last position is taken at
 * which the rest of the template matches. */
static bool take_text(const struct part *part, struct str text, struct captures *captures)
{
    struct str *into = part->hole == 'n' ? &captures->name : part->hole == 'a' ? &captures->arch : &captures->text;
    const struct part next = part_of(part->rest);
    struct str anchor = next.literal;
    if (next.hole == '\0') { /* the last literal must be at the end, so no search is needed */
        if (!str_ends(text, anchor))
            return false;
        *into = str_sub(text, 0, text.len - anchor.len);
        return part->hole == 's' || into->len > 0;
    }
    for (size_t end = text.len; (end = str_rfind(str_sub(text, 0, end), anchor)) != STR_NONE;) {
        unsigned numbers = captures->number_count;
        if (match_parts(part->rest, str_from(text, end), captures)) {
            *into = str_sub(text, 0, end);
            return part->hole == 's' || end > 0;
        }
        captures->number_count = numbers;
        end += anchor.len - 1; /* the next match must end before the last byte of this one */
    }
    return false;
}

static bool match_parts(const char *template, struct str text, struct captures *captures)
{
    for (bool ok = true; ok;) {
        struct part part = part_of(template);
        if (!str_take(&text, part.literal))
            return false;
        template = part.rest;
        switch (part.hole) {
        case '\0': return text.len == 0;
        case 'd':
        case 'x': ok = take_number(&text, part.hole, captures); break;
        case 'f': ok = milliseconds_read(&text, &captures->time_us); break;
        case 'm': captures->metrics = text; return true;
        default: return take_text(&part, text, captures);
        }
    }
    return false;
}

/* True if the row is tried for the group. Messages that linkers and ptxas share are in GROUP_LINKER, and are also tried
 * for GROUP_TOOL. */
static bool is_of_group(const struct phrase *phrase, enum phrase_group group)
{
    return phrase->group == group || (group == GROUP_TOOL && phrase->group == GROUP_LINKER);
}

/* Tries the rows in their order. Those of records are first, because most messages belong to records. */
static int match_rows(enum phrase_group group, struct str text, struct captures *captures)
{
    for (size_t row = 0; row < phrase_count; row++) {
        const char *template = phrase_table[row].template;
        if (!is_of_group(&phrase_table[row], group) || (template[0] != '%' && template[0] != text.ptr[0]))
            continue;
        captures->name.len = captures->arch.len = captures->text.len = captures->metrics.len = 0;
        captures->number_count = 0;
        if (match_parts(template, text, captures))
            return (int)row;
    }
    return -1;
}

/* The text with single blanks: copies on the web collapse the padding of the tools, or add to it. */
static struct str single_blanks(struct str text, struct buf *out)
{
    buf_clear(out);
    for (size_t at = 0; at < text.len; at++)
        if (!is_space_or_tab(text.ptr[at]))
            buf_char(out, text.ptr[at]);
        else if (at == 0 || !is_space_or_tab(text.ptr[at - 1]))
            buf_char(out, ' ');
    return buf_str(out);
}

int phrasebook_match(enum phrase_group group, struct str text, struct buf *scratch, struct captures *captures)
{
    text = str_trim(text);
    if (text.len == 0)
        return -1;
    int row = match_rows(group, text, captures);
    if (row < 0 && (str_find_char(text, '\t') != STR_NONE || str_find(text, STR("  ")) != STR_NONE))
        row = match_rows(group, single_blanks(text, scratch), captures);
    return row;
}

bool phrasebook_could_begin(enum phrase_group group, struct str text)
{
    for (size_t row = 0; row < phrase_count; row++) {
        struct str template = str_of(phrase_table[row].template);
        struct str literal = str_sub(template, 0, str_find_char(template, '%'));
        if (is_of_group(&phrase_table[row], group) &&
            (str_starts(literal, text) || (literal.len && str_starts(text, literal))))
            return true;
    }
    return false;
}

/* ---- metrics -------------------------------------------------------------------------------------------------- */

/* Takes "[3]" after "372 bytes cmem". */
static bool take_bank(struct str *text, int64_t value, struct metrics *metrics)
{
    uint64_t bank = 0;
    if (!str_take(text, STR("[")) || !str_uint(text, &bank) || bank > UINT16_MAX || !str_take(text, STR("]")))
        return false;
    size_t at = 0;
    while (at < metrics->bank_count && metrics->banks[at].bank != bank)
        at++;
    if (at == MAX_BANKS)
        return true;
    metrics->banks[at] = (struct bank){(uint32_t)bank, (int32_t)value};
    metrics->bank_count += at == metrics->bank_count;
    return true;
}

/* Takes "12" or the old form "8+16" (declared and system); the value is the sum. False if the sum may not fit. */
static bool take_size(struct str *text, int64_t *value)
{
    int64_t more = 0;
    if (!str_int(text, value))
        return false;
    if (str_take(text, STR("+"))) {
        if (!str_int(text, &more) || more > INT32_MAX || *value > INT32_MAX)
            return false;
        *value += more;
    }
    return true;
}

/* The row whose words are at the front of the text and end at a comma, a bracket, a blank or the end of the text; NULL
 * if there is none. */
static const struct metric_phrase *find_metric(struct str text)
{
    for (const struct metric_phrase *metric = metric_phrases; metric < metric_phrases + metric_phrase_count; metric++) {
        size_t len = metric->words.len;
        if (!str_starts(text, metric->words))
            continue;
        char behind = text.len > len ? text.ptr[len] : ',';
        if (behind == ',' || behind == '[' || is_space_or_tab(behind))
            return metric;
    }
    return NULL;
}

/* Takes one part up to a comma from the front of *text: "used 2 barriers", "372 bytes cmem[0]". */
static bool take_metric(struct str *text, struct metrics *metrics)
{
    int64_t value = 0;
    *text = str_skip_blanks(*text);
    if (text->len > 5 && text->ptr[0] == 'u' && memcmp(text->ptr, "used", 4) == 0 && is_space_or_tab(text->ptr[4]))
        *text = str_from(*text, 4);
    *text = str_skip_blanks(*text);
    if (!take_size(text, &value))
        return false;
    *text = str_skip_blanks(*text);
    const struct metric_phrase *metric = find_metric(*text);
    if (!metric || (metric->offset != GMEM_METRIC && (value > INT32_MAX || value <= INT32_MIN)))
        return false;
    *text = str_from(*text, metric->words.len);
    if (metric->offset == BANK_METRIC)
        return take_bank(text, value, metrics);
    const int32_t narrow = (int32_t)value;
    if (metric->offset != GMEM_METRIC)
        memcpy((char *)metrics + metric->offset, &narrow, sizeof narrow);
    return true;
}

bool metrics_read(struct str text, struct metrics *metrics)
{
    for (text = str_skip_blanks(text); text.len; text = str_skip_blanks(text)) {
        if (!str_take(&text, STR(",")) || !take_metric(&text, metrics))
            return false;
    }
    return true;
}

#define METRIC_VALUE(name, ...) metrics->name,

bool metrics_are_possible(const struct metrics *metrics)
{
    const int32_t sizes[] = {METRICS(METRIC_VALUE, METRIC_VALUE, NO_METRIC, NO_METRIC)};
    bool possible =
        metrics->registers >= 0 && metrics->registers <= UINT8_MAX + 1 && metrics->barriers <= MOST_BARRIERS;
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++)
        possible &= sizes[at] >= 0 || sizes[at] == UNKNOWN;
    for (size_t at = 0; at < metrics->bank_count; at++)
        possible &= metrics->banks[at].bytes >= 0;
    return possible;
}
