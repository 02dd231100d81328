/*
 * Any bytes as an expression. An error points into the text. An accepted expression that is printed and parsed again
 * gives the same tree, and its value has the type that the parser computed.
 */
#include "base/regex.h"
#include "fuzz.h"
#include "print_expr.h"
#include "rules/expr.h"

static struct {
    struct model model;
    struct context context;
    struct param params[3];
    struct regex_list regexes;
    struct scope scope;
} world;
static const struct str captures[] = {STR_INIT("first"), STR_INIT("second")};
static const struct str groups[] = {STR_INIT("12"), STR_INIT("word")};

static void make_world(void)
{
    struct kernel *kernel = model_add_kernel(&world.model);
    kernel->name = intern_add(&world.model.names, STR("_Z4tileILi8EEvPf"));
    kernel->arch = kernel->arch_inferred = intern_add(&world.model.strings, STR("sm_90a"));
    kernel->flags = KERNEL_USED_LINE;
    kernel->registers = 40;
    kernel->stack_bytes = 96;
    kernel->spill_store_bytes = 8;
    struct event *event = model_add_event(&world.model);
    event->id = intern_add(&world.model.strings, STR("unroll"));
    event->text = intern_add(&world.model.strings, STR("not unrolled"));
    event->number[0] = 4;
    event->number_count = 1;
    struct launch_config launch_config = launch_config_none();
    launch_config.threads = 256;
    context_set(&world.context, &world.model, &world.model.kernels[0], &launch_config);
    world.context.event = &world.model.events[0];
    world.params[0] = (struct param){.name = STR("near"), .value = value_number(2)};
    world.params[1] = (struct param){.name = STR("room"), .value = value_number(1024), .unit = UNIT_BYTES};
    world.params[2] = (struct param){.name = STR("word"), .value = value_string(STR("tile"))};
    world.scope = (struct scope){world.params, 3, captures, 2, false, true, true, &world.regexes};
}

static void check_errors(const struct diags *diags, struct str text)
{
    fuzz_check(diags->errors > 0, "refused without a word");
    for (size_t at = 0; at < diags->count; at++)
        fuzz_check(diags->items[at].message.len && diags->items[at].place.column <= text.len + 1,
                   "an error at column %zu of %zu: %.*s", diags->items[at].place.column, text.len,
                   STR_ARG(diags->items[at].message));
}

static void check_value(const struct expr *expr)
{
    struct value value = expr_eval(expr, &world.context, groups);
    fuzz_check(value.type == expr_type(expr), "a value of another type");
}

static void check_printed(const struct expr *expr, struct arena *arena)
{
    struct buf text = {0}, message = {0};
    struct diags diags = {0};
    print_expr(expr, &world.scope, &text);
    struct expr *again = expr_parse(buf_str(&text), &world.scope, (struct origin){0}, arena, &diags);
    diags_render(&diags, &message);
    bool too_deep = str_find(buf_str(&message), STR("fewer levels")) != STR_NONE;
    fuzz_check(again || too_deep, "refused: %.*s", STR_ARG(buf_str(&message)));
    fuzz_check(!again || same_expr(expr, again), "another tree: %.*s", STR_ARG(buf_str(&text)));
    diags_free(&diags);
    buf_free(&text);
    buf_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct arena arena = {0};
    struct diags diags = {0};
    if (!world.model.kernel_count)
        make_world();
    struct expr *expr = expr_parse(text, &world.scope, (struct origin){0}, &arena, &diags);
    if (expr) {
        check_value(expr);
        check_printed(expr, &arena);
    } else {
        check_errors(&diags, text);
    }
    regex_list_free(&world.regexes);
    arena_free(&arena);
    diags_free(&diags);
    return 0;
}
