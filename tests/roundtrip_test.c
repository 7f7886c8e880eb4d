/* roundtrip_test.c - what a tool returns is taken by the tools that want it, and comes back in the same spelling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <yyjson.h>

#include "support/zoo.h"

struct zoo {
    tenon_toolbox *box;
    tenon_call    *call;
};

static int set_up(void **state)
{
    struct zoo *zoo = malloc(sizeof *zoo);

    zoo->box  = zoo_box();
    zoo->call = tenon_call_new(zoo->box);
    *state    = zoo;
    return 0;
}

static int tear_down(void **state)
{
    struct zoo *zoo = *state;

    tenon_call_free(zoo->call);
    tenon_toolbox_free(zoo->box);
    free(zoo);
    return 0;
}

/* The answer's data, to be freed with the document. Nothing may have been changed on the way in, unless `reformed`. */
static yyjson_doc *call(struct zoo *zoo, const char *tool, const char *args, bool reformed)
{
    const tenon_answer *answer = tenon_call_run(zoo->call, tool, args, strlen(args));
    yyjson_doc         *doc    = yyjson_read(answer->json, answer->len, 0);

    if (answer->is_error)
        print_message("%s %s\n%s\n", tool, args, answer->json);
    assert_false(answer->is_error);
    assert_non_null(doc);
    assert_int_equal(yyjson_arr_size(yyjson_doc_ptr_get(doc, "/messages")), 0);
    assert_int_equal(tenon_call_coerced(zoo->call), 0);
    assert_true(reformed == (tenon_call_reformed(zoo->call) > 0));
    return doc;
}

static char *data_text(yyjson_doc *doc)
{
    return yyjson_val_write(yyjson_doc_ptr_get(doc, "/data"), 0, NULL);
}

/* A result is good as arguments, and comes back byte for byte. */
static void one_of_each_kind_comes_back(void **state)
{
    yyjson_doc *first = call(*state, "specimen", "", false), *second;
    char       *data  = data_text(first), *again;

    second = call(*state, "echo_specimen", data, false);
    again  = data_text(second);
    assert_string_equal(data, again);
    free(data);
    free(again);
    yyjson_doc_free(first);
    yyjson_doc_free(second);
}

/* What was sent in another form comes back in the canonical one, and that is taken as it is. */
static void canonical_spelling_comes_back(void **state)
{
    static const struct { const char *name, *sent, *back; } cases[] = {
        { "habitat",  "\"water\"",                                    "\"Water\"" },
        { "habitat",  "\" AIR \"",                                    "\"Air\"" },
        { "habitats", "\"air,LAND\"",                                 "[\"Land\",\"Air\"]" },
        { "moves",    "[\"air\",\"Land\",\"AIR\"]",                   "[\"Air\",\"Land\",\"Air\"]" },
        { "moves",    "\"[\\\"water\\\"]\"",                          "[\"Water\"]" },
        { "picture",  "\"./a//b/./c.png\"",                           "\"a/b/c.png\"" },
        { "folder",   "\"/srv//zoo/./x/\"",                           "\"/srv/zoo/x\"" },
        { "folder",   "\"/./\"",                                      "\"/\"" },
        { "pictures", "[\"a/\",\"./b\"]",                             "[\"a\",\"b\"]" },
        { "uuid",     "\"2EB8AA08-AA98-41EA-B4AA-73B441D16380\"",     "\"2eb8aa08-aa98-41ea-b4aa-73b441d16380\"" },
        { "born",     "1736899200000",                                "\"2025-01-15\"" },
        { "born",     "\" 2025-01-15 \"",                             "\"2025-01-15\"" },
        { "seen",     "1736937000123",                                "\"2025-01-15T10:30:00.123Z\"" },
        { "count",    "3.0",                                          "3" },
        { "years",    "\"1, 2\"",                                     "[1,2]" },
        { "main",     "\"{\\\"kind\\\":\\\"fin\\\",\\\"habitat\\\":\\\"WATER\\\"}\"",
                                                                      "{\"kind\":\"fin\",\"habitat\":\"Water\"}" },
    };
    char args[512];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        yyjson_doc *doc;
        char       *back;

        snprintf(args, sizeof args, "{\"type\":\"x\",\"%s\":%s}", cases[i].name, cases[i].sent);
        doc  = call(*state, "echo_specimen", args, true);
        back = yyjson_val_write(yyjson_obj_get(yyjson_doc_ptr_get(doc, "/data"), cases[i].name), 0, NULL);
        assert_string_equal(back, cases[i].back);
        snprintf(args, sizeof args, "{\"type\":\"x\",\"%s\":%s}", cases[i].name, back);
        free(back);
        yyjson_doc_free(doc);
        doc  = call(*state, "echo_specimen", args, false);
        back = yyjson_val_write(yyjson_obj_get(yyjson_doc_ptr_get(doc, "/data"), cases[i].name), 0, NULL);
        assert_string_equal(back, cases[i].back);
        free(back);
        yyjson_doc_free(doc);
    }
}

