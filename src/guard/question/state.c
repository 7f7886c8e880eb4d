/* state.c - results that ask for input, and tasks, between a modern server and a modern client.
 *
 * Inside the seal is {"state": "...", "roots": ["key"]}: the server's own state as it was written, and the keys of
 * questions that the guard answers when the client comes back.
 */
#define _GNU_SOURCE
#include "guard/question/state.h"

#include <string.h>

#include "guard/bridge.h"
#include "guard/phrases.h"
#include "guard/question/park.h"
#include "guard/question/promise.h"
#include "guard/seat.h"
#include "json/member.h"
#include "json/write.h"
#include "mcp/ask/input.h"

#define PURPOSE      "state of a server"
#define PURPOSE_TASK "task of a server"
#define NOTHING      ((struct tn_slice){ NULL, 0 })

/* ---- What it is bound to -------------------------------------------------------------------------------------- */

/* A task: caller and server. */
static void write_bound(struct tn_buf *out, const struct tn_exchange *x, const struct tn_upstream *upstream)
{
    tn_json_string(out, x->caller.name.at ? x->caller.name.at : "", x->caller.name.len);
    tn_json_string(out, upstream->name, strlen(upstream->name));
}

/* A state: its method, and its name or URI, as well. */
static struct tn_slice bound_of(struct tn_relay *relay, bool request)
{
    struct tn_exchange *x    = relay->x;
    yyjson_val         *name = tn_rpc_get(x->params, "name"), *uri = tn_rpc_get(x->params, "uri");
    struct tn_buf       out;

    tn_buf_init(&out, &x->arena, 256, RESULT_LEN_MAX);
    write_bound(&out, x, relay->link->upstream);
    if (request) {
        tn_buf_text(&out, x->method->name);
        tn_json_value(&out, name ? name : uri);
    }
    return tn_buf_slice(&out);
}

/* ---- Requests -------------------------------------------------------------------------------------------------- */

bool tn_state_open(struct tn_relay *relay)
{
    struct tn_exchange *x      = relay->x;
    tenon_server       *server = x->server;
    yyjson_val         *state  = tn_rpc_get(x->params, "requestState");
    struct tn_slice     bound;

    if (!state || !tn_exchange_is_modern(x) || !tn_relay_may_ask(relay))
        return true;
    bound = bound_of(relay, true);
    if (yyjson_is_str(state) && tn_link_is_modern(relay->link) && bound.len > 0 &&
        tn_seal_long_open(&server->keys, &x->arena, PURPOSE, bound, server->clock.wall_ms(server->clock.user),
                          tn_rpc_text(state), &relay->state))
        return true;
    tn_park_refuse(x);
    return false;
}

/* False when that was answered. */
static bool take_task(struct tn_relay *relay)
{
    yyjson_val *given = tn_rpc_get(relay->x->params, "taskId");

    if (tn_exchange_is_modern(relay->x) && !(relay->x->abilities & ABILITY_TASKS)) {
        tn_input_needs(relay->x, ABILITY_TASKS, GUARD_TASKS_NEEDED);
        return false;
    }
    if (!yyjson_is_str(given))
        tn_exchange_fail(relay->x, RPC_INVALID_PARAMS, NOTHING, GUARD_NO_TASK_ID);
    relay->task = tn_rpc_text(given);
    return yyjson_is_str(given);
}

bool tn_state_is_task(const struct tn_exchange *x, const struct tn_upstream *upstream, struct tn_slice token,
                      struct tn_slice *id)
{
    struct tn_arena scratch;
    struct tn_buf   bound;
    bool            is;

    tn_arena_init(&scratch, &x->server->memory, 0);
    tn_buf_init(&bound, &scratch, 256, RESULT_LEN_MAX);
    write_bound(&bound, x, upstream);
    is = !bound.failed && tn_seal_marked(&x->server->keys, PURPOSE_TASK, tn_buf_slice(&bound), token, id);
    tn_arena_free(&scratch);
    return is;
}

static bool is_task_of(struct tn_relay *relay, const struct tn_upstream *upstream, struct tn_slice *id)
{
    return tn_state_is_task(relay->x, upstream, relay->task, id);
}

static void refuse_task(struct tn_relay *relay)
{
    tn_exchange_fail(relay->x, RPC_INVALID_PARAMS, NOTHING, GUARD_NO_TASK,
                     tn_exchange_echo(relay->x, relay->task));
}

enum tn_routed tn_state_route(struct tn_relay *relay, const struct tn_upstream **upstream)
{
    const struct tn_guard *guard = relay->seat->guard;
    struct tn_slice        id;

