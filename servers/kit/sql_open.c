/* sql_open.c - which engine an address is for. That of PostgreSQL is a module, so that servers on SQLite never see libpq. */
#include <string.h>

#include "kit/sql_driver.h"
#include "net/module.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const struct sql_driver *load_pg(char **error)
{
    struct tn_module         module = tn_module_load(SQL_PG_MODULE, SQL_PG_ENTRY);
    sql_entry_fn             entry  = NULL;
    const struct sql_driver *driver;

    if (!module.handle) {
        sql_say(error,
                "PostgreSQL needs " SQL_PG_MODULE
                ", which cannot be loaded: %s. Install libpq (libpq5), and build Tenon "
                "where libpq-dev is.",
                module.why);
        return NULL;
    }
    memcpy(&entry, &module.entry,
           sizeof entry); /* an object's address, that ISO C does not make a function's */
    driver = entry ? entry(SQL_DRIVER_VERSION) : NULL;
    if (!driver)
        sql_say(error, SQL_PG_MODULE " is of another release of Tenon.");
    return driver;
}

bool sql_is_shared(const char *address)
{
    return begins(address, "postgresql://") || begins(address, "postgres://");
}

struct sql_pool *sql_open(const char *address, const struct sql_schema *schema, char **error)
{
    return sql_open_as(address, schema, &(struct sql_options){ .is_private = false }, error);
}

struct sql_pool *sql_open_as(const char *address, const struct sql_schema *schema,
                             const struct sql_options *options, char **error)
{
    const struct sql_driver *driver = &sqlite_driver;

    if (error)
        *error = NULL;
    if (sql_is_shared(address)) {
        if (!schema->name || !schema->shared) {
            sql_say(error, "This server keeps its data in a file of SQLite; it cannot use PostgreSQL yet.");
            return NULL;
        }
        driver = load_pg(error);
    }
    return driver ? driver->open(address, schema, options, error) : NULL;
}
