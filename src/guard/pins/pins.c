/* pins.c - the lock of a guard: read, watched, read again. */
#define _GNU_SOURCE
#include "guard/pins/inside.h"

#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "guard/lists/lists.h"
#include "guard/phrases.h"
#include "guard/seat.h"
#include "json/read.h"
#include "json/write.h"
#include "net/client/client.h"

#define WATCH_MS 1000

static const struct tn_json_limits limits = { LOCK_BYTES_MAX, CANONICAL_DEPTH_MAX, (size_t)4 << 20 };

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* What an entry says of the server, as a server says it. */
static yyjson_val *read_server(struct tn_arena *arena, const struct tn_lock_entry *entry)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 1024, LOCK_BYTES_MAX);
    tn_buf_lit(&out, "{\"capabilities\":");
    tn_buf_add(&out, entry->capabilities.at, entry->capabilities.len);
    tn_buf_lit(&out, ",\"serverInfo\":");
    tn_buf_add(&out, entry->server.at, entry->server.len);
    if (entry->instructions.at) {
        tn_buf_lit(&out, ",\"instructions\":");
        tn_canonical_string(&out, entry->instructions);
    }
    tn_buf_char(&out, '}');
    return out.failed ? NULL : tn_json_read(arena, out.at, out.len, &limits).root;
}

static void note_identity(struct tn_pins *pins)
{
    struct stat about;

    pins->identity.known = stat(pins->file.path, &about) == 0;
    if (!pins->identity.known)
        return;
    pins->identity.device     = (uint64_t)about.st_dev;
    pins->identity.number     = (uint64_t)about.st_ino;
    pins->identity.size       = (int64_t)about.st_size;
    pins->identity.changed_s  = (int64_t)about.st_ctim.tv_sec;
    pins->identity.changed_ns = (int64_t)about.st_ctim.tv_nsec;
}

static bool has_changed(const struct tn_pins *pins)
{
    struct stat about;

    if (stat(pins->file.path, &about) != 0)
        return pins->identity.known;
    return !pins->identity.known || pins->identity.device != (uint64_t)about.st_dev ||
           pins->identity.number != (uint64_t)about.st_ino || pins->identity.size != (int64_t)about.st_size ||
           pins->identity.changed_s != (int64_t)about.st_ctim.tv_sec ||
           pins->identity.changed_ns != (int64_t)about.st_ctim.tv_nsec;
}

/* Takes the lock's place only when all of it can be used. What was looked at before is what is compared with later: a change
 * in between is read again. */
static tenon_status pins_read(struct tn_pins *pins)
{
    const struct tn_log *log = &pins->guard->server->log;
    struct tn_lock       lock;
    yyjson_val         **servers;
    const char          *mistake = SAY_MEMORY;
    tenon_status         status;

    note_identity(pins);
    tn_lock_init(&lock, &pins->guard->memory);
    status  = tn_lock_read(&lock, &pins->file, &mistake);
    servers = tn_arena_array(&lock.arena, lock.count + 1, yyjson_val *);
    for (size_t i = 0; servers && i < lock.count; i++)
        if (!(servers[i] = read_server(&lock.arena, &lock.at[i])))
            servers = NULL;
    if (status == TENON_OK && !servers)
        status = TENON_E_NOMEM;
    if (status != TENON_OK) {
        if (status != TENON_E_NOT_FOUND || pins->guard->policy.lock_named)
            tn_log_line(log, LOG_ERROR, GUARD_LOG_LOCK, mistake);
        tn_lock_free(&lock);
        return status;
    }
    tn_lock_free(&pins->lock);
    pins->lock    = lock;
    pins->servers = servers;
    return TENON_OK;
}

void tn_pins_log_missing(const struct tn_guard *guard)
{
    for (size_t i = 0; i < guard->upstream_count; i++)
        if (!tn_pins_entry(guard, &guard->upstreams[i]))
            tn_log_line(&guard->server->log, LOG_INFO, GUARD_LOG_UNPINNED, guard->upstreams[i].name);
}

bool tn_pins_begin(struct tn_guard *guard)
{
    struct tn_pins *pins;
    tenon_status    status;

    if (!guard->policy.lock)
        return true;
    pins = tn_memory_new(&guard->memory, sizeof *pins);
    if (!pins)
        return false;
    *pins = (struct tn_pins){ .guard = guard, .file = { guard->policy.lock, guard->policy.lock_key } };
    tn_lock_init(&pins->lock, &guard->memory);
    tn_arena_init(&pins->arena, &guard->memory, 0);
    guard->pins = pins;
    status      = pins_read(pins);
    return status == TENON_OK || (status == TENON_E_NOT_FOUND && !guard->policy.lock_named);
}

