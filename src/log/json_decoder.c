#include "log/json_decoder.h"

#include "log/model.h"

enum { LONGEST_SHOWN = 60 };

bool json_refuse_value(const struct json_decoder *d, const char *key, const struct json_value *found,
                       const char *expected)
{
    SCOPED(buf) shown = {0};
    if (!d->diags)
        return false;
    if (!found)
        return diag_error(d->diags, d->place(d), "the %s has no '%s', expected %s", d->object_word, key, expected);
    json_show(found, &shown);
    struct str text = shown.len <= LONGEST_SHOWN ? buf_str(&shown) : str_of(json_kind_word(json_kind(found)));
    return diag_error(d->diags, d->place(d), "'%s' is %.*s, expected %s", key, STR_ARG(text), expected);
}

bool json_refuse(const struct json_decoder *d, const char *key, const char *expected)
{
    return json_refuse_value(d, key, json_member(d->object, key), expected);
}

/* The values of a key of words, for a message: "log", "ptxas" or null. */
static struct str words_of(const struct json_key *key, struct arena *arena)
{
    struct str all = {"", 0};
    const int64_t first = key->words[0] ? 0 : 1;
    for (int64_t at = first; at <= key->most; at++) {
        const char *between = at == first ? "" : at == key->most && !first ? " or " : ", ";
        all = arena_fmt(arena, "%.*s%s\"%s\"", STR_ARG(all), between, key->words[at]);
    }
    return first ? arena_fmt(arena, "%.*s or null", STR_ARG(all)) : all;
}

static bool refuse_key(const struct json_decoder *d, const struct json_key *key, bool is_absent)
{
    SCOPED(arena) arena = {0};
    struct str expected = STR("a whole number that fits 32 bits");
    switch (key->type) {
    case KEY_TEXT:
    case KEY_NAME: expected = d->is_strict ? STR("a text") : STR("text or null"); break;
    case KEY_LINES: expected = STR("a text or a list of texts"); break;
    case KEY_WORD: expected = words_of(key, &arena); break;
    case KEY_BOOL:
    case KEY_FLAG: expected = STR("true or false"); break;
    case KEY_TOOLKIT: expected = STR("a version like \"13.0\""); break;
    case KEY_NUMBER:
        expected = is_absent ? STR("a count")
                             : arena_fmt(&arena, "a whole number from %lld to %lld", (long long)key->least,
                                         (long long)key->most);
        break;
    default: break;
    }
    return json_refuse(d, key->name, expected.ptr);
}

static bool read_number(const struct json_key *key, const struct json_value *found, void *into)
{
    int64_t number = 0;
    if (!json_get_int(found, &number) || number < key->least || number > key->most)
        return false;
    switch (key->bytes) {
    case 1: *(uint8_t *)into = (uint8_t)number; break;
    case 2: *(uint16_t *)into = (uint16_t)number; break;
    case 4: *(uint32_t *)into = (uint32_t)number; break;
    default: *(int64_t *)into = number;
    }
    return true;
}

static bool read_word(const struct json_key *key, struct str text, uint8_t *number)
{
    for (*number = 0; *number <= key->most; ++*number)
        if (key->words[*number] && str_eq(str_of(key->words[*number]), text))
            return true;
    return false;
}

/* Reads a list of texts as a text with a line for each. */
static bool read_lines(struct json_decoder *d, const struct json_value *list, uint32_t *number)
{
    SCOPED(buf) lines = {0};
    for (size_t at = 0; at < json_count(list); at++) {
        struct str line = {0};
        if (!json_get_string(json_item(list, at), &d->plain, &line) || line.len == 0)
            return false;
        intern_add(d->strings, line);
        buf_fmt(&lines, "%s%.*s", at ? "\n" : "", STR_ARG(line));
    }
    *number = intern_add(d->strings, buf_str(&lines));
    return lines.len > 0;
}

static bool read_key(struct json_decoder *d, const struct json_key *key, const struct json_value *found, void *into)
{
    struct str text = {0};
    bool is_true = json_kind(found) == JSON_KIND_TRUE, is_bool = is_true || json_kind(found) == JSON_KIND_FALSE;
    bool is_text = json_get_string(found, &d->plain, &text) && (text.len || !d->is_strict);
    switch (key->type) {
    case KEY_TEXT:
    case KEY_NAME:
        if (is_text)
            *(uint32_t *)into = intern_add(key->type == KEY_NAME ? d->names : d->strings, text);
        return is_text;
    case KEY_LINES:
        if (is_text)
            *(uint32_t *)into = intern_add(d->strings, text);
        return is_text || (json_kind(found) == JSON_KIND_ARRAY && read_lines(d, found, into));
    case KEY_WORD: return read_word(key, text, into);
    case KEY_BOOL:
        if (is_bool)
            *(bool *)into = is_true;
        return is_bool;
    case KEY_FLAG:
        if (is_true)
            *(uint8_t *)into |= (uint8_t)key->most;
        return is_bool;
    case KEY_TOOLKIT: return toolkit_parse(text, into);
    case KEY_UNREAD: return true;
    default: return read_number(key, found, into);
    }
}

bool json_decode(struct json_decoder *d, const struct json_key *keys, size_t count, void *into)
{
    bool ok = true;
    for (const struct json_key *key = keys; ok && key < keys + count; key++) {
        const struct json_value *found = json_member(d->object, key->name);
        bool is_absent = !found || (json_kind(found) == JSON_KIND_NULL && !d->is_strict);
        void *member = (char *)into + key->offset;
        if (is_absent && (key->type == KEY_TEXT || key->type == KEY_NAME || key->type == KEY_LINES))
            *(uint32_t *)member = NO_INDEX;
        ok = (is_absent ? !key->is_required : read_key(d, key, found, member)) || refuse_key(d, key, is_absent);
    }
    return ok;
}
