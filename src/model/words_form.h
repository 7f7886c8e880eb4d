/* words_form.h - what is reported of forms. */
#ifndef MODEL_WORDS_FORM_H
#define MODEL_WORDS_FORM_H

#include "base/buf.h"
#include "model/form.h"

/* The arguments came as a text: FORM_TEXT, FORM_LAYER or FORM_FENCE. */
const char *tn_words_form_whole(enum tn_wire_form form);

/* The arguments stood inside one object of that name. */
void tn_words_form_wrapper(struct tn_buf *out, struct tn_slice name);

/* One name in another spelling, and the end of the sentence that they share: how many more there are. */
void tn_words_form_name(struct tn_buf *out, bool first, struct tn_slice label, struct tn_slice sent);
void tn_words_form_names_end(struct tn_buf *out, bool first, size_t more);

#endif
