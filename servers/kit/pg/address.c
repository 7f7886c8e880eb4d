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

/* libpq's own default looks at no certificate, and a server need not have one. */
static bool is_guarded(const PQconninfoOption *options)
{
    const char *host = part(options, "host"), *mode = part(options, "sslmode");

    return is_local(host ? host : part(options, "hostaddr")) || (mode && strcmp(mode, "prefer") != 0);
}

static const char not_guarded[] =
    "The database is on another machine, and its address says nothing of sslmode. Add "
    "sslmode=verify-full&sslrootcert=/etc/ssl/certs/ca-certificates.crt, or the mode that you choose.";

static bool check(const PQconninfoOption *options, bool is_private, char **error)
{
    if (part(options, "password") && !is_private) {
        sql_say(
            error,
            "The address of the database has a password in it, which others see in the list of processes. "
            "Put the address into a file of mode 0600 and name it with --db-file, or keep the password in "
            "~/.pgpass.");
        return false;
    }
    if (!part(options, "sslmode") && !is_guarded(options)) {
        sql_say(error, "%s", not_guarded);
        return false;
    }
    return true;
}

/* A parameter of ours, which libpq would not know, is taken out. Its value; NULL when that is neither on nor off. */
static const char *take_prepare(char *address)
{
    static const char        name[]   = "prepare=";
    static const char *const values[] = { "on", "off" };
    char                    *at       = strchr(address, '?');

    while (at && strncmp(at + 1, name, strlen(name)) != 0)
        at = strchr(at + 1, '&');
    for (size_t i = 0; at && i < sizeof values / sizeof *values; i++) {
        char  *value = at + 1 + strlen(name);
        size_t len   = strcspn(value, "&");

        if (strlen(values[i]) != len || memcmp(value, values[i], len) != 0)
            continue;
        if (value[len] == '&') /* what follows has the mark that stood before it */
            memmove(at + 1, value + len + 1, strlen(value + len + 1) + 1);
        else
            *at = '\0';
        return values[i];
    }
    return at ? NULL : values[0];
}

/* What stands in a password as it is ends another part of the address, whose rest would be shown as a host, a port or a name. */
static bool is_torn(const char *address, const PQconninfoOption *options)
{
    const char *text = strstr(address, "://"), *port = part(options, "port"), *first;
    size_t      authority, path;

    if (port && port[strspn(port, "0123456789,")])
        return true;
    if (!text)
        return false;
    text += 3;
    authority = strcspn(text, "/?");
    path      = strcspn(text, "?");
    first     = memchr(text, '@', path);
    return first && (first >= text + authority || memchr(first + 1, '@', path - (size_t)(first + 1 - text)));
}

static bool is_good(const char *address, bool is_private, char **error)
{
    char             *why     = NULL; /* may repeat what it could not read, a password among it */
    PQconninfoOption *options = PQconninfoParse(address, &why);
    bool              whole   = options && !is_torn(address, options);
    bool              good    = whole && check(options, is_private, error);

    if (!whole)
        sql_say(error, "The address of the database cannot be read; it looks like "
                       "postgresql://user@host/name?target_session_attrs=read-write, and in a password / is "
                       "%%2F and @ is %%40.");
    PQconninfoFree(options);
    PQfreemem(why);
    return good;
}

bool pg_address_allows(PGconn *conn, const char *address, char **error)
{
    PQconninfoOption *said = PQconninfoParse(address, NULL), *whole = PQconninfo(conn);
    bool              good = said && whole && (part(said, "sslmode") || is_guarded(whole));

    if (said && whole && !good)
        sql_say(error, "%s", not_guarded);
    PQconninfoFree(said);
    PQconninfoFree(whole);
    return good;
}

char *pg_address_read(const char *address, bool is_private, bool *is_pooled, char **error)
{
    char       *copy    = strdup(address);
    const char *prepare = copy ? take_prepare(copy) : NULL;

    if (copy && !prepare)
        sql_say(error, "The address of the database says prepare, which is on or off.");
    if (!prepare || !is_good(copy, is_private, error)) {
        free(copy);
        return NULL;
    }
    *is_pooled = strcmp(prepare, "off") == 0;
    return copy;
}

/* ---- Its hosts --------------------------------------------------------------------------------------------------- */

/* How many there are in a list with commas, which becomes texts of their own; 0 when one is empty, or there are too many. */
static size_t split(char *list, const char *at[PG_HOSTS_MOST])
{
    size_t count = 0;

    for (char *next = list; next; count++) {
        char *comma = strchr(next, ',');

        if (comma)
            *comma = '\0';
        if (count == PG_HOSTS_MOST || !*next)
            return 0;
        at[count] = next;
        next      = comma ? comma + 1 : NULL;
    }
    return count;
}

/* One for all hosts, one each, or none. */
static bool fits(const char *list[PG_HOSTS_MOST], size_t count, size_t hosts)
{
    if (count == 1) /* the address says it for all of them */
        list[0] = NULL;
    return count <= 1 || count == hosts;
}

bool pg_hosts_read(const char *address, struct pg_hosts *hosts)
{
    static const char *const names[]   = { "host", "hostaddr", "port" };
    const char             **lists[]   = { hosts->host, hosts->addr, hosts->port };
    PQconninfoOption        *options   = PQconninfoParse(address, NULL);
    size_t                   counts[3] = { 0 };
    bool                     good      = options != NULL;

    for (size_t i = 0; good && i < 3; i++) {
        const char *list = part(options, names[i]);

        hosts->texts[i] = list ? strdup(list) : NULL;
        good            = !list || hosts->texts[i];
        counts[i]       = hosts->texts[i] ? split(hosts->texts[i], lists[i]) : 0;
    }
    PQconninfoFree(options);
    hosts->count = counts[0] > counts[1] ? counts[0] : counts[1];
    for (size_t i = 0; i < 3; i++)
        if (hosts->count < 2 || (hosts->texts[i] && counts[i] == 0) ||
            !fits(lists[i], counts[i], hosts->count))
            hosts->count = 0;
    return good;
}

void pg_hosts_free(struct pg_hosts *hosts)
{
    for (size_t i = 0; i < 3; i++)
        free(hosts->texts[i]);
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
