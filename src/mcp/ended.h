/* ended.h - which sessions were ended by their clients, for as long as their ids would be valid.
 *
 * An id is sealed and holds all that a process needs to go on with its session: that one was ended must be remembered,
 * or the id is valid again as soon as the session is forgotten. Half of its random key is kept, which is enough to
 * identify it. Bounded: when it is full the oldest goes. From then on no session is taken over from another process, or
 * after it was forgotten, that began before that one was ended: it may be the one, and a client that is refused begins
 * a new one.
 */
#ifndef MCP_ENDED_H
#define MCP_ENDED_H

#include <stdbool.h>
#include <stdint.h>

#include <tenon/base.h>

#define ENDED_KEY_LEN ((size_t)8)
#define ENDED_MAX     ((size_t)1 << 16) /* sessions: 1 MiB and a little */

struct ended; /* a set; NULL is the empty one */

/* Adds one, which may be there already. False without memory, and then nothing has changed. */
bool tn_ended_add(struct ended **set, const tenon_allocator *memory, const unsigned char *key, int64_t now_s);
bool tn_ended_has(const struct ended *set, const unsigned char *key);

/* Of sessions that began up to then, some that were ended are not here any more. 0 when none is missing. */
int64_t tn_ended_lost_s(const struct ended *set);

/* Some that were ended until then never came here. False without memory. */
bool tn_ended_forget(struct ended **set, const tenon_allocator *memory, int64_t until_s);
void tn_ended_free(struct ended *set, const tenon_allocator *memory);

#endif
