/* tools_servers.c - servers, and which routes of an application were exercised. */
#include <math.h>

#include "appsec/appsec.h"
#include "appsec/reasons.h"
#include "appsec/vocabulary.h"

/* ---- Servers ------------------------------------------------------------------------------------------------- */

typedef struct {
    const char       *keyword;
    tenon_set         environments, log_levels;
    enum server_quick quick;
    enum server_sort  sort;
    tenon_strs        tags, apps, agents;
    bool              with_apps;
    tenon_page        page;
} servers_args;

/* ?1 a word; ?2 and ?3 sets, 0 for all; ?4 to ?6 JSON or NULL: tags, applications, versions; ?7 the quick filter. */
#define SERVERS                                                                                              \
    " FROM servers s WHERE (CAST(?1 AS TEXT) IS NULL OR " SQL_HAS_PART("name", "?1") ")"                         \
    " AND (CAST(?2 AS BIGINT) = 0 OR " SQL_HAS_BIT("?2", "environment") ")"                                  \
    " AND (CAST(?3 AS BIGINT) = 0 OR " SQL_HAS_BIT("?3", "log_level") ")"                                    \
    " AND (CAST(?4 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM " TAGS_OF("s.tags") " WHERE "          \
    SQL_EITHER("g.value COLLATE NOCASE", "lower(g.value COLLATE \"C\")") " IN " SQL_TEXTS_NOCASE("?4") "))"  \
    " AND (CAST(?5 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM server_apps r JOIN applications p ON p.id = r.app" \
    " WHERE r.server = s.id AND " SQL_NOCASE("p.app") " IN " SQL_TEXTS_NOCASE("?5") "))"                     \
    " AND (CAST(?6 AS TEXT) IS NULL OR agent IN " SQL_TEXTS("?6") ")"                                        \
    " AND CASE CAST(?7 AS BIGINT) WHEN 1 THEN online <> 0 WHEN 2 THEN online = 0 WHEN 3 THEN protected <> 0" \
    " WHEN 4 THEN protected = 0 WHEN 5 THEN out_of_date <> 0 ELSE 1 = 1 END"

#define SORTED(order)                                                                                        \
    "SELECT name, environment, online, protected, agent, out_of_date, log_level, tags, last_activity,"       \
    " CASE WHEN CAST(?8 AS BIGINT) <> 0 THEN (SELECT " SQL_EITHER("json_group_array(p.app)", "json_agg(p.app ORDER BY r.app)") " FROM server_apps r JOIN applications p ON p.id = r.app" \
    " WHERE r.server = s.id) END" SERVERS " ORDER BY " order ", id LIMIT ?9 OFFSET ?10"

/* In the order of server_sort_names. */
static const char *const sorted[SERVER_SORTS] = {
    SORTED(SQL_NOCASE("name")),
    SORTED(SQL_NOCASE("name") " DESC"),
    SORTED("environment"),
    SORTED("environment DESC"),
    SORTED("last_activity"),
    SORTED("last_activity DESC"),
    SORTED("agent"),
    SORTED("agent DESC"),
};

static struct statement *ask_servers(struct sql *sql, tenon_call *call, const servers_args *args,
                                     const char *text)
{
    struct statement *statement = sql_statement(sql, text);

    sql_bind_text(statement, 1, args->keyword[0] ? args->keyword : NULL);
    sql_bind_number(statement, 2, (int64_t)args->environments.bits);
    sql_bind_number(statement, 3, (int64_t)args->log_levels.bits);
    sql_bind_text(statement, 4, appsec_json(call, &args->tags));
    sql_bind_text(statement, 5, appsec_json(call, &args->apps));
    sql_bind_text(statement, 6, appsec_json(call, &args->agents));
    sql_bind_number(statement, 7, (int)args->quick);
    return statement;
}

static server read_server(tenon_call *call, struct statement *row)
{
    return (server){ .name          = call_text(call, row, 0),
                     .environment   = (enum environment)sql_number(row, 1),
                     .online        = sql_number(row, 2) != 0,
                     .protected_    = sql_number(row, 3) != 0,
                     .agent         = call_text(call, row, 4),
                     .out_of_date   = sql_number(row, 5) != 0,
                     .log_level     = (enum log_level)sql_number(row, 6),
                     .tags          = appsec_strs(call, row, 7),
                     .last_activity = appsec_time(row, 8),
                     .apps          = appsec_strs(call, row, 9) };
}

