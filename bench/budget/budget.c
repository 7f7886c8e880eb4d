/* budget.c - the same call through one layer after the other, for count.py, which counts the instructions.
 *
 * Each spend_NAME() makes CALLS calls; callgrind counts what happens between entering and leaving it. They run twice,
 * and the second time counts: by then nothing has to be set up, and no symbol to be looked for.
 *
 *     budget          runs them all
 *     budget --calls  how many calls each of them makes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "bench/mcp/search.h"
#include "bench/mcp/search_document.h"

enum { CALLS = 500, TEXT_MAX = 4096 };

static const char good[] = "{\"query\":\"invoices from march\",\"limit\":20,\"score\":0.75,\"archived\":true,"
                           "\"level\":\"high\",\"tags\":[\"finance\",\"open\"]}";
static const char bad[]  = "{\"query\":\"\",\"limit\":500,\"score\":1.5,\"archived\":\"maybe\","
                           "\"level\":\"urgent\",\"tags\":[\"\"]}";

static const char soft[] =
    "{\"query\":\"invoices from march\",\"limit\":\"20\",\"score\":0.75,\"archived\":true,"
    "\"level\":\"HIGH\",\"tags\":\"[\\\"finance\\\",\\\"open\\\"]\"}";

static struct {
    char           pool[1 << 16];
    yyjson_alc     alc;
    tenon_shape   *shape;
    tenon_params  *params;
    tenon_schema  *schema;
    tenon_verdict *verdict;
    tenon_toolbox *box;
    tenon_call    *call;
    tenon_server  *server;
    tenon_link    *link, *document_link;
    tenon_server  *document_server;
    tenon_tool     document; /* the same tool, declared by the schema that its rows publish */
    char           message[TEXT_MAX];
    size_t         message_len;
    char           answer[TEXT_MAX];
} at;

static volatile size_t sink; /* so that nothing is optimised away */

static void die(const char *what)
{
    fprintf(stderr, "budget: %s\n", what ? what : "out of memory");
    exit(1);
}

static void take(void *user, const char *json, size_t len)
{
    (void)user;
    sink += len + (json[0] == '{');
}

/* ---- What is counted ----------------------------------------------------------------------------------------- */

static void spend_parse(void)
{
    for (int i = 0; i < CALLS; i++) {
        yyjson_doc *doc = yyjson_read_opts((char *)good, sizeof good - 1, 0, &at.alc, NULL);

        sink += yyjson_doc_get_val_count(doc);
        yyjson_doc_free(doc);
    }
}

static void spend_parse_bad(void)
{
    for (int i = 0; i < CALLS; i++) {
        yyjson_doc *doc = yyjson_read_opts((char *)bad, sizeof bad - 1, 0, &at.alc, NULL);

        sink += yyjson_doc_get_val_count(doc);
        yyjson_doc_free(doc);
    }
}

static void spend_judge(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += tenon_verdict_judge(at.verdict, good, sizeof good - 1);
}

static void spend_judge_bad(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += tenon_verdict_judge(at.verdict, bad, sizeof bad - 1);
}

static void spend_bind(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += tenon_params_bind(at.params, good, sizeof good - 1) != NULL;
}

static void spend_bind_bad(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += tenon_params_bind(at.params, bad, sizeof bad - 1) != NULL;
}

static void spend_render(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += tenon_call_run(at.call, "search", good, sizeof good - 1)->len;
}

static void spend_render_bad(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += tenon_call_run(at.call, "search", bad, sizeof bad - 1)->len;
}

static size_t call(const char *tool, const char *args, size_t len)
{
    return tenon_call_run(at.call, tool, args, len)->len;
}

static void spend_render_soft(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += call("search", soft, sizeof soft - 1);
}

static void spend_document(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += call("search_document", good, sizeof good - 1);
}

static void spend_document_soft(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += call("search_document", soft, sizeof soft - 1);
}

static void spend_document_bad(void)
{
    for (int i = 0; i < CALLS; i++)
        sink += call("search_document", bad, sizeof bad - 1);
}

static void spend_document_protocol(void)
{
    for (int i = 0; i < CALLS; i++)
        tenon_link_send(at.document_link, at.message, at.message_len);
}

static void spend_protocol(void)
{
    for (int i = 0; i < CALLS; i++)
        tenon_link_send(at.link, at.message, at.message_len);
}

