/* session.c - sessions: a list of all, the last used first, and buckets to find those of HTTP by their key. */
#include "mcp/session.h"

#include <sodium.h>
#include <string.h>

#include "base/memory.h"
#include "mcp/ended.h"
#include "mcp/offer/tools.h"
#include "mcp/offer/watch.h"
#include "mcp/phrases.h"

#define BUCKETS     1024
#define EVICT_LOOKS 16
#define PURPOSE "session"

struct sessions {
    struct session *first, *last;
    size_t          count;
    struct session *buckets[BUCKETS];
};

/* ---- The table: with the server's lock held ------------------------------------------------------------------- */

static struct sessions *table_of(tenon_server *server)
{
    if (!server->sessions) {
        server->sessions = memory_new(&server->memory, sizeof *server->sessions);
        if (server->sessions)
            memset(server->sessions, 0, sizeof *server->sessions);
    }
    return server->sessions;
}

static struct session **bucket_of(struct sessions *table, const unsigned char *key)
{
    return &table->buckets[(key[0] | (unsigned)key[1] << 8) % BUCKETS];
}

/* The sessions of one caller, the last used first: the account has both ends. */
static void leave_own(struct session *session)
{
    struct account *account = session->account;

    if (!session->on_http || !account)
        return;
    if (session->newer)
        session->newer->older = session->older;
    else
        account->newest = session->older;
    if (session->older)
        session->older->newer = session->newer;
    else
        account->oldest = session->newer;
    session->older = session->newer = NULL;
}

static void join_own(struct session *session)
{
    struct account *account = session->account;
    struct session *second  = account ? account->newest : NULL;

    if (!session->on_http || !account)
        return;
    session->older = second;
    if (second)
        second->newer = session;
    else
        account->oldest = session;
    account->newest = session;
}

static void unlink_session(struct sessions *table, struct session *session)
{
    leave_own(session);
    *(session->prev ? &session->prev->next : &table->first) = session->next;
    *(session->next ? &session->next->prev : &table->last)  = session->prev;
    session->prev = session->next = NULL;
    table->count--;
}

static void link_first(struct sessions *table, struct session *session)
{
    session->prev                                        = NULL;
    session->next                                        = table->first;
    *(table->first ? &table->first->prev : &table->last) = session;
    table->first                                         = session;
    table->count++;
    join_own(session);
}

static void drop_chain(struct sessions *table, struct session *session)
{
    struct session **at = bucket_of(table, session->key);

    while (*at && *at != session)
        at = &(*at)->chain;
    if (*at)
        *at = session->chain;
}

/* By the part of its key that is kept of those that have ended: it is random, and tells any two apart. */
static struct session *find_key(struct sessions *table, const unsigned char *key)
{
    struct session *session = *bucket_of(table, key);

    while (session && memcmp(session->key, key, ENDED_KEY_LEN) != 0)
        session = session->chain;
    return session;
}

/* ---- Lifetime ------------------------------------------------------------------------------------------------- */

static struct session *make(tenon_server *server, struct account *account)
{
    struct session *session = memory_new(&server->memory, sizeof *session);

    if (!session)
        return NULL;
    memset(session, 0, sizeof *session);
    session->server  = server;
    session->account = account;
    account_hold(account);
    session->version   = VERSION_SILENT;
    session->log_level = -1;
    session->used_ms   = server->clock.now_ms(server->clock.user);
    atomic_store(&session->refs, 1);
    pthread_mutex_init(&session->lock, NULL);
    return session;
}

void session_hold(struct session *session)
{
    atomic_fetch_add_explicit(&session->refs, 1, memory_order_relaxed);
}

void session_release(struct session *session)
{
    tenon_server *server;

    if (!session || atomic_fetch_sub_explicit(&session->refs, 1, memory_order_acq_rel) != 1)
        return;
    server = session->server;
    watch_clear(session);
    memory_free(&server->memory, session->remembered, session->remembered_room);
    if (session->port)
        session->port->release(session->port);
    account_release(session->account);
    pthread_mutex_destroy(&session->lock);
    memory_free(&server->memory, session, sizeof *session);
}

