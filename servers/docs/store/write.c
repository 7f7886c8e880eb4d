/* write.c - documents into the database and out of it: each with its pieces, words, vectors and links, or not at
 * all. */
#include <limits.h>
#include <string.h>

#include "docs/store/inside.h"
#include "docs/store/words_engine.h"
#include "kit/text.h"

/* What one writing transaction uses. */
struct writer {
    struct sql       *sql;
    struct collection collection;
    int64_t           change;
    int64_t           added;   /* pieces, less those removed */
    struct text       words;   /* one text for all pieces */
    bool              is_near; /* vectors are added where PostgreSQL searches them */
};

/* ---- Parts ---- */

static bool join_words(struct writer *writer, const char *title, const char *header_path, const char *text,
                       size_t len)
{
    text_clear(&writer->words);
    return words_of_piece(&writer->words, title, header_path, text, len) && writer->words.len <= INT_MAX;
}

static void note_removal(struct writer *writer, int64_t first, int64_t last)
{
    struct statement *note = sql_statement(
        writer->sql, "INSERT INTO removals (collection, change, first, last) VALUES (?, ?, ?, ?)");

    sql_bind_number(note, 1, writer->collection.id);
    sql_bind_number(note, 2, writer->change);
    sql_bind_number(note, 3, first);
    sql_bind_number(note, 4, last);
    sql_later(writer->sql, note);
}

/* The pieces of a document, their words, vectors, and its links; what is gone is noted for those with vectors in memory. */
static enum store_status remove_parts(struct writer *writer, int64_t document)
{
    struct sql       *sql  = writer->sql;
    struct statement *read = sql_statement(
        sql, "SELECT p.id, d.title, p.header_path, p.text FROM documents d"
             " JOIN pieces p ON p.document = d.id WHERE d.id = ? ORDER BY p.id");
    struct statement *statement;
    const char       *text;
    size_t            len;
    int64_t           first = 0, last = 0;

    sql_bind_number(read, 1, document);
    while (sql_row(sql, read)) {
        int64_t id = sql_number(read, 0);

        if (first && id != last + 1) { /* numbers may have gaps, in which those of others are */
            note_removal(writer, first, last);
            first = 0;
        }
        last  = id;
        first = first ? first : id;
        text  = sql_part(read, 3, &len);
        if (!text || !join_words(writer, sql_text(read, 1), sql_text(read, 2), text, len))
            return STORE_NO_MEMORY;
        words_engine_of(sql)->remove(sql, writer->collection.id, id, &writer->words);
        writer->added--;
    }
    if (first)
        note_removal(writer, first, last);
    statement = sql_statement(sql, "DELETE FROM pieces WHERE document = ?");
    sql_bind_number(statement, 1, document);
    sql_run(sql, statement);
    statement = sql_statement(sql, "DELETE FROM links WHERE document = ?");
    sql_bind_number(statement, 1, document);
    sql_run(sql, statement);
    return store_status_of(sql);
}

static void add_vector(struct writer *writer, int64_t part, const float *vector, size_t dimensions)
{
    struct statement *add = sql_statement(writer->sql, "INSERT INTO vectors (part, vector) VALUES (?, ?)");

    sql_bind_number(add, 1, part);
    sql_bind_blob(add, 2, vector, dimensions * sizeof *vector);
    sql_later(writer->sql, add);
    if (writer->is_near)
        nearest_add(writer->sql, writer->collection.id, part, vector, dimensions);
}

static void add_part(struct writer *writer, int64_t piece, int64_t id, const struct part *part)
{
    struct statement *add = sql_statement(
        writer->sql, "INSERT INTO parts (id, piece, start, stop, first_line, last_line, heading_path, anchor)"
                     " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");

    sql_bind_number(add, 1, id);
    sql_bind_number(add, 2, piece);
    sql_bind_number(add, 3, (int64_t)part->begin);
    sql_bind_number(add, 4, (int64_t)part->end);
    sql_bind_number(add, 5, part->first_line);
    sql_bind_number(add, 6, part->last_line);
    sql_bind_text(add, 7, part->heading_path ? part->heading_path : "");
    sql_bind_text(add, 8, part->anchor ? part->anchor : "");
    sql_later(writer->sql, add);
}

