/* news.c - what has changed, to the other processes and from them: a message names all that has changed since the last one. */
#include <sodium.h>

#include "json/read.h"
#include "json/write.h"
#include "mcp/ended.h"
#include "mcp/offer/subscribe.h"
#include "mcp/session.h"
#include "mcp/share/share.h"

#define PURPOSE     "share news"
#define SAME_LOOKS  16 /* of the newest: what changes often is there once */
#define FOR_EVER    (INT64_MAX / 2)
#define UNBOUND     ((struct tn_slice){ "", 0 })

static const struct tn_json_limits message_limits = { .bytes = SEAL_PAYLOAD_MAX,
                                                      .depth = 4,
                                                      .nodes = SEAL_PAYLOAD_MAX };

static const char *const names[NEWS_KINDS] = {
    [NEWS_UPDATED] = "updated", [NEWS_TASK] = "task", [NEWS_SESSION] = "session", [NEWS_ENDED] = "ended"
};

/* ---- To the others ------------------------------------------------------------------------------------------- */

static bool is_noted(const struct tn_shared *share, enum tn_news kind, struct tn_slice key)
{
    const struct tn_piece *at = share->news;

    for (size_t i = 0; at && i < SAME_LOOKS; i++, at = at->next)
        if (at->kind == kind && tn_slice_same(at->key, key))
            return true;
    return false;
}

static bool keep_piece(struct tn_shared *share, enum tn_news kind, struct tn_slice key)
{
    struct tn_piece *piece = NULL;
    const char      *copy  = NULL;

    if (share->news_bytes + key.len > SHARE_NEWS_BYTES)
        return false;
    piece = tn_arena_new(&share->keys, struct tn_piece);
    copy  = piece ? tn_arena_copy(&share->keys, key.at, key.len) : NULL;
    if (!copy)
        return false;
    *piece      = (struct tn_piece){ share->news, kind, { copy, key.len } };
    share->news = piece;
    share->news_bytes += key.len + sizeof *piece / 4;
    return true;
}

void tn_share_note(struct tn_shared *share, enum tn_news kind, struct tn_slice key)
{
    if (!share)
        return;
    pthread_mutex_lock(&share->lock);
    if (!is_noted(share, kind, key) && !keep_piece(share, kind, key))
        share->everything = true;
    pthread_cond_signal(&share->more);
    pthread_mutex_unlock(&share->lock);
}

void tn_share_changed(struct tn_shared *share, enum tn_list list)
{
    if (!share)
        return;
    pthread_mutex_lock(&share->lock);
    share->lists[list] = true;
    pthread_cond_signal(&share->more);
    pthread_mutex_unlock(&share->lock);
}

static void write_lists(struct tn_buf *out, const struct tn_shared *share)
{
    tn_buf_lit(out, "\"lists\":[");
    for (size_t i = 0, count = 0; i < LISTS; i++)
        if (share->lists[i]) {
            if (count++ > 0)
                tn_buf_char(out, ',');
            tn_buf_uint(out, i);
        }
    tn_buf_char(out, ']');
}

static void write_keys(struct tn_buf *out, const struct tn_shared *share, enum tn_news kind)
{
    size_t count = 0;

    tn_buf_addf(out, ",\"%s\":[", names[kind]);
    for (const struct tn_piece *at = share->news; at; at = at->next)
        if (at->kind == kind) {
            if (count++ > 0)
                tn_buf_char(out, ',');
            tn_json_string(out, at->key.at, at->key.len);
        }
    tn_buf_char(out, ']');
}

/* What waits, which waits no more; empty when nothing does. With the lock held. */
static struct tn_slice take_message(struct tn_shared *share, struct tn_arena *arena)
{
    struct tn_buf out;
    bool          some = share->everything || share->news;

    for (size_t i = 0; i < LISTS; i++)
        some = some || share->lists[i];
    tn_buf_init(&out, arena, 256, SEAL_PAYLOAD_MAX);
    if (!some)
        return tn_buf_slice(&out);
    tn_buf_text(&out, share->everything ? "{\"everything\":true," : "{");
    write_lists(&out, share);
    for (enum tn_news kind = 0; kind < NEWS_KINDS; kind++)
        write_keys(&out, share, kind);
    tn_buf_char(&out, '}');
    memset(share->lists, 0, sizeof share->lists);
    share->everything = false;
    share->news       = NULL;
    share->news_bytes = 0;
    tn_arena_reset(&share->keys);
    if (!out.failed)
        return tn_buf_slice(&out);
    share->everything = true; /* to be reported next time */
    return (struct tn_slice){ NULL, 0 };
}

