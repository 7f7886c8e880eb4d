/* resolve.c - the numbers of types and applications by their names, and the nearest name of one that does not exist.
 * Where a name must exist, a lookup has refused the others (lookup.c). */
#include "appsec/appsec.h"

#include <strings.h>

#include "kit/text.h"

#define NEAR_MAX 64 /* longest name that is compared */

/* Edits between two names, whatever their case: insertions, deletions, changes. */
static size_t distance(const char *a, const char *b)
{
    size_t row[NEAR_MAX + 1], a_len = strlen(a), b_len = strlen(b);

    if (a_len > NEAR_MAX || b_len > NEAR_MAX)
        return NEAR_MAX;
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t same  = diagonal + (strncasecmp(a + i - 1, b + j - 1, 1) != 0);
            size_t least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;

            diagonal = row[j];
            row[j]   = same < least ? same : least;
        }
    }
    return row[b_len];
}

const char *names_nearest(struct sql *sql, tenon_call *call, struct statement *statement, const char *name)
{
    size_t      len = strlen(name), best = len / 3 + 1;
    const char *near = NULL;

    while (sql_row(sql, statement)) {
        const char *other = sql_text(statement, 0);
        size_t      edits = len >= 3 && strncasecmp(other, name, len) == 0 ? 1 : distance(name, other);

        if (edits < best || (edits == best && !near)) {
            best = edits;
            near = tenon_format(call, "%s", other);
        }
    }
    return near;
}

/* ---- Types --------------------------------------------------------------------------------------------------------- */

static int64_t find_type(struct sql *sql, const char *name)
{
    struct statement *statement = sql_statement(sql, "SELECT id FROM types WHERE " SQL_NOCASE(
                                                         "name") " = " SQL_NOCASE_VALUE("?1"));
    int64_t           id;

    sql_bind_text(statement, 1, name);
    id = sql_row(sql, statement) ? sql_number(statement, 0) : 0;
    sql_reset(statement);
    return id;
}

bool types_number(struct sql *sql, tenon_call *call, const tenon_strs *names, const char **ids)
{
    struct text text = { 0 };

    *ids = NULL;
    for (size_t i = 0; i < names->count; i++)
        text_addf(&text, "%c%lld", i == 0 ? '[' : ',', (long long)find_type(sql, names->at[i]));
    text_char(&text, ']');
    if (names->count > 0)
        *ids = text.failed ? "[]" : tenon_format(call, "%s", text_of(&text));
    text_free(&text);
    return sql_failure(sql) == SQL_OK;
}

/* ---- Applications -------------------------------------------------------------------------------------------------- */

/* Its number, or 0 and the nearest id that there is. */
static int64_t look_up(struct sql *sql, tenon_call *call, const char *id, const char **near)
{
    struct statement *statement = sql_statement(sql, "SELECT id FROM applications WHERE " SQL_NOCASE(
                                                         "app") " = " SQL_NOCASE_VALUE("?1"));
    int64_t           app;

    sql_bind_text(statement, 1, id);
    app = sql_row(sql, statement) ? sql_number(statement, 0) : 0;
    sql_reset(statement);
    *near = app == 0 ? names_nearest(
                           sql, call,
                           sql_statement(sql, "SELECT app FROM applications ORDER BY " SQL_NOCASE("app")), id)
                     : NULL;
    return app;
}

#define NO_APP      "There is no application '%s'. search_applications finds ids."
#define NO_APP_NEAR "There is no application '%s'. Did you mean '%s'? search_applications finds ids."

bool apps_find(struct sql *sql, tenon_call *call, const char *id, int64_t *app)
{
    const char *near;

    *app = look_up(sql, call, id, &near);
    if (*app == 0 && near)
        tenon_message(call, NO_APP_NEAR, tenon_echo(call, id), tenon_echo(call, near));
    else if (*app == 0)
        tenon_message(call, NO_APP, tenon_echo(call, id));
    if (*app == 0)
        *app = APP_NONE;
    return sql_failure(sql) == SQL_OK;
}
