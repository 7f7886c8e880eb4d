/* words_form.c - what is reported of forms: how the arguments came, and what they were read as. */
#include "model/words_form.h"

#include "json/echo.h"
#include "model/words.h"

static const char read_under[] = "Read under the declared name: ";

const char *tn_words_form_whole(enum tn_wire_form form)
{
    switch (form) {
    case FORM_LAYER: return "The arguments came as JSON text inside a JSON text and were read as an object.";
    case FORM_FENCE: return "The arguments came as JSON text in a markdown fence and were read as an object.";
    default: return tn_words_args_as_text;
    }
}

void tn_words_form_wrapper(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_lit(out, "The arguments came inside '");
    tn_buf_add(out, name.at, name.len);
    tn_buf_lit(out, "' and were read from there.");
}

void tn_words_form_name(struct tn_buf *out, bool first, struct tn_slice label, struct tn_slice sent)
{
    tn_buf_text(out, first ? read_under : ", ");
    tn_buf_add(out, label.at, label.len);
    tn_buf_lit(out, " from '");
    tn_echo_text(out, sent.at, sent.len);
    tn_buf_char(out, '\'');
}

void tn_words_form_names_end(struct tn_buf *out, bool first, size_t more)
{
    if (more == 0)
        return;
    tn_buf_text(out, first ? read_under : " and ");
    tn_buf_uint(out, more);
    tn_buf_text(out, !first ? " more" : more == 1 ? " value" : " values");
}
