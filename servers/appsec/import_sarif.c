/* import_sarif.c - SARIF 2.1.0: what scanners write. A run is a session of one application: its own properties.appId, else the
 * last part of the repository's address, else the file's name. What is not a finding (pass, notApplicable, informational) is
 * left out; a suppressed result is NotAProblem, one that is absent from the baseline Fixed.
 *
 * The schema asks for what is read here and leaves the rest of the standard alone.
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

#define RUNS         " FROM json_each(?1, '$.runs') r"
#define RUN(path)    "(r.value ->> '$." path "')"
#define RULE(path)   "(u.value ->> '$." path "')"
#define RESULT(path) "(s.value ->> '$." path "')"
#define PLACE(path)  RESULT("locations[0].physicalLocation." path)
#define MS(text)     "CAST(strftime('%s', upper(" text ")) AS INTEGER) * 1000"

/* "https://host/group/shop.git" is shop. */
#define REPOSITORY "rtrim(" RUN("versionControlProvenance[0].repositoryUri") ", '/')"
#define LAST_PART  "replace(" REPOSITORY ", rtrim(" REPOSITORY ", replace(" REPOSITORY ", '/', '')), '')"

#define ADD_RULES(position)                                                                                  \
    "INSERT INTO sarif_rules SELECT r.key, " position ", " RULE("id") ", " RULE("defaultConfiguration.level") \
    ", CAST(" RULE("properties.\"security-severity\"") " AS REAL), coalesce(" RULE("shortDescription.text")  \
    ", " RULE("name") "), u.value -> '$.properties.tags'" RUNS

/* Suppressions count unless one of them is still looked at, or was refused. */
#define STATUS                                                                                               \
    "CASE WHEN " RESULT("baselineState") " = 'absent' THEN word('status', 'Fixed')"                          \
    " WHEN (SELECT count(*) > 0 AND sum(coalesce(p.value ->> '$.status', 'accepted') <> 'accepted') = 0"     \
    " FROM json_each(s.value, '$.suppressions') p) THEN word('status', 'NotAProblem')"                       \
    " ELSE word('status', 'Reported') END"

/* ":42:7", as far as it is known. */
#define SPOT "coalesce(':' || " PLACE("region.startLine") ", '') || coalesce(':' || " PLACE("region.startColumn") ", '')"

#define FOUND                                                                                                \
    " FROM sarif_results s JOIN sarif_runs r USING (run) JOIN applications a ON a.app = r.app"               \
    " JOIN types t ON t.name = s.rule"

const char *const sarif_statements[] = {
    "CREATE TEMP TABLE IF NOT EXISTS sarif_runs (run INTEGER PRIMARY KEY, app TEXT, at INTEGER, session TEXT, metadata TEXT)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_rules (run INTEGER, position INTEGER, id TEXT, level TEXT, score REAL, title TEXT,"
    " tags TEXT)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_artifacts (run INTEGER, position INTEGER, uri TEXT, PRIMARY KEY (run, position))",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_results (run INTEGER, rule TEXT, level TEXT, score REAL, title TEXT, uri TEXT,"
    " spot TEXT, mark TEXT, status INTEGER, tags TEXT, rule_tags TEXT)",
    "CREATE INDEX IF NOT EXISTS temp.sarif_rules_id ON sarif_rules (run, id)",
    "CREATE INDEX IF NOT EXISTS temp.sarif_rules_at ON sarif_rules (run, position)",
    "DELETE FROM sarif_runs", "DELETE FROM sarif_rules", "DELETE FROM sarif_artifacts", "DELETE FROM sarif_results",

    "INSERT INTO sarif_runs SELECT r.key, coalesce(" RUN("properties.appId") ", nullif(replace(" LAST_PART
    ", '.git', ''), ''), ?2), coalesce(" MS(RUN("invocations[0].endTimeUtc")) ", ?3), coalesce(" RUN("automationDetails.guid")
    ", coalesce(" RUN("automationDetails.id") ", " RUN("tool.driver.name") ") || ' ' || coalesce("
    RUN("invocations[0].endTimeUtc") ", ?2)), json_patch('{}', json_object('tool', " RUN("tool.driver.name") ", 'branch', "
    RUN("versionControlProvenance[0].branch") ", 'revision', " RUN("versionControlProvenance[0].revisionId") "))" RUNS,
    ADD_RULES("u.key") ", json_each(r.value, '$.tool.driver.rules') u",
    ADD_RULES("NULL") ", json_each(r.value, '$.tool.extensions') e, json_each(e.value, '$.rules') u",
    "INSERT INTO sarif_artifacts SELECT r.key, a.key, a.value ->> '$.location.uri'" RUNS ", json_each(r.value, '$.artifacts') a",

    "INSERT INTO sarif_results (run, rule, level, title, uri, spot, mark, status, tags) SELECT r.key, coalesce(" RESULT("ruleId") ", "
    RESULT("rule.id") ", (SELECT id FROM sarif_rules WHERE run = r.key AND position = coalesce(" RESULT("ruleIndex") ", "
    RESULT("rule.index") ")), 'unnamed'), " RESULT("level") ", " RESULT("message.text") ", coalesce(" PLACE("artifactLocation.uri")
    ", (SELECT uri FROM sarif_artifacts WHERE run = r.key AND position = " PLACE("artifactLocation.index") "), "
    RESULT("locations[0].logicalLocations[0].fullyQualifiedName") ", ''), " SPOT ", coalesce("
    RESULT("partialFingerprints.primaryLocationLineHash") ", " SPOT "), " STATUS ", s.value -> '$.properties.tags'" RUNS ", json_each(r.value, '$.results') s"
    " WHERE coalesce(" RESULT("kind") ", 'fail') IN ('fail', 'open', 'review')",
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
