/* clients.c - clients in the database. */
#include "kyc/kyc.h"

#define COLUMNS "id, name, client_type, email, phone, registration_number, risk_level, created_at, updated_at"

/* Both statements take the same values: ?1 part of a name in lower case or NULL, ?2 type or NULL, ?3 risk or NULL. */
#define WHERE                                                                                                \
    " FROM clients WHERE (CAST(?1 AS TEXT) IS NULL OR replace(lower(name), ?1, '') <> lower(name))"          \
    " AND (CAST(?2 AS BIGINT) IS NULL OR client_type = ?2) AND (CAST(?3 AS BIGINT) IS NULL OR risk_level = ?3)"

static client read_client(tenon_call *call, struct statement *row)
{
    return (client){
        .id                  = sql_number(row, 0),
        .name                = call_text(call, row, 1),
        .client_type         = (enum client_type)sql_number(row, 2),
        .email               = call_text(call, row, 3),
        .phone               = call_text(call, row, 4),
        .registration_number = call_text(call, row, 5),
        .risk_level          = (enum risk)sql_number(row, 6),
        .created_at          = { sql_number(row, 7), true },
        .updated_at          = { sql_number(row, 8), true },
    };
}

static void bind_filter(struct statement *statement, const struct client_filter *filter, const char *name)
{
    if (name && name[0])
        sql_bind_text(statement, 1, name);
    if (filter->type != CLIENT_TYPES)
        sql_bind_number(statement, 2, (int)filter->type);
    if (filter->risk != RISKS)
        sql_bind_number(statement, 3, (int)filter->risk);
}

bool clients_find(struct sql *sql, tenon_call *call, const struct client_filter *filter,
                  const tenon_page *page, client **out, size_t *count, int64_t *total)
{
    struct statement *counting = sql_statement(sql, "SELECT count(*)" WHERE);
    const char       *name     = call_lower(call, filter->name);
    struct statement *reading;

    *count = 0;
    *out   = tenon_alloc(call, (size_t)page->limit * sizeof **out);
    bind_filter(counting, filter, name);
    *total  = sql_row(sql, counting) ? sql_number(counting, 0) : 0;
    reading = sql_statement(sql, "SELECT " COLUMNS WHERE " ORDER BY name, id LIMIT ?4 OFFSET ?5");
    bind_filter(reading, filter, name);
    sql_bind_number(reading, 4, page->limit);
    sql_bind_number(reading, 5, page->offset);
    while (*out && (int64_t)*count < page->limit && sql_row(sql, reading))
        (*out)[(*count)++] = read_client(call, reading);
    return sql_failure(sql) == SQL_OK;
}

bool clients_get(struct sql *sql, tenon_call *call, int64_t id, client *out, bool *found)
{
    struct statement *statement = sql_statement(sql, "SELECT " COLUMNS " FROM clients WHERE id = ?");

    sql_bind_number(statement, 1, id);
    *found = sql_row(sql, statement);
    if (*found)
        *out = read_client(call, statement);
    return sql_failure(sql) == SQL_OK;
}

bool clients_lock(struct sql *sql, int64_t id)
{
    struct statement *statement = sql_statement(sql, "SELECT id FROM clients WHERE id = ?1" SQL_LOCK);

    sql_bind_number(statement, 1, id);
    return sql_run(sql, statement);
}

int64_t clients_same(struct sql *sql, tenon_call *call, const client *like)
{
    struct statement *statement = sql_statement(
        sql, "SELECT id FROM clients WHERE ((lower(name) = ?1 AND client_type = ?2)"
             " OR (CAST(?3 AS TEXT) <> '' AND registration_number = ?3)) AND id <> ?4 ORDER BY id LIMIT 1");

    sql_bind_text(statement, 1, call_lower(call, like->name));
    sql_bind_number(statement, 2, (int)like->client_type);
    sql_bind_text(statement, 3, like->registration_number);
    sql_bind_number(statement, 4, like->id);
    return sql_row(sql, statement) ? sql_number(statement, 0) : 0;
}

bool clients_add(struct sql *sql, tenon_call *call, const client *new_client, client *out)
{
    struct statement *statement = sql_statement(sql,
                                                "INSERT INTO clients (name, client_type, email, phone, "
                                                "registration_number, risk_level, created_at, updated_at)"
                                                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) RETURNING id");
    int64_t           id;
    bool              found;

    sql_bind_text(statement, 1, new_client->name);
    sql_bind_number(statement, 2, (int)new_client->client_type);
    sql_bind_text(statement, 3, new_client->email);
    sql_bind_text(statement, 4, new_client->phone);
    sql_bind_text(statement, 5, new_client->registration_number);
    sql_bind_number(statement, 6, (int)new_client->risk_level);
    sql_bind_number(statement, 7, new_client->created_at.ms);
    id = sql_insert(sql, statement);
    return id && clients_get(sql, call, id, out, &found) && found;
}

bool clients_change(struct sql *sql, const client *changed)
{
    struct statement *statement = sql_statement(
        sql,
        "UPDATE clients SET name = ?2, client_type = ?3, email = coalesce(?4, ''), phone = coalesce(?5, ''),"
        " registration_number = coalesce(?6, ''), risk_level = ?7, updated_at = ?8 WHERE id = ?1");

    sql_bind_number(statement, 1, changed->id);
    sql_bind_text(statement, 2, changed->name);
    sql_bind_number(statement, 3, (int)changed->client_type);
    sql_bind_text(statement, 4, changed->email);
    sql_bind_text(statement, 5, changed->phone);
    sql_bind_text(statement, 6, changed->registration_number);
    sql_bind_number(statement, 7, (int)changed->risk_level);
    sql_bind_number(statement, 8, changed->updated_at.ms);
    return sql_run(sql, statement);
}

bool clients_delete(struct sql *sql, int64_t id)
{
    struct statement *statement = sql_statement(sql, "DELETE FROM clients WHERE id = ?");

    sql_bind_number(statement, 1, id);
    return sql_run(sql, statement);
}
