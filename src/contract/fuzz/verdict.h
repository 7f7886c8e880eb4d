/* verdict.h - what an answer to a call is worth to a caller that has to do better. */
#ifndef CONTRACT_FUZZ_VERDICT_H
#define CONTRACT_FUZZ_VERDICT_H

#include "contract/fuzz/cases.h"

enum tn_fuzz_verdict {
    FUZZ_FINE,           /* as it should be */
    FUZZ_NAMED,          /* refused: the answer names the parameter and the reason */
    FUZZ_VAGUE,          /* refused: it does not */
    FUZZ_PROTOCOL_ERROR, /* refused by an error of the protocol, which clients rarely show to a model */
    FUZZ_ACCEPTED,       /* an invalid call succeeded */
    FUZZ_WRONG_RESULT,   /* the result is not what the tool promises */
    FUZZ_HANG,
    FUZZ_CRASH,
    FUZZ_LEAK,
    FUZZ_VERDICTS
};

/* "fine", "named", "vague", "protocol error", ... */
const char *tn_fuzz_verdict_word(enum tn_fuzz_verdict verdict);

static inline bool tn_fuzz_verdict_is_good(enum tn_fuzz_verdict verdict)
{
    return verdict <= FUZZ_NAMED;
}

enum tn_answer_state {
    ANSWER_RESULT,  /* `result` */
    ANSWER_ERROR,   /* `error`, of the protocol */
    ANSWER_LATE,    /* none in time */
    ANSWER_PENDING, /* none in time, but reports of progress: it is stopped, and that is not held against it */
    ANSWER_BROKEN,  /* something that is no answer */
    ANSWER_GONE     /* the server ended */
};

struct tn_answer {
    enum tn_answer_state state;
    yyjson_val          *result, *error;
    const char          *why; /* in words; "" when there is nothing to say */
};

#define VERDICT_WHY_MAX ((size_t)2000)

/* What is known of the tool. */
struct tn_judge {
    tenon_verdict *output; /* judges by its outputSchema; or NULL */
    bool fails; /* its answer to a valid call is an error: what follows a conversion may be that one */
};

/* `why` gets what the answer says, or lacks, for people. */
enum tn_fuzz_verdict tn_fuzz_judge(const struct tn_case *one, const struct tn_answer *answer,
                                   const struct tn_judge *judge, struct tn_buf *why);

/* ---- mention.c */

/* Does the text name it? A name that is also a word of every sentence must stand as a name: in quotes, in a path, before a
 * colon. */
bool tn_mention_name(struct tn_slice text, struct tn_slice name);

/* Does it say what is wrong, beyond that something is? */
bool tn_mention_reason(struct tn_slice text);

/* Does it report, in one sentence, that the parameter was corrected? "Invalid page 0, using 1" */
bool tn_mention_correction(struct tn_slice text, struct tn_slice name);

#endif
