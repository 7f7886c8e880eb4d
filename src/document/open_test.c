/* open_test.c - names that open schemas do not declare: refused when they are near, passed on with a message. */
#include "document/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "document/document.h"
#include "model/issue_view.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define INT    "{\"type\":\"integer\"}"
#define OPEN   "{\"type\":\"object\",\"properties\":{\"max_sources\":" INT ",\"query\":{\"type\":\"string\"}}}"
#define MET(x) "{\"type\":\"object\",\"properties\":{\"in\":" x "}}"

/* Every issue and message, a line each. */
static void report(const char *schema_text, const char *json, enum tn_open how, char *out, size_t room)
{
    tenon_schema       *schema  = tenon_schema_new(schema_text, strlen(schema_text));
    tenon_allocator     memory  = tn_memory_of(NULL);
    struct matcher     *matcher = NULL;
    struct tn_arena     arena;
    struct tn_judge     judge = { .arena = &arena, .matcher = &matcher, .memory = &memory };
    struct tn_verdict   verdict;
    struct tn_json_text text;

    tn_arena_init(&arena, &memory, 0);
    assert_null(tenon_schema_error(schema));
    text    = tn_json_read(&arena, json, strlen(json), &(struct tn_json_limits){ 1 << 20, 100, 100000 });
    verdict = tn_document_verdict(schema, &judge, VERDICT_STEPS_MIN);
    assert_non_null(text.root);
    tn_open_names(&verdict, schema->node, text.root, how);
    out[0] = '\0';
    for (size_t i = 0; i < judge.issues.count; i++)
        snprintf(out + strlen(out), room - strlen(out), "%s\n",
                 tn_issue_sentence(&arena, &judge.issues.at[i]));
    for (size_t i = 0; i < judge.messages.count; i++)
        snprintf(out + strlen(out), room - strlen(out), "%.*s\n", (int)judge.messages.at[i].len,
                 judge.messages.at[i].at);
    tn_matcher_free(matcher);
    tn_arena_free(&arena);
    tenon_schema_free(schema);
}

#define PASSED(name) "The tool does not declare '" name "' and may ignore it\n"

static void names(void **state)
{
    static const struct { const char *schema, *json; enum tn_open how; const char *want; } cases[] = {
        { OPEN, "{\"max_source\":1}", OPEN_NEAR,
          "unknown parameter 'max_source'; did you mean 'max_sources'? Valid parameters: max_sources, query\n" },
        { OPEN, "{\"max_source\":1,\"qery\":\"\"}", OPEN_NEAR,
          "unknown parameter 'max_source'; did you mean 'max_sources'? Valid parameters: max_sources, query\n"
          "unknown parameter 'qery'; did you mean 'query'?\n" },
        { OPEN, "{\"max_source\":1,\"max_sources\":2}", OPEN_NEAR,    PASSED("max_source") },
        { OPEN, "{\"colour\":1}",                       OPEN_NEAR,    PASSED("colour") },
        { OPEN, "{\"colour\":1,\"max_source\":1}",      OPEN_MESSAGE, PASSED("colour") PASSED("max_source") },
        { OPEN, "{\"colour\":1,\"max_source\":1}",      OPEN_IGNORE,  "" },
        { OPEN, "{\"colour\":1}", OPEN_REJECT, "unknown parameter 'colour'. Valid parameters: max_sources, query\n" },
        { OPEN, "{\"query\":\"a\"}",                    OPEN_REJECT,  "" },
        { OPEN, "[]",                                   OPEN_REJECT,  "" },
        /* What speaks of other names is taken at its word. */
        { "{\"properties\":{\"a\":{}},\"additionalProperties\":true}", "{\"b\":1}",        OPEN_REJECT, "" },
        { "{\"properties\":{\"a\":{}},\"additionalProperties\":" INT "}", "{\"b\":1}",     OPEN_REJECT, "" },
        { "{\"properties\":{\"a\":{}},\"unevaluatedProperties\":true}", "{\"b\":1}",       OPEN_REJECT, "" },
        { "{\"properties\":{\"a\":{}},\"patternProperties\":{\"^x-\":{}}}", "{\"x-b\":1}", OPEN_REJECT, "" },
        { "{\"properties\":{\"a\":{}},\"patternProperties\":{\"^x-\":{}}}", "{\"y\":1}",   OPEN_NEAR,   PASSED("y") },
        /* One that lists nothing is a map, but for a tool without parameters. */
        { "{\"type\":\"object\"}",                      "{\"b\":1}", OPEN_REJECT, "" },
        { "{\"type\":\"object\",\"properties\":{}}",    "{\"b\":1}", OPEN_NEAR,   PASSED("b") },
        { "{\"type\":\"object\",\"properties\":{}}",    "{\"b\":1}", OPEN_REJECT,
          "unknown parameter 'b'. There are no parameters\n" },
        { MET("{\"type\":\"object\"}"),                 "{\"in\":{\"b\":1}}", OPEN_REJECT, "" },
        /* Schemas for the same object know each other's names. */
        { "{\"properties\":{\"a\":{}},\"allOf\":[{\"properties\":{\"b\":{}}}]}", "{\"a\":1,\"b\":1,\"c\":1}", OPEN_NEAR,
          PASSED("c") },
        { "{\"properties\":{\"a\":{}},\"if\":{\"properties\":{\"a\":{\"const\":1}}},\"then\":{\"properties\":{\"more\":{}}}}",
          "{\"more\":1}", OPEN_REJECT, "" },
        { "{\"$defs\":{\"d\":{\"properties\":{\"query\":{}}}},\"$ref\":\"#/$defs/d\"}", "{\"qery\":1}", OPEN_NEAR,
          "unknown parameter 'qery'; did you mean 'query'? Valid parameters: query\n" },
        { "{\"properties\":{\"a\":{}},\"anyOf\":[{\"additionalProperties\":true}]}", "{\"c\":1}", OPEN_REJECT, "" },
        /* Inside. */
        { MET(OPEN), "{\"in\":{\"qery\":\"\"}}", OPEN_NEAR,
          "unknown parameter '/in/qery'; did you mean 'query'? Valid parameters: max_sources, query\n" },
        { MET("{\"type\":\"array\",\"items\":" OPEN "}"), "{\"in\":[{\"query\":\"\"},{\"colour\":1}]}", OPEN_MESSAGE,
          PASSED("/in/1/colour") },
        /* What stands around arguments means none of them. */
        { "{\"properties\":{\"input_\":{}}}", "{\"input\":1}", OPEN_NEAR, PASSED("input") },
    };
    char out[4096];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        report(cases[i].schema, cases[i].json, cases[i].how, out, sizeof out);
        if (strcmp(out, cases[i].want) != 0)
            fail_msg("%s by %s: %s", cases[i].json, cases[i].schema, out);
    }
}

/* Schemas that lead to themselves end the walk. */
static void circles(void **state)
{
    char out[4096];

    (void)state;
    report("{\"properties\":{\"a\":{\"$ref\":\"#\"}}}", "{\"a\":{\"a\":{\"a\":{\"b\":1}}}}", OPEN_MESSAGE,
           out, sizeof out);
    assert_string_equal(out, PASSED("/a/a/a/b"));
    report("{\"properties\":{\"a\":{}},\"anyOf\":[{\"$ref\":\"#\"},{}]}", "{\"b\":1}", OPEN_REJECT, out,
           sizeof out);
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(circles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
