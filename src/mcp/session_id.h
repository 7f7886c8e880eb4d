/* session_id.h - the id of a session over HTTP: sealed for its caller, with what was negotiated in it. */
#ifndef MCP_SESSION_ID_H
#define MCP_SESSION_ID_H

#include "mcp/core.h"
#include "mcp/session.h"

struct tn_session_id {
    unsigned char key[SESSION_KEY_LEN];
    uint32_t      version, abilities;
    int64_t       began_s; /* wall clock */
};

/* In the arena; empty without memory. */
struct tn_slice tn_session_id_write(tenon_server *server, struct tn_arena *arena,
                                    const struct tn_caller *caller, const struct tn_session_id *id);

/* False for all that is not the id of a session of this caller, or was that for too long. */
bool tn_session_id_read(tenon_server *server, struct tn_slice text, const struct tn_caller *caller,
                        struct tn_session_id *id);

#endif
