/* upstream.c - what holds where the operator says nothing. */
#include "guard/upstream.h"

#include <tenon/ask.h>

#define STARTS_MOST      5
#define STARTS_WITHIN_MS 60000
#define FAILURES_MOST    5
#define FAILURES_WITHIN  30000
#define TIME_MS          50000 /* below the 60 s after which clients give up */
#define TIME_MOST_MS     600000
#define READY_MS         10000
#define REFRESH_MS       300000
#define CALLS_MAX        16
#define ANSWER_MAX       ((size_t)1 << 20)
#define IDLE_MS          600000

const tenon_choice tn_policy_unknowns[] = {
    { "near", UNKNOWN_NEAR },
    { "reject", UNKNOWN_REJECT },
    { "message", UNKNOWN_MESSAGE },
    { "ignore", UNKNOWN_IGNORE },
    { 0 },
};
const tenon_choice tn_policy_repairs[] = {
    { "on", REPAIRS_ON }, { "form", REPAIRS_FORM }, { "off", REPAIRS_OFF }, { 0 }
};
const tenon_choice tn_policy_results[] = {
    { "check", RESULTS_CHECK }, { "warn", RESULTS_WARN }, { "off", RESULTS_OFF }, { 0 }
};
const tenon_choice tn_policy_changes[] = {
    { "hide", CHANGED_HIDE }, { "keep", CHANGED_KEEP }, { "warn", CHANGED_WARN }, { 0 }
};
const tenon_choice tn_policy_messages[] = {
    { "block", MESSAGES_BLOCK }, { "meta", MESSAGES_META }, { "off", MESSAGES_OFF }, { 0 }
};

/* clang-format off */
void tn_upstream_plain(struct tn_upstream *upstream)
{
    *upstream = (struct tn_upstream){
        .starts_most = STARTS_MOST, .starts_within_ms = STARTS_WITHIN_MS, .start_pause   = { 1000, 30000 },
        .failures    = FAILURES_MOST, .failures_ms    = FAILURES_WITHIN,  .failure_pause = { 1000, 60000 },
        .questions   = ~0u, .ready_ms = READY_MS, .refresh_ms = REFRESH_MS, .prefix = "",
    };
}

void tn_policy_plain(struct tn_policy *policy)
{
    *policy = (struct tn_policy){ .pass_bad_schemas = true, .pass_unknown = true, .results = RESULTS_WARN };
}
/* clang-format on */

void tn_upstream_configured(struct tn_upstream *upstream)
{
    tn_upstream_plain(upstream);
    upstream->questions    = TENON_CAN_ELICIT | TENON_CAN_ELICIT_URL;
    upstream->time_ms      = TIME_MS;
    upstream->time_most_ms = TIME_MOST_MS;
    upstream->answer_max   = ANSWER_MAX;
    upstream->calls_max    = CALLS_MAX;
    upstream->idle_ms      = IDLE_MS;
    upstream->prefix       = NULL;
}

void tn_policy_configured(struct tn_policy *policy)
{
    *policy = (struct tn_policy){ .pass_unknown = true, .results = RESULTS_CHECK };
}
