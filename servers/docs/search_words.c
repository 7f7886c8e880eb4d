/* search_words.c - one pass over the text index: which pieces have which words, and how often.
 *
 * SQLite's own bm25() passes over it twice, once to count and once to rank, and tells only the sum. A function of ours, run
 * for each row that matches, writes down what the row has; the rest is arithmetic.
 */
#include "docs/search_words.h"

#include <stdlib.h>
#include <string.h>

#include "docs/store_inside.h"
#include "kit/text.h"

#define POINTER_KIND    "tenon postings"
#define ROWS_FIRST      1024
#define ROWS_MOST       ((size_t)1 << 26)
#define ROWS_PER_GLANCE 4096 /* at the call's cancellation */

/* ---- The words of a question ---- */

static bool take_word(void *user, const char *word, size_t len)
{
    struct query_words *words = user;

    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->at[i], word, len) == 0 && words->at[i][len] == '\0') {
            words->times[i]++;
            return true;
        }
    if (words->count == QUERY_WORDS_MAX || len > WORD_LEN_MAX)
        return true;
    memcpy(words->at[words->count], word, len);
    words->at[words->count][len] = '\0';
    words->times[words->count++] = 1;
    return true;
}

void query_words_of(struct query_words *words, const char *query, size_t len)
{
    words->count = 0;
    words_each(query, len, take_word, words);
}

/* ---- What SQLite calls for each row ---- */

static bool grow_rows(struct postings *postings)
{
    size_t              room = postings->row_room ? postings->row_room * 2 : ROWS_FIRST;
    struct posting_row *rows = room <= ROWS_MOST ? realloc(postings->rows, room * sizeof *rows) : NULL;

    if (!rows)
        return false;
    postings->rows     = rows;
    postings->row_room = room;
    return true;
}

/* Room for one row's postings. */
static bool grow_postings(struct postings *postings)
{
    size_t          room = postings->room ? postings->room * 2 : (size_t)ROWS_FIRST * 4;
    struct posting *at   = room <= UINT32_MAX ? realloc(postings->at, room * sizeof *at) : NULL;

    if (!at)
        return false;
    postings->at   = at;
    postings->room = room;
    return true;
}

static int count_word(const Fts5ExtensionApi *api, Fts5Context *context, int word, unsigned *times)
{
    Fts5PhraseIter where;
    int            column, offset;
    int            code = api->xPhraseFirst(context, word, &where, &column, &offset);

    for (*times = 0; code == SQLITE_OK && column >= 0; api->xPhraseNext(context, &where, &column, &offset))
        ++*times;
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
    struct posting_row *row  = &postings->rows[postings->row_count];
    int                 size = 0, count = api->xPhraseCount(context);
    int                 code = api->xColumnSize(context, -1, &size);

    *row = (struct posting_row){ .piece  = api->xRowid(context),
                                 .length = size > 0 ? (uint32_t)size : 0,
                                 .first  = (uint32_t)postings->count };
    for (int i = 0; i < count && i < QUERY_WORDS_MAX && code == SQLITE_OK; i++) {
        unsigned times;

        code = count_word(api, context, i, &times);
        if (code != SQLITE_OK || !times)
            continue;
        postings->with[i]++;
        postings->at[postings->count++] = (struct posting){ (uint8_t)i,
                                                            times < UINT8_MAX ? (uint8_t)times : UINT8_MAX };
        row->count++;
    }
    if (code == SQLITE_OK && !postings->row_count++)
        code = note_collection(api, context, postings);
    return code;
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
    if ((postings->row_count == postings->row_room && !grow_rows(postings)) ||
        (postings->room - postings->count < QUERY_WORDS_MAX && !grow_postings(postings))) {
        sqlite3_result_error_nomem(result);
        return;
    }
    code = note_row(api, context, postings);
    if (code != SQLITE_OK)
        sqlite3_result_error_code(result, code);
}

int words_connect(sqlite3 *db)
{
    fts5_api     *api  = NULL;
    sqlite3_stmt *find = NULL;
    int           code = sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &find, NULL);

    if (code == SQLITE_OK) {
        sqlite3_bind_pointer(find, 1, &api, "fts5_api_ptr", NULL);
        sqlite3_step(find);
    }
    sqlite3_finalize(find);
    if (code == SQLITE_OK && api)
        return api->xCreateFunction(api, "note_postings", NULL, note, NULL);
    return code == SQLITE_OK ? SQLITE_ERROR : code;
}

/* ---- Asking ---- */

/* Words as strings of SQLite's query language: nothing in them is syntax. */
static bool quote_words(struct text *text, const struct query_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        text_put(text, i ? " OR \"" : "\"");
        for (const char *c = words->at[i]; *c; c++) {
            if (*c == '"')
                text_char(text, '"');
            text_char(text, *c);
        }
        text_char(text, '"');
    }
    return !text->failed;
}

static enum store_status read_postings(struct sql *sql, int64_t collection, const struct text *query,
                                       struct postings *postings)
{
    sqlite3_stmt *rows = collection_statement(
        sql, collection,
        "SELECT note_postings(words_@, ?2) FROM words_@ WHERE words_@ MATCH ?1 ORDER BY rowid");

    sqlite3_bind_text(rows, 1, text_of(query), (int)query->len, SQLITE_STATIC);
    sqlite3_bind_pointer(rows, 2, postings, POINTER_KIND, NULL);
    while (sql_row(sql, rows)) {
        if (postings->row_count % ROWS_PER_GLANCE == 0 && postings->call &&
            tenon_is_cancelled(postings->call))
            break;
    }
    if (rows) {
        sqlite3_reset(rows);
        sqlite3_clear_bindings(rows);
    }
    return store_status_of(sql);
}

enum store_status postings_find(struct store *store, const tenon_call *call, const struct tenant *tenant,
                                bool external, const struct query_words *words, struct postings *postings)
{
    struct text       query = { 0 };
    enum store_status status;
    struct sql       *sql;
    struct collection collection;

    *postings = (struct postings){ .call = call };
    if (!words->count)
        return STORE_OK;
    if (!quote_words(&query, words)) {
        text_free(&query);
        return STORE_NO_MEMORY;
    }
    sql = store_reading(store, &status);
    if (sql) {
        status = collection_find(sql, tenant->id, external, &collection);
        if (status == STORE_OK)
            status = read_postings(sql, collection.id, &query, postings);
        status = store_done(store, sql, status);
    }
    text_free(&query);
    return status == STORE_NONE ? STORE_OK : status;
}

void postings_free(struct postings *postings)
{
    free(postings->rows);
    free(postings->at);
    *postings = (struct postings){ 0 };
}

const struct posting_row *postings_of(const struct postings *postings, int64_t piece)
{
    size_t low = 0, high = postings->row_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (postings->rows[middle].piece == piece)
            return &postings->rows[middle];
        if (postings->rows[middle].piece < piece)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
