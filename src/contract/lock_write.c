/* lock_write.c - changing a lock in memory, and its text. */
#include "contract/lock.h"

#include <string.h>

/* ---- The set ---------------------------------------------------------------------------------------------------- */

/* Names and hashes of a kind, as members of an object. */
static void write_hashes(struct tn_buf *out, const struct tn_pinned_list *list)
{
    tn_buf_char(out, '{');
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_canonical_string(out, list->at[i].definition.name);
        tn_buf_addf(out, ":\"%s\"", list->at[i].definition.hash);
    }
    tn_buf_char(out, '}');
}

/* Canonical by itself: every list is by name. */
void tn_lock_set(const struct tn_lock_entry *entry, struct tn_arena *arena, char hash[HASH_LEN + 1])
{
    static const enum tn_kind kinds[KINDS] = { KIND_PROMPT, KIND_TEMPLATE, KIND_TOOL };
    struct tn_buf             out;

    tn_buf_init(&out, arena, 4096, LOCK_BYTES_MAX);
    tn_buf_lit(&out, "{\"instructions\":");
    if (entry->instructions.at)
        tn_canonical_string(&out, entry->instructions);
    else
        tn_buf_lit(&out, "null");
    for (size_t i = 0; i < KINDS; i++) {
        tn_buf_addf(&out, ",\"%s\":", tn_kind_plural(kinds[i]));
        write_hashes(&out, &entry->kinds[kinds[i]]);
    }
    tn_buf_char(&out, '}');
    tn_canonical_hash(tn_buf_slice(&out), hash);
}

/* ---- Changes ---------------------------------------------------------------------------------------------------- */

struct tn_lock_entry *tn_lock_enter(struct tn_lock *lock, struct tn_slice name)
{
    struct tn_lock_entry *all = tn_lock_find(lock, name);
    size_t                at  = 0;

    if (all)
        return all;
    all = tn_arena_array(&lock->arena, lock->count + 1, struct tn_lock_entry);
    if (!all || lock->count >= LOCK_UPSTREAMS_MAX)
        return NULL;
    while (at < lock->count && tn_canonical_compare(lock->at[at].name, name) < 0)
        at++;
    if (lock->count > 0) {
        memcpy(all, lock->at, at * sizeof *all);
        memcpy(all + at + 1, lock->at + at, (lock->count - at) * sizeof *all);
    }
    all[at]  = (struct tn_lock_entry){ .name         = name,
                                       .server       = SLICE_LIT("{}"),
                                       .capabilities = SLICE_LIT("{}") };
    lock->at = all;
    lock->count++;
    return &all[at];
}

/* Makes room for one more. A list grows by doubling: as many copies of all of it as it has items would be too much memory. */
static bool make_room(struct tn_lock *lock, struct tn_pinned_list *list)
{
    size_t            room = list->count < 8 ? 16 : 2 * list->count;
    struct tn_pinned *all;

    if (list->count < list->room)
        return true;
    all = tn_arena_array(&lock->arena, room, struct tn_pinned);
    if (!all)
        return false;
    if (list->count > 0)
        memcpy(all, list->at, list->count * sizeof *all);
    list->at   = all;
    list->room = room;
    return true;
}

bool tn_lock_pin(struct tn_lock *lock, struct tn_lock_entry *entry, enum tn_kind kind,
                 const struct tn_pinned *pinned)
{
    struct tn_pinned_list *list = &entry->kinds[kind];
    struct tn_pinned      *old  = (struct tn_pinned *)(uintptr_t)tn_lock_pinned(entry, kind,
                                                                                pinned->definition.name);
    size_t                 at = 0, high = list->count;

    if (old) {
        *old = *pinned;
        return true;
    }
    if (list->count >= LOCK_ITEMS_MAX || !make_room(lock, list))
        return false;
    while (at < high) {
        size_t middle = at + (high - at) / 2;

        if (tn_canonical_compare(list->at[middle].definition.name, pinned->definition.name) < 0)
            at = middle + 1;
        else
            high = middle;
    }
    memmove(&list->at[at + 1], &list->at[at], (list->count - at) * sizeof *list->at);
    list->at[at] = *pinned;
    list->count++;
    return true;
}

