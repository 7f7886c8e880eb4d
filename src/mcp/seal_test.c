/* seal_test.c - sealed tokens open for whom they were made, and for nobody else. */
#include "mcp/seal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct fixture {
    tenon_allocator     memory;
    struct tn_arena     arena;
    struct tn_seal_keys keys;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->memory = tn_memory_of(NULL);
    tn_arena_init(&fixture->arena, &fixture->memory, 0);
    *state = fixture;
    return tn_seal_keys_draw(&fixture->keys) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tn_arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static bool opens(struct fixture *fixture, const char *purpose, const char *bound, int64_t now,
                  struct tn_slice token)
{
    struct tn_slice payload;

    return tn_seal_open(&fixture->keys, &fixture->arena, purpose, tn_slice_of(bound), now, token, &payload);
}

static void gives_back_what_was_sealed(void **state)
{
    static const size_t lengths[] = { 0, 1, 2, 3, 31, 4096, SEAL_PAYLOAD_MAX };
    struct fixture     *fixture   = *state;
    char               *text      = calloc(1, SEAL_PAYLOAD_MAX + 1);

    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        struct tn_slice payload = { text, lengths[i] }, found, token;

        memset(text, (int)('a' + i), lengths[i]);
        token = tn_seal_text(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 1000, payload);
        assert_true(token.len > 0 && token.len <= SEAL_TOKEN_MAX && strlen(token.at) == token.len);
        assert_int_equal(strspn(token.at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
                         token.len);
        assert_true(
            tn_seal_open(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 999, token, &found));
        assert_int_equal(found.len, payload.len);
        assert_memory_equal(found.at, payload.at, payload.len);
        assert_int_equal(found.at[found.len], 0);
    }
    assert_int_equal(tn_seal_text(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 1000,
                                  (struct tn_slice){ text, SEAL_PAYLOAD_MAX + 1 })
                         .len,
                     0);
    free(text);
}

static void opens_only_for_its_own(void **state)
{
    static const struct {
        const char *purpose, *bound;
        int64_t     now;
        bool        opens;
    } cases[] = {
        { "state", "ann", 0, true },
        { "state", "ann", 999, true },
        { "state", "ann", INT64_MIN, true },
        { "state", "ann", 1000, false },
        { "state", "ann", INT64_MAX, false },
        { "state", "bob", 0, false },
        { "state", "", 0, false },
        { "state", "annn", 0, false },
        { "statean", "n", 0, false },
        { "session", "ann", 0, false },
    };
    struct fixture *fixture = *state;
    struct tn_slice token   = tn_seal_text(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 1000,
                                           SLICE_LIT("text"));

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(opens(fixture, cases[i].purpose, cases[i].bound, cases[i].now, token),
                         cases[i].opens);
}

static void keeps_times_beyond_32_bits(void **state)
{
    static const int64_t times[] = { 1, 0x7fffffff, 0x80000000, 1794787200000, INT64_MAX };
    struct fixture      *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(times); i++) {
        struct tn_slice token = tn_seal_text(&fixture->keys, &fixture->arena, "t", SLICE_LIT(""), times[i],
                                             SLICE_LIT("x"));

        assert_true(opens(fixture, "t", "", times[i] - 1, token));
        assert_false(opens(fixture, "t", "", times[i], token));
    }
}

/* Every byte counts, and so does every length. */
static void refuses_what_was_changed(void **state)
{
    struct fixture *fixture = *state;
    struct tn_slice token   = tn_seal_text(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 1000,
                                           SLICE_LIT("text"));
    char           *copy    = calloc(1, token.len + 3);

    for (size_t i = 0; i < token.len; i++)
        for (const char *c = "Aa0_=+/ \n"; *c; c++) {
            memcpy(copy, token.at, token.len);
            copy[i] = *c;
            assert_int_equal(opens(fixture, "state", "ann", 0, (struct tn_slice){ copy, token.len }),
                             copy[i] == token.at[i]);
        }
    memcpy(copy, token.at, token.len);
    for (size_t i = 0; i < token.len; i++)
        assert_false(opens(fixture, "state", "ann", 0, (struct tn_slice){ copy, i }));
    for (const char *tail = "A=.\n"; *tail; tail++) {
        copy[token.len] = *tail;
        assert_false(opens(fixture, "state", "ann", 0, (struct tn_slice){ copy, token.len + 1 }));
    }
    assert_false(opens(fixture, "state", "ann", 0, (struct tn_slice){ copy, 0 }));
    free(copy);
}

static void refuses_what_is_too_long(void **state)
{
    struct fixture *fixture = *state;
    char           *text    = malloc(SEAL_TOKEN_MAX + 4);

    memset(text, 'A', SEAL_TOKEN_MAX + 4);
    assert_false(opens(fixture, "state", "ann", 0, (struct tn_slice){ text, SEAL_TOKEN_MAX }));
    assert_false(opens(fixture, "state", "ann", 0, (struct tn_slice){ text, SEAL_TOKEN_MAX + 1 }));
    free(text);
}

