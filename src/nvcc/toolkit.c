#include "nvcc/toolkit.h"

#include "base/file.h"
#include "nvcc/program.h"

enum { MOST_BYTES = 1 << 16 }; /* the version is near the front of a header of a megabyte */

/* "#define CUDA_VERSION 12040" is 12.4. */
static struct toolkit read_header(struct str path)
{
    SCOPED(buf) text = {0};
    uint64_t number = 0;
    file_read_head(path, MOST_BYTES, &text);
    struct str digits = str_after(buf_str(&text), STR("#define CUDA_VERSION "));
    if (!str_uint(&digits, &number) || number < 1000 || number > 1000000)
        return (struct toolkit){0};
    return (struct toolkit){(uint16_t)(number / 1000), (uint16_t)(number % 1000 / 10)};
}

struct toolkit toolkit_of_compiler(const char *word)
{
    SCOPED(arena) arena = {0};
    struct str path = str_of(program_path(word, &arena));
    if (!path.len)
        return (struct toolkit){0};
    return read_header(arena_fmt(&arena, "%.*s../include/cuda.h", STR_ARG(path_folder(path))));
}

struct toolkit toolkit_of_clang(struct str folder)
{
    SCOPED(arena) arena = {0};
    struct toolkit found = {0};
    if (!folder.len)
        found = toolkit_of_compiler("ptxas");
    if (toolkit_known(found))
        return found;
    return read_header(arena_fmt(&arena, "%.*s/include/cuda.h", STR_ARG(folder.len ? folder : STR("/usr/local/cuda"))));
}
