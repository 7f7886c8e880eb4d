/* mirror.c - see mirror.h. Triggers note the keys of rows that change, and whether they were there before. */
#include "kit/mirror.h"

#include <stdlib.h>

#include "kit/move_tables.h"
#include "kit/sql_driver.h"

struct mirror {
    struct sql        *shared, *own;
    struct move_tables tables;
};

static bool run_text(struct sql *sql, struct text *text)
{
    bool good = !text->failed && sql_exec(sql, text_of(text));

    text_free(text);
    return good;
}

/* ---- Rows from there --------------------------------------------------------------------------------------------- */

static bool take_rows(struct mirror *mirror, const struct move_table *table)
{
    struct text       clear = { 0 };
    struct statement *row   = move_select(mirror->shared, table);

    text_addf(&clear, "DELETE FROM %s", table->name); /* of what triggers have made of other tables' rows */
    if (!run_text(mirror->own, &clear))
        return false;
    while (sql_row(mirror->shared, row)) {
        struct statement *to = move_insert(mirror->own, table, move_is_any);

        for (int i = 0; i < table->count; i++)
            move_bind(to, i + 1, row, i, table->columns[i].kind);
        if (!sql_run(mirror->own, to))
            return false;
    }
    return sql_failure(mirror->shared) == SQL_OK;
}

/* ---- What changes ------------------------------------------------------------------------------------------------ */

/* "m.a = x.a AND m.b = x.b" */
static void add_same(struct text *out, const struct move_table *table, const char *left, const char *right)
{
    const char *between = "";

    for (int i = 0; i < table->count; i++)
        if (table->columns[i].is_key) {
            text_addf(out, "%s%s\"%s\" = %s\"%s\"", between, left, table->columns[i].name, right,
                      table->columns[i].name);
            between = " AND ";
        }
}

/* The first note of a row counts. */
static void add_note(struct text *out, const struct move_table *table, const char *row, bool was_there)
{
    text_addf(out, " INSERT INTO moved_%s SELECT ", table->name);
    move_names(out, table, row, move_is_key);
    text_addf(out, ", %d WHERE NOT EXISTS (SELECT 1 FROM moved_%s m WHERE ", was_there, table->name);
    add_same(out, table, "m.", row);
    text_put(out, ");");
}

static bool note_changes(struct mirror *mirror, const struct move_table *table)
{
    static const struct {
        const char *name, *event;
        bool        of_old, of_new;
    } notes[]        = { { "in", "INSERT", false, true },
                         { "to", "UPDATE", true, true },
                         { "out", "DELETE", true, false } };
    struct text text = { 0 };

    text_addf(&text, "CREATE TEMP TABLE moved_%s (", table->name);
    move_names(&text, table, "", move_is_key);
    text_put(&text, ", was_there INTEGER, PRIMARY KEY (");
    move_names(&text, table, "", move_is_key);
    text_put(&text, "));");
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        text_addf(&text, "CREATE TEMP TRIGGER moved_%s_%s AFTER %s ON main.%s BEGIN", table->name,
                  notes[i].name, notes[i].event, table->name);
        if (notes[i].of_old)
            add_note(&text, table, "old.", true);
        if (notes[i].of_new)
            add_note(&text, table, "new.", false);
        text_put(&text, " END;");
    }
    return run_text(mirror->own, &text);
}

/* ---- And back ---------------------------------------------------------------------------------------------------- */

static bool is_no_key(const struct move_column *column)
{
    return !column->is_key;
}

static bool is_given(const struct move_column *column)
{
    return !column->is_number;
}

static struct statement *select_gone(struct mirror *mirror, const struct move_table *table)
{
    struct text text = { 0 };

    text_put(&text, "SELECT ");
    move_names(&text, table, "m.", move_is_key);
    text_addf(&text, " FROM moved_%s m WHERE m.was_there AND NOT EXISTS (SELECT 1 FROM main.%s x WHERE ",
              table->name, table->name);
    add_same(&text, table, "x.", "m.");
    text_put(&text, ")");
    return move_prepare(mirror->own, &text);
}

static struct statement *delete_one(struct mirror *mirror, const struct move_table *table)
{
    struct text text  = { 0 };
    int         count = 0;

    text_addf(&text, "DELETE FROM %s WHERE ", table->name);
    for (int i = 0; i < table->count; i++)
        if (table->columns[i].is_key) {
            text_addf(&text, "%s\"%s\" = ?%d", count ? " AND " : "", table->columns[i].name, count + 1);
            count++;
        }
    return move_prepare(mirror->shared, &text);
}

