/* appsec.c - the server and its command line. */
#include "appsec/appsec.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "appsec/import.h"
#include "kit/flags.h"
#include "kit/place.h"

static const char help[] =
    "Of this server:\n"
    "  --db FILE        the database; default: tenon/appsec.db in the user's data folder\n"
    "  --import FILE    first take in this file: SARIF 2.1.0, or Tenon's own form; may be repeated.\n"
    "                   All files are taken in, or none\n"
    "  --sample         first take in a sample; without --db it is kept in memory only\n";

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

tenon_outcome appsec_failed(tenon_call *call, struct sql *sql)
{
    if (!sql)
        return tenon_fail(call, TENON_UNAVAILABLE, "The database cannot be opened. Try again later.");
    if (sql_failure(sql) == SQLITE_BUSY)
        return tenon_fail(call, TENON_UNAVAILABLE, "Another process is writing. Try again in a moment.");
    if (sql_failure(sql) == SQLITE_FULL)
        return tenon_fail(call, TENON_UNAVAILABLE, "The disk is full; nothing was changed.");
    return tenon_internal(call, "%s", sql_failure_text(sql));
}

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

tenon_server *appsec_new(struct appsec *appsec, const char *database, char **mistake)
{
    char *own = database ? NULL : place_of("appsec.db");

    *appsec      = (struct appsec){ NULL, NULL };
    *mistake     = NULL;
    database     = database ? database : own;
    appsec->pool = database ? sql_open(database, &appsec_schema, mistake) : NULL;
    free(own);
    if (!appsec->pool)
        return NULL;
    appsec->server = tenon_server_new("tenon-appsec", tenon_version(), .title = "Application security",
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

struct options {
    const char *database;
    const char *imports[FLAGS_LIST_MAX];
    size_t      import_count;
    bool        sample;
};

static int serve(struct appsec *appsec, const struct options *options, int argc, char **argv)
{
    const char *database = options->database;
    char       *mistake  = NULL;

    if ((options->sample && !database) || flags_have(argc, argv, "--help") ||
        flags_have(argc, argv, "--version"))
        database = ":memory:"; /* who only asks what this is gets no file */
    if (!appsec_new(appsec, database, &mistake)) {
        fprintf(stderr, "appsec: %s\n",
                mistake ? mistake : "there is no home folder for the database; say where with --db");
        free(mistake);
        return 1;
    }
    if (!import_all(appsec->pool, options->sample, options->imports, options->import_count, stderr)) {
        tenon_server_free(appsec->server);
        appsec_free(appsec);
        return 1;
    }
    return tenon_server_main(appsec->server, argc, argv);
}

int appsec_main(int argc, char **argv)
{
    static const struct flag flags[] = {
        FLAG_TEXT(struct options, "--db", database),
        FLAG_LIST(struct options, "--import", imports, import_count),
        FLAG_TRUE(struct options, "--sample", sample),
    };
    static struct appsec appsec; /* a handler that does not end may still use it when the process does */
    struct options       options = { NULL, { NULL }, 0, false };
    char                 wrong[FLAGS_MISTAKE_MAX];
    int                  result;

    if (!flags_take(flags, sizeof flags / sizeof *flags, &options, &argc, argv, wrong)) {
        fprintf(stderr, "appsec: %s\n", wrong);
        return 2;
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a full disk, which is said */
    result = serve(&appsec, &options, argc, argv);
    if (appsec.pool)
        appsec_free(&appsec);
    return result;
}
