/* park.c - parked calls: made of a relay, attached and detached, ended. */
#define _GNU_SOURCE
#include "guard/question/park.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "guard/relay.h"
#include "guard/seat.h"
#include "json/member.h"
#include "json/write.h"

#define PURPOSE     "parked call"
#define DIGEST      32
#define PAYLOAD_MAX 48
#define GRACE_MS    60000 /* that a state outlives its call: the table of calls decides */
#define NOTHING     ((struct tn_slice){ NULL, 0 })

struct tn_parked {
    struct tn_ring           ring; /* first: of the park's `calls` */
    struct tn_park          *park;
    struct tn_link          *link;
    struct tn_account       *account; /* held: of its caller */
    struct tn_relay         *relay;   /* that waits for it; NULL while it is detached */
    tenon_request           *request; /* NULL when its result could not be kept */
    bool                     finished;
    struct tn_arena          arena;
    struct tn_catalog       *catalog; /* held, for `tool`; or NULL */
    const struct tn_offered *tool;
    struct tn_slice          said;
    unsigned char            digest[DIGEST]; /* of the caller and the request */
    uint64_t                 number;
    unsigned                 turn; /* of its states: the last one is good, once */
    unsigned                 keys; /* questions so far */
    size_t                   bytes;
    int64_t                  due_ms;               /* attached: when to ask; detached: when to end */
    int64_t                  sent_ms, detached_ms; /* the first without the time that it was detached */
};

/* ---- Time ---------------------------------------------------------------------------------------------------- */

static void park_step(struct tn_park *park, int64_t now);

static void on_timer(uv_timer_t *handle)
{
    struct tn_park *park = handle->data;

    park_step(park, tn_client_now_ms());
    tn_park_arm(park->guard);
}

void tn_park_arm(struct tn_guard *guard)
{
    struct tn_park *park = guard->park;
    int64_t         due = TRANSPORT_NEVER, now = tn_client_now_ms();

    if (!park)
        return;
    for (struct tn_ring *one = park->questions.after; one != &park->questions; one = one->after)
        due = ((struct tn_asked *)one)->due_ms < due ? ((struct tn_asked *)one)->due_ms : due;
    for (struct tn_ring *one = park->calls.after; one != &park->calls; one = one->after)
        due = ((struct tn_parked *)one)->due_ms < due ? ((struct tn_parked *)one)->due_ms : due;
    if (due == TRANSPORT_NEVER)
        uv_timer_stop(&park->timer);
    else
        uv_timer_start(&park->timer, on_timer, due > now ? (uint64_t)(due - now) : 0, 0);
}

struct tn_park *tn_park_of(struct tn_guard *guard)
{
    struct tn_park *park = guard->park;

    if (park)
        return park;
    park = tn_memory_new(&guard->memory, sizeof *park);
    if (!park)
        return NULL;
    *park = (struct tn_park){ .guard = guard, .memory = guard->memory };
    tn_ring_init(&park->questions);
    tn_ring_init(&park->calls);
    uv_timer_init(&guard->loop->uv, &park->timer);
    uv_unref((uv_handle_t *)&park->timer);
    park->timer.data = park;
    guard->park      = park;
    return park;
}

static void park_closed(uv_handle_t *handle)
{
    struct tn_park *park   = handle->data;
    tenon_allocator memory = park->memory;

    tn_memory_free(&memory, park, sizeof *park);
}

void tn_park_stop(struct tn_guard *guard)
{
    if (!guard->park)
        return;
    uv_close((uv_handle_t *)&guard->park->timer, park_closed);
    guard->park = NULL;
}

/* ---- Questions of a call ------------------------------------------------------------------------------------- */

/* The first of its questions at or after `one`; NULL when there is none left. */
static struct tn_asked *question_of(const struct tn_parked *parked, struct tn_ring *one)
{
    for (; one != &parked->park->questions; one = one->after)
        if (((struct tn_asked *)one)->parked == parked)
            return (struct tn_asked *)one;
    return NULL;
}

static struct tn_asked *first_question(const struct tn_parked *parked)
{
    return question_of(parked, parked->park->questions.after);
}

static struct tn_asked *next_question(const struct tn_parked *parked, struct tn_asked *asked)
{
    return question_of(parked, asked->ring.after);
}

