/* place.c - where a project and what it names are, and whether they may be looked at.
 *
 * A path is compared with an allowed folder by its letters; then it is opened beneath that folder's handle, by the system,
 * so that no link on the way leads out. What was opened is what is used: its path is asked of the handle afterwards.
 */
#include "docs/project/parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "docs/index/files.h"

#define GIT_FILE_MAX ((size_t)4096)
#define PLACE_MAX    4096
#define BRANCH       "main"

bool place_normal(const char *above, const char *path, char out[PLACE_MAX])
{
    const char *const parts[2] = { *path == '/' ? "" : above, path };
    size_t            len      = 0;

    for (size_t i = 0; i < 2; i++)
        for (const char *p = parts[i]; *p;) {
            size_t n = strcspn(p, "/");

            if (n == 2 && p[0] == '.' && p[1] == '.') {
                if (len == 0)
                    return false;
                while (out[--len] != '/')
                    ;
            } else if (n > 0 && !(n == 1 && *p == '.')) {
                if (len + n + 2 > PLACE_MAX)
                    return false;
                out[len++] = '/';
                memcpy(out + len, p, n);
                len += n;
            }
            p += n + (p[n] == '/');
        }
    if (len == 0)
        out[len++] = '/';
    out[len] = '\0';
    return true;
}

/* The rest of a normal path beneath a normal folder, "." for the folder itself; NULL when it lies elsewhere. */
static const char *rest_of(const char *folder, const char *path)
{
    size_t len = strlen(folder);

    if (strcmp(folder, "/") == 0)
        return path[1] ? path + 1 : ".";
    if (strncmp(folder, path, len) != 0)
        return NULL;
    if (path[len] == '\0')
        return ".";
    return path[len] == '/' ? path + len + 1 : NULL;
}

/* Opens `path` (normal, absolute) beneath `folder`, as that was given or as it resolves. */
static tenon_status open_beneath(const char *folder, const char *path, unsigned how, int *fd)
{
    char         given[PLACE_MAX], *real = realpath(folder, NULL);
    const char  *rest   = NULL;
    tenon_status status = TENON_E_DENIED;
    tenon_root  *root;

    *fd = -1;
    if (real && *folder == '/' && place_normal("/", folder, given))
        rest = rest_of(given, path);
    if (real && !rest)
        rest = rest_of(real, path);
    if (rest) {
        status = tenon_root_new(real, NULL, &root);
        if (status == TENON_OK)
            status = tenon_root_open(root, rest, how, fd);
        tenon_root_free(root);
    }
    free(real);
    return status;
}

/* A root of what is open, which may be closed then; *resolved may be NULL. */
static tenon_root *root_of(int fd, char **resolved)
{
    char        link[64], path[PLACE_MAX];
    tenon_root *root = NULL;
    ssize_t     len;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    len = readlink(link, path, sizeof path - 1);
    if (len <= 0 || *path != '/' || tenon_root_new(link, NULL, &root) != TENON_OK)
        return NULL;
    path[len] = '\0';
    if (resolved && !(*resolved = strdup(path))) {
        tenon_root_free(root);
        root = NULL;
    }
    return root;
}

/* By a flag, the environment or a file: the server knows where it listens. */
static bool is_over_http(const struct docs *docs)
{
    return docs->options.over_http || *tenon_server_url(docs->server);
}

static tenon_status open_place(const struct docs *docs, const char *path, int *fd)
{
    const struct docs_options *options = &docs->options;
    tenon_status               status  = TENON_E_DENIED;

    if (options->roots.count == 0 && !is_over_http(docs))
        return open_beneath(path, path, TENON_DIRECTORY, fd);
    for (size_t i = 0; status != TENON_OK && i < options->roots.count; i++)
        status = open_beneath(options->roots.at[i], path, TENON_DIRECTORY, fd);
    for (size_t i = 0; status != TENON_OK && i < options->projects.count; i++)
        status = open_beneath(options->projects.at[i], path, TENON_DIRECTORY, fd);
    return status;
}

tenon_root *place_open(const struct docs *docs, const char *path, char **resolved)
{
    char        normal[PLACE_MAX];
    tenon_root *root;
    int         fd = -1;

    if (*path != '/' || !place_normal("/", path, normal) || open_place(docs, normal, &fd) != TENON_OK)
        return NULL;
    root = root_of(fd, resolved);
    close(fd);
    return root;
}

static bool lies_beneath(const tenon_strs *folders, const char *path)
{
    char above[PLACE_MAX];

    for (size_t i = 0; i < folders->count; i++)
        if (*folders->at[i] == '/' && place_normal("/", folders->at[i], above) && rest_of(above, path))
            return true;
    return false;
}

bool place_allows(const struct docs *docs, const char *path, char normal[PLACE_MAX])
{
    const struct docs_options *options = &docs->options;

    if (*path != '/' || !place_normal("/", path, normal))
        return false;
    if (options->roots.count == 0 && !is_over_http(docs))
        return true;
    return lies_beneath(&options->roots, normal) || lies_beneath(&options->projects, normal);
}

