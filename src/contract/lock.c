/* lock.c - reading a lock, and verifying it: everything that it states must be so. */
#include "contract/lock.h"

#include <stdarg.h>
#include <stdlib.h>

#include <sodium.h>

#include "base/memory.h"
#include "contract/phrases.h"
#include "contract/trusted.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MISTAKE_MAX     ((size_t)2000)
#define WHERE_MAX       ((size_t)400)

struct reader {
    struct tn_lock *lock;
    const char     *path;
    const char     *mistake; /* the first one, or NULL */
};

TENON_PRINTF(2, 3)
static bool refuse(struct reader *reader, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    if (reader->mistake)
        return false;
    tn_buf_init(&text, &reader->lock->arena, 0, MISTAKE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    reader->mistake = tn_buf_end(&text) ? text.at : SAY_MEMORY;
    return false;
}

/* "upstreams/files/tools/send", for people. */
static const char *where(struct reader *reader, const char *outer, struct tn_slice name)
{
    struct tn_buf text;

    tn_buf_init(&text, &reader->lock->arena, 0, WHERE_MAX);
    tn_buf_text(&text, outer);
    tn_buf_char(&text, '/');
    tn_buf_add(&text, name.at, name.len < 100 ? name.len : 100);
    return tn_buf_end(&text) ? text.at : outer;
}

static const char *where_text(struct reader *reader, const char *outer, const char *name)
{
    return where(reader, outer, tn_slice_of(name));
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

/* Every name of an object is one of these; what is not known could not be written again. */
static bool check_names(struct reader *reader, yyjson_val *object, const char *at, const char *const *known,
                        size_t count)
{
    yyjson_obj_iter each = yyjson_obj_iter_with(object);
    yyjson_val     *name;

    if (!yyjson_is_obj(object))
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "an object");
    while ((name = yyjson_obj_iter_next(&each))) {
        size_t i = 0;

        while (i < count && !yyjson_equals_str(name, known[i]))
            i++;
        if (i == count)
            return refuse(reader, SAY_LOCK_UNKNOWN, reader->path, at, yyjson_get_str(name));
    }
    return true;
}

/* A text without NUL, as a program can use it; NULL with a mistake. */
static const char *plain_text(struct reader *reader, yyjson_val *value, const char *at)
{
    struct tn_slice text = tn_json_slice(value);

    if (text.at && !memchr(text.at, '\0', text.len))
        return tn_arena_copy(&reader->lock->arena, text.at, text.len);
    refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "a text");
    return NULL;
}

static bool read_words(struct reader *reader, yyjson_val *array, const char *at, tenon_strs *words)
{
    yyjson_arr_iter each  = yyjson_arr_iter_with(array);
    size_t          count = yyjson_arr_size(array);
    const char    **all   = tn_arena_array(&reader->lock->arena, count + 1, const char *);
    yyjson_val     *item;

    if (!yyjson_is_arr(array) || count > LOCK_WORDS_MAX)
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "an array of texts");
    if (!all)
        return refuse(reader, "%s", SAY_MEMORY);
    for (size_t i = 0; (item = yyjson_arr_iter_next(&each)); i++)
        if (!(all[i] = plain_text(reader, item, at)))
            return false;
    *words = (tenon_strs){ count, all };
    return true;
}

static bool read_order(struct reader *reader, yyjson_val *array, const char *at, struct tn_lock_entry *entry)
{
    yyjson_arr_iter each  = yyjson_arr_iter_with(array);
    size_t          count = yyjson_arr_size(array);
    yyjson_val     *item;

    entry->order = tn_arena_array(&reader->lock->arena, count + 1, struct tn_slice);
    if (!yyjson_is_arr(array) || count > LOCK_ITEMS_MAX)
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "an array of names");
    if (!entry->order)
        return refuse(reader, "%s", SAY_MEMORY);
    while ((item = yyjson_arr_iter_next(&each))) {
        entry->order[entry->order_count++] = tn_json_slice(item);
        if (!yyjson_is_str(item))
            return refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "an array of names");
    }
    return true;
}

