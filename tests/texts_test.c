/* texts_test.c - the texts that were promised, to the letter: validation, pages, filters, answers, JSON text.
 *
 * The tools are those that the texts were first written for: a search in documents, a list of vulnerabilities, a client
 * register, and requests over HTTP.
 */
#include "support/answer.h"

/* ---- A search in documents ----------------------------------------------------------------------------------- */

enum promotion { STANDARD, IMPORTANT, CRITICAL_LEVEL };
static const char *const promotion_names[] = { "standard", "important", "critical" };

typedef struct {
    const char    *query;
    tenon_strs     doc_types;
    int            max_sources;
    double         min_relevance_score;
    enum promotion min_promotion_level;
    bool           include_critical;
} rag_query_args;

static tenon_outcome rag_query(tenon_call *call, const rag_query_args *args)
{
    tenon_text(call, "%s %d %s %d", args->query, args->max_sources,
               promotion_names[args->min_promotion_level], args->include_critical);
    return tenon_ok(call);
}

TENON_TOOL(rag_query, rag_query_args,
    TENON_INFO("Answer a question from the documents."),
    TENON_STR (query,               "The question.", .required = true, .len = {1, 10000}),
    TENON_STRS(doc_types,           "Only these types.", .count = {0, 20}),
    TENON_INT (max_sources,         "Most sources.", .range = {1, 10}, .def = 3),
    TENON_NUM (min_relevance_score, "Least relevance.", .range = {0, 1}, .def = 0.7, .tolerance = 1e-6),
    TENON_ENUM(min_promotion_level, promotion_names, "Least promotion.", .def = STANDARD),
    TENON_BOOL(include_critical,    "Critical documents first.", .def = true, .strict = true));

typedef struct {
    const char *path, *config, *name;
    tenon_strs  tags;
    int         positive;
} file_args;

static tenon_outcome index_document(tenon_call *call, const file_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(index_document, file_args,
    TENON_INFO("Index one document."),
    TENON_PATH    (path,     "The document."),
    TENON_ABS_PATH(config,   "The configuration."),
    TENON_STR     (name,     "A name.", .len = {3, 5}),
    TENON_STRS    (tags,     "Tags.", .count = {2, 3}, .unique = true),
    TENON_INT     (positive, "Positive only.", .range = {1, TENON_NO_MAX}));

/* ---- Vulnerabilities ------------------------------------------------------------------------------------------ */

enum severity { CRITICAL, HIGH, MEDIUM, LOW, NOTE };
static const char *const severity_names[] = { "CRITICAL", "HIGH", "MEDIUM", "LOW", "NOTE" };
enum vuln_status { REPORTED, SUSPICIOUS, CONFIRMED, REMEDIATED, FIXED };
static const char *const status_names[] = { "Reported", "Suspicious", "Confirmed", "Remediated", "Fixed" };

typedef struct {
    tenon_page page;
    tenon_set  severities, statuses;
    tenon_time after, before;
} vuln_args;

#define DEFAULT_STATUSES                                                                                     \
    "Using default statuses: Reported, Suspicious, Confirmed (excludes Fixed/Remediated). To see all statuses, " \
    "specify statuses parameter explicitly."
#define LAST_ACTIVITY "Time filters apply to LAST ACTIVITY DATE (lastTimeSeen), not discovery date"

static tenon_outcome vulnerabilities(tenon_call *call, const vuln_args *args)
{
    tenon_text(call, "%lld %lld %lld %lld", (long long)args->page.page, (long long)args->page.page_size,
               (long long)args->page.offset, (long long)args->page.limit);
    return tenon_ok(call);
}

TENON_TOOL(vulnerabilities, vuln_args,
    TENON_INFO("List vulnerabilities."),
    TENON_PAGE   (page),
    TENON_ENUMS  (severities, severity_names, "Severities.", .noun = "severity"),
    TENON_ENUMS  (statuses,   status_names, "Statuses.", .noun = "status", .def = "Reported,Suspicious,Confirmed",
                  .default_note = DEFAULT_STATUSES),
    TENON_DATE   (after,      "Seen after.", .key = "lastSeenAfter", .note = LAST_ACTIVITY),
    TENON_DATE   (before,     "Seen before.", .key = "lastSeenBefore", .end_of_day = true, .note = LAST_ACTIVITY),
    TENON_ORDERED(after, before));

/* ---- Clients -------------------------------------------------------------------------------------------------- */

typedef struct {
    int         id;
    const char *name;
} client_dto;
TENON_ROWS(client_rows, client_dto,
    TENON_INT(id,   "Its number.", .required = true),
    TENON_STR(name, "Its name.", .required = true));

typedef struct {
    int id;
} client_args;

static tenon_outcome get_client(tenon_call *call, const client_args *args)
{
    client_dto client = { args->id, "Ada" };

    if (args->id != 7)
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "Client not found");
    return tenon_ok_data(call, client_rows, &client);
}

