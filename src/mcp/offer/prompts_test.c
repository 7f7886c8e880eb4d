/* prompts_test.c - prompts as clients see them, and completion of their arguments and of templates. */
#include "support/fault.h"

#include "support/link.h"
#include <tenon/progress.h>
#include <tenon/prompt.h>
#include <tenon/resource.h>

typedef enum { QUICK, QUIET, DEEP } depth;
static const char *const depth_names[] = { "quick", "quiet", "deep" };

typedef struct {
    const char *path, *author;
    depth       depth;
    int         lines;
    bool        strict;
    tenon_strs  tags;
} review_args;

static tenon_outcome review(tenon_call *call, const review_args *args)
{
    if (strcmp(args->path, "gone") == 0)
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no file gone.");
    tenon_say(call, TENON_ROLE_USER, "Review %s, %s, %d lines%s.", args->path, depth_names[args->depth],
              args->lines, args->strict ? ", strictly" : "");
    tenon_say(call, TENON_ROLE_ASSISTANT, "I will.");
    tenon_add_image(call, "image/png", "abc", 3);
    return tenon_ok(call);
}

TENON_PROMPT(review, review_args, TENON_INFO("Review a change.", .title = "Review", .strict = true),
             TENON_STR(path, "What to review.", .required = true, .len = { 2, 20 }),
             TENON_STR(author, "Who wrote it."), TENON_ENUM(depth, depth_names, "How closely."),
             TENON_INT(lines, "How many lines.", .range = { 1, 500 }, .def = 100),
             TENON_BOOL(strict, "Be strict?"), TENON_STRS(tags, "Tags.", .example = "[\"a\"]"));

static tenon_outcome greet(tenon_call *call)
{
    (void)call;
    return tenon_ok(call);
}

TENON_PROMPT0(greet, TENON_INFO("Greet.", .meta = "{\"a\":1}"));

static void complete_review(tenon_call *call, const char *name, const char *typed)
{
    if (strcmp(name, "author") == 0)
        tenon_suggest(call, tenon_format(call, "%s-of-%s", typed, tenon_variable(call, "path")));
    for (int i = 0; strcmp(name, "path") == 0 && i < 150; i++)
        tenon_suggest(call, tenon_format(call, "%s%d", typed, i));
}

static tenon_outcome read_note(tenon_call *call, const char *uri)
{
    (void)uri;
    return tenon_ok(call);
}

static void complete_note(tenon_call *call, const char *name, const char *typed)
{
    tenon_suggest(call, name);
    tenon_suggest(call, typed);
}

static tenon_server *make_server(void)
{
    tenon_server *server = tenon_server_new("test", "1");

    tenon_server_add_prompt(server, review_tool(), complete_review);
    tenon_server_add_prompt(server, greet_tool(), NULL);
    tenon_server_template(server, "note://{folder}/{id}", read_note, .complete = complete_note);
    tenon_server_template(server, "plain://{id}", read_note);
    assert_null(tenon_server_error(server));
    return server;
}

struct question {
    enum link_era era;
    const char   *method, *params, *pointer, *want;
};

static void ask(const struct question *questions, size_t count)
{
    tenon_server  *server = make_server();
    struct client *client = client_new(server);

    client_initialize(client, "2025-11-25");
    for (size_t i = 0; i < count; i++)
        client_expect(client, questions[i].era, questions[i].method, questions[i].params,
                      questions[i].pointer, questions[i].want);
    client_free(client);
    tenon_server_free(server);
}

#define NAME "\"name\":\"review\""

