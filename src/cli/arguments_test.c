/* arguments_test.c - words typed by a schema; types in words. */
#include "cli/arguments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "cli/param.h"
#include "json/read.h"
#include "support/fault.h"

#define WORDS_MAX 4

static const char schema_text[] =
    "{\"properties\":{\"s\":{\"type\":\"string\"},\"i\":{\"type\":\"integer\"},\"f\":{\"type\":[\"number\","
    "\"null\"]},"
    "\"b\":{\"type\":\"boolean\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{"
    "\"type\":\"string\"}}},"
    "\"o\":{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"string\"}]},\"e\":{\"enum\":[1,2,\"x\"]},"
    "\"r\":{\"$ref\":\"#/$defs/a~1b\"},\"loop\":{\"$ref\":\"#/properties/loop\"},\"lost\":{\"$ref\":\"#/"
    "none\"},\"any\":{},"
    "\"m\":{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}},\"$defs\":{\"a/b\":{\"$ref\":\"#/"
    "properties/i\"}}}";

static yyjson_val *read(struct tn_arena *arena, const char *text)
{
    static const struct tn_json_limits limits = { 100000, 100, 10000 };
    struct tn_json_text                got    = tn_json_read(arena, text, strlen(text), &limits);

    assert_int_equal(got.fault, JSON_FINE);
    return got.root;
}

static void types_words(void **state)
{
    static const struct { const char *words[WORDS_MAX], *want; } cases[] = {
        { { NULL },                        "{}"                             },
        { { "s=3", "i=3" },                "{\"s\":\"3\",\"i\":3}"          },
        { { "i= 3 ", "s= 3 " },            "{\"i\":3,\"s\":\" 3 \"}"        },
        { { "i=3.5" },                     "{\"i\":3.5}"                    },
        { { "i=123456789012345678901234" }, "{\"i\":123456789012345678901234}" },
        { { "i=three", "i2=3" },           "{\"i\":\"three\",\"i2\":\"3\"}" },
        { { "i=[3]" },                     "{\"i\":\"[3]\"}"                },
        { { "f=null", "b=false" },         "{\"f\":null,\"b\":false}"       },
        { { "l=[[\"a\"]]", "l2=" },        "{\"l\":[[\"a\"]],\"l2\":\"\"}"  },
        { { "o={}", "e=1", "r=4" },        "{\"o\":\"{}\",\"e\":\"1\",\"r\":4}" },
        { { "m=5", "loop=1", "lost=2" },   "{\"m\":5,\"loop\":\"1\",\"lost\":\"2\"}" },
        { { "any=1", "a\"b=1" },           "{\"any\":\"1\",\"a\\\"b\":\"1\"}" },
        { { "s:=3", "x:=[1, 2]" },         "{\"s\":3,\"x\":[1, 2]}"         },
        { { "s=a=b", "t=:=" },             "{\"s\":\"a=b\",\"t\":\":=\"}"   },
        { { "s" },                         "an argument must be NAME=VALUE or NAME:=JSON, got 's'" },
        { { "=1" },                        "an argument must be NAME=VALUE or NAME:=JSON, got '=1'" },
        { { ":=1" },                       "an argument must be NAME=VALUE or NAME:=JSON, got ':=1'" },
        { { "s:=" },                       "s:= needs JSON, got ''"   },
        { { "s=1", "ss=1", "s:=2" },       "s is given twice"         },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char        why[ARGUMENTS_WHY_MAX];
        size_t      count = 0;
        const char *got;

        while (count < WORDS_MAX && cases[i].words[count])
            count++;
        got = arguments_build(&arena, read(&arena, schema_text), cases[i].words, count, why);
        assert_string_equal(got ? got : why, cases[i].want);
    }
    tn_arena_free(&arena);
}

static void says_types(void **state)
{
    static const struct { const char *name, *want; } cases[] = {
        { "s", "string" }, { "f", "number or null" }, { "l", "string[][]" }, { "o", "string or object" },
        { "e", "1|2|x" },  { "r", "integer" },        { "any", "any" },      { "m", "integer or null" },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        yyjson_val   *schema = read(&arena, schema_text);
        struct tn_buf out;

        tn_buf_init(&out, &arena, 0, 1000);
        param_type(&out, &arena, schema, yyjson_obj_get(yyjson_obj_get(schema, "properties"), cases[i].name));
        assert_string_equal(tn_buf_end(&out), cases[i].want);
    }
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    static const char *const words[] = { "s=a", "l=[[]]", "x:=1" };

    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault fault  = { .refuse_at = n };
        tenon_allocator memory = tn_fault_allocator(&fault), other = tn_memory_of(NULL);
        struct tn_arena arena, kept;
        char            why[ARGUMENTS_WHY_MAX];
        yyjson_val     *schema;

        tn_arena_init(&kept, &other, 0);
        tn_arena_init(&arena, &memory, 0);
        schema = read(&kept, schema_text);
        arguments_build(&arena, schema, words, 3, why);
        tn_arena_free(&arena);
        tn_arena_free(&kept);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_words),
        cmocka_unit_test(says_types),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