static void seals_long_text(void **state)
{
    struct fixture *fixture = *state;
    char           *text    = calloc(1, SEAL_LONG_MAX + 1);
    struct tn_slice payload = { text, SEAL_LONG_MAX }, found, token;

    memset(text, 'x', SEAL_LONG_MAX);
    token = tn_seal_long_text(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 1000, payload);
    assert_true(token.len > SEAL_TOKEN_MAX && token.len <= SEAL_LONG_TOKEN_MAX);
    assert_false(opens(fixture, "state", "ann", 0, token)); /* what is short is not that long */
    assert_true(
        tn_seal_long_open(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 0, token, &found));
    assert_true(tn_slice_same(found, payload));
    assert_false(
        tn_seal_long_open(&fixture->keys, &fixture->arena, "state", SLICE_LIT("bob"), 0, token, &found));
    payload.len++;
    token = tn_seal_long_text(&fixture->keys, &fixture->arena, "state", SLICE_LIT("ann"), 1000, payload);
    assert_int_equal(token.len, 0);
    free(text);
}

static bool is_marked(struct fixture *fixture, const char *purpose, const char *bound, struct tn_slice token)
{
    struct tn_slice text;

    return tn_seal_marked(&fixture->keys, purpose, tn_slice_of(bound), token, &text);
}

static void marks_are_the_same_each_time_and_for_one_purpose(void **state)
{
    static const char *const texts[] = { "", "t-1", "a longer one, with spaces", "ann" };
    struct fixture          *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct tn_slice text  = tn_slice_of(texts[i]), found;
        struct tn_slice token = tn_seal_mark(&fixture->keys, &fixture->arena, "task", SLICE_LIT("ann"), text);
        struct tn_slice again = tn_seal_mark(&fixture->keys, &fixture->arena, "task", SLICE_LIT("ann"), text);
        char           *copy  = malloc(token.len + 1);

        assert_true(token.len > text.len && tn_slice_same(token, again));
        assert_true(tn_seal_marked(&fixture->keys, "task", SLICE_LIT("ann"), token, &found));
        assert_true(tn_slice_same(found, text));
        assert_false(is_marked(fixture, "other", "ann", token));
        assert_false(is_marked(fixture, "task", "bob", token));
        assert_false(is_marked(fixture, "task", "an", token)); /* nor does a letter move over */
        assert_false(is_marked(fixture, "task", "ann", text));
        memcpy(copy, token.at, token.len);
        for (size_t at = 0; at < token.len; at++) {
            copy[at] ^= 1;
            assert_false(is_marked(fixture, "task", "ann", (struct tn_slice){ copy, token.len }));
            assert_false(is_marked(fixture, "task", "ann", (struct tn_slice){ token.at, at }));
            copy[at] ^= 1;
        }
        free(copy);
    }
}

static void rotates_keys(void **state)
{
    struct fixture     *fixture = *state;
    struct tn_seal_keys old     = fixture->keys, both, other;
    struct tn_slice     token, payload;

    token = tn_seal_text(&old, &fixture->arena, "state", SLICE_LIT("ann"), 1000, SLICE_LIT("text"));
    assert_true(tn_seal_keys_draw(&both));
    memcpy(both.at[1], old.at[0], SEAL_KEY_LEN);
    both.count = 2;
    assert_true(tn_seal_keys_draw(&other));
    assert_true(tn_seal_open(&both, &fixture->arena, "state", SLICE_LIT("ann"), 0, token, &payload));
    assert_true(tn_slice_is(payload, "text"));
    assert_false(tn_seal_open(&other, &fixture->arena, "state", SLICE_LIT("ann"), 0, token, &payload));
    assert_int_equal(payload.len, 0);
    both.count = 1;
    assert_false(tn_seal_open(&both, &fixture->arena, "state", SLICE_LIT("ann"), 0, token, &payload));
    both.count = 2; /* the first one signs: who has only the old one cannot open it */
    token      = tn_seal_text(&both, &fixture->arena, "state", SLICE_LIT("ann"), 1000, SLICE_LIT("text"));
    assert_false(tn_seal_open(&old, &fixture->arena, "state", SLICE_LIT("ann"), 0, token, &payload));
    assert_true(tn_seal_open(&both, &fixture->arena, "state", SLICE_LIT("ann"), 0, token, &payload));
}

static void never_seals_twice_the_same(void **state)
{
    struct fixture *fixture = *state;
    struct tn_slice one     = tn_seal_text(&fixture->keys, &fixture->arena, "t", SLICE_LIT(""), 1,
                                           SLICE_LIT("x"));
    struct tn_slice two     = tn_seal_text(&fixture->keys, &fixture->arena, "t", SLICE_LIT(""), 1,
                                           SLICE_LIT("x"));

    assert_int_equal(one.len, two.len);
    assert_memory_not_equal(one.at, two.at, one.len);
}

static void survives_every_refusal(void **state)
{
    struct fixture *fixture = *state;
    struct tn_slice token   = tn_seal_text(&fixture->keys, &fixture->arena, "t", SLICE_LIT(""), 1,
                                           SLICE_LIT("x")),
                    payload;
    struct tn_fault fault  = { .refuse_at = 1, .refuse_rest = true };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_arena arena;

    tn_arena_init(&arena, &memory, 0);
    assert_int_equal(tn_seal_text(&fixture->keys, &arena, "t", SLICE_LIT(""), 1, SLICE_LIT("x")).len, 0);
    assert_false(tn_seal_open(&fixture->keys, &arena, "t", SLICE_LIT(""), 0, token, &payload));
    tn_arena_free(&arena);
    assert_int_equal(fault.blocks, 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(gives_back_what_was_sealed),
        TEST(opens_only_for_its_own),
        TEST(keeps_times_beyond_32_bits),
        TEST(refuses_what_was_changed),
        TEST(refuses_what_is_too_long),
        TEST(rotates_keys),
        TEST(seals_long_text),
        TEST(marks_are_the_same_each_time_and_for_one_purpose),
        TEST(never_seals_twice_the_same),
        TEST(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
