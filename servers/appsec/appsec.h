/* appsec.h - findings of application security: vulnerabilities, attacks, libraries, routes.
 *
 *   words     enums and their spellings
 *   filters   the groups of parameters that tools share
 *   schema    the database: its tables, indexes and counts
 *   resolve   names that must exist; vocabulary: words that nothing has
 *   findings  vulnerabilities, paged; details: all about one
 *   reasons   why nothing matched
 *   tools_*   eleven tools
 *   import    files into the database: SARIF, CycloneDX, SPDX and a form of our own; sample: what --sample loads
 */
#ifndef APPSEC_APPSEC_H
#define APPSEC_APPSEC_H

#include <string.h>

#include <tenon/tenon.h>

#include "appsec/filters.h"
#include "appsec/words.h"
#include "kit/call.h"
#include "kit/database.h"
#include "kit/program.h"
#include "kit/sql.h"
#include "kit/tools.h"

/* ---- What is answered ---------------------------------------------------------------------------------------- */

typedef struct {
    int64_t       id;
    const char   *app, *app_name, *title, *type, *place;
    enum severity severity;
    enum status   status;
    tenon_set     environments;
    tenon_time    first_seen, last_seen;
} finding;

TENON_ROWS(finding_rows, finding,
    TENON_INT      (id,           "Its number.", .key = "vulnId", .required = true),
    TENON_STR      (app,          "The application's id.", .key = "appId", .required = true),
    TENON_STR      (app_name,     "The application's name.", .key = "appName"),
    TENON_STR      (title,        "What is wrong."),
    TENON_STR      (type,         "Its type, as vulnTypes takes it.", .key = "vulnType", .required = true),
    TENON_ENUM     (severity,     severity_names, "How bad it is.", .required = true),
    TENON_ENUM     (status,       status_names, "What is known or done about it.", .required = true),
    TENON_ENUMS    (environments, environment_names, "Where it was seen."),
    TENON_STR      (place,        "Where in the program.", .key = "location"),
    TENON_TIMESTAMP(first_seen,   "When it was first seen.", .key = "firstSeen"),
    TENON_TIMESTAMP(last_seen,    "When it was last seen.", .key = "lastSeen"));

typedef struct {
    enum status from, to;
    const char *note;
    tenon_time  at;
} change;

TENON_ROWS(change_rows, change,
    TENON_ENUM     (from, status_names, "The status before.", .required = true),
    TENON_ENUM     (to,   status_names, "The status after.", .required = true),
    TENON_STR      (note, "Why."),
    TENON_TIMESTAMP(at,   "When.", .required = true));

typedef struct {
    const char *name, *description, *help;
} rule;

TENON_ROWS(rule_rows, rule,
    TENON_STR(name,        "Its name."),
    TENON_STR(description, "What it looks for."),
    TENON_STR(help,        "Where it is explained.", .key = "helpUri"));

typedef struct {
    const char *place, *message;
} flow_step;

TENON_ROWS(flow_step_rows, flow_step,
    TENON_STR(place,   "Where in the program.", .key = "location"),
    TENON_STR(message, "What happens there."));

#define FLOW_STEPS_MAX 40 /* that are shown; one more is kept, if there are more */

typedef struct {
    finding     finding;
    const char *tool, *snippet;
    const rule *rule;
    tenon_strs  cwes, tags;
    tenon_map   session;
    TENON_LIST_OF(flow_step) flow;
    TENON_LIST_OF(change) changes;
} finding_details;

TENON_ROWS(finding_details_rows, finding_details,
    TENON_GROUP  (finding, finding_rows),
    TENON_STR    (tool,    "The scanner that reports it."),
    TENON_OBJECT (rule,    rule_rows, "The scanner's rule, whose id is vulnType."),
    TENON_STRS   (cwes,    "Kinds of weakness, as vulnTags takes them."),
    TENON_STR    (snippet, "The code that it is about, as the scanner saw it."),
    TENON_OBJECTS(flow,    flow_step_rows, "How a value gets there, step by step.", .key = "codeFlow"),
    TENON_STRS   (tags,    "Its tags, as vulnTags takes them."),
    TENON_MAP    (session, "Metadata of the session that saw it last.", .key = "sessionMetadata"),
    TENON_OBJECTS(changes, change_rows, "Changes of its status, the latest first.", .key = "statusChanges"));

typedef struct {
    const char *app, *name, *language;
    tenon_strs  tags;
    tenon_map   metadata;
    int64_t     open;
} application;

TENON_ROWS(application_rows, application,
    TENON_STR (app,      "Its id, as appId takes it.", .key = "appId", .required = true),
    TENON_STR (name,     "Its name.", .required = true),
    TENON_STR (language, "What it is written in."),
    TENON_STRS(tags,     "Its tags."),
    TENON_MAP (metadata, "Its metadata, as metadataFilters takes it."),
    TENON_INT (open,     "Vulnerabilities that are Reported, Suspicious or Confirmed.", .key = "openVulnerabilities"));

