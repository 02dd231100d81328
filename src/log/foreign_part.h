/* foreign_part: parts of a log that are not its text: compressed data, records of warplint, text of another encoding.
 * They stand there where such files were written one behind the other. */
#ifndef LOG_FOREIGN_PART_H
#define LOG_FOREIGN_PART_H

#include "base/str.h"

/* What begins in this line, and how it can be read, as the end of a sentence; NULL: nothing does. */
const char *foreign_part_find(struct str line);

#endif