/* ---- Bounds -------------------------------------------------------------------------------------------------- */

static bool has_room(const struct tn_park *park, const struct tn_account *account)
{
    size_t own = 0;

    for (struct tn_ring *one = park->calls.after; one != &park->calls; one = one->after)
        own += ((struct tn_parked *)one)->account == account;
    return park->count < PARKED_MAX && own < PARKED_EACH;
}

/* So many bytes more, of this call: for a question, or for a result that waits. */
static bool take_bytes(struct tn_parked *parked, size_t bytes)
{
    struct tn_park *park = parked->park;
    size_t          own  = 0;

    for (struct tn_ring *one = park->calls.after; one != &park->calls; one = one->after)
        if (((struct tn_parked *)one)->account == parked->account)
            own += ((struct tn_parked *)one)->bytes;
    if (bytes > PARKED_BYTES - park->bytes || own + bytes > PARKED_BYTES_EACH)
        return false;
    park->bytes += bytes;
    parked->bytes += bytes;
    return true;
}

/* ---- Beginning and end --------------------------------------------------------------------------------------- */

/* What the state is bound to: caller, server, method, name and arguments. */
static bool digest_of(struct tn_exchange *x, unsigned char digest[DIGEST])
{
    static const char *const members[] = { "name", "uri", "arguments" };
    struct tn_buf            text;

    tn_buf_init(&text, &x->arena, 256, RESULT_LEN_MAX);
    tn_json_string(&text, x->caller.name.at ? x->caller.name.at : "", x->caller.name.len);
    tn_buf_text(&text, x->server->boot);
    tn_buf_text(&text, x->method->name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        yyjson_val *value = tn_rpc_get(x->params, members[i]);

        if (value)
            tn_json_value(&text, value);
        tn_buf_char(&text, '\n');
    }
    return !text.failed &&
           crypto_generichash(digest, DIGEST, (const unsigned char *)text.at, text.len, NULL, 0) == 0;
}

static void parked_free(struct tn_parked *parked)
{
    struct tn_park  *park = parked->park;
    struct tn_asked *asked;

    tn_ring_remove(&parked->ring);
    park->count--;
    park->bytes -= parked->bytes;
    if (parked->request)
        tenon_request_free(parked->request); /* an open one is cancelled */
    while ((asked = first_question(parked)))
        tn_asked_move(asked);
    tn_catalog_release(parked->catalog);
    tn_account_release(parked->account);
    tn_arena_free(&parked->arena);
    tn_memory_free(&park->memory, parked, sizeof *parked);
    tn_park_arm(park->guard);
}

/* The call is not waited for: its questions end first, so that the server can end it in its own way. */
static void parked_end(struct tn_parked *parked)
{
    struct tn_link  *link = parked->link;
    struct tn_asked *asked;

    while ((asked = first_question(parked)))
        tn_asked_give_up(asked);
    parked_free(parked);
    tn_link_arm(link);
}

/* Answers the relay that waits with what came of the call. */
static void parked_deliver(struct tn_parked *parked)
{
    struct tn_relay *relay = parked->relay;

    parked->relay   = NULL;
    relay->parked   = NULL;
    relay->request  = parked->request;
    parked->request = NULL;
    if (relay->request)
        tn_relay_finish(relay, relay->request);
    else {
        tn_bridge_instead(relay, TENON_CODE_LIMIT_EXCEEDED, GUARD_RESULT_LOST);
        tn_relay_end(relay);
    }
    parked_free(parked);
}

/* A result that waits for its client must fit; else only that there was one is kept. */
static void keep_result(struct tn_parked *parked)
{
    if (take_bytes(parked, parked->request->answer.used))
        return;
    tenon_request_free(parked->request);
    parked->request = NULL;
}

static void parked_done(void *user, tenon_request *request)
{
    struct tn_parked   *parked = user;
    tenon_request_state state  = tenon_request_state_of(request);

    parked->finished = true;
    if (parked->relay)
        parked_deliver(parked);
    else if (state == TENON_REQUEST_LOST || state == TENON_REQUEST_CANCELLED)
        parked_end(parked);
    else
        keep_result(parked);
}

