/* session_row.c - what a session's id cannot hold, in a row of its key: log level, subscriptions, what was remembered.
 *
 * The row is the truth. It is changed first, then the session here; other processes that have the session are notified and
 * read it again. One that takes a session over reads it before anything of the session runs.
 */
#include <sodium.h>
#include <string.h>

#include "json/read.h"
#include "json/write.h"
#include "mcp/ended.h"
#include "mcp/offer/watch.h"
#include "mcp/session.h"
#include "mcp/share/share.h"

#define ROW_BYTES_MAX ((size_t)512 << 10)
#define ENDED_MOST    ENDED_MAX

static const struct tn_json_limits row_limits = { .bytes = ROW_BYTES_MAX, .depth = 4, .nodes = 16384 };

struct kept {
    int             level; /* -1: none */
    bool            remembers;
    struct tn_slice remembered, uris[SESSION_WATCHED_MAX];
    size_t          uri_count, uri_bytes;
};

/* ---- The row's text ------------------------------------------------------------------------------------------ */

static void add_uri(struct kept *kept, struct tn_slice uri)
{
    kept->uris[kept->uri_count++] = uri;
    kept->uri_bytes += uri.len;
}

static void read_kept(struct tn_arena *arena, struct tn_slice text, struct kept *kept)
{
    struct tn_json_text json  = tn_json_read(arena, text.at, text.len, &row_limits);
    yyjson_val         *level = tn_rpc_get(json.root, "level"), *remembered, *uri;
    yyjson_arr_iter     uris  = yyjson_arr_iter_with(tn_rpc_get(json.root, "watched"));

    if (yyjson_is_int(level))
        kept->level = yyjson_get_int(level);
    remembered       = tn_rpc_get(json.root, "remembered");
    kept->remembers  = yyjson_is_str(remembered);
    kept->remembered = tn_rpc_text(remembered);
    while ((uri = yyjson_arr_iter_next(&uris)) && kept->uri_count < SESSION_WATCHED_MAX)
        if (yyjson_is_str(uri))
            add_uri(kept, tn_rpc_text(uri));
}

static struct tn_slice write_kept(struct tn_arena *arena, const struct kept *kept)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 256, ROW_BYTES_MAX);
    tn_buf_lit(&out, "{\"level\":");
    tn_buf_int(&out, kept->level);
    if (kept->remembers) {
        tn_buf_lit(&out, ",\"remembered\":");
        tn_json_string(&out, kept->remembered.at, kept->remembered.len);
    }
    tn_buf_lit(&out, ",\"watched\":[");
    for (size_t i = 0; i < kept->uri_count; i++) {
        if (i > 0)
            tn_buf_char(&out, ',');
        tn_json_string(&out, kept->uris[i].at, kept->uris[i].len);
    }
    tn_buf_lit(&out, "]}");
    return tn_buf_slice(&out);
}

static void name_row(const struct tn_session *session, struct tn_share_row *row)
{
    *row = (struct tn_share_row){ .kind = "session", .done = true, .ttl_ms = SESSION_ID_MS };
    sodium_bin2hex(row->key, sizeof row->key, session->key, SESSION_KEY_LEN);
}

/* ---- The session here ---------------------------------------------------------------------------------------- */

static void set_remembered(struct tn_session *session, const struct kept *kept)
{
    const tenon_allocator *memory = &session->server->memory;
    size_t                 room   = kept->remembers ? kept->remembered.len + 1 : 0, old_room;
    char                  *copy   = room > 0 ? tn_memory_new(memory, room) : NULL, *old;

    if (room > 0 && !copy)
        return;
    if (copy) {
        memcpy(copy, kept->remembered.at, kept->remembered.len);
        copy[kept->remembered.len] = '\0';
    }
    pthread_mutex_lock(&session->lock);
    old                      = session->remembered;
    old_room                 = session->remembered_room;
    session->remembered      = copy;
    session->remembered_room = room;
    session->log_level       = kept->level;
    pthread_mutex_unlock(&session->lock);
    tn_memory_free(memory, old, old_room);
}

/* False when a subscription finds no room. */
static bool apply(struct tn_session *session, const struct kept *kept)
{
    bool whole = true;

    set_remembered(session, kept);
    tn_watch_keep(session, kept->uris, kept->uri_count);
    for (size_t i = 0; i < kept->uri_count; i++)
        whole = tn_watch_add(session, kept->uris[i]) && whole;
    atomic_store(&session->stale, false);
    return whole;
}

/* ---- Reading and writing ------------------------------------------------------------------------------------- */

static struct kept *read_session(struct tn_session *session, struct tn_arena *arena, struct tn_share_row *row)
{
    struct kept       *kept = tn_arena_new(arena, struct kept);
    tenon_share_result result;

    if (!kept)
        return NULL;
    kept->level = -1;
    name_row(session, row);
    result = tn_share_get(session->server->share, arena, row);
    if (result == TENON_SHARE_DONE)
        read_kept(arena, row->text, kept);
    return (result == TENON_SHARE_DONE || result == TENON_SHARE_OTHER) && !arena->failed ? kept : NULL;
}

