/* base.h - what every part of Tenon's interface shares: status, memory, and the types of fields.
 *
 * Nothing in these headers belongs to a third party, and nothing is global: whatever the library keeps, it keeps
 * in an object that you made and that you free.
 */
#ifndef TENON_BASE_H
#define TENON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TENON_VERSION_MAJOR 0
#define TENON_VERSION_MINOR 1
#define TENON_VERSION_PATCH 0

/* For #if: 1002003 is 1.2.3. */
#define TENON_VERSION (TENON_VERSION_MAJOR * 1000000 + TENON_VERSION_MINOR * 1000 + TENON_VERSION_PATCH)

#if defined(__GNUC__)
#define TENON_API          __attribute__((visibility("default")))
#define TENON_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define TENON_API
#define TENON_PRINTF(f, a)
#endif

#ifdef __cplusplus
/* What a macro of C says in C++, whose compilers know neither _Generic nor compound literals. */
#define TENON_ONLY_C_(macro) \
    static_assert(0, macro " is C: in C++ include <tenon/tenon.hpp>, docs/cpp.md shows the same there")
#define TENON_ONLY_C_VALUE_(macro, type) ([]() -> type { TENON_ONLY_C_(macro); return {}; }())

extern "C" {
#endif

/* The version of the library that is linked, "0.1.0". */
TENON_API const char *tenon_version(void);

/* ---- Status ---------------------------------------------------------------------------------------------- */

/* How a function of the library ended. These are faults of the system and of the program; a mistake of a
 * tool's caller is never a status but a list of issues, worded for that caller. */
typedef enum tenon_status {
    TENON_OK = 0,
    TENON_E_NOMEM,       /* an allocation was refused, or the object's own memory limit was reached */
    TENON_E_DECLARATION, /* rows that cannot work; the object says which and why */
    TENON_E_NOT_FOUND,   /* nothing has that name */
    TENON_E_DENIED,      /* outside a root, or the system refused it */
    TENON_E_EXISTS,      /* it was to be created, and exists already */
    TENON_E_LIMIT,       /* longer, deeper or larger than a named limit allows */
    TENON_E_IO           /* the system failed; errno says how */
} tenon_status;

/* A short sentence for a status. Never NULL; static. */
TENON_API const char *tenon_status_text(tenon_status status);

/* ---- Memory ---------------------------------------------------------------------------------------------- */

/* Where an object takes its memory from. `resize` gets a block of `old_len` bytes (NULL and 0 for a new one) and
 * returns one of `new_len` bytes that begins with the same content, or NULL when memory is refused (the old block
 * then stays valid). With `new_len` 0 it frees the block and returns NULL. Blocks are aligned for everything, as malloc's
 * are. It must be safe to call from every thread that uses the object. A zero tenon_allocator stands for malloc. */
typedef struct tenon_allocator {
    void *(*resize)(void *user, void *block, size_t old_len, size_t new_len);
    void *user;
} tenon_allocator;

/* ---- Types of fields ------------------------------------------------------------------------------------- */

/* Text with its length. `at` is never NULL in a bound struct; a NUL follows the last byte. */
typedef struct tenon_str {
    const char *at;
    size_t      len;
} tenon_str;

typedef struct tenon_strs {
    size_t             count;
    const char *const *at;
} tenon_strs;

typedef struct tenon_ints {
    size_t         count;
    const int64_t *at;
} tenon_ints;

typedef struct tenon_nums {
    size_t        count;
    const double *at;
} tenon_nums;

/* A list of enum values, in the order in which they were sent. */
typedef struct tenon_enums {
    size_t     count;
    const int *at;
} tenon_enums;

/* A set of enum values below 64. */
typedef struct tenon_set {
    uint64_t bits;
} tenon_set;

static inline bool tenon_set_has(tenon_set set, int value)
{
    return value >= 0 && value < 64 && (set.bits >> value & 1u) != 0;
}

typedef struct tenon_pair {
    const char *key, *value;
} tenon_pair;

/* An object of strings, in the order in which it was sent. */
typedef struct tenon_map {
    size_t            count;
    const tenon_pair *at;
} tenon_map;

/* The value of a key, or NULL. */
TENON_API const char *tenon_map_get(const tenon_map *map, const char *key);

/* A moment: milliseconds since 1970-01-01T00:00:00Z. `set` is false when no moment was given. */
typedef struct tenon_time {
    int64_t ms;
    bool    set;
} tenon_time;

/* A list of structs: TENON_LIST_OF(person) persons; then persons.at[i], i < persons.count. */
#define TENON_LIST_OF(T)    \
    struct {                \
        size_t   count;     \
        const T *at;        \
    }

/* A view of any JSON value (json.h). */
typedef struct tenon_json tenon_json;

#ifdef __cplusplus
}
#endif
#endif
