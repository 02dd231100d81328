/*
 * Three neighbouring letters of each word that are rare in other text are its print. For each of the three bytes a
 * table says which groups of words may have it there; where all three agree on a group the words are compared letter by
 * letter. 32 places at once, with AVX2, made a log of 100 MB without a line of ptxas 0.2 s faster and one of 2 MB from
 * a build not measurably so: it is gone.
 */
#include "log/prefilter.h"

enum { PRINT = 3, CONTROLS = 0 /* the group of the control characters */ };

/* To add a word: one row. Words of one group (1 to 7) are found by chance in text that mixes their prints: put it with
 * one that is like it. Prints and groups are those that are rarest together in build logs, C++ headers and English: 0.7
 * in a thousand places. */
static const struct needle {
    struct str word;
    uint8_t at; /* of the print in the word */
    uint8_t group;
} needles[] = {
    /* clang-format off */
    {STR_INIT("[output clipped"), 0, 1},
    {STR_INIT("fatbinary"), 2, 1},
    {STR_INIT("properties for "), 6, 1},
    {STR_INIT("ptxinfo"), 1, 1}, /* of a command of nvfortran */
    {STR_INIT("nvlink"), 1, 2},
    {STR_INIT("nvcc"), 1, 2},
    {STR_INIT("-x cuda"), 1, 2}, /* of a command of clang */
    {STR_INIT(" -c "), 1, 2},     /* of a command of a host compiler */
    {STR_INIT("' for 'sm_"), 0, 2},
    {STR_INIT("ll loads"), 1, 2}, /* of half a stack line */
    {STR_INIT("frame,"), 3, 3}, /* of the stack line */
    {STR_INIT("From Compiling"), 3, 3},
    {STR_INIT("entry function '"), 13, 3}, /* of half a message */
    {STR_INIT("unrol"), 0, 4},
    {STR_INIT("remark:"), 4, 4},
    {STR_INIT("[...truncated"), 0, 4},
    {STR_INIT("exceed"), 2, 5}, /* a limit of length */
    {STR_INIT("launch_bounds"), 5, 5},
    {STR_INIT("info "), 2, 6},
    {STR_INIT("pragma"), 3, 6},
    {STR_INIT("Cuda compilation tools"), 2, 6},
    {STR_INIT("ptxas"), 2, 7},
    {STR_INIT("CUDA"), 1, 7},
    /* of foreign_part.c */
    {STR_INIT("\x1f\x8b\x08"), 0, 5},
    {STR_INIT("\x28\xb5\x2f\xfd"), 1, 5},
    {STR_INIT("\x04\x22\x4d\x18"), 0, 5},
    {STR_INIT("\xfd\x37zXZ"), 0, 5},
    {STR_INIT("1AY&SY"), 2, 5},
    {STR_INIT("PK\x03\x04"), 1, 5},
    {STR_INIT("{\"type\":\"run\",\"schema\":"), 8, 5},
    {STR_INIT("\xe7\x91\xb0\xe6\x85\xb8"), 0, 7},
    {STR_INIT("\xe7\xa1\xb4\xe7\x8d\xa1"), 0, 7},
    {STR_INIT("\xe7\x81\xb4\xe7\xa1\xa1"), 0, 7},
    {STR_INIT("\xe7\x91\xb8\xe6\x85\xb3"), 0, 7},
    {STR_INIT("\xe7\x80\x80\xe7\x90\x80\xe7\xa0\x80"), 0, 7},
    /* clang-format on */
};

_Static_assert(sizeof needles / sizeof *needles <= 64, "a bit for each");

/* A control sequence may stand inside a word. */
static const unsigned char controls[] = {0x1b, 0};

/* For each byte of a print: a bit for each group that may have it there. Filled once, always the same. */
static uint8_t groups_of_byte[PRINT][256];
static uint64_t needles_of_byte[256]; /* a bit for each needle whose print begins with it */
static bool has_tables;

static void allow(int place, unsigned byte, unsigned group)
{
    groups_of_byte[place][byte] |= (uint8_t)(1u << group);
}

static void fill_tables(void)
{
    has_tables = true;
    for (size_t n = 0; n < sizeof needles / sizeof *needles; n++) {
        const char *print = needles[n].word.ptr + needles[n].at;
        for (int place = 0; place < PRINT; place++)
            allow(place, (unsigned char)print[place], needles[n].group);
        needles_of_byte[(unsigned char)*print] |= 1ull << n;
    }
    for (size_t c = 0; c < sizeof controls; c++)
        allow(0, controls[c], CONTROLS);
    for (unsigned byte = 0; byte < 256; byte++)
        for (int place = 1; place < PRINT; place++)
            allow(place, byte, CONTROLS);
}

/* Does a whole word of [start, end) have its print here, or is this a control character? */
static bool is_match(const char *start, const char *print, const char *end)
{
    for (uint64_t left = needles_of_byte[(unsigned char)*print]; left; left &= left - 1) {
        const struct needle *needle = &needles[__builtin_ctzll(left)];
        const char *word = print - needle->at;
        if (print - start >= needle->at && (size_t)(end - word) >= needle->word.len &&
            memcmp(word, needle->word.ptr, needle->word.len) == 0)
            return true;
    }
    return memchr(controls, *print, sizeof controls) != NULL;
}

/* The groups that may have these bytes as their print. */
static inline unsigned groups_of(const char *print)
{
    return groups_of_byte[0][(unsigned char)print[0]] & groups_of_byte[1][(unsigned char)print[1]] &
           groups_of_byte[2][(unsigned char)print[2]];
}

const char *prefilter_find(const char *start, const char *end, uint64_t *lines)
{
    const char *at = start;
    uint64_t passed = 0;
    if (!has_tables)
        fill_tables();
    for (; at < end; at++) {
        unsigned groups = groups_of_byte[0][(unsigned char)*at];
        passed += *at == '\n';
        if (!groups)
            continue;
        if (end - at >= PRINT)
            groups = groups_of(at);
        if (groups && is_match(start, at, end))
            break;
    }
    *lines += passed;
    return at < end ? at : NULL;
}

bool prefilter_in_line(struct str line)
{
    uint64_t lines = 0;
    return line.len && prefilter_find(line.ptr, line.ptr + line.len, &lines) != NULL;
}
