/* judging.h - one value by one schema, for fuzzers: judging ends, both ways of it agree, everything that can be said of
 * it is sound text; a repair is valid and needs no further repair, or has a reason why there is none. */
#ifndef FUZZ_JUDGING_H
#define FUZZ_JUDGING_H

#include <stdlib.h>
#include <string.h>

#include <tenon/schema.h>
#include <yyjson.h>

#include "base/utf8.h"

static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline void must_be_text(const char *text)
{
    must(text && tn_utf8_valid(text, strlen(text)));
}

static inline void check_output(tenon_verdict *verdict, tenon_output form)
{
    size_t      len;
    const char *json = tenon_verdict_output(verdict, form, &len);
    yyjson_doc *doc  = json ? yyjson_read(json, len, YYJSON_READ_BIGNUM_AS_RAW)
                            : NULL; /* a default may be 1e400 */

    must(doc != NULL);
    yyjson_doc_free(doc);
}

static inline void check_issues(tenon_verdict *verdict)
{
    must(tenon_verdict_issue_total(verdict) >= tenon_verdict_issue_count(verdict));
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        must_be_text(issue->text);
        must_be_text(issue->code);
        must_be_text(tenon_verdict_place(verdict, i));
    }
}

/* The repaired text, yours to free, or NULL. `valid`: it was so before. */
static inline char *repair(const tenon_schema *schema, const char *json, size_t json_len, bool valid,
                           size_t *len)
{
    tenon_verdict *verdict = tenon_verdict_new(schema);
    const char    *text    = verdict ? tenon_verdict_repair(verdict, json, json_len, len) : NULL, *again;
    char          *copy    = NULL;
    size_t         again_len;

    must(verdict != NULL && !tenon_verdict_failed(verdict));
    check_issues(verdict);
    for (size_t i = 0; i < tenon_verdict_message_count(verdict); i++)
        must_be_text(tenon_verdict_message(verdict, i));
    must(text || !valid);
    must((text == NULL) == (tenon_verdict_issue_count(verdict) > 0) || tenon_schema_error(schema));
    if (text) {
        copy = malloc(*len + 1);
        must(copy != NULL);
        memcpy(copy, text, *len + 1);
        must(tenon_verdict_flag(verdict, copy, *len));
        again = tenon_verdict_repair(verdict, copy, *len, &again_len);
        must(again && again_len == *len && memcmp(again, copy, *len) == 0);
        must(tenon_verdict_message_count(verdict) == 0);
    }
    tenon_verdict_free(verdict);
    return copy;
}

static inline void judge(const tenon_schema *schema, const char *json, size_t json_len)
{
    tenon_verdict *verdict = tenon_verdict_new(schema);
    bool           valid, flag;
    size_t         len;

    must(verdict != NULL);
    flag  = tenon_verdict_flag(verdict, json, json_len);
    valid = tenon_verdict_judge(verdict, json, json_len);
    must(valid == flag && !tenon_verdict_failed(verdict));
    must(!valid || !tenon_schema_error(schema));
    must(tenon_schema_error(schema) || valid == (tenon_verdict_issue_count(verdict) == 0));
    check_issues(verdict);
    must(valid || tenon_verdict_annotation_count(verdict) == 0);
    for (size_t i = 0; i < tenon_verdict_annotation_count(verdict) && i < 10; i++) {
        const tenon_annotation *annotation = tenon_verdict_annotation(verdict, i);

        must_be_text(annotation->keyword_location);
        must_be_text(annotation->instance_location);
        must_be_text(annotation->json);
    }
    check_output(verdict, TENON_OUTPUT_FLAG);
    check_output(verdict, TENON_OUTPUT_BASIC);
    check_output(verdict, TENON_OUTPUT_DETAILED);
    check_output(verdict, TENON_OUTPUT_BASIC_ANNOTATIONS);
    check_output(verdict, TENON_OUTPUT_DETAILED_ANNOTATIONS);
    tenon_verdict_free(verdict);
    free(repair(schema, json, json_len, valid, &len));
}

#endif
