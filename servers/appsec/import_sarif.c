/* import_sarif.c - SARIF 2.1.0: what scanners write. A run is a session of one application: the one that was given with the
 * file, else its own properties.appId, else the last part of the repository's address, else the file's name. What is not a
 * finding (pass, notApplicable, informational) is left out; a suppressed result is NotAProblem, one that is absent from the
 * baseline Fixed.
 *
 * A finding is known again by its source (the tool, and the category of its run: CodeQL has one for each language), its rule,
 * its file and a mark: the fingerprint that the report gives, else the code it points at, else the line and column. Equal code
 * in one file is counted from the top. Findings keep their decisions and their history for as long as they are known again.
 *
 * SQLite gets one run, rule, artifact or result at a time, and of each only what is read (sarif_schema.c says what): given the
 * whole text, its functions for JSON take many times its size.
 */
#include "appsec/import.h"

/* Most that is kept of one; more is left out. Lengths are characters. */
#define NAME_MOST        "200"
#define TITLE_MOST       "2000"
#define DESCRIPTION_MOST "1000"
#define PLACE_MOST       "1000"
#define ADDRESS_MOST     "1000"
#define SNIPPET_MOST     "2000"
#define STEP_MOST        "300"
#define TAGS_MOST        "50"
#define TAXA_MAX         50
#define SUPPRESSIONS_MAX 50
#define STEPS_MAX        41 /* one more than is shown, which tells that there are more */

/* clang-format off */

/* Of the run, rule or result that ?1 is. */
#define RUN(path)    "(?1 ->> '$." path "')"
#define RULE(path)   RUN(path)
#define RESULT(path) RUN(path)
#define PLACE(path)  RESULT("locations[0].physicalLocation." path)
#define CUT(text, most) "substr(" text ", 1, " most ")"
#define MS(text)     "CAST(strftime('%s', upper(" text ")) AS INTEGER) * 1000"
#define NOW          "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

/* "https://host/group/shop.git" is shop. Cut first: rtrim() with a set of characters takes the square of their number. */
#define REPOSITORY "rtrim(" CUT(RUN("versionControlProvenance[0].repositoryUri"), ADDRESS_MOST) ", '/')"
#define LAST_PART  "replace(" REPOSITORY ", rtrim(" REPOSITORY ", replace(" REPOSITORY ", '/', '')), '')"

/* "/language:javascript/build-7" is of the category language:javascript: what follows the last slash names one run. */
#define AUTOMATION CUT(RUN("automationDetails.id"), ADDRESS_MOST)
#define CATEGORY   "trim(rtrim(" AUTOMATION ", replace(" AUTOMATION ", '/', '')), '/')"

/* Suppressions count unless one of them is still looked at, or was refused. */
#define STATUS                                                                                               \
    "CASE WHEN " RESULT("baselineState") " = 'absent' THEN word('status', 'Fixed')"                          \
    " WHEN (SELECT count(*) > 0 AND sum(coalesce(p.value ->> '$.status', 'accepted') <> 'accepted') = 0"     \
    " FROM json_each(?1, '$.suppressions') p) THEN word('status', 'NotAProblem')"                       \
    " ELSE word('status', 'Reported') END"

/* ":42:7", as far as it is known. */
#define SPOT(of) "coalesce(':' || " of("region.startLine") ", '') || coalesce(':' || " of("region.startColumn") ", '')"
#define ARTIFACT(of) "(SELECT uri FROM sarif_artifacts WHERE run = ?4 AND position = " of("artifactLocation.index") ")"

/* Tags of a rule or a result, as a JSON array: its own, and the numbers of weaknesses as CWE-89, however the tool writes them. */
#define TAGS(taxa, id, catalogue)                                                                            \
    "(SELECT json_group_array(tag) FROM (SELECT tag FROM (SELECT value AS tag FROM json_each(?1, '$.properties.tags')" \
    " UNION SELECT cwe(value, NULL) FROM json_each(?1, '$.properties.tags')"                                 \
    " UNION SELECT cwe(value, NULL) FROM json_each(?1, '$.properties.cwe')"                                  \
    " UNION SELECT cwe(value ->> '" id "', value ->> '" catalogue "') FROM json_each(?1, '" taxa "')"        \
    ") WHERE length(tag) BETWEEN 1 AND " NAME_MOST " LIMIT " TAGS_MOST "))"

