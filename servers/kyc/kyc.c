/* kyc.c - the server, its words and its database. */
#include "kyc/kyc.h"

#include <stdlib.h>
#include <time.h>

#include "kit/place.h"

#define NAME           "tenon-kyc"
#define APPLICATION_ID 0x746b7963 /* "tkyc" */

const char *const client_type_names[CLIENT_TYPES] = {
    [INDIVIDUAL] = "INDIVIDUAL",   [COMPANY] = "COMPANY",    [TRUST] = "TRUST",
    [PARTNERSHIP] = "PARTNERSHIP", [OTHER_CLIENT] = "OTHER",
};

const char *const risk_names[RISKS] = { [RISK_LOW] = "LOW", [RISK_MEDIUM] = "MEDIUM", [RISK_HIGH] = "HIGH" };

const char *const relationship_names[RELATIONSHIPS] = {
    [BENEFICIAL_OWNER]     = "BENEFICIAL_OWNER",
    [DIRECTOR]             = "DIRECTOR",
    [SHAREHOLDER]          = "SHAREHOLDER",
    [SECRETARY]            = "SECRETARY",
    [TRUSTEE]              = "TRUSTEE",
    [SETTLOR]              = "SETTLOR",
    [BENEFICIARY]          = "BENEFICIARY",
    [PROTECTOR]            = "PROTECTOR",
    [PARTNER]              = "PARTNER",
    [AUTHORIZED_SIGNATORY] = "AUTHORIZED_SIGNATORY",
    [LEGAL_REPRESENTATIVE] = "LEGAL_REPRESENTATIVE",
    [OTHER_RELATIONSHIP]   = "OTHER",
};

/* Enums are stored as their numbers: a name may change, its place in the list must not. */
static const char *const steps[] = {
    "CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT NOT NULL, client_type INTEGER NOT NULL,"
    " email TEXT NOT NULL DEFAULT '', phone TEXT NOT NULL DEFAULT '', registration_number TEXT NOT NULL "
    "DEFAULT '',"
    " risk_level INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);"
    "CREATE UNIQUE INDEX clients_name ON clients (lower(name), client_type);"
    "CREATE UNIQUE INDEX clients_registration ON clients (registration_number) WHERE registration_number <> "
    "'';"
    "CREATE INDEX clients_order ON clients (name, id);"
    "CREATE INDEX clients_risk ON clients (risk_level, name, id);"
    "CREATE TABLE persons (id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (id),"
    " first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT NOT NULL DEFAULT '',"
    " phone TEXT NOT NULL DEFAULT '', date_of_birth INTEGER NOT NULL, nationality TEXT NOT NULL DEFAULT '',"
    " identification_number TEXT NOT NULL DEFAULT '', relationship_type INTEGER NOT NULL,"
    " position_title TEXT NOT NULL DEFAULT '',"
    " ownership_percentage REAL NOT NULL DEFAULT 0 CHECK (ownership_percentage BETWEEN 0 AND 100),"
    " address TEXT NOT NULL DEFAULT '', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);"
    "CREATE INDEX persons_client ON persons (client_id, id);",
};

static const struct sql_schema schema = { .at             = steps,
                                          .count          = sizeof steps / sizeof *steps,
                                          .application_id = APPLICATION_ID };

static const tenon_tool *(*const tools[])(void) = {
    search_clients_tool, get_client_details_tool,   get_all_clients_tool,       get_high_risk_clients_tool,
    create_client_tool,  add_person_to_client_tool, get_beneficial_owners_tool, update_client_tool,
    delete_client_tool,  update_person_tool,        delete_person_tool,
};

const struct tool_list kyc_tools = TOOL_LIST(tools);

#define INSTRUCTIONS                                                                                         \
    "Clients of a firm and the persons who own or represent them. Search before you create: a client that is "             \
    "already there is a CONFLICT. All ownership of a client together is at most 100 percent."

tenon_server *kyc_new(struct kyc *kyc, const char *database, int64_t most, struct mistake *mistake)
{
    char *path;

    *kyc      = (struct kyc){ NULL, NULL };
    *mistake  = (struct mistake){ NULL, false };
    path      = place_choose(database, "kyc.db", &mistake->text);
    kyc->pool = path ? sql_open(path, &schema, &mistake->text) : NULL;
    free(path);
    if (!kyc->pool || !sql_limit(kyc->pool, most)) {
        kyc_free(kyc);
        return NULL;
    }
    kyc->server = tenon_server_new(NAME, tenon_version(), .title = "Know your customer", .user = kyc,
                                   .instructions = INSTRUCTIONS);
    tools_serve(kyc->server, &kyc_tools);
    return kyc->server;
}

void kyc_free(struct kyc *kyc)
{
    sql_close(kyc->pool);
    kyc->pool = NULL;
}

/* ---- What the tools share ---- */

int64_t kyc_now(void)
{
    return (int64_t)time(NULL) * 1000;
}

tenon_outcome kyc_change(tenon_call *call, kyc_work_fn work, const void *args)
{
    struct sql   *sql = sql_take(kyc_of(call)->pool);
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    outcome = sql_begin(sql) ? work(call, sql, args) : call_failed(call, sql);
    sql_give(kyc_of(call)->pool, sql); /* with what is left of the transaction */
    return outcome;
}

/* ---- The program ---- */

struct kyc_options {
    const char *database;
    size_t      most;
};

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct kyc_options, database, "db", "FILE",
                       "the database; default: tenon/kyc.db in the user's data folder",
                       .group = PROGRAM_GROUP),
    PROGRAM_MAX_DB(struct kyc_options, most),
};

int kyc_main(int argc, char **argv)
{
    static struct kyc      kyc; /* a handler that does not end may still use these when the process does */
    static struct kyc_options  options;
    static tenon_settings *settings;
    struct mistake         mistake;
    int                    result;

    settings = tenon_settings_new(NAME, tenon_version(), rows, &options);
    if (!program_begin(settings, argc, argv, &result))
        return result;
    if (!kyc_new(&kyc, options.database, (int64_t)options.most, &mistake))
        return program_refuse(NAME, &mistake);
    result = tenon_server_run(kyc.server, settings);
    kyc_free(&kyc);
    return result;
}
