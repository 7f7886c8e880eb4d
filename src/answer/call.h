/* call.h - one call while it runs: its memory, its validation, what the handler added, and how it ended. */
#ifndef ANSWER_CALL_H
#define ANSWER_CALL_H

#include <stdatomic.h>

#include <tenon/toolbox.h>

#include "answer/blocks.h"
#include "answer/errors.h"
#include "answer/toolbox.h"
#include "rows/bind.h"

#define CALL_MEMORY_MAX ((size_t)256 << 20)
#define DATA_LEN_MAX    ((size_t)16 << 20) /* of data before the budget cuts it, and of one formatted text */
#define REFERENCE_LEN   8
#define QUERY_LEN       32

#define CALL_CODE_ASK "ASK" /* of the empty answer of a call that has questions for its client */

struct tn_report;

enum tn_ending_kind { ENDING_NONE = 0, ENDING_DATA, ENDING_ERROR, ENDING_INVALID, ENDING_ASK };

/* One way to end the call. A handler may make several; the one whose outcome it returns is answered, as it was when it was
 * made: later issues and details are not part of it. */
struct tn_ending {
    enum tn_ending_kind kind;
    int                 code;    /* of its outcome */
    struct tn_ending   *before;  /* the one that was made before it, or NULL */
    struct tn_slice     data;    /* a JSON object */
    size_t              listed;  /* items in it, when it is a page or a list by cursor; else 0 */
    const tenon_error  *error;   /* a row of the table */
    struct tn_slice     message; /* its text */
    struct tn_slice     note;    /* a message that is said with this ending only, or empty */
    bool                filler;  /* the note is left out when the handler said something itself */
    struct tn_issues    issues;  /* so far */
    struct tn_report   *report;  /* of them, once it was needed */
    struct tn_details  *details; /* so far, if others were made after it; else NULL: the call's */
    char                reference[REFERENCE_LEN + 1]; /* of INTERNAL_ERROR, else empty */
};

/* After the arguments were judged, and repaired as far as that goes: may add issues and messages to the call's judge. `base` is
 * what stood around them, or NULL. */
typedef void (*tn_beside_fn)(tenon_call *call, yyjson_val *args, const struct tn_location *base);

struct tenon_call {
    tenon_toolbox        *box;
    const struct tn_tool *tool;
    struct tn_arena       arena;
    struct matcher       *matcher;
    struct tn_judge       judge;
    const void           *args;
    void                 *host;    /* the exchange that carries it; NULL for a call of a bare toolbox */
    struct tn_subject     subject; /* what it is about, as its host says */
    tn_beside_fn          beside;  /* the host's own look at arguments that a document judges; or NULL */
    void                 *beside_user;
    struct tn_slice       caller;   /* the caller's name; empty without authentication */
    struct tn_slice       json;     /* the arguments as they came */
    yyjson_val           *sent;     /* or their value, in memory of the caller's */
    struct tn_slice       position; /* inside the cursor */
    unsigned char         query[QUERY_LEN];
    bool                  query_known;
    int                   serial;           /* of the last ending, in all runs */
    struct tn_buf         text;             /* the text of tenon_text() */
    size_t                dropped_messages; /* messages beyond MESSAGES_MAX */
    bool                  has_own_message;  /* the handler added a message of its own */
    int64_t               began_us;         /* of a blocking handler, on the monotonic clock; else 0 */
    int64_t               waited_us;        /* of the handler, for what is outside */
    struct tn_blocks      blocks;           /* content beside the answer */
    struct tn_details     details;
    struct tn_ending      ending;
    const tenon_error *lookup_error; /* the code of what lookups found, when nothing else is wrong; or NULL */
    atomic_bool        cancelled;
    tenon_answer       answer;
};

/* Like tenon_call_run() for arguments that were read already, and live longer than the run: NULL for none. `bad_utf8` and
 * `nodes` are what tn_json_read() found of the text around them. Bytes and depth are not looked at again. */
const tenon_answer *tn_call_run_value(tenon_call *call, struct tn_tool *tool, yyjson_val *args, bool bad_utf8,
                                      size_t nodes);

/* After the answer was sent: forgets the run, overwrites its memory, and keeps at most `keep` bytes for the next one. */
void tn_call_rest(tenon_call *call, size_t keep);

/* Ends this run with what is to be asked. The answer has the code CALL_CODE_ASK, no JSON, and is no error; without a host
 * it is UNAVAILABLE. */
tenon_outcome tn_call_ask(tenon_call *call);

/* Records how the call may end: what stands in `ending`, with the issues and details so far. */
tenon_outcome tn_call_end(tenon_call *call, struct tn_ending ending);

/* Makes the ending of `outcome` the one that is answered. False: this run made no such outcome. */
bool tn_call_choose(tenon_call *call, tenon_outcome outcome);

/* Before a detail is added: those of the endings that were made already stay as they are. */
void tn_call_keep_details(tenon_call *call);

/* Ends with an error of the library, and `text` as its message. */
tenon_outcome tn_call_fail(tenon_call *call, const char *code, struct tn_buf *text);

/* Ends with `data`, or with what kept it from being written. */
tenon_outcome tn_call_succeed(tenon_call *call, struct tn_buf *data, size_t listed);

/* Is the table `given` by a handler the one that its tool declares? */
bool tn_call_declares(tenon_rows_fn declared, tenon_rows_fn given);

/* Writes a struct by its rows. False when it breaks them or does not fit: the call has then ended with *failure. */
bool tn_call_unbind(tenon_call *call, struct tn_buf *out, const struct tn_object *object, const void *data,
                    tenon_outcome *failure);

/* Adds a message; `text` may have failed. */
void tn_call_message(tenon_call *call, struct tn_buf *text);

/* Adds `text` to the ending that was made last: a message that is said if that one is answered. */
void tn_call_note(tenon_call *call, struct tn_buf *text, bool filler);

#endif