void tn_pins_free(struct tn_guard *guard)
{
    struct tn_pins *pins = guard->pins;

    if (!pins)
        return;
    tn_lock_free(&pins->lock);
    tn_arena_free(&pins->arena);
    tn_memory_free(&guard->memory, pins, sizeof *pins);
    guard->pins = NULL;
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

/* A lock that cannot be used is not taken: what was approved before stays approved until a better one is there. */
static void pins_look(struct tn_pins *pins)
{
    if (!has_changed(pins) || pins_read(pins) != TENON_OK)
        return;
    tn_log_line(&pins->guard->server->log, LOG_INFO, GUARD_LOG_LOCK_READ, pins->file.path);
    for (struct tn_link *link = pins->guard->links; link; link = link->next)
        tn_lists_recheck(link);
}

void tn_pins_look(struct tn_guard *guard)
{
    if (guard->pins)
        pins_look(guard->pins);
}

static void on_watch(uv_timer_t *timer)
{
    pins_look(timer->data);
}

void tn_pins_watch(struct tn_guard *guard)
{
    struct tn_pins *pins = guard->pins;

    if (!pins || pins->watching)
        return;
    pins->watching = true;
    uv_timer_init(&guard->loop->uv, &pins->timer);
    uv_unref((uv_handle_t *)&pins->timer);
    pins->timer.data = pins;
    uv_timer_start(&pins->timer, on_watch, WATCH_MS, WATCH_MS);
    pins_look(pins);
}

void tn_pins_stop(struct tn_guard *guard)
{
    if (guard->pins && guard->pins->watching)
        uv_close((uv_handle_t *)&guard->pins->timer, NULL); /* it is freed after the loop has ended */
}

/* ---- What was approved -------------------------------------------------------------------------------------------- */

/* A configuration has names; a command or an address alone is known by its words. */
const struct tn_lock_entry *tn_pins_entry(const struct tn_guard *guard, const struct tn_upstream *upstream)
{
    const struct tn_lock       *lock  = guard->pins ? &guard->pins->lock : NULL;
    const struct tn_lock_entry *entry = lock ? tn_lock_find(lock, tn_slice_of(upstream->name)) : NULL;

    if (!lock || entry)
        return entry;
    return upstream->words ? tn_lock_find_command(lock, upstream->words)
                           : tn_lock_find_url(lock, upstream->url);
}

yyjson_val *tn_pins_server(const struct tn_link *link)
{
    const struct tn_guard      *guard = link->guard;
    const struct tn_lock_entry *entry = tn_pins_entry(guard, link->upstream);
    yyjson_val                 *live  = link->client ? link->client->server : NULL;

    if (!entry || (live && guard->policy.changed == CHANGED_WARN))
        return live;
    return guard->pins->servers[entry - guard->pins->lock.at];
}

enum tn_version tn_pins_version(const struct tn_link *link)
{
    const struct tn_lock_entry *entry = tn_pins_entry(link->guard, link->upstream);
    enum tn_version             known = entry ? tn_version_of(entry->era) : VERSION_NONE;

    if (link->ready)
        return link->client->version;
    return known == VERSION_NONE ? VERSION_LEGACY : known;
}

/* The list that the server would give if it had not changed. */
static void write_tools(struct tn_buf *out, const struct tn_lock_entry *entry)
{
    bool more = false;

    tn_buf_lit(out, "{\"tools\":[");
    for (size_t i = 0; i < entry->order_count; i++) {
        const struct tn_pinned *one = tn_lock_pinned(entry, KIND_TOOL, entry->order[i]);

        if (!one)
            continue;
        if (more)
            tn_buf_char(out, ',');
        tn_buf_add(out, one->definition.text.at, one->definition.text.len);
        more = true;
    }
    tn_buf_lit(out, "]}");
}

struct tn_catalog *tn_pins_catalog(struct tn_guard *guard, const struct tn_upstream *upstream)
{
    const struct tn_lock_entry *entry = tn_pins_entry(guard, upstream);
    struct tn_catalog          *made  = NULL;
    struct tn_arena             arena;
    struct tn_buf               out;
    yyjson_val                 *root;

    if (!entry)
        return NULL;
    tn_arena_init(&arena, &guard->memory, 0);
    tn_buf_init(&out, &arena, 4096, LOCK_BYTES_MAX);
    write_tools(&out, entry);
    root = out.failed ? NULL : tn_json_read(&arena, out.at, out.len, &limits).root;
    if (root)
        made = tn_catalog_new(guard, upstream, root, tn_buf_slice(&out));
    tn_arena_free(&arena);
    return made;
}

bool tn_pins_answers(const struct tn_link *link, struct tn_slice method)
{
    return tn_pins_entry(link->guard, link->upstream) &&
           (tn_slice_is(method, "initialize") || tn_slice_is(method, "server/discover") ||
            (tn_slice_is(method, "tools/list") && link->catalog));
}

bool tn_pins_routes(const struct tn_relay *relay)
{
    static const char *const pinned[] = { "prompts/list", "prompts/get", "resources/templates/list",
                                          "completion/complete" };
    const struct tn_guard   *guard    = relay->seat->guard;

    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
        if (tn_slice_is(relay->method, pinned[i]))
            return tn_pins_entry(guard, &guard->upstreams[0]) != NULL;
    return false;
}

bool tn_pins_compared(const struct tn_link *link)
{
    return link->compared == link->runs || !tn_pins_entry(link->guard, link->upstream);
}

bool tn_pins_once(struct tn_guard *guard, const char *what, struct tn_slice name, const char *hash)
{
    struct tn_pins *pins = guard->pins;
    struct tn_arena
        scratch; /* what was logged before is asked for with every list: only what is new is kept */
    struct tn_slice kept;
    struct tn_buf   key;
    bool            first;

    if (!pins || pins->logged_count >= PINS_LOGGED_MAX)
        return !pins;
    tn_arena_init(&scratch, &guard->memory, 0);
    tn_buf_init(&key, &scratch, 0, (size_t)4096);
    tn_buf_addf(&key, "%s\n%s\n", what, hash);
    tn_buf_add(&key, name.at, name.len < 1000 ? name.len : 1000);
    first = !key.failed && !tn_table_find(&pins->logged, NULL, tn_buf_slice(&key));
    if (first) {
        kept = (struct tn_slice){ tn_arena_copy(&pins->arena, key.at, key.len), key.len };
        pins->logged_count++;
        if (kept.at)
            tn_table_add(&pins->logged, &pins->arena, NULL, kept, pins);
    }
    tn_arena_free(&scratch);
    return first;
}
