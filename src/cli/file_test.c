/* file_test.c - files of all kinds, and the limit. */
#define _XOPEN_SOURCE 700
#include "cli/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

static int new_file(const char *text, size_t len)
{
    char name[] = "/tmp/tenon-file-XXXXXX";
    int  fd     = mkstemp(name);

    assert_true(fd >= 0);
    unlink(name);
    assert_int_equal(write(fd, text, len), len);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void reads_what_is_there(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    struct file     file;
    int             pipe_ends[2], fd;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    fd   = new_file("a\0b", 3);
    file = file_read_open(&arena, fd);
    assert_null(file.why);
    assert_int_equal(file.text.len, 3);
    assert_memory_equal(file.text.at, "a\0b\0", 4);
    close(fd);

    fd   = new_file("", 0);
    file = file_read_open(&arena, fd);
    assert_null(file.why);
    assert_int_equal(file.text.len, 0);
    close(fd);

    assert_int_equal(pipe(pipe_ends), 0);
    assert_int_equal(write(pipe_ends[1], "[1]", 3), 3);
    close(pipe_ends[1]);
    file = file_read_open(&arena, pipe_ends[0]);
    assert_null(file.why);
    assert_true(tn_slice_is(file.text, "[1]"));
    close(pipe_ends[0]);
    tn_arena_free(&arena);
}

static void says_why_not(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    int             fd = new_file("", 0);

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_string_equal(file_read(&arena, "tests").why, "is a directory");
    assert_string_equal(file_read(&arena, "tests/there-is-none").why, "No such file or directory");
    assert_string_equal(file_read(&arena, "/dev/zero").why, "longer than 64 MiB");
    assert_int_equal(ftruncate(fd, (off_t)FILE_LEN_MAX + 1), 0);
    assert_string_equal(file_read_open(&arena, fd).why, "longer than 64 MiB");
    close(fd);
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;
        struct file     file;
        int             fd = new_file("[1, 2]", 6);

        tn_arena_init(&arena, &memory, 0);
        file = file_read_open(&arena, fd);
        assert_true(fault.refused ? file.why != NULL : tn_slice_is(file.text, "[1, 2]"));
        close(fd);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(says_why_not),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
