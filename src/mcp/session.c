/* session.c - sessions: a list of all, the last used first, and buckets to find those of HTTP by their key. */
#include "mcp/session.h"

#include <sodium.h>
#include <string.h>

#include "base/memory.h"
#include "mcp/ended.h"
#include "mcp/offer/tools.h"
#include "mcp/offer/watch.h"
#include "mcp/opened.h"
#include "mcp/phrases.h"
#include "mcp/session_id.h"
#include "mcp/share/share.h"

#define BUCKETS     1024
#define EVICT_LOOKS 16

struct sessions {
    struct tn_session *first, *last;
    size_t             count;
    struct tn_session *buckets[BUCKETS];
};

/* ---- The table: with the server's lock held ------------------------------------------------------------------- */

static struct sessions *table_of(tenon_server *server)
{
    if (!server->sessions) {
        server->sessions = tn_memory_new(&server->memory, sizeof *server->sessions);
        if (server->sessions)
            memset(server->sessions, 0, sizeof *server->sessions);
    }
    return server->sessions;
}

static struct tn_session **session_bucket_of(struct sessions *table, const unsigned char *key)
{
    return &table->buckets[(key[0] | (unsigned)key[1] << 8) % BUCKETS];
}

/* The sessions of one caller, the last used first: the account has both ends. */
static void leave_own(struct tn_session *session)
{
    struct tn_account *account = session->account;

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

static void join_own(struct tn_session *session)
{
    struct tn_account *account = session->account;
    struct tn_session *second  = account ? account->newest : NULL;

    if (!session->on_http || !account)
        return;
    session->older = second;
    if (second)
        second->newer = session;
    else
        account->oldest = session;
    account->newest = session;
}

static void unlink_session(struct sessions *table, struct tn_session *session)
{
    leave_own(session);
    *(session->prev ? &session->prev->next : &table->first) = session->next;
    *(session->next ? &session->next->prev : &table->last)  = session->prev;
    session->prev = session->next = NULL;
    table->count--;
}

static void link_first(struct sessions *table, struct tn_session *session)
{
    session->prev                                        = NULL;
    session->next                                        = table->first;
    *(table->first ? &table->first->prev : &table->last) = session;
    table->first                                         = session;
    table->count++;
    join_own(session);
}

static void drop_chain(struct sessions *table, struct tn_session *session)
{
    struct tn_session **at = session_bucket_of(table, session->key);

    while (*at && *at != session)
        at = &(*at)->chain;
    if (*at)
        *at = session->chain;
}

/* By the part of its key that is kept of those that have ended: it is random, and tells any two apart. */
static struct tn_session *find_key(struct sessions *table, const unsigned char *key)
{
    struct tn_session *session = *session_bucket_of(table, key);

    while (session && memcmp(session->key, key, ENDED_KEY_LEN) != 0)
        session = session->chain;
    return session;
}

/* ---- Lifetime ------------------------------------------------------------------------------------------------- */

static struct tn_session *session_make(tenon_server *server, struct tn_account *account)
{
    struct tn_session *session = tn_memory_new(&server->memory, sizeof *session);

    if (!session)
        return NULL;
    memset(session, 0, sizeof *session);
    session->server  = server;
    session->account = account;
    tn_account_hold(account);
    session->version   = VERSION_SILENT;
    session->log_level = -1;
    session->used_ms   = server->clock.now_ms(server->clock.user);
    atomic_store(&session->refs, 1);
    pthread_mutex_init(&session->lock, NULL);
    return session;
}

void tn_session_hold(struct tn_session *session)
{
    atomic_fetch_add_explicit(&session->refs, 1, memory_order_relaxed);
}

void tn_session_release(struct tn_session *session)
{
    tenon_server *server;

    if (!session || atomic_fetch_sub_explicit(&session->refs, 1, memory_order_acq_rel) != 1)
        return;
    server = session->server;
    if (server->source)
        server->source->left(server->source->user, session);
    tn_watch_clear(session);
    tn_memory_free(&server->memory, session->remembered, session->remembered_room);
    if (session->port)
        session->port->release(session->port);
    tn_account_release(session->account);
    pthread_mutex_destroy(&session->lock);
    tn_memory_free(&server->memory, session, sizeof *session);
}

/* Does somebody listen to it, or something run in it? */
static bool is_busy(struct tn_session *session)
{
    bool busy;

    pthread_mutex_lock(&session->lock);
    busy = session->port || session->running;
    pthread_mutex_unlock(&session->lock);
    return busy;
}

/* Out of the table, and off its caller's account. */
static void take_out(struct sessions *table, struct tn_session *session)
{
    drop_chain(table, session);
    unlink_session(table, session);
    tn_account_give(session->account, HELD_SESSIONS, 1);
}

/* The longest unused of a caller's own sessions, a busy one only if the first EVICT_LOOKS are all busy. */
static struct tn_session *oldest_own(const struct tn_account *account)
{
    struct tn_session *found = account ? account->oldest : NULL, *session = found;

    for (size_t i = 0; session && i < EVICT_LOOKS; i++, session = session->newer)
        if (!is_busy(session))
            return session;
    return found;
}

/* Room for one more session of the account. Who has too many loses the oldest of their own; only when so many callers have
 * one each that the table is full does the longest unused of all go. Takes that one out, or returns NULL with *room. */
static struct tn_session *session_make_room(struct sessions *table, struct tn_account *account, bool *room)
{
    struct tn_session *old;

    *room = tn_account_take(account, HELD_SESSIONS, 1);
    if (*room)
        return NULL;
    old = oldest_own(account);
    for (struct tn_session *at = old ? NULL : table->last; at && !old; at = at->prev)
        old = at->on_http ? at : NULL;
    if (old) {
        take_out(table, old);
        tn_account_force(account, HELD_SESSIONS, 1);
    }
    *room = old != NULL;
    return old;
}

static void cancel_all(struct tn_session *session);

/* Puts a new session into the table, which holds it. False without memory, or when it must not, or need not, be there. */
static bool session_enter(tenon_server *server, struct tn_session *session)
{
    struct tn_session *old = NULL;
    struct sessions   *table;
    bool               room;

    pthread_mutex_lock(&server->lock);
    table = table_of(server);
    room  = table != NULL;
    if (table && session->on_http) /* another thread may have entered, or ended, one of this key meanwhile */
        room = !tn_ended_has(server->ended, session->key) && !find_key(table, session->key);
    if (room && session->on_http)
        old = session_make_room(table, session->account, &room);
    if (room) {
        link_first(table, session);
        if (session->on_http) {
            struct tn_session **bucket = session_bucket_of(table, session->key);

            session->chain = *bucket;
            *bucket        = session;
        }
        tn_session_hold(session);
    }
    pthread_mutex_unlock(&server->lock);
    if (old)
        cancel_all(old); /* what waits for answers would wait for ever: they go to another session */
    tn_session_release(old);
    return room;
}

static void session_leave(struct tn_session *session)
{
    tenon_server *server = session->server;

    pthread_mutex_lock(&server->lock);
    unlink_session(server->sessions, session);
    pthread_mutex_unlock(&server->lock);
    tn_session_release(session);
}

struct tn_session *tn_session_new(tenon_server *server, struct tn_port *port, struct tn_account *account)
{
    struct tn_session *session = session_make(server, account);

    if (!session)
        return NULL;
    session->port = port;
    port->hold(port);
    if (session_enter(server, session))
        return session;
    tn_session_release(session);
    return NULL;
}

/* Takes it off the list of what runs; false when it is not there. With the session's lock held. */
static bool session_unlink(struct tn_exchange *x)
{
    if (!x->link)
        return false;
    *x->link = x->next;
    if (x->next)
        x->next->link = x->link;
    x->next = NULL;
    x->link = NULL;
    return true;
}

/* Takes the first that runs off the list, held; NULL when there is none. */
static struct tn_exchange *take_running(struct tn_session *session)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&session->lock);
    x = session->running;
    if (x) {
        session_unlink(x);
        tn_exchange_hold(x);
    }
    pthread_mutex_unlock(&session->lock);
    return x;
}