/* Moments that are no whole day, in any offset, mean the same when they come back. */
static void moments_come_back(void **state)
{
    static const struct { const char *name, *sent, *back; } cases[] = {
        { "seen", "1970-01-01T00:00:00Z",           "1970-01-01T00:00:00Z" },
        { "seen", "9999-12-31T23:59:59.999Z",       "9999-12-31T23:59:59.999Z" },
        { "seen", "2024-02-29T23:30:00-05:00",      "2024-03-01T04:30:00Z" },
        { "seen", "2016-12-31t23:59:60z",           "2016-12-31T23:59:59Z" },
        { "born", "2024-02-29",                     "2024-02-29" },
        { "born", "1970-01-01",                     "1970-01-01" },
        { "born", "9999-12-31",                     "9999-12-31" },
    };
    char args[256];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        yyjson_doc *doc;

        snprintf(args, sizeof args, "{\"type\":\"x\",\"%s\":\"%s\"}", cases[i].name, cases[i].sent);
        doc = call(*state, "echo_specimen", args, false);
        assert_string_equal(yyjson_get_str(yyjson_obj_get(yyjson_doc_ptr_get(doc, "/data"), cases[i].name)),
                            cases[i].back);
        yyjson_doc_free(doc);
    }
}

/* The type names that one tool lists are taken by the tools that search by them. */
static void names_that_are_listed_are_taken(void **state)
{
    yyjson_doc     *types = call(*state, "list_doc_types", "{}", false), *doc;
    yyjson_arr_iter iter;
    yyjson_val     *type;
    char            args[256];

    assert_true(yyjson_arr_size(yyjson_doc_ptr_get(types, "/data/types")) > 0);
    yyjson_arr_iter_init(yyjson_doc_ptr_get(types, "/data/types"), &iter);
    while ((type = yyjson_arr_iter_next(&iter))) {
        snprintf(args, sizeof args, "{\"query\":\"x\",\"doc_types\":[\"%s\"]}",
                 yyjson_get_str(yyjson_obj_get(type, "name")));
        doc = call(*state, "rag_query", args, false);
        yyjson_doc_free(doc);
        doc = call(*state, "semantic_search", args, false);
        yyjson_doc_free(doc);
    }
    yyjson_doc_free(types);
}

/* A cursor leads to the next items, once each, until there are none. */
static void cursors_lead_through_everything(void **state)
{
    char args[512] = "{\"limit\":2}";
    int  seen = 0, rounds = 0;

    for (;; rounds++) {
        yyjson_doc *doc   = call(*state, "by_cursor", args, false);
        yyjson_val *items = yyjson_doc_ptr_get(doc, "/data/items"),
                   *next  = yyjson_doc_ptr_get(doc, "/data/nextCursor");

        for (size_t i = 0; i < yyjson_arr_size(items); i++)
            assert_int_equal(yyjson_get_int(yyjson_obj_get(yyjson_arr_get(items, i), "id")), ++seen);
        assert_true(yyjson_get_bool(yyjson_doc_ptr_get(doc, "/data/hasMore")) == yyjson_is_str(next));
        if (!yyjson_is_str(next)) {
            yyjson_doc_free(doc);
            break;
        }
        snprintf(args, sizeof args, "{\"limit\":2,\"cursor\":\"%s\"}", yyjson_get_str(next));
        yyjson_doc_free(doc);
    }
    assert_int_equal(seen, 5);
    assert_int_equal(rounds, 2);
}

/* Every page that an answer speaks of is there. */
static void pages_lead_through_everything(void **state)
{
    char args[64];
    int  seen = 0;

    for (int page = 1, more = 1; more; page++) {
        yyjson_doc *doc;
        yyjson_val *items;

        snprintf(args, sizeof args, "{\"page\":%d,\"pageSize\":2}", page);
        doc   = call(*state, "paged_small", args, false);
        items = yyjson_doc_ptr_get(doc, "/data/items");
        for (size_t i = 0; i < yyjson_arr_size(items); i++)
            assert_int_equal(yyjson_get_int(yyjson_obj_get(yyjson_arr_get(items, i), "id")), ++seen);
        more = yyjson_get_bool(yyjson_doc_ptr_get(doc, "/data/hasMorePages"));
        yyjson_doc_free(doc);
    }
    assert_int_equal(seen, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_each_kind_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(canonical_spelling_comes_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(moments_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_that_are_listed_are_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cursors_lead_through_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pages_lead_through_everything, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
