/* import_sarif.c - SARIF 2.1.0: what scanners write. A run is a session of one application: its own properties.appId, else the
 * last part of the repository's address, else the file's name. What is not a finding (pass, notApplicable, informational) is
 * left out; a suppressed result is NotAProblem, one that is absent from the baseline Fixed.
 *
 * The schema asks for what is read here and leaves the rest of the standard alone. SQLite gets one run, rule, artifact or
 * result at a time, and of each only what is read: given the whole text, its functions for JSON take many times its size.
 */
#include "appsec/import.h"
#include "appsec/json_text.h"

/* clang-format off */
const char *const sarif_schema[] = {
    JSON_TEXT({ "type": "object", "required": ["version", "runs"], "properties": {
        "version": { "const": "2.1.0" },
        "runs":    { "type": ["array", "null"], "items": { "$ref": "#/$defs/run" } } },
    "$defs": {
        "text":  { "type": "string" },
        "level": { "enum": ["none", "note", "warning", "error"] },
        "index": { "type": "integer", "minimum": -1 },
        "bag":   { "type": "object", "properties": { "tags": { "type": "array", "items": { "type": "string" } },
                   "security-severity": { "type": ["string", "number"], "pattern": "^([0-9]|10)(\\.[0-9]+)?$",
                                          "minimum": 0, "maximum": 10 },
                   "appId": { "type": "string", "minLength": 1, "maxLength": 200 } } },
        "rule":  { "type": "object", "required": ["id"], "properties": {
            "id": { "type": "string", "minLength": 1 }, "name": { "$ref": "#/$defs/text" },
            "shortDescription": { "type": "object", "properties": { "text": { "$ref": "#/$defs/text" } } },
            "defaultConfiguration": { "type": "object", "properties": { "level": { "$ref": "#/$defs/level" } } },
            "properties": { "$ref": "#/$defs/bag" } } },
        "component": { "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string", "minLength": 1 },
            "rules": { "type": "array", "items": { "$ref": "#/$defs/rule" } } } },
        "artifactLocation": { "type": "object", "properties": { "uri": { "$ref": "#/$defs/text" },
                              "index": { "$ref": "#/$defs/index" } } },
        "location": { "type": "object", "properties": {
            "physicalLocation": { "type": "object", "properties": {
                "artifactLocation": { "$ref": "#/$defs/artifactLocation" },
                "region": { "type": "object", "properties": { "startLine": { "type": "integer", "minimum": 1 },
                            "startColumn": { "type": "integer", "minimum": 1 } } } } },
            "logicalLocations": { "type": "array", "items": { "type": "object", "properties": {
                "fullyQualifiedName": { "$ref": "#/$defs/text" } } } } } },),
    JSON_TEXT(
        "result": { "type": "object", "required": ["message"], "properties": {
            "message": { "type": "object", "anyOf": [{ "required": ["text"] }, { "required": ["id"] }],
                         "properties": { "text": { "$ref": "#/$defs/text" }, "id": { "$ref": "#/$defs/text" } } },
            "ruleId": { "type": "string", "minLength": 1 }, "ruleIndex": { "$ref": "#/$defs/index" },
            "rule": { "type": "object", "properties": { "id": { "$ref": "#/$defs/text" },
                      "index": { "$ref": "#/$defs/index" } } },
            "level": { "$ref": "#/$defs/level" },
            "kind": { "enum": ["notApplicable", "pass", "fail", "review", "open", "informational"] },
            "baselineState": { "enum": ["new", "unchanged", "updated", "absent"] },
            "locations": { "type": "array", "items": { "$ref": "#/$defs/location" } },
            "partialFingerprints": { "type": "object", "additionalProperties": { "type": "string" } },
            "suppressions": { "type": ["array", "null"], "items": { "type": "object", "properties": {
                "status": { "enum": ["accepted", "underReview", "rejected"] } } } },
            "properties": { "$ref": "#/$defs/bag" } } },
        "run": { "type": "object", "required": ["tool"], "properties": {
            "tool": { "type": "object", "required": ["driver"], "properties": {
                "driver": { "$ref": "#/$defs/component" },
                "extensions": { "type": "array", "items": { "$ref": "#/$defs/component" } } } },
            "invocations": { "type": "array", "items": { "type": "object", "properties": {
                "endTimeUtc": { "type": "string", "format": "date-time" } } } },
            "automationDetails": { "type": "object", "properties": { "id": { "$ref": "#/$defs/text" },
                                   "guid": { "$ref": "#/$defs/text" } } },
            "versionControlProvenance": { "type": "array", "items": { "type": "object", "properties": {
                "repositoryUri": { "$ref": "#/$defs/text" }, "revisionId": { "$ref": "#/$defs/text" },
                "branch": { "$ref": "#/$defs/text" } } } },
            "artifacts": { "type": "array", "items": { "type": "object", "properties": {
                "location": { "$ref": "#/$defs/artifactLocation" } } } },
            "results": { "type": ["array", "null"], "items": { "$ref": "#/$defs/result" } },
            "properties": { "$ref": "#/$defs/bag" } } } } }),
    NULL,
};

