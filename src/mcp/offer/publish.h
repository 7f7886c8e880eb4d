/* publish.h - what a server says of itself, written once: its identity, its capabilities, the entries of its lists. */
#ifndef MCP_OFFER_PUBLISH_H
#define MCP_OFFER_PUBLISH_H

#include "base/buf.h"
#include "mcp/core.h"

/* Writes everything. A mistake is kept in the server. */
tenon_status publish_server(tenon_server *server);

/* The entries of resources, templates and prompts, by those who know them (resources.c, prompts.c). */
tenon_status publish_resource(tenon_server *server, struct entry *entry, bool is_template);
tenon_status publish_prompt(tenon_server *server, struct entry *entry);

/* The tool through which resources are read and completions made, in BOX_READS. */
const tenon_tool *resources_reader(void);

/* ,"icons":[...] and nothing for none. */
void publish_icons(struct buf *out, const tenon_icon *icons, size_t count);
/* False, and the mistake kept under `name`, when one of them cannot be published. */
bool publish_icons_sound(tenon_server *server, const char *name, const tenon_icon *icons, size_t count);

/* The same for ,"_meta":{...}, which is the author's JSON. */
void publish_meta(struct buf *out, const char *meta);
bool publish_meta_sound(tenon_server *server, const char *name, const char *meta);

#endif