typedef struct {
    const char *name, *version, *latest, *license, *purl;
    tenon_strs  cves;
    bool        usage_known;
    int64_t     classes, used;
} library;

TENON_ROWS(library_rows, library,
    TENON_STR (name,    "Its name.", .required = true),
    TENON_STR (version, "The version that is used.", .required = true),
    TENON_STR (latest,  "The latest one.", .key = "latestVersion"),
    TENON_STR (license, "Its license."),
    TENON_STR (purl,    "Its package URL."),
    TENON_STRS(cves,    "Known vulnerabilities, as cveId takes them."),
    TENON_BOOL(usage_known, "Is it known how much of it is used? If not, the counts below say nothing.", .key = "usageKnown"),
    TENON_INT (classes, "Its classes.", .key = "classCount"),
    TENON_INT (used,    "Of these, used by the application.", .key = "classesUsed"));

typedef struct {
    const char *app, *app_name, *name, *version;
    bool        usage_known;
    int64_t     used;
} affected;

TENON_ROWS(affected_rows, affected,
    TENON_STR(app,      "The application's id.", .key = "appId", .required = true),
    TENON_STR(app_name, "Its name.", .key = "appName"),
    TENON_STR(name,     "The library that has it.", .key = "library", .required = true),
    TENON_STR(version,  "Its version.", .required = true),
    TENON_BOOL(usage_known, "Is it known how much of the library is used?", .key = "usageKnown"),
    TENON_INT(used,     "Classes of it that the application uses; 0 makes the CVE less urgent, if usage is known.",
              .key = "classesUsed"));

typedef struct {
    int64_t            id, events;
    const char        *app, *type, *source;
    enum attack_status status;
    enum environment   environment;
    bool               automated, suppressed;
    tenon_time         start, end;
} attack;

TENON_ROWS(attack_rows, attack,
    TENON_INT      (id,          "Its number.", .key = "attackId", .required = true),
    TENON_STR      (app,         "The application's id.", .key = "appId", .required = true),
    TENON_STR      (type,        "Its type, as rules takes it.", .required = true),
    TENON_STR      (source,      "Where it came from.", .key = "sourceIP"),
    TENON_ENUM     (status,      attack_status_names, "What became of it.", .required = true),
    TENON_ENUM     (environment, environment_names, "Where it happened."),
    TENON_BOOL     (automated,   "Made by a tool?"),
    TENON_BOOL     (suppressed,  "Was it suppressed?"),
    TENON_INT      (events,      "Its events.", .key = "eventCount"),
    TENON_TIMESTAMP(start,       "Its first event.", .key = "startTime"),
    TENON_TIMESTAMP(end,         "Its last event.", .key = "endTime"));

typedef struct {
    const char      *name, *agent;
    enum environment environment;
    enum log_level   log_level;
    bool             online, protected_, out_of_date;
    tenon_strs       tags, apps;
    tenon_time       last_activity;
} server;

TENON_ROWS(server_rows, server,
    TENON_STR      (name,          "Its name.", .required = true),
    TENON_ENUM     (environment,   environment_names, "What it is for.", .required = true),
    TENON_BOOL     (online,        "Does it answer?"),
    TENON_BOOL     (protected_,    "Are attacks blocked there?", .key = "protected"),
    TENON_STR      (agent,         "Version of its agent.", .key = "agentVersion"),
    TENON_BOOL     (out_of_date,   "Is there a newer agent?", .key = "outOfDate"),
    TENON_ENUM     (log_level,     log_level_names, "How much its agent logs.", .key = "logLevel"),
    TENON_STRS     (tags,          "Its tags."),
    TENON_STRS     (apps,          "Ids of its applications, when asked for.", .key = "applications"),
    TENON_TIMESTAMP(last_activity, "When it last reported.", .key = "lastActivity"));

typedef struct {
    const char *signature;
    bool        exercised;
    tenon_time  last;
} route;

TENON_ROWS(route_rows, route,
    TENON_STR      (signature, "Method and path.", .required = true),
    TENON_BOOL     (exercised, "Was it requested?", .required = true),
    TENON_TIMESTAMP(last,      "When it last was.", .key = "lastExercised"));

/* ---- The server ---------------------------------------------------------------------------------------------- */

#define APPSEC_NAME "tenon-appsec"

struct appsec {
    struct sql_pool *pool;
    tenon_server    *server;
};

/* The server; NULL and *mistake. */
tenon_server *appsec_new(struct appsec *appsec, const struct database_options *options,
                         struct mistake *mistake);
void          appsec_free(struct appsec *appsec);

/* `tenon serve appsec`. */
int appsec_main(int argc, char **argv);

static inline struct appsec *appsec_of(const tenon_call *call)
{
    return tenon_user(call);
}

extern const struct sql_schema appsec_schema;

/* A connection on which all that is read is of one moment; NULL, and call_failed() says why. */
struct sql *appsec_reading(tenon_call *call);
void        appsec_done(tenon_call *call, struct sql *sql);

/* ---- Columns: texts are in the call's memory ------------------------------------------------------------------- */

