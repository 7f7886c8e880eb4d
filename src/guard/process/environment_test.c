/* environment_test.c - what a child gets, and every mistake of what was written for it. */
#define _XOPEN_SOURCE 700
#include "guard/process/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/memory.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

struct fixture {
    char            folder[64];
    struct tn_arena arena;
    char            mistakes[8000];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    strcpy(fixture->folder, "/tmp/tenon-environment-XXXXXX");
    if (!mkdtemp(fixture->folder))
        return -1;
    tn_arena_init(&fixture->arena, NULL, 0);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    char            command[100];

    snprintf(command, sizeof command, "rm -r %s", fixture->folder);
    tn_arena_free(&fixture->arena);
    assert_int_equal(system(command), 0);
    free(fixture);
    return 0;
}

static void note(void *user, const char *where, const char *text)
{
    struct fixture *fixture = user;
    size_t          len     = strlen(fixture->mistakes);

    snprintf(fixture->mistakes + len, sizeof fixture->mistakes - len, "%s: %s\n", where, text);
}

static const char *const *pick(struct fixture *fixture, const char *const *own,
                               const struct tn_environment_wishes *wishes)
{
    const struct tn_environment_sink sink = { note, fixture };

    fixture->mistakes[0] = '\0';
    return tn_environment_new(own, wishes, &sink, &fixture->arena);
}

