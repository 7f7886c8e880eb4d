/* report.c - issues as sentences for the model (fieldErrors) and as records for a program (issues).
 *
 * Each issue is rendered once: its sentence, escaped, into one scratch buffer, its record into another. What is written is
 * then put together from the two, so that whole issues are left out when the next one would not fit.
 */
#include "answer/report.h"

#include "answer/phrases.h"
#include "base/utf8.h"
#include "json/echo.h"
#include "json/pointer.h"
#include "json/write.h"
#include "model/words/words.h"

#define SENTENCE_ROOM ((size_t)64 << 10) /* for a sentence before it is cut */
#define CUT_MARK      "..."

struct rendered {
    struct tn_slice        key;  /* of fieldErrors: the parameter at the top */
    struct tn_slice        name; /* what the caller can address */
    const struct tn_issue *issue;
    size_t                 sentence, end; /* in `sentences`, with quotes */
    size_t                 record_end;    /* in `records` */
    bool                   grouped;       /* stands under the key of an earlier one */
    bool                   again;         /* an earlier record of the same parameter has what is expected */
    bool                   bare;          /* its record leaves out all that may be long */
};

struct tn_report {
    struct tn_buf   plain;     /* one text, reused */
    struct tn_buf   sentences; /* "..." behind each other */
    struct tn_buf   records;   /* {...},{...} */
    struct rendered at[ISSUES_MAX];
    size_t          count, len;
    size_t          total; /* issues, with those that are only counted */
};

static void start_text(struct tn_report *report)
{
    if (report->plain.failed)
        tn_buf_init(&report->plain, report->plain.arena, 0, SENTENCE_ROOM);
    report->plain.len = 0;
}

static bool report_says(const struct tn_buf *text, struct tn_slice part)
{
    for (size_t i = 0; part.len > 0 && i + part.len <= text->len; i++)
        if (memcmp(text->at + i, part.at, part.len) == 0)
            return true;
    return false;
}

/* ---- One record ---------------------------------------------------------------------------------------- */

/* What the caller calls it: cut when it is long, for the caller may have made it up. */
static struct tn_slice report_name_of(struct tn_report *report, struct tn_slice parameter)
{
    struct tn_buf name;

    if (parameter.len <= REPORT_PARAM_MAX)
        return parameter;
    tn_buf_init(&name, report->plain.arena, 0, SENTENCE_ROOM);
    tn_echo_text(&name, parameter.at, parameter.len);
    return tn_buf_slice(&name);
}

static void write_type_only(struct tn_buf *out, yyjson_val *received)
{
    tn_buf_lit(out, ",\"received\":\"(");
    tn_buf_text(out, received ? tn_echo_type(received) : "a string");
    tn_buf_lit(out, ")\"");
}

/* Surely not to be cut. A number that is kept as text may be of any length. */
static bool is_short(yyjson_val *value)
{
    if (yyjson_is_str(value))
        return yyjson_get_len(value) <= ECHO_MAX / 2;
    return yyjson_is_num(value) || yyjson_is_bool(value) || yyjson_is_null(value);
}

/* A value as it came; one that is too long becomes a text that is cut. */
static void write_received_value(struct tn_report *report, yyjson_val *received)
{
    struct tn_buf *out = &report->records, *plain = &report->plain;

    if (is_short(received)) {
        tn_buf_lit(out, ",\"received\":");
        tn_json_value(out, received);
        return;
    }
    start_text(report);
    tn_echo_value(plain, received);
    if (plain->failed)
        return;
    tn_buf_lit(out, ",\"received\":");
    if (tn_utf8_count(plain->at, plain->len) <= ECHO_MAX)
        tn_json_value(out, received);
    else
        tn_json_string(out, plain->at, plain->len);
}

static void write_received(struct tn_report *report, const struct tn_issue *issue, bool guarded)
{
    bool has    = issue->received || issue->got.at;
    bool secret = issue->hidden || (issue->node && issue->node->secret) ||
                  (issue->addressed && issue->addressed->secret);

    if (!has || issue->code == ISSUE_UNKNOWN || tn_words_says_received(issue))
        return;
    if (issue->code == ISSUE_CHECK)
        return; /* the check knows what of it may be repeated, and says so */
    if (secret || (guarded && yyjson_is_ctn(issue->received))) {
        write_type_only(&report->records, issue->received);
        return;
    }
    if (issue->received) {
        write_received_value(report, issue->received);
        return;
    }
    start_text(report);
    tn_echo_text(&report->plain, issue->got.at, issue->got.len);
    tn_buf_lit(&report->records, ",\"received\":");
    tn_json_string(&report->records, report->plain.at, report->plain.len);
}

static bool fits(struct tn_slice part)
{
    return part.len > 0 && part.len <= REPORT_PART_MAX;
}

