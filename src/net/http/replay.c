/* replay.c - events of streams, kept in lists under one lock.
 *
 * A stream is in the list of its store until it is forgotten, and lives on while it is referenced. The list is in the order
 * of opening, which is near enough to that of age: when room is needed, the first one without a reader goes, of the caller
 * whose streams take most.
 *
 * Events that a live reader has not read yet do not count against the bound of a stream: a long answer must reach a client
 * that is there. They are read as soon as its loop comes round.
 */
#include "net/http/replay.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/table.h"
#include "net/http/sse.h"

#define STREAM_BYTES    ((size_t)256 << 10)
#define TOTAL_BYTES     ((size_t)64 << 20)
#define STREAMS         ((size_t)4096)
#define SESSION_STREAMS ((size_t)16)
#define KEEP_MS         ((int64_t)5 * 60 * 1000)
#define UNREAD_BYTES    ((size_t)1 << 20) /* beyond which a reader is far behind */
#define DIGITS_MAX      20                /* of a 64-bit number */
#define BUCKETS         ((size_t)256)     /* of sessions */

struct event {
    struct event *next;
    uint64_t      number;
    size_t        len;
    char          json[];
};

struct replay {
    struct replays    *store;
    struct replay     *next, **link; /* link is NULL once it is forgotten */
    struct replay     *peer;         /* in the same bucket */
    struct tn_account *account;      /* held, or NULL: pays for it and its events */
    unsigned           refs;
    uint64_t      stream, newest, read; /* numbers of events; those up to `read` were handed to a reader */
    struct event *first, **last;
    size_t        bytes, unread; /* of all events; of those after `read` */
    struct tn_replay_reader *reader;
    int64_t                  left_ms; /* when the last reader went, or it was opened */
    bool                     ended;
    size_t                   session_len, caller_len;
    char                     names[]; /* the session's, the caller's */
};

struct replays {
    tenon_allocator         memory;
    struct tn_clock         clock;
    struct tn_replay_limits limits;
    pthread_mutex_t         lock;
    struct replay          *first, **last;
    struct replay          *buckets[BUCKETS];
    size_t                  count, bytes;
    uint64_t                streams;            /* so far */
    char                    boot[BOOT_LEN + 1]; /* what all ids begin with */
};

struct replays *tn_replays_new(const tenon_allocator *memory, struct tn_clock clock,
                               const struct tn_replay_limits *limits)
{
    tenon_allocator from  = tn_memory_of(memory);
    struct replays *store = tn_memory_new(&from, sizeof *store);

    if (!store)
        return NULL;
    *store = (struct replays){
        .memory = from,
        .clock  = clock.now_ms ? clock : tn_clock_system(),
        .limits = limits ? *limits : (struct tn_replay_limits){ 0 },
    };
    store->last = &store->first;
    if (store->limits.stream_bytes == 0)
        store->limits.stream_bytes = STREAM_BYTES;
    if (store->limits.total_bytes == 0)
        store->limits.total_bytes = TOTAL_BYTES;
    if (store->limits.streams == 0)
        store->limits.streams = STREAMS;
    if (store->limits.session_streams == 0)
        store->limits.session_streams = SESSION_STREAMS;
    if (store->limits.keep_ms == 0)
        store->limits.keep_ms = KEEP_MS;
    if (pthread_mutex_init(&store->lock, NULL) != 0) {
        tn_memory_free(&from, store, sizeof *store);
        return NULL;
    }
    tn_boot_name(store->boot);
    return store;
}

struct tn_slice tn_replays_boot(const struct replays *replays)
{
    return (struct tn_slice){ replays->boot, BOOT_LEN };
}

static int64_t replay_now(const struct replays *store)
{
    return store->clock.now_ms(store->clock.user);
}

/* ---- All below with the lock held, but for what is exported ---------------------------------------------------- */

static struct tn_slice session_of(const struct replay *replay)
{
    return (struct tn_slice){ replay->names, replay->session_len };
}

