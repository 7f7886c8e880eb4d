/* tree.h - a file as one tree of JSON, with the line and column of every value.
 *
 * JSON is its own tree. YAML, and files that are brought into the form of the guard's own, are written as JSON, and marks say
 * where each key and value stood.
 */
#ifndef GUARD_CONFIG_TREE_H
#define GUARD_CONFIG_TREE_H

#include <yyjson.h>

#include "base/buf.h"
#include "guard/config/mistakes.h"

#define CONFIG_BYTES_MAX ((size_t)1 << 20) /* of a file */
#define CONFIG_DEPTH_MAX ((size_t)64)
#define CONFIG_NODES_MAX ((size_t)100000)

/* Where the key or value at a byte of the JSON text came from. */
struct tn_mark {
    size_t                  byte;
    struct tn_json_position at;
};

/* JSON that is being written with its marks. Sticky: `json.failed`. */
struct tn_marked {
    struct tn_buf   json;
    struct tn_mark *marks;
    size_t          count, room;
};

void tn_marked_init(struct tn_marked *marked, struct tn_arena *arena);
void tn_mark(struct tn_marked *marked, struct tn_json_position at); /* what is written next */

struct tn_tree {
    struct tn_arena           *arena;
    struct tn_config_mistakes *mistakes;
    struct tn_slice            source; /* the text of the file */
    struct tn_slice            json;   /* the same, or what was made of it */
    const struct tn_mark      *marks;  /* NULL: the JSON is the file's own */
    size_t                     mark_count;
    yyjson_val                *root; /* every number as its text */
};

/* Reads a text. False when it has a mistake that nothing can be read after. `is_yaml` by the name of its file. */
bool tn_tree_read(struct tn_tree *tree, struct tn_slice text, bool is_yaml);

/* The tree of what was written. */
bool tn_tree_of(struct tn_tree *tree, struct tn_marked *marked);

/* Where a byte of the JSON is from. */
struct tn_json_position tn_tree_position(const struct tn_tree *tree, size_t byte);

/* Where the value of a JSON Pointer begins, or its key; of one that leads nowhere, the innermost on the way. */
struct tn_json_position tn_tree_place(const struct tn_tree *tree, struct tn_slice pointer, bool of_key);

/* comments.c: a copy in which comments and trailing commas of JSON are spaces. Empty without memory. */
struct tn_slice tn_comments_blanked(struct tn_arena *arena, struct tn_slice given);

/* yaml.c: YAML written as JSON. False after a mistake. */
bool tn_yaml_read(struct tn_tree *tree, struct tn_marked *to);

#endif
