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
#include "kit/refuse_test.h"

static int prepare(void **state)
{
    (void)state;
    return refuse_prepare();
}

static void be_silent(void *user, int level, const char *text)
{
    (void)user;
    (void)level;
    (void)text;
}

static const struct { const char *tool, *arguments; } cases[] = {
    { "search_vulnerabilities",      "{\"pageSize\":5,\"vulnTypes\":\"xxe,sql-injection\",\"vulnTags\":\"owasp-top-10\"}" },
    { "search_vulnerabilities",      "{\"vulnTypes\":\"sql-injektion\"}" },
    { "search_app_vulnerabilities",  "{\"appId\":\"shop\",\"sessionMetadataFilters\":{\"branch\":\"main\"},\"pageSize\":5}" },
    { "search_app_vulnerabilities",  "{\"appId\":\"shop\",\"useLatestSession\":true}" },
    { "get_vulnerability",           "{\"vulnId\":24,\"appId\":\"bank-api\"}" },
    { "list_vulnerability_types",    "{}" },
    { "update_vulnerability_status", "{\"vulnId\":1,\"status\":\"Reported\"}" },
    { "search_applications",         "{\"tag\":\"payment\",\"metadataFilters\":{\"team\":\"Ledger\"}}" },
    { "list_application_libraries",  "{\"appId\":\"shop\"}" },
    { "list_applications_by_cve",    "{\"cveId\":\"CVE-2021-44228\"}" },
    { "search_attacks",              "{\"rules\":\"xxe,ssrf\"}" },
    { "search_servers",              "{\"applicationIds\":\"shop\",\"includeApplications\":true,\"pageSize\":2}" },
    { "get_route_coverage",          "{\"appId\":\"shop\",\"sessionMetadataName\":\"branch\",\"sessionMetadataValue\":\"main\"}" },
};

static const tenon_answer *run(tenon_call *call, size_t i)
{
    return tenon_call_run(call, cases[i].tool, cases[i].arguments, strlen(cases[i].arguments));
}

/* One tool with its nth allocation refused, until none is. */
static void refuse_each(tenon_call *call, size_t i)
{
    char *whole   = strdup(run(call, i)->json);
    bool  refused = true;

    assert_non_null(whole);
    for (long n = 0; refused && n < 100000; n++) {
        const tenon_answer *answer;

        refuse_after(n);
        answer  = run(call, i);
        refused = refuse_end();
        if (!answer->is_error || !refused)
            assert_string_equal(answer->json, whole);
    }
    assert_false(refused);
    free(whole);
}

static void answers_are_whole_or_errors(void **state)
{
    struct appsec  appsec;
    struct mistake mistake;
    tenon_toolbox *box;
    tenon_call    *call;

    (void)state;
    assert_non_null(appsec_new(&appsec, ":memory:", &mistake));
    assert_true(import_all(appsec.pool, true, NULL, 0, stderr));
    box = tenon_toolbox_new(.user = &appsec, .log = be_silent);
    for (size_t i = 0; i < appsec_tools.count; i++)
        tenon_toolbox_add(box, appsec_tools.at[i]());
    assert_null(tenon_toolbox_error(box));
    call = tenon_call_new(box);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_each(call, i);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_server_free(appsec.server);
    appsec_free(&appsec);
}

static int64_t count_findings(struct sql_pool *pool)
{
    struct sql   *sql       = sql_take(pool);
    sqlite3_stmt *statement = sql_statement(sql, "SELECT count(*) FROM findings");
    int64_t       count     = sql_row(sql, statement) ? sqlite3_column_int64(statement, 0) : -1;

    sqlite3_reset(statement);
    sql_give(pool, sql);
    return count;
}

static void imports_are_whole_or_nothing(void **state)
{
    char            *mistake = NULL;
    struct sql_pool *pool    = sql_open(":memory:", &appsec_schema, &mistake);
    FILE            *nowhere = fopen("/dev/null", "w");
    bool             done    = false;

    (void)state;
    assert_non_null(pool);
    assert_non_null(nowhere);
    for (long n = 0; !done; n += 1 + n / 20) {
        refuse_after(n);
        done = import_all(pool, true, NULL, 0, nowhere);
        assert_true(refuse_end() || done);
        assert_int_equal(count_findings(pool), done ? 39 : 0);
    }
    fclose(nowhere);
    sql_close(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_whole_or_errors),
        cmocka_unit_test(imports_are_whole_or_nothing),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
