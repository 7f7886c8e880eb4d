/* lists.c - lists of links: asked for, replaced, reported when what is published differs. */
#define _GNU_SOURCE
#include "guard/lists/lists.h"

#include <string.h>

#include "base/clock.h"
#include "guard/catalog.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/seat.h"
#include "guard/timetable.h"
#include "mcp/offer/subscribe.h"
#include "mcp/session.h"

#define POLL_GROWTH 8  /* times `refresh`, at most, between looks at a list that does not change */
#define JITTER      10 /* percent */

bool tn_lists_has(const struct tn_link *link, enum tn_list list)
{
    return list == LIST_TOOLS ? link->catalog != NULL : link->lists[list].at != NULL;
}

static uint64_t hash_of(const struct tn_link *link, enum tn_list list)
{
    if (list != LIST_TOOLS)
        return link->lists[list].at ? link->lists[list].at->hash : 0;
    return link->catalog ? tn_table_hash(link->catalog->text) : 0;
}

static yyjson_val *capability(const struct tn_link *link, enum tn_list list)
{
    return yyjson_obj_get(yyjson_obj_get(link->client->server, "capabilities"),
                          tn_list_words[list].capability);
}

/* ---- Changes ----------------------------------------------------------------------------------------------------- */

/* Is the client of a session, or of a stream that listens, at a seat with one of these links? */
static bool is_concerned(void *user, const struct tn_session *session, const struct tn_exchange *x)
{
    const struct tn_guard *guard = user;
    const struct tn_seat  *seat  = session ? session->sourced : x->sourced;

    for (size_t i = 0; seat && i < guard->upstream_count; i++)
        if (seat->links[i] && seat->links[i]->reports)
            return true;
    return false;
}

/* Resources and their templates are one kind of change. */
static enum tn_list kind_of(enum tn_list list)
{
    return list == LIST_TEMPLATES ? LIST_RESOURCES : list;
}

/* Marks the links whose published list differs from what clients know of. */
static bool mark_changed(struct tn_guard *guard, enum tn_list kind)
{
    bool any = false;

    for (struct tn_link *link = guard->links; link; link = link->next) {
        link->reports = false;
        for (enum tn_list list = LIST_TOOLS; list < GUARD_LISTS; list++) {
            struct tn_link_list *one  = &link->lists[list];
            uint64_t             hash = hash_of(link, list);

            if (kind_of(list) != kind || !one->changed)
                continue;
            link->reports |= one->unkept || hash != one->told;
            one->changed = one->unkept = false;
            one->told                  = hash;
        }
        any |= link->reports;
    }
    return any;
}

static void note_change(struct tn_link *link, enum tn_list list)
{
    int64_t *due  = &link->guard->changes_ms[kind_of(list)];
    int64_t *most = &link->guard->changes_most_ms[kind_of(list)];
    int64_t  now  = tn_client_now_ms();

    link->lists[list].changed = true;
    if (*due == 0)
        *most =
            now +
            LISTS_CHANGE_MOST; /* one server that changes without end does not hold up what others have to report */
    *due = now + LISTS_CHANGE_MS < *most ? now + LISTS_CHANGE_MS : *most;
    tn_timetable_at(link->guard, *due);
}

static void report_changes(struct tn_guard *guard, int64_t now)
{
    for (int list = 0; list < GUARD_LISTS; list++) {
        if (guard->changes_ms[list] == 0)
            continue;
        if (guard->changes_ms[list] > now) {
            tn_timetable_at(guard, guard->changes_ms[list]);
            continue;
        }
        guard->changes_ms[list] = 0;
        if (mark_changed(guard, (enum tn_list)list))
            tn_subscribe_list_changed_for(guard->server, (enum tn_list)list, is_concerned, guard);
    }
}

/* ---- Looking again ------------------------------------------------------------------------------------------------ */

/* Sometime around then, so that not all are asked at once. */
static int64_t around(int64_t ms)
{
    int64_t  now    = tn_client_now_ms();
    uint64_t chance = tn_table_hash((struct tn_slice){ (const char *)&now, sizeof now });

    return now + ms + ms * (int64_t)(chance % (2 * JITTER)) / 100 - ms * JITTER / 100;
}

