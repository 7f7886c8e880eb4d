/* json.c - findings as one JSON document, for programs. Members that have nothing to say are left out. */
#include "contract/findings/findings.h"
#include "json/write.h"

static void add_finding(struct tn_buf *out, const struct tn_findings *findings,
                        const struct tn_finding *finding)
{
    tn_buf_addf(out, "{\"rule\":\"%s\",\"level\":\"%s\",\"class\":\"%s\"", findings->rules[finding->rule].id,
                tn_level_word(finding->level), tn_finding_class(finding));
    tn_findings_member(out, "tool", finding->tool);
    tn_findings_member(out, "client", finding->client);
    tn_buf_lit(out, ",\"place\":");
    tn_json_string(out, finding->place.at, finding->place.len);
    tn_findings_member(out, "subject", finding->subject);
    tn_findings_member(out, "message", finding->message);
    if (finding->witness.len > 0) {
        tn_buf_lit(out, ",\"witness\":");
        tn_json_line(out, finding->witness.at, finding->witness.len);
    }
    tn_findings_member(out, "why", finding->why);
    tn_findings_member(out, "repair", finding->repair);
    tn_findings_member(out, "repeat", finding->repeat);
    if (finding->line > 0)
        tn_buf_addf(out, ",\"line\":%zu,\"column\":%zu", finding->line, finding->column);
    tn_buf_char(out, '}');
}

void tn_findings_json(struct tn_buf *out, const struct tn_findings *findings)
{
    tn_buf_addf(out, "{\"command\":\"%s\"", findings->command);
    tn_findings_member(out, "target", findings->target);
    tn_findings_member(out, "file", tn_slice_of(findings->file));
    tn_buf_addf(out, ",\"failed\":%s,\"counts\":{", tn_findings_fail(findings) ? "true" : "false");
    for (int level = LEVEL_ERROR; level >= LEVEL_NONE; level--)
        tn_buf_addf(out, "%s\"%s\":%zu", level < LEVEL_ERROR ? "," : "", tn_level_word((enum tn_level)level),
                    findings->counts[level]);
    tn_buf_char(out, '}');
    if (findings->dropped > 0)
        tn_buf_addf(out, ",\"dropped\":%zu", findings->dropped);
    tn_findings_more(out, findings);
    tn_buf_lit(out, ",\"findings\":[");
    for (size_t i = 0; i < findings->count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        add_finding(out, findings, &findings->at[i]);
    }
    tn_buf_lit(out, "]}\n");
}