/* Does somebody listen to it, or something run in it? */
static bool is_busy(struct session *session)
{
    bool busy;

    pthread_mutex_lock(&session->lock);
    busy = session->port || session->running;
    pthread_mutex_unlock(&session->lock);
    return busy;
}

/* Out of the table, and off its caller's account. */
static void take_out(struct sessions *table, struct session *session)
{
    drop_chain(table, session);
    unlink_session(table, session);
    account_give(session->account, HELD_SESSIONS, 1);
}

/* The longest unused of a caller's own sessions, a busy one only if the first EVICT_LOOKS are all busy. */
static struct session *oldest_own(const struct account *account)
{
    struct session *found = account ? account->oldest : NULL, *session = found;

    for (size_t i = 0; session && i < EVICT_LOOKS; i++, session = session->newer)
        if (!is_busy(session))
            return session;
    return found;
}

/* Room for one more session of the account. Who has too many loses the oldest of their own; only when so many callers have
 * one each that the table is full does the longest unused of all go. Takes that one out, or returns NULL with *room. */
static struct session *make_room(struct sessions *table, struct account *account, bool *room)
{
    struct session *old;

    *room = account_take(account, HELD_SESSIONS, 1);
    if (*room)
        return NULL;
    old = oldest_own(account);
    for (struct session *at = old ? NULL : table->last; at && !old; at = at->prev)
        old = at->on_http ? at : NULL;
    if (old) {
        take_out(table, old);
        account_force(account, HELD_SESSIONS, 1);
    }
    *room = old != NULL;
    return old;
}

static void cancel_all(struct session *session);

/* Puts a new session into the table, which holds it. False without memory, or when it must not, or need not, be there. */
static bool enter(tenon_server *server, struct session *session)
{
    struct session  *old = NULL;
    struct sessions *table;
    bool             room;

    pthread_mutex_lock(&server->lock);
    table = table_of(server);
    room  = table != NULL;
    if (table && session->on_http) /* another thread may have entered, or ended, one of this key meanwhile */
        room = !ended_has(server->ended, session->key) && !find_key(table, session->key);
    if (room && session->on_http)
        old = make_room(table, session->account, &room);
    if (room) {
        link_first(table, session);
        if (session->on_http) {
            struct session **bucket = bucket_of(table, session->key);

            session->chain = *bucket;
            *bucket        = session;
        }
        session_hold(session);
    }
    pthread_mutex_unlock(&server->lock);
    if (old)
        cancel_all(old); /* what waits for answers would wait for ever: they go to another session */
    session_release(old);
    return room;
}

static void leave(struct session *session)
{
    tenon_server *server = session->server;

    pthread_mutex_lock(&server->lock);
    unlink_session(server->sessions, session);
    pthread_mutex_unlock(&server->lock);
    session_release(session);
}

struct session *session_new(tenon_server *server, struct port *port, struct account *account)
{
    struct session *session = make(server, account);

    if (!session)
        return NULL;
    session->port = port;
    port->hold(port);
    if (enter(server, session))
        return session;
    session_release(session);
    return NULL;
}

/* Takes the first that runs off the list, held; NULL when there is none. */
static struct exchange *take_running(struct session *session)
{
    struct exchange *x;

    pthread_mutex_lock(&session->lock);
    x = session->running;
    if (x) {
        session->running = x->next;
        x->next          = NULL;
        exchange_hold(x);
    }
    pthread_mutex_unlock(&session->lock);
    return x;
}

static void cancel_all(struct session *session)
{
    struct exchange *x;

    while ((x = take_running(session))) {
        exchange_cancel(x);
        exchange_release(x);
    }
}

void session_end(struct session *session)
{
    if (!session)
        return;
    cancel_all(session);
    leave(session);
    session_release(session);
}

/* ---- Ids ------------------------------------------------------------------------------------------------------ */

struct payload {
    unsigned char key[SESSION_KEY_LEN];
    uint32_t      version, abilities;
    int64_t       began_s; /* wall clock */
};

