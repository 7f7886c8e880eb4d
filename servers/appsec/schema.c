/* schema.c - the tables.
 *
 * Findings are shown by severity, then the latest first. The indexes findings_order and findings_of_app hold that order and
 * every column that a filter asks about, so that a page is found without looking at a row; tallies count findings by the
 * same columns, kept by triggers, so that the total of a search costs the same however many there are.
 *
 * A word of words.h is stored as its place in its list: word('severity', 'HIGH') is 1.
 */
#include "appsec/appsec.h"
#include "appsec/marks.h"
#include "kit/sqlite.h"

#define APPLICATION_ID 0x74736563 /* "tsec" */

static const char applications[] =
    "CREATE TABLE types (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE);"
    "CREATE TABLE applications (id INTEGER PRIMARY KEY, app TEXT NOT NULL UNIQUE COLLATE NOCASE, name TEXT "
    "NOT NULL,"
    " language TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '[]', metadata TEXT NOT NULL DEFAULT "
    "'{}');"
    "CREATE INDEX applications_order ON applications (name, id);"
    "CREATE TABLE sessions (id INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES applications (id),"
    " session TEXT NOT NULL, started INTEGER NOT NULL, metadata TEXT NOT NULL DEFAULT '{}', UNIQUE (app, "
    "session));"
    "CREATE INDEX sessions_latest ON sessions (app, started, id);";

static const char findings[] =
    "CREATE TABLE findings (id INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES applications (id),"
    " type INTEGER NOT NULL REFERENCES types (id), place TEXT NOT NULL, mark TEXT NOT NULL, title TEXT NOT "
    "NULL,"
    " severity INTEGER NOT NULL, status INTEGER NOT NULL, environments INTEGER NOT NULL DEFAULT 0,"
    " session INTEGER NOT NULL DEFAULT 0, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,"
    " UNIQUE (app, type, mark));"
    "CREATE INDEX findings_order ON findings"
    " (severity, last_seen DESC, id, status, type, environments, app, session);"
    "CREATE INDEX findings_of_app ON findings"
    " (app, severity, last_seen DESC, id, status, type, environments, session);"
    "CREATE TABLE finding_tags (tag TEXT NOT NULL COLLATE NOCASE, finding INTEGER NOT NULL REFERENCES "
    "findings (id),"
    " PRIMARY KEY (tag, finding)) WITHOUT ROWID;"
    "CREATE INDEX finding_tags_of ON finding_tags (finding, tag);"
    "CREATE TABLE changes (id INTEGER PRIMARY KEY, finding INTEGER NOT NULL REFERENCES findings (id),"
    " from_status INTEGER NOT NULL, to_status INTEGER NOT NULL, note TEXT NOT NULL DEFAULT '', at INTEGER "
    "NOT NULL);"
    "CREATE INDEX changes_of ON changes (finding, id);";

#define TALLY_COLUMNS "severity, app, status, type, environments"
#define TALLY_OF(row) row ".severity, " row ".app, " row ".status, " row ".type, " row ".environments"
#define TALLY_ADD                                                                                            \
    " INSERT INTO tallies (" TALLY_COLUMNS ", number) VALUES (" TALLY_OF("new") ", 1)"                       \
    " ON CONFLICT DO UPDATE SET number = number + 1;"
#define TALLY_TAKE                                                                                           \
    " UPDATE tallies SET number = number - 1 WHERE (" TALLY_COLUMNS ") = (" TALLY_OF("old") ");"

static const char tallies[] =
    "CREATE TABLE tallies (severity INTEGER NOT NULL, app INTEGER NOT NULL, status INTEGER NOT NULL, type "
    "INTEGER NOT NULL,"
    " environments INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (" TALLY_COLUMNS ")) WITHOUT ROWID;"
    "CREATE TRIGGER tally_new AFTER INSERT ON findings BEGIN" TALLY_ADD " END;"
    "CREATE TRIGGER tally_gone AFTER DELETE ON findings BEGIN" TALLY_TAKE " END;"
    "CREATE TRIGGER tally_moved AFTER UPDATE OF " TALLY_COLUMNS " ON findings"
    " WHEN (" TALLY_OF("new") ") IS NOT (" TALLY_OF("old") ") BEGIN" TALLY_TAKE TALLY_ADD " END;";

