/* move_tables.c - see move_tables.h. */
#include "kit/move_tables.h"

#include <stdio.h>
#include <string.h>

#include "kit/sql_driver.h"

/* ---- Which tables there are -------------------------------------------------------------------------------------- */

static const struct {
    const char    *type;
    enum move_kind kind;
} kinds[] = {
    { "bigint", KIND_NUMBER },
    { "double precision", KIND_REAL },
    { "text", KIND_TEXT },
    { "bytea", KIND_BLOB },
};

static enum move_kind kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].type, type) == 0)
            return kinds[i].kind;
    return KIND_OTHER;
}

static bool add_column(struct move_table *table, struct statement *row)
{
    struct move_column *column = &table->columns[table->count];

    if (table->count == MOVE_COLUMNS_MAX)
        return false;
    table->count++;
    column->kind      = kind_of(sql_text(row, 2));
    column->is_key    = sql_number(row, 3) != 0;
    column->is_number = sql_number(row, 4) != 0;
    snprintf(column->name, sizeof column->name, "%s", sql_text(row, 1));
    return true;
}

/* In the order in which they were made. */
bool move_list(struct sql *shared, const char *schema, struct move_tables *out)
{
    struct statement *row = sql_statement(
        shared, "SELECT c.relname, a.attname, format_type(a.atttypid, NULL), EXISTS (SELECT 1"
                " FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum ="
                " ANY (i.indkey)), a.attidentity <> '' FROM pg_class c JOIN pg_namespace n ON"
                " n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid WHERE"
                " n.nspname = ?1 AND c.relkind = 'r' AND"
                " a.attnum > 0 AND NOT a.attisdropped ORDER BY c.oid, a.attnum");
    struct move_table *table = NULL;

    out->count = 0;
    sql_bind_text(row, 1, schema);
    while (sql_row(shared, row)) {
        const char *name = sql_text(row, 0);

        if (!table || strcmp(table->name, name) != 0) {
            if (out->count == MOVE_TABLES_MAX)
                return false;
            table        = &out->at[out->count++];
            table->count = 0;
            snprintf(table->name, sizeof table->name, "%s", name);
        }
        if (!add_column(table, row))
            return false;
    }
    return sql_failure(shared) == SQL_OK;
}

/* ---- Texts of statements ----------------------------------------------------------------------------------------- */

bool move_is_any(const struct move_column *column)
{
    (void)column;
    return true;
}

bool move_is_key(const struct move_column *column)
{
    return column->is_key;
}

void move_names(struct text *out, const struct move_table *table, const char *prefix,
                bool (*is_wanted)(const struct move_column *column))
{
    const char *between = "";

    for (int i = 0; i < table->count; i++)
        if (is_wanted(&table->columns[i])) {
            text_addf(out, "%s%s\"%s\"", between, prefix, table->columns[i].name);
            between = ", ";
        }
}

struct statement *move_prepare(struct sql *sql, struct text *text)
{
    struct statement *made = text->failed ? NULL : sql_statement(sql, text_of(text));

    text_free(text);
    return made;
}

struct statement *move_select(struct sql *sql, const struct move_table *table)
{
    struct text text = { 0 };

    text_put(&text, "SELECT ");
    move_names(&text, table, "", move_is_any);
    text_addf(&text, " FROM %s", table->name);
    return move_prepare(sql, &text);
}

struct statement *move_insert(struct sql *sql, const struct move_table *table,
                              bool (*is_wanted)(const struct move_column *column))
{
    struct text text  = { 0 };
    int         count = 0;

    text_addf(&text, "INSERT INTO %s (", table->name);
    move_names(&text, table, "", is_wanted);
    text_put(&text, ") VALUES (");
    for (int i = 0; i < table->count; i++)
        if (is_wanted(&table->columns[i]))
            text_addf(&text, "%s?%d", count++ ? ", " : "", i + 1);
    text_put(&text, ")");
    return move_prepare(sql, &text);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

void move_bind(struct statement *to, int at, struct statement *row, int from, enum move_kind kind)
{
    size_t      len;
    const char *text;
    const void *blob;

    if (sql_is_null(row, from))
        return;
    switch (kind) {
    case KIND_NUMBER: sql_bind_number(to, at, sql_number(row, from)); break;
    case KIND_REAL: sql_bind_real(to, at, sql_real(row, from)); break;
    case KIND_TEXT:
        text = sql_part(row, from, &len);
        sql_bind_part(to, at, text, len);
        break;
    case KIND_BLOB:
        blob = sql_blob(row, from, &len);
        sql_bind_blob(to, at, blob ? blob : "", len);
        break;
    case KIND_OTHER: break;
    }
}
