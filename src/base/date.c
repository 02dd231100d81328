#define _DEFAULT_SOURCE /* timegm */
#include "base/date.h"

#include <stdlib.h>
#include <time.h>

enum { SECONDS_PER_DAY = 86400 };

bool date_parse(struct str text, int64_t *day)
{
    uint64_t year = 0, month = 0, date = 0;
    bool shaped = text.len == sizeof "2027-06-30" - 1 && text.ptr[4] == '-' && text.ptr[7] == '-' &&
                  str_to_uint(str_sub(text, 0, 4), &year) && str_to_uint(str_sub(text, 5, 7), &month) &&
                  str_to_uint(str_from(text, 8), &date);
    struct tm given = {.tm_year = (int)year - 1900, .tm_mon = (int)month - 1, .tm_mday = (int)date};
    struct tm found = given;
    int64_t seconds = timegm(&found); /* timegm turns a day that does not exist into another day */
    if (!shaped || year == 0 || found.tm_mon != given.tm_mon || found.tm_mday != given.tm_mday)
        return false;
    *day = seconds / SECONDS_PER_DAY;
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
                          "'%s' is not a number of seconds since 1970", epoch);
    *day = (int64_t)(seconds / SECONDS_PER_DAY);
    return true;
}

void date_of_build(struct buf *out)
{
    int64_t day = 0;
    struct tm date;
    if (str_of(getenv("SOURCE_DATE_EPOCH")).len && date_today(&day, NULL) &&
        gmtime_r(&(time_t){day * SECONDS_PER_DAY}, &date))
        buf_fmt(out, "%04d-%02d-%02d", date.tm_year + 1900, date.tm_mon + 1, date.tm_mday);
}
