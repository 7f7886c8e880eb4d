/* tools_test.c - every single fault of a good call to one of the eleven tools is repaired at its second try. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "appsec/appsec.h"
#include "support/repairing.h"

static void naive_client_repairs_every_fault(void **state)
{
    const tenon_tool *const tools[] = {
        search_vulnerabilities_tool(),   search_app_vulnerabilities_tool(),
        get_vulnerability_tool(),        list_vulnerability_types_tool(),
        search_applications_tool(),      search_attacks_tool(),
        search_servers_tool(),           list_application_libraries_tool(),
        list_applications_by_cve_tool(), update_vulnerability_status_tool(),
        get_route_coverage_tool(),
    };
    struct appsec    appsec;
    char            *mistake;
    tenon_toolbox   *box;
    struct repairing counts;

    (void)state;
    assert_non_null(appsec_new(&appsec, ":memory:", &mistake));
    box    = tenon_toolbox_new(.user = &appsec);
    counts = repair_tools(box, tools, sizeof tools / sizeof *tools);
    tenon_toolbox_free(box);
    tenon_server_free(appsec.server);
    appsec_free(&appsec);
    assert_true(counts.refused > 500);
    assert_int_equal(counts.faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(naive_client_repairs_every_fault) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
