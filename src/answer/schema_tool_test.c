/* schema_tool_test.c - tools declared by JSON Schema: published as written, judged and repaired by it, in the same
 * envelope as rows.
 */
#include "answer/schema_tool.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/answer.h"
#include "support/fault.h"

#define ORDER                                                                                                \
    "{ \"type\": \"object\",\n"                                                                              \
    "  \"properties\": { \"item\":   { \"type\": \"string\", \"minLength\": 2 },\n"                          \
    "                    \"count\":  { \"type\": \"integer\", \"minimum\": 1, \"maximum\": 9, \"default\": 1 },\n" \
    "                    \"colour\": { \"enum\": [\"RED\", \"GREEN\"] },\n"                                  \
    "                    \"tags\":   { \"type\": \"array\", \"items\": { \"type\": \"string\" } },\n"        \
    "                    \"mail\":   { \"type\": \"string\", \"format\": \"email\" },\n"                     \
    "                    \"to\":     { \"$ref\": \"#/$defs/place\" } },\n"                                   \
    "  \"required\": [\"item\"], \"additionalProperties\": false,\n"                                         \
    "  \"$defs\": { \"place\": { \"type\": \"object\", \"properties\": { \"city\": { \"type\": \"string\" },\n" \
    "               \"zip\": { \"type\": \"integer\" } }, \"required\": [\"city\"] } } }"

#define ORDER_RESULT                                                                                         \
    "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}},\"required\":[\"id\"]}"

struct plan {
    const char   *result; /* what the handler gives */
    const char   *seen;   /* the arguments as it got them */
    bool          complain;
    struct tn_buf text;
};

/* Writes what it got, so that tests can see it. */
static tenon_outcome order(tenon_call *call, const tenon_json *args)
{
    struct plan *plan = tenon_user(call);
    tenon_str    item = tenon_json_str(tenon_json_get(args, "item"));

    plan->seen = tenon_format(call, "%.*s %lld %.*s %zu", (int)item.len, item.at,
                              (long long)tenon_json_int(tenon_json_get(args, "count")),
                              (int)tenon_json_str(tenon_json_get(args, "colour")).len,
                              tenon_json_str(tenon_json_get(args, "colour")).at,
                              tenon_json_count(tenon_json_get(args, "tags")));
    if (plan->complain) {
        tenon_issue_add(call, tenon_json_get(args, "item"), "sold_out", "item is sold out");
        tenon_issue_add(call, tenon_json_at(tenon_json_get(args, "tags"), 1), "odd", "/tags/1 is odd");
        tenon_issue_add(call, tenon_json_get(tenon_json_get(args, "to"), "city"), "far", "/to/city is far");
        tenon_issue_add(call, args, "all", "all is wrong");
        return tenon_invalid(call);
    }
    return plan->result ? tenon_ok_json(call, plan->result, strlen(plan->result)) : tenon_ok(call);
}

TENON_SCHEMA_TOOL(order, TENON_INFO("Order an item.", .result_schema = ORDER_RESULT), ORDER);

static tenon_outcome plain(tenon_call *call, const tenon_json *args)
{
    return tenon_json_count(args) == 1 ? tenon_ok(call) : tenon_internal(call, "%zu", tenon_json_count(args));
}

#define PORTABLE                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"description\":\"A number.\"}},"     \
    "\"required\":[\"n\"],\"additionalProperties\":false}"

TENON_SCHEMA_TOOL(plain, TENON_INFO("Plain."), PORTABLE);

