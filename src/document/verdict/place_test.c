/* place_test.c - issues can be written about whatever became of their places: nothing of a record is left unset. */
#include "document/document.h"
#include "json/read.h"
#include "support/schema_case.h"

#define ROOM_MAX  ((size_t)64 << 10)
#define ROOM_STEP ((size_t)64)

static const struct tn_json_limits limits = { 1 << 20, 256, 100000 };

/* One judgement of a value with so much memory. True when that was enough. */
static bool report(const tenon_schema *schema, yyjson_val *value, size_t room)
{
    struct tn_arena   arena;
    struct matcher   *matcher = NULL;
    struct tn_judge   judge   = { .arena = &arena, .matcher = &matcher, .memory = &schema->shape.memory };
    struct tn_verdict run     = tn_document_verdict(schema, &judge, VERDICT_STEPS_MAX);
    bool              enough;

    tn_arena_init(&arena, NULL, room);
    assert_false(tn_verdict_full(&run, schema->node, value));
    tn_verdict_places(&judge);
    for (size_t i = 0; i < judge.issues.count; i++) {
        assert_false(judge.issues.at[i].unfilled);
        assert_null(judge.issues.at[i].place.key);
        assert_int_not_equal(judge.issues.at[i].code, 0);
    }
    enough = !arena.failed;
    tn_matcher_free(matcher);
    tn_arena_free(&arena);
    return enough;
}

static void is_set_without_memory_too(void **state)
{
    static const char  text[] = "{\"a\":{\"b\":[1,\"x\",{\"c\":null}]},\"maximun\":7,\"d\":[true],"
                                "\"n\":5}";
    struct schema_case one    = schema_case_open(
           "{'properties':{'a':{'properties':{'b':{'items':{'type':'integer'}}}},"
              "'maximum':{},'d':{'items':{'type':'string'}},'n':{'maximum':1}},"
              "'additionalProperties':false,'required':['e']}",
           "1", false);
    size_t              refused = 0, room = ROOM_STEP;
    struct tn_arena     arena;
    struct tn_json_text read;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    read = tn_json_read(&arena, text, sizeof text - 1, &limits);
    assert_non_null(read.root);
    for (; room < ROOM_MAX && !report(one.schema, read.root, room); room += ROOM_STEP)
        refused++;
    assert_true(refused > 0);
    assert_true(room < ROOM_MAX);
    tn_arena_free(&arena);
    schema_case_close(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(is_set_without_memory_too) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