static struct tn_slice caller_of(const struct replay *replay)
{
    return (struct tn_slice){ replay->names + replay->session_len, replay->caller_len };
}

static bool is_same(struct tn_slice a, struct tn_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static struct replay **replay_bucket_of(struct replays *store, struct tn_slice session)
{
    return &store->buckets[tn_table_hash(session) % BUCKETS];
}

static size_t size_of(const struct replay *replay)
{
    return sizeof *replay + replay->session_len + replay->caller_len;
}

static void drop_first(struct replay *replay)
{
    struct replays *store = replay->store;
    struct event   *event = replay->first;

    tn_account_give(replay->account, HELD_REPLAYS, sizeof *event + event->len);
    replay->first = event->next;
    if (!replay->first)
        replay->last = &replay->first;
    replay->bytes -= event->len;
    store->bytes -= event->len;
    if (event->number > replay->read)
        replay->unread -= event->len;
    tn_memory_scrub(event->json, event->len);
    tn_memory_free(&store->memory, event, sizeof *event + event->len);
}

static void replay_let_go(struct replay *replay)
{
    assert(replay->refs > 0);
    if (--replay->refs > 0)
        return;
    while (replay->first)
        drop_first(replay);
    tn_account_give(replay->account, HELD_REPLAYS, size_of(replay));
    tn_account_release(replay->account);
    tn_memory_free(&replay->store->memory, replay, size_of(replay));
}

static void wake(struct replay *replay)
{
    if (replay->reader)
        replay->reader->wake(replay->reader);
}

/* Takes it off the list. Its events go at once: nobody can come back for them. */
static void replay_forget(struct replay *replay)
{
    struct replays *store = replay->store;
    struct replay **peer  = replay_bucket_of(store, session_of(replay));

    if (!replay->link)
        return;
    while (*peer != replay)
        peer = &(*peer)->peer;
    *peer         = replay->peer;
    *replay->link = replay->next;
    if (replay->next)
        replay->next->link = replay->link;
    else
        store->last = replay->link;
    replay->link = NULL;
    store->count--;
    wake(replay);
    replay->reader = NULL;
    while (replay->first)
        drop_first(replay);
    replay_let_go(replay);
}

static bool is_old(const struct replay *replay, int64_t at_ms)
{
    return !replay->reader && at_ms - replay->left_ms >= replay->store->limits.keep_ms;
}

static void forget_old(struct replays *store)
{
    int64_t at_ms = replay_now(store);

    for (struct replay *replay = store->first, *next; replay; replay = next) {
        next = replay->next;
        if (is_old(replay, at_ms))
            replay_forget(replay);
    }
}

/* Of two streams without a reader, the older first: would `other` be missed less? */
static bool is_missed_less(const struct replay *other, const struct replay *found)
{
    size_t held = tn_account_holds(other->account, HELD_REPLAYS),
           most = tn_account_holds(found->account, HELD_REPLAYS);

    return held > most || (held == most && other->ended && !found->ended);
}

/* The first one that is not being read, of the session if one is given: of the caller who holds most, and at least as much as
 * `account` does; one that has ended before one that goes on. */
static struct replay *least_missed(struct replays *store, const struct tn_slice *session,
                                   const struct tn_account *account, const struct replay *but)
{
    size_t         least = tn_account_holds(account, HELD_REPLAYS);
    struct replay *found = NULL;

    for (struct replay *replay = store->first; replay; replay = replay->next) {
        if (replay == but || replay->reader || (session && !is_same(session_of(replay), *session)) ||
            tn_account_holds(replay->account, HELD_REPLAYS) < least)
            continue;
        if (!found || is_missed_less(replay, found))
            found = replay;
    }
    return found;
}

static size_t count_of(struct replays *store, struct tn_slice session)
{
    size_t count = 0;

    for (const struct replay *replay = *replay_bucket_of(store, session); replay; replay = replay->peer)
        count += is_same(session_of(replay), session);
    return count;
}

static bool replay_make_room(struct replays *store, struct tn_slice session, const struct tn_account *account)
{
    struct replay *goes;

    if (count_of(store, session) >= store->limits.session_streams) {
        goes = least_missed(store, &session, NULL, NULL);
        if (!goes)
            return false;
        replay_forget(goes);
    }
    if (store->count >= store->limits.streams) {
        goes = least_missed(store, NULL, account, NULL);
        if (!goes)
            return false;
        replay_forget(goes);
    }
    return true;
}

static struct replay *open_stream(struct replays *store, struct tn_slice session, struct tn_slice caller,
                                  struct tn_account *account, struct tn_replay_reader *reader)
{
    struct replay *replay, **bucket;

    if (session.len == 0 || !replay_make_room(store, session, account))
        return NULL;
    bucket = replay_bucket_of(store, session);
    replay = tn_memory_new(&store->memory, sizeof *replay + session.len + caller.len);
    if (!replay)
        return NULL;
    *replay = (struct replay){
        .store       = store,
        .link        = store->last,
        .peer        = *bucket,
        .refs        = 2, /* the list's, and the caller's */
        .stream      = ++store->streams,
        .account     = account,
        .reader      = reader,
        .left_ms     = replay_now(store),
        .session_len = session.len,
        .caller_len  = caller.len,
    };
    tn_account_hold(account);
    tn_account_force(account, HELD_REPLAYS, size_of(replay)); /* their number has a bound of its own */
    replay->last = &replay->first;
    memcpy(replay->names, session.at, session.len);
    if (caller.len > 0)
        memcpy(replay->names + session.len, caller.at, caller.len);
    *store->last = replay;
    store->last  = &replay->next;
    *bucket      = replay;
    store->count++;
    return replay;
}

struct replay *tn_replay_open(struct replays *replays, struct tn_slice session, struct tn_slice caller,
                              struct tn_account *account, struct tn_replay_reader *reader)
{
    struct replay *replay;

    pthread_mutex_lock(&replays->lock);
    replay = open_stream(replays, session, caller, account, reader);
    pthread_mutex_unlock(&replays->lock);
    return replay;
}

/* ---- Ids ------------------------------------------------------------------------------------------------------- */

/* The id of an event, in `room` for REPLAY_ID_MAX bytes and a NUL. */
static struct tn_slice write_id(const struct replay *replay, uint64_t number, char *room)
{
    int len = snprintf(room, REPLAY_ID_MAX + 1, "%s-%" PRIx64 "-%" PRIu64, replay->store->boot,
                       replay->stream, number);

    return (struct tn_slice){ room, (size_t)len };
}

/* All of `text` is a number without leading zeros. */
static bool read_number(struct tn_slice text, unsigned base, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";

    *value = 0;
    if (text.len == 0 || text.len > DIGITS_MAX || (text.len > 1 && text.at[0] == '0'))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        const char *digit = memchr(digits, text.at[i], base);

        if (!digit || *value > (UINT64_MAX - (uint64_t)(digit - digits)) / base)
            return false;
        *value = *value * base + (uint64_t)(digit - digits);
    }
    return true;
}

