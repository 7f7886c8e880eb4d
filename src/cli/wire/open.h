/* open.h - what a client waits for, for a relay that restarts its server.
 *
 * Requests without an answer, by their ids as JSON; and the lines that a fresh server needs: the beginning of a legacy
 * session, and the streams of news that a modern client listens to. All is the client's own text, and bounded.
 */
#ifndef CLI_WIRE_OPEN_H
#define CLI_WIRE_OPEN_H

#include <stdbool.h>

#include "base/str.h"

#define OPEN_MAX     1024 /* requests; of more, a client gets no word when a restart ends them */
#define OPEN_ID_LEN  128  /* of an id; longer ones likewise */
#define OPEN_AGAIN   ((size_t)64 << 10) /* bytes of a line that is sent again; longer ones are not */

struct open_line {
    char  *at; /* or NULL */
    size_t len;
};

struct open_request {
    char             id[OPEN_ID_LEN];
    struct open_line again; /* of what a fresh server is asked again: a stream of news, or `initialize` */
    bool             listens;
};

struct open_requests {
    struct open_request at[OPEN_MAX];
    size_t              count;
    struct open_line    initialize, initialized;
    char                session[OPEN_ID_LEN]; /* the id of `initialize` */
};

/* Notes a line of the client. True when it is a request, whose id is `id` then. */
bool open_note_sent(struct open_requests *open, struct tn_slice line, char id[OPEN_ID_LEN]);

/* The id that a line of the server answers; false when it answers none. The request is not open any more. */
bool open_note_answer(struct open_requests *open, struct tn_slice line, char id[OPEN_ID_LEN]);

/* Is the request of that id open? */
bool open_has(const struct open_requests *open, const char *id);

/* Forgets all requests that are not asked again. */
void open_forget(struct open_requests *open);
void open_free(struct open_requests *open);

#endif
