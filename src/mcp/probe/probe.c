/* probe.c - a client in memory, for tests: its link, its requests, and what comes back.
 *
 * Handlers run inside tenon_link_send(), so an answer is there when it returns, unless the server asks something first.
 * Questions wait until then, because a sink must not send; each is answered and the answer looked for again.
 */
#include "mcp/probe/probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/core.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"

#define META           "io.modelcontextprotocol/"
#define ROUNDS_MAX     100
#define PAGES_MAX      10000
#define CAPABILITIES   "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}"

static const struct tn_json_limits limits = { PROBE_LEN_MAX, 128, 10000000 };

const tenon_json *tn_probe_fail(tenon_probe *probe, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(probe->error, sizeof probe->error, format, args);
    va_end(args);
    return NULL;
}

yyjson_val *tn_probe_read(tenon_probe *probe, const char *what, const char *json)
{
    struct tn_json_text text = tn_json_read(&probe->arena, json, strlen(json), &limits);

    if (text.fault == JSON_FINE)
        return text.root;
    if (text.fault == JSON_SYNTAX)
        tn_probe_fail(probe, "%s: no JSON, %s at byte %zu: %.200s", what, text.what, text.at, json);
    else
        tn_probe_fail(probe, "%s: too much JSON, or out of memory", what);
    return NULL;
}

/* ---- What comes ---------------------------------------------------------------------------------------------- */

static void heard_clear(struct tn_probe_messages *list)
{
    *list = (struct tn_probe_messages){ .end = &list->first };
}

static void heard_add(tenon_probe *probe, struct tn_probe_messages *list, yyjson_val *message)
{
    struct tn_probe_message *heard = tn_arena_new(&probe->inbox, struct tn_probe_message);

    if (!heard)
        return;
    heard->message = message;
    *list->end     = heard;
    list->end      = &heard->next;
}

static void sort_message(tenon_probe *probe, yyjson_val *message)
{
    struct tn_rpc rpc = tn_rpc_of(message);

    probe->last = message;
    if (rpc.kind == RPC_NOTIFICATION)
        heard_add(probe, &probe->notes, message);
    else if (rpc.kind == RPC_REQUEST)
        heard_add(probe, &probe->questions, message);
    else if (!rpc.id || yyjson_get_sint(rpc.id) == probe->last_id)
        probe->response = message;
}

static void probe_sink(void *user, const char *json, size_t len)
{
    tenon_probe        *probe = user;
    struct tn_json_text text;

    pthread_mutex_lock(&probe->lock);
    text = tn_json_read(&probe->inbox, json, len, &limits);
    if (text.fault == JSON_FINE)
        sort_message(probe, text.root);
    pthread_mutex_unlock(&probe->lock);
}

/* The oldest question, taken from the list. */
static yyjson_val *next_question(tenon_probe *probe)
{
    struct tn_probe_message *heard;

    pthread_mutex_lock(&probe->lock);
    heard = probe->questions.first;
    if (heard && !(probe->questions.first = heard->next))
        heard_clear(&probe->questions);
    pthread_mutex_unlock(&probe->lock);
    return heard ? heard->message : NULL;
}

/* ---- Questions ----------------------------------------------------------------------------------------------- */

/* The result for a question, as JSON text. */
static const char *answer_to(tenon_probe *probe, yyjson_val *question)
{
    const char *method = yyjson_get_str(tn_rpc_get(question, "method"));
    const char *answer = NULL;

    if (method && probe->answer)
        answer = probe->answer(probe->user, method, (const tenon_json *)tn_rpc_get(question, "params"));
    return answer ? answer : "{\"action\":\"cancel\"}";
}

static void answer_question(tenon_probe *probe, yyjson_val *question)
{
    struct tn_buf out;

    tn_buf_init(&out, &probe->arena, 512, PROBE_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_json_value(&out, tn_rpc_get(question, "id"));
    tn_buf_lit(&out, ",\"result\":");
    tn_buf_text(&out, answer_to(probe, question));
    tn_buf_char(&out, '}');
    if (tn_buf_end(&out))
        tenon_link_send(probe->link, out.at, out.len);
}

/* Sends a message and answers what is asked; true when there is a response. */
static bool converse(tenon_probe *probe, const char *json, size_t len)
{
    yyjson_val *question;

    pthread_mutex_lock(&probe->lock);
    probe->response = probe->last = NULL;
    pthread_mutex_unlock(&probe->lock);
    tenon_link_send(probe->link, json, len);
    for (int i = 0; i < ROUNDS_MAX && (question = next_question(probe)); i++)
        answer_question(probe, question);
    return probe->response != NULL;
}

/* ---- Requests ------------------------------------------------------------------------------------------------ */

/* The members of `object` that are not called `but`, each with a comma behind it. */
static void add_others(struct tn_buf *out, yyjson_val *object, const char *but)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&members))) {
        if (but && yyjson_equals_str(key, but))
            continue;
        tn_json_string(out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(out, ':');
        tn_json_value(out, yyjson_obj_iter_get_val(key));
        tn_buf_char(out, ',');
    }
}

