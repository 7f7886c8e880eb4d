/* meant_test.c - which name was meant, and when nothing is sure. */
#include "text/meant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CANDIDATES_MAX 6

/* The first of `names` whose name ends in '!' is there already. */
static const char *found(const char *name, bool names, const char *const *candidates)
{
    struct tn_meant meant;
    size_t          best;

    tn_meant_begin(&meant, tn_slice_of(name), names);
    for (size_t i = 0; i < CANDIDATES_MAX && candidates[i]; i++) {
        struct tn_slice candidate = tn_slice_of(candidates[i]);
        bool            taken     = candidate.at[candidate.len - 1] == '!';

        candidate.len -= taken;
        if (tn_meant_try(&meant, candidate, i) && taken)
            tn_meant_refuse(&meant);
    }
    return tn_meant_found(&meant, &best) ? candidates[best] : NULL;
}

static void finds_what_was_meant(void **state)
{
    static const struct { const char *name, *candidates[CANDIDATES_MAX], *want; } cases[] = {
        /* edits */
        { "max_source",      { "query", "max_sources" },                   "max_sources" },
        { "HIHG",            { "LOW", "HIGH" },                            "HIGH" },
        { "hgih",            { "HIGH", "NIGH" },                           "HIGH" },
        { "zzzz",            { "LOW", "HIGH" },                            NULL },
        { "med",             { "RED", "MEDIUM" },                          "MEDIUM" },
        /* beginnings */
        { "prod",            { "DEVELOPMENT", "STAGING", "PRODUCTION" },   "PRODUCTION" },
        { "med",             { "LOW", "MEDIUM", "HIGH" },                  "MEDIUM" },
        { "dev",             { "DEVELOPMENT", "PRODUCTION" },              "DEVELOPMENT" },
        { "in",              { "IN_PROGRESS", "DONE" },                    "IN_PROGRESS" },
        { "in",              { "IN_PROGRESS", "IN_REVIEW" },               NULL },
        { "exec",            { "EXECUTED", "EXECUTABLE" },                 NULL },
        /* singular and plural */
        { "severity",        { "severities", "status" },                   "severities" },
        { "tag",             { "tags", "tax" },                            "tags" },
        { "vulnTypes",       { "vuln_type", "vulns" },                     "vuln_type" },
        /* words */
        { "id",              { "vulnId", "severity" },                     "vulnId" },
        { "id",              { "vulnId", "appId" },                        NULL },
        { "application_id",  { "appId", "vulnName" },                      "appId" },
        { "search_query",    { "query", "limit" },                         "query" },
        { "production site", { "DEVELOPMENT", "PRODUCTION" },              "PRODUCTION" },
        { "problem",         { "NOT_A_PROBLEM", "FIXED" },                 NULL },
        { "not fixed",       { "FIXED", "REPORTED" },                      NULL },
        /* what is there already */
        { "max_source",      { "max_sources!", "query" },                  NULL },
        { "id",              { "vulnId!", "appId" },                       NULL },
        { "",                { "a", "b" },                                 NULL },
        { "___",             { "a", "b" },                                 NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = found(cases[i].name, false, cases[i].candidates);

        if ((got != NULL) != (cases[i].want != NULL) || (got && strcmp(got, cases[i].want) != 0))
            fail_msg("%s: %s", cases[i].name, got ? got : "(nothing)");
    }
}

/* Only names of parameters have common other names, and only where one is declared. */
static void knows_common_names(void **state)
{
    static const struct { const char *name, *candidates[CANDIDATES_MAX], *want; } cases[] = {
        { "limit",    { "page", "pageSize" },   "pageSize" },
        { "per_page", { "query", "pageSize" },  "pageSize" },
        { "limit",    { "page", "pageSize!" },  NULL },
        { "limit",    { "page", "query" },      NULL },
        { "body",     { "url", "data" },        "data" },
        { "payload",  { "data", "content" },    NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = found(cases[i].name, true, cases[i].candidates);

        if ((got != NULL) != (cases[i].want != NULL) || (got && strcmp(got, cases[i].want) != 0))
            fail_msg("%s: %s", cases[i].name, got ? got : "(nothing)");
    }
    assert_null(found("body", false, (const char *[CANDIDATES_MAX]){ "data" }));
}

static void bears_any_length(void **state)
{
    char            text[STR_NEAR_MAX * 2];
    struct tn_meant meant;
    size_t          best;

    (void)state;
    for (size_t len = 0; len <= sizeof text; len++) {
        memset(text, len % 2 ? '_' : 'A', sizeof text);
        for (size_t i = 0; i < sizeof text; i += 2)
            text[i] = 'a';
        tn_meant_begin(&meant, (struct tn_slice){ text, len }, true);
        (void)tn_meant_try(&meant, (struct tn_slice){ text, sizeof text - len }, 0);
        (void)tn_meant_try(&meant, (struct tn_slice){ text, len / 2 }, 1);
        (void)tn_meant_found(&meant, &best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_meant),
        cmocka_unit_test(knows_common_names),
        cmocka_unit_test(bears_any_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
