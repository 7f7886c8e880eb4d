/* leave_out_test.c - a caller of the portable form leaves parameters out, and no other caller does so by accident. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/shape.h"
#include "rows/bind.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum level { LOW, HIGH };
static const char *const level_names[] = { "low", "high", NULL };
enum said { GIVEN, NOT_GIVEN };
static const char *const said_names[] = { "given", "not_given", NULL };

typedef struct {
    const char *name, *note;
    int         age, days;
    double      share;
    bool        flag, dry;
    int         level, said;
    tenon_strs  tags;
    tenon_ints  ids;
} args;

TENON_ROWS(args_rows, args,
    TENON_STR  (name,   "A name."),
    TENON_STR  (note,   "A note.", .blank_ok = true),
    TENON_INT  (age,    "An age.", .range = {1, 150}),
    TENON_INT  (days,   "Days.", .def = 3),
    TENON_NUM  (share,  "A share.", .strict = true),
    TENON_BOOL (flag,   "A flag."),
    TENON_BOOL (dry,    "A strict flag.", .strict = true),
    TENON_ENUM (level,  level_names, "A level."),
    TENON_ENUM (said,   said_names, "A word that is a value of its own."),
    TENON_STRS (tags,   "Tags.", .count = {1, 5}),
    TENON_INTS (ids,    "Numbers.", .count = {1, 5}),
    TENON_EXCLUSIVE(days, age));

struct outcome {
    unsigned presence; /* of the one parameter that was sent */
    size_t   issues, messages;
};

/* An issue is addressed by the name that was sent, also where the value was read from its text. */
static void assert_addressed(const struct tn_judge *judge, const char *json)
{
    for (size_t i = 0; i < judge->issues.count; i++) {
        char                   name[40];
        const struct tn_slice *label = &judge->issues.at[i].label;

        assert_in_range(label->len, 1, sizeof name - 3);
        if (*label->at == '/') /* into a list */
            continue;
        snprintf(name, sizeof name, "\"%.*s\"", (int)label->len, label->at);
        if (!strstr(json, name))
            fail_msg("%s: the issue is of %s", json, name);
    }
}

static struct outcome send(const char *json, bool portable, bool destructive)
{
    tenon_shape    *shape = tenon_shape_new(args_rows(), NULL);
    struct tn_arena arena;
    struct matcher *matcher = NULL;
    struct tn_judge judge   = { .arena       = &arena,
                                .matcher     = &matcher,
                                .memory      = &shape->memory,
                                .limits      = { 1 << 20, 64, 1000 },
                                .unknown     = TENON_UNKNOWN_REJECT,
                                .portable    = portable,
                                .destructive = destructive };
    struct outcome  outcome = { 0 };

    assert_null(tenon_shape_error(shape));
    tn_arena_init(&arena, &shape->memory, 0);
    tn_bind_text(&judge, shape->object, json, strlen(json));
    assert_addressed(&judge, json);
    outcome.issues   = judge.issues.total;
    outcome.messages = judge.messages.count;
    for (size_t i = 0; i < shape->object->count; i++)
        if (judge.root.presence[i] > outcome.presence)
            outcome.presence = judge.root.presence[i];
    tn_matcher_free(matcher);
    tn_arena_free(&arena);
    tenon_shape_free(shape);
    return outcome;
}

static void leaves_out_what_the_form_offers(void **state)
{
    /* What becomes of it: in the portable form, there on a destructive tool, and in the full form. */
    enum { OUT, VALUE, BAD };
    static const struct { const char *json; int portable, destructive, full; } cases[] = {
        { "{\"name\":\"\"}",              OUT,   BAD,   OUT   },
        { "{\"name\":\"not_given\"}",     VALUE, OUT,   VALUE },
        { "{\"note\":\"\"}",              VALUE, VALUE, VALUE },
        { "{\"note\":\"not_given\"}",     OUT,   OUT,   VALUE },
        { "{\"age\":\"\"}",               OUT,   BAD,   OUT   },
        { "{\"age\":\"not_given\"}",      OUT,   OUT,   BAD   },
        { "{\"age\":null}",                 OUT,   BAD,   OUT   },
        { "{\"age\":\"7\"}",              VALUE, VALUE, VALUE },
        { "{\"age\":\"x\"}",              BAD,   BAD,   BAD   },
        { "{\"age\":\"151\"}",            BAD,   BAD,   BAD   },
        { "{\"days\":3}",                   OUT,   OUT,   VALUE },
        { "{\"days\":3.0}",                 OUT,   OUT,   VALUE },
        { "{\"days\":4}",                   VALUE, VALUE, VALUE },
        { "{\"days\":3,\"age\":7}",       VALUE, VALUE, BAD   },
        { "{\"share\":\"\"}",             OUT,   BAD,   BAD   },
        { "{\"share\":\"0.5\"}",          VALUE, VALUE, BAD   },
        { "{\"flag\":\"not_given\"}",     OUT,   OUT,   BAD   },
        { "{\"flag\":\"true\"}",          VALUE, VALUE, VALUE },
        { "{\"dry\":\"not_given\"}",      OUT,   OUT,   BAD   },
        { "{\"dry\":\"false\"}",          VALUE, VALUE, BAD   },
        { "{\"level\":\"not_given\"}",    OUT,   OUT,   BAD   },
        { "{\"level\":\"\"}",             OUT,   BAD,   OUT   },
        { "{\"level\":\"high\"}",         VALUE, VALUE, VALUE },
        { "{\"said\":\"not_given\"}",     VALUE, VALUE, VALUE },
        { "{\"tags\":[]}",                  OUT,   BAD,   BAD   },
        { "{\"tags\":[\"not_given\"]}",   VALUE, OUT,   VALUE },
        { "{\"tags\":[\"not_given\",\"a\"]}", VALUE, VALUE, VALUE },
        { "{\"tags\":\"\"}",              OUT,   BAD,   OUT   },
        { "{\"ids\":[]}",                   OUT,   BAD,   BAD   },
        { "{\"ids\":\"not_given\"}",      OUT,   OUT,   BAD   },
        { "{\"ids\":\"[1,2]\"}",          VALUE, VALUE, VALUE },
    };
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases) * 3; i++) {
        const char    *json  = cases[i / 3].json;
        struct outcome found = send(json, i % 3 < 2, i % 3 == 1);
        int            got   = found.issues > 0 ? BAD : found.presence == PRESENT_GIVEN ? VALUE : OUT;
        int            want  = i % 3 == 0   ? cases[i / 3].portable
                               : i % 3 == 1 ? cases[i / 3].destructive
                                            : cases[i / 3].full;

        if (got != want)
            print_error("%s in way %zu: wanted %d, got %d\n", json, i % 3, want, got);
        wrong += got != want;
        assert_true(i % 3 == 2 || found.messages == 0); /* what the form asks for needs no remark */
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_out_what_the_form_offers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
