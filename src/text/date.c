/* date.c - RFC 3339 text and milliseconds, by the proleptic Gregorian calendar.
 *
 * Days are counted in years that begin in March, so that the leap day is the last of its year and the lengths of the
 * months before it follow one formula: (153 * month + 2) / 5 days before the month'th, March being 0.
 */
#include "text/date.h"

#include <string.h>

#define DAYS_TO_1970 719468 /* from 0000-03-01 */
#define DAYS_IN_ERA  146097 /* 400 years */
#define MINUTE_MS    INT64_C(60000)
#define DAY_MINUTES  1440

struct calendar_day {
    int year, month, day;
};

struct day_time {
    int minute, second; /* of the day, before the offset; of the minute, 60 for a leap second */
    int ms;
    int offset; /* minutes that the clock is ahead of UTC */
};

static int date_least(int a, int b)
{
    return a < b ? a : b;
}

/* Exactly `count` digits, taken off the front of `rest`. */
static bool take_digits(struct tn_slice *rest, size_t count, int *value)
{
    if (rest->len < count)
        return false;
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        char c = rest->at[i];
        if (c < '0' || c > '9')
            return false;
        *value = *value * 10 + (c - '0');
    }
    *rest = (struct tn_slice){ rest->at + count, rest->len - count };
    return true;
}

/* Any one of `wanted`. */
static bool date_take_char(struct tn_slice *rest, const char *wanted)
{
    if (rest->len == 0 || rest->at[0] == '\0' || !strchr(wanted, rest->at[0]))
        return false;
    *rest = (struct tn_slice){ rest->at + 1, rest->len - 1 };
    return true;
}

int tn_date_days_in_month(int year, int month)
{
    static const int days[] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    if (month < 1 || month > 12)
        return 0;
    if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
        return 29;
    return days[month];
}

static bool take_date(struct tn_slice *rest, struct calendar_day *date)
{
    return take_digits(rest, 4, &date->year) && date_take_char(rest, "-") &&
           take_digits(rest, 2, &date->month) && date_take_char(rest, "-") &&
           take_digits(rest, 2, &date->day) && date->day >= 1 &&
           date->day <= tn_date_days_in_month(date->year, date->month);
}

/* A point and digits, if there is a point. */
static bool take_fraction(struct tn_slice *rest, int *ms)
{
    int digit, worth = 100;

    *ms = 0;
    if (!date_take_char(rest, "."))
        return true;
    if (!take_digits(rest, 1, &digit))
        return false;
    do {
        *ms += digit * worth;
        worth /= 10;
    } while (take_digits(rest, 1, &digit));
    return true;
}

static bool take_offset(struct tn_slice *rest, int *minutes)
{
    int  hour, minute;
    bool behind;

    *minutes = 0;
    if (date_take_char(rest, "Zz"))
        return true;
    behind = rest->len > 0 && rest->at[0] == '-';
    if (!date_take_char(rest, "+-") || !take_digits(rest, 2, &hour) || !date_take_char(rest, ":") ||
        !take_digits(rest, 2, &minute) || hour > 23 || minute > 59)
        return false;
    *minutes = (behind ? -1 : 1) * (hour * 60 + minute);
    return true;
}

/* All of `rest`. UTC inserts a leap second only at the end of a day. */
static bool take_time(struct tn_slice *rest, struct day_time *time)
{
    int hour, minute, utc;

    if (!take_digits(rest, 2, &hour) || !date_take_char(rest, ":") || !take_digits(rest, 2, &minute) ||
        !date_take_char(rest, ":") || !take_digits(rest, 2, &time->second) ||
        !take_fraction(rest, &time->ms) || !take_offset(rest, &time->offset) || rest->len > 0)
        return false;
    if (hour > 23 || minute > 59 || time->second > 60)
        return false;
    time->minute = hour * 60 + minute;
    utc          = (time->minute - time->offset + DAY_MINUTES) % DAY_MINUTES;
    return time->second < 60 || utc == DAY_MINUTES - 1;
}

