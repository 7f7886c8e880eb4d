/* keywords.h - the rules of a node as keywords of JSON Schema: what emit.c and portable.c share. */
#ifndef ROWS_KEYWORDS_H
#define ROWS_KEYWORDS_H

#include "base/buf.h"
#include "model/node.h"

enum tn_keywords_use { KEYWORDS_ARGUMENTS, KEYWORDS_RESULT, KEYWORDS_EXPECTED };

/* The inside of one schema object while it is written. */
struct tn_keywords {
    struct tn_buf       *out;
    enum tn_keywords_use use;
    bool                 closed, destructive;
    bool                 portable;  /* only keywords of JSON Schema: none for clients */
    bool                 prose;     /* minimum: 1, for a description, instead of "minimum":1 */
    bool                 date_time; /* the format date-time is said already */
    bool                 any;       /* something was written, so that a separator is due */
    bool                 items;     /* a list or map may not be empty, although no row says so */
    unsigned             depth;     /* of objects around it */
};

/* "object", "integer", ...; NULL for any JSON in a result. Not whether it is published as JSON text. */
const char *tn_keywords_type(const struct tn_node *node);

/* True when arguments of that row are published as a string of JSON. */
bool tn_keywords_json_text(const struct tn_node *node);

/* "date-time", ... of the kind or the row; NULL when there is none. */
const char *tn_keywords_format(const struct tn_node *node);

/* A separator when one is due, and the name: its value comes next. */
void tn_keywords_name(struct tn_keywords *keywords, const char *name);

/* Everything but type, description and default. `filled` says that blank text is refused; `more` is one name more of an
 * enum, or NULL. */
void tn_keywords_rules(struct tn_keywords *keywords, const struct tn_node *node, bool filled);
void tn_keywords_choice(struct tn_keywords *keywords, const struct tn_node *node, const char *more);
void tn_keywords_counts(struct tn_keywords *keywords, const struct tn_node *node);
void tn_keywords_object(struct tn_keywords *keywords, const struct tn_object *object);

/* A whole schema, as the keywords around it are written. `param` is NULL for items of a list and values of a map. */
void tn_keywords_schema(const struct tn_keywords *around, const struct tn_node *node,
                        const struct tn_param *param, unsigned depth);

/* What the model reads: the row's own words, what they do not say of a path or a URL, an example of a list or an object, and
 * how to send JSON text when the value is a string of it. */
void tn_keywords_describe(struct tn_buf *text, const struct tn_param *param, bool json_text);

#endif
