/* bind_form.h - forms of values that the binder takes when the plain ones have failed: counted, and reported. */
#ifndef ROWS_BIND_FORM_H
#define ROWS_BIND_FORM_H

#include "model/form.h"
#include "model/location.h"

/* What a judgement knows of forms; made when the first one is tried. */
struct forms {
    size_t     counts[FORMS];
    size_t     compared, bytes; /* of FORM_NAMES_MAX, of FORM_BYTES_MAX */
    struct buf names;           /* the message that all names share */
    size_t     unsaid;          /* names that no longer fit into it */
};

/* How often a form was taken. */
size_t forms_count(const struct judge *judge, enum wire_form form);

/* One more. */
void forms_add(struct judge *judge, enum wire_form form);

/* The messages, when all are known. */
void forms_say(struct judge *judge);

/* What is left when the fences and quotes around `text` are taken off, if `at` may have it: a container of its kind.
 * NULL when nothing is to be taken off; then nothing was reported. */
yyjson_val *bind_form_text(struct judge *judge, struct place *at, yyjson_val *text);

/* The single value inside a list of one, or inside quotes; `value` itself when it has no such form. What was sent is then
 * in at->sent, and bind_form_done() reports it once the value is bound. */
yyjson_val *bind_form_value(struct judge *judge, struct place *at, yyjson_val *value);
void        bind_form_done(struct judge *judge, const struct place *at, yyjson_val *value, size_t coerced);

/* The choice that a text means in another spelling. False when there is none, or several. */
bool bind_form_choice(struct judge *judge, const struct place *at, yyjson_val *value, int *out);

/* Is a text with commas a list of words: refused as one of them by its pattern or format, and each part accepted? */
bool bind_form_words(struct judge *judge, const struct place *at, yyjson_val *value);

/* Reports such a list, once it is taken apart. */
void bind_form_words_done(struct judge *judge, const struct place *at, yyjson_val *value, yyjson_val *parts,
                          size_t count);

/* The text that a number or boolean in a map is, or `value`. */
yyjson_val *bind_form_pair(struct judge *judge, const struct place *at, yyjson_val *value);
void bind_form_pair_done(struct judge *judge, const struct place *at, yyjson_val *sent, yyjson_val *text);

/* The arguments that a text holds, plain or in another form: NULL when it holds none, and *plain says why. */
yyjson_val *bind_form_whole(struct judge *judge, struct slice text, struct json_text *plain,
                            struct slice *inner);

/* The members of an object, when some are not declared. */
struct form_names {
    yyjson_val        **keys; /* that were taken under another name, in the order of the text */
    size_t              count;
    const struct place *up;
    struct place        wrapper;
    yyjson_val         *value;   /* the object that has the members */
    size_t              unknown; /* of them */
};

/* The object inside the only argument, when that is a wrapper; or NULL. names->up is then the wrapper's place. */
yyjson_val *bind_form_wrapper(struct judge *judge, const struct object *object, struct form_names *names);

/* Puts what was sent for absent parameters under another spelling of their names into `given`; how many. */
size_t bind_form_names(struct judge *judge, const struct object *object, struct form_names *names,
                       yyjson_val **given);

#endif
