/* doctor: reads the inputs and reports the causes of the table that their signs show (doctor.h). */
#include "base/input_stream.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/doctor/doctor.h"
#include "cli/folder.h"
#include "cli/records.h"
#include "cli/session.h"
#include "log/binary_check.h"
#include "log/input.h"
#include "log/reader.h"
#include "nvcc/binary.h"
#include "nvcc/ptx.h"
#include "report/markup.h"

#include <stddef.h>
#include <stdlib.h>

struct doctor_settings {
    struct settings common;
    struct str nvcc; /* a compiler to examine; empty: none */
};

struct doctor {
    const struct doctor_settings *settings;
    struct evidence *inputs;
    size_t count;
    struct model *model; /* of all inputs */
    struct diags *diags;
    bool failed; /* an input could not be read */
};

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static bool read_log(struct doctor *doctor, struct evidence *evidence, struct str path)
{
    struct input_stream source;
    char block[1 << 17];
    struct str bytes = {block, 0};
    if (!model_has_room(doctor->model, (struct place){.path = path}, doctor->diags) ||
        !input_stream_open(&source, path, INPUT_ANY, doctor->diags))
        return false;
    struct input *input = input_new(doctor->model, str_eq(path, STR("-")) ? STR("<stdin>") : path, doctor->diags);
    input_on_line(input, evidence_line, evidence);
    while ((bytes.len = input_stream_read(&source, block, sizeof block)) > 0)
        input_feed(input, bytes);
    bool ok = input_stream_close(&source, doctor->diags);
    return input_finish(input, NULL) && ok;
}

static bool read_file(struct doctor *doctor, struct evidence *evidence, struct str path)
{
    bool is_stream = str_eq(path, STR("-")), unreadable = false;
    if (!is_stream && ptx_file_is(path)) {
        evidence_see(evidence, SIGN_INPUT, STR(""), 0, STR(""));
        evidence_see(evidence, SIGN_PTX_ONLY, STR(""), 0, STR(""));
        return true;
    }
    if (!is_stream && binary_is(path, &unreadable, doctor->diags))
        return binary_read(doctor->model, path, true, NULL, doctor->diags);
    return !unreadable && read_log(doctor, evidence, path);
}

static bool read_folder(struct doctor *doctor, struct evidence *evidence, struct str path)
{
    SCOPED(path_list) list = {0};
    bool ok = file_walk(path, STR(RECORD_SUFFIX), &list, doctor->diags);
    folder_leave_trials(path, &list);
    evidence_folder(evidence, &list, doctor->diags);
    for (size_t at = 0; at < list.count; at++)
        ok &= read_log(doctor, evidence, list.paths[at]);
    if (list.count)
        evidence_see(evidence, SIGN_RECORDS, list.paths[0], 0, STR(""));
    return ok;
}

