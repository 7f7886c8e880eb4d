/* front_test.c - YAML of every ugliness read or refused with its line; one key rewritten and no other byte. */
#include "docs/markdown/front.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define DEEP            "[[[[[[[[[[[[[[[[[[[["

static void reads(void **state)
{
    static const struct { const char *file, *json; size_t body, line; } cases[] = {
        { "",                                     "{}",                                       0,  1 },
        { "# Title\n",                            "{}",                                       0,  1 },
        { "\xef\xbb\xbf# Title\n",                "{}",                                       3,  1 },
        { "----\na: 1\n---\n",                    "{}",                                       0,  1 },
        { " ---\na: 1\n---\n",                    "{}",                                       0,  1 },
        { "text\n---\na: 1\n---\n",               "{}",                                       0,  1 },
        { "---\n---\n",                           "{}",                                       8,  3 },
        { "---\n---",                             "{}",                                       7,  3 },
        { "---\n# only\n\n---\nx",                "{}",                                      16,  5 },
        { "---\na: 1\n---\nx\n---\nb: 2\n---\n",  "{\"a\":1}",                               13,  4 },
        { "\xef\xbb\xbf---\na: 1\n---\nx",        "{\"a\":1}",                               16,  4 },
        { "---\r\na: x\r\n---\r\nbody",           "{\"a\":\"x\"}",                           16,  4 },
        { "---\ra: x\r---\rbody",                 "{\"a\":\"x\"}",                           13,  4 },
        { "--- \t\na: x\n---  \nbody",            "{\"a\":\"x\"}",                           17,  4 },
        { "---\na: |\n  --- \n  x\n---\n",        "{\"a\":\"--- \\nx\\n\"}",                 24,  6 },
        { "---\na: {b: [1, {c: d}]}\n---\n",      "{\"a\":{\"b\":[1,{\"c\":\"d\"}]}}",       28,  4 },
        { "---\na: []\nb: {}\n---\n",             "{\"a\":[],\"b\":{}}",                     20,  5 },
        { "---\n{a: 1, b: [x, y]}\n---\n",        "{\"a\":1,\"b\":[\"x\",\"y\"]}",           26,  4 },
        { "---\n1: x\ntrue: y\n---\n",            "{\"1\":\"x\",\"true\":\"y\"}",            21,  5 },
        { "---\n? a\n: b\n---\n",                 "{\"a\":\"b\"}",                           16,  5 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct front front;
        char        *mistake;

        assert_true(front_read(&front, cases[i].file, strlen(cases[i].file), &mistake));
        assert_string_equal(text_of(&front.json), cases[i].json);
        assert_int_equal(front.body, cases[i].body);
        assert_int_equal(front.body_line, cases[i].line);
        front_free(&front);
    }
}

static void reads_scalars(void **state)
{
    static const struct { const char *yaml, *json; } cases[] = {
        { "2025-01-15",  "\"2025-01-15\"" }, { "2025-01-15T10:00:00Z", "\"2025-01-15T10:00:00Z\"" },
        { "no",          "\"no\""         }, { "on",      "\"on\""      }, { "Yes",    "\"Yes\""   },
        { "y",           "\"y\""          }, { "true",    "true"        }, { "True",   "true"      },
        { "FALSE",       "false"          }, { "tRUE",    "\"tRUE\""    }, { "'true'", "\"true\""  },
        { "\"1\"",       "\"1\""          }, { "null",    "null"        }, { "~",      "null"      },
        { "",            "null"           }, { "''",      "\"\""        }, { "# c",    "null"      },
        { "0",           "0"              }, { "-0",      "-0"          }, { "12",     "12"        },
        { "1.50",        "1.50"           }, { "1e5",     "1e5"         }, { "1E+5",   "1E+5"      },
        { "007",         "\"007\""        }, { "0777",    "\"0777\""    }, { "0o7",    "\"0o7\""   },
        { "0x1F",        "\"0x1F\""       }, { "+1",      "\"+1\""      }, { ".5",     "\".5\""    },
        { "1.",          "\"1.\""         }, { "1_000",   "\"1_000\""   }, { "12:30",  "\"12:30\"" },
        { ".inf",        "\".inf\""       }, { ".nan",    "\".nan\""    }, { "[-1]",   "[-1]"      },
        { "1e",          "\"1e\""         }, { "1.2.3",   "\"1.2.3\""   }, { "<<",     "\"<<\""    },
        { "a #b",        "\"a\""          }, { "a#b",     "\"a#b\""     }, { "=",      "\"=\""     },
        { "x\n  y",      "\"x y\""        }, { ">-\n  x\n  y", "\"x y\"" }, { "'it''s'", "\"it's\"" },
        { "\"\\u00e9\"", "\"\xc3\xa9\""   }, { "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char         file[200], want[200];
        struct front front;
        char        *mistake;

        snprintf(file, sizeof file, "---\na: %s\n---\n", cases[i].yaml);
        snprintf(want, sizeof want, "{\"a\":%s}", cases[i].json);
        assert_true(front_read(&front, file, strlen(file), &mistake));
        assert_string_equal(text_of(&front.json), want);
        front_free(&front);
    }
}

static void refuses(void **state)
{
    static const struct { const char *file, *want; } cases[] = {
        { "---",                           "line 1: the front matter that begins here has no end: a line of ---" },
        { "---\na: 1\n",                   "line 1: the front matter that begins here has no end: a line of ---" },
        { "---\na: 1\n--- # end\n",        "line 1: the front matter that begins here has no end: a line of ---" },
        { "---\na: 1\nb: 2\na: 3\n---\n",  "line 4: this key is there twice"                     },
        { "---\r\na: 1\r\n'a': 3\r\n---\r\n", "line 3: this key is there twice"                  },
        { "---\ra: 1\r\r\"\\x61\": 3\r---\r", "line 4: this key is there twice"                  },
        { "---\na:\n  b: 1\n  b: 2\n---\n", "line 4: this key is there twice"                    },
        { "---\na: '\xe2\x80\xa8y'\na: 2\n---\n", "line 3: this key is there twice"               },
        { "---\na: &x 1\nb: *x\n---\n",    "line 2: anchors (&name) are not allowed"             },
        { "---\nb: *x\n---\n",             "line 2: aliases (*name) are not allowed"             },
        { "---\nb: &x [1]\n---\n",         "line 2: anchors (&name) are not allowed"             },
        { "---\n\nb: !!str 1\n---\n",      "line 3: tags (!name) are not allowed"                },
        { "---\nb: ! 1\n---\n",            "line 2: tags (!name) are not allowed"                },
        { "---\n%YAML 1.1\n--- # x\na: 1\n---\n", "line 2: directives (%NAME) are not allowed"   },
        { "---\na: 1\n--- # x\nb: 1\n---\n", "line 3: there is a second YAML document"           },
        { "---\n- a\n---\n",               "line 2: front matter must be keys with values (key: value)" },
        { "---\ntext\n---\n",              "line 2: front matter must be keys with values (key: value)" },
        { "---\n[a]: 1\n---\n",            "line 2: a key must be text"                          },
        { "---\na: \"\\0\"\n---\n",        "line 2: text must not contain NUL"                   },
        { "---\na: 1\nb: " DEEP "\n---\n", "line 3: this is nested too deep"                     },
        { "---\na: 1\nb: [1,\n---\n",      "line 4: this is not YAML: did not find expected node content" },
        { "---\na: 1\n\tb: 2\n---\n",      "line 3: this is not YAML: found a tab character that violates indentation" },
        { "---\na: 1\nb: \xff\n---\n",     "line 3: this is not YAML: invalid leading UTF-8 octet" },
        { "---\na: 1\nb: \x01\n---\n",     "line 3: this is not YAML: control characters are not allowed" },
        { "---\na: b: c\n---\n",           "line 2: this is not YAML: mapping values are not allowed in this context" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct front front;
        char        *mistake;

        assert_false(front_read(&front, cases[i].file, strlen(cases[i].file), &mistake));
        assert_non_null(mistake);
        assert_string_equal(mistake, cases[i].want);
        free(mistake);
    }
}

/* A file with `yaml` repeated between its marks. */
static void fill(struct text *file, const char *first, const char *repeated, size_t count)
{
    text_put(file, "---\n");
    text_put(file, first);
    for (size_t i = 0; i < count; i++)
        text_put(file, repeated);
    text_put(file, "\n---\n");
}

static void keeps_its_limits(void **state)
{
    static const struct { const char *first, *repeated; size_t count; bool fine; const char *want; } cases[] = {
        { "a: ",  "x",       FRONT_MAX - 5, true,  "" },
        { "a: ",  "x",       FRONT_MAX + 5, false, "too long"       },
        { "a: ",  "\n",      FRONT_MAX * 4, false, "too long"       },
        { "a: ",  "[",       100000,        false, "line 2"         },
        { "a: ",  "{",       100000,        false, "line 2"         },
        { "",     "- ",      100000,        false, "line 2"         },
        { "",     "? ",      100000,        false, "line 2"         },
        { "a: [", "x,",      100000,        false, "not YAML"       },
        { "a: ",  "'",       100000,        true,  ""               },
        { "a: ",  "!a!",     50000,         false, "line 2"         },
        { "",     "k: v\n",  2,             false, "twice"          },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct text  file = { 0 };
        struct front front;
        char        *mistake;

        fill(&file, cases[i].first, cases[i].repeated, cases[i].count);
        assert_int_equal(front_read(&front, file.at, file.len, &mistake), cases[i].fine);
        if (cases[i].fine) {
            front_free(&front);
        } else {
            assert_non_null(mistake);
            assert_non_null(strstr(mistake, cases[i].want));
            free(mistake);
        }
        text_free(&file);
    }
}

static void counts_keys(void **state)
{
    (void)state;
    for (size_t count = 999; count <= 1001; count++) {
        struct text  file = { 0 };
        struct front front;
        char        *mistake;

        text_put(&file, "---\n");
        for (size_t i = 0; i < count; i++)
            text_addf(&file, "k%zu: 1\n", i);
        text_put(&file, "---\n");
        assert_int_equal(front_read(&front, file.at, file.len, &mistake), count <= 1000);
        if (count > 1000)
            assert_string_equal(mistake, "line 1002: there are too many keys in one map");
        else
            front_free(&front);
        free(mistake);
        text_free(&file);
    }
}

static bool set(struct text *out, const char *file, const char *value)
{
    return front_set(out, file, strlen(file), "k", value);
}

static void sets(void **state)
{
    static const struct { const char *file, *want; } cases[] = {
        /* plain, quoted, commented */
        { "---\nk: a\n---\n",               "---\nk: new\n---\n"                 },
        { "---\nk:    a   \n---\n",         "---\nk:    new   \n---\n"           },
        { "---\nk: a # why\n---\n",         "---\nk: new # why\n---\n"           },
        { "---\nk: \"a # b\" # c\n---\n",   "---\nk: new # c\n---\n"             },
        { "---\nk: 'it''s'\n---\n",         "---\nk: new\n---\n"                 },
        { "---\n\"k\": a\n---\n",           "---\n\"k\": new\n---\n"             },
        { "---\nk : a\n---\n",              "---\nk : new\n---\n"                },
        { "---\n? k\n: a\n---\n",           "---\n? k\n: new\n---\n"             },
        { "---\nk: \xc3\xa9\xe2\x82\xac # \xc3\xa9\nl: \xc3\xa9\n---\n",
          "---\nk: new # \xc3\xa9\nl: \xc3\xa9\n---\n"                           },
        { "---\n\xc3\xa9: \xe2\x82\xac\nk: a\n---\n", "---\n\xc3\xa9: \xe2\x82\xac\nk: new\n---\n" },
        /* nothing there */
        { "---\nk:\n---\n",                 "---\nk: new\n---\n"                 },
        { "---\nk:   # why\nl: 1\n---\n",   "---\nk: new   # why\nl: 1\n---\n"   },
        { "---\nk:\n\n# c\nl: 1\n---\n",    "---\nk: new\n\n# c\nl: 1\n---\n"    },
        /* more than one line */
        { "---\nk: a\n  b\nl: 1\n---\n",    "---\nk: new\nl: 1\n---\n"           },
        { "---\nk: \"a\n  b\" # c\nl: 1\n---\n", "---\nk: new # c\nl: 1\n---\n"  },
        { "---\nk: |\n  a\n\n  b\n\n# c\nl: 1\n---\n", "---\nk: new\n\n# c\nl: 1\n---\n" },
        { "---\nk: |- # why\n  a\n  b\nl: 1\n---\n", "---\nk: new # why\nl: 1\n---\n" },
        { "---\nk: >+\n\n\nl: 1\n---\n",    "---\nk: new\n\n\nl: 1\n---\n"       },
        { "---\nk: |\n  a\n---\n",          "---\nk: new\n---\n"                 },
        { "---\nk:\n  a\nl: 1\n---\n",      "---\nk: new\nl: 1\n---\n"           },
        { "---\nk:\n  |\n  a\nl: 1\n---\n", "---\nk: new\nl: 1\n---\n"           },
        { "---\nk:\n- a\n- b\n\n# c\nl: 1\n---\n", "---\nk: new\n\n# c\nl: 1\n---\n" },
        { "---\nk: # why\n  - a\n  - b # b\nl: 1\n---\n", "---\nk: new # why\n # b\nl: 1\n---\n" },
        { "---\nk:\n  x: 1\n  k: 2\nl: 1\n---\n", "---\nk: new\nl: 1\n---\n"     },
        { "---\nk: [a, # x\n b]  # c\nl: 1\n---\n", "---\nk: new  # c\nl: 1\n---\n" },
        { "---\nk: {k: 1}\n---\n",          "---\nk: new\n---\n"                 },
        /* what only looks like it */
        { "---\nkk: 1\nk: a\nk2: 2\n---\n", "---\nkk: 1\nk: new\nk2: 2\n---\n"   },
        { "---\nm:\n  k: 1\nk: a\n---\n",   "---\nm:\n  k: 1\nk: new\n---\n"     },
        { "---\nm: {k: 1}\nk: a\n---\n",    "---\nm: {k: 1}\nk: new\n---\n"      },
        { "---\nm: |\n  k: 1\n# k: 2\nk: a\n---\n", "---\nm: |\n  k: 1\n# k: 2\nk: new\n---\n" },
        { "---\nm: 'x\n\n  k: 1'\nk: a\n---\n", "---\nm: 'x\n\n  k: 1'\nk: new\n---\n" },
        { "---\nk: a\n---\nk: body\n---\nk: b\n---\n", "---\nk: new\n---\nk: body\n---\nk: b\n---\n" },
        { "---\nK: a\n---\n",               "---\nK: a\nk: new\n---\n"           },
        /* line endings, marks, ends */
        { "---\r\nk: a\r\nl: b\r\n---\r\nbody\r\n", "---\r\nk: new\r\nl: b\r\n---\r\nbody\r\n" },
        { "---\r\nk: |\r\n  a\r\nl: b\r\n---\r\n",  "---\r\nk: new\r\nl: b\r\n---\r\n" },
        { "---\rk: a\rl: b\r---\rbody\r",   "---\rk: new\rl: b\r---\rbody\r"     },
        { "---\nk: a\r\nl: b\n---\r\n\r\n", "---\nk: new\r\nl: b\n---\r\n\r\n"   },
        { "\xef\xbb\xbf---\nk: a\n---",     "\xef\xbb\xbf---\nk: new\n---"       },
        { "---  \nk: a\n--- \t\nx",         "---  \nk: new\n--- \t\nx"           },
        { "---\nk: a\n---\n\xff\xfe",       "---\nk: new\n---\n\xff\xfe"         },
        /* added */
        { "---\n---\n",                     "---\nk: new\n---\n"                 },
        { "---\n# c\n---",                  "---\n# c\nk: new\n---"              },
        { "---\na: 1\n---\nx",              "---\na: 1\nk: new\n---\nx"          },
        { "---\r\na: 1\r\n---",             "---\r\na: 1\r\nk: new\r\n---"       },
        { "\xef\xbb\xbf---\r\na: 1\r\n---\r\n", "\xef\xbb\xbf---\r\na: 1\r\nk: new\r\n---\r\n" },
        { "---\ra: 1\r---\r",               "---\ra: 1\rk: new\r---\r"           },
        { "---\n  a: 1\n  b: 2\n---\n",     "---\n  a: 1\n  b: 2\n  k: new\n---\n" },
        { "---\na: |+\n  x\n\n---\n",       "---\na: |+\n  x\n\nk: new\n---\n"   },
        { "---\na:\n---\n",                 "---\na:\nk: new\n---\n"             },
        /* in one line */
        { "---\n{k: a, b: 1}\n---\n",       "---\n{k: new, b: 1}\n---\n"         },
        { "---\n{a: 1}\n---\n",             "---\n{a: 1, k: new}\n---\n"         },
        { "---\n{a: 1,}\n---\n",            "---\n{a: 1, k: new,}\n---\n"        },
        { "---\n{a: {b: 1}}\n---\n",        "---\n{a: {b: 1}, k: new}\n---\n"    },
        { "---\n{a: [b]} # c\n---\n",       "---\n{a: [b], k: new} # c\n---\n"   },
        { "---\n{}\n---\n",                 "---\n{k: new}\n---\n"               },
        /* not at all */
        { "",                               NULL },
        { "# k: a\n",                       NULL },
        { "---\nk: a\n",                    NULL },
        { "---\nk: a\nk: b\n---\n",         NULL },
        { "---\nk: &x a\n---\n",            NULL },
        { "---\na: 1\n...\n---\n",          NULL },
    };
    struct text out = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool done = set(&out, cases[i].file, "new");

        if (!cases[i].want) {
            assert_false(done);
            continue;
        }
        assert_string_equal(text_of(&out), cases[i].want);
        assert_true(done);
    }
    text_free(&out);
}

static void quotes_what_must_be(void **state)
{
    static const struct { const char *value, *want; } cases[] = {
        { "important",     "important"     }, { "a b/c-1.md",   "a b/c-1.md"   }, { "2025-01-15", "2025-01-15" },
        { "",              "''"            }, { "true",         "'true'"       }, { "Off",        "'Off'"      },
        { "~",             "'~'"           }, { "12",           "'12'"         }, { "1.0",        "'1.0'"      },
        { "1.0.1",         "1.0.1"         }, { "null",         "'null'"       }, { " a",         "' a'"       },
        { "a ",            "'a '"          }, { "- a",          "'- a'"        }, { "a: b",       "'a: b'"     },
        { "a #b",          "'a #b'"        }, { "it's",         "'it''s'"      }, { "[a]",        "'[a]'"      },
        { "a, b",          "'a, b'"        }, { "\"q\"",        "'\"q\"'"      }, { "\xc3\xa9",   "'\xc3\xa9'" },
        { "a\nb",          "\"a\\u000ab\"" }, { "\t\"\\",       "\"\\u0009\\\"\\\\\"" }, { "yes sir", "yes sir" },
        { "\xe2\x80\xa8",  "\"\\u2028\""   }, { "\xc2\x85",     "\"\\u0085\""  }, { "\xef\xbb\xbf", "\"\\ufeff\"" },
        { "\x7f",          "\"\\u007f\""   }, { "---",          "'---'"        }, { "...",        "..."        },
    };
    struct text out = { 0 };
    char        want[100];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        snprintf(want, sizeof want, "---\nk: %s # c\n---\n", cases[i].want);
        assert_true(set(&out, "---\nk: a # c\n---\n", cases[i].value));
        assert_string_equal(text_of(&out), want);
        assert_true(set(&out, "---\n{k: a }\n---\n", cases[i].value));
    }
    assert_false(set(&out, "---\nk: a\n---\n", "\xff"));
    text_free(&out);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(reads_scalars),
        cmocka_unit_test(refuses),
        cmocka_unit_test(keeps_its_limits),
        cmocka_unit_test(counts_keys),
        cmocka_unit_test(sets),
        cmocka_unit_test(quotes_what_must_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
