/* approve.c - definitions that wait for a person, for the console: shown beside what was approved; approved, or not. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "contract/definition.h"
#include "guard/guard.h"
#include "guard/link.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/pins/inside.h"

#define APPROVED_BY "console"
#define DATE_LEN    10

/* ---- What waits --------------------------------------------------------------------------------------------------- */

/* The tools of an upstream as the first conversation that has a list knows them; NULL: none has. */
static const struct tn_catalog *catalog_of(const struct tn_guard *guard, const struct tn_upstream *upstream)
{
    for (const struct tn_link *link = guard->links; link; link = link->next)
        if (link->upstream == upstream && link->catalog)
            return link->catalog;
    return NULL;
}

static void write_id(tenon_writer *to, struct tn_arena *arena, const struct tn_upstream *upstream,
                     struct tn_slice name)
{
    struct tn_buf id;

    tn_buf_init(&id, arena, 0, strlen(upstream->name) + name.len + 2);
    tn_buf_addf(&id, "%s/", upstream->name);
    tn_buf_add(&id, name.at, name.len);
    tenon_write_bytes(to, "id", tn_buf_slice(&id).at, tn_buf_slice(&id).len);
}

static void write_change(tenon_writer *to, struct tn_arena *arena, const struct tn_guard *guard,
                         const struct tn_upstream *upstream, const struct tn_offered *tool,
                         const struct tn_lock_entry *entry)
{
    struct tn_definition    live = tn_definition_read(arena, KIND_TOOL, tool->waits, &entry->unpinned);
    const struct tn_pinned *was  = tn_lock_pinned(entry, KIND_TOOL, live.name);

    if (live.fault != CANONICAL_FINE)
        return;
    tenon_write_object(to, NULL);
    write_id(to, arena, upstream, live.name);
    tenon_write_str(to, "kind", was ? "changed" : "new");
    tenon_write_str(to, "upstream", upstream->name);
    tenon_write_bytes(to, "tool", live.name.at, live.name.len);
    tenon_write_bytes(to, "published", tool->published.at, tool->published.len);
    tenon_write_str(to, "newHash", live.hash);
    if (was) {
        tenon_write_bytes(to, "approvedBy", was->by.at, was->by.len);
        tenon_write_bytes(to, "approvedAt", was->approved.at,
                          was->approved.len < DATE_LEN ? was->approved.len : DATE_LEN);
        tenon_write_str(to, "oldHash", was->definition.hash);
        tenon_write_raw(to, "old", was->definition.text.at, was->definition.text.len);
    }
    tenon_write_raw(to, "new", live.text.at, live.text.len);
    tenon_write_bool(to, "kept", tn_pins_keeps(guard, upstream, live.name, live.hash));
    tenon_write_end(to);
}

void tn_pins_write_changes(struct tn_guard *guard, struct tn_arena *arena, tenon_writer *to)
{
    tenon_write_array(to, "changes");
    for (size_t i = 0; i < guard->upstream_count; i++) {
        const struct tn_lock_entry *entry   = tn_pins_entry(guard, &guard->upstreams[i]);
        const struct tn_catalog    *catalog = entry ? catalog_of(guard, &guard->upstreams[i]) : NULL;

        for (size_t t = 0; catalog && t < catalog->count; t++)
            if (catalog->at[t].waits.len > 0)
                write_change(to, arena, guard, &guard->upstreams[i], &catalog->at[t], entry);
    }
    tenon_write_end(to);
}

/* ---- Approving ------------------------------------------------------------------------------------------------------ */

struct approval {
    struct tn_slice  entry, text, hash;
    struct tn_arena *arena;
    bool             done;
};

static struct tn_slice copy(struct tn_arena *arena, struct tn_slice text)
{
    return (struct tn_slice){ tn_arena_copy(arena, text.at, text.len), text.len };
}

static struct tn_slice time_now(struct tn_arena *arena)
{
    time_t    now  = time(NULL);
    char     *text = tn_arena_take(arena, LOCK_TIME_LEN + 1, 1);
    struct tm utc;

