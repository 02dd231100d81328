/*
 * The table of GPU models.
 *
 * To add one, insert a row in its place (architectures ascend, then names). Its source is the document that states how
 * many SMs are enabled on the board that is sold, which are often fewer than the chip has. "Whitepaper" is NVIDIA's
 * paper on the architecture of that chip, "specifications" is the page or the data sheet of the product. If the
 * specifications give CUDA cores only, they are divided by those of an SM (192 on 3.x, 128 on 5.x, 6.1, 8.6 up and 10.0
 * up, 64 on 6.0, 7.x, 8.0).
 */
#include "gpu/gpu_model.h"

#include "base/buf.h"
#include "base/diag.h"
#include "gpu/arch.h"

/* clang-format off */
const struct gpu_model gpu_model_table[] = {
    {"K20X",              "sm_35",   14, "specifications: 2688 cores"},
    {"K40",               "sm_35",   15, "specifications: 2880 cores"},
    {"K80",               "sm_37",   13, "specifications: 4992 cores on two GPUs"},
    {"M40",               "sm_52",   24, "specifications: 3072 cores"},
    {"M60",               "sm_52",   16, "specifications: 4096 cores on two GPUs"},
    {"P100",              "sm_60",   56, "GP100 whitepaper"},
    {"GTX 1080",          "sm_61",   20, "GP104 whitepaper"},
    {"GTX 1080 Ti",       "sm_61",   28, "specifications: 3584 cores"},
    {"P4",                "sm_61",   20, "specifications: 2560 cores"},
    {"P40",               "sm_61",   30, "specifications: 3840 cores"},
    {"TITAN V",           "sm_70",   80, "specifications: 5120 cores"},
    {"V100",              "sm_70",   80, "GV100 whitepaper"},
    {"AGX Xavier",        "sm_72",    8, "specifications: 512 cores"},
    {"RTX 2070",          "sm_75",   36, "TU106 whitepaper"},
    {"RTX 2080",          "sm_75",   46, "TU104 whitepaper"},
    {"RTX 2080 Ti",       "sm_75",   68, "TU102 whitepaper"},
    {"RTX 6000 Turing",   "sm_75",   72, "TU102 whitepaper"},
    {"T4",                "sm_75",   40, "specifications: 2560 cores"},
    {"A100",              "sm_80",  108, "GA100 whitepaper"},
    {"A30",               "sm_80",   56, "specifications: 3584 cores"},
    {"A10",               "sm_86",   72, "specifications: 9216 cores"},
    {"A40",               "sm_86",   84, "specifications: 10752 cores"},
    {"RTX 3060",          "sm_86",   28, "specifications: 3584 cores"},
    {"RTX 3070",          "sm_86",   46, "GA104 whitepaper"},
    {"RTX 3080 10GB",     "sm_86",   68, "GA102 whitepaper"},
    {"RTX 3090",          "sm_86",   82, "GA102 whitepaper"},
    {"RTX A6000",         "sm_86",   84, "GA102 whitepaper"},
    {"AGX Orin 64GB",     "sm_87",   16, "specifications: 2048 cores"},
    {"L4",                "sm_89",   58, "specifications: 7424 cores"},
    {"L40",               "sm_89",  142, "specifications: 18176 cores"},
    {"L40S",              "sm_89",  142, "specifications: 18176 cores"},
    {"RTX 4070",          "sm_89",   46, "specifications: 5888 cores"},
    {"RTX 4080",          "sm_89",   76, "AD103 whitepaper"},
    {"RTX 4090",          "sm_89",  128, "AD102 whitepaper"},
    {"RTX 6000 Ada",      "sm_89",  142, "specifications: 18176 cores"},
    {"GH200",             "sm_90",  132, "specifications: the GPU is an H100 SXM"},
    {"H100 NVL",          "sm_90",  132, "specifications: 16896 cores"},
    {"H100 PCIe",         "sm_90",  114, "GH100 whitepaper"},
    {"H100 SXM",          "sm_90",  132, "GH100 whitepaper"},
    {"H200",              "sm_90",  132, "specifications: 16896 cores"},
    {"B200",              "sm_100", 148, "specifications: 18944 cores"},
    {"AGX Thor",          "sm_110",  20, "specifications: 2560 cores"},
    {"RTX 5070",          "sm_120",  48, "specifications: 6144 cores"},
    {"RTX 5080",          "sm_120",  84, "GB203 whitepaper"},
    {"RTX 5090",          "sm_120", 170, "GB202 whitepaper"},
    {"RTX PRO 6000",      "sm_120", 188, "specifications: 24064 cores"},
    {"DGX Spark",         "sm_121",  48, "specifications: 6144 cores of GB10"},
};
/* clang-format on */
const size_t gpu_model_count = sizeof gpu_model_table / sizeof *gpu_model_table;

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Appends the characters of a name that gpu_model_find compares: "rtx4090" for "NVIDIA GeForce RTX 4090". */
static void add_key(struct str name, struct buf *out)
{
    struct str part, word;
    while (str_split(&name, ' ', &part)) {
        while (str_split(&part, '-', &word)) {
            size_t start = out->len;
            for (size_t at = 0; at < word.len; at++)
                buf_char(out, lower(word.ptr[at]));
            if (str_is_one_of(str_from(buf_str(out), start), "nvidia tesla geforce quadro jetson"))
                out->len = start;
        }
    }
}

