/* bind_form.h - forms of values that the binder takes when the plain ones have failed: counted, and reported. */
#ifndef ROWS_BIND_FORM_H
#define ROWS_BIND_FORM_H

#include "model/form.h"
#include "model/location.h"

/* What is left when the fences and quotes around `text` are taken off, if `at` may have it: a container of its kind.
 * NULL when nothing is to be taken off; then nothing was reported. */
yyjson_val *tn_bind_form_text(struct tn_judge *judge, struct tn_location *at, yyjson_val *text);

/* The single value inside a list of one, or inside quotes; `value` itself when it has no such form. What was sent is then
 * in at->sent, and tn_bind_form_done() reports it once the value is bound. */
yyjson_val *tn_bind_form_value(struct tn_judge *judge, struct tn_location *at, yyjson_val *value);
void        tn_bind_form_done(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                              size_t coerced);

/* Reports a choice that a text means with other separators. */
void tn_bind_form_choice(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, int choice);

/* Is a text with commas a list of words: refused as one of them by its pattern or format, and each part accepted? */
bool tn_bind_form_words(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value);

/* Reports such a list, once it is taken apart. */
void tn_bind_form_words_done(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value,
                             yyjson_val *parts, size_t count);

/* The text that a number or boolean in a map is, or `value`. */
yyjson_val *tn_bind_form_pair(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value);
void        tn_bind_form_pair_done(struct tn_judge *judge, const struct tn_location *at, yyjson_val *sent,
                                   yyjson_val *text);

/* The members of an object, when some are not declared. */
struct tn_form_names {
    yyjson_val              **keys; /* that were taken under another name, in the order of the text */
    size_t                    count;
    const struct tn_location *up;
    struct tn_location        wrapper;
    yyjson_val               *value;   /* the object that has the members */
    size_t                    unknown; /* of them */
};

/* The object inside the only argument, when that is a wrapper; or NULL. names->up is then the wrapper's place. */
yyjson_val *tn_bind_form_wrapper(struct tn_judge *judge, const struct tn_object *object,
                                 struct tn_form_names *names);

/* Puts what was sent for absent parameters under another spelling of their names into `given`; how many. */
size_t tn_bind_form_names(struct tn_judge *judge, const struct tn_object *object, struct tn_form_names *names,
                          yyjson_val **given);

#endif
