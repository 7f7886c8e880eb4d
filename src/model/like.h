/* like.h - which kind of row a node is like, so that one set of sentences, examples and forms serves both front ends.
 *
 * A node of a row is of its own kind. A node of a document is like a kind when its schema asks for nothing that a row of
 * that kind could not ask for as far as types go: {"type":"array","items":{"type":"string"}} is like a list of strings.
 */
#ifndef MODEL_LIKE_H
#define MODEL_LIKE_H

#include "model/document_node.h"

/* A TENON_KIND_..., or NODE_SCHEMA when it is like none of them. */
unsigned tn_like_kind(const struct tn_node *node);

/* Where a schema that only refers leads; itself when it says anything. */
const struct tn_node *tn_like_end(const struct tn_node *node);

/* The node of each item of a list, or of each value of a map; NULL when there is none for all of them. */
const struct tn_node *tn_like_item(const struct tn_node *node);

/* The types that a value may have: TYPE_ bits. */
unsigned tn_like_types(const struct tn_node *node);

/* Could the value be meant for it? A number is no object, whatever their names; text may spell anything. */
bool tn_like_could_be(const struct tn_node *node, yyjson_val *value);

/* Does a value stand for nothing, where it may be left out? A word does not where texts are taken, nor where it is one of the
 * choices; and a strict value is sent as what it is, or not at all. */
enum tn_nothing { NOTHING_NOT, NOTHING_NULL, NOTHING_BLANK, NOTHING_WORD };
enum tn_nothing tn_like_nothing(const struct tn_node *node, yyjson_val *value, bool strict);

/* Is it a text that is a day or a moment? */
static inline bool tn_like_is_time(unsigned kind)
{
    return kind == TENON_KIND_DATE || kind == TENON_KIND_TIMESTAMP;
}

#endif
