/* read.c - documents and pieces out of the database, each of one tenant. */
#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"

/* Superseded: another document of the same collection names this one's path. What external documents say of the project's
 * own counts for nothing. */
#define DOCUMENT_COLUMNS                                                                                     \
    "d.id, d.path, d.title, d.summary, d.doc_type, d.date, d.hash, d.level, c.external, d.chars, d.lines, "  \
    "d.supersedes,"                                                                                          \
    " EXISTS (SELECT 1 FROM documents o WHERE o.collection = d.collection AND o.supersedes = d.path AND "    \
    "o.id <> d.id)"
#define DOCUMENT_COLUMN_COUNT 13
#define DOCUMENTS "documents d JOIN collections c ON c.id = d.collection"

#define PARTS_USUAL 64 /* of all pieces; of more, there is room for twice as many */

/* ---- Rows ---- */

static const char *copy_part(tenon_call *call, struct statement *row, int column, size_t *len, bool *failed)
{
    const char *text = sql_part(row, column, len);
    const char *copy = text ? store_copy(call, text, *len) : NULL;

    *failed = *failed || !copy;
    return copy;
}

static const char *copy_column(tenon_call *call, struct statement *row, int column, bool *failed)
{
    size_t len;

    return copy_part(call, row, column, &len, failed);
}

static bool read_document(tenon_call *call, struct statement *row, struct document *out)
{
    int  level  = (int)sql_number(row, 7);
    bool failed = false;

    *out = (struct document){
        .id         = sql_number(row, 0),
        .path       = copy_column(call, row, 1, &failed),
        .title      = copy_column(call, row, 2, &failed),
        .summary    = copy_column(call, row, 3, &failed),
        .doc_type   = copy_column(call, row, 4, &failed),
        .date       = copy_column(call, row, 5, &failed),
        .hash       = copy_column(call, row, 6, &failed),
        .level      = level < LEVEL_STANDARD || level > LEVEL_CRITICAL ? LEVEL_STANDARD : (enum level)level,
        .external   = sql_number(row, 8) != 0,
        .chars      = sql_number(row, 9),
        .lines      = sql_number(row, 10),
        .superseded = sql_number(row, 12) != 0,
    };
    if (!sql_is_null(row, 11))
        out->supersedes = copy_column(call, row, 11, &failed);
    return !failed;
}

static bool read_piece(tenon_call *call, struct statement *row, struct piece *out)
{
    bool failed = false;

    *out = (struct piece){
        .id          = sql_number(row, 0),
        .document    = sql_number(row, 1),
        .index       = (int)sql_number(row, 2),
        .first_line  = sql_number(row, 3),
        .last_line   = sql_number(row, 4),
        .header_path = copy_column(call, row, 5, &failed),
    };
    out->text = copy_part(call, row, 6, &out->len, &failed);
    return !failed;
}

/* The documents of a statement, at most `most`. */
static enum store_status read_documents(struct sql *sql, struct statement *rows, tenon_call *call,
                                        struct document *out, size_t most, size_t *count)
{
    while (*count < most && sql_row(sql, rows))
        if (!read_document(call, rows, &out[(*count)++]))
            return STORE_NO_MEMORY;
    return store_status_of(sql);
}

/* ---- One ---- */

enum store_status store_hash(struct store *store, const struct tenant *tenant, const char *path,
                             bool external, char *hash, char *model)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *find;

    hash[0] = model[0] = '\0';
    if (!sql)
        return status;
    find = sql_statement(sql, "SELECT d.hash, d.model FROM " DOCUMENTS
                              " WHERE c.tenant = ? AND c.external = ? AND d.path = ?");
    sql_bind_number(find, 1, tenant->id);
    sql_bind_number(find, 2, external);
    sql_bind_text(find, 3, path);
    while (sql_row(sql, find)) {
        strncat(hash, sql_text(find, 0), HASH_ROOM - 1 - strlen(hash));
        strncat(model, sql_text(find, 1), MODEL_ROOM - 1 - strlen(model));
    }
    return store_done(store, sql, store_status_of(sql));
}

