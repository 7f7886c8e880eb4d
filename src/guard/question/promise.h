/* promise.h - what a server may ask clients: what it is promised, and what becomes of each question. */
#ifndef GUARD_QUESTION_PROMISE_H
#define GUARD_QUESTION_PROMISE_H

#include "guard/link.h"

#define SAMPLING_MAX       60    /* questions to a client's model, of one server, within ... */
#define SAMPLING_WITHIN_MS 60000 /* ... this time */

/* Writes the capabilities of a client (NULL: of none) for a server: less what it may not ask, with what the guard answers
 * itself; and of what the guard does not know, only extensions that may pass. */
void tn_promise_write(struct tn_buf *out, const struct tn_guard *guard, const struct tn_upstream *upstream,
                      yyjson_val *capabilities);

/* Is there nothing to leave out or to put in? Then the client's own text does. */
bool tn_promise_is_whole(const struct tn_guard *guard, const struct tn_upstream *upstream);

/* Bits of enum tenon_ability that a client needs to be asked this; 0: it is a method that the guard does not know. */
unsigned tn_promise_needs(struct tn_slice method, yyjson_val *params);

enum tn_asking {
    ASKING_PASSES,
    ASKING_ROOTS,      /* the guard answers it, with the operator's roots */
    ASKING_UNPROMISED, /* no client of this kind was promised */
    ASKING_DENIED      /* it must not be asked: `why` */
};

/* Has it a name twice in an object? What was looked at may then not be what the client reads. */
bool tn_promise_is_twice(const struct tn_link *link, yyjson_val *question);

/* May a client with these abilities be asked this? Counts what has a rate. */
enum tn_asking tn_promise_check(struct tn_link *link, struct tn_slice method, yyjson_val *params,
                                unsigned abilities, const char **why);

/* Writes the message of a question, after the name of the server that asks, and of the host that a page is at. */
void tn_promise_message(struct tn_buf *out, const struct tn_link *link, yyjson_val *params, bool page);

/* Writes the params of a question as clients of one era get it: their text, with the name of the server where there are
 * several, and the `id` that pages of legacy clients need. */
void tn_promise_params(struct tn_buf *out, const struct tn_link *link, struct tn_slice method,
                       yyjson_val *params, struct tn_slice text, bool modern, const char *id);

#endif
