/* reasons.c - why nothing matched, as far as it can be known: which single condition leaves everything out. */
#include "appsec/reasons.h"

#include <stdio.h>

void reasons_add(struct reasons *reasons, const char *condition, int64_t count)
{
    size_t room = sizeof reasons->text - reasons->len;
    int    len;

    if (count <= 0)
        return;
    len = snprintf(reasons->text + reasons->len, room,
                   reasons->len == 0 ? "Without %s %lld would match" : ", without %s %lld", condition,
                   (long long)count);
    if (len > 0 && (size_t)len < room)
        reasons->len += (size_t)len;
    else
        reasons->text[reasons->len] = '\0'; /* the rest is left out */
}

void reasons_say(tenon_call *call, const struct reasons *reasons)
{
    if (reasons->len > 0)
        tenon_message(call, "%s.", reasons->text);
}

int64_t reasons_count(struct sql *sql, const char *text, int64_t app)
{
    struct statement *statement = sql_statement(sql, text);
    int64_t           count;

    sql_bind_number(statement, 1, app);
    count = sql_row(sql, statement) ? sql_number(statement, 0) : 0;
    sql_reset(statement);
    return count;
}

/* ---- Vulnerabilities ----------------------------------------------------------------------------------------------- */

#define ALL_STATUSES ((1u << STATUSES) - 1)

static const tenon_strs no_names;

/* How many there would be without one condition; 0 when it was not made. */
static void try_without(struct reasons *reasons, struct sql *sql, tenon_call *call,
                        const struct finding_query *query, const char *condition, bool made)
{
    if (made)
        reasons_add(reasons, condition, findings_count(sql, call, query));
}

static void try_filters(struct reasons *reasons, struct sql *sql, tenon_call *call,
                        const struct finding_query *asked)
{
    const finding_filter *filter = asked->filter;
    finding_filter        less   = *filter;
    struct finding_query  query  = *asked;

    query.filter  = &less;
    less.statuses = (tenon_set){ ALL_STATUSES };
    try_without(reasons, sql, call, &query, "statuses", filter->statuses.bits != ALL_STATUSES);
    less            = *filter;
    less.severities = (tenon_set){ 0 };
    try_without(reasons, sql, call, &query, "severities", filter->severities.bits != 0);
    less              = *filter;
    less.environments = (tenon_set){ 0 };
    try_without(reasons, sql, call, &query, "environments", filter->environments.bits != 0);
    less      = *filter;
    less.tags = no_names;
    try_without(reasons, sql, call, &query, "vulnTags", filter->tags.count > 0);
    less      = *filter;
    less.seen = (seen_range){ { 0, false }, { 0, false } };
    try_without(reasons, sql, call, &query, "the dates", filter->seen.after.set || filter->seen.before.set);
}

void reasons_findings(struct sql *sql, tenon_call *call, const struct finding_query *asked)
{
    struct reasons       reasons = { 0, "" };
    struct finding_query query   = *asked;

    if (reasons_count(sql, "SELECT EXISTS (SELECT 1 FROM findings WHERE CAST(?1 AS BIGINT) = 0 OR app = ?1)",
                      asked->app) == 0) {
        tenon_message(call, asked->app
                                ? "No vulnerability of this application is known: no report of it has one."
                                : "No vulnerability is known: no report with one was imported.");
        return;
    }
    try_filters(&reasons, sql, call, asked);
    query.types = NULL;
    try_without(&reasons, sql, call, &query, "vulnTypes", asked->types != NULL);
    query          = *asked;
    query.sessions = NULL;
    try_without(&reasons, sql, call, &query, "the condition on sessions", asked->sessions != NULL);
    reasons_say(call, &reasons);
}

void reasons_searched(struct sql *sql, tenon_call *call)
{
    int64_t apps = reasons_count(sql, "SELECT count(*) FROM applications", 0);

    tenon_fact(call, "Searched %lld application%s", (long long)apps, apps == 1 ? "" : "s");
}
