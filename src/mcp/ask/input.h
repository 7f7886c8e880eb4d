/* input.h - questions to the client while a request is worked on, and their answers, in both eras.
 *
 * A handler's questions are collected during a run. Modern clients get them as a result, and send the request again with
 * answers and the sealed state; legacy clients get requests on the stream of the call. Either way the handler then runs
 * again with every answer so far.
 */
#ifndef MCP_ASK_INPUT_H
#define MCP_ASK_INPUT_H

#include "mcp/exchange.h"
#include "mcp/session.h"

#define INPUT_ROUNDS_MAX 8
#define INPUT_STATE_MS   ((int64_t)3600 * 1000)
#define INPUT_REPLY_MAX  ((size_t)1 << 20)
#define INPUT_COUNT_MAX  ((size_t)256) /* answers in one request; finding one is a walk along all */

/* Takes answers and state out of the params of a modern request; false when it answered with an error. */
bool tn_input_load(struct tn_exchange *x);

/* What became of a response of the client's. But for the first nothing was taken, and a question that was meant is open. */
enum tn_answered {
    ANSWER_TAKEN,
    ANSWER_UNASKED, /* no question of this process, or one that is not open any more */
    ANSWER_TOO_LONG,
    ANSWER_UNREADABLE,
    ANSWER_TOO_MUCH, /* for what its caller may keep waiting */
    ANSWER_NO_MEMORY
};

/* Keeps an answer for the exchange that asked: `text` was written in the memory of what brings it, `from`, and is read
 * there first. Whatever is wrong with it costs the call that waits nothing, and its question stays open. */
enum tn_answered tn_input_take(struct tn_arena *from, struct tn_exchange *asker, struct tn_slice key,
                               const struct tn_buf *text);
struct tn_reply *tn_input_find(const struct tn_exchange *x, struct tn_slice key);

/* Takes a response, which came as `from`, for its session. *resumed is the exchange that can now continue, held; or
 * NULL. */
enum tn_answered tn_input_answer(struct tn_exchange *from, const struct tn_rpc *rpc,
                                 struct tn_exchange **resumed);

/* After a run: has it ended with questions? Then they are sent, or refused where the client cannot be asked. */
bool tn_input_asked(struct tn_exchange *x);

/* "key":{"method":...,"params":...} for each question that is open, between braces. */
void tn_input_write_questions(struct tn_buf *out, const struct tn_question *questions);

/* Answers -32021: the client lacks these abilities. */
void tn_input_needs(struct tn_exchange *x, unsigned abilities, const char *message);

#endif