/* An object as its text on one line. */
static bool read_object(struct reader *reader, yyjson_val *value, const char *at, struct tn_slice *text)
{
    struct tn_buf out;

    if (!yyjson_is_obj(value))
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "an object");
    tn_buf_init(&out, &reader->lock->arena, 64, LOCK_BYTES_MAX);
    tn_canonical_line(&out, value);
    if (!tn_buf_end(&out))
        return refuse(reader, "%s", SAY_MEMORY);
    *text = tn_buf_slice(&out);
    return true;
}

/* ---- Definitions ------------------------------------------------------------------------------------------------ */

static bool is_time(struct tn_slice text)
{
    static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";

    if (text.len != LOCK_TIME_LEN)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (shape[i] == 'd' ? text.at[i] < '0' || text.at[i] > '9' : text.at[i] != shape[i])
            return false;
    return true;
}

static bool read_pinned(struct reader *reader, const struct tn_lock_entry *entry, enum tn_kind kind,
                        struct tn_slice name, yyjson_val *value, const char *at, struct tn_pinned *pinned)
{
    static const char *const known[] = { "approved", "by", "definition", "sha256" };
    struct tn_slice          hash    = tn_json_slice(yyjson_obj_get(value, "sha256")), text;

    if (!check_names(reader, value, at, known, COUNT_OF(known)) ||
        !read_object(reader, yyjson_obj_get(value, "definition"), where_text(reader, at, "definition"),
                     &text))
        return false;
    pinned->approved = tn_json_slice(yyjson_obj_get(value, "approved"));
    pinned->by       = tn_json_slice(yyjson_obj_get(value, "by"));
    if (!is_time(pinned->approved))
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, where_text(reader, at, "approved"),
                      "a time such as 2026-11-16T08:00:00Z");
    if (!pinned->by.at)
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, where_text(reader, at, "by"), "a text");
    pinned->definition = tn_definition_read(&reader->lock->arena, kind, text, &entry->unpinned);
    if (pinned->definition.fault != CANONICAL_FINE || !tn_slice_is(hash, pinned->definition.hash))
        return refuse(reader, SAY_LOCK_HASH, reader->path, at);
    if (!tn_slice_same(name, pinned->definition.name))
        return refuse(reader, SAY_LOCK_NAME, reader->path, at);
    return true;
}

static bool read_kind(struct reader *reader, struct tn_lock_entry *entry, enum tn_kind kind,
                      yyjson_val *object, const char *at)
{
    size_t                            count = yyjson_obj_size(object);
    const struct tn_canonical_member *all   = tn_canonical_members(&reader->lock->arena, object);
    struct tn_pinned_list            *list  = &entry->kinds[kind];

    if (!yyjson_is_obj(object))
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, at, "an object");
    if (count > LOCK_ITEMS_MAX)
        return refuse(reader, SAY_LOCK_MANY, reader->path, LOCK_ITEMS_MAX, at);
    list->at = tn_arena_array(&reader->lock->arena, count + 1, struct tn_pinned);
    if (!all || !list->at)
        return refuse(reader, "%s", SAY_MEMORY);
    for (; list->count < count; list->count++) {
        const struct tn_canonical_member *one = &all[list->count];

        if (!read_pinned(reader, entry, kind, one->name, one->value, where(reader, at, one->name),
                         &list->at[list->count]))
            return false;
    }
    return true;
}

/* ---- Upstreams -------------------------------------------------------------------------------------------------- */

