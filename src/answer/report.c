/* report.c - issues as sentences for the model (fieldErrors) and as records for a program (issues).
 *
 * Each issue is rendered once: its sentence, escaped, into one scratch buffer, its record into another. The report is
 * then put together from the two, so that whole issues are left out when the next one would not fit.
 */
#include "answer/report.h"

#include "answer/phrases.h"
#include "base/utf8.h"
#include "json/echo.h"
#include "json/write.h"
#include "schema/words.h"

#define SENTENCE_ROOM ((size_t)64 << 10) /* for a sentence before it is cut */
#define CUT_MARK      "..."

struct rendered {
    struct slice key;           /* of fieldErrors */
    size_t       sentence, end; /* in `sentences`, with quotes */
    size_t       record_end;    /* in `records` */
    bool         grouped;       /* stands under the key of an earlier one */
};

struct report {
    struct buf      plain;     /* one text, reused */
    struct buf      sentences; /* "..." behind each other */
    struct buf      records;   /* {...},{...} */
    struct rendered at[ISSUES_MAX];
    size_t          count, len;
};

static void start_text(struct report *report)
{
    if (report->plain.failed)
        buf_init(&report->plain, report->plain.arena, 0, SENTENCE_ROOM);
    report->plain.len = 0;
}

/* ---- One record ---------------------------------------------------------------------------------------- */

/* What the caller calls it: cut when it is long, for the caller may have made it up. */
static struct slice name_of(struct report *report, struct slice parameter)
{
    struct buf name;

    if (parameter.len <= REPORT_PARAM_MAX)
        return parameter;
    buf_init(&name, report->plain.arena, 0, SENTENCE_ROOM);
    echo_text(&name, parameter.at, parameter.len);
    return buf_slice(&name);
}

static void write_type_only(struct buf *out, yyjson_val *received)
{
    buf_lit(out, ",\"received\":\"(");
    buf_text(out, received ? echo_type(received) : "a string");
    buf_lit(out, ")\"");
}

/* Surely not to be cut. A number that is kept as text may be of any length. */
static bool is_short(yyjson_val *value)
{
    if (yyjson_is_str(value))
        return yyjson_get_len(value) <= ECHO_MAX / 2;
    return yyjson_is_num(value) || yyjson_is_bool(value) || yyjson_is_null(value);
}

/* A value as it came; one that is too long becomes a text that is cut. */
static void write_received_value(struct report *report, yyjson_val *received)
{
    struct buf *out = &report->records, *plain = &report->plain;

    if (is_short(received)) {
        buf_lit(out, ",\"received\":");
        json_value(out, received);
        return;
    }
    start_text(report);
    echo_value(plain, received);
    if (plain->failed)
        return;
    buf_lit(out, ",\"received\":");
    if (utf8_count(plain->at, plain->len) <= ECHO_MAX)
        json_value(out, received);
    else
        json_string(out, plain->at, plain->len);
}

static void write_received(struct report *report, const struct issue *issue, bool guarded)
{
    bool has    = issue->received || issue->got.at;
    bool secret = (issue->node && issue->node->secret) || (issue->addressed && issue->addressed->secret);

    if (!has || issue->code == ISSUE_UNKNOWN || words_says_received(issue))
        return;
    if (secret || (guarded && yyjson_is_ctn(issue->received))) {
        write_type_only(&report->records, issue->received);
        return;
    }
    if (issue->received) {
        write_received_value(report, issue->received);
        return;
    }
    start_text(report);
    echo_text(&report->plain, issue->got.at, issue->got.len);
    buf_lit(&report->records, ",\"received\":");
    json_string(&report->records, report->plain.at, report->plain.len);
}

static bool fits(struct slice part)
{
    return part.len > 0 && part.len <= REPORT_PART_MAX;
}

static void write_expected(struct buf *out, const struct issue *issue)
{
    /* What may not stand beside another one is to be left out: no value would do. */
    bool               never   = issue->code == ISSUE_EXCLUSIVE && !issue->inside;
    const struct node *node    = never ? NULL : issue->addressed;
    struct slice       example = node ? node->example : issue->example;

    if (node && fits(node->expected)) {
        buf_lit(out, ",\"expected\":");
        buf_add(out, node->expected.at, node->expected.len);
    }
    if (issue->suggestion.len > 0) {
        if (!fits(issue->suggestion))
            return;
        buf_lit(out, ",\"suggestion\":");
        buf_add(out, issue->suggestion.at, issue->suggestion.len);
    } else if (fits(example)) {
        buf_lit(out, ",\"example\":");
        buf_add(out, example.at, example.len);
    }
}