    if (!text || !gmtime_r(&now, &utc) || strftime(text, LOCK_TIME_LEN + 1, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return (struct tn_slice){ NULL, 0 };
    return (struct tn_slice){ text, LOCK_TIME_LEN };
}

/* Into the file as it is now: another person may have written it since. */
static bool put_in(void *user, struct tn_lock *lock)
{
    struct approval      *approval = user;
    struct tn_lock_entry *entry    = tn_lock_find(lock, approval->entry);
    struct tn_pinned      pinned   = { .by = SLICE_LIT(APPROVED_BY) };

    if (!entry)
        return false;
    pinned.approved   = time_now(&lock->arena);
    pinned.definition = tn_definition_read(&lock->arena, KIND_TOOL, copy(&lock->arena, approval->text),
                                           &entry->unpinned);
    if (!pinned.approved.at || pinned.definition.fault != CANONICAL_FINE ||
        !tn_slice_is(approval->hash, pinned.definition.hash))
        return false;
    approval->done = tn_lock_pin(lock, entry, KIND_TOOL, &pinned);
    return approval->done;
}

static const struct tn_offered *find_waiting(const struct tn_guard *guard, struct tn_slice id,
                                             const struct tn_upstream **upstream)
{
    for (size_t i = 0; i < guard->upstream_count; i++) {
        size_t                   len     = strlen(guard->upstreams[i].name);
        const struct tn_catalog *catalog = catalog_of(guard, &guard->upstreams[i]);

        if (id.len <= len || id.at[len] != '/' || memcmp(id.at, guard->upstreams[i].name, len) != 0)
            continue;
        *upstream = &guard->upstreams[i];
        for (size_t t = 0; catalog && t < catalog->count; t++)
            if (catalog->at[t].waits.len > 0 &&
                tn_slice_same(catalog->at[t].name, (struct tn_slice){ id.at + len + 1, id.len - len - 1 }))
                return &catalog->at[t];
    }
    return NULL;
}

const char *tn_pins_approve(struct tn_guard *guard, struct tn_slice id, struct tn_slice hash)
{
    const struct tn_upstream   *upstream = NULL;
    const struct tn_offered    *tool     = guard->pins ? find_waiting(guard, id, &upstream) : NULL;
    const struct tn_lock_entry *entry    = tool ? tn_pins_entry(guard, upstream) : NULL;
    struct tn_arena             arena;
    struct approval             approval = { .hash = hash, .arena = &arena };
    const char                 *mistake  = NULL;
    tenon_status                status;

    if (!tool || !entry)
        return GUARD_APPROVE_NONE;
    tn_arena_init(&arena, &guard->memory, 0);
    approval.text  = copy(&arena, tool->waits);
    approval.entry = copy(&arena, entry->name);
    status         = tn_lock_update(&guard->pins->file, put_in, &approval, &arena, &mistake);
    if (status != TENON_OK)
        tn_log_line(&guard->server->log, LOG_ERROR, GUARD_LOG_LOCK, mistake ? mistake : SAY_MEMORY);
    else if (approval.done)
        tn_log_line(&guard->server->log, LOG_INFO, GUARD_LOG_APPROVED, (int)id.len, id.at);
    tn_arena_free(&arena);
    if (status != TENON_OK)
        return GUARD_APPROVE_FILE;
    if (!approval.done)
        return GUARD_APPROVE_OTHER;
    tn_pins_look(guard);
    return NULL;
}

/* ---- Keeping ------------------------------------------------------------------------------------------------------- */

bool tn_pins_keeps(const struct tn_guard *guard, const struct tn_upstream *upstream, struct tn_slice name,
                   const char *hash)
{
    const struct tn_pins *pins = guard->pins;

    for (size_t i = 0; pins && i < pins->kept_count; i++)
        if (pins->kept[i].upstream == upstream && tn_slice_same(pins->kept[i].name, name) &&
            strcmp(pins->kept[i].hash, hash) == 0)
            return true;
    return false;
}

/* Does the tool still have this definition, and was another one approved? */
static bool may_keep(struct tn_guard *guard, const struct tn_upstream *upstream,
                     const struct tn_offered *tool, struct tn_slice hash)
{
    const struct tn_lock_entry *entry = tn_pins_entry(guard, upstream);
    struct tn_arena             arena;
    struct tn_definition        live;
    bool                        may;

    if (!entry)
        return false;
    tn_arena_init(&arena, &guard->memory, 0);
    live = tn_definition_read(&arena, KIND_TOOL, tool->waits, &entry->unpinned);
    may  = live.fault == CANONICAL_FINE && tn_slice_is(hash, live.hash) &&
          tn_lock_pinned(entry, KIND_TOOL, live.name);
    tn_arena_free(&arena);
    return may;
}

const char *tn_pins_keep(struct tn_guard *guard, struct tn_slice id, struct tn_slice hash)
{
    const struct tn_upstream *upstream = NULL;
    const struct tn_offered  *tool     = guard->pins ? find_waiting(guard, id, &upstream) : NULL;
    struct tn_pins           *pins     = guard->pins;
    struct tn_kept           *kept;

    if (!tool)
        return GUARD_APPROVE_NONE;
    if (!may_keep(guard, upstream, tool, hash))
        return GUARD_APPROVE_OTHER;
    if (pins->kept_count == PINS_KEPT_MAX)
        return GUARD_KEEP_MANY;
    kept           = &pins->kept[pins->kept_count];
    kept->upstream = upstream;
    kept->name     = copy(&pins->arena, tool->name);
    memcpy(kept->hash, hash.at, hash.len); /* as long as one of ours, which it equals */
    kept->hash[hash.len] = '\0';
    if (!kept->name.at)
        return SAY_MEMORY;
    pins->kept_count++;
    tn_log_line(&guard->server->log, LOG_INFO, GUARD_LOG_KEPT, (int)id.len, id.at);
    for (struct tn_link *link = guard->links; link; link = link->next)
        tn_lists_recheck(link);
    return NULL;
}
