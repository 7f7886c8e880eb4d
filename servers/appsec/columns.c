/* columns.c - between columns of the database and the values of calls. */
#include "appsec/appsec.h"

tenon_time appsec_time(sqlite3_stmt *row, int column)
{
    return (tenon_time){ sqlite3_column_int64(row, column), sqlite3_column_type(row, column) != SQLITE_NULL };
}

/* ---- Lists and maps: SQLite reads its own JSON --------------------------------------------------------------------- */

/* Steps to the next member; false at the end, or without memory. */
static bool step(tenon_call *call, sqlite3_stmt *each)
{
    int code = sqlite3_step(each);

    if (code != SQLITE_ROW && code != SQLITE_DONE)
        call_run_out(call);
    return code == SQLITE_ROW;
}

/* How many members a column's JSON has, and a statement at the first one's key and value; NULL for none. */
static sqlite3_stmt *members(tenon_call *call, sqlite3_stmt *row, int column, size_t *count)
{
    sqlite3_stmt *each = NULL;
    const char   *json = call_text(call, row, column);

    *count = 0;
    if (!json || strlen(json) <= 2) /* [] or {} */
        return NULL;
    if (sqlite3_prepare_v2(sqlite3_db_handle(row), "SELECT key, value, count(*) OVER () FROM json_each(?1)",
                           -1, &each, NULL) != SQLITE_OK ||
        sqlite3_bind_text(each, 1, json, -1, SQLITE_STATIC) != SQLITE_OK)
        call_run_out(call);
    else if (step(call, each)) {
        *count = (size_t)sqlite3_column_int64(each, 2);
        return each;
    }
    sqlite3_finalize(each);
    return NULL;
}

static const char *member(tenon_call *call, sqlite3_stmt *each, int column)
{
    const char *text = call_text(call, each, column);

    return text ? text : "";
}

tenon_strs appsec_strs(tenon_call *call, sqlite3_stmt *row, int column)
{
    size_t        count, used = 0;
    sqlite3_stmt *each = members(call, row, column, &count);
    const char  **at   = each ? tenon_alloc(call, count * sizeof *at) : NULL;

    if (at)
        do
            at[used++] = member(call, each, 1);
        while (used < count && step(call, each));
    sqlite3_finalize(each);
    return (tenon_strs){ used, at };
}

tenon_map appsec_map(tenon_call *call, sqlite3_stmt *row, int column)
{
    size_t        count, used = 0;
    sqlite3_stmt *each = members(call, row, column, &count);
    tenon_pair   *at   = each ? tenon_alloc(call, count * sizeof *at) : NULL;

    if (at)
        do
            at[used++] = (tenon_pair){ member(call, each, 0), member(call, each, 1) };
        while (used < count && step(call, each));
    sqlite3_finalize(each);
    return (tenon_map){ used, at };
}

/* ---- JSON for json_each() ------------------------------------------------------------------------------------------ */

/* Without memory the call fails as a whole. */
static const char *text_of_writer(tenon_writer *w)
{
    const char *text = tenon_writer_text(w, NULL);

    return text ? text : "[]";
}

const char *appsec_json(tenon_call *call, const tenon_strs *list)
{
    const char *text = call_json_strs(call, list);

    return text || list->count == 0 ? text : "[]";
}

/* What stands between commas, without spaces around it. */
static void write_values(tenon_writer *w, const char *values)
{
    const char *spaces = " \t";

    for (const char *at = values; *at;) {
        size_t len = strcspn(at, ","), first = strspn(at, spaces), used;

        first = first < len ? first : len;
        used  = len - first;
        while (used > 0 && strchr(spaces, at[first + used - 1]))
            used--;
        if (used > 0)
            tenon_write_text(w, NULL, at + first, used);
        at += len + (at[len] == ',');
    }
}

const char *appsec_choices(tenon_call *call, const tenon_map *map)
{
    tenon_writer *w = tenon_call_writer(call);

    if (map->count == 0)
        return NULL;
    tenon_write_object(w, NULL);
    for (size_t i = 0; i < map->count; i++) {
        tenon_write_array(w, map->at[i].key);
        write_values(w, map->at[i].value);
        tenon_write_end(w);
    }
    tenon_write_end(w);
    return text_of_writer(w);
}

const char *appsec_choice(tenon_call *call, const char *name, const char *value)
{
    tenon_writer *w = tenon_call_writer(call);

    tenon_write_object(w, NULL);
    tenon_write_array(w, name);
    tenon_write_str(w, NULL, value);
    tenon_write_end(w);
    tenon_write_end(w);
    return text_of_writer(w);
}
