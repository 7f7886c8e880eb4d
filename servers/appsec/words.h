/* words.h - the words of findings, attacks and servers: stored as their places in these lists, which never change. */
#ifndef APPSEC_WORDS_H
#define APPSEC_WORDS_H

enum severity { CRITICAL, HIGH, MEDIUM, LOW, NOTE, SEVERITIES };
enum status { REPORTED, SUSPICIOUS, CONFIRMED, NOT_A_PROBLEM, REMEDIATED, FIXED, AUTO_REMEDIATED, STATUSES };
enum environment { DEVELOPMENT, QA, PRODUCTION, ENVIRONMENTS };
enum attack_status {
    EXPLOITED,
    PROBED,
    BLOCKED,
    BLOCKED_PERIMETER,
    PROBED_PERIMETER,
    SUSPECTED,
    ATTACK_STATUSES
};
enum attack_quick {
    ATTACK_ALL,
    ATTACK_ACTIVE,
    ATTACK_MANUAL,
    ATTACK_AUTOMATED,
    ATTACK_PRODUCTION,
    ATTACK_EFFECTIVE,
    ATTACK_QUICKS
};
enum server_quick {
    SERVER_ALL,
    SERVER_ONLINE,
    SERVER_OFFLINE,
    SERVER_PROTECTED,
    SERVER_UNPROTECTED,
    SERVER_OUT_OF_DATE,
    SERVER_QUICKS
};
enum log_level { LOG_TRACE, LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_LEVELS };

/* What to sort by, and the way: even ones rise, odd ones fall. */
enum attack_sort { ATTACK_SORTS = 10, ATTACK_SORT_DEFAULT = 7 };
enum server_sort { SERVER_SORTS = 8 };

extern const char *const severity_names[SEVERITIES];
extern const char *const status_names[STATUSES];
extern const char *const environment_names[ENVIRONMENTS];
extern const char *const attack_status_names[ATTACK_STATUSES];
extern const char *const attack_quick_names[ATTACK_QUICKS];
extern const char *const attack_sort_names[ATTACK_SORTS];
extern const char *const server_quick_names[SERVER_QUICKS];
extern const char *const server_sort_names[SERVER_SORTS];
extern const char *const log_level_names[LOG_LEVELS];

#endif
