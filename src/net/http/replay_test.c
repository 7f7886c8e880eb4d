/* replay_test.c - streams that are read live, lost, and come back to; their bounds; whose they are. */
#include "net/http/replay.h"

#include <stdio.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SESSION         SLICE_LIT("session-a")
#define NOBODY          ((struct tn_slice){ NULL, 0 })

struct counted {
    struct tn_replay_reader reader;
    int                     wakes;
};

static void count_wake(struct tn_replay_reader *reader)
{
    ((struct counted *)reader)->wakes++;
}

static struct counted reader_new(void)
{
    return (struct counted){ .reader = { count_wake } };
}

static int64_t at_ms;

static int64_t fixed_now(void *user)
{
    (void)user;
    return at_ms;
}

static const struct tn_clock fixed = { fixed_now, fixed_now, NULL };

struct store {
    struct tn_fault fault;
    tenon_allocator memory;
    struct replays *replays;
    struct tn_arena arena;
};

static void store_open(struct store *store, const struct tn_replay_limits *limits)
{
    *store         = (struct store){ .fault = { 0 } };
    store->memory  = tn_fault_allocator(&store->fault);
    store->replays = tn_replays_new(&store->memory, fixed, limits);
    assert_non_null(store->replays);
    tn_arena_init(&store->arena, NULL, 0);
}

static void store_close(struct store *store)
{
    tn_replays_free(store->replays);
    assert_int_equal(store->fault.blocks, 0);
    assert_int_equal(store->fault.bytes, 0);
    tn_arena_free(&store->arena);
}

static void keep(struct replay *replay, const char *text)
{
    tn_replay_keep(replay, tn_slice_of(text), false);
}

/* An id of this store, as cases write it: without the boot. In the arena. */
static struct tn_slice id_of(struct store *store, const char *rest)
{
    struct tn_slice boot = tn_replays_boot(store->replays);
    struct tn_buf   id;

    tn_buf_init(&id, &store->arena, 100, 200);
    tn_buf_add(&id, boot.at, boot.len);
    tn_buf_char(&id, '-');
    tn_buf_text(&id, rest);
    assert_non_null(tn_buf_end(&id));
    return tn_buf_slice(&id);
}

/* Takes the boot out of the ids of events. */
static void strip_boots(const struct store *store, char *text)
{
    struct tn_slice boot = tn_replays_boot(store->replays);

    while ((text = strstr(text, "id: "))) {
        text += 4;
        assert_memory_equal(text, boot.at, boot.len);
        assert_int_equal(text[boot.len], '-');
        memmove(text, text + boot.len + 1, strlen(text + boot.len + 1) + 1);
    }
}

/* Reads, and compares what came; the text is in the arena. */
static void assert_read(struct store *store, struct replay *replay, struct counted *reader, const char *want,
                        enum tn_replay_next next)
{
    struct tn_buf out;

    tn_buf_init(&out, &store->arena, 100, 1 << 20);
    assert_int_equal(tn_replay_read(replay, &reader->reader, &out), next);
    assert_non_null(tn_buf_end(&out));
    strip_boots(store, out.at);
    assert_string_equal(out.at, want);
}

static void live(void **state)
{
    struct store   store;
    struct counted reader = reader_new();
    struct replay *replay;
    char           room[REPLAY_ID_MAX + 1];

    (void)state;
    store_open(&store, NULL);
    replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    assert_true(tn_slice_is(id_of(&store, "1-0"), tn_replay_first_id(replay, room).at));
    assert_read(&store, replay, &reader, "", REPLAY_WAIT);
    keep(replay, "{\"a\":1}");
    keep(replay, "{\"a\":2}");
    assert_int_equal(reader.wakes, 2);
    assert_read(&store, replay, &reader, "id: 1-1\ndata: {\"a\":1}\n\nid: 1-2\ndata: {\"a\":2}\n\n",
                REPLAY_WAIT);
    assert_read(&store, replay, &reader, "", REPLAY_WAIT);
    keep(replay, "{}");
    tn_replay_end(replay);
    keep(replay, "after the end");
    assert_read(&store, replay, &reader, "id: 1-3\ndata: {}\n\n", REPLAY_OVER);
    tn_replay_leave(replay, &reader.reader);
    tn_replay_release(replay);
    store_close(&store);
}