static void cancel_all(struct tn_session *session)
{
    struct tn_exchange *x;

    while ((x = take_running(session))) {
        tn_exchange_cancel(x);
        tn_exchange_release(x);
    }
}

void tn_session_end(struct tn_session *session)
{
    if (!session)
        return;
    cancel_all(session);
    session_leave(session);
    tn_session_release(session);
}

/* ---- Ids ------------------------------------------------------------------------------------------------------ */

static int64_t now_s(const tenon_server *server)
{
    return server->clock.wall_ms(server->clock.user) / 1000;
}

struct tn_session *tn_session_begin(tenon_server *server, const struct tn_caller *caller,
                                    struct tn_account *account, enum tn_version version, unsigned abilities,
                                    struct tn_arena *arena, struct tn_slice *id)
{
    struct tn_session   *session = session_make(server, account);
    struct tn_session_id payload = { .version   = (uint32_t)version,
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
    *id                  = tn_session_id_write(server, arena, caller, &payload);
    if (id->len > 0 && session_enter(server, session))
        return session;
    tn_session_release(session);
    return NULL;
}

bool tn_session_join(struct tn_exchange *x, struct tn_slice *id)
{
    unsigned abilities = tn_abilities_of(tn_rpc_get(x->params, "capabilities"));

    if (x->session) {
        pthread_mutex_lock(&x->session->lock);
        x->session->version     = x->version;
        x->session->abilities   = abilities;
        x->session->initialized = true;
        pthread_mutex_unlock(&x->session->lock);
        return true;
    }
    x->session = tn_session_begin(x->server, &x->caller, x->account, x->version, abilities, &x->arena, id);
    return x->session != NULL;
}

/* The session that is in the table and in use from now on, held; NULL when it is not there, with *ended when it must not be
 * taken over either. */
static struct tn_session *find_live(tenon_server *server, const struct tn_session_id *payload, bool *ended)
{
    struct tn_session *session = NULL;

