/*
 * libFuzzer: any bytes as a package of binaries. No crash; a refusal has a message; every kernel belongs to a member,
 * whose name follows that of the package; members that are not read are counted, with a warning; reading twice gives
 * the same result.
 */
#include "fuzz.h"
#include "log/reader.h"
#include "nvcc/binary.h"

static void members_are_named(const struct model *model, struct str package)
{
    for (size_t at = 0; at < model->kernel_count; at++) {
        struct str path = model_string(model, model->logs[model->kernels[at].log].path);
        struct str rest = str_from(path, package.len);
        fuzz_check(str_starts(path, package) && str_starts(rest, STR("(")) && str_ends(rest, STR(")")),
                   "a kernel of no member");
    }
}

static size_t read_once(struct str path)
{
    struct model model = {0};
    struct diags diags = {0};
    size_t unread = 0;
    bool ok = binary_read(&model, path, true, &unread, &diags);
    fuzz_check(ok || diags.errors > 0, "refused without a word");
    fuzz_check(unread == 0 || diags.count > diags.errors || diags.count > 20, "left out without a word");
    members_are_named(&model, path);
    size_t count = model.kernel_count;
    model_free(&model);
    diags_free(&diags);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str path = str_of(fuzz_file((struct str){(const char *)bytes, size}));
    bool failed = false;
    if (!binary_is(path, &failed, NULL))
        return 0;
    size_t once = read_once(path);
    if ((size & 15) == 0)
        fuzz_check(read_once(path) == once, "the second reading differs");
    return 0;
}
