/* promise_test.c - what is promised to servers, and how their questions reach clients. */
#define _GNU_SOURCE
#include "guard/question/promise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <tenon/ask.h>

#include "base/memory.h"
#include "json/read.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ALL             (~0u)
#define FORMS           ((unsigned)TENON_CAN_ELICIT)
#define PAGES           ((unsigned)TENON_CAN_ELICIT_URL)

static struct tn_arena arena;

static yyjson_val *read_json(const char *text)
{
    const struct tn_json_limits limits = { SIZE_MAX, 64, 10000 };

    return tn_json_read(&arena, text, strlen(text), &limits).root;
}

static void promises_what_the_operator_leaves(void **state)
{
    static const struct {
        unsigned    questions;
        const char *roots, *given, *promised;
    } cases[] = {
        { ALL, NULL, "{}", "{}" },
        { ALL, NULL, "{\"elicitation\":{},\"x\":[1.10]}", "{\"elicitation\":{},\"x\":[1.1]}" },
        { ALL, NULL, "{\"tasks\":{\"list\":{}},\"roots\":{}}", "{\"roots\":{}}" },
        { ALL, "[]", "{\"roots\":{\"listChanged\":true}}", "{\"roots\":{}}" },
        { ALL, "[]", "{\"sampling\":{}}", "{\"sampling\":{},\"roots\":{}}" },
        { 0, "[]", "{}", "{\"roots\":{}}" },
        { FORMS | PAGES, NULL, "{\"sampling\":{},\"roots\":{},\"elicitation\":{\"url\":{}}}",
          "{\"elicitation\":{\"url\":{}}}" },
        { FORMS, NULL, "{\"elicitation\":{\"url\":{}}}", "{}" },
        { FORMS, NULL, "{\"elicitation\":{\"url\":{},\"form\":{}}}", "{\"elicitation\":{}}" },
        { PAGES, NULL, "{\"elicitation\":{\"url\":{},\"form\":{}}}", "{\"elicitation\":{\"url\":{}}}" },
        { PAGES, NULL, "{\"elicitation\":{}}", "{}" },
        { TENON_CAN_SAMPLE, NULL, "{\"sampling\":{\"tools\":{}},\"extensions\":{\"a\":{}}}",
          "{\"sampling\":{},\"extensions\":{\"a\":{}}}" },
        { 0, NULL, "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}", "{}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct tn_guard    guard    = { .upstream_count = 1, .policy = { .pass_unknown = true } };
        const struct tn_upstream upstream = { .questions = cases[i].questions, .roots = cases[i].roots };
        struct tn_buf            out;

        tn_buf_init(&out, &arena, 64, 4096);
        tn_promise_write(&out, &guard, &upstream, read_json(cases[i].given));
        assert_string_equal(tn_buf_end(&out), cases[i].promised);
    }
}

static void promises_no_extension_that_may_not_pass(void **state)
{
    static const char *const passing[] = { "a/b", "c/d" };
    static const struct {
        size_t      listed;
        const char *given, *promised;
    } cases[] = {
        { 0, "{\"x\":1,\"extensions\":{\"a/b\":{}},\"roots\":{}}", "{\"roots\":{}}" },
        { 2, "{\"extensions\":{\"c/d\":{\"e\":1},\"f/g\":{},\"a/b\":{}},\"roots\":{}}",
          "{\"extensions\":{\"c/d\":{\"e\":1},\"a/b\":{}},\"roots\":{}}" },
        { 2, "{\"elicitation\":{},\"extensions\":{\"f/g\":{}}}", "{\"elicitation\":{}}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct tn_guard    guard    = { .upstream_count = 2, .policy = { .pass_unknown = true } };
        const struct tn_upstream upstream = { .questions = ALL, .extensions = { cases[i].listed, passing } };
        struct tn_buf            out;

        tn_buf_init(&out, &arena, 64, 4096);
        tn_promise_write(&out, &guard, &upstream, read_json(cases[i].given));
        assert_string_equal(tn_buf_end(&out), cases[i].promised);
    }
}

static void checks_what_may_be_asked(void **state)
{
    static const struct {
        const char    *method, *params;
        unsigned       abilities, questions;
        const char    *roots;
        enum tn_asking asking;
    } cases[] = {
        { "elicitation/create", "{\"requestedSchema\":{\"properties\":{\"name\":{}}}}", FORMS, ALL, NULL,
          ASKING_PASSES },
        { "elicitation/create", "{}", FORMS, 0, NULL, ASKING_UNPROMISED },
        { "elicitation/create", "{}", PAGES, ALL, NULL, ASKING_UNPROMISED },
        { "elicitation/create", "{\"mode\":\"url\"}", PAGES, ALL, NULL, ASKING_PASSES },
        { "elicitation/create", "{\"mode\":\"url\"}", FORMS, ALL, NULL, ASKING_UNPROMISED },
        { "elicitation/create", "{\"requestedSchema\":{\"properties\":{\"a\":{},\"Password\":{}}}}", FORMS,
          ALL, NULL, ASKING_DENIED },
        { "elicitation/create", "{\"requestedSchema\":{\"properties\":{\"github_token\":{}}}}", FORMS, ALL,
          NULL, ASKING_DENIED },
        { "elicitation/create", "{\"requestedSchema\":{\"properties\":{\"clientSecret\":{}}}}", FORMS, ALL,
          NULL, ASKING_DENIED },
        { "elicitation/create", "{\"requestedSchema\":{\"properties\":{\"userApiKey\":{}}}}", FORMS, ALL,
          NULL, ASKING_DENIED },
        { "elicitation/create", "{\"requestedSchema\":{\"properties\":{\"secretary\":{},\"tokens\":{}}}}",
          FORMS, ALL, NULL, ASKING_PASSES },
        { "sampling/createMessage", "{}", TENON_CAN_SAMPLE, FORMS, NULL, ASKING_UNPROMISED },
        { "sampling/createMessage", "{\"tools\":[]}", TENON_CAN_SAMPLE, ALL, NULL, ASKING_UNPROMISED },
        { "roots/list", "{}", TENON_CAN_LIST_ROOTS, ALL, NULL, ASKING_PASSES },
        { "roots/list", "{}", TENON_CAN_LIST_ROOTS, FORMS, NULL, ASKING_UNPROMISED },
        { "roots/list", "{}", 0, 0, "[]", ASKING_ROOTS },
        { "vendor/ask", "{}", 0, 0, NULL, ASKING_UNPROMISED },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_guard    guard    = { .upstream_count = 1 };
        struct tn_upstream upstream = { .name      = "files",
                                        .questions = cases[i].questions,
                                        .roots     = cases[i].roots };
        struct tn_link     link     = { .guard = &guard, .upstream = &upstream };
        const char        *why;

        if (tn_promise_check(&link, tn_slice_of(cases[i].method), read_json(cases[i].params),
                             cases[i].abilities, &why) != cases[i].asking)
            fail_msg("%s %s", cases[i].method, cases[i].params);
    }
}

static void names_the_server_that_asks(void **state)
{
    static const struct {
        size_t      servers;
        bool        modern;
        const char *method, *params, *asked;
    } cases[] = {
        { 1, true, "elicitation/create", "{ \"message\":\"\\u0041\",\"n\":1.10}",
          "{ \"message\":\"\\u0041\",\"n\":1.10}" },
        { 2, true, "elicitation/create", "{ \"n\":1.10,\"message\":\"\\u0041?\"}",
          "{\"message\":\"[files] A?\",\"n\":1.10}" },
        { 2, false, "sampling/createMessage", "{\"message\":\"a\"}", "{\"message\":\"a\"}" },
        { 1, true, "elicitation/create",
          "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://u:p@b.example:1/"
          "x@y\",\"elicitationId\":\"e\"}",
          "{\"message\":\"[files, b.example:1] "
          "m\",\"mode\":\"url\",\"url\":\"https://u:p@b.example:1/x@y\"}" },
        { 1, false, "elicitation/create",
          "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://b\",\"elicitationId\":\"e\"}",
          "{\"message\":\"[files, b] m\",\"mode\":\"url\",\"url\":\"https://b\",\"elicitationId\":\"e\"}" },
        { 1, false, "elicitation/create", "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://b\\\\@c/\"}",
          "{\"message\":\"[files, b] "
          "m\",\"mode\":\"url\",\"url\":\"https://b\\\\@c/\",\"elicitationId\":\"id\"}" },
        { 1, false, "elicitation/create", "{\"mode\":\"url\",\"url\":7}",
          "{\"message\":\"[files] \",\"mode\":\"url\",\"url\":7,\"elicitationId\":\"id\"}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_guard    guard    = { .upstream_count = cases[i].servers };
        struct tn_upstream upstream = { .name = "files", .questions = ALL };
        struct tn_link     link     = { .guard = &guard, .upstream = &upstream };
        struct tn_buf      out;

        tn_buf_init(&out, &arena, 64, 4096);
        tn_promise_params(&out, &link, tn_slice_of(cases[i].method), read_json(cases[i].params),
                          tn_slice_of(cases[i].params), cases[i].modern, "id");
        assert_string_equal(tn_buf_end(&out), cases[i].asked);
    }
}

static int set_up(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tn_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_what_the_operator_leaves),
        cmocka_unit_test(promises_no_extension_that_may_not_pass),
        cmocka_unit_test(checks_what_may_be_asked),
        cmocka_unit_test(names_the_server_that_asks),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
