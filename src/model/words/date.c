/* date.c - days and moments. */
#include "model/like.h"
#include "model/words/say.h"
#include "model/words/words.h"
#include "text/date_fault.h"

/* What the text breaks, by enum date_fault; a day's and a moment's faults in one voice. */
static void add_date_fault(struct tn_buf *out, const struct tn_issue *issue)
{
    static const char *const faults[] = {
        [DATE_FAULT_UNKNOWN]   = "",
        [DATE_FAULT_YEAR]      = ": the year must be from 0001 to 9999",
        [DATE_FAULT_CENTURY]   = ": the year must have four digits",
        [DATE_FAULT_DAY]       = ": the calendar has no such day",
        [DATE_FAULT_HYPHENS]   = ": '-' must stand between year, month and day",
        [DATE_FAULT_ZEROS]     = ": month and day must have two digits",
        [DATE_FAULT_ORDER]     = ": the order must be year, month, day",
        [DATE_FAULT_NO_TIME]   = ": the time is missing",
        [DATE_FAULT_TIME]      = ": there is no such time",
        [DATE_FAULT_SECONDS]   = ": the seconds are missing",
        [DATE_FAULT_NO_OFFSET] = ": the offset is missing ('Z' is UTC)",
        [DATE_FAULT_OFFSET]    = ": the offset must be 'Z' or like '+02:00'",
    };

    tn_buf_text(out, faults[issue->count]);
}

/* The date that was meant, or any. */
static void add_date_like(struct tn_buf *out, const struct tn_issue *issue, const char *any)
{
    tn_buf_lit(out, " like '");
    if (issue->suggestion.len > 2 && issue->suggestion.at[0] == '"')
        tn_say_slice(out, (struct tn_slice){ issue->suggestion.at + 1, issue->suggestion.len - 2 });
    else
        tn_buf_text(out, any);
    tn_buf_char(out, '\'');
}

void tn_say_date(struct tn_buf *out, const struct tn_issue *issue)
{
    bool stamp = tn_like_kind(issue->node) == TENON_KIND_TIMESTAMP;
    bool timed = issue->node->kind == TENON_KIND_DATE && !issue->node->calendar &&
                 issue->count >= DATE_FAULT_TIME;

    tn_buf_text(out, stamp ? "Invalid timestamp " : "Invalid date ");
    tn_say_quoted(out, issue);
    add_date_fault(out, issue);
    if (stamp)
        tn_buf_lit(out, ". Expected RFC 3339 format with an offset");
    else
        tn_buf_lit(out, ". Expected ISO format (YYYY-MM-DD)");
    if (timed)
        tn_buf_lit(out, " or a timestamp with an offset");
    add_date_like(out, issue, stamp ? "2025-01-15T10:30:00Z" : "2025-01-15");
}

void tn_say_seconds(struct tn_buf *out, const struct tn_issue *issue)
{
    tn_buf_lit(out, "Invalid date ");
    tn_say_received(out, issue);
    tn_buf_lit(
        out,
        ": as milliseconds since 1970 it is too small and looks like seconds. Expected milliseconds, or ISO "
        "format (YYYY-MM-DD) like '2025-01-15'");
}

void tn_words_day(struct tn_buf *out, struct tn_slice label, const char *day, bool written)
{
    tn_say_slice(out, label);
    tn_buf_lit(out, " is a calendar date: the day ");
    if (*day) {
        tn_buf_text(out, day);
        tn_buf_char(out, ' ');
    }
    tn_buf_text(out, written ? "was used as written, without time and offset"
                             : "was used in UTC, without the time");
}