static bool read_what_it_is(struct reader *reader, struct tn_lock_entry *entry, yyjson_val *value,
                            const char *at)
{
    yyjson_val *command = yyjson_obj_get(value, "command"), *url = yyjson_obj_get(value, "url");
    yyjson_val *unpinned = yyjson_obj_get(value, "unpinned"), *order = yyjson_obj_get(value, "order");
    yyjson_val *instructions = yyjson_obj_get(value, "instructions");

    if (command && !read_words(reader, command, where_text(reader, at, "command"), &entry->command))
        return false;
    if (url && !(entry->url = plain_text(reader, url, where_text(reader, at, "url"))))
        return false;
    if (unpinned && !read_words(reader, unpinned, where_text(reader, at, "unpinned"), &entry->unpinned))
        return false;
    if (order && !read_order(reader, order, where_text(reader, at, "order"), entry))
        return false;
    entry->era          = tn_json_slice(yyjson_obj_get(value, "era"));
    entry->instructions = tn_json_slice(instructions);
    if (!entry->era.at)
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, where_text(reader, at, "era"), "a text");
    if (instructions && !entry->instructions.at && !yyjson_is_null(instructions))
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, where_text(reader, at, "instructions"),
                      "a text or null");
    return read_object(reader, yyjson_obj_get(value, "server"), where_text(reader, at, "server"),
                       &entry->server) &&
           read_object(reader, yyjson_obj_get(value, "capabilities"), where_text(reader, at, "capabilities"),
                       &entry->capabilities);
}

/* The order is that of all tools, each once. */
static bool check_order(struct reader *reader, const struct tn_lock_entry *entry, const char *at)
{
    const struct tn_pinned_list *tools = &entry->kinds[KIND_TOOL];
    bool                        *known = tn_arena_array(&reader->lock->arena, tools->count + 1, bool);

    if (!known)
        return refuse(reader, "%s", SAY_MEMORY);
    for (size_t i = 0; i < entry->order_count; i++) {
        const struct tn_pinned *one = tn_lock_pinned(entry, KIND_TOOL, entry->order[i]);

        if (!one || known[one - tools->at])
            return refuse(reader, SAY_LOCK_ORDER, reader->path, at);
        known[one - tools->at] = true;
    }
    return entry->order_count == tools->count || refuse(reader, SAY_LOCK_ORDER, reader->path, at);
}

static bool check_set(struct reader *reader, const struct tn_lock_entry *entry, yyjson_val *value,
                      const char *at)
{
    struct tn_slice set                = tn_json_slice(yyjson_obj_get(value, "set"));
    char            hash[HASH_LEN + 1] = "";
    size_t          mark               = sizeof LOCK_SET - 1;

    tn_lock_set(entry, &reader->lock->arena, hash);
    if (set.len == mark + HASH_LEN && memcmp(set.at, LOCK_SET, mark) == 0 &&
        memcmp(set.at + mark, hash, HASH_LEN) == 0)
        return true;
    return refuse(reader, SAY_LOCK_SET, reader->path, at);
}

static bool read_entry(struct reader *reader, struct tn_lock_entry *entry, yyjson_val *value)
{
    static const char *const known[] = { "capabilities", "command",   "era",      "instructions",
                                         "order",        "prompts",   "server",   "set",
                                         "tools",        "templates", "unpinned", "url" };
    const char              *at      = where(reader, "upstreams", entry->name);

    if (!check_names(reader, value, at, known, COUNT_OF(known)) || !read_what_it_is(reader, entry, value, at))
        return false;
    for (size_t kind = 0; kind < KINDS; kind++) {
        const char *name = tn_kind_plural((enum tn_kind)kind);
        yyjson_val *list = yyjson_obj_get(value, name);

        if (list && !read_kind(reader, entry, (enum tn_kind)kind, list, where_text(reader, at, name)))
            return false;
    }
    return check_order(reader, entry, at) && check_set(reader, entry, value, at);
}

