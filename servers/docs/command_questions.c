/* command_questions.c - a user's own questions, from a file with a JSON object a line. */

#include "docs/command_questions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/call.h>

bool questions_open(struct questions *questions, const char *name, struct text *mistake)
{
    *questions = (struct questions){ .name = name, .file = fopen(name, "re") };
    if (!questions->file) {
        text_addf(mistake, "%s cannot be read: %s", name, strerror(errno));
        return false;
    }
    questions->box    = tenon_toolbox_new(.user = NULL);
    questions->buffer = malloc(QUESTION_LINE_MOST + 1);
    if (questions->box && questions->buffer)
        return true;
    text_put(mistake, "out of memory");
    questions_close(questions);
    return false;
}

void questions_close(struct questions *questions)
{
    tenon_call_free(questions->call);
    tenon_toolbox_free(questions->box);
    free(questions->buffer);
    if (questions->file)
        fclose(questions->file);
    *questions = (struct questions){ 0 };
}

/* ---- Values ---- */

bool strings_next(const tenon_json *value, size_t *place, tenon_str *text)
{
    const tenon_json *item = value;

    if (tenon_json_type_of(value) == TENON_JSON_ARRAY)
        item = tenon_json_next(value, place, NULL);
    else if ((*place)++ > 0)
        item = NULL;
    *text = tenon_json_str(item);
    return item && tenon_json_type_of(item) == TENON_JSON_STRING;
}

static bool is_strings(const tenon_json *value)
{
    tenon_json_type   type = tenon_json_type_of(value);
    const tenon_json *item;

    if (type == TENON_JSON_STRING)
        return tenon_json_str(value).len > 0;
    if (type != TENON_JSON_ARRAY)
        return false;
    for (size_t place = 0; (item = tenon_json_next(value, &place, NULL));)
        if (tenon_json_type_of(item) != TENON_JSON_STRING || tenon_json_str(item).len == 0)
            return false;
    return true;
}

bool is_empty_list(const tenon_json *value)
{
    return tenon_json_type_of(value) == TENON_JSON_ARRAY && tenon_json_count(value) == 0;
}

/* NULL when the line is a question. */
static const char *take_question(const tenon_json *value, struct question *question)
{
    const tenon_json *item;
    tenon_str         key;

    if (tenon_json_type_of(value) != TENON_JSON_OBJECT)
        return "it is not a JSON object";
    for (size_t place = 0; (item = tenon_json_next(value, &place, &key));) {
        if (key.len == 8 && memcmp(key.at, "question", 8) == 0)
            question->text = item;
        else if (key.len == 4 && memcmp(key.at, "path", 4) == 0)
            question->path = item;
        else if (key.len == 6 && memcmp(key.at, "answer", 6) == 0)
            question->answer = item;
        else
            return "it has a member other than question, path and answer";
    }
    if (tenon_json_type_of(question->text) != TENON_JSON_STRING || tenon_json_str(question->text).len == 0)
        return "\"question\" has to be text";
    if (!is_strings(question->path))
        return "\"path\" has to be a path or a list of paths";
    if (question->answer && (!is_strings(question->answer) || is_empty_list(question->answer)))
        return "\"answer\" has to be text or a list of texts";
    return NULL;
}

/* ---- Lines ---- */

enum line_found { LINE_END, LINE_READ, LINE_TOO_LONG };

static enum line_found read_line(struct questions *questions, size_t *len)
{
    int c = EOF;

    *len = 0;
    while ((c = getc(questions->file)) != EOF && c != '\n') {
        if (*len == QUESTION_LINE_MOST)
            return LINE_TOO_LONG;
        questions->buffer[(*len)++] = (char)c;
    }
    questions->line++;
    return c == EOF && *len == 0 ? LINE_END : LINE_READ;
}

bool questions_next(struct questions *questions, struct question *question, struct text *mistake)
{
    const char     *why = NULL;
    enum line_found found;
    size_t          len, from;

    do {
        found = read_line(questions, &len);
        for (from = 0; from < len && strchr(" \t\r", questions->buffer[from]);)
            from++;
    } while (found == LINE_READ && (from == len || questions->buffer[from] == '#'));
    if (found == LINE_END && !ferror(questions->file))
        return false;
    if (found == LINE_END)
        why = "the file cannot be read on";
    else if (found == LINE_TOO_LONG)
        why = "it is longer than 1 MiB";
    else if (questions->count == QUESTIONS_MOST)
        why = "there are more than 100000 questions";
    tenon_call_free(questions->call);
    questions->call = tenon_call_new(questions->box);
    *question       = (struct question){ .line = questions->line };
    if (!why)
        why = take_question(tenon_json_parse(questions->call, questions->buffer, len), question);
    if (why)
        text_addf(mistake, "line %zu of %s: %s", questions->line, questions->name, why);
    questions->count++;
    return !why;
}
