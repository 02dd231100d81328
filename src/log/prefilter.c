/*
 * Each word has one byte that is rare in other text. A table maps each byte value to the words of which it is the rare
 * byte, so that a word is compared only at such a byte. (Testing 32 bytes at once with AVX2 saved 0.2 s on 100 MB of
 * text without ptxas, and nothing measurable on a build log of 2 MB.)
 */
#include "log/prefilter.h"

#define COMPRESSED(command) "compressed data, which were not read: give what `" command "` makes of them"
#define OTHER_ENCODING      "lines in another encoding than the first ones, which were not read: convert each part to UTF-8"

/* To add a word, add one row, with the position of the byte in it that is the least frequent one in build logs, C++
 * headers and English. To add the signature of data that are not text, add a row with its message, and one in
 * tests/test_encoding.c. */
static const struct needle {
    struct str word;
    uint8_t at;          /* position of the rare byte */
    const char *foreign; /* the data that begin with the word, as the end of a sentence; NULL: a word of the log */
} needles[] = {
    /* clang-format off */
    {STR_INIT("\x1b"), 0, NULL}, /* of a control sequence, which may be inside a word; so may a NUL */
    {STR_INIT("\0"), 0, NULL},
    {STR_INIT("[output clipped"), 0, NULL},
    {STR_INIT("fatbinary"), 3, NULL},
    {STR_INIT("properties for "), 0, NULL},
    {STR_INIT("ptxinfo"), 2, NULL}, /* of a command of nvfortran */
    {STR_INIT("nvlink"), 5, NULL},
    {STR_INIT("nvcc"), 1, NULL},
    {STR_INIT("-x cuda"), 1, NULL}, /* of a command of clang */
    {STR_INIT(" -c "), 1, NULL},     /* of a command of a host compiler */
    {STR_INIT("' for 'sm_"), 0, NULL},
    {STR_INIT("ll loads"), 6, NULL}, /* of a part of a stack line */
    {STR_INIT("frame,"), 5, NULL}, /* of the stack line */
    {STR_INIT("INFO: From "), 6, NULL}, /* of an action of Bazel ... */
    {STR_INIT(" failed: ("), 7, NULL},   /* ... and of one that failed */
    {STR_INIT("entry function '"), 15, NULL}, /* of a part of a message */
    {STR_INIT(" function &"), 10, NULL}, /* and a quote that a web page escaped */
    {STR_INIT("unrol"), 0, NULL},
    {STR_INIT("remark:"), 5, NULL},
    {STR_INIT("[...truncated"), 0, NULL},
    {STR_INIT("exceed"), 1, NULL}, /* a message about a length limit */
    {STR_INIT("launch_bounds"), 7, NULL},
    {STR_INIT("info "), 2, NULL},
    {STR_INIT("pragma"), 3, NULL},
    {STR_INIT("Cuda compilation tools"), 0, NULL},
    {STR_INIT("ptxas"), 2, NULL},
    {STR_INIT("CUDA"), 1, NULL},
    {STR_INIT("Building NVCC"), 10, NULL},
    {STR_INIT("] "), 0, NULL}, /* of any step of ninja or make: "[3/57] Generating k.cubin" */
    {STR_INIT("ing directory "), 4, NULL}, /* Entering, Leaving */
    {STR_INIT("Compiling Cuda object"), 10, NULL},
    {STR_INIT("compilation of \""), 3, NULL}, /* the number of errors */
    {STR_INIT("compiling for "), 3, NULL},
    {STR_INIT("error: "), 5, NULL},  /* of any compiler ... */
    {STR_INIT(" error C"), 7, NULL}, /* ... and of Microsoft's compiler */
    {STR_INIT("RuntimeError: Error "), 0, NULL},
    {STR_INIT("ninja: build stopped: "), 3, NULL},
    /* of usage_text.c */
    {STR_INIT("Function "), 0, NULL},
    {STR_INIT("REG:"), 2, NULL},
    {STR_INIT("arch = sm_"), 5, NULL},
    {STR_INIT("Fatbin "), 0, NULL},
    {STR_INIT("Benchmark all input configs"), 0, NULL},
    {STR_INIT("#shared-mem "), 0, NULL},
    {STR_INIT("\x1f\x8b\x08"), 0, COMPRESSED("gzip -dc")},
    {STR_INIT("\x28\xb5\x2f\xfd"), 1, COMPRESSED("zstd -dc")},
    {STR_INIT("\x04\x22\x4d\x18"), 0, COMPRESSED("lz4 -dc")},
    {STR_INIT("\xfd\x37zXZ"), 0, COMPRESSED("xz -dc")},
    {STR_INIT("1AY&SY"), 3, COMPRESSED("bzip2 -dc")},
    {STR_INIT("PK\x03\x04"), 2, COMPRESSED("unzip -p")},
    {STR_INIT("{\"type\":\"run\",\"schema\":1,\"tool\":\"warplint\""), 0, /* RECORD_SCHEMA */
     "records of warplint, which were not read: give them in a file of their own"},
    {STR_INIT("{\"run\":{\"type\":\"run\",\"schema\":1,\"tool\":\"warplint\""), 0,
     "the contents of `--format json`, which are not read back: write `--format ndjson` instead"},
    /* "ptxas" whose bytes were decoded in pairs: as UTF-16LE and UTF-16BE, from an even and from an odd position, and
     * UTF-16 text decoded in the other byte order */
    {STR_INIT("\xe7\x91\xb0\xe6\x85\xb8"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\xa1\xb4\xe7\x8d\xa1"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\x81\xb4\xe7\xa1\xa1"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\x91\xb8\xe6\x85\xb3"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\x80\x80\xe7\x90\x80\xe7\xa0\x80"), 0, OTHER_ENCODING},
    /* clang-format on */
};

enum { NEEDLES = sizeof needles / sizeof *needles };
_Static_assert(NEEDLES <= 64, "a bit for each");

/* By byte value: a bit for each needle that has it as its rare byte. Filled once, always with the same content. */
static uint64_t needles_of_byte[256];
static uint64_t foreign_needles;

static void fill_table(void)
{
    for (size_t n = 0; n < NEEDLES; n++) {
        needles_of_byte[(unsigned char)needles[n].word.ptr[needles[n].at]] |= UINT64_C(1) << n;
        foreign_needles |= needles[n].foreign ? UINT64_C(1) << n : 0;
    }
}

/* The first needle in the line; if `foreign`, the first one that has a message. NULL if there is none. */
static const struct needle *find(struct str line, bool foreign)
{
    if (!foreign_needles)
        fill_table();
    uint64_t wanted = foreign ? foreign_needles : UINT64_MAX;
    for (size_t at = 0; at < line.len; at++)
        for (uint64_t rest = needles_of_byte[(unsigned char)line.ptr[at]] & wanted; rest; rest &= rest - 1) {
            const struct needle *needle = &needles[__builtin_ctzll(rest)];
            if (at >= needle->at && str_starts(str_from(line, at - needle->at), needle->word))
                return needle;
        }
    return NULL;
}

bool prefilter_in_line(struct str line)
{
    return find(line, false) != NULL;
}

const char *prefilter_foreign(struct str line)
{
    const struct needle *needle = find(line, true);
    return needle ? needle->foreign : NULL;
}
