/* admission.h - may these arguments go to the server, and in which form?
 *
 * They are repaired and judged by the server's own schema, then looked at for names that it does not declare, then judged by
 * the operator's overlay: all that is wrong stands in one answer. Repair never works towards the overlay.
 */
#ifndef GUARD_ADMISSION_H
#define GUARD_ADMISSION_H

#include "guard/relay.h"

/* What is judged, by what, and where the memory of the outcome is. */
struct tn_admission_case {
    tenon_call              *call; /* to judge with; it has a host */
    const struct tn_offered *tool;
    struct tn_arena         *arena;
    yyjson_val              *arguments; /* as they were read, or NULL */
    struct tn_slice text; /* and as they came; without it they are found in the relay's message when needed */
    const struct tn_relay *relay; /* or NULL */
    size_t                 len;   /* of that text, at most */
    bool                   bad_utf8, mirrored;
    bool                   structured; /* its client gets a refusal for programs, too */
    size_t                 nodes;
};

struct tn_admission {
    bool            admitted, denied; /* denied: by the operator's overlay alone */
    struct tn_slice arguments;        /* repaired; empty: as they came */
    struct tn_slice refusal;          /* an envelope, when they are not admitted */
    struct tn_slice text;             /* what its client reads of that */
    struct tn_slice said;             /* messages: a JSON array of strings; or empty */
    size_t          issues, repaired; /* how many */
};

/* False without memory. */
bool tn_admission_judge(const struct tn_admission_case *one, struct tn_admission *admission);

/* The same for the call of a relay; without a text those that stand in its message. */
bool tn_admission_of(struct tn_relay *relay, yyjson_val *arguments, struct tn_slice text,
                     struct tn_admission *admission);

/* Does a structured result keep what its tool publishes? If not, *why has the first issues as sentences, and *details as the
 * members of an envelope's details; both in the memory of the exchange. */
bool tn_admission_result(struct tn_relay *relay, yyjson_val *content, size_t len, struct tn_slice *why,
                         struct tn_slice *details);

#endif
