/* tools_apps.c - applications, their libraries, and which of them a CVE concerns. */
#include "appsec/appsec.h"
#include "appsec/reasons.h"
#include "appsec/vocabulary.h"

/* ---- Applications -------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *tag;
    tenon_map   metadata;
    tenon_page  page;
} apps_args;

/* ?1 part of a name or id, ?2 a tag, ?3 JSON of metadata: NULL asks nothing. */
#define APPS                                                                                                 \
    " FROM applications p WHERE (CAST(?1 AS TEXT) IS NULL OR " SQL_HAS_PART("name", "?1") " OR " SQL_HAS_PART("app", "?1") ")" \
    " AND (CAST(?2 AS TEXT) IS NULL OR " SQL_NOCASE_VALUE("?2") " " SQL_EITHER("COLLATE NOCASE", "") " IN " SQL_TEXTS_NOCASE("p.tags") ")" \
    " AND (CAST(?3 AS TEXT) IS NULL OR " HAS_METADATA("p.metadata", "?3") ")"

static struct statement *ask_apps(struct sql *sql, tenon_call *call, const apps_args *args, const char *text)
{
    struct statement *statement = sql_statement(sql, text);

    sql_bind_text(statement, 1, args->name[0] ? args->name : NULL);
    sql_bind_text(statement, 2, args->tag[0] ? args->tag : NULL);
    sql_bind_text(statement, 3, appsec_choices(call, &args->metadata));
    return statement;
}

static application read_app(tenon_call *call, struct statement *row)
{
    return (application){ .app      = call_text(call, row, 0),
                          .name     = call_text(call, row, 1),
                          .language = call_text(call, row, 2),
                          .tags     = appsec_strs(call, row, 3),
                          .metadata = appsec_map(call, row, 4),
                          .open     = sql_number(row, 5) };
}

static int64_t count_apps(struct sql *sql, tenon_call *call, const apps_args *args)
{
    struct statement *statement = ask_apps(sql, call, args, "SELECT count(*)" APPS);
    int64_t           count     = sql_row(sql, statement) ? sql_number(statement, 0) : 0;

    sql_reset(statement);
    return count;
}

static void explain_apps(tenon_call *call, struct sql *sql, const apps_args *args)
{
    struct reasons reasons = { 0, "" };
    apps_args      less    = *args;

    if (reasons_count(sql, "SELECT EXISTS (SELECT 1 FROM applications)", 0) == 0) {
        tenon_message(call, "No application is known: nothing was imported.");
        return;
    }
    if (args->tag[0])
        vocabulary_check(sql, call, &app_tag_words, &(tenon_strs){ 1, &args->tag });
    if (args->metadata.count > 0)
        vocabulary_metadata(sql, call, 0, appsec_choices(call, &args->metadata));
    less.name = "";
    reasons_add(&reasons, "name", count_apps(sql, call, &less));
    less     = *args;
    less.tag = "";
    reasons_add(&reasons, "tag", count_apps(sql, call, &less));
    less          = *args;
    less.metadata = (tenon_map){ 0, NULL };
    reasons_add(&reasons, "metadataFilters", count_apps(sql, call, &less));
    reasons_say(call, &reasons);
}

static tenon_outcome find_apps(tenon_call *call, struct sql *sql, const apps_args *args)
{
    int64_t           total = count_apps(sql, call, args);
    application      *found = tenon_alloc(call, (size_t)args->page.limit * sizeof *found);
    size_t            count = 0;
    struct statement *statement;

    statement = ask_apps(
        sql, call, args,
        "SELECT app, name, language, tags, metadata, coalesce((SELECT sum(number) FROM tallies t"
        " WHERE t.severity IN (0, 1, 2, 3, 4) AND t.app = p.id AND t.status <= 2), 0)" APPS
        " ORDER BY name, id LIMIT ?4 OFFSET ?5");
    sql_bind_number(statement, 4, args->page.limit);
    sql_bind_number(statement, 5, args->page.offset);
    while (found && (int64_t)count < args->page.limit && sql_row(sql, statement))
        found[count++] = read_app(call, statement);
    if (total == 0)
        explain_apps(call, sql, args);
    if (sql_failure(sql) != SQL_OK)
        return call_failed(call, sql);
    return tenon_ok_page(call, &args->page, application_rows, found, count, total);
}

