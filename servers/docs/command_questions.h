/* command_questions.h - a user's own questions, from a file with a JSON object a line:
 *
 *     {"question": "How do we roll back?", "path": "guides/rollback.md", "answer": "make rollback"}
 *     {"question": "Where is the on-call list?", "path": ["oncall.md", "README.md"]}
 *     {"question": "Which mushrooms are edible?", "path": []}
 *
 * "path" is the right document, or all that are; with none, nothing should be found. "answer" is text that an answer must have,
 * or a list of which it must have one. Blank lines, and lines that begin with '#', are passed over.
 */
#ifndef DOCS_COMMAND_QUESTIONS_H
#define DOCS_COMMAND_QUESTIONS_H

#include <stdio.h>

#include <tenon/json.h>
#include <tenon/toolbox.h>

#include "kit/text.h"

#define QUESTIONS_MOST     100000
#define QUESTION_LINE_MOST ((size_t)1 << 20)

struct question {
    size_t            line;
    const tenon_json *text, *path, *answer; /* as they stand; answer may be NULL */
};

struct questions {
    FILE          *file;
    const char    *name;
    size_t         line, count;
    char          *buffer;
    size_t         room;
    tenon_toolbox *box;
    tenon_call    *call; /* has the memory of one question */
};

/* False when it cannot be opened, which *mistake says. */
bool questions_open(struct questions *questions, const char *name, struct text *mistake);
/* The next, until the one after it; false at the end, or with a text in *mistake. */
bool questions_next(struct questions *questions, struct question *question, struct text *mistake);
void questions_close(struct questions *questions);

bool is_empty_list(const tenon_json *value);
/* The strings of a value that is one, or a list of them, one after another; false when there are no more. */
bool strings_next(const tenon_json *value, size_t *place, tenon_str *text);

#endif
