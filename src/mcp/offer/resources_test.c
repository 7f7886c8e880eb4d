/* resources_test.c - resources and templates as clients of both eras see them. */
#include "mcp/offer/resources.h"

#include <tenon/ask.h>
#include <tenon/progress.h>
#include <tenon/resource.h>

#include "support/fault.h"
#include "support/link.h"

static tenon_outcome read_motd(tenon_call *call, const char *uri)
{
    assert_string_equal(uri, "app://motd");
    tenon_content_text(call, "Hello.");
    return tenon_ok(call);
}

static tenon_outcome read_bytes(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_blob(call, "\0\1\2", 3);
    tenon_add_resource_text(call, "app://bytes/of", NULL, "more");
    return tenon_ok(call);
}

static tenon_outcome read_nothing(tenon_call *call, const char *uri)
{
    (void)uri;
    return tenon_ok(call);
}

static tenon_outcome read_note(tenon_call *call, const char *uri)
{
    const char *id = tenon_variable(call, "id");

    if (strcmp(id, "lost") == 0)
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no note %s.", id);
    if (strcmp(id, "busy") == 0)
        return tenon_fail(call, TENON_CODE_UNAVAILABLE, "The store is busy.");
    if (strcmp(id, "broken") == 0)
        return tenon_internal(call, "secret %s", uri);
    tenon_content_text(call, tenon_format(call, "%s of %s", id, tenon_variable(call, "folder")));
    return tenon_ok(call);
}

static tenon_outcome read_file(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_text(call, tenon_variable(call, "path"));
    return tenon_ok(call);
}

static tenon_server *make_server(void)
{
    static const tenon_icon icon   = { .src   = "https://example.org/i.png",
                                       .mime  = "image/png",
                                       .sizes = "48x48" };
    tenon_server           *server = tenon_server_new("test", "1");

    tenon_server_resource(server, "app://motd", read_motd, .name = "motd", .title = "The day",
                          .doc = "Says hello.", .mime = "text/plain", .len = 6, .icons = &icon,
                          .icon_count = 1, .ttl_ms = 5000, .private_ = true);
    tenon_server_resource(server, "app://bytes", read_bytes, .mime = "application/octet-stream");
    tenon_server_resource(server, "app://nothing", read_nothing);
    tenon_server_template(server, "note://{folder}/{id}", read_note, .name = "note", .mime = "text/markdown");
    tenon_server_template(server, "disk://{+path}", read_file);
    assert_null(tenon_server_error(server));
    return server;
}

#define MOTD "{\"uri\":\"app://motd\",\"name\":\"motd\""
#define REST                                                                                                 \
    "\"description\":\"Says hello.\",\"mimeType\":\"text/plain\",\"size\":6,\"icons\":"                      \
    "[{\"src\":\"https://example.org/i.png\",\"mimeType\":\"image/png\",\"sizes\":[\"48x48\"]}]}"