TENON_TOOL(get_client, client_args,
    TENON_INFO("One client.", .result = client_rows),
    TENON_INT(id, "Its number.", .required = true));

/* ---- Requests over HTTP ----------------------------------------------------------------------------------------- */

enum state { ACTIVE, INACTIVE };
static const char *const state_names[] = { "active", "inactive" };
#define HEADERS_DOC "Custom headers as JSON object, e.g. {\"User-Agent\": \"MyBot\"}"

typedef struct {
    tenon_map   headers;
    tenon_enums status;
    tenon_strs  names;
    const char *host;
} http_args;

static tenon_outcome http_request(tenon_call *call, const http_args *args)
{
    for (size_t i = 0; i < args->headers.count; i++)
        tenon_text(call, "%s: %s", args->headers.at[i].key, args->headers.at[i].value);
    for (size_t i = 0; i < args->status.count; i++)
        tenon_text(call, "%s", state_names[args->status.at[i]]);
    for (size_t i = 0; i < args->names.count; i++)
        tenon_text(call, "%s", args->names.at[i]);
    tenon_text(call, "%s", args->host);
    return tenon_ok(call);
}

TENON_TOOL(http_request, http_args,
    TENON_INFO("Send a request."),
    TENON_MAP  (headers, HEADERS_DOC, .json_text = true, .example = "{\"User-Agent\": \"MyBot\"}"),
    TENON_ENUMS(status,  state_names, "States to look for.", .json_text = true, .example = "[\"active\"]"),
    TENON_STRS (names,   "Names."),
    TENON_STR  (host,    "A host."));

/* ---- Calling ----------------------------------------------------------------------------------------------------- */

static struct log_kept log_lines;

static int open_box(void **state)
{
    static const tenon_tool *(*const tools[])(void) = { rag_query_tool, index_document_tool,
                                                        vulnerabilities_tool, get_client_tool,
                                                        http_request_tool };
    tenon_toolbox *box = tenon_toolbox_new(.log = keep_log, .log_user = &log_lines);

    for (size_t i = 0; i < COUNT_OF(tools); i++)
        tenon_toolbox_add(box, tools[i]());
    if (tenon_toolbox_error(box))
        fail_msg("%s", tenon_toolbox_error(box));
    *state = box;
    return 0;
}

static int close_box(void **state)
{
    tenon_toolbox_free(*state);
    return 0;
}

/* ' stands for " in arguments. */
static const tenon_answer *run(tenon_call *call, const char *tool, const char *args)
{
    char json[2000];

    snprintf(json, sizeof json, "%s", args);
    for (char *at = json; *at; at++)
        if (*at == '\'')
            *at = '"';
    return run_tool(call, tool, json);
}

/* Every issue of a call as its sentence, and every message, in order; ' for ". */
static const char *said(const tenon_answer *answer)
{
    static char     text[4000];
    yyjson_doc     *doc    = read_answer(answer);
    yyjson_val     *fields = yyjson_doc_ptr_get(doc, "/error/details/fieldErrors"), *key, *one;
    yyjson_obj_iter members;
    size_t          i, max, at = 0;

    text[0] = '\0';
    yyjson_obj_iter_init(fields, &members);
    while ((key = yyjson_obj_iter_next(&members)))
        yyjson_arr_foreach(yyjson_obj_iter_get_val(key), i, max, one)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at ? " | " : "", yyjson_get_str(one));
    yyjson_arr_foreach(yyjson_doc_ptr_get(doc, "/messages"), i, max, one)
        at += (size_t)snprintf(text + at, sizeof text - at, " + %s", yyjson_get_str(one));
    yyjson_doc_free(doc);
    return text;
}

/* ---- Three errors in one answer ------------------------------------------------------------------------------------ */

