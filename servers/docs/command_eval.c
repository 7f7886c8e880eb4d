/* command_eval.c - `tenon docs eval`: how often the right document comes first, and how often an answer is right, by a user's
 * own questions. They go to the same tools as clients' do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "docs/command_parts.h"
#include "docs/command_questions.h"
#include "docs/command_show.h"
#include "kit/embed/embed.h"

#define LOOKED_AT 10 /* first documents */

enum { HIT_1, HIT_3, MRR, ANSWER, QUIET, MEASURES };

static const struct {
    const char *name, *meaning;
} kinds[MEASURES] = {
    [HIT_1]  = { "hit@1", "a right document is first" },
    [HIT_3]  = { "hit@3", "a right document is among the first three" },
    [MRR]    = { "mrr", "one divided by the place of the first right one, of ten" },
    [ANSWER] = { "answer", "the answer cites a right document and has the text" },
    [QUIET]  = { "quiet", "nothing is found where nothing should be" },
};

struct measure {
    double sum, squares;
    size_t count;
};

struct eval {
    struct command_row *command;
    struct measure      measures[MEASURES];
    double              least[MEASURES]; /* NAN: whatever it is */
    size_t              questions, failed;
    tenon_writer       *report; /* JSON; the text is shown as it comes */
};

/* ---- Measures ------------------------------------------------------------------------------------------------ */

static void add(struct measure *measure, double value)
{
    measure->sum += value;
    measure->squares += value * value;
    measure->count++;
}

static double mean_of(const struct measure *measure)
{
    return measure->count ? measure->sum / (double)measure->count : 0;
}

/* The standard error of the mean. */
static double error_of(const struct measure *measure)
{
    double n = (double)measure->count, mean = mean_of(measure);

    return n > 1 ? sqrt(fmax(measure->squares / n - mean * mean, 0) / (n - 1)) : 0;
}

/* "hit@1=0.8"; false for anything else. */
static bool take_least(struct eval *eval, const char *text)
{
    const char *equals = strchr(text, '=');
    char       *end;
    double      value = equals ? strtod(equals + 1, &end) : NAN;

    if (!equals || end == equals + 1 || *end || !(value >= 0 && value <= 1))
        return false;
    for (size_t i = 0; i < MEASURES; i++)
        if (strlen(kinds[i].name) == (size_t)(equals - text) &&
            memcmp(kinds[i].name, text, strlen(kinds[i].name)) == 0) {
            eval->least[i] = value;
            return true;
        }
    return false;
}

static bool is_less(const struct eval *eval, size_t i)
{
    return !isnan(eval->least[i]) && mean_of(&eval->measures[i]) < eval->least[i];
}

/* ---- One question -------------------------------------------------------------------------------------------- */

/* What came of it. */
struct outcome {
    size_t    place; /* of the first right document, from 1; 0: it is not there */
    size_t    found;
    tenon_str first; /* document that was found */
    bool      is_quiet, cites, says;
    tenon_str answer;
};

/* The same path, or with the folder of documents in front. */
static bool is_path(const struct eval *eval, tenon_str wanted, tenon_str path)
{
    const char *folder = eval->command->docs.projects->config.docs_folder;
    size_t      len    = strlen(folder);

    if (wanted.len > len + 1 && memcmp(wanted.at, folder, len) == 0 && wanted.at[len] == '/' &&
        wanted.len - len - 1 == path.len && memcmp(wanted.at + len + 1, path.at, path.len) == 0)
        return true;
    return wanted.len == path.len && memcmp(wanted.at, path.at, path.len) == 0;
}

static bool is_right(const struct eval *eval, const struct question *question, tenon_str path)
{
    tenon_str wanted;

    for (size_t place = 0; strings_next(question->path, &place, &wanted);)
        if (is_path(eval, wanted, path))
            return true;
    return false;
}

