/* ci_environment: project, commit, branch and run of the build, from the variables that CI systems set. */
#ifndef CLI_CI_ENVIRONMENT_H
#define CLI_CI_ENVIRONMENT_H

#include "base/mem.h"
#include "report/report.h"

/* Outside of CI all members are empty. Texts are in the arena or in the environment. */
struct build_run ci_environment(struct arena *arena);

#endif
