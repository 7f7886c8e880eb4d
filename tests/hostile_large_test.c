/* hostile_large_test.c - the same of schemas and values that are large: deep, long, or many.
 *
 * Nothing is timed. What would take for ever, or all memory, is stopped by the time that a test has.
 */
#define _POSIX_C_SOURCE 200809L
#include "support/hostile.h"

/* ---- Large ones --------------------------------------------------------------------------------------------- */

static void deep_schemas(void **state)
{
    static const size_t depths[] = { 50, 100000 };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct text schema = { 0 };

        add_times(&schema, "{\"not\":", depths[i]);
        add(&schema, "false");
        add_times(&schema, "}", depths[i]);
        expect_by(&schema, "1", i == 0 ? INVALID : MISTAKE, i == 0 ? NULL : "too deep");
        drop(&schema);
    }
}

static void long_chain_of_references(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (size_t i = 0; i < 50000; i++)
        add(&schema, "\"d%zu\":{\"$ref\":\"#/$defs/d%zu\"},", i, i + 1);
    add(&schema, "\"d50000\":true}}");
    expect_by(&schema, "1", MISTAKE, "nests deeper");
    drop(&schema);
}

static void deep_values(void **state)
{
    struct text json = { 0 };

    (void)state;
    add_times(&json, "[", 100000);
    add_times(&json, "]", 100000);
    expect_of("{\"items\":{\"$ref\":\"#\"}}", &json, LIMIT, "too deep");
    drop(&json);
    add_times(&json, "{\"a\":", 200);
    add(&json, "1");
    add_times(&json, "}", 200);
    expect_of("{\"additionalProperties\":{\"$ref\":\"#\"}}", &json, VALID, NULL);
    expect_of("{\"additionalProperties\":{\"$ref\":\"#\"},\"type\":\"object\"}", &json, INVALID, "object");
    drop(&json);
}

static void long_enum(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"enum\":[");
    for (size_t i = 0; i < 200000; i++)
        add(&schema, "%s\"value-%zu\"", i ? "," : "", i);
    add(&schema, "]}");
    expect_by(&schema, "\"value-199999\"", VALID, NULL);
    expect_by(&schema, "\"value-200000\"", INVALID, NULL);
    drop(&schema);
}

static void many_properties(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    add(&schema, "{\"additionalProperties\":false,\"properties\":{");
    add(&json, "{");
    for (size_t i = 0; i < 100000; i++) {
        add(&schema, "%s\"name-%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
        add(&json, "%s\"name-%zu\":%zu", i ? "," : "", 99999 - i, i);
    }
    add(&schema, "},\"required\":[");
    for (size_t i = 0; i < 100000; i++)
        add(&schema, "%s\"name-%zu\"", i ? "," : "", i);
    add(&schema, "]}");
    add(&json, "}");
    expect_text(&schema, &json, VALID, NULL);
    expect_by(&schema, "{}", INVALID, "name-0");
    json.at[json.len - 1] = ',';
    add(&json, "\"nmae-7\":1}");
    expect_text(&schema, &json, INVALID, "nmae-7");
    drop(&schema);
    drop(&json);
}

static void too_many_schemas(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"allOf\":[");
    for (size_t i = 0; i < 250000; i++)
        add(&schema, "%s{\"type\":\"integer\"}", i ? "," : "");
    add(&schema, "]}");
    expect_by(&schema, "1", MISTAKE, "subschemas");
    drop(&schema);
}

/* Every reference looks for one of many names. */
static void many_references(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$defs\":{");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s\"d%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&schema, "},\"allOf\":[");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s{\"$ref\":\"#/$defs/d%zu\"}", i ? "," : "", 59999 - i);
    add(&schema, "]}");
    expect_by(&schema, "1", VALID, NULL);
    expect_by(&schema, "\"a\"", INVALID, NULL);
    drop(&schema);
}

static void many_anchors(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$defs\":{");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s\"d%zu\":{\"$anchor\":\"a%zu\"}", i ? "," : "", i, i);
    add(&schema, "},\"allOf\":[");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s{\"$ref\":\"#a%zu\"}", i ? "," : "", i);
    add(&schema, "]}");
    expect_by(&schema, "1", VALID, NULL);
    drop(&schema);
}

