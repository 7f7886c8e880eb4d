/* form.h - forms in which models send values, beside the plain one: what they are called, and how each is read.
 *
 * A form is lossless and unambiguous: it changes how a value is written, never which value it is. It is tried only when
 * the plain reading has failed, is switched off by `strict`, and is reported. The functions here are pure: values in,
 * values out. The caller decides where a form is accepted, counts it and reports it (bind_form.h for rows).
 */
#ifndef MODEL_FORM_H
#define MODEL_FORM_H

#include "json/read.h"
#include "model/node.h"

enum tn_wire_form {
    FORM_TEXT,     /* the arguments as one JSON text */
    FORM_LAYER,    /* JSON text inside JSON text */
    FORM_FENCE,    /* JSON text in a markdown fence */
    FORM_WRAPPER,  /* all arguments inside one object that is not declared */
    FORM_NAME,     /* a declared name in another case or with other separators */
    FORM_SPELLING, /* an enum's value with other separators */
    FORM_ONE_ITEM, /* a list of one for a single value */
    FORM_WORDS,    /* "a, b" for a list of words that have no comma */
    FORM_NUMBER,   /* a number or boolean for a text in a map */
    FORMS
};

#define FORM_LAYERS_MAX 2                  /* fences and texts around a JSON text that are taken off */
#define FORM_BYTES_MAX  ((size_t)16 << 20) /* of all texts of a judgement that are read a second time */
#define FORM_NAMES_MAX  ((size_t)100000)   /* unknown names with declared ones, in a judgement */

/* "arguments_text", "fence", ...: for metrics and documentation. */
const char *tn_form_name(enum tn_wire_form form);

/* What stands inside a text, once the fences and quotes around it are taken off. */
struct tn_form_text {
    yyjson_val         *root; /* NULL when nothing was taken off, or what is left is not JSON */
    struct tn_slice     text; /* of `root` */
    struct tn_json_text read;
    enum tn_wire_form   form; /* the outermost */
};

/* `layers` also takes off quotes: where a string is a value of its own they belong to it. `digits` keeps numbers as they
 * are written: where they become text. */
struct tn_form_text tn_form_read(struct tn_arena *arena, struct tn_slice text, bool layers, bool digits,
                                 const struct tn_json_limits *limits);

/* The item of a list of one that could be the single value that `node` needs, or NULL. */
yyjson_val *tn_form_one_item(struct tn_arena *arena, const struct tn_node *node, yyjson_val *value);

/* The text inside quotes inside a text, or NULL. */
yyjson_val *tn_form_inner(struct tn_arena *arena, yyjson_val *value);

/* The same if it could be that value. Never for a kind of text. */
yyjson_val *tn_form_unquoted(struct tn_arena *arena, const struct tn_node *node, yyjson_val *value);

/* A number or boolean as a string of its JSON, or NULL. */
yyjson_val *tn_form_as_text(struct tn_arena *arena, yyjson_val *value);

/* form_name.c: the same name but for case and for the separators "_", "-" and " ". */
bool tn_form_same_name(struct tn_slice a, struct tn_slice b);

/* May an object of that name hold all arguments? */
bool tn_form_is_wrapper(struct tn_slice name);

/* The one declared parameter of that name in another spelling, or PARAM_NONE. */
uint32_t tn_form_param(const struct tn_object *object, struct tn_slice name);

#endif
