/* publish.c - the lists of all upstreams as one, in the order of the configuration, in pages. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "guard/catalog.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/policy/policy.h"
#include "guard/seat.h"

#define NOTHING ((struct tn_slice){ NULL, 0 })

/* A page that is being written. */
struct page {
    struct tn_relay *relay;
    enum tn_list     list;
    struct tn_buf   *out;
    size_t first, next; /* of all entries that this client is shown: on this page, and seen so far */
    size_t from;        /* where entries begin in `out` */
    bool   full;
};

/* ---- Cursors ---------------------------------------------------------------------------------------------------- */

/* What is published to this client now: a cursor of anything else leads nowhere. */
static uint64_t snapshot_of(const struct tn_relay *relay, enum tn_list list)
{
    const struct tn_seat *seat = relay->seat;
    uint64_t              hash = tn_table_hash(relay->x->caller.name) + (uint64_t)list;

    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        const struct tn_link *link = seat->links[i];
        uint64_t              its  = 0;

        if (link && list == LIST_TOOLS && link->catalog)
            its = tn_table_hash(link->catalog->text);
        else if (link && list != LIST_TOOLS && link->lists[list].at)
            its = link->lists[list].at->hash;
        hash = (hash ^ its) * 0x9e3779b97f4a7c15u;
    }
    return hash;
}

/* Where to go on. False when it is a cursor of another list. */
static bool read_cursor(const struct tn_relay *relay, enum tn_list list, size_t *first)
{
    struct tn_slice    cursor = tn_rpc_text(tn_rpc_get(relay->x->params, "cursor"));
    char               text[64], *end;
    unsigned long long at;

    *first = 0;
    if (!tn_rpc_get(relay->x->params, "cursor"))
        return true;
    if (cursor.len < 18 || cursor.len >= sizeof text || cursor.at[16] != '-')
        return false;
    memcpy(text, cursor.at, cursor.len);
    text[cursor.len] = '\0';
    at               = strtoull(text + 17, &end, 10);
    *first           = (size_t)at;
    return strtoull(text, NULL, 16) == snapshot_of(relay, list) && *end == '\0' && at > 0;
}

/* ---- Entries ---------------------------------------------------------------------------------------------------- */

static void add_entry(struct page *page, struct tn_slice text)
{
    if (page->full || page->next++ < page->first)
        return;
    if (page->out->len > page->from && page->out->len - page->from + text.len > LISTS_PAGE) {
        page->full = true;
        page->next--;
        return;
    }
    if (page->out->len > page->from)
        tn_buf_char(page->out, ',');
    tn_buf_add(page->out, text.at, text.len);
}

static void add_tools(struct page *page, const struct tn_link *link)
{
    bool older = tn_link_is_modern(link) && !tn_exchange_is_modern(page->relay->x);

    for (size_t i = 0; link->catalog && i < link->catalog->count; i++) {
        const struct tn_offered *tool = &link->catalog->at[i];

        if (!tool->hidden && !tool->unlisted &&
            tn_names_has(&link->guard->tools, link->upstream, tool->published) &&
            tn_catalog_shows(link->catalog, tool, &page->relay->x->caller))
            add_entry(page, older ? tool->older : tool->text);
    }
}

/* Does an upstream before this one have the same? URIs stay as they are, and the first has them. */
static bool is_shadowed(struct page *page, size_t upstream, struct tn_listed *one)
{
    const struct tn_seat *seat = page->relay->seat;

    if (page->list == LIST_PROMPTS)
        return !tn_names_has(&seat->guard->prompts, &seat->guard->upstreams[upstream], one->published);
    for (size_t i = 0; i < upstream; i++) {
        if (!seat->links[i] || !tn_listing_find(seat->links[i]->lists[page->list].at, one->published))
            continue;
        if (!one->shadowed)
            tn_log_line(&seat->guard->server->log, LOG_WARN, GUARD_LOG_SHADOWED,
                        seat->guard->upstreams[upstream].name, (int)(one->own.len < 100 ? one->own.len : 100),
                        one->own.at, seat->guard->upstreams[i].name);
        one->shadowed = true;
        return true;
    }
    return false;
}

/* Templates are resources, by their text. */
static bool shows_other(const struct page *page, const struct tn_link *link, const struct tn_listed *one)
{
    const struct tn_policy_item item = { .upstream = link->upstream,
                                         .kind = page->list == LIST_PROMPTS ? POLICY_PROMPT : POLICY_RESOURCE,
                                         .name = one->own,
                                         .published = one->published };

    return tn_policy_shows(&page->relay->seat->guard->policy, &page->relay->x->caller, &item);
}

static void add_others(struct page *page, const struct tn_link *link)
{
    struct tn_listing *listing = link->lists[page->list].at;

    for (size_t i = 0; listing && i < listing->count; i++)
        if (!listing->at[i].hidden && shows_other(page, link, &listing->at[i]) &&
            !is_shadowed(page, link->upstream->at, &listing->at[i]))
            add_entry(page, listing->at[i].text);
}

static void add_all(struct page *page)
{
    struct tn_seat *seat = page->relay->seat;

    for (size_t i = 0; i < seat->guard->upstream_count; i++) {
        struct tn_link *link = seat->links[i];

        if (link && !tn_lists_has(link, page->list))
            link->lists[page->list].missed = true;
        else if (link && page->list == LIST_TOOLS)
            add_tools(page, link);
        else if (link)
            add_others(page, link);
    }
}

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

void tn_lists_answer(struct tn_relay *relay, enum tn_list list)
{
    struct tn_exchange *x    = relay->x;
    struct page         page = { .relay = relay, .list = list };
    struct tn_buf       out;

    if (!read_cursor(relay, list, &page.first)) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, "%s", GUARD_CURSOR);
        return;
    }
    out      = tn_result_begin(x);
    page.out = &out;
    tn_result_key(&out, tn_list_words[list].member);
    tn_buf_char(&out, '[');
    page.from = out.len;
    add_all(&page);
    tn_buf_char(&out, ']');
    if (page.full) {
        tn_result_key(&out, "nextCursor");
        tn_buf_addf(&out, "\"%016llx-%zu\"", (unsigned long long)snapshot_of(relay, list), page.next);
    }
    tn_result_cacheable(x, &out, 0, true);
    tn_result_end(x, &out);
    for (size_t i = 0; i < relay->seat->guard->upstream_count; i++)
        if (relay->seat->links[i])
            tn_lists_used(relay->seat->links[i], list);
}