static const char *path_of(struct fixture *fixture, const char *name, const char *text, size_t len,
                           mode_t mode)
{
    char *path = tn_arena_take(&fixture->arena, 200, 1);
    FILE *file;

    snprintf(path, 200, "%s/%s", fixture->folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void only_what_is_known_is_passed_on(void **state)
{
    static const struct { const char *own; bool passed; } cases[] = {
        { "PATH=/bin",            true  }, { "HOME=/root",           true  }, { "USER=a",            true  },
        { "LOGNAME=a",            true  }, { "SHELL=/bin/sh",        true  }, { "LANG=C",            true  },
        { "LC_ALL=C",             true  }, { "LC_=x",                true  }, { "TERM=dumb",         true  },
        { "TZ=UTC",               true  }, { "TMPDIR=/tmp",          true  }, { "http_proxy=x",      true  },
        { "HTTPS_PROXY=x",        true  }, { "NO_PROXY=x",           true  }, { "all_proxy=x",       true  },
        { "SSL_CERT_FILE=x",      true  }, { "SSL_CERT_DIR=x",       true  }, { "CURL_CA_BUNDLE=x",  true  },
        { "NODE_EXTRA_CA_CERTS=x", true }, { "REQUESTS_CA_BUNDLE=x", true  }, { "TZ=second",         false },
        { "LD_PRELOAD=x",         false }, { "NODE_OPTIONS=x",       false }, { "AWS_SECRET_KEY=x",  false },
        { "PATHS=x",              false }, { "PAT=x",                false }, { "path=x",            false },
        { "LC=x",                 false }, { "TENON_TOKEN=x",        false }, { "=x",                false },
        { "NOTHING",              false }, { "PATH",                 false }, { "LANGUAGE=de",       false },
    };
    struct fixture    *fixture = *state;
    const char        *own[COUNT_OF(cases) + 1];
    const char *const *got;
    size_t             next = 0;

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        own[i] = cases[i].own;
    own[COUNT_OF(cases)] = NULL;
    got                  = pick(fixture, own, NULL);
    assert_non_null(got);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        if (cases[i].passed)
            assert_string_equal(got[next++], cases[i].own);
    assert_null(got[next]);
}

static void what_is_written_comes_in(void **state)
{
    struct fixture   *fixture   = *state;
    const char *const own[]     = { "PATH=/bin", "TZ=UTC", "MINE=yes", "EMPTY=", NULL };
    const char *const from[]    = { "MINE", "PATH", "EMPTY" };
    const tenon_pair  env[]     = { { "TZ", "Asia/Tokyo" }, { "LD_PRELOAD", "/a.so" }, { "NONE", "" } };
    const tenon_pair  secrets[] = {
         { "PLAIN", path_of(fixture, "plain", "s3 cret", 7, 0600) },
         { "LINE", path_of(fixture, "line", "a\nb\r\n", 5, 0400) },
    };
    const struct tn_environment_wishes wishes = { { 3, env }, { 3, from }, { 2, secrets } };
    static const char *const expected[]       = { "PATH=/bin", "TZ=Asia/Tokyo", "LD_PRELOAD=/a.so", "NONE=",
                                                  "MINE=yes",  "EMPTY=",        "PLAIN=s3 cret",    "LINE=a\nb" };
    const char *const       *got              = pick(fixture, own, &wishes);

    assert_string_equal(fixture->mistakes, "");
    assert_non_null(got);
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_string_equal(got[i], expected[i]);
    assert_null(got[COUNT_OF(expected)]);
}

static void a_star_is_all_that_begin_so(void **state)
{
    static const struct { const char *pattern, *got, *mistake; } cases[] = {
        { "*",     "PATH=/bin TZ=UTC A_1=one A_2= B=two", "" },
        { "A_*",   "PATH=/bin TZ=UTC A_1=one A_2=",       "" },
        { "PATH*", "PATH=/bin TZ=UTC",                    "" },
        { "LD_*",  NULL, "/env-from/0: LD_* changes what a program runs; write its value in env if it is meant\n" },
        { "L*",    NULL, "/env-from/0: L* is not set in the environment of the guard\n" },
        { "C*",    NULL, "/env-from/0: C* is not set in the environment of the guard\n" },
    };
    struct fixture   *fixture = *state;
    const char *const own[]   = { "PATH=/bin",  "A_1=one", "LD_PRELOAD=x", "A_2=",   "=x",
                                  "A_1=second", "A_3",     "B=two",        "TZ=UTC", NULL };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct tn_environment_wishes wishes = { .env_from = { 1, &cases[i].pattern } };
        const char *const                 *got    = pick(fixture, own, &wishes);
        struct tn_buf                      line;

        assert_string_equal(fixture->mistakes, cases[i].mistake);
        assert_int_equal(got != NULL, cases[i].got != NULL);
        tn_buf_init(&line, &fixture->arena, 100, 1000);
        for (size_t j = 0; got && got[j]; j++)
            tn_buf_addf(&line, "%s%s", j > 0 ? " " : "", got[j]);
        if (got)
            assert_string_equal(tn_buf_end(&line) ? line.at : "", cases[i].got);
    }
}

static void every_mistake_is_reported(void **state)
{
    struct fixture   *fixture = *state;
    const char *const own[]   = { "MINE=yes", "LD_PRELOAD=x", "PYTHONPATH=x", NULL };
    const char *const from[] = { "NOT_THERE", "LD_PRELOAD", "PYTHONPATH", "", "MI", "TWICE", "MINE", "MINE" };
    const tenon_pair  env[]  = { { "", "x" }, { "A=B", "x" }, { "TWICE", "1" }, { "TWICE", "2" } };
    const tenon_pair  secrets[] = {
         { "a/b", path_of(fixture, "open", "secret", 6, 0640) },
         { "E", path_of(fixture, "empty", "\n", 1, 0600) },
         { "N", path_of(fixture, "nul", "sec\0ret", 7, 0600) },
         { "TWICE", path_of(fixture, "fine", "secret", 6, 0600) },
         { "X", "/no/such/file" },
    };
    const struct tn_environment_wishes wishes = { { 4, env }, { 8, from }, { 5, secrets } };
    char                               expected[4000];

    assert_null(pick(fixture, own, &wishes));
    snprintf(expected, sizeof expected,
             "/env/: a variable's name must not be empty, and must not contain '='\n"
             "/env/A=B: a variable's name must not be empty, and must not contain '='\n"
             "/env/TWICE: TWICE is set twice; once in env, env-from and secrets is enough\n"
             "/env-from/0: NOT_THERE is not set in the environment of the guard\n"
             "/env-from/1: LD_PRELOAD changes what a program runs; write its value in env if it is meant\n"
             "/env-from/2: PYTHONPATH changes what a program runs; write its value in env if it is meant\n"
             "/env-from/3: a variable's name must not be empty, and must not contain '='\n"
             "/env-from/4: MI is not set in the environment of the guard\n"
             "/env-from/5: TWICE is not set in the environment of the guard\n"
             "/env-from/7: MINE is set twice; once in env, env-from and secrets is enough\n"
             "/secrets/a~1b: it must be closed to group and others; chmod 600 it: %s/open\n"
             "/secrets/E: the file is empty: %s/empty\n"
             "/secrets/N: the file has a NUL byte: %s/nul\n"
             "/secrets/TWICE: TWICE is set twice; once in env, env-from and secrets is enough\n"
             "/secrets/X: it cannot be opened (No such file or directory): /no/such/file\n",
             fixture->folder, fixture->folder, fixture->folder);
    assert_string_equal(fixture->mistakes, expected);
}

static void lengths_have_bounds(void **state)
{
    struct fixture   *fixture                = *state;
    const char *const none[]                 = { NULL };
    char             *text                   = malloc(VARIABLE_LEN_MAX + 1);
    tenon_pair       *many                   = calloc(ENVIRONMENT_MAX + 1, sizeof *many);
    char(*names)[8]                          = calloc(ENVIRONMENT_MAX + 1, sizeof *names);
    const tenon_pair                   one   = { "V", text };
    const struct tn_environment_wishes large = { .env = { 1, &one } };
    struct tn_environment_wishes       crowd = { .env = { ENVIRONMENT_MAX, many } };

    memset(text, 'x', VARIABLE_LEN_MAX);
    text[VARIABLE_LEN_MAX - 1] = '\0';
    assert_null(pick(fixture, none, &large));
    assert_string_equal(fixture->mistakes, "/env/V: V is longer than 131071 bytes\n");
    text[VARIABLE_LEN_MAX - 2] = '\0';
    assert_non_null(pick(fixture, none, &large));

    for (size_t i = 0; i <= ENVIRONMENT_MAX; i++) {
        snprintf(names[i], sizeof names[i], "N%zu", i);
        many[i] = (tenon_pair){ names[i], "x" };
    }
    assert_non_null(pick(fixture, none, &crowd));
    crowd.env.count++;
    assert_null(pick(fixture, none, &crowd));
    assert_string_equal(fixture->mistakes, "/env/N1024: there are more than 1024 variables\n");
    free(names);
    free(many);
    free(text);
}

static void refused_memory_is_a_mistake(void **state)
{
    struct fixture                    *fixture = *state;
    const char *const                  own[]   = { "PATH=/bin", NULL };
    const tenon_pair                   env     = { "A", "b" };
    const tenon_pair                   secret  = { "S", path_of(fixture, "key", "secret", 6, 0600) };
    const struct tn_environment_wishes wishes  = { { 1, &env }, { 0, NULL }, { 1, &secret } };
    const struct tn_environment_sink   sink    = { note, fixture };
    bool                               done    = false;

    for (size_t nth = 1; !done; nth++) {
        struct tn_fault fault  = { .refuse_at = nth };
        tenon_allocator memory = tn_fault_allocator(&fault);
        struct tn_arena arena;

        tn_arena_init(&arena, &memory, 0);
        fixture->mistakes[0] = '\0';
        done                 = tn_environment_new(own, &wishes, &sink, &arena) != NULL;
        assert_int_equal(done, !fault.refused);
        assert_int_equal(done, fixture->mistakes[0] == '\0');
        tn_arena_free(&arena);
        assert_int_equal(fault.blocks, 0);
        assert_true(nth < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_what_is_known_is_passed_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_written_comes_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_star_is_all_that_begin_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_mistake_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lengths_have_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_memory_is_a_mistake, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