static bool has_record(const struct tn_report *report, struct tn_slice name, const struct tn_issue *issue)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->at[i].issue->addressed == issue->addressed && tn_slice_same(report->at[i].name, name))
            return true;
    return false;
}

static void write_expected(struct tn_buf *out, const struct rendered *rendered)
{
    const struct tn_issue *issue = rendered->issue;
    bool                   never = issue->code == ISSUE_EXCLUSIVE && !issue->inside;
    const struct tn_node  *node  = never || rendered->again ? NULL : issue->addressed;

    if (!node || !fits(node->expected))
        return;
    tn_buf_lit(out, ",\"expected\":");
    tn_buf_add(out, node->expected.at, node->expected.len);
}

/* What to send instead: a suggestion, or else an example. */
static void write_instead(struct tn_buf *out, const struct rendered *rendered)
{
    const struct tn_issue *issue = rendered->issue;
    bool                   meant = issue->suggestion.len > 0;
    struct tn_slice        value = meant             ? issue->suggestion
                                   : rendered->again ? (struct tn_slice){ "", 0 }
                                                     : tn_issue_example(issue);

    if (!fits(value))
        return;
    tn_buf_text(out, meant ? ",\"suggestion\":" : ",\"example\":");
    tn_buf_add(out, value.at, value.len);
}

static void write_record(struct tn_report *report, const struct rendered *rendered, bool guarded)
{
    const struct tn_issue *issue = rendered->issue;
    struct tn_buf         *out   = &report->records;
    const char            *code  = tn_words_code(issue);

    tn_buf_lit(out, "{\"parameter\":");
    tn_json_string(out, rendered->name.at, rendered->name.len);
    if (issue->addressed)
        tn_buf_text(out, issue->required ? ",\"required\":true" : ",\"required\":false");
    tn_buf_lit(out, ",\"code\":");
    tn_json_string(out, code, strlen(code));
    if (!rendered->bare) {
        tn_buf_lit(out, ",\"message\":");
        if (report->sentences.at) /* else memory is refused, and the answer is another */
            tn_buf_add(out, report->sentences.at + rendered->sentence,
                       report->sentences.len - rendered->sentence);
        write_received(report, issue, guarded);
        write_expected(out, rendered);
        write_instead(out, rendered);
    }
    tn_buf_char(out, '}');
}

/* ---- All of them --------------------------------------------------------------------------------------- */

/* The sentence of what lies in a parameter says where, or repeats it: in fieldErrors it stands under the parameter. */
static void write_sentence(struct tn_report *report, struct tn_buf *out, const struct rendered *rendered,
                           void (*add)(struct tn_buf *out, const char *at, size_t len))
{
    const struct tn_issue *issue = rendered->issue;
    struct tn_buf         *plain = &report->plain;
    struct tn_slice        name  = rendered->name;
    size_t                 len;

    start_text(report);
    tn_words_issue(plain, issue); /* what does not fit is left out, and would be cut anyway */
    len = tn_words_cut(plain->at, plain->len);
    if (!tn_slice_same(name, rendered->key) && !tn_words_says_received(issue) && !report_says(plain, name)) {
        add(out, name.at, name.len);
        tn_buf_lit(out, ": ");
    }
    add(out, plain->at, len);
    if (len < plain->len)
        tn_buf_lit(out, CUT_MARK);
}

/* The parameter that holds what a pointer leads to: a form has one field for it. */
static struct tn_slice report_key_of(struct tn_report *report, struct tn_slice name)
{
    struct tn_slice rest = name, first;
    bool            bad  = false;

    return name.len > 0 && name.at[0] == '/' && tn_pointer_step(report->plain.arena, &rest, &first, &bad)
               ? first
               : name;
}

static bool has_key(const struct tn_report *report, struct tn_slice key)
{
    for (size_t i = 0; i < report->count; i++)
        if (tn_slice_same(report->at[i].key, key))
            return true;
    return false;
}

/* False when the report is full; the issue is then not in it. */
static bool report_add_issue(struct tn_report *report, const struct tn_issue *issue, bool guarded)
{
    struct rendered *rendered = &report->at[report->count];
    size_t           sentence = report->sentences.len, record = report->records.len, len;
    struct tn_slice  name = report_name_of(report, issue->parameter), key = report_key_of(report, name);

    *rendered = (struct rendered){
        .key      = key,
        .name     = name,
        .issue    = issue,
        .sentence = sentence,
        .grouped  = has_key(report, key),
        .again    = has_record(report, name, issue),
    };
    tn_buf_char(&report->sentences, '"');
    write_sentence(report, &report->sentences, rendered, tn_json_escaped);
    tn_buf_char(&report->sentences, '"');
    if (report->count > 0)
        tn_buf_char(&report->records, ',');
    write_record(report, rendered, guarded);
    len = report->sentences.len - sentence + report->records.len - record + 1;
    if (!rendered->grouped)
        len += key.len + sizeof "\"\":[],";
    if (report->len + len > REPORT_LEN_MAX) {
        report->records.len = record;
        if (report->count > 0)
            return false;
        rendered->bare = true;
        write_record(report, rendered, guarded);
    }
    rendered->end        = report->sentences.len;
    rendered->record_end = report->records.len;
    report->len += len;
    report->count++;
    return true;
}

