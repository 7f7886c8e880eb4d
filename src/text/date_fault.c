/* date_fault.c - reading what is nearly a date.
 *
 * The text is read once more, leniently: any digits, any of the usual separators. What was found decides which rule
 * it broke, and is written anew by the rules. Only what then parses is offered.
 */
#include "text/date_fault.h"

#include <string.h>

#include "base/buf.h"
#include "text/date.h"

#define GUESS_TEXT_MAX 64 /* what is longer is no date that was spelt badly */
#define COMPACT_MIN    INT64_C(10000101)
#define COMPACT_MAX    INT64_C(99991231)
#define DIGITS_MAX     9 /* of one number; an int holds them */

/* A number as it was written. */
struct digits {
    int    value;
    size_t count;
};

struct spelt {
    struct digits part[3]; /* as they stand */
    char          between; /* '\0' when nothing stood there */
    int           year, month, day;
    bool          sure; /* which is which */
};

static struct digits take_digits(struct tn_slice *rest, size_t most)
{
    struct digits digits = { 0, 0 };

    while (rest->len > 0 && digits.count < most && rest->at[0] >= '0' && rest->at[0] <= '9') {
        digits.value = digits.value * 10 + (rest->at[0] - '0');
        digits.count++;
        rest->at++;
        rest->len--;
    }
    return digits;
}

static bool date_fault_take_char(struct tn_slice *rest, const char *wanted, char *found)
{
    if (rest->len == 0 || rest->at[0] == '\0' || !strchr(wanted, rest->at[0]))
        return false;
    if (found)
        *found = rest->at[0];
    rest->at++;
    rest->len--;
    return true;
}

static bool is_day(int year, int month, int day)
{
    return year >= 1 && year <= 9999 && day >= 1 && day <= tn_date_days_in_month(year, month);
}

/* ---- The day ----------------------------------------------------------------------------------------------- */

static bool take_compact(struct tn_slice *rest, struct spelt *spelt)
{
    struct tn_slice from  = *rest;
    struct digits   year  = take_digits(rest, 4);
    struct digits   month = take_digits(rest, 2);
    struct digits   day   = take_digits(rest, 2);

    if (day.count < 2 || (rest->len > 0 && rest->at[0] >= '0' && rest->at[0] <= '9')) {
        *rest = from;
        return false;
    }
    *spelt = (struct spelt){ { year, month, day }, '\0', year.value, month.value, day.value, true };
    return true;
}

/* The year stands last. With points the day comes first everywhere; else only a number beyond 12 tells. */
static void order_parts(struct spelt *spelt)
{
    int first = spelt->part[0].value, second = spelt->part[1].value;

    spelt->year  = spelt->part[2].value;
    spelt->day   = first;
    spelt->month = second;
    spelt->sure  = spelt->between == '.' || first > 12 || first == second;
    if (spelt->between != '.' && second > 12) {
        spelt->day   = second;
        spelt->month = first;
        spelt->sure  = true;
    }
}

static bool take_day(struct tn_slice *rest, struct spelt *spelt)
{
    char second;

    if (take_compact(rest, spelt))
        return true;
    *spelt = (struct spelt){ .sure = true };
    for (size_t i = 0; i < 3; i++) {
        spelt->part[i] = take_digits(rest, DIGITS_MAX);
        if (spelt->part[i].count == 0)
            return false;
        if (i == 2)
            break;
        if (!date_fault_take_char(rest, "-/.", &second) || (i > 0 && second != spelt->between))
            return false;
        spelt->between = second;
    }
    spelt->year  = spelt->part[0].value;
    spelt->month = spelt->part[1].value;
    spelt->day   = spelt->part[2].value;
    if (spelt->part[0].count <= 2 && spelt->part[2].count == 4)
        order_parts(spelt);
    return true;
}

/* DATE_FAULT_UNKNOWN when the day is spelt as it should be. */
static enum tn_date_fault day_fault(const struct spelt *spelt)
{
    const struct digits *part = spelt->part;

    if (spelt->between == '\0')
        return is_day(spelt->year, spelt->month, spelt->day) ? DATE_FAULT_HYPHENS : DATE_FAULT_DAY;
    if (part[0].count <= 2 && part[2].count == 4)
        return DATE_FAULT_ORDER;
    if (part[0].count <= 2 && part[2].count <= 2)
        return DATE_FAULT_CENTURY;
    if (part[0].count != 4 || spelt->year < 1)
        return DATE_FAULT_YEAR;
    if (!is_day(spelt->year, spelt->month, spelt->day))
        return DATE_FAULT_DAY;
    if (spelt->between != '-')
        return DATE_FAULT_HYPHENS;
    return part[1].count != 2 || part[2].count != 2 ? DATE_FAULT_ZEROS : DATE_FAULT_UNKNOWN;
}

/* ---- The time ---------------------------------------------------------------------------------------------- */

struct clock {
    struct digits   hour, minute, second;
    struct tn_slice fraction; /* with its point */
    bool            has_offset, behind;
    bool            odd_offset; /* not as RFC 3339 spells it */
    struct digits   offset_hour, offset_minute;
};

static bool take_offset(struct tn_slice *rest, struct clock *clock)
{
    struct tn_slice word = tn_slice_trim(*rest);
    char            sign;

    if (rest->len == 0)
        return true;
    clock->has_offset = true;
    if (tn_slice_fold_equal(word, SLICE_LIT("utc")) || tn_slice_fold_equal(word, SLICE_LIT("gmt")) ||
        tn_slice_fold_equal(word, SLICE_LIT("z"))) {
        clock->odd_offset = rest->len != 1;
        *rest             = (struct tn_slice){ rest->at + rest->len, 0 };
        return true;
    }
    *rest             = word;
    clock->odd_offset = true;
    if (!date_fault_take_char(rest, "+-", &sign))
        return false;
    clock->behind      = sign == '-';
    clock->offset_hour = take_digits(rest, 2);
    if (date_fault_take_char(rest, ":", NULL))
        clock->odd_offset = clock->offset_hour.count != 2;
    clock->offset_minute = take_digits(rest, 2);
    return clock->offset_hour.count > 0 && rest->len == 0;
}