enum store_status store_find(struct store *store, tenon_call *call, const struct tenant *tenant,
                             const char *path, bool external, struct document *document)
{
    enum store_status status;
    struct sql       *sql   = store_reading(store, &status);
    size_t            count = 0;
    struct statement *find;

    *document = (struct document){ 0 };
    if (!sql)
        return status;
    find = sql_statement(sql, "SELECT " DOCUMENT_COLUMNS " FROM " DOCUMENTS
                              " WHERE c.tenant = ? AND c.external = ? AND d.path = ?");
    sql_bind_number(find, 1, tenant->id);
    sql_bind_number(find, 2, external);
    sql_bind_text(find, 3, path);
    status = read_documents(sql, find, call, document, 1, &count);
    status = store_done(store, sql, status);
    return status == STORE_OK && !count ? STORE_NONE : status;
}

/* ---- Those of a list: one statement, however long it is ---- */

/* Both structs begin with their number. */
static int by_number(const void *wanted, const void *row)
{
    int64_t a = *(const int64_t *)wanted, b = *(const int64_t *)row;

    return (a > b) - (a < b);
}

/* A statement of what the list names, in the order of its numbers, which is ?1; ?2 is the tenant. */
static struct statement *list_statement(struct sql *sql, const char *text, const struct text *list,
                                        const struct tenant *tenant)
{
    struct statement *rows = sql_statement(sql, text);

    sql_bind_text(rows, 1, text_of(list));
    sql_bind_number(rows, 2, tenant->id);
    return rows;
}

enum store_status store_documents(struct store *store, tenon_call *call, const struct tenant *tenant,
                                  const int64_t *pieces, size_t count, struct document *out)
{
    enum store_status status;
    struct sql       *sql   = store_reading(store, &status);
    struct text       list  = { 0 };
    size_t            found = 0;
    struct of_piece {
        int64_t         piece;
        struct document document;
    } *read = tenon_alloc(call, (count + 1) * sizeof *read);
    struct statement *rows;

    if (!sql)
        return status;
    if (!read || !store_list(&list, pieces, count)) {
        text_free(&list);
        return store_done(store, sql, STORE_NO_MEMORY);
    }
    rows = list_statement(sql,
                          "SELECT " DOCUMENT_COLUMNS ", p.id FROM " DOCUMENTS
                          " JOIN pieces p ON p.document = d.id"
                          " WHERE p.id IN " SQL_NUMBERS("?1") " AND c.tenant = ?2 ORDER BY p.id",
                          &list, tenant);
    for (; status == STORE_OK && found < count && sql_row(sql, rows); found++) {
        read[found].piece = sql_number(rows, DOCUMENT_COLUMN_COUNT);
        if (!read_document(call, rows, &read[found].document))
            status = STORE_NO_MEMORY;
    }
    sql_reset(rows);
    for (size_t i = 0; i < count; i++) {
        const struct of_piece *one = bsearch(&pieces[i], read, found, sizeof *read, by_number);

        out[i] = one ? one->document : (struct document){ 0 };
    }
    status = status == STORE_OK ? store_status_of(sql) : status;
    text_free(&list);
    return store_done(store, sql, status);
}

enum store_status store_pieces(struct store *store, tenon_call *call, const struct tenant *tenant,
                               const int64_t *ids, size_t count, struct piece *out)
{
    enum store_status status;
    struct sql       *sql   = store_reading(store, &status);
    struct text       list  = { 0 };
    struct piece     *read  = tenon_alloc(call, (count + 1) * sizeof *read);
    size_t            found = 0;
    struct statement *rows;

    if (!sql)
        return status;
    if (!read || !store_list(&list, ids, count)) {
        text_free(&list);
        return store_done(store, sql, STORE_NO_MEMORY);
    }
    rows = list_statement(
        sql,
        "SELECT p.id, p.document, p.place, p.first_line, p.last_line, p.header_path, p.text"
        " FROM pieces p JOIN documents d ON d.id = p.document JOIN collections c ON c.id = d.collection"
        " WHERE p.id IN " SQL_NUMBERS("?1") " AND c.tenant = ?2 ORDER BY p.id",
        &list, tenant);
    while (status == STORE_OK && found < count && sql_row(sql, rows))
        if (!read_piece(call, rows, &read[found++]))
            status = STORE_NO_MEMORY;
    sql_reset(rows);
    for (size_t i = 0; i < count; i++) {
        const struct piece *one = bsearch(&ids[i], read, found, sizeof *read, by_number);

        out[i] = one ? *one : (struct piece){ 0 };
    }
    status = status == STORE_OK ? store_status_of(sql) : status;
    text_free(&list);
    return store_done(store, sql, status);
}

