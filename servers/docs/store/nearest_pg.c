/* nearest_pg.c - see nearest.h: asking, and adding. */
#include "docs/store/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/store/inside.h"
#include "kit/embed/embed.h"

#define DIMENSIONS_MOST 2000 /* that its index takes */
#define TEXT_ROOM       512

/* ---- As pgvector reads them: how many, nothing, and each number, the highest byte first ---- */

static void put_16(unsigned char *at, unsigned number)
{
    at[0] = (unsigned char)(number >> 8);
    at[1] = (unsigned char)number;
}

static size_t write_vector(unsigned char *out, const float *vector, size_t dimensions)
{
    put_16(out, (unsigned)dimensions);
    put_16(out + 2, 0);
    for (size_t i = 0; i < dimensions; i++) {
        uint32_t bits;

        memcpy(&bits, vector + i, sizeof bits);
        put_16(out + 4 + 4 * i, bits >> 16);
        put_16(out + 6 + 4 * i, bits & 0xffffu);
    }
    return 4 + 4 * dimensions;
}

/* ---- Is it there? ---- */

bool nearest_look(struct sql *sql, char schema[NEAREST_SCHEMA_ROOM])
{
    struct statement *row = sql_statement(
        sql, "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
             " WHERE e.extname = 'vector' AND to_regclass('nearest_of') IS NOT NULL AND"
             " has_table_privilege(to_regclass('nearest'), 'INSERT') AND"
             " has_table_privilege(to_regclass('nearest_of'), 'SELECT')");

    schema[0] = '\0';
    while (sql_row(sql, row))
        snprintf(schema, NEAREST_SCHEMA_ROOM, "%s", sql_text(row, 0));
    return sql_failure(sql) == SQL_OK;
}

bool nearest_has(struct sql *sql, int64_t collection)
{
    struct statement *row = sql_statement(sql, "SELECT 1 FROM nearest_of WHERE collection = ?1");
    bool              has = false;

    sql_bind_number(row, 1, collection);
    while (sql_row(sql, row))
        has = true;
    return has;
}

void nearest_add(struct sql *sql, int64_t collection, int64_t part, const float *vector, size_t dimensions)
{
    struct statement *add;
    unsigned char     bytes[4 + 4 * DIMENSIONS_MOST];

    if (dimensions > DIMENSIONS_MOST)
        return;
    add = sql_statement(sql,
                        "INSERT INTO nearest (part, collection, dimensions, vector) VALUES (?1, ?2, ?3, ?4)"
                        " ON CONFLICT (part) DO NOTHING");
    sql_bind_number(add, 1, part);
    sql_bind_number(add, 2, collection);
    sql_bind_number(add, 3, (int64_t)dimensions);
    sql_bind_blob(add, 4, bytes, write_vector(bytes, vector, dimensions));
    sql_later(sql, add);
}

/* ---- Asking ---- */

struct asking {
    struct store                  *store;
    struct sql                    *sql;
    const struct nearest_question *question;
    struct nearest_found          *found;
    int64_t                        collection;
    struct text                    pieces; /* a JSON array of those that are read */
};

/* A statement of this collection and these dimensions: its index is found by numbers that stand in the text. */
static struct statement *statement_of(const struct asking *asking, const char *format)
{
    char  text[TEXT_ROOM], dimensions[24];
    char *out = text;

    snprintf(dimensions, sizeof dimensions, "%zu", asking->question->dimensions);
    for (const char *at = format; *at && out < text + sizeof text - NEAREST_SCHEMA_ROOM; at++) {
        const char *part = *at == '~' ? asking->store->nearest : *at == '#' ? dimensions : NULL;

        if (part)
            out = stpcpy(out, part);
        else
            *out++ = *at;
    }
    *out = '\0';
    return collection_statement(asking->sql, asking->collection, text);
}

/* Larger than memory may be, and ready to be asked. */
static bool is_outside(const struct asking *asking, const struct collection *collection)
{
    size_t            each = asking->question->dimensions * (asking->store->form == MATRIX_INT8 ? 1 : 2);
    struct statement *row;
    bool              ready = false;

    if (collection->pieces <= 0 || (size_t)collection->pieces <= asking->store->vectors_most / each)
        return false;
    row = sql_statement(
        asking->sql, "SELECT 1 FROM nearest_of WHERE collection = ?1 AND dimensions = ?2 AND is_ready = 1");
    sql_bind_number(row, 1, collection->id);
    sql_bind_number(row, 2, (int64_t)asking->question->dimensions);
    while (sql_row(asking->sql, row))
        ready = true;
    return ready;
}

static void add_piece(struct asking *asking, int64_t piece)
{
    text_addf(&asking->pieces, "%s%lld", asking->pieces.len ? "," : "[", (long long)piece);
}

