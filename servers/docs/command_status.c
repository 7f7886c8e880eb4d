/* command_status.c - `tenon docs status` and `tenon docs backup`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "docs/command_parts.h"
#include "docs/command_text.h"
#include "docs/index/files.h"
#include "docs/index/parts.h"
#include "kit/embed/embed.h"

#define SHOWN_MOST 10 /* paths that status names */

struct command_comparison {
    struct listing files;
    struct paths   gone;
    size_t         known;
};

static bool is_document(void *user, const char *path, bool is_folder)
{
    return index_wants(user, false, path, is_folder);
}

static bool compare(void *user, const char *path, const char *hash, const char *model)
{
    struct command_comparison *comparison = user;

    (void)hash, (void)model;
    comparison->known++;
    return paths_has(&comparison->files.files, path) || paths_add(&comparison->gone, path);
}

static void name_paths(const struct paths *paths)
{
    for (size_t i = 0; i < paths->count && i < SHOWN_MOST; i++) {
        fputs("  ", stdout);
        docs_show_text(stdout, paths->at[i], strlen(paths->at[i]));
        fputc('\n', stdout);
    }
    if (paths->count > SHOWN_MOST)
        printf("  and %zu more\n", paths->count - SHOWN_MOST);
}

/* Files without a document, and documents without a file: by their names alone. */
static void compare_files(struct command_row *command, const struct project *project)
{
    struct command_comparison comparison = { 0 };
    struct paths              missing    = { 0 };
    char                      hash[65], model[129];

    if (!listing_make(&comparison.files, atomic_load(&project->docs_root), is_document, (void *)project)) {
        puts("the folder cannot be read now");
        return;
    }
    store_each_path(command->docs.store, &project->tenant, false, compare, &comparison);
    for (size_t i = 0; i < comparison.files.files.count; i++) {
        hash[0] = '\0';
        store_hash(command->docs.store, &project->tenant, comparison.files.files.at[i], false, hash, model);
        if (hash[0] == '\0')
            paths_add(&missing, comparison.files.files.at[i]);
    }
    if (missing.count > 0)
        printf("files that are not in the index (tenon docs index says why): %zu\n", missing.count);
    name_paths(&missing);
    if (comparison.gone.count > 0)
        printf("documents whose files are gone: %zu\n", comparison.gone.count);
    name_paths(&comparison.gone);
    if (comparison.files.unreadable.count > 0)
        printf("folders that cannot be read: %zu\n", comparison.files.unreadable.count);
    name_paths(&comparison.files.unreadable);
    paths_free(&missing);
    paths_free(&comparison.gone);
    listing_free(&comparison.files);
}

static void show_database(const char *path)
{
    char        wal[4096], when[32] = "";
    struct stat main_file, log_file;
    struct tm   tm;
    long long   bytes;
    time_t      last;

    if (stat(path, &main_file) != 0)
        return;
    bytes = main_file.st_size;
    last  = main_file.st_mtime;
    snprintf(wal, sizeof wal, "%s-wal", path);
    if (stat(wal, &log_file) == 0) {
        bytes += log_file.st_size;
        if (log_file.st_size > 0 && log_file.st_mtime > last)
            last = log_file.st_mtime;
    }
    if (localtime_r(&last, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    printf("database:   %s, %lld KiB, written %s\n", path, (bytes + 1023) / 1024, when);
}

enum command_ending command_status(struct command_row *command)
{
    const struct project *project = command->docs.projects;
    struct store         *store   = command->docs.store;
    int64_t               count = 0, external = 0, pieces = 0, with = 0;

    if (store_count(store, &project->tenant, NULL, false, &count) != STORE_OK) {
        fputs("tenon docs: the database could not be read\n", stderr);
        return ENDING_UNUSABLE;
    }
    store_frequency(store, &project->tenant, false, "a", &pieces, &with);
    printf("project:    %s, branch %s, path hash %s\n", project->tenant.project, project->tenant.branch,
           project->tenant.path_hash);
    printf("folder:     %s/%s\n", project->root, project->config.docs_folder);
    printf("documents:  %lld, in %lld piece%s\n", (long long)count, (long long)pieces,
           pieces == 1 ? "" : "s");
    for (size_t i = 0; i < project->types.count; i++) {
        int64_t of_type = 0;

        store_count(store, &project->tenant, project->types.at[i].name, false, &of_type);
        if (of_type > 0)
            printf("  %-10s%lld\n", project->types.at[i].name, (long long)of_type);
    }
    if (project->external && store_count(store, &project->tenant, NULL, true, &external) == STORE_OK)
        printf("external:   %lld, from %s\n", (long long)external, project->external);
    printf("embeddings: %s, %zu numbers each\n", command->docs.embedder->model,
           command->docs.embedder->dimensions);
    if (sql_report(store_pool(store)).is_shared)
        printf("database:   %s\n", store_path(store));
    else
        show_database(store_path(store));
    compare_files(command, project);
    return ENDING_GOOD;
}

/* ---- Backup -------------------------------------------------------------------------------------------------- */

enum command_ending command_backup(struct command_row *command)
{
    char *mistake = NULL;

    if (store_backup(command->docs.store, command->words.at[0], &mistake)) {
        printf("%s has a copy of %s\n", command->words.at[0], store_path(command->docs.store));
        return ENDING_GOOD;
    }
    fprintf(stderr, "tenon docs: %s\n", mistake ? mistake : "the copy failed");
    free(mistake);
    return ENDING_UNUSABLE;
}