static void answers(void **state)
{
    static const struct {
        enum link_era era;
        const char   *method, *params, *pointer, *want;
    } cases[] = {
        { MODERN, "resources/list", "", "/result/resources/0", MOTD ",\"title\":\"The day\"," REST },
        { LEGACY, "resources/list", "", "/result/resources/0", MOTD ",\"title\":\"The day\"," REST },
        { MODERN, "resources/list", "", "/result/resources/2",
          "{\"uri\":\"app://nothing\",\"name\":\"app://nothing\"}" },
        { MODERN, "resources/list", "", "/result/resultType", "\"complete\"" },
        { LEGACY, "resources/list", "", "/result/resultType", "" },
        { MODERN, "resources/templates/list", "", "/result/resourceTemplates/0",
          "{\"uriTemplate\":\"note://{folder}/{id}\",\"name\":\"note\",\"mimeType\":\"text/markdown\"}" },
        { MODERN, "resources/read", "\"uri\":\"app://motd\"", "/result/contents",
          "[{\"uri\":\"app://motd\",\"mimeType\":\"text/plain\",\"text\":\"Hello.\"}]" },
        { LEGACY, "resources/read", "\"uri\":\"app://motd\"", "/result",
          "{\"contents\":[{\"uri\":\"app://motd\",\"mimeType\":\"text/plain\",\"text\":\"Hello.\"}]}" },
        { MODERN, "resources/read", "\"uri\":\"app://motd\"", "/result/ttlMs", "5000" },
        { MODERN, "resources/read", "\"uri\":\"app://motd\"", "/result/cacheScope", "\"private\"" },
        { MODERN, "resources/read", "\"uri\":\"app://bytes\"", "/result/contents",
          "[{\"uri\":\"app://bytes\",\"mimeType\":\"application/octet-stream\",\"blob\":\"AAEC\"},"
          "{\"uri\":\"app://bytes/of\",\"text\":\"more\"}]" },
        { MODERN, "resources/read", "\"uri\":\"app://nothing\"", "/result/contents",
          "[{\"uri\":\"app://nothing\",\"text\":\"\"}]" },
        { MODERN, "resources/read", "\"uri\":\"note://work/a%20b\"", "/result/contents",
          "[{\"uri\":\"note://work/a%20b\",\"mimeType\":\"text/markdown\",\"text\":\"a b of work\"}]" },
        { MODERN, "resources/read", "\"uri\":\"disk://etc/hosts\"", "/result/contents/0/text",
          "\"etc/hosts\"" },
        /* What is not there. */
        { MODERN, "resources/read", "\"uri\":\"app://none\"", "/error",
          "{\"code\":-32602,\"message\":\"There is no resource "
          "app://none.\",\"data\":{\"uri\":\"app://none\"}}" },
        { LEGACY, "resources/read", "\"uri\":\"app://none\"", "/error",
          "{\"code\":-32002,\"message\":\"There is no resource "
          "app://none.\",\"data\":{\"uri\":\"app://none\"}}" },
        { MODERN, "resources/read", "\"uri\":\"note://work/lost\"", "/error",
          "{\"code\":-32602,\"message\":\"There is no note "
          "lost.\",\"data\":{\"uri\":\"note://work/lost\"}}" },
        { LEGACY, "resources/read", "\"uri\":\"note://work/lost\"", "/error/code", "-32002" },
        { MODERN, "resources/read", "\"uri\":\"note://work/%00\"", "/error/code", "-32602" },
        { MODERN, "resources/read", "\"uri\":\"note://work/%zz\"", "/error/code", "-32602" },
        { MODERN, "resources/read", "\"uri\":\"note://work\"", "/error/code", "-32602" },
        { MODERN, "resources/read", "\"uri\":\"\"", "/error/code", "-32602" },
        /* What fails. */
        { MODERN, "resources/read", "\"uri\":\"note://work/busy\"", "/error/code", "-32603" },
        { MODERN, "resources/read", "\"uri\":\"note://work/busy\"", "/error/message",
          "\"The store is busy.\"" },
        { MODERN, "resources/read", "\"uri\":\"note://work/busy\"", "/error/data/code", "\"UNAVAILABLE\"" },
        { MODERN, "resources/read", "\"uri\":\"note://work/broken\"", "/error/data/code",
          "\"INTERNAL_ERROR\"" },
        { MODERN, "resources/read", "\"uri\":5", "/error/code", "-32602" },
        { MODERN, "resources/read", "", "/error/code", "-32602" },
    };
    tenon_server  *server = make_server();
    struct client *client = client_new(server);

    (void)state;
    client_initialize(client, "2025-11-25");
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        client_expect(client, cases[i].era, cases[i].method, cases[i].params, cases[i].pointer,
                      cases[i].want);
    client_free(client);
    tenon_server_free(server);
}

static void old_clients_see_no_titles(void **state)
{
    tenon_server  *server = make_server();
    struct client *client = client_new(server);

    (void)state;
    client_initialize(client, "2025-03-26");
    client_expect(client, LEGACY, "resources/list", "", "/result/resources/0", MOTD "," REST);
    client_free(client);
    tenon_server_free(server);
}

static void hidden_ones_are_not_read(void **state)
{
    tenon_server  *server = make_server();
    struct client *client;

    (void)state;
    assert_true(tenon_server_show_resource(server, "app://motd", false)); /* before it has a client, too */
    assert_false(tenon_server_show_resource(server, "app://other", false));
    client = client_new(server);
    assert_true(tenon_server_show_resource(server, "disk://{+path}", false));
    client_expect(client, MODERN, "resources/list", "", "/result/resources/0/uri", "\"app://bytes\"");
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://motd\"", "/error/code", "-32602");
    client_expect(client, MODERN, "resources/read", "\"uri\":\"disk://x\"", "/error/code", "-32602");
    assert_true(tenon_server_show_resource(server, "app://motd", true));
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://motd\"", "/result/contents/0/text",
                  "\"Hello.\"");
    client_free(client);
    tenon_server_free(server);
}

typedef struct {
    bool sure;
} consent;

TENON_ROWS(consent_rows, consent, TENON_BOOL(sure, "Sure?", .required = true));

static tenon_outcome read_asking(tenon_call *call, const char *uri)
{
    const consent *given;

    (void)uri;
    if (tenon_elicit(call, "sure", consent_rows, &given, "Read it?") == TENON_REPLY_PENDING)
        return tenon_ask(call);
    tenon_content_text(call, given->sure ? "read" : "not read");
    return tenon_ok(call);
}

static tenon_outcome read_asking_badly(tenon_call *call, const char *uri)
{
    const tenon_json *content;

    if (strstr(uri, "sample"))
        tenon_sample(call, "s", "{\"messages\":[]},{");
    else
        tenon_elicit_json(call, "e",
                          strstr(uri, "lines") ? "{\n\"type\":\"object\"\r\n}" : "{\"type\":", &content, "?");
    return tenon_ask(call);
}

