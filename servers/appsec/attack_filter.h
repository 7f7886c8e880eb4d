/* attack_filter.h - the filters of attacks; see filters.h. */
#ifndef APPSEC_ATTACK_FILTER_H
#define APPSEC_ATTACK_FILTER_H

#include <tenon/tenon.h>

#include "appsec/filters.h"
#include "appsec/words.h"

typedef struct {
    enum attack_quick quick;
    tenon_set         statuses;
    const char       *keyword;
    tenon_strs        rules;
    bool              suppressed, bot_blockers, ip_blacklist;
    enum attack_sort  sort;
    tenon_time_range  time;
} attack_filter;

TENON_ROWS(attack_filter_rows, attack_filter,
    TENON_ENUM (quick,        attack_quick_names,  "ACTIVE has not ended; EFFECTIVE was not blocked.", .key = "quickFilter",
                .def = ATTACK_ALL),
    TENON_ENUMS(statuses,     attack_status_names, "Only these statuses.", .key = "statusFilter", .noun = "status",
                .count = {1, ATTACK_STATUSES}, .example = "[\"EXPLOITED\",\"PROBED\"]"),
    TENON_STR  (keyword,      "Part of the source address, the type or the application.", .len = {1, 200}),
    TENON_STRS (rules,        "Only these types; list_vulnerability_types has them.", .comma = true, .count = {1, 50},
                .len = {1, 200}, .lookup = types_look_up, .example = "[\"sql-injection\"]"),
    TENON_BOOL (suppressed,   "Also attacks that were suppressed.", .key = "includeSuppressed", .def = false),
    TENON_BOOL (bot_blockers, "Also what bot blockers stopped.", .key = "includeBotBlockers", .def = false),
    TENON_BOOL (ip_blacklist, "Also what the blacklist of addresses stopped.", .key = "includeIpBlacklist", .def = false),
    TENON_ENUM (sort,         attack_sort_names,   "Property and direction.", .def = ATTACK_SORT_DEFAULT),
    TENON_TIME_RANGE(time));

#endif
