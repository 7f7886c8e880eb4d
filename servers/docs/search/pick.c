/* pick.c - from pieces to documents: which pieces a search may look at, and whose they are. */
#include "docs/search/pick.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "docs/index/glob.h"
#include "docs/store/inside.h"

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

/* Those of one type; NULL: of every type. */
static enum store_status add_type(struct sql *sql, int64_t collection, const char *type, unsigned levels,
                                  const struct search *search, struct allowed *allowed)
{
    int64_t           document = 0;
    bool              fits     = true;
    struct statement *rows =
        type
            ? sql_statement(
                  sql, "SELECT p.id, d.id, d.path, d.tags FROM documents d JOIN pieces p ON p.document = d.id"
                       " WHERE d.collection = ?1 AND (?2 >> d.level) & 1 AND d.doc_type = ?3")
            : sql_statement(
                  sql, "SELECT p.id, d.id, d.path, d.tags FROM documents d JOIN pieces p ON p.document = d.id"
                       " WHERE d.collection = ?1 AND (?2 >> d.level) & 1");

    sql_bind_number(rows, 1, collection);
    sql_bind_number(rows, 2, levels);
    if (type)
        sql_bind_text(rows, 3, type);
    while (sql_row(sql, rows)) {
        if (document != sql_number(rows, 1)) {
            document = sql_number(rows, 1);
            fits     = has_tags(sql_text(rows, 3), search) && has_path(sql_text(rows, 2), search);
        }
        if (fits && !add_id(allowed, sql_number(rows, 0))) {
            sql_reset(rows);
            return STORE_NO_MEMORY;
        }
    }
    return store_status_of(sql);
}

static int by_number(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static enum store_status add_types(struct sql *sql, int64_t collection, const struct search *search,
                                   unsigned levels, struct allowed *allowed)
{
    enum store_status status = STORE_OK;

    if (!search->doc_type_count)
        return add_type(sql, collection, NULL, levels, search, allowed);
    for (size_t i = 0; i < search->doc_type_count && status == STORE_OK; i++)
        status = add_type(sql, collection, search->doc_types[i], levels, search, allowed);
    return status;
}

enum store_status allowed_find(struct store *store, const struct tenant *tenant, const struct search *search,
                               struct allowed *allowed)
{
    unsigned          levels = search->levels & LEVELS_ALL ? search->levels & LEVELS_ALL : LEVELS_ALL;
    enum store_status status;
    struct sql       *sql;
    struct collection collection;

    *allowed = (struct allowed){ .all = !search->doc_type_count && !search->tag_count &&
                                        !search->path_count && levels == LEVELS_ALL };
    if (allowed->all)
        return STORE_OK;
    sql = store_reading(store, &status);
    if (!sql)
        return status;
    status = collection_find(sql, tenant->id, search->external, &collection);
    if (status == STORE_OK)
        status = add_types(sql, collection.id, search, levels, allowed);
    status = store_done(store, sql, status);
    if (allowed->count)
        qsort(allowed->ids, allowed->count, sizeof *allowed->ids, by_number);
    return status == STORE_NONE ? STORE_OK : status;
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

/* ---- Whose they are ---- */

enum store_status pick_documents(struct store *store, const struct tenant *tenant, const int64_t *pieces,
                                 size_t count, int64_t *documents)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *find;

    if (!sql)
        return status;
    find = sql_statement(sql, "SELECT d.id FROM pieces p JOIN documents d ON d.id = p.document"
                              " JOIN collections c ON c.id = d.collection WHERE p.id = ? AND c.tenant = ?");
    sql_bind_number(find, 2, tenant->id);
    for (size_t i = 0; i < count; i++) {
        documents[i] = 0;
        sql_bind_number(find, 1, pieces[i]);
        while (sql_row(sql, find))
            documents[i] = sql_number(find, 0);
    }
    return store_done(store, sql, store_status_of(sql));
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