static void (*const counts[])(void) = {
    spend_parse,        spend_judge,
    spend_bind,         spend_render,
    spend_protocol,     spend_parse_bad,
    spend_judge_bad,    spend_bind_bad,
    spend_render_bad,   spend_render_soft,
    spend_document,     spend_document_soft,
    spend_document_bad, spend_document_protocol,
};

/* ---- Everyone that is counted -------------------------------------------------------------------------------- */

static void set_up_schema(void)
{
    const char *schema;

    at.shape = tenon_shape_new(&search_tool()->rows, NULL);
    if (!at.shape || tenon_shape_error(at.shape))
        die(at.shape ? tenon_shape_error(at.shape) : NULL);
    schema     = tenon_shape_schema(at.shape, TENON_SCHEMA_FULL, NULL);
    at.params  = tenon_params_new(at.shape);
    at.schema  = schema ? tenon_schema_new(schema, strlen(schema), .uri = NULL) : NULL;
    at.verdict = at.schema ? tenon_verdict_new(at.schema) : NULL;
    if (!at.params || !at.verdict || tenon_schema_error(at.schema))
        die(at.schema ? tenon_schema_error(at.schema) : NULL);
}

static void set_up_document(void)
{
    at.document        = *search_document_tool();
    at.document.schema = tenon_shape_schema(at.shape, TENON_SCHEMA_FULL, NULL);
    tenon_toolbox_add(at.box, &at.document);
    at.document.info.name = "search";
    at.document_server    = tenon_server_new("budget", "1.0.0");
    if (!at.document_server)
        die(NULL);
    tenon_server_add(at.document_server, &at.document);
    at.document_link = tenon_link_new(at.document_server, take, NULL);
}

static void set_up_calls(void)
{
    at.box    = tenon_toolbox_new();
    at.server = tenon_server_new("budget", "1.0.0");
    if (!at.box || !at.server)
        die(NULL);
    tenon_toolbox_add(at.box, search_tool());
    tenon_server_add(at.server, search_tool());
    set_up_document();
    at.call = tenon_call_new(at.box);
    at.link = tenon_link_new(at.server, take, NULL);
    if (!at.call || !at.link || !at.document_link)
        die(NULL);
}

/* The message of bench/mcp, which is the good call. */
static void read_message(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        die("run it in the root of the source tree");
    at.message_len = fread(at.message, 1, sizeof at.message, file);
    fclose(file);
    while (at.message_len > 0 && at.message[at.message_len - 1] == '\n')
        at.message_len--;
}

/* Both declarations lead to the same answer. */
static void check_same(const char *rows, const char *document, const char *args, size_t len)
{
    const tenon_answer *answer = tenon_call_run(at.call, rows, args, len);
    size_t              want   = answer->len;

    if (answer->is_error || want >= sizeof at.answer)
        die("the rows refuse a call that they should take");
    memcpy(at.answer, answer->json, want);
    answer = tenon_call_run(at.call, document, args, len);
    if (answer->len != want || memcmp(answer->json, at.answer, want) != 0)
        die("the document answers otherwise");
}

static void check(void)
{
    if (!tenon_verdict_judge(at.verdict, good, sizeof good - 1) ||
        tenon_verdict_judge(at.verdict, bad, sizeof bad - 1))
        die("the schema judges the calls otherwise");
    if (!tenon_params_bind(at.params, good, sizeof good - 1) ||
        tenon_params_bind(at.params, bad, sizeof bad - 1))
        die("the rows judge the calls otherwise");
    if (tenon_params_issue_count(at.params) != 6)
        die("the bad call has six faults no more");
    check_same("search", "search_document", good, sizeof good - 1);
    check_same("search", "search_document", soft, sizeof soft - 1);
    if (!tenon_call_run(at.call, "search_document", bad, sizeof bad - 1)->is_error)
        die("the document takes the bad call");
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "--calls") == 0)
        return printf("%d\n", CALLS) < 0;
    yyjson_alc_pool_init(&at.alc, at.pool, sizeof at.pool);
    set_up_schema();
    set_up_calls();
    read_message("bench/mcp/call.json");
    check();
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            counts[i]();
    tenon_link_free(at.document_link);
    tenon_server_free(at.document_server);
    tenon_link_free(at.link);
    tenon_server_free(at.server);
    tenon_call_free(at.call);
    tenon_toolbox_free(at.box);
    tenon_verdict_free(at.verdict);
    tenon_schema_free(at.schema);
    tenon_params_free(at.params);
    tenon_shape_free(at.shape);
    return 0;
}
