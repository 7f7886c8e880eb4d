/* settings_own_test.c - a program's settings stand in the same table as the library's. */
#define _GNU_SOURCE
#include <tenon/setting.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/settings.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define WORDS_MAX       16

enum colour { RED = 1, BLUE };

struct options {
    bool        quiet;
    const char *folder, *proxy;
    tenon_strs  tags;
    int         age_ms, colour, body;
    size_t      most, count;
};

static const tenon_choice colours[] = { { "red", RED }, { "blue", BLUE }, { 0 } };

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct options, folder, "folder", "DIR", "where notes are kept", .standard = "notes",
                       .group = "Of notes"),
    TENON_SETTING_FLAG(struct options, quiet, "quiet", "less", .alias = 'q'),
    TENON_SETTING_TEXTS(struct options, tags, "tag", "TAG", "of notes;\nmay be repeated"),
    TENON_SETTING_TIME(struct options, age_ms, "max-age", "TIME", 0, 3600000, "of a note", .standard = "1m"),
    TENON_SETTING_BYTES(struct options, most, "max-notes", "SIZE", 1024, 1 << 20, "of all notes"),
    TENON_SETTING_COUNT(struct options, count, "count", "N", 1, 10, "of notes"),
    TENON_SETTING_CHOICE(struct options, colour, "colour", colours, "of notes", .standard = "blue"),
    TENON_SETTING_URL(struct options, proxy, "proxy", NULL, "on the way"),
    TENON_SETTING_INT(struct options, body, "max-body", "N", 1, 9, "in place of the library's"),
};

/* Reads flags and variables that are separated by spaces. */
static enum tn_settings_ask reading(struct tn_settings *settings, const char *flags, const char *environment,
                                    const char **mistake)
{
    static char text[2][200];
    const char *const given[2] = { flags, environment };
    char             *words[2][WORDS_MAX + 1];
    int               counts[2] = { 1, 0 };

    words[0][0] = "notes";
    for (int i = 0; i < 2; i++) {
        snprintf(text[i], sizeof text[i], "%s", given[i]);
        for (char *word = strtok(text[i], " "); word && counts[i] < WORDS_MAX; word = strtok(NULL, " "))
            words[i][counts[i]++] = word;
        words[i][counts[i]] = NULL;
    }
    return tn_settings_read(settings, counts[0], words[0], words[1], mistake);
}

static void has_defaults(void **state)
{
    struct options  options;
    tenon_settings *settings;

    (void)state;
    memset(&options, 0xFF, sizeof options);
    settings = tenon_settings_new("notes", "1.0.0", rows, &options);
    assert_string_equal(options.folder, "notes");
    assert_false(options.quiet);
    assert_null(options.proxy);
    assert_int_equal(options.tags.count, 0);
    assert_int_equal(options.age_ms, 60000);
    assert_int_equal(options.colour, BLUE);
    assert_int_equal(options.most, 0);
    assert_false(tenon_settings_has(settings, "folder"));
    tenon_settings_free(settings);
}

static void reads_all_sources(void **state)
{
    struct options  options;
    tenon_settings *settings = tenon_settings_new("notes", "1.0.0", rows, &options);
    const char     *mistake  = NULL;

    (void)state;
    assert_int_equal(tenon_settings_set(settings, "folder", "weak"), TENON_OK);
    assert_int_equal(tenon_settings_set(settings, "key-file", "k"), TENON_OK);
    assert_int_equal(
        reading(settings, "-q --tag a,b --tag=c --max-notes 2KiB --http 127.0.0.1:0 --max-body 7",
                "TENON_COLOUR=RED TENON_TAG=x TENON_MAX_AGE=2s TENON_FOLDER=strong TENON_COUNT=3", &mistake),
        SETTINGS_SERVE);
    assert_null(mistake);
    assert_true(options.quiet);
    assert_int_equal(options.tags.count, 2); /* a flag's replace those of the environment */
    assert_string_equal(options.tags.at[0], "a,b");
    assert_string_equal(options.tags.at[1], "c");
    assert_int_equal(options.most, 2048);
    assert_int_equal(options.colour, RED);
    assert_int_equal(options.age_ms, 2000);
    assert_string_equal(options.folder, "strong");
    assert_int_equal(options.count, 3);
    assert_int_equal(options.body, 7);
    assert_int_equal(settings->limits.body_bytes, 4 << 20); /* the library's own stays as it was */
    assert_string_equal(settings->http, "127.0.0.1:0");
    assert_string_equal(settings->key_file, "k");
    assert_true(tenon_settings_has(settings, "http"));
    assert_false(tenon_settings_has(settings, "admin"));
    assert_false(tenon_settings_has(settings, "nothing"));
    tenon_settings_free(settings);
}

