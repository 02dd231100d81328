/*
 * Any bytes as a log. Read in pieces, or line by line without the fast paths, the bytes give the same model. Names,
 * texts and numbers of the result are in the input. Each line is counted once. Attribution: in a log that is not
 * interleaved a record has the registers of a Used line that follows its own Compiling line or its own properties, and
 * no Used line belongs to two records.
 */
#include "fuzz.h"
#include "log/line.h"
#include "log/phrase.h"
#include "log/quoted_text.h"
#include "log/reader.h"
#include "used.h"

static void feed(void *reader, struct str piece)
{
    log_reader_feed(reader, piece);
}

struct seen {
    uint64_t number;
};

static void see_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    struct seen *seen = context;
    (void)line, (void)log;
    fuzz_check(number >= seen->number && number > 0, "line %llu behind line %llu", (unsigned long long)number,
               (unsigned long long)seen->number);
    seen->number = number;
}

enum way { WHOLE, PIECES, RAW };

static void read_log(struct model *model, struct str bytes, enum way way, struct dice *dice)
{
    struct log_reader *reader = log_reader_new(model, STR("log"));
    struct seen seen = {0};
    if (way == RAW)
        log_reader_on_line(reader, see_line, &seen);
    if (way == PIECES)
        fuzz_in_pieces(bytes, dice, feed, reader);
    else
        log_reader_feed(reader, bytes);
    log_reader_finish(reader);
    fuzz_check(seen.number <= model->logs[0].lines, "a line behind the last one");
    model_link(model);
}

static void same_in_every_way(const struct model *whole, struct str bytes, struct dice *dice)
{
    static const char *const names[] = {[PIECES] = "in pieces", [RAW] = "line by line"};
    for (enum way way = PIECES; way <= RAW; way++) {
        struct model model = {0};
        read_log(&model, bytes, way, dice);
        fuzz_same_models(whole, &model, names[way]);
        model_free(&model);
    }
}

/* A string literal holds other lines than those that are counted, and its escapes stand for other words. */
static bool holds_literal(struct str text)
{
    struct str line, piece;
    while (text.len && str_split(&text, '\n', &line))
        while (line.len && str_split(&line, '\r', &piece))
            if (quoted_text_is(piece))
                return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct dice dice = dice_of(text);
    struct model model = {0};
    struct used used = {0};
    read_log(&model, text, WHOLE, &dice);
    if (!holds_literal(text)) {
        used_read(&used, text);
        used_check(&used, &model);
        used_free(&used);
    }
    same_in_every_way(&model, text, &dice);
    model_free(&model);
    return 0;
}
