/* command_show.c - answers of the documentation server for people and for programs. */
#include "docs/command_show.h"

#include <string.h>

#include "kit/text.h"

#define SUMMARY_WIDTH  160
#define INDENT         "      "
#define PASSAGE_INDENT "        "

/* ---- Text ---------------------------------------------------------------------------------------------------- */

void docs_show_problem(FILE *to, const struct index_problem *problem)
{
    size_t count = problem->status == INDEX_INVALID ? problem->violation_count : 0;
    char   line[VIOLATION_TEXT_MAX];

    docs_show_text(to, problem->text, strlen(problem->text));
    fputc('\n', to);
    for (size_t i = 0; i < count && i < VIOLATIONS_MAX; i++) {
        violation_text(&problem->violations[i], line);
        fputs("  ", to);
        docs_show_text(to, line, strlen(line));
        fputc('\n', to);
    }
}

static void show_str(FILE *to, const tenon_json *value)
{
    tenon_str text = tenon_json_str(value);

    docs_show_text(to, text.at, text.len);
}

/* As much of a text as one line has room for. */
static void show_line(FILE *to, tenon_str text)
{
    size_t len = 0;

    while (len < text.len && len < SUMMARY_WIDTH && text.at[len] != '\n' && text.at[len] != '\r')
        len++;
    while (len < text.len && len > 0 && (text.at[len] & 0xC0) == 0x80) /* not inside a character */
        len--;
    docs_show_text(to, text.at, len);
    if (len < text.len)
        fputs(" ...", to);
    fputc('\n', to);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static void show_value(FILE *to, const tenon_json *value)
{
    tenon_writer *w = tenon_writer_new(NULL, TEXT_MAX);
    const char   *text;
    size_t        len;

    tenon_write_json(w, NULL, value);
    text = tenon_writer_text(w, &len);
    if (text)
        docs_show_text(to, text, len);
    tenon_writer_free(w);
}

void docs_show_json(FILE *to, const tenon_json *answer)
{
    show_value(to, answer);
    fputc('\n', to);
}

/* ---- Answers ------------------------------------------------------------------------------------------------- */

static void show_issues(FILE *to, const tenon_json *fields)
{
    const tenon_json *sentences, *sentence;

    for (size_t place = 0; (sentences = tenon_json_next(fields, &place, NULL));)
        for (size_t inner = 0; (sentence = tenon_json_next(sentences, &inner, NULL));) {
            fputs("  ", to);
            show_str(to, sentence);
            fputc('\n', to);
        }
}

static void show_details(FILE *to, const tenon_json *details)
{
    const tenon_json *value;
    tenon_str         key;

    for (size_t place = 0; (value = tenon_json_next(details, &place, &key));) {
        fprintf(to, "  %.*s: ", (int)key.len, key.at);
        show_value(to, value);
        fputc('\n', to);
    }
}

bool docs_show_status(FILE *to, const tenon_json *answer)
{
    const tenon_json *error    = tenon_json_get(answer, "error"), *message;
    const tenon_json *messages = tenon_json_get(answer, "messages"),
                     *details  = tenon_json_get(error, "details");
    bool good                  = tenon_json_type_of(error) != TENON_JSON_OBJECT;

    if (!good) {
        show_str(to, tenon_json_get(error, "code"));
        fputs(": ", to);
        show_str(to, tenon_json_get(error, "message"));
        fputc('\n', to);
        if (tenon_json_get(details, "fieldErrors"))
            show_issues(to, tenon_json_get(details, "fieldErrors"));
        else
            show_details(to, details);
    }
    for (size_t place = 0; (message = tenon_json_next(messages, &place, NULL));) {
        fputs("note: ", to);
        show_str(to, message);
        fputc('\n', to);
    }
    return good;
}

/* "0.83  guides/setup.md:12-40  Setup", and the headings above the passage on a line of their own. */
static void show_place(const struct docs_page *page, const tenon_json *item)
{
    long long first    = tenon_json_int(tenon_json_get(item, "first_line")),
              last     = tenon_json_int(tenon_json_get(item, "last_line"));
    tenon_str headings = tenon_json_str(tenon_json_get(item, "heading_path")),
              title    = tenon_json_str(tenon_json_get(item, "title"));

    if (tenon_json_bool(tenon_json_get(item, "critical")))
        fputs("crit  ", page->to);
    else
        fprintf(page->to, "%.2f  ", tenon_json_num(tenon_json_get(item, "relevance_score")));
    docs_page_link(page, tenon_json_str(tenon_json_get(item, "path")),
                   tenon_json_bool(tenon_json_get(item, "external")), first, last);
    fputs("  ", page->to);
    show_line(page->to, title);
    if (headings.len > 0 && !(headings.len == title.len && memcmp(headings.at, title.at, title.len) == 0)) {
        fputs(INDENT, page->to);
        show_line(page->to, headings);
    }
}

void docs_show_found(const struct docs_page *page, const tenon_json *data)
{
    const tenon_json *list  = tenon_json_get(data, "results"), *item;
    long long         total = tenon_json_int(tenon_json_get(data, "total_matches"));

    for (size_t place = 0; (item = tenon_json_next(list, &place, NULL));) {
        tenon_str passage = tenon_json_str(tenon_json_get(item, "passage"));

        show_place(page, item);
        if (passage.len == 0)
            passage = tenon_json_str(tenon_json_get(item, "summary"));
        docs_page_passage(page, PASSAGE_INDENT, passage);
    }
    if (total > (long long)tenon_json_count(list))
        fprintf(page->to, "%lld more; --limit shows more of them\n",
                total - (long long)tenon_json_count(list));
}

void docs_show_answer(const struct docs_page *page, const tenon_json *data)
{
    const tenon_json *sources = tenon_json_get(data, "sources"), *links = tenon_json_get(data, "linked_docs"),
                     *item;
    tenon_str answer = tenon_json_str(tenon_json_get(data, "answer"));

    if (answer.len > 0) {
        docs_page_text(page, answer.at, answer.len);
        fputs(answer.at[answer.len - 1] == '\n' ? "\n" : "\n\n", page->to);
    }
    for (size_t place = 0; (item = tenon_json_next(sources, &place, NULL));)
        show_place(page, item);
    for (size_t place = 0; (item = tenon_json_next(links, &place, NULL));) {
        fputs("link  ", page->to);
        docs_page_link(page, tenon_json_str(tenon_json_get(item, "path")), false, 0, 0);
        fputs("  ", page->to);
        show_line(page->to, tenon_json_str(tenon_json_get(item, "title")));
    }
}
