/* plan_test.c - which calls are made of a schema, what is expected of each, and what becomes of them without memory. */
#include "contract/fuzz/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

#define SEARCH                                                                                                 \
    "{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":9},"    \
    "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":50},\"mode\":{\"enum\":[\"fast\",\"full\"]},"   \
    "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":3},\"when\":{\"type\":"         \
    "\"object\",\"properties\":{\"from\":{\"type\":\"string\"}},\"required\":[\"from\"],"                      \
    "\"additionalProperties\":false}},\"required\":[\"query\"],\"additionalProperties\":false}"

static struct tn_plan plan;

static void make(const char *schema, enum tn_case_kind kind)
{
    tenon_allocator memory = tn_memory_of(NULL);

    tn_plan_open(&plan, &memory, tn_slice_of(schema), 1);
    assert_int_equal(plan.state, PLAN_READY);
    assert_true(tn_plan_make(&plan, kind));
}

static const struct tn_case *find(const char *what, const char *where)
{
    for (size_t i = 0; i < plan.cases.count; i++)
        if (strcmp(plan.cases.at[i].what, what) == 0 && tn_slice_is(plan.cases.at[i].where, where))
            return &plan.cases.at[i];
    return NULL;
}

/* clang-format off */
static const struct { enum tn_case_kind kind; const char *what, *where, *names; enum tn_expect expect; } cases[] = {
    { CASE_FAULT, "no arguments", "", "query", EXPECT_REFUSED },
    { CASE_FAULT, "a missing member", "/query", "query", EXPECT_REFUSED },
    { CASE_FAULT, "a misspelled name", "/query", "", EXPECT_REFUSED },
    { CASE_FAULT, "an integer", "/query", "query", EXPECT_REFUSED },
    { CASE_FAULT, "a text that is too short", "/query", "query", EXPECT_REFUSED },
    { CASE_FAULT, "a text that is too long", "/query", "query", EXPECT_REFUSED },
    { CASE_FAULT, "a text", "/limit", "limit", EXPECT_REFUSED },
    { CASE_FAULT, "a fraction", "/limit", "limit", EXPECT_REFUSED },
    { CASE_FAULT, "a number that is too small", "/limit", "limit", EXPECT_REFUSED },
    { CASE_FAULT, "a number that is too large", "/limit", "limit", EXPECT_REFUSED },
    { CASE_FAULT, "null", "/limit", "limit", EXPECT_EITHER }, /* it may be left out */
    { CASE_FAULT, "a text that is not a choice", "/mode", "mode", EXPECT_REFUSED },
    { CASE_FAULT, "too many items", "/tags", "tags", EXPECT_REFUSED },
    { CASE_FAULT, "an object", "/tags/0", "tags", EXPECT_REFUSED },
    { CASE_FAULT, "a missing member", "/when/from", "from", EXPECT_REFUSED },
    { CASE_FAULT, "an unknown name", "", "no_such_name", EXPECT_REFUSED },
    { CASE_FAULT, "an unknown name", "/when", "no_such_name", EXPECT_REFUSED },
    { CASE_DIRTY, "a number in quotes", "/limit", "limit", EXPECT_EITHER },
    { CASE_DIRTY, "an integer with a fraction of zero", "/limit", "", EXPECT_TAKEN },
    { CASE_DIRTY, "a choice in another case", "/mode", "mode", EXPECT_EITHER },
    { CASE_DIRTY, "JSON in a text", "/tags", "tags", EXPECT_EITHER },
    { CASE_DIRTY, "a list with commas in one text", "/tags", "tags", EXPECT_EITHER },
    { CASE_DIRTY, "null for nothing", "/mode", "mode", EXPECT_EITHER },
    { CASE_DIRTY, "an added name", "", "explanation", EXPECT_EITHER },
    { CASE_HOSTILE, "a NUL in a text", "/query", "", EXPECT_ALIVE },
    { CASE_HOSTILE, "half a surrogate pair", "/query", "", EXPECT_ALIVE },
    { CASE_HOSTILE, "a number beyond 64 bits", "/limit", "", EXPECT_ALIVE },
    { CASE_HOSTILE, "arrays that are very deep", "", "", EXPECT_ALIVE },
    { CASE_HOSTILE, "a name twice", "/query", "", EXPECT_ALIVE },
    { CASE_HOSTILE, "references that multiply", "/tags", "", EXPECT_ALIVE },
};
/* clang-format on */

static void cases_are_made(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct tn_case *one;

        make(SEARCH, cases[i].kind);
        one = find(cases[i].what, cases[i].where);
        if (!one)
            fail_msg("there is no '%s' at '%s'", cases[i].what, cases[i].where);
        if (one->expect != cases[i].expect)
            fail_msg("'%s' at '%s' is expected to be %d", cases[i].what, cases[i].where, (int)one->expect);
        if (cases[i].names[0] && !(one->name_count > 0 && tn_slice_is(one->names[0], cases[i].names)))
            fail_msg("'%s' at '%s' has other names", cases[i].what, cases[i].where);
        tn_plan_close(&plan);
    }
}

