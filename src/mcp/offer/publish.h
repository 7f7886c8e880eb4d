/* publish.h - what a server publishes about itself, written once: its identity, its capabilities, the entries of its
 * lists. */
#ifndef MCP_OFFER_PUBLISH_H
#define MCP_OFFER_PUBLISH_H

#include "base/buf.h"
#include "mcp/core.h"

/* Writes everything. A mistake is kept in the server. */
tenon_status tn_publish_server(tenon_server *server);

/* The entries of resources, templates and prompts, by those who know them (resources.c, prompts.c). */
tenon_status tn_publish_resource(tenon_server *server, struct tn_entry *entry, bool is_template);
tenon_status tn_publish_prompt(tenon_server *server, struct tn_entry *entry);

/* The tool through which resources are read and completions made, in BOX_READS. */
const tenon_tool *tn_resources_reader(void);

/* A member of an object, after a comma unless it is the first; nothing for NULL. */
void tn_publish_member(struct tn_buf *out, const char *key, const char *text);

/* ,"icons":[...] and nothing for none. */
void tn_publish_icons(struct tn_buf *out, const tenon_icon *icons, size_t count);
/* False, and the mistake kept under `name`, when one of them cannot be published. */
bool tn_publish_icons_sound(tenon_server *server, const char *name, const tenon_icon *icons, size_t count);

/* The same for ,"_meta":{...}, which is the author's JSON. */
void tn_publish_meta(struct tn_buf *out, const char *meta);
bool tn_publish_meta_sound(tenon_server *server, const char *name, const char *meta);

#endif