static bool read_part(tenon_call *call, struct statement *row, struct part *out)
{
    bool failed = false;

    *out = (struct part){
        .begin        = (size_t)sql_number(row, 1),
        .end          = (size_t)sql_number(row, 2),
        .first_line   = sql_number(row, 3),
        .last_line    = sql_number(row, 4),
        .heading_path = copy_column(call, row, 5, &failed),
        .anchor       = copy_column(call, row, 6, &failed),
    };
    return !failed;
}

/* Parts as they come, those of a piece side by side, and whose each is. */
struct parts {
    struct part *at;
    int64_t     *pieces;
    size_t       count, room;
};

static bool grow_parts(tenon_call *call, struct parts *parts)
{
    size_t       room   = parts->room ? 2 * parts->room : PARTS_USUAL;
    struct part *at     = tenon_alloc(call, room * sizeof *at);
    int64_t     *pieces = tenon_alloc(call, room * sizeof *pieces);

    if (!at || !pieces)
        return false;
    if (parts->count) {
        memcpy(at, parts->at, parts->count * sizeof *at);
        memcpy(pieces, parts->pieces, parts->count * sizeof *pieces);
    }
    *parts = (struct parts){ at, pieces, parts->count, room };
    return true;
}

static enum store_status read_parts(struct sql *sql, tenon_call *call, struct statement *rows,
                                    struct parts *parts)
{
    while (sql_row(sql, rows)) {
        if ((parts->count == parts->room && !grow_parts(call, parts)) ||
            !read_part(call, rows, &parts->at[parts->count])) {
            sql_reset(rows);
            return STORE_NO_MEMORY;
        }
        parts->pieces[parts->count++] = sql_number(rows, 0);
    }
    return store_status_of(sql);
}

/* Those that begin at `first` belong to one piece; how many. They lie within its text. */
static size_t give_parts(const struct parts *parts, size_t first, struct piece *pieces, size_t count)
{
    size_t many = 1;

    while (first + many < parts->count && parts->pieces[first + many] == parts->pieces[first])
        many++;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].id != parts->pieces[first])
            continue;
        pieces[i].parts      = parts->at + first;
        pieces[i].part_count = many;
        for (size_t k = first; k < first + many; k++) {
            struct part *part = &parts->at[k];

            part->end   = part->end < pieces[i].len ? part->end : pieces[i].len;
            part->begin = part->begin < part->end ? part->begin : part->end;
        }
    }
    return many;
}

enum store_status store_parts(struct store *store, tenon_call *call, const struct tenant *tenant,
                              struct piece *pieces, size_t count)
{
    enum store_status status;
    struct sql       *sql   = store_reading(store, &status);
    int64_t          *ids   = tenon_alloc(call, (count + 1) * sizeof *ids);
    struct text       list  = { 0 };
    struct parts      parts = { NULL, NULL, 0, 0 };

    if (!sql)
        return status;
    for (size_t i = 0; i < count; i++) {
        pieces[i].parts      = NULL;
        pieces[i].part_count = 0;
        if (ids)
            ids[i] = pieces[i].id;
    }
    status = ids && store_list(&list, ids, count) ? STORE_OK : STORE_NO_MEMORY;
    if (status == STORE_OK)
        status = read_parts(
            sql, call,
            list_statement(
                sql,
                "SELECT x.piece, x.start, x.stop, x.first_line, x.last_line, x.heading_path, x.anchor"
                " FROM parts x JOIN pieces p ON p.id = x.piece JOIN documents d ON d.id = p.document"
                " JOIN collections c ON c.id = d.collection WHERE x.piece IN " SQL_NUMBERS(
                    "?1") " AND c.tenant = ?2 ORDER BY x.id",
                &list, tenant),
            &parts);
    for (size_t first = 0; status == STORE_OK && first < parts.count;)
        first += give_parts(&parts, first, pieces, count);
    text_free(&list);
    return store_done(store, sql, status);
}

