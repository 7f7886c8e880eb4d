/* row_shape_test.c - rows that are compiled once more: the same model, in one block, without checking anything again. */
#include "rows/row_shape.h"

#include <string.h>

#include <tenon/tenon.h>

#include "model/words/words.h"
#include "rows/emit.h"
#include "support/fault.h"
#include "support/judged.h"

enum level { LOW, MID, HIGH };
static const char *const level_names[] = { "low", "mid", "high" };

typedef struct {
    double lat;
} point;
typedef struct {
    const char *name;
    int         days;
    enum level  level;
    tenon_strs  tags;
    tenon_enums levels;
    point       at;
    tenon_time  day;
    tenon_page  page;
} trip;

static size_t checked;

static const char *count_checks(tenon_check *check, const void *value)
{
    (void)check, (void)value;
    checked++;
    return NULL;
}

TENON_ROWS(point_rows, point, TENON_NUM(lat, "L.", .required = true, .range = { -90, 90 }));
TENON_ROWS(trip_rows, trip,
    TENON_STR   (name,   "N.", .required = true, .pattern = "^(?:a|b)+$", .example = "ab"),
    TENON_INT   (days,   "D.", .range = {1, 14}, .def = 3, .check = count_checks),
    TENON_ENUM  (level,  level_names, "L.", .def = MID),
    TENON_STRS  (tags,   "T.", .comma = true, .def = "a,b", .pattern = "^(?:a|b)+$", .example = "[\"a\"]"),
    TENON_ENUMS (levels, level_names, "L."),
    TENON_OBJECT(at,     point_rows, "A.", .def = "{\"lat\":1}"),
    TENON_DATE  (day,    "D.", .def = "2025-01-15"),
    TENON_PAGE  (page,   .max = 20));

static void same_slice(struct tn_slice one, struct tn_slice other)
{
    assert_int_equal(one.len, other.len);
    assert_memory_equal(one.at, other.at, one.len);
}

static void same_texts(const tenon_shape *one, const tenon_shape *other)
{
    struct tn_arena arena;
    struct tn_buf   text[2];

    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < 2; i++) {
        tn_buf_init(&text[i], &arena, 0, 1 << 20);
        tn_emit_object(&text[i], (i ? other : one)->object, &(struct tn_emit_how){ .closed = true });
    }
    assert_string_equal(tn_buf_end(&text[0]), tn_buf_end(&text[1]));
    tn_arena_free(&arena);
}

static void is_the_same(void **state)
{
    tenon_shape *tried = tn_shape_try(trip_rows(), "t", NULL),
                *shape = tn_shape_compile(trip_rows(), "t", NULL);
    tenon_shape *again;
    const trip  *defaults;
    size_t       before = checked;

    (void)state;
    again = tn_shape_again(trip_rows(), tn_shape_room(tried), false, NULL);
    assert_int_equal(checked, before); /* nothing of the program ran */
    assert_true(before > 0);
    assert_null(again->error);
    same_texts(tried, shape);
    same_texts(again, shape);
    for (size_t i = 0; i < shape->object->count; i++) {
        const struct tn_node *one = shape->object->params[i].node, *other = again->object->params[i].node;

        same_slice(one->expected, other->expected);
        same_slice(one->example, other->example);
        assert_true(one->expected.len > 0);
        assert_int_equal(tried->object->params[i].node->expected.len, 0);
        assert_int_equal(one->check_count, other->check_count);
    }
    same_slice(shape->object->example, again->object->example);
    defaults = again->object->defaults;
    assert_int_equal(defaults->days, 3);
    assert_int_equal(defaults->level, MID);
    assert_string_equal(defaults->tags.at[1], "b");
    assert_true(defaults->at.lat > 0 && defaults->day.set);
    assert_int_equal(defaults->page.page_size, 20);
    assert_ptr_equal(again->object->params[0].node->text.pattern,
                     again->object->params[3].node->list.item->text.pattern); /* one for both */
    tenon_shape_free(tried);
    tenon_shape_free(shape);
    tenon_shape_free(again);
}

/* What is said about the room is enough, and not much more. */
static void fits_into_its_room(void **state)
{
    static const tenon_rows_fn tables[] = { trip_rows, point_rows };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        tenon_shape *tried = tn_shape_try(tables[i](), "t", NULL);
        size_t       room  = tn_shape_room(tried);
        tenon_shape *again = tn_shape_again(tables[i](), room, false, NULL);

        assert_true(again->arena.used <= room + 64); /* one block */
        assert_true(tn_shape_room(again) > room / 2);
        tenon_shape_free(tried);
        tenon_shape_free(again);
        again = tn_shape_again(tables[i](), 1, false, NULL); /* too short, and it grows */
        assert_null(again->error);
        assert_true(tn_shape_room(again) > room / 2);
        tenon_shape_free(again);
    }
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t nth = 1, refused = 1; refused; nth++) {
        struct tn_fault fault  = { .refuse_at = nth };
        tenon_allocator memory = tn_fault_allocator(&fault);
        tenon_shape    *shape  = tn_shape_again(trip_rows(), nth % 2 ? 20000 : 1, nth % 3 == 0, &memory);

        refused = fault.refused;
        assert_true(shape ? !shape->error : refused);
        tenon_shape_free(shape);
        assert_int_equal(fault.blocks, 0);
        assert_int_equal(fault.bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(is_the_same), cmocka_unit_test(fits_into_its_room),
                                        cmocka_unit_test(survives_every_refusal) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
