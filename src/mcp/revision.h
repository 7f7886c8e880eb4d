/* revision.h - the revisions of the protocol that are named in texts: for clients and servers alike. */
#ifndef MCP_REVISION_H
#define MCP_REVISION_H

#define MODERN_VERSION "2026-07-28"
#define LEGACY_VERSION "2025-11-25" /* the newest with a handshake */

#endif
