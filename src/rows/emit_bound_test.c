/* emit_bound_test.c - no schema is longer than what is said without writing it. */
#include <stdio.h>

#include "model/shape.h"
#include "rows/emit.h"
#include "support/judged.h"

#define SCHEMA_MAX ((size_t)16 << 20)

enum level { LOW, MID, HIGH };

typedef struct {
    const char       *word;
    enum level        level;
    tenon_strs        words;
    const tenon_json *json;
} deepest;
typedef struct {
    deepest in;
} deeper;
typedef struct {
    deeper in;
} deep;

#define LONG_TEXT 3000

static char      long_text[LONG_TEXT + 1], long_default[LONG_TEXT * 6 + 8];
static tenon_row deepest_row[4];

/* Every text that is published, as long as the others and of what is escaped. */
static const tenon_rows *deepest_rows(void)
{
    static const char *names[3];
    static tenon_rows  table = { "deepest_rows",    deepest_row,     4,
                                 sizeof(tenon_row), sizeof(deepest), { NULL, NULL } };

    names[0] = "low", names[1] = "mid", names[2] = long_text;
    tenon_row_init(&deepest_row[0], TENON_KIND_STR);
    deepest_row[0].field = "word", deepest_row[0].offset = offsetof(deepest, word);
    deepest_row[0].size = sizeof(const char *), deepest_row[0].rule.text.def = long_text;
    tenon_row_init(&deepest_row[1], TENON_KIND_ENUM);
    deepest_row[1].field = "level", deepest_row[1].offset = offsetof(deepest, level);
    deepest_row[1].size = sizeof(enum level), deepest_row[1].rule.choice.names = names;
    deepest_row[1].rule.choice.name_count = 3, deepest_row[1].rule.choice.def = 2;
    tenon_row_init(&deepest_row[2], TENON_KIND_STRS);
    deepest_row[2].field = "words", deepest_row[2].offset = offsetof(deepest, words);
    deepest_row[2].size = sizeof(tenon_strs), deepest_row[2].rule.strs.def = long_default;
    tenon_row_init(&deepest_row[3], TENON_KIND_JSON);
    deepest_row[3].field = "json", deepest_row[3].offset = offsetof(deepest, json);
    deepest_row[3].size = sizeof(const tenon_json *), deepest_row[3].rule.object.example = long_default;
    for (size_t i = 0; i < COUNT_OF(deepest_row); i++)
        deepest_row[i].rule.any.doc = long_text;
    return &table;
}

typedef deepest deepest_rows_of_; /* as TENON_ROWS makes it */

TENON_ROWS(deeper_rows, deeper, TENON_OBJECT(in, deepest_rows, "In."));
TENON_ROWS(deep_rows, deep, TENON_OBJECT(in, deeper_rows, "In."));

static void assert_within(const tenon_shape *shape, const struct tn_buf *out)
{
    assert_false(out->failed);
    if (out->len > tn_emit_bound(shape->object))
        fail_msg("%zu bytes, and the bound is %zu", out->len, tn_emit_bound(shape->object));
}

/* Writes every form. */
static void write_all(const tenon_shape *shape)
{
    struct tn_arena arena;
    struct tn_buf   out;

    tn_arena_init(&arena, NULL, 0);
    for (unsigned how = 0; how < 8; how++) {
        tn_buf_init(&out, &arena, 0, SCHEMA_MAX);
        tn_emit_object(&out, shape->object,
                       &(struct tn_emit_how){ (tenon_schema_form)(how & 1), (how & 2) != 0, (how & 4) != 0 });
        assert_within(shape, &out);
    }
    tn_buf_init(&out, &arena, 0, SCHEMA_MAX);
    tn_emit_result(&out, shape->object);
    assert_within(shape, &out);
    tn_arena_free(&arena);
}

/* A default in JSON, of the same character, escaped. */
static void fill(char with)
{
    size_t len = (size_t)sprintf(long_default, "[\"");

    memset(long_text, with, LONG_TEXT);
    for (size_t i = 0; i < LONG_TEXT / 2; i++)
        len += (size_t)sprintf(long_default + len, with == 'x' ? "x" : "\\u%04x", (unsigned)with);
    sprintf(long_default + len, "\"]");
}

static void is_within_its_bound(void **state)
{
    static const tenon_rows_fn tables[] = { deep_rows, deeper_rows, deepest_rows };
    static const char          fills[]  = { 'x', '"', '\\', '\x02' };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(tables) * COUNT_OF(fills); i++) {
        tenon_shape *shape;

        fill(fills[i % COUNT_OF(fills)]);
        shape = tenon_shape_new(tables[i / COUNT_OF(fills)](), NULL);
        assert_null(tenon_shape_error(shape));
        write_all(shape);
        tenon_shape_free(shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(is_within_its_bound) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