static tenon_outcome drop(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(drop, TENON_INFO("Drop.", .hints = TENON_DESTRUCTIVE, .strict = true),
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"dry\":{\"type\":\"boolean\"},"
    "\"ids\":{\"type\":\"array\"}}}");

struct fixture {
    struct plan     plan;
    struct log_kept log;
    struct tn_fault fault;
    tenon_allocator memory;
    tenon_toolbox  *box;
    tenon_call     *call;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    fixture->memory = tn_fault_allocator(&fixture->fault);
    fixture->box    = tenon_toolbox_new(.user = &fixture->plan, .memory = &fixture->memory, .log = keep_log,
                                        .log_user = &fixture->log);
    tenon_toolbox_add(fixture->box, order_tool());
    tenon_toolbox_add(fixture->box, plain_tool());
    tenon_toolbox_add(fixture->box, drop_tool());
    assert_null(tenon_toolbox_error(fixture->box));
    fixture->call        = tenon_call_new(fixture->box);
    fixture->plan.result = "{\"id\":7}";
    *state               = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    tenon_call_free(fixture->call);
    tenon_toolbox_free(fixture->box);
    assert_int_equal(fixture->fault.blocks, 0);
    assert_int_equal(fixture->fault.bytes, 0);
    free(fixture);
    return 0;
}

static void publishes_the_text_as_it_is(void **state)
{
    struct fixture        *fixture = *state;
    const tenon_tool_view *view    = tenon_toolbox_find(fixture->box, "order");

    assert_string_equal(view->input, ORDER);
    assert_null(view->portable_input);
    assert_non_null(strstr(view->output,
                           "\"data\":{\"type\":[\"object\",\"null\"],\"properties\":{\"id\":{\"type\":"
                           "\"integer\"}},\"required\":[\"id\"]}}"));
    view = tenon_toolbox_find(fixture->box, "plain");
    assert_string_equal(view->portable_input, PORTABLE);
    assert_null(tenon_toolbox_find(fixture->box, "drop")->portable_input);
}

static void passes_what_the_schema_accepts(void **state)
{
    struct fixture *fixture                                             = *state;
    static const struct { const char *json, *seen, *messages; } cases[] = {
        { "{\"item\":\"tea\"}",                                           "tea 1  0",    "[]" },
        { "{\"item\":\"80\",\"count\":3.0,\"colour\":\"GREEN\"}",         "80 3 GREEN 0", "[]" },
        { "{\"item\":\"tea\",\"colour\":\" red \",\"tags\":\"[\\\"a\\\",\\\"b\\\"]\"}", "tea 1 RED 2", "[]" },
        { "{\"item\":\"tea\",\"count\":null,\"colour\":null}",            "tea 1  0",    "[]" },
        { "{\"item\":\"tea\",\"count\":\"3\",\"tags\":\"a\"}",            "tea 3  1",
          "[\"Converted count from \\\"3\\\" to 3, tags from \\\"a\\\" to [\\\"a\\\"]\"]" },
        { "\"{\\\"item\\\":\\\"tea\\\"}\"",                               "tea 1  0",
          "[\"Parsed the arguments from one JSON text.\"]"             },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run_tool(fixture->call, "order", cases[i].json);

        assert_at(answer, "/data", "{\"id\":7}");
        assert_at(answer, "/messages", cases[i].messages);
        assert_string_equal(fixture->plan.seen, cases[i].seen);
    }
    assert_int_equal(tenon_call_coerced(fixture->call), 0);
    run_tool(fixture->call, "order", cases[4].json);
    assert_int_equal(tenon_call_coerced(fixture->call), 2);
    assert_at(run_tool(fixture->call, "drop", "null"), "/status", "\"SUCCESS\"");
    assert_at(run_tool(fixture->call, "drop", " "), "/status", "\"SUCCESS\"");
}

static void tells_what_the_schema_refuses(void **state)
{
    struct fixture *fixture                                                   = *state;
    static const struct { const char *tool, *json, *errors, *issue; } cases[] = {
        { "order", "{}", "{\"item\":[\"item is required\"]}",
          "{\"parameter\":\"item\",\"required\":true,\"code\":\"required\",\"message\":\"item is required\",\"expected\":{\"type\":\"string\","
          "\"minLength\":2}}" },
        { "order", "{\"item\":\"tea\",\"count\":100}", "{\"count\":[\"count must be between 1 and 9, got 100\"]}",
          "{\"parameter\":\"count\",\"required\":false,\"code\":\"range\",\"message\":\"count must be between 1 and 9, got 100\",\"expected\":{\"type\":\"integer\","
          "\"minimum\":1,\"maximum\":9},\"suggestion\":9}" },
        { "order", "{\"item\":\"tea\",\"colour\":\"grene\"}",
          "{\"colour\":[\"colour must be one of: RED, GREEN. Got: grene\"]}",
          "{\"parameter\":\"colour\",\"required\":false,\"code\":\"enum\",\"message\":\"colour must be one of: RED, GREEN. Got: grene\","
          "\"expected\":{\"enum\":[\"RED\",\"GREEN\"]},\"suggestion\":\"GREEN\"}" },
        { "order", "{\"item\":\"tea\",\"colour\":[1]}", "{\"colour\":[\"colour must be one of: RED, GREEN. Got: [1]\"]}",
          "{\"parameter\":\"colour\",\"required\":false,\"code\":\"enum\",\"message\":\"colour must be one of: RED, GREEN. Got: [1]\","
          "\"expected\":{\"enum\":[\"RED\",\"GREEN\"]}}" },
        { "order", "{\"item\":\"tea\",\"colour\":{\"a\":1,\"b\":2}}",
          "{\"colour\":[\"colour must be one of: RED, GREEN. Got: {\\\"a\\\":1,\\\"b\\\":2}\"]}", NULL },
        { "order", "{\"item\":\"tea\",\"to\":{\"city\":5}}", "{\"to\":[\"/to/city must be a string, got 5\"]}",
          "{\"parameter\":\"/to/city\",\"required\":true,\"code\":\"type\",\"message\":\"/to/city must be a string, got 5\","
          "\"expected\":{\"type\":\"string\"}}" },
        { "order", "{\"item\":\"tea\",\"cont\":1}",
          "{\"cont\":[\"unknown parameter 'cont'; did you mean 'count'? Valid parameters: item, count, colour, tags, "
          "mail, to\"]}",
          "{\"parameter\":\"cont\",\"code\":\"unknown\",\"message\":\"unknown parameter 'cont'; did you mean 'count'? Valid "
          "parameters: item, count, colour, tags, mail, to\",\"suggestion\":\"count\"}" },
        { "order", "{\"item\":\"tea\",\"mail\":\"nobody\"}", "{\"mail\":[\"mail must be an email address, got "
          "\\\"nobody\\\"\"]}", NULL },
        { "order", "[1]", "{\"arguments\":[\"arguments must be an object, got an array\"]}", NULL },
        { "order", "{\"item\":", "{\"arguments\":[\"arguments is not valid JSON: it is cut off (a bracket or a quote is not closed) at position 8\"]}",
          NULL },
        { "order", "{\"item\":\"tea\",\"item\":\"tea\"}", "{\"item\":[\"item is given more than once\"]}", NULL },
        { "order", "{\"item\":\"tea\",\"to\":{\"city\":\"a\",\"city\":\"a\"}}",
          "{\"to\":[\"/to/city is given more than once\"]}", NULL },
        { "order", "{\"item\":\"tea\",\"zzz\":{\"a\":1,\"a\":2}}",
          "{\"zzz\":[\"unknown parameter 'zzz'. Valid parameters: item, count, colour, tags, mail, to\"]}", NULL },
        { "order", "{\"item\":\"tea\",\"to\":[{\"a\":1,\"a\":2}]}", "{\"to\":[\"to must be an object, got "
          "[{\\\"a\\\":1,\\\"a\\\":2}]\"]}", NULL },
        { "order", "{\"item\":\"\\xff\"}", "{\"arguments\":[\"arguments is not valid JSON: invalid string at position "
          "10\"]}", NULL },
        { "order", "{\"item\":\"\xff\"}", "{\"item\":[\"item must be valid UTF-8\"]}", NULL },
        { "drop", "{\"name\":null}", "{\"name\":[\"name is null or blank: leave it out, or give a value\"]}", NULL },
        { "drop", "{\"dry\":\"true\"}", "{\"dry\":[\"dry must be true or false, got \\\"true\\\"\"]}", NULL },
        { "drop", "{\"ids\":1}", "{\"ids\":[\"ids must be an array, got 1\"]}", NULL },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run_tool(fixture->call, cases[i].tool, cases[i].json);

        assert_string_equal(answer->code, TENON_CODE_VALIDATION_ERROR);
        assert_at(answer, "/error/details/fieldErrors", cases[i].errors);
        if (cases[i].issue)
            assert_at(answer, "/error/details/issues/0", cases[i].issue);
    }
}

/* As with rows: the message is cut, and says how many are not in it. */
static void counts_repairs_that_do_not_fit(void **state)
{
    struct fixture *fixture = *state;
    static char     json[1 << 16];
    size_t          len  = 0;
    tenon_tool      tool = *plain_tool();
    static char     name[3000];
    static const struct { size_t count; const char *front, *end; } cases[] = {
        { 2,    "Converted /n/0 from \"0\" to 0, ",  "/n/1 from \"1\" to 1" },
        { 300,  "Converted /n/0 from \"0\" to 0, ",  " more"               },
        { 5000, "Converted /n/0 from \"0\" to 0, ",  " more"               },
    };

    tool.info.name = "many";
    tool.schema =
        "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}},"
        "\"additionalProperties\":{\"type\":\"integer\"}}";
    assert_int_equal(tenon_toolbox_add(fixture->box, &tool), TENON_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;
        yyjson_doc         *doc;
        const char         *text;
        size_t              said = 0, more = 0;

        len = (size_t)snprintf(json, sizeof json, "{\"n\":[");
        for (size_t k = 0; k < cases[i].count; k++)
            len += (size_t)snprintf(json + len, sizeof json - len, "%s\"%zu\"", k > 0 ? "," : "", k);
        snprintf(json + len, sizeof json - len, "]}");
        answer = run_tool(fixture->call, "many", json);
        doc    = read_answer(answer);
        text   = yyjson_get_str(yyjson_ptr_get(yyjson_doc_get_root(doc), "/messages/0"));
        assert_non_null(text);
        assert_int_equal(strncmp(text, cases[i].front, strlen(cases[i].front)), 0);
        assert_string_equal(text + strlen(text) - strlen(cases[i].end), cases[i].end);
        for (const char *at = text; (at = strstr(at, " from ")); at++)
            said++;
        if (strstr(text, " and "))
            more = strtoul(strstr(text, " and ") + 5, NULL, 10);
        assert_int_equal(said + more, cases[i].count);
        assert_int_equal(tenon_call_coerced(fixture->call), cases[i].count);
        yyjson_doc_free(doc);
    }
    memset(name, 'x', sizeof name - 1); /* a name that no message has room for */
    snprintf(json, sizeof json, "{\"%s\":\"1\"}", name);
    assert_at(run_tool(fixture->call, "many", json), "/messages/0",
              "\"Converted "
              "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
              "xxxxxx... from \\\"1\\\" to 1\"");
}

/* What a repair must not do: change what was meant, take what is refused elsewhere, repeat a secret, or report what it took
 * back. */
static void repairs_with_care(void **state)
{
    static const struct { const char *schema, *json, *errors, *messages; } cases[] = {
        { "{\"type\":\"object\",\"properties\":{\"d\":{\"$ref\":\"#/$defs/d\"}},\"$defs\":{\"d\":{\"type\":\"string\",\"format\":\"date\"}}}",
          "{\"d\":\" 2025-01-15\"}", NULL, "[]" },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\"}}}",
          "{\"b\":\"```json\\n{\\\"x\\\":1,\\\"x\\\":2}\\n```\"}", "{\"b\":[\"/b/x is given more than once\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\"}}}",
          "{\"b\":\"\\\"{\\\\\\\"x\\\\\\\":1,\\\\\\\"x\\\\\\\":2}\\\"\"}", "{\"b\":[\"/b/x is given more than once\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\"},\"n\":{\"maximum\":1}}}",
          "{\"b\":\"{\\\"c\\\":[{\\\"x\\\":1,\\\"x\\\":2}]}\",\"z\":{\"y\":1,\"y\":1},\"n\":5}",
          "{\"n\":[\"n must be at most 1, got 5\"],\"b\":[\"/b/c/0/x is given more than once\"],\"z\":[\"/z/y is given more than once\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\"}}},\"additionalProperties\":false}",
          "{\"b\":{\"n\":5,\"m\":{\"x\":1,\"x\":2},\"no\":[{\"x\":1,\"x\":2}]},\"u\":{\"x\":1,\"x\":2}}",
          "{\"b\":[\"/b/n must be an object, got 5\",\"/b/no must be an object, got [{\\\"x\\\":1,\\\"x\\\":2}]\",\"/b/m/x is given more than once\"],\"u\":[\"unknown parameter 'u'. Valid parameters: b\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\"},\"n\":{\"type\":\"integer\"}},\"additionalProperties\":false}",
          "{\"args\":{\"b\":\"{\\\"x\\\":1,\\\"x\\\":2}\",\"n\":1,\"n\":null}}",
          "{\"args\":[\"/args/b/x is given more than once\",\"/args/n is given more than once\"]}", "[\"Unwrapped the arguments from 'args'.\"]" },
        { "{\"type\":\"object\",\"properties\":{\"m\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}}}",
          "{\"m\":{\"a\":null}}", "{\"m\":[\"/m/a must be a string, got null\"]}", "[]" },
        { "{\"type\":\"object\",\"properties\":{\"dry_run\":{\"type\":\"boolean\"},\"access_token\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}},\"additionalProperties\":false}",
          "{\"dryRun\":\"none\",\"accessToken\":4711}", NULL, "[\"dryRun \\\"none\\\" was treated as not given\",\"Converted accessToken\",\"Renamed dry_run from 'dryRun', access_token from 'accessToken'\"]" },
        { "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}",
          "{\"n\":\"0.99999999999999999999\"}", "{\"n\":[\"n must be an integer, got \\\"0.99999999999999999999\\\"\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"n\":{\"const\":0.1}}}",
          "{\"n\":\"0.1000000000000000000001\"}", "{\"n\":[\"n must be 0.1, got \\\"0.1000000000000000000001\\\"\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"object\"}}}",
          "{\"b\":\"```json\\n{\\\"password\\\":\\\"hunter2\\\"}\\n```\"}", NULL, "[\"Converted b\"]" },
        { "{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"writeOnly\":true}}}}",
          "{\"b\":\"hunter2\"}", NULL, "[\"Converted b\"]" },
        { "{\"type\":\"object\",\"properties\":{\"m\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\",\"writeOnly\":true}}}}",
          "{\"m\":{\"x\":5}}", NULL, "[\"Converted /m/x\"]" },
        { "{\"type\":\"object\",\"properties\":{\"p\":{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"max_items\":{\"type\":\"integer\"},\"k\":{\"const\":1}},\"required\":[\"k\"],\"additionalProperties\":false},{\"type\":\"object\",\"properties\":{\"maxItems\":{\"type\":\"integer\"},\"k\":{\"const\":2}},\"required\":[\"k\"],\"additionalProperties\":false}]}}}",
          "{\"p\":{\"MaxItems\":\"5\",\"k\":2}}", NULL, "[\"Converted /p/MaxItems from \\\"5\\\" to 5\",\"Renamed /p/maxItems from 'MaxItems'\"]" },
        { "{\"type\":\"object\",\"properties\":{\"max_items\":{\"type\":\"integer\"}},\"required\":[\"max_items\"]}",
          "{\"maxItems\":1,\"MaxItems\":2}", "{\"max_items\":[\"max_items is required\"]}", NULL },
        { "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a,b\",\"c\"]}}}}",
          "{\"l\":\"a,b\"}", NULL, "[\"Converted l from \\\"a,b\\\" to [\\\"a,b\\\"]\"]" },
        { "{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"c\"]}}}}",
          "{\"l\":\"A, c\"}", NULL, "[]" },
        { "{\"type\":\"object\",\"properties\":{\"q\":{\"type\":\"string\"},\"page_size\":{\"type\":\"integer\",\"maximum\":9}},\"additionalProperties\":false}",
          "{\"params\":{\"q\":\"x\",\"pageSize\":\"90\"}}", "{\"params\":[\"/params/pageSize must be at most 9, got 90\"]}", NULL },
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        static char         names[COUNT_OF(cases)][16];
        tenon_tool          tool = *plain_tool();
        const tenon_answer *answer;

        snprintf(names[i], sizeof names[i], "care_%zu", i);
        tool.info.name = names[i];
        tool.schema    = cases[i].schema;
        assert_int_equal(tenon_toolbox_add(fixture->box, &tool), TENON_OK);
        answer = run_tool(fixture->call, names[i], cases[i].json);
        if (answer->is_error != (cases[i].errors != NULL) || strstr(answer->json, "hunter2"))
            fail_msg("%s: %s", cases[i].json, answer->json);
        if (cases[i].errors)
            assert_at(answer, "/error/details/fieldErrors", cases[i].errors);
        if (cases[i].messages)
            assert_at(answer, "/messages", cases[i].messages);
    }
}

