/*
 * libFuzzer: any bytes as a binary. No crash; a refusal has a message; every name in the result is in the input (or in
 * its decompressed data); reading twice gives the same result.
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
#include "log/binary_check.h"
#include "log/reader.h"
#include "nvcc/binary.h"

static bool is_packed(const uint8_t *bytes, size_t size)
{
    return memmem(bytes, size, "\x50\xed\x55\xba", 4) != NULL;
}

static void names_are_given(const struct model *model, const uint8_t *bytes, size_t size)
{
    if (is_packed(bytes, size))
        return;
    for (size_t at = 0; at < model->kernel_count; at++) {
        struct str name = kernel_name(model, &model->kernels[at]);
        fuzz_check(name.len && memmem(bytes, size, name.ptr, name.len), "a name that nobody gave");
    }
}

static size_t read_once(const char *path, const uint8_t *bytes, size_t size)
{
    struct model model = {0};
    struct diags diags = {0};
    bool ok = binary_read(&model, str_of(path), true, NULL, &diags);
    fuzz_check(ok || diags.errors > 0, "refused without a word");
    names_are_given(&model, bytes, size);
    size_t count = model.kernel_count;
    model_link(&model);
    model_check_binaries(&model);
    model_free(&model);
    diags_free(&diags);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_file((struct str){(const char *)bytes, size});
    size_t once = read_once(path, bytes, size);
    if ((size & 15) == 0)
        fuzz_check(read_once(path, bytes, size) == once, "the second reading differs");
    return 0;
}
