/* keys_test.c - the key file: made once and closed to others, whoever comes first; refused when it is not sound. */
#define _POSIX_C_SOURCE 200809L
#include "net/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define HEX_1           "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define HEX_2           "FFFEFDFCFBFAF9F8F7F6F5F4F3F2F1F0EFEEEDECEBEAE9E8E7E6E5E4E3E2E1E0"
#define BASE64_1        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

struct fixture {
    char            folder[64], path[96];
    tenon_allocator memory;
    struct tn_arena arena;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    strcpy(fixture->folder, "/tmp/tenon-keys-XXXXXX");
    if (!mkdtemp(fixture->folder))
        return -1;
    snprintf(fixture->path, sizeof fixture->path, "%s/keys", fixture->folder);
    fixture->memory = tn_memory_of(NULL);
    tn_arena_init(&fixture->arena, &fixture->memory, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    unlink(fixture->path);
    tn_arena_free(&fixture->arena);
    assert_int_equal(rmdir(fixture->folder), 0); /* nothing else was left there */
    free(fixture);
    return 0;
}

static void write_file(const struct fixture *fixture, const char *text, size_t len, mode_t mode)
{
    FILE *file = fopen(fixture->path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(fixture->path, mode), 0);
}

static tenon_status load(struct fixture *fixture, struct tn_seal_keys *keys, const char **mistake)
{
    return tn_keys_load(fixture->path, keys, &fixture->arena, mistake);
}

static void makes_it_once(void **state)
{
    struct fixture     *fixture = *state;
    struct tn_seal_keys first, second;
    const char         *mistake;
    struct stat         found;

    assert_int_equal(load(fixture, &first, &mistake), TENON_OK);
    assert_null(mistake);
    assert_int_equal(first.count, 1);
    assert_int_equal(stat(fixture->path, &found), 0);
    assert_int_equal(found.st_mode & 07777, 0600);
    assert_int_equal(found.st_nlink, 1);
    assert_int_equal(load(fixture, &second, &mistake), TENON_OK);
    assert_memory_equal(&first, &second, sizeof first);
}

static void draws_one_without_a_file(void **state)
{
    struct fixture     *fixture = *state;
    struct tn_seal_keys first, second;
    const char         *mistake;

    assert_int_equal(tn_keys_load(NULL, &first, &fixture->arena, &mistake), TENON_OK);
    assert_int_equal(tn_keys_load(NULL, &second, &fixture->arena, &mistake), TENON_OK);
    assert_int_equal(first.count, 1);
    assert_memory_not_equal(first.at[0], second.at[0], SEAL_KEY_LEN);
}

static void reads_every_form(void **state)
{
    static const struct { const char *text; size_t count; } cases[] = {
        { HEX_1,                                          1 },
        { HEX_1 "\n" HEX_2 "\n",                          2 },
        { "# a comment\n\n  " HEX_1 "  # the first\r\n",  1 },
        { BASE64_1 "\n",                                  1 },
        { BASE64_1 "=\n" HEX_2,                           2 },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_seal_keys keys;
        const char         *mistake;

        write_file(fixture, cases[i].text, strlen(cases[i].text), 0600);
        assert_int_equal(load(fixture, &keys, &mistake), TENON_OK);
        assert_int_equal(keys.count, cases[i].count);
        for (unsigned at = 0; at < SEAL_KEY_LEN; at++) {
            assert_int_equal(keys.at[0][at], at);
            assert_int_equal(keys.at[1][at], cases[i].count == 2 ? 255 - at : 0);
        }
    }
}

static void refuses_what_is_not_sound(void **state)
{
    static const struct { const char *text; mode_t mode; const char *says; } cases[] = {
        { HEX_1,                           0640, "the key file must be closed to group and others; chmod 600 it: " },
        { HEX_1,                           0604, "the key file must be closed to group and others; chmod 600 it: " },
        { HEX_1,                           0610, "the key file must be closed to group and others; chmod 600 it: " },
        { "",                              0600, "the key file has no key; remove it, and a new one is created: " },
        { "# only words\n",                0600, "the key file has no key; remove it, and a new one is created: " },
        { HEX_1 "\n" HEX_2 "\n" HEX_1,     0600, "the key file has more than two keys, the third in line 3: " },
        { "\n" HEX_1 "0\n",                0600, "line 2 of the key file is not a key (64 hexadecimal digits, or base64 "
                                                 "of 32 bytes): " },
        { "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg\n", 0600, "line 1 of the key file is not a key (64 hexadecimal "
                                                 "digits, or base64 of 32 bytes): " },
        { "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9\n", 0600, "line 1 of the key file is not a key (64 hexadecimal "
                                                 "digits, or base64 of 32 bytes): " },
    };
    struct fixture *fixture = *state;
    char            want[400];

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_seal_keys keys, none = { .count = 0 };
        const char         *mistake;

        write_file(fixture, cases[i].text, strlen(cases[i].text), cases[i].mode);
        assert_int_not_equal(load(fixture, &keys, &mistake), TENON_OK);
        snprintf(want, sizeof want, "%s%s", cases[i].says, fixture->path);
        assert_string_equal(mistake, want);
        assert_memory_equal(&keys, &none, sizeof keys);
    }
}

