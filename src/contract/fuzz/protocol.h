/* protocol.h - messages that break the protocol, and some that only look as if they did. */
#ifndef CONTRACT_FUZZ_PROTOCOL_H
#define CONTRACT_FUZZ_PROTOCOL_H

#include "base/buf.h"

struct tn_protocol_fault {
    const char *what; /* for people; NULL at the end of the table */
    const char
        *message; /* with $PROBE for a method that must be answered, $META for what each request must have */
    size_t      len; /* of the message; 0: up to its NUL */
    const char *id;  /* of the answer that must come, as JSON; NULL: none need come */
};

/* Ends with a row without `what`. */
extern const struct tn_protocol_fault tn_protocol_faults[];

/* The message as it is sent; `meta` is a JSON object. */
void tn_protocol_write(struct tn_buf *out, const struct tn_protocol_fault *fault, const char *probe,
                       const char *meta);

#endif