/* What was not sent may be anything by the time that it can be. */
static void say_everything(struct tn_shared *share)
{
    pthread_mutex_lock(&share->lock);
    share->everything = true;
    pthread_mutex_unlock(&share->lock);
}

bool tn_share_send(struct tn_shared *share)
{
    struct tn_arena arena;
    struct tn_slice message, sealed = { NULL, 0 };
    bool            sent;

    tn_arena_init(&arena, &share->server->memory, 0);
    pthread_mutex_lock(&share->lock);
    message = take_message(share, &arena);
    pthread_mutex_unlock(&share->lock);
    sent = message.len == 0;
    if (!sent)
        sealed = tn_seal_text(&share->server->keys, &arena, PURPOSE, UNBOUND, FOR_EVER, message);
    if (sealed.len > 0)
        sent = share->store.publish(share->store.user, share->process.at,
                                    tn_arena_copy(&arena, sealed.at, sealed.len)) == TENON_SHARE_DONE;
    if (!sent)
        say_everything(share);
    tn_arena_rest(&arena, 0);
    return sent;
}

/* ---- From the others ----------------------------------------------------------------------------------------- */

static void take_ended(struct tn_shared *share, struct tn_slice hex)
{
    unsigned char key[ENDED_KEY_LEN];
    size_t        len;

    if (sodium_hex2bin(key, sizeof key, hex.at, hex.len, NULL, &len, NULL) == 0 && len == sizeof key)
        tn_mcp_session_ended(share->server, key);
}

static void take_key(struct tn_shared *share, enum tn_news kind, struct tn_slice key)
{
    switch (kind) {
    case NEWS_UPDATED: tn_subscribe_updated_for(share->server, key, key, NULL, NULL); break;
    case NEWS_TASK: tn_share_task_changed(share, key); break;
    case NEWS_SESSION: tn_share_session_changed(share, key); break;
    default: take_ended(share, key); break;
    }
}

static void take_keys(struct tn_shared *share, enum tn_news kind, yyjson_val *keys)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(keys);
    yyjson_val     *key;

    while ((key = yyjson_arr_iter_next(&items)))
        if (yyjson_is_str(key))
            take_key(share, kind, tn_rpc_text(key));
}

static void take_lists(struct tn_shared *share, yyjson_val *lists)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(lists);
    yyjson_val     *list;

    while ((list = yyjson_arr_iter_next(&items)))
        if (yyjson_is_uint(list) && yyjson_get_uint(list) < LISTS)
            tn_subscribe_list_changed(share->server, (enum tn_list)yyjson_get_uint(list));
}

void tn_share_take(struct tn_shared *share, const char *sealed)
{
    struct tn_arena     arena;
    struct tn_slice     message;
    struct tn_json_text text;

    tn_arena_init(&arena, &share->server->memory, 0);
    if (tn_seal_open(&share->server->keys, &arena, PURPOSE, UNBOUND, 0, tn_slice_of(sealed), &message)) {
        text = tn_json_read(&arena, message.at, message.len, &message_limits);
        if (!text.root || yyjson_is_true(tn_rpc_get(text.root, "everything")))
            tn_share_missed(share);
        take_lists(share, tn_rpc_get(text.root, "lists"));
        for (enum tn_news kind = 0; text.root && kind < NEWS_KINDS; kind++)
            take_keys(share, kind, tn_rpc_get(text.root, names[kind]));
    }
    tn_arena_rest(&arena, 0);
}

static void grow_stale(struct tn_session *session, void *user)
{
    (void)user;
    if (session->on_http)
        tn_share_session_refresh(session);
}

void tn_share_missed(struct tn_shared *share)
{
    for (enum tn_list list = 0; list < LISTS; list++)
        if (list != LIST_TEMPLATES) /* they are reported as resources */
            tn_subscribe_list_changed(share->server, list);
    tn_share_read_ended(share);
    tn_share_tasks_changed(share);
    tn_sessions_each(share->server, grow_stale, NULL);
}
