/* words_pg.c - the index of words in PostgreSQL: a row for each word of each piece.
 *
 * A row has where the word stands, as numbers of a byte each seven bits: the length of the piece in words, how often the word is
 * there, and in a piece that has several passages the places, each as the distance from the one before. So one range of the
 * primary key for each word that is asked for has all that a search needs.
 */
#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"
#include "docs/store/words_engine.h"

#define PLACES_MOST UINT8_MAX /* of a word in a piece; more of them count, and no more are kept */

/* ---- Numbers ---- */

static void add_byte(struct text *out, unsigned byte)
{
    static const char digits[] = "0123456789abcdef";

    text_char(out, digits[byte >> 4 & 15]);
    text_char(out, digits[byte & 15]);
}

static void add_number(struct text *out, uint64_t number)
{
    do { /* the lowest seven bits first */
        add_byte(out, (unsigned)(number & 0x7f) | (number > 0x7f ? 0x80 : 0));
        number >>= 7;
    } while (number > 0);
}

struct reader {
    const unsigned char *at, *end;
};

static uint64_t next_number(struct reader *reader)
{
    uint64_t number = 0;

    for (int shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
        unsigned char byte = *reader->at++;

        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return number;
}

/* ---- The words of a piece, each once ---- */

struct token {
    const char *at;
    size_t      len;
    uint32_t    place;
};

struct tokens {
    struct token *at;
    size_t        count, room;
};

static int by_word(const void *left, const void *right)
{
    const struct token *a = left, *b = right;
    int                 order = memcmp(a->at, b->at, a->len < b->len ? a->len : b->len);

    if (order == 0 && a->len != b->len)
        order = a->len < b->len ? -1 : 1;
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

static bool add_token(struct tokens *tokens, const char *at, size_t len)
{
    if (tokens->count == tokens->room) {
        size_t        room  = tokens->room ? tokens->room * 2 : 256;
        struct token *grown = realloc(tokens->at, room * sizeof *grown);

        if (!grown)
            return false;
        tokens->at   = grown;
        tokens->room = room;
    }
    tokens->at[tokens->count] = (struct token){ at, len, (uint32_t)tokens->count };
    tokens->count++;
    return true;
}

/* What FTS5 takes for one, as words_sqlite.c sets it up. */
static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c && strchr("+#._", c));
}

static bool split(struct tokens *tokens, const struct text *words)
{
    const char *at = text_of(words), *end = at + words->len;

    while (at < end) {
        const char *from = at;

        while (at < end && is_of_word(*at))
            at++;
        if (at > from && !add_token(tokens, from, (size_t)(at - from)))
            return false;
        at += at < end;
    }
    if (tokens->count)
        qsort(tokens->at, tokens->count, sizeof *tokens->at, by_word);
    return true;
}

/* How many of the tokens from `first` on are this word. */
static size_t count_same(const struct tokens *tokens, size_t first)
{
    const struct token *word = &tokens->at[first];
    size_t              next = first + 1;

    while (next < tokens->count && tokens->at[next].len == word->len &&
           memcmp(tokens->at[next].at, word->at, word->len) == 0)
        next++;
    return next - first;
}

/* Arrays of bytes, as PostgreSQL writes them: a word is cut to its length, perhaps within a character. */
static void add_word(struct text *out, const char *at, size_t len)
{
    text_put(out, out->len ? ",\"\\\\x" : "{\"\\\\x");
    for (size_t i = 0; i < len; i++)
        add_byte(out, (unsigned char)at[i]);
    text_char(out, '"');
}

static void add_places(struct text *out, const struct tokens *tokens, size_t first, size_t count)
{
    uint32_t last = 0;

    text_put(out, out->len ? ",\"\\\\x" : "{\"\\\\x");
    add_number(out, tokens->count);
    add_number(out, count);
    for (size_t i = first; tokens->count > PASSAGE_WORDS && i < first + count && i < first + PLACES_MOST;
         i++) {
        add_number(out, tokens->at[i].place - last);
        last = tokens->at[i].place;
    }
    text_char(out, '"');
}

/* ---- Writing ---- */

static void note_words(struct sql *sql, int64_t collection, int64_t count)
{
    struct statement *note = sql_statement(sql, "UPDATE collections SET words = words + ?1 WHERE id = ?2");

    sql_bind_number(note, 1, count);
    sql_bind_number(note, 2, collection);
    sql_later(sql, note);
}

/* Runs the statement with the piece, its words, each once, and where they stand. */
static void write_words(struct sql *sql, int64_t collection, int64_t piece, const struct text *words,
                        int sign, const char *statement)
{
    struct tokens tokens = { 0 };
    struct text   each = { 0 }, places = { 0 };
    bool          good = split(&tokens, words);

    for (size_t i = 0, count; good && i < tokens.count; i += count) {
        count = count_same(&tokens, i);
        add_word(&each, tokens.at[i].at, tokens.at[i].len);
        if (sign > 0)
            add_places(&places, &tokens, i, count);
    }
    if (good && tokens.count) {
        struct statement *row = sql_statement(sql, statement);

        text_char(&each, '}');
        text_char(&places, '}');
        good = !each.failed && !places.failed;
        sql_bind_number(row, 1, collection);
        sql_bind_number(row, 2, piece);
        sql_bind_text(row, 3, text_of(&each));
        sql_bind_text(row, 4, text_of(&places));
        if (good && sql_later(sql, row))
            note_words(sql, collection, sign * (int64_t)tokens.count);
    }
    if (!good)
        sql_run_out(sql);
    text_free(&each);
    text_free(&places);
    free(tokens.at);
}

