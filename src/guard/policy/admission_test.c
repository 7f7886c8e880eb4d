/* admission_test.c - what an overlay refuses is never sent, whatever was sent in which form: a hundred thousand calls that were
 * made up, each judged once more, by the public functions, as it would go to the server. */
#define _GNU_SOURCE
#include "guard/policy/admission.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tenon/schema.h>

#include "base/memory.h"
#include "guard/catalog.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/core.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define CALLS           100000
#define CALLS_WRAPPED   20000 /* inside another program, which is slow; with fewer some outcome is missing */
#define TEXT_MAX        4096

/* A server's schema, the operator's overlay, and pieces that arguments are made of. */
static const struct {
    const char *schema, *overlay;
} tools[] = {
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\"},\"l\":{"
      "\"type\":\"array\","
      "\"items\":{\"type\":\"string\"}}}}",
      "{\"properties\":{\"a\":{\"pattern\":\"^/srv(/"
      "|$)\"},\"n\":{\"maximum\":5},\"l\":{\"items\":{\"pattern\":\"^x\"}}}}" },
    { "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"a\"],\"properties\":{\"a\":{"
      "\"type\":\"string\"},"
      "\"n\":{\"type\":\"number\"},\"o\":{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[\"x\",\"Y\"]}}"
      "}}}",
      "{\"required\":[\"n\"],\"properties\":{\"n\":{\"exclusiveMinimum\":0},\"o\":{\"properties\":{\"a\":{"
      "\"const\":\"x\"}}}}}" },
    { "{\"type\":\"object\",\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"array\","
      "\"items\":{\"type\":\"integer\"}}]},"
      "\"n\":{\"type\":[\"integer\",\"null\"]},\"l\":{\"type\":\"boolean\"}}}",
      "{\"maxProperties\":2,\"not\":{\"properties\":{\"l\":{\"const\":true}},\"required\":[\"l\"]},"
      "\"properties\":{\"a\":{\"not\":{\"const\":7}}}}" },
    { "{\"type\":\"object\"}",
      "{\"propertyNames\":{\"maxLength\":1},\"properties\":{\"n\":{\"type\":\"integer\"}}}" },
};

static const char *const names[]  = { "a", "n", "l", "o", "A", "N_", "other", "\\u0061", "arguments" };
static const char *const values[] = {
    "1",
    "5",
    "6",
    "7",
    "\"7\"",
    "\"5\"",
    "5.0",
    "5.5",
    "1e1",
    "-1",
    "null",
    "\"\"",
    "true",
    "\"true\"",
    "\"/srv\"",
    "\"/srv/a\"",
    "\"/etc\"",
    "\"x\"",
    "\"Y\"",
    "\"X\"",
    "[7]",
    "[\"x1\"]",
    "[\"y\"]",
    "\"[\\\"y\\\"]\"",
    "\"x,y\"",
    "{\"a\":\"x\"}",
    "{\"a\":\"Y\"}",
    "\"{\\\"a\\\":\\\"Y\\\"}\"",
    "12345678901234567890",
    "\"none\"",
    "[]",
    "{}",
};

/* A sequence that is the same each time. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void make_object(uint64_t *chance, char *out)
{
    size_t count = draw(chance, 5);

    strcpy(out, "{");
    for (size_t i = 0; i < count; i++)
        snprintf(out + strlen(out), TEXT_MAX / 2 - strlen(out), "%s\"%s\": %s", i > 0 ? " , " : "",
                 names[draw(chance, COUNT_OF(names))], values[draw(chance, COUNT_OF(values))]);
    strcat(out, "}");
}

/* Arguments in one of the forms that models send: plain, inside a wrapper, as a text, in a fence. */
static void make_arguments(uint64_t *chance, char *out)
{
    char   object[TEXT_MAX / 2], text[TEXT_MAX];
    size_t at = 0;

    make_object(chance, object);
    switch (draw(chance, 6)) {
    case 0: snprintf(out, TEXT_MAX * 2, "{\"params\":%s}", object); return;
    case 1: snprintf(text, sizeof text, "%s", object); break;
    case 2: snprintf(text, sizeof text, "```json\n%s\n```", object); break;
    default: snprintf(out, TEXT_MAX * 2, "%s", object); return;
    }
    out[at++] = '"';
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\' || *c == '\n')
            out[at++] = '\\';
        out[at++] = *c == '\n' ? 'n' : *c;
    }
    out[at++] = '"';
    out[at]   = '\0';
}

struct bench {
    struct tn_guard     guard;
    struct tn_upstream  upstream;
    struct tn_tool_rule rule;
    struct tn_catalog  *catalog;
    tenon_schema       *overlay;
    tenon_verdict      *verdict;
    size_t              sent, denied, invalid;
};