/* The parts of a piece with their vectors, which may be NULL. */
static void add_parts(struct writer *writer, int64_t id, const struct piece *piece, const float *vectors,
                      size_t dimensions)
{
    struct part        whole = { 0, piece->len, piece->first_line, piece->last_line, piece->header_path, "" };
    const struct part *parts = piece->part_count ? piece->parts : &whole;

    for (size_t i = 0; i < store_part_count(piece); i++) {
        add_part(writer, id, part_id(id, i), &parts[i]);
        if (vectors)
            add_vector(writer, part_id(id, i), vectors + i * dimensions, dimensions);
    }
}

static enum store_status add_piece(struct writer *writer, int64_t document, const char *title,
                                   const struct piece *piece, const float *vectors, size_t dimensions)
{
    struct sql       *sql = writer->sql;
    struct statement *add = sql_inserting(
        sql, "INSERT INTO pieces (document, place, first_line, last_line, header_path, text)"
             " VALUES (?, ?, ?, ?, ?, ?)");
    int64_t id;

    if (piece->len > INT_MAX || piece->part_count > PARTS_MAX ||
        !join_words(writer, title, piece->header_path, piece->text, piece->len))
        return STORE_NO_MEMORY;
    sql_bind_number(add, 1, document);
    sql_bind_number(add, 2, piece->index);
    sql_bind_number(add, 3, piece->first_line);
    sql_bind_number(add, 4, piece->last_line);
    sql_bind_text(add, 5, piece->header_path ? piece->header_path : "");
    sql_bind_part(add, 6, piece->text ? piece->text : "", piece->len);
    id = sql_insert(sql, add);
    if (!id)
        return store_status_of(sql);
    writer->added++;
    add_parts(writer, id, piece, vectors, dimensions);
    words_engine_of(sql)->add(sql, writer->collection.id, id, &writer->words);
    return store_status_of(sql);
}

static void add_links(struct writer *writer, int64_t document, const char *const *links, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct statement *add = sql_statement(writer->sql,
                                              "INSERT INTO links (document, place, path) VALUES (?, ?, ?)");

        sql_bind_number(add, 1, document);
        sql_bind_number(add, 2, (int64_t)i);
        sql_bind_text(add, 3, links[i]);
        sql_later(writer->sql, add);
    }
}

/* ---- Documents ---- */

/* 0: there is none, or a failure. */
static int64_t find_document(struct writer *writer, const char *path)
{
    struct statement *find = sql_statement(writer->sql,
                                           "SELECT id FROM documents WHERE collection = ? AND path = ?");
    int64_t           id   = 0;

    sql_bind_number(find, 1, writer->collection.id);
    sql_bind_text(find, 2, path);
    while (sql_row(writer->sql, find))
        id = sql_number(find, 0);
    return id;
}

static void bind_or_empty(struct statement *statement, int index, const char *text)
{
    sql_bind_text(statement, index, text ? text : "");
}

/* Neither is an upsert, nor has it RETURNING: either makes SQLite open a savepoint, and the text index then writes out all that it
 * has collected, for every document. */
static const char insert_row[] =
    "INSERT INTO documents (collection, path, title, summary, doc_type, date, hash, level, chars, lines, "
    "supersedes, model,"
    " dimensions, change, tags) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
static const char update_row[] =
    "UPDATE documents SET title = ?3, summary = ?4, doc_type = ?5, date = ?6, hash = ?7, level = ?8, chars = "
    "?9, lines = ?10,"
    " supersedes = ?11, model = ?12, dimensions = ?13, change = ?14, tags = ?15 WHERE collection = ?1 AND "
    "path = ?2";

