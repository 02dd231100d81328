/* judgeable: decides whether the outputs and messages of a compile are enough to judge it, and why not. */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "nvcc/binary.h"
#include "nvcc/object.h"

/* True if ptxas was asked to print resources of every kernel and module and printed nothing: it did not run, or its
 * messages are lost. */
static bool is_silent(const struct wrap *wrap, const struct log_info *log)
{
    return wrap->invocation.makes_code && !wrap->settings->no_verbose && !log->verbose;
}

void judgeable_note(const struct wrap *wrap, struct log_info *log)
{
    const struct invocation *invocation = &wrap->invocation;
    const struct str_list *outputs = &invocation->outputs;
    /* The HPC compilers run ptxas only for sources with device code; most sources have none, and need no messages. */
    bool bare = is_silent(wrap, log) && invocation->dialect == DIALECT_NVHPC && invocation->phase == PHASE_COMPILE;
    for (size_t at = 0; at < outputs->count; at++)
        bare = bare && !object_has_device_code(outputs->items[at].ptr);
    log->verbose |= bare;
    /* objects of the HPC compilers are not read */
    log->no_code = is_silent(wrap, log) &&
                   (invocation->dialect == DIALECT_NVHPC || !binary_holds_kernels(outputs->items, outputs->count));
}

bool judgeable_made_nothing(const struct wrap *wrap, const struct log_info *log)
{
    const struct str_list *outputs = &wrap->invocation.outputs;
    bool absent = is_silent(wrap, log);
    for (size_t at = 0; at < outputs->count; at++)
        absent = absent && !file_exists(outputs->items[at]);
    return absent;
}

bool judgeable_lost_messages(const struct wrap *wrap, const struct log_info *log)
{
    const struct str_list *outputs = &wrap->invocation.outputs;
    if (wrap->settings->no_verbose && !log->verbose && wrap->invocation.makes_code)
        return binary_holds_kernels(outputs->items, outputs->count);
    return log->no_code ? wrap->invocation.dialect == DIALECT_NVHPC : is_silent(wrap, log);
}
