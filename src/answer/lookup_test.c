/* lookup_test.c - live values: named with all other issues, suggested, failing, bounded. */
#include "answer/call.h"

#include <stdlib.h>

#include "support/answer.h"
#include "support/fault.h"

static const char *const shop_tags[] = { "red", "green", "blue" };

struct shop {
    bool        down, wrong, cancel; /* what goes wrong while it is asked */
    size_t      asked, handled;
    size_t      size; /* of a larger catalogue, or 0 */
    tenon_call *call;
};

static bool has(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(shop_tags); i++)
        if (strcmp(shop_tags[i], name) == 0)
            return true;
    return false;
}

static void offer_all(tenon_lookup *lookup, const struct shop *shop)
{
    char name[32];

    for (size_t i = 0; i < COUNT_OF(shop_tags); i++)
        tenon_lookup_offer(lookup, shop_tags[i]);
    for (size_t i = 0; i < shop->size; i++) {
        snprintf(name, sizeof name, "name-%zu", i);
        tenon_lookup_offer(lookup, name);
    }
}

static bool begin(tenon_lookup *lookup, struct shop *shop)
{
    tenon_call *call = tenon_lookup_call(lookup);

    shop->asked++;
    if (shop->cancel)
        tenon_call_cancel(call);
    if (shop->down)
        tenon_lookup_fail(lookup, tenon_fail(call, TENON_CODE_UNAVAILABLE, "The shop is closed."));
    if (shop->wrong)
        tenon_lookup_fail(lookup, (tenon_outcome){ 0 });
    return !shop->down && !shop->wrong;
}

static void known_tags(tenon_lookup *lookup, const void *value)
{
    struct shop      *shop = tenon_user(tenon_lookup_call(lookup));
    const tenon_strs *tags = value;

    if (!begin(lookup, shop))
        return;
    tenon_lookup_words(lookup, "tag", "list_tags has all of them.");
    for (size_t i = 0; i < tags->count; i++)
        if (!has(tags->at[i]))
            tenon_lookup_unknown(lookup, tags->at[i]);
    if (tenon_lookup_count(lookup) > 0)
        offer_all(lookup, shop);
}

/* The same for a list that ends with a NULL. */
static void known_more(tenon_lookup *lookup, const void *value)
{
    const char *const *tags;

    memcpy(&tags, value, sizeof tags);
    if (!begin(lookup, tenon_user(tenon_lookup_call(lookup))))
        return;
    for (; *tags; tags++)
        if (!has(*tags))
            tenon_lookup_unknown(lookup, *tags);
    offer_all(lookup, tenon_user(tenon_lookup_call(lookup)));
}

typedef struct {
    const char *color, *secret;
} part;

static void known_color(tenon_lookup *lookup, const void *value)
{
    const char *const *color = value;
    const part        *args  = tenon_lookup_args(lookup);

    if (!begin(lookup, tenon_user(tenon_lookup_call(lookup))))
        return;
    tenon_lookup_code(lookup, "NO_COLOR");
    assert_true(&args->color == color || &args->secret == color);
    if (has(*color))
        return;
    tenon_lookup_unknown(lookup, *color);
    tenon_detail(tenon_lookup_call(lookup), "color", "%s", *color);
    if (tenon_lookup_holds(lookup, &args->secret))
        offer_all(lookup, tenon_user(tenon_lookup_call(lookup)));
}

TENON_ROWS(part_rows, part,
    TENON_STR(color,  "C.", .lookup = known_color, .example = "red"),
    TENON_STR(secret, "S.", .lookup = known_color, .secret = true, .len = {2, 9}));

typedef struct {
    tenon_strs tags;
    int        limit;
    part       first;
    TENON_LIST_OF(part) parts;
    const char **more;
} find_args;

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    struct shop *shop = tenon_user(call);

    (void)args;
    shop->handled++;
    return tenon_ok(call);
}

TENON_TOOL(find, find_args,
    TENON_INFO("Find things."),
    TENON_STRS   (tags,  "Tags.", .comma = true, .count = {0, 60}, .lookup = known_tags, .example = "[\"red\"]"),
    TENON_INT    (limit, "Limit.", .range = {1, 10}, .def = 5),
    TENON_OBJECT (first, part_rows, "F."),
    TENON_OBJECTS(parts, part_rows, "P."),
    TENON_STRS   (more,  "More tags.", .lookup = known_more, .example = "[\"red\"]"));

static const tenon_error errors[] = { { "NO_COLOR", "There is no color {color}. Choose another.", false } };

struct fixture {
    struct shop     shop;
    struct log_kept log;
    struct tn_fault fault;
    tenon_allocator memory;
    tenon_toolbox  *box;
    tenon_call     *call;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->memory = tn_fault_allocator(&fixture->fault);
    fixture->box    = tenon_toolbox_new(.user = &fixture->shop, .memory = &fixture->memory, .errors = errors,
                                        .error_count = COUNT_OF(errors), .log = keep_log,
                                        .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, find_tool());
    assert_null(tenon_toolbox_error(fixture->box));
    fixture->call = tenon_call_new(fixture->box);
    *state        = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    assert_int_equal(fixture->fault.blocks, 0);
    free(fixture);
    return 0;
}

