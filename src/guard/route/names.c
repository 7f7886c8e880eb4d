/* names.c - published names: sanitised, cut, hashed where two become one, and kept. */
#include "guard/route/names.h"

#include <sodium.h>
#include <string.h>

#include "base/buf.h"

#define HASH_LEN ((size_t)10) /* characters, of five bits each */

void tn_names_init(struct tn_names *names, const tenon_allocator *memory, const struct tn_upstream *upstreams,
                   size_t count, size_t len_max)
{
    size_t len = len_max ? len_max : NAMES_LEN;

    *names = (struct tn_names){ .upstreams = upstreams, .count = count };
    if (len < NAMES_LEN_MIN)
        len = NAMES_LEN_MIN;
    names->len_max = len < NAMES_LEN_MAX ? len : NAMES_LEN_MAX;
    tn_arena_init(&names->arena, memory, 0);
}

void tn_names_free(struct tn_names *names)
{
    tn_arena_free(&names->arena);
}

bool tn_names_are_own(const struct tn_names *names)
{
    return names->count == 1 && names->upstreams[0].prefix && !names->upstreams[0].prefix[0];
}

/* ---- One name ------------------------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static void add_plain(struct tn_buf *out, struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        tn_buf_char(out, is_plain(text.at[i]) ? text.at[i] : '_');
}

/* Without one of its own it is the upstream's name and an underscore. */
static void add_prefix(struct tn_buf *out, const struct tn_upstream *upstream)
{
    add_plain(out, tn_slice_of(upstream->prefix ? upstream->prefix : upstream->name));
    if (!upstream->prefix)
        tn_buf_char(out, '_');
}

static void add_hash(struct tn_buf *out, const struct tn_upstream *upstream, struct tn_slice own)
{
    static const char        digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char            hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    uint64_t                 bits = 0;

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)upstream->name, strlen(upstream->name) + 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)own.at, own.len);
    crypto_hash_sha256_final(&state, hash);
    for (size_t i = 0; i < sizeof bits; i++)
        bits = bits << 8 | hash[i];
    for (size_t i = 0; i < HASH_LEN; i++)
        tn_buf_char(out, digits[bits >> (59 - 5 * i) & 31]);
}

/* The name that an entry has by itself; with its hash when it is too long, or when another would have the same. */
static struct tn_slice make_name(const struct tn_names *names, struct tn_arena *arena,
                                 const struct tn_upstream *upstream, struct tn_slice own, bool hashed)
{
    size_t        keeps = names->len_max - HASH_LEN - 1;
    struct tn_buf out;

    tn_buf_init(&out, arena, own.len + 64, NAMES_OWN_MAX * 4);
    add_prefix(&out, upstream);
    add_plain(&out, own);
    if (!out.failed && (hashed || out.len > names->len_max)) {
        if (out.len > keeps)
            out.len = keeps;
        tn_buf_char(&out, '_');
        add_hash(&out, upstream, own);
    }
    return tn_buf_slice(&out);
}

/* ---- All names of a list --------------------------------------------------------------------------------------- */

/* Whose prefix does a name begin with that has none? */
static const struct tn_upstream *reserved_by(const struct tn_names *names, const struct tn_upstream *upstream,
                                             struct tn_slice name, struct tn_arena *scratch)
{
    if (!upstream->prefix || upstream->prefix[0])
        return NULL;
    for (size_t i = 0; i < names->count; i++) {
        const struct tn_upstream *other = &names->upstreams[i];
        struct tn_buf             prefix;

        tn_buf_init(&prefix, scratch, 64, NAMES_OWN_MAX);
        add_prefix(&prefix, other);
        if (other != upstream && prefix.len > 0 && prefix.len <= name.len &&
            memcmp(prefix.at, name.at, prefix.len) == 0)
            return other;
    }
    return NULL;
}

static struct tn_slice keep(struct tn_names *names, struct tn_slice text)
{
    return (struct tn_slice){ tn_arena_copy(&names->arena, text.at, text.len), text.len };
}

/* Enters a name that is not there yet. */
static bool enter(struct tn_names *names, const struct tn_upstream *upstream, struct tn_naming *one,
                  struct tn_slice name)
{
    size_t         *published = &names->published[upstream - names->upstreams];
    struct tn_name *made;

