/* tools_attacks.c - attacks. */
#include "appsec/appsec.h"
#include "appsec/attack_filter.h"
#include "appsec/reasons.h"

typedef struct {
    attack_filter filter;
    tenon_page    page;
} attacks_args;

#define JOINED " FROM attacks k JOIN applications a ON a.id = k.app JOIN types t ON t.id = k.type"

/* ?1 statuses, 0 for all; ?2 a word; ?3 JSON of types; ?4 to ?6 what to include; ?7 and ?8 the time; ?9 the quick filter. */
#define ASKED                                                                                                \
    " WHERE (CAST(?1 AS BIGINT) = 0 OR " SQL_HAS_BIT("?1", "k.status") ") AND (CAST(?2 AS TEXT) IS NULL OR "     \
    SQL_HAS_PART("k.source", "?2") " OR " SQL_HAS_PART("t.name", "?2") " OR " SQL_HAS_PART("a.name", "?2")   \
    " OR " SQL_HAS_PART("a.app", "?2") ") AND (CAST(?3 AS TEXT) IS NULL OR k.type IN " SQL_NUMBERS("?3") ")"  \
    " AND (CAST(?4 AS BIGINT) <> 0 OR k.suppressed = 0) AND (CAST(?5 AS BIGINT) <> 0 OR k.bot_blocker = 0)"  \
    " AND (CAST(?6 AS BIGINT) <> 0 OR k.ip_blacklist = 0) AND k.end >= ?7 AND k.start <= ?8"                 \
    " AND CASE CAST(?9 AS BIGINT) WHEN 1 THEN k.active <> 0 WHEN 2 THEN k.automated = 0"                     \
    " WHEN 3 THEN k.automated <> 0 WHEN 4 THEN k.environment = 2 WHEN 5 THEN k.status IN (0, 1) ELSE 1 = 1 END"

#define SORTED(order)                                                                                        \
    "SELECT k.id, a.app, t.name, k.source, k.status, k.environment, k.automated, k.suppressed, k.events, k.start, k.end" \
    JOINED ASKED " ORDER BY " order ", k.id LIMIT ?10 OFFSET ?11"

/* In the order of attack_sort_names. */
static const char *const sorted[ATTACK_SORTS] = {
    SORTED("k.source"),
    SORTED("k.source DESC"),
    SORTED("k.status"),
    SORTED("k.status DESC"),
    SORTED("k.start"),
    SORTED("k.start DESC"),
    SORTED("k.end"),
    SORTED("k.end DESC"),
    SORTED(SQL_NOCASE("t.name")),
    SORTED(SQL_NOCASE("t.name") " DESC"),
};

static struct statement *ask(struct sql *sql, const attack_filter *filter, const char *types, bool suppressed,
                             const char *text)
{
    struct statement *statement = sql_statement(sql, text);

    sql_bind_number(statement, 1, (int64_t)filter->statuses.bits);
    sql_bind_text(statement, 2, filter->keyword[0] ? filter->keyword : NULL);
    sql_bind_text(statement, 3, types);
    sql_bind_number(statement, 4, suppressed);
    sql_bind_number(statement, 5, filter->bot_blockers);
    sql_bind_number(statement, 6, filter->ip_blacklist);
    sql_bind_number(statement, 7, filter->time.start.set ? filter->time.start.ms : INT64_MIN);
    sql_bind_number(statement, 8, filter->time.end.set ? filter->time.end.ms : INT64_MAX);
    sql_bind_number(statement, 9, (int)filter->quick);
    return statement;
}

static int64_t count_attacks(struct sql *sql, const attack_filter *filter, const char *types, bool suppressed)
{
    struct statement *statement = ask(sql, filter, types, suppressed, "SELECT count(*)" JOINED ASKED);
    int64_t           count     = sql_row(sql, statement) ? sql_number(statement, 0) : 0;

    sql_reset(statement);
    return count;
}

