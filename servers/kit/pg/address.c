/* address.c - what the address of a database may say, and what it must.
 *
 * A password in it would stand in the list of processes; a server on another machine is only who it says it is when its
 * certificate is looked at, which libpq does not do by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "kit/pg/pg.h"
#include "kit/text.h"

/* ---- Its parts --------------------------------------------------------------------------------------------------- */

static const char *part(const PQconninfoOption *options, const char *keyword)
{
    for (; options->keyword; options++)
        if (strcmp(options->keyword, keyword) == 0)
            return options->val && options->val[0] ? options->val : NULL;
    return NULL;
}

/* Every host of the list is this machine. */
static bool is_local(const char *hosts)
{
    static const char *const locals[] = { "localhost", "127.0.0.1", "::1" };

    while (hosts) {
        size_t len   = strcspn(hosts, ",");
        bool   found = len == 0 || *hosts == '/' || *hosts == '@';

        for (size_t i = 0; !found && i < sizeof locals / sizeof *locals; i++)
            found = strlen(locals[i]) == len && memcmp(hosts, locals[i], len) == 0;
        if (!found)
            return false;
        hosts = hosts[len] ? hosts + len + 1 : NULL;
    }
    return true;
}

static bool check(const PQconninfoOption *options, char **error)
{
    const char *host = part(options, "host");

    if (part(options, "password")) {
        sql_say(
            error,
            "The address of the database has a password in it, which others see in the list of processes. "
            "Keep it in ~/.pgpass, a service file, or PGPASSFILE.");
        return false;
    }
    if (!is_local(host ? host : part(options, "hostaddr")) && !part(options, "sslmode")) {
        sql_say(
            error,
            "The database is on another machine, and its address says nothing of sslmode. Add "
            "sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt, or the mode that you want.");
        return false;
    }
    return true;
}

bool pg_address_check(const char *address, char **error)
{
    char             *why     = NULL; /* may repeat what it could not read, a password among it */
    PQconninfoOption *options = PQconninfoParse(address, &why);
    bool              good    = options && check(options, error);

    if (!options)
        sql_say(error, "The address of the database cannot be read; it looks like "
                       "postgresql://user@host/name?target_session_attrs=read-write.");
    PQconninfoFree(options);
    PQfreemem(why);
    return good;
}

/* "postgresql://host,host/name": neither user nor parameters. */
char *pg_address_shown(const char *address)
{
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    struct text       shown   = { 0 };

    if (options) {
        const char *host = part(options, "host"), *port = part(options, "port"),
                   *name = part(options, "dbname");

        text_addf(&shown, "postgresql://%s%s%s/%s", host ? host : "", port ? ":" : "", port ? port : "",
                  name ? name : "");
    }
    PQconninfoFree(options);
    return options ? shown.at : NULL;
}
