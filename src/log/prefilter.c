/*
 * Three neighbouring letters of each word that are rare in other text are its print. Prints are looked for at 32 places
 * at once: tables of 16 say for each of the three bytes, by its low half and by its high half, which groups of words
 * may have it there. Where all six agree on a group the words are compared letter by letter. (The method is known as
 * Teddy; it comes from the Hyperscan library.)
 */
#include "log/prefilter.h"

#include <pthread.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WITH_AVX2
#include <immintrin.h>
#endif

/* The loader of glibc has asked the processor what it can do. Asking once more, as the compiler's way of it does before
 * main, costs 0.2 ms where a hypervisor traps the question. */
#if defined(WITH_AVX2) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_AVX2 CPU_FEATURE_ACTIVE(AVX2)
#endif
#endif
#ifndef HAS_AVX2
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#endif

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
    /* clang-format on */
};

_Static_assert(sizeof needles / sizeof *needles <= 32, "a bit for each");

/* A control sequence may stand inside a word. */
static const unsigned char controls[] = {0x1b, 0};

/* For each byte of a print: a bit for each group that may have it there. Filled once, always the same. */
static uint8_t groups_of_byte[PRINT][256];
static uint8_t groups_of_half[PRINT][2][16]; /* low, high */
static uint32_t needles_of_byte[256];        /* a bit for each needle whose print begins with it */
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void allow(int place, unsigned byte, unsigned group)
{
    groups_of_byte[place][byte] |= (uint8_t)(1u << group);
    groups_of_half[place][0][byte & 15] |= (uint8_t)(1u << group);
    groups_of_half[place][1][byte >> 4] |= (uint8_t)(1u << group);
}

static void fill_tables(void)
{
    for (size_t n = 0; n < sizeof needles / sizeof *needles; n++) {
        const char *print = needles[n].word.ptr + needles[n].at;
        for (int place = 0; place < PRINT; place++)
            allow(place, (unsigned char)print[place], needles[n].group);
        needles_of_byte[(unsigned char)*print] |= 1u << n;
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
    for (uint32_t left = needles_of_byte[(unsigned char)*print]; left; left &= left - 1) {
        const struct needle *needle = &needles[__builtin_ctz(left)];
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

/* From `at`, where [start, at) holds nothing. */
static const char *prefilter_bytes(const char *start, const char *at, const char *end, uint32_t *lines)
{
    uint32_t passed = 0;
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

const char *prefilter_portable(const char *at, const char *end, uint32_t *lines)
{
    pthread_once(&tables_once, fill_tables);
    return prefilter_bytes(at, at, end, lines);
}

#ifdef WITH_AVX2

__attribute__((target("avx2"), always_inline)) static inline __m256i load(const void *from)
{
    __m256i vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

__attribute__((target("avx2"), always_inline)) static inline __m256i twice(const uint8_t *table)
{
    __m128i half;
    memcpy(&half, table, sizeof half);
    return _mm256_broadcastsi128_si256(half);
}

/* The groups that have these bytes at this place of their prints. */
__attribute__((target("avx2"), always_inline)) static inline __m256i groups_at(__m256i bytes, __m256i low, __m256i high)
{
    const __m256i half = _mm256_set1_epi8(15);
    return _mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(bytes, half)),
                            _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)));
}

__attribute__((target("avx2,popcnt,bmi"))) static const char *seek_avx2(const char *start, const char *end,
                                                                        uint32_t *lines)
{
    enum { WIDTH = 32 };
    const __m256i low0 = twice(groups_of_half[0][0]), high0 = twice(groups_of_half[0][1]);
    const __m256i low1 = twice(groups_of_half[1][0]), high1 = twice(groups_of_half[1][1]);
    const __m256i low2 = twice(groups_of_half[2][0]), high2 = twice(groups_of_half[2][1]);
    const __m256i lf = _mm256_set1_epi8('\n'), zero = _mm256_setzero_si256();
    const char *at = start;
    uint32_t passed = 0;
    for (; end - at >= WIDTH + PRINT - 1; at += WIDTH) {
        __m256i bytes = load(at);
        __m256i groups =
            _mm256_and_si256(groups_at(bytes, low0, high0), _mm256_and_si256(groups_at(load(at + 1), low1, high1),
                                                                             groups_at(load(at + 2), low2, high2)));
        uint32_t ends = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, lf));
        uint32_t places = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, zero));
        for (; places; places &= places - 1) {
            unsigned place = (unsigned)__builtin_ctz(places);
            if (!groups_of(at + place) || !is_match(start, at + place, end))
                continue;
            *lines += passed + (uint32_t)__builtin_popcount(ends & ((1u << place) - 1));
            return at + place;
        }
        passed += (uint32_t)__builtin_popcount(ends);
    }
    *lines += passed;
    return prefilter_bytes(start, at, end, lines);
}

#endif

const char *prefilter_find(const char *at, const char *end, uint32_t *lines)
{
    pthread_once(&tables_once, fill_tables);
#ifdef WITH_AVX2
    if (HAS_AVX2)
        return seek_avx2(at, end, lines);
#endif
    return prefilter_bytes(at, at, end, lines);
}

bool prefilter_in_line(struct str line)
{
    uint32_t lines = 0;
    return line.len && prefilter_find(line.ptr, line.ptr + line.len, &lines) != NULL;
}