    if (!take_task(relay))
        return ROUTED_HERE;
    for (size_t i = 0; i < guard->upstream_count; i++) {
        *upstream = &guard->upstreams[i];
        if (is_task_of(relay, *upstream, &id))
            return ROUTED_TO;
    }
    refuse_task(relay);
    return ROUTED_HERE;
}

bool tn_state_open_task(struct tn_relay *relay)
{
    struct tn_slice id;

    if (!tn_link_is_modern(relay->link)) {
        tn_exchange_fail(relay->x, RPC_NO_METHOD, NOTHING, GUARD_NO_METHOD,
                         tn_exchange_echo(relay->x, relay->method));
        return false;
    }
    if (!take_task(relay))
        return false;
    if (is_task_of(relay, relay->link->upstream, &id))
        return true;
    refuse_task(relay);
    return false;
}

/* The server's id of the task of a relay. */
static struct tn_slice task_of(struct tn_relay *relay)
{
    struct tn_slice id = { "", 0 };

    is_task_of(relay, relay->link->upstream, &id);
    return id;
}

static void write_key(struct tn_buf *out, const char *key)
{
    if (out->len > 1)
        tn_buf_char(out, ',');
    tn_buf_addf(out, "\"%s\":", key);
}

/* The client's answers, `value`, and the guard's own. */
static void write_responses(struct tn_relay *relay, struct tn_buf *out, struct tn_slice value)
{
    struct tn_slice   inside = value.len > 1 ? tn_slice_trim((struct tn_slice){ value.at + 1, value.len - 2 })
                                             : (struct tn_slice){ "", 0 };
    struct tn_members keys   = tn_members_of(tn_member_of(relay->state, "roots"));
    struct tn_slice   key;
    bool              more = inside.len > 0;

    write_key(out, "inputResponses");
    tn_buf_char(out, '{');
    tn_json_line(out, inside.at, inside.len);
    while (tn_items_next(&keys, &key)) {
        tn_buf_text(out, more ? "," : "");
        tn_buf_add(out, key.at, key.len);
        tn_buf_lit(out, ":{\"roots\":");
        tn_buf_text(out, relay->link->upstream->roots ? relay->link->upstream->roots : "[]");
        tn_buf_char(out, '}');
        more = true;
    }
    tn_buf_char(out, '}');
}

/* Only what the guard sealed is brought back to a modern server; and a legacy client brings nothing: the guard asks it. */
bool tn_state_param(struct tn_relay *relay, struct tn_buf *out, yyjson_val *name, struct tn_slice value)
{
    struct tn_slice id;

    if (relay->task.len > 0 && yyjson_equals_str(name, "taskId")) {
        id = task_of(relay);
        write_key(out, "taskId");
        tn_json_string(out, id.at, id.len);
        return true;
    }
    if (!tn_relay_may_ask(relay) || !tn_link_is_modern(relay->link))
        return false;
    if (yyjson_equals_str(name, "requestState"))
        return true;
    if (!yyjson_equals_str(name, "inputResponses"))
        return false;
    if (tn_exchange_is_modern(relay->x) && tn_member_of(relay->state, "roots").len == 0) {
        write_key(out, "inputResponses");
        tn_json_line(out, value.at, value.len);
    }
    return true;
}

void tn_state_params_end(struct tn_relay *relay, struct tn_buf *out)
{
    struct tn_slice state = tn_member_of(relay->state, "state");

    if (tn_member_of(relay->state, "roots").len > 0) {
        struct tn_slice   params = tn_member_of(relay->message, "params");
        struct tn_members all    = tn_members_of(params);
        yyjson_obj_iter   names  = yyjson_obj_iter_with(relay->x->params);
        struct tn_slice   given  = NOTHING;
        struct tn_member  one;

        while (tn_members_next(&all, &one)) {
            yyjson_val *name = yyjson_obj_iter_next(&names);

            if (yyjson_equals_str(name, "inputResponses") && yyjson_is_obj(yyjson_obj_iter_get_val(name)))
                given = one.value;
        }
        write_responses(relay, out, given);
    }
    if (state.len > 0) {
        write_key(out, "requestState");
        tn_buf_add(out, state.at, state.len);
    }
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

bool tn_state_concerns(const struct tn_relay *relay, yyjson_val *result)
{
    yyjson_val *type = yyjson_obj_get(result, "resultType");

    return yyjson_equals_str(type, "input_required") || yyjson_equals_str(type, "task") ||
           relay->task.len > 0;
}

/* A question with its params as clients get them. */
static void write_question(struct tn_buf *out, const struct tn_link *link, yyjson_val *question,
                           struct tn_slice text)
{
    struct tn_slice   method = tn_rpc_text(yyjson_obj_get(question, "method"));
    struct tn_members all    = tn_members_of(text);
    yyjson_obj_iter   names  = yyjson_obj_iter_with(question);
    struct tn_member  one;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names);

        if (!yyjson_equals_str(name, "params") || !yyjson_is_obj(yyjson_obj_iter_get_val(name))) {
            tn_member_add(out, from, &one);
            continue;
        }
        tn_buf_text(out, out->len > from ? ",\"params\":" : "\"params\":");
        tn_promise_params(out, link, method, yyjson_obj_iter_get_val(name), one.value, true, "");
    }
    tn_buf_char(out, '}');
}