static bool remove_gone(struct mirror *mirror, const struct move_table *table)
{
    struct statement *row = select_gone(mirror, table);

    while (sql_row(mirror->own, row)) {
        struct statement *gone  = delete_one(mirror, table);
        int               count = 0;

        for (int i = 0; i < table->count; i++)
            if (table->columns[i].is_key) {
                move_bind(gone, count + 1, row, count, table->columns[i].kind);
                count++;
            }
        if (!sql_later(mirror->shared, gone))
            return false;
    }
    return sql_failure(mirror->own) == SQL_OK;
}

/* All columns, and last whether the row was there before. */
static struct statement *select_moved(struct mirror *mirror, const struct move_table *table)
{
    struct text text = { 0 };

    text_put(&text, "SELECT ");
    move_names(&text, table, "x.", move_is_any);
    text_addf(&text, ", m.was_there FROM moved_%s m CROSS JOIN main.%s x WHERE ", table->name, table->name);
    add_same(&text, table, "x.", "m.");
    text_put(&text, " ORDER BY ");
    move_names(&text, table, "x.", move_is_key);
    return move_prepare(mirror->own, &text);
}

/* NULL for a table that is all key, or after a failure. */
static struct statement *update_one(struct mirror *mirror, const struct move_table *table)
{
    struct text text  = { 0 };
    int         count = 0, keys = 0;

    text_addf(&text, "UPDATE %s SET ", table->name);
    for (int i = 0; i < table->count; i++)
        if (is_no_key(&table->columns[i]))
            text_addf(&text, "%s\"%s\" = ?%d", count++ ? ", " : "", table->columns[i].name, i + 1);
    text_put(&text, " WHERE ");
    for (int i = 0; i < table->count; i++)
        if (table->columns[i].is_key)
            text_addf(&text, "%s\"%s\" = ?%d", keys++ ? " AND " : "", table->columns[i].name, i + 1);
    if (count > 0)
        return move_prepare(mirror->shared, &text);
    text_free(&text);
    return NULL;
}

static bool write_moved(struct mirror *mirror, const struct move_table *table)
{
    struct statement *row = select_moved(mirror, table);

    while (sql_row(mirror->own, row)) {
        bool              was_there = sql_number(row, table->count) != 0;
        struct statement *to        = was_there ? update_one(mirror, table)
                                                : move_insert(mirror->shared, table, is_given);

        for (int i = 0; to && i < table->count; i++)
            move_bind(to, i + 1, row, i, table->columns[i].kind);
        if (to ? !sql_later(mirror->shared, to) : sql_failure(mirror->shared) != SQL_OK)
            return false;
    }
    return sql_failure(mirror->own) == SQL_OK;
}

bool mirror_return(struct mirror *mirror, char **error)
{
    const struct move_tables *tables = &mirror->tables;
    bool                      good   = true;

    for (size_t i = tables->count; good && i > 0; i--)
        good = remove_gone(mirror, &tables->at[i - 1]);
    for (size_t i = 0; good && i < tables->count; i++)
        good = write_moved(mirror, &tables->at[i]);
    if (!good)
        sql_say(error, "%s",
                sql_failure_text(sql_failure(mirror->own) == SQL_OK ? mirror->shared : mirror->own));
    return good;
}

/* ---- Beginning and end ------------------------------------------------------------------------------------------- */

static bool begin(struct mirror *mirror, const struct sql_schema *schema)
{
    if (!move_list(mirror->shared, schema->name, &mirror->tables))
        return false;
    for (size_t i = 0; i < mirror->tables.count; i++)
        if (!take_rows(mirror, &mirror->tables.at[i]))
            return false;
    for (size_t i = 0; i < mirror->tables.count; i++)
        if (!note_changes(mirror, &mirror->tables.at[i]))
            return false;
    return true;
}

struct mirror *mirror_new(struct sql *shared, struct sql *own, const struct sql_schema *schema, char **error)
{
    struct mirror *mirror = calloc(1, sizeof *mirror);

    if (mirror) {
        mirror->shared = shared;
        mirror->own    = own;
        if (begin(mirror, schema))
            return mirror;
        sql_say(error, "%s", sql_failure_text(sql_failure(own) == SQL_OK ? shared : own));
    }
    mirror_free(mirror);
    return NULL;
}

void mirror_free(struct mirror *mirror)
{
    free(mirror);
}
