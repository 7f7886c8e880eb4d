/* tasks_inside.h - one task, for the files that keep it in this process (tasks.c) and in a row of all replicas
 * (share/task_row.c).
 */
#ifndef MCP_OFFER_TASKS_INSIDE_H
#define MCP_OFFER_TASKS_INSIDE_H

#include "mcp/ask/input.h"
#include "mcp/offer/tasks.h"

#define TASK_ID_ROOM           (TASK_KEY_LEN * 2 + 1)
#define TASK_SHARED_POLL_MS    ((int64_t)2000)     /* each is a read of the database */
#define TASK_SHARED_RESULT_MAX ((size_t)1000 << 10) /* bytes of an answer that is kept in a row */

enum task_status { TASK_WORKING, TASK_ASKING, TASK_COMPLETED, TASK_FAILED, TASK_CANCELLED };

struct task {
    struct tn_port      port; /* first: of its exchange */
    tenon_server       *server;
    atomic_uint         refs;
    struct task        *next;
    struct task        *unsaved; /* the next that waits to be saved: with the lock of what replicas share */
    bool                is_unsaved;
    char                id[TASK_ID_ROOM];
    pthread_mutex_t     lock; /* of everything below */
    enum task_status    status;
    unsigned            rounds;                 /* of questions */
    struct tn_exchange *x;                      /* held, until it has ended */
    int64_t             created_ms, updated_ms; /* wall clock */
    int64_t             until_ms;               /* monotonic: forgotten then */
    struct tn_arena     arena;
    struct tn_slice     caller;
    struct tn_account  *account; /* held: pays for the task until it is forgotten, and for its answer */
    struct tn_slice     answer;  /* JSON of the result, or of the error */
    size_t              kept;    /* bytes of it, HELD_RESULTS */
};

struct task_facts {
    const char      *id;
    enum task_status status;
    int64_t          created_ms, updated_ms, poll_ms;
};

static inline bool tn_task_has_ended(enum task_status status)
{
    return status == TASK_COMPLETED || status == TASK_FAILED || status == TASK_CANCELLED;
}

/* The task of this process with the id, held; or NULL. */
struct task *tn_task_known(tenon_server *server, struct tn_slice id);
/* Off the list, if it is on it. */
void tn_task_forget(tenon_server *server, struct task *task);
/* Ends what runs, unless it has ended. */
void tn_task_cancel(struct task *task);

/* With its lock: another status, from now on; and takes the exchange away from a task that has ended, to be released
 * without the lock. */
void                tn_task_touch(struct task *task, enum task_status status);
struct tn_exchange *tn_task_let_go(struct task *task);

/* params.taskId; false when the request was answered with an error. */
bool tn_task_named(struct tn_exchange *x, struct tn_slice *id);
void tn_task_fail_unknown(struct tn_exchange *x, struct tn_slice id);

/* What clients are shown of a task. */
void tn_task_write(struct tn_buf *out, const struct task_facts *facts);
/* Its questions that have no answer yet. With the lock; the exchange does not run while it asks. */
void tn_task_write_questions(struct tn_buf *out, const struct task *task);
/* Why an answer was not taken; NULL when it was. */
const char *tn_task_fault(enum tn_answered answered);

#endif
