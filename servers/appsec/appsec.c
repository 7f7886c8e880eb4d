/* appsec.c - the server and its command line. */
#include "appsec/appsec.h"

#include <stdlib.h>

#include "appsec/import.h"
#include "kit/place.h"

static const char help[] =
    "Of this server:\n"
    "  --db FILE        the database; default: tenon/appsec.db in the user's data folder\n"
    "  --max-db SIZE    most bytes of the database, such as 512MiB; default: no limit\n"
    "  --import [NAME=]FILE\n"
    "                   first import this file, which is about the application NAME; may be repeated.\n"
    "                   SARIF 2.1.0, CycloneDX 1.4 to 1.6, SPDX 2.2 and 2.3 as JSON, or Tenon's own form.\n"
    "                   All files are imported, or none\n"
    "  --sample         first import a sample; without --db it is kept in memory only\n";

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
    struct sql *sql = sql_take(appsec_of(call)->pool);

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

tenon_server *appsec_new(struct appsec *appsec, const char *database, struct mistake *mistake)
{
    char *path;

    *appsec      = (struct appsec){ NULL, NULL };
    *mistake     = (struct mistake){ NULL, false };
    path         = place_choose(database, "appsec.db", &mistake->text);
    appsec->pool = path ? sql_open(path, &appsec_schema, &mistake->text) : NULL;
    free(path);
    if (!appsec->pool)
        return NULL;
    appsec->server = tenon_server_new(APPSEC_NAME, tenon_version(), .title = "Application security",
                                      .user = appsec, .instructions = INSTRUCTIONS, .help = help);
    tools_serve(appsec->server, &appsec_tools);
    return appsec->server;
}

void appsec_free(struct appsec *appsec)
{
    sql_close(appsec->pool);
    appsec->pool = NULL;
}

/* ---- The command line ---------------------------------------------------------------------------------------- */

struct appsec_options {
    const char *database;
    const char *imports[FLAGS_LIST_MAX];
    size_t      import_count;
    bool        sample;
    int64_t     database_most; /* bytes; 0: no limit */
};

/* In memory when it is only looked at: by who asks for help, or for the sample and no database. */
static const char *choose_database(const struct appsec_options *options, bool only_asks)
{
    return only_asks || (options->sample && !options->database) ? ":memory:" : options->database;
}

int appsec_main(int argc, char **argv)
{
    static const struct flag flags[] = {
        FLAG_TEXT(struct appsec_options, "--db", database),
        FLAG_BYTES(struct appsec_options, "--max-db", database_most),
        FLAG_LIST(struct appsec_options, "--import", imports, import_count),
        FLAG_TRUE(struct appsec_options, "--sample", sample),
    };
    static struct appsec  appsec; /* a handler that does not end may still use it when the process does */
    struct appsec_options options = { NULL, { NULL }, 0, false, 0 };
    struct mistake        mistake;
    int                   result = PROGRAM_FAILED;

    if (!program_begin(APPSEC_NAME, flags, sizeof flags / sizeof *flags, &options, &argc, argv))
        return PROGRAM_MISUSED;
    if (!appsec_new(&appsec, choose_database(&options, program_only_asks(argc, argv)), &mistake))
        return program_refuse(APPSEC_NAME, &mistake);
    if (sql_limit(appsec.pool, options.database_most) &&
        import_all(appsec.pool, options.sample, options.imports, options.import_count, stderr))
        result = tenon_server_main(appsec.server, argc, argv);
    else
        tenon_server_free(appsec.server);
    appsec_free(&appsec);
    return result;
}
