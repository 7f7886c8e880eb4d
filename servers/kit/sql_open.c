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

static const char *next_word(const char *text)
{
    const char *space = strchr(text, ' ');

    return space ? space + 1 : NULL;
}

/* No file is meant, but a database in words of libpq or of other programs: there may be a password in them. */
static bool is_foreign(const char *address)
{
    static const char *const keywords[] = { "host=", "hostaddr=", "port=",    "dbname=",
                                            "user=", "password=", "service=", "sslmode=" };
    static const char        letters[]  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.";
    size_t                   scheme     = strspn(address, letters);

    for (const char *word = address; word; word = next_word(word))
        for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
            if (begins(word, keywords[i]))
                return true;
    return scheme > 0 && begins(address + scheme, "://");
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
    } else if (is_foreign(address)) {
        sql_say(error, "A database is a file, or one of PostgreSQL as postgresql://user@host/name; this is "
                       "neither. A file of such a name begins with ./ here.");
        return NULL;
    }
    return driver ? driver->open(address, schema, options, error) : NULL;
}