/* Its row, new or in the place of the one that was there: the number of a document stays. */
static int64_t write_row(struct writer *writer, const struct store_entry *entry, int64_t old)
{
    const struct document *document = entry->document;
    struct statement      *write    = old ? sql_statement(writer->sql, update_row)
                                          : sql_inserting(writer->sql, insert_row);

    sql_bind_number(write, 1, writer->collection.id);
    bind_or_empty(write, 2, document->path);
    bind_or_empty(write, 3, document->title);
    bind_or_empty(write, 4, document->summary);
    bind_or_empty(write, 5, document->doc_type);
    bind_or_empty(write, 6, document->date);
    bind_or_empty(write, 7, document->hash);
    sql_bind_number(write, 8, (int)document->level);
    sql_bind_number(write, 9, document->chars);
    sql_bind_number(write, 10, document->lines);
    sql_bind_text(write, 11, document->supersedes);
    bind_or_empty(write, 12, entry->vectors ? entry->model : NULL);
    sql_bind_number(write, 13, entry->vectors ? (int64_t)entry->dimensions : 0);
    sql_bind_number(write, 14, writer->change);
    bind_or_empty(write, 15, document->tags);
    if (!old)
        return sql_insert(writer->sql, write);
    return sql_run(writer->sql, write) ? old : 0;
}

static enum store_status put_one(struct writer *writer, const struct store_entry *entry)
{
    int64_t           old     = find_document(writer, entry->document->path);
    enum store_status status  = old ? remove_parts(writer, old) : store_status_of(writer->sql);
    const float      *vectors = entry->vectors;
    int64_t           id;

    if (status != STORE_OK)
        return status;
    id = write_row(writer, entry, old);
    for (size_t i = 0; i < entry->piece_count && status == STORE_OK; i++) {
        const struct piece *piece = &entry->pieces[i];

        status = add_piece(writer, id, entry->document->title, piece, vectors, entry->dimensions);
        if (vectors)
            vectors += store_part_count(piece) * entry->dimensions;
    }
    add_links(writer, id, entry->links, entry->link_count);
    return status == STORE_OK ? store_status_of(writer->sql) : status;
}

/* ---- Transactions ---- */

/* Forgets the oldest removals, now and then. */
static void prune(struct writer *writer)
{
    int64_t           until = writer->change - REMOVALS_KEPT;
    struct statement *statement;

    if (until <= 0 || writer->change % (REMOVALS_KEPT / 8))
        return;
    statement = sql_statement(writer->sql, "DELETE FROM removals WHERE collection = ? AND change <= ?");
    sql_bind_number(statement, 1, writer->collection.id);
    sql_bind_number(statement, 2, until);
    sql_run(writer->sql, statement);
    statement = sql_statement(writer->sql, "UPDATE collections SET pruned = ? WHERE id = ?");
    sql_bind_number(statement, 1, until);
    sql_bind_number(statement, 2, writer->collection.id);
    sql_run(writer->sql, statement);
}

static void note_change(struct writer *writer)
{
    struct statement *note = sql_statement(
        writer->sql, "UPDATE collections SET change = ?, pieces = pieces + ? WHERE id = ?");

    sql_bind_number(note, 1, writer->change);
    sql_bind_number(note, 2, writer->added);
    sql_bind_number(note, 3, writer->collection.id);
    sql_run(writer->sql, note);
    prune(writer);
}

static enum store_status begin_writing(struct store *store, const struct tenant *tenant, bool external,
                                       enum store_status (*collection)(struct sql *, int64_t, bool,
                                                                       struct collection *),
                                       struct writer *writer)
{
    enum store_status status;

    *writer = (struct writer){ .sql = store_writing(store, &status) };
    if (!writer->sql)
        return status;
    status = collection(writer->sql, tenant->id, external, &writer->collection);
    if (status == STORE_OK)
        status = collection_lock(writer->sql, tenant->id, external, &writer->collection);
    if (status == STORE_OK)
        status = lease_check(store, writer->sql, tenant->id);
    if (status == STORE_OK && store->nearest[0]) /* after the lock: see nearest_migrate_pg.c */
        writer->is_near = nearest_has(writer->sql, writer->collection.id);
    writer->change = writer->collection.change + 1;
    if (status != STORE_OK)
        store_done(store, writer->sql, status);
    return status;
}

