/* project.c - loading a project, and the list of active ones. */
#include "docs/project/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "docs/index/files.h"
#include "docs/store/store.h"
#include "kit/words/words.h"

#define SCHEMA_LEN_MAX ((size_t)1 << 20)

/* A text of the project; freed with it. */
struct piece_of_memory {
    struct piece_of_memory *next;
    char                    text[];
};

char *project_text(struct project *project, const char *at, size_t len)
{
    struct piece_of_memory *piece = malloc(sizeof *piece + len + 1);

    if (!piece)
        return NULL;
    memcpy(piece->text, at, len);
    piece->text[len] = '\0';
    piece->next      = project->memory;
    project->memory  = piece;
    return piece->text;
}

static void project_free(struct project *project)
{
    struct piece_of_memory *piece = project->memory, *next;

    types_free(&project->types);
    tenon_root_free(atomic_load(&project->docs_root));
    tenon_root_free(atomic_load(&project->external_root));
    for (size_t i = 0; i < project->retired_count; i++)
        tenon_root_free(project->retired[i]);
    for (size_t i = 0; i < project->caller_count; i++)
        free(project->callers[i]);
    for (; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    free(project);
}

void project_hold(struct project *project)
{
    atomic_fetch_add_explicit(&project->refs, 1, memory_order_relaxed);
}

void project_release(struct project *project)
{
    if (project && atomic_fetch_sub_explicit(&project->refs, 1, memory_order_acq_rel) == 1)
        project_free(project);
}

/* ---- Loading --------------------------------------------------------------------------------------------- */

/* What loading works with. */
struct loading {
    struct docs        *docs;
    struct project     *project;
    tenon_root         *root;
    struct text         mistakes; /* a line each */
    struct custom_types types;
};

static const char *config_folder(const struct docs *docs)
{
    return docs->options.config_folder ? docs->options.config_folder : ".tenon";
}

/* The project's folder of a path that ends as it must; in the project's memory. */
static char *folder_of(struct project *project, const char *config_path)
{
    char   end[512];
    size_t len = strlen(config_path), n;

    n = (size_t)snprintf(end, sizeof end, "/%s/" CONFIG_FILE, config_folder(project->docs));
    if (n >= sizeof end || *config_path != '/' || len < n || strcmp(config_path + len - n, end) != 0)
        return NULL;
    return project_text(project, len == n ? "/" : config_path, len == n ? 1 : len - n);
}

static void hash_root(const char *root, char out[PATH_HASH_LEN + 1])
{
    unsigned char            hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    size_t                   len = strlen(root);

    while (len > 1 && root[len - 1] == '/')
        len--;
    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < len; i++)
        crypto_hash_sha256_update(&state, (const unsigned char *)(root[i] == '\\' ? "/" : root + i), 1);
    crypto_hash_sha256_final(&state, hash);
    for (size_t i = 0; i < PATH_HASH_LEN / 2; i++)
        snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

static bool set_tenant(struct loading *loading, const char *branch)
{
    struct project *project = loading->project;
    char            hash[PATH_HASH_LEN + 1], found[BRANCH_LEN_MAX + 1];

    hash_root(project->root, hash);
    if (!branch || !*branch) {
        place_branch(project, loading->root, found);
        branch = found;
    }
    project->tenant.project   = project->config.name;
    project->tenant.branch    = project_text(project, branch, strlen(branch));
    project->tenant.path_hash = project_text(project, hash, PATH_HASH_LEN);
    return project->tenant.branch && project->tenant.path_hash;
}

/* Reads the configuration if there is one. PROJECT_NOT_FOUND when there must be one. */
static enum project_status read_config(struct loading *loading, bool wanted)
{
    char             path[512];
    struct docs_file file;

    snprintf(path, sizeof path, "%s/" CONFIG_FILE, config_folder(loading->docs));
    switch (docs_file_read(loading->root, path, CONFIG_LEN_MAX, &file)) {
    case FILE_OK: break;
    case FILE_NOT_FOUND:
    case FILE_DENIED:
        if (wanted)
            return PROJECT_NOT_FOUND;
        return config_default(loading->project) ? PROJECT_OK : PROJECT_FAILED;
    case FILE_TOO_LARGE:
        text_addf(&loading->mistakes, "it is larger than %zu bytes\n", CONFIG_LEN_MAX);
        return PROJECT_INVALID;
    case FILE_CHANGING:
        text_put(&loading->mistakes, "it changes while it is read: try again\n");
        return PROJECT_INVALID;
    default: return PROJECT_FAILED;
    }
    wanted = config_read(loading->project, file.at, file.len, &loading->types, &loading->mistakes);
    docs_file_free(&file);
    if (!wanted)
        return PROJECT_FAILED;
    return loading->mistakes.len ? PROJECT_INVALID : PROJECT_OK;
}

static char *read_schema(struct loading *loading, const char *path, size_t *len)
{
    bool        denied;
    int         fd = place_file(loading->project, loading->root, path, &denied);
    struct stat stat;
    char       *at = NULL;
    ssize_t     n  = -1;

    if (fd < 0) {
        text_addf(
            &loading->mistakes,
            denied ? "the schema file '%s' does not lie in the project; the operator can allow its folder\n"
                   : "the schema file '%s' is not there\n",
            path);
        return NULL;
    }
    if (fstat(fd, &stat) == 0 && stat.st_size >= 0 && (uintmax_t)stat.st_size <= SCHEMA_LEN_MAX)
        at = malloc((size_t)stat.st_size + 1);
    if (at)
        n = read(fd, at, (size_t)stat.st_size);
    close(fd);
    if (n < 0) {
        text_addf(&loading->mistakes, "the schema file '%s' cannot be read\n", path);
        free(at);
        return NULL;
    }
    *len = (size_t)n;
    return at;
}

static bool add_types(struct loading *loading)
{
    struct project          *project = loading->project;
    crypto_hash_sha256_state rules;

    if (!types_init(&project->types, project->config.plain_allowed))
        return false;
    crypto_hash_sha256_init(&rules);
    crypto_hash_sha256_update(&rules, &(unsigned char){ WORDS_VERSION }, 1);
    crypto_hash_sha256_update(&rules, (const unsigned char *)&project->config.plain_allowed, 1);
    for (size_t i = 0; i < loading->types.count; i++) {
        const struct custom_type *type    = &loading->types.at[i];
        char                     *mistake = NULL, *json;
        size_t                    len     = 0;

        json = read_schema(loading, type->schema_file, &len);
        if (json && !types_add(&project->types, type->name, type->description, type->folder,
                               type->schema_file, json, len, type->with_common, &mistake))
            text_addf(&loading->mistakes, "custom_doc_types: %s\n", mistake ? mistake : "out of memory");
        if (json) {
            crypto_hash_sha256_update(&rules, (const unsigned char *)type->name, strlen(type->name) + 1);
            crypto_hash_sha256_update(&rules, (const unsigned char *)json, len);
            crypto_hash_sha256_update(&rules, (const unsigned char *)&type->with_common, 1);
        }
        free(mistake);
        free(json);
    }
    crypto_hash_sha256_final(&rules, project->rules);
    return true;
}

/* A folder without configuration and without a docs folder is one itself. */
static bool open_folders(struct loading *loading, bool has_config)
{
    struct project *project = loading->project;
    char           *where   = NULL;
    bool            denied;
    tenon_root     *root = place_folder(project, loading->root, project->config.docs_folder, &where, &denied);

    if (!root && !denied && !has_config) {
        project->config.docs_folder = ".";
        root                        = place_folder(project, loading->root, ".", &where, &denied);
    }
    atomic_store(&project->docs_root, root);
    if (!root)
        text_addf(&loading->mistakes,
                  denied ? "docs_folder '%s' does not lie in the project\n"
                         : "docs_folder '%s' is not there: make it, or set docs_folder\n",
                  project->config.docs_folder);
    if (!project->config.external_path)
        return true;
    root = place_folder(project, loading->root, project->config.external_path, &project->external, &denied);
    atomic_store(&project->external_root, root);
    if (!root)
        text_addf(&loading->mistakes,
                  denied ? "external_docs.path '%s' does not lie in the project; the operator can allow it\n"
                         : "external_docs.path '%s' is not there\n",
                  project->config.external_path);
    return true;
}

static bool keep_names(struct project *project, const char *root, const char *config_path, const char *folder)
{
    project->root        = project_text(project, root, strlen(root));
    project->config_path = config_path ? project_text(project, config_path, strlen(config_path)) : NULL;
    project->directory   = config_path ? NULL : project_text(project, folder, strlen(folder));
    return project->root && (project->config_path || project->directory);
}

/* One whose folder is on other machines, as those have indexed it: its name is that of the work tree with this path. Only a
 * replica that watches no files may do without them. */
static enum project_status load_elsewhere(struct loading *loading, const char *config_path,
                                          const char *folder, const char *wanted)
{
    struct project *project = loading->project;
    struct store   *store   = loading->docs->store;
    char            root[4096], hash[PATH_HASH_LEN + 1], name[STORE_NAME_ROOM], branch[STORE_NAME_ROOM] = "";

    if (!store || !loading->docs->options.no_watch || !sql_report(store_pool(store)).is_shared ||
        !place_allows(loading->docs, folder, root))
        return PROJECT_NOT_FOUND;
    if (!keep_names(project, root, config_path, folder))
        return PROJECT_FAILED;
    hash_root(root, hash);
    strncat(branch, wanted ? wanted : "", sizeof branch - 1);
    switch (store_known(store, hash, name, branch)) {
    case STORE_OK: break;
    case STORE_NONE: return PROJECT_NOT_FOUND;
    default: return PROJECT_FAILED;
    }
    project->is_elsewhere = true;
    if (!config_default(project) || !types_init(&project->types, true))
        return PROJECT_FAILED;
    project->config.name = project_text(project, name, strlen(name));
    return project->config.name && set_tenant(loading, branch) ? PROJECT_OK : PROJECT_FAILED;
}

static enum project_status load(struct loading *loading, const char *config_path, const char *directory,
                                const char *branch)
{
    struct project     *project  = loading->project;
    char               *resolved = config_path ? NULL : realpath(directory, NULL);
    const char         *given    = resolved ? resolved : directory;
    const char         *folder   = config_path ? folder_of(project, config_path)
                                               : project_text(project, given, strlen(given));
    enum project_status status;

    free(resolved);
    resolved = NULL;
    if (!folder || (branch && *branch && !branch_is_fine(branch)))
        return PROJECT_NOT_FOUND;
    loading->root = place_open(loading->docs, folder, &resolved);
    if (!loading->root)
        return load_elsewhere(loading, config_path, folder, branch);
    if (!keep_names(project, resolved, config_path, folder)) {
        free(resolved);
        return PROJECT_FAILED;
    }
    free(resolved);
    status = read_config(loading, config_path != NULL);
    if (status != PROJECT_OK)
        return status;
    if (!set_tenant(loading, branch) || !add_types(loading) || !open_folders(loading, config_path != NULL))
        return PROJECT_FAILED;
    return loading->mistakes.len ? PROJECT_INVALID : PROJECT_OK;
}

static char *say(const char *format, ...) TENON_PRINTF(1, 2);
static char *say(const char *format, ...)
{
    va_list list;
    char   *text = NULL;

    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    return text;
}

static char *mistake_of(const struct loading *loading, enum project_status status, const char *path)
{
    switch (status) {
    case PROJECT_NOT_FOUND:
        return say("There is no project at '%s', or it is not beneath a folder that the operator allows. A "
                   "configuration "
                   "is named by its absolute path, which ends in %s/" CONFIG_FILE ".",
                   path, config_folder(loading->docs));
    case PROJECT_INVALID:
        return say("The configuration of '%s' has mistakes:\n%.*s", path,
                   (int)loading->mistakes.len - 1, /* without the last end of a line */
                   text_of(&loading->mistakes));
    case PROJECT_FULL:
        return say(
            "%d branches of the project at '%s' are indexed already, which is the most. Delete one that is "
            "no longer needed with delete_documents.",
            BRANCHES_MAX, path);
    case PROJECT_FAILED:
        return say("The project at '%s' could not be loaded: the system or the database failed.", path);
    default: return NULL;
    }
}

static enum project_status status_of_store(enum store_status status)
{
    if (status == STORE_LIMIT)
        return PROJECT_FULL;
    return status == STORE_OK ? PROJECT_OK : PROJECT_FAILED;
}

enum project_status project_load(struct docs *docs, const char *config_path, const char *directory,
                                 const char *branch, struct project **project, char **mistake)
{
    struct loading      loading = { .docs = docs, .project = calloc(1, sizeof *loading.project) };
    enum project_status status  = PROJECT_FAILED;

    *project = NULL;
    *mistake = NULL;
    if (loading.project) {
        atomic_init(&loading.project->refs, 1);
        loading.project->docs = docs;
        status                = load(&loading, config_path, directory, branch);
    }
    if (status == PROJECT_OK && docs->store)
        status = status_of_store(store_tenant(docs->store, &loading.project->tenant, loading.project->root));
    if (status != PROJECT_OK) {
        *mistake = mistake_of(&loading, status, config_path ? config_path : directory);
        project_release(loading.project);
    } else {
        *project = loading.project;
    }
    tenon_root_free(loading.root);
    text_free(&loading.mistakes);
    return status;
}

/* ---- Folders that are made again -------------------------------------------------------------------------- */

static bool is_same_folder(const tenon_root *root, const char *path)
{
    struct stat held, now;
    int         fd;
    bool        same;

    if (tenon_root_open(root, ".", TENON_DIRECTORY, &fd) != TENON_OK)
        return false;
    same = fstat(fd, &held) == 0 && held.st_nlink > 0 && stat(path, &now) == 0 && held.st_dev == now.st_dev &&
           held.st_ino == now.st_ino;
    close(fd);
    return same;
}

/* Opens one folder anew, by the rules of loading; the old root may still be in use. */
static bool renew(struct project *project, _Atomic(tenon_root *) *at, const char *folder, const char *path)
{
    tenon_root *old      = atomic_load(at), *root, *project_root;
    char       *resolved = NULL, *where = NULL;
    bool        denied;

    if (!old || is_same_folder(old, path))
        return old != NULL;
    if (project->retired_count == PROJECT_ROOTS_MAX)
        return false;
    project_root = place_open(project->docs, project->root, &resolved);
    free(resolved);
    if (!project_root)
        return false;
    root = place_folder(project, project_root, folder, &where, &denied);
    tenon_root_free(project_root);
    if (!root)
        return false;
    atomic_store(at, root);
    project->retired[project->retired_count++] = old;
    return true;
}

bool project_refresh(struct project *project)
{
    char path[8192];
    bool fine;

    snprintf(path, sizeof path, "%s/%s", project->root, project->config.docs_folder);
    pthread_mutex_lock(&project->docs->lock);
    fine = renew(project, &project->docs_root, project->config.docs_folder, path);
    if (project->external)
        (void)renew(project, &project->external_root, project->config.external_path, project->external);
    pthread_mutex_unlock(&project->docs->lock);
    return fine;
}