static void parked_progress(void *user, tenon_request *request, const tenon_json *params)
{
    const struct tn_parked *parked = user;

    tn_relay_prolong(parked->link->upstream, request, parked->sent_ms);
    if (parked->relay && parked->relay->x->progress_token.len > 0)
        tn_bridge_progress(parked->relay, (yyjson_val *)params);
}

struct tn_parked *tn_parked_of(const tenon_request *request)
{
    return request->options.done == parked_done ? request->options.user : NULL;
}

/* Of a relay's call, which is the parked one's from now on. NULL when there is no room, or no memory. */
static struct tn_parked *parked_new(struct tn_relay *relay)
{
    struct tn_park   *park = tn_park_of(relay->link->guard);
    struct tn_parked *parked;

    if (!park || !has_room(park, relay->x->account))
        return NULL;
    parked = tn_memory_new(&park->memory, sizeof *parked);
    if (!parked)
        return NULL;
    *parked = (struct tn_parked){ .park    = park,
                                  .link    = relay->link,
                                  .account = relay->x->account,
                                  .tool    = relay->tool,
                                  .catalog = relay->catalog,
                                  .number  = ++park->parked,
                                  .sent_ms = relay->sent_ms,
                                  .due_ms  = TRANSPORT_NEVER };
    tn_arena_init(&parked->arena, &park->memory, 0);
    parked->said = (struct tn_slice){ tn_arena_copy(&parked->arena, relay->said.at, relay->said.len),
                                      relay->said.len };
    if (!parked->said.at || !digest_of(relay->x, parked->digest)) {
        tn_arena_free(&parked->arena);
        tn_memory_free(&park->memory, parked, sizeof *parked);
        return NULL;
    }
    tn_account_hold(parked->account);
    if (parked->catalog)
        tn_catalog_hold(parked->catalog);
    tn_ring_add(&park->calls, &parked->ring);
    park->count++;
    parked->request               = relay->request;
    parked->request->options.user = parked;
    parked->request->options.done = parked_done;
    if (parked->request->options.progress)
        parked->request->options.progress = parked_progress;
    relay->request = NULL;
    relay->parked  = parked;
    parked->relay  = relay;
    return parked;
}

struct tn_parked *tn_park_newest(struct tn_link *link)
{
    struct tn_park *park = link->guard->park;

    for (struct tn_ring *one = park ? park->calls.before : NULL; park && one != &park->calls;
         one                 = one->before)
        if (((struct tn_parked *)one)->link == link && !((struct tn_parked *)one)->finished)
            return (struct tn_parked *)one;
    return NULL;
}

bool tn_park_ask(struct tn_relay *relay, struct tn_parked *parked, struct tn_asked *asked)
{
    struct tn_buf key;

    if (!parked)
        parked = parked_new(relay);
    if (!parked || !take_bytes(parked, asked->arena.used + asked->question->arena.used))
        return false;
    tn_buf_init(&key, &asked->arena, ASKED_KEY_MAX, ASKED_KEY_MAX);
    tn_buf_addf(&key, "q%u", ++parked->keys);
    asked->key = tn_buf_end(&key);
    if (!asked->key)
        return false;
    asked->parked = parked;
    if (parked->relay && parked->due_ms == TRANSPORT_NEVER)
        parked->due_ms = tn_client_now_ms() + PARKED_GATHER_MS;
    tn_park_arm(parked->park->guard);
    return true;
}

bool tn_park_uses(const struct tn_link *link)
{
    const struct tn_park *park = link->guard->park;

    for (const struct tn_ring *one = park ? park->questions.after : NULL; park && one != &park->questions;
         one                       = one->after)
        if (((const struct tn_asked *)one)->link == link)
            return true;
    for (const struct tn_ring *one = park ? park->calls.after : NULL; park && one != &park->calls;
         one                       = one->after)
        if (((const struct tn_parked *)one)->link == link)
            return true;
    return false;
}

size_t tn_park_count(const struct tn_guard *guard, const struct tn_upstream *upstream)
{
    const struct tn_park *park  = guard->park;
    size_t                count = 0;

    for (const struct tn_ring *one = park ? park->calls.after : NULL; park && one != &park->calls;
         one                       = one->after)
        count += ((const struct tn_parked *)one)->link->upstream == upstream;
    return count;
}

