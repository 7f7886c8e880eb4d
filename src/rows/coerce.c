/* coerce.c - scalars that are not text: integers, numbers, booleans, enums, moments.
 *
 * What keeps the value and changes only its form (3.0 for 3, an enum's case) is counted in `reformed` and silent;
 * what changes the JSON type ("3" for 3) is counted in `coerced` and reported in one message for the whole call.
 */
#include "rows/coerce.h"

#include <math.h>
#include <string.h>

#include "json/echo.h"
#include "json/write.h"
#include "model/like.h"
#include "model/spell.h"
#include "model/words/words.h"
#include "rows/bind_form.h"
#include "text/date.h"
#include "text/date_fault.h"

#define EXACT_MAX 9007199254740991.0    /* 2^53 - 1: an integer beyond may have been rounded to its double */
#define INT64_END 9223372036854775808.0 /* the first integer that is too large */

void tn_coerce_report(struct tn_judge *judge, const struct tn_location *at, yyjson_val *from,
                      struct tn_slice to)
{
    if (at->up && at->up->from_comma) {
        judge->reformed++; /* the items of a comma list have no other form */
        return;
    }
    tn_coercions_add(judge, judge->unsaid > 0 ? SLICE_LIT("") : tn_location_path(judge->arena, at),
                     at->node->secret, at->sent ? at->sent : from, to);
}

/* The number that a string was read as, before it is pulled into any range: that is reported on its own. */
static void coerced_to(struct tn_judge *judge, const struct tn_location *at, yyjson_val *from,
                       yyjson_val *number)
{
    struct tn_buf text;

    if (judge->unsaid > 0) {
        tn_coerce_report(judge, at, from, SLICE_LIT(""));
        return;
    }
    tn_buf_init(&text, judge->arena, 32, MESSAGE_LEN_MAX);
    if (yyjson_is_real(number))
        tn_json_number(&text, yyjson_get_real(number));
    else
        tn_echo_value(&text, number);
    if (!text.failed)
        tn_coerce_report(judge, at, from, tn_buf_slice(&text));
}

static bool is_strict(const struct tn_judge *judge, const struct tn_location *at)
{
    return at->node->strict || judge->strict;
}

/* The number that a string spells, in JSON's own grammar ("007" is none), or NULL. */
static yyjson_val *spelled_number(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value)
{
    if (!yyjson_is_str(value) || is_strict(judge, at))
        return NULL;
    return tn_spell_number(judge->arena, tn_json_slice(value));
}

/* ---- Ranges ------------------------------------------------------------------------------------------------ */

/* `number` is what came; the bound takes its place. */
static bool say_clamped(struct tn_judge *judge, const struct tn_location *at, const struct tn_buf *number,
                        bool low)
{
    struct tn_buf text;

    judge->clamped++;
    tn_buf_init(&text, judge->arena, 128, MESSAGE_LEN_MAX);
    tn_words_clamped(&text, tn_location_path(judge->arena, at), at->node, tn_buf_slice(number), low);
    if (!text.failed)
        tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
    return true;
}

/* Suggests the bound; but one for an item is none for the text that it stands in. */
static bool refuse_range(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                         struct tn_buf *bound, bool low)
{
    struct tn_issue *issue = tn_location_report(judge, at, ISSUE_RANGE, value);

    if (issue)
        issue->count = !low;
    if (issue && issue->addressed == at->node)
        tn_location_suggest(issue, bound);
    return false;
}

/* ---- Integers ---------------------------------------------------------------------------------------------- */

static bool int_out_of_range(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                             bool low, int64_t *out)
{
    const struct tn_int_rules *rules = &at->node->integer;
    struct tn_buf              text;

    tn_buf_init(&text, judge->arena, 32, MESSAGE_LEN_MAX);
    if (rules->clamp && !judge->exact) {
        *out = low ? (rules->low_default ? rules->def : rules->min) : rules->max;
        tn_echo_value(&text, value); /* a literal may be of any length */
        return say_clamped(judge, at, &text, low);
    }
    tn_buf_int(&text, low ? rules->min : rules->max);
    return refuse_range(judge, at, value, &text, low);
}

