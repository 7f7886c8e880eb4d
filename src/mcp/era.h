/* era.h - revisions of the protocol, and which of them a message is in.
 *
 * "Modern" is 2026-07-28: every request says its version and the client's capabilities in params._meta, and nothing is
 * remembered. "Legacy" is what came before: a handshake, and a session. Each message is classified by itself: one that
 * carries the version in its _meta is modern, even when the rest of that envelope is invalid.
 */
#ifndef MCP_ERA_H
#define MCP_ERA_H

#include <yyjson.h>

#include "base/buf.h"
#include "mcp/receive.h"
#include "mcp/revision.h"
#include "mcp/rpc.h"

enum tn_version {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    VERSIONS,
    VERSION_NONE = VERSIONS
};

#define VERSION_LEGACY V2025_11_25 /* LEGACY_VERSION */
#define VERSION_SILENT V2025_03_26 /* of HTTP requests that name none */

enum tn_version tn_version_of(struct tn_slice text); /* VERSION_NONE for one that is not known */
const char     *tn_version_text(enum tn_version version);
/* The version that an initialize with these params is answered with: one that is not known, or has no handshake, is
 * negotiated down to the newest that has one. */
enum tn_version tn_version_negotiated(yyjson_val *params);

/* "io.modelcontextprotocol/..." */
#define META_PREFIX       "io.modelcontextprotocol/"
#define META_VERSION      META_PREFIX "protocolVersion"
#define META_CAPABILITIES META_PREFIX "clientCapabilities"
#define META_LOG_LEVEL    META_PREFIX "logLevel"
#define META_SERVER_INFO  META_PREFIX "serverInfo"
#define META_SUBSCRIPTION META_PREFIX "subscriptionId"
#define EXTENSION_TASKS   META_PREFIX "tasks"
#define EXTENSION_SKILLS  META_PREFIX "skills"

#define ABILITY_TASKS 32u /* beside enum tenon_ability: the tasks extension */

/* What a client said it can do. */
unsigned tn_abilities_of(yyjson_val *capabilities);
/* {"elicitation":{}} for the abilities that are needed. */
void tn_abilities_write(struct tn_buf *out, unsigned abilities);

enum tn_era_kind { ERA_LEGACY, ERA_MODERN, ERA_FAULT };

struct tn_era {
    enum tn_era_kind kind;
    enum tn_version  version; /* of modern messages */
    unsigned         abilities;
    int              log_level; /* -1: none wanted */
    int              code;      /* of a fault; its data is written by era_fault_data() */
    const char      *fault;
    struct tn_slice  requested; /* the version that is not supported */
};

/* `http` is NULL on other transports. */
struct tn_era tn_era_of(const struct tn_rpc *rpc, const struct tn_http_facts *http);

/* The headers that a modern request must have: Mcp-Method and Mcp-Name. NULL when they are right. */
const char *tn_era_header_fault(const struct tn_rpc *rpc, const struct tn_http_facts *http,
                                struct tn_arena *arena);

/* The bytes that a header stands for: itself, or the inside of =?base64?...?=. False when that is no canonical base64 of
 * UTF-8, or the header has bytes that must be sent that way. */
bool tn_era_header_decode(struct tn_slice header, struct tn_arena *arena, struct tn_slice *value);

/* A level by its name, or -1. */
int         tn_level_of(struct tn_slice name);
const char *tn_level_text(int level);

#endif
