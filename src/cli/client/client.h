/* client.h - a client of the Model Context Protocol, for one conversation.
 *
 * It asks a server whether it knows 2026-07-28 and, when it does not, shakes hands as the revisions before do. Whatever
 * it receives lives in its arena until the end; nothing of it is trusted.
 */
#ifndef CLI_CLIENT_CLIENT_H
#define CLI_CLIENT_CLIENT_H

#include <yyjson.h>

#include "cli/client/transport.h"
#include "cli/console.h"
#include "mcp/revision.h"

enum era { ERA_ANY, ERA_MODERN, ERA_LEGACY };

struct client {
    const struct console *console;
    struct tn_arena      *arena;
    struct transport     *transport;
    enum era              era;         /* asked for, then found */
    int64_t               timeout_ms;  /* of each request */
    bool                  verbose;     /* shows progress and log lines */
    bool                  interactive; /* somebody can be asked */
    /* Answers a question with a result as JSON, or NULL when it cannot. */
    const char *(*answer)(struct client *client, yyjson_val *request);
    void   *user;
    int64_t last_id;
};

struct demand {
    const char          *method;
    const char          *members; /* of params, as JSON text without the braces; may be NULL */
    const char          *name;    /* what Mcp-Name says, or NULL */
    const struct header *headers; /* Mcp-Param-* */
    size_t               header_count;
    bool                 progress;
};

enum reply_kind { REPLY_NONE, REPLY_RESULT, REPLY_ERROR };

struct reply {
    enum reply_kind kind;  /* REPLY_NONE: nothing usable came, transport->why says why */
    enum carried    how;   /* of none */
    yyjson_val     *value; /* the result, or the error */
    struct tn_slice text;  /* the same, byte for byte as it came */
};

/* Finds the era. False when the server cannot be spoken with, which was said. */
bool client_open(struct client *client);

struct reply client_request(struct client *client, const struct demand *demand);

/* Says why there is no result, for people. */
void client_complain(const struct client *client, const struct reply *reply, const char *doing);

void client_close(struct client *client);

/* Members of an object that are text; an empty one for all else. */
struct tn_slice value_text(yyjson_val *object, const char *key);

/* From the value that begins at `byte` of a valid JSON text to its end. */
struct tn_slice json_span(struct tn_slice text, size_t byte);

#endif