/* What an author writes is JSON of its own before it stands in a message. */
static void ask_in_json_only(void **state)
{
    struct log_kept log    = { .count = 0 };
    tenon_server   *server = tenon_server_new("test", "1", .log = keep_log, .log_user = &log);
    struct client  *client;

    (void)state;
    tenon_server_resource(server, "app://sample", read_asking_badly);
    tenon_server_resource(server, "app://form", read_asking_badly);
    tenon_server_resource(server, "app://lines", read_asking_badly);
    client      = client_new(server);
    client->can = "\"elicitation\":{},\"sampling\":{}";
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://sample\"", "/error/data/code",
                  "\"INTERNAL_ERROR\"");
    assert_non_null(strstr(log.text, "the JSON of the question 's' is not an object"));
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://form\"", "/error/data/code",
                  "\"INTERNAL_ERROR\"");
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://lines\"",
                  "/result/inputRequests/e/params/requestedSchema", "{\"type\":\"object\"}");
    assert_null(strpbrk(client->last, "\r\n"));
    client_free(client);
    tenon_server_free(server);
}

static void may_ask(void **state)
{
    const char    *request_state;
    tenon_server  *server = tenon_server_new("test", "1");
    struct client *client;
    yyjson_doc    *doc;
    char           answer[4096];

    (void)state;
    tenon_server_resource(server, "app://asks", read_asking);
    client = client_new(server);
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://asks\"", "/error/code", "-32021");
    client->can = "\"elicitation\":{}";
    client_expect(client, MODERN, "resources/read", "\"uri\":\"app://asks\"", "/result/resultType",
                  "\"input_required\"");
    doc           = client_ask(client, MODERN, "resources/read", "\"uri\":\"app://asks\"");
    request_state = yyjson_get_str(yyjson_doc_ptr_get(doc, "/result/requestState"));
    assert_non_null(request_state);
    request_state = request_state ? request_state : "";
    snprintf(
        answer, sizeof answer,
        "\"uri\":\"app://asks\",\"requestState\":\"%s\",\"inputResponses\":{\"sure\":{\"action\":\"accept\","
        "\"content\":{\"sure\":true}}}",
        request_state);
    yyjson_doc_free(doc);
    client_expect(client, MODERN, "resources/read", answer, "/result/contents/0/text", "\"read\"");
    client_free(client);
    tenon_server_free(server);
}

/* A server, a client and its questions, in which the nth allocation is refused; false when there were not so many. */
static bool run_refused(size_t nth)
{
    static const char *const asked[] = { "note://work/a", "note://work/busy", "app://bytes", "app://none" };
    struct tn_fault          fault   = { .refuse_at = nth };
    struct log_kept          log     = { .count = 0 };
    tenon_allocator          memory  = tn_fault_allocator(&fault);
    tenon_server            *server  = tenon_server_new("test", "1", .memory = &memory, .log = keep_log,
                                                        .log_user = &log);
    struct client            client  = { .last = malloc(LINK_TEXT_MAX) };

    tenon_server_resource(server, "app://bytes", read_bytes);
    tenon_server_template(server, "note://{folder}/{id}", read_note);
    client.link = server ? tenon_link_new(server, client_keep, &client) : NULL;
    for (size_t i = 0; client.link && i < COUNT_OF(asked); i++) {
        char params[100];

        snprintf(params, sizeof params, "\"uri\":\"%s\"", asked[i]);
        yyjson_doc_free(client_ask(&client, MODERN, "resources/read", params));
    }
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

static void mistakes(void **state)
{
    static const struct {
        bool          is_template;
        const char   *uri;
        tenon_read_fn read;
        const char   *want;
    } cases[] = {
        { false, "motd", read_motd, "resource 'motd': its URI is not absolute, such as notes://today" },
        { false, NULL, read_motd, "resource '': its URI is not absolute, such as notes://today" },
        { false, "a:{b}", read_motd, "resource 'a:{b}': its URI is not absolute, such as notes://today" },
        { false, "a:b", NULL, "resource 'a:b': it has no function that reads it" },
        { true, "a:b", read_motd, "template 'a:b': it has no variable: declare it as a resource" },
        { true, "a:{b}{c}", read_motd,
          "template 'a:{b}{c}': two variables are adjacent, and nothing separates "
          "them" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        tenon_server *server = tenon_server_new("test", "1");

        assert_int_equal(cases[i].is_template ? tenon_server_template(server, cases[i].uri, cases[i].read)
                                              : tenon_server_resource(server, cases[i].uri, cases[i].read),
                         TENON_E_DECLARATION);
        assert_string_equal(tenon_server_error(server), cases[i].want);
        tenon_server_free(server);
    }
    assert_int_equal(tenon_server_resource(NULL, "a:b", read_motd), TENON_E_NOMEM);
    assert_int_equal(tenon_server_template(NULL, "a:{b}", read_motd), TENON_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(old_clients_see_no_titles),
        cmocka_unit_test(hidden_ones_are_not_read),
        cmocka_unit_test(may_ask),
        cmocka_unit_test(ask_in_json_only),
        cmocka_unit_test(survive_every_refusal),
        cmocka_unit_test(mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