/* The pieces that are nearest to one question. */
static void propose(struct asking *asking, const float *vector, const struct text *allowed)
{
    const struct nearest_question *question = asking->question;
    unsigned char                  bytes[4 + 4 * DIMENSIONS_MOST];
    struct statement              *row = statement_of(
                     asking, allowed ? "SELECT part FROM nearest WHERE collection = @ AND dimensions = # AND part / 65536 "
                                       "IN " SQL_NUMBERS("?3") " ORDER BY vector OPERATOR(~.<=>) ?1 LIMIT ?2"
                                     : "SELECT part FROM nearest WHERE collection = @ AND dimensions = #"
                                       " ORDER BY (vector::~.vector(#)) OPERATOR(~.<=>) ?1 LIMIT ?2");

    sql_bind_blob(row, 1, bytes, write_vector(bytes, vector, question->dimensions));
    sql_bind_number(row, 2, (int64_t)(question->most < NEAREST_MOST ? question->most : NEAREST_MOST));
    sql_bind_text(row, 3, allowed ? text_of(allowed) : NULL);
    while (sql_row(asking->sql, row))
        add_piece(asking, part_piece(sql_number(row, 0)));
}

static enum store_status read_into(const struct asking *asking, struct statement *row, struct matrix *matrix)
{
    size_t wanted = asking->question->dimensions * sizeof(float);
    float  vector[EMBED_DIMENSIONS_MAX]; /* the database's memory is not aligned */

    while (sql_row(asking->sql, row)) {
        size_t      len;
        const void *blob = sql_blob(row, 1, &len);

        if (!blob || len != wanted)
            continue;
        memcpy(vector, blob, wanted);
        if (!matrix_put(matrix, sql_number(row, 0), vector)) {
            sql_reset(row);
            return STORE_NO_MEMORY;
        }
    }
    return store_status_of(asking->sql);
}

static enum store_status read_pieces(struct asking *asking)
{
    struct statement *row = sql_statement(asking->sql,
                                          "SELECT v.part, v.vector FROM parts x JOIN pieces p ON p.id = "
                                          "x.piece JOIN documents d ON d.id = p.document"
                                          " JOIN vectors v ON v.part = x.id WHERE x.piece IN " SQL_NUMBERS(
                                              "?1") " AND d.collection = ?2 AND d.model = ?3");

    text_put(&asking->pieces, asking->pieces.len ? "]" : "[]");
    if (asking->pieces.failed)
        return STORE_NO_MEMORY;
    sql_bind_text(row, 1, text_of(&asking->pieces));
    sql_bind_number(row, 2, asking->collection);
    sql_bind_text(row, 3, asking->question->model);
    return read_into(asking, row, &asking->found->matrix);
}

/* Of pages that are spread over the table, always the same while it does not change. */
static enum store_status read_sample(struct asking *asking)
{
    double            part = 200.0 * (double)asking->question->sample / (double)(asking->found->rows + 1);
    struct statement *row  = statement_of(
         asking,
         "SELECT v.part, v.vector FROM (SELECT part FROM nearest TABLESAMPLE SYSTEM (?1) REPEATABLE (1)"
          " WHERE collection = @ AND dimensions = # LIMIT ?2) n JOIN vectors v ON v.part = n.part");

    sql_bind_real(row, 1, part < 100 ? part : 100);
    sql_bind_number(row, 2, (int64_t)asking->question->sample);
    return read_into(asking, row, &asking->found->sample);
}

static enum store_status ask(struct asking *asking)
{
    const struct nearest_question *question = asking->question;
    struct text                    allowed  = { 0 };
    enum store_status              status   = STORE_NO_MEMORY;

    if (!matrix_init(&asking->found->matrix, question->dimensions, asking->store->form) ||
        !matrix_init(&asking->found->sample, question->dimensions, asking->store->form) ||
        (question->allowed && !store_list(&allowed, question->allowed, question->allowed_count)))
        goto done;
    sql_exec(asking->sql, "SET LOCAL hnsw.ef_search = 1000");
    for (size_t i = 0; i < question->count; i++)
        propose(asking, question->vectors + i * question->dimensions, question->allowed ? &allowed : NULL);
    for (size_t i = 0; i < question->piece_count; i++)
        add_piece(asking, question->pieces[i]);
    status = store_status_of(asking->sql);
    if (status == STORE_OK)
        status = read_pieces(asking);
    if (status == STORE_OK && question->sample)
        status = read_sample(asking);
done:
    text_free(&allowed);
    return status;
}

enum store_status store_nearest(struct store *store, const struct tenant *tenant, bool external,
                                const struct nearest_question *question, struct nearest_found *found)
{
    struct asking     asking = { .store = store, .question = question, .found = found };
    struct collection collection;
    enum store_status status;

    *found = (struct nearest_found){ .rows = 0 };
    if (!store->nearest[0] || question->dimensions == 0 || question->dimensions > DIMENSIONS_MOST)
        return STORE_NONE;
    asking.sql = store_reading(store, &status);
    if (!asking.sql)
        return status;
    status            = collection_find(asking.sql, tenant->id, external, &collection);
    asking.collection = collection.id;
    if (status == STORE_OK && !is_outside(&asking, &collection))
        status = store_status_of(asking.sql) == STORE_OK ? STORE_NONE : store_status_of(asking.sql);
    if (status == STORE_OK) {
        found->rows = (size_t)collection.pieces;
        status      = ask(&asking);
    }
    text_free(&asking.pieces);
    return store_done(store, asking.sql, status);
}

void nearest_free(struct nearest_found *found)
{
    matrix_free(&found->matrix);
    matrix_free(&found->sample);
    *found = (struct nearest_found){ .rows = 0 };
}
