/* tasks.h - calls that go on after their request was answered (the extension io.modelcontextprotocol/tasks).
 *
 * A task has an exchange of its own, whose answer is kept instead of sent. It is found by an id that is sealed to its
 * caller, and forgotten some time after it has ended.
 */
#ifndef MCP_OFFER_TASKS_H
#define MCP_OFFER_TASKS_H

#include "mcp/exchange.h"

#define TASKS_MAX    ((size_t)1000)
#define TASK_TTL_MS  ((int64_t)3600 * 1000)
#define TASK_POLL_MS ((int64_t)500)
#define TASK_KEY_LEN 16

#define TASK_RESULT_MAX ((size_t)8 << 20) /* bytes of an answer that is kept */

struct task;

/* Answers the request with a task that goes on with it; or with an error when there are too many. */
void tn_task_begin(struct tn_exchange *x);

/* The run of a task has ended with questions. */
void tn_task_asks(struct tn_exchange *x);

void tn_task_hold(struct task *task);
void tn_task_release(struct task *task);
void tn_tasks_tick(tenon_server *server, int64_t now_ms);
void tn_tasks_free(tenon_server *server);

#endif
