#include "log/foreign_part.h"

#define COMPRESSED(command) "compressed data, which were not read: give what `" command "` makes of them"
#define OTHER_ENCODING      "lines in another encoding than the first ones, which were not read: convert each part to UTF-8"

/* To add a mark: a row here, a word of it in log/prefilter.c, and a row in tests/test_encoding.c. */
static const struct mark {
    struct str bytes;
    const char *what;
} marks[] = {
    {STR_INIT("\x1f\x8b\x08"), COMPRESSED("gzip -dc")},
    {STR_INIT("\x28\xb5\x2f\xfd"), COMPRESSED("zstd -dc")},
    {STR_INIT("\x04\x22\x4d\x18"), COMPRESSED("lz4 -dc")},
    {STR_INIT("\xfd\x37zXZ"), COMPRESSED("xz -dc")},
    {STR_INIT("1AY&SY"), COMPRESSED("bzip2 -dc")},
    {STR_INIT("PK\x03\x04"), COMPRESSED("unzip -p")},
    {STR_INIT("{\"type\":\"run\",\"schema\":1,\"tool\":\"warplint\""), /* RECORD_SCHEMA */
     "records of warplint, which were not read: give them in a file of their own"},
    /* "ptxas" in bytes that are taken in twos: UTF-16LE and BE from both places, and UTF-16 of the other order */
    {STR_INIT("\xe7\x91\xb0\xe6\x85\xb8"), OTHER_ENCODING},
    {STR_INIT("\xe7\xa1\xb4\xe7\x8d\xa1"), OTHER_ENCODING},
    {STR_INIT("\xe7\x81\xb4\xe7\xa1\xa1"), OTHER_ENCODING},
    {STR_INIT("\xe7\x91\xb8\xe6\x85\xb3"), OTHER_ENCODING},
    {STR_INIT("\xe7\x80\x80\xe7\x90\x80\xe7\xa0\x80"), OTHER_ENCODING},
};

const char *foreign_part_find(struct str line)
{
    for (size_t at = 0; at < sizeof marks / sizeof *marks; at++)
        if (str_find(line, marks[at].bytes) != STR_NONE)
            return marks[at].what;
    return NULL;
}
