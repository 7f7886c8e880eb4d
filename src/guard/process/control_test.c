/* control_test.c - an order survives its way; anything else is refused. */
#define _POSIX_C_SOURCE 200809L
#include "guard/process/control.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define BUF_MAX (ORDER_BYTES_MAX + ORDER_HEAD_MAX)

static const char *const words[]     = { "npx", "-y", "", "@a/b", NULL };
static const char *const variables[] = { "PATH=/bin", "EMPTY=", NULL };
static const char *const none[]      = { NULL };

static void write_order(struct tn_arena *arena, struct tn_buf *bytes, const struct tn_order *order, bool good)
{
    tn_arena_init(arena, NULL, 0);
    tn_buf_init(bytes, arena, 0, BUF_MAX);
    assert_int_equal(tn_order_write(bytes, order), good);
}

struct sending {
    int         fd;
    const char *at;
    size_t      len;
};

static void *send_bytes(void *user)
{
    struct sending *sending = user;

    while (sending->len > 0) {
        ssize_t put = write(sending->fd, sending->at, sending->len > 7000 ? 7000 : sending->len);

        if (put <= 0)
            break;
        sending->at += put;
        sending->len -= (size_t)put;
    }
    close(sending->fd);
    return NULL;
}

/* Reads `len` bytes as an order, after which the other end closes. */
static bool read_order(const char *at, size_t len, struct tn_arena *arena, struct tn_order *order)
{
    struct sending sending = { .at = at, .len = len };
    pthread_t      thread;
    int            pair[2];
    bool           good;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    sending.fd = pair[1];
    assert_int_equal(pthread_create(&thread, NULL, send_bytes, &sending), 0);
    tn_arena_init(arena, NULL, 0);
    good = tn_order_read(pair[0], arena, order);
    pthread_join(thread, NULL);
    close(pair[0]);
    return good;
}

static void compare(const char *const *got, const char *const *expected)
{
    size_t i = 0;

    for (; expected[i]; i++)
        assert_string_equal(got[i], expected[i]);
    assert_null(got[i]);
}

static void orders_travel(void **state)
{
    const struct tn_order orders[] = {
        { words, variables, "/srv", 512 << 20 },
        { words, none, NULL, 0 },
    };
    struct tn_arena arena, other;
    struct tn_buf   bytes;
    struct tn_order got;

    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        write_order(&arena, &bytes, &orders[i], true);
        assert_true(read_order(bytes.at, bytes.len, &other, &got));
        compare(got.words, orders[i].words);
        compare(got.environment, orders[i].environment);
        assert_int_equal(got.memory, orders[i].memory);
        if (orders[i].directory)
            assert_string_equal(got.directory, orders[i].directory);
        else
            assert_null(got.directory);
        tn_arena_free(&arena);
        tn_arena_free(&other);
    }
}

static void broken_ones_are_refused(void **state)
{
    const struct tn_order order = { words, variables, "/srv", 0 };
    struct tn_arena       arena, other;
    struct tn_buf         bytes;
    struct tn_order       got;

    (void)state;
    write_order(&arena, &bytes, &order, true);
    for (size_t len = 0; len < bytes.len; len++) {
        assert_false(read_order(bytes.at, len, &other, &got));
        tn_arena_free(&other);
    }
    for (size_t i = 0; i < 16; i++) { /* mark, length, number of words, number of variables */
        bytes.at[i] ^= 1;
        assert_false(read_order(bytes.at, bytes.len, &other, &got));
        tn_arena_free(&other);
        bytes.at[i] ^= 1;
    }
    bytes.at[bytes.len - 1] = 'x'; /* the last text has no end */
    assert_false(read_order(bytes.at, bytes.len, &other, &got));
    tn_arena_free(&other);
    tn_arena_free(&arena);
}

static void lengths_have_bounds(void **state)
{
    char                 *text  = malloc(ORDER_BYTES_MAX + 1);
    const char          **many  = calloc(ORDER_TEXTS_MAX + 2, sizeof *many);
    const char           *one[] = { text, NULL };
    const struct tn_order large = { one, none, NULL, 0 }, empty = { none, none, NULL, 0 };
    const struct tn_order crowd = { many, none, NULL, 0 };
    struct tn_arena       arena, other;
    struct tn_buf         bytes;
    struct tn_order       got;

    (void)state;
    memset(text, 'x', ORDER_BYTES_MAX);
    text[ORDER_BYTES_MAX] = '\0';
    for (size_t i = 0; i <= ORDER_TEXTS_MAX; i++)
        many[i] = "w";
    write_order(&arena, &bytes, &large, false);
    tn_arena_free(&arena);
    write_order(&arena, &bytes, &empty, false);
    tn_arena_free(&arena);
    write_order(&arena, &bytes, &crowd, false);
    tn_arena_free(&arena);

    text[ORDER_BYTES_MAX - 2] = '\0'; /* with its own NUL, and that of no directory, as long as allowed */
    many[ORDER_TEXTS_MAX]     = NULL;
    write_order(&arena, &bytes, &large, true);
    assert_true(read_order(bytes.at, bytes.len, &other, &got));
    assert_int_equal(strlen(got.words[0]), ORDER_BYTES_MAX - 2);
    tn_arena_free(&arena);
    tn_arena_free(&other);
    write_order(&arena, &bytes, &crowd, true);
    assert_true(read_order(bytes.at, bytes.len, &other, &got));
    assert_string_equal(got.words[ORDER_TEXTS_MAX - 1], "w");
    tn_arena_free(&arena);
    tn_arena_free(&other);
    free(text);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_travel),
        cmocka_unit_test(broken_ones_are_refused),
        cmocka_unit_test(lengths_have_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
