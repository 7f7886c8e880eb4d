/* uri_reference_test.c - the examples of RFC 3986, bases of other kinds, and malformed input. */
#include "text/uri_reference.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define RFC "http://a/b/c/d;p?q"

static void resolves(void **state)
{
    static const struct { const char *base, *reference, *want; } cases[] = {
        /* RFC 3986, 5.4.1 */
        { RFC, "g:h",     "g:h"                   },
        { RFC, "g",       "http://a/b/c/g"        },
        { RFC, "./g",     "http://a/b/c/g"        },
        { RFC, "g/",      "http://a/b/c/g/"       },
        { RFC, "/g",      "http://a/g"            },
        { RFC, "//g",     "http://g"              },
        { RFC, "?y",      "http://a/b/c/d;p?y"    },
        { RFC, "g?y",     "http://a/b/c/g?y"      },
        { RFC, "#s",      "http://a/b/c/d;p?q#s"  },
        { RFC, "g#s",     "http://a/b/c/g#s"      },
        { RFC, "g?y#s",   "http://a/b/c/g?y#s"    },
        { RFC, ";x",      "http://a/b/c/;x"       },
        { RFC, "g;x",     "http://a/b/c/g;x"      },
        { RFC, "g;x?y#s", "http://a/b/c/g;x?y#s"  },
        { RFC, "",        "http://a/b/c/d;p?q"    },
        { RFC, ".",       "http://a/b/c/"         },
        { RFC, "./",      "http://a/b/c/"         },
        { RFC, "..",      "http://a/b/"           },
        { RFC, "../",     "http://a/b/"           },
        { RFC, "../g",    "http://a/b/g"          },
        { RFC, "../..",   "http://a/"             },
        { RFC, "../../",  "http://a/"             },
        { RFC, "../../g", "http://a/g"            },
        /* 5.4.2 */
        { RFC, "../../../g",    "http://a/g"            },
        { RFC, "../../../../g", "http://a/g"            },
        { RFC, "/./g",          "http://a/g"            },
        { RFC, "/../g",         "http://a/g"            },
        { RFC, "g.",            "http://a/b/c/g."       },
        { RFC, ".g",            "http://a/b/c/.g"       },
        { RFC, "g..",           "http://a/b/c/g.."      },
        { RFC, "..g",           "http://a/b/c/..g"      },
        { RFC, "./../g",        "http://a/b/g"          },
        { RFC, "./g/.",         "http://a/b/c/g/"       },
        { RFC, "g/./h",         "http://a/b/c/g/h"      },
        { RFC, "g/../h",        "http://a/b/c/h"        },
        { RFC, "g;x=1/./y",     "http://a/b/c/g;x=1/y"  },
        { RFC, "g;x=1/../y",    "http://a/b/c/y"        },
        { RFC, "g?y/./x",       "http://a/b/c/g?y/./x"  },
        { RFC, "g?y/../x",      "http://a/b/c/g?y/../x" },
        { RFC, "g#s/./x",       "http://a/b/c/g#s/./x"  },
        { RFC, "g#s/../x",      "http://a/b/c/g#s/../x" },
        { RFC, "http:g",        "http:g"                },
        /* Bases of other kinds. */
        { "http://a",                        "g",               "http://a/g"                         },
        { "http://a?q",                      "g",               "http://a/g"                         },
        { "http://a",                        "",                "http://a"                           },
        { "http://a/b#old",                  "",                "http://a/b"                         },
        { "http://a/b#old",                  "#new",            "http://a/b#new"                     },
        { "http://a/b",                      "#",               "http://a/b#"                        },
        { "http://a/b?",                     "#s",              "http://a/b?#s"                      },
        { "http://a/b?q",                    "?",               "http://a/b?"                        },
        { "http://u@a:80/b",                 "c",               "http://u@a:80/c"                    },
        { "https://a/b",                     "//c/./d/../e",    "https://c/e"                        },
        { "urn:uuid:feeb-da",                "#/$defs/x",       "urn:uuid:feeb-da#/$defs/x"          },
        { "urn:uuid:feeb-da",                "",                "urn:uuid:feeb-da"                   },
        { "urn:a:b?=q",                      "#s",              "urn:a:b?=q#s"                       },
        { "urn:a:b",                         "urn:c:d#s",       "urn:c:d#s"                          },
        { "tag:example.com,2020:a/b",        "#x",              "tag:example.com,2020:a/b#x"         },
        { "tag:example.com,2020:a/b",        "c",               "tag:example.com,2020:a/c"           },
        { "file:///a/b.json",                "c.json",          "file:///a/c.json"                   },
        { "file:///a/b.json",                "../../c.json#d",  "file:///c.json#d"                   },
        { "file:///a/b.json",                "/c",              "file:///c"                          },
        { "file:/a/b",                       "c",               "file:/a/c"                          },
        { "file:///a/b",                     "http://h/x/../y", "http://h/y"                         },
        { "file:/a/b",                       "/.//c",           "file:/.//c"                         },
        { "file:/a/b",                       "file:.//c",       "file:/c"                            },
        { "file:/a/b",                       "file:.///c",      "file:/.//c"                         },
        /* No base. */
        { "",                                "./a:b",           "./a:b"                              },
        { "",                                "../a:b/c",        "./a:b/c"                            },
        { "",                                "a/b:c",           "a/b:c"                              },
        { "",                                "",                ""                                   },
        { "",                                "#s",              "#s"                                 },
        { "",                                "a/b.json",        "a/b.json"                           },
        { "",                                "/a/b",            "/a/b"                               },
        { "",                                "http://a/./b#c",  "http://a/b#c"                       },
        { "",                                "urn:x:y",         "urn:x:y"                            },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice got = tn_uri_reference_resolve(&arena, tn_slice_of(cases[i].base),
                                                       tn_slice_of(cases[i].reference));

        assert_non_null(got.at);
        if (!tn_slice_is(got, cases[i].want))
            fail_msg("%s from %s is %s", cases[i].reference, cases[i].base, got.at);
    }
    tn_arena_free(&arena);
}

