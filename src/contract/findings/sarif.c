/* sarif.c - findings as SARIF 2.1.0, which code scanning reads.
 *
 * A finding is at a tool, which is no place in a source file: the location is a logical one, and a physical one when the
 * definitions came from a file. The fingerprint is made of what a finding is about and not of its words, so that one that was
 * dismissed stays so when a text changes.
 */
#include "contract/canonical.h"
#include "contract/findings/findings.h"
#include "json/write.h"

#define SCHEMA   "https://json.schemastore.org/sarif-2.1.0.json"
#define KEY_MAX  ((size_t)128 << 10) /* of what a fingerprint is made of */
#define TEXT_MAX (FINDINGS_TEXT_MAX * 5)

static void add_string(struct tn_buf *out, struct tn_slice text)
{
    tn_json_string(out, text.at ? text.at : "", text.len);
}

/* ---- The rules --------------------------------------------------------------------------------------------------- */

static void add_rules(struct tn_buf *out, const struct tn_findings *findings)
{
    for (size_t i = 0; i < findings->rule_count; i++) {
        const struct tn_finding_rule *rule = &findings->rules[i];

        tn_buf_addf(out, "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":", i > 0 ? "," : "", rule->id);
        add_string(out, tn_slice_of(rule->summary));
        tn_buf_addf(out, "},\"defaultConfiguration\":{\"level\":\"%s\"}}", tn_level_word(rule->level));
    }
}

/* ---- Where it is ------------------------------------------------------------------------------------------------- */

/* A path as the URI that it is: relative to where the program works, or file: when it begins at the root. */
static void add_uri(struct tn_buf *out, const char *path)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";

    tn_buf_text(out, path[0] == '/' ? "\"file://" : "\"");
    for (; *path; path++) {
        if (strchr(bare, *path))
            tn_buf_char(out, *path);
        else
            tn_buf_addf(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
    tn_buf_char(out, '"');
}

static void add_physical(struct tn_buf *out, const struct tn_findings *findings,
                         const struct tn_finding *finding)
{
    tn_buf_lit(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    add_uri(out, findings->file);
    tn_buf_char(out, '}');
    if (finding->line > 0)
        tn_buf_addf(out, ",\"region\":{\"startLine\":%zu,\"startColumn\":%zu}", finding->line,
                    finding->column > 0 ? finding->column : 1);
    tn_buf_lit(out, "},");
}

/* "search/inputSchema/properties/q": the pointer goes on where the tool's name ends. */
static void add_location(struct tn_buf *out, const struct tn_findings *findings,
                         const struct tn_finding *finding)
{
    struct tn_slice name = finding->tool.len > 0 ? finding->tool : SLICE_LIT("server");

    tn_buf_lit(out, ",\"locations\":[{");
    if (findings->file)
        add_physical(out, findings, finding);
    tn_buf_lit(out, "\"logicalLocations\":[{\"name\":");
    add_string(out, name);
    tn_buf_lit(out, ",\"fullyQualifiedName\":\"");
    tn_json_escaped(out, name.at, name.len);
    tn_json_escaped(out, finding->place.at ? finding->place.at : "", finding->place.len);
    tn_buf_addf(out, "\",\"kind\":\"%s\"}]}]", finding->tool.len > 0 ? "function" : "module");
}

/* ---- A result ---------------------------------------------------------------------------------------------------- */

/* Parts are divided by a byte that no text has, so that no two findings share one by chance. */
static void add_fingerprint(struct tn_buf *out, const struct tn_findings *findings,
                            const struct tn_finding *finding)
{
    const struct tn_slice parts[] = { tn_slice_of(findings->rules[finding->rule].id), finding->tool,
                                      finding->place, finding->subject, finding->client };
    char                  hash[HASH_LEN + 1];
    struct tn_arena       arena;
    struct tn_buf         key;

    tn_arena_init(&arena, &findings->arena->memory, 0);
    tn_buf_init(&key, &arena, 0, KEY_MAX);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        tn_buf_add(&key, parts[i].at, parts[i].len);
        tn_buf_char(&key, '\xFF');
    }
    tn_canonical_hash(tn_buf_slice(&key), hash);
    out->failed |= key.failed;
    tn_arena_free(&arena);
    tn_buf_addf(out, ",\"partialFingerprints\":{\"tenon/v1\":\"%s\"}", hash);
}

static void add_message(struct tn_buf *out, const struct tn_findings *findings,
                        const struct tn_finding *finding)
{
    struct tn_arena arena;
    struct tn_buf   text;

    tn_arena_init(&arena, &findings->arena->memory, 0);
    tn_buf_init(&text, &arena, 0, TEXT_MAX);
    tn_finding_sentence(&text, finding);
    if (finding->why.len > 0) {
        tn_buf_lit(&text, " (");
        tn_buf_add(&text, finding->why.at, finding->why.len);
        tn_buf_char(&text, ')');
    }
    out->failed |= text.failed;
    tn_buf_lit(out, ",\"message\":{\"text\":");
    add_string(out, tn_buf_slice(&text));
    tn_buf_char(out, '}');
    tn_arena_free(&arena);
}

static void add_result(struct tn_buf *out, const struct tn_findings *findings,
                       const struct tn_finding *finding)
{
    tn_buf_addf(out, "{\"ruleId\":\"%s\",\"ruleIndex\":%zu,\"level\":\"%s\"",
                findings->rules[finding->rule].id, finding->rule, tn_level_word(finding->level));
    add_message(out, findings, finding);
    add_location(out, findings, finding);
    add_fingerprint(out, findings, finding);
    tn_buf_addf(out, ",\"properties\":{\"class\":\"%s\"", tn_finding_class(finding));
    tn_findings_member(out, "client", finding->client);
    if (finding->witness.len > 0) {
        tn_buf_lit(out, ",\"witness\":");
        tn_json_line(out, finding->witness.at, finding->witness.len);
    }
    tn_findings_member(out, "repair", finding->repair);
    tn_findings_member(out, "repeat", finding->repeat);
    tn_buf_lit(out, "}}");
}

void tn_findings_sarif(struct tn_buf *out, const struct tn_findings *findings)
{
    tn_buf_addf(
        out,
        "{\"$schema\":\"%s\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"tenon\","
        "\"version\":\"%s\",\"rules\":[",
        SCHEMA, tenon_version());
    add_rules(out, findings);
    tn_buf_addf(out, "]}},\"automationDetails\":{\"id\":\"tenon-%s/\"},\"columnKind\":\"unicodeCodePoints\"",
                findings->command);
    tn_buf_lit(out, ",\"results\":[");
    for (size_t i = 0; i < findings->count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        add_result(out, findings, &findings->at[i]);
    }
    tn_buf_addf(out, "],\"properties\":{\"failed\":%s,\"dropped\":%zu",
                tn_findings_fail(findings) ? "true" : "false", findings->dropped);
    tn_findings_member(out, "target", findings->target);
    tn_findings_more(out, findings);
    tn_buf_lit(out, "}}]}\n");
}