/* Servers that report changes are not asked. A list that stays the same is looked at less and less often. */
static void plan_look(struct tn_link *link, enum tn_list list, bool differs)
{
    struct tn_link_list *one     = &link->lists[list];
    int                  refresh = link->upstream->refresh_ms;

    one->look_ms = 0;
    if (refresh <= 0 || !link->client ||
        ((link->listens || !tn_link_is_modern(link)) &&
         yyjson_is_true(yyjson_obj_get(capability(link, list), "listChanged"))))
        return;
    one->pause_ms = differs || one->pause_ms == 0 ? refresh : one->pause_ms * 2;
    if (one->pause_ms / POLL_GROWTH > refresh)
        one->pause_ms = refresh * POLL_GROWTH;
    one->look_ms = around(one->pause_ms);
    tn_timetable_at(link->guard, one->look_ms);
}

static void look_again(struct tn_link *link, int64_t now)
{
    for (int list = 0; list < GUARD_LISTS; list++) {
        struct tn_link_list *one = &link->lists[list];

        if (one->look_ms > 0 && one->look_ms <= now && link->ready) {
            one->look_ms = 0;
            tn_lists_ask(link, (enum tn_list)list);
        } else if (one->look_ms > 0 && link->ready)
            tn_timetable_at(link->guard, one->look_ms);
        if (one->asking && one->end_ms <= now) {
            tenon_request_cancel(one->asking);
            tn_link_arm(link);
        } else if (one->asking)
            tn_timetable_at(link->guard, one->end_ms);
    }
}

void tn_lists_due(struct tn_guard *guard, int64_t now)
{
    for (struct tn_link *link = guard->links; link; link = link->next)
        if (link->client)
            look_again(link, now);
    report_changes(guard, now);
}

/* ---- What lists may cost ----------------------------------------------------------------------------------------- */

/* Time goes by, and a share of it is the upstream's. */
static struct tn_standing *settle(const struct tn_link *link, int64_t now_us)
{
    struct tn_standing *standing = tn_standing_of(link);
    int64_t             paid     = (now_us - standing->listed_us) / LISTS_SHARE;

    standing->lists_us  = standing->lists_us > paid ? standing->lists_us - paid : 0;
    standing->listed_us = now_us;
    return standing;
}

static void charge(const struct tn_link *link, int64_t took_us)
{
    settle(link, tn_clock_now_us())->lists_us += took_us > LISTS_LEAST_US ? took_us : LISTS_LEAST_US;
}

bool tn_lists_may_ask(struct tn_link *link)
{
    return settle(link, tn_clock_now_us())->lists_us < LISTS_BURST_US;
}

/* Asks now, or when the upstream has not taken more than its share. */
static void ask_in_turn(struct tn_link *link, enum tn_list list)
{
    struct tn_link_list *one = &link->lists[list];

    if (one->asking || tn_lists_may_ask(link)) {
        tn_lists_ask(link, list);
        return;
    }
    one->look_ms = tn_client_now_ms() + 1 +
                   (tn_standing_of(link)->lists_us - LISTS_BURST_US) * LISTS_SHARE / 1000;
    tn_timetable_at(link->guard, one->look_ms);
}

/* ---- Lists that come ----------------------------------------------------------------------------------------------- */

/* What clients were not shown yet is a change only to those who have seen a list without it. */
static void take_known(struct tn_link *link, enum tn_list list, bool first)
{
    struct tn_link_list *one = &link->lists[list];

    one->failed = false;
    if (!first || one->missed)
        note_change(link, list);
    else
        one->told = hash_of(link, list);
    one->missed = false;
}

static bool change_catalog(struct tn_link *link, struct tn_catalog *made)
{
    struct tn_catalog *old     = link->catalog;
    bool               differs = !old || !tn_slice_same(old->text, made->text);

    link->catalog = made;
    if (differs)
        take_known(link, LIST_TOOLS, !old);
    tn_catalog_release(old);
    return differs;
}