bool tn_share_session_refresh(struct tn_session *session)
{
    struct tn_arena     arena;
    struct tn_share_row row;
    const struct kept  *kept;

    tn_arena_init(&arena, &session->server->memory, 0);
    kept = read_session(session, &arena, &row);
    if (kept)
        apply(session, kept);
    tn_arena_rest(&arena, 0);
    return kept != NULL;
}

static size_t find_uri(const struct kept *kept, struct tn_slice uri)
{
    size_t at = 0;

    while (at < kept->uri_count && !tn_slice_same(kept->uris[at], uri))
        at++;
    return at;
}

/* False when there is no room for it. */
static bool make_change(struct kept *kept, enum tn_session_change change, int level, struct tn_slice text)
{
    size_t at = find_uri(kept, text);

    if (change == SESSION_LEVEL) {
        kept->level = level;
    } else if (change == SESSION_REMEMBER) {
        kept->remembers  = true;
        kept->remembered = text;
    } else if (change == SESSION_UNWATCH && at < kept->uri_count) {
        kept->uris[at] = kept->uris[--kept->uri_count];
    } else if (change == SESSION_WATCH && at == kept->uri_count) {
        if (kept->uri_count == SESSION_WATCHED_MAX || kept->uri_bytes + text.len > SESSION_WATCHED_BYTES)
            return false;
        add_uri(kept, text);
    }
    return true;
}

static tenon_share_result change_once(struct tn_session *session, struct tn_arena *arena,
                                      enum tn_session_change change, int level, struct tn_slice text)
{
    struct tn_shared   *share = session->server->share;
    struct tn_share_row row;
    struct kept        *kept = read_session(session, arena, &row);
    tenon_share_result  result;

    if (!kept)
        return TENON_SHARE_DOWN;
    if (!make_change(kept, change, level, text))
        return TENON_SHARE_FULL;
    row.done = true;
    row.text = write_kept(arena, kept);
    result   = row.text.len > 0 ? tn_share_put(share, arena, &row, session->account, &share->sessions)
                                : TENON_SHARE_DOWN;
    if (result == TENON_SHARE_DONE && !apply(session, kept))
        result = TENON_SHARE_FULL;
    if (result == TENON_SHARE_DONE)
        tn_share_note(share, NEWS_SESSION, tn_slice_of(row.key));
    return result;
}

tenon_share_result tn_share_session_change(struct tn_session *session, enum tn_session_change change,
                                           int level, struct tn_slice text)
{
    tenon_share_result result = TENON_SHARE_OTHER;

    for (int i = 0; i < SHARE_TURNS && result == TENON_SHARE_OTHER; i++) {
        struct tn_arena arena;

        tn_arena_init(&arena, &session->server->memory, 0);
        result = change_once(session, &arena, change, level, text);
        tn_arena_rest(&arena, 0);
    }
    return result == TENON_SHARE_OTHER ? TENON_SHARE_DOWN : result;
}

void tn_share_session_changed(struct tn_shared *share, struct tn_slice hex)
{
    unsigned char      key[SESSION_KEY_LEN];
    struct tn_session *session;
    size_t             len;

    if (sodium_hex2bin(key, sizeof key, hex.at, hex.len, NULL, &len, NULL) != 0 || len != sizeof key)
        return;
    session = tn_session_known(share->server, key);
    if (!session)
        return;
    atomic_store(&session->stale, true); /* also when the row cannot be read now */
    tn_share_session_refresh(session);
    tn_session_release(session);
}

/* ---- Ended ones ---------------------------------------------------------------------------------------------- */

tenon_share_result tn_share_session_ended(struct tn_shared *share, const unsigned char *key,
                                          const struct tn_account *account, int64_t ttl_ms)
{
    const tenon_share_limits limits = { .size  = sizeof limits,
                                        .rows  = ENDED_MOST,
                                        .share = share->sessions.share };
    struct tn_share_row      row    = { .kind = "ended", .done = true, .ttl_ms = ttl_ms };
    struct tn_arena          arena;
    tenon_share_result       result;

    sodium_bin2hex(row.key, sizeof row.key, key, ENDED_KEY_LEN);
    tn_arena_init(&arena, &share->server->memory, 0);
    result = tn_share_put(share, &arena, &row, account, &limits);
    tn_arena_rest(&arena, 0);
    if (result == TENON_SHARE_DONE)
        tn_share_note(share, NEWS_ENDED, tn_slice_of(row.key));
    return result;
}

static void take_ended_row(void *user, const tenon_share_row *row)
{
    struct tn_shared *share = user;
    unsigned char     key[ENDED_KEY_LEN];
    size_t            len;

    if (sodium_hex2bin(key, sizeof key, row->key, strlen(row->key), NULL, &len, NULL) == 0 &&
        len == sizeof key)
        tn_mcp_session_ended(share->server, key);
}

bool tn_share_read_ended(struct tn_shared *share)
{
    return share->store.read(share->store.user, "ended", NULL, take_ended_row, share) == TENON_SHARE_DONE;
}
