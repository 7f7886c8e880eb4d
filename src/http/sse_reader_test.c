/* sse_reader_test.c - events in every cut, with every line end, and too long ones. */
#include "http/sse_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

#define EVENTS_MAX 200

/* The data of all events, each between < and >; `cut` is how many bytes come at once. */
static void read_all(struct sse_reader *sse, const char *bytes, size_t cut, char *out)
{
    size_t len = strlen(bytes);

    *out = '\0';
    for (size_t at = 0; at < len; at += cut) {
        struct tn_slice piece = { bytes + at, len - at < cut ? len - at : cut };

        while (sse_reader_next(sse, &piece)) {
            strcat(out, "<");
            strncat(out, sse->data.at, sse->data.len);
            strcat(out, ">");
        }
    }
}

static void reads_events(void **state)
{
    static const struct { const char *bytes, *want; } cases[] = {
        { "data: a\n\n",                                "<a>"     },
        { "data:a\r\n\r\n",                             "<a>"     },
        { "data: a\r\rdata: b\r\r",                     "<a><b>"  },
        { "data:  a\n\n",                               "< a>"    },
        { "data: a\ndata: b\ndata\n\n",                 "<a\nb\n>" },
        { ": remark\nevent: message\ndata: a\n\n",      "<a>"     },
        { "id: 1\n\ndata: a\n\n",                       "<a>"     },
        { "data:\n\ndata: a\n\n",                       "<a>"     },
        { "data: a\n",                                  ""        },
        { "\n\n\n",                                     ""        },
        { "data: {\"a\":\"b: c\"}\r\n\r\ndata: 2\n\n",  "<{\"a\":\"b: c\"}><2>" },
        { "nonsense\ndata: a\n\n",                      "<a>"     },
    };
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    struct sse_reader sse;
    char              got[EVENTS_MAX];

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t cut = 1; cut <= strlen(cases[i].bytes); cut++) {
            sse_reader_init(&sse, &arena, 1000);
            read_all(&sse, cases[i].bytes, cut, got);
            assert_string_equal(got, cases[i].want);
        }
    tn_arena_free(&arena);
}

static void keeps_id_and_retry(void **state)
{
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    struct sse_reader sse;
    char              got[EVENTS_MAX];

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    sse_reader_init(&sse, &arena, 1000);
    assert_int_equal(sse.retry_ms, -1);
    read_all(&sse, "id: e-1\nretry: 250\ndata:\n\nretry: soon\nretry: 99999999999999\n\nid: e-2\n\n", 5, got);
    assert_true(tn_slice_is(tn_buf_slice(&sse.id), "e-2"));
    assert_int_equal(sse.retry_ms, 600000);
    tn_arena_free(&arena);
}

static void refuses_what_is_too_long(void **state)
{
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    struct sse_reader sse;
    char              got[EVENTS_MAX];

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    sse_reader_init(&sse, &arena, 10);
    read_all(&sse, "data: 01234567890123456789\n\n", 3, got);
    assert_true(sse.line.failed);
    assert_string_equal(got, "");
    sse_reader_init(&sse, &arena, 10);
    read_all(&sse, "data:0123\ndata:4567\ndata:89\n\n", 3, got);
    assert_true(sse.data.failed);
    assert_string_equal(got, "");
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_events),
        cmocka_unit_test(keeps_id_and_retry),
        cmocka_unit_test(refuses_what_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
