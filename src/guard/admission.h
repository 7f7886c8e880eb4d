/* admission.h - may these arguments go to the server, and in which form? */
#ifndef GUARD_ADMISSION_H
#define GUARD_ADMISSION_H

#include "guard/relay.h"

struct tn_admission {
    bool            admitted;
    struct tn_slice arguments; /* repaired; empty: as they came */
    struct tn_slice refusal;   /* an envelope, when they are not admitted */
    struct tn_slice said;      /* messages: a JSON array of strings; or empty */
};

/* Judges the arguments of a call, `text` as they came. False without memory. All is in the memory of the exchange. */
bool tn_admission_judge(struct tn_relay *relay, yyjson_val *arguments, struct tn_slice text,
                        struct tn_admission *admission);

/* Does a structured result keep what its tool publishes? If not, why. */
bool tn_admission_result(struct tn_relay *relay, yyjson_val *content, struct tn_slice text,
                         struct tn_slice *why);

#endif