void tn_park_leave(struct tn_parked *parked)
{
    parked->relay = NULL;
    parked_end(parked);
}

void tn_park_forget(struct tn_link *link)
{
    struct tn_park *park = link->guard->park;
    struct tn_ring *one  = park->calls.after, *after;

    for (; one != &park->calls; one = after) {
        after = one->after;
        if (((struct tn_parked *)one)->link == link && !((struct tn_parked *)one)->relay)
            parked_end((struct tn_parked *)one);
    }
}

/* ---- The client is asked -------------------------------------------------------------------------------------- */

static struct tn_slice seal_state(struct tn_parked *parked, struct tn_exchange *x)
{
    tenon_server *server = x->server;
    char          payload[PAYLOAD_MAX];
    int           len;

    len = snprintf(payload, sizeof payload, "%llu %u", (unsigned long long)parked->number, ++parked->turn);
    return tn_seal_text(&server->keys, &x->arena, PURPOSE,
                        (struct tn_slice){ (const char *)parked->digest, DIGEST },
                        server->clock.wall_ms(server->clock.user) + PARKED_MS + GRACE_MS,
                        (struct tn_slice){ payload, (size_t)len });
}

static void write_questions(struct tn_buf *out, const struct tn_parked *parked)
{
    struct tn_asked *asked = first_question(parked);
    size_t           from;

    tn_buf_lit(out, "\"inputRequests\":{");
    from = out->len;
    for (; asked; asked = next_question(parked, asked)) {
        if (out->len > from)
            tn_buf_char(out, ',');
        tn_buf_addf(out, "\"%s\":{\"method\":", asked->key);
        tn_json_string(out, asked->method.at, asked->method.len);
        if (asked->params.len > 0) {
            tn_buf_lit(out, ",\"params\":");
            tn_buf_add(out, asked->params.at, asked->params.len);
        }
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, '}');
}

/* Answers the request that waits with every question that is open; the call goes on without it. */
static void parked_ask(struct tn_parked *parked, int64_t now)
{
    struct tn_relay *relay = parked->relay;
    struct tn_slice  state;
    struct tn_buf    out;

    parked->due_ms = TRANSPORT_NEVER;
    if (!first_question(parked))
        return;
    state = seal_state(parked, relay->x);
    tn_buf_init(&out, &relay->x->arena, 1024, RESULT_LEN_MAX);
    write_questions(&out, parked);
    tn_buf_lit(&out, ",\"requestState\":");
    tn_json_string(&out, state.at, state.len);
    if (state.len == 0 || out.failed) {
        tn_exchange_fail_bare(relay->x);
        tn_relay_end(relay); /* and the call */
        return;
    }
    tn_bridge_ask(relay, tn_buf_slice(&out));
    parked->due_ms      = now + PARKED_MS;
    parked->detached_ms = now;
    parked->relay       = NULL;
    relay->parked       = NULL;
    tn_relay_end(relay);
}

static void park_step(struct tn_park *park, int64_t now)
{
    struct tn_ring *one, *after;

    for (one = park->calls.after; one != &park->calls; one = after) {
        struct tn_parked *parked = (struct tn_parked *)one;

        after = one->after;
        if (parked->due_ms > now)
            continue;
        if (parked->relay)
            parked_ask(parked, now);
        else
            parked_end(parked);
    }
    for (one = park->questions.after; one != &park->questions; one = after) {
        after = one->after;
        if (((struct tn_asked *)one)->due_ms <= now)
            tn_asked_give_up((struct tn_asked *)one);
    }
}

/* ---- The client comes back ------------------------------------------------------------------------------------ */

void tn_park_refuse(struct tn_exchange *x)
{
    tn_exchange_fail(x, RPC_INVALID_PARAMS, SLICE_LIT("{\"reason\":\"invalid_request_state\"}"), "%s",
                     GUARD_BAD_STATE);
}

