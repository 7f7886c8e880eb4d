/* lint_test.c - what is found in a list of tools, a case a line. */
#include "contract/lint/lint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

/* The rules that a list breaks, with the client of each, in the order of findings; "" for none that is not a note. */
struct fixture {
    tenon_allocator          memory;
    struct tn_arena          arena;
    struct tn_profiles       profiles;
    const struct tn_profile *all[PROFILES_MAX];
    struct tn_lint           lint;
};

static void begin(struct fixture *fixture, const char *client)
{
    fixture->memory = tn_memory_of(NULL);
    tn_arena_init(&fixture->arena, &fixture->memory, 0);
    tn_profiles_init(&fixture->profiles, &fixture->memory);
    assert_true(tn_profiles_add_known(&fixture->profiles));
    fixture->all[0] = client ? tn_profiles_find(&fixture->profiles, tn_slice_of(client)) : NULL;
    assert_true(!client || fixture->all[0]);
    tn_lint_init(&fixture->lint, &fixture->arena, fixture->all, client ? 1 : 0);
}

static void end(struct fixture *fixture)
{
    tn_profiles_free(&fixture->profiles);
    tn_arena_free(&fixture->arena);
}

static void look(struct fixture *fixture, const char *list)
{
    struct tn_offer offer = { 0 };
    const char     *why   = "";

    if (!tn_offer_read(&offer, &fixture->arena, tn_slice_of(list), NULL, &why))
        fail_msg("%s: %s", list, why);
    assert_true(tn_lint_offer(&fixture->lint, &offer));
}

/* ids of what is found, each once, notes left out */
static void sum_up(const struct fixture *fixture, char *out, size_t size)
{
    const struct tn_findings *found = &fixture->lint.findings;

    out[0] = '\0';
    for (size_t i = 0; i < found->count; i++) {
        const char *id = found->rules[found->at[i].rule].id;

        if (found->at[i].level <= LEVEL_NOTE || strstr(out, id))
            continue;
        snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? " " : "", id);
    }
}

#define TOOL(schema) "[{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":" schema "}]"
#define PROP(schema) TOOL("{\"type\":\"object\",\"properties\":{\"a\":" schema "}}")

