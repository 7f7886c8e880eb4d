/* lookup.c - lookups of rows: types and applications that must exist, so that a misspelt one is reported with every other
 * issue. */
#include "appsec/appsec.h"

/* A catalogue: its words, how one name is found in it, and all names. */
struct catalogue {
    const char *noun, *where, *find, *all;
};

static const struct catalogue types = { "type", "list_vulnerability_types has all of them.",
                                        "SELECT 1 FROM types WHERE " SQL_NOCASE(
                                            "name") " = " SQL_NOCASE_VALUE("?1"),
                                        "SELECT name FROM types ORDER BY " SQL_NOCASE("name") };
static const struct catalogue apps  = { "application", "search_applications finds ids.",
                                        "SELECT 1 FROM applications WHERE " SQL_NOCASE(
                                            "app") " = " SQL_NOCASE_VALUE("?1"),
                                        "SELECT app FROM applications ORDER BY " SQL_NOCASE("app") };

static void find_unknown(tenon_lookup *lookup, struct sql *sql, const struct catalogue *catalogue,
                         const tenon_strs *names)
{
    struct statement *statement = sql_statement(sql, catalogue->find);

    for (size_t i = 0; i < names->count; i++) {
        sql_bind_text(statement, 1, names->at[i]);
        if (!sql_row(sql, statement) && sql_failure(sql) == SQL_OK)
            tenon_lookup_unknown(lookup, names->at[i]);
        sql_reset(statement);
    }
    if (tenon_lookup_count(lookup) == 0)
        return;
    statement = sql_statement(sql, catalogue->all);
    while (sql_row(sql, statement))
        tenon_lookup_offer(lookup, sql_text(statement, 0));
}

static void look_up(tenon_lookup *lookup, const struct catalogue *catalogue, const tenon_strs *names)
{
    tenon_call *call = tenon_lookup_call(lookup);
    struct sql *sql  = appsec_reading(call);

    if (!sql) {
        tenon_lookup_fail(lookup, call_failed(call, NULL));
        return;
    }
    tenon_lookup_words(lookup, catalogue->noun, catalogue->where);
    find_unknown(lookup, sql, catalogue, names);
    if (sql_failure(sql) != SQL_OK)
        tenon_lookup_fail(lookup, call_failed(call, sql));
    appsec_done(call, sql);
}

void types_look_up(tenon_lookup *lookup, const void *value)
{
    look_up(lookup, &types, value);
}

void apps_look_up(tenon_lookup *lookup, const void *value)
{
    look_up(lookup, &apps, value);
}

void app_look_up(tenon_lookup *lookup, const void *value)
{
    look_up(lookup, &apps, &(tenon_strs){ 1, value });
}
