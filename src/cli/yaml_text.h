/* yaml_text: writes values so that YAML reads the same values back, for `config show` and `init`. */
#pragma once

#include "base/buf.h"
#include "rules/value.h"

/* Appends a scalar, in quotes if it needs them. */
void yaml_scalar(struct str text, struct buf *out);
/* Appends a list of scalars, at least one: "[sm_80, sm_90]". */
void yaml_list(const struct str *items, size_t count, struct buf *out);
/* Appends a regular expression that matches `name`, with `before` in front of it and `behind` after it. Returns false
 * if the name is not valid text, so that no pattern can match it. */
bool yaml_pattern(const char *before, struct str name, const char *behind, struct buf *out);
/* Appends the value of a parameter; numbers are rounded to a millionth. */
void yaml_value(const struct value *value, struct buf *out);
