#include "log/phrase.h"

/* Takes the literal off the front. */
#define TAKE(text, literal) take(text, literal, sizeof literal - 1)
static inline bool take(struct str *text, const char *literal, size_t len)
{
    if (text->len < len || memcmp(text->ptr, literal, len) != 0)
        return false;
    text->ptr += len;
    text->len -= len;
    return true;
}

static bool is_plain_name(struct str name)
{
    return name.len && name.ptr[name.len - 1] > ' ' && !memchr(name.ptr, ' ', name.len) && name.ptr[0] != '\'';
}

/* NAME' for 'ARCH' */
static bool take_entry(struct str text, struct holes *holes)
{
    enum { LONGEST_ARCH = 12 };
    static const struct str between = STR_INIT("' for '");
    if (text.len < between.len + 2 || text.ptr[text.len - 1] != '\'')
        return false;
    size_t arch = text.len - 1;
    while (arch > 0 && text.ptr[arch - 1] != '\'' && text.len - arch <= LONGEST_ARCH)
        arch--;
    if (arch < between.len || memcmp(text.ptr + arch - between.len, between.ptr, between.len) != 0)
        return false;
    holes->arch = str_sub(text, arch, text.len - 1);
    holes->name = str_sub(text, 0, arch - between.len);
    return holes->arch.len > 0 && is_plain_name(holes->name);
}

/* 43664.770 ms */
static bool take_time(struct str text, struct holes *holes)
{
    uint64_t whole = 0, thousandths = 0;
    if (!str_uint(&text, &whole) || whole > 1u << 30 || !TAKE(&text, ".") || text.len != 6 || !str_uint(&text, &thousandths))
        return false;
    holes->time_us = (int64_t)(whole * 1000 + thousandths);
    return text.len == 3 && TAKE(&text, " ms");
}

static bool take_number(struct str *text, struct holes *holes)
{
    return str_int(text, &holes->number[holes->number_count++]);
}

bool plain_match(struct str text, enum phrase_kind *kind, struct holes *holes)
{
    if (text.len < 8)
        return false;
    holes->number_count = 0;
    switch (text.ptr[0]) {
    case 'C':
        *kind = text.ptr[6] == 'i' ? PHRASE_ENTRY : PHRASE_TIME;
        if (*kind == PHRASE_ENTRY)
            return TAKE(&text, "Compiling entry function '") && take_entry(text, holes);
        return TAKE(&text, "Compile time = ") && take_time(text, holes);
    case 'F':
        *kind = PHRASE_PROPERTIES;
        if (!TAKE(&text, "Function properties for "))
            return false;
        holes->name = text;
        return is_plain_name(text);
    case 'U':
        *kind = PHRASE_USED;
        if (!TAKE(&text, "Used ") || !take_number(&text, holes) || !TAKE(&text, " registers"))
            return false;
        holes->metrics = text;
        return true;
    default:
        *kind = PHRASE_MODULE;
        if (!take_number(&text, holes) || !TAKE(&text, " bytes gmem"))
            return false;
        holes->metrics = text;
        return true;
    }
}

bool plain_stack_match(struct str line, struct holes *holes)
{
    holes->number_count = 0;
    return TAKE(&line, "    ") && take_number(&line, holes) && TAKE(&line, " bytes stack frame, ") &&
           take_number(&line, holes) && TAKE(&line, " bytes spill stores, ") && take_number(&line, holes) &&
           TAKE(&line, " bytes spill loads") && line.len == 0;
}