#define VALID " Valid: red, green, blue."

static const struct { const char *args, *code, *pointer, *want; } cases[] = {
    { "{}",                              NULL,               "/data", "{}" },
    { "{\"tags\":[\"red\",\"blue\"]}",   NULL,               "/data", "{}" },
    { "{\"tags\":[\"gren\",\"zzzzzz\"]}", "VALIDATION_ERROR", "/error/details/fieldErrors",
      "{\"tags\":[\"tags: there is no tag 'gren'. Did you mean 'green'? list_tags has all of them.\","
      "\"tags: there is no tag 'zzzzzz'." VALID " list_tags has all of them.\"]}" },
    { "{\"tags\":[\"gren\",\"zzzzzz\"]}", "VALIDATION_ERROR", "/error/details/issues/0/suggestion", NULL },
    { "{\"tags\":[\"red\",\"gren\",\"blu\"]}", "VALIDATION_ERROR", "/error/details/issues/1/suggestion",
      "[\"red\",\"green\",\"blue\"]" },
    { "{\"tags\":\"gren, red\"}",        "VALIDATION_ERROR", "/error/details/issues/0/suggestion", "[\"green\",\"red\"]" },
    /* What else is wrong comes in the same answer. */
    { "{\"tags\":[\"gren\"],\"limit\":11,\"nope\":1}", "VALIDATION_ERROR", "/error/details/totalErrors", "3" },
    { "{\"tags\":[\"gren\"],\"limit\":11,\"nope\":1}", "VALIDATION_ERROR", "/error/details/fieldErrors/tags/0",
      "\"tags: there is no tag 'gren'. Did you mean 'green'? list_tags has all of them.\"" },
    /* What its row refuses is not looked up. */
    { "{\"more\":[\"red\",\"gren\"]}", "VALIDATION_ERROR", "/error/details/issues/0/suggestion", "[\"red\",\"green\"]" },
    { "{\"more\":[]}", NULL, "/data", "{}" },
    { "{\"tags\":[\"gren\",7]}",         "VALIDATION_ERROR", "/error/details/totalErrors", "1" },
    /* A code of the program's own, when nothing else is wrong. */
    { "{\"first\":{\"color\":\"gree\"}}", "NO_COLOR", "/error/message", "\"There is no color gree. Choose another.\"" },
    { "{\"first\":{\"color\":\"gree\"}}", "NO_COLOR", "/error/details/issues/0/suggestion", "\"green\"" },
    { "{\"first\":{\"color\":\"gree\"}}", "NO_COLOR", "/error/details/issues/0/parameter", "\"/first/color\"" },
    { "{\"first\":{\"color\":\"gree\"},\"limit\":0}", "VALIDATION_ERROR", "/error/details/totalErrors", "2" },
    { "{\"first\":{\"color\":\"gree\"},\"tags\":[\"x\"]}", "VALIDATION_ERROR", "/error/details/totalErrors", "2" },
    { "{\"parts\":[{\"color\":\"red\"},{\"color\":\"pink\"},{}]}", "NO_COLOR", "/error/details/issues/0/parameter",
      "\"/parts/1/color\"" },
    /* Where the caller can mend it: under the name that it sent, in its wrapper, or at the text that it sent. */
    { "{\"First\":{\"color\":\"gree\"}}", "NO_COLOR", "/error/details/issues/0/parameter", "\"/First/color\"" },
    { "{\"first\":{\"Color\":\"gree\"}}", "NO_COLOR", "/error/details/issues/0/parameter", "\"/first/Color\"" },
    { "{\"Tags\":[\"gren\"]}", "VALIDATION_ERROR", "/error/details/issues/0/parameter", "\"Tags\"" },
    { "{\"params\":{\"tags\":[\"gren\"]}}", "VALIDATION_ERROR", "/error/details/issues/0/parameter", "\"/params/tags\"" },
    { "{\"params\":{\"first\":{\"color\":\"gree\"}}}", "NO_COLOR", "/error/details/issues/0/parameter",
      "\"/params/first/color\"" },
    { "{\"first\":\"{\\\"color\\\":\\\"gree\\\"}\"}", "NO_COLOR", "/error/details/issues/0/parameter", "\"first\"" },
    { "{\"first\":\"{\\\"color\\\":\\\"gree\\\"}\"}", "NO_COLOR", "/error/details/issues/0/suggestion", NULL },
    { "{\"parts\":\"[{\\\"color\\\":\\\"gree\\\"}]\"}", "NO_COLOR", "/error/details/issues/0/parameter", "\"parts\"" },
    { "{\"parts\":[{},\"{\\\"color\\\":\\\"gree\\\"}\"]}", "NO_COLOR", "/error/details/issues/0/parameter",
      "\"/parts/1\"" },
    { "{\"first\":{\"color\":\"pink\",\"secret\":\"x\"}}", "VALIDATION_ERROR", "/error/details/fieldErrors/first/1",
      "\"/first/color: there is no value 'pink'.\"" },
    { "{\"first\":{\"secret\":\"gree\"}}", "NO_COLOR", "/error/details/fieldErrors",
      "{\"first\":[\"/first/secret: there is no such value.\"]}" },
};