/* An id of this store, taken apart. */
static bool replay_read_id(const struct replays *store, struct tn_slice id, uint64_t *stream,
                           uint64_t *number)
{
    struct tn_slice boot, stream_text;

    return id.len <= REPLAY_ID_MAX && tn_slice_split(&id, '-', &boot) &&
           is_same(boot, tn_replays_boot(store)) && tn_slice_split(&id, '-', &stream_text) &&
           read_number(stream_text, 16, stream) && read_number(id, 10, number);
}

struct tn_slice tn_replay_first_id(const struct replay *replay, char *room)
{
    return write_id(replay, 0, room); /* `stream` never changes: no lock */
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static struct replay *replay_find(struct replays *store, struct tn_slice session, struct tn_slice caller,
                                  uint64_t stream)
{
    for (struct replay *replay = *replay_bucket_of(store, session); replay; replay = replay->peer)
        if (replay->stream == stream)
            return is_same(session_of(replay), session) && is_same(caller_of(replay), caller) ? replay : NULL;
    return NULL;
}

/* Reads on behind `number`. Of what was too much the oldest is missing, and the client goes on with the rest: that is what
 * has the answer. False when nothing at all is left. */
static bool read_from(struct replay *replay, uint64_t number)
{
    size_t unread = 0;

    if (number > replay->newest || (number < replay->newest && !replay->first))
        return false;
    for (const struct event *event = replay->first; event; event = event->next)
        if (event->number > number)
            unread += event->len;
    replay->unread = unread;
    replay->read   = number;
    return true;
}

static struct replay *replay_resume(struct replays *store, struct tn_slice session, struct tn_slice caller,
                                    struct tn_slice event, struct tn_replay_reader *reader)
{
    uint64_t       stream, number;
    struct replay *replay;

