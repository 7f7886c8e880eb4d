/* command.c - `tenon docs`: index, search, ask, status and backup on the command line.
 *
 * Questions go to the very tools that clients call, through a client in memory, so that answers and messages are the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <tenon/testing.h>

#include "docs/command_show.h"
#include "docs/index/files.h"
#include "docs/index/indexer.h"
#include "docs/index/parts.h"
#include "docs/main.h"
#include "docs/settings.h"
#include "kit/embed/embed.h"
#include "kit/text.h"

enum command_ending { ENDING_GOOD = 0, ENDING_BAD = 1, ENDING_UNUSABLE = 2 };

#define BAR_WIDTH        30
#define ESTIMATE_AFTER_S 2 /* before, it would be a guess */
#define SHOWN_MOST 10 /* paths that status names */

struct command_row {
    struct docs_options options;
    const char         *limit, *score;
    bool                json, no_index;
    tenon_strs          words; /* after the command's name */
    const char         *path;  /* of the project */
    struct docs         docs;
};

static const char help[] =
    "Usage: tenon docs index PATH\n"
    "       tenon docs search PATH WORD...\n"
    "       tenon docs ask PATH WORD...\n"
    "       tenon docs status PATH\n"
    "       tenon docs backup FILE\n"
    "       tenon docs model import FILE\n\n"
    "The documentation of a project on the command line: the same index and the same answers as\n"
    "tenon serve docs gives to clients. PATH is a project's folder, or any folder of markdown.\n\n"
    "  index     bring the index up to date\n"
    "  search    find documents, the most relevant first\n"
    "  ask       answer a question from the documents' own sentences\n"
    "  status    what the index has\n"
    "  backup    copy the whole database to a new file, while it is in use\n"
    "  model     take a model for --embedding model\n\n"
    "search and ask bring the index up to date first.\n\n";

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct command_row, limit, "limit", "N", "most documents, or sources of an answer"),
    TENON_SETTING_TEXT(struct command_row, score, "min-score", "X", "least relevance, from 0 to 1"),
    TENON_SETTING_FLAG(struct command_row, json, "json", "the tool's whole answer as JSON"),
    TENON_SETTING_FLAG(struct command_row, no_index, "no-index", "search what the index has"),
    DOCS_SETTINGS(struct command_row, options.),
};

static enum command_ending wrong(const char *text)
{
    fprintf(stderr, "tenon docs: %s; see tenon docs --help\n", text);
    return ENDING_UNUSABLE;
}

/* ---- Opening ------------------------------------------------------------------------------------------------- */

/* False when it cannot be, which was said. */
static bool open_docs(struct command_row *command, const char *path)
{
    struct mistake mistake;

    command->options.no_watch = true;
    if (path) {
        command->path             = path;
        command->options.projects = (tenon_strs){ 1, &command->path };
    }
    if (docs_new(&command->docs, &command->options, &mistake)) {
        struct embedder *embedder = command->docs.embedder;

        if (!embedder->wait || embedder->wait(embedder, &mistake.text))
            return true;
        tenon_server_free(command->docs.server);
        docs_free(&command->docs);
    }
    (void)program_refuse("tenon docs", &mistake);
    return false;
}

static void close_docs(struct command_row *command)
{
    tenon_server_free(command->docs.server);
    docs_free(&command->docs);
}

/* ---- Indexing ------------------------------------------------------------------------------------------------ */

struct shown {
    bool   terminal, briefly, is_slow;
    time_t begun;
    size_t last; /* tenths that were told elsewhere */
};

/* How long the rest takes, if it goes on like this. */
static void draw_estimate(const struct shown *shown, size_t done, size_t total)
{
    time_t so_far = time(NULL) - shown->begun;
    long   left   = done ? (long)((double)so_far / (double)done * (double)(total - done)) : 0;

    if (!shown->is_slow || so_far < ESTIMATE_AFTER_S || done == total)
        return;
    if (left >= 90)
        fprintf(stderr, "about %ld min left ", (left + 30) / 60);
    else
        fprintf(stderr, "about %ld s left ", left);
}