void tn_lock_unpin(struct tn_lock_entry *entry, enum tn_kind kind, struct tn_slice name)
{
    struct tn_pinned_list  *list = &entry->kinds[kind];
    const struct tn_pinned *one  = tn_lock_pinned(entry, kind, name);

    if (!one)
        return;
    memmove(&list->at[one - list->at], one + 1, (list->count - (size_t)(one - list->at) - 1) * sizeof *one);
    list->count--;
}

/* Adds a name, unless it is there already or not that of a tool. */
static void order_add(struct tn_lock_entry *entry, struct tn_slice name, bool *known)
{
    const struct tn_pinned *one = tn_lock_pinned(entry, KIND_TOOL, name);

    if (!one || known[one - entry->kinds[KIND_TOOL].at])
        return;
    known[one - entry->kinds[KIND_TOOL].at] = true;
    entry->order[entry->order_count++]      = one->definition.name;
}

bool tn_lock_order(struct tn_lock *lock, struct tn_lock_entry *entry, const struct tn_slice *names,
                   size_t count)
{
    const struct tn_pinned_list *tools     = &entry->kinds[KIND_TOOL];
    const struct tn_slice       *old       = entry->order;
    size_t                       old_count = entry->order_count;
    bool                        *known     = tn_arena_array(&lock->arena, tools->count + 1, bool);

    entry->order       = tn_arena_array(&lock->arena, tools->count + 1, struct tn_slice);
    entry->order_count = 0;
    if (!known || !entry->order)
        return false;
    for (size_t i = 0; i < count; i++)
        order_add(entry, names[i], known);
    for (size_t i = 0; i < old_count; i++)
        order_add(entry, old[i], known);
    for (size_t i = 0; i < tools->count; i++)
        order_add(entry, tools->at[i].definition.name, known);
    return true;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

/* Indentation of what is written by hand; below it the layout of values goes on. */
enum { IN_LOCK = 1, IN_UPSTREAMS, IN_ENTRY, IN_KIND, IN_PINNED };

static void write_line(struct tn_buf *out, size_t depth)
{
    tn_buf_char(out, '\n');
    for (size_t i = 0; i < depth; i++)
        tn_buf_lit(out, "  ");
}

/* Begins a member of an object that is `depth` deep. */
static void write_key(struct tn_buf *out, size_t depth, struct tn_slice name)
{
    if (out->len > 0 && out->at[out->len - 1] != '{')
        tn_buf_char(out, ',');
    write_line(out, depth);
    tn_canonical_string(out, name);
    tn_buf_lit(out, ": ");
}

static void write_text(struct tn_buf *out, size_t depth, const char *name, struct tn_slice text)
{
    write_key(out, depth, tn_slice_of(name));
    tn_canonical_string(out, text);
}

/* Canonical texts and those that were read before, laid out. */
static void write_json(struct tn_buf *out, struct tn_arena *arena, size_t depth, const char *name,
                       struct tn_slice text)
{
    yyjson_val *value;

    write_key(out, depth, tn_slice_of(name));
    if (tn_canonical_read(arena, text, DEFINITION_DEPTH_MAX, &value) == CANONICAL_FINE)
        tn_canonical_lay_out(out, arena, value, depth, false);
    else
        out->failed = true;
}

static void write_words(struct tn_buf *out, struct tn_arena *arena, const char *name, const tenon_strs *words)
{
    struct tn_buf text;

    if (words->count == 0)
        return;
    tn_buf_init(&text, arena, 256, LOCK_BYTES_MAX);
    for (size_t i = 0; i < words->count; i++) {
        tn_buf_char(&text, i == 0 ? '[' : ',');
        tn_canonical_string(&text, tn_slice_of(words->at[i]));
    }
    tn_buf_char(&text, ']');
    out->failed |= text.failed;
    write_json(out, arena, IN_ENTRY, name, tn_buf_slice(&text));
}

static void write_order(struct tn_buf *out, const struct tn_lock_entry *entry)
{
    if (entry->order_count == 0)
        return;
    write_key(out, IN_ENTRY, SLICE_LIT("order"));
    tn_buf_char(out, '[');
    for (size_t i = 0; i < entry->order_count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        write_line(out, IN_KIND);
        tn_canonical_string(out, entry->order[i]);
    }
    write_line(out, IN_ENTRY);
    tn_buf_char(out, ']');
}

static void write_kind(struct tn_buf *out, struct tn_arena *arena, const struct tn_lock_entry *entry,
                       enum tn_kind kind)
{
    const struct tn_pinned_list *list = &entry->kinds[kind];

    write_key(out, IN_ENTRY, tn_slice_of(tn_kind_plural(kind)));
    tn_buf_char(out, '{');
    for (size_t i = 0; i < list->count; i++) {
        const struct tn_pinned *one = &list->at[i];

        write_key(out, IN_KIND, one->definition.name);
        tn_buf_char(out, '{');
        write_text(out, IN_PINNED, "approved", one->approved);
        write_text(out, IN_PINNED, "by", one->by);
        write_json(out, arena, IN_PINNED, "definition", one->definition.text);
        write_text(out, IN_PINNED, "sha256", tn_slice_of(one->definition.hash));
        write_line(out, IN_KIND);
        tn_buf_char(out, '}');
    }
    if (list->count > 0)
        write_line(out, IN_ENTRY);
    tn_buf_char(out, '}');
}

static void write_entry(struct tn_buf *out, struct tn_arena *arena, const struct tn_lock_entry *entry)
{
    char set[sizeof LOCK_SET + HASH_LEN] = LOCK_SET;

    tn_lock_set(entry, arena, set + sizeof LOCK_SET - 1);
    write_key(out, IN_UPSTREAMS, entry->name);
    tn_buf_char(out, '{');
    write_json(out, arena, IN_ENTRY, "capabilities", entry->capabilities);
    write_words(out, arena, "command", &entry->command);
    write_text(out, IN_ENTRY, "era", entry->era);
    if (entry->instructions.at)
        write_text(out, IN_ENTRY, "instructions", entry->instructions);
    else
        write_json(out, arena, IN_ENTRY, "instructions", SLICE_LIT("null"));
    write_order(out, entry);
    write_kind(out, arena, entry, KIND_PROMPT);
    write_json(out, arena, IN_ENTRY, "server", entry->server);
    write_text(out, IN_ENTRY, "set", tn_slice_of(set));
    write_kind(out, arena, entry, KIND_TEMPLATE);
    write_kind(out, arena, entry, KIND_TOOL);
    write_words(out, arena, "unpinned", &entry->unpinned);
    if (entry->url)
        write_text(out, IN_ENTRY, "url", tn_slice_of(entry->url));
    write_line(out, IN_UPSTREAMS);
    tn_buf_char(out, '}');
}

static void write_all(struct tn_buf *out, struct tn_lock *lock, const char *seal)
{
    tn_buf_char(out, '{');
    if (seal)
        write_text(out, IN_LOCK, "seal", tn_slice_of(seal));
    write_key(out, IN_LOCK, SLICE_LIT("tenon-lock"));
    tn_buf_char(out, '1');
    write_key(out, IN_LOCK, SLICE_LIT("upstreams"));
    tn_buf_char(out, '{');
    for (size_t i = 0; i < lock->count; i++)
        write_entry(out, &lock->arena, &lock->at[i]);
    if (lock->count > 0)
        write_line(out, IN_LOCK);
    tn_buf_lit(out, "}\n}\n");
}

void tn_lock_write(struct tn_buf *out, struct tn_lock *lock, struct tn_slice key)
{
    char          seal[sizeof LOCK_SEAL + HASH_LEN] = LOCK_SEAL;
    struct tn_buf plain;
    yyjson_val   *root;

    if (key.len == 0) {
        write_all(out, lock, NULL);
        return;
    }
    tn_buf_init(&plain, &lock->arena, 4096, out->max);
    write_all(&plain, lock, NULL);
    if (plain.failed ||
        tn_canonical_read(&lock->arena, tn_buf_slice(&plain), CANONICAL_DEPTH_MAX, &root) != CANONICAL_FINE ||
        !tn_lock_seal(&lock->arena, root, key, seal + sizeof LOCK_SEAL - 1)) {
        out->failed = true;
        return;
    }
    write_all(out, lock, seal);
}