tenon_strs appsec_strs(tenon_call *call, struct statement *row, int column); /* of a JSON array */
tenon_map  appsec_map(tenon_call *call, struct statement *row, int column);  /* of a JSON object */
tenon_time appsec_time(struct statement *row, int column);                   /* NULL is not set */
/* JSON of a list, for json_each(); NULL for none. */
const char *appsec_json(tenon_call *call, const tenon_strs *list);
/* JSON of an object of arrays: the values of each name, which commas separate. NULL for none. */
const char *appsec_choices(tenon_call *call, const tenon_map *map);
/* The same of one name with one value, commas and all. */
const char *appsec_choice(tenon_call *call, const char *name, const char *value);

/* ---- Metadata in statements: a column has JSON of it, and what is asked is as appsec_choices() makes it -------------- */

/* Names with their values, the names that are asked for, and one of these values: as tables. */
#define METADATA_OF(column) SQL_EITHER("json_each(" column ")", "json_each_text(CAST(" column " AS json))")
#define CHOICES_OF(choices) SQL_EITHER("json_each(" choices ")", "json_each(CAST(" choices " AS json))")
#define TAGS_OF(column)     SQL_EITHER("json_each(" column ") g", "json_array_elements_text(CAST(" column " AS json)) g(value)")
#define VALUES_OF(choice)   SQL_EITHER("json_each(" choice ") v", "json_array_elements_text(" choice ") v(value)")
/* In lower case, whatever the database's locale. */
#define LOWER(text) SQL_EITHER("lower(" text ")", "lower(" text " COLLATE \"C\")")
#define HAS_METADATA(column, choices)                                                                        \
    "NOT EXISTS (SELECT 1 FROM " CHOICES_OF(choices) " w WHERE NOT EXISTS (SELECT 1 FROM " METADATA_OF(column) " m WHERE " \
    LOWER("m.key") " = " LOWER("w.key") " AND EXISTS (SELECT 1 FROM " VALUES_OF("w.value") " WHERE v.value = m.value)))"

/* ---- Names ----------------------------------------------------------------------------------------------------- */

/* The ids of types as JSON for json_each(), NULL in *ids for no names. One that is not there has the id 0, which nothing has.
 * False only after a failure. */
bool types_number(struct sql *sql, tenon_call *call, const tenon_strs *names, const char **ids);
/* An application: APP_NONE and a message when it is not there. False only after a failure. */
#define APP_NONE (-1)
bool apps_find(struct sql *sql, tenon_call *call, const char *id, int64_t *app);

/* The nearest name that a statement gives, if it is near at all: one that begins alike, or has few edits. Else NULL. */
const char *names_nearest(struct sql *sql, tenon_call *call, struct statement *statement, const char *name);

/* ---- Vulnerabilities ------------------------------------------------------------------------------------------- */

struct finding_query {
    const finding_filter *filter;
    int64_t               app;      /* 0: all */
    const char           *types;    /* of types_number() */
    const char           *sessions; /* JSON of ids; NULL: all */
};

bool findings_find(struct sql *sql, tenon_call *call, const struct finding_query *query,
                   const tenon_page *page, finding **out, size_t *count, int64_t *total);
/* How many there are in all; -1 after a failure. */
int64_t findings_count(struct sql *sql, tenon_call *call, const struct finding_query *query);
/* The columns of findings_read(), and the tables that they are of: f is the finding. */
#define FINDING_COLUMNS                                                                                      \
    "f.id, a.app, a.name, f.title, t.name, f.severity, f.status, f.environments, f.place, f.first_seen, f.last_seen"
#define FINDING_COLUMN_COUNT 11
#define FINDING_TABLES       " findings f JOIN applications a ON a.id = f.app JOIN types t ON t.id = f.type"
finding findings_read(tenon_call *call, struct statement *row);

bool findings_get(struct sql *sql, tenon_call *call, int64_t id, int64_t app, finding_details *out,
                  bool *found);
/* Others that decide about it wait until the transaction ends; what is decided about is read after it. */
bool findings_lock(struct sql *sql, int64_t id);
bool findings_change(struct sql *sql, int64_t id, const change *made);

/* Ids of the sessions of an application, as JSON: the latest one, or those with the metadata. */
bool sessions_latest(struct sql *sql, tenon_call *call, int64_t app, const char **ids);
bool sessions_with(struct sql *sql, tenon_call *call, int64_t app, const char *choices, const char **ids);

TENON_TOOL_DECL(search_vulnerabilities);
TENON_TOOL_DECL(search_app_vulnerabilities);
TENON_TOOL_DECL(get_vulnerability);
TENON_TOOL_DECL(list_vulnerability_types);
TENON_TOOL_DECL(update_vulnerability_status);
TENON_TOOL_DECL(search_applications);
TENON_TOOL_DECL(list_application_libraries);
TENON_TOOL_DECL(list_applications_by_cve);
TENON_TOOL_DECL(search_attacks);
TENON_TOOL_DECL(search_servers);
TENON_TOOL_DECL(get_route_coverage);

extern const struct tool_list appsec_tools;

#endif
