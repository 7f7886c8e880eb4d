/* bind_list.h - values that hold others: lists and maps; and reading them out of text. */
#ifndef ROWS_BIND_LIST_H
#define ROWS_BIND_LIST_H

#include "model/location.h"

/* Binds a list of any kind, or a map, to its field. */
bool bind_list(struct judge *judge, struct place *at, yyjson_val *value, void *out);
bool bind_map(struct judge *judge, struct place *at, yyjson_val *value, void *out);

/* The value that `text` spells as JSON, or NULL, reported. */
yyjson_val *bind_read_text(struct judge *judge, struct place *at, yyjson_val *text);

/* A key of `object` that stands in it twice, or NULL. Sets arena->failed when memory is refused. */
yyjson_val *bind_repeated_key(struct judge *judge, yyjson_val *object);

/* bind.c: the members of one object, over one struct. */
void bind_members(struct judge *judge, const struct object *object, yyjson_val *value, const struct place *up,
                  char *base, uint8_t *presence);

/* bind.c: a record of structs that are about to be bound; false when memory is refused. */
struct region *bind_region(struct judge *judge, const struct object *object, const struct place *at,
                           char *base, size_t count);

#endif
