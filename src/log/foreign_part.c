#include "log/foreign_part.h"

#define COMPRESSED(command) "compressed data, which were not read: give what `" command "` makes of them"
#define OTHER_ENCODING      "lines in another encoding than the first ones, which were not read: convert each part to UTF-8"

/* To add a mark: a row here, a word of it in log/prefilter.c, and a row in tests/test_encoding.c. */
static const struct mark {
    struct str bytes;
    uint8_t rare; /* the place of a byte that other lines seldom have */
    const char *what;
} marks[] = {
    {STR_INIT("\x1f\x8b\x08"), 0, COMPRESSED("gzip -dc")},
    {STR_INIT("\x28\xb5\x2f\xfd"), 1, COMPRESSED("zstd -dc")},
    {STR_INIT("\x04\x22\x4d\x18"), 0, COMPRESSED("lz4 -dc")},
    {STR_INIT("\xfd\x37zXZ"), 0, COMPRESSED("xz -dc")},
    {STR_INIT("1AY&SY"), 3, COMPRESSED("bzip2 -dc")},
    {STR_INIT("PK\x03\x04"), 2, COMPRESSED("unzip -p")},
    {STR_INIT("{\"type\":\"run\",\"schema\":1,\"tool\":\"warplint\""), 0, /* RECORD_SCHEMA */
     "records of warplint, which were not read: give them in a file of their own"},
    /* "ptxas" in bytes that are taken in twos: UTF-16LE and BE from both places, and UTF-16 of the other order */
    {STR_INIT("\xe7\x91\xb0\xe6\x85\xb8"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\xa1\xb4\xe7\x8d\xa1"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\x81\xb4\xe7\xa1\xa1"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\x91\xb8\xe6\x85\xb3"), 0, OTHER_ENCODING},
    {STR_INIT("\xe7\x80\x80\xe7\x90\x80\xe7\xa0\x80"), 0, OTHER_ENCODING},
};

/* One look at each byte: most lines have none of these. */
static bool is_rare(char byte)
{
    switch (byte) {
    case '\x1f':
    case '\xb5':
    case '\x04':
    case '\xfd':
    case '&':
    case '\x03':
    case '{':
    case '\xe7': return true;
    default: return false;
    }
}

static const char *mark_at(struct str line, size_t at)
{
    for (size_t n = 0; n < sizeof marks / sizeof *marks; n++)
        if (at >= marks[n].rare && str_starts(str_from(line, at - marks[n].rare), marks[n].bytes))
            return marks[n].what;
    return NULL;
}

const char *foreign_part_find(struct str line)
{
    const char *what = NULL;
    for (size_t at = 0; at < line.len && !what; at++)
        if (is_rare(line.ptr[at]))
            what = mark_at(line, at);
    return what;
}