static void many_resources(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"$id\":\"https://example.org/\",\"$defs\":{");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s\"d%zu\":{\"$id\":\"r%zu\",\"$dynamicAnchor\":\"x\"}", i ? "," : "", i, i);
    add(&schema, "},\"allOf\":[");
    for (size_t i = 0; i < 60000; i++)
        add(&schema, "%s{\"$dynamicRef\":\"r%zu#x\"}", i ? "," : "", i);
    add(&schema, "]}");
    expect_by(&schema, "1", VALID, NULL);
    drop(&schema);
}

/* A long name above many schemas must not be kept once for each of them. */
static void long_places(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"properties\":{\"");
    add_times(&schema, "n", 8000);
    add(&schema, "\":{\"properties\":{");
    for (size_t i = 0; i < 100000; i++)
        add(&schema, "%s\"p%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&schema, "}}}}");
    expect_by(&schema, "{}", VALID, NULL);
    drop(&schema);
}

static void patterns_times_members(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    add(&schema, "{\"patternProperties\":{");
    for (size_t i = 0; i < 500; i++)
        add(&schema, "%s\"^p%zu(a|b)*$\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&schema, "}}");
    add(&json, "{");
    for (size_t i = 0; i < 2000; i++)
        add(&json, "%s\"p%zuab\":%zu", i ? "," : "", i % 500, i);
    add(&json, "}");
    expect_text(&schema, &json, VALID, NULL);
    drop(&json);
    drop(&schema);
}

static void long_texts(void **state)
{
    struct text json = { 0 };

    (void)state;
    add(&json, "\"");
    add_times(&json, "0123456789abcdef", 65536);
    add(&json, "\"");
    expect_of("{\"minLength\":1048576,\"maxLength\":1048576,\"pattern\":\"^[0-9a-f]*$\"}", &json, VALID,
              NULL);
    expect_of("{\"maxLength\":1048575}", &json, INVALID, NULL);
    expect_of("{\"enum\":[\"a\"],\"const\":\"b\",\"not\":{\"minLength\":1}}", &json, INVALID, NULL);
    expect_of("{\"pattern\":\"(0|1)*x$\"}", &json, INVALID, "must match");
    expect_of("{\"pattern\":\"(?=[0-9a-f]*x)\"}", &json, LIMIT, "too long to match");
    for (size_t i = 0; i < 6; i++) {
        static const char *const formats[] = {
            "uri", "email", "hostname", "date-time", "ipv6", "json-pointer"
        };
        char schema[64];

        snprintf(schema, sizeof schema, "{\"format\":\"%s\"}", formats[i]);
        expect_of(schema, &json, INVALID, NULL);
    }
    drop(&json);
}

/* Names and patterns that are longer than any sentence. */
static void long_sentences(void **state)
{
    struct text schema = { 0 }, json = { 0 };

    (void)state;
    add(&schema, "{\"pattern\":\"^x");
    add_times(&schema, "\\u00e9", 1300);
    add(&schema, "\",\"additionalProperties\":{\"type\":\"null\"},\"required\":[\"");
    add_times(&schema, "n", 5000);
    add(&schema, "\"]}");
    expect_by(&schema, "\"a\"", INVALID, "must match the pattern");
    expect_by(&schema, "{}", INVALID, "nnn");
    add(&json, "{\"");
    add_times(&json, "\\u00e9", 5000);
    add(&json, "\":{\"b\":1}}");
    expect_text(&schema, &json, INVALID, NULL);
    drop(&schema);
    drop(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_schemas),
        cmocka_unit_test(long_chain_of_references),
        cmocka_unit_test(deep_values),
        cmocka_unit_test(long_enum),
        cmocka_unit_test(many_properties),
        cmocka_unit_test(too_many_schemas),
        cmocka_unit_test(many_references),
        cmocka_unit_test(many_anchors),
        cmocka_unit_test(many_resources),
        cmocka_unit_test(long_places),
        cmocka_unit_test(patterns_times_members),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(long_sentences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
