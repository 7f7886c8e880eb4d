/* move.c - a database of SQLite, copied to one of PostgreSQL: table by table, of one moment, with its numbers.
 *
 * Which tables and columns there are, PostgreSQL says; SQLite has them under the same names. Texts that PostgreSQL cannot keep
 * are looked for before anything is copied.
 */
#include "kit/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/sql_driver.h"
#include "kit/text.h"

#define COLUMNS_MAX 32
#define TABLES_MAX  64
#define NAME_MAX    64
#define LISTED_MAX  5 /* texts that cannot be kept */

enum kind { KIND_NUMBER, KIND_REAL, KIND_TEXT, KIND_BLOB };

struct column {
    char      name[NAME_MAX];
    enum kind kind;
};

struct table {
    char          name[NAME_MAX];
    struct column columns[COLUMNS_MAX];
    int           count;
};

struct move {
    struct sql  *from, *to;
    const char  *schema;
    struct table tables[TABLES_MAX];
    size_t       count;
    int64_t      rows;
    char       **error;
};

/* ---- Which tables there are -------------------------------------------------------------------------------------- */

static const struct {
    const char *type;
    enum kind   kind;
} kinds[] = {
    { "bigint", KIND_NUMBER },
    { "double precision", KIND_REAL },
    { "text", KIND_TEXT },
    { "bytea", KIND_BLOB },
};

static bool add_column(struct move *move, struct table *table, const char *name, const char *type)
{
    struct column *column = table->count < COLUMNS_MAX ? &table->columns[table->count] : NULL;

    for (size_t i = 0; column && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].type, type) == 0) {
            column->kind = kinds[i].kind;
            snprintf(column->name, sizeof column->name, "%s", name);
            table->count++;
            return true;
        }
    sql_say(move->error, "The column %s.%s of type %s cannot be copied.", table->name, name, type);
    return false;
}

/* In the order in which they were made: one that refers to another comes after it. */
static bool list_tables(struct move *move)
{
    struct statement *row   = sql_statement(move->to,
                                            "SELECT c.relname, a.attname, format_type(a.atttypid, NULL) FROM "
                                              "pg_class c JOIN pg_namespace n ON n.oid ="
                                              " c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid WHERE "
                                              "n.nspname = ?1 AND c.relkind = 'r' AND"
                                              " a.attnum > 0 AND NOT a.attisdropped ORDER BY c.oid, a.attnum");
    struct table     *table = NULL;

    sql_bind_text(row, 1, move->schema);
    while (sql_row(move->to, row)) {
        const char *name = sql_text(row, 0);

        if (!table || strcmp(table->name, name) != 0) {
            if (move->count == TABLES_MAX)
                return false;
            table = &move->tables[move->count++];
            snprintf(table->name, sizeof table->name, "%s", name);
        }
        if (!add_column(move, table, sql_text(row, 1), sql_text(row, 2)))
            return false;
    }
    return sql_failure(move->to) == SQL_OK;
}

/* ---- Texts of statements ----------------------------------------------------------------------------------------- */

static void add_names(struct text *out, const struct table *table)
{
    for (int i = 0; i < table->count; i++)
        text_addf(out, "%s%s", i ? ", " : "", table->columns[i].name);
}

static struct statement *prepare(struct sql *sql, struct text *text)
{
    struct statement *made = text->failed ? NULL : sql_statement(sql, text_of(text));

    text_free(text);
    return made;
}

static struct statement *select_all(struct move *move, const struct table *table)
{
    struct text text = { 0 };

    text_put(&text, "SELECT ");
    add_names(&text, table);
    text_addf(&text, " FROM %s", table->name);
    return prepare(move->from, &text);
}

static struct statement *insert_one(struct move *move, const struct table *table)
{
    struct text text = { 0 };

    text_addf(&text, "INSERT INTO %s (", table->name);
    add_names(&text, table);
    text_put(&text, ") VALUES (");
    for (int i = 1; i <= table->count; i++)
        text_addf(&text, "%s?%d", i > 1 ? ", " : "", i);
    text_put(&text, ")");
    return prepare(move->to, &text);
}

static int64_t ask(struct sql *sql, const char *format, const char *table)
{
    struct text       text = { 0 };
    struct statement *row;
    int64_t           number;

    text_addf(&text, format, table);
    row    = prepare(sql, &text);
    number = sql_row(sql, row) ? sql_number(row, 0) : 0;
    sql_reset(row);
    return number;
}

/* ---- What PostgreSQL cannot keep --------------------------------------------------------------------------------- */

static size_t sequence_len(const unsigned char *at, size_t len)
{
    size_t   need = *at < 0x80                  ? 1
                    : *at >= 0xC2 && *at < 0xE0 ? 2
                    : *at >= 0xE0 && *at < 0xF0 ? 3
                    : *at >= 0xF0 && *at < 0xF5 ? 4
                                                : 0;
    unsigned low = 0x80, high = 0xBF; /* of the second byte: neither surrogates nor forms that are too long */

    if (need == 0 || need > len)
        return 0;
    if (*at == 0xE0)
        low = 0xA0;
    if (*at == 0xED)
        high = 0x9F;
    if (*at == 0xF0)
        low = 0x90;
    if (*at == 0xF4)
        high = 0x8F;
    for (size_t i = 1; i < need; i++, low = 0x80, high = 0xBF)
        if (at[i] < low || at[i] > high)
            return 0;
    return need;
}