/* A format is a note in JSON Schema: nothing that breaks only that is a fault, and a good call keeps it. */
static void formats_are_no_faults(void **state)
{
    (void)state;
    make("{\"type\":\"object\",\"properties\":{\"day\":{\"type\":\"string\",\"format\":\"date\"}},"
         "\"required\":[\"day\"]}",
         CASE_FAULT);
    assert_true(plan.good.full.len == strlen("{\"day\":\"2025-01-15\"}"));
    assert_null(find("a text that the pattern does not match", "/day"));
    tn_plan_close(&plan);
}

static void pairs_name_both(void **state)
{
    (void)state;
    make(SEARCH, CASE_PAIR);
    assert_true(plan.cases.count > 20);
    for (size_t i = 0; i < plan.cases.count; i++) {
        assert_int_equal(plan.cases.at[i].edit_count, 2);
        assert_true(plan.cases.at[i].expect != EXPECT_TAKEN && plan.cases.at[i].name_count > 0);
    }
    tn_plan_close(&plan);
}

static void schemas_without_calls(void **state)
{
    /* clang-format off */
    static const struct { const char *schema; enum tn_plan_state want; } schemas[] = {
        { "{\"type\":\"object\",\"properties\":{\"x\":false},\"required\":[\"x\"]}", PLAN_NO_CALL },
        { "false", PLAN_NO_CALL },
        { "{\"type\":\"string\"}", PLAN_NO_CALL },
        { "{\"type\":7}", PLAN_NO_SCHEMA },
        { "{\"$ref\":\"https://example.org/elsewhere\"}", PLAN_NO_SCHEMA },
        { "not JSON", PLAN_NO_SCHEMA },
        { "{}", PLAN_READY },
        { "true", PLAN_READY },
        { "{\"type\":\"object\"}", PLAN_READY },
    };
    /* clang-format on */
    tenon_allocator memory = tn_memory_of(NULL);

    (void)state;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        tn_plan_open(&plan, &memory, tn_slice_of(schemas[i].schema), 1);
        if (plan.state != schemas[i].want)
            fail_msg("%s: %d", schemas[i].schema, (int)plan.state);
        tn_plan_close(&plan);
    }
}

/* Schemas that make each value very long, or each validation very slow: a plan comes to an end, and to a state. */
static void hostile_schemas(void **state)
{
    static const char *const schemas[] = {
        "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"minItems\":150,\"items\":{\"type\":"
        "\"array\","
        "\"minItems\":150,\"items\":{\"type\":\"array\",\"minItems\":150,\"items\":{\"type\":\"integer\"}}}}}"
        ","
        "\"required\":[\"l\"]}",
        "{\"type\":\"object\",\"properties\":{\"s\":{\"type\":\"string\",\"pattern\":\"^(([a-z])+.)+[A-Z]([a-"
        "z])+$\","
        "\"minLength\":4000}},\"required\":[\"s\"]}",
        "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"minItems\":1e18}}}",
    };
    tenon_allocator memory = tn_memory_of(NULL);

    (void)state;
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        tn_plan_open(&plan, &memory, tn_slice_of(schemas[i]), 1);
        assert_true(plan.state == PLAN_READY || plan.state == PLAN_NO_CALL);
        if (plan.state == PLAN_READY)
            assert_true(tn_plan_make(&plan, CASE_FAULT));
        tn_plan_close(&plan);
    }
}

/* Every allocation in turn: nothing is leaked, and a plan that was made is the whole one. */
static void memory_is_refused(void **state)
{
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":1},"
        "\"t\":{\"type\":\"string\"}},\"required\":[\"n\"]}";
    size_t whole = 0;
    bool   done  = false;

    (void)state;
    for (size_t at = 0; !done; at++) {
        struct tn_fault fault  = { .refuse_at = at };
        tenon_allocator memory = tn_fault_allocator(&fault);
        size_t          count  = 0;
        bool            made   = true;

        tn_plan_open(&plan, &memory, tn_slice_of(schema), 1);
        for (int kind = CASE_VALID; plan.state == PLAN_READY && made && kind < CASE_KINDS; kind++) {
            made = tn_plan_make(&plan, (enum tn_case_kind)kind);
            count += plan.cases.count;
        }
        if (at == 0)
            whole = count;
        else if (plan.state == PLAN_READY && made)
            assert_int_equal(count, whole);
        done = at > 0 && !fault.refused;
        tn_plan_close(&plan);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_made),  cmocka_unit_test(formats_are_no_faults),
        cmocka_unit_test(pairs_name_both), cmocka_unit_test(schemas_without_calls),
        cmocka_unit_test(hostile_schemas), cmocka_unit_test(memory_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