static enum store_status end_writing(struct store *store, struct writer *writer, enum store_status status)
{
    text_free(&writer->words);
    if (status == STORE_OK)
        note_change(writer);
    return store_done(store, writer->sql, status);
}

enum store_status store_put_many(struct store *store, const struct tenant *tenant, bool external,
                                 const struct store_entry *entries, size_t count)
{
    struct writer     writer;
    enum store_status status = begin_writing(store, tenant, external, collection_make, &writer);

    if (status != STORE_OK)
        return status;
    for (size_t i = 0; i < count && status == STORE_OK; i++)
        status = put_one(&writer, &entries[i]);
    return end_writing(store, &writer, status);
}

enum store_status store_put(struct store *store, const struct tenant *tenant, const struct document *document,
                            const struct piece *pieces, size_t piece_count, const float *vectors,
                            size_t dimensions, const char *model, const char *const *links, size_t link_count)
{
    struct store_entry entry = {
        document, pieces, piece_count, vectors, dimensions, model, links, link_count
    };

    return store_put_many(store, tenant, document->external, &entry, 1);
}

/* The document and all of its parts. */
static enum store_status remove_document(struct writer *writer, int64_t id)
{
    enum store_status status = remove_parts(writer, id);
    struct statement *remove;

    if (status != STORE_OK)
        return status;
    remove = sql_statement(writer->sql, "DELETE FROM documents WHERE id = ?");
    sql_bind_number(remove, 1, id);
    sql_run(writer->sql, remove);
    return store_status_of(writer->sql);
}

static enum store_status none_unless_failed(const struct writer *writer)
{
    enum store_status status = store_status_of(writer->sql);

    return status == STORE_OK ? STORE_NONE : status;
}

enum store_status store_remove(struct store *store, const struct tenant *tenant, const char *path,
                               bool external)
{
    struct writer     writer;
    enum store_status status = begin_writing(store, tenant, external, collection_find, &writer);
    int64_t           id;

    if (status != STORE_OK)
        return status;
    id = find_document(&writer, path);
    return end_writing(store, &writer, id ? remove_document(&writer, id) : none_unless_failed(&writer));
}

enum store_status store_rename(struct store *store, const struct tenant *tenant, const char *from,
                               const char *to)
{
    struct writer     writer;
    enum store_status status = begin_writing(store, tenant, false, collection_find, &writer);
    int64_t           id, other;
    struct statement *rename;

    if (status != STORE_OK)
        return status;
    id = find_document(&writer, from);
    if (!id)
        return end_writing(store, &writer, none_unless_failed(&writer));
    other = find_document(&writer, to);
    if (other && other != id)
        status = remove_document(&writer, other);
    rename = sql_statement(writer.sql, "UPDATE documents SET path = ? WHERE id = ?");
    sql_bind_text(rename, 1, to);
    sql_bind_number(rename, 2, id);
    sql_run(writer.sql, rename);
    return end_writing(store, &writer, status);
}

enum store_status store_set_level(struct store *store, const struct tenant *tenant, const char *path,
                                  enum level level, const char *hash)
{
    struct writer     writer;
    enum store_status status = begin_writing(store, tenant, false, collection_find, &writer);
    struct statement *set;
    int64_t           id;

    if (status != STORE_OK)
        return status;
    id = find_document(&writer, path);
    if (!id)
        return end_writing(store, &writer, none_unless_failed(&writer));
    set = sql_statement(writer.sql, "UPDATE documents SET level = ?, hash = ? WHERE id = ?");
    sql_bind_number(set, 1, (int)level);
    bind_or_empty(set, 2, hash);
    sql_bind_number(set, 3, id);
    sql_run(writer.sql, set);
    return end_writing(store, &writer, STORE_OK);
}