/* One of ours, unless the test has its own; `json` is text. */
static void probe_add_own(struct tn_buf *out, yyjson_val *theirs, const char *key, const char *json)
{
    if (!tn_rpc_get(theirs, key))
        tn_buf_addf(out, "\"%s\":%s,", key, json);
}

static void add_meta(struct tn_buf *out, const tenon_probe *probe, yyjson_val *theirs)
{
    char token[32];

    tn_buf_lit(out, "\"_meta\":{");
    add_others(out, theirs, NULL);
    if (probe->modern) {
        probe_add_own(out, theirs, META "protocolVersion", "\"" MODERN_VERSION "\"");
        probe_add_own(out, theirs, META "clientCapabilities", probe->answer ? CAPABILITIES : "{}");
        probe_add_own(out, theirs, META "logLevel", "\"debug\"");
    }
    snprintf(token, sizeof token, "%lld", (long long)probe->last_id);
    probe_add_own(out, theirs, "progressToken", token);
    if (out->len > 0 && !out->failed && out->at[out->len - 1] == ',')
        out->len--;
    tn_buf_char(out, '}');
}

/* `more` is JSON text of further members, each with a comma behind it. The response's result, or NULL. */
static yyjson_val *request(tenon_probe *probe, const char *method, yyjson_val *params, const char *more)
{
    yyjson_val   *error;
    struct tn_buf out;

    tn_buf_init(&out, &probe->arena, 1024, PROBE_LEN_MAX);
    tn_buf_addf(&out, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"method\":", (long long)++probe->last_id);
    tn_json_string(&out, method, strlen(method));
    tn_buf_lit(&out, ",\"params\":{");
    add_others(&out, params, "_meta");
    tn_buf_text(&out, more);
    add_meta(&out, probe, tn_rpc_get(params, "_meta"));
    tn_buf_lit(&out, "}}");
    if (!tn_buf_end(&out))
        tn_probe_fail(probe, "out of memory");
    else if (!converse(probe, out.at, out.len))
        tn_probe_fail(probe, "%s: no answer yet", method);
    else if ((error = tn_rpc_get(probe->response, "error")))
        tn_probe_fail(probe, "%s: %s (%lld)", method, yyjson_get_str(tn_rpc_get(error, "message")),
                      (long long)yyjson_get_sint(tn_rpc_get(error, "code")));
    else
        return tn_rpc_get(probe->response, "result");
    return NULL;
}

/* The answers to the questions of a result, as members of the next request. */
static const char *answers_to(tenon_probe *probe, yyjson_val *result)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(tn_rpc_get(result, "inputRequests"));
    yyjson_val     *key, *state = tn_rpc_get(result, "requestState");
    struct tn_buf   out;

    tn_buf_init(&out, &probe->arena, 512, PROBE_LEN_MAX);
    tn_buf_lit(&out, "\"inputResponses\":{");
    while ((key = yyjson_obj_iter_next(&members))) {
        if (members.idx > 1)
            tn_buf_char(&out, ',');
        tn_json_string(&out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(&out, ':');
        tn_buf_text(&out, answer_to(probe, yyjson_obj_iter_get_val(key)));
    }
    tn_buf_lit(&out, "},");
    if (state) {
        tn_buf_lit(&out, "\"requestState\":");
        tn_json_value(&out, state);
        tn_buf_char(&out, ',');
    }
    return tn_buf_end(&out);
}

/* A request, asked again with its answers as long as it asks for input. */
static yyjson_val *ask(tenon_probe *probe, const char *method, yyjson_val *params)
{
    const char *more = "";

    for (int i = 0; i < ROUNDS_MAX && more; i++) {
        yyjson_val *result = request(probe, method, params, more);

        if (!yyjson_equals_str(tn_rpc_get(result, "resultType"), "input_required") || !probe->answer)
            return result;
        more = answers_to(probe, result);
    }
    tn_probe_fail(probe, "%s: it asks again and again", method);
    return NULL;
}

