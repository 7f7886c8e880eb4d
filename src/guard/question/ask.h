/* ask.h - questions of the server behind, put to the client in front: elicitation, sampling, roots.
 *
 * A legacy client gets a request, with an id of the guard's own. A modern client gets an answer to its call that asks for
 * input (park.h). Every question ends: by an answer, by the server that takes it back, by the end of its call, or by time.
 */
#ifndef GUARD_QUESTION_ASK_H
#define GUARD_QUESTION_ASK_H

#include "guard/link.h"

struct tn_parked;

#define ASKED_KEY_MAX 64
#define ASKED_MS      ((int64_t)600 * 1000) /* for an answer */
#define ASKED_MAX     ((size_t)1 << 20)     /* of the params of a question */

/* A question that is open. */
struct tn_asked {
    struct tn_ring     ring; /* first: of the park's `questions` */
    struct tn_link    *link;
    tenon_question    *question;
    bool               in_round; /* it belongs to a result of a modern server's */
    struct tn_relay   *relay;    /* of a legacy client: on whose stream it was asked; or NULL */
    struct tn_session *session;  /* of a legacy client; not held */
    struct tn_parked  *parked;   /* or the call of a modern client that asks it */
    struct tn_arena    arena;    /* of the next three */
    struct tn_slice    method;
    struct tn_slice    params; /* as the client gets them; or empty */
    const char        *key;    /* the id as JSON; of a parked call its key, without quotes */
    unsigned           needs;  /* of enum tenon_ability */
    int64_t            due_ms; /* when it is given up; of a legacy client */
};

/* A question came. It is put to a client, answered by the guard, or refused. */
void tn_ask_client(struct tn_link *link, tenon_question *question);

/* A response of a legacy client's. False when it answers no open question of its session. */
bool tn_ask_answered(struct tn_guard *guard, struct tn_exchange *x, struct tn_slice message);

/* The server takes back a question of its own (notifications/cancelled). */
void tn_ask_withdrawn(struct tn_link *link, yyjson_val *params);

/* A relay ends: what was asked for it is not asked any more. */
void tn_ask_left(struct tn_relay *relay);

/* A session is over: no answer of it comes. */
void tn_ask_gone(struct tn_guard *guard, const struct tn_session *session);

/* The server is gone: so are its questions, and its parked calls. */
void tn_ask_forget(struct tn_link *link);

/* ---- For park.c */
/* Gives a question the client's answer, a JSON object as text; false when it is not one, and it stays open. */
bool tn_asked_answer(struct tn_asked *asked, struct tn_slice result);
/* Ends it without an answer of a client: elicitation as cancelled, others with an error. */
void tn_asked_give_up(struct tn_asked *asked);
/* Ends it because no client can be asked that. */
void tn_asked_refuse(struct tn_asked *asked, const char *why);
/* Its parked call ended: asked with another one that runs, or given up. */
void tn_asked_move(struct tn_asked *asked);

#endif