static bool change_listing(struct tn_link *link, struct tn_listing *made)
{
    struct tn_listing *old     = link->lists[made->list].at;
    bool               differs = !old || old->hash != made->hash;

    link->lists[made->list].at = made;
    if (differs)
        take_known(link, made->list, !old);
    tn_listing_release(old);
    return differs;
}

static void take_caching(struct tn_link_list *one, yyjson_val *result)
{
    yyjson_val *ttl = yyjson_obj_get(result, "ttlMs");
    int64_t     ms  = yyjson_is_uint(ttl) ? (int64_t)(yyjson_get_uint(ttl) & INT64_MAX) : -1;

    one->taken_ms  = tn_client_now_ms();
    one->fresh_ms  = ms < 0 ? 0 : one->taken_ms + (ms < LISTS_FRESH_MAX ? ms : LISTS_FRESH_MAX);
    one->is_public = yyjson_equals_str(yyjson_obj_get(result, "cacheScope"), "public");
}

void tn_lists_used(struct tn_link *link, enum tn_list list)
{
    const struct tn_link_list *one = &link->lists[list];
    int64_t                    now = tn_client_now_ms();

    if (one->fresh_ms > 0 && link->ready && !one->asking && now >= one->fresh_ms &&
        now >= one->taken_ms + LISTS_USED_MS)
        ask_in_turn(link, list);
}

int64_t tn_lists_fresh_ms(const struct tn_link *link, enum tn_list list)
{
    int64_t left = link->lists[list].fresh_ms - tn_client_now_ms();

    return left > 0 ? left : 0;
}

/* False without memory. */
static bool take_entries(struct tn_link *link, enum tn_list list, yyjson_val *result, struct tn_slice text)
{
    struct tn_catalog *tools;
    struct tn_listing *others;

    if (list == LIST_TOOLS) {
        tools = tn_catalog_new(link->guard, link->upstream, result, text);
        if (tools) {
            plan_look(link, list, change_catalog(link, tools));
            link->compared = link->runs;
        }
        return tools != NULL;
    }
    others = tn_listing_new(link->guard, link->upstream, list, result, text);
    if (others)
        plan_look(link, list, change_listing(link, others));
    return others != NULL;
}

/* Without a list, an older one holds; without any, nothing can be called, unless the server says that it has none. */
static void fail_list(struct tn_link *link, enum tn_list list, const char *why)
{
    if (link->client && !capability(link, list) && !tn_lists_has(link, list) &&
        take_entries(link, list, NULL, SLICE_LIT("{}")))
        return;
    tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_LIST, link->upstream->name,
                tn_list_words[list].what, why);
    link->lists[list].failed = true;
    if (list == LIST_TOOLS && (!link->catalog || !tn_pins_compared(link)))
        tn_relays_fail(link, why);
}

static void take_list(void *user, tenon_request *request)
{
    struct tn_link *link   = user;
    tenon_str       text   = tenon_request_text(request);
    yyjson_val     *result = (yyjson_val *)tenon_request_result(request);
    enum tn_list    list   = LIST_TOOLS;
    int64_t         began  = tn_clock_now_us();

    while (list < LIST_TEMPLATES && link->lists[list].asking != request)
        list++;
    link->lists[list].asking = NULL;
    link->lists[list].ended++;
    link->news = true;
    take_caching(&link->lists[list], result);
    if (!result || !take_entries(link, list, result, (struct tn_slice){ text.at, text.len }))
        fail_list(link, list, result ? SAY_MEMORY : tenon_request_why(request));
    tenon_request_free(request);
    charge(link, tn_clock_now_us() - began);
    if (link->lists[list].stale) {
        link->lists[list].stale = false;
        ask_in_turn(link, list);
    }
}