/* Doubles are taken when they are integers, exactly, and cannot have been rounded from something else. */
static bool int_from_real(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                          int64_t *out)
{
    const struct tn_int_rules *rules = &at->node->integer;
    double                     real  = yyjson_get_real(value);

    if (!isfinite(real) || real != floor(real))
        return tn_location_refuse(judge, at, ISSUE_TYPE, value, NULL);
    if (real < (double)rules->min || real > (double)rules->max)
        return int_out_of_range(judge, at, value, real < (double)rules->min, out);
    if (fabs(real) > EXACT_MAX && !rules->clamp) /* a clamped row refuses no integer */
        return tn_location_refuse(judge, at, ISSUE_TYPE, value, NULL);
    if (real >= INT64_END)
        return int_out_of_range(judge, at, value, false, out);
    judge->reformed++;
    *out = (int64_t)real;
    return true;
}

/* A literal that no 64-bit integer or double holds. As an integer it is out of every range. */
static bool int_from_raw(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                         int64_t *out)
{
    struct tn_slice text = { yyjson_get_raw(value), yyjson_get_len(value) };
    bool            low  = text.len > 0 && text.at[0] == '-';

    for (size_t i = low ? 1 : 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return tn_location_refuse(judge, at, ISSUE_TYPE, value, NULL);
    return int_out_of_range(judge, at, value, low, out);
}

static bool int_in_range(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                         int64_t integer, int64_t *out)
{
    const struct tn_int_rules *rules = &at->node->integer;

    if (integer < rules->min || integer > rules->max)
        return int_out_of_range(judge, at, value, integer < rules->min, out);
    *out = integer;
    return true;
}

bool tn_coerce_int(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int64_t *out)
{
    yyjson_val *number;

    if (yyjson_is_uint(value)) {
        uint64_t integer = yyjson_get_uint(value);

        return integer <= INT64_MAX ? int_in_range(judge, at, value, (int64_t)integer, out)
                                    : int_out_of_range(judge, at, value, false, out);
    }
    if (yyjson_is_sint(value))
        return int_in_range(judge, at, value, yyjson_get_sint(value), out);
    if (yyjson_is_real(value))
        return int_from_real(judge, at, value, out);
    if (yyjson_is_raw(value))
        return int_from_raw(judge, at, value, out);
    number = spelled_number(judge, at, value);
    if (!number || (yyjson_is_real(number) && yyjson_get_real(number) != floor(yyjson_get_real(number))))
        return tn_location_refuse(judge, at, ISSUE_TYPE, value, NULL);
    if (!tn_coerce_int(judge, at, number, out))
        return false;
    coerced_to(judge, at, value, number);
    return true;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------- */

static bool num_in_range(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                         double number, double *out)
{
    const struct tn_num_rules *rules = &at->node->number;
    bool                       low   = number < rules->min;
    struct tn_buf              text;

    *out = number + 0.0; /* -0 is 0, also as bytes */
    if (!low && !(number > rules->max))
        return true;
    *out = low ? rules->min : rules->max;
    if (fabs(number - *out) <= rules->tolerance) {
        judge->reformed++;
        return true;
    }
    tn_buf_init(&text, judge->arena, 32, 64);
    tn_json_number(&text, rules->clamp && !judge->exact ? number : *out);
    return rules->clamp && !judge->exact ? say_clamped(judge, at, &text, low)
                                         : refuse_range(judge, at, value, &text, low);
}

/* Is a 64-bit integer one that a double holds exactly? */
static bool exact_in_double(yyjson_val *value)
{
    if (yyjson_is_uint(value)) {
        uint64_t integer = yyjson_get_uint(value);
        double   number  = (double)integer;

        return number < 18446744073709551616.0 && (uint64_t)number == integer;
    }
    return (int64_t)(double)yyjson_get_sint(value) == yyjson_get_sint(value);
}

/* Out of range whether it was rounded or not? */
static bool num_is_outside(const struct tn_location *at, double number)
{
    return !at->node->number.clamp && (number < at->node->number.min || number > at->node->number.max);
}

bool tn_coerce_num(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, double *out)
{
    yyjson_val *number;

    if (yyjson_is_real(value) && isfinite(yyjson_get_real(value)))
        return num_in_range(judge, at, value, yyjson_get_real(value), out);
    if (yyjson_is_int(value) && (exact_in_double(value) || num_is_outside(at, yyjson_get_num(value))))
        return num_in_range(judge, at, value, yyjson_get_num(value), out);
    number = spelled_number(judge, at, value);
    if (!number ||
        !(yyjson_is_real(number) ||
          (yyjson_is_int(number) && (exact_in_double(number) || num_is_outside(at, yyjson_get_num(number))))))
        return tn_location_refuse(judge, at, ISSUE_TYPE, number ? number : value, NULL);
    if (!tn_coerce_num(judge, at, number, out))
        return false;
    coerced_to(judge, at, value, number);
    return true;
}

/* ---- Booleans ---------------------------------------------------------------------------------------------- */

bool tn_coerce_bool(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, bool *out)
{
    struct tn_slice  word;
    struct tn_issue *issue;

    if (yyjson_is_bool(value)) {
        *out = yyjson_get_bool(value);
        return true;
    }
    if (!yyjson_is_str(value) || !tn_spell_truth(tn_json_slice(value), out))
        return tn_location_refuse(judge, at, ISSUE_TYPE, value, NULL);
    word = *out ? SLICE_LIT("true") : SLICE_LIT("false");
    if (is_strict(judge, at)) {
        issue = tn_location_report(judge, at, ISSUE_TYPE, value);
        if (issue && issue->addressed == at->node && !at->node->secret)
            issue->suggestion = word; /* what was meant is clear; only the form is refused */
        return false;
    }
    tn_coerce_report(judge, at, value, word);
    return true;
}

/* ---- Enums ------------------------------------------------------------------------------------------------- */

static struct tn_slice choice_at(const void *of, size_t index)
{
    return ((const struct tn_choice *)of)->names[index];
}

bool tn_coerce_choice(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int *out)
{
    const struct tn_choice *choice  = at->node->choice;
    struct tn_spell_choices choices = { choice, choice->count, choice_at };
    enum tn_spelling        most, how = SPELLING_NONE;
    struct tn_issue        *issue;
    int                     meant;

    most = choice->exact                       ? SPELLING_TRIMMED
           : is_strict(judge, at) || at->plain ? SPELLING_FOLDED
                                               : SPELLING_SEPARATED;
    *out = yyjson_is_str(value) ? tn_spell_choice(&choices, tn_json_slice(value), most, &how) : -1;
    if (*out >= 0) {
        judge->reformed += how == SPELLING_TRIMMED || how == SPELLING_FOLDED;
        if (how == SPELLING_SEPARATED)
            tn_bind_form_choice(judge, at, value, *out);
        return true;
    }
    issue = tn_location_report(judge, at, ISSUE_CHOICE, value);
    if (!issue || issue->addressed != at->node || issue->inside || at->node->secret || at->node->check)
        return false;
    meant = tn_spell_nearest(&choices, value);
    if (meant >= 0)
        tn_issue_suggest(issue, judge->arena, choice->names[meant]);
    return false;
}

/* ---- Moments ----------------------------------------------------------------------------------------------- */

bool tn_coerce_refuse_date(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                           struct tn_slice text)
{
    tn_issue_date(tn_location_report(judge, at, ISSUE_DATE, value), judge->arena, text);
    return false;
}

/* The day of a moment: as it is written, or in UTC when nothing is written. The time is left aside, and that is said. */
static bool take_day(struct tn_judge *judge, const struct tn_location *at, struct tn_slice written,
                     int64_t ms, tenon_time *out)
{
    char          day[DATE_TEXT_LEN + 1];
    struct tn_buf text;

    tn_date_format(ms, day);
    if (written.at)
        memcpy(day, written.at, DATE_TEXT_LEN);
    out->set = tn_date_parse(tn_slice_of(day), &out->ms);
    if (out->ms == ms)
        return out->set; /* its midnight in UTC is the day itself */
    tn_buf_init(&text, judge->arena, 128, MESSAGE_LEN_MAX);
    tn_words_day(&text, tn_location_path(judge->arena, at), at->node->secret ? "" : day, written.at != NULL);
    if (!text.failed)
        tn_messages_add(&judge->messages, judge->arena, text.at, text.len);
    return out->set;
}

static bool time_from_epoch(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                            int64_t ms, tenon_time *out)
{
    struct tn_issue *issue;
    struct tn_buf    text;

    if (ms >= DATE_EPOCH_MIN_MS && ms <= DATE_MAX_MS) {
        judge->reformed++;
        *out = (tenon_time){ ms, true };
        return !at->node->calendar || take_day(judge, at, (struct tn_slice){ NULL, 0 }, ms, out);
    }
    if (ms < 0 || ms > DATE_MAX_MS)
        return tn_coerce_refuse_date(judge, at, value, SLICE_LIT(""));
    tn_buf_init(&text, judge->arena, 24, 32);
    tn_buf_int(&text, tn_date_is_compact(ms) ? ms : ms * 1000);
    if (tn_date_is_compact(ms))
        return tn_coerce_refuse_date(judge, at, value, tn_buf_slice(&text));
    issue = tn_location_report(judge, at, ISSUE_SECONDS, value);
    if (issue && ms * 1000 >= DATE_EPOCH_MIN_MS && issue->addressed == at->node && !at->node->secret)
        tn_location_suggest(issue, &text);
    return false;
}

static int64_t epoch_of(yyjson_val *number)
{
    return yyjson_is_uint(number) && yyjson_get_uint(number) > INT64_MAX ? INT64_MAX
                                                                         : yyjson_get_sint(number);
}

static bool time_from_text(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                           struct tn_slice text, tenon_time *out)
{
    yyjson_val *number;
    int64_t     ms;

    if (at->node->kind == TENON_KIND_DATE && tn_date_parse(text, &ms)) {
        *out = (tenon_time){ at->node->end_of_day ? ms + DATE_DAY_MS - 1 : ms, true };
        return true;
    }
    if (tn_timestamp_parse(text, &ms)) {
        *out = (tenon_time){ ms, true };
        return !at->node->calendar || take_day(judge, at, text, ms, out);
    }
    number = tn_json_read_number(judge->arena, text.at, text.len);
    if (number && yyjson_is_int(number))
        return time_from_epoch(judge, at, value, epoch_of(number), out);
    return tn_coerce_refuse_date(judge, at, value, text);
}

bool tn_coerce_time(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, tenon_time *out)
{
    struct tn_slice text;

    if (yyjson_is_int(value))
        return time_from_epoch(judge, at, value, epoch_of(value), out);
    if (yyjson_is_real(value) && fabs(yyjson_get_real(value)) <= EXACT_MAX &&
        yyjson_get_real(value) == floor(yyjson_get_real(value)))
        return time_from_epoch(judge, at, value, (int64_t)yyjson_get_real(value), out);
    if (!yyjson_is_str(value))
        return tn_coerce_refuse_date(judge, at, value, SLICE_LIT(""));
    text = tn_slice_trim(tn_json_slice(value));
    if (text.len != yyjson_get_len(value))
        judge->reformed++;
    return time_from_text(judge, at, value, text, out);
}
