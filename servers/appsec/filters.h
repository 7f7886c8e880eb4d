/* filters.h - the parameters that tools share, each group declared once. */
#ifndef APPSEC_FILTERS_H
#define APPSEC_FILTERS_H

#include <tenon/tenon.h>

#include "appsec/words.h"

#define SEARCH_HINTS (TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD))

/* lookup.c: types and applications that must be there, of lists; and one application. */
void types_look_up(tenon_lookup *lookup, const void *value);
void apps_look_up(tenon_lookup *lookup, const void *value);
void app_look_up(tenon_lookup *lookup, const void *value);

/* One application that must be there, and one that the answer is about if it is. */
#define APP_ID_DOC "The application's id; search_applications finds it."
#define APP_ID(f) \
    TENON_STR(f, APP_ID_DOC, .key = "appId", .required = true, .len = { 1, 200 }, .lookup = app_look_up)
#define APP_ID_OR_NONE(f) TENON_STR(f, APP_ID_DOC, .key = "appId", .required = true, .len = { 1, 200 })

#define TIME_NOTE "Time filters apply to LAST ACTIVITY DATE (lastSeen), not discovery date"

#define STATUSES_NOTE \
    "Using default statuses: Reported, Suspicious, Confirmed (excludes Fixed/Remediated). To see all statuses, specify " \
    "statuses parameter explicitly."

typedef struct {
    tenon_time after, before;
} seen_range;

TENON_ROWS(seen_rows, seen_range,
    TENON_DATE(after,  "Last seen on or after this date.", .key = "lastSeenAfter", .note = TIME_NOTE, .example = "2026-01-01"),
    TENON_DATE(before, "Last seen on or before this date; the whole day counts.", .key = "lastSeenBefore",
               .end_of_day = true, .note = TIME_NOTE, .example = "2026-12-31"),
    TENON_ORDERED(after, before));

typedef struct {
    tenon_set  severities, statuses, environments;
    tenon_strs types, tags;
    seen_range seen;
} finding_filter;

TENON_ROWS(finding_filter_rows, finding_filter,
    TENON_ENUMS(severities,   severity_names,    "Only these severities.", .noun = "severity", .count = {1, SEVERITIES},
                .example = "[\"CRITICAL\",\"HIGH\"]"),
    TENON_ENUMS(statuses,     status_names,      "Only these statuses.", .noun = "status", .count = {1, STATUSES},
                .def = "Reported,Suspicious,Confirmed", .default_note = STATUSES_NOTE, .example = "[\"Reported\",\"Fixed\"]"),
    TENON_STRS (types,        "Only these types; list_vulnerability_types has them.", .key = "vulnTypes", .comma = true,
                .count = {1, 50}, .len = {1, 200}, .lookup = types_look_up, .example = "[\"sql-injection\"]"),
    TENON_ENUMS(environments, environment_names, "Only seen in one of these.", .noun = "environment",
                .count = {1, ENVIRONMENTS}, .example = "[\"PRODUCTION\"]"),
    TENON_STRS (tags,         "Only with one of these tags.", .key = "vulnTags", .comma = true, .count = {1, 50},
                .len = {1, 200}, .example = "[\"owasp-top-10\"]"),
    TENON_GROUP(seen, seen_rows));

/* Metadata: every name must have one of its values. */
#define METADATA_FILTER(f, key_, doc_)                                                                                      \
    TENON_MAP(f, doc_, .key = key_, .json_text = true, .count = { 1, 20 }, .len = { 1, 500 },                               \
              .example = "{\"branch\":\"main,release\"}")

typedef struct {
    const char *keyword;
    bool        vulnerable, used;
} library_filter;

TENON_ROWS(library_filter_rows, library_filter,
    TENON_STR (keyword,    "Part of the library's name.", .len = {1, 200}),
    TENON_BOOL(vulnerable, "Only those with known CVEs.", .key = "onlyVulnerable", .def = false),
    TENON_BOOL(used,       "Only those of which the application uses a class.", .key = "onlyUsed", .def = false));

typedef struct {
    const char *name, *value;
    bool        latest;
} route_filter;

TENON_ROWS(route_filter_rows, route_filter,
    TENON_STR (name,   "Only sessions that have this metadata; together with its value.", .key = "sessionMetadataName",
               .len = {1, 200}),
    TENON_STR (value,  "Its value.", .key = "sessionMetadataValue", .len = {1, 500}),
    TENON_BOOL(latest, "Only the latest session.", .key = "useLatestSession"),
    TENON_TOGETHER(name, value),
    TENON_EXCLUSIVE(name, latest));

#endif