static bool read_entries(struct reader *reader, yyjson_val *object)
{
    struct tn_lock                   *lock  = reader->lock;
    size_t                            count = yyjson_obj_size(object);
    const struct tn_canonical_member *all   = tn_canonical_members(&lock->arena, object);

    if (!yyjson_is_obj(object))
        return refuse(reader, SAY_LOCK_SHAPE, reader->path, "upstreams", "an object");
    if (count > LOCK_UPSTREAMS_MAX)
        return refuse(reader, SAY_LOCK_MANY, reader->path, LOCK_UPSTREAMS_MAX, "upstreams");
    lock->at = tn_arena_array(&lock->arena, count + 1, struct tn_lock_entry);
    if (!all || !lock->at)
        return refuse(reader, "%s", SAY_MEMORY);
    for (; lock->count < count; lock->count++) {
        lock->at[lock->count].name = all[lock->count].name;
        if (!read_entry(reader, &lock->at[lock->count], all[lock->count].value))
            return false;
    }
    return true;
}

/* ---- The seal --------------------------------------------------------------------------------------------------- */

bool tn_lock_seal(struct tn_arena *arena, yyjson_val *root, struct tn_slice key, char seal[HASH_LEN + 1])
{
    size_t                            count = yyjson_obj_size(root);
    const struct tn_canonical_member *all   = tn_canonical_members(arena, root);
    unsigned char                     sum[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256_state      state;
    struct tn_buf                     out;

    _Static_assert(crypto_auth_hmacsha256_BYTES * 2 == HASH_LEN, "two digits a byte");
    tn_buf_init(&out, arena, 4096, LOCK_BYTES_MAX);
    for (size_t i = 0; all && i < count; i++) {
        if (tn_slice_is(all[i].name, "seal"))
            continue;
        tn_canonical_string(&out, all[i].name);
        tn_buf_char(&out, ':');
        if (tn_canonical_write(&out, arena, all[i].value) != CANONICAL_FINE)
            return false;
        tn_buf_char(&out, ',');
    }
    crypto_auth_hmacsha256_init(&state, (const unsigned char *)key.at, key.len);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)out.at, out.len);
    crypto_auth_hmacsha256_final(&state, sum);
    sodium_bin2hex(seal, HASH_LEN + 1, sum, sizeof sum);
    return all && !out.failed;
}

static bool check_seal(struct reader *reader, yyjson_val *root, struct tn_slice key)
{
    struct tn_slice seal              = tn_json_slice(yyjson_obj_get(root, "seal"));
    char            own[HASH_LEN + 1] = "";
    size_t          mark              = sizeof LOCK_SEAL - 1;

    reader->lock->sealed = seal.at != NULL;
    if (key.len == 0)
        return true;
    if (!seal.at)
        return refuse(reader, SAY_LOCK_NO_SEAL, reader->path);
    if (tn_lock_seal(&reader->lock->arena, root, key, own) && seal.len == mark + HASH_LEN &&
        memcmp(seal.at, LOCK_SEAL, mark) == 0 && sodium_memcmp(seal.at + mark, own, HASH_LEN) == 0)
        return true;
    return refuse(reader, SAY_LOCK_SEAL, reader->path);
}