static bool take_clock(struct tn_slice *rest, struct clock *clock)
{
    *clock = (struct clock){
        { 0, 0 }, { 0, 0 }, { 0, 0 }, { "", 0 }, false, false, false, { 0, 0 }, { 0, 0 }
    };
    clock->hour = take_digits(rest, 2);
    if (clock->hour.count == 0 || !date_fault_take_char(rest, ":", NULL))
        return false;
    clock->minute = take_digits(rest, 2);
    if (clock->minute.count == 0)
        return false;
    if (date_fault_take_char(rest, ":", NULL)) {
        clock->second = take_digits(rest, 2);
        if (clock->second.count == 0)
            return false;
        clock->fraction.at = rest->at;
        if (date_fault_take_char(rest, ".", NULL)) {
            (void)take_digits(rest, DIGITS_MAX);
            clock->fraction.len = (size_t)(rest->at - clock->fraction.at);
        }
    }
    return take_offset(rest, clock);
}

static enum tn_date_fault clock_fault(const struct clock *clock)
{
    if (clock->hour.value > 23 || clock->minute.value > 59 || clock->second.value > 60)
        return DATE_FAULT_TIME;
    if (!clock->has_offset)
        return DATE_FAULT_NO_OFFSET;
    if (clock->odd_offset)
        return DATE_FAULT_OFFSET;
    return clock->second.count == 0 ? DATE_FAULT_SECONDS : DATE_FAULT_TIME;
}

/* ---- Writing it anew --------------------------------------------------------------------------------------- */

struct date_writer {
    char  *at;
    size_t len;
};

static void put_text(struct date_writer *out, const char *at, size_t len)
{
    if (out->len + len >= DATE_MEANT_MAX)
        return; /* it will not parse */
    memcpy(out->at + out->len, at, len);
    out->len += len;
    out->at[out->len] = '\0';
}

static void put_number(struct date_writer *out, int value, size_t width)
{
    char text[4];

    for (size_t i = width; i-- > 0; value /= 10)
        text[i] = (char)('0' + value % 10);
    put_text(out, text, width);
}

static void put_day(struct date_writer *out, const struct spelt *spelt)
{
    put_number(out, spelt->year, 4);
    put_text(out, "-", 1);
    put_number(out, spelt->month, 2);
    put_text(out, "-", 1);
    put_number(out, spelt->day, 2);
}

static void put_clock(struct date_writer *out, const struct clock *clock)
{
    put_text(out, "T", 1);
    put_number(out, clock->hour.value, 2);
    put_text(out, ":", 1);
    put_number(out, clock->minute.value, 2);
    put_text(out, ":", 1);
    put_number(out, clock->second.value, 2);
    if (clock->fraction.len > 1)
        put_text(out, clock->fraction.at, clock->fraction.len);
    if (clock->offset_hour.count == 0) {
        put_text(out, "Z", 1);
        return;
    }
    put_text(out, clock->behind ? "-" : "+", 1);
    put_number(out, clock->offset_hour.value, 2);
    put_text(out, ":", 1);
    put_number(out, clock->offset_minute.value, 2);
}

static void keep_what_parses(struct tn_date_guess *guess, enum tn_date_form form)
{
    struct tn_slice text = tn_slice_of(guess->meant);
    int64_t         ms;

    if (form != DATE_FORM_TIMESTAMP && tn_date_parse(text, &ms))
        return;
    if (form != DATE_FORM_DAY && tn_timestamp_parse(text, &ms))
        return;
    guess->meant[0] = '\0';
}

/* ---- Both -------------------------------------------------------------------------------------------------- */

struct tn_date_guess tn_date_guess(struct tn_slice text, enum tn_date_form form)
{
    struct tn_date_guess guess = { DATE_FAULT_UNKNOWN, "" };
    struct date_writer   out   = { guess.meant, 0 };
    struct clock         clock = { .has_offset = false };
    struct spelt         spelt;
    bool                 timed;

    if (text.len > GUESS_TEXT_MAX || !take_day(&text, &spelt))
        return guess;
    timed = text.len > 0;
    if (timed && (!date_fault_take_char(&text, "Tt ", NULL) || !take_clock(&text, &clock)))
        return guess;
    guess.fault = day_fault(&spelt);
    if (guess.fault == DATE_FAULT_UNKNOWN)
        guess.fault = timed ? clock_fault(&clock) : DATE_FAULT_NO_TIME;
    if (!spelt.sure || guess.fault == DATE_FAULT_CENTURY || guess.fault == DATE_FAULT_YEAR ||
        !is_day(spelt.year, spelt.month, spelt.day))
        return guess; /* of a number that is too long, the last digits would be another date */
    put_day(&out, &spelt);
    if (form == DATE_FORM_TIMESTAMP || (form == DATE_FORM_EITHER && timed))
        put_clock(&out, &clock);
    keep_what_parses(&guess, form);
    return guess;
}

bool tn_date_is_compact(int64_t number)
{
    return number >= COMPACT_MIN && number <= COMPACT_MAX &&
           is_day((int)(number / 10000), (int)(number / 100 % 100), (int)(number % 100));
}
