/* policy_test.c - who may see what, and rates by a clock of the test's own. */
#define _GNU_SOURCE
#include "guard/policy/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "guard/relay.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SECOND          ((int64_t)1000000)

static const char *const all[] = { "*" }, *const reads[] = { "fs_read_*", "web_*" };

static const struct tn_caller_rule rules[] = {
    { "ann", { { 1, all }, { 0, NULL } }, { 0, 0, 0 } },
    { "scope:reader", { { 2, reads }, { 0, NULL } }, { 2, SECOND, 2 } },
    { "bob", { { 1, all }, { 0, NULL } }, { 0, 0, 0 } },
};

static struct tn_caller caller_of(const char *name, const char *scopes)
{
    return (struct tn_caller){ .name   = tn_slice_of(name),
                               .scopes = tn_slice_of(scopes),
                               .scoped = *scopes != '\0' };
}

static void the_first_rule_that_fits(void **state)
{
    static const struct {
        const char         *name, *scopes;
        enum tn_policy_kind kind;
        const char         *published;
        bool                shows;
    } cases[] = {
        { "ann", "", POLICY_TOOL, "fs_write", true },
        { "eve", "reader", POLICY_TOOL, "fs_read_a", true },
        { "eve", "x reader y", POLICY_TOOL, "fs_write", false },
        { "bob", "reader", POLICY_TOOL, "fs_write", false }, /* a later rule would allow more */
        { "bob", "readers", POLICY_TOOL, "fs_write", true },
        { "eve", "", POLICY_TOOL, "fs_read_a", false },
        { "", "", POLICY_TOOL, "fs_read_a", false },
        { "eve", "reader", POLICY_PROMPT, "fs_ask", false },
        { "eve", "reader", POLICY_RESOURCE, "file:///a", true }, /* of a server whose tools it may call */
        { "eve", "", POLICY_RESOURCE, "file:///a", false },
    };
    const struct tn_policy   policy   = { .callers = rules, .caller_count = COUNT_OF(rules) };
    const struct tn_upstream upstream = { .name = "fs", .prefix = "fs_" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_caller      caller = caller_of(cases[i].name, cases[i].scopes);
        struct tn_policy_item item   = { &upstream, cases[i].kind, tn_slice_of(cases[i].published),
                                         tn_slice_of(cases[i].published) };

        if (tn_policy_shows(&policy, &caller, &item) != cases[i].shows)
            fail_msg("%s %s %s", cases[i].name, cases[i].scopes, cases[i].published);
    }
}

static void a_star_is_every_caller(void **state)
{
    static const struct tn_caller_rule one[] = { { "*", { { 1, all }, { 0, NULL } }, { 0, 0, 0 } } };
    const struct tn_policy policy = { .callers = one, .caller_count = 1 }, none = { .caller_count = 0 };
    struct tn_caller       caller = caller_of("", "");

    (void)state;
    assert_true(tn_policy_knows(&policy, &caller));
    assert_true(tn_policy_knows(&none, &caller));
    assert_false(tn_policy_is_personal(&none));
}