static void add_words(struct sql *sql, int64_t collection, int64_t piece, const struct text *words)
{
    write_words(
        sql, collection, piece, words, 1,
        "INSERT INTO postings (collection, word, piece, places) SELECT CAST(?1 AS BIGINT), word, CAST(?2 AS"
        " BIGINT), places FROM unnest(CAST(?3 AS BYTEA[]), CAST(?4 AS BYTEA[])) AS u(word, places)");
}

static void remove_words(struct sql *sql, int64_t collection, int64_t piece, const struct text *words)
{
    write_words(
        sql, collection, piece, words, -1,
        "DELETE FROM postings WHERE collection = ?1 AND piece = ?2 AND word = ANY (CAST(?3 AS BYTEA[]))");
}

static void make(struct sql *sql, int64_t collection)
{
    (void)sql; /* the table is there */
    (void)collection;
}

static void drop(struct sql *sql, int64_t collection)
{
    struct statement *row = sql_statement(sql, "DELETE FROM postings WHERE collection = ?1");

    sql_bind_number(row, 1, collection);
    sql_run(sql, row);
    row = sql_statement(sql, "UPDATE collections SET words = 0 WHERE id = ?1");
    sql_bind_number(row, 1, collection);
    sql_run(sql, row);
}

/* ---- Asking ---- */

/* Rows by piece, then in the order of the words: number of the word, piece, places. */
static struct statement *ask(struct sql *sql, int64_t collection, struct text *list, const char *const *words,
                             size_t count)
{
    struct statement *rows = sql_statement(
        sql, "SELECT u.number, p.piece, p.places FROM unnest(CAST(?2 AS BYTEA[])) WITH ORDINALITY AS u(word, "
             "number)"
             " JOIN postings p ON p.collection = ?1 AND p.word = u.word ORDER BY p.piece, u.number");

    for (size_t i = 0; i < count; i++)
        add_word(list, words[i], strlen(words[i]));
    text_char(list, '}');
    if (list->failed)
        return NULL;
    sql_bind_number(rows, 1, collection);
    sql_bind_part(rows, 2, text_of(list), list->len);
    return rows;
}

struct found {
    int           word;
    int64_t       piece;
    uint32_t      length;
    unsigned      times;
    struct reader places;
};

static bool next_found(struct sql *sql, struct statement *rows, struct found *found)
{
    size_t len;

    if (!sql_row(sql, rows))
        return false;
    *found            = (struct found){ .word = (int)sql_number(rows, 0) - 1, .piece = sql_number(rows, 1) };
    found->places.at  = sql_blob(rows, 2, &len);
    found->places.end = found->places.at ? found->places.at + len : NULL;
    found->length     = (uint32_t)next_number(&found->places);
    found->times      = (unsigned)next_number(&found->places);
    return true;
}

static bool note_found(struct postings *postings, struct found *found)
{
    uint32_t place = 0;

    postings_note(postings, found->word, found->times);
    while (found->places.at < found->places.end) {
        place += (uint32_t)next_number(&found->places);
        if (!postings_note_place(postings, found->word, (int)place))
            return false;
    }
    return true;
}

/* Of the collection: how many pieces, and words of all. */
static void read_collection(struct sql *sql, int64_t collection, int64_t *pieces, int64_t *length)
{
    struct statement *row = sql_statement(sql, "SELECT pieces, words FROM collections WHERE id = ?1");

    sql_bind_number(row, 1, collection);
    while (sql_row(sql, row)) {
        *pieces = sql_number(row, 0);
        *length = sql_number(row, 1);
    }
}

static bool fill(struct sql *sql, struct statement *rows, struct postings *postings)
{
    struct found found;
    int64_t      piece = 0;

    while (next_found(sql, rows, &found)) {
        if (found.piece != piece) {
            if (piece)
                postings_end_row(postings);
            if (!postings_begin_row(postings, found.piece, found.length))
                return false;
            piece = found.piece;
        }
        if (!note_found(postings, &found))
            return false;
    }
    if (piece)
        postings_end_row(postings);
    return true;
}

static enum store_status read_postings(struct sql *sql, int64_t collection, const char *const *words,
                                       size_t count, struct postings *postings)
{
    struct text       list = { 0 };
    struct statement *rows = ask(sql, collection, &list, words, count);
    bool              good = rows && fill(sql, rows, postings);

    text_free(&list);
    sql_reset(rows);
    if (good && postings->row_count)
        read_collection(sql, collection, &postings->pieces, &postings->length);
    return good || sql_failure(sql) != SQL_OK ? store_status_of(sql) : STORE_NO_MEMORY;
}

static enum store_status read_frequency(struct sql *sql, int64_t collection, const char *word, int64_t *with)
{
    struct statement *row = sql_statement(
        sql, "SELECT count(*) FROM postings WHERE collection = ?1 AND word = ?2");

    sql_bind_number(row, 1, collection);
    sql_bind_blob(row, 2, word, strlen(word));
    while (sql_row(sql, row))
        *with = sql_number(row, 0);
    return store_status_of(sql);
}

const struct words_engine words_pg = { .make      = make,
                                       .drop      = drop,
                                       .add       = add_words,
                                       .remove    = remove_words,
                                       .postings  = read_postings,
                                       .frequency = read_frequency };
