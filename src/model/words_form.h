/* words_form.h - what is reported of forms. */
#ifndef MODEL_WORDS_FORM_H
#define MODEL_WORDS_FORM_H

#include "base/buf.h"
#include "model/form.h"

/* The arguments came as a text: FORM_TEXT, FORM_LAYER or FORM_FENCE. */
const char *words_form_whole(enum wire_form form);

/* The arguments stood inside one object of that name. */
void words_form_wrapper(struct buf *out, struct slice name);

/* One name in another spelling, and the end of the sentence that they share: how many more there are. */
void words_form_name(struct buf *out, bool first, struct slice label, struct slice sent);
void words_form_names_end(struct buf *out, bool first, size_t more);

#endif
