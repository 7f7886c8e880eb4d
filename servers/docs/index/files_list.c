/* files_list.c - what is in a folder.
 *
 * Folders are opened one at a time, by their path beneath the root, so that the depth costs no handles. A folder that
 * cannot be read is remembered: its content is unknown, which is not the same as empty.
 */
#include "docs/index/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct walk {
    struct listing   *listing;
    const tenon_root *root;
    file_wanted_fn    wanted;
    void             *user;
};

bool paths_add(struct paths *paths, const char *path)
{
    if (paths->count == paths->room) {
        size_t room = paths->room ? paths->room * 2 : 64;
        char **at   = realloc(paths->at, room * sizeof *at);

        if (!at)
            return false;
        paths->at   = at;
        paths->room = room;
    }
    paths->at[paths->count] = strdup(path);
    if (!paths->at[paths->count])
        return false;
    paths->count++;
    return true;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void paths_sort(struct paths *paths)
{
    size_t kept = 0;

    if (paths->count == 0)
        return;
    qsort(paths->at, paths->count, sizeof *paths->at, compare);
    for (size_t i = 1; i < paths->count; i++) {
        if (strcmp(paths->at[kept], paths->at[i]) == 0)
            free(paths->at[i]);
        else
            paths->at[++kept] = paths->at[i];
    }
    paths->count = kept + 1;
}

bool paths_has(const struct paths *paths, const char *path)
{
    return paths->count > 0 && bsearch(&path, paths->at, paths->count, sizeof *paths->at, compare);
}

void paths_free(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->at[i]);
    free(paths->at);
    *paths = (struct paths){ 0 };
}

bool paths_beneath(const struct paths *folders, const char *path)
{
    size_t whole = strlen(path);

    for (size_t i = 0; i < folders->count; i++) {
        size_t len = strlen(folders->at[i]);

        if (len == 0 || (whole > len && path[len] == '/' && memcmp(folders->at[i], path, len) == 0))
            return true;
    }
    return false;
}

/* What an entry is: 'f' a file or a link (which may lead to one), 'd' a folder, 0 for all else. */
static char kind_of(int folder, const struct dirent *entry)
{
    struct stat stat;

    switch (entry->d_type) {
    case DT_DIR: return 'd';
    case DT_REG: return 'f';
    case DT_LNK:
    case DT_UNKNOWN: break;
    default: return 0;
    }
    if (fstatat(folder, entry->d_name, &stat, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (S_ISLNK(stat.st_mode) && fstatat(folder, entry->d_name, &stat, 0) == 0 && S_ISDIR(stat.st_mode))
        return 0;
    return S_ISDIR(stat.st_mode) ? 'd' : 'f';
}

/* Counts a file that a person would call a document, but that is not read. */
static void note_passed(struct listing *listing, const char *name)
{
    static const char *const endings[] = { ".md",   ".markdown", ".mdx", ".rst",  ".txt",  ".html",    ".htm",
                                           ".adoc", ".pdf",      ".org", ".docx", ".doc",  ".odt",     ".rtf",
                                           ".epub", ".ipynb",    ".tex", ".wiki", ".pptx", ".asciidoc" };
    const char              *dot       = strrchr(name, '.');
    size_t                   i = 0, known = 0;

    while (dot && known < sizeof endings / sizeof *endings && strcasecmp(endings[known], dot) != 0)
        known++;
    if (!dot || known == sizeof endings / sizeof *endings)
        return;
    while (i < PASSED_MAX && listing->passed[i].ending[0] &&
           strcmp(listing->passed[i].ending, endings[known]) != 0)
        i++;
    if (i == PASSED_MAX)
        return;
    memcpy(listing->passed[i].ending, endings[known], strlen(endings[known]) + 1);
    listing->passed[i].count++;
}

static bool add_entry(struct walk *walk, int folder, const char *above, const struct dirent *entry,
                      size_t depth)
{
    struct listing *listing = walk->listing;
    char            path[FILE_PATH_MAX];
    char            kind;
    int             len;

    if (entry->d_name[0] == '.')
        return true;
    kind = kind_of(folder, entry);
    if (!kind)
        return true;
    len = snprintf(path, sizeof path, "%s%s%s", above, *above ? "/" : "", entry->d_name);
    if (len >= (int)sizeof path || listing->files.count + listing->folders.count >= FILES_MAX ||
        (kind == 'd' && depth >= FILES_DEPTH_MAX)) {
        listing->too_many = true;
        return true;
    }
    if (!walk->wanted(walk->user, path, kind == 'd')) {
        if (kind == 'f')
            note_passed(listing, entry->d_name);
        return true;
    }
    return paths_add(kind == 'd' ? &listing->folders : &listing->files, path);
}

static size_t depth_of(const char *path)
{
    size_t depth = *path != '\0';

    for (; *path; path++)
        depth += *path == '/';
    return depth;
}

/* False without memory only. */
static bool walk_folder(struct walk *walk, const char *path)
{
    struct dirent *entry;
    DIR           *dir;
    int            fd;
    bool           fine = true;

    if (tenon_root_open(walk->root, *path ? path : ".", TENON_DIRECTORY | TENON_READ, &fd) != TENON_OK)
        return paths_add(&walk->listing->unreadable, path);
    dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return paths_add(&walk->listing->unreadable, path);
    }
    for (errno = 0; fine && (entry = readdir(dir)); errno = 0)
        fine = add_entry(walk, fd, path, entry, depth_of(path));
    if (fine && errno != 0)
        fine = paths_add(&walk->listing->unreadable, path);
    closedir(dir);
    return fine;
}

bool listing_make(struct listing *listing, const tenon_root *root, file_wanted_fn wanted, void *user)
{
    struct walk walk = { listing, root, wanted, user };
    bool        fine;

    *listing = (struct listing){ 0 };
    fine     = paths_add(&listing->folders, "");
    for (size_t i = 0; fine && i < listing->folders.count; i++) /* the list grows while it is walked */
        fine = walk_folder(&walk, listing->folders.at[i]);
    if (!fine || paths_beneath(&listing->unreadable, "")) {
        listing_free(listing);
        return false;
    }
    paths_sort(&listing->files);
    paths_sort(&listing->folders);
    return true;
}

void listing_free(struct listing *listing)
{
    paths_free(&listing->files);
    paths_free(&listing->folders);
    paths_free(&listing->unreadable);
}
