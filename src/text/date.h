/* date.h - dates and timestamps as text, and milliseconds since 1970 in between. No clock, no time zone but UTC. */
#ifndef TEXT_DATE_H
#define TEXT_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define DATE_DAY_MS       INT64_C(86400000)
#define DATE_MIN_MS       INT64_C(-62135596800000) /* 0001-01-01T00:00:00Z */
#define DATE_MAX_MS       INT64_C(253402300799999) /* 9999-12-31T23:59:59.999Z */
#define DATE_EPOCH_MIN_MS INT64_C(100000000000)    /* smaller numbers look like seconds */

/* YYYY-MM-DD, calendar-checked, years 1 to 9999: its first millisecond. */
bool tn_date_parse(struct tn_slice text, int64_t *ms);

/* RFC 3339 date-time, offset required, "T" or "t" or one space, fraction cut at milliseconds, leap second :60 only
 * where UTC has them (23:59:60Z after the offset) and taken as the second before; years 1 to 9999. */
bool tn_timestamp_parse(struct tn_slice text, int64_t *ms);

/* The grammar and the calendar of RFC 3339 alone, years 0000 to 9999, "T" or "t" only: what JSON Schema's formats ask.
 * A time has an offset, and a leap second only where UTC has them. */
bool tn_date_well_formed(struct tn_slice text);
bool tn_time_well_formed(struct tn_slice text);
bool tn_timestamp_well_formed(struct tn_slice text);

/* DATE_TEXT_LEN and TIMESTAMP_TEXT_LEN bytes and a NUL; a moment that is no whole second keeps its
 * milliseconds, any other is four bytes shorter. What lies outside DATE_MIN_MS to DATE_MAX_MS is written as the nearest inside. */
#define DATE_TEXT_LEN      10
#define TIMESTAMP_TEXT_LEN 24
void tn_date_format(int64_t ms, char out[DATE_TEXT_LEN + 1]);
void tn_timestamp_format(int64_t ms, char out[TIMESTAMP_TEXT_LEN + 1]);
void tn_moment_format(int64_t ms, bool day, char out[TIMESTAMP_TEXT_LEN + 1]); /* one or the other */

/* The days of a month, or 0 when there is no such month. */
int tn_date_days_in_month(int year, int month);

#endif
