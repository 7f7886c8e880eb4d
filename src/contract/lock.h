/* lock.h - tenon.lock: what operators have approved of servers, by upstream: definitions of tools, prompts and templates, and
 * what the server is.
 *
 * A JSON document, made to be read in a diff: members that Tenon writes are sorted, one a line; a definition has its members in
 * the server's order, and is not written anew as long as its hash stays. It is verified when it is read: each hash fits its
 * definition, and each set the hashes. That finds damage, not forgery; a seal (a MAC with the key of lock-key) does.
 */
#ifndef CONTRACT_LOCK_H
#define CONTRACT_LOCK_H

#include "contract/definition.h"

#define LOCK_BYTES_MAX     ((size_t)16 << 20)
#define LOCK_UPSTREAMS_MAX ((size_t)256)
#define LOCK_ITEMS_MAX     ((size_t)10000) /* of a kind, of one upstream */
#define LOCK_WORDS_MAX     ((size_t)1024)  /* of a command; of `unpinned` */
#define LOCK_KEY_MIN       ((size_t)16)
#define LOCK_KEY_MAX       ((size_t)4096)
#define LOCK_TIME_LEN      ((size_t)20) /* 2026-11-16T08:00:00Z */

struct tn_pinned {
    struct tn_definition definition;
    struct tn_slice      approved, by; /* when, and by whom */
};

struct tn_pinned_list {
    struct tn_pinned *at;          /* by name */
    size_t            count, room; /* 0: as many as there are */
};

struct tn_lock_entry {
    struct tn_slice       name;
    tenon_strs            command;              /* its words; none: */
    const char           *url;                  /* where it is; NULL: it is neither, as a saved list */
    struct tn_slice       server, capabilities; /* JSON objects */
    struct tn_slice       era;                  /* the revision that it spoke */
    struct tn_slice       instructions;         /* `at` is NULL without any */
    tenon_strs            unpinned;             /* members of _meta that hashes leave out */
    struct tn_slice      *order;                /* tools as the server lists them */
    size_t                order_count;
    struct tn_pinned_list kinds[KINDS];
};

struct tn_lock {
    struct tn_arena       arena;
    struct tn_lock_entry *at; /* by name */
    size_t                count;
    bool                  sealed;
};

/* What reads and writes it. */
struct tn_lock_file {
    const char *path;
    const char *key; /* path of the key that seals it, or NULL */
};

void tn_lock_init(struct tn_lock *lock, const tenon_allocator *memory);
void tn_lock_free(struct tn_lock *lock);

/* Reads and verifies a file, whose way must be trusted (trusted.h). On failure *mistake is a sentence in the lock's memory.
 * TENON_E_NOT_FOUND when there is no such file. */
tenon_status tn_lock_read(struct tn_lock *lock, const struct tn_lock_file *file, const char **mistake);

/* The same of its text; `key` is the key itself, or empty. */
bool tn_lock_parse(struct tn_lock *lock, const char *path, struct tn_slice text, struct tn_slice key,
                   const char **mistake);

/* NULL when there is none. */
struct tn_lock_entry   *tn_lock_find(const struct tn_lock *lock, struct tn_slice name);
struct tn_lock_entry   *tn_lock_find_command(const struct tn_lock *lock, const char *const *words);
struct tn_lock_entry   *tn_lock_find_url(const struct tn_lock *lock, const char *url);
const struct tn_pinned *tn_lock_pinned(const struct tn_lock_entry *entry, enum tn_kind kind,
                                       struct tn_slice name);

/* SHA-256 over all names and hashes, and the instructions. */
void tn_lock_set(const struct tn_lock_entry *entry, struct tn_arena *arena, char hash[HASH_LEN + 1]);

/* ---- Changing it ---------------------------------------------------------------------------------------------- */

/* The entry of that name, made when there is none. NULL without memory, or when there are too many. */
struct tn_lock_entry *tn_lock_enter(struct tn_lock *lock, struct tn_slice name);

/* Tools are listed as in these names, and the others after them. */
bool tn_lock_order(struct tn_lock *lock, struct tn_lock_entry *entry, const struct tn_slice *names,
                   size_t count);

/* Puts a definition in, or in the place of the one with its name. All texts must live as long as the lock. */
bool tn_lock_pin(struct tn_lock *lock, struct tn_lock_entry *entry, enum tn_kind kind,
                 const struct tn_pinned *pinned);
void tn_lock_unpin(struct tn_lock_entry *entry, enum tn_kind kind, struct tn_slice name);

/* The text of the file; sealed when there is a key. */
void tn_lock_write(struct tn_buf *out, struct tn_lock *lock, struct tn_slice key);

/* Changes the file: takes a lock of its folder, reads it again, lets `change` change it, and puts a new file in its place,
 * which is the old one or the new one at every moment. Nothing is written when `change` returns false, and TENON_OK is
 * returned. The file is made when there is none. *mistake is in `arena`. */
tenon_status tn_lock_update(const struct tn_lock_file *file, bool (*change)(void *user, struct tn_lock *lock),
                            void *user, struct tn_arena *arena, const char **mistake);

/* The key in a file; empty when there is none. False with a mistake. */
bool tn_lock_key(struct tn_arena *arena, const char *path, struct tn_slice *key, const char **mistake);

/* The seal over everything else: in hexadecimal digits. */
bool tn_lock_seal(struct tn_arena *arena, yyjson_val *root, struct tn_slice key, char seal[HASH_LEN + 1]);

#define LOCK_SET  "sha256:"
#define LOCK_SEAL "hmac-sha256:"

#endif
