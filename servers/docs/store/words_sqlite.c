/* words_sqlite.c - the index of words in SQLite: a table of FTS5 for each collection.
 *
 * Its own bm25() passes over it twice, once to count and once to rank, and returns only the sum. A function of ours, run for each
 * row that matches, writes down what the row has; the rest is arithmetic.
 */
#include <stdio.h>

#include "docs/store/inside.h"
#include "docs/store/postings.h"
#include "docs/store/words_engine.h"
#include "kit/sqlite.h"
#include "kit/text.h"

#define POINTER_KIND    "tenon postings"
#define ROWS_PER_GLANCE 4096 /* at the call's cancellation */

/* ---- The table ---- */

/* Words come as words_each() finds them, so that SQLite's own idea of a word must be: everything between spaces. */
static void make_words(struct sql *sql, int64_t collection)
{
    char text[STATEMENT_ROOM];

    snprintf(
        text, sizeof text,
        "CREATE VIRTUAL TABLE words_%lld USING fts5(text, content='', tokenize=\"ascii tokenchars '+#._'\");"
        "CREATE VIRTUAL TABLE vocabulary_%lld USING fts5vocab('words_%lld', 'row');",
        (long long)collection, (long long)collection, (long long)collection);
    sql_exec(sql, text);
}

static void drop_words(struct sql *sql, int64_t collection)
{
    char text[STATEMENT_ROOM];

    snprintf(text, sizeof text, "DROP TABLE IF EXISTS vocabulary_%lld; DROP TABLE IF EXISTS words_%lld;",
             (long long)collection, (long long)collection);
    sql_exec(sql, text);
}

static void add_words(struct sql *sql, int64_t collection, int64_t piece, const struct text *words)
{
    struct statement *add = collection_statement(sql, collection,
                                                 "INSERT INTO words_@ (rowid, text) VALUES (?, ?)");

    sql_bind_number(add, 1, piece);
    sql_bind_part(add, 2, text_of(words), words->len);
    sql_run(sql, add);
}

static void remove_words(struct sql *sql, int64_t collection, int64_t piece, const struct text *words)
{
    struct statement *forget = collection_statement(
        sql, collection, "INSERT INTO words_@ (words_@, rowid, text) VALUES ('delete', ?, ?)");

    sql_bind_number(forget, 1, piece);
    sql_bind_part(forget, 2, text_of(words), words->len);
    sql_run(sql, forget);
}

/* ---- What SQLite calls for each row ---- */

static int count_word(const Fts5ExtensionApi *api, Fts5Context *context, int word, struct postings *noted,
                      unsigned *times)
{
    Fts5PhraseIter where;
    int            column, offset;
    int            code = api->xPhraseFirst(context, word, &where, &column, &offset);

    for (*times = 0; code == SQLITE_OK && column >= 0; api->xPhraseNext(context, &where, &column, &offset))
        if (++*times <= UINT8_MAX && noted && !postings_note_place(noted, word, offset))
            code = SQLITE_NOMEM;
    return code;
}

static int note_collection(const Fts5ExtensionApi *api, Fts5Context *context, struct postings *postings)
{
    sqlite3_int64 pieces = 0, length = 0;
    int           code = api->xRowCount(context, &pieces);

    if (code == SQLITE_OK)
        code = api->xColumnTotalSize(context, -1, &length);
    postings->pieces = pieces;
    postings->length = length;
    return code;
}

static int note_row(const Fts5ExtensionApi *api, Fts5Context *context, struct postings *postings)
{
    int size = 0, count = api->xPhraseCount(context);
    int code = api->xColumnSize(context, -1, &size);

    if (code != SQLITE_OK)
        return code;
    if (!postings_begin_row(postings, api->xRowid(context), size > 0 ? (uint32_t)size : 0))
        return SQLITE_NOMEM;
    for (int i = 0; i < count && i < POSTINGS_WORDS_MAX && code == SQLITE_OK; i++) {
        unsigned times;

        code = count_word(api, context, i, size > PASSAGE_WORDS ? postings : NULL, &times);
        if (code == SQLITE_OK && times)
            postings_note(postings, i, times);
    }
    postings_end_row(postings);
    return code == SQLITE_OK && postings->row_count == 1 ? note_collection(api, context, postings) : code;
}

static void note(const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result, int count,
                 sqlite3_value **values)
{
    struct postings *postings = count == 1 ? sqlite3_value_pointer(values[0], POINTER_KIND) : NULL;
    int              code;

    if (!postings) {
        sqlite3_result_error(result, "this function is not for others", -1);
        return;
    }
    code = note_row(api, context, postings);
    if (code == SQLITE_NOMEM)
        sqlite3_result_error_nomem(result);
    else if (code != SQLITE_OK)
        sqlite3_result_error_code(result, code);
}

bool words_connect(struct sql *sql)
{
    fts5_api     *api  = NULL;
    sqlite3_stmt *find = NULL;
    int           code = sqlite3_prepare_v2(sqlite_database(sql), "SELECT fts5(?1)", -1, &find, NULL);

    if (code == SQLITE_OK) {
        sqlite3_bind_pointer(find, 1, &api, "fts5_api_ptr", NULL);
        sqlite3_step(find);
    }
    sqlite3_finalize(find);
    if (code == SQLITE_OK && api)
        code = api->xCreateFunction(api, "note_postings", NULL, note, NULL);
    return api && sqlite_check(sql, code);
}

/* ---- Asking ---- */

/* A word as a string of SQLite's query language: nothing in it is syntax. */
static void quote_word(struct text *text, const char *word)
{
    text_char(text, '"');
    for (; *word; word++) {
        if (*word == '"')
            text_char(text, '"');
        text_char(text, *word);
    }
    text_char(text, '"');
}

static bool quote_words(struct text *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_put(text, " OR ");
        quote_word(text, words[i]);
    }
    return !text->failed;
}

static enum store_status read_postings(struct sql *sql, int64_t collection, const char *const *words,
                                       size_t count, struct postings *postings)
{
    struct text       query = { 0 };
    struct statement *rows =
        quote_words(&query, words, count)
            ? collection_statement(
                  sql, collection,
                  "SELECT note_postings(words_@, ?2) FROM words_@ WHERE words_@ MATCH ?1 ORDER BY rowid")
            : NULL;

    if (query.failed)
        return STORE_NO_MEMORY;
    sql_bind_part(rows, 1, text_of(&query), query.len);
    sqlite3_bind_pointer(sqlite_statement(rows), 2, postings, POINTER_KIND, NULL);
    while (sql_row(sql, rows)) {
        if (postings->row_count % ROWS_PER_GLANCE == 0 && postings->call &&
            tenon_is_cancelled(postings->call))
            break;
    }
    if (rows) {
        sql_reset(rows);
        sqlite3_clear_bindings(sqlite_statement(rows));
    }
    text_free(&query);
    return store_status_of(sql);
}

static enum store_status read_frequency(struct sql *sql, int64_t collection, const char *word, int64_t *with)
{
    struct statement *row = collection_statement(sql, collection,
                                                 "SELECT doc FROM vocabulary_@ WHERE term = ?");

    sql_bind_text(row, 1, word);
    while (sql_row(sql, row))
        *with = sql_number(row, 0);
    return store_status_of(sql);
}

const struct words_engine words_sqlite = { .make      = make_words,
                                           .drop      = drop_words,
                                           .add       = add_words,
                                           .remove    = remove_words,
                                           .postings  = read_postings,
                                           .frequency = read_frequency };
