/* message.c - what comes from a server: answers, questions, notifications, and unknown messages. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "json/member.h"
#include "json/read.h"
#include "json/scan.h"
#include "json/write.h"
#include "net/client/client.h"
#include "net/client/skim.h"

/* ---- Answers ------------------------------------------------------------------------------------------------ */

/* The bytes of a member at the top of a message of ours to change: a NUL ends them. It is found by its place, so that of two
 * members with one name, and of names that are spelled with escapes, it is the one that was read. */
static struct tn_slice member_text(struct tn_slice message, yyjson_val *root, yyjson_val *value)
{
    struct tn_members all   = tn_members_counted(message, yyjson_obj_size(root));
    yyjson_obj_iter   names = yyjson_obj_iter_with(root);
    struct tn_member  one;
    yyjson_val       *name;

    while (tn_members_next(&all, &one) && (name = yyjson_obj_iter_next(&names)))
        if (yyjson_obj_iter_get_val(name) == value) {
            ((char *)one.value.at)[one.value.len] = '\0';
            return one.value;
        }
    return (struct tn_slice){ "", 0 };
}

/* A server that refuses a version and names the same one is asked once more: past a balancer another may answer. */
static bool is_asked_anew(tenon_request *request)
{
    yyjson_val *data = yyjson_obj_get(request->error, "data");

    if (request->asked_anew || !tn_client_is_modern(request->client) ||
        yyjson_get_sint(yyjson_obj_get(request->error, "code")) != RPC_NO_VERSION)
        return false;
    request->asked_anew = tn_negotiate_lists(yyjson_obj_get(data, "supported"), request->client->version);
    return request->asked_anew;
}

static void take_error(tenon_request *request)
{
    struct tn_slice message = tn_rpc_text(yyjson_obj_get(request->error, "message"));
    long long       code    = yyjson_get_sint(yyjson_obj_get(request->error, "code"));

    if (tn_negotiate_again(request->client, request, request->status))
        return;
    if (is_asked_anew(request)) {
        if (request->client->transport->forget)
            request->client->transport->forget(request->client->transport, request->id);
        request->error = NULL;
        request->text  = (struct tn_slice){ "", 0 };
        tn_request_send(request);
        return;
    }
    tn_request_end(request, TENON_REQUEST_REFUSED, "%.*s (%lld)",
                   (int)(message.len < 400 ? message.len : 400), message.at ? message.at : "", code);
}

static void take_result(tenon_request *request)
{
    struct tn_slice type = tn_rpc_text(yyjson_obj_get(request->result, "resultType"));

    if (request->kind == REQUEST_LIST)
        tn_list_page(request);
    else if (tn_slice_is(type, "input_required") && request->client->options.ask && !request->passes)
        tn_question_round(request);
    else
        tn_request_end(request, TENON_REQUEST_ANSWERED, NULL);
}

/* An error without an id is about a request that the server could not read: the one of its key, or the only one. */
static tenon_request *request_of(tenon_client *client, int64_t key, yyjson_val *id, bool error)
{
    tenon_request  *request = yyjson_is_int(id) ? tn_request_of(client, yyjson_get_sint(id)) : NULL;
    struct tn_ring *first   = client->open.after;

    if (request && (key == 0 || key == request->id))
        return request;
    if (!error || (id && !yyjson_is_null(id)))
        return NULL;
    if (key != 0)
        return tn_request_of(client, key);
    return first != &client->open && first->after == &client->open && ((tenon_request *)first)->sent
               ? (tenon_request *)first
               : NULL;
}

/* What answers it is no answer. */
static void end_broken(tenon_request *request, int status)
{
    request->garbled = request->broken = true;
    request->status                    = status;
    tn_request_end(request, TENON_REQUEST_LOST, NULL);
}