static const char others[] =
    "CREATE TABLE libraries (id INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES applications (id), name "
    "TEXT NOT NULL,"
    " version TEXT NOT NULL, latest TEXT NOT NULL DEFAULT '', license TEXT NOT NULL DEFAULT '',"
    " classes INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0, UNIQUE (app, name, version));"
    "CREATE TABLE library_cves (cve TEXT NOT NULL COLLATE NOCASE, library INTEGER NOT NULL REFERENCES "
    "libraries (id),"
    " PRIMARY KEY (cve, library)) WITHOUT ROWID;"
    "CREATE INDEX library_cves_of ON library_cves (library, cve);"
    "CREATE TABLE attacks (id INTEGER PRIMARY KEY, attack TEXT NOT NULL UNIQUE,"
    " app INTEGER NOT NULL REFERENCES applications (id), type INTEGER NOT NULL REFERENCES types (id),"
    " source TEXT NOT NULL, status INTEGER NOT NULL, environment INTEGER NOT NULL, automated INTEGER NOT "
    "NULL DEFAULT 0,"
    " active INTEGER NOT NULL DEFAULT 0, suppressed INTEGER NOT NULL DEFAULT 0, bot_blocker INTEGER NOT NULL "
    "DEFAULT 0,"
    " ip_blacklist INTEGER NOT NULL DEFAULT 0, start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " events INTEGER NOT NULL DEFAULT 1);"
    "CREATE INDEX attacks_order ON attacks (end DESC, id);"
    "CREATE TABLE servers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, environment "
    "INTEGER NOT NULL,"
    " online INTEGER NOT NULL DEFAULT 0, protected INTEGER NOT NULL DEFAULT 0, agent TEXT NOT NULL DEFAULT "
    "'',"
    " out_of_date INTEGER NOT NULL DEFAULT 0, log_level INTEGER NOT NULL, tags TEXT NOT NULL DEFAULT '[]',"
    " last_activity INTEGER NOT NULL);"
    "CREATE TABLE server_apps (server INTEGER NOT NULL REFERENCES servers (id),"
    " app INTEGER NOT NULL REFERENCES applications (id), PRIMARY KEY (server, app)) WITHOUT ROWID;"
    "CREATE TABLE routes (id INTEGER PRIMARY KEY, app INTEGER NOT NULL REFERENCES applications (id),"
    " signature TEXT NOT NULL, UNIQUE (app, signature));"
    "CREATE TABLE exercises (route INTEGER NOT NULL REFERENCES routes (id),"
    " session INTEGER NOT NULL REFERENCES sessions (id), at INTEGER NOT NULL, PRIMARY KEY (route, session)) "
    "WITHOUT ROWID;";

/* Who reports: a tool for findings (kind 0), or for libraries (kind 1). Source 0 is everything else: a file of our own form, a
 * person. What releases before this table took in from a tool is given to that tool, which its session names; its findings
 * keep the marks they had until a report names them again (see import_sarif.c). */
static const char reports[] = "CREATE TABLE sources (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name "
                              "TEXT NOT NULL, UNIQUE (kind, name));"
                              "CREATE TABLE reports (app INTEGER NOT NULL REFERENCES applications (id),"
                              " source INTEGER NOT NULL REFERENCES sources (id), at INTEGER NOT NULL, "
                              "PRIMARY KEY (app, source)) WITHOUT ROWID;"
                              "ALTER TABLE findings ADD COLUMN source INTEGER NOT NULL DEFAULT 0;"
                              "INSERT INTO sources (kind, name) SELECT DISTINCT 0, s.metadata ->> '$.tool' "
                              "FROM findings f JOIN sessions s ON s.id = f.session"
                              " WHERE f.mark <> f.place AND s.metadata ->> '$.tool' NOTNULL;"
                              "UPDATE findings SET source = coalesce((SELECT o.id FROM sessions s JOIN "
                              "sources o ON o.kind = 0 AND o.name = s.metadata ->> '$.tool'"
                              " WHERE s.id = findings.session), 0) WHERE mark <> place;"
                              "ALTER TABLE changes ADD COLUMN source INTEGER NOT NULL DEFAULT 0;"
                              "CREATE TABLE rules (source INTEGER NOT NULL REFERENCES sources (id), type "
                              "INTEGER NOT NULL REFERENCES types (id),"
                              " name TEXT NOT NULL, description TEXT NOT NULL, help TEXT NOT NULL, PRIMARY "
                              "KEY (source, type)) WITHOUT ROWID;"
                              "CREATE TABLE evidence (finding INTEGER PRIMARY KEY REFERENCES findings (id), "
                              "snippet TEXT NOT NULL, flow TEXT NOT NULL);"
                              "ALTER TABLE libraries ADD COLUMN purl TEXT NOT NULL DEFAULT '';"
                              "ALTER TABLE libraries ADD COLUMN usage_known INTEGER NOT NULL DEFAULT 1;"
                              "CREATE TABLE library_sources (source INTEGER NOT NULL, library INTEGER NOT "
                              "NULL REFERENCES libraries (id),"
                              " PRIMARY KEY (source, library)) WITHOUT ROWID;"
                              "CREATE INDEX library_sources_of ON library_sources (library, source);"
                              "INSERT INTO library_sources SELECT 0, id FROM libraries;";