static void draw_bar(const struct shown *shown, size_t done, size_t total)
{
    size_t full = total ? done * BAR_WIDTH / total : BAR_WIDTH;

    fputs("\r[", stderr);
    for (size_t i = 0; i < BAR_WIDTH; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %zu of %zu files ", done, total);
    draw_estimate(shown, done, total);
    fputs("\x1b[K", stderr);
}

static void clear_bar(const struct shown *shown)
{
    if (shown->terminal)
        fputs("\r\x1b[K", stderr);
}

static bool tell(void *user, size_t done, size_t total, const char *path, enum index_status status,
                 const struct index_problem *problem)
{
    struct shown *shown = user;

    (void)status;
    if (problem && !shown->briefly) {
        clear_bar(shown);
        fputs("tenon docs: ", stderr);
        docs_show_text(stderr, path, strlen(path));
        fputs(" was not indexed: ", stderr);
        docs_show_problem(stderr, problem);
    }
    if (shown->terminal) {
        if (shown->is_slow || done == total || done % 16 == 0)
            draw_bar(shown, done, total);
    } else if (total >= 1000 && done * 10 / total > shown->last) {
        shown->last = done * 10 / total;
        fprintf(stderr, "%zu of %zu files\n", done, total);
    }
    return true;
}

static const char *index_failure(enum index_status status)
{
    switch (status) {
    case INDEX_EMBEDDING: return "the embedding service does not answer";
    case INDEX_OVER_LIMIT: return "the database has reached the size that --max-db allows";
    case INDEX_DATABASE: return "the database could not be written";
    case INDEX_NO_MEMORY: return "out of memory";
    default: return "the documents cannot be read";
    }
}

/* Brings the index up to date; what went wrong was said, briefly or file by file. */
static enum command_ending bring_up_to_date(struct command_row *command, bool briefly,
                                            struct index_counts *counts)
{
    struct shown      shown = { .terminal = isatty(STDERR_FILENO),
                                .briefly  = briefly,
                                .is_slow  = command->docs.embedder->is_slow,
                                .begun    = time(NULL) };
    enum index_status status;

    *counts = (struct index_counts){ 0 };
    status  = index_reconcile(&command->docs, NULL, command->docs.projects, tell, &shown, counts);
    clear_bar(&shown);
    if (status != INDEX_OK) {
        fprintf(stderr, "tenon docs: %s\n", index_failure(status));
        return ENDING_UNUSABLE;
    }
    if (counts->elsewhere)
        fputs("tenon docs: another process is indexing this folder; what it has done so far is there\n",
              stderr);
    if (briefly && counts->failed > 0)
        fprintf(stderr, "tenon docs: %zu file%s could not be indexed; tenon docs index says why\n",
                counts->failed, counts->failed == 1 ? "" : "s");
    return counts->failed > 0 ? ENDING_BAD : ENDING_GOOD;
}

static enum command_ending run_index(struct command_row *command)
{
    const struct tenant *tenant = &command->docs.projects->tenant;
    struct index_counts  counts;
    enum command_ending  ending = bring_up_to_date(command, false, &counts);
    int64_t              total  = 0;

    if (ending == ENDING_UNUSABLE)
        return ending;
    store_count(command->docs.store, tenant, NULL, false, &total);
    printf("%s, branch %s: %lld document%s (%zu indexed, %zu unchanged, %zu removed, %zu not indexed)\n",
           tenant->project, tenant->branch, (long long)total, total == 1 ? "" : "s", counts.indexed,
           counts.unchanged, counts.removed, counts.failed);
    if (counts.passed[0])
        printf("not read: %s\n", counts.passed);
    if (total == 0 && ending == ENDING_GOOD) {
        fprintf(stderr,
                "tenon docs: there is no document in this folder (tenon docs --help says which files are)\n");
        return ENDING_BAD;
    }
    return ending;
}

/* ---- Asking -------------------------------------------------------------------------------------------------- */

/* A number as it is, anything else as text: the tool says what is wrong with it. */
static void write_value(tenon_writer *w, const char *name, const char *value)
{
    char  *end;
    double number;

    if (!value)
        return;
    number = strtod(value, &end);
    if (end != value && *end == '\0' && isfinite(number) && strspn(value, "0123456789.-") == strlen(value))
        tenon_write_num(w, name, number);
    else
        tenon_write_bytes(w, name, value, strlen(value));
}

static enum command_ending ask(struct command_row *command, const char *tool, const char *limit,
                               void (*show)(FILE *to, const tenon_json *data))
{
    struct text         query = { 0 };
    tenon_writer       *w     = tenon_writer_new(NULL, TEXT_MAX);
    struct index_counts counts;
    tenon_probe        *probe;
    const tenon_json   *answer;
    enum command_ending ending = ENDING_GOOD;

    for (size_t i = 1; i < command->words.count; i++)
        text_addf(&query, i > 1 ? " %s" : "%s", command->words.at[i]);
    tenon_write_object(w, NULL);
    tenon_write_bytes(w, "query", text_of(&query), query.len);
    write_value(w, limit, command->limit);
    write_value(w, "min_relevance_score", command->score);
    tenon_write_end(w);
    if (!command->no_index)
        ending = bring_up_to_date(command, true, &counts);
    probe  = tenon_probe_new(command->docs.server);
    answer = ending == ENDING_UNUSABLE || tenon_writer_error(w)
                 ? NULL
                 : tenon_probe_call(probe, tool, tenon_writer_text(w, NULL));
    if (!answer && ending != ENDING_UNUSABLE)
        fprintf(stderr, "tenon docs: %s\n", tenon_probe_error(probe));
    if (answer && command->json)
        docs_show_json(stdout, answer);
    else if (answer && docs_show_status(stdout, answer))
        show(stdout, tenon_json_get(answer, "data"));
    if (answer)
        ending = tenon_json_type_of(tenon_json_get(answer, "error")) == TENON_JSON_OBJECT ? ENDING_BAD
                                                                                          : ENDING_GOOD;
    else
        ending = ENDING_UNUSABLE;
    tenon_probe_free(probe);
    text_free(&query);
    tenon_writer_free(w);
    return ending;
}

static enum command_ending run_search(struct command_row *command)
{
    return ask(command, "semantic_search", "limit", docs_show_found);
}

static enum command_ending run_ask(struct command_row *command)
{
    return ask(command, "rag_query", "max_sources", docs_show_answer);
}

/* ---- Status -------------------------------------------------------------------------------------------------- */

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

static enum command_ending run_status(struct command_row *command)
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
    show_database(store_path(store));
    compare_files(command, project);
    return ENDING_GOOD;
}

