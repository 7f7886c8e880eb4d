/* words_form.c - what is reported of forms: how the arguments came, and what they were read as. */
#include "model/words_form.h"

#include "json/echo.h"
#include "model/words.h"

static const char read_under[] = "Renamed ";

const char *tn_words_form_whole(enum tn_wire_form form)
{
    switch (form) {
    case FORM_LAYER: return "Parsed the arguments from JSON text inside a JSON text.";
    case FORM_FENCE: return "Parsed the arguments from JSON text in a markdown fence.";
    default: return tn_words_args_as_text;
    }
}

void tn_words_form_wrapper(struct tn_buf *out, struct tn_slice name)
{
    tn_buf_lit(out, "Unwrapped the arguments from '");
    tn_buf_add(out, name.at, name.len);
    tn_buf_lit(out, "'.");
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
    tn_buf_text(out, !first ? " more" : more == 1 ? " parameter" : " parameters");
}