/* ---- word(kind, name): its place, or NULL ------------------------------------------------------------------------ */

#define KIND(name, list) { name, list, sizeof list / sizeof *list }

static const struct kind {
    const char        *name;
    const char *const *words;
    size_t             count;
} kinds[] = {
    KIND("severity", severity_names),    KIND("status", status_names), KIND("environment", environment_names),
    KIND("attack", attack_status_names), KIND("log", log_level_names),
};

static void find_word(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *kind = (const char *)sqlite3_value_text(values[0]);
    const char *word = (const char *)sqlite3_value_text(values[1]);

    (void)count;
    for (size_t i = 0; kind && word && i < sizeof kinds / sizeof *kinds; i++)
        for (size_t at = 0; strcmp(kinds[i].name, kind) == 0 && at < kinds[i].count; at++)
            if (sqlite3_stricmp(kinds[i].words[at], word) == 0) {
                sqlite3_result_int(context, (int)at);
                return;
            }
    sqlite3_result_null(context);
}

static bool connect_functions(struct sql *sql)
{
    int code = sqlite3_create_function_v2(sqlite_database(sql), "word", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                          NULL, find_word, NULL, NULL, NULL);

    return sqlite_check(sql, code) && marks_connect(sql);
}

/* Only added to: release 0.1 ends with `others`. */
static const char *const steps[] = { applications, findings, tallies, others, reports };

/* The same for PostgreSQL. Imports happen in SQLite's memory and come here as rows (import_shared.c): they give every number but
 * those of changes, count the tallies, and keep marks unique, of which two may change places. Columns that SQLite compares
 * without case have an index in lower case. */
#define ID    "id BIGINT PRIMARY KEY"
#define TEXT  "TEXT COLLATE \"C\" NOT NULL"
#define EMPTY TEXT " DEFAULT ''"
#define KEY   "BIGINT NOT NULL REFERENCES"