/* Values of members that hold credentials, and what the schema calls secret, are never repeated. */
static void keeps_secrets(void **state)
{
    struct fixture          *fixture = *state;
    static const char *const cases[] = {
        "{\"headers\":{\"Authorization\":\"hidden\"}}",
        "{\"headers\":{\"cookie\":[\"hidden\"]}}",
        "{\"headers\":{\"a\":{\"token\":\"hidden\"}}}",
        "{\"headers\":[{\"X-Api-Key\":\"hidden\"}]}",
        "{\"headers\":\"{\\\"authorization\\\": \\\"hidden\\\"\"}",
        "{\"password\":\"hidden\"}",
        "{\"password\":{\"a\":\"hidden\"}}",
        "{\"pin\":\"hidden\"}",
        "{\"pin\":[\"hidden\"]}",
        "{\"key\":\"hidden\"}",
        "{\"far\":\"hidden\"}",
        "{\"kind\":{\"secret\":\"hidden\"}}",
        "{\"inner\":[{\"pin\":\"hidden\"}]}",
        "{\"any\":{\"token\":\"hidden\"}}",
        "{\"headers\":{\"authorization\":\"7357\"}}",
        "{\"pin\":\"7357\"}",
        "{\"far\":\"7357\"}",
        "[{\"authorization\":\"hidden\"}]",
    };
    tenon_tool tool = *plain_tool();

    tool.info.name = "secrets";
    tool.schema =
        "{\"type\":\"object\",\"properties\":{"
        "\"headers\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}},"
        "\"password\":{\"type\":\"string\",\"maxLength\":3},"
        "\"pin\":{\"type\":\"integer\",\"writeOnly\":true},"
        "\"key\":{\"type\":\"string\",\"format\":\"password\",\"enum\":[\"a\",\"b\"]},"
        "\"far\":{\"writeOnly\":true,\"$ref\":\"#/$defs/n\"},"
        "\"kind\":{\"enum\":[\"a\",\"b\"]},\"inner\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
        "\"any\":{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"token\":{\"const\":1}}},"
        "{\"type\":\"object\",\"properties\":{\"token\":{\"minLength\":99}}}]}},"
        "\"$defs\":{\"n\":{\"type\":\"integer\"}}}";
    assert_int_equal(tenon_toolbox_add(fixture->box, &tool), TENON_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run_tool(fixture->call, "secrets", cases[i]);

        if (strstr(answer->json, "hidden") || strstr(answer->json, "7357"))
            fail_msg("%s: %s", cases[i], answer->json);
        assert_true(answer->is_error || strstr(answer->json, "Converted "));
    }
    assert_at(run_tool(fixture->call, "secrets", "{\"kind\":\"shown\"}"), "/error/details/fieldErrors",
              "{\"kind\":[\"kind must be one of: a, b. Got: shown\"]}");
}

