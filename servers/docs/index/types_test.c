/* types_test.c - what the built-in schemas ask for, kinds of violations, and a project's own types. */
#include "docs/index/types.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "kit/text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define COMMON          "\"title\":\"T\",\"date\":\"2025-01-15\",\"summary\":\"S\",\"significance\":\"correctness\""
#define INSIGHT         "{\"doc_type\":\"insight\",\"insight_type\":\"i\",\"impact_area\":\"a\"," COMMON

/* "path kind expected <actual>" of each violation. */
static void check(const struct doc_type *type, const char *json, const char *want)
{
    static struct violation violations[VIOLATIONS_MAX];
    struct text             found = { 0 };
    size_t                  count = types_judge(type, json, strlen(json), violations);

    for (size_t i = 0; i < count && i < VIOLATIONS_MAX; i++)
        text_addf(&found, "%s%s: %s", i ? "|" : "", violations[i].kind, violations[i].text);
    assert_string_equal(text_of(&found), want);
    text_free(&found);
}

static void has_five(void **state)
{
    static const struct { const char *name, *folder, *good; } cases[] = {
        { "problem", "problems", "\"problem_type\":\"bug\",\"symptoms\":[\"s\"],\"root_cause\":\"r\",\"solution\":\"x\"" },
        { "insight", "insights", "\"insight_type\":\"i\",\"impact_area\":\"a\"" },
        { "codebase", "codebase", "\"knowledge_type\":\"k\",\"scope\":\"function\"" },
        { "tool", "tools", "\"tool_name\":\"t\",\"version\":8.0,\"knowledge_type\":\"k\"" },
        { "style", "styles", "\"style_type\":\"s\",\"scope\":\"team\",\"rationale\":\"r\"" },
    };
    struct types types;

    (void)state;
    assert_true(types_init(&types, false));
    assert_int_equal(types.count, 5);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct doc_type *type = types_find(&types, cases[i].name);
        char                   json[500];

        assert_ptr_equal(type, &types.at[i]);
        assert_string_equal(type->folder, cases[i].folder);
        assert_null(type->schema_file);
        snprintf(json, sizeof json, "{\"doc_type\":\"%s\"," COMMON ",%s}", cases[i].name, cases[i].good);
        check(type, json, "");
        snprintf(json, sizeof json,
                 "{\"doc_type\":\"%s\"," COMMON
                 ",%s,\"tags\":[\"a\"],\"related_docs\":[],\"supersedes\":\"x.md\","
                 "\"promotion_level\":\"critical\",\"author\":1}",
                 cases[i].name, cases[i].good);
        check(type, json, "");
    }
    types_free(&types);
}

static void names_violations(void **state)
{
    static const struct { const char *type, *json, *want; } cases[] = {
        { "insight", "{}",
          "MissingRequired: doc_type is required|MissingRequired: title is required|MissingRequired: date is required|"
          "MissingRequired: summary is required|MissingRequired: significance is required|"
          "MissingRequired: insight_type is required|MissingRequired: impact_area is required" },
        { "insight", INSIGHT ",\"promotion_level\":\"High, got\"}",
          "InvalidEnum: promotion_level must be one of: standard, important, critical. Got: High, got" },
        { "insight", INSIGHT ",\"tags\":\"x\"}", "InvalidType: tags must be an array of strings, got \"x\"" },
        { "insight", INSIGHT ",\"tags\":[\"x\",3]}", "InvalidType: /tags/1 must be a string, got 3" },
        { "insight", INSIGHT ",\"supersedes\":null}", "InvalidType: supersedes must be a string, got null" },
        { "insight", INSIGHT ",\"supersedes\":\"\"}", "InvalidLength: supersedes cannot be empty" },
        { "style", INSIGHT ",\"style_type\":\"s\",\"rationale\":\"r\",\"scope\":\"world\"}",
          "InvalidEnum: doc_type must be one of: style. Got: insight|"
          "InvalidEnum: scope must be one of: project, module, team. Got: world" },
        { "tool",
          "{\"doc_type\":\"tool\",\"title\":5,\"date\":\"15.1.2025\",\"summary\":\"s\",\"significance\":\"big\","
          "\"tool_name\":\"t\",\"knowledge_type\":\"k\",\"version\":true}",
          "InvalidType: title must be a string, got 5|"
          "PatternMismatch: date must be a date (YYYY-MM-DD), got \"15.1.2025\"|"
          "InvalidEnum: significance must be one of: architectural, behavioral, performance, correctness, convention, "
          "integration. Got: big|InvalidType: version must be a string or a number, got true" },
        { "problem",
          "{\"doc_type\":\"problem\"," COMMON ",\"problem_type\":\"bug\",\"symptoms\":[],\"root_cause\":\"r\","
          "\"solution\":\"x\"}",
          "InvalidCount: symptoms must contain at least 1 items, got 0" },
        { "insight", "[]", "InvalidType: value must be an object, got []" },
    };
    struct types types;

    (void)state;
    assert_true(types_init(&types, true));
    assert_int_equal(types.count, 6);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(types_find(&types, cases[i].type), cases[i].json, cases[i].want);
    check(types_find(&types, TYPE_PLAIN), "{\"title\":1}", "");
    types_free(&types);
}

static bool add(struct types *types, const char *name, const char *schema, char **mistake)
{
    return types_add(types, name, "D", "f", "schemas/x.json", schema, strlen(schema), false, mistake);
}

