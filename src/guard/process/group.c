/* group.c - finds the cgroup (version 2) that this process is in, and makes one below it for a server.
 *
 * Only where that was delegated: it is of this process's own user, systemd has marked it, or it is the root of all that can be
 * seen, as in a container. A service that was not given its cgroup must not change it.
 */
#define _GNU_SOURCE
#include "guard/process/group.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define REMOVE_TRIES 50 /* processes that were killed take a moment to be gone ... */
#define REMOVE_US    1000

static const struct tn_group none = { .above = -1, .folder = -1 };

/* Where cgroups are mounted; false when they are not, or only in their first version. */
static bool find_mount(char *place, size_t room)
{
    struct mntent entry, *found;
    char          text[PATH_MAX * 2];
    FILE         *mounts   = setmntent("/proc/self/mounts", "re");
    bool          is_there = false;

    while (mounts && !is_there && (found = getmntent_r(mounts, &entry, text, sizeof text)))
        is_there = strcmp(found->mnt_type, "cgroup2") == 0 &&
                   snprintf(place, room, "%s", found->mnt_dir) < (int)room;
    if (mounts)
        endmntent(mounts);
    return is_there;
}

/* The way to it from there: the line that begins with "0::". */
static bool find_way(char *way, size_t room)
{
    FILE *file  = fopen("/proc/self/cgroup", "re");
    bool  found = false;

    while (file && !found && fgets(way, (int)room, file))
        found = strncmp(way, "0::/", 4) == 0 && strchr(way, '\n');
    if (file)
        fclose(file);
    if (!found)
        return false;
    way[strcspn(way, "\n")] = '\0';
    memmove(way, way + 3, strlen(way + 3) + 1);
    return true;
}

/* Is this process in it? A mount may show a part of the tree only. */
static bool holds_self(int folder)
{
    int   fd   = openat(folder, "cgroup.procs", O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    int   process;
    bool  found = false;

    while (file && !found && fscanf(file, "%d", &process) == 1)
        found = process == getpid();
    if (file)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    return found;
}

static bool is_delegated(int folder, const char *way)
{
    static const char *const marks[] = { "trusted.delegate", "user.delegate" };
    struct stat              about;
    char                     value;

    if (strcmp(way, "/") == 0)
        return true;
    if (geteuid() != 0)
        return fstat(folder, &about) == 0 && about.st_uid == geteuid();
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fgetxattr(folder, marks[i], &value, 1) == 1 && value == '1')
            return true;
    return false;
}

/* The cgroup of this process, or -1. */
static int open_own(void)
{
    char mount[PATH_MAX], way[PATH_MAX], path[PATH_MAX * 2];
    int  folder;

    if (!find_mount(mount, sizeof mount) || !find_way(way, sizeof way))
        return -1;
    snprintf(path, sizeof path, "%s%s", mount, way);
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && is_delegated(folder, way) && holds_self(folder))
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

static void put(const struct tn_group *group, const char *file, const char *text)
{
    int fd = group->folder < 0 ? -1 : openat(group->folder, file, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    if (write(fd, text, strlen(text)) < 0)
        errno = 0; /* then it is done without the group */
    close(fd);
}

static struct tn_group group_of(pid_t supervisor)
{
    struct tn_group group = none;

    group.above = open_own();
    snprintf(group.name, sizeof group.name, "tenon-guard-%d", (int)supervisor);
    return group;
}

bool tn_group_make(struct tn_group *group, pid_t supervisor)
{
    *group = group_of(supervisor);
    if (group->above >= 0 && mkdirat(group->above, group->name, 0755) == 0)
        group->folder = openat(group->above, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (group->folder >= 0 && faccessat(group->folder, "cgroup.kill", W_OK, AT_EACCESS) == 0)
        return true;
    tn_group_remove(group);
    return false;
}

void tn_group_join(const struct tn_group *group)
{
    put(group, "cgroup.procs", "0");
}

void tn_group_kill(const struct tn_group *group)
{
    put(group, "cgroup.kill", "1");
}

void tn_group_remove(struct tn_group *group)
{
    for (int i = 0; group->folder >= 0 && i < REMOVE_TRIES; i++) {
        if (unlinkat(group->above, group->name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            break;
        tn_group_kill(group);
        usleep(REMOVE_US);
    }
    if (group->folder >= 0)
        close(group->folder);
    if (group->above >= 0)
        close(group->above);
    *group = none;
}

void tn_group_end(pid_t supervisor)
{
    struct tn_group group = group_of(supervisor);

    if (group.above >= 0)
        group.folder = openat(group.above, group.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    tn_group_kill(&group);
    tn_group_remove(&group);
}