/* ---- Backup -------------------------------------------------------------------------------------------------- */

static enum command_ending run_backup(struct command_row *command)
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

/* ---- The command line ---------------------------------------------------------------------------------------- */

static const struct action {
    const char *name;
    enum command_ending (*run)(struct command_row *command);
    bool asks, is_about_project;
} actions[] = {
    { "index", run_index, false, true },    { "search", run_search, true, true },
    { "ask", run_ask, true, true },         { "status", run_status, false, true },
    { "backup", run_backup, false, false },
};

static const struct action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

static enum command_ending run(struct command_row *command, const struct action *action)
{
    enum command_ending ending;

    if (command->words.count == 0)
        return wrong(action->is_about_project ? "a PATH is needed" : "a FILE is needed");
    if (action->asks ? command->words.count < 2 : command->words.count > 1)
        return wrong(action->asks ? "there is no question after PATH"
                                  : "there are unknown arguments after PATH");
    if (!action->asks && (command->limit || command->score || command->json || command->no_index))
        return wrong("--limit, --min-score, --json and --no-index belong to search and ask");
    if (command->options.projects.count > 0)
        return wrong("PATH says which project; --project is for tenon serve docs");
    if (!open_docs(command, action->is_about_project ? command->words.at[0] : NULL))
        return ENDING_UNUSABLE;
    ending = action->run(command);
    close_docs(command);
    return ending;
}

/* After its name; or, before there is one, only --help. */
static bool read_settings(tenon_settings *settings, int argc, char **argv, int *result)
{
    bool asks = argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);

    if (asks)
        return tenon_settings_read(settings, 2, (char *[]){ argv[0], argv[0], NULL }, result);
    return tenon_settings_read(settings, argc, argv, result);
}

int docs_command(int argc, char **argv)
{
    static struct command_row command; /* large */
    const struct action      *action = argc > 0 ? find_action(argv[0]) : NULL;
    tenon_settings           *settings;
    char                      mistake[128];
    int                       result;

    if (argc > 0 && strcmp(argv[0], "model") == 0)
        return docs_model_command(argc - 1, argv + 1);
    embed_quiet();
    command  = (struct command_row){ .limit = NULL };
    settings = tenon_settings_new("tenon docs", tenon_version(), rows, &command, .usage = help);
    if (argc == 0) {
        result = (int)wrong("one of index, search, ask, status and backup is needed");
    } else if (read_settings(settings, argc, argv, &result)) {
        command.words = tenon_settings_operands(settings);
        snprintf(mistake, sizeof mistake, "'%.64s' is not one of index, search, ask, status and backup",
                 argv[0]);
        result = action ? (int)run(&command, action) : (int)wrong(mistake);
    }
    tenon_settings_free(settings);
    return result;
}