static attack read_attack(tenon_call *call, struct statement *row)
{
    return (attack){ .id          = sql_number(row, 0),
                     .app         = call_text(call, row, 1),
                     .type        = call_text(call, row, 2),
                     .source      = call_text(call, row, 3),
                     .status      = (enum attack_status)sql_number(row, 4),
                     .environment = (enum environment)sql_number(row, 5),
                     .automated   = sql_number(row, 6) != 0,
                     .suppressed  = sql_number(row, 7) != 0,
                     .events      = sql_number(row, 8),
                     .start       = appsec_time(row, 9),
                     .end         = appsec_time(row, 10) };
}

static void explain(tenon_call *call, struct sql *sql, const attack_filter *filter, const char *types)
{
    struct reasons reasons = { 0, "" };
    attack_filter  less    = *filter;

    if (reasons_count(sql, "SELECT EXISTS (SELECT 1 FROM attacks)", 0) == 0) {
        tenon_message(call, "Perhaps no agent reports attacks.");
        return;
    }
    less.statuses.bits = 0;
    reasons_add(&reasons, "statusFilter", count_attacks(sql, &less, types, filter->suppressed));
    less         = *filter;
    less.keyword = "";
    reasons_add(&reasons, "keyword", count_attacks(sql, &less, types, filter->suppressed));
    reasons_add(&reasons, "rules", count_attacks(sql, filter, NULL, filter->suppressed));
    less            = *filter;
    less.time.start = less.time.end = (tenon_time){ 0, false };
    reasons_add(&reasons, "the dates", count_attacks(sql, &less, types, filter->suppressed));
    less       = *filter;
    less.quick = ATTACK_ALL;
    reasons_add(&reasons, "quickFilter", count_attacks(sql, &less, types, filter->suppressed));
    reasons_say(call, &reasons);
}

static tenon_outcome find_attacks(tenon_call *call, struct sql *sql, const attacks_args *args,
                                  const char *types)
{
    const attack_filter *filter    = &args->filter;
    int64_t              total     = count_attacks(sql, filter, types, filter->suppressed);
    int64_t              hidden    = filter->suppressed ? 0 : count_attacks(sql, filter, types, true) - total;
    attack              *found     = tenon_alloc(call, (size_t)args->page.limit * sizeof *found);
    struct statement    *statement = ask(sql, filter, types, filter->suppressed, sorted[filter->sort]);
    size_t               count     = 0;

    sql_bind_number(statement, 10, args->page.limit);
    sql_bind_number(statement, 11, args->page.offset);
    while (found && (int64_t)count < args->page.limit && sql_row(sql, statement))
        found[count++] = read_attack(call, statement);
    if (sql_failure(sql) != SQL_OK)
        return call_failed(call, sql);
    if (hidden > 0)
        tenon_message(call,
                      "%lld suppressed attacks are left out (default). To see them, set includeSuppressed.",
                      (long long)hidden);
    if (total == 0)
        explain(call, sql, filter, types);
    if (sql_failure(sql) != SQL_OK)
        return call_failed(call, sql);
    return tenon_ok_page(call, &args->page, attack_rows, found, count, total);
}

static tenon_outcome search_attacks(tenon_call *call, const attacks_args *args)
{
    struct sql   *sql = appsec_reading(call);
    const char   *types;
    tenon_outcome outcome;

    if (!sql)
        return call_failed(call, NULL);
    if (types_number(sql, call, &args->filter.rules, &types))
        outcome = find_attacks(call, sql, args, types);
    else
        outcome = call_failed(call, sql);
    appsec_done(call, sql);
    return outcome;
}

TENON_TOOL(search_attacks, attacks_args,
    TENON_INFO("Find attacks on applications, the latest first unless sorted otherwise. The dates are those between "
               "which an attack went on.", .title = "Search attacks", .hints = SEARCH_HINTS, .items = attack_rows,
               .blocking = true),
    TENON_GROUP(filter, attack_filter_rows),
    TENON_PAGE (page));