/* clang-format off */
static const struct { const char *client, *list, *want; } cases[] = {
    { NULL, PROP("{\"type\":\"string\"}"), "" },
    { NULL, PROP("{\"type\":\"integr\"}"), "schema-broken" },
    { NULL, "[{\"name\":\"t\"}]", "schema-broken" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"(\"}"), "schema-broken" },
    { NULL, PROP("{\"type\":\"string\",\"enum\":[1]}"), "schema-empty" },
    { NULL, PROP("{\"type\":\"string\",\"enum\":[1,\"a\"]}"), "" },
    { NULL, PROP("{\"type\":\"string\",\"minLength\":3,\"maxLength\":2}"), "schema-empty" },
    { NULL, PROP("{\"allOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}"), "schema-empty" },
    { NULL, TOOL("{\"type\":\"object\",\"properties\":{\"a\":false},\"required\":[\"a\"]}"), "schema-empty" },
    { NULL, TOOL("{\"type\":\"object\",\"additionalProperties\":false}"), "" },
    { NULL, PROP("{\"type\":\"integer\",\"default\":\"five\"}"), "default-refused" },
    { NULL, PROP("{\"type\":\"integer\",\"default\":5}"), "" },
    { NULL, PROP("{\"type\":\"string\",\"default\":null}"), "default-refused" },
    { NULL, PROP("{\"type\":\"integer\",\"examples\":[1,\"two\"]}"), "example-refused" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"^(a+)+$\"}"), "pattern-backtracks" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"^([a-z0-9]+\\\\.?)+@x$\"}"), "pattern-backtracks" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"^foo(\\\\w+\\\\s?)*$\"}"), "pattern-backtracks" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"^(a|a)*$\"}"), "pattern-backtracks" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"^[a-z]+(-[a-z]+)*$\"}"), "" },
    { NULL, PROP("{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{8}-[0-9a-f]{4}$\"}"), "" },
    { NULL, PROP("{}"), "parameter-untyped" },
    { NULL, PROP("{\"enum\":[1,\"a\"]}"), "" },
    { NULL, TOOL("{\"type\":\"object\",\"properties\":{},\"required\":[\"b\"]}"), "required-undeclared" },
    { NULL, TOOL("{\"type\":\"object\",\"properties\":{},\"patternProperties\":{\"b\":{}},\"required\":[\"b\"]}"), "" },
    { NULL, "[{\"name\":\"delete_x\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]", "hints-contradict" },
    { NULL, "[{\"name\":\"getX\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"destructiveHint\":true}}]", "hints-contradict" },
    { NULL, "[{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"destructiveHint\":true,\"readOnlyHint\":true}}]", "hints-contradict" },
    { NULL, "[{\"name\":\"get_x\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]", "" },
    { NULL, "[{\"name\":\"x\",\"description\":\"a\\u200bb\",\"inputSchema\":{\"type\":\"object\"}}]", "text-hidden" },
    { NULL, "[{\"name\":\"read_file\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"read-file\",\"inputSchema\":{\"type\":\"object\"}}]", "text-hidden" },
    { NULL, "[{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"}}]", "definition-unfit" },

    { "claude-code", PROP("{\"type\":\"string\"}"), "" },
    { "claude-code", TOOL("{\"type\":\"object\",\"anyOf\":[{\"required\":[\"a\"]}]}"), "client-keyword" },
    { "claude-code", TOOL("{\"type\":\"object\",\"properties\":{\"filter[id]\":{\"type\":\"string\"}}}"), "client-property-name" },
    { "claude-code", PROP("{\"type\":\"object\",\"properties\":{\"x y\":{\"type\":\"string\"}}}"), "" },
    { "claude-code", TOOL("{}"), "client-value" },
    { "claude-code", "[{\"name\":\"a.b\",\"inputSchema\":{\"type\":\"object\"}}]", "client-name" },
    { "claude-desktop", PROP("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}"), "client-null" },
    { "claude-desktop", PROP("{\"type\":\"string\"}"), "" },
    { "copilot", PROP("{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}"), "client-mixed" },
    { "copilot", PROP("{\"type\":[\"integer\",\"number\"]}"), "" },
    { "cursor", PROP("{\"type\":[\"string\",\"null\"]}"), "client-null" },
    { "cursor", "[{\"name\":\"a123456789b123456789c123456789d123456789e123456789f123456789\",\"inputSchema\":{\"type\":\"object\"}}]", "client-name" },
    { "vscode", PROP("{\"type\":\"array\"}"), "client-value" },
    { "vscode", PROP("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"), "" },
    { "gemini", PROP("{\"type\":\"string\",\"const\":\"a\"}"), "client-keyword-unknown" },
    { "gemini", PROP("{\"type\":\"integer\",\"enum\":[1,2]}"), "client-enum" },
    { "gemini", PROP("{\"type\":[\"string\",\"integer\"]}"), "client-types" },
    { "gemini", PROP("{\"anyOf\":[{\"type\":\"string\"},{\"required\":[]}]}"), "client-variant-untyped" },
    { "gemini", PROP("{\"type\":\"string\",\"format\":\"uuid\"}"), "client-format" },
    { "kimi", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/definitions/b\"}},\"definitions\":{\"b\":{\"type\":\"string\"}}}"), "client-reference client-keyword" },
    { "kimi", PROP("{\"type\":\"object\",\"anyOf\":[{\"type\":\"object\"}]}"), "client-type-beside" },
    { "kimi", PROP("{\"type\":\"array\",\"items\":[{\"type\":\"string\"}]}"), "client-keyword" },
    { "kimi", PROP("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"), "" },
    { "gemini", PROP("{\"type\":\"array\",\"items\":[{\"type\":\"string\"}]}"), "client-keyword-unknown" },
    { "openai-strict", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":[{\"type\":\"string\"}]}},\"required\":[\"a\"],\"additionalProperties\":false}"), "client-keyword-unknown" },
    { "n8n", PROP("{\"type\":[\"string\",\"null\"]}"), "client-null" },
    { "openai-strict", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":[\"string\",\"null\"]}},\"required\":[\"a\"],\"additionalProperties\":false}"), "" },
    { "openai-strict", PROP("{\"type\":\"string\"}"), "client-value client-optional" },
    { "anthropic-strict", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"minimum\":1}},\"additionalProperties\":false}"), "client-keyword" },
    { "anthropic-strict", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"minItems\":2}},\"additionalProperties\":false}"), "client-value" },
    { "anthropic-strict", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}},\"additionalProperties\":false}"), "client-recursion" },
    { "anthropic-strict", TOOL("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":[\"A\",\"a\"]}},\"additionalProperties\":false}"), "client-enum" },
};
/* clang-format on */