static const tenon_json *call_tool(const struct eval *eval, tenon_probe *probe, const char *tool,
                                   const char *limit, tenon_str query)
{
    tenon_writer     *w = tenon_writer_new(NULL, TEXT_MAX);
    const tenon_json *answer;

    tenon_write_object(w, NULL);
    tenon_write_bytes(w, "query", query.at, query.len);
    if (limit)
        tenon_write_int(w, limit, LOOKED_AT);
    command_write_value(w, "min_relevance_score", eval->command->score);
    tenon_write_end(w);
    answer = tenon_writer_error(w) ? NULL : tenon_probe_call(probe, tool, tenon_writer_text(w, NULL));
    tenon_writer_free(w);
    if (answer && tenon_json_type_of(tenon_json_get(answer, "error")) == TENON_JSON_OBJECT) {
        (void)docs_show_status(stderr, answer);
        return NULL;
    }
    if (!answer)
        fprintf(stderr, "tenon docs: %s\n", tenon_probe_error(probe));
    return tenon_json_get(answer, "data");
}

static void judge_found(const struct eval *eval, const struct question *question, const tenon_json *data,
                        struct outcome *outcome)
{
    const tenon_json *list = tenon_json_get(data, "results"), *item;

    outcome->is_quiet = true;
    for (size_t place = 0; (item = tenon_json_next(list, &place, NULL));) {
        tenon_str path = tenon_json_str(tenon_json_get(item, "path"));

        if (outcome->found++ == 0)
            outcome->first = path;
        outcome->is_quiet = outcome->is_quiet && tenon_json_bool(tenon_json_get(item, "below_threshold"));
        if (!outcome->place && is_right(eval, question, path))
            outcome->place = outcome->found;
    }
}

/* Any run of spaces and line ends counts as one space; letters may be of either case. */
static bool has_text(tenon_str text, tenon_str wanted)
{
    struct text plain[2] = { 0 };
    bool        found;

    for (int side = 0; side < 2; side++) {
        tenon_str from = side ? wanted : text;

        for (size_t i = 0; i < from.len; i++) {
            bool is_blank = strchr(" \t\r\n", from.at[i]) != NULL;

            if (!is_blank)
                text_char(&plain[side], from.at[i]);
            else if (i > 0 && !strchr(" \t\r\n", from.at[i - 1]))
                text_char(&plain[side], ' ');
        }
    }
    found = strcasestr(text_of(&plain[0]), text_of(&plain[1])) != NULL;
    text_free(&plain[0]);
    text_free(&plain[1]);
    return found;
}

/* A citation is "[path:lines]". */
static bool cites(const struct eval *eval, const struct question *question, tenon_str answer)
{
    for (size_t i = 0; i < answer.len; i++) {
        const char *end = answer.at[i] == '[' ? memchr(answer.at + i, ']', answer.len - i) : NULL;
        size_t      len = end ? (size_t)(end - answer.at) - i - 1 : 0;

        while (len > 0 && answer.at[i + len] != ':')
            len--;
        if (len > 1 && is_right(eval, question, (tenon_str){ answer.at + i + 1, len - 1 }))
            return true;
    }
    return false;
}

static void judge_answer(const struct eval *eval, const struct question *question, const tenon_json *data,
                         struct outcome *outcome)
{
    tenon_str wanted;

    outcome->answer = tenon_json_str(tenon_json_get(data, "answer"));
    outcome->cites  = cites(eval, question, outcome->answer);
    outcome->says   = !question->answer;
    for (size_t place = 0; !outcome->says && strings_next(question->answer, &place, &wanted);)
        outcome->says = has_text(outcome->answer, wanted);
}

static bool is_meant_to_be_quiet(const struct question *question)
{
    return is_empty_list(question->path);
}

/* ---- What went wrong ------------------------------------------------------------------------------------------ */

