/* tools_test.c - every single fault of a good call to one of the ten tools is repaired at its second try.
 *
 * The handlers run without a project: what they answer then shows that the arguments were good.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "docs/tools/tools.h"
#include "support/repairing.h"

static void naive_client_repairs_every_fault(void **state)
{
    static struct docs docs;
    tenon_toolbox     *box = tenon_toolbox_new(.user = &docs, TENON_ERRORS(docs_errors));
    struct repairing   counts;

    (void)state;
    pthread_mutex_init(&docs.lock, NULL);
    counts = repair_tools(box, &docs_tools, NULL);
    tenon_toolbox_free(box);
    pthread_mutex_destroy(&docs.lock);
    assert_true(counts.refused > 1000);
    assert_int_equal(counts.faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(naive_client_repairs_every_fault) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