static void lists_are_looked_at(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        char           found[400];

        begin(&fixture, cases[i].client);
        look(&fixture, cases[i].list);
        for (size_t j = 0; cases[i].client && j < fixture.lint.findings.count; j++)
            assert_true(fixture.lint.findings.at[j].message.len > 0);
        if (cases[i].client) { /* what needs no profile is not asked here */
            struct tn_findings *all  = &fixture.lint.findings;
            size_t              kept = 0;

            for (size_t j = 0; j < all->count; j++)
                if (all->at[j].client.len > 0)
                    all->at[kept++] = all->at[j];
            all->count = kept;
        }
        sum_up(&fixture, found, sizeof found);
        if (strcmp(found, cases[i].want) != 0)
            fail_msg("%s %s\nfound '%s', not '%s'", cases[i].client ? cases[i].client : "", cases[i].list,
                     found, cases[i].want);
        end(&fixture);
    }
}

/* Every rule of every profile says what happens, and every finding where and how it is repaired. */
static void profiles_say_why(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, NULL);
    assert_true(fixture.profiles.count >= 10);
    for (size_t i = 0; i < fixture.profiles.count; i++) {
        assert_true(fixture.profiles.at[i].title.len > 0 && fixture.profiles.at[i].count > 0);
        for (size_t j = 0; j < fixture.profiles.at[i].count; j++)
            assert_true(fixture.profiles.at[i].rules[j].effect.len > 0);
    }
    end(&fixture);
}

#define RULE(inside) "{\"tenon-profile\":1,\"title\":\"x\",\"rules\":[{" inside "\"level\":\"error\",\"effect\":\"e\",\"evidence\":[\"v\"],\"date\":\"2026-11\"}]}"

/* clang-format off */
static const struct { const char *text, *want; } mistakes[] = {
    { "", "cannot be used" },
    { "[]", "cannot be used" },
    { "{\"tenon-profile\":2,\"title\":\"x\",\"rules\":[]}", "tenon-profile must be 1" },
    { "{\"tenon-profile\":1,\"rules\":[]}", "title is required" },
    { RULE(""), "check is required" },
    { RULE("\"check\":\"nothing\","), "must be one of" },
    { RULE("\"check\":\"depth\","), "most is required" },
    { RULE("\"check\":\"name\",\"pattern\":\"(\","), "is not one" },
    { RULE("\"check\":\"typed\",\"colour\":1,"), "colour" },
    { "{\"tenon-profile\":1,\"title\":\"x\",\"rules\":[{\"check\":\"typed\",\"level\":\"error\",\"effect\":\"e\",\"evidence\":[\"v\"],\"date\":\"soon\"}]}", "date" },
    { RULE("\"check\":\"typed\","), NULL },
    { RULE("\"check\":\"name\",\"pattern\":\"^a$\","), NULL },
};
/* clang-format on */

static void profiles_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct fixture fixture;
        bool           good;

        begin(&fixture, NULL);
        good = tn_profiles_add(&fixture.profiles, SLICE_LIT("gemini"), tn_slice_of(mistakes[i].text));
        if (good != !mistakes[i].want || (!good && !strstr(fixture.profiles.why, mistakes[i].want)))
            fail_msg("%s\n%s", mistakes[i].text, good ? "is accepted" : fixture.profiles.why);
        assert_int_equal(tn_profiles_find(&fixture.profiles, SLICE_LIT("gemini"))->count > 1, !good);
        end(&fixture);
    }
}

static const struct { const char *words[6]; bool found; } commands[] = {
    { { "npx", "-y", "@scope/server" }, true },
    { { "npx", "-y", "@scope/server@1.2.3" }, false },
    { { "npx", "-y", "server@latest" }, true },
    { { "/usr/bin/npx", "server" }, true },
    { { "uvx", "--from", "pkg==1.0", "tool" }, false },
    { { "uvx", "mcp-server-git" }, true },
    { { "docker", "run", "-i", "--rm", "mcp/fetch" }, true },
    { { "docker", "run", "-i", "--rm", "mcp/fetch:1.2" }, false },
    { { "docker", "ps" }, false },
    { { "node", "server.js" }, false },
    { { "npx" }, false },
};

static void commands_have_versions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct fixture fixture;

        begin(&fixture, NULL);
        tn_lint_command(&fixture.lint, commands[i].words);
        if ((fixture.lint.findings.count > 0) != commands[i].found)
            fail_msg("%s %s", commands[i].words[0], commands[i].words[1] ? commands[i].words[1] : "");
        end(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_looked_at),
        cmocka_unit_test(profiles_say_why),
        cmocka_unit_test(profiles_are_checked),
        cmocka_unit_test(commands_have_versions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