static void explain_search(struct text *why, const struct question *question, const struct outcome *outcome)
{
    if (is_meant_to_be_quiet(question))
        text_addf(why, "nothing should be found; first is %.*s", (int)outcome->first.len, outcome->first.at);
    else if (!outcome->found)
        text_put(why, "nothing was found");
    else if (!outcome->place)
        text_addf(why, "the right document is not among the first %d; first is %.*s", LOOKED_AT,
                  (int)outcome->first.len, outcome->first.at);
    else
        text_addf(why, "the right document is number %zu; first is %.*s", outcome->place,
                  (int)outcome->first.len, outcome->first.at);
}

static const char *explain_answer(const struct outcome *outcome)
{
    if (outcome->answer.len == 0)
        return "there is no answer";
    return outcome->cites ? "the answer does not have the text" : "the answer does not cite a right document";
}

static void report_json(tenon_writer *w, const struct question *question, const struct outcome *outcome,
                        const struct text *search, const char *answer)
{
    tenon_write_object(w, NULL);
    tenon_write_int(w, "line", (int64_t)question->line);
    tenon_write_json(w, "question", question->text);
    tenon_write_json(w, "path", question->path);
    if (outcome->place)
        tenon_write_int(w, "place", (int64_t)outcome->place);
    else
        tenon_write_null(w, "place");
    if (outcome->found)
        tenon_write_bytes(w, "first", outcome->first.at, outcome->first.len);
    if (search->len)
        tenon_write_bytes(w, "search", text_of(search), search->len);
    if (answer)
        tenon_write_str(w, "answer", answer);
    tenon_write_end(w);
}

static void report_text(const struct question *question, const struct text *search, const char *answer)
{
    tenon_str text = tenon_json_str(question->text);

    printf("line %zu: ", question->line);
    docs_show_text(stdout, text.at, text.len);
    putchar('\n');
    if (search->len) {
        fputs("        ", stdout);
        docs_show_text(stdout, text_of(search), search->len);
        putchar('\n');
    }
    if (answer)
        printf("        %s\n", answer);
}

static void report(struct eval *eval, const struct question *question, const struct outcome *outcome)
{
    bool        is_quiet = is_meant_to_be_quiet(question);
    bool        is_found = is_quiet ? outcome->is_quiet : outcome->place == 1;
    const char *answer   = is_quiet || (outcome->cites && outcome->says) ? NULL : explain_answer(outcome);
    struct text search   = { 0 };

    if (is_found && !answer)
        return;
    eval->failed++;
    if (!is_found)
        explain_search(&search, question, outcome);
    if (eval->command->json)
        report_json(eval->report, question, outcome, &search, answer);
    else
        report_text(question, &search, answer);
    text_free(&search);
}