static void bench_begin(struct bench *bench, size_t tool, enum tn_guard_repairs repairs, bool silent)
{
    char                        text[TEXT_MAX];
    struct tn_arena             arena;
    const struct tn_json_limits limits = { TEXT_MAX, 100, 10000 };
    struct tn_json_text         read;

    memset(bench, 0, sizeof *bench);
    bench->rule = (struct tn_tool_rule){
        .name = "t", .arguments = tools[tool].overlay, .silent = silent, .read_only = tool % 2 == 0
    };
    bench->upstream = (struct tn_upstream){
        .name = "up", .prefix = "", .rules = &bench->rule, .rule_count = 1
    };
    bench->guard.memory         = tn_memory_of(NULL);
    bench->guard.upstreams      = &bench->upstream;
    bench->guard.upstream_count = 1;
    bench->guard.policy.repairs = repairs;
    bench->guard.policy.unknown = UNKNOWN_MESSAGE;
    bench->guard.server         = tenon_server_new("guard", "0");
    bench->guard.box            = tenon_toolbox_new();
    bench->guard.call           = tenon_call_new(bench->guard.box);
    bench->guard.call->host     = bench; /* that it has one is enough */
    tn_names_init(&bench->guard.tools, &bench->guard.memory, &bench->upstream, 1, 0);
    snprintf(text, sizeof text, "{\"tools\":[{\"name\":\"t\",\"inputSchema\":%s}]}", tools[tool].schema);
    tn_arena_init(&arena, &bench->guard.memory, 0);
    read           = tn_json_read(&arena, text, strlen(text), &limits);
    bench->catalog = tn_catalog_new(&bench->guard, &bench->upstream, read.root, tn_slice_of(text));
    tn_arena_free(&arena);
    assert_non_null(bench->catalog);
    bench->overlay = tenon_schema_new(tools[tool].overlay, strlen(tools[tool].overlay));
    bench->verdict = tenon_verdict_new(bench->overlay);
    assert_null(tenon_schema_error(bench->overlay));
}

static void bench_end(struct bench *bench)
{
    tenon_verdict_free(bench->verdict);
    tenon_schema_free(bench->overlay);
    tn_catalog_release(bench->catalog);
    tn_names_free(&bench->guard.tools);
    tenon_call_free(bench->guard.call);
    tenon_toolbox_free(bench->guard.box);
    tenon_server_free(bench->guard.server);
}

static bool holds(struct bench *bench, struct tn_slice text)
{
    return tenon_verdict_flag(bench->verdict, text.at, text.len);
}

static void try_call(struct bench *bench, const char *arguments)
{
    const struct tn_json_limits limits = { (size_t)1 << 20, 100, 100000 };
    const struct tn_offered    *tool   = tn_catalog_find(bench->catalog, SLICE_LIT("t"));
    struct tn_arena             arena;
    struct tn_json_text         read;
    struct tn_admission         admission;
    struct tn_slice             sent;

    tn_arena_init(&arena, &bench->guard.memory, 0);
    read = tn_json_read(&arena, arguments, strlen(arguments), &limits);
    assert_non_null(read.root);
    assert_non_null(tool);
    assert_true(tn_admission_judge(&(struct tn_admission_case){ .call      = bench->guard.call,
                                                                .tool      = tool,
                                                                .arena     = &arena,
                                                                .arguments = read.root,
                                                                .text      = tn_slice_of(arguments),
                                                                .len       = strlen(arguments),
                                                                .bad_utf8  = read.bad_utf8,
                                                                .nodes     = read.nodes },
                                   &admission));
    sent = admission.arguments.len > 0 ? admission.arguments : tn_slice_of(arguments);
    if (!admission.admitted) {
        bool denied = memmem(admission.refusal.at, admission.refusal.len, "\"DENIED\"", 8) != NULL;

        bench->denied += denied;
        bench->invalid += !denied;
    } else {
        bench->sent++;
        if (!holds(bench, sent))
            fail_msg("sent although the overlay refuses it: %.*s (came as %s)", (int)sent.len, sent.at,
                     arguments);
    }
    tn_arena_free(&arena);
}

static void nothing_passes_an_overlay(void **state)
{
    static const enum tn_guard_repairs repairs[] = { REPAIRS_ON, REPAIRS_FORM, REPAIRS_OFF };
    size_t                             calls     = getenv("TENON_TEST_WRAPPED") ? CALLS_WRAPPED : CALLS;
    uint64_t                           chance    = 20260728;
    char                               arguments[TEXT_MAX * 2];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(tools) * COUNT_OF(repairs); i++) {
        struct bench bench;

        bench_begin(&bench, i % COUNT_OF(tools), repairs[i / COUNT_OF(tools)], i % 3 == 0);
        for (size_t k = 0; k < calls / (COUNT_OF(tools) * COUNT_OF(repairs)) + 1; k++) {
            make_arguments(&chance, arguments);
            try_call(&bench, arguments);
        }
        assert_true(bench.sent > 0 && bench.denied > 0 && bench.invalid > 0);
        bench_end(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_an_overlay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
