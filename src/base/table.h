/* table.h - things by name, each name in something: tools by their name, members of an object, anchors of a resource. Without a
 * name it is what belongs to an address, and in NULL what is known by its name alone.
 *
 * Names may be a caller's, who could choose them to fall into one place of a table whose hash is known. So the hash has a secret
 * of this process, and no choice of names makes a table slow. Its memory is an arena's: it grows, and nothing is taken out.
 *
 * Tables that are not of this kind, and why:
 *   base/account, net/http/replay   this hash, with chains: entries leave one by one, without memory being asked for
 *   mcp/session, mcp/ended          chains too, and their keys are random already
 *   net/worker_queue                by address, in rings and chains that entries are members of
 *   model/unique                    this hash, and four bytes a key: a list has a million of them
 *   model/property (object, rules)  built once, and asked for every member of every call: a quicker hash, whose worst case is
 *                                   refused when the schema is read
 *   document/compile_keywords       values of an enum: equal as JSON values are, not as text
 *   oauth/cache                     one place for a token, which the newest takes
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

#define TABLE_NO_NAME SLICE_LIT("")

struct tn_table {
    struct tn_table_slot *slots; /* NULL: it is empty */
    size_t                count, mask;
};

/* NULL when there is none. */
void *tn_table_find(const struct tn_table *table, const void *in, struct tn_slice name);

/* Adds `thing`, unless one of that name is there already: the one that is there now. The name must outlive the table. NULL when
 * memory is refused. */
void *tn_table_add(struct tn_table *table, struct tn_arena *arena, const void *in, struct tn_slice name,
                   void *thing);

/* Makes it wide enough for `count` more at once, which takes less memory than growing by and by. False when memory is refused:
 * it then stays as it was. */
bool tn_table_room(struct tn_table *table, struct tn_arena *arena, size_t count);

/* SipHash with the secret of this process. By any thread. */
uint64_t tn_table_hash(struct tn_slice key);

#endif