static void read_input(struct doctor *doctor, struct str path)
{
    struct evidence *evidence = &doctor->inputs[doctor->count++];
    bool folder = !str_eq(path, STR("-")) && file_is_dir(path);
    if (folder)
        path = path_without_end_slashes(path);
    evidence->path = str_eq(path, STR("-")) ? STR("<stdin>") : path;
    evidence->from = model_mark(doctor->model);
    evidence_environment(evidence);
    bool ok = (folder ? read_folder : read_file)(doctor, evidence, path);
    evidence->to = model_mark(doctor->model);
    doctor->failed |= !ok;
    if (!ok) {
        evidence_free(evidence);
        doctor->count--;
    }
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static struct str more_of(const struct cause *cause, const struct sighting *seen)
{
    return seen->more.len ? seen->more : str_of(cause->more);
}

static void add_cause_text(const struct cause *cause, const struct evidence *evidence, struct buf *out)
{
    const struct sighting *seen = &evidence->signs[cause->sign];
    SCOPED(buf) fix = {0};
    escape_text(seen->path.len ? seen->path : evidence->path, out);
    if (seen->line)
        buf_fmt(out, ":%llu", (unsigned long long)seen->line);
    buf_fmt(out, ": %s: ", severity_names[cause->severity]);
    if (seen->detail.len)
        text_fmt(out, "%.*s: ", STR_ARG(seen->detail));
    buf_fmt(out, "%s [%s]\n", cause->sentence, cause->code);
    struct str rest = more_of(cause, seen), line;
    while (str_split(&rest, '\n', &line))
        buf_wrap(out, line, 2, prose_width());
    cause_fix(cause, evidence, &fix);
    rest = buf_str(&fix);
    while (str_split(&rest, '\n', &line))
        buf_fmt(out, "      %.*s\n", STR_ARG(line));
}

static void add_input_text(const struct evidence *evidence, struct buf *out)
{
    size_t causes = 0, kernels = evidence->signs[SIGN_KERNELS].count;
    for (size_t at = 0; at < cause_count; at++) {
        if (!cause_applies(&cause_table[at], evidence))
            continue;
        causes++;
        add_cause_text(&cause_table[at], evidence, out);
    }
    if (causes)
        return;
    escape_text(evidence->path, out);
    if (evidence->is_compiler)
        buf_add(out, STR(": takes all options that `wrap` adds\n"));
    else
        buf_fmt(out, ": %zu kernel x arch can be judged, no problem found\n", kernels);
}

static void add_cause_json(const struct cause *cause, const struct evidence *evidence, struct json *json)
{
    const struct sighting *seen = &evidence->signs[cause->sign];
    SCOPED(buf) fix = {0};
    cause_fix(cause, evidence, &fix);
    json_open(json, '{');
    json_pair_str(json, "code", str_of(cause->code));
    json_pair_str(json, "severity", str_of(severity_names[cause->severity]));
    json_pair_str(json, "path", seen->path.len ? seen->path : evidence->path);
    json_pair_known(json, "line", (int64_t)seen->line, seen->line > 0);
    json_pair_int(json, "count", (int64_t)seen->count);
    json_pair_text(json, "detail", seen->detail);
    json_pair_str(json, "message", str_of(cause->sentence));
    json_pair_text(json, "more", more_of(cause, seen));
    json_pair_str(json, "fix", buf_str(&fix));
    json_close(json, '}');
}

static void write_json(const struct doctor *doctor, struct buf *out)
{
    struct json json = {.out = out};
    document_open(&json, "diagnosis");
    json_pair_open(&json, "inputs", '[');
    EACH(const struct evidence, evidence, doctor->inputs, doctor->count) {
        json_open(&json, '{');
        json_pair_str(&json, "path", evidence->path);
        json_pair_int(&json, "kernels", (int64_t)evidence->signs[SIGN_KERNELS].count);
        json_pair_open(&json, "causes", '[');
        for (size_t cause = 0; cause < cause_count; cause++)
            if (cause_applies(&cause_table[cause], evidence))
                add_cause_json(&cause_table[cause], evidence, &json);
        json_close_all(&json, "]}");
    }
    json_close_all(&json, "]}");
    buf_char(out, '\n');
}

static void write_diagnosis(void *context, const struct output *output, struct out *out)
{
    const struct doctor *doctor = context;
    if (output->format->write == report_json)
        write_json(doctor, &out->text);
    else
        for (size_t at = 0; at < doctor->count; at++)
            add_input_text(&doctor->inputs[at], &out->text);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static bool has_failing_cause(const struct doctor *doctor)
{
    for (size_t at = 0; at < doctor->count; at++)
        for (size_t cause = 0; cause < cause_count; cause++)
            if (cause_table[cause].severity > SEVERITY_NOTE && cause_applies(&cause_table[cause], &doctor->inputs[at]))
                return true;
    return false;
}

static int diagnose(struct doctor *doctor)
{
    const struct settings *settings = &doctor->settings->common;
    doctor->inputs = mem_alloc((settings->arguments.count + 2) * sizeof *doctor->inputs);
    for (size_t at = 0; at < settings->arguments.count; at++)
        read_input(doctor, settings->arguments.items[at]);
    if (settings->arguments.count == 0 && doctor->settings->nvcc.len == 0)
        read_input(doctor, STR("-"));
    model_link(doctor->model);
    model_check_binaries(doctor->model);
    for (size_t at = 0; at < doctor->count; at++)
        evidence_model(&doctor->inputs[at], doctor->model);
    if (doctor->settings->nvcc.len) {
        struct evidence *compiler = &doctor->inputs[doctor->count++];
        compiler->path = doctor->settings->nvcc;
        compiler->is_compiler = true;
        evidence_compiler(compiler);
    }
    bool written = write_outputs(&settings->outputs, write_diagnosis, doctor, doctor->diags);
    return written && !doctor->failed && !has_failing_cause(doctor) ? STATUS_OK : STATUS_UNTRUSTED;
}

static int run(struct session *session, void *settings)
{
    struct doctor doctor = {.settings = settings, .model = &session->model, .diags = &session->diags};
    int status = diagnose(&doctor);
    for (size_t at = 0; at < doctor.count; at++)
        evidence_free(&doctor.inputs[at]);
    free(doctor.inputs);
    return status;
}

static const struct option_row options[] = {
    {"nvcc", 0, "PROGRAM", set_path, offsetof(struct doctor_settings, nvcc),
     "check which options of `wrap` this compiler supports"},
};

const struct command command_doctor = {
    .name = "doctor",
    .what = "find out why nothing can be judged",
    .usage = "usage: warplint doctor [OPTIONS] [LOG|DIR|-]...\n\n"
             "Find out why nothing can be judged in a log or in the folder of a build, or why\n"
             "the numbers cannot be trusted. Each cause has the command that fixes it.\n",
    .statuses = "Exit status: 0 no problem, 2 wrong command line, 3 nothing to judge, numbers\n"
                "that cannot be trusted, or a file could not be read or written.\n",
    OPTIONS(options),
    .settings_bytes = sizeof(struct doctor_settings),
    .formats = "text|json",
    .run = run,
};
