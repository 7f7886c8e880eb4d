/* share.h - what replicas of a server share besides its rows, in tables of PostgreSQL beside those of the server: NAME_runtime.
 *
 *   share.c      opened and closed; rows
 *   share_bus.c  messages, and which of them were seen
 *   share_live.c the register of processes, and housekeeping
 */
#ifndef KIT_SHARE_H
#define KIT_SHARE_H

#include <tenon/share.h>

#include "kit/sql.h"

struct share;

/* The tables of the server `name` at the address, which is connected to when the server begins to share: one that does not
 * needs no tables. `lease_ms`: after so long a process that gave no sign of life counts as gone. NULL without memory. */
struct share *share_new(const char *address, const char *name, const struct sql_options *options,
                        int64_t lease_ms);
void          share_free(struct share *share); /* NULL is fine */

/* To tenon_server_share(). */
const tenon_share_store *share_store(struct share *share);

/* Makes the tables, or brings them to this release; else *error. *version is that of this release. */
bool share_migrate(const char *address, const char *name, const struct sql_options *options, size_t *version,
                   char **error);

#endif
