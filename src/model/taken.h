/* taken.h - the forms that one validation took: how many of each, how much was read for them, and what is reported. */
#ifndef MODEL_TAKEN_H
#define MODEL_TAKEN_H

#include "model/form.h"
#include "model/location.h"

/* Made when the first form is tried. */
struct tn_taken {
    size_t        counts[FORMS];
    size_t        compared, bytes; /* of FORM_NAMES_MAX, of FORM_BYTES_MAX */
    struct tn_buf names;           /* the message that all names share */
    size_t        unsaid;          /* names that no longer fit into it */
};

/* NULL when memory is refused. */
struct tn_taken *tn_taken_of(struct tn_judge *judge);

/* A form was taken once more. */
void tn_taken_add(struct tn_judge *judge, enum tn_wire_form form);

/* A value in another form, in the message that all changes share; from and to as JSON. */
void tn_taken_value(struct tn_judge *judge, struct tn_slice label, bool secret, yyjson_val *from,
                    yyjson_val *to);

/* A name in another spelling, in the message that all names share. */
void tn_taken_name(struct tn_judge *judge, struct tn_slice label, struct tn_slice sent);

/* A word such as "none" was taken for nothing: it could have been meant as one. NULL when it is not to be repeated. */
void tn_taken_placeholder(struct tn_judge *judge, struct tn_slice label, yyjson_val *value);

/* All arguments stood in one object of that name. */
void tn_taken_wrapper(struct tn_judge *judge, struct tn_slice name);

/* The messages, when all are known. */
void tn_taken_report(struct tn_judge *judge);

/* May a name be compared with so many declared ones? */
bool tn_taken_may_compare(struct tn_judge *judge, size_t declared);

/* What is left when the fences and quotes around `text` are taken off, or NULL. What is read counts. */
struct tn_form_text tn_taken_read(struct tn_judge *judge, struct tn_slice text, bool layers, bool digits);

/* An issue of a text that is not JSON within the limits, at `place` or of the whole; NULL when there is none to report. */
struct tn_issue *tn_taken_unread(struct tn_judge *judge, const struct tn_location *place,
                                 yyjson_val *received, struct tn_slice text, const struct tn_json_text *read);

/* Values that may still be read, and values that were. */
struct tn_json_limits tn_taken_limits(const struct tn_judge *judge);
void                  tn_taken_nodes(struct tn_judge *judge, const struct tn_json_text *read);

/* The arguments that a text holds, plain or in another form: NULL when it holds none, and *plain says why. */
yyjson_val *tn_taken_whole(struct tn_judge *judge, struct tn_slice text, struct tn_json_text *plain);

#endif