static int64_t now_s(const tenon_server *server)
{
    return server->clock.wall_ms(server->clock.user) / 1000;
}

static struct slice caller_name(const struct caller *caller)
{
    return caller ? caller->name : (struct slice){ "", 0 };
}

struct session *session_begin(tenon_server *server, const struct caller *caller, struct account *account,
                              enum version version, unsigned abilities, struct arena *arena, struct slice *id)
{
    struct session *session = make(server, account);
    struct payload  payload = { .version   = (uint32_t)version,
                                .abilities = abilities,
                                .began_s   = now_s(server) };

    if (!session)
        return NULL;
    randombytes_buf(payload.key, sizeof payload.key);
    memcpy(session->key, payload.key, sizeof payload.key);
    session->on_http     = true;
    session->version     = version;
    session->abilities   = abilities;
    session->initialized = true;
    *id                  = seal(&server->keys, arena, PURPOSE, caller_name(caller),
                                server->clock.wall_ms(server->clock.user) + SESSION_ID_MS,
                                (struct slice){ (const char *)&payload, sizeof payload });
    if (id->len > 0 && enter(server, session))
        return session;
    session_release(session);
    return NULL;
}

static bool read_id(tenon_server *server, struct slice id, const struct caller *caller,
                    struct payload *payload)
{
    struct arena arena;
    struct slice inside;
    bool         good;

    arena_init(&arena, &server->memory, 0);
    good = id.len > 0 &&
           seal_open(&server->keys, &arena, PURPOSE, caller_name(caller),
                     server->clock.wall_ms(server->clock.user), id, &inside) &&
           inside.len == sizeof *payload;
    if (good)
        memcpy(payload, inside.at, sizeof *payload);
    arena_free(&arena);
    return good && payload->version < V2026_07_28;
}

/* The session that is in the table and in use from now on, held; NULL when it is not there, with *ended when it must not be
 * taken over either. */
static struct session *find_live(tenon_server *server, const struct payload *payload, bool *ended)
{
    struct session *session = NULL;

    pthread_mutex_lock(&server->lock);
    *ended = ended_has(server->ended, payload->key);
    if (server->sessions && !*ended)
        session = find_key(server->sessions, payload->key);
    if (!session)
        *ended = *ended || payload->began_s <= ended_lost_s(server->ended);
    if (session) {
        session_hold(session);
        session->used_ms = server->clock.now_ms(server->clock.user);
        unlink_session(server->sessions, session);
        link_first(server->sessions, session);
    }
    pthread_mutex_unlock(&server->lock);
    return session;
}

/* One that this process has not seen: another began it, or it was forgotten. */
static struct session *adopt(tenon_server *server, const struct payload *payload, struct account *account)
{
    struct session *session = make(server, account);
    bool            ended;

    if (!session)
        return NULL;
    memcpy(session->key, payload->key, sizeof payload->key);
    session->on_http     = true;
    session->version     = (enum version)payload->version;
    session->abilities   = payload->abilities;
    session->initialized = true;
    if (enter(server, session))
        return session;
    session_release(session);
    return find_live(server, payload, &ended);
}

struct session *session_of(tenon_server *server, struct slice id, const struct caller *caller,
                           struct account *account)
{
    struct session *session;
    struct payload  payload;
    bool            ended;

    if (!read_id(server, id, caller, &payload))
        return NULL;
    session = find_live(server, &payload, &ended);
    return session || ended ? session : adopt(server, &payload, account);
}

/* ---- What runs ------------------------------------------------------------------------------------------------ */

void session_list(struct session *session, struct exchange *x)
{
    pthread_mutex_lock(&session->lock);
    x->next          = session->running;
    session->running = x;
    pthread_mutex_unlock(&session->lock);
}

static void touch(struct session *session)
{
    if (session->on_http)
        session->used_ms = session->server->clock.now_ms(session->server->clock.user);
}

