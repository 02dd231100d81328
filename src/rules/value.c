#include "rules/value.h"

#include "gpu/arch.h"

#include <math.h>

struct value value_unknown(enum value_type type)
{
    return (struct value){.type = (uint8_t)type};
}

struct value value_number(double number)
{
    return (struct value){.type = VALUE_NUMBER, .known = true, .number = number};
}

struct value value_bool(bool boolean)
{
    return (struct value){.type = VALUE_BOOL, .known = true, .boolean = boolean};
}

struct value value_string(struct str string)
{
    return (struct value){.type = VALUE_STRING, .known = true, .text_length = (uint32_t)string.len, .text = string.ptr};
}

struct str value_text(const struct value *string)
{
    return (struct str){string->text, string->text_length};
}

struct value value_arch(struct str name)
{
    int number = arch_number(name);
    if (number <= 0)
        return value_unknown(VALUE_ARCH);
    char last = name.ptr[name.len - 1];
    char variant = last == 'a' || last == 'f' ? last : '\0';
    return (struct value){.type = VALUE_ARCH, .known = true, .variant = variant, .arch = number};
}

const char *value_type_name(enum value_type type)
{
    static const char *const names[] = {"a number", "a truth value", "a string", "an architecture"};
    return names[type];
}

const char *unit_name(enum unit unit)
{
    static const char *const names[] = {"", "bytes", "registers", "threads", "warps", "blocks", "ratio", "ms", ""};
    return names[unit];
}

/* Decimals are made from whole numbers, rounded half to even like printf; printf itself depends on the locale. */
void value_decimals(double number, uint64_t scale, struct buf *out)
{
    while (scale > 1 && fabs(number) * (double)scale > 9e15) /* a double of that size has no such decimals */
        scale /= 10;
    uint64_t scaled = (uint64_t)llrint(fabs(number) * (double)scale);
    uint64_t rest = scaled % scale, digit = scale / 10;
    if (number < 0 && scaled > 0)
        buf_char(out, '-');
    buf_int(out, (int64_t)(scaled / scale));
    if (rest)
        buf_char(out, '.');
    for (; rest; rest %= digit, digit /= 10)
        buf_char(out, (char)('0' + rest / digit));
}

static void print_number(double number, uint64_t scale, struct buf *out)
{
    if (fabs(number) < 9e15)
        value_decimals(number, scale, out);
    else
        buf_char(out, '?');
}

void value_print(const struct value *value, enum unit unit, struct buf *out)
{
    if (!value->known) {
        buf_char(out, '?');
        return;
    }
    switch (value->type) {
    case VALUE_NUMBER:
        if (unit == UNIT_RATIO) {
            print_number(value->number * 100, 10, out);
            buf_add(out, STR(" %"));
        } else {
            print_number(value->number, 100, out);
        }
        break;
    case VALUE_BOOL: buf_add(out, value->boolean ? STR("yes") : STR("no")); break;
    case VALUE_STRING:
        buf_add(out, value_text(value));
        for (size_t back = unit == UNIT_WORDS ? value->text_length : 0; back > 0; back--)
            if (out->ptr[out->len - back] == '_')
                out->ptr[out->len - back] = ' ';
        break;
    case VALUE_ARCH:
        buf_fmt(out, "sm_%d", value->arch);
        if (value->variant && value->variant != ARCH_FAMILY)
            buf_char(out, value->variant);
        break;
    default: break;
    }
}