    replay = session.len && replay_read_id(store, event, &stream, &number)
                 ? replay_find(store, session, caller, stream)
                 : NULL;
    if (replay && is_old(replay, replay_now(store))) {
        replay_forget(replay);
        return NULL;
    }
    if (!replay || !read_from(replay, number))
        return NULL;
    wake(replay); /* its reader will find that it is taken */
    replay->reader = reader;
    replay->refs++;
    return replay;
}

struct replay *tn_replay_resume(struct replays *replays, struct tn_slice session, struct tn_slice caller,
                                struct tn_slice event, struct tn_replay_reader *reader)
{
    struct replay *replay;

    pthread_mutex_lock(&replays->lock);
    replay = replay_resume(replays, session, caller, event, reader);
    pthread_mutex_unlock(&replays->lock);
    return replay;
}

void tn_replay_hold(struct replay *replay)
{
    pthread_mutex_lock(&replay->store->lock);
    replay->refs++;
    pthread_mutex_unlock(&replay->store->lock);
}

void tn_replay_release(struct replay *replay)
{
    pthread_mutex_t *lock;

    if (!replay)
        return;
    lock = &replay->store->lock;
    pthread_mutex_lock(lock);
    replay_let_go(replay);
    pthread_mutex_unlock(lock);
}

static void write_unread(struct replay *replay, struct tn_buf *out)
{
    char   id[REPLAY_ID_MAX + 1] = "";
    size_t before                = out->len;

    for (const struct event *event = replay->first; event; event = event->next)
        if (event->number > replay->read)
            tn_sse_event(out, write_id(replay, event->number, id),
                         (struct tn_slice){ event->json, event->len });
    if (out->failed) {
        out->len = before;
        return;
    }
    replay->read   = replay->newest;
    replay->unread = 0;
}

/* What was read may be asked for again; it is kept within the bound. */
static void replay_trim(struct replay *replay)
{
    size_t most = replay->store->limits.stream_bytes;

    while (replay->bytes > most && replay->first &&
           (!replay->reader || replay->first->number <= replay->read))
        drop_first(replay);
}

enum tn_replay_next tn_replay_read(struct replay *replay, const struct tn_replay_reader *reader,
                                   struct tn_buf *out)
{
    enum tn_replay_next next = REPLAY_TAKEN;