#define SNIPPET "coalesce(" PLACE("region.snippet.text") ", " PLACE("contextRegion.snippet.text") ")"

/* A text for each of them, in the order of their names; none of what a tool writes instead of one. */
#define PRINTS(member)                                                                                       \
    "(SELECT group_concat(key || '=' || value, ' ') FROM (SELECT key, value FROM json_each(?1, '$." member "')" \
    " WHERE value NOT IN ('', 'requires login') AND key <> 'primaryLocationStartColumnFingerprint' ORDER BY key))"
#define PRINT "coalesce(" RESULT("partialFingerprints.primaryLocationLineHash") ", " PRINTS("fingerprints") ", " PRINTS("partialFingerprints") ")"

/* The steps of the first flow. */
#define STEP(path) "(value ->> '$.location.physicalLocation." path "')"
#define FLOW                                                                                                 \
    "(SELECT json_group_array(json_object('location', " CUT("coalesce(" STEP("artifactLocation.uri") ", " ARTIFACT(STEP) ", '')", PLACE_MOST) \
    " || " SPOT(STEP) ", 'message', " CUT("coalesce(value ->> '$.location.message.text', '')", STEP_MOST) "))" \
    " FROM json_each(?1, '$.codeFlows[0].threadFlows[0].locations'))"

