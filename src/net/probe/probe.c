/* probe.c - the kit for tests: a client in memory, asked one thing at a time.
 *
 * Handlers run while a request is sent, so an answer is there when nothing more comes, unless the server is not done.
 */
#include "net/probe/probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/core.h"
#include "mcp/rpc.h"
#include "net/client/client.h"

#define CANCELLED "{\"action\":\"cancel\"}"

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

static void clear_notes(tenon_probe *probe)
{
    probe->notes = (struct tn_probe_messages){ .end = &probe->notes.first };
}

static void keep_note(tenon_probe *probe, yyjson_val *message)
{
    struct tn_probe_message *note = tn_arena_new(&probe->inbox, struct tn_probe_message);

    if (!note)
        return;
    note->message     = message;
    *probe->notes.end = note;
    probe->notes.end  = &note->next;
}

/* Sees each message before the client takes it. */
static void see_message(void *user, struct tn_slice json)
{
    tenon_probe        *probe = user;
    struct tn_json_text text  = tn_json_read(&probe->inbox, json.at, json.len, &limits);

    if (text.fault != JSON_FINE)
        return;
    probe->last = text.root;
    if (tn_rpc_of(text.root).kind == RPC_NOTIFICATION)
        keep_note(probe, text.root);
}

static void answer_question(void *user, tenon_question *question)
{
    tenon_probe *probe  = user;
    const char  *answer = NULL;

    if (probe->answer)
        answer = probe->answer(probe->user, tenon_question_method(question), tenon_question_params(question));
    if (tenon_question_answer(question, answer ? answer : CANCELLED) != TENON_OK)
        tenon_question_answer(question, CANCELLED);
}

/* Until nothing more comes. */
static void pump(tenon_probe *probe)
{
    while (tenon_client_poll(probe->client, 0) > 0)
        continue;
}

/* ---- Requests ------------------------------------------------------------------------------------------------ */

/* Is there a client? */
static bool probe_begin(tenon_probe *probe)
{
    if (!probe)
        return false;
    if (probe->client) {
        probe->error[0] = '\0';
        probe->last     = NULL;
    }
    return probe->client != NULL;
}

/* Progress comes with all other notifications; this only asks for it. */
static void ask_for_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)user, (void)request, (void)params;
}

static const tenon_request_options asking = { .size       = sizeof(tenon_request_options),
                                              .progress   = ask_for_progress,
                                              .timeout_ms = -1 };

/* The result of a request, in the probe's own arena; NULL, which is reported, when there is none. One that is not answered
 * yet stays open: what it has begun goes on. */
static yyjson_val *result_of(tenon_probe *probe, const char *method, tenon_request *request)
{
    yyjson_val *result = NULL;

    if (!request) {
        tn_probe_fail(probe, "%s", tenon_client_error(probe->client));
        return NULL;
    }
    pump(probe);
    if (tenon_request_state_of(request) == TENON_REQUEST_OPEN) {
        tn_probe_fail(probe, "%s: no answer yet", method);
        return NULL;
    }
    if (tenon_request_result(request))
        result = tn_probe_read(probe, method, tenon_request_text(request).at);
    else
        tn_probe_fail(probe, "%s: %s", method, tenon_request_why(request));
    tenon_request_free(request);
    return result;
}

const tenon_json *tenon_probe_request(tenon_probe *probe, const char *method, const char *params)
{
    yyjson_val *given;

    if (!probe_begin(probe) || !(given = tn_probe_read(probe, "params", params ? params : "{}")))
        return NULL;
    if (!yyjson_is_obj(given))
        return tn_probe_fail(probe, "params: no object");
    return (const tenon_json *)result_of(probe, method,
                                         tenon_client_request_(probe->client, method, params, &asking));
}

const tenon_json *tenon_probe_send(tenon_probe *probe, const char *json)
{
    struct tn_transport *transport;

    if (!probe_begin(probe))
        return NULL;
    transport = probe->client->transport;
    transport->send(transport, &(struct tn_parcel){ .json = { json, strlen(json) } });
    pump(probe);
    return (const tenon_json *)probe->last;
}

/* ---- Tools --------------------------------------------------------------------------------------------------- */

/* The answer in a result: structured, or in revisions before 2025-06-18 the text. */
static const tenon_json *answer_of(tenon_probe *probe, yyjson_val *result)
{
    yyjson_val *structured = tn_rpc_get(result, "structuredContent");
    yyjson_val *text       = tn_rpc_get(yyjson_arr_get_first(tn_rpc_get(result, "content")), "text");

    if (yyjson_equals_str(tn_rpc_get(result, "resultType"), "input_required"))
        return tn_probe_fail(probe,
                             "the tool asks for input, and no function answers: see tenon_probe_answers()");
    if (structured)
        return (const tenon_json *)structured;
    if (!yyjson_is_str(text))
        return tn_probe_fail(probe, "the result has no answer");
    return (const tenon_json *)tn_probe_read(probe, "the answer", yyjson_get_str(text));
}