    pthread_mutex_lock(&server->lock);
    *ended = tn_ended_has(server->ended, payload->key);
    if (server->sessions && !*ended)
        session = find_key(server->sessions, payload->key);
    if (!session)
        *ended = *ended || payload->began_s <= tn_ended_lost_s(server->ended);
    if (session) {
        tn_session_hold(session);
        session->used_ms = server->clock.now_ms(server->clock.user);
        unlink_session(server->sessions, session);
        link_first(server->sessions, session);
    }
    pthread_mutex_unlock(&server->lock);
    return session;
}

/* One that this process has not seen: another began it, or it was forgotten. */
static struct tn_session *adopt(tenon_server *server, const struct tn_session_id *payload,
                                struct tn_account *account)
{
    struct tn_session *session = session_make(server, account);
    bool               ended;

    if (!session)
        return NULL;
    memcpy(session->key, payload->key, sizeof payload->key);
    session->on_http     = true;
    session->version     = (enum tn_version)payload->version;
    session->abilities   = payload->abilities;
    session->initialized = true;
    atomic_store(&session->stale, server->share != NULL);
    if (session_enter(server, session))
        return session;
    tn_session_release(session);
    return find_live(server, payload, &ended);
}

struct tn_session *tn_session_of(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                                 struct tn_account *account)
{
    struct tn_session   *session;
    struct tn_session_id payload;
    bool                 ended;

    if (!tn_session_id_read(server, id, caller, &payload))
        return NULL;
    session = find_live(server, &payload, &ended);
    return session || ended ? session : adopt(server, &payload, account);
}

struct tn_session *tn_session_known(tenon_server *server, const unsigned char key[SESSION_KEY_LEN])
{
    struct tn_session *session = NULL;

    pthread_mutex_lock(&server->lock);
    if (server->sessions)
        session = find_key(server->sessions, key);
    if (session)
        tn_session_hold(session);
    pthread_mutex_unlock(&server->lock);
    return session;
}

/* ---- What runs ------------------------------------------------------------------------------------------------ */

void tn_session_list(struct tn_session *session, struct tn_exchange *x)
{
    pthread_mutex_lock(&session->lock);
    x->next = session->running;
    x->link = &session->running;
    if (x->next)
        x->next->link = &x->next;
    session->running = x;
    pthread_mutex_unlock(&session->lock);
}

static void session_touch(struct tn_session *session)
{
    if (session->on_http)
        session->used_ms = session->server->clock.now_ms(session->server->clock.user);
}

void tn_session_forget(struct tn_session *session, struct tn_exchange *x)
{
    pthread_mutex_lock(&session->lock);
    if (session_unlink(x))
        session_touch(session);
    pthread_mutex_unlock(&session->lock);
}

struct tn_exchange *tn_session_running(struct tn_session *session, struct tn_slice id)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&session->lock);
    x = session->running;
    while (x && !tn_rpc_same_id(x->id, id))
        x = x->next;
    if (x)
        tn_exchange_hold(x);
    pthread_mutex_unlock(&session->lock);
    return x;
}

