/* tree.c - finds the children of this process in /proc, signals them and waits for them. */
#define _GNU_SOURCE
#include "guard/process/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STAT_LEN 512 /* of a line of which only the beginning is read */

void tn_tree_init(struct tn_tree *tree, pid_t first)
{
    *tree = (struct tn_tree){ .first = first, .code = -1 };
}

static void note_end(struct tn_tree *tree, const siginfo_t *about)
{
    tree->ended  = true;
    tree->code   = about->si_code == CLD_EXITED ? about->si_status : -1;
    tree->signal = about->si_code == CLD_EXITED ? 0 : about->si_status;
}

void tn_tree_reap(struct tn_tree *tree)
{
    siginfo_t about;

    while (!tree->ended) {
        about.si_pid = 0;
        if (waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == 0)
            return;
        if (about.si_pid == tree->first)
            note_end(tree, &about);
        else
            waitpid(about.si_pid, NULL, WNOHANG);
    }
}

/* ---- Children ------------------------------------------------------------------------------------------ */

/* The parent of a process; 0 when there is none. Its name stands between parentheses, and may have some
 * itself. */
static pid_t parent_of(int folder, const char *name)
{
    char    path[NAME_MAX + sizeof "/stat"], line[STAT_LEN];
    char   *end, state;
    ssize_t len;
    int     fd, parent = 0;

    snprintf(path, sizeof path, "%s/stat", name);
    fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    len = read(fd, line, sizeof line - 1);
    close(fd);
    line[len > 0 ? len : 0] = '\0';
    end                     = strrchr(line, ')');
    return end && sscanf(end + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

static void forget(struct tn_tree *tree, pid_t process)
{
    for (size_t i = 0; i < tree->asked_count; i++)
        if (tree->asked[i] == process)
            tree->asked[i--] = tree->asked[--tree->asked_count];
}

/* False when it was asked before, or when it cannot be remembered that it was. */
static bool remember(struct tn_tree *tree, pid_t process)
{
    for (size_t i = 0; i < tree->asked_count; i++)
        if (tree->asked[i] == process)
            return false;
    if (tree->asked_count == TREE_ASKED_MAX)
        return false;
    tree->asked[tree->asked_count++] = process;
    return true;
}

/* SIGTERM, unless it came with the group's. */
static void ask_once(struct tn_tree *tree, pid_t process)
{
    if ((tree->first > 0 && getpgid(process) == tree->first) || !remember(tree, process))
        return;
    kill(process, SIGTERM);
    kill(process, SIGCONT); /* one that is stopped would not see it */
}

/* Meets every child of this process but the first, and counts those that go on. */
static void meet_children(struct tn_tree *tree, void (*meet)(struct tn_tree *, pid_t))
{
    DIR                 *folder = opendir("/proc");
    const struct dirent *entry;
    pid_t                self = getpid(), process;

    tree->others = 0;
    while (folder && (entry = readdir(folder)) != NULL) {
        process = (pid_t)atoi(entry->d_name); /* 0 for what is not a process */
        if (process <= 0 || process == tree->first || parent_of(dirfd(folder), entry->d_name) != self)
            continue;
        if (waitpid(process, NULL, WNOHANG) != 0) {
            forget(tree, process);
            continue;
        }
        tree->others++;
        meet(tree, process);
    }
    if (folder)
        closedir(folder);
}

/* The group, at once; the process alone as long as it has none. */
static void signal_first(const struct tn_tree *tree, int signal)
{
    if (tree->first > 0 && kill(-tree->first, signal) != 0)
        kill(tree->first, signal);
}

void tn_tree_ask(struct tn_tree *tree)
{
    if (tree->first > 0 && remember(tree, tree->first)) {
        signal_first(tree, SIGTERM);
        signal_first(tree, SIGCONT);
    }
    meet_children(tree, ask_once);
}

static void kill_now(struct tn_tree *tree, pid_t process)
{
    (void)tree;
    kill(process, SIGKILL);
}

void tn_tree_kill(struct tn_tree *tree)
{
    signal_first(tree, SIGKILL);
    meet_children(tree, kill_now);
}

/* That /proc shows no child is no proof: it is read while processes come and go. The kernel's word is. */
bool tn_tree_is_empty(struct tn_tree *tree)
{
    pid_t got;

    if (!tree->ended || tree->others > 0)
        return false;
    if (tree->first > 0)
        waitpid(tree->first, NULL, 0);
    tree->first = 0;
    do
        got = waitpid(-1, NULL, WNOHANG);
    while (got > 0 || (got < 0 && errno == EINTR));
    return got < 0;
}
