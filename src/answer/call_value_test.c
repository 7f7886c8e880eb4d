/* call_value_test.c - calls whose arguments were read as part of a message answer as those of text do. */
#include <stdlib.h>

#include "answer/call.h"
#include "base/memory.h"
#include "support/answer.h"

typedef struct {
    int64_t low;
} inside;

TENON_ROWS(inside_rows, inside, TENON_INT(low, "Low.", .range = { 1, 9 }));

typedef struct {
    const char       *name;
    int               count;
    inside            inside;
    const tenon_json *any;
    tenon_cursor      cursor;
} row_args;

typedef struct {
    int64_t id;
} item;

TENON_ROWS(item_rows, item, TENON_INT(id, "Id.", .required = true));

static const char *position_of(tenon_call *call, const void *at)
{
    return tenon_format(call, "%d", (int)((const item *)at)->id);
}

static tenon_outcome by_rows(tenon_call *call, const row_args *args)
{
    static const item items[] = { { 1 }, { 2 } };

    tenon_message(call, "%s %d %d", args->name, args->count, (int)args->inside.low);
    return tenon_ok_items(call, item_rows, items, 2, TENON_TOTAL_UNKNOWN, true, position_of);
}

TENON_TOOL(by_rows, row_args,
    TENON_INFO("By rows.", .items = item_rows),
    TENON_STR   (name,   "Name."),
    TENON_INT   (count,  "Count.", .range = {1, 9}),
    TENON_OBJECT(inside, inside_rows, "Inside."),
    TENON_JSON  (any,    "Anything."),
    TENON_CURSOR(cursor));

static tenon_outcome by_schema(tenon_call *call, const tenon_json *args)
{
    tenon_text(call, "%d members", (int)tenon_json_count(args));
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(by_schema,
    TENON_INFO("By schema."),
    "{\"type\":\"object\",\"properties\":{\"count\":{\"type\":\"integer\",\"default\":3},\"name\":{\"type\":\"string\"}},\"additionalProperties\":false}");

static const char *const texts[] = {
    "",
    "null",
    "{}",
    "{\"count\":3}",
    "{\"count\":3.0}",
    "{\"count\":\"3\",\"name\":\"x\"}",
    "{\"count\":77,\"nme\":\"x\"}",
    "{\"count\":1,\"count\":2}",
    "{\"count\":12345678901234567890123}",
    "{\"name\":\"\xff\"}",
    "{\"inside\":{\"low\":3}}",
    "{\"inside\":\"{\\\"low\\\":3}\",\"any\":[1,\"a\",null,{\"b\":2.5}]}",
    "\"{\\\"count\\\":4}\"",
    "\"not json\"",
    "\"\"",
    "[1]",
    "5",
    "true",
};

struct fixture {
    tenon_toolbox  *box;
    tenon_call     *text, *value;
    struct tn_arena arena;
};

static const tenon_answer *run_value(struct fixture *fixture, const char *tool, const char *text)
{
    static const struct tn_json_limits limits = { SIZE_MAX, 64, SIZE_MAX };
    struct tn_json_text                read   = { 0 };

    tn_arena_reset(&fixture->arena);
    if (*text) {
        read = tn_json_read(&fixture->arena, text, strlen(text), &limits);
        assert_non_null(read.root);
    }
    return tn_call_run_value(fixture->value, tn_toolbox_lookup(fixture->box, tool), read.root, read.bad_utf8,
                             read.nodes);
}

static int set_up(void **state)
{
    static const unsigned char key[TENON_KEY_LEN] = { 1 };
    struct fixture            *fixture            = calloc(1, sizeof *fixture);
    tenon_allocator            memory             = tn_memory_of(NULL);

    tn_arena_init(&fixture->arena, &memory, 0);
    fixture->box = tenon_toolbox_new(.key = key);
    tenon_toolbox_add(fixture->box, by_rows_tool());
    tenon_toolbox_add(fixture->box, by_schema_tool());
    assert_null(tenon_toolbox_error(fixture->box));
    fixture->text  = tenon_call_new(fixture->box);
    fixture->value = tenon_call_new(fixture->box);
    *state         = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->text);
    tenon_call_free(fixture->value);
    tenon_toolbox_free(fixture->box);
    tn_arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static void answers_the_same(void **state)
{
    static const char *const tools[] = { "by_rows", "by_schema" };
    struct fixture          *fixture = *state;

    for (size_t tool = 0; tool < COUNT_OF(tools); tool++)
        for (size_t i = 0; i < COUNT_OF(texts); i++) {
            const tenon_answer *want = tenon_call_run(fixture->text, tools[tool], texts[i], strlen(texts[i]));
            const tenon_answer *got  = run_value(fixture, tools[tool], texts[i]);

            assert_string_equal(got->json, want->json);
            assert_int_equal(tenon_call_coerced(fixture->value), tenon_call_coerced(fixture->text));
        }
}

/* A cursor is of its query, in whichever way that came. */
static void cursors_travel(void **state)
{
    static const char query[] = "{\"inside\":{},\"any\":{\"a\":[1]}";
    struct fixture   *fixture = *state;
    char              first[200], next[600];
    const char       *cursor;
    yyjson_doc       *doc;

    snprintf(first, sizeof first, "%s}", query);
    doc    = read_answer(run_value(fixture, "by_rows", first));
    cursor = yyjson_get_str(yyjson_doc_ptr_get(doc, "/data/nextCursor"));
    assert_non_null(cursor);
    snprintf(next, sizeof next, "%s,\"cursor\":\"%s\"}", query, cursor ? cursor : "");
    yyjson_doc_free(doc);
    assert_false(tenon_call_run(fixture->text, "by_rows", next, strlen(next))->is_error);
    assert_false(run_value(fixture, "by_rows", next)->is_error);
    memcpy(strstr(next, "[1]"), "[2]", 3);
    assert_true(run_value(fixture, "by_rows", next)->is_error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cursors_travel, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
