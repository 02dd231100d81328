#define _POSIX_C_SOURCE 200809L
#include "base/date.h"

#include <stdlib.h>
#include <time.h>

enum { SECONDS_PER_DAY = 86400, YEARS_PER_CYCLE = 400, DAYS_PER_CYCLE = 146097, DAYS_TO_1970 = 719468 };

/* Years are counted from March, so that the day that comes and goes is the last of its year; month 13 is the next
 * January. */
static int64_t day_number(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t cycle = year / YEARS_PER_CYCLE, year_of_cycle = year % YEARS_PER_CYCLE;
    int64_t month_from_march = month > 2 ? month - 3 : month + 9;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    int64_t day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    return cycle * DAYS_PER_CYCLE + day_of_cycle - DAYS_TO_1970;
}

/* A number of exactly so many digits. */
static bool digits(struct str text, size_t count, uint64_t *value)
{
    return text.len == count && str_to_uint(text, value);
}

bool date_parse(struct str text, int64_t *day)
{
    uint64_t year = 0, month = 0, date = 0;
    bool shaped = text.len == sizeof "2027-06-30" - 1 && text.ptr[4] == '-' && text.ptr[7] == '-' &&
                  digits(str_sub(text, 0, 4), 4, &year) && digits(str_sub(text, 5, 7), 2, &month) &&
                  digits(str_from(text, 8), 2, &date);
    if (!shaped || year == 0 || month < 1 || month > 12 || date < 1)
        return false;
    int64_t found = day_number((int64_t)year, (int64_t)month, (int64_t)date);
    if (found >= day_number((int64_t)year, (int64_t)month + 1, 1))
        return false;
    *day = found;
    return true;
}

bool date_today(int64_t *day, struct diags *diags)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    if (!epoch || !*epoch)
        seconds = (uint64_t)time(NULL);
    else if (!str_to_uint(str_of(epoch), &seconds) || seconds > INT64_MAX)
        return diag_error(diags, (struct place){.path = STR("SOURCE_DATE_EPOCH")},
                          "'%s' is no number of seconds since 1970", epoch);
    *day = (int64_t)(seconds / SECONDS_PER_DAY);
    return true;
}

void date_of_build(struct buf *out)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    struct tm day;
    if (!epoch || !str_to_uint(str_of(epoch), &seconds) || seconds > INT64_MAX)
        return;
    if (gmtime_r(&(time_t){(time_t)seconds}, &day))
        buf_fmt(out, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}