    pthread_mutex_lock(&replay->store->lock);
    if (replay->reader == reader) {
        write_unread(replay, out);
        replay_trim(replay);
        next = replay->ended && replay->read == replay->newest ? REPLAY_OVER : REPLAY_WAIT;
    }
    pthread_mutex_unlock(&replay->store->lock);
    return next;
}

void tn_replay_leave(struct replay *replay, const struct tn_replay_reader *reader)
{
    pthread_mutex_lock(&replay->store->lock);
    if (replay->reader == reader) {
        replay->reader  = NULL;
        replay->left_ms = replay_now(replay->store);
        replay_trim(replay);
    }
    pthread_mutex_unlock(&replay->store->lock);
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/* Does one more event of `len` bytes fit in all, and in its caller's share? */
static bool take_bytes(const struct replay *replay, size_t len)
{
    const struct replays *store = replay->store;

    return store->bytes + len <= store->limits.total_bytes &&
           tn_account_take(replay->account, HELD_REPLAYS, sizeof(struct event) + len);
}

/* Room for `len` more bytes, as far as others do not read theirs just now. What a live reader waits for is kept all the
 * same. */
static void make_bytes(struct replay *replay, size_t len)
{
    struct replay *goes;
    bool           taken = take_bytes(replay, len);

    while (!taken && (goes = least_missed(replay->store, NULL, replay->account, replay)) != NULL) {
        replay_forget(goes);
        taken = take_bytes(replay, len);
    }
    while (!taken && replay->first && replay->first->number <= replay->read) {
        drop_first(replay);
        taken = take_bytes(replay, len);
    }
    if (!taken)
        tn_account_force(replay->account, HELD_REPLAYS, sizeof(struct event) + len);
}

static void replay_keep(struct replay *replay, struct tn_slice json, bool may_be_lost)
{
    struct replays *store = replay->store;
    struct event   *event;

    if (!replay->link || replay->ended || (may_be_lost && replay->reader && replay->unread > UNREAD_BYTES))
        return;
    make_bytes(replay, json.len);
    event = tn_memory_new(&store->memory, sizeof *event + json.len);
    if (!event) { /* better no stream than one with a hole that nobody sees */
        tn_account_give(replay->account, HELD_REPLAYS, sizeof *event + json.len);
        replay_forget(replay);
        return;
    }
    replay->newest++;
    *event = (struct event){ .number = replay->newest, .len = json.len };
    if (json.len > 0)
        memcpy(event->json, json.at, json.len);
    *replay->last = event;
    replay->last  = &event->next;
    replay->bytes += json.len;
    replay->unread += json.len;
    store->bytes += json.len;
    replay_trim(replay);
}

void tn_replay_keep(struct replay *replay, struct tn_slice json, bool may_be_lost)
{
    pthread_mutex_lock(&replay->store->lock);
    replay_keep(replay, json, may_be_lost);
    wake(replay);
    pthread_mutex_unlock(&replay->store->lock);
}

void tn_replay_end(struct replay *replay)
{
    pthread_mutex_lock(&replay->store->lock);
    replay->ended = true;
    wake(replay);
    pthread_mutex_unlock(&replay->store->lock);
}

/* ---- Forgetting ------------------------------------------------------------------------------------------------ */

bool tn_replay_is_lost(struct replay *replay)
{
    bool is_lost;

    pthread_mutex_lock(&replay->store->lock);
    if (is_old(replay, replay_now(replay->store)))
        replay_forget(replay);
    is_lost = !replay->link;
    pthread_mutex_unlock(&replay->store->lock);
    return is_lost;
}

void tn_replays_forget(struct replays *replays, struct tn_slice session)
{
    pthread_mutex_lock(&replays->lock);
    for (struct replay *replay = *replay_bucket_of(replays, session), *next; replay; replay = next) {
        next = replay->peer;
        if (is_same(session_of(replay), session))
            replay_forget(replay);
    }
    pthread_mutex_unlock(&replays->lock);
}

void tn_replays_tick(struct replays *replays)
{
    pthread_mutex_lock(&replays->lock);
    forget_old(replays);
    pthread_mutex_unlock(&replays->lock);
}

void tn_replays_free(struct replays *replays)
{
    if (!replays)
        return;
    while (replays->first)
        replay_forget(replays->first);
    pthread_mutex_destroy(&replays->lock);
    tn_memory_free(&replays->memory, replays, sizeof *replays);
}
