/* recording.h - the file of `tenon tee`: a JSON object a line.
 *
 *     {"tenon":"recording","version":1,"command":["build/weather"]}
 *     {"at":3,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
 *     {"at":4,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}}
 *     {"at":9,"from":"server","text":"a line that is no JSON"}
 *
 * "at" is in milliseconds from the beginning. A file that was added to has several beginnings.
 */
#ifndef CLI_WIRE_RECORDING_H
#define CLI_WIRE_RECORDING_H

#include <yyjson.h>

#include "base/arena.h"
#include "cli/wire/relay.h"

/* Lines with their ends; empty without memory. */
struct tn_slice recording_head(struct tn_arena *arena, char *const *words);
struct tn_slice recording_line(struct tn_arena *arena, enum relay_side from, int64_t at_ms,
                               struct tn_slice line);

struct recorded {
    enum relay_side from;
    yyjson_val     *message;
    size_t          line; /* of the file, from 1 */
};

struct recording {
    struct recorded *at;
    size_t           count;
};

/* The messages of the file's last beginning; false, and why, when the text is no recording. */
bool recording_read(struct tn_arena *arena, struct tn_slice text, struct recording *recording, char why[200]);

#endif
