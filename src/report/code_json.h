/* code_json: what a kernel's machine code says of local memory, as members of its JSON record (log/local_memory.h). */
#ifndef REPORT_CODE_JSON_H
#define REPORT_CODE_JSON_H

#include "base/json.h"
#include "report/report.h"

/* Nothing where no places are known. */
void code_json(const struct report *report, const struct kernel *kernel, struct json *json);

#endif
