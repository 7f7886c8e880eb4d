/* ended_file.h - sessions that clients have ended, in a file beside the key file: for the replicas that share it, and
 * for this process after a restart. Without a key file ids are valid in one process only, and nothing needs to be kept.
 *
 * A line for each: half of the session's key and the second in which its id expires. Lines are appended, each in one
 * write; an incomplete line is skipped. A process that starts writes the file anew without what has expired. Nothing in
 * it opens a session: at worst it keeps one out.
 */
#ifndef NET_ENDED_FILE_H
#define NET_ENDED_FILE_H

#include "mcp/core.h"

#define ENDED_FILE_SUFFIX    ".ended"
#define ENDED_FILE_BYTES_MAX ((size_t)4 << 20) /* more is not read, and not written */

struct ended_file;

/* Reads KEY_FILE.ended, if it is there, and is asked to keep what the server's clients end from then on. NULL with *mistake
 * when the file is another's or can be read by others, or without memory. */
struct ended_file *tn_ended_file_open(tenon_server *server, const char *key_file, const char **mistake);

/* Reads what other processes have added since, if the file has changed; about once a second, by one thread at a time. */
void tn_ended_file_tick(struct ended_file *file);
void tn_ended_file_close(struct ended_file *file);

#endif