static void refuses_other_kinds_of_files(void **state)
{
    struct fixture     *fixture = *state;
    struct tn_seal_keys keys;
    const char         *mistake;
    char               *text = calloc(1, KEYS_FILE_BYTES + 1);

    memset(text, '\n', KEYS_FILE_BYTES + 1);
    write_file(fixture, text, KEYS_FILE_BYTES + 1, 0600);
    free(text);
    assert_int_equal(load(fixture, &keys, &mistake), TENON_E_LIMIT);
    assert_non_null(strstr(mistake, "more than 4096 bytes"));
    unlink(fixture->path);
    assert_int_equal(symlink("/dev/null", fixture->path), 0);
    assert_int_equal(load(fixture, &keys, &mistake), TENON_E_DENIED);
    assert_non_null(strstr(mistake, "symbolic link"));
    unlink(fixture->path);
    assert_int_equal(mkfifo(fixture->path, 0600), 0); /* does not wait for somebody who writes */
    assert_int_equal(load(fixture, &keys, &mistake), TENON_E_DENIED);
    assert_non_null(strstr(mistake, "regular file"));
    unlink(fixture->path);
    assert_int_equal(mkdir(fixture->path, 0700), 0);
    assert_int_equal(load(fixture, &keys, &mistake), TENON_E_DENIED);
    rmdir(fixture->path);
    assert_int_not_equal(tn_keys_load("/nowhere/at/all", &keys, &fixture->arena, &mistake), TENON_OK);
    assert_non_null(
        strstr(mistake, "the key file cannot be made (No such file or directory): /nowhere/at/all"));
    if (geteuid() != 0)
        return;
    write_file(fixture, HEX_1, strlen(HEX_1), 0600);
    assert_int_equal(chown(fixture->path, 1, 1), 0);
    assert_int_equal(load(fixture, &keys, &mistake), TENON_E_DENIED);
    assert_non_null(strstr(mistake, "belong to the user"));
}

/* Many start at once, and all have the same key. */
static void agrees_with_others_that_start(void **state)
{
    enum { STARTERS = 8 };
    struct fixture     *fixture = *state;
    struct tn_seal_keys keys, first = { .count = 0 };
    const char         *mistake;
    int                 go[2], back[2];
    char                byte;

    assert_int_equal(pipe(go) | pipe(back), 0);
    for (int i = 0; i < STARTERS; i++)
        if (fork() == 0) {
            close(go[1]);
            (void)!read(go[0], &byte, 1); /* until all are here, and the other end closes */
            if (load(fixture, &keys, &mistake) != TENON_OK)
                _exit(1);
            _exit(write(back[1], &keys, sizeof keys) == sizeof keys ? 0 : 1);
        }
    close(go[0]), close(go[1]), close(back[1]);
    for (int i = 0; i < STARTERS; i++) {
        int status;

        assert_int_equal(read(back[0], &keys, sizeof keys), sizeof keys);
        if (i == 0)
            first = keys;
        assert_memory_equal(&first, &keys, sizeof keys);
        assert_true(wait(&status) > 0 && status == 0);
    }
    close(back[0]);
}

static void survives_every_refusal(void **state)
{
    struct fixture *fixture = *state;

    for (size_t i = 1; i <= 4; i++) {
        struct tn_fault     fault  = { .refuse_at = i, .refuse_rest = true };
        tenon_allocator     memory = tn_fault_allocator(&fault);
        struct tn_seal_keys keys;
        struct tn_arena     arena;
        const char         *mistake;

        tn_arena_init(&arena, &memory, 0);
        if (tn_keys_load(fixture->path, &keys, &arena, &mistake) != TENON_OK)
            assert_non_null(mistake);
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(makes_it_once),
        TEST(draws_one_without_a_file),
        TEST(reads_every_form),
        TEST(refuses_what_is_not_sound),
        TEST(refuses_other_kinds_of_files),
        TEST(agrees_with_others_that_start),
        TEST(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