/* What is written of a result that asks. */
struct asking {
    struct tn_link *link;
    bool            task;       /* it is of a task: what the guard answers itself cannot wait for a retry */
    struct tn_buf   out, roots; /* the second: keys of questions that the guard answers */
    const char     *denied;
};

/* Why a question must not be asked; NULL when it may. */
static const char *write_request(struct asking *asking, size_t from, const struct tn_member *one,
                                 yyjson_val *question)
{
    const char *why;

    if (tn_promise_is_twice(asking->link, question))
        return GUARD_QUESTION_TWICE;
    switch (tn_promise_check(asking->link, tn_rpc_text(yyjson_obj_get(question, "method")),
                             yyjson_obj_get(question, "params"), ~0u, &why)) {
    case ASKING_ROOTS:
        if (asking->task)
            return GUARD_UNPROMISED;
        tn_buf_text(&asking->roots, asking->roots.len > 0 ? ",\"" : "\"");
        tn_buf_add(&asking->roots, one->name.at, one->name.len);
        tn_buf_char(&asking->roots, '"');
        return NULL;
    case ASKING_UNPROMISED:
    case ASKING_DENIED: return why;
    case ASKING_PASSES: break;
    }
    if (asking->out.len > from)
        tn_buf_char(&asking->out, ',');
    tn_buf_char(&asking->out, '"');
    tn_buf_add(&asking->out, one->name.at, one->name.len);
    tn_buf_lit(&asking->out, "\":");
    write_question(&asking->out, asking->link, question, one->value);
    return NULL;
}

static void write_requests(struct asking *asking, yyjson_val *requests, struct tn_slice text)
{
    struct tn_members all    = tn_members_of(text);
    yyjson_obj_iter   names  = yyjson_obj_iter_with(requests);
    size_t            before = asking->out.len, from;
    struct tn_member  one;

    write_key(&asking->out, "inputRequests");
    tn_buf_char(&asking->out, '{');
    from = asking->out.len;
    while (!asking->denied && tn_members_next(&all, &one))
        asking->denied = write_request(asking, from, &one,
                                       yyjson_obj_iter_get_val(yyjson_obj_iter_next(&names)));
    if (asking->out.len == from && asking->roots.len > 0 && !asking->out.failed)
        asking->out.len = before; /* nothing is left to ask: the state alone lets the client come back */
    else
        tn_buf_char(&asking->out, '}');
}

/* The client's own text of the id, or one with a mark. */
static void write_task(struct tn_buf *out, struct tn_relay *relay, struct tn_slice id)
{
    struct tn_slice token = relay->task;

    if (token.len == 0 || !tn_slice_same(task_of(relay), id))
        token = tn_seal_mark(&relay->x->server->keys, &relay->x->arena, PURPOSE_TASK, bound_of(relay, false),
                             id);
    write_key(out, "taskId");
    tn_json_string(out, token.at, token.len);
    if (token.len == 0)
        tn_buf_fail_(out);
}

/* Seals the server's state, and what the guard answers itself. */
static bool write_state(struct asking *asking, struct tn_relay *relay, struct tn_slice state)
{
    struct tn_exchange *x      = relay->x;
    tenon_server       *server = x->server;
    struct tn_slice     token;
    struct tn_buf       payload;

    if (state.len == 0 && asking->roots.len == 0)
        return true;
    if (state.len > STATE_MAX || asking->roots.failed) {
        tn_bridge_instead(relay, GUARD_CODE_UPSTREAM_INVALID, GUARD_STATE_LONG);
        return false;
    }
    tn_buf_init(&payload, &x->arena, state.len + asking->roots.len + 64, SEAL_LONG_MAX);
    tn_buf_char(&payload, '{');
    if (state.len > 0) {
        tn_buf_lit(&payload, "\"state\":");
        tn_buf_add(&payload, state.at, state.len);
    }
    if (asking->roots.len > 0) {
        write_key(&payload, "roots");
        tn_buf_char(&payload, '[');
        tn_buf_add(&payload, asking->roots.at, asking->roots.len);
        tn_buf_char(&payload, ']');
    }
    tn_buf_char(&payload, '}');
    token = payload.failed ? NOTHING
                           : tn_seal_long_text(&server->keys, &x->arena, PURPOSE, bound_of(relay, true),
                                               server->clock.wall_ms(server->clock.user) + STATE_MS,
                                               tn_buf_slice(&payload));
    write_key(&asking->out, "requestState");
    tn_json_string(&asking->out, token.at, token.len);
    if (token.len == 0)
        tn_buf_fail_(&asking->out);
    return true;
}

