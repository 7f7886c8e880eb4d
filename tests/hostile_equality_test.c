/* hostile_equality_test.c - the same of values that must be compared with many others.
 *
 * Nothing is timed. What would take for ever, or all memory, is stopped by the time that a test has.
 */
#define _POSIX_C_SOURCE 200809L
#include "support/hostile.h"

/* ---- Equality ----------------------------------------------------------------------------------------------- */

static void many_items(void **state)
{
    (void)state;
    needs_speed();
    for (unsigned form = 0; form < 5; form++) {
        struct text json = { 0 };

        add(&json, "[");
        for (size_t i = 0; i < 200000; i++) {
            add(&json, "%s", i ? "," : "");
            switch (form) {
            case 0: add(&json, "%zu", i); break;
            case 1: add(&json, "\"item-%zu\"", i); break;
            case 2: add(&json, "{\"a\":%zu,\"b\":[1,2]}", i); break;
            case 3: add(&json, "[[%zu]]", i); break;
            default: add(&json, "%zu.5", i); break;
            }
        }
        add(&json, "]");
        expect_of("{\"uniqueItems\":true}", &json, VALID, NULL);
        json.at[json.len - 1] = ',';
        add(&json, "null,null]");
        expect_of("{\"uniqueItems\":true}", &json, INVALID, NULL);
        drop(&json);
    }
}

/* The hash of a text takes words of eight bytes: (h ^ w) * K, then a shift. For each first word there is a second that
 * leads to the same hash: what is wanted after the second step, undone. */
#define MULTIPLIER UINT64_C(0x9E3779B97F4A7C15)

static uint64_t mix(uint64_t hash, uint64_t word, unsigned shift)
{
    hash = (hash ^ word) * MULTIPLIER;
    return hash ^ hash >> shift;
}

/* 16 bytes of ASCII whose first 8 are `first`, or false when the second 8 would not be ASCII. */
static bool colliding(uint64_t start, uint64_t first, uint64_t wanted, unsigned shift, char out[17])
{
    uint64_t second = mix(start, first, shift) ^ wanted;

    memcpy(out, &first, 8);
    memcpy(out + 8, &second, 8);
    out[16] = '\0';
    for (size_t i = 8; i < 16; i++)
        if (out[i] < ' ' || out[i] > '~' || out[i] == '"' || out[i] == '\\')
            return false;
    return true;
}

/* Finds texts of one hash by chance: the second word must be ASCII, which one in a few thousand is. */
static size_t add_colliding(struct text *json, uint64_t start, unsigned shift, size_t count, const char *form)
{
    uint64_t wanted = mix(start, UINT64_C(0x6161616161616161), shift) ^ UINT64_C(0x6262626262626262);
    size_t   found  = 0;

    for (uint64_t i = 0; found < count && i < UINT64_C(400000000); i++) {
        uint64_t first = 0;
        char     text[17];

        for (unsigned k = 0; k < 8; k++)
            first |= (UINT64_C(0x41) + (i >> 5 * k & 31) % 26 + (i >> 5 * k & 31) / 26 * 32) << 8 * k;
        if (!colliding(start, first, wanted, shift, text))
            continue;
        add(json, "%s\"%s\"%s", found ? "," : "", text, form);
        found++;
    }
    return found;
}

static void colliding_items(void **state)
{
    struct text json = { 0 }, schema = { 0 };
    uint64_t    start = mix(5, 16, 29); /* as same.c begins a text of 16 bytes */

    (void)state;
    needs_speed();
    add(&json, "[");
    add_colliding(&json, start, 29, 20000, "");
    add(&json, "]");
    expect_of("{\"uniqueItems\":true}", &json, VALID, NULL);
    add(&schema, "{\"enum\":%s}", json.at);
    outcome(schema.at, schema.len, "\"a\"", 3, (char[2048]){ 0 });
    drop(&schema);
    drop(&json);
}

static void colliding_names(void **state)
{
    struct text schema = { 0 };

    (void)state;
    add(&schema, "{\"properties\":{");
    add_colliding(&schema, 16, 32, 20000, ":true"); /* as property.h begins a name of 16 bytes */
    add(&schema, "}}");
    outcome(schema.at, schema.len, "{}", 2, (char[2048]){ 0 });
    drop(&schema);
}

/* {"k0":form,"k1":form,...} */
static void add_members(struct text *text, char letter, size_t count, const char *form)
{
    add(text, "{");
    for (size_t i = 0; i < count; i++)
        add(text, "%s\"%c%zu\":%s", i ? "," : "", letter, i, form);
    add(text, "}");
}

/* Everything that a schema names is looked for in a value that has as much. */
static void names_times_members(void **state)
{
    static const struct { const char *begin, *form; char letter; const char *value; int want; bool mended; } tables[] = {
        { "{\"dependentSchemas\":",  "{\"required\":[\"z\"]}",             'j', "1",      LIMIT,   false },
        { "{\"dependentRequired\":", "[\"z\"]",                            'k', "1",      INVALID, false },
        { "{\"patternProperties\":", "{}",                                 'j', "1",      LIMIT,   false },
        { "{\"properties\":",        "{\"type\":\"integer\",\"default\":1}", 'j', "1",      VALID,   true  },
        { "{\"properties\":",        "{\"type\":\"integer\",\"default\":1}", 'k', "\"1\"",  INVALID, true  },
        { "{\"properties\":",        "{\"type\":\"integer\"}",             'k', "null",   INVALID, true  },
    };

    (void)state;
    needs_speed();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct text    schema = { 0 }, json = { 0 };
        tenon_schema  *compiled;
        tenon_verdict *verdict;
        size_t         len = 0;

        add(&schema, "%s", tables[i].begin);
        add_members(&schema, 'k', 15000, tables[i].form);
        add(&schema, "}");
        add_members(&json, tables[i].letter, 15000, tables[i].value);
        expect_text(&schema, &json, tables[i].want, NULL);
        compiled = tenon_schema_new(schema.at, schema.len);
        verdict  = tenon_verdict_new(compiled);
        assert_non_null(verdict);
        tenon_verdict_repair(verdict, json.at, json.len, &len);
        assert_int_equal(len > 0, tables[i].mended);
        tenon_verdict_free(verdict);
        tenon_schema_free(compiled);
        drop(&schema);
        drop(&json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_items),
        cmocka_unit_test(colliding_items),
        cmocka_unit_test(colliding_names),
        cmocka_unit_test(names_times_members),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
