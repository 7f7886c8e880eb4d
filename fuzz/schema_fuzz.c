/* schema_fuzz.c - a schema and a value: compiling and judging end, both ways of judging agree, everything that can be
 * said of it is sound text.
 *
 * The input is a byte of options, the schema, a NUL, and the value. */
#include <stdlib.h>
#include <string.h>

#include <tenon/schema.h>
#include <yyjson.h>

#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void must_be_text(const char *text)
{
    must(text && utf8_valid(text, strlen(text)));
}

static void check_output(tenon_verdict *verdict, tenon_output form)
{
    size_t      len;
    const char *json = tenon_verdict_output(verdict, form, &len);
    yyjson_doc *doc  = json ? yyjson_read(json, len, 0) : NULL;

    must(doc != NULL);
    yyjson_doc_free(doc);
}

static void judge(const tenon_schema *schema, const char *json, size_t json_len)
{
    tenon_verdict *verdict = tenon_verdict_new(schema);
    bool           valid, flag;

    must(verdict != NULL);
    flag  = tenon_verdict_flag(verdict, json, json_len);
    valid = tenon_verdict_of(verdict, json, json_len);
    must(valid == flag && !tenon_verdict_failed(verdict));
    must(!valid || !tenon_schema_error(schema));
    must(tenon_schema_error(schema) || valid == (tenon_verdict_issue_count(verdict) == 0));
    must(tenon_verdict_issue_total(verdict) >= tenon_verdict_issue_count(verdict));
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        must_be_text(issue->text);
        must_be_text(issue->code);
        must_be_text(tenon_verdict_place(verdict, i));
    }
    check_output(verdict, TENON_OUTPUT_FLAG);
    check_output(verdict, TENON_OUTPUT_BASIC);
    tenon_verdict_free(verdict);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const char   *text = (const char *)data + 1, *end;
    tenon_schema *schema;
    unsigned      options;

    if (len < 2)
        return 0;
    options = data[0];
    end     = memchr(text, '\0', len - 1);
    if (!end)
        return 0;
    schema = tenon_schema_new(text, (size_t)(end - text), .format_assertion = (options & 1) != 0,
                              .draft_07 = (options & 2) != 0,
                              .uri      = options & 4 ? "https://example.org/root" : NULL);
    must(schema != NULL);
    if (tenon_schema_error(schema))
        must_be_text(tenon_schema_error(schema));
    judge(schema, end + 1, len - 2 - (size_t)(end - text));
    tenon_schema_free(schema);
    return 0;
}
