/* refuse_test.h - for tests: SQLite's allocations, and those of others that ask here, refused after a number of them.
 *
 *     refuse_after(n);
 *     ... what is tested ...
 *     if (!refuse_end())
 *         break; // nothing was refused: n was the last
 */
#ifndef KIT_REFUSE_TEST_H
#define KIT_REFUSE_TEST_H

#include <sqlite3.h>

#include <stdbool.h>

static struct refusing {
    sqlite3_mem_methods ordinary;
    long                allowed; /* allocations until one is refused; -1: none is */
    bool                refused;
} refusing = { .allowed = -1 };

/* Is this allocation the one? Those after it are made again. */
static inline bool refuse_this(void)
{
    if (refusing.allowed < 0 || refusing.allowed-- > 0)
        return false;
    refusing.refused = true;
    return true;
}

static inline void *refuse_take(int len)
{
    return refuse_this() ? NULL : refusing.ordinary.xMalloc(len);
}

static inline void *refuse_retake(void *at, int len)
{
    return refuse_this() ? NULL : refusing.ordinary.xRealloc(at, len);
}

/* Before SQLite is used at all; 0, or -1 when it does not let itself be told. */
static inline int refuse_prepare(void)
{
    sqlite3_mem_methods methods;

    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &refusing.ordinary) != SQLITE_OK)
        return -1;
    methods          = refusing.ordinary;
    methods.xMalloc  = refuse_take;
    methods.xRealloc = refuse_retake;
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK ? 0 : -1;
}

/* The allocation after the next `count` is refused. */
static inline void refuse_after(long count)
{
    refusing.refused = false;
    refusing.allowed = count;
}

/* Nothing is refused any more; was anything? */
static inline bool refuse_end(void)
{
    refusing.allowed = -1;
    return refusing.refused;
}

#endif
