/* group.c - finds the cgroup (version 2) that this process is in, and makes one below it for a server.
 *
 * Only where that was delegated: it is of this process's own user, systemd has marked it, or it is the root of all that can be
 * seen, as in a container. A service that was not given its cgroup must not change it.
 *
 * A group is locked by its supervisor. When that is killed together with its guard no process is left to remove the group, or to
 * end what runs in it: the next supervisor in the same place does, which finds it without a lock.
 */
#define _GNU_SOURCE
#include "guard/process/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define REMOVE_TRIES 50 /* processes that were killed take a moment to be gone ... */
#define REMOVE_US    1000
#define REMOVE_DEPTH 8  /* groups inside it, of a guard below a guard */
#define SWEPT_MAX    64 /* at once */
#define NAME         "tenon-guard-"

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
    snprintf(group.name, sizeof group.name, NAME "%d", (int)supervisor);
    return group;
}

void tn_group_join(const struct tn_group *group)
{
    put(group, "cgroup.procs", "0");
}

void tn_group_kill(const struct tn_group *group)
{
    put(group, "cgroup.kill", "1");
}

/* ---- Removing -------------------------------------------------------------------------------------------------- */

/* What a server below has made inside of it; it is empty, and goes first. */
static void remove_inside(int folder, int depth)
{
    int            copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), inner;
    DIR           *all  = copy >= 0 ? fdopendir(copy) : NULL;
    struct dirent *one;

    if (!all && copy >= 0)
        close(copy);
    while (all && (one = readdir(all))) {
        if (one->d_type != DT_DIR || strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0)
            continue;
        inner = depth > 0 ? openat(folder, one->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        if (inner < 0)
            continue;
        remove_inside(inner, depth - 1);
        close(inner);
        unlinkat(folder, one->d_name, AT_REMOVEDIR);
    }
    if (all)
        closedir(all);
}

/* With 0 tries it is only let go. */
static void remove_group(struct tn_group *group, int tries)
{
    for (int i = 0; group->folder >= 0 && i < tries; i++) {
        if (unlinkat(group->above, group->name, AT_REMOVEDIR) == 0 || errno != EBUSY)
            break;
        tn_group_kill(group);
        usleep(REMOVE_US);
        remove_inside(group->folder, REMOVE_DEPTH);
    }
    if (group->folder >= 0)
        close(group->folder);
    if (group->above >= 0)
        close(group->above);
    *group = none;
}

void tn_group_remove(struct tn_group *group)
{
    remove_group(group, REMOVE_TRIES);
}

/* The group of a supervisor, to be ended; -1 as its folder where there is none. */
static void open_folder(struct tn_group *group)
{
    if (group->above >= 0)
        group->folder = openat(group->above, group->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* ---- Those of others ------------------------------------------------------------------------------------------- */

/* It is gone but for its number, which the process that inherited it has not taken back; some never do. */
static bool is_zombie(pid_t process)
{
    char   path[32], text[512];
    FILE  *file;
    size_t len = 0;
    char  *end;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    file = fopen(path, "re");
    if (file) {
        len = fread(text, 1, sizeof text - 1, file);
        fclose(file);
    }
    text[len] = '\0';
    end       = strrchr(text, ')');
    return end && strncmp(end, ") Z", 3) == 0;
}

/* Is a name one of a supervisor that is gone, as far as its number says? It may be of another process by now, or of one that
 * cannot be seen from here: the lock decides about those. */
static bool is_of_dead(const char *name)
{
    char *end;
    long  supervisor;

    if (strncmp(name, NAME, sizeof NAME - 1) != 0 || strlen(name) >= sizeof none.name)
        return false;
    supervisor = strtol(name + sizeof NAME - 1, &end, 10);
    if (supervisor <= 0 || supervisor > INT_MAX || *end != '\0')
        return false;
    return (kill((pid_t)supervisor, 0) != 0 && errno == ESRCH) || is_zombie((pid_t)supervisor);
}

static void sweep_one(int above, const char *name)
{
    struct tn_group group = none;

    group.above = fcntl(above, F_DUPFD_CLOEXEC, 3);
    snprintf(group.name, sizeof group.name, "%s", name);
    open_folder(&group);
    if (group.folder >= 0 && flock(group.folder, LOCK_EX | LOCK_NB) == 0) {
        tn_group_kill(&group);
        remove_group(&group, REMOVE_TRIES);
    }
    remove_group(&group, 0);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

bool tn_group_make(struct tn_group *group, pid_t supervisor)
{
    *group = group_of(supervisor);
    if (group->above >= 0 && mkdirat(group->above, group->name, 0755) != 0 && errno == EEXIST) {
        sweep_one(group->above, group->name); /* of one that had this number before */
        mkdirat(group->above, group->name, 0755);
    }
    open_folder(group);
    if (group->folder < 0 || flock(group->folder, LOCK_EX | LOCK_NB) != 0) {
        remove_group(group, 0); /* it is another's */
        return false;
    }
    if (faccessat(group->folder, "cgroup.kill", W_OK, AT_EACCESS) == 0)
        return true;
    tn_group_remove(group);
    return false;
}

void tn_group_end(pid_t supervisor)
{
    struct tn_group group = group_of(supervisor);

    open_folder(&group);
    tn_group_kill(&group);
    tn_group_remove(&group);
}

void tn_group_sweep(const struct tn_group *group)
{
    int  copy = group->above < 0 ? -1 : openat(group->above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *all  = copy >= 0 ? fdopendir(copy) : NULL;
    struct dirent *one;

    if (!all && copy >= 0)
        close(copy);
    for (int swept = 0; all && swept < SWEPT_MAX && (one = readdir(all));) {
        if (!is_of_dead(one->d_name))
            continue;
        sweep_one(group->above, one->d_name);
        swept++;
    }
    if (all)
        closedir(all);
}