static void names_the_values_of_a_handlers_issues(void **state)
{
    struct fixture *fixture = *state;

    fixture->plan.complain = true;
    assert_at(run_tool(fixture->call, "order",
                       "{\"item\":\"tea\",\"to\":{\"city\":\"Rome\"},\"tags\":[\"a\",\"b\"]}"),
              "/error/details/fieldErrors",
              "{\"item\":[\"item is sold out\"],\"tags\":[\"/tags/1 is odd\"],\"to\":[\"/to/city is "
              "far\"],"
              "\"arguments\":[\"all is wrong\"]}");
}

static void checks_the_result(void **state)
{
    struct fixture *fixture                                      = *state;
    static const struct { const char *result, *logged; } cases[] = {
        { "{\"id\":\"7\"}", "breaks .result_schema: id must be an integer" },
        { "{}",             "breaks .result_schema: id is required"        },
        { "[]",             "not a valid JSON object"                      },
        { NULL,             "end with tenon_ok_json()"                     },
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer;

        fixture->plan.result = cases[i].result;
        answer               = run_tool(fixture->call, "order", "{\"item\":\"tea\"}");
        assert_string_equal(answer->code, TENON_CODE_INTERNAL_ERROR);
        assert_non_null(strstr(fixture->log.text, cases[i].logged));
        yyjson_doc_free(read_answer(answer));
    }
}

