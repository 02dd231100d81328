/* unlocated: why the places of spills are not known, in words. */
#ifndef REPORT_UNLOCATED_H
#define REPORT_UNLOCATED_H

#include "log/local_memory.h"

struct unlocated_text {
    const char *why, *cure; /* clauses */
};
extern const struct unlocated_text unlocated_texts[UNLOCATED_COUNT];

#endif
