/* say.h - what the sentences share, and the sentences that have a file of their own. Only files of this folder include it. */
#ifndef MODEL_WORDS_SAY_H
#define MODEL_WORDS_SAY_H

#include <string.h>

#include "json/echo.h"
#include "model/document_node.h"
#include "model/issue.h"

typedef void tn_say_fn(struct tn_buf *out, const struct tn_issue *issue);

/* By file: choice.c, date.c, json.c, list.c, name.c, number.c, path.c, rule.c, text.c and type.c. */
tn_say_fn tn_say_choice, tn_say_const;
tn_say_fn tn_say_date, tn_say_seconds;
tn_say_fn tn_say_json;
tn_say_fn tn_say_count;
tn_say_fn tn_say_unknown;
tn_say_fn tn_say_range, tn_say_multiple;
tn_say_fn tn_say_path;
tn_say_fn tn_say_order, tn_say_rule;
tn_say_fn tn_say_length, tn_say_pattern, tn_say_format;
tn_say_fn tn_say_type;

static inline void tn_say_slice(struct tn_buf *out, struct tn_slice slice)
{
    tn_buf_add(out, slice.at, slice.len);
}

/* The name, and what is said of it. */
static inline void tn_say_label(struct tn_buf *out, const struct tn_issue *issue, const char *text)
{
    tn_say_slice(out, issue->label);
    tn_buf_add(out, text, strlen(text));
}

/* A string of JSON, without quotes around it. */
void tn_say_text(struct tn_buf *out, yyjson_val *string);

/* The value as it came, or only its type when it is secret; with ", got " before it, or in single quotes when it is text. */
tn_say_fn tn_say_received, tn_say_got, tn_say_quoted;

/* Is it a text with nothing in it? */
bool tn_say_is_blank(const struct tn_issue *issue);

/* The comma-separated list `list` as "a, b or c", each with `end` after it. */
void tn_say_alternatives(struct tn_buf *out, const char *list, const char *end);

/* Names in one sentence, the first WORDS_NAMES_MAX of them: true when the next one is to be written. Then "and 7 more". */
struct tn_say_names {
    struct tn_buf *out;
    size_t         count;
};
bool tn_say_next(struct tn_say_names *names);
void tn_say_more(const struct tn_say_names *names);

#endif
