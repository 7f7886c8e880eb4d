/* tools_findings.c - searching, showing and changing vulnerabilities. */
#include <time.h>

#include "appsec/appsec.h"
#include "appsec/reasons.h"
#include "appsec/vocabulary.h"

/* ---- Searching ----------------------------------------------------------------------------------------------- */

/* Tags and dates are asked of each vulnerability; of the rest, counts are kept. */
static bool is_looked_through(const finding_filter *filter)
{
    return filter->tags.count > 0 || filter->seen.after.set || filter->seen.before.set;
}

static tenon_outcome answer_page(tenon_call *call, struct sql *sql, const struct finding_query *query,
                                 const tenon_page *page)
{
    finding *found;
    size_t   count;
    int64_t  total;

    if (!findings_find(sql, call, query, page, &found, &count, &total))
        return call_failed(call, sql);
    vocabulary_check(sql, call, &finding_tag_words, &query->filter->tags);
    if (total == 0)
        reasons_findings(sql, call, query);
    if (query->app == 0 && (total == 0 || is_looked_through(query->filter)))
        reasons_searched(sql, call);
    if (sql_failure(sql) != SQL_OK)
        return call_failed(call, sql);
    return tenon_ok_page(call, page, finding_rows, found, count, total);
}

typedef struct {
    const char    *app;
    finding_filter filter;
    tenon_page     page;
} search_args;

static bool find_names(struct sql *sql, tenon_call *call, const char *app, const finding_filter *filter,
                       struct finding_query *query)
{
    return (app[0] == '\0' || apps_find(sql, call, app, &query->app)) &&
           types_number(sql, call, &filter->types, &query->types);
}

