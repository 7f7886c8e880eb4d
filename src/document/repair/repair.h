/* repair.h - a JSON value, brought into the form that a schema asks for, without loss.
 *
 * A value that is valid keeps every byte, but that absent members get their declared defaults. One that is not is
 * changed only where a schema refuses it, and only in ways that cannot change what was meant: JSON text for an array
 * or object, a number or a truth value in quotes, the case of an enum's word, a lone value for a list, null for a
 * member that may be left out, a default for one that may not, and the forms of model/form.h. Where a string is accepted
 * no string is changed. Each part is repaired as far as that goes, so that what is reported is what is still wrong.
 *
 * The walk over schema and value is that of the verdict, whose limits of depth and steps hold here too; for trying one
 * repair after the other there are twice the steps of a look, but never more than a tool has.
 */
#ifndef DOCUMENT_REPAIR_H
#define DOCUMENT_REPAIR_H

#include "document/verdict/verdict.h"
#include "model/form.h"

#define REPAIR_ROOM_MAX ((size_t)1 << 21) /* values that are copied on the way */
/*   defaults   some schema has one: without, valid values need no second look
 *   strict     numbers and truth values in quotes, lone values and other forms stay as they are, and are refused
 *   keep_null  members that are null or blank stay, and are refused
 *   presence   what stands for nothing, and is refused as what it is, is not there
 *   choices    a default may make it valid that is not required
 *   wrapped    one object that is not declared may stand around all of it
 *   tells      null and blank members that are left out get a message */
struct tn_repair_how {
    bool defaults, strict, keep_null, presence, choices, wrapped, tells;
};

/* Repairs *value, whose text has `len` bytes, and says whether it is valid then. When it is not, *value is repaired as
 * far as that goes, and the caller finds the issues, by tn_verdict_report(). Changes are reported to the judge. */
bool tn_repair_value(struct tn_verdict *verdict, const struct tn_node *node, size_t len, yyjson_val **value,
                     const struct tn_repair_how *how);

/* The same for a program that needs the text: no digit of a number is lost, and *json is then what *value says. */
bool tn_repair_text(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice *json,
                    yyjson_val **value, const struct tn_repair_how *how);

/* ---- Between the files of the repairer -------------------------------------------------------------------------- */

struct tn_repairer {
    struct tn_verdict          *verdict;
    const struct tn_repair_how *how;
    size_t                      room;     /* values that may still be copied */
    unsigned                    defaults; /* inside each other */
    unsigned                    secret;   /* schemas around that say so */
    yyjson_val                 *refused;  /* what is known to be, as a whole, or NULL */
    yyjson_val                 *comma;    /* the last list that was made of a text with commas */
    struct tn_slice             text;     /* the last JSON text that was read, */
    yyjson_val                 *read;     /* and what it says */
    bool                        alone;    /* a document of its own: its text was looked at before */
    bool                        endless;  /* defaults that have no end */
    bool                        any;      /* fill in every default, wherever it leads */
};

/* Valid, as far as this schema goes? */
bool tn_repair_fits(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value);

/* A value was taken for another one: of another type, or in that form (FORMS is none of them). */
void tn_repair_report(struct tn_repairer *repairer, const struct tn_location *at, yyjson_val *from,
                      yyjson_val *to, enum tn_wire_form form);

/* Does a text keep the pattern and the format of the node? */
bool tn_repair_text_fits(struct tn_repairer *repairer, const struct tn_node *node, struct tn_slice text);

/* type.c: a value of the type that the schema asks for, and one of its known values; as it was if there is none. */
yyjson_val *tn_repair_type(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                           const struct tn_location *at);
yyjson_val *tn_repair_known(struct tn_repairer *repairer, const struct tn_schema *schema, yyjson_val *value,
                            const struct tn_location *at);

/* name.c: members in another spelling of their names, and all of them inside a wrapper. */
yyjson_val *tn_repair_names(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                            yyjson_val *value, const struct tn_location *at);
yyjson_val *tn_repair_unwrapped(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value);

/* One more schema, or none, for limits are reached; leave what was entered. */
bool tn_repair_enter(struct tn_repairer *repairer, const struct tn_node *node, struct tn_scope *scope);
void tn_repair_leave(struct tn_repairer *repairer, const struct tn_scope *scope);

/* parts.c: a container that is taken apart, changed, and put together again. */
struct tn_parts {
    yyjson_val  *whole;
    yyjson_val **at; /* items; or names and members in turn */
    size_t       count;
    bool         changed;
};

/* With room for `more` items or members beside its own. */
bool tn_parts_open(struct tn_repairer *repairer, struct tn_parts *parts, yyjson_val *whole, size_t more);
void tn_parts_set(struct tn_parts *parts, size_t index, yyjson_val *value);

/* Leaves out the member whose name is at `index`; when all are seen, the rest closes up. */
void tn_parts_drop(struct tn_parts *parts, size_t index);
void tn_parts_shrink(struct tn_parts *parts);
bool tn_parts_add(struct tn_repairer *repairer, struct tn_parts *parts, struct tn_slice name,
                  yyjson_val *value);

/* Which properties an object has, a bit for each; NULL when limits are reached. *others, unless that is NULL, is how many
 * members are no properties. */
uint64_t *tn_parts_present(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                           yyjson_val *object, size_t *others);

/* The whole: as it was when nothing changed or memory was refused. */
yyjson_val *tn_parts_close(struct tn_repairer *repairer, const struct tn_parts *parts);

/* A list of those values. */
yyjson_val *tn_parts_list(struct tn_repairer *repairer, yyjson_val *const *items, size_t count);

/* What a text says, with every digit; NULL when it is not JSON. */
yyjson_val *tn_parts_read(struct tn_repairer *repairer, struct tn_slice text);
yyjson_val *tn_parts_read_number(struct tn_repairer *repairer, struct tn_slice text);

/* The member whose name is at `index`: calls `visit` with every schema of a declared one, `other` with each that speaks of
 * the rest, and what the last call returned. */
typedef yyjson_val *(*parts_visit)(struct tn_repairer *repairer, const struct tn_node *node,
                                   yyjson_val *value, const struct tn_location *at);
yyjson_val *tn_parts_each(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                          const struct tn_parts *parts, size_t index, const struct tn_location *up,
                          parts_visit visit, parts_visit other);

/* The same for the items of an array; and for schemas that speak of the same value, `branches` with each set of alternatives. */
typedef yyjson_val *(*parts_branches)(struct tn_repairer *repairer, const struct tn_nodes *nodes,
                                      yyjson_val *value, const struct tn_location *up, bool exactly_one);
yyjson_val *tn_parts_items(struct tn_repairer *repairer, const struct tn_array_rules *rules,
                           yyjson_val *value, const struct tn_location *up, parts_visit visit);
yyjson_val *tn_parts_in_place(struct tn_repairer *repairer, const struct tn_in_place *place,
                              yyjson_val *value, const struct tn_location *up, parts_visit visit,
                              parts_branches branches);

/* fill.c: defaults of absent members, until there is nothing more to fill in. */
yyjson_val *tn_repair_fill(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value);

/* The default that a schema declares, or one that it only refers to; NULL is none. */
yyjson_val *tn_repair_declared(const struct tn_node *node);

/* The default of a property, filled in itself, or NULL. */
yyjson_val *tn_repair_default(struct tn_repairer *repairer, const struct tn_node *node,
                              const struct tn_location *at);

#endif