/* ---- Declarations ---------------------------------------------------------------------------------------------- */

TENON_ROWS(some_rows, struct plan,
    TENON_STR(seen, "Seen."));

static void names_the_place_of_a_mistake(void **state)
{
    static const struct { const char *schema, *result, *want; } cases[] = {
        { "{\"type\":\"object\",\"properties\":{\"a\":{\"minimum\":\"x\"}}}", NULL,
          "tool 'wrong', input schema: #/properties/a/minimum: must be a number" },
        { "{\"type\":\"string\"}", NULL, "tool 'wrong', input schema: #: a tool's schema says \"type\": \"object\"" },
        { "{}", NULL, "tool 'wrong', input schema: #: a tool's schema says \"type\": \"object\"" },
        { "true", NULL, "tool 'wrong', input schema: #: a tool's schema says \"type\": \"object\"" },
        { "{", NULL, "tool 'wrong', input schema: not JSON: unexpected end at byte 1" },
        { "{\"type\":\"object\"}", "{\"type\":\"array\"}",
          "tool 'wrong', .result_schema: #: a tool's schema says \"type\": \"object\"" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_tool     tool = *plain_tool();
        tenon_toolbox *box  = tenon_toolbox_new();

        tool.info.name          = "wrong";
        tool.schema             = cases[i].schema;
        tool.info.result_schema = cases[i].result;
        assert_int_equal(tenon_toolbox_add(box, &tool), TENON_E_DECLARATION);
        assert_string_equal(tenon_toolbox_error(box), cases[i].want);
        tenon_toolbox_free(box);
    }
}

static void publishes_results_of_every_form(void **state)
{
    static const struct { const char *result, *data, *head; } cases[] = {
        { "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/n\"}},\"$defs\":{\"n\":{}}}",
          "\"data\":{\"$id\":\"urn:tenon:result:some\",\"type\":[\"object\",\"null\"],\"properties\":", "{\"type\":" },
        { "{\"type\":\"object\",\"oneOf\":[{\"required\":[\"a\"]}]}",
          "\"data\":{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"object\",\"oneOf\":[{\"required\":[\"a\"]}]}]}", "{" },
        { "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\"}",
          "\"data\":{\"type\":[\"object\",\"null\"]}",
          "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\"" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_tool     tool = *plain_tool();
        tenon_toolbox *box  = tenon_toolbox_new();
        tenon_schema  *schema;
        const char    *output;

        tool.info.name          = "some";
        tool.info.result_schema = cases[i].result;
        assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
        output = tenon_toolbox_tool(box, 0)->output;
        assert_non_null(strstr(output, cases[i].data));
        assert_int_equal(strncmp(output, cases[i].head, strlen(cases[i].head)), 0);
        schema = tenon_schema_new(output, strlen(output), .uri = NULL);
        assert_null(tenon_schema_error(schema));
        tenon_schema_free(schema);
        tenon_toolbox_free(box);
    }
}

/* A value of an enum is compared with the others as text only when it is one. */
static void declares_enums_of_any_values(void **state)
{
    static const struct { const char *values; bool portable; } cases[] = {
        { "[\"ab\",\"cd\"]",             true  },
        { "[\"ab\",\"AB\"]",             false },
        { "[\"ab\",[1,2]]",              false },
        { "[\"ab\",{\"a\":1,\"b\":2}]",  false },
        { "[\"abcdefgh\",[1,2,3,4,5,6,7,8]]", false },
        { "[[1],[2]]",                    false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_toolbox *box  = tenon_toolbox_new();
        tenon_tool     tool = *plain_tool();
        char           schema[256];

        snprintf(schema, sizeof schema,
                 "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":%s}},"
                 "\"required\":[\"a\"],\"additionalProperties\":false}",
                 cases[i].values);
        tool.schema = schema;
        assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
        assert_int_equal(tenon_toolbox_find(box, "plain")->portable_input != NULL, cases[i].portable);
        tenon_toolbox_free(box);
    }
}

static void refers_to_registered_documents(void **state)
{
    static const char place[] = "{\"type\":\"object\",\"properties\":{\"zip\":{\"type\":\"integer\"}}}";
    tenon_schemas    *schemas = tenon_schemas_new(.draft_07 = false);
    tenon_toolbox    *box     = tenon_toolbox_new(.schemas = schemas);
    tenon_tool        tool    = *plain_tool();
    tenon_call       *call;

    (void)state;
    tool.schema = "{\"type\":\"object\",\"properties\":{\"to\":{\"$ref\":\"https://example.com/place\"}}}";
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_E_DECLARATION);
    tenon_toolbox_free(box);
    assert_int_equal(tenon_schemas_add(schemas, "https://example.com/place", place, strlen(place)), TENON_OK);
    box = tenon_toolbox_new(.schemas = schemas);
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    call = tenon_call_new(box);
    assert_at(run_tool(call, "plain", "{\"to\":{\"zip\":\"123\"}}"), "/messages",
              "[\"Converted /to/zip from \\\"123\\\" to 123\"]");
    assert_at(run_tool(call, "plain", "{\"to\":{\"zip\":\"x\"}}"), "/error/code", "\"VALIDATION_ERROR\"");
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_schemas_free(schemas);
}

