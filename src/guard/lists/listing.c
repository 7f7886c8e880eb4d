/* listing.c - a list of prompts, resources or templates, taken apart once. */
#define _GNU_SOURCE
#include "guard/lists/listing.h"

#include <string.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "json/member.h"

#define LISTING_MAX   ((size_t)10000)    /* entries, ... */
#define LISTING_BYTES ((size_t)16 << 20) /* ... and bytes of them */
#define LOGGED_MAX    100                /* of a name */

const struct tn_list_words tn_list_words[GUARD_LISTS] = {
    [LIST_TOOLS]     = { "tools", "tools/list", "tools", "name", "tools" },
    [LIST_PROMPTS]   = { "prompts", "prompts/list", "prompts", "name", "prompts" },
    [LIST_RESOURCES] = { "resources", "resources/list", "resources", "uri", "resources" },
    [LIST_TEMPLATES] = { "resources/templates", "resources/templates/list", "resourceTemplates",
                         "uriTemplate", "resources" },
};

const char *tn_naming_why(const struct tn_naming *naming)
{
    switch (naming->fault) {
    case NAMING_FINE: return NULL;
    case NAMING_TAKEN: return GUARD_WHY_TAKEN;
    case NAMING_RESERVED: return GUARD_WHY_RESERVED;
    default: return GUARD_WHY_NAMELESS;
    }
}

void tn_naming_log(struct tn_guard *guard, const struct tn_upstream *upstream, const char *what,
                   const struct tn_naming *naming)
{
    const char *other = naming->other ? naming->other->name : "";
    int         len   = (int)(naming->own.len < LOGGED_MAX ? naming->own.len : LOGGED_MAX);
    char        name[LOGGED_MAX + 1];

    snprintf(name, sizeof name, "%.*s", len, naming->own.at);
    switch (naming->fault) {
    case NAMING_TAKEN:
        tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_TAKEN, upstream->name, what, name, other);
        break;
    case NAMING_RESERVED:
        tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_RESERVED, upstream->name, what, name, other);
        break;
    case NAMING_LONG:
        tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_NAME_LONG, upstream->name, what, name);
        break;
    case NAMING_MANY:
        tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_NAMES_MANY, upstream->name, what, name);
        break;
    default:
        if (naming->other)
            tn_log_line(&guard->server->log, LOG_WARN, GUARD_LOG_TAKEN, other, what, name, upstream->name);
        break;
    }
}

/* ---- Entries ------------------------------------------------------------------------------------------------- */

/* The entry on one line, with its published name. */
static void write_entry(struct tn_buf *out, const struct tn_listing *listing, const struct tn_listed *one,
                        yyjson_val *entry, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(entry);
    struct tn_member  member;
    size_t            from;

    if (tn_slice_same(one->own, one->published)) {
        tn_json_line(out, text.at, text.len);
        return;
    }
    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &member)) {
        if (!yyjson_equals_str(yyjson_obj_iter_next(&names), tn_list_words[listing->list].key)) {
            tn_member_add(out, from, &member);
            continue;
        }
        tn_buf_text(out, out->len > from ? ",\"name\":" : "\"name\":");
        tn_json_string(out, one->published.at, one->published.len);
    }
    tn_buf_char(out, '}');
}

/* Is it as it was approved? Resources are not pinned: they come and go. */
static bool is_held(const struct tn_listing *listing, yyjson_val **entry, struct tn_slice *text)
{
    return listing->list != LIST_RESOURCES &&
           !tn_pins_publishes(listing->guard, listing->upstream, listing->list, entry, text);
}

static bool read_entry(struct tn_listing *listing, struct tn_listed *one, yyjson_val *entry,
                       struct tn_slice text)
{
    struct tn_buf out;

