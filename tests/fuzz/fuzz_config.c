/*
 * Any bytes as a configuration. A refusal has a message with a place in the text. An accepted configuration is accepted
 * again in the form that `config show` writes, which then shows the same.
 */
#include "cli/commands.h"
#include "config/config.h"
#include "fuzz.h"
#include "rules/embedded_rule.h"

#include <unistd.h>

/* The text without the "# file:line" at the ends of lines, and without comment lines. */
static void add_settings(struct str text, struct buf *out)
{
    struct str line;
    while (text.len && str_split(&text, '\n', &line)) {
        size_t place = str_rfind(line, STR("  # "));
        struct str said = str_sub(line, 0, place);
        while (said.len && said.ptr[said.len - 1] == ' ')
            said.len--;
        if (said.len && said.ptr[0] != '#') {
            buf_add(out, said);
            buf_char(out, '\n');
        }
    }
}

/* True if the file is accepted together with the built-in rules. *alone: it adds no rules and includes no other files,
 * so that `config show` prints all of it. */
static bool is_accepted(const char *path, struct str text, bool *alone)
{
    struct config config = {0};
    struct ruleset rules = {0};
    struct diags diags = {0};
    bool ok = config_load(&config, str_of(path), INPUT_REGULAR, &diags);
    *alone = config.file_count == 1 && !config.files[0].rules_dir.len;
    for (size_t at = 0; at < config.setting_count; at++)
        *alone = *alone && !config.settings[at].defines;
    if (config.file_count <= 1)
        fuzz_check_places(&diags, text);
    fuzz_check(ok == (diags.errors == 0), "refused without a word, or taken with one");
    ok = ok && *alone && ruleset_load_builtin(&rules, &diags) && config_apply(&config, &rules, &diags);
    config_free(&config);
    ruleset_free(&rules);
    diags_free(&diags);
    return ok;
}

static int show(const char *path, struct buf *settings)
{
    char *words[] = {"config", "show", "--config", (char *)path, NULL};
    struct buf text = {0};
    int into = fuzz_output(), before = dup(STDOUT_FILENO);
    fuzz_check(before >= 0 && dup2(into, STDOUT_FILENO) >= 0, "standard output cannot be caught");
    int status = command_run(&command_config, 4, words);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(into);
    fuzz_read_output(&text);
    add_settings(buf_str(&text), settings);
    buf_free(&text);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct buf shown = {0}, again = {0};
    const char *path = fuzz_file(text);
    bool alone = false;
    if (is_accepted(path, text, &alone) && alone) {
        fuzz_check(show(path, &shown) == STATUS_OK, "accepted, and not shown");
        fuzz_file(buf_str(&shown));
        int status = show(path, &again);
        fuzz_check(status == STATUS_OK, "what is shown is refused:\n%.*s", STR_ARG(buf_str(&shown)));
        fuzz_check(str_eq(buf_str(&shown), buf_str(&again)), "shown otherwise:\n%.*s--\n%.*s", STR_ARG(buf_str(&shown)),
                   STR_ARG(buf_str(&again)));
    }
    buf_free(&shown);
    buf_free(&again);
    return 0;
}
