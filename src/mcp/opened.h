/* opened.h - ids of sessions that were opened lately, and what was in them.
 *
 * A client of a session sends its id with each request, and opening one costs more than all else that is done with the request's
 * head. What was authentic once is so again for the same bytes, the same caller and the same key, which never changes while a
 * server runs. A small table: the last id of a slot stays, and what is not there is opened as if there were none. Whether
 * the session has ended is another question, and is asked each time.
 */
#ifndef MCP_OPENED_H
#define MCP_OPENED_H

#include <stdbool.h>
#include <stdint.h>

#include <tenon/base.h>

#include "base/str.h"

#define OPENED_SLOTS   ((size_t)128)
#define OPENED_ID_MAX  ((size_t)128) /* longer ones are opened each time ... */
#define OPENED_NAME_MAX ((size_t)60) /* ... and those of callers with longer names */
#define OPENED_LEN     ((size_t)32)  /* of what is in an id */

struct tn_opened; /* a table; NULL is the empty one */

/* Is this id of this caller there, and its time not over? Then what is in it is copied. */
bool tn_opened_find(const struct tn_opened *opened, struct tn_slice id, struct tn_slice name, int64_t now_ms,
                    unsigned char inside[OPENED_LEN]);

/* Remembers what is in an id; nothing happens without memory. */
void tn_opened_keep(struct tn_opened **opened, const tenon_allocator *memory, struct tn_slice id,
                    struct tn_slice name, int64_t until_ms, const unsigned char inside[OPENED_LEN]);

void tn_opened_free(struct tn_opened *opened, const tenon_allocator *memory);

#endif
