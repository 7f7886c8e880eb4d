/* clients.c - two tools over one table: nested objects, a page of structs, and errors of one's own.
 *
 * Both tools share the rows of a client: what add_client takes is what list_clients returns. The clients live in the
 * program's own state, which handlers reach with tenon_user().
 */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

typedef struct {
    const char *street, *city;
} address;

typedef struct {
    const char *name;
    double      share;
} owner;

typedef struct {
    const char *id, *name;
    address     seat;
    TENON_LIST_OF(owner) owners;
} client;

TENON_ROWS(address_rows, address,
    TENON_STR(street, "Street and number."),
    TENON_STR(city,   "City.", .required = true));

TENON_ROWS(owner_rows, owner,
    TENON_STR(name,  "First and last name.", .required = true),
    TENON_NUM(share, "Ownership in percent.", .required = true, .range = {0, 100}, .tolerance = 1e-6));

TENON_ROWS(client_rows, client,
    TENON_ID     (id,     "Short name, in no other client.", .required = true, .len = {2, 20}),
    TENON_STR    (name,   "Legal name.", .required = true),
    TENON_OBJECT (seat,   address_rows, "Where it has its seat.", .required = true),
    TENON_OBJECTS(owners, owner_rows, "Who owns it.", .count = {1, 20}));

#define CLIENTS_MAX 3

struct database {
    client clients[CLIENTS_MAX];
    size_t count;
};

/* ---- list_clients -------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_page page;
} list_args;

static tenon_outcome list_clients(tenon_call *call, const list_args *args)
{
    const struct database *database = tenon_user(call);
    size_t                 from     = database->count, count;

    if (args->page.offset < (int64_t)database->count)
        from = (size_t)args->page.offset;
    count = database->count - from;
    if (count > (size_t)args->page.limit)
        count = (size_t)args->page.limit;
    return tenon_ok_page(call, &args->page, client_rows, database->clients + from, count,
                         (int64_t)database->count);
}

TENON_TOOL(list_clients, list_args,
    TENON_INFO("List the clients.", .hints = TENON_READ_ONLY, .items = client_rows),
    TENON_PAGE(page, .max = 20));

/* ---- add_client ---------------------------------------------------------------------------------------------- */

typedef struct {
    client client;
} add_args;

static const char *check_shares(tenon_check *check, const void *value)
{
    const add_args *args = value;
    double          sum  = 0;

    for (size_t i = 0; i < args->client.owners.count; i++)
        sum += args->client.owners.at[i].share;
    return sum <= 100.000001
               ? NULL
               : tenon_check_format(check, "the shares must not exceed 100 in all, got %g", sum);
}

static tenon_outcome add_client(tenon_call *call, const add_args *args)
{
    const struct database *database = tenon_user(call);

    for (size_t i = 0; i < database->count; i++) {
        if (strcmp(database->clients[i].id, args->client.id) != 0)
            continue;
        tenon_issue_add(call, &args->client.id, "taken", "id must be new, and there is a client %s",
                        args->client.id);
        return tenon_invalid(call);
    }
    if (database->count == CLIENTS_MAX) {
        tenon_detail_int(call, "limit", CLIENTS_MAX);
        return tenon_fail(call, "PLAN_FULL", NULL);
    }
    /* A real program would keep a copy now: the arguments live until the answer is sent. */
    tenon_text(call, "Added %s.", args->client.id);
    return tenon_ok(call);
}

TENON_TOOL(add_client, add_args,
    TENON_INFO("Add a client."),
    TENON_GROUP(client, client_rows),
    TENON_CHECK(check_shares));

static const tenon_error errors[] = {
    { "PLAN_FULL", "The plan allows {limit} clients. Remove one, or ask for a larger plan.", false },
};

/* ---- A few calls --------------------------------------------------------------------------------------------- */

static const owner owners[] = { { "Ada Berg", 60 }, { "Bo Dahl", 40 } };

static struct database database = {
    .clients = {
        { "acme", "Acme AS", { "Karl Johans gate 1", "Oslo" }, { 2, owners } },
        { "borg", "Borg ASA", { "", "Bergen" }, { 1, owners } },
        { "dahl", "Dahl og sønn", { "Nygata 7", "Bodø" }, { 1, owners + 1 } },
    },
    .count = 2,
};

static void run(tenon_call *call, const char *tool, const char *json)
{
    printf("\n> %s %s\n%s\n", tool, json, tenon_call_run(call, tool, json, strlen(json))->json);
}

int main(void)
{
    static const char eng[] = "{\"id\": \"eng\", \"name\": \"Eng AS\", \"seat\": {\"city\": \"Oslo\"}, "
                              "\"owners\": [{\"name\": \"Eva Eng\", \"share\": 100}]}";
    tenon_toolbox    *box   = tenon_toolbox_new(.user = &database, TENON_ERRORS(errors));
    tenon_call       *call  = NULL;

    tenon_toolbox_add(box, list_clients_tool());
    tenon_toolbox_add(box, add_client_tool());
    if (!tenon_toolbox_error(box))
        call = tenon_call_new(box);
    if (!call) {
        fprintf(stderr, "clients: %s\n",
                tenon_toolbox_error(box) ? tenon_toolbox_error(box) : "out of memory");
        return 1;
    }
    for (size_t i = 0; i < tenon_toolbox_count(box); i++)
        printf("%s: %s\n", tenon_toolbox_tool(box, i)->name, tenon_toolbox_tool(box, i)->doc);
    run(call, "list_clients", "{\"pageSize\": 1}");
    run(call, "list_clients", "{\"page\": 7, \"pageSize\": 500}");
    run(call, "add_client", eng);
    run(call, "add_client",
        "{\"id\": \"a\", \"seat\": {\"town\": \"Oslo\"}, \"owners\": [{\"name\": \"Eva Eng\", \"share\": "
        "\"200\"}, {}]}");
    run(call, "add_client",
        "{\"id\": \"borg\", \"name\": \"Borg II\", \"seat\": {\"city\": \"Oslo\"}, "
        "\"owners\": {\"name\": \"Bo Dahl\", \"share\": 40}}");
    run(call, "add_client",
        "{\"id\": \"fjell\", \"name\": \"Fjell AS\", \"seat\": {\"city\": \"Odda\"}, "
        "\"owners\": [{\"name\": \"Bo Dahl\", \"share\": 60}, {\"name\": \"Eva Eng\", \"share\": 60}]}");
    database.count = CLIENTS_MAX;
    run(call, "add_client", eng);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    return 0;
}