static tenon_outcome search_applications(tenon_call *call, const apps_args *args)
{
    struct sql   *sql = appsec_reading(call);
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    outcome = find_apps(call, sql, args);
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(search_applications, apps_args,
    TENON_INFO("Find applications by name, tag and metadata, with how many vulnerabilities are open.",
               .title = "Search applications", .hints = SEARCH_HINTS, .items = application_rows, .blocking = true),
    TENON_STR      (name,     "Part of the name or id.", .len = {1, 200}),
    TENON_STR      (tag,      "A tag.", .len = {1, 200}),
    METADATA_FILTER(metadata, "metadataFilters",
                    "Only with all of these; commas separate the values of which one is enough."),
    TENON_PAGE     (page));

/* ---- Libraries ----------------------------------------------------------------------------------------------- */

#define LIBRARIES_PAGE_MAX 50

typedef struct {
    const char    *app;
    library_filter filter;
    tenon_page     page;
} libraries_args;

#define LIBRARIES                                                                                            \
    " FROM libraries l WHERE app = ?1 AND (CAST(?2 AS TEXT) IS NULL OR " SQL_HAS_PART("name", "?2") ")"        \
    " AND (CAST(?3 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM library_cves WHERE library = l.id))"              \
    " AND (CAST(?4 AS BIGINT) = 0 OR used > 0)"

static struct statement *ask_libraries(struct sql *sql, const library_filter *filter, int64_t app,
                                       const char *text)
{
    struct statement *statement = sql_statement(sql, text);

    sql_bind_number(statement, 1, app);
    sql_bind_text(statement, 2, filter->keyword[0] ? filter->keyword : NULL);
    sql_bind_number(statement, 3, filter->vulnerable);
    sql_bind_number(statement, 4, filter->used);
    return statement;
}

static int64_t count_libraries(struct sql *sql, const library_filter *filter, int64_t app, const char *text)
{
    struct statement *statement = ask_libraries(sql, filter, app, text);
    int64_t           count     = sql_row(sql, statement) ? sql_number(statement, 0) : 0;

    sql_reset(statement);
    return count;
}

/* A bill of materials does not say what of a library is used. */
static void say_unknown_usage(tenon_call *call, struct sql *sql, const library_filter *filter, int64_t app)
{
    library_filter less = *filter;
    int64_t        unknown;

    less.used = false;
    unknown   = count_libraries(sql, &less, app, "SELECT count(*)" LIBRARIES " AND usage_known = 0");
    if (unknown > 0)
        tenon_message(call, "Of %lld more it is not known whether they are used; onlyUsed leaves them out.",
                      (long long)unknown);
}

static void explain_libraries(tenon_call *call, struct sql *sql, const library_filter *filter, int64_t app)
{
    struct reasons reasons = { 0, "" };
    library_filter less    = *filter;

    if (reasons_count(sql, "SELECT EXISTS (SELECT 1 FROM libraries WHERE app = ?1)", app) == 0) {
        tenon_message(call, "No library of this application is known: perhaps none was imported.");
        return;
    }
    less.keyword = "";
    reasons_add(&reasons, "keyword", count_libraries(sql, &less, app, "SELECT count(*)" LIBRARIES));
    less            = *filter;
    less.vulnerable = false;
    reasons_add(&reasons, "onlyVulnerable", count_libraries(sql, &less, app, "SELECT count(*)" LIBRARIES));
    less      = *filter;
    less.used = false;
    reasons_add(&reasons, "onlyUsed", count_libraries(sql, &less, app, "SELECT count(*)" LIBRARIES));
    reasons_say(call, &reasons);
}

static library read_library(tenon_call *call, struct statement *row)
{
    return (library){ .name        = call_text(call, row, 0),
                      .version     = call_text(call, row, 1),
                      .latest      = call_text(call, row, 2),
                      .license     = call_text(call, row, 3),
                      .cves        = appsec_strs(call, row, 4),
                      .classes     = sql_number(row, 5),
                      .used        = sql_number(row, 6),
                      .purl        = call_text(call, row, 7),
                      .usage_known = sql_number(row, 8) != 0 };
}

static tenon_outcome find_libraries(tenon_call *call, struct sql *sql, const libraries_args *args,
                                    int64_t app)
{
    int64_t           total = count_libraries(sql, &args->filter, app, "SELECT count(*)" LIBRARIES);
    library          *found = tenon_alloc(call, (size_t)args->page.limit * sizeof *found);
    size_t            count = 0;
    struct statement *statement;

    statement = ask_libraries(
        sql, &args->filter, app,
        "SELECT name, version, latest, license, (SELECT " SQL_EITHER(
            "json_group_array(cve)",
            "json_agg(cve ORDER BY lower(cve))") " FROM library_cves"
                                                 " WHERE library = l.id), classes, used, purl, "
                                                 "usage_known" LIBRARIES
                                                 " ORDER BY name, version LIMIT ?5 OFFSET ?6");
    sql_bind_number(statement, 5, args->page.limit);
    sql_bind_number(statement, 6, args->page.offset);
    while (found && (int64_t)count < args->page.limit && sql_row(sql, statement))
        found[count++] = read_library(call, statement);
    if (args->filter.used)
        say_unknown_usage(call, sql, &args->filter, app);
    if (total == 0)
        explain_libraries(call, sql, &args->filter, app);
    if (sql_failure(sql) != SQL_OK)
        return call_failed(call, sql);
    return tenon_ok_page(call, &args->page, library_rows, found, count, total);
}

static tenon_outcome list_application_libraries(tenon_call *call, const libraries_args *args)
{
    struct sql   *sql = appsec_reading(call);
    int64_t       app;
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (apps_find(sql, call, args->app, &app))
        outcome = find_libraries(call, sql, args, app);
    else
        outcome = call_failed(call, sql);
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(list_application_libraries, libraries_args,
    TENON_INFO("List the libraries of an application with their CVEs and how much of each is used.",
               .title = "Libraries of an application", .hints = SEARCH_HINTS, .items = library_rows, .blocking = true),
    APP_ID(app),
    TENON_GROUP(filter, library_filter_rows),
    TENON_PAGE (page,   .max = LIBRARIES_PAGE_MAX));

/* ---- CVEs ---------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *cve;
} cve_args;

typedef struct {
    bool        found;
    const char *cve;
    TENON_LIST_OF(affected) affected;
    int64_t total;
} cve_result;

#define AFFECTED_MAX 200

TENON_ROWS(cve_rows, cve_result,
    TENON_BOOL   (found,    "Is the CVE known of any library here?", .required = true),
    TENON_STR    (cve,      "Its id.", .key = "cveId"),
    TENON_INT    (total,    "How many there are in all."),
    TENON_OBJECTS(affected, affected_rows, "Applications and the libraries that bring it, most used first.",
                  .key = "applications"));

static bool find_affected(struct sql *sql, tenon_call *call, const char *cve, cve_result *out)
{
    affected         *at        = tenon_alloc(call, AFFECTED_MAX * sizeof *at);
    size_t            count     = 0;
    struct statement *statement = sql_statement(
        sql, "SELECT a.app, a.name, l.name, l.version, l.used, c.cve, "
             "count(*) OVER (), l.usage_known FROM library_cves c JOIN libraries l"
             " ON l.id = c.library JOIN applications a ON a.id = l.app "
             "WHERE " SQL_NOCASE("c.cve") " = " SQL_NOCASE_VALUE(
                 "trim(?1)") " ORDER BY l.used DESC, " SQL_NOCASE("a.app") ", l.id"
                                                                           " LIMIT 200");

    sql_bind_text(statement, 1, cve);
    while (at && count < AFFECTED_MAX && sql_row(sql, statement)) {
        at[count++] = (affected){ call_text(call, statement, 0), call_text(call, statement, 1),
                                  call_text(call, statement, 2), call_text(call, statement, 3),
                                  sql_number(statement, 7) != 0, sql_number(statement, 4) };
        out->cve    = call_text(call, statement, 5);
        out->total  = sql_number(statement, 6);
    }
    sql_reset(statement);
    out->found          = count > 0;
    out->affected.at    = at;
    out->affected.count = count;
    return sql_failure(sql) == SQL_OK;
}

static void say_unaffected(tenon_call *call, struct sql *sql)
{
    int64_t libraries = reasons_count(sql, "SELECT count(*) FROM libraries", 0);
    int64_t apps      = reasons_count(sql, "SELECT count(DISTINCT app) FROM libraries", 0);

    tenon_message(call,
                  "No library here is known to have this CVE. Searched %lld librar%s of %lld application%s.",
                  (long long)libraries, libraries == 1 ? "y" : "ies", (long long)apps, apps == 1 ? "" : "s");
}

static tenon_outcome list_applications_by_cve(tenon_call *call, const cve_args *args)
{
    struct sql   *sql    = appsec_reading(call);
    cve_result    result = { .found = false };
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (!find_affected(sql, call, args->cve, &result)) {
        outcome = call_failed(call, sql);
    } else {
        if (!result.found)
            say_unaffected(call, sql);
        else if (result.total > AFFECTED_MAX)
            tenon_message(call, "Only the %d that use it most are shown.", AFFECTED_MAX);
        outcome = sql_failure(sql) == SQL_OK ? tenon_ok_data(call, cve_rows, &result)
                                             : call_failed(call, sql);
    }
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(list_applications_by_cve, cve_args,
    TENON_INFO("List the applications that a CVE concerns through their libraries.", .title = "Applications by CVE",
               .hints = SEARCH_HINTS, .result = cve_rows, .blocking = true),
    TENON_STR(cve, "The CVE, or an advisory without one (GHSA, PYSEC, ...); case and spaces around it do not matter.",
              .key = "cveId", .required = true, .example = "CVE-2021-44228",
              .pattern = "^ *([A-Za-z]{2,10}-[0-9]{4}-[0-9]{1,12}|[Gg][Hh][Ss][Aa](-[0-9A-Za-z]{4}){3}) *$",
              .pattern_text = "a CVE like CVE-2021-44228, or the name of an advisory"));
