/* repair.h - a JSON value, brought into the form that a schema asks for, without loss.
 *
 * A value that is valid keeps every byte, but that absent members get their declared defaults. One that is not is
 * changed only where a schema refuses it, and only in ways that cannot change what was meant: JSON text for an array
 * or object, a number or a truth value in quotes, the case of an enum's word, a lone value for a list, null for a
 * member that may be left out, a default for one that may not. Where a string is accepted no string is changed. The
 * result is validated again as a whole; what is still not valid is not a repair.
 *
 * The walk over schema and value is that of the verdict, whose limits of depth and steps hold here too; for trying one
 * repair after the other there are twice the steps of a look, but never more than a tool has.
 */
#ifndef DOCUMENT_REPAIR_H
#define DOCUMENT_REPAIR_H

#include "document/verdict.h"

#define MEND_ROOM_MAX ((size_t)1 << 21) /* values that are copied on the way */
/*   defaults   some schema has one: without, valid values need no second look
 *   strict     numbers and truth values in quotes, and lone values, stay as they are, and are refused
 *   keep_null  members that are null stay, and are refused */
struct tn_repair_how {
    bool defaults, strict, keep_null;
};

/* Mends what `json` says and `value` is. Returns what to go on with: `value` itself when nothing had to change, else a
 * new one, and *text is its JSON. NULL when it is not valid and cannot be mended (or memory is refused); the judge is
 * then as it was. Changes of type are counted and told to the judge; issues are the caller's to find, by
 * tn_verdict_report(). */
yyjson_val *tn_repair_value(struct tn_verdict *verdict, const struct tn_node *node, struct tn_slice json,
                            yyjson_val *value, const struct tn_repair_how *how, struct tn_slice *text);

/* ---- Between the files of the repairer -------------------------------------------------------------------------- */

struct tn_repairer {
    struct tn_verdict          *verdict;
    const struct tn_repair_how *how;
    size_t                      room;     /* values that may still be copied */
    unsigned                    defaults; /* inside each other */
    unsigned                    secret;   /* schemas around that say so */
    bool                        endless;  /* defaults that have no end */
    bool                        any;      /* fill in every default, wherever it leads */
};

/* Valid, as far as this schema goes? */
bool tn_repair_fits(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value,
                    const struct tn_schema_location *at);

/* One more schema, or none, for limits are reached; leave what was entered. */
bool tn_repair_enter(struct tn_repairer *repairer, const struct tn_node *node, struct tn_scope *scope);
void tn_repair_leave(struct tn_repairer *repairer, const struct tn_scope *scope);

/* repair_parts.c: a container that is taken apart, changed, and put together again. */
struct tn_parts {
    yyjson_val  *whole;
    yyjson_val **at; /* items; or names and members in turn */
    size_t       count;
    bool         changed;
};

/* With room for `more` items or members beside its own. */
bool tn_parts_open(struct tn_repairer *repairer, struct tn_parts *parts, yyjson_val *whole, size_t more);
void tn_parts_set(struct tn_parts *parts, size_t index, yyjson_val *value);
void tn_parts_drop(struct tn_parts *parts,
                   size_t           index); /* the member whose name is at `index`, when all are seen: */
void tn_parts_shrink(struct tn_parts *parts);
bool tn_parts_add(struct tn_repairer *repairer, struct tn_parts *parts, struct tn_slice name,
                  yyjson_val *value);

/* Which properties an object has, a bit for each; NULL when limits are reached. */
const uint64_t *tn_parts_present(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                                 yyjson_val *object);

/* The whole: as it was when nothing changed or memory was refused. */
yyjson_val *tn_parts_close(struct tn_repairer *repairer, const struct tn_parts *parts);

/* A list of one. */
yyjson_val *tn_parts_list(struct tn_repairer *repairer, yyjson_val *only);

/* What a text says, with every digit; NULL when it is not JSON. */
yyjson_val *tn_parts_read(struct tn_repairer *repairer, struct tn_slice text);
yyjson_val *tn_parts_read_number(struct tn_repairer *repairer, struct tn_slice text);

/* Calls `visit` with each schema that speaks of a member, and what the last call returned; the first gets `value`. */
typedef yyjson_val *(*parts_visit)(struct tn_repairer *repairer, const struct tn_node *node,
                                   yyjson_val *value, const struct tn_schema_location *at);
yyjson_val *tn_parts_each(struct tn_repairer *repairer, const struct tn_object_rules *rules,
                          struct tn_slice name, yyjson_val *value, const struct tn_schema_location *up,
                          parts_visit visit);

/* repair_fill.c: defaults of absent members, until there is nothing more to fill in. */
yyjson_val *tn_repair_fill(struct tn_repairer *repairer, const struct tn_node *node, yyjson_val *value);

/* The default of a property, filled in itself, or NULL. */
yyjson_val *tn_repair_default(struct tn_repairer *repairer, const struct tn_node *node,
                              const struct tn_schema_location *at);

#endif