static int64_t first_ms(const struct calendar_day *date)
{
    int     march = (date->month + 9) % 12;
    int     year  = date->year - (date->month <= 2) + 400; /* an era more, so that none is negative */
    int64_t days  = (int64_t)year * 365 + year / 4 - year / 100 + year / 400;

    days += (153 * march + 2) / 5 + date->day - 1;
    return (days - DAYS_IN_ERA - DAYS_TO_1970) * DATE_DAY_MS;
}

bool tn_date_parse(struct tn_slice text, int64_t *ms)
{
    struct calendar_day date;

    if (!take_date(&text, &date) || text.len > 0 || date.year < 1)
        return false;
    *ms = first_ms(&date);
    return true;
}

bool tn_timestamp_parse(struct tn_slice text, int64_t *ms)
{
    struct calendar_day date;
    struct day_time     time;
    int64_t             found;

    if (!take_date(&text, &date) || !date_take_char(&text, "Tt ") || !take_time(&text, &time))
        return false;
    found = first_ms(&date) + (time.minute - time.offset) * MINUTE_MS + date_least(time.second, 59) * 1000 +
            time.ms;
    if (found < DATE_MIN_MS || found > DATE_MAX_MS)
        return false;
    *ms = found;
    return true;
}

bool tn_date_well_formed(struct tn_slice text)
{
    struct calendar_day date;

    return take_date(&text, &date) && text.len == 0;
}

bool tn_time_well_formed(struct tn_slice text)
{
    struct day_time time;

    return take_time(&text, &time);
}

bool tn_timestamp_well_formed(struct tn_slice text)
{
    struct calendar_day date;
    struct day_time     time;

    return take_date(&text, &date) && date_take_char(&text, "Tt") && take_time(&text, &time);
}

/* The day that lies `days` days after 1970-01-01. */
static struct calendar_day day_of(int64_t days)
{
    int64_t from_era = days + DAYS_TO_1970;
    int     era      = (int)(from_era / DAYS_IN_ERA);
    int     day      = (int)(from_era % DAYS_IN_ERA);
    int     year     = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int     march;

    day -= 365 * year + year / 4 - year / 100;
    march = (5 * day + 2) / 153;
    return (struct calendar_day){
        .year  = era * 400 + year + (march >= 10),
        .month = march < 10 ? march + 3 : march - 9,
        .day   = day - (153 * march + 2) / 5 + 1,
    };
}

static char *put_digits(char *to, int value, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        to[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return to + count;
}

static char *put_char(char *to, char c)
{
    *to = c;
    return to + 1;
}

static int64_t within_range(int64_t ms)
{
    return ms < DATE_MIN_MS ? DATE_MIN_MS : ms > DATE_MAX_MS ? DATE_MAX_MS : ms;
}

/* The milliseconds since its midnight: before 1970, too, a day begins at midnight. */
static int64_t of_day(int64_t ms)
{
    int64_t rest = ms % DATE_DAY_MS;

    return rest < 0 ? rest + DATE_DAY_MS : rest;
}

void tn_date_format(int64_t ms, char out[DATE_TEXT_LEN + 1])
{
    struct calendar_day date = day_of((within_range(ms) - of_day(within_range(ms))) / DATE_DAY_MS);

    out  = put_digits(out, date.year, 4);
    out  = put_digits(put_char(out, '-'), date.month, 2);
    out  = put_digits(put_char(out, '-'), date.day, 2);
    *out = '\0';
}

void tn_timestamp_format(int64_t ms, char out[TIMESTAMP_TEXT_LEN + 1])
{
    int time = (int)of_day(within_range(ms));

    tn_date_format(ms, out);
    out = put_digits(put_char(out + DATE_TEXT_LEN, 'T'), time / 3600000, 2);
    out = put_digits(put_char(out, ':'), time / 60000 % 60, 2);
    out = put_digits(put_char(out, ':'), time / 1000 % 60, 2);
    if (time % 1000 != 0)
        out = put_digits(put_char(out, '.'), time % 1000, 3);
    out  = put_char(out, 'Z');
    *out = '\0';
}

void tn_moment_format(int64_t ms, bool day, char out[TIMESTAMP_TEXT_LEN + 1])
{
    if (day)
        tn_date_format(ms, out);
    else
        tn_timestamp_format(ms, out);
}