struct keys {
    struct str wanted;     /* the key of the requested name */
    const char **products; /* the key of each model, in the order of the table */
};

static struct keys make_keys(struct str name, struct arena *arena)
{
    struct keys keys;
    SCOPED(buf) key = {0};
    add_key(name, &key);
    keys.wanted = arena_str(arena, buf_str(&key));
    keys.products = arena_alloc(arena, gpu_model_count * sizeof *keys.products);
    for (size_t at = 0; at < gpu_model_count; at++) {
        buf_clear(&key);
        add_key(str_of(gpu_model_table[at].name), &key);
        keys.products[at] = arena_cstr(arena, buf_str(&key));
    }
    return keys;
}

const struct gpu_model *gpu_model_find(struct str name)
{
    SCOPED(arena) arena = {0};
    const struct keys keys = make_keys(name, &arena);
    for (size_t at = 0; at < gpu_model_count; at++)
        if (str_eq(keys.wanted, str_of(keys.products[at])))
            return &gpu_model_table[at];
    return NULL;
}

size_t gpu_model_suggest(struct str name, const struct gpu_model *meant[MODEL_SUGGESTIONS])
{
    SCOPED(arena) arena = {0};
    const struct keys keys = make_keys(name, &arena);
    size_t count = 0;
    for (size_t at = 0; keys.wanted.len && at < gpu_model_count && count < MODEL_SUGGESTIONS; at++)
        if (str_starts(str_of(keys.products[at]), keys.wanted))
            meant[count++] = &gpu_model_table[at];
    const char *near = count ? NULL : nearest_word(keys.wanted, keys.products, sizeof *keys.products, gpu_model_count);
    for (size_t at = 0; near && at < gpu_model_count; at++)
        if (near == keys.products[at])
            meant[count++] = &gpu_model_table[at];
    return count;
}

const char *gpu_model_arch(struct str name)
{
    SCOPED(arena) arena = {0};
    const struct keys keys = make_keys(name, &arena);
    const char *arch = NULL;
    for (size_t at = 0; keys.wanted.len && at < gpu_model_count; at++) {
        if (!str_starts(str_of(keys.products[at]), keys.wanted))
            continue;
        if (arch && !str_eq(str_of(arch), str_of(gpu_model_table[at].arch)))
            return NULL;
        arch = gpu_model_table[at].arch;
    }
    return arch;
}
