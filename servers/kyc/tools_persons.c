/* tools_persons.c - persons of clients: adding them, and who owns what. */
#include "kyc/kyc.h"

#define OWNERSHIP_MAX     100.0
#define OWNERSHIP_ROUNDED 1e-9 /* sums of decimal fractions are not exact */
#define OWNER_LEAST       25.0 /* the usual mark of a beneficial owner */

/* ---- add_person_to_client ------------------------------------------------------------------------------------ */

typedef struct {
    int64_t     client_id;
    const char *first_name, *last_name, *email, *phone, *nationality, *identification_number, *position_title,
        *address;
    tenon_time        date_of_birth;
    enum relationship relationship_type;
    double            ownership_percentage;
} person_args;

/* Nobody is born tomorrow. What is past stays so: the clock makes no difference to the row's example. */
const char *check_past(tenon_check *check, const void *value)
{
    const tenon_time *born = value;

    (void)check;
    return born->ms < kyc_now() ? NULL : "dateOfBirth must be in the past";
}

static tenon_outcome refuse_share(tenon_call *call, double owned, double asked)
{
    tenon_detail(call, "alreadyOwned", "%g", owned);
    tenon_detail(call, "available", "%g", OWNERSHIP_MAX - owned);
    return tenon_fail(call, TENON_CODE_CONFLICT,
                      "%g percent of this client are owned by others already; %g more would be over 100. "
                      "Enter at most %g, or "
                      "correct the others first with update_person or delete_person.",
                      owned, asked, OWNERSHIP_MAX - owned);
}

bool share_fits(tenon_call *call, struct sql *sql, const person *of, tenon_outcome *failure)
{
    double owned = persons_owned(sql, of->client_id, of->id);

    if (sql_failure(sql) != SQL_OK) {
        *failure = call_failed(call, sql);
        return false;
    }
    if (owned + of->ownership_percentage <= OWNERSHIP_MAX + OWNERSHIP_ROUNDED)
        return true;
    *failure = refuse_share(call, owned, of->ownership_percentage);
    return false;
}

/* The client, the shares that are taken and the new row: seen and written in one transaction. */
static tenon_outcome add(tenon_call *call, struct sql *sql, const void *wanted)
{
    const person *new_person = wanted;
    client        owner;
    person        made;
    bool          found;
    tenon_outcome failure;

    if (!clients_lock(sql, new_person->client_id) ||
        !clients_get(sql, call, new_person->client_id, &owner, &found))
        return call_failed(call, sql);
    if (!found)
        return client_missing(call, new_person->client_id);
    if (!share_fits(call, sql, new_person, &failure))
        return failure;
    if (!persons_add(sql, call, new_person, &made) || !sql_end(sql))
        return call_failed(call, sql);
    return tenon_ok_data(call, person_rows, &made);
}

static tenon_outcome add_person_to_client(tenon_call *call, const person_args *args)
{
    return kyc_change(call, add,
                      &(person){ .client_id             = args->client_id,
                                 .first_name            = args->first_name,
                                 .last_name             = args->last_name,
                                 .email                 = args->email,
                                 .phone                 = args->phone,
                                 .nationality           = args->nationality,
                                 .identification_number = args->identification_number,
                                 .position_title        = args->position_title,
                                 .address               = args->address,
                                 .date_of_birth         = args->date_of_birth,
                                 .relationship_type     = args->relationship_type,
                                 .ownership_percentage  = args->ownership_percentage,
                                 .created_at            = { kyc_now(), true } });
}

TENON_TOOL(
    add_person_to_client, person_args,
    TENON_INFO(
        "Add a person to a client. Shares of all persons of a client together are at most 100 percent.",
        .title = "Add a person", .hints = TENON_HINT_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
        .result = person_rows, .blocking = true),
    TENON_INT(client_id, "The client's number.", .key = "clientId", .required = true,
              .range = { 1, TENON_NO_MAX }),
    TENON_STR(first_name, "First name.", .key = "firstName", .required = true, .len = { 1, 100 }),
    TENON_STR(last_name, "Last name.", .key = "lastName", .required = true, .len = { 1, 100 }),
    TENON_DATE(date_of_birth, "Date of birth.", .key = "dateOfBirth", .required = true, .calendar = true,
               .check = check_past, .example = "1980-05-17"),
    TENON_ENUM(relationship_type, relationship_names, "What the person is to the client.",
               .key = "relationshipType", .required = true),
    TENON_NUM(ownership_percentage, "Ownership, in percent.", .key = "ownershipPercentage",
              .range = { 0, 100 }, .def = 0),
    TENON_STR(email, "E-mail address.", .format = "email", .len = { 3, 254 }),
    TENON_STR(phone, "Telephone number.", .len = { 3, 40 }),
    TENON_STR(nationality, "Nationality.", .len = { 2, 60 }),
    TENON_STR(identification_number, "Number of a passport or identity card.", .key = "identificationNumber",
              .len = { 1, 60 }, .secret = true),
    TENON_STR(position_title, "Position.", .key = "positionTitle", .len = { 1, 100 }),
    TENON_STR(address, "Address.", .len = { 1, 300 }));

/* ---- get_beneficial_owners ----------------------------------------------------------------------------------- */

typedef struct {
    double     least;
    tenon_page page;
} owners_args;

static tenon_outcome get_beneficial_owners(tenon_call *call, const owners_args *args)
{
    struct sql   *sql = call_take(call, kyc_of(call)->pool);
    person       *found;
    size_t        count;
    int64_t       total;
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (persons_owners(sql, call, args->least, &args->page, &found, &count, &total))
        outcome = tenon_ok_page(call, &args->page, person_rows, found, count, total);
    else
        outcome = call_failed(call, sql);
    sql_give(kyc_of(call)->pool, sql);
    return outcome;
}

TENON_TOOL(
    get_beneficial_owners, owners_args,
    TENON_INFO(
        "List the persons who own at least a share of a client, or are entered as its beneficial owner.",
        .title = "Beneficial owners", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
        .items = person_rows, .blocking = true),
    TENON_NUM(least, "Least ownership, in percent.", .key = "minOwnershipPercentage", .range = { 0, 100 },
              .def = OWNER_LEAST),
    TENON_PAGE(page));