/* Is there somebody to ask? */
static bool probe_begin(tenon_probe *probe)
{
    if (!probe)
        return false;
    if (probe->link)
        probe->error[0] = '\0';
    return probe->link != NULL;
}

const tenon_json *tenon_probe_request(tenon_probe *probe, const char *method, const char *params)
{
    yyjson_val *given;

    if (!probe_begin(probe) || !(given = tn_probe_read(probe, "params", params ? params : "{}")))
        return NULL;
    if (!yyjson_is_obj(given))
        return tn_probe_fail(probe, "params: no object");
    return (const tenon_json *)ask(probe, method, given);
}

const tenon_json *tenon_probe_send(tenon_probe *probe, const char *json)
{
    if (!probe_begin(probe))
        return NULL;
    converse(probe, json, strlen(json));
    return (const tenon_json *)probe->last;
}

/* ---- Tools --------------------------------------------------------------------------------------------------- */

/* The answer in a result: structured, or in revisions before 2025-06-18 the text. */
static const tenon_json *answer_of(tenon_probe *probe, yyjson_val *result)
{
    yyjson_val *structured = tn_rpc_get(result, "structuredContent");
    yyjson_val *text       = tn_rpc_get(yyjson_arr_get_first(tn_rpc_get(result, "content")), "text");

    if (yyjson_equals_str(tn_rpc_get(result, "resultType"), "input_required"))
        return tn_probe_fail(probe, "the tool asks for input, and nobody answers: see tenon_probe_answers()");
    if (structured)
        return (const tenon_json *)structured;
    if (!yyjson_is_str(text))
        return tn_probe_fail(probe, "the result has no answer");
    return (const tenon_json *)tn_probe_read(probe, "the answer", yyjson_get_str(text));
}

const tenon_json *tenon_probe_call(tenon_probe *probe, const char *tool, const char *arguments)
{
    yyjson_val   *params, *result;
    struct tn_buf out;

    if (!probe_begin(probe) || !tn_probe_read(probe, "arguments", arguments ? arguments : "{}"))
        return NULL;
    tn_buf_init(&out, &probe->arena, 512, PROBE_LEN_MAX);
    tn_buf_lit(&out, "{\"name\":");
    tn_json_string(&out, tool, strlen(tool));
    tn_buf_lit(&out, ",\"arguments\":");
    tn_buf_text(&out, arguments ? arguments : "{}");
    tn_buf_char(&out, '}');
    if (!tn_buf_end(&out))
        return tn_probe_fail(probe, "out of memory");
    params = tn_probe_read(probe, "arguments", out.at);
    result = params ? ask(probe, "tools/call", params) : NULL;
    return result ? answer_of(probe, result) : NULL;
}

/* ---- Lists --------------------------------------------------------------------------------------------------- */

/* Adds the entries of one page; its cursor to the next, or NULL. */
static yyjson_val *add_page(struct tn_buf *out, yyjson_val *result, const char *key)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(tn_rpc_get(result, key));
    yyjson_val     *item;

    while ((item = yyjson_arr_iter_next(&items))) {
        if (out->len > 1)
            tn_buf_char(out, ',');
        tn_json_value(out, item);
    }
    return tn_rpc_get(result, "nextCursor");
}

const tenon_json *tenon_probe_list(tenon_probe *probe, const char *what)
{
    const char   *key = strcmp(what, "resources/templates") == 0 ? "resourceTemplates" : what, *more = "";
    yyjson_val   *cursor = NULL, *result;
    struct tn_buf out, method, next;

    if (!probe_begin(probe))
        return NULL;
    tn_buf_init(&out, &probe->arena, 1024, PROBE_LEN_MAX);
    tn_buf_init(&method, &probe->arena, 64, 256);
    tn_buf_addf(&method, "%s/list", what);
    tn_buf_char(&out, '[');
    if (!tn_buf_end(&method))
        return tn_probe_fail(probe, "%.100s: no such list", what);
    for (int i = 0; i < PAGES_MAX && more; i++) {
        result = request(probe, method.at, NULL, more);
        if (!result)
            return NULL;
        cursor = add_page(&out, result, key);
        if (!cursor)
            break;
        tn_buf_init(&next, &probe->arena, 256, PROBE_LEN_MAX);
        tn_buf_lit(&next, "\"cursor\":");
        tn_json_value(&next, cursor);
        tn_buf_char(&next, ',');
        more = tn_buf_end(&next);
    }
    tn_buf_char(&out, ']');
    return tn_buf_end(&out) ? (const tenon_json *)tn_probe_read(probe, what, out.at)
                            : tn_probe_fail(probe, "out of memory");
}