static void refuses_what_is_too_long(void **state)
{
    static char     text[REFERENCE_LEN_MAX + 1];
    struct tn_arena arena;

    (void)state;
    memset(text, 'a', sizeof text);
    tn_arena_init(&arena, NULL, 0);
    assert_null(
        tn_uri_reference_resolve(&arena, (struct tn_slice){ text, sizeof text }, tn_slice_of("#a")).at);
    assert_null(
        tn_uri_reference_resolve(&arena, tn_slice_of("http://a/"), (struct tn_slice){ text, sizeof text })
            .at);
    assert_null(
        tn_uri_reference_resolve(&arena, tn_slice_of("http://a/"), (struct tn_slice){ text, sizeof text - 1 })
            .at);
    assert_int_equal(tn_uri_reference_resolve(&arena, tn_slice_of("http://a/"),
                                              (struct tn_slice){ text, sizeof text - 10 })
                         .len,
                     REFERENCE_LEN_MAX);
    assert_false(arena.failed);
    tn_arena_free(&arena);

    tn_arena_init(&arena, NULL, 1);
    assert_null(tn_uri_reference_resolve(&arena, tn_slice_of("http://a/"), tn_slice_of("b")).at);
    assert_true(arena.failed);
    tn_arena_free(&arena);
}

static void splits(void **state)
{
    static const struct { const char *uri, *without, *fragment; } cases[] = {
        { "",          "",         ""    },
        { "a",         "a",        ""    },
        { "a#",        "a",        ""    },
        { "#b",        "",         "b"   },
        { "a?c#b#d",   "a?c",      "b#d" },
        { "urn:x#/y",  "urn:x",    "/y"  },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice without, fragment;

        tn_uri_reference_split(tn_slice_of(cases[i].uri), &without, &fragment);
        assert_true(tn_slice_is(without, cases[i].without));
        assert_true(tn_slice_is(fragment, cases[i].fragment));
    }
}

static void decodes(void **state)
{
    static const struct { const char *fragment, *want; } cases[] = {
        { "",              ""                  },
        { "/a/b",          "/a/b"              },
        { "/%25/a%22b",    "/%/a\"b"           },
        { "%c3%A4",        "\xc3\xa4"          },
        { "a+b",           "a+b"               },
        { "%",             NULL                },
        { "a%2",           NULL                },
        { "%zz",           NULL                },
        { "%c3",           NULL                },
        { "%ff",           NULL                },
    };
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_slice got = tn_uri_reference_decode(&arena, tn_slice_of(cases[i].fragment));

        if (cases[i].want ? !got.at || !tn_slice_is(got, cases[i].want) : got.at != NULL)
            fail_msg("%s", cases[i].fragment);
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resolves),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(splits),
        cmocka_unit_test(decodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