/* Of the run, rule or result that ?1 is. */
#define RUN(path)    "(?1 ->> '$." path "')"
#define RULE(path)   RUN(path)
#define RESULT(path) RUN(path)
#define PLACE(path)  RESULT("locations[0].physicalLocation." path)
#define MS(text)     "CAST(strftime('%s', upper(" text ")) AS INTEGER) * 1000"

/* "https://host/group/shop.git" is shop. */
#define REPOSITORY "rtrim(" RUN("versionControlProvenance[0].repositoryUri") ", '/')"
#define LAST_PART  "replace(" REPOSITORY ", rtrim(" REPOSITORY ", replace(" REPOSITORY ", '/', '')), '')"

/* Suppressions count unless one of them is still looked at, or was refused. */
#define STATUS                                                                                               \
    "CASE WHEN " RESULT("baselineState") " = 'absent' THEN word('status', 'Fixed')"                          \
    " WHEN (SELECT count(*) > 0 AND sum(coalesce(p.value ->> '$.status', 'accepted') <> 'accepted') = 0"     \
    " FROM json_each(?1, '$.suppressions') p) THEN word('status', 'NotAProblem')"                       \
    " ELSE word('status', 'Reported') END"

/* ":42:7", as far as it is known. */
#define SPOT "coalesce(':' || " PLACE("region.startLine") ", '') || coalesce(':' || " PLACE("region.startColumn") ", '')"

#define FOUND                                                                                                \
    " FROM sarif_results s JOIN sarif_runs r USING (run) JOIN applications a ON a.app = r.app"               \
    " JOIN types t ON t.name = s.rule"