static void take_response(tenon_client *client, int64_t key, int status, struct tn_slice message,
                          yyjson_val *root)
{
    yyjson_val     *error = yyjson_obj_get(root, "error"), *result = yyjson_obj_get(root, "result");
    bool            failed  = yyjson_is_obj(error);
    tenon_request  *request = request_of(client, key, yyjson_obj_get(root, "id"), failed);
    struct tn_arena answer;

    if (!request || request->unanswered > 0) {
        client->late++;
        if (!request && client->belated && yyjson_is_int(yyjson_obj_get(root, "id")))
            client->belated(client->tap_user, yyjson_get_sint(yyjson_obj_get(root, "id")));
        return;
    }
    client->notes = 0;
    client->transport->answers++;
    if (!failed && !yyjson_is_obj(result)) {
        end_broken(request, status);
        return;
    }
    answer          = request->answer;
    request->answer = client->inbox; /* the message is the request's now */
    client->inbox   = answer;
    request->status = status;
    request->result = failed ? NULL : result;
    request->error  = failed ? error : NULL;
    request->text   = member_text(message, root, failed ? error : result);
    if (failed)
        take_error(request);
    else
        take_result(request);
}

/* ---- Notifications ------------------------------------------------------------------------------------------ */

static void take_progress(tenon_client *client, yyjson_val *params)
{
    yyjson_val    *token   = yyjson_obj_get(params, "progressToken");
    tenon_request *request = yyjson_is_int(token) ? tn_request_of(client, yyjson_get_sint(token)) : NULL;

    if (request && request->options.progress)
        request->options.progress(request->options.user, request, (const tenon_json *)params);
}

static void take_cancelled(tenon_client *client, yyjson_val *params)
{
    yyjson_val    *id = yyjson_obj_get(params, "requestId");
    struct tn_buf  text;
    tenon_request *request = yyjson_is_int(id) ? tn_request_of(client, yyjson_get_sint(id)) : NULL;

    if (tn_client_is_modern(client)) {
        if (request && request->kind == REQUEST_LISTEN)
            tn_request_end(request, TENON_REQUEST_LOST, "the server ended it");
        return;
    }
    tn_buf_init(&text, &client->inbox, 64, client->options.max_bytes);
    tn_json_value(&text, id);
    if (text.len > 0 && !text.failed)
        tn_question_withdraw(client, tn_buf_slice(&text), NULL);
}

static void take_notification(tenon_client *client, struct tn_slice method, yyjson_val *params)
{
    if (client->options.note)
        client->options.note(client->options.user, method.at, (const tenon_json *)params);
    if (tn_slice_is(method, "notifications/progress"))
        take_progress(client, params);
    else if (tn_slice_is(method, "notifications/cancelled"))
        take_cancelled(client, params);
}

/* ---- Unknown messages --------------------------------------------------------------------------------------- */

/* The first request that waits for an answer, or NULL: one that listens does not. */
static tenon_request *first_waiting(tenon_client *client)
{
    for (struct tn_ring *one = client->open.after; one != &client->open; one = one->after)
        if (((tenon_request *)one)->kind != REQUEST_LISTEN && ((tenon_request *)one)->sent)
            return (tenon_request *)one;
    return NULL;
}

/* True while the server keeps within what it may send on its own before an answer. */
static bool count_note(tenon_client *client)
{
    tenon_request *request = first_waiting(client);

    client->notes = request ? client->notes + 1 : 0;
    if (client->notes <= client->options.max_notes)
        return true;
    client->notes = 0;
    while ((request = first_waiting(client)))
        tn_request_end(request, TENON_REQUEST_LOST, "the server sends messages without end");
    return false;
}

/* The request that this was to answer, or NULL: of a line, when it begins as an answer to one that waits. */
static tenon_request *answered_by(tenon_client *client, int64_t key, struct tn_slice bytes)
{
    struct tn_skim skim = { 0 };

    if (key == 0) {
        tn_skim_bytes(&skim, bytes.at, bytes.len);
        key = tn_skim_answered(&skim);
    }
    return key ? tn_request_of(client, key) : NULL;
}

