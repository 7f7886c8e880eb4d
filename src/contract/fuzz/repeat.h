/* repeat.h - the command line that makes a call again, for a shell. It is printable ASCII, whatever the call is. */
#ifndef CONTRACT_FUZZ_REPEAT_H
#define CONTRACT_FUZZ_REPEAT_H

#include "base/buf.h"

/* How the server is reached. */
struct tn_repeat {
    const char *const *words;      /* of its command, up to NULL; or NULL: */
    const char        *url;        /* its address */
    const char        *era;        /* "legacy", "modern"; or NULL */
    const char        *token_file; /* or NULL */
    int                timeout_s;
    bool               raw;   /* the whole result is printed, as it came */
    size_t             times; /* that a call is made, where once does not show it; or 0 */
};

/* tenon call --json ARGUMENTS TOOL -- COMMAND: for arguments that are an object. */
void tn_repeat_call(struct tn_buf *out, const struct tn_repeat *repeat, struct tn_slice tool,
                    struct tn_slice arguments);

/* tenon call --send MESSAGE -- COMMAND: for all else. */
void tn_repeat_send(struct tn_buf *out, const struct tn_repeat *repeat, struct tn_slice message);

#endif
