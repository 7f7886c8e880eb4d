/* memory_test.c - every allocation of SQLite refused in turn: an answer is whole or an error, an import whole or nothing. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "appsec/appsec.h"
#include "appsec/import.h"
#include "kit/whole_test.h"

static int prepare(void **state)
{
    (void)state;
    return refuse_prepare();
}

/* clang-format off */
static const struct whole_case cases[] = {
    { "search_vulnerabilities",      "{\"pageSize\":5,\"vulnTypes\":\"xxe,sql-injection\",\"vulnTags\":\"owasp-top-10\"}" },
    { "search_vulnerabilities",      "{\"vulnTypes\":\"sql-injektion\"}" },
    { "search_app_vulnerabilities",  "{\"appId\":\"shop\",\"sessionMetadataFilters\":{\"branch\":\"main\"},\"pageSize\":5}" },
    { "search_app_vulnerabilities",  "{\"appId\":\"shop\",\"useLatestSession\":true}" },
    { "search_vulnerabilities",      "{\"vulnTags\":\"owasp\",\"severities\":\"NOTE\",\"appId\":\"shop\"}" },
    { "search_app_vulnerabilities",  "{\"appId\":\"shop\",\"sessionMetadataFilters\":{\"branch\":\"man\",\"teem\":\"x\"}}" },
    { "search_applications",         "{\"tag\":\"paymnt\",\"metadataFilters\":{\"team\":\"Legder\"}}" },
    { "get_vulnerability",           "{\"vulnId\":24,\"appId\":\"bank-api\"}" },
    { "list_vulnerability_types",    "{}" },
    { "update_vulnerability_status", "{\"vulnId\":1,\"status\":\"Reported\"}" },
    { "search_applications",         "{\"tag\":\"payment\",\"metadataFilters\":{\"team\":\"Ledger\"}}" },
    { "list_application_libraries",  "{\"appId\":\"shop\"}" },
    { "list_applications_by_cve",    "{\"cveId\":\"CVE-2021-44228\"}" },
    { "search_attacks",              "{\"keyword\":\"zzz\"}" },
    { "search_servers",              "{\"tags\":\"none\",\"agentVersions\":\"6.4\"}" },
    { "list_application_libraries",  "{\"appId\":\"shop\",\"keyword\":\"zzz\",\"onlyUsed\":true}" },
    { "list_applications_by_cve",    "{\"cveId\":\"CVE-1999-0001\"}" },
    { "search_attacks",              "{\"rules\":\"xxe,ssrf\"}" },
    { "search_servers",              "{\"applicationIds\":\"shop\",\"includeApplications\":true,\"pageSize\":2}" },
    { "get_route_coverage",          "{\"appId\":\"shop\",\"sessionMetadataName\":\"branch\",\"sessionMetadataValue\":\"mian\"}" },
    { "get_route_coverage",          "{\"appId\":\"shop\",\"sessionMetadataName\":\"branch\",\"sessionMetadataValue\":\"main\"}" },
};
/* clang-format on */

static void answers_are_whole_or_errors(void **state)
{
    struct appsec  appsec;
    struct mistake mistake;
    tenon_toolbox *box;
    tenon_call    *call;

    (void)state;
    assert_non_null(appsec_new(&appsec, &(struct database_options){ .address = ":memory:" }, &mistake));
    assert_true(import_all(appsec.pool, true, NULL, 0, stderr));
    box  = tenon_toolbox_new(.user = &appsec, .log = whole_be_silent);
    call = whole_call(box, &appsec_tools);
    whole_or_errors(call, cases, sizeof cases / sizeof *cases);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_server_free(appsec.server);
    appsec_free(&appsec);
}

static int64_t count_all(struct sql_pool *pool)
{
    struct sql       *sql       = sql_take(pool);
    struct statement *statement = sql_statement(sql,
                                                "SELECT (SELECT count(*) FROM findings) + (SELECT count(*)"
                                                " FROM libraries) + (SELECT count(*) FROM sources)");
    int64_t           count     = sql_row(sql, statement) ? sql_number(statement, 0) : -1;

    sql_reset(statement);
    sql_give(pool, sql);
    return count;
}

/* `whole` is what there is of findings, libraries and sources in the end. */
static void whole_or_nothing(bool sample, const char *const *files, size_t count, int64_t whole)
{
    char            *mistake = NULL;
    struct sql_pool *pool    = sql_open(":memory:", &appsec_schema, &mistake);
    FILE            *nowhere = fopen("/dev/null", "w");
    bool             done    = false;

    assert_non_null(pool);
    assert_non_null(nowhere);
    for (long n = 0; !done; n += 1 + n / 20) {
        refuse_after(n);
        done = import_all(pool, sample, files, count, nowhere);
        assert_true(refuse_end() || done);
        assert_int_equal(count_all(pool), done ? whole : 0);
    }
    fclose(nowhere);
    sql_close(pool);
}

static void imports_are_whole_or_nothing(void **state)
{
    static const char *const files[] = { "shop=tests/appsec/reports/semgrep.sarif",
                                         "tests/appsec/files/codeql.sarif",
                                         "tests/appsec/files/vulnerable.cdx.json",
                                         "tests/appsec/reports/npm.spdx.json" };

    (void)state;
    whole_or_nothing(true, NULL, 0, 39 + 9 + 0);
    whole_or_nothing(false, files, sizeof files / sizeof *files, 4 + 3 + 5 + 3 + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_whole_or_errors),
        cmocka_unit_test(imports_are_whole_or_nothing),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