void tn_lists_ask(struct tn_link *link, enum tn_list list)
{
    struct tn_link_list *one = &link->lists[list];

    one->wanted = true;
    if (one->asking) {
        one->stale = true;
        return;
    }
    if (list != LIST_TOOLS && !capability(link, list)) {
        take_entries(link, list, NULL, SLICE_LIT("{}"));
        return;
    }
    one->asking = tenon_client_list(link->client, tn_list_words[list].what, .done = take_list, .user = link);
    if (!one->asking) {
        fail_list(link, list, tenon_client_error(link->client));
        return;
    }
    one->end_ms = tn_client_now_ms() + LISTS_WALK_MS;
    tn_timetable_at(link->guard, one->end_ms);
    tn_link_arm(link);
}

/* ---- The life of its server ----------------------------------------------------------------------------------------- */

void tn_lists_begin(struct tn_link *link)
{
    for (int list = 0; list < GUARD_LISTS; list++)
        if (link->lists[list].wanted || (list == LIST_TOOLS && link->guard->upstream_count > 1))
            tn_lists_ask(link, (enum tn_list)list); /* when it was started again it may be another */
}

void tn_lists_forget(struct tn_link *link)
{
    for (int list = 0; list < GUARD_LISTS; list++) {
        link->lists[list].asking = NULL;
        link->lists[list].stale  = false;
        if (!link->lists[list].at || !tn_pins_entry(link->guard, link->upstream))
            continue;
        tn_listing_release(link->lists[list].at); /* what comes must be compared with the lock first */
        link->lists[list].at     = NULL;
        link->lists[list].missed = true;
    }
}

void tn_lists_approved(struct tn_link *link)
{
    if (link->guard->inventory)
        return; /* what the server itself offers is looked at */
    link->catalog = tn_pins_catalog(link->guard, link->upstream);
    if (!link->catalog)
        return;
    link->lists[LIST_TOOLS].wanted = true;
    link->lists[LIST_TOOLS].told   = hash_of(link, LIST_TOOLS);
}

void tn_lists_recheck(struct tn_link *link)
{
    struct tn_catalog *approved;

    link->compared = 0;
    for (int list = 0; link->ready && list < GUARD_LISTS; list++)
        if (link->lists[list].wanted)
            tn_lists_ask(link, (enum tn_list)list);
    approved = link->ready ? NULL : tn_pins_catalog(link->guard, link->upstream);
    if (approved)
        change_catalog(link, approved);
}

void tn_lists_free(struct tn_link *link)
{
    for (int list = 0; list < GUARD_LISTS; list++) {
        if (link->lists[list].asking)
            tenon_request_free(link->lists[list].asking);
        tn_listing_release(link->lists[list].at);
    }
    tn_catalog_release(link->catalog);
}

/* Of one upstream the guard keeps the list of tools only, and cannot see whether another one differs. */
void tn_lists_note(struct tn_link *link, enum tn_list list)
{
    if (tn_lists_has(link, list) || link->lists[list].asking)
        ask_in_turn(link, list);
    else if (link->guard->upstream_count == 1) {
        link->lists[list].unkept = true;
        note_change(link, list);
    }
}

/* ---- All upstreams of a seat ------------------------------------------------------------------------------------------ */

static bool is_settled(struct tn_seat *seat, size_t i, enum tn_list list, bool starts)
{
    struct tn_guard *guard = seat->guard;
    struct tn_link  *link  = seat->links[i];
    int              rest;

    if (starts && (!link || !link->client))
        link = tn_seat_link(seat, &guard->upstreams[i], &rest);
    if (!link || tn_lists_has(link, list) || !link->client)
        return true;
    if (link->ready && link->lists[list].failed && !starts)
        return true;
    if (link->ready && !link->lists[list].asking)
        tn_lists_ask(link, list);
    if (tn_lists_has(link, list) || tn_client_now_ms() >= link->due_ms)
        return true;
    tn_timetable_at(guard, link->due_ms);
    return false;
}

bool tn_lists_settled(struct tn_seat *seat, enum tn_list list, bool starts)
{
    bool settled = true;

    for (size_t i = 0; i < seat->guard->upstream_count; i++)
        settled &= is_settled(seat, i, list, starts);
    return settled;
}