static void refers_to_metaschemas(void **state)
{
    tenon_toolbox *box  = tenon_toolbox_new();
    tenon_tool     tool = *plain_tool();
    tenon_call    *call;

    (void)state;
    tool.schema = "{\"type\":\"object\",\"properties\":{\"size\":{\"$ref\":"
                  "\"http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger\"}}}";
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    call = tenon_call_new(box);
    assert_at(run_tool(call, "plain", "{\"size\":4}"), "/status", "\"SUCCESS\"");
    assert_at(run_tool(call, "plain", "{\"size\":-4}"), "/error/details/fieldErrors/size",
              "[\"size must be at least 0, got -4\"]");
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void a_result_is_declared_once(void **state)
{
    tenon_tool     tool = *plain_tool();
    tenon_toolbox *box  = tenon_toolbox_new();

    (void)state;
    tool.info.result_schema = ORDER_RESULT;
    tool.info.result        = some_rows;
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_E_DECLARATION);
    assert_string_equal(tenon_toolbox_error(box), "tool 'plain': .result_schema excludes .result and .items");
    tenon_toolbox_free(box);
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

static const char *const calls[] = {
    "{\"item\":\"tea\",\"count\":3,\"colour\":\"RED\",\"tags\":[\"a\"],\"to\":{\"city\":\"Rome\"}}",
    "{\"item\":\"tea\",\"count\":\"3\",\"colour\":\"red\",\"tags\":\"[]\",\"to\":{\"city\":\"R\"}}",
    "{\"item\":\"t\",\"count\":77,\"colour\":\"rde\",\"tags\":[1,2,3,4,5],\"to\":{},\"mail\":\"x\",\"y\":1}",
    "{\"item\":\"tea\",\"item\":\"tea\"}",
};

static void allocates_nothing_in_steady_state(void **state)
{
    struct fixture *fixture = *state;
    size_t          before  = 0;

    for (int round = 0; round < 20; round++) {
        if (round == 10)
            before = fixture->fault.requests;
        for (size_t i = 0; i < COUNT_OF(calls); i++)
            run_tool(fixture->call, "order", calls[i]);
    }
    assert_int_equal(fixture->fault.requests, before);
}

static size_t run_everything(size_t refuse_at)
{
    struct tn_fault fault  = { .refuse_at = refuse_at };
    tenon_allocator memory = tn_fault_allocator(&fault);
    struct plan     plan   = { 0 };
    struct log_kept log    = { .count = 0 };
    tenon_toolbox  *box    = tenon_toolbox_new(.user = &plan, .memory = &memory, .log = keep_log,
                                               .log_user = &log);
    tenon_call     *call   = NULL;

    tenon_toolbox_add(box, order_tool());
    tenon_toolbox_add(box, drop_tool());
    if (!tenon_toolbox_error(box))
        call = tenon_call_new(box);
    for (size_t i = 0; call && i < COUNT_OF(calls); i++)
        for (plan.result = "{\"id\":7}"; plan.result; plan.result = plan.result[1] == '}' ? NULL : "{}")
            yyjson_doc_free(read_answer(run_tool(call, "order", calls[i])));
    tenon_call_free(call);
    tenon_toolbox_free(box);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.requests;
}

static void survives_every_refusal(void **state)
{
    size_t most = run_everything(0);

    (void)state;
    assert_true(most > 10);
    for (size_t i = 1; i <= most; i++)
        run_everything(i);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(publishes_the_text_as_it_is),
        TEST(passes_what_the_schema_accepts),
        TEST(tells_what_the_schema_refuses),
        TEST(names_the_values_of_a_handlers_issues),
        TEST(checks_the_result),
        cmocka_unit_test(names_the_place_of_a_mistake),
        cmocka_unit_test(publishes_results_of_every_form),
        cmocka_unit_test_setup_teardown(counts_repairs_that_do_not_fit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repairs_with_care, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_secrets, set_up, tear_down),
        cmocka_unit_test(declares_enums_of_any_values),
        cmocka_unit_test(refers_to_registered_documents),
        cmocka_unit_test(refers_to_metaschemas),
        cmocka_unit_test(a_result_is_declared_once),
        TEST(allocates_nothing_in_steady_state),
        cmocka_unit_test(survives_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