static void reads_files(void **state)
{
    char            path[] = "/tmp/tenon-own-XXXXXX", flags[64];
    int             fd     = mkstemp(path);
    struct options  options;
    tenon_settings *settings = tenon_settings_new("notes", "1.0.0", rows, &options);
    const char     *mistake  = NULL;

    (void)state;
    dprintf(fd, "folder = here\ntag = a\ntag = \"b, c\"\nloops = 2\n");
    close(fd);
    snprintf(flags, sizeof flags, "--config %s", path);
    assert_int_equal(reading(settings, flags, "TENON_TAG=", &mistake), SETTINGS_SERVE);
    unlink(path);
    assert_string_equal(options.folder, "here");
    assert_int_equal(options.tags.count, 2);
    assert_string_equal(options.tags.at[1], "b, c");
    assert_int_equal(settings->loops, 2);
    tenon_settings_free(settings);

    settings = tenon_settings_new("notes", "1.0.0", rows, &options);
    assert_int_equal(reading(settings, "", "TENON_TAG=x,y", &mistake), SETTINGS_SERVE);
    assert_int_equal(options.tags.count, 2);
    assert_string_equal(options.tags.at[1], "y");
    tenon_settings_free(settings);
}

static void names_mistakes(void **state)
{
    static const struct { const char *flags, *environment, *mistake; } cases[] = {
        { "--foldr x",      "",                     "--foldr is not a setting; did you mean --folder?" },
        { "--htp x",        "",                     "--htp is not a setting; did you mean --http?"     },
        { "--folder",       "",                     "--folder needs a value: --folder DIR"             },
        { "--proxy",        "",                     "--proxy needs a value: --proxy VALUE"             },
        { "--max-notes 5",  "",                     "--max-notes"                                      },
        { "--max-body 8MiB", "",                    "--max-body"                                       },
        { "",               "TENON_MAX_NOTES=2GiB", "TENON_MAX_NOTES"                                  },
        { "--colour green", "",                     "red or blue"                                      },
        { "word",           "",                     "'word' is not a flag; see --help"                 },
        { "-x",             "",                     "'-x' is not a flag; see --help"                   },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct options  options;
        tenon_settings *settings = tenon_settings_new("notes", "1.0.0", rows, &options);
        const char     *mistake  = NULL;

        assert_int_equal(reading(settings, cases[i].flags, cases[i].environment, &mistake), SETTINGS_MISTAKE);
        assert_non_null(strstr(mistake, cases[i].mistake));
        tenon_settings_free(settings);
    }
}

/* Rows that cannot work are the program's mistake, whatever an operator gives. */
static void refuses_rows(void **state)
{
    static const struct { tenon_setting row; const char *mistake; } cases[] = {
        { { .name = "a", .kind = TENON_SETTING_TEXT },                                 "no name, or no help" },
        { { .name = "a", .kind = 99, .help = "x" },                                    "does not know"       },
        { { .name = "a", .kind = TENON_SETTING_CHOICE, .help = "x" },                  "no choices"          },
        { { .name = "a", .kind = TENON_SETTING_INT, .help = "x", .min = 1 },           "bounds"              },
        { { .name = "a", .kind = TENON_SETTING_INT, .help = "x", .max = INT64_MAX },   "bounds"              },
        { { .name = "a", .kind = TENON_SETTING_TIME, .help = "x", .min = INT64_MIN },  "bounds"              },
        { { .name = "a", .kind = TENON_SETTING_BYTES, .help = "x", .min = -1 },        "bounds"              },
        { { .name = "a", .kind = TENON_SETTING_TIME, .help = "x", .standard = "soon" }, "a needs a time"     },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct options  options;
        tenon_setting   one[]    = { cases[i].row };
        tenon_settings *settings = tenon_settings_new("notes", "1.0.0", one, &options);
        const char     *mistake  = NULL;

        assert_int_equal(reading(settings, "", "", &mistake), SETTINGS_MISTAKE);
        assert_non_null(strstr(mistake, cases[i].mistake));
        tenon_settings_free(settings);
    }
}