/* The call that a state leads to; *ours when the guard made it for one, which may have ended. */
static struct tn_parked *find_parked(struct tn_guard *guard, struct tn_exchange *x, struct tn_slice state,
                                     bool *ours)
{
    struct tn_park    *park   = guard->park;
    tenon_server      *server = x->server;
    unsigned char      digest[DIGEST];
    struct tn_slice    payload;
    unsigned long long number;
    unsigned           turn;

    *ours = digest_of(x, digest) &&
            tn_seal_open(&server->keys, &x->arena, PURPOSE, (struct tn_slice){ (const char *)digest, DIGEST },
                         server->clock.wall_ms(server->clock.user), state, &payload) &&
            sscanf(payload.at, "%llu %u", &number, &turn) == 2;
    for (struct tn_ring *one = *ours && park ? park->calls.after : NULL; one && one != &park->calls;
         one                 = one->after) {
        struct tn_parked *parked = (struct tn_parked *)one;

        if (parked->number == number && parked->turn == turn && !parked->relay)
            return parked;
    }
    return NULL;
}

/* The text of a member of params, whatever escapes its name is written with. */
static struct tn_slice member_text(yyjson_val *object, struct tn_slice text, const char *name)
{
    struct tn_members all  = tn_members_of(text);
    yyjson_obj_iter   each = yyjson_obj_iter_with(object);
    struct tn_member  one;

    while (tn_members_next(&all, &one))
        if (yyjson_equals_str(yyjson_obj_iter_next(&each), name))
            return one.value;
    return NOTHING;
}

/* Hands the client's answers on. What it cannot be asked any more is refused; what it left out stays open. */
static void take_answers(struct tn_parked *parked, struct tn_exchange *x, struct tn_slice message)
{
    yyjson_val      *responses = tn_rpc_get(x->params, "inputResponses");
    struct tn_slice  params    = tn_member_of(message, "params");
    struct tn_slice  text      = member_text(x->params, params, "inputResponses");
    struct tn_asked *asked     = first_question(parked), *next;

    for (; asked; asked = next) {
        struct tn_slice answer = yyjson_is_obj(responses) ? member_text(responses, text, asked->key)
                                                          : NOTHING;

        next = next_question(parked, asked);
        if (answer.len > 0 && tn_asked_answer(asked, answer))
            continue;
        if ((asked->needs & x->abilities) != asked->needs)
            tn_asked_refuse(asked, GUARD_UNPROMISED);
    }
}

/* The relay waits for the call from now on. What it needs of it may outlive the call. */
static void attach(struct tn_parked *parked, struct tn_relay *relay)
{
    struct tn_exchange *x    = relay->x;
    char               *said = tn_arena_copy(&x->arena, parked->said.at, parked->said.len);

    relay->link    = parked->link;
    relay->method  = tn_slice_of(x->method->name);
    relay->message = NOTHING;
    relay->http    = NULL;
    relay->tool    = parked->tool;
    relay->said    = (struct tn_slice){ said, said ? parked->said.len : 0 };
    relay->catalog = parked->catalog;
    if (relay->catalog)
        tn_catalog_hold(relay->catalog);
    relay->parked = parked;
    parked->sent_ms += tn_client_now_ms() - parked->detached_ms;
    relay->sent_ms = parked->sent_ms;
    parked->relay  = relay;
    parked->due_ms = TRANSPORT_NEVER;
    parked->turn++; /* the state was used */
    tn_ring_add(&parked->link->sent, &relay->ring);
}

bool tn_park_resume(struct tn_seat *seat, struct tn_exchange *x, const struct tn_sourced *request)
{
    struct tn_slice   state = tn_rpc_text(tn_rpc_get(x->params, "requestState"));
    struct tn_parked *parked;
    struct tn_relay  *relay;
    bool              ours;

    if (!state.at || !tn_exchange_is_modern(x) || !(x->method->flags & METHOD_ASKS))
        return false;
    parked = find_parked(seat->guard, x, state, &ours);
    if (!parked) {
        if (ours)
            tn_park_refuse(x);
        return ours;
    }
    relay = tn_relay_new(seat, x, request);
    if (!relay) {
        tn_exchange_fail_bare(x);
        return true;
    }
    attach(parked, relay);
    take_answers(parked, x, request->message);
    if (parked->finished)
        parked_deliver(parked);
    else if (first_question(parked))
        parked->due_ms = tn_client_now_ms() + PARKED_GATHER_MS;
    tn_park_arm(seat->guard);
    return true;
}