static void three_errors_in_one_answer(void **state)
{
    tenon_call         *call   = tenon_call_new(*state);
    const tenon_answer *answer = run(call, "rag_query", "{'max_sources':100,'min_relevance_score':2.0}");

    assert_true(answer->is_error);
    assert_at(answer, "/error/code", "\"VALIDATION_ERROR\"");
    assert_at(answer, "/error/message", "\"Validation failed: 3 errors\"");
    assert_at(answer, "/error/details/fieldErrors",
              "{\"query\":[\"query is required\"],"
              "\"max_sources\":[\"max_sources must be between 1 and 10, got 100\"],"
              "\"min_relevance_score\":[\"min_relevance_score must be between 0 and 1, got 2\"]}");
    assert_at(answer, "/error/details/totalErrors", "3");
    assert_at(answer, "/error/details/issues/1/parameter", "\"max_sources\"");
    assert_at(answer, "/error/details/issues/1/code", "\"range\"");
    assert_at(answer, "/error/details/issues/1/required", "false");
    assert_at(answer, "/error/details/issues/1/suggestion", "10");
    assert_at(answer, "/error/details/issues/2/suggestion", "1");
    assert_at(answer, "/data", "null");

    answer = run(call, "rag_query", "{'query':'','max_sources':100,'min_relevance_score':2.0}");
    assert_at(answer, "/error/message", "\"Validation failed: 3 errors\"");
    assert_at(answer, "/error/details/fieldErrors/query", "[\"query cannot be empty\"]");
    answer = run(call, "rag_query", "{'query':' '}");
    assert_at(answer, "/error/message", "\"Validation failed: 1 error\"");
    assert_at(answer, "/error/details/totalErrors", "1");
    tenon_call_free(call);
}

/* Defaults come before validation, whole and typed. */
static void defaults(void **state)
{
    tenon_call *call = tenon_call_new(*state);

    assert_at(run(call, "rag_query", "{'query':'why'}"), "/data/text", "\"why 3 standard 1\"");
    assert_at(run(call, "rag_query",
                  "{'query':'why','min_promotion_level':'CRITICAL','include_critical':false}"),
              "/data/text", "\"why 3 critical 0\"");
    tenon_call_free(call);
}

/* The sentence of each constraint. */
static void sentences(void **state)
{
    static const struct { const char *tool, *args, *want; } cases[] = {
        { "rag_query", "{}", "query is required" },
        { "rag_query", "{'query':null}", "query is required" },
        { "rag_query", "{'query':'  '}", "query cannot be empty" },
        { "rag_query", "{'query':'x','max_sources':15}", "max_sources must be between 1 and 10, got 15" },
        { "rag_query", "{'query':'x','max_sources':0}", "max_sources must be between 1 and 10, got 0" },
        { "rag_query", "{'query':'x','min_relevance_score':-0.5}", "min_relevance_score must be between 0 and 1, got -0.5" },
        { "rag_query", "{'query':'x','min_relevance_score':1.0000001}", "" },
        { "rag_query", "{'query':'x','min_promotion_level':'urgent'}",
          "min_promotion_level must be one of: standard, important, critical. Got: urgent" },
        { "rag_query", "{'query':'x','include_critical':'true'}", "include_critical must be true or false, got \"true\"" },
        { "rag_query", "{'query':'x','max_source':3}",
          "unknown parameter 'max_source'; did you mean 'max_sources'? Valid parameters: query, doc_types, max_sources, "
          "min_relevance_score, min_promotion_level, include_critical" },
        { "index_document", "{'name':'ab'}", "name must be at least 3 characters" },
        { "index_document", "{'name':'abcdef'}", "name must not exceed 5 characters" },
        { "index_document", "{'tags':['a']}", "tags must contain at least 2 items, got 1" },
        { "index_document", "{'tags':['a','b','c','d']}", "tags must not exceed 3 items, got 4" },
        { "index_document", "{'tags':['a','a']}", "tags contains duplicate values" },
        { "index_document", "{'path':'../../../etc/passwd'}", "path contains invalid path traversal sequence" },
        { "index_document", "{'path':'/etc/passwd'}", "path must be a relative path, got absolute path" },
        { "index_document", "{'config':'etc/config'}", "config must be an absolute path" },
        { "index_document", "{'positive':0}", "positive must be at least 1, got 0" },
    };
    tenon_call *call = tenon_call_new(*state);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = said(run(call, cases[i].tool, cases[i].args));

        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s %s\n  wanted: %s\n     got: %s", cases[i].tool, cases[i].args, cases[i].want, got);
    }
    tenon_call_free(call);
}

/* ---- Pages and filters ------------------------------------------------------------------------------------------------ */