static void takes_custom_types(void **state)
{
    static const struct { const char *name, *schema, *want; } cases[] = {
        { "adr",     "{}",              "doc type 'adr': there is one of this name already" },
        { "problem", "{}",              "doc type 'problem': there is one of this name already" },
        { "plain",   "{}",              "doc type 'plain': there is one of this name already" },
        { "A",       "{}",              "doc type 'A': a name has up to 64 of a-z, 0-9, - and _, and begins with a letter" },
        { "",        "{}",              "doc type '': a name has up to 64 of a-z, 0-9, - and _, and begins with a letter" },
        { "x",       "{\"type\":3}",    "doc type 'x': schema: #/type: " },
        { "x",       "{",               "doc type 'x': schema: " },
        { "x",       "{\"$schema\":\"http://example.com/x\"}", "doc type 'x': schema: " },
        { "x",       "{\"$ref\":\"http://example.com/x\"}", "doc type 'x': schema: " },
    };
    struct types types;
    char        *mistake;

    (void)state;
    assert_true(types_init(&types, false));
    assert_true(add(
        &types, "adr",
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"properties\":{\"doc_type\":{\"const\":"
        "\"adr\"},\"id\":{\"type\":\"string\",\"pattern\":\"^ADR-[0-9]+$\"},\"n\":{\"type\":\"integer\","
        "\"minimum\":1}},\"additionalProperties\":false}",
        &mistake));
    assert_string_equal(types_find(&types, "adr")->schema_file, "schemas/x.json");
    assert_string_equal(types_find(&types, "adr")->description, "D");
    check(types_find(&types, "adr"), "{\"doc_type\":\"adr\",\"id\":\"ADR-1\",\"n\":1}", "");
    check(
        types_find(&types, "adr"), "{\"id\":\"x, got y\",\"x\":1,\"n\":0}",
        "PatternMismatch: id must match the pattern ^ADR-[0-9]+$, got \"x, got y\"|OutOfRange: n must be at "
        "least 1, got 0|UnknownField: unknown property 'x'. Valid properties: doc_type, id, n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_false(add(&types, cases[i].name, cases[i].schema, &mistake));
        assert_non_null(mistake);
        if (strncmp(mistake, cases[i].want, strlen(cases[i].want)) != 0)
            assert_string_equal(mistake, cases[i].want);
        free(mistake);
    }
    for (size_t i = types.count; i <= TYPES_MAX; i++) {
        char name[20];

        snprintf(name, sizeof name, "t%zu", i);
        assert_int_equal(add(&types, name, "true", &mistake), i < TYPES_MAX);
    }
    assert_string_equal(mistake, "doc type 't64': there are too many");
    free(mistake);
    types_free(&types);
}

/* What all documents have is checked beside a custom schema, and each field once. */
static void checks_common_fields(void **state)
{
    static const char schema[] =
        "{\"required\":[\"status\",\"summary\"],\"properties\":{\"status\":{\"enum\":[\"open\"]},"
        "\"date\":{\"type\":\"integer\"}}}";
    static const struct { const char *json, *want; } cases[] = {
        { "{\"doc_type\":\"x\",\"title\":\"t\",\"summary\":\"s\",\"significance\":\"convention\",\"status\":\"open\",\"date\":\"2025-13-45\"}",
          "InvalidType: date must be an integer, got \"2025-13-45\"" },
        { "{\"doc_type\":\"x\",\"status\":\"shut\",\"date\":5,\"promotion_level\":\"big\",\"own\":1}",
          "InvalidEnum: status must be one of: open. Got: shut|MissingRequired: summary is required|"
          "MissingRequired: title is required|"
          "InvalidType: date must be a string, got 5|"
          "MissingRequired: significance is required|"
          "InvalidEnum: promotion_level must be one of: standard, important, critical. Got: big" },
    };
    struct types types;
    char        *mistake;

    (void)state;
    assert_true(types_init(&types, false));
    assert_true(types_add(&types, "x", "D", "f", "x.json", schema, strlen(schema), true, &mistake));
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(types_find(&types, "x"), cases[i].json, cases[i].want);
    types_free(&types);
}

/* Many violations are all counted; long texts are cut between characters. */
static void keeps_its_limits(void **state)
{
    static struct violation violations[VIOLATIONS_MAX];
    struct types            types;
    struct text             json = { 0 };
    char                   *mistake;

    (void)state;
    assert_true(types_init(&types, false));
    assert_true(add(&types, "none", "{\"additionalProperties\":{\"type\":\"integer\"}}", &mistake));
    text_put(&json, "{");
    for (size_t i = 0; i < 100; i++) {
        text_addf(&json, "%s\"k%zu", i ? "," : "", i);
        for (size_t n = 0; n < 200; n++)
            text_put(&json, "\xe2\x82\xac");
        text_put(&json, "\":\"x\"");
    }
    text_put(&json, "}");
    assert_int_equal(types_judge(types_find(&types, "none"), json.at, json.len, violations), 26);
    assert_string_equal(violations[25].kind, "");
    assert_string_equal(violations[25].text, "75 more");
    assert_true(strlen(violations[0].path) > 200 && strlen(violations[0].path) < sizeof violations[0].path);
    text_free(&json);
    types_free(&types);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_five),           cmocka_unit_test(names_violations),
        cmocka_unit_test(takes_custom_types), cmocka_unit_test(checks_common_fields),
        cmocka_unit_test(keeps_its_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
