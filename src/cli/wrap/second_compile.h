/*
 * second_compile: where a kernel accesses local memory is known by lines only where its code has line information. A
 * source is compiled once more with -lineinfo into a private folder; what is made there is read and thrown away. What
 * the build makes is not touched.
 */
#ifndef CLI_WRAP_SECOND_COMPILE_H
#define CLI_WRAP_SECOND_COMPILE_H

#include "log/model.h"
#include "nvcc/invocation.h"

#include <time.h>

/*
 * Compiles the source of the command for these architectures (names like sm_90a; at least one) and gives records of the
 * model the lines of their accesses where the code is the same, byte for byte. words: the command, without options of
 * ours behind the compiler. One line on standard error says that it begins; a compile that fails or takes more than
 * most_seconds is passed over in silence. A signal that would end this process ends the compile and then this process.
 */
void second_compile(const struct invocation *invocation, const char *const *words, const struct str_list *archs,
                    time_t most_seconds, struct model *model);

#endif