static tenon_outcome search_vulnerabilities(tenon_call *call, const search_args *args)
{
    struct finding_query query = { .filter = &args->filter };
    struct sql          *sql   = appsec_reading(call);
    tenon_outcome        outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (find_names(sql, call, args->app, &args->filter, &query))
        outcome = answer_page(call, sql, &query, &args->page);
    else
        outcome = call_failed(call, sql);
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(search_vulnerabilities, search_args,
    TENON_INFO("Find vulnerabilities of all applications, the most severe first. Conditions are met all together; "
               "of a list, one value is enough.", .title = "Search vulnerabilities", .hints = SEARCH_HINTS,
               .items = finding_rows, .blocking = true),
    TENON_STR  (app,    "Only this application; search_app_vulnerabilities also asks for its sessions.", .key = "appId",
                .len = {1, 200}, .lookup = app_look_up),
    TENON_GROUP(filter, finding_filter_rows),
    TENON_PAGE (page));

typedef struct {
    const char    *app;
    finding_filter filter;
    tenon_map      metadata;
    bool           latest;
    tenon_page     page;
} app_search_args;

static bool choose_sessions(struct sql *sql, tenon_call *call, const app_search_args *args,
                            struct finding_query *query)
{
    const char *choices = appsec_choices(call, &args->metadata);

    if (args->latest) {
        if (!sessions_latest(sql, call, query->app, &query->sessions))
            return false;
    } else if (choices && !sessions_with(sql, call, query->app, choices, &query->sessions)) {
        return false;
    }
    if (!query->sessions || strcmp(query->sessions, "[]") != 0)
        return true;
    if (args->latest)
        tenon_message(call, "No session of this application is recorded.");
    else
        vocabulary_metadata(sql, call, query->app, choices);
    return sql_failure(sql) == SQL_OK;
}

static tenon_outcome search_app_vulnerabilities(tenon_call *call, const app_search_args *args)
{
    struct finding_query query = { .filter = &args->filter };
    struct sql          *sql   = appsec_reading(call);
    tenon_outcome        outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (find_names(sql, call, args->app, &args->filter, &query) && choose_sessions(sql, call, args, &query))
        outcome = answer_page(call, sql, &query, &args->page);
    else
        outcome = call_failed(call, sql);
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(search_app_vulnerabilities, app_search_args,
    TENON_INFO("Find vulnerabilities of one application, the most severe first; also only those that certain "
               "sessions saw last.", .title = "Search an application's vulnerabilities", .hints = SEARCH_HINTS,
               .items = finding_rows, .blocking = true),
    APP_ID(app),
    TENON_GROUP    (filter,   finding_filter_rows),
    METADATA_FILTER(metadata, "sessionMetadataFilters",
                    "Only sessions that have all of these; commas separate the values of which one is enough."),
    TENON_BOOL     (latest,   "Only the latest session.", .key = "useLatestSession"),
    TENON_PAGE     (page),
    TENON_EXCLUSIVE(metadata, latest));

/* ---- One ----------------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t     id;
    const char *app;
} get_args;

typedef struct {
    bool                   found;
    const finding_details *finding;
} get_result;

TENON_ROWS(get_rows, get_result,
    TENON_BOOL  (found,   "Is there such a vulnerability?", .required = true),
    TENON_OBJECT(finding, finding_details_rows, "All that is known about it.", .key = "vulnerability"));

static tenon_outcome get_vulnerability(tenon_call *call, const get_args *args)
{
    struct sql     *sql = appsec_reading(call);
    finding_details details;
    get_result      result = { false, &details };
    int64_t         app    = 0;
    tenon_outcome   outcome;

    if (!sql)
        return call_failed(call, NULL);
    if ((args->app[0] && !apps_find(sql, call, args->app, &app)) ||
        !findings_get(sql, call, args->id, app, &details, &result.found)) {
        outcome = call_failed(call, sql);
    } else {
        if (!result.found) {
            result.finding = NULL;
            tenon_message(call, "There is no vulnerability %lld%s%s. Search for it.", (long long)args->id,
                          args->app[0] ? " in " : "", tenon_echo(call, args->app));
        }
        outcome = tenon_ok_data(call, get_rows, &result);
    }
    appsec_done(call, sql);
    return outcome;
}

#define VULN_ID(f) \
    TENON_INT(f, "Its number, from a search.", .key = "vulnId", .required = true, .range = { 1, TENON_NO_MAX })

TENON_TOOL(get_vulnerability, get_args,
    TENON_INFO("Show one vulnerability with its tags, session and changes of status.", .title = "Get a vulnerability",
               .hints = SEARCH_HINTS, .result = get_rows, .blocking = true),
    VULN_ID(id),
    TENON_STR(app, "Only if it is of this application.", .key = "appId", .len = {1, 200}));

/* ---- Types --------------------------------------------------------------------------------------------------- */

typedef struct {
    tenon_strs types;
} types_result;

TENON_ROWS(types_rows, types_result, TENON_STRS(types, "Names, as vulnTypes and rules take them."));

static tenon_outcome list_vulnerability_types(tenon_call *call)
{
    struct sql       *sql = appsec_reading(call);
    struct statement *statement;
    types_result      result = { { 0, NULL } };
    tenon_outcome     outcome;

    if (!sql)
        return call_failed(call, NULL);
    statement = sql_statement(
        sql, "SELECT " SQL_EITHER("json_group_array(name) FROM (SELECT name FROM types ORDER BY name)",
                                  "json_agg(name ORDER BY lower(name)) FROM types"));
    if (sql_row(sql, statement))
        result.types = appsec_strs(call, statement, 0);
    outcome = sql_failure(sql) == SQL_OK ? tenon_ok_data(call, types_rows, &result) : call_failed(call, sql);
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL0(list_vulnerability_types,
            TENON_INFO("List the types of vulnerabilities and attacks that there are.",
                       .title = "Vulnerability types", .hints = SEARCH_HINTS, .result = types_rows,
                       .blocking = true));

/* ---- Changing the status --------------------------------------------------------------------------------------- */

typedef struct {
    int64_t     id;
    enum status status, expected;
    const char *note;
} update_args;

static const char *say_why(tenon_check *check, const void *value)
{
    const update_args *args = value;

    tenon_check_at(check, &args->note);
    return args->status == NOT_A_PROBLEM && args->note[0] == '\0'
               ? "note is required with status NotAProblem: say why it is not a problem"
               : NULL;
}

static tenon_outcome conflict(tenon_call *call, enum status now, enum status expected)
{
    tenon_detail(call, "status", "%s", status_names[now]);
    return tenon_fail(call, TENON_CODE_CONFLICT,
                      "Its status is %s, not %s: it was changed. Look at it again first.", status_names[now],
                      status_names[expected]);
}

/* The status is seen and changed in one transaction. */
static tenon_outcome update(tenon_call *call, struct sql *sql, const void *wanted)
{
    const update_args *args = wanted;
    finding_details    details;
    bool               found;
    change made = { .to = args->status, .note = args->note, .at = { (int64_t)time(NULL) * 1000, true } };

    if (!findings_lock(sql, args->id) || !findings_get(sql, call, args->id, 0, &details, &found))
        return call_failed(call, sql);
    if (!found) {
        tenon_detail_int(call, "vulnId", args->id);
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no vulnerability %lld. Search for it.",
                          (long long)args->id);
    }
    made.from = details.finding.status;
    if (tenon_presence_of(call, &args->expected) == TENON_GIVEN && args->expected != made.from)
        return conflict(call, made.from, args->expected);
    if (made.from == made.to)
        tenon_message(call, "Its status is %s already; nothing was changed.", status_names[made.to]);
    else if (!findings_change(sql, args->id, &made) ||
             !findings_get(sql, call, args->id, 0, &details, &found))
        return call_failed(call, sql);
    return sql_end(sql) ? tenon_ok_data(call, finding_details_rows, &details) : call_failed(call, sql);
}

static tenon_outcome update_vulnerability_status(tenon_call *call, const update_args *args)
{
    return call_transact(call, appsec_of(call)->pool, update, args);
}

TENON_TOOL(update_vulnerability_status, update_args,
    TENON_INFO("Change the status of a vulnerability. The change is kept with its time and note.",
               .title = "Update a status",
               .hints = TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_DESTRUCTIVE | TENON_OPEN_WORLD),
               .result = finding_details_rows, .blocking = true),
    VULN_ID(id),
    TENON_ENUM(status,   status_names, "The new status.", .required = true),
    TENON_ENUM(expected, status_names, "Change it only if the status is this one now.", .key = "expectedStatus"),
    TENON_STR (note,     "Why; needed for NotAProblem.", .len = {1, 2000}),
    TENON_CHECK(say_why));
