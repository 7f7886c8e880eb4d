/* tools_clients.c - searching, listing, showing and creating clients. */
#include "kyc/kyc.h"

/* ---- Lists --------------------------------------------------------------------------------------------------- */

static bool is_narrow(const struct client_filter *filter)
{
    return (filter->name && filter->name[0]) || filter->type != CLIENT_TYPES || filter->risk != RISKS;
}

static tenon_outcome list(tenon_call *call, const struct client_filter *filter, const tenon_page *page)
{
    struct sql   *sql = call_take(call, kyc_of(call)->pool);
    client       *found;
    size_t        count;
    int64_t       total;
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (clients_find(sql, call, filter, page, &found, &count, &total)) {
        if (total == 0 && is_narrow(filter)) /* that there is none is the page's own message */
            tenon_message(call,
                          "No client matches. Fewer conditions, or a shorter part of the name, find more.");
        outcome = tenon_ok_page(call, page, client_rows, found, count, total);
    } else {
        outcome = call_failed(call, sql);
    }
    sql_give(kyc_of(call)->pool, sql);
    return outcome;
}

typedef struct {
    const char      *name;
    enum client_type client_type;
    enum risk        risk_level;
    tenon_page       page;
} search_args;

static tenon_outcome search_clients(tenon_call *call, const search_args *args)
{
    bool typed  = tenon_presence_of(call, &args->client_type) == TENON_GIVEN;
    bool risked = tenon_presence_of(call, &args->risk_level) == TENON_GIVEN;

    return list(call,
                &(struct client_filter){ args->name, typed ? args->client_type : CLIENT_TYPES,
                                         risked ? args->risk_level : RISKS },
                &args->page);
}

TENON_TOOL(search_clients, search_args,
    TENON_INFO("Find clients by part of the name, by type and by risk; all conditions together.",
               .title = "Search clients", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .items = client_rows, .blocking = true),
    TENON_STR (name,        "Part of the name; case does not matter.", .len = {1, 200}),
    TENON_ENUM(client_type, client_type_names, "Only this type.", .key = "clientType"),
    TENON_ENUM(risk_level,  risk_names, "Only this risk.", .key = "riskLevel"),
    TENON_PAGE(page));

typedef struct {
    tenon_page page;
} list_args;

static tenon_outcome get_all_clients(tenon_call *call, const list_args *args)
{
    return list(call, &(struct client_filter){ NULL, CLIENT_TYPES, RISKS }, &args->page);
}

TENON_TOOL(get_all_clients, list_args,
    TENON_INFO("List all clients by name.", .title = "All clients",
               .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD), .items = client_rows, .blocking = true),
    TENON_PAGE(page));

static tenon_outcome get_high_risk_clients(tenon_call *call, const list_args *args)
{
    return list(call, &(struct client_filter){ NULL, CLIENT_TYPES, RISK_HIGH }, &args->page);
}

TENON_TOOL(get_high_risk_clients, list_args,
    TENON_INFO("List the clients of high risk by name.", .title = "High-risk clients",
               .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD), .items = client_rows, .blocking = true),
    TENON_PAGE(page));

/* ---- One client ---------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t client_id;
} details_args;

tenon_outcome client_missing(tenon_call *call, int64_t id)
{
    tenon_detail_int(call, "clientId", id);
    return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no client %lld. Search for it by name.",
                      (long long)id);
}

static tenon_outcome get_client_details(tenon_call *call, const details_args *args)
{
    struct sql    *sql = call_take(call, kyc_of(call)->pool);
    client_details found;
    person        *persons = NULL;
    bool           there   = false;
    tenon_outcome  outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (!clients_get(sql, call, args->client_id, &found.client, &there) ||
        !persons_of(sql, call, args->client_id, &persons, &found.persons.count)) {
        outcome = call_failed(call, sql);
    } else if (!there) {
        outcome = client_missing(call, args->client_id);
    } else {
        found.persons.at = persons;
        outcome          = tenon_ok_data(call, client_details_rows, &found);
    }
    sql_give(kyc_of(call)->pool, sql);
    return outcome;
}

TENON_TOOL(get_client_details, details_args,
    TENON_INFO("Show a client with all its persons.", .title = "Client details",
               .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD), .result = client_details_rows, .blocking = true),
    TENON_INT(client_id, "The client's number, from a search.", .key = "clientId", .required = true,
              .range = {1, TENON_NO_MAX}));

/* ---- A new client -------------------------------------------------------------------------------------------- */

typedef struct {
    const char      *name, *email, *phone, *registration_number;
    enum client_type client_type;
    enum risk        risk_level;
} create_args;

tenon_outcome client_conflict(tenon_call *call, int64_t same)
{
    tenon_detail_int(call, "clientId", same);
    return tenon_fail(
        call, TENON_CODE_CONFLICT,
        "Client %lld has this name and type, or this registration number. Use it, or change what you enter.",
        (long long)same);
}

static tenon_outcome create(tenon_call *call, struct sql *sql, const void *wanted)
{
    const client *new_client = wanted;
    client        made;
    int64_t       same = clients_same(sql, call, new_client);

    if (same)
        return client_conflict(call, same);
    if (!clients_add(sql, call, new_client, &made) || !sql_end(sql))
        return call_failed(call, sql);
    return tenon_ok_data(call, client_rows, &made);
}

static tenon_outcome create_client(tenon_call *call, const create_args *args)
{
    return kyc_change(call, create,
                      &(client){ .name                = args->name,
                                 .email               = args->email,
                                 .phone               = args->phone,
                                 .registration_number = args->registration_number,
                                 .client_type         = args->client_type,
                                 .risk_level          = args->risk_level,
                                 .created_at          = { kyc_now(), true } });
}

TENON_TOOL(create_client, create_args,
    TENON_INFO("Enter a new client. One with the same name and type, or the same registration number, is a CONFLICT.",
               .title = "Create a client", .hints = TENON_HINT_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
               .result = client_rows, .blocking = true),
    TENON_STR (name,                "Full or legal name.", .required = true, .len = {1, 200}),
    TENON_ENUM(client_type,         client_type_names, "What it is.", .key = "clientType", .required = true),
    TENON_ENUM(risk_level,          risk_names, "How risky it is.", .key = "riskLevel", .required = true),
    TENON_STR (email,               "E-mail address.", .format = "email", .len = {3, 254}),
    TENON_STR (phone,               "Telephone number.", .len = {3, 40}),
    TENON_STR (registration_number, "Number in a register of companies.", .key = "registrationNumber", .len = {1, 60}));
