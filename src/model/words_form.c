/* words_form.c - what is reported of forms: how the arguments came, and what they were read as. */
#include "model/words_form.h"

#include "json/echo.h"
#include "model/words.h"

static const char read_under[] = "Read under the declared name: ";

const char *words_form_whole(enum wire_form form)
{
    switch (form) {
    case FORM_LAYER: return "The arguments came as JSON text inside a JSON text and were read as an object.";
    case FORM_FENCE: return "The arguments came as JSON text in a markdown fence and were read as an object.";
    default: return words_args_as_text;
    }
}

void words_form_wrapper(struct buf *out, struct slice name)
{
    buf_lit(out, "The arguments came inside '");
    buf_add(out, name.at, name.len);
    buf_lit(out, "' and were read from there.");
}

void words_form_name(struct buf *out, bool first, struct slice label, struct slice sent)
{
    buf_text(out, first ? read_under : ", ");
    buf_add(out, label.at, label.len);
    buf_lit(out, " from '");
    echo_text(out, sent.at, sent.len);
    buf_char(out, '\'');
}

void words_form_names_end(struct buf *out, bool first, size_t more)
{
    if (more == 0)
        return;
    buf_text(out, first ? read_under : " and ");
    buf_uint(out, more);
    buf_text(out, !first ? " more" : more == 1 ? " value" : " values");
}
