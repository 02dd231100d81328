#include "config/arch_value.h"

#include "gpu/gpu_model.h"

/* Evaluates an expression without fields, with an empty context. */
static struct value evaluate(const struct expr *expr, const struct str *groups)
{
    struct context nothing = {0};
    return expr_eval(expr, &nothing, groups);
}

/* Checks the value as far as possible before a kernel matches. */
static bool check_value(const struct yaml_decoder *r, const struct yml_node *node, const struct value_kind *kind,
                        const struct scope *scope, const struct expr *expr)
{
    enum unit unit = expr_unit(expr);
    if (expr_type(expr) != VALUE_NUMBER || (unit != UNIT_NONE && unit != (enum unit)kind->unit))
        return decode_fail(r, node, kind->expected);
    struct value value = evaluate(expr, NULL);
    bool waits = !value.known && scope->capture_count > 0;
    return waits || (value.known && value_kind_fits(kind, value.number)) || decode_fail(r, node, kind->expected);
}

/* True if the text has a digit or a group of the match, so that it may be a number. */
static bool has_number(struct str text)
{
    for (size_t at = 0; at < text.len; at++)
        if (text.ptr[at] == '$' || is_digit(text.ptr[at]))
            return true;
    return false;
}

/* True if an error about the text states the mistake itself: the text is an expression, or a number with a unit. */
static bool explains_itself(struct str text, const struct value_kind *kind)
{
    double number;
    uint8_t unit;
    for (size_t at = 0; at < text.len; at++)
        if (str_find_char(STR("$+-*/("), text.ptr[at]) != STR_NONE)
            return true;
    return kind->unit == UNIT_BYTES || decode_number(text, &number, &unit);
}

static bool read_case(const struct yaml_decoder *r, const struct yml_node *node, const struct value_kind *kind,
                      const struct scope *scope, struct arch_value_case *into)
{
    if (!decode_is_text(node) || !has_number(node->scalar) || !explains_itself(node->scalar, kind))
        return decode_fail(r, node, kind->expected);
    struct origin origin = {.yaml = r->yaml, .node = node};
    into->text = arena_str(r->arena, node->scalar);
    into->place = yml_place(r->yaml, node);
    into->expr = expr_parse(node->scalar, scope, origin, r->arena, r->diags);
    return into->expr && check_value(r, node, kind, scope, into->expr);
}

/* Reads the key of a member as an architecture; false after an error. */
static bool read_arch(const struct yaml_decoder *r, const struct yml_node *member, const struct arch_value *value,
                      struct arch_value_case *into)
{
    into->arch = value_arch(member->key);
    const char *arch = into->arch.known ? NULL : gpu_model_arch(member->key);
    if (arch)
        return diag_error(r->diags, yml_key_place(r->yaml, member), "'%.*s' is a GPU, its architecture is %s",
                          STR_ARG(member->key), arch);
    if (!into->arch.known)
        return diag_error(r->diags, yml_key_place(r->yaml, member),
                          "'%.*s' is not an architecture, expected one like sm_90 or sm_100a", STR_ARG(member->key));
    EACH(const struct arch_value_case, given, value->cases, value->count)
        if (given->arch.arch == into->arch.arch && given->arch.variant == into->arch.variant)
            return diag_error(r->diags, yml_key_place(r->yaml, member), "architecture '%.*s' is here twice",
                              STR_ARG(member->key));
    return true;
}

static bool read_cases(const struct yaml_decoder *r, const struct yml_node *node, const struct scope *scope,
                       struct arch_value *value)
{
    bool ok = node->count > 0 || decode_fail(r, node, "a map from architectures to values");
    for (const struct yml_node *member = node->first; member; member = member->next) {
        struct arch_value_case *into = &value->cases[value->count];
        bool fits = read_arch(r, member, value, into);
        fits = read_case(r, member, value->kind, scope, into) && fits;
        value->count++;
        ok = ok && fits;
    }
    return ok;
}

struct arch_value *arch_value_read(const struct yaml_decoder *r, const struct yml_node *node,
                                   const struct value_kind *kind, const struct scope *scope)
{
    struct arch_value *value = arena_alloc(r->arena, sizeof *value);
    value->kind = kind;
    value->cases = arena_alloc(r->arena, (node->count + 1) * sizeof *value->cases);
    const bool ok = node->kind == YML_MAP ? read_cases(r, node, scope, value)
                                          : read_case(r, node, kind, scope, &value->cases[value->count++]);
    return ok ? value : NULL;
}

const struct arch_value_case *arch_value_for(const struct arch_value *value, struct str arch)
{
    if (!value->cases->arch.known)
        return value->cases;
    const struct arch_value_case *best = NULL;
    struct value wanted = value_arch(arch);
    EACH(const struct arch_value_case, given, value->cases, wanted.known ? value->count : 0) {
        if (given->arch.arch == wanted.arch && given->arch.variant == wanted.variant)
            return given;
        bool below = !given->arch.variant && given->arch.arch <= wanted.arch;
        bool heir = !value->by_chip || given->arch.arch == wanted.arch;
        if (below && heir && (!best || given->arch.arch > best->arch.arch))
            best = given;
    }
    return best;
}

bool arch_value_number(const struct arch_value *value, const struct arch_value_case *chosen, const struct str *groups,
                       double *number)
{
    struct value result = evaluate(chosen->expr, groups);
    if (!result.known || !value_kind_fits(value->kind, result.number))
        return false;
    *number = result.number;
    return true;
}

void arch_value_explain(const struct arch_value *value, const struct arch_value_case *chosen, const struct str *groups,
                        struct str name, struct diags *diags)
{
    struct value result = evaluate(chosen->expr, groups);
    SCOPED(buf) found = {0};
    if (result.known)
        value_print(&result, (enum unit)value->kind->unit, &found);
    else
        buf_add(&found, STR("no number"));
    diag_error(diags, chosen->place, "'%s' gives %.*s for %.*s, expected %s", value->kind->name,
               STR_ARG(buf_str(&found)), STR_ARG(name), value->kind->expected);
}

bool arch_list_has(const struct str_list *archs, struct str arch)
{
    if (archs->count == 0)
        return true;
    struct value found = value_arch(arch);
    for (size_t at = 0; found.known && at < archs->count; at++) {
        struct value wanted = value_arch(archs->items[at]);
        if (wanted.known && wanted.arch == found.arch && (!wanted.variant || wanted.variant == found.variant))
            return true;
    }
    return false;
}