static void add_sentence(struct tn_buf *out, const struct tn_report *report, const struct rendered *rendered)
{
    tn_buf_add(out, report->sentences.at + rendered->sentence, rendered->end - rendered->sentence);
}

/* {"a":["...","..."],"b":["..."]}, in order of first appearance. */
static void write_field_errors(struct tn_buf *out, const struct tn_report *report)
{
    tn_buf_lit(out, "\"fieldErrors\":{");
    for (size_t i = 0; i < report->count; i++) {
        const struct rendered *first = &report->at[i];

        if (first->grouped)
            continue;
        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, first->key.at, first->key.len);
        tn_buf_lit(out, ":[");
        add_sentence(out, report, first);
        for (size_t k = i + 1; k < report->count; k++) {
            if (!report->at[k].grouped || !tn_slice_same(report->at[k].key, first->key))
                continue;
            tn_buf_char(out, ',');
            add_sentence(out, report, &report->at[k]);
        }
        tn_buf_char(out, ']');
    }
    tn_buf_char(out, '}');
}

/* Most of a report is never used, and not initialised. */
struct tn_report *tn_report_new(struct tn_arena *arena, const struct tn_issues *issues, bool guarded)
{
    struct tn_report *report = tn_arena_take(arena, sizeof *report, alignof(struct tn_report));

    if (!report)
        return NULL;
    report->count = report->len = 0;
    report->total               = issues->total;
    tn_buf_init(&report->plain, arena, 256, SENTENCE_ROOM);
    tn_buf_init(&report->sentences, arena, 1024, SENTENCE_ROOM * ISSUES_MAX);
    tn_buf_init(&report->records, arena, 2048, SENTENCE_ROOM * ISSUES_MAX);
    for (size_t i = 0; i < issues->count; i++)
        if (!report_add_issue(report, &issues->at[i], guarded))
            break;
    return report->sentences.failed || report->records.failed ? NULL : report;
}

/* What stands before the issues, and after them. */
static void report_open(struct tn_buf *out, const struct tn_report *report)
{
    write_field_errors(out, report);
    tn_buf_lit(out, ",\"totalErrors\":");
    tn_buf_uint(out, report->total);
    tn_buf_lit(out, ",\"issues\":[");
}

static void report_close(struct tn_buf *out, const struct tn_report *report)
{
    tn_buf_char(out, ']');
    if (report->total == report->count)
        return;
    tn_buf_lit(out, ",\"note\":\"");
    tn_phrase_more_errors(out, report->total - report->count);
    tn_buf_char(out, '"');
}

void tn_report_write(struct tn_buf *out, const struct tn_report *report)
{
    report_open(out, report);
    if (report->count > 0)
        tn_buf_add(out, report->records.at, report->at[report->count - 1].record_end);
    report_close(out, report);
}

void tn_report_write_brief(struct tn_buf *out, const struct tn_report *report)
{
    bool any = false;

    report_open(out, report);
    for (size_t i = 0; i < report->count; i++) {
        const struct rendered *one    = &report->at[i];
        size_t                 before = out->len, named;

        tn_buf_text(out, any ? ",{\"parameter\":" : "{\"parameter\":");
        tn_json_string(out, one->name.at, one->name.len);
        named = out->len;
        if (!one->bare)
            write_instead(out, one);
        if (out->len == named) {
            out->len = before; /* its sentence is all there is to read */
            continue;
        }
        tn_buf_char(out, '}');
        any = true;
    }
    report_close(out, report);
}

/* False when it does not fit any more. */
static bool join_sentence(struct tn_buf *out, struct tn_report *report, const struct rendered *rendered,
                          size_t most)
{
    size_t before = out->len;

    if (before > 0)
        tn_buf_lit(out, "; ");
    write_sentence(report, out, rendered, tn_buf_add);
    if (out->len <= most)
        return true;
    out->len = before;
    return false;
}

void tn_report_sentences(struct tn_buf *out, struct tn_report *report, size_t most)
{
    for (size_t i = 0; i < report->count; i++)
        for (size_t k = report->at[i].grouped ? report->count : i; k < report->count; k++)
            if ((k == i || report->at[k].grouped) && tn_slice_same(report->at[k].key, report->at[i].key) &&
                !join_sentence(out, report, &report->at[k], most))
                return;
}
