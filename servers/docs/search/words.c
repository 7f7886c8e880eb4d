/* words.c - one pass over the text index: which pieces have which words, and how often.
 *
 * SQLite's own bm25() passes over it twice, once to count and once to rank, and returns only the sum. A function of
 * ours, run for each row that matches, writes down what the row has; the rest is arithmetic.
 */
#include "docs/search/words.h"

#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"
#include "kit/sqlite.h"
#include "kit/text.h"
#include "kit/words/knowledge.h"
#include "kit/words/words.h"

#define POINTER_KIND    "tenon postings"
#define ROWS_FIRST      1024
#define ROWS_MOST       ((size_t)1 << 26)
#define PLACES_MOST     ((size_t)1 << 28)
#define OFFSET_MOST     (1 << 25)
#define ROWS_PER_GLANCE 4096 /* at the call's cancellation */

/* ---- The words of a question ---- */

struct taking {
    struct query_words *words;
    uint64_t            parts; /* of the name to come */
};

/* The number of the word in the list; QUERY_WORDS_MAX when there is no room. */
static size_t number_of(struct query_words *words, const char *word, size_t len)
{
    size_t i = 0;

    while (i < words->count && !(strncmp(words->at[i], word, len) == 0 && words->at[i][len] == '\0'))
        i++;
    if (i < words->count || words->count == QUERY_WORDS_MAX || len > WORD_LEN_MAX)
        return i < words->count ? i : QUERY_WORDS_MAX;
    memcpy(words->at[i], word, len);
    words->at[i][len] = '\0';
    words->times[i]   = 0;
    words->name[i] = words->meant[i] = (uint8_t)i;
    words->is_name[i]                = false;
    words->count++;
    return i;
}

static bool take_word(void *user, const char *word, size_t len, enum word_kind kind)
{
    struct taking      *taking = user;
    struct query_words *words  = taking->words;
    size_t              i      = number_of(words, word, len);

    if (i == QUERY_WORDS_MAX)
        return true;
    if (kind == WORD_PART && !words->times[i])
        taking->parts |= UINT64_C(1) << i;
    else if (kind != WORD_PART)
        words->name[i] = (uint8_t)i; /* it also stands alone */
    words->times[i]++;
    if (kind != WORD_NAME)
        return true;
    words->is_name[i] = true;
    for (size_t part = 0; part < words->count; part++)
        if (taking->parts >> part & 1 && part != i)
            words->name[part] = (uint8_t)i;
    taking->parts = 0;
    return true;
}

void query_words_of(struct query_words *words, const char *query, size_t len)
{
    words->count = 0;
    words_each_kind(query, len, take_word, &(struct taking){ .words = words });
}

/* ---- Words that mean nearly the same ---- */

struct widening {
    struct query_words *words;
    size_t              asked; /* those of the question itself */
    uint64_t            known; /* of them, those that have been widened: a word has one concept */
};

static size_t find_asked(const struct widening *widening, const char *word)
{
    size_t i = 0;

    while (i < widening->asked && strcmp(widening->words->at[i], word) != 0)
        i++;
    return i;
}

static bool widen(void *user, const char *const *alike, size_t count)
{
    struct widening *widening = user;

    for (size_t k = 0; k < count; k++) {
        size_t i = find_asked(widening, alike[k]);

        if (i == widening->asked || widening->known >> i & 1)
            continue;
        widening->known |= UINT64_C(1) << i;
        for (size_t other = 0; other < count; other++) {
            size_t before = widening->words->count;
            size_t added  = number_of(widening->words, alike[other], strlen(alike[other]));

            if (added == before && added < QUERY_WORDS_MAX)
                widening->words->meant[added] = (uint8_t)i;
        }
    }
    return true;
}

void query_words_widen(struct query_words *words)
{
    concepts_each(widen, &(struct widening){ .words = words, .asked = words->count });
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

/* Where the words stand is only noted in a piece that has several passages. */
static bool note_place(struct postings *postings, int word, int offset)
{
    if (postings->place_count == postings->place_room) {
        size_t    room   = postings->place_room ? postings->place_room * 2 : (size_t)ROWS_FIRST * 4;
        uint32_t *places = room <= PLACES_MOST ? realloc(postings->places, room * sizeof *places) : NULL;

        if (!places)
            return false;
        postings->places     = places;
        postings->place_room = room;
    }
    postings->places[postings->place_count++] = PLACE_OF(word, offset < OFFSET_MOST ? offset : OFFSET_MOST);
    return true;
}

static int by_place(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static int count_word(const Fts5ExtensionApi *api, Fts5Context *context, int word, struct postings *noted,
                      unsigned *times)
{
    Fts5PhraseIter where;
    int            column, offset;
    int            code = api->xPhraseFirst(context, word, &where, &column, &offset);

    for (*times = 0; code == SQLITE_OK && column >= 0; api->xPhraseNext(context, &where, &column, &offset))
        if (++*times <= UINT8_MAX && noted && !note_place(noted, word, offset))
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
    struct posting_row *row  = &postings->rows[postings->row_count];
    int                 size = 0, count = api->xPhraseCount(context);
    int                 code = api->xColumnSize(context, -1, &size);

    *row = (struct posting_row){ .piece       = api->xRowid(context),
                                 .length      = size > 0 ? (uint32_t)size : 0,
                                 .first       = (uint32_t)postings->count,
                                 .first_place = postings->place_count };
    for (int i = 0; i < count && i < QUERY_WORDS_MAX && code == SQLITE_OK; i++) {
        unsigned times;

        code = count_word(api, context, i, row->length > PASSAGE_WORDS ? postings : NULL, &times);
        if (code != SQLITE_OK || !times)
            continue;
        postings->with[i]++;
        postings->at[postings->count++] = (struct posting){ (uint8_t)i,
                                                            times < UINT8_MAX ? (uint8_t)times : UINT8_MAX };
        row->count++;
    }
    row->place_count = (uint32_t)(postings->place_count - row->first_place);
    if (row->place_count)
        qsort(postings->places + row->first_place, row->place_count, sizeof *postings->places, by_place);
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
    struct statement *rows = collection_statement(
        sql, collection,
        "SELECT note_postings(words_@, ?2) FROM words_@ WHERE words_@ MATCH ?1 ORDER BY rowid");

    sql_bind_part(rows, 1, text_of(query), query->len);
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
    free(postings->places);
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
