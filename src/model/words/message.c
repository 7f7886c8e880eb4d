/* message.c - what is reported of a value that is taken all the same: how it came, and what it was read as. */
#include "model/words/say.h"
#include "model/words/words.h"

/* One sentence a call for all changes of a kind. */
static void begin(struct tn_buf *out, const char *verb, bool first)
{
    tn_buf_text(out, first ? verb : ", ");
}

/* The end of that sentence: how many more there are. */
static void add_more(struct tn_buf *out, const char *verb, const char *noun, size_t count, bool first)
{
    if (count == 0)
        return;
    tn_buf_text(out, first ? verb : " and ");
    tn_buf_uint(out, count);
    tn_buf_text(out, first ? noun : " more");
    if (first && count > 1)
        tn_buf_char(out, 's');
}

static const char converted[] = "Converted ", renamed[] = "Renamed ";

void tn_words_coerced(struct tn_buf *out, bool first, struct tn_slice label, bool secret, yyjson_val *from,
                      struct tn_slice to)
{
    begin(out, converted, first);
    tn_say_slice(out, label);
    if (secret)
        return;
    tn_buf_lit(out, " from ");
    tn_echo_value(out, from);
    tn_buf_lit(out, " to ");
    tn_echo_text(out, to.at, to.len);
}

void tn_words_coerced_end(struct tn_buf *out, bool first, size_t more)
{
    add_more(out, converted, " value", more, first);
}

void tn_words_renamed(struct tn_buf *out, bool first, struct tn_slice label, struct tn_slice sent)
{
    begin(out, renamed, first);
    tn_say_slice(out, label);
    tn_buf_lit(out, " from '");
    tn_echo_text(out, sent.at, sent.len);
    tn_buf_char(out, '\'');
}

void tn_words_renamed_end(struct tn_buf *out, bool first, size_t more)
{
    add_more(out, renamed, " parameter", more, first);
}

void tn_words_placeholder(struct tn_buf *out, struct tn_slice label, yyjson_val *value)
{
    tn_say_slice(out, label);
    if (value) {
        tn_buf_char(out, ' ');
        tn_echo_value(out, value);
    }
    tn_buf_lit(out, " was treated as not given");
}

const char *tn_words_form(enum tn_wire_form form)
{
    switch (form) {
    case FORM_LAYER: return "Parsed the arguments from JSON text inside a JSON text.";
    case FORM_FENCE: return "Parsed the arguments from JSON text in a markdown fence.";
    default: return "Parsed the arguments from one JSON text.";
    }
}

void tn_words_unwrapped(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_lit(out, "Unwrapped the arguments from '");
    tn_say_slice(out, name);
    tn_buf_lit(out, "'.");
}