/* Two upstreams with a tool of the same name: each has a bucket of its own, and each caller too. */
static void rates(void **state)
{
    static const struct tn_tool_rule tools[] = { { .name = "a", .rate = { 3, SECOND, 3 } }, { .name = "b" } };
    struct tn_upstream               upstreams[] = { { .name = "x", .rules = tools, .rule_count = 2 },
                                                     { .name = "y", .rules = tools, .rule_count = 2 } };
    struct tn_guard    guard  = { .memory = tn_memory_of(NULL), .upstreams = upstreams, .upstream_count = 2 };
    struct ledger     *ledger = tn_ledger_new(&guard.memory);
    struct tn_account *eve    = tn_ledger_account(ledger, ACCOUNT_CALLER, SLICE_LIT("eve"));
    struct tn_account *dan    = tn_ledger_account(ledger, ACCOUNT_CALLER, SLICE_LIT("dan"));
    struct tn_caller   caller = caller_of("eve", "reader");
    int64_t            wait;

    (void)state;
    guard.policy = (struct tn_policy){ .callers = rules, .caller_count = COUNT_OF(rules) };
    assert_ptr_equal(tn_policy_rule(&upstreams[1], SLICE_LIT("b")), &tools[1]);
    assert_null(tn_policy_rule(&upstreams[1], SLICE_LIT("c")));
    assert_int_equal(tn_policy_take(&guard, &caller, eve, &upstreams[0], &tools[0], 0), 0);
    assert_int_equal(tn_policy_take(&guard, &caller, eve, &upstreams[0], &tools[0], 0), 0);
    wait = tn_policy_take(&guard, &caller, eve, &upstreams[0], &tools[0], 0); /* the caller's own */
    assert_true(wait > 490 && wait <= 510);
    assert_int_equal(tn_policy_take(&guard, &caller, dan, &upstreams[0], &tools[0], 0), 0);
    wait = tn_policy_take(&guard, &caller, dan, &upstreams[0], &tools[0],
                          0); /* the tool's: it costs dan nothing */
    assert_true(wait > 320 && wait <= 340);
    assert_int_equal(tn_policy_take(&guard, &caller, dan, &upstreams[1], &tools[0], 0), 0);
    assert_true(tn_policy_take(&guard, &caller, dan, &upstreams[1], &tools[0], 0) > 0);
    assert_int_equal(tn_policy_take(&guard, &caller, eve, &upstreams[0], NULL, SECOND), 0);
    assert_int_equal(tn_policy_take(&guard, &caller, eve, &upstreams[0], &tools[1], SECOND), 0);
    tn_policy_end(&guard);
    tn_account_release(eve);
    tn_account_release(dan);
    tn_ledger_free(ledger);
}

/* What a caller has may not be more than what is left, unless it is alone. */
static void room(void **state)
{
    struct tn_upstream upstream = { .name = "x", .calls_max = 4 };
    struct tn_link     link     = { .upstream = &upstream };
    struct tn_guard    guard    = { .memory = tn_memory_of(NULL), .links = &link };
    struct ledger     *ledger   = tn_ledger_new(&guard.memory);
    struct tn_account *ann      = tn_ledger_account(ledger, ACCOUNT_CALLER, SLICE_LIT("ann"));
    struct tn_account *bob      = tn_ledger_account(ledger, ACCOUNT_CALLER, SLICE_LIT("bob"));
    struct tn_account *pipe     = tn_ledger_account(ledger, ACCOUNT_PIPE, SLICE_LIT("pipe"));
    static char        a_tool;
    struct tn_exchange anns = { .account = ann }, bobs = { .account = bob };
    struct tn_relay    relays[4];

    (void)state;
    tn_ring_init(&link.sent);
    for (size_t i = 0; i < 4; i++) {
        relays[i] = (struct tn_relay){ .x    = i < 2 ? &anns : &bobs,
                                       .tool = (const struct tn_offered *)(void *)&a_tool };
        tn_ring_init(&relays[i].ring);
    }
    assert_true(tn_policy_has_room(&guard, ann, &upstream));
    tn_ring_add(&link.sent, &relays[0].ring);
    assert_true(tn_policy_has_room(&guard, ann, &upstream));
    tn_ring_add(&link.sent, &relays[1].ring);
    assert_false(tn_policy_has_room(&guard, ann, &upstream));
    assert_true(tn_policy_has_room(&guard, bob, &upstream));
    assert_true(tn_policy_has_room(&guard, pipe, &upstream));
    tn_ring_add(&link.sent, &relays[2].ring);
    assert_false(tn_policy_has_room(&guard, bob, &upstream));
    tn_ring_add(&link.sent, &relays[3].ring);
    assert_false(tn_policy_has_room(&guard, pipe, &upstream));
    upstream.calls_max = 0;
    assert_true(tn_policy_has_room(&guard, ann, &upstream));
    tn_account_release(ann);
    tn_account_release(bob);
    tn_account_release(pipe);
    tn_ledger_free(ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_rule_that_fits),
        cmocka_unit_test(a_star_is_every_caller),
        cmocka_unit_test(rates),
        cmocka_unit_test(room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
