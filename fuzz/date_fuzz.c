/* date_fuzz.c - a moment that is read is written and reads back the same; the parsers and the formats agree. */
#include <stdlib.h>
#include <string.h>

#include "text/date.h"
#include "text/date_fault.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_date(struct tn_slice text)
{
    char    written[DATE_TEXT_LEN + 1];
    int64_t ms;

    if (!tn_date_parse(text, &ms))
        return;
    must(ms >= DATE_MIN_MS && ms <= DATE_MAX_MS && ms % DATE_DAY_MS == 0);
    must(tn_date_well_formed(text));
    tn_date_format(ms, written);
    must(tn_slice_is(text, written)); /* a date has one spelling only */
}

static void check_timestamp(struct tn_slice text)
{
    char    written[TIMESTAMP_TEXT_LEN + 1];
    int64_t ms, again;

    if (!tn_timestamp_parse(text, &ms))
        return;
    must(ms >= DATE_MIN_MS && ms <= DATE_MAX_MS);
    must(tn_timestamp_well_formed(text) || text.at[10] == ' ');
    must(tn_time_well_formed((struct tn_slice){ text.at + 11, text.len - 11 }));
    tn_timestamp_format(ms, written);
    must(tn_timestamp_parse(tn_slice_of(written), &again) && again == ms);
    must(tn_timestamp_well_formed(tn_slice_of(written)));
}

/* What was meant by a text that is no date is a date. */
static void check_guess(struct tn_slice text, enum tn_date_form form)
{
    struct tn_date_guess guess = tn_date_guess(text, form);
    struct tn_slice      meant = tn_slice_of(guess.meant);
    int64_t              ms;

    must(meant.len == 0 || (form != DATE_FORM_TIMESTAMP && tn_date_parse(meant, &ms)) ||
         (form != DATE_FORM_DAY && tn_timestamp_parse(meant, &ms)));
}

/* Any eight bytes are a moment that can be written. */
static void check_format(int64_t ms)
{
    char    date[DATE_TEXT_LEN + 1], timestamp[TIMESTAMP_TEXT_LEN + 1];
    int64_t inside   = ms < DATE_MIN_MS ? DATE_MIN_MS : ms > DATE_MAX_MS ? DATE_MAX_MS : ms, again;
    int64_t midnight = (inside - DATE_MIN_MS) / DATE_DAY_MS * DATE_DAY_MS + DATE_MIN_MS;

    tn_date_format(ms, date);
    tn_timestamp_format(ms, timestamp);
    must(tn_date_parse(tn_slice_of(date), &again) && again == midnight);
    must(tn_timestamp_parse(tn_slice_of(timestamp), &again) && again == inside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct tn_slice text = { (const char *)data, len };
    int64_t         ms   = 0;

    check_date(text);
    check_timestamp(text);
    check_guess(text, DATE_FORM_DAY);
    check_guess(text, DATE_FORM_EITHER);
    check_guess(text, DATE_FORM_TIMESTAMP);
    tn_date_well_formed(text);
    tn_time_well_formed(text);
    if (len > 0)
        memcpy(&ms, data, len < sizeof ms ? len : sizeof ms);
    check_format(ms);
    check_format(ms & ((INT64_C(1) << 48) - 1));
    return 0;
}
