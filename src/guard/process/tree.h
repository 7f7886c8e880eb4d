/* tree.h - the processes below this one: the first, and whatever it left to a subreaper.
 *
 * A process is signalled only while it is a child of this one that was not waited for, so that its number
 * cannot have become another's. Grandchildren become children when their parent dies, in whichever session
 * they are; the first process is waited for last, so that its group keeps its number too.
 */
#ifndef GUARD_PROCESS_TREE_H
#define GUARD_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TREE_ASKED_MAX 1024 /* processes outside the group that are known to have got SIGTERM; more get only SIGKILL */

struct tn_tree {
    pid_t  first; /* 0 once it was waited for */
    bool   ended; /* the first one; it then left `code`, or -1 and `signal` */
    int    code, signal;
    size_t others; /* that went on when tn_tree_ask() or tn_tree_kill() looked */
    pid_t  asked[TREE_ASKED_MAX];
    size_t asked_count;
};

void tn_tree_init(struct tn_tree *tree, pid_t first);

/* Waits for what has ended, without blocking, up to the first process, whose end is only noted. */
void tn_tree_reap(struct tn_tree *tree);

/* SIGTERM, once to each: the first process and its group, and all others that are children of this process. */
void tn_tree_ask(struct tn_tree *tree);

/* SIGKILL to the same. What they leave has to be killed by another call. */
void tn_tree_kill(struct tn_tree *tree);

/* Is no process left? Only after tn_tree_ask() or tn_tree_kill(). Waits for the first one, once it is the
 * last. */
bool tn_tree_is_empty(struct tn_tree *tree);

#endif
