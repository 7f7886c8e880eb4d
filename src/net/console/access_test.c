/* access_test.c - links, tokens, cookies and keys of the console. */
#define _GNU_SOURCE
#include "net/console/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define NOW             ((int64_t)1000000)

/* sha256 of "open sesame" */
#define OPEN_SESAME "ann:sha256:41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb"

struct fixture {
    struct tn_settings *settings;
    struct tn_access    access;
};

static int open_access(void **state)
{
    static struct fixture fixture;
    const char           *mistake = NULL;

    fixture.settings = tn_settings_new(NULL);
    assert_true(tn_settings_set(fixture.settings, "console-token", OPEN_SESAME, &mistake));
    assert_true(tn_access_init(&fixture.access, fixture.settings, &mistake));
    tn_access_listens(&fixture.access, 8080);
    *state = &fixture;
    return 0;
}

static int close_access(void **state)
{
    tn_settings_free(((struct fixture *)*state)->settings);
    return 0;
}

static const struct tn_access_session *found(struct fixture *fixture, const char *header, int64_t now_ms)
{
    return tn_access_find(&fixture->access, tn_slice_of(header), now_ms);
}

static void test_link_works_once(void **state)
{
    struct fixture *fixture = *state;
    char            token[ACCESS_TEXT], cookie[ACCESS_TEXT], next[ACCESS_TEXT];
    bool            once = false;

    assert_null(tn_access_redeem(&fixture->access, tn_slice_of(""), NOW, cookie, &once));
    tn_access_once(&fixture->access, token);
    assert_int_equal(strlen(token), ACCESS_TEXT - 1);
    assert_null(
        tn_access_redeem(&fixture->access, (struct tn_slice){ token, ACCESS_TEXT - 2 }, NOW, cookie, &once));
    assert_non_null(tn_access_redeem(&fixture->access, tn_slice_of(token), NOW, cookie, &once));
    assert_true(once);
    assert_null(tn_access_redeem(&fixture->access, tn_slice_of(token), NOW, cookie, &once));
    tn_access_once(&fixture->access, token);
    tn_access_once(&fixture->access, next);
    assert_null(tn_access_redeem(&fixture->access, tn_slice_of(token), NOW, cookie, &once));
    assert_non_null(tn_access_redeem(&fixture->access, tn_slice_of(next), NOW, cookie, &once));
}

static void test_operators_token_works_always(void **state)
{
    struct fixture *fixture = *state;
    char            one[ACCESS_TEXT], two[ACCESS_TEXT];
    bool            once;

    assert_non_null(tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"), NOW, one, &once));
    assert_false(once);
    assert_non_null(tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"), NOW, two, &once));
    assert_string_not_equal(one, two);
    assert_null(tn_access_redeem(&fixture->access, SLICE_LIT(OPEN_SESAME), NOW, two, &once));
}

static void test_cookies(void **state)
{
    struct fixture *fixture = *state;
    char            cookie[ACCESS_TEXT], header[256];
    bool            once;

    static const struct {
        const char *format;
        bool        fits;
    } cases[] = {
        { "tenon_console_8080=%s", true },
        { "a=b; tenon_console_8080=%s; c=d", true },
        { "a=b;tenon_console_8080=%s", true },
        { "tenon_console_8081=%s", false },
        { "tenon_console_80800=%s", false },
        { "xtenon_console_8080=%s", false },
        { "tenon_console_8080=%sx", false },
        { "tenon_console_8080", false },
        { "tenon_console_8080=", false },
        { "", false },
        { "=;=;;;", false },
    };

    assert_non_null(tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"), NOW, cookie, &once));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        snprintf(header, sizeof header, cases[i].format, cookie);
        assert_int_equal(found(fixture, header, NOW) != NULL, cases[i].fits);
    }
}

static void test_key_is_of_its_session(void **state)
{
    struct fixture                 *fixture = *state;
    const struct tn_access_session *one, *two;
    char                            cookie[ACCESS_TEXT];
    bool                            once;

    one = tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"), NOW, cookie, &once);
    two = tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"), NOW, cookie, &once);
    assert_ptr_not_equal(one, two);
    assert_true(tn_access_has_key(one, tn_slice_of(one->key)));
    assert_false(tn_access_has_key(one, tn_slice_of(two->key)));
    assert_false(tn_access_has_key(one, (struct tn_slice){ one->key, ACCESS_TEXT - 2 }));
    assert_false(tn_access_has_key(one, SLICE_LIT("")));
}

static void test_idle_ones_end_and_make_room(void **state)
{
    struct fixture *fixture = *state;
    char            first[ACCESS_TEXT], cookie[ACCESS_TEXT], header[256];
    bool            once;

    assert_non_null(tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"), NOW, first, &once));
    snprintf(header, sizeof header, "tenon_console_8080=%s", first);
    assert_non_null(found(fixture, header, NOW + ACCESS_IDLE_MS));
    assert_null(found(fixture, header, NOW + 2 * ACCESS_IDLE_MS + 1));
    for (int i = 0; i < ACCESS_SESSIONS; i++)
        assert_non_null(tn_access_redeem(&fixture->access, SLICE_LIT("open sesame"),
                                         NOW + 2 * ACCESS_IDLE_MS + i, cookie, &once));
    snprintf(header, sizeof header, "tenon_console_8080=%s", cookie);
    assert_non_null(found(fixture, header, NOW + 2 * ACCESS_IDLE_MS + ACCESS_SESSIONS));
    snprintf(header, sizeof header, "tenon_console_8080=%s", first);
    assert_null(found(fixture, header, NOW + 2 * ACCESS_IDLE_MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_link_works_once, open_access, close_access),
        cmocka_unit_test_setup_teardown(test_operators_token_works_always, open_access, close_access),
        cmocka_unit_test_setup_teardown(test_cookies, open_access, close_access),
        cmocka_unit_test_setup_teardown(test_key_is_of_its_session, open_access, close_access),
        cmocka_unit_test_setup_teardown(test_idle_ones_end_and_make_room, open_access, close_access),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
