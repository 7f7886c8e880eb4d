/* persons.c - persons in the database. */
#include "kyc/kyc.h"

#define COLUMNS                                                                                              \
    "p.id, p.client_id, c.name, p.first_name, p.last_name, p.email, p.phone, p.date_of_birth, "              \
    "p.nationality, "                                                                                        \
    "p.identification_number, p.relationship_type, p.position_title, p.ownership_percentage, p.address, "    \
    "p.created_at, p.updated_at"
#define FROM " FROM persons p JOIN clients c ON c.id = p.client_id"

static person read_person(tenon_call *call, struct statement *row)
{
    person read = {
        .id                    = sql_number(row, 0),
        .client_id             = sql_number(row, 1),
        .client_name           = call_text(call, row, 2),
        .first_name            = call_text(call, row, 3),
        .last_name             = call_text(call, row, 4),
        .email                 = call_text(call, row, 5),
        .phone                 = call_text(call, row, 6),
        .date_of_birth         = { sql_number(row, 7), true },
        .nationality           = call_text(call, row, 8),
        .identification_number = call_text(call, row, 9),
        .relationship_type     = (enum relationship)sql_number(row, 10),
        .position_title        = call_text(call, row, 11),
        .ownership_percentage  = sql_real(row, 12),
        .address               = call_text(call, row, 13),
        .created_at            = { sql_number(row, 14), true },
        .updated_at            = { sql_number(row, 15), true },
    };

    read.full_name = tenon_format(call, "%s %s", read.first_name, read.last_name);
    return read;
}

int64_t persons_count(struct sql *sql, int64_t client_id)
{
    struct statement *statement = sql_statement(sql, "SELECT count(*) FROM persons WHERE client_id = ?");

    sql_bind_number(statement, 1, client_id);
    return sql_row(sql, statement) ? sql_number(statement, 0) : 0;
}

bool persons_of(struct sql *sql, tenon_call *call, int64_t client_id, person **out, size_t *count)
{
    size_t            most = (size_t)persons_count(sql, client_id);
    struct statement *reading;

    *count  = 0;
    *out    = tenon_alloc(call, (most ? most : 1) * sizeof **out);
    reading = sql_statement(sql, "SELECT " COLUMNS FROM " WHERE p.client_id = ? ORDER BY p.id");
    sql_bind_number(reading, 1, client_id);
    while (*out && *count < most && sql_row(sql, reading))
        (*out)[(*count)++] = read_person(call, reading);
    return sql_failure(sql) == SQL_OK;
}

double persons_owned(struct sql *sql, int64_t client_id, int64_t except)
{
    struct statement *statement = sql_statement(
        sql, "SELECT coalesce(sum(ownership_percentage), 0) FROM persons WHERE client_id = ?1 AND id <> ?2");

    sql_bind_number(statement, 1, client_id);
    sql_bind_number(statement, 2, except);
    return sql_row(sql, statement) ? sql_real(statement, 0) : 0;
}

bool persons_lock(struct sql *sql, int64_t id)
{
    struct statement *statement = sql_statement(
        sql, "SELECT id FROM clients WHERE id = (SELECT client_id FROM persons WHERE id = ?1)" SQL_LOCK);

    sql_bind_number(statement, 1, id);
    return sql_run(sql, statement);
}

bool persons_get(struct sql *sql, tenon_call *call, int64_t id, person *out, bool *found)
{
    struct statement *statement = sql_statement(sql, "SELECT " COLUMNS FROM " WHERE p.id = ?");

    sql_bind_number(statement, 1, id);
    *found = sql_row(sql, statement);
    if (*found)
        *out = read_person(call, statement);
    return sql_failure(sql) == SQL_OK;
}

/* Both statements that write take the same values, from ?2 to ?12. */
static void bind_person(struct statement *statement, const person *from)
{
    sql_bind_text(statement, 2, from->first_name);
    sql_bind_text(statement, 3, from->last_name);
    sql_bind_text(statement, 4, from->email);
    sql_bind_text(statement, 5, from->phone);
    sql_bind_number(statement, 6, from->date_of_birth.ms);
    sql_bind_text(statement, 7, from->nationality);
    sql_bind_text(statement, 8, from->identification_number);
    sql_bind_number(statement, 9, (int)from->relationship_type);
    sql_bind_text(statement, 10, from->position_title);
    sql_bind_real(statement, 11, from->ownership_percentage);
    sql_bind_text(statement, 12, from->address);
}

bool persons_add(struct sql *sql, tenon_call *call, const person *new_person, person *out)
{
    struct statement *statement = sql_statement(
        sql,
        "INSERT INTO persons (client_id, first_name, last_name, email, phone, date_of_birth, nationality,"
        " identification_number, relationship_type, position_title, ownership_percentage, address, "
        "created_at,"
        " updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13) RETURNING id");
    int64_t id;
    bool    found;

    sql_bind_number(statement, 1, new_person->client_id);
    bind_person(statement, new_person);
    sql_bind_number(statement, 13, new_person->created_at.ms);
    id = sql_insert(sql, statement);
    return id && persons_get(sql, call, id, out, &found) && found;
}

bool persons_change(struct sql *sql, const person *changed)
{
    struct statement *statement = sql_statement(
        sql, "UPDATE persons SET first_name = ?2, last_name = ?3, email = coalesce(?4, ''), phone = "
             "coalesce(?5, ''),"
             " date_of_birth = ?6, nationality = coalesce(?7, ''), identification_number = coalesce(?8, ''),"
             " relationship_type = ?9, position_title = coalesce(?10, ''), ownership_percentage = ?11,"
             " address = coalesce(?12, ''), updated_at = ?13 WHERE id = ?1");

    sql_bind_number(statement, 1, changed->id);
    bind_person(statement, changed);
    sql_bind_number(statement, 13, changed->updated_at.ms);
    return sql_run(sql, statement);
}

static bool delete_where(struct sql *sql, const char *text, int64_t id)
{
    struct statement *statement = sql_statement(sql, text);

    sql_bind_number(statement, 1, id);
    return sql_run(sql, statement);
}

bool persons_delete(struct sql *sql, int64_t id)
{
    return delete_where(sql, "DELETE FROM persons WHERE id = ?", id);
}

bool persons_delete_of(struct sql *sql, int64_t client_id)
{
    return delete_where(sql, "DELETE FROM persons WHERE client_id = ?", client_id);
}

#define OWNERS FROM " WHERE p.ownership_percentage >= ?1 OR p.relationship_type = ?2"

static void bind_owners(struct statement *statement, double least)
{
    sql_bind_real(statement, 1, least);
    sql_bind_number(statement, 2, BENEFICIAL_OWNER);
}

bool persons_owners(struct sql *sql, tenon_call *call, double least, const tenon_page *page, person **out,
                    size_t *count, int64_t *total)
{
    struct statement *counting = sql_statement(sql, "SELECT count(*)" OWNERS);
    struct statement *reading;

    bind_owners(counting, least);
    *total  = sql_row(sql, counting) ? sql_number(counting, 0) : 0;
    *count  = 0;
    *out    = tenon_alloc(call, (size_t)page->limit * sizeof **out);
    reading = sql_statement(sql, "SELECT " COLUMNS OWNERS
                                 " ORDER BY c.name, p.last_name, p.id LIMIT ?3 OFFSET ?4");
    bind_owners(reading, least);
    sql_bind_number(reading, 3, page->limit);
    sql_bind_number(reading, 4, page->offset);
    while (*out && (int64_t)*count < page->limit && sql_row(sql, reading))
        (*out)[(*count)++] = read_person(call, reading);
    return sql_failure(sql) == SQL_OK;
}