static const char *const begin[] = {
    "CREATE TEMP TABLE IF NOT EXISTS sarif_runs (run INTEGER PRIMARY KEY, app TEXT, at INTEGER, session TEXT, metadata TEXT)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_rules (run INTEGER, position INTEGER, id TEXT, level TEXT, score REAL, title TEXT,"
    " tags TEXT)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_artifacts (run INTEGER, position INTEGER, uri TEXT, PRIMARY KEY (run, position))",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_results (run INTEGER, rule TEXT, level TEXT, score REAL, title TEXT, uri TEXT,"
    " spot TEXT, mark TEXT, status INTEGER, tags TEXT, rule_tags TEXT)",
    "CREATE INDEX IF NOT EXISTS temp.sarif_rules_id ON sarif_rules (run, id)",
    "CREATE INDEX IF NOT EXISTS temp.sarif_rules_at ON sarif_rules (run, position)",
    "DELETE FROM sarif_runs", "DELETE FROM sarif_rules", "DELETE FROM sarif_artifacts", "DELETE FROM sarif_results",
    NULL,
};

/* ?4 is the run, ?5 the place in its list. */
static const char add_run[] =
    "INSERT INTO sarif_runs SELECT ?4, coalesce(" RUN("properties.appId") ", nullif(replace(" LAST_PART
    ", '.git', ''), ''), ?2), coalesce(" MS(RUN("invocations[0].endTimeUtc")) ", ?3), coalesce(" RUN("automationDetails.guid")
    ", coalesce(" RUN("automationDetails.id") ", " RUN("tool.driver.name") ") || ' ' || coalesce("
    RUN("invocations[0].endTimeUtc") ", ?2)), json_patch('{}', json_object('tool', " RUN("tool.driver.name") ", 'branch', "
    RUN("versionControlProvenance[0].branch") ", 'revision', " RUN("versionControlProvenance[0].revisionId") "))";

static const char add_rule[] =
    "INSERT INTO sarif_rules SELECT ?4, ?5, " RULE("id") ", " RULE("defaultConfiguration.level") ", CAST("
    RULE("properties.\"security-severity\"") " AS REAL), coalesce(" RULE("shortDescription.text") ", " RULE("name")
    "), ?1 -> '$.properties.tags'";

static const char add_artifact[] = "INSERT INTO sarif_artifacts SELECT ?4, ?5, ?1 ->> '$.location.uri'";

static const char add_result[] =
    "INSERT INTO sarif_results (run, rule, level, title, uri, spot, mark, status, tags) SELECT ?4, coalesce(" RESULT("ruleId") ", "
    RESULT("rule.id") ", (SELECT id FROM sarif_rules WHERE run = ?4 AND position = coalesce(" RESULT("ruleIndex") ", "
    RESULT("rule.index") ")), 'unnamed'), " RESULT("level") ", substr(" RESULT("message.text") ", 1, 2000), coalesce("
    PLACE("artifactLocation.uri")
    ", (SELECT uri FROM sarif_artifacts WHERE run = ?4 AND position = " PLACE("artifactLocation.index") "), "
    RESULT("locations[0].logicalLocations[0].fullyQualifiedName") ", ''), " SPOT ", coalesce("
    RESULT("partialFingerprints.primaryLocationLineHash") ", " SPOT "), " STATUS ", ?1 -> '$.properties.tags'"
    " WHERE coalesce(" RESULT("kind") ", 'fail') IN ('fail', 'open', 'review')";

static const char *const end[] = {
    "UPDATE sarif_results SET level = coalesce(sarif_results.level, u.level), score = u.score,"
    " title = coalesce(sarif_results.title, u.title), rule_tags = u.tags FROM sarif_rules u"
    " WHERE u.run = sarif_results.run AND u.id = sarif_results.rule",

    "INSERT INTO types (name) SELECT DISTINCT rule FROM sarif_results WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO applications (app, name) SELECT DISTINCT app, app FROM sarif_runs WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO sessions (app, session, started, metadata) SELECT a.id, r.session, r.at, r.metadata FROM sarif_runs r"
    " JOIN applications a ON a.app = r.app WHERE true"
    " ON CONFLICT DO UPDATE SET started = excluded.started, metadata = excluded.metadata",
    /* What was closed and is seen again later is open again; a decision of somebody is kept. */
    "INSERT INTO findings (app, type, place, mark, title, severity, status, session, first_seen, last_seen) SELECT a.id, t.id,"
    " s.uri || s.spot, s.uri || '#' || s.mark,"
    " substr(coalesce(s.title, s.rule), 1, 2000), CASE WHEN s.score >= 9 THEN 0 WHEN s.score >= 7 THEN 1 WHEN s.score >= 4 THEN 2"
    " WHEN s.score > 0 THEN 3 WHEN s.score = 0 THEN 4 ELSE CASE coalesce(s.level, 'warning') WHEN 'error' THEN 1"
    " WHEN 'warning' THEN 2 WHEN 'note' THEN 3 ELSE 4 END END, s.status,"
    " (SELECT id FROM sessions WHERE app = a.id AND session = r.session), r.at, r.at" FOUND " WHERE true"
    " ON CONFLICT DO UPDATE SET title = excluded.title, severity = excluded.severity, place = excluded.place,"
    " status = CASE WHEN status IN (4, 5, 6) AND excluded.last_seen > last_seen THEN excluded.status ELSE status END,"
    " session = CASE WHEN excluded.last_seen >= last_seen THEN excluded.session ELSE session END,"
    " first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)",
    "INSERT INTO finding_tags (tag, finding) SELECT g.value, f.id" FOUND " JOIN findings f ON f.app = a.id AND f.type = t.id"
    " AND f.mark = s.uri || '#' || s.mark, json_each(coalesce(s.tags, '[]')) g WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO finding_tags (tag, finding) SELECT g.value, f.id" FOUND " JOIN findings f ON f.app = a.id AND f.type = t.id"
    " AND f.mark = s.uri || '#' || s.mark, json_each(coalesce(s.rule_tags, '[]')) g WHERE true ON CONFLICT DO NOTHING",
    NULL,
};

/* ---- What is read of each piece -------------------------------------------------------------------------------------- */

#define ALL(name)           { name, NULL, false }
#define INSIDE(name, keeps) { name, keeps, false }
#define FIRST(name, keeps)  { name, keeps, true }
#define END                 { NULL, NULL, false }

static const struct keep text_keep[]    = { ALL("text"), END };
static const struct keep name_keep[]    = { ALL("name"), END };
static const struct keep level_keep[]   = { ALL("level"), END };
static const struct keep uri_keep[]     = { ALL("uri"), ALL("index"), END };
static const struct keep app_keep[]     = { ALL("appId"), END };
static const struct keep id_keep[]      = { ALL("id"), ALL("guid"), ALL("index"), END };
static const struct keep driver_keep[]  = { INSIDE("driver", name_keep), END };
static const struct keep time_keep[]    = { ALL("endTimeUtc"), END };
static const struct keep source_keep[]  = { ALL("repositoryUri"), ALL("revisionId"), ALL("branch"), END };
static const struct keep tags_keep[]    = { ALL("tags"), ALL("security-severity"), END };
static const struct keep region_keep[]  = { ALL("startLine"), ALL("startColumn"), END };
static const struct keep place_keep[]   = { INSIDE("artifactLocation", uri_keep), INSIDE("region", region_keep), END };
static const struct keep logical_keep[] = { ALL("fullyQualifiedName"), END };
static const struct keep where_keep[]   = { INSIDE("physicalLocation", place_keep), FIRST("logicalLocations", logical_keep), END };
static const struct keep mark_keep[]    = { ALL("primaryLocationLineHash"), END };
static const struct keep status_keep[]  = { ALL("status"), END };

static const struct keep run_keep[] = {
    INSIDE("tool", driver_keep), INSIDE("properties", app_keep), FIRST("versionControlProvenance", source_keep),
    FIRST("invocations", time_keep), INSIDE("automationDetails", id_keep), END,
};
static const struct keep rule_keep[] = {
    ALL("id"), ALL("name"), INSIDE("shortDescription", text_keep), INSIDE("defaultConfiguration", level_keep),
    INSIDE("properties", tags_keep), END,
};
static const struct keep artifact_keep[] = { INSIDE("location", uri_keep), END };
static const struct keep result_keep[] = {
    ALL("ruleId"), ALL("ruleIndex"), INSIDE("rule", id_keep), ALL("level"), ALL("kind"), ALL("baselineState"),
    INSIDE("message", text_keep), FIRST("locations", where_keep), INSIDE("partialFingerprints", mark_keep),
    INSIDE("suppressions", status_keep), INSIDE("properties", tags_keep), END,
};
/* clang-format on */

/* ---- Piece by piece -------------------------------------------------------------------------------------------------- */

struct sarif {
    struct importing    *importing;
    struct import_values values;
    sqlite3_stmt        *add_run, *add_rule, *add_artifact, *add_result;
    struct text          kept; /* of one piece */
};

static bool take(struct sarif *sarif, sqlite3_stmt *statement, struct piece piece, const struct keep *keeps)
{
    text_clear(&sarif->kept);
    piece_keep(&sarif->kept, piece, keeps);
    if (sarif->kept.failed)
        return import_out_of_memory(sarif->importing);
    sarif->values.json = (struct piece){ text_of(&sarif->kept), sarif->kept.len };
    return import_run(sarif->importing, statement, &sarif->values);
}

/* Each of them; without places, none has one that a result could name. */
static bool take_list(struct sarif *sarif, sqlite3_stmt *statement, struct piece list,
                      const struct keep *keeps, bool with_places)
{
    struct piece piece;
    int64_t      place = 0;
    bool         good  = true;

    while (good && piece_next(&list, &piece)) {
        sarif->values.second = with_places ? place++ : -1;
        good                 = take(sarif, statement, piece, keeps);
    }
    return good;
}

static bool take_run(struct sarif *sarif, struct piece run)
{
    struct piece tool       = piece_member(run, "tool");
    struct piece extensions = piece_member(tool, "extensions"), extension;
    bool         good       = take(sarif, sarif->add_run, run, run_keep) &&
                take_list(sarif, sarif->add_rule, piece_member(piece_member(tool, "driver"), "rules"),
                          rule_keep, true);

    while (good && piece_next(&extensions, &extension))
        good = take_list(sarif, sarif->add_rule, piece_member(extension, "rules"), rule_keep, false);
    return good &&
           take_list(sarif, sarif->add_artifact, piece_member(run, "artifacts"), artifact_keep, true) &&
           take_list(sarif, sarif->add_result, piece_member(run, "results"), result_keep, true);
}

static bool take_runs(struct sarif *sarif, struct piece json)
{
    struct piece runs = piece_member(json, "runs"), run;
    bool         good = true;

    for (sarif->values.first = 0; good && piece_next(&runs, &run); sarif->values.first++)
        good = take_run(sarif, run);
    return good;
}

static bool prepare(struct sarif *sarif)
{
    sarif->add_run      = import_prepare(sarif->importing, add_run);
    sarif->add_rule     = import_prepare(sarif->importing, add_rule);
    sarif->add_artifact = import_prepare(sarif->importing, add_artifact);
    sarif->add_result   = import_prepare(sarif->importing, add_result);
    return sarif->add_run && sarif->add_rule && sarif->add_artifact && sarif->add_result;
}

bool sarif_store(struct importing *importing, const struct import_values *values)
{
    struct sarif sarif = { .importing = importing, .values = *values };
    bool         good  = import_run_all(importing, begin, values) && prepare(&sarif) &&
                take_runs(&sarif, values->json);

    sqlite3_finalize(sarif.add_run);
    sqlite3_finalize(sarif.add_rule);
    sqlite3_finalize(sarif.add_artifact);
    sqlite3_finalize(sarif.add_result);
    text_free(&sarif.kept);
    return good && import_run_all(importing, end, values);
}
