/* import_shared.c - files into PostgreSQL: all that is known is brought to a database of SQLite in memory, which reads the files, and
 * what has changed there goes back. So both engines make the same of the same files, numbers included.
 *
 * One importer at a time: it locks the findings, which status changes wait for, too. Readers go on and see all of it or nothing.
 */
#include <stdlib.h>

#include "appsec/appsec.h"
#include "appsec/import.h"
#include "kit/mirror.h"

struct importing_shared {
    struct sql        *shared, *own;
    bool               sample;
    const char *const *files;
    size_t             count;
    FILE              *out;
};

static bool take_in(const struct importing_shared *taking, char **error)
{
    struct mirror *mirror = mirror_new(taking->shared, taking->own, &appsec_schema, error);
    bool good = mirror && import_into(taking->own, taking->sample, taking->files, taking->count, taking->out);

    good = good && mirror_return(mirror, error);
    mirror_free(mirror);
    return good;
}

static bool take_in_locked(struct importing_shared *taking, struct sql_pool *memory, char **error)
{
    bool good;

    if (!taking->shared || !sql_begin(taking->shared) ||
        !sql_exec(taking->shared, "LOCK TABLE findings IN EXCLUSIVE MODE"))
        return import_refuse(taking->out,
                             taking->shared ? sql_failure_text(taking->shared) : "it cannot be reached");
    taking->own = sql_take(memory);
    good        = taking->own && sql_begin(taking->own) && take_in(taking, error);
    if (good && !sql_end(taking->shared))
        good = import_refuse(taking->out, sql_failure_text(taking->shared));
    sql_give(memory, taking->own);
    return good;
}

bool import_shared(struct sql_pool *pool, bool sample, const char *const *files, size_t count, FILE *out)
{
    static const struct sql_patience endless = { .ms = 0 };
    char                            *error   = NULL;
    struct sql_pool                 *memory  = sql_open(":memory:", &appsec_schema, &error);
    struct importing_shared taking = { .sample = sample, .files = files, .count = count, .out = out };
    bool                    good   = false;

    if (memory) {
        taking.shared = sql_take_for(pool, &endless);
        good          = take_in_locked(&taking, memory, &error);
        sql_give(pool, taking.shared);
    }
    if (error)
        good = import_refuse(out, error);
    free(error);
    sql_close(memory);
    return good;
}
