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
    struct appsec    appsec;
    struct mistake   mistake;
    tenon_toolbox   *box;
    struct repairing counts;

    (void)state;
    assert_non_null(appsec_new(&appsec, &(struct database_options){ .address = ":memory:" }, &mistake));
    box    = tenon_toolbox_new(.user = &appsec);
    counts = repair_tools(box, &appsec_tools, NULL);
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