static void get(void **state)
{
    /* clang-format off */
    static const struct question cases[] = {
        { MODERN, "prompts/list", "", "/result/prompts/0",
          "{\"name\":\"review\",\"title\":\"Review\",\"description\":\"Review a change.\",\"arguments\":["
          "{\"name\":\"path\",\"description\":\"What to review.\",\"required\":true},"
          "{\"name\":\"author\",\"description\":\"Who wrote it.\",\"required\":false},"
          "{\"name\":\"depth\",\"description\":\"How closely. One of: quick, quiet, deep.\",\"required\":false},"
          "{\"name\":\"lines\",\"description\":\"How many lines.\",\"required\":false},"
          "{\"name\":\"strict\",\"description\":\"Be strict? One of: true, false.\",\"required\":false},"
          "{\"name\":\"tags\",\"description\":\"Tags. JSON text, e.g. [\\\"a\\\"]\",\"required\":false}]}" },
        { LEGACY, "prompts/list", "", "/result/prompts/1", "{\"name\":\"greet\",\"description\":\"Greet.\",\"arguments\":[],\"_meta\":{\"a\":1}}" },
        { MODERN, "prompts/get", NAME ",\"arguments\":{\"path\":\"a.c\",\"lines\":\"7\",\"strict\":\"true\",\"depth\":\"DEEP\"}",
          "/result/messages/0", "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Review a.c, deep, 7 lines, strictly.\"}}" },
        { LEGACY, "prompts/get", NAME ",\"arguments\":{\"path\":\"a.c\"}", "/result",
          "{\"description\":\"Review a change.\",\"messages\":["
          "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Review a.c, quick, 100 lines.\"}},"
          "{\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"I will.\"}},"
          "{\"role\":\"user\",\"content\":{\"type\":\"image\",\"data\":\"YWJj\",\"mimeType\":\"image/png\"}}]}" },
        { MODERN, "prompts/get", "\"name\":\"greet\"", "/result/messages", "[]" },
        { MODERN, "prompts/get", "\"name\":\"greet\",\"arguments\":null", "/result/messages", "[]" },
        { MODERN, "prompts/get", NAME, "/error/code", "-32602" },
        { MODERN, "prompts/get", NAME, "/error/message", "\"path is required\"" },
        { MODERN, "prompts/get", NAME ",\"arguments\":{\"path\":\"a\",\"lines\":\"x\"}", "/error/message",
          "\"path must be at least 2 characters; lines must be an integer, got \\\"x\\\"\"" },
        { MODERN, "prompts/get", NAME ",\"arguments\":{\"path\":\"a\",\"lines\":\"x\"}", "/error/data/totalErrors", "2" },
        { MODERN, "prompts/get", NAME ",\"arguments\":{\"path\":\"gone\"}", "/error",
          "{\"code\":-32603,\"message\":\"There is no file gone.\",\"data\":{\"code\":\"NOT_FOUND\"}}" },
        { MODERN, "prompts/get", NAME ",\"arguments\":[]", "/error/message", "\"params.arguments must be an object.\"" },
        { MODERN, "prompts/get", "\"name\":\"none\"", "/error", "{\"code\":-32602,\"message\":\"There is no prompt none.\"}" },
        { MODERN, "prompts/get", "\"name\":5", "/error/code", "-32602" },
        { MODERN, "prompts/get", "", "/error/code", "-32602" },
    };
    /* clang-format on */

    (void)state;
    ask(cases, COUNT_OF(cases));
}

#define REF(argument) "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"review\"},\"argument\":" argument
#define URI(argument)                                                                                        \
    "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"note://{folder}/{id}\"},\"argument\":" argument

static void complete(void **state)
{
    /* clang-format off */
    static const struct question cases[] = {
        { MODERN, "completion/complete", REF("{\"name\":\"depth\",\"value\":\"QUI\"}"), "/result/completion",
          "{\"values\":[\"quick\",\"quiet\"],\"total\":2,\"hasMore\":false}" },
        { LEGACY, "completion/complete", REF("{\"name\":\"strict\",\"value\":\"\"}"), "/result",
          "{\"completion\":{\"values\":[\"true\",\"false\"],\"total\":2,\"hasMore\":false}}" },
        { MODERN, "completion/complete", REF("{\"name\":\"depth\",\"value\":\"zzzzzzzzzzz\"}"), "/result/completion/values", "[]" },
        { MODERN, "completion/complete", REF("{\"name\":\"author\",\"value\":\"an\"},\"context\":{\"arguments\":{\"path\":\"x\"}}"),
          "/result/completion/values", "[\"an-of-x\"]" },
        { MODERN, "completion/complete", REF("{\"name\":\"path\",\"value\":\"p\"}"), "/result/completion/values/99", "\"p99\"" },
        { MODERN, "completion/complete", REF("{\"name\":\"path\",\"value\":\"p\"}"), "/result/completion/values/100", "" },
        { MODERN, "completion/complete", REF("{\"name\":\"path\",\"value\":\"p\"}"), "/result/completion/total", "150" },
        { MODERN, "completion/complete", REF("{\"name\":\"path\",\"value\":\"p\"}"), "/result/completion/hasMore", "true" },
        { MODERN, "completion/complete", REF("{\"name\":\"lines\",\"value\":\"p\"}"), "/result/completion/values", "[]" },
        { MODERN, "completion/complete", URI("{\"name\":\"id\",\"value\":\"v\"}"), "/result/completion/values", "[\"id\",\"v\"]" },
        { MODERN, "completion/complete", URI("{\"name\":\"xx\",\"value\":\"v\"}"), "/error/code", "-32602" },
        { MODERN, "completion/complete", REF("{\"name\":\"xx\",\"value\":\"v\"}"), "/error/message",
          "\"There is no argument xx to be completed.\"" },
        { MODERN, "completion/complete", "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"plain://{id}\"},"
                                         "\"argument\":{\"name\":\"id\",\"value\":\"\"}", "/result/completion/values", "[]" },
        { MODERN, "completion/complete", "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"x:\"},"
                                         "\"argument\":{\"name\":\"id\",\"value\":\"\"}", "/error/code", "-32602" },
        { MODERN, "completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"x\"},"
                                         "\"argument\":{\"name\":\"id\",\"value\":\"\"}", "/error/code", "-32602" },
        { MODERN, "completion/complete", "\"ref\":{\"type\":\"ref/x\"},\"argument\":{\"name\":\"id\",\"value\":\"\"}", "/error/code", "-32602" },
        { MODERN, "completion/complete", REF("{\"name\":\"path\",\"value\":5}"), "/error/code", "-32602" },
        { MODERN, "completion/complete", "", "/error/code", "-32602" },
    };
    /* clang-format on */

    (void)state;
    ask(cases, COUNT_OF(cases));
}