void session_forget(struct session *session, struct exchange *x)
{
    pthread_mutex_lock(&session->lock);
    for (struct exchange **at = &session->running; *at; at = &(*at)->next)
        if (*at == x) {
            *at     = x->next;
            x->next = NULL;
            touch(session);
            break;
        }
    pthread_mutex_unlock(&session->lock);
}

struct exchange *session_running(struct session *session, struct slice id)
{
    struct exchange *x;

    pthread_mutex_lock(&session->lock);
    x = session->running;
    while (x && !rpc_same_id(x->id, id))
        x = x->next;
    if (x)
        exchange_hold(x);
    pthread_mutex_unlock(&session->lock);
    return x;
}

void session_unwait(struct session *session, struct exchange *x)
{
    bool waits;

    pthread_mutex_lock(&session->lock);
    waits      = x->pending > 0;
    x->pending = 0;
    pthread_mutex_unlock(&session->lock);
    if (waits)
        exchange_release(x);
}

/* ---- Unsolicited messages ------------------------------------------------------------------------------------- */

void session_push(struct session *session, struct slice json)
{
    struct port *port;

    pthread_mutex_lock(&session->lock);
    port = session->port;
    if (port)
        port->hold(port);
    pthread_mutex_unlock(&session->lock);
    if (!port)
        return;
    port->send(port, &(struct out){ .kind = OUT_NOTE, .json = json });
    port->release(port);
}

static void set_port(struct session *session, struct port *port, const struct port *only)
{
    struct port *old;

    if (port)
        port->hold(port);
    pthread_mutex_lock(&session->lock);
    old = session->port;
    if (only && old != only)
        old = port = NULL; /* another listens by now */
    else
        session->port = port;
    pthread_mutex_unlock(&session->lock);
    if (old)
        old->release(old);
}

int mcp_session_listen(tenon_server *server, struct slice id, struct slice version,
                       const struct caller *caller, struct account *account, struct port *port,
                       struct session **session)
{
    enum version named = version.len > 0 ? version_of(version) : VERSION_SILENT;

    if (id.len == 0 || named == VERSION_NONE || named >= V2026_07_28)
        return 400;
    *session = session_of(server, id, caller, account);
    if (!*session)
        return 404;
    if (port)
        set_port(*session, port, NULL);
    return 200;
}

void mcp_session_unlisten(struct session *session, struct port *port)
{
    touch(session);
    set_port(session, NULL, port);
    session_release(session);
}

/* Remembers that it was ended and takes it out of the table, which gives its hold to *found; NULL when it is not there. False
 * without memory. */
static bool take_ended(tenon_server *server, const unsigned char *key, struct session **found)
{
    bool added;

    *found = NULL;
    pthread_mutex_lock(&server->lock);
    added = ended_add(&server->ended, &server->memory, key, now_s(server));
    if (added && server->sessions)
        *found = find_key(server->sessions, key);
    if (*found)
        take_out(server->sessions, *found);
    pthread_mutex_unlock(&server->lock);
    return added;
}

/* Nothing runs in it any more, and its stream ends. */
static void wind_up(struct session *session)
{
    session->ended = true;
    cancel_all(session);
    set_port(session, NULL, NULL);
    session_release(session);
}

static bool is_ended(tenon_server *server, const unsigned char *key)
{
    bool ended;

    pthread_mutex_lock(&server->lock);
    ended = ended_has(server->ended, key);
    pthread_mutex_unlock(&server->lock);
    return ended;
}

/* One that this process does not know, because another began it, is ended all the same. */
int mcp_session_delete(tenon_server *server, struct slice id, const struct caller *caller)
{
    struct keeper  *keeper = &server->keeper;
    struct session *found;
    struct payload  payload;

    if (id.len == 0)
        return 400;
    if (!read_id(server, id, caller, &payload) || is_ended(server, payload.key))
        return 404;
    if (!take_ended(server, payload.key, &found))
        return 503;
    if (keeper->session_ended)
        keeper->session_ended(keeper->user, payload.key,
                              server->clock.wall_ms(server->clock.user) + SESSION_ID_MS);
    if (found)
        wind_up(found);
    return 200;
}

