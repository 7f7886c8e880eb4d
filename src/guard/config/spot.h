/* spot.h - a value of a configuration with the way to it, and what it is read as.
 *
 * A value of another type than expected reads as if it were not there: the schema has reported it.
 */
#ifndef GUARD_CONFIG_SPOT_H
#define GUARD_CONFIG_SPOT_H

#include <tenon/setting.h>

#include "guard/config/tree.h"
#include "guard/upstream.h"

struct tn_spot {
    struct tn_tree       *tree;
    const struct tn_spot *up;     /* or NULL */
    const char           *name;   /* of the member; NULL: an item */
    size_t                index;  /* of the item */
    yyjson_val           *value;  /* NULL: it is not there */
    const char           *folder; /* of the file: what paths begin at */
};

struct tn_spot tn_spot_member(const struct tn_spot *up, const char *name);
struct tn_spot tn_spot_item(const struct tn_spot *up, size_t index, yyjson_val *value);
struct tn_spot tn_spot_named(const struct tn_spot *up, yyjson_val *name); /* by a key of an iterator */

/* A mistake in it. */
void tn_spot_wrong(const struct tn_spot *spot, const char *format, ...) TENON_PRINTF(2, 3);
void tn_spot_key_wrong(const struct tn_spot *spot, const char *format, ...) TENON_PRINTF(2, 3);

const char        *tn_spot_text(const struct tn_spot *spot); /* of a string, or a number; NULL */
const char        *tn_spot_path(const struct tn_spot *spot); /* absolute, or below the folder of the file */
bool               tn_spot_bool(const struct tn_spot *spot, bool otherwise);
size_t             tn_spot_count(const struct tn_spot *spot, size_t otherwise);
int                tn_spot_choice(const struct tn_spot *spot, const tenon_choice *choices, int otherwise);
tenon_strs         tn_spot_texts(const struct tn_spot *spot);
tenon_map          tn_spot_map(const struct tn_spot *spot);
tenon_map          tn_spot_paths(const struct tn_spot *spot);
const char *const *tn_spot_words(const struct tn_spot *spot); /* with a final NULL; NULL */

/* Left as it is when there is no value, or a wrong one, which is reported. Bounds are in milliseconds, or bytes. */
void tn_spot_time(const struct tn_spot *spot, int min, int max, int *ms);
void tn_spot_pause(const struct tn_spot *spot, struct tn_pause *pause);
void tn_spot_size(const struct tn_spot *spot, size_t min, size_t max, size_t *size);
void tn_spot_rate(const struct tn_spot *spot, struct tn_rate_bucket *rate);

#endif
