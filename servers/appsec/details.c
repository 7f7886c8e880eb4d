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
    "SELECT " FINDING_COLUMNS ", (SELECT json_group_array(tag) FROM finding_tags WHERE finding = f.id),"     \
    " (SELECT metadata FROM sessions WHERE id = f.session), o.name, e.snippet, e.flow, u.name, u.description, u.help," \
    " (SELECT json_group_array(tag) FROM finding_tags WHERE finding = f.id AND tag GLOB 'CWE-[0-9]*' AND tag = cwe(tag, NULL))" \
    " FROM" FINDING_TABLES " LEFT JOIN sources o ON o.id = f.source LEFT JOIN evidence e ON e.finding = f.id"  \
    " LEFT JOIN rules u ON u.source = f.source AND u.type = f.type WHERE f.id = ?1 AND (?2 = 0 OR f.app = ?2)"

static const rule *read_rule(tenon_call *call, struct statement *row)
{
    rule *out = sql_is_null(row, RULE_NAME) ? NULL : tenon_alloc(call, sizeof *out);

    if (out)
        *out = (rule){ call_text(call, row, RULE_NAME), call_text(call, row, RULE_DESCRIPTION),
                       call_text(call, row, RULE_HELP) };
    return out;
}

static void read_flow(struct sql *sql, tenon_call *call, const char *json, finding_details *out)
{
    flow_step        *at        = json ? tenon_alloc(call, (FLOW_STEPS_MAX + 1) * sizeof *at) : NULL;
    size_t            count     = 0;
    struct statement *statement = at ? sql_statement(sql,
                                                     "SELECT value ->> '$.location', value ->> '$.message'"
                                                     " FROM json_each(?1)")
                                     : NULL;

    if (!statement)
        return;
    sql_bind_text(statement, 1, json);
    while (count <= FLOW_STEPS_MAX && sql_row(sql, statement)) {
        at[count] = (flow_step){ call_text(call, statement, 0), call_text(call, statement, 1) };
        count++;
    }
    sql_reset(statement);
    if (count > FLOW_STEPS_MAX)
        tenon_message(call, "Only the first %d steps of the code flow are kept.", FLOW_STEPS_MAX);
    out->flow.at    = at;
    out->flow.count = count > FLOW_STEPS_MAX ? FLOW_STEPS_MAX : count;
}

bool findings_get(struct sql *sql, tenon_call *call, int64_t id, int64_t app, finding_details *out,
                  bool *found)
{
    struct statement *statement = sql_statement(sql, ONE);
    const char       *flow;

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
        flow = call_text(call, statement, FLOW);
        sql_reset(statement);
        read_flow(sql, call, flow, out);
        read_changes(sql, call, id, out);
    }
    return sql_failure(sql) == SQL_OK;
}

bool findings_change(struct sql *sql, int64_t id, const change *made)
{
    struct statement *statement = sql_statement(sql, "UPDATE findings SET status = ?2 WHERE id = ?1");

    sql_bind_number(statement, 1, id);
    sql_bind_number(statement, 2, (int)made->to);
    if (!sql_run(sql, statement))
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
