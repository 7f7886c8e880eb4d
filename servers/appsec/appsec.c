/* appsec.c - the server and its command line. */
#include "appsec/appsec.h"

#include "appsec/import.h"

#define INSTRUCTIONS                                                                                         \
    "Vulnerabilities, attacks, libraries and routes of applications. search_applications finds appId, "     \
    "list_vulnerability_types the types; both are checked, and spellings in answers are those that filters take."

static const tenon_tool *(*const tools[])(void) = {
    search_vulnerabilities_tool,
    search_app_vulnerabilities_tool,
    get_vulnerability_tool,
    list_vulnerability_types_tool,
    update_vulnerability_status_tool,
    search_applications_tool,
    list_application_libraries_tool,
    list_applications_by_cve_tool,
    search_attacks_tool,
    search_servers_tool,
    get_route_coverage_tool,
};

const struct tool_list appsec_tools = TOOL_LIST(tools);

struct sql *appsec_reading(tenon_call *call)
{
    struct sql *sql = call_take(call, appsec_of(call)->pool);

    if (sql && !sql_begin_reading(sql)) {
        sql_give(appsec_of(call)->pool, sql);
        return NULL;
    }
    return sql;
}

void appsec_done(tenon_call *call, struct sql *sql)
{
    sql_cancel(sql);
    sql_give(appsec_of(call)->pool, sql);
}

tenon_server *appsec_new(struct appsec *appsec, const struct database_options *options,
                         struct mistake *mistake)
{
    *appsec      = (struct appsec){ NULL, NULL };
    *mistake     = (struct mistake){ NULL, false };
    appsec->pool = database_open(options, "appsec.db", &appsec_schema, mistake);
    if (!appsec->pool)
        return NULL;
    appsec->server = tenon_server_new(APPSEC_NAME, tenon_version(), .title = "Application security",
                                      .user = appsec, .instructions = INSTRUCTIONS);
    tools_serve(appsec->server, &appsec_tools);
    database_serve(appsec->server, appsec->pool);
    return appsec->server;
}

void appsec_free(struct appsec *appsec)
{
    sql_close(appsec->pool);
    appsec->pool = NULL;
}

/* ---- The command line ---------------------------------------------------------------------------------------- */

struct appsec_options {
    struct database_options database;
    tenon_strs              imports;
    bool                    sample;
};

static const tenon_setting rows[] = {
    DATABASE_SETTINGS(struct appsec_options, database., "appsec.db"),
    TENON_SETTING_TEXTS(struct appsec_options, imports, "import", "[NAME=]FILE",
                        "first import this file, which is about the application NAME;\n"
                        "may be repeated. SARIF 2.1.0, CycloneDX 1.4 to 1.6, SPDX 2.2 and 2.3\n"
                        "as JSON, or Tenon's own form. All files are imported, or none"),
    TENON_SETTING_FLAG(struct appsec_options, sample, "sample",
                       "first import a sample; without --db it is kept in memory only"),
};

int appsec_main(int argc, char **argv)
{
    static struct appsec   appsec; /* a handler that does not end may still use these when the process does */
    static struct appsec_options  options;
    static tenon_settings *settings;
    struct mistake         mistake;
    int                    result;

    settings = tenon_settings_new(APPSEC_NAME, tenon_version(), rows, &options);
    if (!program_begin(settings, argc, argv, &result))
        return result;
    if (options.sample && !options.database.address && !options.database.file)
        options.database.address = ":memory:";
    if (!appsec_new(&appsec, &options.database, &mistake))
        return program_refuse(APPSEC_NAME, &mistake);
    result = PROGRAM_FAILED;
    if (import_all(appsec.pool, options.sample, options.imports.at, options.imports.count, stderr))
        result = tenon_server_run(appsec.server, settings);
    else
        tenon_server_free(appsec.server);
    appsec_free(&appsec);
    return result;
}
