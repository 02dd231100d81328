#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/session.h"

#include <string.h>

/* ---- help ------------------------------------------------------------------------------------------------------- */

/* The topic is "check", "warplint-check" or "warplint-check(1)", as other pages write it. If a command and a file
 * format have the same name (config), both pages are printed. */
static bool add_pages(struct str topic, struct buf *out, struct diags *diags)
{
    const size_t open = str_find_char(topic, '(');
    const struct str section = str_from(topic, open), name = str_sub(topic, 0, open);
    bool found = false;
    EACH(const struct manual_page, page, manual_pages, manual_page_count) {
        const bool same = section.len == 0 || (section.len == 3 && section.ptr[1] == '0' + page->section);
        if (!same || !(str_eq(name, str_of(page->topic)) || str_eq(name, str_of(page->name))))
            continue;
        buf_add(out, found ? STR("\n\n") : STR(""));
        manual_text(page, out);
        found = true;
    }
    const char *near = nearest_word(topic, &manual_pages->topic, sizeof *manual_pages, manual_page_count);
    return found || diag_error(diags, nowhere, "no manual page '%.*s'%s%s; `warplint help` lists them", STR_ARG(topic),
                               near ? ", did you mean " : "", near ? near : "");
}

static void add_list(struct buf *out)
{
    buf_add(out, STR("manual pages, printed by `warplint help NAME`:\n\n"));
    for (size_t at = 0; at < manual_page_count; at++) {
        struct str text = manual_pages[at].text, title = str_sub(text, 0, str_find_char(text, '\n'));
        size_t colon = str_find(title, STR(": "));
        bool again = at > 0 && strcmp(manual_pages[at].topic, manual_pages[at - 1].topic) == 0;
        buf_fmt(out, "  %-11s %.*s\n", again ? "" : manual_pages[at].topic,
                STR_ARG(str_from(title, colon + strlen(": "))));
    }
}

static int run(struct session *session, void *given)
{
    const struct settings *settings = given;
    SCOPED(buf) text = {0};
    bool ok = true;
    if (settings->arguments.count == 0)
        add_list(&text);
    for (size_t at = 0; at < settings->arguments.count; at++)
        ok &= add_pages(settings->arguments.items[at], &text, &session->diags);
    return ok ? command_print(&text, &session->diags) : STATUS_USAGE;
}

const struct command command_help = {
    .name = "help",
    .what = "print a manual page: of a command, or config, rules, records",
    .usage = "usage: warplint help [NAME]...\n",
    .statuses = "Exit status: 0 printed, 2 no such page, 3 the output could not be written.\n",
    .settings_bytes = sizeof(struct settings),
    .run = run,
};

/* ---- for the build ---------------------------------------------------------------------------------------------- */

/* __manual FOLDER: writes each page as mdoc, NAME.SECTION. */
int cmd_manual(int argc, char **argv)
{
    struct diags diags = {0};
    bool ok = argc == 2 || diag_error(&diags, nowhere, MANUAL_COMMAND " takes a folder");
    for (size_t at = 0; argc == 2 && at < manual_page_count; at++) {
        SCOPED(buf) path = {0}, page = {0};
        buf_fmt(&path, "%s/%s.%d", argv[1], manual_pages[at].name, manual_pages[at].section);
        manual_mdoc(&manual_pages[at], &page);
        ok &= file_write(buf_str(&path), buf_str(&page), &diags);
    }
    print_diags(&diags);
    return ok ? STATUS_OK : argc == 2 ? STATUS_UNTRUSTED : STATUS_USAGE;
}