/* ---- Notes --------------------------------------------------------------------------------------------------- */

const tenon_json *tenon_probe_note(tenon_probe *probe, const char *method, size_t nth)
{
    yyjson_val *found = NULL;

    if (!probe)
        return NULL;
    pthread_mutex_lock(&probe->lock);
    for (struct tn_probe_message *heard = probe->notes.first; heard && !found; heard = heard->next)
        if ((!method || yyjson_equals_str(tn_rpc_get(heard->message, "method"), method)) && nth-- == 0)
            found = heard->message;
    pthread_mutex_unlock(&probe->lock);
    return (const tenon_json *)found;
}

void tenon_probe_answers(tenon_probe *probe, tenon_probe_answer_fn answer, void *user)
{
    if (!probe)
        return;
    probe->answer = answer;
    probe->user   = user;
}

void tenon_probe_clear(tenon_probe *probe)
{
    if (!probe)
        return;
    pthread_mutex_lock(&probe->lock);
    heard_clear(&probe->notes);
    heard_clear(&probe->questions);
    probe->response = probe->last = NULL;
    tn_arena_reset(&probe->inbox);
    pthread_mutex_unlock(&probe->lock);
    tn_arena_reset(&probe->arena);
}

/* ---- One client after another -------------------------------------------------------------------------------- */

const char *tenon_probe_error(const tenon_probe *probe)
{
    return probe ? probe->error : "out of memory";
}

static bool connect_link(tenon_probe *probe)
{
    const char *mistake;

    tenon_link_free(probe->link);
    probe->link = probe->server ? tenon_link_new(probe->server, probe_sink, probe) : NULL;
    if (probe->link)
        return true;
    mistake = probe->server ? tenon_server_error(probe->server) : NULL;
    tn_probe_fail(probe, "%s", mistake ? mistake : "out of memory");
    return false;
}

static bool shake_hands(tenon_probe *probe, const char *version)
{
    static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    yyjson_val       *params, *result;
    struct tn_buf     out;

    tn_buf_init(&out, &probe->arena, 512, 4096);
    tn_buf_addf(&out,
                "{\"protocolVersion\":\"%s\",\"capabilities\":%s,"
                "\"clientInfo\":{\"name\":\"probe\",\"version\":\"%s\"}}",
                version, probe->answer ? CAPABILITIES : "{}", tenon_version());
    params = tn_buf_end(&out) ? tn_probe_read(probe, "params", out.at) : NULL;
    result = params ? request(probe, "initialize", params, "") : NULL;
    if (!result)
        return false;
    if (!yyjson_equals_str(tn_rpc_get(result, "protocolVersion"), version)) {
        tn_probe_fail(probe, "the server does not speak %s", version);
        return false;
    }
    tenon_link_send(probe->link, initialized, sizeof initialized - 1);
    request(probe, "logging/setLevel", tn_probe_read(probe, "params", "{\"level\":\"debug\"}"), "");
    probe->error[0] = '\0'; /* a server need not know levels */
    return true;
}

bool tenon_probe_as(tenon_probe *probe, const char *version)
{
    if (!probe || !connect_link(probe))
        return false;
    probe->error[0] = '\0';
    snprintf(probe->version, sizeof probe->version, "%s", version);
    probe->modern = strcmp(version, MODERN_VERSION) == 0;
    if (probe->modern || shake_hands(probe, probe->version))
        return true;
    tenon_link_free(probe->link);
    probe->link = NULL;
    return false;
}

tenon_probe *tenon_probe_new(tenon_server *server)
{
    tenon_allocator memory = server ? server->memory : tn_memory_of(NULL);
    tenon_probe    *probe  = tn_memory_new(&memory, sizeof *probe);

    if (!probe)
        return NULL;
    *probe = (tenon_probe){ .memory = memory, .server = server };
    pthread_mutex_init(&probe->lock, NULL);
    tn_arena_init(&probe->arena, &memory, 0);
    tn_arena_init(&probe->inbox, &memory, 0);
    heard_clear(&probe->notes);
    heard_clear(&probe->questions);
    tenon_probe_as(probe, MODERN_VERSION);
    return probe;
}

void tenon_probe_free(tenon_probe *probe)
{
    tenon_allocator memory;

    if (!probe)
        return;
    memory = probe->memory;
    tenon_link_free(probe->link);
    tn_arena_free(&probe->inbox);
    tn_arena_free(&probe->arena);
    pthread_mutex_destroy(&probe->lock);
    tn_memory_free(&memory, probe, sizeof *probe);
}