/* ---- What a configuration names -------------------------------------------------------------------------- */

static int open_named(const struct project *project, const tenon_root *root, const char *path, unsigned how,
                      char *normal, bool *denied)
{
    const struct docs_options *options = &project->docs->options;
    const char                *rest;
    tenon_status               status;
    int                        fd = -1;

    *denied = true;
    if (!place_normal(project->root, path, normal))
        return -1;
    rest = rest_of(project->root, normal);
    if (rest) {
        status  = tenon_root_open(root, rest, how, &fd);
        *denied = status == TENON_E_DENIED;
        if (status != TENON_E_DENIED)
            return fd;
    }
    for (size_t i = 0; fd < 0 && i < options->allowed.count; i++) {
        status = open_beneath(options->allowed.at[i], normal, how, &fd);
        if (status != TENON_E_DENIED)
            *denied = false;
    }
    return fd;
}

tenon_root *place_folder(struct project *project, const tenon_root *root, const char *path, char **where,
                         bool *denied)
{
    char        normal[PLACE_MAX], *resolved = NULL;
    tenon_root *folder;
    int         fd = open_named(project, root, path, TENON_DIRECTORY, normal, denied);

    if (fd < 0)
        return NULL;
    folder = root_of(fd, &resolved);
    close(fd);
    *where = folder ? project_text(project, resolved, strlen(resolved)) : NULL;
    free(resolved);
    if (folder && !*where) {
        tenon_root_free(folder);
        return NULL;
    }
    return folder;
}

int place_file(const struct project *project, const tenon_root *root, const char *path, bool *denied)
{
    char normal[PLACE_MAX];

    return open_named(project, root, path, TENON_READ, normal, denied);
}

/* ---- Branches -------------------------------------------------------------------------------------------- */

bool branch_is_fine(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7f)
            return false;
    return len > 0 && len <= BRANCH_LEN_MAX;
}

/* What stands behind `begin` on the first line, or NULL. */
static char *line_after(struct docs_file *file, const char *begin)
{
    size_t len = strlen(begin);

    if (file->len < len || strncmp(file->at, begin, len) != 0)
        return NULL;
    file->at[len + strcspn(file->at + len, "\r\n")] = '\0';
    return file->at + len;
}

/* The folder of git's that a work tree's .git file names lies in another repository, which may be outside of what the operator
 * allows, and anybody can write any path into such a file. It is believed when the folder says the same: git keeps the way
 * back to the work tree in its `gitdir`. Of a folder that does, only the name of a branch is read. */
static bool leads_back(const struct project *project, const tenon_root *elsewhere, const char *resolved)
{
    struct docs_file file = { 0 };
    char             normal[PLACE_MAX], own[PLACE_MAX], *real = NULL, *line;
    bool             same = false;

    if (docs_file_read(elsewhere, "gitdir", GIT_FILE_MAX, &file) != FILE_OK)
        return false;
    line = line_after(&file, "");
    if (line && *line && place_normal(resolved, line, normal) && place_normal(project->root, ".git", own)) {
        real = realpath(normal, NULL);
        same = real && strcmp(real, own) == 0;
    }
    free(real);
    docs_file_free(&file);
    return same;
}

/* The folder of git's that a .git file names, NULL for none that may be read. */
static tenon_root *git_folder(const struct project *project, const char *path)
{
    tenon_root *root;
    char        normal[PLACE_MAX], *resolved = NULL;
    int         fd;

    if (!place_normal(project->root, path, normal))
        return NULL;
    root = place_open(project->docs, normal, NULL);
    if (root || open_beneath(normal, normal, TENON_DIRECTORY, &fd) != TENON_OK)
        return root;
    root = root_of(fd, &resolved);
    close(fd);
    if (root && !leads_back(project, root, resolved)) {
        tenon_root_free(root);
        root = NULL;
    }
    free(resolved);
    return root;
}

void place_branch(const struct project *project, const tenon_root *root, char out[BRANCH_LEN_MAX + 1])
{
    struct docs_file file      = { 0 };
    tenon_root      *elsewhere = NULL; /* a work tree has a file that says where the rest is */
    char            *line;

    memcpy(out, BRANCH, sizeof BRANCH);
    if (docs_file_read(root, ".git", GIT_FILE_MAX, &file) == FILE_OK) {
        line = line_after(&file, "gitdir: ");
        if (line)
            elsewhere = git_folder(project, line);
        docs_file_free(&file);
    }
    if (docs_file_read(elsewhere ? elsewhere : root, elsewhere ? "HEAD" : ".git/HEAD", GIT_FILE_MAX, &file) ==
        FILE_OK) {
        line = line_after(&file, "ref: refs/heads/");
        if (line && branch_is_fine(line))
            memcpy(out, line, strlen(line) + 1);
        docs_file_free(&file);
    }
    tenon_root_free(elsewhere);
}
