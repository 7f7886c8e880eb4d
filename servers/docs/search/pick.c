/* pick.c - which pieces a search may look at, and the best of them. */
#include "docs/search/pick.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "docs/index/glob.h"

#define LEVELS_ALL 7u
#define IDS_FIRST  1024

/* ---- Which pieces ---- */

static bool add_id(struct allowed *allowed, int64_t id)
{
    if (allowed->count == allowed->room) {
        size_t   room = allowed->room ? allowed->room * 2 : IDS_FIRST;
        int64_t *ids  = room <= MATRIX_ROWS_MAX ? realloc(allowed->ids, room * sizeof *ids) : NULL;

        if (!ids)
            return false;
        allowed->ids  = ids;
        allowed->room = room;
    }
    allowed->ids[allowed->count++] = id;
    return true;
}

/* Tags are stored in small letters, each between two line endings. */
static bool has_tag(const char *tags, const char *wanted)
{
    size_t len = strlen(wanted);

    for (const char *at = tags; (at = strchr(at, '\n')) && at[1]; at++)
        if (strncasecmp(at + 1, wanted, len) == 0 && at[1 + len] == '\n')
            return true;
    return false;
}

static bool has_tags(const char *tags, const struct search *search)
{
    for (size_t i = 0; i < search->tag_count; i++)
        if (!has_tag(tags, search->tags[i]))
            return false;
    return true;
}

static bool has_path(const char *path, const struct search *search)
{
    for (size_t i = 0; i < search->path_count; i++)
        if (glob_match(search->paths[i], path))
            return true;
    return search->path_count == 0;
}

struct choosing {
    const struct search *search;
    struct allowed      *allowed;
    int64_t              document; /* of the last piece */
    bool                 fits;     /* that one */
};

static bool choose(void *user, const struct piece_place *place)
{
    struct choosing *choosing = user;

    if (choosing->document != place->document) {
        choosing->document = place->document;
        choosing->fits = has_tags(place->tags, choosing->search) && has_path(place->path, choosing->search);
    }
    return !choosing->fits || add_id(choosing->allowed, place->piece);
}

static int by_number(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

enum store_status allowed_find(struct store *store, const struct tenant *tenant, const struct search *search,
                               struct allowed *allowed)
{
    unsigned          levels   = search->levels & LEVELS_ALL ? search->levels & LEVELS_ALL : LEVELS_ALL;
    struct choosing   choosing = { .search = search, .allowed = allowed };
    enum store_status status;

    *allowed = (struct allowed){ .all = !search->doc_type_count && !search->tag_count &&
                                        !search->path_count && levels == LEVELS_ALL };
    if (allowed->all)
        return STORE_OK;
    status = store_each_piece(store, tenant, search->external, search->doc_types, search->doc_type_count,
                              levels, choose, &choosing);
    if (allowed->count)
        qsort(allowed->ids, allowed->count, sizeof *allowed->ids, by_number);
    return status;
}

void allowed_free(struct allowed *allowed)
{
    free(allowed->ids);
    *allowed = (struct allowed){ 0 };
}

bool allowed_has(const struct allowed *allowed, int64_t piece)
{
    return allowed->all ||
           (allowed->count && bsearch(&piece, allowed->ids, allowed->count, sizeof piece, by_number));
}

/* ---- The best: a heap with the worst of them on top ---- */

static bool is_worse(const struct scored *a, const struct scored *b)
{
    return a->score < b->score || (a->score == b->score && a->id > b->id);
}

static void sink(struct best *best)
{
    struct scored moved = best->at[0];
    size_t        at    = 0;

    for (size_t child; (child = at * 2 + 1) < best->count; at = child) {
        if (child + 1 < best->count && is_worse(&best->at[child + 1], &best->at[child]))
            child++;
        if (!is_worse(&best->at[child], &moved))
            break;
        best->at[at] = best->at[child];
    }
    best->at[at] = moved;
}

void best_offer(struct best *best, struct scored offered)
{
    size_t at;

    if (best->count == best->most) {
        if (best->most && is_worse(&best->at[0], &offered)) {
            best->at[0] = offered;
            sink(best);
        }
        return;
    }
    for (at = best->count++; at && is_worse(&offered, &best->at[(at - 1) / 2]); at = (at - 1) / 2)
        best->at[at] = best->at[(at - 1) / 2];
    best->at[at] = offered;
}