/* clang-format off */
static const char *const shared_steps[] = {
    "CREATE TABLE types (" ID ", name " TEXT "); CREATE UNIQUE INDEX types_name ON types (lower(name));"
    "CREATE TABLE applications (" ID ", app " TEXT ", name " TEXT ", language " EMPTY ", tags " TEXT " DEFAULT '[]',"
    " metadata " TEXT " DEFAULT '{}'); CREATE UNIQUE INDEX applications_app ON applications (lower(app));"
    "CREATE INDEX applications_order ON applications (name, id);"
    "CREATE TABLE sessions (" ID ", app " KEY " applications (id), session " TEXT ", started BIGINT NOT NULL,"
    " metadata " TEXT " DEFAULT '{}', UNIQUE (app, session));"
    "CREATE INDEX sessions_latest ON sessions (app, started, id);",

    "CREATE TABLE findings (" ID ", app " KEY " applications (id), type " KEY " types (id), place " TEXT ", mark " TEXT ","
    " title " TEXT ", severity BIGINT NOT NULL, status BIGINT NOT NULL, environments BIGINT NOT NULL DEFAULT 0,"
    " session BIGINT NOT NULL DEFAULT 0, first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL, source BIGINT NOT NULL DEFAULT 0);"
    "CREATE INDEX findings_order ON findings (severity, last_seen DESC, id, status, type, environments, app, session);"
    "CREATE INDEX findings_of_app ON findings (app, severity, last_seen DESC, id, status, type, environments, session);"
    "CREATE TABLE finding_tags (tag " TEXT ", finding " KEY " findings (id), PRIMARY KEY (tag, finding));"
    "CREATE INDEX finding_tags_tag ON finding_tags (lower(tag), finding); CREATE INDEX finding_tags_of ON finding_tags (finding);",

    "CREATE TABLE changes (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, finding " KEY " findings (id),"
    " from_status BIGINT NOT NULL, to_status BIGINT NOT NULL, note " EMPTY ", at BIGINT NOT NULL, source BIGINT NOT NULL DEFAULT 0);"
    "CREATE INDEX changes_of ON changes (finding, id);"
    "CREATE TABLE tallies (severity BIGINT NOT NULL, app BIGINT NOT NULL, status BIGINT NOT NULL, type BIGINT NOT NULL,"
    " environments BIGINT NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (" TALLY_COLUMNS "));"
    "CREATE INDEX tallies_of_app ON tallies (app, severity);",

    "CREATE TABLE libraries (" ID ", app " KEY " applications (id), name " TEXT ", version " TEXT ", latest " EMPTY ","
    " license " EMPTY ", classes BIGINT NOT NULL DEFAULT 0, used BIGINT NOT NULL DEFAULT 0, purl " EMPTY ","
    " usage_known BIGINT NOT NULL DEFAULT 1, UNIQUE (app, name, version));"
    "CREATE TABLE library_cves (cve " TEXT ", library " KEY " libraries (id), PRIMARY KEY (cve, library));"
    "CREATE INDEX library_cves_cve ON library_cves (lower(cve), library); CREATE INDEX library_cves_of ON library_cves (library);",

    "CREATE TABLE attacks (" ID ", attack " TEXT " UNIQUE, app " KEY " applications (id), type " KEY " types (id), source " TEXT ","
    " status BIGINT NOT NULL, environment BIGINT NOT NULL, automated BIGINT NOT NULL DEFAULT 0, active BIGINT NOT NULL DEFAULT 0,"
    " suppressed BIGINT NOT NULL DEFAULT 0, bot_blocker BIGINT NOT NULL DEFAULT 0, ip_blacklist BIGINT NOT NULL DEFAULT 0,"
    " start BIGINT NOT NULL, \"end\" BIGINT NOT NULL, events BIGINT NOT NULL DEFAULT 1);"
    "CREATE INDEX attacks_order ON attacks (\"end\" DESC, id);"
    "CREATE TABLE servers (" ID ", name " TEXT ", environment BIGINT NOT NULL, online BIGINT NOT NULL DEFAULT 0,"
    " protected BIGINT NOT NULL DEFAULT 0, agent " EMPTY ", out_of_date BIGINT NOT NULL DEFAULT 0, log_level BIGINT NOT NULL,"
    " tags " TEXT " DEFAULT '[]', last_activity BIGINT NOT NULL); CREATE UNIQUE INDEX servers_name ON servers (lower(name));"
    "CREATE TABLE server_apps (server " KEY " servers (id), app " KEY " applications (id), PRIMARY KEY (server, app));"
    "CREATE TABLE routes (" ID ", app " KEY " applications (id), signature " TEXT ", UNIQUE (app, signature));"
    "CREATE TABLE exercises (route " KEY " routes (id), session " KEY " sessions (id), at BIGINT NOT NULL, PRIMARY KEY (route, session));"
    "CREATE TABLE sources (" ID ", kind BIGINT NOT NULL, name " TEXT ", UNIQUE (kind, name));"
    "CREATE TABLE reports (app " KEY " applications (id), source " KEY " sources (id), at BIGINT NOT NULL, PRIMARY KEY (app, source));"
    "CREATE TABLE rules (source " KEY " sources (id), type " KEY " types (id), name " TEXT ", description " TEXT ", help " TEXT ","
    " PRIMARY KEY (source, type));"
    "CREATE TABLE evidence (finding BIGINT PRIMARY KEY REFERENCES findings (id), snippet " TEXT ", flow " TEXT ");"
    "CREATE TABLE library_sources (source BIGINT NOT NULL, library " KEY " libraries (id), PRIMARY KEY (source, library));"
    "CREATE INDEX library_sources_of ON library_sources (library);",
};
/* clang-format on */

const struct sql_schema appsec_schema = { .at             = steps,
                                          .count          = sizeof steps / sizeof *steps,
                                          .application_id = APPLICATION_ID,
                                          .name           = "appsec",
                                          .shared         = shared_steps,
                                          .connect        = connect_functions };