    if (*published >= NAMES_EACH_MAX) {
        one->fault = NAMING_MANY;
        return true;
    }
    made = tn_arena_new(&names->arena, struct tn_name);
    if (!made)
        return false;
    *made = (struct tn_name){ .published = keep(names, name),
                              .own       = keep(names, one->own),
                              .upstream  = upstream };
    if (!made->published.at || !made->own.at ||
        !tn_table_add(&names->table, &names->arena, NULL, made->published, made))
        return false;
    ++*published;
    one->published = made->published;
    return true;
}

/* The upstream that comes first in the configuration was only slower. */
static bool take_over(struct tn_names *names, const struct tn_upstream *upstream, struct tn_naming *one,
                      struct tn_name *found)
{
    struct tn_slice own = keep(names, one->own);

    if (!own.at)
        return false;
    found->upstream = upstream;
    found->own      = own;
    one->published  = found->published;
    return true;
}

/* A name of the list, or the same with its hash when another of this upstream has it. */
static bool publish(struct tn_names *names, const struct tn_upstream *upstream, struct tn_naming *one,
                    bool hashed, struct tn_arena *scratch)
{
    struct tn_slice name = make_name(names, scratch, upstream, one->own, hashed);
    struct tn_name *found;

    if (name.len == 0)
        return false;
    one->other = reserved_by(names, upstream, name, scratch);
    if (one->other) {
        one->fault = NAMING_RESERVED;
        return true;
    }
    found = tn_table_find(&names->table, NULL, name);
    if (!found)
        return enter(names, upstream, one, name);
    if (found->upstream == upstream && tn_slice_same(found->own, one->own)) {
        one->published = found->published;
        return true;
    }
    if (found->upstream == upstream && !hashed)
        return publish(names, upstream, one, true, scratch);
    one->other = found->upstream;
    if (found->upstream > upstream && !found->shown)
        return take_over(names, upstream, one, found);
    one->fault = NAMING_TAKEN;
    return true;
}

/* Which entries have a name that another of the list has too? */
static bool find_equal(const struct tn_names *names, const struct tn_upstream *upstream,
                       const struct tn_naming *all, size_t count, bool *equal, struct tn_arena *scratch)
{
    struct tn_table first = { 0 };

    for (size_t i = 0; i < count; i++) {
        struct tn_slice         name;
        const struct tn_naming *found;

        if (all[i].fault)
            continue;
        name  = make_name(names, scratch, upstream, all[i].own, false);
        found = name.len ? tn_table_add(&first, scratch, NULL, name, (void *)(uintptr_t)&all[i]) : NULL;
        if (!found)
            return false;
        if (found != &all[i] && !tn_slice_same(found->own, all[i].own))
            equal[i] = equal[found - all] = true;
    }
    return true;
}

bool tn_names_publish(struct tn_names *names, const struct tn_upstream *upstream, struct tn_naming *all,
                      size_t count, struct tn_arena *scratch)
{
    bool *equal = tn_arena_array(scratch, count ? count : 1, bool);

    if (!equal)
        return false;
    for (size_t i = 0; i < count; i++) {
        all[i].fault = all[i].own.len > NAMES_OWN_MAX ? NAMING_LONG : NAMING_FINE;
        if (tn_names_are_own(names))
            all[i].published = all[i].own;
    }
    if (tn_names_are_own(names))
        return true;
    if (!find_equal(names, upstream, all, count, equal, scratch))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!all[i].fault && all[i].own.len > 0 && !publish(names, upstream, &all[i], equal[i], scratch))
            return false;
    return true;
}

const struct tn_name *tn_names_find(const struct tn_names *names, struct tn_slice published)
{
    struct tn_name *found = tn_table_find(&names->table, NULL, published);

    if (found)
        found->shown = true;
    return found;
}

bool tn_names_has(const struct tn_names *names, const struct tn_upstream *upstream, struct tn_slice published)
{
    const struct tn_name *found = tn_names_are_own(names) ? NULL : tn_names_find(names, published);

    return found ? found->upstream == upstream : tn_names_are_own(names);
}
