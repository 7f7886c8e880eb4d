/* mirror_test.c - headers that repeat arguments. */
#include "net/client/mirror.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "json/read.h"
#include "support/fault.h"

static yyjson_val *read(struct tn_arena *arena, const char *text)
{
    static const struct tn_json_limits limits = { 100000, 100, 10000 };
    struct tn_json_text                got    = tn_json_read(arena, text, strlen(text), &limits);

    assert_int_equal(got.fault, JSON_FINE);
    return got.root;
}

static void mirrors(void **state)
{
    static const struct { const char *schema, *arguments, *want; } cases[] = {
        { "{\"x-mcp-header\":\"A\"}",            "\"b c\"",     "Mcp-Param-A: b c"                 },
        { "{\"x-mcp-header\":\"A\"}",            "\"\"",        "Mcp-Param-A: =?base64?" "?="         },
        { "{\"x-mcp-header\":\"A\"}",            "\"a\\u0000\"", "Mcp-Param-A: =?base64?YQA=?="  },
        { "{\"x-mcp-header\":\"A\"}",            "-7",          "Mcp-Param-A: -7"                  },
        { "{\"x-mcp-header\":\"A\"}",            "true",        "Mcp-Param-A: true"                },
        { "{\"x-mcp-header\":\"A\"}",            "null",        ""                                 },
        { "{\"x-mcp-header\":\"A\"}",            "[1]",         ""                                 },
        { "{\"x-mcp-header\":\"A\\r\\nB: c\"}", "1",        ""                                 },
        { "{\"x-mcp-header\":\"\"}",             "1",           ""                                 },
        { "{\"x-mcp-header\":5}",                "1",           ""                                 },
        { "{\"properties\":{\"q\":{\"x-mcp-header\":\"Q\"}}}", "{\"q\":1}", "Mcp-Param-Q: 1"       },
        { "{\"items\":{\"x-mcp-header\":\"Q\"}}", "[1]",        ""                                 },
        { "7",                                   "1",           ""                                 },
    };
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tn_header headers[4];
        char             schema[200], arguments[100], got[200] = "";

        snprintf(schema, sizeof schema, "{\"properties\":{\"p\":%s}}", cases[i].schema);
        snprintf(arguments, sizeof arguments, "{\"p\":%s}", cases[i].arguments);
        if (tn_mirror_params(&arena, read(&arena, schema), read(&arena, arguments), headers, 4))
            snprintf(got, sizeof got, "%s: %s", headers[0].name, headers[0].value);
        assert_string_equal(got, cases[i].want);
    }
    tn_arena_free(&arena);
}

static void survives_every_refusal(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct tn_fault  fault  = { .refuse_at = n };
        tenon_allocator  memory = tn_fault_allocator(&fault), other = tn_memory_of(NULL);
        struct tn_arena  arena, kept;
        struct tn_header headers[2];

        tn_arena_init(&kept, &other, 0);
        tn_arena_init(&arena, &memory, 0);
        tn_mirror_params(&arena, read(&kept, "{\"properties\":{\"p\":{\"x-mcp-header\":\"A\"}}}"),
                         read(&kept, "{\"p\":\"\\u00e9\"}"), headers, 2);
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
        cmocka_unit_test(mirrors),
        cmocka_unit_test(survives_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
