/* words.c - see words.h. */
#include "appsec/words.h"

/* clang-format off */
const char *const severity_names[SEVERITIES] = {
    [CRITICAL] = "CRITICAL", [HIGH] = "HIGH", [MEDIUM] = "MEDIUM", [LOW] = "LOW", [NOTE] = "NOTE",
};

const char *const status_names[STATUSES] = {
    [REPORTED]      = "Reported",    [SUSPICIOUS] = "Suspicious", [CONFIRMED] = "Confirmed",
    [NOT_A_PROBLEM] = "NotAProblem", [REMEDIATED] = "Remediated", [FIXED]     = "Fixed",
    [AUTO_REMEDIATED] = "AutoRemediated",
};

const char *const environment_names[ENVIRONMENTS] = {
    [DEVELOPMENT] = "DEVELOPMENT", [QA] = "QA", [PRODUCTION] = "PRODUCTION",
};

const char *const attack_status_names[ATTACK_STATUSES] = {
    [EXPLOITED]         = "EXPLOITED",         [PROBED]           = "PROBED",           [BLOCKED]   = "BLOCKED",
    [BLOCKED_PERIMETER] = "BLOCKED_PERIMETER", [PROBED_PERIMETER] = "PROBED_PERIMETER", [SUSPECTED] = "SUSPICIOUS",
};

const char *const attack_quick_names[ATTACK_QUICKS] = {
    [ATTACK_ALL]       = "ALL",       [ATTACK_ACTIVE]     = "ACTIVE",     [ATTACK_MANUAL]    = "MANUAL",
    [ATTACK_AUTOMATED] = "AUTOMATED", [ATTACK_PRODUCTION] = "PRODUCTION", [ATTACK_EFFECTIVE] = "EFFECTIVE",
};

const char *const attack_sort_names[ATTACK_SORTS] = {
    "sourceIP,ASC",  "sourceIP,DESC", "status,ASC", "status,DESC", "startTime,ASC", "startTime,DESC",
    "endTime,ASC",   "endTime,DESC",  "type,ASC",   "type,DESC",
};

const char *const server_quick_names[SERVER_QUICKS] = {
    [SERVER_ALL]       = "ALL",       [SERVER_ONLINE]      = "ONLINE",      [SERVER_OFFLINE]     = "OFFLINE",
    [SERVER_PROTECTED] = "PROTECTED", [SERVER_UNPROTECTED] = "UNPROTECTED", [SERVER_OUT_OF_DATE] = "OUT_OF_DATE",
};

const char *const server_sort_names[SERVER_SORTS] = {
    "name,ASC",         "name,DESC",         "environment,ASC",  "environment,DESC",
    "lastActivity,ASC", "lastActivity,DESC", "agentVersion,ASC", "agentVersion,DESC",
};

const char *const log_level_names[LOG_LEVELS] = {
    [LOG_TRACE] = "TRACE", [LOG_DEBUG] = "DEBUG", [LOG_INFO] = "INFO", [LOG_WARN] = "WARN", [LOG_ERROR] = "ERROR",
};