/* A client that lost its connection behind any of four events gets the rest, and what comes while it reads. */
static void resumed_everywhere(void **state)
{
    static const char *const events[] = { "id: 1-1\ndata: one\n\n", "id: 1-2\ndata: two\n\n",
                                          "id: 1-3\ndata: three\n\n", "id: 1-4\ndata: four\n\n" };

    (void)state;
    for (int from = 0; from <= 3; from++) {
        struct store   store;
        struct counted first = reader_new(), second = reader_new();
        struct replay *replay, *again;
        char           want[200] = "", id[20];

        store_open(&store, NULL);
        replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &first.reader);
        keep(replay, "one");
        assert_read(&store, replay, &first, events[0], REPLAY_WAIT);
        tn_replay_leave(replay, &first.reader);
        keep(replay, "two");
        keep(replay, "three");
        snprintf(id, sizeof id, "1-%d", from);
        again = tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, id), &second.reader);
        assert_ptr_equal(again, replay);
        for (int i = from; i < 3; i++)
            strcat(want, events[i]);
        assert_read(&store, replay, &second, want, REPLAY_WAIT);
        keep(replay, "four");
        tn_replay_end(replay);
        assert_int_equal(second.wakes, 2);
        assert_read(&store, replay, &second, events[3], REPLAY_OVER);
        tn_replay_leave(replay, &second.reader);
        tn_replay_release(again);
        tn_replay_release(replay);
        /* and once more after the writer went */
        again = tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-3"), &first.reader);
        assert_read(&store, again, &first, events[3], REPLAY_OVER);
        tn_replay_leave(again, &first.reader);
        tn_replay_release(again);
        store_close(&store);
    }
}

static void refused(void **state)
{
    static const struct { const char *session, *caller, *event; bool want; } cases[] = {
        { "session-a", "ann", "1-0",                                          true  },
        { "session-a", "ann", "1-2",                                          true  },
        { "session-a", "ann", "1-3",                                          false },
        { "session-a", "ann", "2-0",                                          false },
        { "session-a", "bob", "1-0",                                          false },
        { "session-a", "",    "1-0",                                          false },
        { "session-b", "ann", "1-0",                                          false },
        { "session-",  "ann", "1-0",                                          false },
        { "",          "ann", "1-0",                                          false },
        { "session-a", "ann", "",                                             false },
        { "session-a", "ann", "1",                                            false },
        { "session-a", "ann", "1-",                                           false },
        { "session-a", "ann", "-0",                                           false },
        { "session-a", "ann", "-",                                            false },
        { "session-a", "ann", "01-0",                                         false },
        { "session-a", "ann", "1-00",                                         false },
        { "session-a", "ann", "1-0x",                                         false },
        { "session-a", "ann", "1--1",                                         false },
        { "session-a", "ann", " 1-0",                                         false },
        { "session-a", "ann", "1-18446744073709551616",                       false },
        { "session-a", "ann", "10000000000000001-0",                          false },
        { "session-a", "ann", "11111111111111111111-11111111111111111111111", false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct store   store;
        struct counted reader = reader_new();
        struct replay *replay, *again;

        store_open(&store, NULL);
        replay = tn_replay_open(store.replays, SESSION, SLICE_LIT("ann"), NULL, &reader.reader);
        keep(replay, "one");
        keep(replay, "two");
        tn_replay_leave(replay, &reader.reader);
        again = tn_replay_resume(store.replays, tn_slice_of(cases[i].session), tn_slice_of(cases[i].caller),
                                 id_of(&store, cases[i].event), &reader.reader);
        if ((again != NULL) != cases[i].want)
            fail_msg("%s of %s, %s", cases[i].event, cases[i].session, cases[i].caller);
        tn_replay_release(again);
        tn_replay_release(replay);
        store_close(&store);
    }
}

/* Another process, or the same after a restart, counts its streams from 1 as well: its ids lead nowhere here, and neither do
 * those without a boot or with what looks like one. */
static void of_another_process(void **state)
{
    static const char *const formats[] = { "%s-1-0",  "1-0",       "-1-0",     "%s0-1-0",
                                           " %s-1-0", "%s-%s-1-0", "%.15s-1-0" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct store   one, two;
        struct counted reader = reader_new();
        struct replay *replay, *other;
        const char    *boot;
        char           id[100];

        store_open(&one, NULL);
        store_open(&two, NULL);
        replay = tn_replay_open(one.replays, SESSION, NOBODY, NULL, &reader.reader);
        other  = tn_replay_open(two.replays, SESSION, NOBODY, NULL, &reader.reader);
        keep(replay, "of one");
        keep(other, "of two");
        boot = tn_replays_boot(i == 0 ? two.replays : one.replays).at;
        snprintf(id, sizeof id, formats[i], boot, boot);
        assert_null(tn_replay_resume(one.replays, SESSION, NOBODY, tn_slice_of(id), &reader.reader));
        tn_replay_release(replay);
        tn_replay_release(other);
        store_close(&one);
        store_close(&two);
    }
}

/* Who comes back before the old connection is known to be lost takes the stream over. */
static void taken_over(void **state)
{
    struct store   store;
    struct counted first = reader_new(), second = reader_new();
    struct replay *replay, *again;

    (void)state;
    store_open(&store, NULL);
    replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &first.reader);
    again  = tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-0"), &second.reader);
    assert_int_equal(first.wakes, 1);
    assert_read(&store, replay, &first, "", REPLAY_TAKEN);
    tn_replay_leave(replay, &first.reader); /* is not the reader any more: changes nothing */
    keep(replay, "one");
    assert_int_equal(first.wakes, 1);
    assert_int_equal(second.wakes, 1);
    assert_read(&store, again, &second, "id: 1-1\ndata: one\n\n", REPLAY_WAIT);
    tn_replay_release(again);
    tn_replay_release(replay);
    store_close(&store);
}

