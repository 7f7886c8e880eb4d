/* tools_clients_change.c - correcting and deleting clients. */
#include "kyc/kyc.h"

/* ---- update_client ------------------------------------------------------------------------------------------- */

/* What may be emptied; by name, since leaving a parameter out, or null, must not lose anything. */
enum emptied { EMPTY_EMAIL, EMPTY_PHONE, EMPTY_REGISTRATION, EMPTIED };
static const char *const emptied_names[EMPTIED] = { "email", "phone", "registrationNumber" };

typedef struct {
    int64_t          client_id;
    const char      *name, *email, *phone, *registration_number;
    enum client_type client_type;
    enum risk        risk_level;
    tenon_set        clear;
} update_args;

struct update {
    const update_args *args;
    bool               type, risk; /* are given */
};

static bool is_given(const char *text)
{
    return text && text[0];
}

static bool clears(const update_args *args, enum emptied which)
{
    return (args->clear.bits >> which) & 1;
}

static const char *check_clear(tenon_check *check, const void *value)
{
    const update_args *args           = value;
    const char *const  given[EMPTIED] = { args->email, args->phone, args->registration_number };

    for (enum emptied i = 0; i < EMPTIED; i++)
        if (clears(args, i) && is_given(given[i])) {
            tenon_check_at(check, &args->clear);
            return tenon_check_format(check, "%s is given and named in clear; do one of them",
                                      emptied_names[i]);
        }
    return NULL;
}

static void overlay_text(const char **field, const char *given, bool clear)
{
    if (clear)
        *field = NULL;
    else if (is_given(given))
        *field = given;
}

static void overlay(client *changed, const struct update *update)
{
    const update_args *args = update->args;

    overlay_text(&changed->name, args->name, false);
    overlay_text(&changed->email, args->email, clears(args, EMPTY_EMAIL));
    overlay_text(&changed->phone, args->phone, clears(args, EMPTY_PHONE));
    overlay_text(&changed->registration_number, args->registration_number, clears(args, EMPTY_REGISTRATION));
    if (update->type)
        changed->client_type = args->client_type;
    if (update->risk)
        changed->risk_level = args->risk_level;
    changed->updated_at.ms = kyc_now();
}

static bool changes_nothing(const struct update *update)
{
    const update_args *args = update->args;

    return !is_given(args->name) && !is_given(args->email) && !is_given(args->phone) &&
           !is_given(args->registration_number) && !args->clear.bits && !update->type && !update->risk;
}

static tenon_outcome update(tenon_call *call, struct sql *sql, const void *wanted)
{
    const struct update *update = wanted;
    client               changed;
    bool                 found;
    int64_t              same;

    if (!clients_lock(sql, update->args->client_id) ||
        !clients_get(sql, call, update->args->client_id, &changed, &found))
        return call_failed(call, sql);
    if (!found)
        return client_missing(call, update->args->client_id);
    if (changes_nothing(update)) {
        tenon_message(call, "No field was given, so the client is unchanged.");
        return tenon_ok_data(call, client_rows, &changed);
    }
    overlay(&changed, update);
    same = clients_same(sql, call, &changed);
    if (same)
        return client_conflict(call, same);
    if (!clients_change(sql, &changed) || !sql_end(sql))
        return call_failed(call, sql);
    return tenon_ok_data(call, client_rows, &changed);
}

static tenon_outcome update_client(tenon_call *call, const update_args *args)
{
    return kyc_change(call, update,
                      &(struct update){ args, tenon_presence_of(call, &args->client_type) == TENON_GIVEN,
                                        tenon_presence_of(call, &args->risk_level) == TENON_GIVEN });
}

TENON_TOOL(update_client, update_args,
    TENON_INFO("Correct a client: what is given replaces what was there, everything else stays. The name and type, or the "
               "registration number, of another client are a CONFLICT.",
               .title = "Update a client",
               .hints = TENON_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_OPEN_WORLD), .result = client_rows,
               .blocking = true),
    TENON_INT  (client_id,           "The client's number.", .key = "clientId", .required = true,
                .range = {1, TENON_NO_MAX}),
    TENON_STR  (name,                "Full or legal name.", .len = {1, 200}),
    TENON_ENUM (client_type,         client_type_names, "What it is.", .key = "clientType"),
    TENON_ENUM (risk_level,          risk_names, "How risky it is.", .key = "riskLevel"),
    TENON_STR  (email,               "E-mail address.", .format = "email", .len = {3, 254}),
    TENON_STR  (phone,               "Telephone number.", .len = {3, 40}),
    TENON_STR  (registration_number, "Number in a register of companies.", .key = "registrationNumber", .len = {1, 60}),
    TENON_ENUMS(clear,               emptied_names, "Fields to empty.", .noun = "field"),
    TENON_CHECK(check_clear));

/* ---- delete_client ------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t client_id;
    bool    delete_persons;
} delete_args;

typedef struct {
    client  client;
    int64_t deleted_persons;
} client_deleted;

TENON_ROWS(client_deleted_rows, client_deleted,
    TENON_OBJECT(client,          client_rows, "The client as it was."),
    TENON_INT   (deleted_persons, "Persons that were deleted with it.", .key = "deletedPersons", .required = true));

static tenon_outcome refuse_persons(tenon_call *call, int64_t id, int64_t count)
{
    tenon_detail_int(call, "clientId", id);
    tenon_detail_int(call, "persons", count);
    return tenon_fail(
        call, TENON_CODE_CONFLICT,
        "Client %lld has %lld %s; nothing was deleted. Give deletePersons true to delete them too, or "
        "delete them first with delete_person.",
        (long long)id, (long long)count, count == 1 ? "person" : "persons");
}

static tenon_outcome delete_all(tenon_call *call, struct sql *sql, const void *wanted)
{
    const delete_args *args = wanted;
    client_deleted     gone;
    bool               found;

    if (!clients_lock(sql, args->client_id) || !clients_get(sql, call, args->client_id, &gone.client, &found))
        return call_failed(call, sql);
    if (!found)
        return client_missing(call, args->client_id);
    gone.deleted_persons = persons_count(sql, args->client_id);
    if (sql_failure(sql) == SQL_OK && gone.deleted_persons && !args->delete_persons)
        return refuse_persons(call, args->client_id, gone.deleted_persons);
    if (!persons_delete_of(sql, args->client_id) || !clients_delete(sql, args->client_id) || !sql_end(sql))
        return call_failed(call, sql);
    return tenon_ok_data(call, client_deleted_rows, &gone);
}

static tenon_outcome delete_client(tenon_call *call, const delete_args *args)
{
    return kyc_change(call, delete_all, args);
}

TENON_TOOL(delete_client, delete_args,
    TENON_INFO("Delete a client for good. One that still has persons is a CONFLICT, unless deletePersons is true.",
               .title = "Delete a client", .hints = TENON_DESTRUCTIVE | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .result = client_deleted_rows, .blocking = true),
    TENON_INT (client_id,      "The client's number.", .key = "clientId", .required = true, .range = {1, TENON_NO_MAX}),
    TENON_BOOL(delete_persons, "Delete its persons too.", .key = "deletePersons", .def = false, .strict = true));