bool tn_state_result(struct tn_relay *relay, yyjson_val *result, struct tn_slice *text)
{
    struct asking     asking = { .link = relay->link, .task = relay->task.len > 0 };
    struct tn_members all    = tn_members_of(*text);
    yyjson_obj_iter   names  = yyjson_obj_iter_with(result);
    bool              asks   = yyjson_equals_str(yyjson_obj_get(result, "resultType"), "input_required");
    struct tn_slice   state  = NOTHING;
    struct tn_member  one;

    tn_buf_init(&asking.out, &relay->x->arena, text->len + text->len / 2 + 256, RESULT_LEN_MAX);
    tn_buf_init(&asking.roots, &relay->x->arena, 0, STATE_KEYS_MAX);
    tn_buf_char(&asking.out, '{');
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names), *value = yyjson_obj_iter_get_val(name);

        if (yyjson_equals_str(name, "inputRequests") && yyjson_is_obj(value))
            write_requests(&asking, value, one.value);
        else if (asks && yyjson_equals_str(name, "requestState"))
            state = yyjson_is_str(value) ? one.value : NOTHING;
        else if (yyjson_equals_str(name, "taskId") && yyjson_is_str(value))
            write_task(&asking.out, relay, tn_rpc_text(value));
        else
            tn_member_add(&asking.out, 1, &one);
    }
    if (asking.denied) {
        tn_bridge_instead(relay, TENON_CODE_DENIED, asking.denied);
        return false;
    }
    if (asks && !write_state(&asking, relay, state))
        return false;
    tn_buf_char(&asking.out, '}');
    if (asking.out.failed) {
        tn_exchange_fail_bare(relay->x);
        return false;
    }
    *text = tn_buf_slice(&asking.out);
    return true;
}

/* ---- News of tasks ---------------------------------------------------------------------------------------------- */

/* _meta as it came, but for the stream, which is the client's own. */
static void write_note_meta(struct tn_buf *out, const struct tn_exchange *x, yyjson_val *meta,
                            struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(meta);
    struct tn_member  one;
    size_t            from;

    write_key(out, "_meta");
    tn_buf_char(out, '{');
    from = out->len;
    while (yyjson_is_obj(meta) && tn_members_next(&all, &one))
        if (!yyjson_equals_str(yyjson_obj_iter_next(&names), META_SUBSCRIPTION))
            tn_member_add(out, from, &one);
    tn_bridge_comma(out, from);
    tn_buf_lit(out, "\"" META_SUBSCRIPTION "\":");
    tn_buf_add(out, x->id.at, x->id.len);
    tn_buf_char(out, '}');
}

bool tn_state_note(struct tn_arena *arena, struct tn_link *link, const struct tn_exchange *x,
                   struct tn_slice token, yyjson_val *params, struct tn_slice *message)
{
    struct tn_slice   text = tn_member_of(link->raw, "params"), meta = NOTHING;
    struct tn_members all    = tn_members_of(text);
    yyjson_obj_iter   names  = yyjson_obj_iter_with(params);
    struct asking     asking = { .link = link, .task = true };
    struct tn_member  one;
    struct tn_buf     out;

    if (text.len == 0 || tn_promise_is_twice(link, params))
        return false;
    tn_buf_init(&asking.out, arena, text.len + token.len + 256, RESULT_LEN_MAX);
    tn_buf_init(&asking.roots, arena, 0, STATE_KEYS_MAX);
    tn_buf_char(&asking.out, '{');
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names), *value = yyjson_obj_iter_get_val(name);

        if (yyjson_equals_str(name, "taskId")) {
            write_key(&asking.out, "taskId");
            tn_json_string(&asking.out, token.at, token.len);
        } else if (yyjson_equals_str(name, "inputRequests") && yyjson_is_obj(value))
            write_requests(&asking, value, one.value);
        else if (yyjson_equals_str(name, "_meta"))
            meta = one.value;
        else
            tn_member_add(&asking.out, 1, &one);
    }
    write_note_meta(&asking.out, x, yyjson_obj_get(params, "_meta"), meta);
    tn_buf_char(&asking.out, '}');
    tn_buf_init(&out, arena, asking.out.len + 64, RESULT_LEN_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\",\"params\":");
    tn_buf_add(&out, asking.out.at, asking.out.len);
    tn_buf_char(&out, '}');
    *message = tn_buf_slice(&out);
    return !asking.denied && !asking.out.failed && !out.failed;
}