/* No integer is refused as a page; what was changed is said. Text: page, pageSize, offset, limit. */
static void pages(void **state)
{
    static const struct { const char *args, *text, *messages; } cases[] = {
        { "{'statuses':'Fixed'}", "\"1 50 0 50\"", "[]" },
        { "{'statuses':'Fixed','page':3,'pageSize':20}", "\"3 20 40 20\"", "[]" },
        { "{'statuses':'Fixed','page':1e17,'pageSize':1}", "\"100000000000000000 1 99999999999999999 1\"", "[]" },
        { "{'statuses':'Fixed','page':9223372036854775808.0}", "\"9223372036854775807 50 9223372036854775807 50\"",
          "[\"page adjusted from 9223372036854776000.0 to 9223372036854775807 (maximum allowed)\"]" },
        { "{'statuses':'Fixed','page':-5}", "\"1 50 0 50\"", "[\"Invalid page number -5, using page 1\"]" },
        { "{'statuses':'Fixed','pageSize':0}", "\"1 50 0 50\"", "[\"Invalid pageSize 0, using default 50\"]" },
        { "{'statuses':'Fixed','pageSize':200}", "\"1 100 0 100\"",
          "[\"Requested pageSize 200 exceeds maximum 100, capped to 100\"]" },
        { "{'statuses':'Fixed','page':-5,'pageSize':200}", "\"1 100 0 100\"",
          "[\"Invalid page number -5, using page 1\",\"Requested pageSize 200 exceeds maximum 100, capped to 100\"]" },
        { "{'statuses':'Fixed','page':9223372036854775807,'pageSize':100}",
          "\"9223372036854775807 100 9223372036854775807 100\"", "[]" },
    };
    tenon_call *call = tenon_call_new(*state);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run(call, "vulnerabilities", cases[i].args);

        assert_false(answer->is_error);
        assert_at(answer, "/data/text", cases[i].text);
        assert_at(answer, "/messages", cases[i].messages);
    }
    tenon_call_free(call);
}

#define BAD_SEVERITY(v) "Invalid severity '" v "'. Valid: CRITICAL, HIGH, MEDIUM, LOW, NOTE. Example: 'CRITICAL,HIGH'"

/* Dates, severities, the range of dates, and the default statuses; messages survive an error. */
static void filters(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{}", " + " DEFAULT_STATUSES },
        { "{'statuses':''}", " + " DEFAULT_STATUSES },
        { "{'statuses':'Reported, fixed','severities':'critical,HIGH'}", "" },
        { "{'statuses':'Fixed','severities':'CRITICAL,SUPER_HIGH'}", BAD_SEVERITY("SUPER_HIGH") },
        { "{'statuses':'Fixed','severities':['SUPER_HIGH']}", BAD_SEVERITY("SUPER_HIGH") },
        { "{'severities':'X'}", BAD_SEVERITY("X") },
        { "{'statuses':'Fixed','lastSeenAfter':'not-a-date'}",
          "Invalid date 'not-a-date'. Expected ISO format (YYYY-MM-DD) like '2025-01-15'" },
        { "{'statuses':'Fixed','lastSeenAfter':'garbage'}",
          "Invalid date 'garbage'. Expected ISO format (YYYY-MM-DD) like '2025-01-15'" },
        { "{'statuses':'Fixed','lastSeenAfter':'2025-01-15'}", " + " LAST_ACTIVITY },
        { "{'statuses':'Fixed','lastSeenAfter':'2025-01-15','lastSeenBefore':'2025-01-15'}", " + " LAST_ACTIVITY },
        { "{'statuses':'Fixed','lastSeenAfter':'2025-12-31','lastSeenBefore':'2025-01-01'}",
          "Invalid date range: lastSeenAfter must be before lastSeenBefore. Example: lastSeenAfter='2025-01-01', "
          "lastSeenBefore='2025-12-31' + " LAST_ACTIVITY },
    };
    tenon_call *call = tenon_call_new(*state);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = said(run(call, "vulnerabilities", cases[i].args));

        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s\n  wanted: %s\n     got: %s", cases[i].args, cases[i].want, got);
    }
    tenon_call_free(call);
}

/* ---- One answer -------------------------------------------------------------------------------------------------------- */

/* Success holds the data and no error; an error holds code and message and no data. */
static void success_and_error(void **state)
{
    tenon_call         *call   = tenon_call_new(*state);
    const tenon_answer *answer = run(call, "get_client", "{'id':7}");

    assert_false(answer->is_error);
    assert_string_equal(
        answer->json,
        "{\"status\":\"SUCCESS\",\"error\":null,\"messages\":[],\"data\":{\"id\":7,\"name\":\"Ada\"}}");
    answer = run(call, "get_client", "{'id':8}");
    assert_true(answer->is_error);
    assert_string_equal(answer->code, "NOT_FOUND");
    assert_at(answer, "/status", "\"ERROR\"");
    assert_at(answer, "/data", "null");
    assert_at(answer, "/error/code", "\"NOT_FOUND\"");
    assert_at(answer, "/error/message", "\"Client not found\"");
    tenon_call_free(call);
}

