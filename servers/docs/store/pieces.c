/* pieces.c - the pieces of some documents. */
#include "docs/store/inside.h"

/* Those of one type; NULL: of every type. */
static enum store_status visit_type(struct sql *sql, int64_t collection, const char *type, unsigned levels,
                                    bool (*visit)(void *user, const struct piece_place *place), void *user)
{
    struct statement *rows =
        type
            ? sql_statement(
                  sql, "SELECT p.id, d.id, d.path, d.tags FROM documents d JOIN pieces p ON p.document = d.id"
                       " WHERE d.collection = ?1 AND " SQL_HAS_BIT("?2", "d.level") " AND d.doc_type = ?3")
            : sql_statement(
                  sql, "SELECT p.id, d.id, d.path, d.tags FROM documents d JOIN pieces p ON p.document = d.id"
                       " WHERE d.collection = ?1 AND " SQL_HAS_BIT("?2", "d.level"));

    sql_bind_number(rows, 1, collection);
    sql_bind_number(rows, 2, levels);
    if (type)
        sql_bind_text(rows, 3, type);
    while (sql_row(sql, rows)) {
        struct piece_place place = { sql_number(rows, 0), sql_number(rows, 1), sql_text(rows, 2),
                                     sql_text(rows, 3) };

        if (!visit(user, &place)) {
            sql_reset(rows);
            return STORE_NO_MEMORY;
        }
    }
    return store_status_of(sql);
}

enum store_status store_each_piece(struct store *store, const struct tenant *tenant, bool external,
                                   const char *const *doc_types, size_t doc_type_count, unsigned levels,
                                   bool (*visit)(void *user, const struct piece_place *place), void *user)
{
    enum store_status status;
    struct sql       *sql = store_reading(store, &status);
    struct collection collection;

    if (!sql)
        return status;
    status = collection_find(sql, tenant->id, external, &collection);
    if (status == STORE_OK && !doc_type_count)
        status = visit_type(sql, collection.id, NULL, levels, visit, user);
    for (size_t i = 0; i < doc_type_count && status == STORE_OK; i++)
        status = visit_type(sql, collection.id, doc_types[i], levels, visit, user);
    status = store_done(store, sql, status);
    return status == STORE_NONE ? STORE_OK : status;
}
