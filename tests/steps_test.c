/* steps_test.c - what one call may cost: no more steps than its length gives it, whatever the schema and the arguments,
 * and never an answer of "valid" that was not looked for. Steps are counted, so that no clock is asked.
 */
#include <stdio.h>
#include <stdlib.h>

#include "answer/call.h"
#include "document/verdict/verdict.h"
#include "support/answer.h"

#define ROOM ((size_t)4 << 20)

/* A look, a repair of twice that, a look at what came of it, a report of twice that, all hints. */
#define LOOKS 7

static tenon_outcome take(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(take, TENON_INFO("Take."), "{\"type\":\"object\"}");

typedef struct {
    tenon_strs  list;
    const char *text;
    tenon_map   map;
} row_args;

static tenon_outcome rows(tenon_call *call, const row_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(rows, row_args, TENON_INFO("Rows."),
    TENON_STRS(list, "List.", .pattern = "^(a+)+$",        .example = "[\"a\"]"),
    TENON_STR (text, "Text.", .pattern = "(?:.*a){12}[xy]", .example = "aaaaaaaaaaaax"),
    TENON_MAP (map,  "Map.",  .pattern = "(?=a*b)",        .example = "{\"a\":\"ab\"}"));

/* ---- Texts ----------------------------------------------------------------------------------------------------- */

static char schema[ROOM], args[ROOM];

/* `front`, then `item` `count` times with %d as its number, a comma between them, then `end`. */
static size_t make(char *to, const char *front, const char *item, int count, const char *end)
{
    size_t len = (size_t)snprintf(to, ROOM, "%s", front);

    for (int i = 0; i < count; i++) {
        const char *number = strstr(item, "%d");
        int         head   = number ? (int)(number - item) : (int)strlen(item);

        len += (size_t)snprintf(to + len, ROOM - len, "%s%.*s", i > 0 ? "," : "", head, item);
        if (number)
            len += (size_t)snprintf(to + len, ROOM - len, "%d%s", i, number + 2);
        assert_true(len < ROOM);
    }
    return len + (size_t)snprintf(to + len, ROOM - len, "%s", end);
}

static size_t make_text(char *to, const char *front, char c, size_t count, const char *end)
{
    size_t len = (size_t)snprintf(to, ROOM, "%s", front);

    memset(to + len, c, count);
    return len + count + (size_t)snprintf(to + len + count, ROOM - len - count, "%s", end);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

/* Runs the tool, which must keep its steps; is it an error, and does the answer say so? */
static void judge_one(const char *name, const tenon_tool *tool, size_t len, const char *want)
{
    tenon_toolbox      *box  = tenon_toolbox_new(.max_nodes = 400000);
    tenon_call         *call = tenon_call_new(box);
    const tenon_answer *answer;
    size_t              most = LOOKS * tn_verdict_steps_of(len);

    if (tenon_toolbox_add(box, tool) != TENON_OK)
        fail_msg("%s: %s", name, tenon_toolbox_error(box));
    answer = tenon_call_run(call, tool->schema ? "take" : "rows", args, len);
    if (call->judge.steps > most)
        fail_msg("%s: %zu steps for %zu bytes", name, call->judge.steps, len);
    if (call->judge.patterns.spent > PATTERN_STEPS_MIN + PATTERN_STEPS_PER_BYTE * len)
        fail_msg("%s: %zu steps of patterns for %zu bytes", name, call->judge.patterns.spent, len);
    assert_true(call->judge.compared <= NAMES_COMPARED_MAX + ISSUES_MAX);
    if (!strstr(answer->json, want))
        fail_msg("%s: %.500s", name, answer->json);
    assert_int_equal(answer->is_error, strcmp(want, "SUCCESS") != 0);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void by_schema(const char *name, size_t len, const char *want)
{
    tenon_tool tool = *take_tool();

    tool.schema = schema;
    judge_one(name, &tool, len, want);
}

#define TOO_LONG  "takes too long to match"
#define TOO_MANY  "takes more steps than its length allows"
#define BAD_ITEM  "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\""
#define BAD_NAME  "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%d\":1"
#define LIST_OF   "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"array\",\"items\":"
#define TEXT_OF   "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\",\"pattern\":"

/* Lists and objects: the schema's items, and the arguments', each with its own number. */
static void many_parts_keep_their_steps(void **state)
{
    static const struct {
        const char *name, *front, *item;
        int         count;
        const char *end;
        const char *args_front, *args_item;
        int         args_count;
        const char *args_end, *want;
    } cases[] = {
        { "catastrophic items", LIST_OF, "{\"pattern\":\"^(a+)+$\"}", 1, "}}}", "{\"x\":[", BAD_ITEM, 1200,
          "]}", TOO_LONG },
        { "honest items", LIST_OF, "{\"pattern\":\"^[a-z]+$\"}", 1, "}}}", "{\"x\":[", "\"abcdef\"", 100000,
          "]}", "SUCCESS" },
        { "honest, not simple", LIST_OF, "{\"pattern\":\"^(?:[a-z]|-)+(\\\\.[a-z]+)*$\"}", 1, "}}}",
          "{\"x\":[", "\"abc-def.gh\"", 100000, "]}", "SUCCESS" },
        { "patterns by names", "{\"type\":\"object\",\"patternProperties\":{", "\"^(a+)+x%d$\":{}", 1000,
          "}}", "{", BAD_NAME, 1000, "}", TOO_LONG },
        { "simple by names", "{\"type\":\"object\",\"patternProperties\":{", "\"^a+x%d$\":{}", 1000, "}}",
          "{", BAD_NAME, 1000, "}", TOO_MANY },
        { "few by names", "{\"type\":\"object\",\"patternProperties\":{", "\"^a+x%d$\":{}", 5, "}}", "{",
          BAD_NAME, 1000, "}", "SUCCESS" },
        { "names", "{\"type\":\"object\",\"propertyNames\":{\"pattern\":", "\"^(a+)+$\"", 1, "}}", "{",
          "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%d\":1", 1000, "}", TOO_LONG },
        { "dependents", "{\"type\":\"object\",\"dependentSchemas\":{",
          "\"a%d\":{\"propertyNames\":{\"maxLength\":9}}", 1000, "}}", "{", "\"a%d\":1", 1000, "}",
          TOO_MANY },
        { "unique numbers", LIST_OF, "{}", 1, ",\"uniqueItems\":true}}}", "{\"x\":[", "%d", 100000, "]}",
          "SUCCESS" },
        { "unique objects", LIST_OF, "{}", 1, ",\"uniqueItems\":true}}}", "{\"x\":[", "{\"a\":[%d],\"b\":0}",
          30000, "]}", "SUCCESS" },
        { "alternatives", LIST_OF "{\"anyOf\":[", "{\"required\":[\"a%d\"]}", 1000, "]}}}}", "{\"x\":[", "{}",
          10000, "]}", TOO_MANY },
        { "kinds", LIST_OF "{\"oneOf\":[",
          "{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"k%d\"}},\"required\":[\"kind\"]}", 40,
          "]}}}}", "{\"x\":[", "{\"kind\":\"k%d\"}", 2000, "]}", "must be one of" },
        { "near names", "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{",
          "\"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffff%d\":{}", 1000, "}}", "{",
          "\"aaaaaaaaaabbbbbbbbbbcccccccxcddxdxdxdxddexexexexexffff%d\":1", 1000, "}", "unknown parameter" },
        { "repairs", LIST_OF, "{\"type\":\"integer\"}", 1, "}}}", "{\"x\":[", "\"%d\"", 50000, "]}",
          "SUCCESS" },
        { "repairs that fail", LIST_OF "{\"anyOf\":[", "{\"type\":\"object\",\"required\":[\"a%d\"]}", 30,
          "]}}}}", "{\"x\":[", "\"{}\"", 3000, "]}", "ERROR" },
        { "known values", LIST_OF "{\"enum\":[", "[%d]", 2000, "]}}}}", "{\"x\":[", "[[%d]]", 5000, "]}",
          "ERROR" },
        { "keys twice", "{\"type\":\"object\"}", "", 0, "", "{", "\"a%d\":1", 100000, ",\"a99999\":1}",
          "more than once" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        make(schema, cases[i].front, cases[i].item, cases[i].count, cases[i].end);
        by_schema(cases[i].name,
                  make(args, cases[i].args_front, cases[i].args_item, cases[i].args_count, cases[i].args_end),
                  cases[i].want);
    }
}

/* One text, of one character many times and an end. */
static void one_text_keeps_its_steps(void **state)
{
    static const struct { const char *pattern; size_t count; const char *end, *want; } cases[] = {
        { "(a+)+$",                   40,      "!",  TOO_LONG  },
        { "(a|a)*$",                  40,      "!",  TOO_LONG  },
        { "^(a|aa)+$",                60,      "!",  TOO_LONG  },
        { "(.*a){12}[xy]",            3000,    "!",  TOO_LONG  },
        { "(.*a){12}[xy]",            3000,    "x",  "SUCCESS" },
        { "(?=a*[bc])",               100000,  "!",  TOO_LONG  },
        { "(?:a{0,9}){0,9}x?y?[xy]",  100000,  "!",  TOO_LONG  },
        { "^(?:a|a){30}[bc]",         60,      "",   TOO_LONG  },
        { "^(a*)\\\\1\\\\1[bc]",      20000,   "",   TOO_LONG  },
        { "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?[bc]{26}", 26, "", TOO_LONG },
        { "(?<n>a+)+[bc]",            40,      "",   TOO_LONG  },
        { "(?<=a)(?!a*b)(?:a*)*[xy]", 5000,    "",   TOO_LONG  },
        { "[ab]{1000}[cd]",           200000,  "",   "must match the pattern" }, /* which the report has steps for */
        { "[ab]{2000}[cd]",           200000,  "",   TOO_LONG  },
        { "^[a-z ]+$",                1 << 20, "",   "SUCCESS" },
        { "^[a-z ]+[a-z]$",           1 << 20, "",   "SUCCESS" },
        { "a@b",                      1 << 20, "@b", "SUCCESS" },
        { "[a-z]+[@!]",               30000,   "!",  "SUCCESS" },
    };
    char front[200];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        snprintf(front, sizeof front, "\"%s\"", cases[i].pattern);
        make(schema, TEXT_OF, front, 1, "}}}");
        by_schema(cases[i].pattern,
                  make_text(args, "{\"x\":\"", 'a', cases[i].count, "") +
                      (size_t)snprintf(args + 6 + cases[i].count, 20, "%s\"}", cases[i].end),
                  cases[i].want);
    }
}

/* Schemas that apply themselves over and over, to a value of some bytes. */
static void bombs_keep_their_steps(void **state)
{
    static const char *const inner[] = {
        "{\"anyOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}",
        "{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}",
        "{\"oneOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"not\":{\"$ref\":\"#/$defs/d%d\"}}]}",
        "{\"if\":{\"$ref\":\"#/$defs/d%d\"},\"then\":false,\"else\":{\"$ref\":\"#/$defs/d%d\"}}",
    };
    static const char *const values[] = { "{\"x\":\"abc\"}", "{\"x\":{\"a\":[1,2,3]}}",
                                          "{\"x\":[[[[[[]]]]]]}" };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(inner); i++) {
        size_t len = make(schema,
                          "{\"type\":\"object\",\"properties\":{\"x\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{",
                          "", 0, "\"d24\":{\"type\":\"integer\"}");

        for (int k = 0; k < 24; k++) {
            len += (size_t)snprintf(schema + len, ROOM - len, ",\"d%d\":", k);
            len += (size_t)snprintf(schema + len, ROOM - len, inner[i], k + 1, k + 1);
        }
        snprintf(schema + len, ROOM - len, "}}");
        for (size_t k = 0; k < COUNT_OF(values); k++)
            by_schema(inner[i], make(args, values[k], "", 0, ""), "ERROR");
    }
}

static void rows_keep_their_steps(void **state)
{
    (void)state;
    judge_one("rows: list", rows_tool(), make(args, "{\"list\":[", BAD_ITEM, 1200, "]}"), TOO_LONG);
    judge_one("rows: text", rows_tool(), make_text(args, "{\"text\":\"", 'a', 3000, "\"}"), TOO_LONG);
    judge_one("rows: map", rows_tool(), make_text(args, "{\"map\":{\"k\":\"", 'a', 100000, "\"}}"), TOO_LONG);
    judge_one("rows: honest", rows_tool(), make(args, "{\"list\":[", "\"aaaaaaaa\"", 100000, "]}"),
              "SUCCESS");
}

/* A document that is judged for its own sake has more of them, and an end as well. */
static void documents_have_an_end(void **state)
{
    tenon_schema  *compiled;
    tenon_verdict *verdict;
    size_t         len, schema_len;

    (void)state;
    schema_len = make(schema, LIST_OF, "{\"pattern\":\"^(a+)+$\"}", 1, "}}}");
    len        = make(args, "{\"x\":[", BAD_ITEM, 1200, "]}");
    compiled   = tenon_schema_new(schema, schema_len, .uri = NULL);
    verdict    = tenon_verdict_new(compiled);
    assert_false(tenon_verdict_judge(verdict, args, len));
    assert_non_null(strstr(tenon_verdict_issue(verdict, 0)->text, TOO_LONG));
    tenon_verdict_free(verdict);
    tenon_schema_free(compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_parts_keep_their_steps), cmocka_unit_test(one_text_keeps_its_steps),
        cmocka_unit_test(bombs_keep_their_steps),      cmocka_unit_test(rows_keep_their_steps),
        cmocka_unit_test(documents_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
