/* persons.c - persons in the database. */
#include "kyc/kyc.h"

#define COLUMNS                                                                                              \
    "p.id, p.client_id, c.name, p.first_name, p.last_name, p.email, p.phone, p.date_of_birth, "              \
    "p.nationality, "                                                                                        \
    "p.identification_number, p.relationship_type, p.position_title, p.ownership_percentage, p.address, "    \
    "p.created_at, p.updated_at"
#define FROM " FROM persons p JOIN clients c ON c.id = p.client_id"

static person read_person(tenon_call *call, sqlite3_stmt *row)
{
    person read = {
        .id                    = sqlite3_column_int64(row, 0),
        .client_id             = sqlite3_column_int64(row, 1),
        .client_name           = call_text(call, row, 2),
        .first_name            = call_text(call, row, 3),
        .last_name             = call_text(call, row, 4),
        .email                 = call_text(call, row, 5),
        .phone                 = call_text(call, row, 6),
        .date_of_birth         = { sqlite3_column_int64(row, 7), true },
        .nationality           = call_text(call, row, 8),
        .identification_number = call_text(call, row, 9),
        .relationship_type     = (enum relationship)sqlite3_column_int(row, 10),
        .position_title        = call_text(call, row, 11),
        .ownership_percentage  = sqlite3_column_double(row, 12),
        .address               = call_text(call, row, 13),
        .created_at            = { sqlite3_column_int64(row, 14), true },
        .updated_at            = { sqlite3_column_int64(row, 15), true },
    };

    read.full_name = tenon_format(call, "%s %s", read.first_name, read.last_name);
    return read;
}

bool persons_of(struct sql *sql, tenon_call *call, int64_t client_id, person **out, size_t *count)
{
    sqlite3_stmt *counting = sql_statement(sql, "SELECT count(*) FROM persons WHERE client_id = ?");
    sqlite3_stmt *reading;
    size_t        most;

    sqlite3_bind_int64(counting, 1, client_id);
    most    = sql_row(sql, counting) ? (size_t)sqlite3_column_int64(counting, 0) : 0;
    *count  = 0;
    *out    = tenon_alloc(call, (most ? most : 1) * sizeof **out);
    reading = sql_statement(sql, "SELECT " COLUMNS FROM " WHERE p.client_id = ? ORDER BY p.id");
    sqlite3_bind_int64(reading, 1, client_id);
    while (*out && *count < most && sql_row(sql, reading))
        (*out)[(*count)++] = read_person(call, reading);
    return sql_failure(sql) == SQLITE_OK;
}

double persons_owned(struct sql *sql, int64_t client_id)
{
    sqlite3_stmt *statement = sql_statement(
        sql, "SELECT total(ownership_percentage) FROM persons WHERE client_id = ?");

    sqlite3_bind_int64(statement, 1, client_id);
    return sql_row(sql, statement) ? sqlite3_column_double(statement, 0) : 0;
}

static bool read_new(struct sql *sql, tenon_call *call, person *out)
{
    sqlite3_stmt *statement = sql_statement(sql, "SELECT " COLUMNS FROM " WHERE p.id = ?");

    sqlite3_bind_int64(statement, 1, sqlite3_last_insert_rowid(sql_database(sql)));
    if (!sql_row(sql, statement))
        return false;
    *out = read_person(call, statement);
    return true;
}

bool persons_add(struct sql *sql, tenon_call *call, const person *new_person, person *out)
{
    sqlite3_stmt *statement = sql_statement(
        sql,
        "INSERT INTO persons (client_id, first_name, last_name, email, phone, date_of_birth, nationality,"
        " identification_number, relationship_type, position_title, ownership_percentage, address, "
        "created_at,"
        " updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)");

    sqlite3_bind_int64(statement, 1, new_person->client_id);
    sql_bind_text(statement, 2, new_person->first_name);
    sql_bind_text(statement, 3, new_person->last_name);
    sql_bind_text(statement, 4, new_person->email);
    sql_bind_text(statement, 5, new_person->phone);
    sqlite3_bind_int64(statement, 6, new_person->date_of_birth.ms);
    sql_bind_text(statement, 7, new_person->nationality);
    sql_bind_text(statement, 8, new_person->identification_number);
    sqlite3_bind_int(statement, 9, (int)new_person->relationship_type);
    sql_bind_text(statement, 10, new_person->position_title);
    sqlite3_bind_double(statement, 11, new_person->ownership_percentage);
    sql_bind_text(statement, 12, new_person->address);
    sqlite3_bind_int64(statement, 13, new_person->created_at.ms);
    return sql_run(sql, statement) && read_new(sql, call, out);
}

#define OWNERS FROM " WHERE p.ownership_percentage >= ?1 OR p.relationship_type = ?2"

static void bind_owners(sqlite3_stmt *statement, double least)
{
    sqlite3_bind_double(statement, 1, least);
    sqlite3_bind_int(statement, 2, BENEFICIAL_OWNER);
}

bool persons_owners(struct sql *sql, tenon_call *call, double least, const tenon_page *page, person **out,
                    size_t *count, int64_t *total)
{
    sqlite3_stmt *counting = sql_statement(sql, "SELECT count(*)" OWNERS);
    sqlite3_stmt *reading;

    bind_owners(counting, least);
    *total  = sql_row(sql, counting) ? sqlite3_column_int64(counting, 0) : 0;
    *count  = 0;
    *out    = tenon_alloc(call, (size_t)page->limit * sizeof **out);
    reading = sql_statement(sql, "SELECT " COLUMNS OWNERS
                                 " ORDER BY c.name, p.last_name, p.id LIMIT ?3 OFFSET ?4");
    bind_owners(reading, least);
    sqlite3_bind_int64(reading, 3, page->limit);
    sqlite3_bind_int64(reading, 4, page->offset);
    while (*out && (int64_t)*count < page->limit && sql_row(sql, reading))
        (*out)[(*count)++] = read_person(call, reading);
    return sql_failure(sql) == SQLITE_OK;
}
