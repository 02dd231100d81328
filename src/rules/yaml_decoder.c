#include "rules/yaml_decoder.h"

#include "base/regex.h"
#include "gpu/arch.h"
#include "gpu/gpu_model.h"
#include "rules/token.h"

#include <math.h>

bool decode_is_text(const struct yml_node *node)
{
    return node->scalar.len > 0;
}

/* Appends the value of the node for a message: "'many'", "a list", "an empty list". */
static void describe(const struct yaml_decoder *r, const struct yml_node *node, struct buf *out)
{
    if (decode_is_text(node) && !r->yaml->unquoted)
        yml_quote(node->scalar, out);
    else if (decode_is_text(node))
        buf_add(out, STR("a text"));
    else if (node->kind == YML_SCALAR)
        buf_add(out, node->plain ? STR("nothing") : STR("an empty text"));
    else if (node->kind == YML_LIST)
        buf_add(out, node->count ? STR("a list") : STR("an empty list"));
    else
        buf_add(out, node->count ? STR("a map") : STR("an empty map"));
}

bool decode_fail(const struct yaml_decoder *r, const struct yml_node *node, const char *expected)
{
    SCOPED(buf) found = {0};
    if (node->key.len)
        yml_quote(node->key, &found);
    buf_add(&found, node->key.len ? STR(" is ") : STR("found "));
    describe(r, node, &found);
    return diag_error(r->diags, yml_place(r->yaml, node), "%.*s, expected %s", STR_ARG(buf_str(&found)), expected);
}

/* Appends "<what> has no key 'x', did you mean y" at the key of the member. */
static void report_unknown_key(const struct yaml_decoder *r, const struct yml_node *member, const char *what,
                               const struct decode_key *keys, size_t count)
{
    SCOPED(buf) known = {0}, key = {0};
    const char *near = nearest_word(member->key, &keys->name, sizeof *keys, count);
    buf_add(&known, str_of(near));
    for (size_t at = 0; !near && at < count; at++)
        buf_fmt(&known, "%s%s", at == 0 ? "" : at + 1 == count ? " or " : ", ", keys[at].name);
    yml_quote(member->key, &key);
    diag_error(r->diags, yml_key_place(r->yaml, member), "%s has no key %.*s, %s%.*s", what, STR_ARG(buf_str(&key)),
               near ? "did you mean " : "expected ", STR_ARG(buf_str(&known)));
}

const struct decode_key *decode_find_key(const struct decode_key *keys, size_t count, struct str name)
{
    for (size_t at = 0; at < count; at++)
        if (str_eq(name, str_of(keys[at].name)))
            return &keys[at];
    return NULL;
}

void decode_map(const struct yaml_decoder *r, const struct yml_node *node, const char *what,
                const struct decode_key *keys, size_t count, void *into)
{
    if (node->kind != YML_MAP) {
        SCOPED(buf) found = {0};
        describe(r, node, &found);
        diag_error(r->diags, yml_place(r->yaml, node), "%s is a map, found %.*s", what, STR_ARG(buf_str(&found)));
        return;
    }
    for (const struct yml_node *member = node->first; member; member = member->next)
        if (!decode_find_key(keys, count, member->key))
            report_unknown_key(r, member, what, keys, count);
    for (size_t at = 0; at < count; at++) {
        const struct yml_node *member = yml_member(node, str_of(keys[at].name));
        if (member && keys[at].read)
            keys[at].read(r, member, (char *)into + keys[at].at);
    }
}

struct str decode_keep(const struct yaml_decoder *r, struct str text)
{
    return r->built_in ? text : arena_str(r->arena, text);
}

struct place decode_place(const struct yaml_decoder *r, const struct yml_node *node)
{
    struct place place = yml_place(r->yaml, node);
    place.path = decode_keep(r, place.path);
    place.source = decode_keep(r, place.source);
    return place;
}

bool decode_severity(const struct yaml_decoder *r, const struct yml_node *node, enum severity *severity)
{
    return severity_parse(node->scalar, severity) || decode_fail(r, node, "error, warning, note or off");
}

struct str decode_text(const struct yaml_decoder *r, const struct yml_node *node, const char *expected)
{
    if (decode_is_text(node))
        return decode_keep(r, node->scalar);
    decode_fail(r, node, expected);
    return (struct str){0};
}

const struct yml_node *decode_members(const struct yaml_decoder *r, const struct yml_node *node, enum yml_kind kind,
                                      const char *expected)
{
    if (node->kind == kind)
        return node->first;
    decode_fail(r, node, expected);
    return NULL;
}

struct str_list decode_texts(const struct yaml_decoder *r, const struct yml_node *node, const char *expected,
                             decode_check *check)
{
    bool list = node->kind == YML_LIST;
    const struct yml_node *member = list ? node->first : node;
    struct str_list texts = {.items = arena_alloc(r->arena, ((list ? node->count : 1) + 1) * sizeof *texts.items)};
    if (!member)
        decode_fail(r, node, expected);
    for (; member && !diags_full(r->diags); member = list ? member->next : NULL) {
        if (!decode_is_text(member))
            decode_fail(r, member, expected);
        else if (!check || check(r, member))
            texts.items[texts.count++] = decode_keep(r, member->scalar);
    }
    return texts;
}

static bool check_arch(const struct yaml_decoder *r, const struct yml_node *node)
{
    const char *of_gpu = gpu_model_arch(node->scalar);
    if (of_gpu)
        return diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' is a GPU, its architecture is %s",
                          STR_ARG(node->scalar), of_gpu);
    return arch_number(node->scalar) > 0 || decode_fail(r, node, "an architecture like sm_90 or sm_100a");
}

void decode_archs(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct arch_list *archs = into;
    archs->names = decode_texts(r, node, "an architecture like sm_90, or a list of them", check_arch);
    archs->place = yml_place(r->yaml, node);
}

bool decode_number(struct str text, double *number, uint8_t *unit)
{
    bool negative = text.len && text.ptr[0] == '-';
    struct token token = token_next(text, negative);
    if (token.kind != TOKEN_NUMBER || token.at != negative || token.at + token.width != text.len)
        return false;
    *number = negative ? -token.number : token.number;
    *unit = token.unit;
    return true;
}

bool decode_bytes(struct str text, int64_t *bytes)
{
    const double most = 1LL << 53; /* whole numbers are exact up to this one */
    double number = 0;
    uint8_t unit = UNIT_NONE;
    bool is_size = decode_number(text, &number, &unit) && (unit == UNIT_NONE || unit == UNIT_BYTES);
    if (!is_size || number < 0 || number > most || floor(number) < number)
        return false;
    *bytes = (int64_t)number;
    return true;
}

struct regex *decode_regex(const struct yaml_decoder *r, const struct yml_node *node, bool of_paths)
{
    if (!decode_is_text(node)) {
        decode_fail(r, node, of_paths ? "a pattern of paths like src/*.cu" : "a regular expression");
        return NULL;
    }
    struct regex_error error = {0};
    struct str pattern = node->scalar;
    while (of_paths && str_starts(pattern, STR("./")))
        pattern = str_from(pattern, 2);
    struct regex *regex = (of_paths ? regex_new_glob : regex_new)(pattern, &error);
    if (regex)
        regex_list_add(r->regexes, regex);
    else
        diag_error(r->diags, yml_scalar_place(r->yaml, node, error.offset + (node->scalar.len - pattern.len), 1),
                   "%.*s", STR_ARG(buf_str(&error.message)));
    buf_free(&error.message);
    return regex;
}