const tenon_json *tenon_probe_call(tenon_probe *probe, const char *tool, const char *arguments)
{
    yyjson_val *result;

    if (!probe_begin(probe) || !tn_probe_read(probe, "arguments", arguments ? arguments : "{}"))
        return NULL;
    result = result_of(probe, "tools/call", tenon_client_call_(probe->client, tool, arguments, &asking));
    return result ? answer_of(probe, result) : NULL;
}

/* ---- Lists --------------------------------------------------------------------------------------------------- */

const tenon_json *tenon_probe_list(tenon_probe *probe, const char *what)
{
    yyjson_obj_iter members;
    yyjson_val     *result, *key;

    if (!probe_begin(probe))
        return NULL;
    result  = result_of(probe, what, tenon_client_list_(probe->client, what, &asking));
    members = yyjson_obj_iter_with(result);
    while ((key = yyjson_obj_iter_next(&members)))
        if (yyjson_is_arr(yyjson_obj_iter_get_val(key)))
            return (const tenon_json *)yyjson_obj_iter_get_val(key);
    return NULL;
}

/* ---- Notes --------------------------------------------------------------------------------------------------- */

const tenon_json *tenon_probe_note(tenon_probe *probe, const char *method, size_t nth)
{
    if (!probe)
        return NULL;
    pump(probe);
    for (struct tn_probe_message *note = probe->notes.first; note; note = note->next)
        if ((!method || yyjson_equals_str(tn_rpc_get(note->message, "method"), method)) && nth-- == 0)
            return (const tenon_json *)note->message;
    return NULL;
}

/* What can be asked follows from whether there is a function to answer. */
static void set_answers(tenon_probe *probe)
{
    if (probe->client)
        probe->client->options.ask = probe->answer ? answer_question : NULL;
}

void tenon_probe_answers(tenon_probe *probe, tenon_probe_answer_fn answer, void *user)
{
    if (!probe)
        return;
    probe->answer = answer;
    probe->user   = user;
    set_answers(probe);
}

void tenon_probe_clear(tenon_probe *probe)
{
    if (!probe)
        return;
    pump(probe);
    clear_notes(probe);
    probe->last = NULL;
    tn_arena_reset(&probe->inbox);
    tn_arena_reset(&probe->arena);
}

/* ---- One client after another -------------------------------------------------------------------------------- */

const char *tenon_probe_error(const tenon_probe *probe)
{
    return probe ? probe->error : "out of memory";
}

static void say_why(tenon_probe *probe, const char *version)
{
    const char *mistake = probe->server ? tenon_server_error(probe->server) : NULL;

    if (mistake)
        tn_probe_fail(probe, "%s", mistake);
    else if (tn_version_of(tn_slice_of(version)) == VERSION_NONE || tenon_client_revision(probe->client)[0])
        tn_probe_fail(probe, "the server does not speak %s", version);
    else
        tn_probe_fail(probe, "%s", probe->server ? tenon_client_error(probe->client) : "out of memory");
}

/* Without its handshake: until `tap` is set, nothing was received. */
static tenon_client *make_client(tenon_probe *probe, const char *version)
{
    const tenon_client_options options = { .size          = sizeof options,
                                           .name          = "probe",
                                           .revision      = version,
                                           .no_discover   = true,
                                           .ask           = probe->answer ? answer_question : NULL,
                                           .user          = probe,
                                           .log_level     = "debug",
                                           .timeout_ms    = -1,
                                           .max_bytes     = PROBE_LEN_MAX,
                                           .max_requests  = SIZE_MAX,
                                           .max_questions = 1000,
                                           .max_pages     = 10000,
                                           .max_rounds    = 100,
                                           .max_notes     = SIZE_MAX,
                                           .memory        = &probe->memory };

    return tenon_client_memory_(probe->server, &options);
}

bool tenon_probe_as(tenon_probe *probe, const char *version)
{
    if (!probe)
        return false;
    tenon_client_free(probe->client);
    probe->error[0] = '\0';
    probe->client   = make_client(probe, version);
    if (probe->client) {
        probe->client->tap      = see_message;
        probe->client->tap_user = probe;
    }
    pump(probe);
    if (strcmp(tenon_client_revision(probe->client), version) == 0)
        return true;
    say_why(probe, version);
    tenon_client_free(probe->client);
    probe->client = NULL;
    return false;
}

tenon_probe *tenon_probe_new(tenon_server *server)
{
    tenon_allocator memory = server ? server->memory : tn_memory_of(NULL);
    tenon_probe    *probe  = tn_memory_new(&memory, sizeof *probe);

    if (!probe)
        return NULL;
    *probe = (tenon_probe){ .memory = memory, .server = server };
    tn_arena_init(&probe->arena, &memory, 0);
    tn_arena_init(&probe->inbox, &memory, 0);
    clear_notes(probe);
    tenon_probe_as(probe, MODERN_VERSION);
    return probe;
}

void tenon_probe_free(tenon_probe *probe)
{
    tenon_allocator memory;

    if (!probe)
        return;
    memory = probe->memory;
    tenon_client_free(probe->client);
    tn_arena_free(&probe->inbox);
    tn_arena_free(&probe->arena);
    tn_memory_free(&memory, probe, sizeof *probe);
}
