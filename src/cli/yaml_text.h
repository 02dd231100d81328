/* yaml_text: values as YAML reads them back; what `config show` and `init` write. */
#ifndef CLI_YAML_TEXT_H
#define CLI_YAML_TEXT_H

#include "base/buf.h"
#include "rules/value.h"

/* Appends a scalar, in quotes where it needs them. */
void yaml_scalar(struct str text, struct buf *out);
/* Appends a list of scalars, at least one: "[sm_80, sm_90]". */
void yaml_list(const struct str *items, size_t count, struct buf *out);
/* Appends a regular expression that matches `name` with these in front of it and behind it. False: the bytes of the
 * name are no text, and nothing matches them. */
bool yaml_pattern(const char *before, struct str name, const char *behind, struct buf *out);
/* Appends the value of a parameter; numbers to a millionth. */
void yaml_value(const struct value *value, struct buf *out);

#endif
