/* call.c - calls of tools: found, allowed, judged, and sent. */
#define _GNU_SOURCE
#include "guard/call.h"

#include <string.h>

#include "base/clock.h"
#include "guard/answer/errors.h"
#include "guard/bridge.h"
#include "guard/catalog.h"
#include "guard/config/trial.h"
#include "guard/params.h"
#include "guard/phrases.h"
#include "guard/pins/pins.h"
#include "guard/policy/admission.h"
#include "guard/policy/policy.h"
#include "guard/question/state.h"
#include "guard/report/report.h"
#include "mcp/offer/tools.h"

#define NOTHING ((struct tn_slice){ NULL, 0 })

/* Did a proxy before the guard see in headers what the arguments say? False when that was answered. */
static bool headers_agree(struct tn_relay *relay)
{
    const struct tn_tool *tool = &relay->tool->tool;

    return tool->header_count == 0 || !relay->x->on_http || !relay->http ||
           tn_tools_headers_agree(relay->x, relay->http, tool->headers, tool->header_count);
}

static void answer_failure(struct tn_relay *relay, const char *code, const char *reason, int64_t retry_ms,
                           const char *message)
{
    tn_errors_answer(relay, &(struct tn_failure){ .code     = code,
                                                  .message  = tn_slice_of(message),
                                                  .reason   = reason,
                                                  .retry_ms = retry_ms });
}

/* Finds the tool of a call. What this caller may not see is as what never was. False when it was answered. */
static bool find_tool(struct tn_relay *relay)
{
    struct tn_exchange *x       = relay->x;
    struct tn_catalog  *catalog = relay->link->catalog;
    struct tn_slice     name    = tn_rpc_text(tn_rpc_get(x->params, "name"));

    relay->tool = name.at ? tn_catalog_find(catalog, name) : NULL;
    if (relay->tool && !tn_catalog_shows(catalog, relay->tool, &x->caller))
        relay->tool = NULL;
    if (!relay->tool && name.at && tn_pins_refuse(relay, name))
        return false;
    if (!relay->tool) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, name.at ? GUARD_NO_TOOL : GUARD_NO_NAME,
                         tn_exchange_echo(x, name));
        return false;
    }
    relay->catalog = catalog;
    tn_catalog_hold(catalog);
    if (!tn_slice_same(relay->tool->name, relay->tool->published))
        tn_relay_rename(relay, relay->tool->name);
    return true;
}

/* By the policy: tools that may change something, and rates. False when it was answered. */
static bool may_call(struct tn_relay *relay)
{
    struct tn_exchange *x = relay->x;
    int64_t             wait_ms;
    char                text[sizeof GUARD_TOO_OFTEN + 24];

    if (relay->tool->unlisted && !tn_trial_passes(relay, GUARD_DENIED_READ_ONLY)) {
        answer_failure(relay, TENON_CODE_DENIED, GUARD_REASON_READ_ONLY, RETRY_NEVER, GUARD_DENIED_READ_ONLY);
        return false;
    }
    wait_ms = tn_policy_take(relay->link->guard, &x->caller, x->account, relay->link->upstream,
                             relay->tool->rule, tn_clock_now_us());
    if (wait_ms == 0)
        return true;
    snprintf(text, sizeof text, GUARD_TOO_OFTEN, (long long)wait_ms);
    if (tn_trial_passes(relay, text))
        return true;
    answer_failure(relay, TENON_CODE_LIMIT_EXCEEDED, NULL, wait_ms, text);
    return false;
}

/* The order is that of the design: the first refusal ends it; what is wrong with the arguments is found all at once. */
void tn_call_go(struct tn_relay *relay)
{
    struct tn_exchange *x = relay->x;
    struct tn_admission admission;

    if (!find_tool(relay) || !headers_agree(relay) || !may_call(relay) || !tn_state_open(relay))
        return;
    if (!tn_admission_of(relay, tn_rpc_get(x->params, "arguments"), NOTHING, &admission)) {
        tn_exchange_fail_bare(x);
        return;
    }
    tn_trial_admit(relay, &admission);
    relay->said = admission.said;
    tn_report_judged(relay, admission.issues, admission.repaired, &relay->link->guard->call->judge);
    if (admission.denied) {
        tn_report_code(relay, TENON_CODE_DENIED);
        tn_report_denied(relay, GUARD_REASON_POLICY);
    }
    if (admission.admitted && !tn_pins_admit(relay, tn_rpc_get(x->params, "arguments"), admission.arguments))
        return;
    if (!admission.admitted)
        tn_bridge_envelope(relay, admission.text, admission.refusal);
    else if (!tn_policy_has_room(relay->link->guard, x->account, relay->link->upstream))
        answer_failure(relay, TENON_CODE_LIMIT_EXCEEDED, NULL, GUARD_RETRY_MS, GUARD_TOO_MANY);
    else
        tn_relay_send(relay, tn_params_of(relay), admission.arguments);
}
