/* words_engine.h - the index of words of a collection, as each engine has it. What is searched for, and what a find is worth, is
 * decided elsewhere, from postings that are equal.
 *
 *   words_sqlite   a table of FTS5 for each collection
 *   words_pg       rows of postings
 */
#ifndef DOCS_STORE_WORDS_ENGINE_H
#define DOCS_STORE_WORDS_ENGINE_H

#include "docs/store/postings.h"
#include "kit/text.h"

/* Failures are the connection's. Words are those of words_of_piece(), with spaces between, or of words_each(). */
struct words_engine {
    void (*make)(struct sql *sql, int64_t collection);
    void (*drop)(struct sql *sql, int64_t collection);
    void (*add)(struct sql *sql, int64_t collection, int64_t piece, const struct text *words);
    void (*remove)(struct sql *sql, int64_t collection, int64_t piece,
                   const struct text *words); /* the same */

    /* The pieces that have any of the words, by number. */
    enum store_status (*postings)(struct sql *sql, int64_t collection, const char *const *words, size_t count,
                                  struct postings *postings);
    /* How many pieces have a word. */
    enum store_status (*frequency)(struct sql *sql, int64_t collection, const char *word, int64_t *with);
};

extern const struct words_engine words_sqlite, words_pg;

const struct words_engine *words_engine_of(const struct sql *sql);

/* Makes what words_sqlite needs known to a new connection of SQLite. */
bool words_connect(struct sql *sql);

/* ---- Filling postings: a row begins, its words are noted in their order, it ends. False without memory. ---- */

bool postings_begin_row(struct postings *postings, int64_t piece, uint32_t length);
void postings_note(struct postings *postings, int word, unsigned times);
/* Only of a piece that has several passages. */
bool postings_note_place(struct postings *postings, int word, int offset);
void postings_end_row(struct postings *postings);

#endif
