/* lines_test.c - lines, however the bytes arrive. */
#include "net/stdio/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

/* Lines in brackets, after a "!" the beginning of one that is too long. */
static void note(char *said, enum tn_line_next next, struct tn_slice line)
{
    size_t len = strlen(said);

    if (next == LINE_READ)
        snprintf(said + len, 4096 - len, "[%.*s]", (int)line.len, line.at);
    else if (next == LINE_TOO_LONG)
        snprintf(said + len, 4096 - len, "!%.8s", tn_slice_blank(line) ? "" : line.at);
}

static void feed(char *said, const char *text, size_t step, size_t max)
{
    struct tn_lines   lines;
    struct tn_slice   line;
    enum tn_line_next next;
    size_t            left = strlen(text), room, part;
    char             *at;

    said[0] = '\0';
    assert_true(tn_lines_init(&lines, NULL, max));
    while (left > 0) {
        at   = tn_lines_room(&lines, &room);
        part = room < step ? room : step;
        part = part < left ? part : left;
        assert_true(part > 0);
        memcpy(at, text, part);
        tn_lines_added(&lines, part);
        text += part;
        left -= part;
        while ((next = tn_lines_next(&lines, &line)) != LINE_NONE)
            note(said, next, line);
    }
    note(said, tn_lines_last(&lines, &line), line);
    assert_int_equal(tn_lines_last(&lines, &line), LINE_NONE);
    tn_lines_free(&lines);
}

static void lines_in_pieces(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "", "" },
        { "a", "[a]" },
        { "a\n", "[a]" },
        { "a\r\n", "[a]" },
        { "\n\r\n", "[][]" },
        { "\r", "[]" },
        { "a\rb\n", "[a\rb]" },
        { "a\r\r\nb", "[a\r][b]" },
        { "12345678\n12345678", "[12345678][12345678]" },
        { "12345678\r\n1", "[12345678][1]" },
        { "123456789\n1", "!12345678[1]" },
        { "123456789", "!12345678" },
        { "12345678901234567890\r\n1\n123456789\n", "!12345678[1]!12345678" },
    };
    char said[4096];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step < 30; step++) {
            feed(said, cases[i].text, step, 8);
            assert_string_equal(said, cases[i].want);
        }
}

/* Longer than the room: it grows up to the maximum, and is given back. */
static void long_lines(void **state)
{
    enum { MAX = 3 << 20 };
    struct tn_lines lines;
    struct tn_slice line;
    size_t          room;

    (void)state;
    assert_true(tn_lines_init(&lines, NULL, MAX));
    for (size_t len = MAX - 1; len <= MAX + 1; len++) {
        enum tn_line_next next = LINE_NONE;

        for (size_t done = 0; done < len;) {
            char  *at   = tn_lines_room(&lines, &room);
            size_t part = room < len - done ? room : len - done;

            memset(at, 'x', part);
            tn_lines_added(&lines, part);
            done += part;
            assert_int_equal(tn_lines_next(&lines, &line), LINE_NONE);
        }
        *tn_lines_room(&lines, &room) = '\n';
        tn_lines_added(&lines, 1);
        next = tn_lines_next(&lines, &line);
        assert_int_equal(next, len <= MAX ? LINE_READ : LINE_TOO_LONG);
        assert_int_equal(line.len, next == LINE_READ ? len : LINES_HEAD);
        tn_lines_room(&lines, &room);
        assert_true(lines.room <= LINES_KEEP);
    }
    tn_lines_free(&lines);
}

/* A line that memory is refused for is like one that is too long; what follows is read. */
static void refused_memory(void **state)
{
    struct tn_fault fault  = { .refuse_at = 1 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_lines lines;
    struct tn_slice line;
    size_t          room;

    (void)state;
    assert_false(tn_lines_init(&lines, &memory, 1 << 20));
    fault = (struct tn_fault){ .refuse_at = 2, .refuse_rest = true };
    assert_true(tn_lines_init(&lines, &memory, 1 << 20));
    for (int i = 0; i < 3; i++) {
        char *at = tn_lines_room(&lines, &room);

        memset(at, 'x', room);
        tn_lines_added(&lines, room);
        assert_int_equal(tn_lines_next(&lines, &line), LINE_NONE);
    }
    memcpy(tn_lines_room(&lines, &room), "\nok\n", 4);
    tn_lines_added(&lines, 4);
    assert_int_equal(tn_lines_next(&lines, &line), LINE_TOO_LONG);
    assert_int_equal(line.len, LINES_HEAD);
    assert_memory_equal(line.at, "xxx", 3);
    assert_int_equal(tn_lines_next(&lines, &line), LINE_READ);
    assert_true(tn_slice_is(line, "ok"));
    tn_lines_free(&lines);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
}

/* Many messages that fit take nothing from memory after the first. */
static void nothing_is_allocated_for_a_line(void **state)
{
    struct tn_fault fault  = { 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct tn_lines lines;
    struct tn_slice line;
    size_t          room;

    (void)state;
    assert_true(tn_lines_init(&lines, &memory, 1 << 20));
    for (int i = 0; i < 10000; i++) {
        char *at = tn_lines_room(&lines, &room);

        assert_true(room >= 12);
        memcpy(at, "{\"a\":1}\n{\"b\"", 12); /* always half a line is left */
        tn_lines_added(&lines, 12);
        assert_int_equal(tn_lines_next(&lines, &line), LINE_READ);
        assert_int_equal(tn_lines_next(&lines, &line), LINE_NONE);
    }
    assert_int_equal(fault.requests, 1);
    tn_lines_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_in_pieces),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(refused_memory),
        cmocka_unit_test(nothing_is_allocated_for_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
