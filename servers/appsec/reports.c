/* reports.c - the state that reports describe: what the last report of a tool no longer has is closed, or gone.
 *
 * Parts of an import note in seen_reports whose report they read, and in seen_findings and seen_libraries what was in it. A
 * report that is older than the last one of its tool adds to what is known and closes nothing. A finding that is closed has
 * that in the history of its status; one that a person closed, or marked as no problem, is left alone.
 */
#include "appsec/import.h"

/* clang-format off */
static const char *const begin[] = {
    "CREATE TEMP TABLE IF NOT EXISTS seen_reports (app INTEGER, source INTEGER, at INTEGER, PRIMARY KEY (app, source)) WITHOUT ROWID",
    "CREATE TEMP TABLE IF NOT EXISTS seen_findings (finding INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE IF NOT EXISTS seen_libraries (source INTEGER, library INTEGER, PRIMARY KEY (source, library)) WITHOUT ROWID",
    "DELETE FROM seen_reports", "DELETE FROM seen_findings", "DELETE FROM seen_libraries",
    NULL,
};

/* Open ones of a report's tool that it does not have. */
#define VANISHED                                                                                                       \
    " FROM seen_reports r JOIN sources o ON o.id = r.source JOIN findings f ON f.app = r.app AND f.source = r.source"  \
    " WHERE f.status IN (0, 1, 2) AND f.last_seen <= r.at AND f.id NOT IN (SELECT finding FROM seen_findings)"

/* ?3 is the time. The order matters: a change is recorded while the finding still has the status that it had. */
static const char *const end[] = {
    "DELETE FROM seen_reports WHERE at < (SELECT at FROM reports p WHERE p.app = seen_reports.app AND p.source = seen_reports.source)",
    "INSERT INTO changes (finding, from_status, to_status, note, at, source) SELECT f.id, f.status, word('status', 'AutoRemediated'),"
    " 'Not in the report of ' || o.name || ' of ' || strftime('%Y-%m-%dT%H:%M:%SZ', r.at / 1000, 'unixepoch') || ' any more.', ?3, o.id"
    VANISHED,
    "UPDATE findings SET status = word('status', 'AutoRemediated') WHERE id IN (SELECT f.id" VANISHED ")",

    "DELETE FROM library_sources WHERE source IN (SELECT source FROM seen_reports) AND (source, library) NOT IN (SELECT source, library"
    " FROM seen_libraries) AND (source, (SELECT app FROM libraries WHERE id = library)) IN (SELECT source, app FROM seen_reports)",
    "DELETE FROM library_cves WHERE library NOT IN (SELECT library FROM library_sources)",
    "DELETE FROM libraries WHERE id NOT IN (SELECT library FROM library_sources)",

    "INSERT INTO reports (app, source, at) SELECT app, source, at FROM seen_reports WHERE true"
    " ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
    "DELETE FROM seen_reports", "DELETE FROM seen_findings", "DELETE FROM seen_libraries",
    NULL,
};
/* clang-format on */

bool reports_begin(struct importing *importing, const struct import_values *values)
{
    return import_run_all(importing, begin, values);
}

bool reports_end(struct importing *importing, const struct import_values *values)
{
    return import_run_all(importing, end, values);
}
