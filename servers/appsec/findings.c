/* findings.c - vulnerabilities in the database.
 *
 * A page is found severity by severity: the count of each says whether the page begins in it, and where. Within one the page
 * is reached from the nearer end, so that the last page costs what the first does.
 */
#include "appsec/appsec.h"

/* What is asked of a finding, by the columns of the indexes. ?1 statuses and ?2 environments are sets, ?3 to ?5 JSON or
 * NULL, ?6 and ?7 the range of time; ?8 the application, 0 for all. */
#define ASKED                                                                                                \
    " " SQL_HAS_BIT("?1", "status") " AND (CAST(?2 AS BIGINT) = 0 OR (environments & ?2) <> 0)"              \
    " AND (CAST(?3 AS TEXT) IS NULL OR type IN " SQL_NUMBERS("?3") ")"
#define ASKED_MORE                                                                                           \
    " AND (CAST(?4 AS TEXT) IS NULL OR id IN (SELECT finding FROM finding_tags WHERE " SQL_NOCASE("tag") " IN " \
    SQL_TEXTS_NOCASE("?4") ")) AND (CAST(?5 AS TEXT) IS NULL OR session IN " SQL_NUMBERS("?5") ")"           \
    " AND last_seen BETWEEN ?6 AND ?7"

/* Of one severity, ?9; ?10 most of them, after ?11. */
#define PAGE_OF(index, app, order)                                                                           \
    "SELECT " FINDING_COLUMNS " FROM (SELECT id AS found FROM findings" SQL_EITHER(" INDEXED BY " index, "") " WHERE " app                \
    " severity = ?9 AND" ASKED ASKED_MORE " ORDER BY " order " LIMIT ?10 OFFSET ?11) p"                        \
    " CROSS JOIN" FINDING_TABLES " WHERE f.id = found ORDER BY f.last_seen DESC, f.id"

/* [of one application][from the end] */
static const char *const pages[2][2] = {
    { PAGE_OF("findings_order", "", "last_seen DESC, id"),
      PAGE_OF("findings_order", "", "last_seen, id DESC") },
    { PAGE_OF("findings_of_app", "app = ?8 AND", "last_seen DESC, id"),
      PAGE_OF("findings_of_app", "app = ?8 AND", "last_seen, id DESC") },
};

/* [of one application]: of one severity, ?9, by what tallies know and by more. */
static const char *const tallied[2] = {
    "SELECT sum(number) FROM tallies WHERE severity = ?9 AND" ASKED,
    "SELECT sum(number) FROM tallies WHERE app = ?8 AND severity = ?9 AND" ASKED,
};
static const char *const counted_out[2] = {
    "SELECT count(*) FROM findings" SQL_EITHER(" INDEXED BY findings_order",
                                               "") " WHERE severity = ?9 AND" ASKED              ASKED_MORE,
    "SELECT count(*) FROM findings" SQL_EITHER(" INDEXED BY findings_of_app",
                                               "") " WHERE app = ?8 AND severity = ?9 AND" ASKED ASKED_MORE,
};

finding findings_read(tenon_call *call, struct statement *row)
{
    return (finding){
        .id           = sql_number(row, 0),
        .app          = call_text(call, row, 1),
        .app_name     = call_text(call, row, 2),
        .title        = call_text(call, row, 3),
        .type         = call_text(call, row, 4),
        .severity     = (enum severity)sql_number(row, 5),
        .status       = (enum status)sql_number(row, 6),
        .environments = { (uint64_t)sql_number(row, 7) },
        .place        = call_text(call, row, 8),
        .first_seen   = appsec_time(row, 9),
        .last_seen    = appsec_time(row, 10),
    };
}

static void bind_query(struct statement *statement, tenon_call *call, const struct finding_query *query)
{
    const finding_filter *filter = query->filter;
    const seen_range     *seen   = &filter->seen;

    sql_bind_number(statement, 1, (int64_t)filter->statuses.bits);
    sql_bind_number(statement, 2, (int64_t)filter->environments.bits);
    sql_bind_text(statement, 3, query->types);
    sql_bind_text(statement, 4, appsec_json(call, &filter->tags));
    sql_bind_text(statement, 5, query->sessions);
    sql_bind_number(statement, 6, seen->after.set ? seen->after.ms : INT64_MIN);
    sql_bind_number(statement, 7, seen->before.set ? seen->before.ms : INT64_MAX);
    sql_bind_number(statement, 8, query->app);
}