bool tn_lock_key(struct tn_arena *arena, const char *path, struct tn_slice *key, const char **mistake)
{
    struct tn_buf text;

    *key = (struct tn_slice){ "", 0 };
    if (!path)
        return true;
    if (tn_trusted_read(path, TRUSTED_PRIVATE, LOCK_KEY_MAX, arena, key, mistake) != TENON_OK)
        return false;
    *key = tn_slice_trim(*key);
    if (key->len >= LOCK_KEY_MIN)
        return true;
    tn_buf_init(&text, arena, 0, MISTAKE_MAX);
    tn_buf_addf(&text, SAY_LOCK_KEY, LOCK_KEY_MIN, path);
    *mistake = tn_buf_end(&text) ? text.at : SAY_MEMORY;
    return false;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

bool tn_lock_parse(struct tn_lock *lock, const char *path, struct tn_slice text, struct tn_slice key,
                   const char **mistake)
{
    static const char *const known[] = { "seal", "tenon-lock", "upstreams" };
    struct reader            reader  = { .lock = lock, .path = path };
    yyjson_val              *root, *version;
    enum tn_canonical        fault = tn_canonical_read(&lock->arena, text, CANONICAL_DEPTH_MAX, &root);

    version = yyjson_obj_get(root, "tenon-lock");
    if (fault != CANONICAL_FINE || !yyjson_is_obj(root))
        refuse(&reader, SAY_LOCK_JSON, path,
               tn_canonical_why(fault == CANONICAL_FINE ? CANONICAL_SYNTAX : fault));
    else if (!yyjson_is_raw(version) ||
             !tn_slice_is((struct tn_slice){ yyjson_get_raw(version), yyjson_get_len(version) }, "1"))
        refuse(&reader, SAY_LOCK_VERSION, path);
    else if (check_names(&reader, root, "the whole", known, COUNT_OF(known)) &&
             check_seal(&reader, root, key))
        read_entries(&reader, yyjson_obj_get(root, "upstreams"));
    if (!reader.mistake && lock->arena.failed)
        reader.mistake = SAY_MEMORY;
    *mistake = reader.mistake;
    return !reader.mistake;
}

tenon_status tn_lock_read(struct tn_lock *lock, const struct tn_lock_file *file, const char **mistake)
{
    struct tn_slice text, key;
    tenon_status    status;

    if (!tn_lock_key(&lock->arena, file->key, &key, mistake))
        return TENON_E_DENIED;
    status = tn_trusted_read(file->path, TRUSTED_SHARED, LOCK_BYTES_MAX, &lock->arena, &text, mistake);
    if (status != TENON_OK)
        return status;
    return tn_lock_parse(lock, file->path, text, key, mistake) ? TENON_OK : TENON_E_DENIED;
}

void tn_lock_init(struct tn_lock *lock, const tenon_allocator *memory)
{
    *lock = (struct tn_lock){ 0 };
    tn_arena_init(&lock->arena, memory, 0);
}

void tn_lock_free(struct tn_lock *lock)
{
    tn_arena_free(&lock->arena);
    lock->at    = NULL;
    lock->count = 0;
}

/* ---- Looking ---------------------------------------------------------------------------------------------------- */

struct tn_lock_entry *tn_lock_find(const struct tn_lock *lock, struct tn_slice name)
{
    for (size_t i = 0; i < lock->count; i++)
        if (tn_slice_same(lock->at[i].name, name))
            return &lock->at[i];
    return NULL;
}

static bool same_words(const tenon_strs *left, const char *const *right)
{
    size_t i = 0;

    while (i < left->count && right[i] && strcmp(left->at[i], right[i]) == 0)
        i++;
    return left->count > 0 && i == left->count && !right[i];
}

struct tn_lock_entry *tn_lock_find_command(const struct tn_lock *lock, const char *const *words)
{
    for (size_t i = 0; i < lock->count; i++)
        if (same_words(&lock->at[i].command, words))
            return &lock->at[i];
    return NULL;
}

struct tn_lock_entry *tn_lock_find_url(const struct tn_lock *lock, const char *url)
{
    for (size_t i = 0; i < lock->count; i++)
        if (lock->at[i].url && strcmp(lock->at[i].url, url) == 0)
            return &lock->at[i];
    return NULL;
}

const struct tn_pinned *tn_lock_pinned(const struct tn_lock_entry *entry, enum tn_kind kind,
                                       struct tn_slice name)
{
    const struct tn_pinned_list *list = &entry->kinds[kind];
    size_t                       low = 0, high = list->count;

    while (low < high) {
        size_t          middle = low + (high - low) / 2;
        struct tn_slice one    = list->at[middle].definition.name;
        int             way    = tn_canonical_compare(one, name);

        if (way == 0)
            return &list->at[middle];
        if (way < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
