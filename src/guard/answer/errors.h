/* errors.h - answers that are failures: those of the guard itself, and errors of the server as its client can use them.
 *
 * A call that fails is a result with isError, so that the model sees why; anything else is an error of the protocol.
 */
#ifndef GUARD_ERRORS_H
#define GUARD_ERRORS_H

#include "answer/envelope.h"
#include "guard/relay.h"

#define GUARD_RETRY_MS 1000 /* where nothing better is known */

/* One failure of the guard's closed table: VALIDATION_ERROR, DENIED, LIMIT_EXCEEDED, UNAVAILABLE, TIMEOUT, CANCELLED,
 * UPSTREAM_INVALID, INTERNAL_ERROR. */
struct tn_failure {
    const char     *code;
    struct tn_slice message;
    const char     *reason;   /* of DENIED; or NULL */
    int64_t         retry_ms; /* as of tn_envelope_error() */
    bool            done;     /* it may have been, and would be done twice: not called retryable */
    struct tn_slice details;  /* further members of its details, without braces; or empty */
    struct tn_slice said;     /* messages: a JSON array of strings; or empty */
};

void tn_errors_envelope(struct tn_buf *out, const struct tn_failure *failure);

/* Answers with it: a call with the envelope, anything else with an error of the protocol. */
void tn_errors_answer(struct tn_relay *relay, const struct tn_failure *failure);

#endif