typedef struct {
    int count;
} strict_args;

static tenon_outcome stern(tenon_call *call, const strict_args *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_PROMPT(stern, strict_args, TENON_INFO("Stern."), TENON_INT(count, "Count.", .strict = true));

static void mistakes(void **state)
{
    tenon_tool    prompt = *stern_tool();
    tenon_server *server = tenon_server_new("test", "1");

    (void)state;
    assert_int_equal(tenon_server_add_prompt(server, stern_tool(), NULL), TENON_OK);
    assert_null(tenon_link_new(server, client_keep, NULL));
    assert_string_equal(tenon_server_error(server),
                        "prompt 'stern': parameter 'count' is .strict, but clients send text only");
    tenon_server_free(server);

    server        = tenon_server_new("test", "1");
    prompt.schema = "{\"type\":\"object\"}";
    assert_int_equal(tenon_server_add_prompt(server, &prompt, NULL), TENON_E_DECLARATION);
    assert_string_equal(tenon_server_error(server), "prompt 'stern': a prompt is declared by rows");
    tenon_server_free(server);

    server             = tenon_server_new("test", "1");
    prompt.schema      = NULL;
    prompt.info.scopes = "a";
    assert_int_equal(tenon_server_add_prompt(server, &prompt, NULL), TENON_E_DECLARATION);
    assert_string_equal(tenon_server_error(server), "prompt 'stern': .scopes are for tools");
    tenon_server_free(server);

    server           = tenon_server_new("test", "1");
    prompt           = *greet_tool();
    prompt.info.meta = "[1]";
    assert_int_equal(tenon_server_add_prompt(server, &prompt, NULL), TENON_OK);
    assert_null(tenon_link_new(server, client_keep, NULL));
    assert_string_equal(tenon_server_error(server), "greet: .meta is not the JSON text of an object");
    tenon_server_free(server);
    assert_int_equal(tenon_server_add_prompt(NULL, stern_tool(), NULL), TENON_E_NOMEM);
}

/* The same questions in a server in which the nth allocation is refused; false when there were not so many. */
static bool run_refused(size_t nth)
{
    static const struct {
        const char *method, *params;
    } asked[] = {
        { "prompts/get", NAME ",\"arguments\":{\"path\":\"a.c\"}" },
        { "prompts/get", NAME ",\"arguments\":{\"path\":\"a\",\"lines\":\"x\"}" },
        { "completion/complete", REF("{\"name\":\"depth\",\"value\":\"q\"}") },
        { "completion/complete", REF("{\"name\":\"path\",\"value\":\"q\"}") },
    };
    struct tn_fault fault  = { .refuse_at = nth };
    struct log_kept log    = { .count = 0 };
    tenon_allocator memory = tn_fault_allocator(&fault);
    tenon_server   *server = tenon_server_new("test", "1", .memory = &memory, .log = keep_log,
                                              .log_user = &log);
    struct client   client = { .last = malloc(LINK_TEXT_MAX) };

    tenon_server_add_prompt(server, review_tool(), complete_review);
    client.link = server ? tenon_link_new(server, client_keep, &client) : NULL;
    for (size_t i = 0; client.link && i < COUNT_OF(asked); i++)
        yyjson_doc_free(client_ask(&client, MODERN, asked[i].method, asked[i].params));
    if (client.link)
        tenon_link_free(client.link);
    tenon_server_free(server);
    free(client.last);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.refused;
}

static void survive_every_refusal(void **state)
{
    size_t nth = 1;

    (void)state;
    while (run_refused(nth))
        nth++;
    assert_true(nth > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(get),
        cmocka_unit_test(complete),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(survive_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