/* ---- Deleting ---- */

/* A collection with what is in it; `tenant` is whose it is. */
struct doomed {
    int64_t id, tenant, documents, pieces;
    bool    external;
};

/* The next collection after *doomed that is meant, by tenant; false when there is none. */
static bool next_doomed(struct sql *sql, const char *project, const char *branch, const char *path_hash,
                        struct doomed *doomed)
{
    struct statement *next = sql_statement(
        sql,
        "SELECT c.id, t.id, c.external, (SELECT count(*) FROM documents d WHERE d.collection = c.id),"
        " (SELECT count(*) FROM documents d JOIN pieces p ON p.document = d.id WHERE d.collection = c.id)"
        " FROM tenants t JOIN collections c ON c.tenant = t.id WHERE t.project = ?1"
        " AND (CAST(?2 AS TEXT) IS NULL OR t.branch = ?2) AND (CAST(?3 AS TEXT) IS NULL OR t.path_hash = ?3) "
        "AND (t.id, c.id) > (?4, ?5)"
        " ORDER BY t.id, c.id LIMIT 1");

    sql_bind_text(next, 1, project);
    sql_bind_text(next, 2, branch);
    sql_bind_text(next, 3, path_hash);
    sql_bind_number(next, 4, doomed->tenant);
    sql_bind_number(next, 5, doomed->id);
    if (!sql_row(sql, next))
        return false;
    *doomed = (struct doomed){ sql_number(next, 0), sql_number(next, 1), sql_number(next, 3),
                               sql_number(next, 4), sql_number(next, 2) != 0 };
    sql_reset(next);
    return true;
}

/* A place in the list for another branch; NULL when there is no more. */
static struct deleted_branch *list_branch(struct sql *sql, tenon_call *call, int64_t tenant,
                                          struct store_deleted *deleted)
{
    struct statement      *row;
    struct deleted_branch *branch;

    if (deleted->branch_count++ >= DELETED_LISTED_MAX)
        return NULL;
    branch = &deleted->branches[deleted->listed++];
    row    = sql_statement(sql, "SELECT branch, path_hash FROM tenants WHERE id = ?");
    sql_bind_number(row, 1, tenant);
    if (sql_row(sql, row)) {
        branch->branch    = tenon_format(call, "%s", sql_text(row, 0));
        branch->path_hash = tenon_format(call, "%s", sql_text(row, 1));
        sql_reset(row);
    }
    return branch;
}

static void count_doomed(struct store_deleted *deleted, struct deleted_branch *branch,
                         const struct doomed *doomed)
{
    int64_t external = doomed->external ? doomed->documents : 0;

    deleted->documents += doomed->documents;
    deleted->external += external;
    deleted->pieces += doomed->pieces;
    if (!branch)
        return;
    branch->documents += doomed->documents;
    branch->external += external;
    branch->pieces += doomed->pieces;
}

enum store_status store_delete(struct store *store, tenon_call *call, const char *project, const char *branch,
                               const char *path_hash, bool dry, struct store_deleted *deleted)
{
    enum store_status      status;
    struct sql            *sql    = dry ? store_reading(store, &status) : store_writing(store, &status);
    struct doomed          doomed = { 0 };
    struct deleted_branch *listed = NULL;
    int64_t                tenant = 0;

    *deleted = (struct store_deleted){ 0 };
    if (!sql)
        return status;
    while (next_doomed(sql, project, branch, path_hash, &doomed)) {
        if (doomed.documents > 0 && doomed.tenant != tenant) { /* an empty branch is nothing to be listed */
            listed = list_branch(sql, call, doomed.tenant, deleted);
            tenant = doomed.tenant;
        }
        count_doomed(deleted, doomed.documents > 0 ? listed : NULL, &doomed);
        if (!dry)
            collection_drop(sql, doomed.id);
    }
    return store_done(store, sql, store_status_of(sql));
}
