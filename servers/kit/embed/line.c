/* line.c - one line to a service: a request, and an answer within bounds of time and size.
 *
 * No redirects, no proxies, no other protocols, nothing from the environment. Its connection is kept.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fetch/fetch.h"
#include "kit/embed/http.h"

#define WHY_LEN 256

struct embed_line {
    struct tn_fetch          *fetch;
    const struct embed_world *world;
    struct text               body; /* the answer's: a view */
};

struct embed_line *embed_line_new(const struct embed_world *world)
{
    struct embed_line *line = calloc(1, sizeof *line);

    if (!line)
        return NULL;
    line->world = world;
    line->fetch = tn_fetch_new(NULL);
    if (line->fetch)
        return line;
    free(line);
    return NULL;
}

void embed_line_free(struct embed_line *line)
{
    if (!line)
        return;
    tn_fetch_free(line->fetch);
    free(line);
}

static bool is_cancelled(void *user)
{
    return tenon_is_cancelled(user);
}

static enum embed_reply judge_failure(const struct tn_fetch_answer *answer, char *why)
{
    switch (answer->end) {
    case FETCH_CANCELLED: snprintf(why, WHY_LEN, "The caller cancelled the request."); return REPLY_CANCELLED;
    case FETCH_NO_MEMORY:
        snprintf(why, WHY_LEN, "There is no memory for the answer of the embedding service.");
        return REPLY_NO_MEMORY;
    case FETCH_BODY_TOO_LONG:
        snprintf(why, WHY_LEN, "The answer of the embedding service is larger than %zu bytes.",
                 ANSWER_LEN_MAX);
        return REPLY_BROKEN;
    default:
        snprintf(why, WHY_LEN, "The embedding service does not answer: %.200s.", answer->why);
        return REPLY_DOWN;
    }
}

static enum embed_reply judge_status(const struct tn_fetch_answer *answer, char *why, int *pause)
{
    int status = answer->status, after = answer->retry_after;

    if (status == 200)
        return REPLY_FINE;
    if (status >= 500 || status == 408 || status == 425 || status == 429) {
        *pause = after < BREAKER_OPEN_S ? after : BREAKER_OPEN_S;
        snprintf(why, WHY_LEN, "The embedding service failed: HTTP status %d.", status);
        return REPLY_DOWN;
    }
    snprintf(why, WHY_LEN, "The embedding service refuses the request: HTTP status %d%s.", status,
             status == 401 || status == 403 ? ", check its key"
             : status == 404                ? ", no such address or model"
             : status / 100 == 3            ? ", which leads elsewhere and is not followed"
                                            : "");
    return REPLY_REFUSED;
}

enum embed_reply embed_line_post(struct embed_line *line, const struct embed_service *service,
                                 const struct text *request, const tenon_call *call, const struct text **body,
                                 char *why, int *pause)
{
    const char *const       headers[] = { "Accept: application/json", service->authorization };
    struct tn_fetch_request sent      = {
             .url             = service->url,
             .headers         = headers,
             .header_count    = service->authorization ? 2 : 1,
             .has_body        = true,
             .body            = request->at,
             .body_len        = request->len,
             .type            = "application/json",
             .agent           = "tenon-docs",
             .connect_ms      = line->world->connect_ms,
             .time_ms         = line->world->whole_ms,
             .body_max        = ANSWER_LEN_MAX,
             .keep_connection = true,
             .user            = (void *)(uintptr_t)call,
             .is_cancelled    = call ? is_cancelled : NULL,
    };
    struct tn_fetch_answer answer;

    *pause = 0;
    *why   = '\0';
    if (!tn_fetch_run(line->fetch, &sent, &answer))
        return judge_failure(&answer, why);
    line->body = (struct text){ .at = (char *)(uintptr_t)answer.body, .len = answer.body_len };
    *body      = &line->body;
    return judge_status(&answer, why, pause);
}