static bool can_be_kept(const char *text, size_t len)
{
    for (size_t at = 0, more; at < len; at += more) {
        more = text[at] ? sequence_len((const unsigned char *)text + at, len - at) : 0;
        if (more == 0)
            return false;
    }
    return true;
}

/* How many there are; the first are listed. */
static int64_t find_unkept(struct move *move, const struct table *table, struct text *list)
{
    struct statement *row   = select_all(move, table);
    int64_t           found = 0, number = 0;

    while (sql_row(move->from, row)) {
        number++;
        for (int i = 0; i < table->count; i++) {
            size_t      len;
            const char *text = table->columns[i].kind == KIND_TEXT ? sql_part(row, i, &len) : NULL;

            if (text && !can_be_kept(text, len) && found++ < LISTED_MAX)
                text_addf(list, "%s%s.%s of row %lld", list->len ? ", " : "", table->name,
                          table->columns[i].name, (long long)number);
        }
    }
    return found;
}

static bool check_texts(struct move *move)
{
    struct text list  = { 0 };
    int64_t     found = 0;

    for (size_t i = 0; i < move->count; i++)
        found += find_unkept(move, &move->tables[i], &list);
    if (found)
        sql_say(
            move->error,
            "PostgreSQL keeps only UTF-8 without the character NUL, and %lld texts are something else: %s%s. "
            "Nothing was copied.",
            (long long)found, text_of(&list), found > LISTED_MAX ? ", and more" : "");
    text_free(&list);
    return found == 0 && sql_failure(move->from) == SQL_OK;
}

/* ---- Copying ----------------------------------------------------------------------------------------------------- */

static void bind(struct statement *to, struct statement *row, int i, enum kind kind)
{
    size_t      len;
    const void *blob;

    if (sql_is_null(row, i))
        return;
    switch (kind) {
    case KIND_NUMBER: sql_bind_number(to, i + 1, sql_number(row, i)); break;
    case KIND_REAL: sql_bind_real(to, i + 1, sql_real(row, i)); break;
    case KIND_TEXT: {
        const char *text = sql_part(row, i, &len);

        sql_bind_part(to, i + 1, text, len);
        break;
    }
    case KIND_BLOB:
        blob = sql_blob(row, i, &len);
        sql_bind_blob(to, i + 1, blob ? blob : "", len);
        break;
    }
}

static bool copy_table(struct move *move, const struct table *table)
{
    struct statement *row = select_all(move, table);

    while (sql_row(move->from, row)) {
        struct statement *to = insert_one(move, table);

        for (int i = 0; i < table->count; i++)
            bind(to, row, i, table->columns[i].kind);
        if (!sql_run(move->to, to))
            return false;
        move->rows++;
    }
    return sql_failure(move->from) == SQL_OK;
}

/* The next number is after the largest. */
static void set_sequence(struct move *move, const struct table *table)
{
    if (ask(move->to,
            "SELECT count(*) FROM pg_attribute a WHERE a.attrelid = CAST('%s' AS regclass) AND a.attname = "
            "'id' AND"
            " a.attidentity <> ''",
            table->name))
        ask(move->to,
            "SELECT setval(pg_get_serial_sequence('%1$s', 'id'), coalesce(max(id), 0) + 1, false) FROM %1$s",
            table->name);
}

static bool is_empty(struct move *move)
{
    for (size_t i = 0; i < move->count; i++)
        if (ask(move->to, "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT 1) x", move->tables[i].name)) {
            sql_say(move->error,
                    "The table %s.%s has rows already; nothing was copied. Copy into a new database.",
                    move->schema, move->tables[i].name);
            return false;
        }
    return sql_failure(move->to) == SQL_OK;
}

static bool copy_all(struct move *move)
{
    if (!sql_begin_reading(move->from) || !sql_begin(move->to) || !list_tables(move) || !check_texts(move) ||
        !is_empty(move))
        return false;
    for (size_t i = 0; i < move->count; i++) {
        if (!copy_table(move, &move->tables[i]))
            return false;
        set_sequence(move, &move->tables[i]);
    }
    return sql_end(move->to);
}

static void say_failure(struct move *move)
{
    struct sql *failed = sql_failure(move->to) != SQL_OK ? move->to : move->from;

    sql_say(move->error, "The copy failed, and nothing was copied: %s.",
            sql_failure(failed) != SQL_OK ? sql_failure_text(failed) : "there are too many tables");
}

bool move_copy(struct sql_pool *from, struct sql_pool *to, const struct sql_schema *schema, int64_t *rows,
               char **error)
{
    static const struct sql_patience endless = { .ms = 0 };
    struct move                     *move    = calloc(1, sizeof *move);
    bool                             good    = false;

    if (move) {
        *move = (struct move){ .from   = sql_take_for(from, &endless),
                               .to     = sql_take_for(to, &endless),
                               .schema = schema->name,
                               .error  = error };
        good  = move->from && move->to && copy_all(move);
        if (!good && move->from && move->to)
            say_failure(move);
        *rows = move->rows;
        sql_give(from, move->from);
        sql_give(to, move->to);
    }
    free(move);
    if (!good)
        sql_say(error, "The copy failed, and nothing was copied.");
    return good;
}