/* `bare` leaves out all that may be long. */
static void write_record(struct report *report, const struct issue *issue, struct slice name, bool guarded,
                         bool bare)
{
    struct buf *out  = &report->records;
    const char *code = words_code(issue);

    buf_lit(out, "{\"parameter\":");
    json_string(out, name.at, name.len);
    if (issue->addressed)
        buf_text(out, issue->required ? ",\"required\":true" : ",\"required\":false");
    buf_lit(out, ",\"code\":");
    json_string(out, code, strlen(code));
    if (!bare) {
        write_received(report, issue, guarded);
        write_expected(out, issue);
    }
    buf_char(out, '}');
}

/* ---- All of them --------------------------------------------------------------------------------------- */

static void write_sentence(struct report *report, const struct issue *issue)
{
    struct buf *plain = &report->plain;
    size_t      len;

    start_text(report);
    words_issue(plain, issue); /* what does not fit is left out, and would be cut anyway */
    len = words_cut(plain->at, plain->len);
    buf_char(&report->sentences, '"');
    json_escaped(&report->sentences, plain->at, len);
    if (len < plain->len)
        buf_lit(&report->sentences, CUT_MARK);
    buf_char(&report->sentences, '"');
}

static bool same(struct slice a, struct slice b)
{
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

static bool has_key(const struct report *report, struct slice key)
{
    for (size_t i = 0; i < report->count; i++)
        if (same(report->at[i].key, key))
            return true;
    return false;
}

/* False when the report is full; the issue is then not in it. */
static bool add_issue(struct report *report, const struct issue *issue, bool guarded)
{
    struct rendered *rendered = &report->at[report->count];
    size_t           sentence = report->sentences.len, record = report->records.len, len;
    struct slice     key = name_of(report, issue->parameter);

    *rendered = (struct rendered){ .key = key, .sentence = sentence, .grouped = has_key(report, key) };
    write_sentence(report, issue);
    if (report->count > 0)
        buf_char(&report->records, ',');
    write_record(report, issue, key, guarded, false);
    len = report->sentences.len - sentence + report->records.len - record + 1;
    if (!rendered->grouped)
        len += key.len + sizeof "\"\":[],";
    if (report->len + len > REPORT_LEN_MAX) {
        report->records.len = record;
        if (report->count > 0)
            return false;
        write_record(report, issue, key, guarded, true);
    }
    rendered->end        = report->sentences.len;
    rendered->record_end = report->records.len;
    report->len += len;
    report->count++;
    return true;
}

static void add_sentence(struct buf *out, const struct report *report, const struct rendered *rendered)
{
    buf_add(out, report->sentences.at + rendered->sentence, rendered->end - rendered->sentence);
}

/* {"a":["...","..."],"b":["..."]}, in order of first appearance. */
static void write_field_errors(struct buf *out, const struct report *report)
{
    buf_lit(out, "\"fieldErrors\":{");
    for (size_t i = 0; i < report->count; i++) {
        const struct rendered *first = &report->at[i];

        if (first->grouped)
            continue;
        if (i > 0)
            buf_char(out, ',');
        json_string(out, first->key.at, first->key.len);
        buf_lit(out, ":[");
        add_sentence(out, report, first);
        for (size_t k = i + 1; k < report->count; k++) {
            if (!report->at[k].grouped || !same(report->at[k].key, first->key))
                continue;
            buf_char(out, ',');
            add_sentence(out, report, &report->at[k]);
        }
        buf_char(out, ']');
    }
    buf_char(out, '}');
}

void report_write(struct buf *out, const struct issues *issues, bool guarded)
{
    struct report report; /* most of it is never used */

    report.count = report.len = 0;
    buf_init(&report.plain, out->arena, 256, SENTENCE_ROOM);
    buf_init(&report.sentences, out->arena, 1024, SENTENCE_ROOM * ISSUES_MAX);
    buf_init(&report.records, out->arena, 2048, SENTENCE_ROOM * ISSUES_MAX);
    for (size_t i = 0; i < issues->count; i++)
        if (!add_issue(&report, &issues->at[i], guarded))
            break;
    if (report.sentences.failed || report.records.failed) {
        out->failed = true;
        return;
    }
    write_field_errors(out, &report);
    buf_lit(out, ",\"totalErrors\":");
    buf_uint(out, issues->total);
    buf_lit(out, ",\"issues\":[");
    if (report.count > 0)
        buf_add(out, report.records.at, report.at[report.count - 1].record_end);
    buf_char(out, ']');
    if (issues->total > report.count) {
        buf_lit(out, ",\"note\":\"");
        phrase_more_errors(out, issues->total - report.count);
        buf_char(out, '"');
    }
}
