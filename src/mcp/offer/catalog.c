/* catalog.c - the lists, page by page.
 *
 * A cursor is a sealed index: it is good for its list only, and whatever is hidden or shown in between, no entry is
 * listed twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/exchange.h"
#include "mcp/offer/listed.h"
#include "mcp/phrases.h"

#define CURSOR_MS ((int64_t)24 * 3600 * 1000)

static const char *const purposes[LISTS] = { "list tools", "list prompts", "list resources", "list templates",
                                             "list skills" };

/* Where the page begins; false for a cursor that is not ours. */
static bool read_cursor(struct tn_exchange *x, enum tn_list list, size_t *index)
{
    yyjson_val     *cursor = tn_rpc_get(x->params, "cursor");
    tenon_server   *server = x->server;
    struct tn_slice payload;

    *index = 0;
    if (!cursor || yyjson_is_null(cursor) || yyjson_equals_strn(cursor, "", 0))
        return true;
    if (!yyjson_is_str(cursor) ||
        !tn_seal_open(&server->keys, &x->arena, purposes[list], (struct tn_slice){ "", 0 },
                      server->clock.wall_ms(server->clock.user), tn_rpc_text(cursor), &payload) ||
        payload.len != sizeof *index)
        return false;
    memcpy(index, payload.at, sizeof *index);
    return *index <= server->lists[list].count;
}

static void write_cursor(struct tn_exchange *x, struct tn_buf *out, enum tn_list list, size_t index)
{
    tenon_server   *server = x->server;
    int64_t         until  = server->clock.wall_ms(server->clock.user) + CURSOR_MS;
    struct tn_slice token = tn_seal_text(&server->keys, &x->arena, purposes[list], (struct tn_slice){ "", 0 },
                                         until, (struct tn_slice){ (const char *)&index, sizeof index });

    tn_result_key(out, "nextCursor");
    tn_json_string(out, token.at, token.len);
}

static void catalog_write(struct tn_exchange *x, struct tn_buf *out, enum tn_list list,
                          struct tn_entry *entry)
{
    bool            old  = x->version < V2025_06_18;
    struct tn_slice text = old ? entry->old : entry->text;

    if (list == LIST_TOOLS)
        tn_listed_write(x->server, out, entry, old);
    else
        tn_buf_add(out, text.at, text.len);
}

void tn_catalog_list(struct tn_exchange *x, enum tn_list list, const char *key)
{
    const struct tn_entries *entries = &x->server->lists[list];
    size_t                   index, written = 0;
    struct tn_buf            out;

    if (!read_cursor(x, list, &index)) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, (struct tn_slice){ NULL, 0 }, SAY_BAD_CURSOR);
        return;
    }
    out = tn_result_begin(x);
    tn_result_key(&out, key);
    tn_buf_char(&out, '[');
    for (; index < entries->count && written < x->server->options.page; index++) {
        struct tn_entry *entry = &entries->at[index];

        if (entry->unlisted || atomic_load_explicit(&entry->hidden, memory_order_relaxed))
            continue;
        if (written++ > 0)
            tn_buf_char(&out, ',');
        catalog_write(x, &out, list, entry);
    }
    tn_buf_char(&out, ']');
    if (index < entries->count)
        write_cursor(x, &out, list, index);
    tn_result_cacheable(x, &out, x->server->options.ttl_ms, false);
    tn_result_end(x, &out);
}