static int64_t count_servers(struct sql *sql, tenon_call *call, const servers_args *args)
{
    struct statement *statement = ask_servers(sql, call, args, "SELECT count(*)" SERVERS);
    int64_t           count     = sql_row(sql, statement) ? sql_number(statement, 0) : 0;

    sql_reset(statement);
    return count;
}

static void explain(tenon_call *call, struct sql *sql, const servers_args *args)
{
    static const tenon_strs none;
    struct reasons          reasons = { 0, "" };
    servers_args            less    = *args;

    if (reasons_count(sql, "SELECT EXISTS (SELECT 1 FROM servers)", 0) == 0) {
        tenon_message(call, "No server is known: perhaps none was imported.");
        return;
    }
    less.keyword = "";
    reasons_add(&reasons, "keyword", count_servers(sql, call, &less));
    less              = *args;
    less.environments = (tenon_set){ 0 };
    reasons_add(&reasons, "environments", count_servers(sql, call, &less));
    less       = *args;
    less.quick = SERVER_ALL;
    reasons_add(&reasons, "quickFilter", count_servers(sql, call, &less));
    less            = *args;
    less.log_levels = (tenon_set){ 0 };
    reasons_add(&reasons, "logLevels", count_servers(sql, call, &less));
    less      = *args;
    less.tags = none;
    reasons_add(&reasons, "tags", count_servers(sql, call, &less));
    less      = *args;
    less.apps = none;
    reasons_add(&reasons, "applicationIds", count_servers(sql, call, &less));
    less        = *args;
    less.agents = none;
    reasons_add(&reasons, "agentVersions", count_servers(sql, call, &less));
    reasons_say(call, &reasons);
}

static tenon_outcome find_servers(tenon_call *call, struct sql *sql, const servers_args *args)
{
    int64_t           total     = count_servers(sql, call, args);
    server           *found     = tenon_alloc(call, (size_t)args->page.limit * sizeof *found);
    struct statement *statement = ask_servers(sql, call, args, sorted[args->sort]);
    size_t            count     = 0;

    sql_bind_number(statement, 8, args->with_apps);
    sql_bind_number(statement, 9, args->page.limit);
    sql_bind_number(statement, 10, args->page.offset);
    while (found && (int64_t)count < args->page.limit && sql_row(sql, statement))
        found[count++] = read_server(call, statement);
    vocabulary_check(sql, call, &server_tag_words, &args->tags);
    vocabulary_check(sql, call, &agent_words, &args->agents);
    if (total == 0)
        explain(call, sql, args);
    if (sql_failure(sql) != SQL_OK)
        return call_failed(call, sql);
    return tenon_ok_page(call, &args->page, server_rows, found, count, total);
}

static tenon_outcome search_servers(tenon_call *call, const servers_args *args)
{
    struct sql   *sql = appsec_reading(call);
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    outcome = find_servers(call, sql, args);
    appsec_done(call, sql);
    return outcome;
}

#define LIST_OPTIONS .comma = true, .count = { 1, 50 }, .len = { 1, 200 }

TENON_TOOL(search_servers, servers_args,
    TENON_INFO("Find the servers that applications run on.", .title = "Search servers", .hints = SEARCH_HINTS,
               .items = server_rows, .blocking = true),
    TENON_STR  (keyword,      "Part of the name.", .len = {1, 200}),
    TENON_ENUMS(environments, environment_names, "Only these environments.", .noun = "environment",
                       .count = { 1, ENVIRONMENTS }, .example = "[\"PRODUCTION\",\"QA\"]"),
    TENON_ENUM (quick,        server_quick_names, "A common choice.", .key = "quickFilter", .def = SERVER_ALL),
    TENON_ENUMS(log_levels,   log_level_names, "Only these log levels.", .key = "logLevels", .noun = "log level",
                       .count = { 1, LOG_LEVELS }, .example = "[\"ERROR\",\"WARN\"]"),
    TENON_STRS (tags,         "Only with one of these tags.", LIST_OPTIONS, .example = "[\"payments\"]"),
    TENON_STRS (apps,         "Only with one of these applications, by id.", .key = "applicationIds", LIST_OPTIONS,
                .lookup = apps_look_up, .example = "[\"shop\",\"bank-api\"]"),
    TENON_STRS (agents,       "Only these versions of the agent.", .key = "agentVersions", LIST_OPTIONS,
                .example = "[\"6.2.1\"]"),
    TENON_BOOL (with_apps,    "Also show each one's applications.", .key = "includeApplications", .def = false),
    TENON_ENUM (sort,         server_sort_names, "Property and direction.", .def = 0),
    TENON_PAGE (page));