static const char *const begin[] = {
    "CREATE TEMP TABLE IF NOT EXISTS sarif_runs (run INTEGER PRIMARY KEY, app TEXT, at INTEGER, session TEXT, metadata TEXT,"
    " source TEXT, whole INTEGER, app_id INTEGER, source_id INTEGER, session_id INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_rules (number INTEGER PRIMARY KEY, run INTEGER, position INTEGER, id TEXT, level TEXT,"
    " score REAL, title TEXT, tags TEXT, name TEXT, description TEXT, help TEXT)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_artifacts (run INTEGER, position INTEGER, uri TEXT, PRIMARY KEY (run, position))",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_results (number INTEGER PRIMARY KEY, run INTEGER, rule TEXT, level TEXT, score REAL,"
    " title TEXT, uri TEXT, line INTEGER, col INTEGER, spot TEXT, print TEXT, line_hash TEXT, mark TEXT, status INTEGER,"
    " tags TEXT, snippet TEXT, flow TEXT, rule_number INTEGER, type_id INTEGER, finding INTEGER)",
    "CREATE TEMP TABLE IF NOT EXISTS sarif_turned (finding INTEGER PRIMARY KEY, status INTEGER, note TEXT, source INTEGER)",
    "CREATE INDEX IF NOT EXISTS temp.sarif_rules_id ON sarif_rules (run, id)",
    "CREATE INDEX IF NOT EXISTS temp.sarif_rules_at ON sarif_rules (run, position)",
    "DELETE FROM sarif_runs", "DELETE FROM sarif_rules", "DELETE FROM sarif_artifacts", "DELETE FROM sarif_results",
    "DELETE FROM sarif_turned",
    NULL,
};

/* ?4 is the run, ?5 whether it has all results of its tool: a run that failed, or did not look, says nothing about what is gone. */
static const char add_run[] =
    "INSERT INTO sarif_runs (run, app, at, session, metadata, source, whole) SELECT ?4, " CUT("coalesce(?6, " RUN("properties.appId")
    ", nullif(replace(" LAST_PART ", '.git', ''), ''), ?2)", NAME_MOST) ", coalesce(" MS(RUN("invocations[0].endTimeUtc")) ", ?3), coalesce(" RUN("automationDetails.guid")
    ", coalesce(" AUTOMATION ", " RUN("tool.driver.name") ") || ' ' || coalesce("
    RUN("invocations[0].endTimeUtc") ", ?2)), json_patch('{}', json_object('tool', " RUN("tool.driver.name") ", 'branch', "
    RUN("versionControlProvenance[0].branch") ", 'revision', " RUN("versionControlProvenance[0].revisionId") ")), "
    CUT(RUN("tool.driver.name") " || coalesce(' (' || nullif(" CATEGORY ", '') || ')', '')", NAME_MOST) ", ?5 AND coalesce("
    RUN("invocations[0].executionSuccessful") ", 1)";

static const char add_rule[] =
    "INSERT INTO sarif_rules (run, position, id, level, score, title, tags, name, description, help) SELECT ?4, ?5, "
    CUT(RULE("id"), NAME_MOST) ", " RULE("defaultConfiguration.level") ", CAST("
    RULE("properties.\"security-severity\"") " AS REAL), " CUT("coalesce(" RULE("shortDescription.text") ", " RULE("name") ")", TITLE_MOST)
    ", " TAGS("$.relationships", "$.target.id", "$.target.toolComponent.name") ", " CUT("coalesce(" RULE("name") ", '')", NAME_MOST) ", "
    CUT("coalesce(" RULE("fullDescription.text") ", " RULE("shortDescription.text") ", '')", DESCRIPTION_MOST)
    /* An address that a person may open, and none that does something else. */
    ", CASE WHEN (" RULE("helpUri") " LIKE 'https://%' OR " RULE("helpUri") " LIKE 'http://%') AND length(" RULE("helpUri")
    ") <= " PLACE_MOST " THEN " RULE("helpUri") " ELSE '' END";

static const char add_artifact[] = "INSERT INTO sarif_artifacts SELECT ?4, ?5, ?1 ->> '$.location.uri'";

static const char add_result[] =
    "INSERT INTO sarif_results (run, rule, level, title, uri, line, col, spot, print, line_hash, status, tags, snippet, flow) SELECT ?4, "
    CUT("coalesce(" RESULT("ruleId") ", " RESULT("rule.id") ", (SELECT id FROM sarif_rules WHERE run = ?4 AND position = coalesce("
    RESULT("ruleIndex") ", " RESULT("rule.index") ")), 'unnamed')", NAME_MOST) ", " RESULT("level") ", " CUT(RESULT("message.text"), TITLE_MOST) ", "
    CUT("coalesce(" PLACE("artifactLocation.uri") ", " ARTIFACT(PLACE) ", " RESULT("locations[0].logicalLocations[0].fullyQualifiedName")
    ", '')", PLACE_MOST) ", " PLACE("region.startLine") ", " PLACE("region.startColumn") ", " SPOT(PLACE) ", fingerprint(" PRINT "), "
    RESULT("partialFingerprints.primaryLocationLineHash") ", " STATUS ", " TAGS("$.taxa", "$.id", "$.toolComponent.name") ", "
    CUT("coalesce(" SNIPPET ", '')", SNIPPET_MOST) ", " FLOW " WHERE coalesce(" RESULT("kind") ", 'fail') IN ('fail', 'open', 'review')";

/* ---- Into the tables ------------------------------------------------------------------------------------------------- */

#define FOUND  " FROM sarif_results s JOIN sarif_runs r USING (run)"
#define MARK   "r.source_id || '/' || s.uri || '#' || s.mark"
#define KNOWN  FOUND " JOIN findings f ON f.id = s.finding"
#define REPORT "'the report of ' || r.source"

/* What becomes of the status of a finding that is there already. A report's word counts when it is new; a person's decision is
 * kept, but for one that says it is mended when it is not. One that was closed because it was gone is again what it was. */
#define WAS_CLOSED                                                                                           \
    "coalesce((SELECT CASE WHEN c.from_status <= 2 THEN c.from_status END FROM changes c WHERE c.finding = f.id" \
    " AND c.to_status = f.status AND f.status = word('status', 'AutoRemediated') ORDER BY c.id DESC LIMIT 1), word('status', 'Reported'))"
#define BY_REPORT                                                                                            \
    "NOT EXISTS (SELECT 1 FROM changes c WHERE c.finding = f.id AND c.to_status = f.status AND c.source = 0)"

static const char *const end[] = {
    /* Of rules with one id the first counts. Each result would meet all of them otherwise. */
    "DELETE FROM sarif_rules WHERE number NOT IN (SELECT min(number) FROM sarif_rules GROUP BY run, id)",
    "UPDATE sarif_results SET level = coalesce(sarif_results.level, u.level), score = u.score,"
    " title = coalesce(sarif_results.title, u.title), rule_number = u.number FROM sarif_rules u"
    " WHERE u.run = sarif_results.run AND u.id = sarif_results.rule",

    "INSERT INTO types (name) SELECT DISTINCT rule FROM sarif_results WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO applications (app, name) SELECT DISTINCT app, app FROM sarif_runs WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO sources (kind, name) SELECT DISTINCT 0, source FROM sarif_runs WHERE true ON CONFLICT DO NOTHING",
    "UPDATE sarif_runs SET app_id = (SELECT id FROM applications a WHERE a.app = sarif_runs.app),"
    " source_id = (SELECT id FROM sources o WHERE o.kind = 0 AND o.name = sarif_runs.source)",
    "UPDATE sarif_results SET type_id = (SELECT id FROM types WHERE name = rule)",
    "INSERT INTO sessions (app, session, started, metadata) SELECT app_id, session, at, metadata FROM sarif_runs WHERE true"
    " ON CONFLICT DO UPDATE SET started = excluded.started, metadata = excluded.metadata",
    "UPDATE sarif_runs SET session_id = (SELECT id FROM sessions n WHERE n.app = app_id AND n.session = sarif_runs.session)",
    "INSERT INTO seen_reports SELECT app_id, source_id, at FROM sarif_runs WHERE whole ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",

    "UPDATE sarif_results SET mark = coalesce(print, line_mark(nullif(nullif(trim(snippet), ''), 'requires login'), line), spot)",
    /* Equal code, or one place with several messages: the second is another finding than the first. */
    "UPDATE sarif_results SET mark = mark || '~' || n.place FROM (SELECT s.number, dense_rank() OVER (PARTITION BY r.app_id,"
    " r.source_id, s.type_id, s.uri, s.mark ORDER BY s.line, s.col, s.title) AS place" FOUND " WHERE s.print IS NULL) n"
    " WHERE n.number = sarif_results.number AND n.place > 1",
    /* What was known by its place, or by the mark of an earlier release, gets the better mark of this report. */
    "UPDATE OR IGNORE findings SET mark = n.mark, source = n.source FROM (SELECT r.app_id AS app, s.type_id AS type,"
    " " MARK " AS mark, r.source_id AS source, s.uri || '#' || coalesce(s.line_hash, s.spot) AS old, r.source_id || '/' || s.uri || '#' || s.spot AS spot" FOUND ") n"
    " WHERE findings.app = n.app AND findings.type = n.type AND findings.mark IN (n.old, n.spot) AND findings.mark <> n.mark"
    " AND findings.mark <> findings.place",
    "UPDATE sarif_results SET finding = (SELECT f.id FROM findings f JOIN sarif_runs r ON r.run = sarif_results.run"
    " WHERE f.app = r.app_id AND f.type = type_id AND f.mark = r.source_id || '/' || uri || '#' || sarif_results.mark)",

    "INSERT OR REPLACE INTO sarif_turned SELECT f.id, " WAS_CLOSED ", 'In ' || " REPORT " || ' again.', r.source_id" KNOWN
    " WHERE s.status = word('status', 'Reported') AND f.status IN (4, 5, 6) AND r.at > f.last_seen"
    " AND r.at >= coalesce((SELECT at FROM reports WHERE app = f.app AND source = r.source_id), r.at)",
    "INSERT OR REPLACE INTO sarif_turned SELECT f.id, s.status, 'Not suppressed in ' || " REPORT " || ' any more.', r.source_id" KNOWN
    " WHERE s.status = word('status', 'Reported') AND f.status = word('status', 'NotAProblem') AND r.at > f.last_seen AND " BY_REPORT,
    "INSERT OR REPLACE INTO sarif_turned SELECT f.id, s.status, 'Suppressed in ' || " REPORT " || '.', r.source_id" KNOWN
    " WHERE s.status = word('status', 'NotAProblem') AND f.status IN (0, 1) AND r.at >= f.last_seen",
    "INSERT OR REPLACE INTO sarif_turned SELECT f.id, s.status, 'Absent in ' || " REPORT " || '.', r.source_id" KNOWN
    " WHERE s.status = word('status', 'Fixed') AND f.status IN (0, 1, 2) AND r.at >= f.last_seen",
    "INSERT INTO changes (finding, from_status, to_status, note, at, source) SELECT f.id, f.status, n.status, n.note, " NOW ", n.source"
    " FROM sarif_turned n JOIN findings f ON f.id = n.finding",
    "UPDATE findings SET status = n.status FROM sarif_turned n WHERE n.finding = findings.id",

    "INSERT INTO findings (app, type, source, place, mark, title, severity, status, session, first_seen, last_seen) SELECT r.app_id,"
    " s.type_id, r.source_id, s.uri || s.spot, " MARK ","
    " substr(coalesce(s.title, s.rule), 1, " TITLE_MOST "), CASE WHEN s.score >= 9 THEN 0 WHEN s.score >= 7 THEN 1 WHEN s.score >= 4 THEN 2"
    " WHEN s.score > 0 THEN 3 WHEN s.score = 0 THEN 4 ELSE CASE coalesce(s.level, 'warning') WHEN 'error' THEN 1"
    " WHEN 'warning' THEN 2 WHEN 'note' THEN 3 ELSE 4 END END, s.status, r.session_id, r.at, r.at" FOUND " WHERE true"
    " ON CONFLICT DO UPDATE SET title = excluded.title, severity = excluded.severity, place = excluded.place,"
    " session = CASE WHEN excluded.last_seen >= last_seen THEN excluded.session ELSE session END,"
    " first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)",
    "UPDATE sarif_results SET finding = (SELECT f.id FROM findings f JOIN sarif_runs r ON r.run = sarif_results.run"
    " WHERE f.app = r.app_id AND f.type = type_id AND f.mark = r.source_id || '/' || uri || '#' || sarif_results.mark)"
    " WHERE finding IS NULL",
    "INSERT INTO seen_findings SELECT finding FROM sarif_results WHERE true ON CONFLICT DO NOTHING",

    "INSERT INTO finding_tags (tag, finding) SELECT g.value, s.finding FROM sarif_results s, json_each(s.tags) g WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO finding_tags (tag, finding) SELECT g.value, s.finding FROM sarif_results s JOIN sarif_rules u ON u.number = s.rule_number,"
    " json_each(u.tags) g WHERE true ON CONFLICT DO NOTHING",
    "INSERT INTO rules (source, type, name, description, help) SELECT DISTINCT r.source_id, s.type_id, u.name, u.description, u.help" FOUND
    " JOIN sarif_rules u ON u.number = s.rule_number WHERE u.name || u.description || u.help <> ''"
    " ON CONFLICT DO UPDATE SET name = excluded.name, description = excluded.description, help = excluded.help",
    "INSERT INTO evidence (finding, snippet, flow) SELECT finding, snippet, flow FROM sarif_results WHERE snippet <> '' OR flow <> '[]'"
    " ON CONFLICT DO UPDATE SET snippet = excluded.snippet, flow = excluded.flow",
    "DELETE FROM sarif_runs", "DELETE FROM sarif_rules", "DELETE FROM sarif_artifacts", "DELETE FROM sarif_results",
    "DELETE FROM sarif_turned",
    NULL,
};

/* ---- What is read of each piece -------------------------------------------------------------------------------------- */

#define ALL    KEEP_ALL
#define INSIDE KEEP_INSIDE
#define FIRST  KEEP_FIRST
#define END    KEEP_END

static const struct keep text_keep[]    = { ALL("text"), END };
static const struct keep name_keep[]    = { ALL("name"), END };
static const struct keep level_keep[]   = { ALL("level"), END };
static const struct keep uri_keep[]     = { ALL("uri"), ALL("index"), END };
static const struct keep app_keep[]     = { ALL("appId"), END };
static const struct keep id_keep[]      = { ALL("id"), ALL("guid"), ALL("index"), END };
static const struct keep driver_keep[]  = { INSIDE("driver", name_keep), END };
static const struct keep time_keep[]    = { ALL("endTimeUtc"), ALL("executionSuccessful"), END };
static const struct keep source_keep[]  = { ALL("repositoryUri"), ALL("revisionId"), ALL("branch"), END };
static const struct keep tags_keep[]    = { ALL("tags"), ALL("cwe"), ALL("security-severity"), END };
static const struct keep region_keep[]  = { ALL("startLine"), ALL("startColumn"), INSIDE("snippet", text_keep), END };
static const struct keep snippet_keep[] = { INSIDE("snippet", text_keep), END };
static const struct keep place_keep[]   = { INSIDE("artifactLocation", uri_keep), INSIDE("region", region_keep),
                                            INSIDE("contextRegion", snippet_keep), END };
static const struct keep logical_keep[] = { ALL("fullyQualifiedName"), END };
static const struct keep where_keep[]   = { INSIDE("physicalLocation", place_keep), FIRST("logicalLocations", logical_keep, 1), END };
static const struct keep status_keep[]  = { ALL("status"), END };
static const struct keep taxon_keep[]   = { ALL("id"), INSIDE("toolComponent", name_keep), END };
static const struct keep target_keep[]  = { INSIDE("target", taxon_keep), END };
/* Of a flow: no snippets, and the first steps. */
static const struct keep line_keep[]    = { ALL("startLine"), ALL("startColumn"), END };
static const struct keep at_keep[]      = { INSIDE("artifactLocation", uri_keep), INSIDE("region", line_keep), END };
static const struct keep step_keep[]    = { INSIDE("physicalLocation", at_keep), INSIDE("message", text_keep), END };
static const struct keep steps_keep[]   = { INSIDE("location", step_keep), END };
static const struct keep thread_keep[]  = { FIRST("locations", steps_keep, STEPS_MAX), END };
static const struct keep flow_keep[]    = { FIRST("threadFlows", thread_keep, 1), END };

static const struct keep run_keep[] = {
    INSIDE("tool", driver_keep), INSIDE("properties", app_keep), FIRST("versionControlProvenance", source_keep, 1),
    FIRST("invocations", time_keep, 1), INSIDE("automationDetails", id_keep), END,
};
static const struct keep rule_keep[] = {
    ALL("id"), ALL("name"), ALL("helpUri"), INSIDE("shortDescription", text_keep), INSIDE("fullDescription", text_keep),
    INSIDE("defaultConfiguration", level_keep), INSIDE("properties", tags_keep), FIRST("relationships", target_keep, TAXA_MAX), END,
};
static const struct keep artifact_keep[] = { INSIDE("location", uri_keep), END };
static const struct keep result_keep[] = {
    ALL("ruleId"), ALL("ruleIndex"), INSIDE("rule", id_keep), ALL("level"), ALL("kind"), ALL("baselineState"),
    INSIDE("message", text_keep), FIRST("locations", where_keep, 1), ALL("partialFingerprints"), ALL("fingerprints"),
    FIRST("taxa", taxon_keep, TAXA_MAX), FIRST("codeFlows", flow_keep, 1), FIRST("suppressions", status_keep, SUPPRESSIONS_MAX),
    INSIDE("properties", tags_keep), END,
};
/* clang-format on */

/* ---- Piece by piece -------------------------------------------------------------------------------------------------- */

struct sarif {
    struct importing    *importing;
    struct import_values values;
    struct statement    *add_run, *add_rule, *add_artifact, *add_result;
    struct text          kept; /* of one piece */
};

static bool take(struct sarif *sarif, struct statement *statement, struct piece piece,
                 const struct keep *keeps)
{
    text_clear(&sarif->kept);
    piece_keep(&sarif->kept, piece, keeps);
    if (sarif->kept.failed)
        return import_out_of_memory(sarif->importing);
    sarif->values.json = (struct piece){ text_of(&sarif->kept), sarif->kept.len };
    return import_run(sarif->importing, statement, &sarif->values);
}

/* Each of them; without places, none has one that a result could name. */
static bool take_list(struct sarif *sarif, struct statement *statement, struct piece list,
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
    struct piece results    = piece_member(run, "results");
    bool         good;

    sarif->values.second = results.len > 0 && *results.at == '[';
    good                 = take(sarif, sarif->add_run, run, run_keep) &&
           take_list(sarif, sarif->add_rule, piece_member(piece_member(tool, "driver"), "rules"), rule_keep,
                     true);

    while (good && piece_next(&extensions, &extension))
        good = take_list(sarif, sarif->add_rule, piece_member(extension, "rules"), rule_keep, false);
    return good &&
           take_list(sarif, sarif->add_artifact, piece_member(run, "artifacts"), artifact_keep, true) &&
           take_list(sarif, sarif->add_result, results, result_keep, true);
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

    text_free(&sarif.kept);
    return good && import_run_all(importing, end, values);
}
