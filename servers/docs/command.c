/* command.c - `tenon docs`: index, search, ask, eval, status and backup on the command line.
 *
 * Questions go to the very tools that clients call, through a client in memory, so that answers and messages are the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/command_parts.h"
#include "docs/command_show.h"
#include "docs/main.h"
#include "docs/settings.h"
#include "kit/embed/embed.h"
#include "kit/text.h"

static const char help[] =
    "Usage: tenon docs index PATH\n"
    "       tenon docs search PATH WORD...\n"
    "       tenon docs ask PATH WORD...\n"
    "       tenon docs eval FILE [PATH]\n"
    "       tenon docs status PATH\n"
    "       tenon docs backup FILE\n"
    "       tenon docs model import FILE\n\n"
    "The documentation of a project on the command line: the same index and the same answers as\n"
    "tenon serve docs gives to clients. PATH is a project's folder, or any folder of markdown.\n\n"
    "  index     bring the index up to date\n"
    "  search    find documents, the most relevant first\n"
    "  ask       answer a question from the documents' own sentences\n"
    "  eval      measure search and answers by questions of your own: a JSON object a line with\n"
    "            \"question\", \"path\" (or a list of them; [] when nothing should be found) and, if\n"
    "            you like, \"answer\", text that the answer must have\n"
    "  status    what the index has\n"
    "  backup    copy the whole database to a new file, while it is in use\n"
    "  model     take a model for --embedding model\n\n"
    "search, ask and eval bring the index up to date first.\n\n";

static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct command_row, limit, "limit", "N", "most documents, or sources of an answer"),
    TENON_SETTING_TEXT(struct command_row, score, "min-score", "X", "least relevance, from 0 to 1"),
    TENON_SETTING_FLAG(struct command_row, json, "json", "the tool's whole answer, or all measures, as JSON"),
    TENON_SETTING_TEXTS(struct command_row, least, "least", "NAME=X",
                        "of eval: end with 1 when a measure (hit@1, hit@3, mrr, answer, quiet) is\n"
                        "less; may be repeated"),
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

        if (command->no_index) /* the first call about them does not bring them up to date either */
            for (struct project *project = command->docs.projects; project; project = project->next)
                atomic_store(&project->looked_at, true);
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

/* ---- Asking -------------------------------------------------------------------------------------------------- */

void command_write_value(tenon_writer *w, const char *name, const char *value)
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

static void show_answer(const struct command_row *command, const char *query, size_t len,
                        void (*show)(const struct docs_page *page, const tenon_json *data),
                        const tenon_json *data)
{
    static struct query_words words; /* large */
    const struct project     *project = command->docs.projects;
    struct docs_page          page    = docs_page_of(stdout);
    struct text               folder  = { 0 };

    query_words_of(&words, query, len);
    text_put(&folder, project->root);
    if (strcmp(project->config.docs_folder, ".") != 0)
        text_addf(&folder, "/%s", project->config.docs_folder);
    page.folder   = text_of(&folder);
    page.external = project->external;
    page.words    = &words;
    show(&page, data);
    text_free(&folder);
}

static enum command_ending ask(struct command_row *command, const char *tool, const char *limit,
                               void (*show)(const struct docs_page *page, const tenon_json *data))
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
    command_write_value(w, limit, command->limit);
    command_write_value(w, "min_relevance_score", command->score);
    tenon_write_end(w);
    if (!command->no_index)
        ending = command_bring_up_to_date(command, true, &counts);
    probe  = tenon_probe_new(command->docs.server);
    answer = ending == ENDING_UNUSABLE || tenon_writer_error(w)
                 ? NULL
                 : tenon_probe_call(probe, tool, tenon_writer_text(w, NULL));
    if (!answer && ending != ENDING_UNUSABLE)
        fprintf(stderr, "tenon docs: %s\n", tenon_probe_error(probe));
    if (answer && command->json)
        docs_show_json(stdout, answer);
    else if (answer && docs_show_status(stdout, answer))
        show_answer(command, text_of(&query), query.len, show, tenon_json_get(answer, "data"));
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

/* ---- The command line ---------------------------------------------------------------------------------------- */

static const struct action {
    const char *name;
    enum command_ending (*run)(struct command_row *command);
    const char *first; /* operand */
    size_t      least, most;
    size_t      folder; /* which operand is the project's, from 1; 0: none */
    bool        asks;
} actions[] = {
    { "index", command_index, "PATH", 1, 1, 1, false },
    { "search", run_search, "PATH", 2, SIZE_MAX, 1, true },
    { "ask", run_ask, "PATH", 2, SIZE_MAX, 1, true },
    { "eval", command_eval, "FILE", 1, 2, 2, true },
    { "status", command_status, "PATH", 1, 1, 1, false },
    { "backup", command_backup, "FILE", 1, 1, 0, false },
};

static const struct action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

/* NULL when the command line makes sense. */
static const char *find_mistake(const struct command_row *command, const struct action *action)
{
    bool measures = action->run == command_eval;

    if (command->words.count == 0)
        return action->first[0] == 'P' ? "a PATH is needed" : "a FILE is needed";
    if (command->words.count < action->least)
        return "there is no question after PATH";
    if (command->words.count > action->most)
        return "there are unknown arguments after PATH";
    if (!action->asks && (command->limit || command->score || command->json || command->no_index))
        return "--limit, --min-score, --json and --no-index belong to search, ask and eval";
    if (measures && command->limit)
        return "--limit belongs to search and ask";
    if (!measures && command->least.count > 0)
        return "--least belongs to eval";
    if (command->options.projects.count > 0)
        return "PATH says which project; --project is for tenon serve docs";
    return NULL;
}

static enum command_ending run(struct command_row *command, const struct action *action)
{
    const char         *mistake = find_mistake(command, action), *folder = NULL;
    enum command_ending ending;

    if (mistake)
        return wrong(mistake);
    if (action->folder)
        folder = command->words.count >= action->folder ? command->words.at[action->folder - 1] : ".";
    if (!open_docs(command, folder))
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
        result = (int)wrong("one of index, search, ask, eval, status and backup is needed");
    } else if (read_settings(settings, argc, argv, &result)) {
        command.words = tenon_settings_operands(settings);
        snprintf(mistake, sizeof mistake, "'%.64s' is not one of index, search, ask, eval, status and backup",
                 argv[0]);
        result = action ? (int)run(&command, action) : (int)wrong(mistake);
    }
    tenon_settings_free(settings);
    return result;
}
