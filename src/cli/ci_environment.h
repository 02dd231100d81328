/* ci_environment: project, commit, branch and run of the build, from the variables that CI systems set. */
#pragma once

#include "base/mem.h"
#include "report/report.h"

/* Outside of CI all members are empty. Texts are in the arena or in the environment. */
struct build_run ci_environment(struct arena *arena);
