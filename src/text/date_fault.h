/* date_fault.h - what is wrong with a text that is nearly a date or a timestamp, and what was meant by it. */
#ifndef TEXT_DATE_FAULT_H
#define TEXT_DATE_FAULT_H

#include <stdbool.h>

#include "base/str.h"

enum tn_date_fault {
    DATE_FAULT_UNKNOWN = 0, /* nothing more is known than that it is no date */
    DATE_FAULT_YEAR,        /* 0, or beyond 9999 */
    DATE_FAULT_CENTURY,     /* a year of two digits */
    DATE_FAULT_DAY,         /* not in the calendar */
    DATE_FAULT_HYPHENS,     /* 20260115, 2026/01/15 */
    DATE_FAULT_ZEROS,       /* 2026-1-5 */
    DATE_FAULT_ORDER,       /* 15.01.2026 */
    DATE_FAULT_NO_TIME,     /* a day, where a moment is needed */
    DATE_FAULT_TIME,        /* 24:61 */
    DATE_FAULT_SECONDS,     /* 10:30 */
    DATE_FAULT_NO_OFFSET,
    DATE_FAULT_OFFSET /* +0200, UTC */
};

/* What a row needs. */
enum tn_date_form {
    DATE_FORM_DAY,      /* a calendar date */
    DATE_FORM_EITHER,   /* a day or a moment */
    DATE_FORM_TIMESTAMP /* a moment */
};

#define DATE_MEANT_MAX 48

struct tn_date_guess {
    enum tn_date_fault fault;
    char               meant[DATE_MEANT_MAX]; /* "" when nothing is sure; else it is well-formed */
};

/* Why `text` is not accepted. */
struct tn_date_guess tn_date_guess(struct tn_slice text, enum tn_date_form form);

/* The same for digits that came as a number: a date without hyphens, or nothing. */
bool tn_date_is_compact(int64_t number);

#endif
