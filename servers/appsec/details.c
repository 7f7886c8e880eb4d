/* details.c - one vulnerability with all that is known about it, and changes of its status. */
#include "appsec/appsec.h"

static void read_changes(struct sql *sql, tenon_call *call, int64_t id, finding_details *out)
{
    enum { MOST = 20 };
    change           *at        = tenon_alloc(call, MOST * sizeof *at);
    size_t            count     = 0;
    struct statement *statement = sql_statement(
        sql,
        "SELECT from_status, to_status, note, at FROM changes WHERE finding = ?1 ORDER BY id DESC LIMIT 20");

    sql_bind_number(statement, 1, id);
    while (at && count < MOST && sql_row(sql, statement))
        at[count++] = (change){ (enum status)sql_number(statement, 0), (enum status)sql_number(statement, 1),
                                call_text(call, statement, 2), appsec_time(statement, 3) };
    sql_reset(statement);
    out->changes.at    = at;
    out->changes.count = count;
}

/* Columns after those of a finding. */
enum {
    TAGS = FINDING_COLUMN_COUNT,
    SESSION,
    TOOL,
    SNIPPET,
    FLOW,
    RULE_NAME,
    RULE_DESCRIPTION,
    RULE_HELP,
    CWES
};

#define ONE                                                                                                  \
    "SELECT " FINDING_COLUMNS ", (SELECT " SQL_EITHER("json_group_array(tag)", "json_agg(tag ORDER BY lower(tag))") " FROM finding_tags WHERE finding = f.id),"     \
    " (SELECT metadata FROM sessions WHERE id = f.session), o.name, e.snippet, e.flow, u.name, u.description, u.help," \
    " (SELECT " SQL_EITHER("json_group_array(tag)", "json_agg(tag ORDER BY lower(tag))") " FROM finding_tags WHERE finding = f.id AND " \
    SQL_EITHER("tag GLOB 'CWE-[0-9]*' AND tag = cwe(tag, NULL)", "tag ~ '^CWE-(0|[1-9][0-9]{0,4})$'") ")" \
    " FROM" FINDING_TABLES " LEFT JOIN sources o ON o.id = f.source LEFT JOIN evidence e ON e.finding = f.id"  \
    " LEFT JOIN rules u ON u.source = f.source AND u.type = f.type WHERE f.id = ?1 AND (CAST(?2 AS BIGINT) = 0 OR f.app = ?2)"

static const rule *read_rule(tenon_call *call, struct statement *row)
{
    rule *out = sql_is_null(row, RULE_NAME) ? NULL : tenon_alloc(call, sizeof *out);

    if (out)
        *out = (rule){ call_text(call, row, RULE_NAME), call_text(call, row, RULE_DESCRIPTION),
                       call_text(call, row, RULE_HELP) };
    return out;
}

/* A text of a step; NULL when it is empty. */
static const char *step_text(tenon_call *call, const tenon_json *step, const char *name)
{
    const tenon_json *value = tenon_json_get(step, name);
    const char       *text = tenon_json_type_of(value) == TENON_JSON_STRING ? tenon_json_str(value).at : NULL;

    return text && text[0] ? tenon_format(call, "%s", text) : NULL;
}

static void read_flow(tenon_call *call, const tenon_json *steps, finding_details *out)
{
    flow_step        *at    = steps ? tenon_alloc(call, (FLOW_STEPS_MAX + 1) * sizeof *at) : NULL;
    size_t            count = 0;
    const tenon_json *step;

    for (size_t place = 0; at && count <= FLOW_STEPS_MAX && (step = tenon_json_next(steps, &place, NULL));)
        at[count++] = (flow_step){ step_text(call, step, "location"), step_text(call, step, "message") };
    if (count > FLOW_STEPS_MAX)
        tenon_message(call, "Only the first %d steps of the code flow are kept.", FLOW_STEPS_MAX);
    out->flow.at    = at;
    out->flow.count = count > FLOW_STEPS_MAX ? FLOW_STEPS_MAX : count;
}

bool findings_get(struct sql *sql, tenon_call *call, int64_t id, int64_t app, finding_details *out,
                  bool *found)
{
    struct statement *statement = sql_statement(sql, ONE);

    sql_bind_number(statement, 1, id);
    sql_bind_number(statement, 2, app);
    *found = sql_row(sql, statement);
    if (*found) {
        *out = (finding_details){ .finding = findings_read(call, statement),
                                  .tags    = appsec_strs(call, statement, TAGS),
                                  .session = appsec_map(call, statement, SESSION),
                                  .tool    = call_text(call, statement, TOOL),
                                  .snippet = call_text(call, statement, SNIPPET),
                                  .rule    = read_rule(call, statement),
                                  .cwes    = appsec_strs(call, statement, CWES) };
        read_flow(call, call_json(call, statement, FLOW), out);
        sql_reset(statement);
        read_changes(sql, call, id, out);
    }
    return sql_failure(sql) == SQL_OK;
}

bool findings_lock(struct sql *sql, int64_t id)
{
    struct statement *statement = sql_statement(sql, "SELECT id FROM findings WHERE id = ?1" SQL_LOCK);

    sql_bind_number(statement, 1, id);
    return sql_run(sql, statement);
}

/* In SQLite the triggers of tallies do it. */
#define TALLY     "severity, app, status, type, environments"
#define TALLY_OUT "UPDATE tallies SET number = number - 1 WHERE (" TALLY ") = (SELECT " TALLY " FROM findings WHERE id = ?1)"
#define TALLY_IN                                                                                             \
    "INSERT INTO tallies (" TALLY ", number) SELECT " TALLY ", 1 FROM findings WHERE id = ?1 ON CONFLICT (" TALLY ")" \
    " DO UPDATE SET number = tallies.number + 1"

static bool tally(struct sql *sql, const char *text, int64_t id)
{
    struct statement *statement = sql_statement(sql, text);

    sql_bind_number(statement, 1, id);
    return sql_run(sql, statement);
}

bool findings_change(struct sql *sql, int64_t id, const change *made)
{
    struct statement *statement;

    if (!tally(sql, SQL_EITHER("SELECT ?1", TALLY_OUT), id))
        return false;
    statement = sql_statement(sql, "UPDATE findings SET status = ?2 WHERE id = ?1");
    sql_bind_number(statement, 1, id);
    sql_bind_number(statement, 2, (int)made->to);
    if (!sql_run(sql, statement) || !tally(sql, SQL_EITHER("SELECT ?1", TALLY_IN), id))
        return false;
    statement = sql_statement(sql, "INSERT INTO changes (finding, from_status, to_status, note, at) VALUES"
                                   " (?1, ?2, ?3, ?4, ?5)");
    sql_bind_number(statement, 1, id);
    sql_bind_number(statement, 2, (int)made->from);
    sql_bind_number(statement, 3, (int)made->to);
    sql_bind_text(statement, 4, made->note ? made->note : "");
    sql_bind_number(statement, 5, made->at.ms);
    return sql_run(sql, statement);
}