    if (is_held(listing, &entry, &text))
        one->why_hidden = GUARD_WHY_HELD;
    else if (one->published.len == 0 && !one->why_hidden)
        one->why_hidden = GUARD_WHY_NAMELESS;
    else if (one->published.len > 0 && tn_table_find(&listing->names, NULL, one->published))
        one->why_hidden = GUARD_WHY_TWICE;
    one->hidden = one->why_hidden != NULL;
    if (one->hidden)
        return true;
    tn_buf_init(&out, &listing->arena, text.len + one->published.len + 16, LISTING_BYTES);
    write_entry(&out, listing, one, entry, text);
    one->text = tn_buf_slice(&out);
    return !out.failed && tn_table_add(&listing->names, &listing->arena, NULL, one->published, one);
}

/* The names of all entries: those of prompts are the table's, all others stay as they are. */
static bool name_entries(struct tn_listing *listing, yyjson_val *entries, struct tn_arena *scratch)
{
    struct tn_naming *names = tn_arena_array(scratch, listing->count ? listing->count : 1, struct tn_naming);
    yyjson_arr_iter   all   = yyjson_arr_iter_with(entries);

    if (!names)
        return false;
    for (size_t i = 0; i < listing->count; i++) {
        struct tn_slice own = tn_rpc_text(
            yyjson_obj_get(yyjson_arr_iter_next(&all), tn_list_words[listing->list].key));

        names[i].own = listing->at[i].own = listing->at[i].published = (struct tn_slice){
            tn_arena_copy(&listing->arena, own.at ? own.at : "", own.len), own.len
        };
    }
    if (listing->list != LIST_PROMPTS)
        return true;
    if (!tn_names_publish(&listing->guard->prompts, listing->upstream, names, listing->count, scratch))
        return false;
    for (size_t i = 0; i < listing->count; i++) {
        listing->at[i].published  = names[i].published;
        listing->at[i].why_hidden = tn_naming_why(&names[i]);
        tn_naming_log(listing->guard, listing->upstream, "prompt", &names[i]);
    }
    return true;
}

static void read_entries(struct tn_listing *listing, yyjson_val *entries, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_arr_iter   items = yyjson_arr_iter_with(entries);
    size_t            count = yyjson_arr_size(entries);
    struct tn_arena   scratch;
    struct tn_slice   item;
    bool              named;

    listing->count = count < LISTING_MAX ? count : LISTING_MAX;
    listing->at    = tn_arena_array(&listing->arena, listing->count ? listing->count : 1, struct tn_listed);
    if (!listing->at)
        return;
    tn_arena_init(&scratch, &listing->memory, 0);
    named = name_entries(listing, entries, &scratch);
    tn_arena_free(&scratch);
    for (size_t i = 0; named && i < listing->count && tn_items_next(&all, &item); i++)
        named = read_entry(listing, &listing->at[i], yyjson_arr_iter_next(&items), item);
    listing->arena.failed |= !named;
}

static void hash_entries(struct tn_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        if (!listing->at[i].hidden)
            listing->hash = listing->hash * 31 + tn_table_hash(listing->at[i].text);
}

struct tn_listing *tn_listing_new(struct tn_guard *guard, const struct tn_upstream *upstream,
                                  enum tn_list list, yyjson_val *result, struct tn_slice text)
{
    struct tn_listing *listing = tn_memory_new(&guard->memory, sizeof *listing);

    if (!listing)
        return NULL;
    *listing = (struct tn_listing){
        .guard = guard, .upstream = upstream, .memory = guard->memory, .refs = 1, .list = list, .hash = 1
    };
    tn_arena_init(&listing->arena, &listing->memory, 0);
    read_entries(listing, yyjson_obj_get(result, tn_list_words[list].member),
                 tn_member_of(text, tn_list_words[list].member));
    if (!listing->arena.failed) {
        hash_entries(listing);
        return listing;
    }
    tn_listing_release(listing);
    return NULL;
}

void tn_listing_release(struct tn_listing *listing)
{
    tenon_allocator memory;

    if (!listing || --listing->refs > 0)
        return;
    memory = listing->memory;
    tn_arena_free(&listing->arena);
    tn_memory_free(&memory, listing, sizeof *listing);
}

const struct tn_listed *tn_listing_find(const struct tn_listing *listing, struct tn_slice published)
{
    return listing ? tn_table_find(&listing->names, NULL, published) : NULL;
}
