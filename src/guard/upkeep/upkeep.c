/* upkeep.c - starts, rests and ends of what is behind a link. */
#define _GNU_SOURCE
#include "guard/upkeep/upkeep.h"

#include <string.h>

#include "guard/link.h"
#include "guard/phrases.h"
#include "guard/relay.h"
#include "guard/report/report.h"

#define PROBE_MS 10000

void tn_upkeep_begin(struct tn_link *link)
{
    const struct tn_upstream *upstream = link->upstream;

    memset(&link->upkeep, 0, sizeof link->upkeep);
    link->upkeep.used_ms = tn_client_now_ms();
    tn_breaker_init(&link->upkeep.starts, upstream->starts_most, upstream->starts_within_ms,
                    upstream->start_pause);
}

static struct tn_breaker *breaker_of(struct tn_link *link)
{
    return link->upstream->words ? &link->upkeep.starts : &tn_standing_of(link)->breaker;
}

/* ---- An address that failed --------------------------------------------------------------------------------------- */

static bool is_sign_of_life(tenon_request_state state)
{
    return state == TENON_REQUEST_ANSWERED || state == TENON_REQUEST_REFUSED;
}

static void probe_done(void *user, tenon_request *request)
{
    struct tn_link *link = user;
    bool            good = is_sign_of_life(tenon_request_state_of(request));
    char            why[CLIENT_WHY_MAX];

    snprintf(why, sizeof why, "%s", tenon_request_why(request));
    link->upkeep.probe = NULL;
    tenon_request_free(request);
    if (good) {
        tn_breaker_works(breaker_of(link));
        tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_WORKS, link->upstream->name);
        return; /* those that wait go on at the end of the step */
    }
    tn_breaker_failed(breaker_of(link), tn_client_now_ms());
    tn_relays_fail(link, why);
}

/* Never a call: whether it was done could not be known. */
static void probe(struct tn_link *link)
{
    link->upkeep.probe = tenon_client_request(link->client, tn_link_is_modern(link) ? "tools/list" : "ping",
                                              NULL, .done = probe_done, .user = link, .timeout_ms = PROBE_MS);
}

int tn_upkeep_rest(struct tn_link *link)
{
    struct tn_breaker *breaker = breaker_of(link);
    int64_t            now     = tn_client_now_ms();
    int                rest;

    link->upkeep.used_ms = now;
    if (link->client && link->upstream->words)
        return 0;
    rest = tn_breaker_wait(breaker, now);
    if (rest == 0 && link->client && link->ready && breaker->state == BREAKER_HALF && !link->upkeep.probe)
        probe(link);
    return rest;
}

bool tn_upkeep_tries(const struct tn_link *link)
{
    return link->upkeep.probe != NULL;
}

/* Of an address, failures of its requests; what the server refuses, it was there to refuse. */
void tn_upkeep_answer(struct tn_relay *relay, const tenon_request *request)
{
    struct tn_link     *link    = relay->link;
    struct tn_breaker  *breaker = breaker_of(link);
    tenon_request_state state   = tenon_request_state_of(request);

    link->upkeep.used_ms = tn_client_now_ms();
    if (link->upstream->words)
        return;
    if (is_sign_of_life(state)) {
        if (breaker->state == BREAKER_CLOSED)
            tn_breaker_works(breaker);
    } else if (state == TENON_REQUEST_LATE ||
               (state == TENON_REQUEST_LOST && (!request->undone || request->untouched))) {
        enum tn_breaker_state before = breaker->state;

        tn_breaker_failed(breaker, link->upkeep.used_ms);
        if (before == BREAKER_CLOSED && breaker->state == BREAKER_OPEN)
            tn_log_line(&link->guard->server->log, LOG_WARN, GUARD_LOG_OPENS, link->upstream->name,
                        tenon_request_why(request));
    }
}

/* ---- A server that ended -------------------------------------------------------------------------------------------- */

void tn_upkeep_ready(struct tn_link *link)
{
    if (link->upstream->words)
        tn_breaker_tried(breaker_of(link));
    else
        tn_breaker_works(breaker_of(link));
    link->upkeep.used_ms = tn_client_now_ms();
}

void tn_upkeep_lost(struct tn_link *link, const char *why)
{
    struct tn_upkeep *upkeep = &link->upkeep;
    struct tn_pause   pause  = link->upstream->start_pause;
    int64_t           now    = tn_client_now_ms();

    snprintf(upkeep->why, sizeof upkeep->why, "%s", why);
    upkeep->probe = NULL; /* freed with its client */
    upkeep->idle  = false;
    tn_standing_of(link)->losses++;
    tn_breaker_failed(breaker_of(link), now);
    upkeep->wake_ms = 0;
    if (!link->upstream->words || breaker_of(link)->state != BREAKER_CLOSED || !link->catalog)
        return; /* it is not known to work: the next call tries it */
    upkeep->pause_ms = upkeep->starts.count > 1 && upkeep->pause_ms > 0 ? upkeep->pause_ms * 2
                                                                        : pause.first_ms;
    if (upkeep->pause_ms > pause.most_ms)
        upkeep->pause_ms = pause.most_ms;
    upkeep->wake_ms = now + upkeep->pause_ms;
}

/* ---- One without calls ------------------------------------------------------------------------------------------- */

int tn_upkeep_due(struct tn_link *link)
{
    int64_t now = tn_client_now_ms(), at;

    if (!link->client)
        at = link->upkeep.wake_ms;
    else
        at = link->ready && link->upstream->words && link->upstream->idle_ms > 0 && tn_link_rests(link)
                 ? link->upkeep.used_ms + link->upstream->idle_ms
                 : 0;
    if (at == 0)
        return -1;
    return at > now ? (int)(at - now) : 0;
}

void tn_upkeep_step(struct tn_link *link)
{
    if (tn_upkeep_due(link) != 0)
        return;
    if (!link->client) {
        link->upkeep.wake_ms = 0;
        tn_link_start(link);
        tn_link_arm(link);
        return;
    }
    tn_log_line(&link->guard->server->log, LOG_INFO, GUARD_LOG_IDLE, link->upstream->name);
    link->upkeep.idle = true;
    tn_link_sleep(link);
}
