/* postings.c - which pieces have which words, and how often: what the index of words of each engine fills. */
#include "docs/store/postings.h"

#include <stdlib.h>

#include "docs/store/inside.h"
#include "docs/store/words_engine.h"

#define ROWS_FIRST      1024
#define ROWS_MOST       ((size_t)1 << 26)
#define PLACES_MOST     ((size_t)1 << 28)
#define OFFSET_MOST     (1 << 25)

/* ---- A row ---- */

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

bool postings_begin_row(struct postings *postings, int64_t piece, uint32_t length)
{
    if ((postings->row_count == postings->row_room && !grow_rows(postings)) ||
        (postings->room - postings->count < POSTINGS_WORDS_MAX && !grow_postings(postings)))
        return false;
    postings->rows[postings->row_count] = (struct posting_row){ .piece       = piece,
                                                                .length      = length,
                                                                .first       = (uint32_t)postings->count,
                                                                .first_place = postings->place_count };
    return true;
}

void postings_note(struct postings *postings, int word, unsigned times)
{
    postings->with[word]++;
    postings->at[postings->count++] = (struct posting){ (uint8_t)word,
                                                        times < UINT8_MAX ? (uint8_t)times : UINT8_MAX };
    postings->rows[postings->row_count].count++;
}

bool postings_note_place(struct postings *postings, int word, int offset)
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

void postings_end_row(struct postings *postings)
{
    struct posting_row *row = &postings->rows[postings->row_count++];

    row->place_count = (uint32_t)(postings->place_count - row->first_place);
    if (row->place_count)
        qsort(postings->places + row->first_place, row->place_count, sizeof *postings->places, by_place);
}

/* ---- Asking ---- */

enum store_status store_postings(struct store *store, const tenon_call *call, const struct tenant *tenant,
                                 bool external, const char *const *words, size_t count,
                                 struct postings *postings)
{
    enum store_status status;
    struct sql       *sql;
    struct collection collection;

    *postings = (struct postings){ .call = call };
    if (!count)
        return STORE_OK;
    sql = store_reading(store, &status);
    if (!sql)
        return status;
    status = collection_find(sql, tenant->id, external, &collection);
    if (status == STORE_OK)
        status = words_engine_of(sql)->postings(sql, collection.id, words,
                                                count < POSTINGS_WORDS_MAX ? count : POSTINGS_WORDS_MAX,
                                                postings);
    status = store_done(store, sql, status);
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
