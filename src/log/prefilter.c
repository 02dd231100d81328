/*
 * Each word is looked for by one of its bytes, which is rare in other text: a table says for each byte which words have
 * it as that byte. 32 places at once, with AVX2, made a log of 100 MB without a line of ptxas 0.2 s faster and one of
 * 2 MB from a build not measurably so: it is gone.
 */
#include "log/prefilter.h"

/* To add a word: one row, with the place of the byte in it that build logs, C++ headers and English have least often.
 */
static const struct needle {
    struct str word;
    uint8_t at; /* of the rare byte */
} needles[] = {
    /* clang-format off */
    {STR_INIT("[output clipped"), 0},
    {STR_INIT("fatbinary"), 3},
    {STR_INIT("properties for "), 0},
    {STR_INIT("ptxinfo"), 2}, /* of a command of nvfortran */
    {STR_INIT("nvlink"), 5},
    {STR_INIT("nvcc"), 1},
    {STR_INIT("-x cuda"), 1}, /* of a command of clang */
    {STR_INIT(" -c "), 1},     /* of a command of a host compiler */
    {STR_INIT("' for 'sm_"), 0},
    {STR_INIT("ll loads"), 6}, /* of half a stack line */
    {STR_INIT("frame,"), 5}, /* of the stack line */
    {STR_INIT("From Compiling"), 0},
    {STR_INIT("entry function '"), 15}, /* of half a message */
    {STR_INIT("unrol"), 0},
    {STR_INIT("remark:"), 5},
    {STR_INIT("[...truncated"), 0},
    {STR_INIT("exceed"), 1}, /* a limit of length */
    {STR_INIT("launch_bounds"), 7},
    {STR_INIT("info "), 2},
    {STR_INIT("pragma"), 3},
    {STR_INIT("Cuda compilation tools"), 0},
    {STR_INIT("ptxas"), 2},
    {STR_INIT("CUDA"), 1},
    /* of usage_text.c */
    {STR_INIT("Function "), 0},
    {STR_INIT("REG:"), 2},
    {STR_INIT("arch = sm_"), 5},
    {STR_INIT("Fatbin "), 0},
    {STR_INIT("Benchmark all input configs"), 0},
    {STR_INIT("#shared-mem "), 0},
    /* of foreign_part.c */
    {STR_INIT("\x1f\x8b\x08"), 0},
    {STR_INIT("\x28\xb5\x2f\xfd"), 1},
    {STR_INIT("\x04\x22\x4d\x18"), 0},
    {STR_INIT("\xfd\x37zXZ"), 0},
    {STR_INIT("1AY&SY"), 3},
    {STR_INIT("PK\x03\x04"), 2},
    {STR_INIT("{\"type\":\"run\",\"schema\":"), 0},
    {STR_INIT("\xe7\x91\xb0\xe6\x85\xb8"), 0},
    {STR_INIT("\xe7\xa1\xb4\xe7\x8d\xa1"), 0},
    {STR_INIT("\xe7\x81\xb4\xe7\xa1\xa1"), 0},
    {STR_INIT("\xe7\x91\xb8\xe6\x85\xb3"), 0},
    {STR_INIT("\xe7\x80\x80\xe7\x90\x80\xe7\xa0\x80"), 0},
    /* clang-format on */
};

enum { NEEDLES = sizeof needles / sizeof *needles };
_Static_assert(NEEDLES < 64, "a bit for each, and one for control characters");
#define CONTROL (UINT64_C(1) << 63)

/* By byte: a bit for each needle that has it as its rare byte. Filled once, always the same. */
static uint64_t needles_of_byte[256];

static void fill_table(void)
{
    for (size_t n = 0; n < NEEDLES; n++)
        needles_of_byte[(unsigned char)needles[n].word.ptr[needles[n].at]] |= UINT64_C(1) << n;
    needles_of_byte[0x1b] |= CONTROL; /* a control sequence may stand inside a word, and so may NUL */
    needles_of_byte[0] |= CONTROL;
}

/* Does one of these needles stand in [start, end), with its rare byte here? */
static bool is_match(const char *start, const char *at, const char *end, uint64_t candidates)
{
    for (; candidates && candidates < CONTROL; candidates &= candidates - 1) {
        const struct needle *needle = &needles[__builtin_ctzll(candidates)];
        const char *word = at - needle->at;
        if (at - start >= needle->at && (size_t)(end - word) >= needle->word.len &&
            memcmp(word, needle->word.ptr, needle->word.len) == 0)
            return true;
    }
    return candidates != 0;
}

const char *prefilter_find(const char *start, const char *end, uint64_t *lines)
{
    uint64_t passed = 0;
    if (!needles_of_byte[0])
        fill_table();
    const char *at = start;
    for (; at < end; at++) {
        uint64_t candidates = needles_of_byte[(unsigned char)*at];
        passed += *at == '\n';
        if (candidates && is_match(start, at, end, candidates))
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
