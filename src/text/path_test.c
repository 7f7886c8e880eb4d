/* path_test.c - every form that is refused, by its reason, and what is left of the others. */
#include "text/path.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define RELATIVE false, NULL
#define ABSOLUTE true, NULL
#define MD       false, ".md, .Txt"

static void accepts_and_normalises(void **state)
{
    static const struct { const char *text; struct tn_path_wanted wanted; const char *normal; } cases[] = {
        { "a",                   { RELATIVE }, "a"               },
        { "a/b/c.txt",           { RELATIVE }, "a/b/c.txt"       },
        { "a//b///c",            { RELATIVE }, "a/b/c"           },
        { "./a/./b/.",           { RELATIVE }, "a/b"             },
        { "a/b/",                { RELATIVE }, "a/b"             },
        { ".",                   { RELATIVE }, "."               },
        { "./",                  { RELATIVE }, "."               },
        { ".//./",               { RELATIVE }, "."               },
        { ".//etc",              { RELATIVE }, "etc"             },
        { "v1..v2.md",           { RELATIVE }, "v1..v2.md"       },
        { "...md",               { MD       }, "...md"           },
        { "...",                 { RELATIVE }, "..."             },
        { "..a/b..",             { RELATIVE }, "..a/b.."         },
        { ".hidden/.x",          { RELATIVE }, ".hidden/.x"      },
        { "a file with spaces",  { RELATIVE }, "a file with spaces" },
        { "\xc3\xa4/\xe6\x97\xa5", { RELATIVE }, "\xc3\xa4/\xe6\x97\xa5" },
        { "100%/20%25off",       { RELATIVE }, "100%/20%25off"   },
        { "a%20b%",              { RELATIVE }, "a%20b%"          },
        { "ab:c/d",              { RELATIVE }, "ab:c/d"          },
        { "x/C:",                { RELATIVE }, "x/C:"            },
        { "~/x",                 { RELATIVE }, "~/x"             },
        { "/",                   { ABSOLUTE }, "/"               },
        { "//",                  { ABSOLUTE }, "/"               },
        { "/./",                 { ABSOLUTE }, "/"               },
        { "/usr//local/./bin/",  { ABSOLUTE }, "/usr/local/bin"  },
        { "///usr",              { ABSOLUTE }, "/usr"            },
        { "/C:/x",               { ABSOLUTE }, "/C:/x"           },
        { "a.md",                { MD       }, "a.md"            },
        { "A.MD",                { MD       }, "A.MD"            },
        { "b/a.tXt/",            { MD       }, "b/a.tXt"         },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice text = tn_slice_of(cases[i].text), normal, again;

        assert_int_equal(tn_path_check(&arena, text, &cases[i].wanted, &normal), PATH_FINE);
        assert_string_equal(normal.at, cases[i].normal);
        assert_int_equal(normal.len, strlen(cases[i].normal));
        assert_int_equal(normal.at == text.at, normal.len == text.len);
        assert_int_equal(tn_path_check(&arena, normal, &cases[i].wanted, &again), PATH_FINE);
        assert_ptr_equal(again.at, normal.at);
    }
    tn_arena_free(&arena);
}