/* How many there are of a severity. */
static int64_t count_findings(struct sql *sql, tenon_call *call, const struct finding_query *query,
                              int severity)
{
    const finding_filter *filter = query->filter;
    bool                  more   = filter->tags.count > 0 || query->sessions || filter->seen.after.set ||
                filter->seen.before.set;
    struct statement *statement = sql_statement(sql, (more ? counted_out : tallied)[query->app != 0]);
    int64_t           number;

    if (filter->severities.bits != 0 && !tenon_set_has(filter->severities, severity))
        return 0;
    bind_query(statement, call, query);
    sql_bind_number(statement, 9, severity);
    number = sql_row(sql, statement) ? sql_number(statement, 0) : 0;
    sql_reset(statement);
    return number;
}

/* Reads `limit` findings of one severity after the first `offset` of its `number`. */
static size_t read_some(struct sql *sql, tenon_call *call, const struct finding_query *query, int severity,
                        int64_t number, int64_t offset, int64_t limit, finding *out)
{
    bool              from_end  = offset > number - offset - limit;
    struct statement *statement = sql_statement(sql, pages[query->app != 0][from_end]);
    size_t            count     = 0;

    bind_query(statement, call, query);
    sql_bind_number(statement, 9, severity);
    sql_bind_number(statement, 10, limit);
    sql_bind_number(statement, 11, from_end ? number - offset - limit : offset);
    while ((int64_t)count < limit && sql_row(sql, statement))
        out[count++] = findings_read(call, statement);
    sql_reset(statement);
    return count;
}

int64_t findings_count(struct sql *sql, tenon_call *call, const struct finding_query *query)
{
    int64_t total = 0;

    for (int severity = 0; severity < SEVERITIES; severity++)
        total += count_findings(sql, call, query, severity);
    return sql_failure(sql) == SQL_OK ? total : -1;
}

bool findings_find(struct sql *sql, tenon_call *call, const struct finding_query *query,
                   const tenon_page *page, finding **out, size_t *count, int64_t *total)
{
    int64_t offset = page->offset;

    *total = 0;
    *count = 0;
    *out   = tenon_alloc(call, (size_t)page->limit * sizeof **out);
    for (int severity = 0; *out && severity < SEVERITIES; severity++) {
        int64_t number = count_findings(sql, call, query, severity), room = page->limit - (int64_t)*count;
        int64_t there = number - offset < room ? number - offset : room;

        *total += number;
        if (there > 0)
            *count += read_some(sql, call, query, severity, number, offset, there, *out + *count);
        offset = offset > number ? offset - number : 0;
    }
    return sql_failure(sql) == SQL_OK;
}

/* ---- Sessions ------------------------------------------------------------------------------------------------------ */

bool sessions_latest(struct sql *sql, tenon_call *call, int64_t app, const char **ids)
{
    struct statement *statement = sql_statement(
        sql, "SELECT id FROM sessions WHERE app = ?1 ORDER BY started DESC, id DESC LIMIT 1");

    sql_bind_number(statement, 1, app);
    *ids = sql_row(sql, statement) ? tenon_format(call, "[%lld]", (long long)sql_number(statement, 0)) : "[]";
    sql_reset(statement);
    return sql_failure(sql) == SQL_OK;
}

bool sessions_with(struct sql *sql, tenon_call *call, int64_t app, const char *choices, const char **ids)
{
    struct statement *statement = sql_statement(
        sql,
        "SELECT " SQL_EITHER("json_group_array(id)",
                             "CAST(coalesce(json_agg(id), '[]') AS TEXT)") " FROM sessions WHERE app = ?1 "
                                                                           "AND " HAS_METADATA("metadata",
                                                                                               "?2"));

    sql_bind_number(statement, 1, app);
    sql_bind_text(statement, 2, choices);
    *ids = sql_row(sql, statement) ? call_text(call, statement, 0) : NULL;
    if (!*ids) /* an aggregate has a row, and a list is not empty text: it is memory that is missing */
        call_run_out(call);
    sql_reset(statement);
    return *ids && sql_failure(sql) == SQL_OK;
}
