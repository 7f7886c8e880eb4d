/* repair_test.c - repairs by schema: what is changed, what never is, and that a repair needs no repair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/schema.h>

#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* NULL as wanted: there is no repair. */
static void repairs_to(const char *schema_text, const char *json, const char *want)
{
    tenon_schema  *schema  = tenon_schema_new(schema_text, strlen(schema_text), .format_assertion = true);
    tenon_verdict *verdict = tenon_verdict_new(schema);
    size_t         len     = 0;
    const char    *text    = tenon_verdict_repair(verdict, json, strlen(json), &len);
    char           once[4096];

    if (tenon_schema_error(schema))
        fail_msg("%s: %s", schema_text, tenon_schema_error(schema));
    if (!want) {
        if (text)
            fail_msg("%s by %s: %s", json, schema_text, text);
        assert_true(tenon_verdict_issue_count(verdict) > 0);
    } else {
        if (!text || strcmp(text, want) != 0)
            fail_msg("%s by %s: %s, wanted %s", json, schema_text, text ? text : "nothing", want);
        assert_int_equal(strlen(text), len);
        assert_int_equal(tenon_verdict_issue_count(verdict), 0);
        snprintf(once, sizeof once, "%s", text);
        assert_true(tenon_verdict_judge(verdict, once, strlen(once)));
        assert_string_equal(tenon_verdict_repair(verdict, once, strlen(once), NULL), once);
        assert_int_equal(tenon_verdict_message_count(verdict), 0);
    }
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

#define INT     "{\"type\":\"integer\"}"
#define STR     "{\"type\":\"string\"}"
#define BOOL    "{\"type\":\"boolean\"}"
#define A(s)    "{\"properties\":{\"a\":" s "}}"
#define INTS    "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}"
#define STRS    "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"
#define COLOURS "{\"enum\":[\"RED\",\"Green\",\"blue\"]}"
#define CLOSED  "{\"type\":\"object\",\"properties\":{\"n\":" INT "},\"additionalProperties\":false}"

static void repairs_without_loss(void **state)
{
    static const struct { const char *schema, *json, *want; } cases[] = {
        /* Valid text keeps every byte. */
        { INT,                                     " 3.0 ",                 " 3.0 "                  },
        { "{}",                                    "{ \"a\" : \"80\" }",    "{ \"a\" : \"80\" }"     },
        { "true",                                  "\"[1]\"",               "\"[1]\""                },
        { "{\"type\":[\"string\",\"integer\"]}",   "\"80\"",                "\"80\""                 },
        { "{\"anyOf\":[" INT "," STR "]}",         "\"007\"",               "\"007\""                },
        { "{\"oneOf\":[" INT "," STR "]}",         "\"12345678901234567\"", "\"12345678901234567\""  },
        { "{\"type\":[\"integer\",\"string\"]}",   "\"123e4567-e89b-12d3-a456-426614174000\"",
                                                   "\"123e4567-e89b-12d3-a456-426614174000\""        },
        /* Numbers and truth values in quotes. */
        { INT,                                     "\"80\"",                "80"                     },
        { INT,                                     "\" 80 \"",              "80"                     },
        { INT,                                     "\"3.0\"",               "3"                      },
        { INT,                                     "\"-1e2\"",              "-100"                   },
        { INT,                                     "\"18446744073709551615\"", "18446744073709551615" },
        { INT,                                     "\"99999999999999999999999\"", "99999999999999999999999" },
        { INT,                                     "\"2.5\"",               NULL                     },
        { INT,                                     "\"007\"",               NULL                     },
        { INT,                                     "\"0x10\"",              NULL                     },
        { INT,                                     "\"\"",                  NULL                     },
        { INT,                                     "\"1,000\"",             NULL                     },
        { INT,                                     "2.5",                   NULL                     },
        { INT,                                     "true",                  NULL                     },
        { "{\"type\":\"number\"}",                 "\"2.50\"",              "2.5"                    },
        { "{\"type\":\"number\"}",                 "\"0.12345678901234567890123\"",
                                                   "0.12345678901234567890123"                       },
        { "{\"type\":\"number\"}",                 "\"NaN\"",               NULL                     },
        { "{\"type\":\"number\",\"maximum\":5}",   "\"7\"",                 NULL                     },
        { BOOL,                                    "\"true\"",              "true"                   },
        { BOOL,                                    "\" False\"",            "false"                  },
        { BOOL,                                    "\"maybe\"",             NULL                     },
        { BOOL,                                    "\"yes\"",               NULL                     },
        { BOOL,                                    "1",                     NULL                     },
        { STR,                                     "80",                    NULL                     },
        { STR,                                     "true",                  NULL                     },
        { "{\"type\":\"null\"}",                   "\"null\"",              NULL                     },
        { "{\"type\":[\"boolean\",\"number\"]}",   "\"true\"",              "true"                   },
        { "{\"type\":[\"boolean\",\"number\"]}",   "\"1\"",                 "1"                      },
        /* JSON text. */
        { INTS,                                    "\"[1, 2]\"",            "[1,2]"                  },
        { INTS,                                    "\" [1,\\\"2\\\"] \"",   "[1,2]"                  },
        { INTS,                                    "\"[1, 2\"",             NULL                     },
        { INTS,                                    "\"{}\"",                NULL                     },
        { STRS,                                    "\"[\\\"a\\\"]\"",       "[\"a\"]"                },
        { STRS,                                    "\"[a]\"",               NULL                     },
        { CLOSED,                                  "\"{\\\"n\\\":1}\"",     "{\"n\":1}"              },
        { CLOSED,                                  "\"{\\\"n\\\":\\\"1\\\"}\"", "{\"n\":1}"          },
        { CLOSED,                                  "\"{\\\"m\\\":1}\"",     NULL                     },
        { A(A(INTS)), "{\"a\":\"{\\\"a\\\":\\\"[1]\\\"}\"}", "{\"a\":\"{\\\"a\\\":\\\"[1]\\\"}\"}"   },
        { A("{\"type\":\"object\",\"properties\":{\"a\":" INTS "}}"),
          "{\"a\":\"{\\\"a\\\":\\\"[1]\\\"}\"}",   "{\"a\":{\"a\":[1]}}"                             },
        { "{\"type\":[\"array\",\"object\"]}",     "\"{}\"",                "{}"                     },
        { "{\"type\":[\"array\",\"string\"],\"minLength\":9}", "\"[1]\"",   NULL                     },
        /* One for a list. */
        { INTS,                                    "5",                     "[5]"                    },
        { INTS,                                    "\"5\"",                 "[5]"                    },
        { STRS,                                    "\"a,b\"",               "[\"a,b\"]"              },
        { STRS,                                    "\" \"",                 NULL                     },
        { STRS,                                    "null",                  NULL                     },
        { STRS,                                    "5",                     NULL                     },
        { STRS,                                    "{}",                    NULL                     },
        { "{\"type\":[\"array\",\"null\"]}",       "5",                     "[5]"                    },
        { "{\"type\":[\"array\",\"object\"]}",     "5",                     NULL                     },
        { "{\"type\":\"array\",\"minItems\":2}",   "5",                     NULL                     },
        /* Known values. */
        { COLOURS,                                 "\" red\"",              "\"RED\""                },
        { COLOURS,                                 "\"GREEN\"",             "\"Green\""              },
        { COLOURS,                                 "\"redd\"",              NULL                     },
        { "{\"enum\":[\"a\",\"A\"]}",              "\" a \"",               "\"a\""                  },
        { "{\"enum\":[\"ab\",\"AB\"]}",            "\"Ab\"",                NULL                     },
        { "{\"enum\":[\"auto\",80]}",              "\"80\"",                "80"                     },
        { "{\"enum\":[\"auto\",80]}",              "\"Auto\"",              "\"auto\""               },
        { "{\"const\":true}",                      "\"TRUE\"",              "true"                   },
        { "{\"type\":\"string\",\"const\":\"x\"}", "\"X\"",                 "\"x\""                  },
        { "{\"type\":\"array\",\"items\":" COLOURS "}", "[\"red\",\"blue\"]", "[\"RED\",\"blue\"]"   },
        { "{\"type\":\"array\",\"items\":" COLOURS "}", "\"red\"",          "[\"RED\"]"              },
        /* Members. */
        { A(INT),                                  "{\"b\":\"1\",\"a\":\"1\"}", "{\"b\":\"1\",\"a\":1}" },
        { A(INT),                                  "{\"b\":1,\"a\":null,\"c\":2}", "{\"b\":1,\"c\":2}" },
        { A("{\"type\":[\"integer\",\"null\"]}"),  "{\"a\":null}",          "{\"a\":null}"           },
        { "{\"properties\":{\"a\":" INT "},\"required\":[\"a\"]}", "{\"a\":null}", NULL              },
        { CLOSED,                                  "{\"m\":null}",          NULL                     },
        { CLOSED,                                  "{\"m\":1,\"n\":\"1\"}", NULL                     },
        { "{\"patternProperties\":{\"^i\":" INT "},\"additionalProperties\":" BOOL "}",
          "{\"i1\":\"1\",\"b\":\"true\"}",    "{\"i1\":1,\"b\":true}"                                    },
        { "{\"patternProperties\":{\"^i\":" INT "},\"additionalProperties\":" BOOL "}", "{\"i2\":null}", NULL },
        { "{\"properties\":{\"i\":true},\"patternProperties\":{\"^i\":" INT "}}", "{\"i\":null}", "{}" },
        { "{\"additionalProperties\":" INT "}",    "{\"a\":null}",          NULL                     },
        { "{\"additionalProperties\":{\"type\":[\"integer\",\"null\"]}}", "{\"a\":null}", "{\"a\":null}" },
        { "{\"allOf\":[" A(STR) "],\"unevaluatedProperties\":" INT "}", "{\"a\":\"1\",\"b\":\"2\"}",
          "{\"a\":\"1\",\"b\":2}"                                                                },
        { "{\"allOf\":[" A(STR) "],\"unevaluatedProperties\":" INT "}", "{\"a\":\"1\",\"b\":null}", NULL },
        { "{\"unevaluatedProperties\":" STR "}",   "{\"b\":5}",             "{\"b\":\"5\"}"          },
        { "{\"unevaluatedProperties\":false}",     "{\"b\":\"5\"}",         NULL                     },
        { "{\"prefixItems\":[" STR "],\"unevaluatedItems\":" INTS "}", "[\"1\",\"[2]\",\"3\"]", "[\"1\",[2],[3]]" },
        { "{\"prefixItems\":[" INT "," BOOL "],\"items\":" INTS "}", "[\"1\",\"true\",\"[2]\"]", "[1,true,[2]]" },
        { "{\"dependentSchemas\":{\"a\":" A(INT) "}}", "{\"a\":\"1\"}",     "{\"a\":1}"              },
        /* What rows take, and no more. */
        { "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "\"{a\"",   "[\"{a\"]"               },
        { "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "\"[a\"",   NULL                     },
        { "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "[[\"a\"]]", NULL                    },
        { "{\"type\":\"array\",\"items\":" CLOSED "}", "\"{\\\"n\\\":1}\"", "[{\"n\":1}]"               },
        { "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}", "{\"k\":[\"v\"]}", NULL },
        /* Numbers beside a repair keep their digits. */
        { A(INT), "{\"a\":\"1\",\"b\":0.12345678901234567890123,\"c\":9007199254740993,\"d\":1E400}",
                  "{\"a\":1,\"b\":0.12345678901234567890123,\"c\":9007199254740993,\"d\":1E400}"     },
        /* What no double holds is read as 0, whatever its digits say: it is not valid as it stands. */
        { "{\"exclusiveMinimum\":0}",               "1e-400",               NULL                     },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        repairs_to(cases[i].schema, cases[i].json, cases[i].want);
}

#define SHAPES                                                                                                \
    "{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"circle\"},\"r\":{\"type\":\"number\"}},"              \
    "\"required\":[\"kind\",\"r\"]},{\"properties\":{\"kind\":{\"const\":\"square\"},\"w\":" INT "},"         \
    "\"required\":[\"kind\",\"w\"]}]}"

static void follows_alternatives_and_references(void **state)
{
    static const struct { const char *schema, *json, *want; } cases[] = {
        { "{\"anyOf\":[" INT "," BOOL "]}",              "\"80\"",   "80"   },
        { "{\"anyOf\":[" INT "," BOOL "]}",              "\"true\"", "true" },
        { "{\"anyOf\":[" INT ",{\"type\":\"null\"}]}",   "\"80\"",   "80"   },
        { "{\"anyOf\":[" INT ",{\"type\":\"number\"}]}", "\"80\"",   "80"   },
        { "{\"anyOf\":[" INT "," INTS "]}",              "\"80\"",   NULL   },
        { "{\"anyOf\":[" INT ",{\"type\":\"string\",\"minLength\":3}]}",      "\"80\"",   NULL       },
        { "{\"anyOf\":[" INT ",{\"type\":\"string\",\"format\":\"uuid\"}]}",  "\"80\"",   NULL       },
        { "{\"anyOf\":[" INT ",{\"const\":\"auto\"}]}",                       "\"80\"",   "80"       },
        { "{\"anyOf\":[" INT ",{\"const\":\"auto\"}]}",                       "\"AUTO\"", "\"auto\"" },
        { "{\"anyOf\":[{\"$ref\":\"#/$defs/s\"}," INT "],\"$defs\":{\"s\":{\"type\":\"string\",\"pattern\":\"^x\"}}}",
          "\"80\"", NULL },
        { "{\"oneOf\":[" INT ",{\"type\":\"number\",\"maximum\":5}]}",        "\"3\"",    NULL       },
        { "{\"oneOf\":[" INT ",{\"type\":\"number\",\"maximum\":5}]}",        "\"7\"",    "7"        },
        { "{\"oneOf\":[" INT ",{\"type\":\"number\"}]}",                      "3",        NULL       },
        { SHAPES, "{\"kind\":\"Circle\",\"r\":\"2.5\"}",        "{\"kind\":\"circle\",\"r\":2.5}"    },
        { SHAPES, "{\"kind\":\"square\",\"w\":\"2.5\"}",        NULL                                 },
        { SHAPES, "{\"kind\":\"triangle\",\"w\":\"2\"}",        NULL                                 },
        { "{\"allOf\":[" INT ",{\"minimum\":5}]}",              "\"80\"", "80"                       },
        { "{\"allOf\":[{\"minimum\":5}," INT "]}",              "\"4\"",  NULL                       },
        { "{\"allOf\":[" INT "," STR "]}",                      "\"4\"",  NULL                       },
        { "{\"allOf\":[" A(INT) "," A("{\"maximum\":9}") "]}",  "{\"a\":\"8\"}", "{\"a\":8}"         },
        { "{\"not\":{\"const\":80},\"type\":\"integer\"}",      "\"80\"", NULL                       },
        { "{\"if\":{\"properties\":{\"k\":{\"const\":1}}},\"then\":" A(INT) ",\"else\":" A(BOOL) "}",
          "{\"k\":2,\"a\":\"true\"}", "{\"k\":2,\"a\":true}"                                         },
        { "{\"$ref\":\"#/$defs/n\",\"$defs\":{\"n\":" INT "}}", "\"80\"", "80"                       },
        { "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"type\":\"object\",\"properties\":{\"v\":" INT ",\"next\":"
          "{\"$ref\":\"#/$defs/t\"}}}}}",
          "{\"v\":\"1\",\"next\":\"{\\\"v\\\":\\\"2\\\",\\\"next\\\":null}\"}", "{\"v\":1,\"next\":{\"v\":2}}" },
        { "{\"$id\":\"https://e.example/list\",\"$dynamicAnchor\":\"node\",\"type\":\"object\",\"properties\":{"
          "\"n\":" INT ",\"in\":{\"$dynamicRef\":\"#node\"}}}",
          "{\"n\":\"1\",\"in\":{\"n\":\"2\"}}", "{\"n\":1,\"in\":{\"n\":2}}"                         },
        { "{\"$id\":\"https://e.example/strict\",\"$dynamicAnchor\":\"node\",\"$ref\":\"tree\",\"properties\":{\"v\":"
          INT "},\"$defs\":{\"tree\":{\"$id\":\"tree\",\"$dynamicAnchor\":\"node\",\"type\":\"object\",\"properties\":"
          "{\"in\":{\"$dynamicRef\":\"#node\"}}}}}",
          "{\"v\":\"1\",\"in\":{\"v\":\"2\"}}", "{\"v\":1,\"in\":{\"v\":2}}"                         },
        { "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"items\":[" INT "],\"additionalItems\":" BOOL "}",
          "[\"1\",\"true\"]", "[1,true]"                                                             },
        { "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}",
          "\"80\"", NULL                                                                             },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        repairs_to(cases[i].schema, cases[i].json, cases[i].want);
}

static void fills_in_defaults(void **state)
{
    static const struct { const char *schema, *json, *want; } cases[] = {
        { A("{\"default\":1}"),                      "{}",            "{\"a\":1}"           },
        { A("{\"default\":1}"),                      "{ \"a\": 2 }",  "{ \"a\": 2 }"        },
        { A("{\"default\":1}"),                      "[]",            "[]"                  },
        { A("{\"default\":null}"),                   "{}",            "{\"a\":null}"        },
        { A("{\"type\":\"integer\",\"default\":1}"), "{\"a\":null}",  "{\"a\":1}"           },
        { A("{\"type\":\"integer\",\"default\":\"x\"}"), "{}",        "{}"                  },
        { A(A("{\"default\":1}")),                   "{}",            "{}"                  },
        { A(A("{\"default\":1}")),                   "{\"a\":{}}",    "{\"a\":{\"a\":1}}"   },
        { "{\"items\":" A("{\"default\":1}") "}",    "[{},{\"a\":2}]", "[{\"a\":1},{\"a\":2}]" },
        { A("{\"default\":{},\"properties\":{\"b\":{\"default\":2}}}"), "{}", "{\"a\":{\"b\":2}}" },
        { A("{\"$ref\":\"#\",\"default\":{}}"),      "{}",            "{}"                  },
        { A("{\"$ref\":\"#\",\"default\":{}}"),      "{\"a\":{}}",    "{\"a\":{}}"          },
        { "{\"properties\":{\"a\":{\"default\":{}}},\"patternProperties\":{\"a\":{\"$ref\":\"#\"}}}", "{}", "{}" },
        { "{\"$defs\":{\"d\":{\"default\":7}},\"properties\":{\"a\":{\"$ref\":\"#/$defs/d\"}}}", "{}", "{\"a\":7}" },
        { "{\"required\":[\"a\"],\"properties\":{\"a\":{\"default\":1}}}", "{}", "{\"a\":1}" },
        { "{\"allOf\":[{\"required\":[\"a\"]}],\"properties\":{\"a\":{\"default\":1}}}", "{}", "{\"a\":1}" },
        { "{\"required\":[\"a\",\"b\"],\"properties\":{\"a\":{\"default\":1}}}", "{}", NULL },
        { "{\"maxProperties\":1,\"properties\":{\"a\":{\"default\":1},\"b\":{\"default\":2}}}", "{}", "{\"a\":1}" },
        { "{\"maxProperties\":1,\"properties\":{\"a\":{\"default\":1},\"b\":{\"default\":2}}}", "{\"b\":5}", "{\"b\":5}" },
        { "{\"properties\":{\"a\":{\"default\":1},\"b\":{\"default\":2},\"c\":{\"default\":3}},\"oneOf\":["
          "{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}", "{\"a\":0}", "{\"a\":0,\"c\":3}" },
        { "{\"anyOf\":[" A("{\"default\":1}") "," INT "]}", "{}", "{\"a\":1}" },
        { "{\"if\":{\"required\":[\"k\"]},\"then\":" A("{\"default\":1}") ",\"else\":" A("{\"default\":2}") "}",
          "{}", "{\"a\":2}" },
        { "{\"properties\":{\"a\":{\"default\":1},\"b\":" INT "}}", "{\"b\":\"3\"}", "{\"b\":3,\"a\":1}" },
        { A("{\"default\":1}"), "{\"n\":0.12345678901234567890123}", "{\"n\":0.12345678901234567890123,\"a\":1}" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        repairs_to(cases[i].schema, cases[i].json, cases[i].want);
}

static void tells_changes_of_type(void **state)
{
    static const char schema_text[] = "{\"properties\":{\"n\":" INT ",\"b\":" BOOL ",\"l\":" STRS
                                      ",\"o\":{\"type\":\"object\",\"properties\":{\"k\":" INT
                                      "}},\"c\":" COLOURS ",\"u\":{\"anyOf\":[" INTS "," BOOL "]}}}";
    static const struct { const char *json, *want; } cases[] = {
        { "{\"n\":\"80\"}",                     "Converted n from \"80\" to 80"                  },
        { "{\"n\":\"80\",\"b\":\"True\"}",
          "Converted n from \"80\" to 80, b from \"True\" to true"                              },
        { "{\"l\":\"x\"}",                      "Converted l from \"x\" to [\"x\"]"              },
        { "{\"o\":{\"k\":\"1\"}}",              "Converted /o/k from \"1\" to 1"                 },
        { "{\"u\":\"true\"}",                   NULL                                                             },
        { "{\"c\":\"red\",\"o\":\"{}\",\"n\":null}", NULL                                                        },
        { "{\"n\":3.0}",                        NULL                                                             },
    };
    tenon_schema  *schema  = tenon_schema_new(schema_text, strlen(schema_text), .uri = NULL);
    tenon_verdict *verdict = tenon_verdict_new(schema);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *text = tenon_verdict_repair(verdict, cases[i].json, strlen(cases[i].json), NULL);

        if (strstr(cases[i].json,
                   "\"u\"")) { /* a list of no integers, or a truth: two ways, of which one is valid */
            assert_string_equal(text, "{\"u\":true}");
            assert_string_equal(tenon_verdict_message(verdict, 0), "Converted u from \"true\" to true");
            continue;
        }
        assert_non_null(text);
        assert_int_equal(tenon_verdict_message_count(verdict), cases[i].want ? 1 : 0);
        if (cases[i].want)
            assert_string_equal(tenon_verdict_message(verdict, 0), cases[i].want);
        assert_null(tenon_verdict_message(verdict, 1));
    }
    assert_null(tenon_verdict_repair(verdict, "{\"n\":\"1\",\"b\":7}", 15, NULL));
    assert_int_equal(tenon_verdict_message_count(verdict), 1);
    assert_string_equal(tenon_verdict_message(verdict, 0), "Converted n from \"1\" to 1");
    assert_int_equal(tenon_verdict_issue_total(verdict), 1); /* of what remains */
    assert_null(tenon_verdict_repair(verdict, "{\"n\":", 5, NULL));
    assert_string_equal(tenon_verdict_issue(verdict, 0)->code, "json");
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

/* ---- What remains ---------------------------------------------------------------------------------------------- */

#define KINDS                                                                                                 \
    "{\"properties\":{\"s\":{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"circle\"},"            \
    "\"r\":{\"type\":\"number\",\"maximum\":9}},\"required\":[\"kind\",\"r\"]},{\"type\":\"object\",\"properties\":"   \
    "{\"kind\":{\"const\":\"square\"},\"w\":{\"type\":\"number\"}},\"required\":[\"kind\",\"w\"]}]}}}"

#define CHAIN                                                                                                 \
    "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\","        \
    "\"maximum\":5},\"next\":{\"$ref\":\"#/$defs/t\"}}}}}"

#define ITEMS                                                                                                 \
    "{\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,"         \
    "\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":9},\"on\":{\"type\":\"boolean\"}}}}}}"

/* Every part is repaired as far as that goes: what is reported is what is wrong then, where the caller can correct it. */
static void reports_what_remains(void **state)
{
    static const struct { const char *schema, *json, *places, *issues, *message; } cases[] = {
        { "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":1,"
          "\"maximum\":10},\"tags\":" STRS ",\"mode\":{\"enum\":[\"fast\",\"slow\"]}}}",
          "{\"n\":\"50\",\"tags\":\"[\\\"a\\\"]\",\"mode\":\"FAST\",\"bogus\":1}", "/n|/bogus|",
          "n must be between 1 and 10, got 50|unknown property 'bogus'. Valid properties: n, tags, mode|", NULL },
        { A("{\"anyOf\":[{\"type\":\"integer\",\"minimum\":1,\"maximum\":10},{\"type\":\"null\"}]}"), "{\"a\":\"50\"}",
          "/a|", "a must be between 1 and 10, got 50|", NULL },
        { KINDS, "{\"s\":\"{\\\"kind\\\":\\\"circle\\\",\\\"r\\\":\\\"50\\\"}\"}", "/s|", "/s/r must be at most 9, got 50|",
          NULL },
        { KINDS, "{\"s\":{\"kind\":\"Circle\",\"r\":\"50\"}}", "/s/r|", "/s/r must be at most 9, got 50|", NULL },
        { ITEMS, "{\"l\":[{\"n\":\"5\",\"on\":\"TRUE\"},{\"n\":\"50\",\"x\":1},\"{\\\"n\\\":\\\"60\\\",\\\"nn\\\":1}\"]}",
          "/l/1/n|/l/1/x|/l/2|/l/2|",
          "/l/1/n must be at most 9, got 50|unknown property '/l/1/x'. Valid properties: n, on|"
          "/l/2/n must be at most 9, got 60|unknown property '/l/2/nn'. Valid properties: n, on|",
          "Converted /l/0/n from \"5\" to 5, /l/0/on from \"TRUE\" to true" },
        { CHAIN, "{\"v\":\"1\",\"next\":{\"v\":\"7\",\"next\":\"{\\\"v\\\":\\\"9\\\"}\"}}", "/next/v|/next/next|",
          "/next/v must be at most 5, got 7|/next/next/v must be at most 5, got 9|", "Converted v from \"1\" to 1" },
        { "{\"properties\":{\"k\":{\"enum\":[\"a\",\"b\"]},\"n\":" INT "},\"if\":{\"properties\":{\"k\":{\"const\":\"a\"}}},"
          "\"then\":{\"properties\":{\"n\":{\"maximum\":3}}}}", "{\"k\":\"A\",\"n\":\"7\"}", "/n|",
          "n must be at most 3, got 7|", "Converted n from \"7\" to 7" },
        { "{\"properties\":{\"a\":" INT "},\"unevaluatedProperties\":" INTS "}", "{\"a\":\"1\",\"b\":\"[\\\"2\\\",true]\"}",
          "/b|", "/b/1 must be an integer, got true|", "Converted a from \"1\" to 1, /b/0 from \"2\" to 2" },
        { A("{\"anyOf\":[{\"type\":\"string\",\"maxLength\":3}," INTS "]}"), "{\"a\":\"[1,2,3]\"}", "/a|",
          "a must not exceed 3 characters|", NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_schema  *schema      = tenon_schema_new(cases[i].schema, strlen(cases[i].schema),
                                                      .format_assertion = true);
        tenon_verdict *verdict     = tenon_verdict_new(schema);
        char           places[512] = "", issues[1024] = "";

        assert_null(tenon_verdict_repair(verdict, cases[i].json, strlen(cases[i].json), NULL));
        for (size_t k = 0; k < tenon_verdict_issue_count(verdict); k++) {
            strcat(strcat(places, tenon_verdict_place(verdict, k)), "|");
            strcat(strcat(issues, tenon_verdict_issue(verdict, k)->text), "|");
        }
        assert_string_equal(issues, cases[i].issues);
        assert_string_equal(places, cases[i].places);
        if (cases[i].message)
            assert_string_equal(tenon_verdict_message(verdict, 0), cases[i].message);
        else
            assert_int_equal(tenon_verdict_message_count(verdict), 0);
        tenon_verdict_free(verdict);
        tenon_schema_free(schema);
    }
}

/* ---- Properties ------------------------------------------------------------------------------------------------ */

static uint32_t random_below(uint32_t *seed, uint32_t bound)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 10) % bound;
}

struct text {
    char   at[1 << 16];
    size_t len;
};

static void add(struct text *text, const char *more)
{
    size_t len = strlen(more);

    if (text->len + len < sizeof text->at) {
        memcpy(text->at + text->len, more, len + 1);
        text->len += len;
    }
}

/* Any JSON, inside `quotes` strings. */
static void make_value(struct text *text, uint32_t *seed, unsigned depth)
{
    static const char *const scalars[] = { "1",
                                           "\"1\"",
                                           "2.5",
                                           "\"2.5\"",
                                           "true",
                                           "\"true\"",
                                           "null",
                                           "\"x\"",
                                           "\" RED \"",
                                           "\"blue\"",
                                           "\"[1]\"",
                                           "\"{}\"",
                                           "\"[\"",
                                           "\"\"",
                                           "\"007\"",
                                           "1e400",
                                           "\"7.0\"",
                                           "0.1",
                                           "\"{\\\"a\\\":\\\"1\\\",\\\"b\\\":null}\"",
                                           "\"[\\\"2\\\",null]\"" };
    static const char *const names[]   = { "a", "b", "c", "kind" };
    uint32_t                 what      = random_below(seed, depth > 3 ? 4 : 7);

    if (what < 5) {
        add(text, scalars[random_below(seed, COUNT_OF(scalars))]);
        return;
    }
    add(text, what == 5 ? "[" : "{");
    for (uint32_t i = 0, count = random_below(seed, 4); i < count; i++) {
        add(text, i > 0 ? "," : "");
        if (what == 6) {
            add(text, "\"");
            add(text, names[(random_below(seed, 2) + i) % COUNT_OF(names)]);
            add(text, "\":");
        }
        make_value(text, seed, depth + 1);
    }
    add(text, what == 5 ? "]" : "}");
}

static void make_schema(struct text *text, uint32_t *seed, unsigned depth);

static void make_schemas(struct text *text, uint32_t *seed, unsigned depth, const char *keyword)
{
    add(text, keyword);
    for (uint32_t i = 0, count = 1 + random_below(seed, 3); i < count; i++) {
        add(text, i > 0 ? "," : "[");
        make_schema(text, seed, depth + 1);
    }
    add(text, "]");
}

static void make_schema(struct text *text, uint32_t *seed, unsigned depth)
{
    static const char *const simple[] = {
        "{\"type\":\"integer\"}",
        "{\"type\":\"number\",\"maximum\":2}",
        "{\"type\":\"boolean\",\"default\":true}",
        "{\"type\":\"string\"}",
        "{\"type\":\"array\"}",
        "{\"type\":\"object\"}",
        "{\"enum\":[\"RED\",\"Blue\",7,true]}",
        "{\"type\":[\"integer\",\"null\"],\"default\":4}",
        "{\"type\":[\"string\",\"array\"],\"minLength\":2}",
        "{\"const\":\"x\"}",
        "{}",
        "{\"$ref\":\"#\"}",
        "{\"type\":\"object\",\"default\":{}}",
        "{\"minimum\":1}",
        "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}",
        "{\"type\":[\"array\",\"null\"],\"default\":[]}",
    };
    uint32_t what = depth > 3 ? 0 : random_below(seed, 9);

    switch (what) {
    case 3:
    case 4:
    case 5:
        add(text, what == 3 ? "{\"type\":\"object\",\"properties\":{\"a\":" : "{\"properties\":{\"a\":");
        make_schema(text, seed, depth + 1);
        add(text, ",\"b\":");
        make_schema(text, seed, depth + 1);
        add(text, random_below(seed, 2) ? "},\"required\":[\"a\"]" : "}");
        if (random_below(seed, 3) == 0) {
            add(text, ",\"additionalProperties\":");
            make_schema(text, seed, depth + 1);
        }
        add(text, random_below(seed, 4) ? "}" : ",\"default\":{\"a\":1}}");
        return;
    case 6:
        add(text, "{\"type\":\"array\",\"items\":");
        make_schema(text, seed, depth + 1);
        add(text, "}");
        return;
    case 7:
        make_schemas(text, seed, depth, random_below(seed, 2) ? "{\"anyOf\":" : "{\"oneOf\":");
        add(text, "}");
        return;
    case 8:
        make_schemas(text, seed, depth, "{\"allOf\":");
        add(text, ",\"if\":");
        make_schema(text, seed, depth + 1);
        add(text, ",\"then\":");
        make_schema(text, seed, depth + 1);
        add(text, "}");
        return;
    default: add(text, simple[random_below(seed, COUNT_OF(simple))]); return;
    }
}

struct tally {
    size_t valid, repaired, refused;
};

static void repair_twice(tenon_verdict *verdict, const struct text *schema, const struct text *json,
                         struct tally *tally)
{
    static struct text once;
    bool               valid = tenon_verdict_flag(verdict, json->at, json->len);
    size_t             len   = 0;
    const char        *text  = tenon_verdict_repair(verdict, json->at, json->len, &len);

    if (!text) {
        if (valid)
            fail_msg("valid, and no repair: %s by %s", json->at, schema->at);
        assert_true(tenon_verdict_issue_count(verdict) > 0);
        tally->refused++;
        return;
    }
    tally->valid += valid;
    tally->repaired += !valid;
    if (valid && !strstr(schema->at, "default"))
        assert_string_equal(text, json->at);
    assert_true(len < sizeof once.at);
    memcpy(once.at, text, len + 1);
    if (!tenon_verdict_judge(verdict, once.at, len))
        fail_msg("repaired, and not valid: %s to %s by %s", json->at, once.at, schema->at);
    text = tenon_verdict_repair(verdict, once.at, len, &len);
    if (!text || strcmp(text, once.at) != 0)
        fail_msg("repaired twice: %s to %s to %s by %s", json->at, once.at, text ? text : "nothing",
                 schema->at);
}

static void a_repair_needs_no_repair(void **state)
{
    static struct text schema_text, json;
    struct tally       tally = { 0 };
    uint32_t           seed  = 4711;

    (void)state;
    for (unsigned i = 0; i < 500; i++) {
        tenon_schema  *schema;
        tenon_verdict *verdict;

        schema_text.len = 0;
        make_schema(&schema_text, &seed, 0);
        schema  = tenon_schema_new(schema_text.at, schema_text.len, .uri = NULL);
        verdict = tenon_verdict_new(schema);
        assert_null(tenon_schema_error(schema));
        for (unsigned k = 0; k < 30; k++) {
            json.len = 0;
            make_value(&json, &seed, 0);
            repair_twice(verdict, &schema_text, &json, &tally);
        }
        tenon_verdict_free(verdict);
        tenon_schema_free(schema);
    }
    assert_true(tally.valid > 500 && tally.repaired > 500 && tally.refused > 500);
}

/* ---- Limits and memory ------------------------------------------------------------------------------------------ */

#define WHOLE                                                                                                 \
    "{\"type\":\"object\",\"properties\":{\"n\":" INT ",\"l\":" STRS ",\"c\":" COLOURS ",\"d\":{\"default\":{\"x\":1}}," \
    "\"s\":" SHAPES ",\"p\":{\"type\":\"object\",\"patternProperties\":{\"^(a|b)+$\":" INT "}}},\"required\":[\"n\"]}"

static const char *const wholes[] = {
    "{\"n\":\"1\",\"l\":\"x\",\"c\":\"red\",\"s\":{\"kind\":\"CIRCLE\",\"r\":\"0.5\"},\"p\":{\"aab\":\"1\"}}",
    "{\"n\":1,\"l\":[\"x\"],\"c\":\"RED\"}",
    "{\"n\":\"x\",\"l\":7}",
};

static void allocates_nothing_in_steady_state(void **state)
{
    struct tn_fault fault   = { 0 };
    tenon_allocator memory  = tn_fault_allocator(&fault);
    tenon_schema   *schema  = tenon_schema_new(WHOLE, sizeof WHOLE - 1, .memory = &memory);
    tenon_verdict  *verdict = tenon_verdict_new(schema);
    size_t          before  = 0;

    (void)state;
    for (unsigned round = 0; round < 20; round++) {
        if (round == 10)
            before = fault.requests;
        for (size_t i = 0; i < COUNT_OF(wholes); i++)
            tenon_verdict_repair(verdict, wholes[i], strlen(wholes[i]), NULL);
    }
    assert_int_equal(fault.requests, before);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    assert_int_equal(fault.blocks, 0);
}

static size_t repair_all(size_t refuse_at)
{
    struct tn_fault fault   = { .refuse_at = refuse_at };
    tenon_allocator memory  = tn_fault_allocator(&fault);
    tenon_schema   *schema  = tenon_schema_new(WHOLE, sizeof WHOLE - 1, .memory = &memory);
    tenon_verdict  *verdict = schema ? tenon_verdict_new(schema) : NULL;

    for (size_t i = 0; verdict && i < COUNT_OF(wholes); i++) {
        const char *text = tenon_verdict_repair(verdict, wholes[i], strlen(wholes[i]), NULL);

        if (!tenon_verdict_failed(verdict) && !tenon_schema_error(schema))
            assert_int_equal(text != NULL, i < 2);
        else
            assert_null(text);
        for (size_t k = 0; k < tenon_verdict_issue_count(verdict); k++)
            tenon_verdict_issue(verdict, k);
    }
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.requests;
}

static void survives_every_refusal(void **state)
{
    size_t most = repair_all(0);

    (void)state;
    for (size_t i = 1; i <= most; i++)
        repair_all(i);
}

/* Branches of branches, each repaired in each: many steps, and an end. */
static void ends_whatever_the_schema(void **state)
{
    static const char schema_text[] =
        "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}},\"required\":[\"x\"]},"
        "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}},\"required\":[\"y\"]},"
        "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}},\"required\":[\"z\"]}]}";
    static struct text json;
    tenon_schema      *schema  = tenon_schema_new(schema_text, strlen(schema_text), .uri = NULL);
    tenon_verdict     *verdict = tenon_verdict_new(schema);

    (void)state;
    json.len = 0;
    for (unsigned i = 0; i < 9; i++)
        add(&json, "{\"a\":");
    add(&json, "\"1\"");
    for (unsigned i = 0; i < 9; i++)
        add(&json, "}");
    assert_null(tenon_verdict_repair(verdict, json.at, json.len, NULL));
    assert_false(tenon_verdict_failed(verdict));
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

/* What is too deep to be written again is not repaired, and never cut. */
static void leaves_what_is_too_deep(void **state)
{
    static const char  schema_text[] = "{\"properties\":{\"d\":{\"default\":1}}}";
    static struct text json;
    tenon_schema      *schema  = tenon_schema_new(schema_text, strlen(schema_text), .uri = NULL);
    tenon_verdict     *verdict = tenon_verdict_new(schema);

    (void)state;
    json.len = 0;
    add(&json, "{\"a\":");
    for (unsigned i = 0; i < 200; i++)
        add(&json, "[");
    for (unsigned i = 0; i < 200; i++)
        add(&json, "]");
    add(&json, "}");
    assert_string_equal(tenon_verdict_repair(verdict, json.at, json.len, NULL), json.at);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repairs_without_loss),
        cmocka_unit_test(follows_alternatives_and_references),
        cmocka_unit_test(fills_in_defaults),
        cmocka_unit_test(tells_changes_of_type),
        cmocka_unit_test(reports_what_remains),
        cmocka_unit_test(a_repair_needs_no_repair),
        cmocka_unit_test(allocates_nothing_in_steady_state),
        cmocka_unit_test(survives_every_refusal),
        cmocka_unit_test(ends_whatever_the_schema),
        cmocka_unit_test(leaves_what_is_too_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