static void bytes_of_a_stream(void **state)
{
    static const struct tn_replay_limits limits = { .stream_bytes = 10 };
    struct store                         store;
    struct counted                       reader = reader_new();
    struct replay                       *replay, *again;

    (void)state;
    store_open(&store, &limits);
    replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    /* a live reader gets all of it */
    keep(replay, "0123456789");
    keep(replay, "a long one, longer than all that is kept");
    assert_read(&store, replay, &reader,
                "id: 1-1\ndata: 0123456789\n\nid: 1-2\ndata: a long one, longer than all that is kept\n\n",
                REPLAY_WAIT);
    tn_replay_leave(replay, &reader.reader);
    assert_null(tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-1"), &reader.reader));
    /* of what comes while nobody reads the newest is kept */
    keep(replay, "three");
    keep(replay, "four");
    keep(replay, "five!");
    again = tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-2"), &reader.reader);
    assert_read(&store, again, &reader, "id: 1-4\ndata: four\n\nid: 1-5\ndata: five!\n\n", REPLAY_WAIT);
    tn_replay_leave(replay, &reader.reader);
    keep(replay, "a final answer that does not fit");
    tn_replay_end(replay);
    assert_null(tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-5"), &reader.reader));
    tn_replay_release(again);
    tn_replay_release(replay);
    store_close(&store);
}

/* A reader that is far behind loses what may be lost, and nothing else. */
static void far_behind(void **state)
{
    static char    big[(2 << 20) + 1];
    struct store   store;
    struct counted reader = reader_new();
    struct replay *replay;
    struct tn_buf  out;

    (void)state;
    memset(big, 'x', sizeof big - 1);
    store_open(&store, NULL);
    replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    tn_replay_keep(replay, tn_slice_of(big), true);
    tn_replay_keep(replay, SLICE_LIT("note"), true);
    tn_replay_keep(replay, SLICE_LIT("final"), false);
    tn_buf_init(&out, &store.arena, 0, 100); /* too small: nothing counts as read */
    assert_int_equal(tn_replay_read(replay, &reader.reader, &out), REPLAY_WAIT);
    assert_true(out.failed);
    tn_buf_init(&out, &store.arena, 0, 4 << 20);
    assert_int_equal(tn_replay_read(replay, &reader.reader, &out), REPLAY_WAIT);
    assert_null(strstr(tn_buf_end(&out), "note"));
    strip_boots(&store, out.at);
    assert_non_null(strstr(out.at, "id: 1-2\ndata: final\n\n"));
    tn_replay_release(replay);
    store_close(&store);
}

static void counts(void **state)
{
    static const struct tn_replay_limits limits = { .streams = 4, .session_streams = 2, .total_bytes = 20 };
    struct store                         store;
    struct counted                       reader = reader_new();
    struct replay                       *a, *b, *c, *others[3];

    (void)state;
    store_open(&store, &limits);
    a = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    b = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    assert_null(
        tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader)); /* both are being read */
    assert_null(tn_replay_open(store.replays, NOBODY, NOBODY, NULL, &reader.reader));
    tn_replay_leave(a, &reader.reader);
    tn_replay_leave(b, &reader.reader);
    tn_replay_end(b);
    c = tn_replay_open(store.replays, SESSION, NOBODY, NULL,
                       &reader.reader); /* the one that has ended goes */
    assert_non_null(c);
    assert_true(tn_replay_is_lost(b));
    assert_false(tn_replay_is_lost(a));
    for (size_t i = 0; i < 2; i++)
        others[i] = tn_replay_open(store.replays, SLICE_LIT("b"), NOBODY, NULL, &reader.reader);
    others[2] = tn_replay_open(store.replays, SLICE_LIT("c"), NOBODY, NULL, &reader.reader);
    assert_non_null(others[2]); /* in the place of `a` */
    assert_true(tn_replay_is_lost(a));
    assert_null(tn_replay_open(store.replays, SLICE_LIT("d"), NOBODY, NULL, &reader.reader));
    keep(a, "forgotten: kept nowhere");
    assert_int_equal(tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-0"), &reader.reader) !=
                         NULL,
                     false);

    keep(c, "0123456789");
    tn_replay_leave(c, &reader.reader);
    keep(others[0], "0123456789a"); /* more than 20 in all: `c` goes */
    assert_true(tn_replay_is_lost(c));
    for (size_t i = 0; i < 3; i++)
        tn_replay_release(others[i]);
    tn_replay_release(a);
    tn_replay_release(b);
    tn_replay_release(c);
    store_close(&store);
}

static void time_runs_out(void **state)
{
    static const struct tn_replay_limits limits = { .keep_ms = 1000 };
    struct store                         store;
    struct counted                       reader = reader_new();
    struct replay                       *replay, *again;

    (void)state;
    at_ms = 5000;
    store_open(&store, &limits);
    replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    at_ms += 10000; /* with a reader it stays */
    tn_replays_tick(store.replays);
    assert_false(tn_replay_is_lost(replay));
    tn_replay_leave(replay, &reader.reader);
    at_ms += 999;
    tn_replays_tick(store.replays);
    again = tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-0"), &reader.reader);
    assert_non_null(again);
    tn_replay_leave(again, &reader.reader);
    at_ms += 1000;
    assert_null(tn_replay_resume(store.replays, SESSION, NOBODY, id_of(&store, "1-0"), &reader.reader));
    assert_true(tn_replay_is_lost(replay));
    tn_replay_release(again);
    tn_replay_release(replay);

    replay = tn_replay_open(store.replays, SESSION, NOBODY, NULL, NULL);
    tn_replay_release(replay);
    at_ms += 1000;
    tn_replays_tick(store.replays);
    assert_int_equal(store.fault.blocks, 1); /* the store itself */
    store_close(&store);
}

static void sessions_end(void **state)
{
    struct store   store;
    struct counted reader = reader_new(), other = reader_new();
    struct replay *a, *b;

    (void)state;
    store_open(&store, NULL);
    a = tn_replay_open(store.replays, SESSION, NOBODY, NULL, &reader.reader);
    b = tn_replay_open(store.replays, SLICE_LIT("session-b"), NOBODY, NULL, &other.reader);
    keep(a, "unread");
    tn_replays_forget(store.replays, SESSION);
    assert_read(&store, a, &reader, "", REPLAY_TAKEN);
    assert_int_equal(reader.wakes, 2);
    assert_false(tn_replay_is_lost(b));
    tn_replay_release(a);
    tn_replay_release(b);
    store_close(&store);
}

/* Without memory there is no stream, or one that ends; nothing leaks. */
static void without_memory(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 4; n++) {
        struct tn_fault fault   = { .refuse_at = n, .refuse_rest = true };
        tenon_allocator memory  = tn_fault_allocator(&fault);
        struct counted  reader  = reader_new();
        struct replays *replays = tn_replays_new(&memory, fixed, NULL);
        struct replay  *replay  = replays ? tn_replay_open(replays, SESSION, NOBODY, NULL, &reader.reader)
                                          : NULL;

        assert_int_equal(replays != NULL, n > 1);
        assert_int_equal(replay != NULL, n > 2);
        if (replay) {
            keep(replay, "one");
            keep(replay, "two");
            assert_int_equal(reader.wakes > 0, true);
            assert_true(tn_replay_is_lost(replay));
        }
        tn_replay_release(replay);
        tn_replays_free(replays);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live),           cmocka_unit_test(resumed_everywhere),
        cmocka_unit_test(refused),        cmocka_unit_test(of_another_process),
        cmocka_unit_test(taken_over),     cmocka_unit_test(bytes_of_a_stream),
        cmocka_unit_test(far_behind),     cmocka_unit_test(counts),
        cmocka_unit_test(time_runs_out),  cmocka_unit_test(sessions_end),
        cmocka_unit_test(without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