/* ---- Many ---- */

enum store_status store_each_path(struct store *store, const struct tenant *tenant, bool external,
                                  bool (*visit)(void *user, const char *path, const char *hash,
                                                const char *model),
                                  void *user)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *each;

    if (!sql)
        return status;
    each = sql_statement(
        sql, "SELECT d.path, d.hash, d.model FROM collections c JOIN documents d ON d.collection = c.id"
             " WHERE c.tenant = ? AND c.external = ? ORDER BY d.path");
    sql_bind_number(each, 1, tenant->id);
    sql_bind_number(each, 2, external);
    while (sql_row(sql, each))
        if (!visit(user, sql_text(each, 0), sql_text(each, 1), sql_text(each, 2)))
            break;
    return store_done(store, sql, store_status_of(sql));
}

enum store_status store_critical(struct store *store, tenon_call *call, const struct tenant *tenant,
                                 struct document *out, size_t most, size_t *count)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *rows;

    *count = 0;
    if (!sql)
        return status;
    rows = sql_statement(sql, "SELECT " DOCUMENT_COLUMNS " FROM " DOCUMENTS
                              " WHERE c.tenant = ? AND c.external = 0 AND d.level = 2 ORDER BY 13, d.path");
    sql_bind_number(rows, 1, tenant->id);
    status = read_documents(sql, rows, call, out, most, count);
    return store_done(store, sql, status);
}

enum store_status store_links(struct store *store, tenon_call *call, const struct tenant *tenant,
                              int64_t document, struct document *out, size_t most, size_t *count)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *rows;

    *count = 0;
    if (!sql)
        return status;
    rows = sql_statement(sql, "SELECT " DOCUMENT_COLUMNS
                              " FROM documents s JOIN collections c ON c.id = s.collection"
                              " JOIN links l ON l.document = s.id"
                              " JOIN documents d ON d.collection = s.collection AND d.path = l.path"
                              " WHERE s.id = ? AND c.tenant = ? ORDER BY l.place");
    sql_bind_number(rows, 1, document);
    sql_bind_number(rows, 2, tenant->id);
    status = read_documents(sql, rows, call, out, most, count);
    return store_done(store, sql, status);
}

enum store_status store_count(struct store *store, const struct tenant *tenant, const char *doc_type,
                              bool external, int64_t *count)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *rows;

    *count = 0;
    if (!sql)
        return status;
    rows = doc_type
               ? sql_statement(sql,
                               "SELECT count(*) FROM collections c JOIN documents d ON d.collection = c.id"
                               " WHERE c.tenant = ? AND c.external = ? AND d.doc_type = ?")
               : sql_statement(sql,
                               "SELECT count(*) FROM collections c JOIN documents d ON d.collection = c.id"
                               " WHERE c.tenant = ? AND c.external = ?");
    sql_bind_number(rows, 1, tenant->id);
    sql_bind_number(rows, 2, external);
    if (doc_type)
        sql_bind_text(rows, 3, doc_type);
    while (sql_row(sql, rows))
        *count = sql_number(rows, 0);
    return store_done(store, sql, store_status_of(sql));
}

enum store_status store_branches(struct store *store, tenon_call *call, const char *project,
                                 const char *path_hash, const char **out, size_t most, size_t *count)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct statement *rows;

    *count = 0;
    if (!sql)
        return status;
    rows = sql_statement(
        sql, "SELECT DISTINCT t.branch FROM tenants t WHERE t.project = ?1 AND (CAST(?2 AS TEXT) IS"
             " NULL OR t.path_hash = ?2) AND EXISTS (SELECT 1 FROM collections c JOIN documents d ON"
             " d.collection = c.id WHERE c.tenant = t.id) ORDER BY t.branch LIMIT ?3");
    sql_bind_text(rows, 1, project);
    sql_bind_text(rows, 2, path_hash);
    sql_bind_number(rows, 3, (int64_t)most);
    while (*count < most && sql_row(sql, rows))
        out[(*count)++] = tenon_format(call, "%s", sql_text(rows, 0));
    return store_done(store, sql, store_status_of(sql));
}