/* Tables that cannot be read are not read. */
static void refuses_tables(void **state)
{
    static const tenon_setting one[] = { { .name = "a", .kind = TENON_SETTING_TEXT, .help = "x" } };
    struct options             options;
    const struct { tenon_settings_options given; const char *mistake; } cases[] = {
        { { .rows = NULL, .row_size = sizeof *one, .count = 1, .values = &options }, "no rows" },
        { { .rows = one, .row_size = sizeof *one, .count = 1, .values = NULL }, "no values" },
        { { .rows = one, .row_size = 1, .count = 1, .values = &options }, "shorter" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_settings_options given   = cases[i].given;
        const char            *mistake = NULL;
        tenon_settings        *settings;

        given.size = sizeof given;
        settings   = tenon_settings_new_("notes", "1.0.0", &given);
        assert_int_equal(reading(settings, "", "", &mistake), SETTINGS_MISTAKE);
        assert_non_null(strstr(mistake, cases[i].mistake));
        tenon_settings_free(settings);
    }
}

/* A program that was compiled when rows were shorter. */
static void reads_shorter_rows(void **state)
{
    const size_t           len = offsetof(tenon_setting, alias);
    char                   packed[2 * sizeof(tenon_setting)];
    struct options         options;
    tenon_settings_options given = { .size = sizeof given, .row_size = len, .count = 2, .values = &options };
    tenon_settings        *settings;
    const char            *mistake = NULL;

    (void)state;
    memcpy(packed, &rows[0], len);
    memcpy(packed + len, &rows[1], len);
    given.rows = (const tenon_setting *)(const void *)packed;
    settings   = tenon_settings_new_("notes", "1.0.0", &given);
    assert_int_equal(reading(settings, "--quiet --folder f", "", &mistake), SETTINGS_SERVE);
    assert_true(options.quiet);
    assert_string_equal(options.folder, "f");
    tenon_settings_free(settings);
}

static void commands_have_operands(void **state)
{
    struct options  options;
    tenon_settings *settings = tenon_settings_new("notes", "1.0.0", rows, &options,
                                                  .usage = "usage: notes\n");
    const char     *mistake  = NULL;
    tenon_strs      operands;
    char           *text = NULL;
    size_t          len  = 0;
    FILE           *to   = open_memstream(&text, &len);

    (void)state;
    assert_int_equal(reading(settings, "a --folder f - -q -- --b -q", "TENON_COUNT=3 TENON_HTTP=x", &mistake),
                     SETTINGS_SERVE);
    operands = tenon_settings_operands(settings);
    assert_int_equal(operands.count, 4);
    assert_string_equal(operands.at[0], "a");
    assert_string_equal(operands.at[1], "-");
    assert_string_equal(operands.at[2], "--b");
    assert_string_equal(operands.at[3], "-q");
    assert_int_equal(options.count, 0); /* flags only */
    assert_int_equal(reading(settings, "--http x", "", &mistake), SETTINGS_MISTAKE);
    tn_settings_help(settings, to, "notes", "notes", "1");
    fclose(to);
    assert_non_null(strstr(text, "print this\n\nOf notes:\n  --folder DIR "));
    assert_non_null(strstr(text, "\n  -q, --quiet "));
    assert_non_null(strstr(text, "of notes;\n                              may be repeated\n"));
    assert_non_null(strstr(text, " --colour red|blue "));
    assert_null(strstr(text, "--http"));
    free(text);
    tenon_settings_free(settings);
}

static void survives_refused_memory(void **state)
{
    bool done = false;

    (void)state;
    for (size_t n = 1; !done; n++) {
        struct tn_fault fault   = { .refuse_at = n, .refuse_rest = true };
        tenon_allocator memory  = tn_fault_allocator(&fault);
        const char     *mistake = NULL;
        struct options  options;
        tenon_settings *settings = tenon_settings_new("notes", "1.0.0", rows, &options, .memory = &memory);

        done = settings && reading(settings, "--tag a --folder b", "", &mistake) == SETTINGS_SERVE;
        assert_true(done == !fault.refused);
        tenon_settings_free(settings);
        assert_int_equal(fault.blocks, 0);
    }
    assert_false(tenon_settings_has(NULL, "http"));
    assert_int_equal(tenon_settings_set(NULL, "http", "x"), TENON_E_NOMEM);
    assert_int_equal(tenon_settings_operands(NULL).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(reads_all_sources),
        cmocka_unit_test(reads_files),
        cmocka_unit_test(names_mistakes),
        cmocka_unit_test(refuses_tables),
        cmocka_unit_test(refuses_rows),
        cmocka_unit_test(reads_shorter_rows),
        cmocka_unit_test(commands_have_operands),
        cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
