/* words.c - searching by words. */
#include <string.h>

#include "docs/store/inside.h"
#include "kit/text.h"
#include "kit/words/words.h"

/* ---- What SQLite is told ---- */

static bool add_word(void *user, const char *word, size_t len)
{
    struct text *text = user;

    text_add(text, word, len);
    text_add(text, " ", 1);
    return !text->failed;
}

bool words_join(struct text *out, const char *text, size_t len)
{
    words_each(text, len, add_word, out);
    return !out->failed;
}

/* ---- The words of a piece: those of headings count as if they were said several times ---- */

#define TITLE_TIMES   2
#define HEADING_EXTRA 2 /* times more, of a heading in the text */

static bool is_fence(const char *line, size_t len)
{
    size_t i = 0;

    while (i < len && i < 3 && line[i] == ' ')
        i++;
    return len - i >= 3 && (memcmp(line + i, "```", 3) == 0 || memcmp(line + i, "~~~", 3) == 0);
}

static bool is_heading(const char *line, size_t len)
{
    size_t level = 0;

    while (level < len && line[level] == '#')
        level++;
    return level >= 1 && level <= 6 && level < len && line[level] == ' ';
}

/* The words of the text, where they stand, and a heading's again behind it. */
static bool join_text(struct text *out, const char *text, size_t len)
{
    const char *end = text + len, *from = text;
    bool        fenced = false;

    for (const char *line = text, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t      line_len;

        next     = newline ? newline + 1 : end;
        line_len = (size_t)(next - line);
        if (is_fence(line, line_len))
            fenced = !fenced;
        if (fenced || !is_heading(line, line_len))
            continue;
        if (!words_join(out, from, (size_t)(next - from)))
            return false;
        for (int i = 0; i < HEADING_EXTRA; i++)
            if (!words_join(out, line, line_len))
                return false;
        from = next;
    }
    return words_join(out, from, (size_t)(end - from));
}

static bool join_times(struct text *out, const char *text, int times)
{
    for (int i = 0; text && i < times; i++)
        if (!words_join(out, text, strlen(text)))
            return false;
    return true;
}

bool words_of_piece(struct text *out, const char *title, const char *header_path, const char *text,
                    size_t len)
{
    return join_times(out, title, TITLE_TIMES) && join_times(out, header_path, TITLE_TIMES) &&
           join_text(out, text ? text : "", text ? len : 0);
}

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

/* ---- Asking ---- */

/* The best are found before their documents are looked up. */
static enum store_status read_hits(struct sql *sql, int64_t collection, const struct text *query, size_t most,
                                   struct word_hit *out, size_t *count)
{
    struct statement *rows = collection_statement(
        sql, collection,
        "SELECT w.rowid, p.document, w.rank"
        " FROM (SELECT rowid, rank FROM words_@ WHERE words_@ MATCH ? ORDER BY rank LIMIT ?) w"
        " JOIN pieces p ON p.id = w.rowid ORDER BY w.rank, w.rowid");

    sql_bind_part(rows, 1, text_of(query), query->len);
    sql_bind_number(rows, 2, (int64_t)most);
    while (*count < most && sql_row(sql, rows))
        out[(*count)++] = (struct word_hit){ sql_number(rows, 0), sql_number(rows, 1), -sql_real(rows, 2) };
    if (rows)
        sql_reset(rows);
    return store_status_of(sql);
}

enum store_status store_words(struct store *store, tenon_call *call, const struct tenant *tenant,
                              bool external, const char *const *words, size_t word_count, size_t most,
                              struct word_hit *out, size_t *count)
{
    struct text       query = { 0 };
    enum store_status status;
    struct sql       *sql;
    struct collection collection;

    (void)call;
    *count = 0;
    if (!word_count || !most)
        return STORE_OK;
    if (!quote_words(&query, words, word_count)) {
        text_free(&query);
        return STORE_NO_MEMORY;
    }
    sql = store_reading(store, &status);
    if (sql) {
        status = collection_find(sql, tenant->id, external, &collection);
        if (status == STORE_OK)
            status = read_hits(sql, collection.id, &query, most, out, count);
        status = store_done(store, sql, status);
    }
    text_free(&query);
    return status == STORE_NONE ? STORE_OK : status;
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

enum store_status store_frequency(struct store *store, const struct tenant *tenant, bool external,
                                  const char *word, int64_t *pieces, int64_t *with)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct collection collection;

    *pieces = *with = 0;
    if (!sql)
        return status;
    status  = collection_find(sql, tenant->id, external, &collection);
    *pieces = collection.pieces;
    if (status == STORE_OK)
        status = read_frequency(sql, collection.id, word, with);
    status = store_done(store, sql, status);
    return status == STORE_NONE ? STORE_OK : status;
}