static void take_garbage(tenon_client *client, int64_t key, int status, struct tn_slice bytes)
{
    tenon_request *request = answered_by(client, key, bytes);

    if (request) {
        end_broken(request, status);
        return;
    }
    if (client->junk)
        client->junk(client->tap_user, bytes);
    for (struct tn_ring *one = client->open.after; key == 0 && one != &client->open; one = one->after)
        ((tenon_request *)one)->garbled = ((tenon_request *)one)->sent;
    count_note(client);
}

/* Several messages in one array, as servers of 2025-03-26 may send them. */
static void take_batch(tenon_client *client, int64_t key, int status, struct tn_slice json)
{
    struct tn_scan scan = tn_scan_of(json);
    char           mark = '[';

    while (client->stage != STAGE_LOST && tn_scan_take(&scan, mark)) {
        size_t first;

        mark = ',';
        tn_scan_skip_spaces(&scan);
        first = scan.next;
        tn_scan_skip_value(&scan);
        if (scan.next > first && scan.at[first] != '[')
            tn_message_take(client, key, status, (struct tn_slice){ scan.at + first, scan.next - first });
    }
}

static void take_message(tenon_client *client, int64_t key, int status, struct tn_slice copy,
                         yyjson_val *root)
{
    struct tn_slice method = tn_rpc_text(yyjson_obj_get(root, "method"));

    if (method.len == 0)
        take_response(client, key, status, copy, root);
    else if (!count_note(client))
        return;
    else if (yyjson_obj_get(root, "id"))
        tn_question_take(client, key, method, root);
    else
        take_notification(client, method, yyjson_obj_get(root, "params"));
}

/* Is it longer than an answer may be? Lists may be as long as any message. Then its request ends, and it is not read. */
static bool is_too_long(tenon_client *client, int64_t key, int status, struct tn_slice json)
{
    tenon_request *request;

    if (client->answer_max == 0 || json.len <= client->answer_max)
        return false;
    request = answered_by(client, key, json);
    if (!request || request->kind == REQUEST_LIST || request->internal)
        return false;
    request->status = status;
    tn_request_end(request, TENON_REQUEST_LOST, "the server's answer is longer than %zu bytes",
                   client->answer_max);
    return true;
}

void tn_message_take(void *user, int64_t key, int status, struct tn_slice json)
{
    tenon_client               *client = user;
    size_t                      max    = client->options.max_bytes;
    const struct tn_json_limits limits = { max, CLIENT_DEPTH_MAX, CLIENT_NODES(max) };
    struct tn_json_text         text;
    struct tn_slice             copy = { NULL, json.len };

    client->came++;
    if (is_too_long(client, key, status, json))
        return;
    if (client->tap)
        client->tap(client->tap_user, json);
    tn_arena_reset(&client->inbox);
    copy.at = json.len <= max ? tn_arena_copy(&client->inbox, json.at, json.len) : NULL;
    text    = tn_json_read(&client->inbox, copy.at ? copy.at : "", copy.at ? copy.len : 0, &limits);
    if (text.fault == JSON_FINE && yyjson_is_arr(text.root) && client->version == V2025_03_26)
        take_batch(client, key, status, json);
    else if (text.fault != JSON_FINE || !yyjson_is_obj(text.root) ||
             (text.bad_utf8 && !(client->halves && tn_utf8_valid(copy.at, copy.len))))
        take_garbage(client, key, status, json);
    else
        take_message(client, key, status, copy, text.root);
}

void tn_message_ended(void *user, int64_t key, enum tn_end end, int status, const char *why)
{
    tenon_client  *client = user;
    tenon_request *request;

    if (key == 0) {
        tn_client_lose(client, why, end == END_CLOSED);
        return;
    }
    request = tn_request_of(client, key);
    if (!request) {
        tn_negotiate_sent(client, key);
        return;
    }
    if (end != END_CLOSED && tn_negotiate_again(client, request, status))
        return;
    request->status    = status;
    request->closed    = end == END_CLOSED;
    request->untouched = end == END_UNSENT;
    request->undone    = end == END_UNSENT || end == END_REFUSED;
    tn_request_end(request, TENON_REQUEST_LOST, "%s", why);
}
