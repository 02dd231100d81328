/*
 * Any bytes as Triton's metadata of a kernel. A refusal has a reason. An accepted kernel has a name, a block size that
 * GPUs allow, and numbers within their limits that are in the text; reading twice gives the same result.
 */
#include "fuzz.h"
#include "nvcc/triton_cache.h"

static void check_metadata(const struct triton_metadata *metadata, struct str text)
{
    struct numbers numbers;
    numbers_read(&numbers, text);
    fuzz_check(metadata->name.len > 0, "a kernel without a name");
    fuzz_check(metadata->num_warps >= 1 && metadata->num_warps * metadata->warp_size <= 1024, "a block of %lld warps",
               (long long)metadata->num_warps);
    fuzz_check(metadata->num_ctas >= 1 && metadata->num_ctas <= 16 && metadata->num_stages >= 0 &&
                   metadata->maxnreg >= 0 && metadata->maxnreg <= 255 && metadata->shared >= 0 &&
                   metadata->shared <= INT32_MAX,
               "a number beyond its limits");
    fuzz_check(numbers_hold(&numbers, metadata->num_warps) && numbers_hold(&numbers, metadata->shared),
               "a number that is not in the text");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct arena arena = {0};
    struct triton_metadata metadata, again;
    const char *wrong = triton_metadata_read(&arena, text, &metadata);
    const char *wrong_again = triton_metadata_read(&arena, text, &again);
    fuzz_check(wrong == wrong_again, "read twice, and refused once");
    fuzz_check(!wrong || *wrong, "no reason");
    if (!wrong) {
        check_metadata(&metadata, text);
        fuzz_check(str_eq(metadata.name, again.name) && metadata.num_warps == again.num_warps &&
                       metadata.num_ctas == again.num_ctas && metadata.num_stages == again.num_stages &&
                       metadata.maxnreg == again.maxnreg && metadata.shared == again.shared &&
                       metadata.arch == again.arch,
                   "read twice, and other numbers");
    }
    arena_free(&arena);
    return 0;
}
