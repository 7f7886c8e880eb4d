/* bind_list.h - values that hold others: lists and maps; and reading them out of text. */
#ifndef ROWS_BIND_LIST_H
#define ROWS_BIND_LIST_H

#include "model/location.h"

/* Binds a list of any kind, or a map, to its field. */
bool tn_bind_list(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out);
bool tn_bind_map(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out);

/* The value that `text` spells as JSON, or NULL, reported. */
yyjson_val *tn_bind_read_text(struct tn_judge *judge, struct tn_location *at, yyjson_val *text);

/* bind.c: one value of any kind to its field. */
bool tn_bind_value(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out);

/* bind.c: the members of one object, over one struct. */
void tn_bind_members(struct tn_judge *judge, const struct tn_object *object, yyjson_val *value,
                     const struct tn_location *up, char *base, uint8_t *presence);

/* bind.c: a record of structs that are about to be bound; false when memory is refused. */
struct tn_region *tn_bind_region(struct tn_judge *judge, const struct tn_object *object,
                                 const struct tn_location *at, char *base, size_t count);

#endif