void tn_session_unwait(struct tn_session *session, struct tn_exchange *x)
{
    bool waits;

    pthread_mutex_lock(&session->lock);
    waits      = x->pending > 0;
    x->pending = 0;
    pthread_mutex_unlock(&session->lock);
    if (waits)
        tn_exchange_release(x);
}

/* ---- Unsolicited messages ------------------------------------------------------------------------------------- */

void tn_session_push(struct tn_session *session, struct tn_slice json)
{
    struct tn_port *port;

    pthread_mutex_lock(&session->lock);
    port = session->port;
    if (port)
        port->hold(port);
    pthread_mutex_unlock(&session->lock);
    if (!port)
        return;
    port->send(port, &(struct tn_out){ .kind = OUT_NOTE, .json = json });
    port->release(port);
}

static void set_port(struct tn_session *session, struct tn_port *port, const struct tn_port *only)
{
    struct tn_port *old;

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

int tn_mcp_session_listen(tenon_server *server, struct tn_slice id, struct tn_slice version,
                          const struct tn_caller *caller, struct tn_account *account, struct tn_port *port,
                          struct tn_session **session)
{
    enum tn_version named = version.len > 0 ? tn_version_of(version) : VERSION_SILENT;

    if (id.len == 0 || named == VERSION_NONE || named >= V2026_07_28)
        return 400;
    *session = tn_session_of(server, id, caller, account);
    if (!*session)
        return 404;
    if (port)
        set_port(*session, port, NULL);
    return 200;
}

void tn_mcp_session_unlisten(struct tn_session *session, struct tn_port *port)
{
    session_touch(session);
    set_port(session, NULL, port);
    tn_session_release(session);
}

/* Remembers that it was ended and takes it out of the table, which gives its hold to *found; NULL when it is not there. False
 * without memory. */
static bool take_ended(tenon_server *server, const unsigned char *key, struct tn_session **found)
{
    bool added;

    *found = NULL;
    pthread_mutex_lock(&server->lock);
    added = tn_ended_add(&server->ended, &server->memory, key, now_s(server));
    if (added && server->sessions)
        *found = find_key(server->sessions, key);
    if (*found)
        take_out(server->sessions, *found);
    pthread_mutex_unlock(&server->lock);
    return added;
}

/* Nothing runs in it any more, and its stream ends. */
static void wind_up(struct tn_session *session)
{
    session->ended = true;
    cancel_all(session);
    set_port(session, NULL, NULL);
    tn_session_release(session);
}

static bool is_ended(tenon_server *server, const unsigned char *key)
{
    bool ended;

    pthread_mutex_lock(&server->lock);
    ended = tn_ended_has(server->ended, key);
    pthread_mutex_unlock(&server->lock);
    return ended;
}

/* One that this process does not know, because another began it, is ended all the same. */
int tn_mcp_session_delete(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                          const struct tn_account *account)
{
    struct tn_keeper    *keeper = &server->keeper;
    struct tn_session   *found;
    struct tn_session_id payload;

    if (id.len == 0)
        return 400;
    if (!tn_session_id_read(server, id, caller, &payload) || is_ended(server, payload.key))
        return 404;
    if (server->share &&
        tn_share_session_ended(server->share, payload.key, account, SESSION_ID_MS) != TENON_SHARE_DONE)
        return 503;
    if (!take_ended(server, payload.key, &found))
        return 503;
    if (keeper->session_ended)
        keeper->session_ended(keeper->user, payload.key,
                              server->clock.wall_ms(server->clock.user) + SESSION_ID_MS);
    if (found)
        wind_up(found);
    return 200;
}

bool tn_mcp_session_waits(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                          struct tn_account *account, bool ends)
{
    struct tn_session *session = NULL;
    bool               waits   = server->share && ends;

    if (server->share && !ends)
        session = tn_session_of(server, id, caller, account);
    if (session) {
        waits = atomic_load(&session->stale);
        tn_session_release(session);
    }
    return waits;
}

bool tn_mcp_session_refresh(tenon_server *server, struct tn_slice id, const struct tn_caller *caller,
                            struct tn_account *account)
{
    struct tn_session *session = tn_session_of(server, id, caller, account);
    bool               good = !session || !atomic_load(&session->stale) || tn_share_session_refresh(session);

    tn_session_release(session);
    return good;
}

bool tn_mcp_sessions_lost(tenon_server *server)
{
    bool lost;

    pthread_mutex_lock(&server->lock);
    lost = tn_ended_forget(&server->ended, &server->memory, now_s(server));
    pthread_mutex_unlock(&server->lock);
    return lost;
}

bool tn_mcp_session_ended(tenon_server *server, const unsigned char *key)
{
    struct tn_session *found;

    if (!take_ended(server, key, &found))
        return false;
    if (found)
        wind_up(found);
    return true;
}

bool tn_mcp_session_is_over(const struct tn_session *session)
{
    return session->ended;
}

bool tn_mcp_session_primes(tenon_server *server, struct tn_slice id, const struct tn_caller *caller)
{
    struct tn_session_id payload;

    return tn_session_id_read(server, id, caller, &payload) && payload.version >= V2025_11_25;
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

void tn_sessions_each(tenon_server *server, void (*visit)(struct tn_session *session, void *user), void *user)
{
    struct tn_session **all   = NULL;
    size_t              count = 0, room = 0;

    pthread_mutex_lock(&server->lock);
    if (server->sessions && server->sessions->count > 0) {
        room = server->sessions->count;
        all  = tn_memory_new(&server->memory, room * sizeof *all);
        for (struct tn_session *at = server->sessions->first; all && at; at = at->next) {
            tn_session_hold(at);
            all[count++] = at;
        }
    }
    pthread_mutex_unlock(&server->lock);
    for (size_t i = 0; i < count; i++) {
        visit(all[i], user);
        tn_session_release(all[i]);
    }
    if (all)
        tn_memory_free(&server->memory, all, room * sizeof *all);
}

/* An exchange that has waited for its client too long, held; or NULL. */
static struct tn_exchange *take_unanswered(struct tn_session *session, int64_t now_ms)
{
    struct tn_exchange *x;

    pthread_mutex_lock(&session->lock);
    x = session->running;
    while (x && !(x->pending > 0 && now_ms - x->asked_ms > SESSION_QUESTION_MS))
        x = x->next;
    if (x)
        tn_exchange_hold(x);
    pthread_mutex_unlock(&session->lock);
    return x;
}

static void give_up_questions(struct tn_session *session, void *user)
{
    const int64_t      *now_ms = user;
    struct tn_exchange *x;

    while ((x = take_unanswered(session, *now_ms))) {
        tn_tools_answer_instead(x, TENON_CODE_TIMEOUT, SAY_NOT_ANSWERED, RETRY_NEVER);
        tn_session_unwait(session, x);
        tn_exchange_release(x);
    }
}

/* Takes the sessions out that were not used for too long; one in which something runs, or whose stream is open, is in use.
 * They are chained by `next`. With the server's lock held. */
static struct tn_session *take_idle(struct sessions *table, int64_t now_ms, int64_t idle_ms)
{
    struct tn_session *idle = NULL, *prev;

    for (struct tn_session *session = table->last; session; session = prev) {
        prev = session->prev;
        if (!session->on_http || now_ms - session->used_ms < idle_ms || is_busy(session))
            continue;
        take_out(table, session);
        session->next = idle;
        idle          = session;
    }
    return idle;
}

void tn_sessions_tick(tenon_server *server, int64_t now_ms)
{
    int64_t            idle_ms = server->session_ms ? server->session_ms : SESSION_IDLE_MS;
    struct tn_session *idle    = NULL, *next;

    tn_sessions_each(server, give_up_questions, &now_ms);
    pthread_mutex_lock(&server->lock);
    if (server->sessions)
        idle = take_idle(server->sessions, now_ms, idle_ms);
    pthread_mutex_unlock(&server->lock);
    for (; idle; idle = next) {
        next       = idle->next;
        idle->next = NULL;
        tn_session_release(idle);
    }
}

void tn_sessions_free(tenon_server *server)
{
    tn_ended_free(server->ended, &server->memory);
    server->ended = NULL;
    tn_opened_free(server->opened, &server->memory);
    server->opened = NULL;
    if (!server->sessions)
        return;
    while (server->sessions->first) {
        struct tn_session *session = server->sessions->first;

        cancel_all(session);
        if (session->on_http)
            tn_account_give(session->account, HELD_SESSIONS, 1);
        unlink_session(server->sessions, session);
        tn_session_release(session);
    }
    tn_memory_free(&server->memory, server->sessions, sizeof *server->sessions);
    server->sessions = NULL;
}
