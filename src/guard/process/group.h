/* group.h - a cgroup for one server and all that it starts, where this process was given cgroups of its own: nothing below can leave
 * it, and the kernel ends it as a whole, however fast it multiplies. Without one each step does nothing, and tree.h is all there is.
 */
#ifndef GUARD_PROCESS_GROUP_H
#define GUARD_PROCESS_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

struct tn_group {
    int  above, folder; /* -1 without one */
    char name[32];
};

/* One that is named after its supervisor. False when there is none to be had. */
bool tn_group_make(struct tn_group *group, pid_t supervisor);

/* In the new process, before it becomes the server. */
void tn_group_join(const struct tn_group *group);

/* SIGKILL to all in it. */
void tn_group_kill(const struct tn_group *group);

/* When nothing is left in it. */
void tn_group_remove(struct tn_group *group);

/* What a supervisor left that was killed. */
void tn_group_end(pid_t supervisor);

/* Ends and removes those beside it whose supervisors are gone, killed together with their guards. */
void tn_group_sweep(const struct tn_group *group);

#endif