static void refuses(void **state)
{
    static const struct { const char *text; struct tn_path_wanted wanted; enum tn_path_fault want; } cases[] = {
        { "..",                     { RELATIVE }, PATH_TRAVERSAL },
        { "../../../etc/passwd",    { RELATIVE }, PATH_TRAVERSAL },
        { "a/../b",                 { RELATIVE }, PATH_TRAVERSAL },
        { "a/..",                   { RELATIVE }, PATH_TRAVERSAL },
        { "/a/../etc",              { RELATIVE }, PATH_TRAVERSAL },
        { "/a/../etc",              { ABSOLUTE }, PATH_TRAVERSAL },
        { "..\\..\\windows",        { RELATIVE }, PATH_TRAVERSAL },
        { "a\\../b",                { RELATIVE }, PATH_TRAVERSAL },
        { "C:/../x",                { RELATIVE }, PATH_TRAVERSAL },
        { "C:\\x",                  { RELATIVE }, PATH_DRIVE     },
        { "c:/x",                   { ABSOLUTE }, PATH_DRIVE     },
        { "c:",                     { RELATIVE }, PATH_DRIVE     },
        { "./c:x",                  { RELATIVE }, PATH_DRIVE     },
        { "\\\\host\\share",        { RELATIVE }, PATH_UNC       },
        { "//host/share",           { ABSOLUTE }, PATH_UNC       },
        { "\\/host/share",          { RELATIVE }, PATH_UNC       },
        { "//./pipe",               { ABSOLUTE }, PATH_UNC       },
        { "/etc/passwd",            { RELATIVE }, PATH_ABSOLUTE  },
        { "/",                      { RELATIVE }, PATH_ABSOLUTE  },
        { "///etc",                 { RELATIVE }, PATH_ABSOLUTE  },
        { "etc/passwd",             { ABSOLUTE }, PATH_RELATIVE  },
        { "",                       { ABSOLUTE }, PATH_RELATIVE  },
        { "a\\b",                   { RELATIVE }, PATH_BACKSLASH },
        { "\\etc",                  { RELATIVE }, PATH_BACKSLASH },
        { "a\nb",                   { RELATIVE }, PATH_CONTROL   },
        { "a\x7f",                  { RELATIVE }, PATH_CONTROL   },
        { "a\xc2\x85",              { RELATIVE }, PATH_CONTROL   },
        { "%2e%2e/x",               { RELATIVE }, PATH_ENCODED   },
        { "a%2Fb",                  { RELATIVE }, PATH_ENCODED   },
        { "a%5cb",                  { RELATIVE }, PATH_ENCODED   },
        { "a%252eb",                { RELATIVE }, PATH_ENCODED   },
        { "a%2525255Cb",            { RELATIVE }, PATH_ENCODED   },
        { "",                       { RELATIVE }, PATH_NOTHING   },
        { "./.",                    { MD       }, PATH_NOTHING   },
        { "",                       { MD       }, PATH_NOTHING   },
        { "a.c",                    { MD       }, PATH_EXTENSION },
        { "a",                      { MD       }, PATH_EXTENSION },
        { ".md",                    { MD       }, PATH_EXTENSION },
        { "a.md/b",                 { MD       }, PATH_EXTENSION },
        { "amd",                    { MD       }, PATH_EXTENSION },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice normal;

        assert_int_equal(tn_path_check(&arena, tn_slice_of(cases[i].text), &cases[i].wanted, &normal),
                         cases[i].want);
        assert_int_equal(normal.len, 0);
    }
    assert_int_equal(arena.used, 0);
    tn_arena_free(&arena);
}

static void sees_nul_as_a_character(void **state)
{
    const struct tn_path_wanted wanted = { RELATIVE };
    struct tn_slice             normal;

    (void)state;
    assert_int_equal(tn_path_check(NULL, SLICE_LIT("a.md\0.exe"), &wanted, &normal), PATH_CONTROL);
    assert_int_equal(tn_path_check(NULL, SLICE_LIT("..\0"), &wanted, &normal), PATH_CONTROL);
}

static void bounds_the_length(void **state)
{
    static const struct { size_t name, len; enum tn_path_fault want; } cases[] = {
        { PATH_NAME_MAX,     PATH_NAME_MAX,     PATH_FINE },
        { PATH_NAME_MAX + 1, PATH_NAME_MAX + 1, PATH_LONG },
        { 63,                PATH_LEN_MAX - 1,  PATH_FINE },
        { 63,                PATH_LEN_MAX + 1,  PATH_LONG },
    };
    const struct tn_path_wanted wanted = { RELATIVE };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char            text[PATH_LEN_MAX + 2];
        struct tn_slice normal;

        for (size_t k = 0; k < cases[i].len; k++)
            text[k] = k % (cases[i].name + 1) == cases[i].name ? '/' : 'a';
        assert_int_equal(tn_path_check(NULL, (struct tn_slice){ text, cases[i].len }, &wanted, &normal),
                         cases[i].want);
    }
}

static void gives_nothing_when_memory_is_refused(void **state)
{
    struct tn_fault             fault  = { .refuse_at = 1 };
    tenon_allocator             memory = tn_fault_allocator(&fault);
    const struct tn_path_wanted wanted = { RELATIVE };
    struct tn_slice             normal;
    struct tn_arena             arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    assert_int_equal(tn_path_check(&arena, SLICE_LIT("a//b"), &wanted, &normal), PATH_FINE);
    assert_int_equal(normal.len, 0);
    assert_true(arena.failed);
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_and_normalises),
        cmocka_unit_test(refuses),
        cmocka_unit_test(sees_nul_as_a_character),
        cmocka_unit_test(bounds_the_length),
        cmocka_unit_test(gives_nothing_when_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
