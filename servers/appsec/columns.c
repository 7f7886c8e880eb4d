/* columns.c - between columns of the database and the values of calls. */
#include "appsec/appsec.h"

#include "kit/text.h"

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

/* The text, in the call's memory; without memory the call fails as a whole. */
static const char *keep(tenon_call *call, struct text *text)
{
    const char *kept = text->failed ? NULL : tenon_format(call, "%s", text_of(text));

    text_free(text);
    return kept ? kept : "[]";
}

const char *appsec_json(tenon_call *call, const tenon_strs *list)
{
    struct text text = { 0 };

    if (list->count == 0)
        return NULL;
    for (size_t i = 0; i < list->count; i++) {
        text_char(&text, i == 0 ? '[' : ',');
        text_json(&text, list->at[i], strlen(list->at[i]));
    }
    text_char(&text, ']');
    return keep(call, &text);
}

static void add_values(struct text *text, const char *values)
{
    const char *blanks = " \t";
    bool        any    = false;

    text_char(text, '[');
    for (const char *at = values; *at;) {
        size_t len = strcspn(at, ","), first = strspn(at, blanks), used;

        first = first < len ? first : len;
        used  = len - first;
        while (used > 0 && strchr(blanks, at[first + used - 1]))
            used--;
        if (used > 0) {
            text_put(text, any ? "," : "");
            text_json(text, at + first, used);
            any = true;
        }
        at += len + (at[len] == ',');
    }
    text_char(text, ']');
}

const char *appsec_choices(tenon_call *call, const tenon_map *map)
{
    struct text text = { 0 };

    if (map->count == 0)
        return NULL;
    for (size_t i = 0; i < map->count; i++) {
        text_char(&text, i == 0 ? '{' : ',');
        text_json(&text, map->at[i].key, strlen(map->at[i].key));
        text_char(&text, ':');
        add_values(&text, map->at[i].value);
    }
    text_char(&text, '}');
    return keep(call, &text);
}

const char *appsec_choice(tenon_call *call, const char *name, const char *value)
{
    struct text text = { 0 };

    text_char(&text, '{');
    text_json(&text, name, strlen(name));
    text_put(&text, ":[");
    text_json(&text, value, strlen(value));
    text_put(&text, "]}");
    return keep(call, &text);
}