bool mcp_sessions_lost(tenon_server *server)
{
    bool lost;

    pthread_mutex_lock(&server->lock);
    lost = ended_lose(&server->ended, &server->memory, now_s(server));
    pthread_mutex_unlock(&server->lock);
    return lost;
}

bool mcp_session_ended(tenon_server *server, const unsigned char *key)
{
    struct session *found;

    if (!take_ended(server, key, &found))
        return false;
    if (found)
        wind_up(found);
    return true;
}

bool mcp_session_is_over(const struct session *session)
{
    return session->ended;
}

bool mcp_session_primes(tenon_server *server, struct slice id, const struct caller *caller)
{
    struct payload payload;

    return read_id(server, id, caller, &payload) && payload.version >= V2025_11_25;
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

void sessions_each(tenon_server *server, void (*visit)(struct session *session, void *user), void *user)
{
    struct session **all   = NULL;
    size_t           count = 0, room = 0;

    pthread_mutex_lock(&server->lock);
    if (server->sessions && server->sessions->count > 0) {
        room = server->sessions->count;
        all  = memory_new(&server->memory, room * sizeof *all);
        for (struct session *at = server->sessions->first; all && at; at = at->next) {
            session_hold(at);
            all[count++] = at;
        }
    }
    pthread_mutex_unlock(&server->lock);
    for (size_t i = 0; i < count; i++) {
        visit(all[i], user);
        session_release(all[i]);
    }
    if (all)
        memory_free(&server->memory, all, room * sizeof *all);
}

/* An exchange that has waited for its client too long, held; or NULL. */
static struct exchange *take_unanswered(struct session *session, int64_t now_ms)
{
    struct exchange *x;

    pthread_mutex_lock(&session->lock);
    x = session->running;
    while (x && !(x->pending > 0 && now_ms - x->asked_ms > SESSION_QUESTION_MS))
        x = x->next;
    if (x)
        exchange_hold(x);
    pthread_mutex_unlock(&session->lock);
    return x;
}

static void give_up_questions(struct session *session, void *user)
{
    const int64_t   *now_ms = user;
    struct exchange *x;

    while ((x = take_unanswered(session, *now_ms))) {
        tools_answer_instead(x, TENON_CODE_TIMEOUT, SAY_NOT_ANSWERED, RETRY_NEVER);
        session_unwait(session, x);
        exchange_release(x);
    }
}

/* Takes the sessions out that were not used for too long; one in which something runs, or whose stream is open, is in use.
 * They are chained by `next`. With the server's lock held. */
static struct session *take_idle(struct sessions *table, int64_t now_ms, int64_t idle_ms)
{
    struct session *idle = NULL, *prev;

    for (struct session *session = table->last; session; session = prev) {
        prev = session->prev;
        if (!session->on_http || now_ms - session->used_ms < idle_ms || is_busy(session))
            continue;
        take_out(table, session);
        session->next = idle;
        idle          = session;
    }
    return idle;
}

void sessions_tick(tenon_server *server, int64_t now_ms)
{
    int64_t         idle_ms = server->session_ms ? server->session_ms : SESSION_IDLE_MS;
    struct session *idle    = NULL, *next;

    sessions_each(server, give_up_questions, &now_ms);
    pthread_mutex_lock(&server->lock);
    if (server->sessions)
        idle = take_idle(server->sessions, now_ms, idle_ms);
    pthread_mutex_unlock(&server->lock);
    for (; idle; idle = next) {
        next       = idle->next;
        idle->next = NULL;
        session_release(idle);
    }
}

void sessions_free(tenon_server *server)
{
    ended_free(server->ended, &server->memory);
    server->ended = NULL;
    if (!server->sessions)
        return;
    while (server->sessions->first) {
        struct session *session = server->sessions->first;

        cancel_all(session);
        if (session->on_http)
            account_give(session->account, HELD_SESSIONS, 1);
        unlink_session(server->sessions, session);
        session_release(session);
    }
    memory_free(&server->memory, server->sessions, sizeof *server->sessions);
    server->sessions = NULL;
}
