/* import_form.c - our own form: names and spellings are those of the tools' answers. SQLite gets a part of a list at a time:
 * given the whole text, its functions for JSON take many times its size.
 */
#include "appsec/import.h"
#include "appsec/json_text.h"

#define PART_BYTES ((size_t)256 << 10)

/* clang-format off */
const char *const form_schema[] = {
    JSON_TEXT({ "type": "object", "minProperties": 1, "additionalProperties": false, "properties": {
        "types":           { "type": "array", "items": { "$ref": "#/$defs/name" } },
        "applications":    { "type": "array", "items": { "$ref": "#/$defs/application" } },
        "sessions":        { "type": "array", "items": { "$ref": "#/$defs/session" } },
        "vulnerabilities": { "type": "array", "items": { "$ref": "#/$defs/vulnerability" } },
        "libraries":       { "type": "array", "items": { "$ref": "#/$defs/library" } },
        "attacks":         { "type": "array", "items": { "$ref": "#/$defs/attack" } },
        "servers":         { "type": "array", "items": { "$ref": "#/$defs/server" } },
        "routes":          { "type": "array", "items": { "$ref": "#/$defs/route" } } },
    "$defs": {
        "name":        { "type": "string", "minLength": 1, "maxLength": 200, "pattern": "\\S" },
        "text":        { "type": "string", "maxLength": 2000 },
        "names":       { "type": "array", "items": { "$ref": "#/$defs/name" } },
        "metadata":    { "type": "object", "additionalProperties": { "type": "string", "maxLength": 500 } },
        "moment":      { "type": "string", "format": "date-time" },
        "count":       { "type": "integer", "minimum": 0, "maximum": 1000000000 },
        "severity":    { "enum": ["CRITICAL", "HIGH", "MEDIUM", "LOW", "NOTE"] },
        "status":      { "enum": ["Reported", "Suspicious", "Confirmed", "NotAProblem", "Remediated", "Fixed",
                                  "AutoRemediated"] },
        "environment": { "enum": ["DEVELOPMENT", "QA", "PRODUCTION"] },),
    JSON_TEXT(
        "application": { "type": "object", "additionalProperties": false, "required": ["appId", "name"], "properties": {
            "appId":    { "$ref": "#/$defs/name" }, "name": { "$ref": "#/$defs/name" }, "language": { "$ref": "#/$defs/name" },
            "tags":     { "$ref": "#/$defs/names" }, "metadata": { "$ref": "#/$defs/metadata" } } },
        "session": { "type": "object", "additionalProperties": false, "required": ["appId", "session", "started"],
            "properties": {
            "appId":    { "$ref": "#/$defs/name" }, "session": { "$ref": "#/$defs/name" },
            "started":  { "$ref": "#/$defs/moment" }, "metadata": { "$ref": "#/$defs/metadata" } } },
        "vulnerability": { "type": "object", "additionalProperties": false,
            "required": ["appId", "vulnType", "title", "location", "severity", "firstSeen", "lastSeen"], "properties": {
            "appId":    { "$ref": "#/$defs/name" }, "vulnType": { "$ref": "#/$defs/name" },
            "title":    { "$ref": "#/$defs/text" }, "location": { "$ref": "#/$defs/text" },
            "severity": { "$ref": "#/$defs/severity" }, "status": { "$ref": "#/$defs/status" },
            "environments": { "type": "array", "uniqueItems": true, "items": { "$ref": "#/$defs/environment" } },
            "tags":     { "$ref": "#/$defs/names" }, "session": { "$ref": "#/$defs/name" },
            "firstSeen": { "$ref": "#/$defs/moment" }, "lastSeen": { "$ref": "#/$defs/moment" } } },
        "library": { "type": "object", "additionalProperties": false, "required": ["appId", "name", "version"],
            "properties": {
            "appId":    { "$ref": "#/$defs/name" }, "name": { "$ref": "#/$defs/name" }, "version": { "$ref": "#/$defs/name" },
            "latestVersion": { "$ref": "#/$defs/name" }, "license": { "$ref": "#/$defs/name" },
            "classCount": { "$ref": "#/$defs/count" }, "classesUsed": { "$ref": "#/$defs/count" },
            "cves":     { "type": "array", "items": { "type": "string", "pattern": "^CVE-[0-9]{4}-[0-9]{4,12}$" } } } },),
    JSON_TEXT(
        "attack": { "type": "object", "additionalProperties": false,
            "required": ["attackId", "appId", "type", "sourceIP", "status", "environment", "startTime", "endTime"],
            "properties": {
            "attackId": { "$ref": "#/$defs/name" }, "appId": { "$ref": "#/$defs/name" }, "type": { "$ref": "#/$defs/name" },
            "sourceIP": { "anyOf": [{ "type": "string", "format": "ipv4" }, { "type": "string", "format": "ipv6" }] },
            "status":   { "enum": ["EXPLOITED", "PROBED", "BLOCKED", "BLOCKED_PERIMETER", "PROBED_PERIMETER", "SUSPICIOUS"] },
            "environment": { "$ref": "#/$defs/environment" },
            "automated": { "type": "boolean" }, "active": { "type": "boolean" }, "suppressed": { "type": "boolean" },
            "botBlocker": { "type": "boolean" }, "ipBlacklist": { "type": "boolean" },
            "startTime": { "$ref": "#/$defs/moment" }, "endTime": { "$ref": "#/$defs/moment" },
            "eventCount": { "$ref": "#/$defs/count" } } },
        "server": { "type": "object", "additionalProperties": false,
            "required": ["name", "environment", "lastActivity"], "properties": {
            "name":     { "$ref": "#/$defs/name" }, "environment": { "$ref": "#/$defs/environment" },
            "online":   { "type": "boolean" }, "protected": { "type": "boolean" }, "outOfDate": { "type": "boolean" },
            "agentVersion": { "$ref": "#/$defs/name" }, "logLevel": { "enum": ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"] },
            "tags":     { "$ref": "#/$defs/names" }, "applications": { "$ref": "#/$defs/names" },
            "lastActivity": { "$ref": "#/$defs/moment" } } },
        "route": { "type": "object", "additionalProperties": false, "required": ["appId", "signature"], "properties": {
            "appId":    { "$ref": "#/$defs/name" }, "signature": { "type": "string", "minLength": 1, "maxLength": 1000 },
            "exercised": { "type": "array", "items": { "type": "object", "additionalProperties": false,
                "required": ["session", "at"], "properties": {
                "session": { "$ref": "#/$defs/name" }, "at": { "$ref": "#/$defs/moment" } } } } } } } }),
    NULL,
};

#define MS(text)      "CAST(strftime('%s', upper(" text ")) AS INTEGER) * 1000"
#define OF(name)      "(x.value ->> '$." name "')"
#define EACH          " FROM json_each(?1) x" /* ?1 is a part of the list, ?4 the number of those before it */
#define AT            "(x.key + ?4)"
#define APP_OF(name)  "(SELECT id FROM applications WHERE app = " OF(name) ")"
#define TYPE_OF(name) "(SELECT id FROM types WHERE name = " OF(name) ")"
#define SESSION_OF(text, app) "(SELECT id FROM sessions WHERE session = " text " AND app = " app ")"

/* Statements that give rows give problems. */
#define KNOWN_APP(list)                                                                                                \
    "SELECT '/" list "/' || " AT " || '/appId: there is no application ''' || " OF("appId") " || ''''" EACH       \
    " WHERE " APP_OF("appId") " IS NULL"
#define ORDERED(list, first, last)                                                                                     \
    "SELECT '/" list "/' || " AT " || '/" last ": must not be before " first "'" EACH                               \
    " WHERE " MS(OF(first)) " > " MS(OF(last))
#define KNOWN_SESSION(list, below, text)                                                                               \
    "SELECT '/" list "/' || " AT " || '" below ": there is no session ''' || " text " || ''' of this application'"

/* Each for one list of the file, in this order. */
static const struct { const char *list, *sql; } statements[] = {
    { "types", "INSERT INTO types (name) SELECT x.value" EACH " WHERE true ON CONFLICT DO NOTHING" },
    { "vulnerabilities", "INSERT INTO types (name) SELECT " OF("vulnType") EACH " WHERE true ON CONFLICT DO NOTHING" },
    { "attacks", "INSERT INTO types (name) SELECT " OF("type") EACH " WHERE true ON CONFLICT DO NOTHING" },
    { "applications", "INSERT INTO applications (app, name, language, tags, metadata) SELECT " OF("appId") ", " OF("name")
    ", coalesce(" OF("language") ", ''), coalesce(x.value -> '$.tags', '[]'), coalesce(x.value -> '$.metadata', '{}')"
    EACH " WHERE true ON CONFLICT (app) DO UPDATE SET name = excluded.name, language = excluded.language,"
    " tags = excluded.tags, metadata = excluded.metadata" },
    { "sessions", KNOWN_APP("sessions") }, { "vulnerabilities", KNOWN_APP("vulnerabilities") },
    { "libraries", KNOWN_APP("libraries") }, { "attacks", KNOWN_APP("attacks") }, { "routes", KNOWN_APP("routes") },
    { "servers", "SELECT '/servers/' || " AT " || '/applications/' || a.key || ': there is no application ''' || a.value || ''''"
    EACH ", json_each(x.value, '$.applications') a"
    " WHERE NOT EXISTS (SELECT 1 FROM applications WHERE app = a.value)" },
    { "vulnerabilities", ORDERED("vulnerabilities", "firstSeen", "lastSeen") },
    { "attacks", ORDERED("attacks", "startTime", "endTime") },

    { "sessions", "INSERT INTO sessions (app, session, started, metadata) SELECT " APP_OF("appId") ", " OF("session") ", " MS(OF("started"))
    ", coalesce(x.value -> '$.metadata', '{}')" EACH " WHERE " APP_OF("appId") " NOTNULL"
    " ON CONFLICT DO UPDATE SET started = excluded.started, metadata = excluded.metadata" },
    { "vulnerabilities", KNOWN_SESSION("vulnerabilities", "/session", OF("session")) EACH
    " WHERE " OF("session") " NOTNULL AND " APP_OF("appId") " NOTNULL AND " SESSION_OF(OF("session"), APP_OF("appId")) " IS NULL" },
    { "routes", KNOWN_SESSION("routes", "/exercised", "(e.value ->> '$.session')") EACH ", json_each(x.value, '$.exercised') e"
    " WHERE " APP_OF("appId") " NOTNULL AND " SESSION_OF("e.value ->> '$.session'", APP_OF("appId")) " IS NULL" },

    /* What was closed and is seen again later is open again; a decision of somebody is kept. */
    { "vulnerabilities", "INSERT INTO findings (app, type, place, mark, title, severity, status, environments, session, first_seen, last_seen) SELECT "
    APP_OF("appId") ", " TYPE_OF("vulnType") ", " OF("location") ", " OF("location") ", " OF("title")
    ", word('severity', " OF("severity") "), word('status', coalesce(" OF("status") ", 'Reported')),"
    " coalesce((SELECT sum(1 << word('environment', e.value)) FROM json_each(x.value, '$.environments') e), 0), coalesce("
    SESSION_OF(OF("session"), APP_OF("appId")) ", 0), " MS(OF("firstSeen")) ", " MS(OF("lastSeen")) EACH
    " WHERE " APP_OF("appId") " NOTNULL ON CONFLICT DO UPDATE SET title = excluded.title, severity = excluded.severity,"
    " status = CASE WHEN status IN (4, 5, 6) AND excluded.last_seen > last_seen THEN excluded.status ELSE status END,"
    " environments = environments | excluded.environments,"
    " session = CASE WHEN excluded.last_seen >= last_seen THEN excluded.session ELSE session END,"
    " first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)" },
    { "vulnerabilities", "INSERT INTO finding_tags (tag, finding) SELECT t.value, f.id" EACH ", json_each(x.value, '$.tags') t"
    " CROSS JOIN findings f WHERE f.app = " APP_OF("appId") " AND f.type = " TYPE_OF("vulnType") " AND f.mark = " OF("location")
    " ON CONFLICT DO NOTHING" },

    { "libraries", "INSERT INTO libraries (app, name, version, latest, license, classes, used) SELECT " APP_OF("appId") ", " OF("name") ", "
    OF("version") ", coalesce(" OF("latestVersion") ", ''), coalesce(" OF("license") ", ''), coalesce(" OF("classCount")
    ", 0), coalesce(" OF("classesUsed") ", 0)" EACH " WHERE " APP_OF("appId") " NOTNULL"
    " ON CONFLICT DO UPDATE SET latest = excluded.latest, license = excluded.license, classes = excluded.classes,"
    " used = excluded.used, usage_known = 1" },
    { "libraries", "INSERT INTO library_sources (source, library) SELECT 0, l.id" EACH " CROSS JOIN libraries l WHERE l.app = "
    APP_OF("appId") " AND l.name = " OF("name") " AND l.version = " OF("version") " ON CONFLICT DO NOTHING" },
    { "libraries", "INSERT INTO library_cves (cve, library) SELECT c.value, l.id" EACH ", json_each(x.value, '$.cves') c"
    " CROSS JOIN libraries l WHERE l.app = " APP_OF("appId") " AND l.name = " OF("name") " AND l.version = " OF("version")
    " ON CONFLICT DO NOTHING" },
    { "attacks", "INSERT INTO attacks (attack, app, type, source, status, environment, automated, active, suppressed, bot_blocker,"
    " ip_blacklist, start, end, events) SELECT " OF("attackId") ", " APP_OF("appId") ", " TYPE_OF("type") ", " OF("sourceIP")
    ", word('attack', " OF("status") "), word('environment', " OF("environment") "), coalesce(" OF("automated")
    ", 0), coalesce(" OF("active") ", 0), coalesce(" OF("suppressed") ", 0), coalesce(" OF("botBlocker") ", 0), coalesce("
    OF("ipBlacklist") ", 0), " MS(OF("startTime")) ", " MS(OF("endTime")) ", coalesce(" OF("eventCount") ", 1)" EACH
    " WHERE " APP_OF("appId") " NOTNULL ON CONFLICT (attack) DO UPDATE SET status = excluded.status, active = excluded.active,"
    " suppressed = excluded.suppressed, end = excluded.end, events = excluded.events" },
    { "servers", "INSERT INTO servers (name, environment, online, protected, agent, out_of_date, log_level, tags, last_activity) SELECT "
    OF("name") ", word('environment', " OF("environment") "), coalesce(" OF("online") ", 0), coalesce(" OF("protected")
    ", 0), coalesce(" OF("agentVersion") ", ''), coalesce(" OF("outOfDate") ", 0), word('log', coalesce(" OF("logLevel")
    ", 'INFO')), coalesce(x.value -> '$.tags', '[]'), " MS(OF("lastActivity")) EACH " WHERE true"
    " ON CONFLICT (name) DO UPDATE SET environment = excluded.environment, online = excluded.online,"
    " protected = excluded.protected, agent = excluded.agent, out_of_date = excluded.out_of_date,"
    " log_level = excluded.log_level, tags = excluded.tags, last_activity = excluded.last_activity" },
    { "servers", "INSERT INTO server_apps (server, app) SELECT s.id, p.id" EACH ", json_each(x.value, '$.applications') a"
    " CROSS JOIN servers s CROSS JOIN applications p WHERE s.name = " OF("name") " AND p.app = a.value ON CONFLICT DO NOTHING" },
    { "routes", "INSERT INTO routes (app, signature) SELECT " APP_OF("appId") ", " OF("signature") EACH
    " WHERE " APP_OF("appId") " NOTNULL ON CONFLICT DO NOTHING" },
    { "routes", "INSERT INTO exercises (route, session, at) SELECT r.id, s.id, " MS("e.value ->> '$.at'") EACH
    ", json_each(x.value, '$.exercised') e CROSS JOIN routes r CROSS JOIN sessions s WHERE r.app = " APP_OF("appId")
    " AND r.signature = " OF("signature") " AND s.app = r.app AND s.session = e.value ->> '$.session'"
    " ON CONFLICT DO UPDATE SET at = max(at, excluded.at)" },
};
/* clang-format on */

/* ---- Part by part ---------------------------------------------------------------------------------------------------- */

/* The next elements of a list as an array of about PART_BYTES, and their number; false when there are no more. */
static bool next_part(struct text *part, struct piece *rest, int64_t *count)
{
    struct piece element;

    text_clear(part);
    for (*count = 0; part->len < PART_BYTES && piece_next(rest, &element); ++*count) {
        text_char(part, *count ? ',' : '[');
        text_add(part, element.at, element.len);
    }
    text_char(part, ']');
    return *count > 0;
}

static bool store_list(struct importing *importing, struct statement *statement, struct piece list,
                       struct import_values values)
{
    struct text part = { 0 };
    int64_t     count;
    bool        good = statement != NULL;

    for (values.first = 0; good && next_part(&part, &list, &count); values.first += count) {
        values.json = (struct piece){ text_of(&part), part.len };
        good = part.failed ? import_out_of_memory(importing) : import_run(importing, statement, &values);
    }
    text_free(&part);
    return good;
}

bool form_store(struct importing *importing, const struct import_values *values)
{
    bool good = true;

    for (size_t i = 0; good && i < sizeof statements / sizeof *statements; i++) {
        struct statement *statement = import_prepare(importing, statements[i].sql);

        good = store_list(importing, statement, piece_member(values->json, statements[i].list), *values);
    }
    return good;
}
