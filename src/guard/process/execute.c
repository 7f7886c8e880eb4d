/* execute.c - session, limits, directory, and then the program itself, in the new process that is to become
 * it. */
#define _GNU_SOURCE
#include "guard/process/execute.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

static const char *path_of(const char *const *environment)
{
    for (; *environment; environment++)
        if (strncmp(*environment, "PATH=", 5) == 0)
            return *environment + 5;
    return PATH_DEFAULT;
}

/* What the supervisor, and this program before it, do with signals is not for others. */
static void restore_signals(void)
{
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* refused for some, which have no other */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* `error` is ENOENT for a program that is not there, and for one whose interpreter is not. */
static struct tn_start_failure run_file(const char *path, const struct tn_order *order)
{
    struct tn_start_failure failure = { START_PROGRAM, 0 };

    execve(path, (char *const *)order->words, (char *const *)order->environment);
    failure.error = errno;
    if (failure.error == ENOENT && access(path, F_OK) == 0)
        failure.step = START_INTERPRETER;
    return failure;
}

/* One folder of PATH. A folder that is relative is whatever the working directory holds, and is passed over. */
static struct tn_start_failure run_in(struct tn_slice folder, const struct tn_order *order)
{
    char   path[PATH_MAX];
    size_t len = strlen(order->words[0]);

    if (folder.len == 0 || folder.at[0] != '/' || folder.len + 1 + len >= sizeof path)
        return (struct tn_start_failure){ START_PROGRAM, ENOENT };
    memcpy(path, folder.at, folder.len);
    path[folder.len] = '/';
    memcpy(path + folder.len + 1, order->words[0], len + 1);
    return run_file(path, order);
}

/* The first that runs. Else the failure is that of one that was found, and only without any that there is
 * none. */
static struct tn_start_failure run_by_name(const struct tn_order *order)
{
    struct tn_start_failure failure = { START_PROGRAM, ENOENT };
    struct tn_slice         rest    = tn_slice_of(path_of(order->environment)), folder;

    while (*order->words[0] && tn_slice_split(&rest, ':', &folder)) {
        struct tn_start_failure found = run_in(folder, order);

        if (found.step == START_PROGRAM && (found.error == ENOENT || found.error == ENOTDIR))
            continue;
        failure = found;
        if (found.error != EACCES) /* a folder that must not be entered hides nothing that follows */
            break;
    }
    return failure;
}

/* Of data, not of addresses, of which programs such as Node reserve far more than they use. A limit that is
 * lower already stays. */
static int limit_memory(uint64_t bytes)
{
    struct rlimit limit;

    if (bytes == 0)
        return 0;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return -1;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > bytes)
        limit.rlim_max = (rlim_t)bytes;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_DATA, &limit);
}

struct tn_start_failure tn_execute(const struct tn_order *order)
{
    if (setsid() < 0)
        return (struct tn_start_failure){ START_PROTECT, errno };
    if (limit_memory(order->memory) != 0)
        return (struct tn_start_failure){ START_LIMIT, errno };
    if (order->directory && chdir(order->directory) != 0)
        return (struct tn_start_failure){ START_DIRECTORY, errno };
    restore_signals();
    return strchr(order->words[0], '/') ? run_file(order->words[0], order) : run_by_name(order);
}
