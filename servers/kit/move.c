/* move.c - a database of SQLite, copied to one of PostgreSQL: table by table, of one moment, with its numbers.
 *
 * Texts that PostgreSQL cannot keep are looked for before anything is copied.
 */
#include "kit/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/move_tables.h"
#include "kit/sql_driver.h"

#define LISTED_MAX 5 /* texts that cannot be kept */

struct move {
    struct sql        *from, *to;
    const char        *schema;
    struct move_tables tables;
    int64_t            rows;
    char             **error;
};

static int64_t ask(struct sql *sql, const char *format, const char *table)
{
    struct text       text = { 0 };
    struct statement *row;
    int64_t           number;

    text_addf(&text, format, table);
    row    = move_prepare(sql, &text);
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
static int64_t find_unkept(struct move *move, const struct move_table *table, struct text *list)
{
    struct statement *row   = move_select(move->from, table);
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

    for (size_t i = 0; i < move->tables.count; i++)
        found += find_unkept(move, &move->tables.at[i], &list);
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

static bool copy_table(struct move *move, const struct move_table *table)
{
    struct statement *row = move_select(move->from, table);

    while (sql_row(move->from, row)) {
        struct statement *to = move_insert(move->to, table, move_is_any);

        for (int i = 0; i < table->count; i++)
            move_bind(to, i + 1, row, i, table->columns[i].kind);
        if (!sql_later(move->to, to))
            return false;
        move->rows++;
    }
    return sql_failure(move->from) == SQL_OK;
}

/* The next number is after the largest. */
static void set_sequence(struct move *move, const struct move_table *table)
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

static bool has_column(struct sql *from, const char *table, const char *column)
{
    struct statement *row = sql_statement(from, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2");
    bool              has;

    sql_bind_text(row, 1, table);
    sql_bind_text(row, 2, column);
    has = sql_row(from, row);
    sql_reset(row);
    return has;
}

/* What only PostgreSQL has is made from the rest, or is as it begins. */
static bool leave_out(struct move *move)
{
    size_t kept = 0;

    for (size_t i = 0; i < move->tables.count; i++) {
        struct move_table *table = &move->tables.at[i];
        int                count = 0;

        for (int column = 0; column < table->count; column++)
            if (has_column(move->from, table->name, table->columns[column].name)) {
                if (table->columns[column].kind == KIND_OTHER) {
                    sql_say(move->error, "The column %s.%s has a type that cannot be copied.", table->name,
                            table->columns[column].name);
                    return false;
                }
                table->columns[count++] = table->columns[column];
            }
        table->count = count;
        if (count > 0)
            move->tables.at[kept++] = *table;
    }
    move->tables.count = kept;
    return true;
}

static bool is_empty(struct move *move)
{
    for (size_t i = 0; i < move->tables.count; i++)
        if (ask(move->to, "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT 1) x", move->tables.at[i].name)) {
            sql_say(move->error,
                    "The table %s.%s has rows already; nothing was copied. Copy into a new database.",
                    move->schema, move->tables.at[i].name);
            return false;
        }
    return sql_failure(move->to) == SQL_OK;
}

static bool copy_all(struct move *move, bool (*copied)(struct sql *sql))
{
    if (!sql_begin_reading(move->from) || !sql_begin(move->to) ||
        !move_list(move->to, move->schema, &move->tables) || !leave_out(move) || !is_empty(move) ||
        !check_texts(move))
        return false;
    for (size_t i = 0; i < move->tables.count; i++) {
        if (!copy_table(move, &move->tables.at[i]))
            return false;
        set_sequence(move, &move->tables.at[i]);
    }
    return (!copied || copied(move->to)) && sql_end(move->to);
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
        good  = move->from && move->to && copy_all(move, schema->copied);
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