/* ---- JSON text ----------------------------------------------------------------------------------------------------------- */

/* What is published as JSON text is taken natively too; a plain string is never parsed. */
static void json_text_both_ways(void **state)
{
    static const struct { const char *args, *text; } cases[] = {
        { "{'headers':'{\\'User-Agent\\': \\'Bot\\', \\'Accept\\': \\'application/json\\'}'}",
          "\"User-Agent: Bot\\nAccept: application/json\\n\"" },
        { "{'headers':{'User-Agent':'Bot','Accept':'application/json'}}",
          "\"User-Agent: Bot\\nAccept: application/json\\n\"" },
        { "{'status':'[\\'active\\', \\'inactive\\']'}", "\"active\\ninactive\\n\"" },
        { "{'status':['active','inactive']}", "\"active\\ninactive\\n\"" },
        { "{'names':'[\\'active\\',\\'inactive\\']'}", "\"active\\ninactive\\n\"" },
        { "{'host':'{\\'value\\': \\'example.com\\'}'}", "\"{\\\"value\\\": \\\"example.com\\\"}\"" },
    };
    const tenon_tool_view *view = tenon_toolbox_find(*state, "http_request");
    tenon_call            *call = tenon_call_new(*state);
    yyjson_doc            *doc  = yyjson_read(view->input, strlen(view->input), 0);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const tenon_answer *answer = run(call, "http_request", cases[i].args);

        assert_at(answer, "/data/text", cases[i].text);
        assert_at(answer, "/messages", "[]");
    }
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/properties/headers/type")), "string");
    assert_non_null(
        strstr(yyjson_get_str(yyjson_doc_ptr_get(doc, "/properties/headers/description")), HEADERS_DOC));
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/properties/status/type")), "string");
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/properties/names/type")), "array");
    yyjson_doc_free(doc);
    tenon_call_free(call);
}

/* Malformed text is told with its place and an example, and a secret in it is not repeated. */
static void malformed_json_text(void **state)
{
    static const struct { const char *args, *want; } cases[] = {
        { "{'headers':'{\\'a\\': '}", "headers is not valid JSON: it is cut off (a bracket or a quote is not closed) at position 6. Example: "
                                      "{\"User-Agent\": \"MyBot\"}" },
        { "{'headers':'[1]'}", "headers must be an object of strings, got an array in JSON text" },
        { "{'headers':{'a':{'b':1}}}", "/headers/a must be a string, got {\"b\":1}" },
        { "{'status':'[\\'actve\\']'}", "/status/0 must be one of: active, inactive. Got: actve" },
    };
    static const char *const leaks[] = {
        "{'headers':'{\\'Authorization\\': \\'hunter2\\',}'}",
        "{'headers':'{\\'Authorization\\': \\'hunter2'}",
        "{'headers':{'Authorization':['hunter2']}}",
        "{'headers':'{\\'Authorization\\':[\\'hunter2\\']}'}",
        "{'headers':[{'Authorization':'hunter2'}]}",
        "{'headers':'[{\\'Authorization\\':\\'hunter2\\'}]'}",
        "{'headers':{'Cookie':'hunter2','Cookie':'hunter2'}}",
    };
    tenon_call *call = tenon_call_new(*state);

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = said(run(call, "http_request", cases[i].args));

        if (strcmp(got, cases[i].want) != 0)
            fail_msg("%s\n  wanted: %s\n     got: %s", cases[i].args, cases[i].want, got);
    }
    for (size_t i = 0; i < COUNT_OF(leaks); i++) {
        const tenon_answer *answer = run(call, "http_request", leaks[i]);

        assert_true(answer->is_error);
        if (strstr(answer->json, "hunter2"))
            fail_msg("%s: %s", leaks[i], answer->json);
    }
    tenon_call_free(call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_errors_in_one_answer),
        cmocka_unit_test(defaults),
        cmocka_unit_test(sentences),
        cmocka_unit_test(pages),
        cmocka_unit_test(filters),
        cmocka_unit_test(success_and_error),
        cmocka_unit_test(json_text_both_ways),
        cmocka_unit_test(malformed_json_text),
    };

    return cmocka_run_group_tests(tests, open_box, close_box);
}
