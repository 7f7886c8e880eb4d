/* row.c - one row, sealed with the key file: the store sees when it changes, how long it is, and nothing of what is in it. */
#include <string.h>

#include <sodium.h>

#include "mcp/share/share.h"

#define PURPOSE_MAX 32
#define FOR_EVER    (INT64_MAX / 2) /* when it expires is the store's to say: its clock is the same for all */
#define HOLDER_LEN  16

/* Callers are counted without their names. */
static void name_holder(const struct tn_shared *share, const struct tn_account *account,
                        char holder[HOLDER_LEN * 2 + 1])
{
    unsigned char digest[HOLDER_LEN];

    holder[0] = '\0';
    if (!account || account->name_len == 0)
        return;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)account->name, account->name_len,
                       share->server->keys.at[0], SEAL_KEY_LEN);
    sodium_bin2hex(holder, HOLDER_LEN * 2 + 1, digest, sizeof digest);
}

/* A row cannot be put into the place of another, nor be opened by another caller. */
static struct tn_slice bind_row(struct tn_arena *arena, const struct tn_share_row *row)
{
    struct tn_buf text;

    tn_buf_init(&text, arena, 64, (size_t)1 << 16);
    tn_buf_text(&text, row->kind);
    tn_buf_char(&text, ' ');
    tn_buf_text(&text, row->key);
    tn_buf_char(&text, ' ');
    tn_buf_add(&text, row->bound.at, row->bound.len);
    return tn_buf_slice(&text);
}

struct reading {
    struct tn_shared    *share;
    struct tn_arena     *arena;
    struct tn_share_row *row;
    bool                 opened;
};

static void read_row(void *user, const tenon_share_row *found)
{
    struct reading *reading = user;
    struct tn_slice sealed = tn_slice_of(found->text), bound = bind_row(reading->arena, reading->row);

    reading->row->number = found->number;
    reading->row->state  = found->state;
    reading->row->done   = found->done;
    reading->opened      = bound.len > 0 && tn_seal_long_open(&reading->share->server->keys, reading->arena,
                                                              "share", bound, 0, sealed, &reading->row->text);
}

tenon_share_result tn_share_get(struct tn_shared *share, struct tn_arena *arena, struct tn_share_row *row)
{
    struct reading     reading = { share, arena, row, false };
    tenon_share_result result;

    row->number = 0;
    result      = share->store.read(share->store.user, row->kind, row->key, read_row, &reading);
    if (result != TENON_SHARE_DONE || reading.opened)
        return result;
    return arena->failed ? TENON_SHARE_DOWN : TENON_SHARE_OTHER;
}

tenon_share_result tn_share_put(struct tn_shared *share, struct tn_arena *arena,
                                const struct tn_share_row *row, const struct tn_account *account,
                                const tenon_share_limits *limits)
{
    static const tenon_share_limits none  = { .size = sizeof none };
    struct tn_slice                 bound = bind_row(arena, row), sealed = { NULL, 0 };
    char                            holder[HOLDER_LEN * 2 + 1];
    const char                     *text;

    if (row->text.len > SEAL_LONG_MAX)
        return TENON_SHARE_FULL;
    if (bound.len > 0)
        sealed = tn_seal_long_text(&share->server->keys, arena, "share", bound, FOR_EVER, row->text);
    text = sealed.len > 0 ? tn_arena_copy(arena, sealed.at, sealed.len) : NULL;
    if (!text)
        return TENON_SHARE_DOWN;
    name_holder(share, account, holder);
    return share->store.write(share->store.user,
                              &(tenon_share_row){ .size   = sizeof(tenon_share_row),
                                                  .kind   = row->kind,
                                                  .key    = row->key,
                                                  .holder = holder,
                                                  .owner  = row->done          ? ""
                                                            : row->keeps_owner ? NULL
                                                                               : share->process.at,
                                                  .number = row->number,
                                                  .state  = row->state,
                                                  .done   = row->done,
                                                  .ttl_ms = row->ttl_ms,
                                                  .text   = text },
                              limits ? limits : &none);
}