static void names_what_is_not_there(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run_tool(fixture->call, "find", cases[i].args);

        assert_int_equal(answer->is_error, cases[i].code != NULL);
        if (cases[i].code)
            assert_string_equal(answer->code, cases[i].code);
        assert_at(answer, cases[i].pointer, cases[i].want);
    }
    assert_int_equal(fixture->shop.handled, 3); /* of the three good ones */
}

static void fails_when_it_cannot_know(void **state)
{
    static const char good[] = "{\"tags\":[\"red\"]}", bad[] = "{\"tags\":[\"red\"],\"limit\":11}";
    struct fixture   *fixture = *state;

    fixture->shop.down = true;
    assert_string_equal(run_tool(fixture->call, "find", good)->code, TENON_CODE_UNAVAILABLE);
    assert_at(&fixture->call->answer, "/error/message", "\"The shop is closed.\"");
    assert_at(&fixture->call->answer, "/messages", "[]");
    assert_string_equal(run_tool(fixture->call, "find", bad)->code, TENON_CODE_VALIDATION_ERROR);
    assert_at(&fixture->call->answer, "/error/details/totalErrors", "1");
    assert_at(&fixture->call->answer, "/messages",
              "[\"tags could not be looked up this time; it may be wrong, too.\"]");

    fixture->shop = (struct shop){ .wrong = true };
    assert_string_equal(run_tool(fixture->call, "find", good)->code, TENON_CODE_INTERNAL_ERROR);
    fixture->shop = (struct shop){ .cancel = true };
    assert_string_equal(
        run_tool(fixture->call, "find", "{\"tags\":[\"red\"],\"first\":{\"color\":\"red\"}}")->code,
        TENON_CODE_CANCELLED);
    assert_int_equal(fixture->shop.asked, 1);
    assert_int_equal(fixture->shop.handled, 0);
}

/* A large catalogue is not named, and what one call may ask is bounded. */
static void is_bounded(void **state)
{
    struct fixture *fixture = *state;
    char           *json    = calloc(1, 64 << 10), *at;

    fixture->shop.size = 100000;
    run_tool(fixture->call, "find", "{\"tags\":[\"name-17x\"]}");
    assert_at(&fixture->call->answer, "/error/details/fieldErrors/tags/0",
              "\"tags: there is no tag 'name-17x'. Did you mean 'name-17'? list_tags has all of them.\"");

    at = json + sprintf(json, "{\"tags\":[\"a0\"");
    for (int i = 1; i < 60; i++)
        at += sprintf(at, ",\"a%d\"", i);
    sprintf(at, "]}");
    assert_string_equal(run_tool(fixture->call, "find", json)->code, TENON_CODE_VALIDATION_ERROR);
    assert_at(&fixture->call->answer, "/error/details/totalErrors", "60");

    at = json + sprintf(json, "{\"parts\":[{\"color\":\"red\"}");
    for (int i = 1; i < 1000; i++)
        at += sprintf(at, ",{\"color\":\"red\"}");
    sprintf(at, "]}");
    fixture->shop.asked = 0;
    assert_string_equal(run_tool(fixture->call, "find", json)->code, TENON_CODE_LIMIT_EXCEEDED);
    assert_true(fixture->shop.asked < 1000);
    free(json);
}

static void is_not_part_of_a_pure_judgement(void **state)
{
    static const char json[] = "{\"color\":\"no such\"}";
    tenon_shape      *shape  = tenon_shape_new(part_rows(), NULL);
    tenon_params     *params = tenon_params_new(shape);

    (void)state;
    assert_non_null(tenon_params_bind(params, json, sizeof json - 1));
    tenon_params_free(params);
    tenon_shape_free(shape);
}

static void answers_when_memory_is_refused(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture->fault.refused = true;
        for (size_t nth = 1; fixture->fault.refused; nth++) {
            tenon_call *call = tenon_call_new(fixture->box); /* with nothing kept from before */

            fixture->fault.requests  = 0;
            fixture->fault.refused   = false;
            fixture->fault.refuse_at = nth;
            run_tool(call, "find", cases[i].args);
            fixture->fault.refuse_at = 0;
            if (fixture->fault.refused)
                assert_string_equal(call->answer.code, TENON_CODE_INTERNAL_ERROR);
            tenon_call_free(call);
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(names_what_is_not_there),         TEST(fails_when_it_cannot_know),      TEST(is_bounded),
        TEST(is_not_part_of_a_pure_judgement), TEST(answers_when_memory_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