/* False when a tool did not work, which was reported. */
static bool measure(struct eval *eval, tenon_probe *probe, const struct question *question)
{
    tenon_str         query   = tenon_json_str(question->text);
    struct outcome    outcome = { 0 };
    const tenon_json *data    = call_tool(eval, probe, "semantic_search", "limit", query);

    if (!data)
        return false;
    judge_found(eval, question, data, &outcome);
    if (is_meant_to_be_quiet(question)) {
        add(&eval->measures[QUIET], outcome.is_quiet);
    } else {
        data = call_tool(eval, probe, "rag_query", NULL, query);
        if (!data)
            return false;
        judge_answer(eval, question, data, &outcome);
        add(&eval->measures[HIT_1], outcome.place == 1);
        add(&eval->measures[HIT_3], outcome.place >= 1 && outcome.place <= 3);
        add(&eval->measures[MRR], outcome.place ? 1 / (double)outcome.place : 0);
        add(&eval->measures[ANSWER], outcome.cites && outcome.says);
    }
    eval->questions++;
    report(eval, question, &outcome);
    return true;
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

static enum command_ending measure_all(struct eval *eval, tenon_probe *probe)
{
    struct text         mistake = { 0 };
    struct questions    questions;
    struct question     question;
    enum command_ending ending = ENDING_GOOD;

    if (questions_open(&questions, eval->command->words.at[0], &mistake)) {
        while (ending == ENDING_GOOD && questions_next(&questions, &question, &mistake)) {
            ending = measure(eval, probe, &question) ? ENDING_GOOD : ENDING_UNUSABLE;
            tenon_probe_clear(probe);
        }
        questions_close(&questions);
        if (ending == ENDING_GOOD && !mistake.len && !eval->questions)
            text_addf(&mistake, "there is no question in %s", eval->command->words.at[0]);
    }
    if (mistake.len) {
        fprintf(stderr, "tenon docs: %s; tenon docs --help shows what a line is\n", text_of(&mistake));
        ending = ENDING_UNUSABLE;
    }
    text_free(&mistake);
    return ending;
}

static void show_measures(const struct eval *eval)
{
    if (eval->failed)
        putchar('\n');
    for (size_t i = 0; i < MEASURES; i++)
        if (eval->measures[i].count)
            printf("%-7s %.3f +/- %.3f  of %zu: %s%s\n", kinds[i].name, mean_of(&eval->measures[i]),
                   error_of(&eval->measures[i]), eval->measures[i].count, kinds[i].meaning,
                   is_less(eval, i) ? " (LESS THAN ASKED)" : "");
}

static void show_report(struct eval *eval)
{
    tenon_writer *w = eval->report;
    const char   *text;
    size_t        len;

    tenon_write_end(w);
    tenon_write_int(w, "questions", (int64_t)eval->questions);
    tenon_write_int(w, "failed", (int64_t)eval->failed);
    tenon_write_str(w, "embedding", eval->command->docs.embedder->model);
    tenon_write_object(w, "measures");
    for (size_t i = 0; i < MEASURES; i++) {
        if (!eval->measures[i].count)
            continue;
        tenon_write_object(w, kinds[i].name);
        tenon_write_num(w, "value", mean_of(&eval->measures[i]));
        tenon_write_num(w, "standard_error", error_of(&eval->measures[i]));
        tenon_write_int(w, "questions", (int64_t)eval->measures[i].count);
        tenon_write_bool(w, "is_less_than_asked", is_less(eval, i));
        tenon_write_end(w);
    }
    tenon_write_end(w);
    tenon_write_end(w);
    text = tenon_writer_text(w, &len);
    if (text) {
        docs_show_text(stdout, text, len);
        putchar('\n');
    }
}

enum command_ending command_eval(struct command_row *command)
{
    struct eval         eval = { .command = command };
    struct index_counts counts;
    tenon_probe        *probe;
    enum command_ending ending = ENDING_GOOD;

    for (size_t i = 0; i < MEASURES; i++)
        eval.least[i] = NAN;
    for (size_t i = 0; i < command->least.count; i++)
        if (!take_least(&eval, command->least.at[i])) {
            fputs("tenon docs: --least takes hit@1, hit@3, mrr, answer or quiet, '=' and a number from 0 to "
                  "1\n",
                  stderr);
            return ENDING_UNUSABLE;
        }
    if (!command->no_index && command_bring_up_to_date(command, true, &counts) == ENDING_UNUSABLE)
        return ENDING_UNUSABLE;
    eval.report = tenon_writer_new(NULL, TEXT_MAX);
    tenon_write_object(eval.report, NULL);
    tenon_write_array(eval.report, "failures");
    probe  = tenon_probe_new(command->docs.server);
    ending = measure_all(&eval, probe);
    if (ending == ENDING_GOOD) {
        if (command->json)
            show_report(&eval);
        else
            show_measures(&eval);
    }
    for (size_t i = 0; i < MEASURES && ending == ENDING_GOOD; i++)
        if (is_less(&eval, i))
            ending = ENDING_BAD;
    tenon_probe_free(probe);
    tenon_writer_free(eval.report);
    return ending;
}