/* ---- Routes -------------------------------------------------------------------------------------------------- */

#define ROUTES_MAX 200

typedef struct {
    const char  *app;
    route_filter filter;
} coverage_args;

typedef struct {
    bool    found;
    int64_t total, exercised;
    double  percent;
    TENON_LIST_OF(route) routes;
} coverage;

TENON_ROWS(coverage_rows, coverage,
    TENON_BOOL   (found,     "Are routes of this application known?", .required = true),
    TENON_INT    (total,     "Its routes.", .key = "totalRoutes"),
    TENON_INT    (exercised, "Of these, exercised.", .key = "exercisedRoutes"),
    TENON_NUM    (percent,   "The same in percent.", .key = "coveragePercent"),
    TENON_OBJECTS(routes,    route_rows, "Routes, those not exercised first."));

/* ?2 JSON of sessions, NULL for all. */
#define LAST_TIME                                                                                            \
    "(SELECT max(e.at) FROM exercises e WHERE e.route = r.id"                                                \
    " AND (CAST(?2 AS TEXT) IS NULL OR e.session IN " SQL_NUMBERS("?2") "))"

static bool find_routes(struct sql *sql, tenon_call *call, int64_t app, const char *sessions, coverage *out)
{
    route            *at        = tenon_alloc(call, ROUTES_MAX * sizeof *at);
    struct statement *statement = sql_statement(
        sql, "SELECT signature, last, count(*) OVER () FROM (SELECT signature, " LAST_TIME " AS last"
             " FROM routes r WHERE app = ?1) x ORDER BY last IS NOT NULL, signature");

    sql_bind_number(statement, 1, app);
    sql_bind_text(statement, 2, sessions);
    while (at && sql_row(sql, statement)) {
        route next = { NULL, !sql_is_null(statement, 1), appsec_time(statement, 1) };

        out->total = sql_number(statement, 2);
        out->exercised += next.exercised;
        if (out->routes.count < ROUTES_MAX) {
            next.signature          = call_text(call, statement, 0);
            at[out->routes.count++] = next;
        }
    }
    out->found     = out->total > 0;
    out->percent   = out->found ? floor(1000 * (double)out->exercised / (double)out->total) / 10 : 0;
    out->routes.at = at;
    return sql_failure(sql) == SQL_OK;
}

static bool choose_sessions(struct sql *sql, tenon_call *call, int64_t app, const route_filter *filter,
                            const char **ids)
{
    *ids = NULL;
    if (filter->latest)
        return sessions_latest(sql, call, app, ids);
    if (filter->name[0] == '\0')
        return true;
    return sessions_with(sql, call, app, appsec_choice(call, filter->name, filter->value), ids);
}

static void say_no_session(tenon_call *call, struct sql *sql, int64_t app, const route_filter *filter)
{
    tenon_message(call, "No session matches, so that no route counts as exercised.");
    if (!filter->latest && app != APP_NONE)
        vocabulary_metadata(sql, call, app, appsec_choice(call, filter->name, filter->value));
}

static tenon_outcome get_route_coverage(tenon_call *call, const coverage_args *args)
{
    struct sql   *sql    = appsec_reading(call);
    coverage      result = { .found = false };
    const char   *sessions;
    int64_t       app;
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (!apps_find(sql, call, args->app, &app) ||
        !choose_sessions(sql, call, app, &args->filter, &sessions) ||
        !find_routes(sql, call, app, sessions, &result)) {
        outcome = call_failed(call, sql);
    } else {
        if (!result.found && app != APP_NONE)
            tenon_message(call, "No route of this application is known.");
        else if (sessions && strcmp(sessions, "[]") == 0)
            say_no_session(call, sql, app, &args->filter);
        if (result.total > ROUTES_MAX)
            tenon_message(call, "Only the first %d routes are shown.", ROUTES_MAX);
        outcome = sql_failure(sql) == SQL_OK ? tenon_ok_data(call, coverage_rows, &result)
                                             : call_failed(call, sql);
    }
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(get_route_coverage, coverage_args,
    TENON_INFO("Show which routes of an application were exercised, by all sessions or by some.",
               .title = "Route coverage", .hints = SEARCH_HINTS, .result = coverage_rows, .blocking = true),
    APP_ID_OR_NONE(app),
    TENON_GROUP(filter, route_filter_rows));
