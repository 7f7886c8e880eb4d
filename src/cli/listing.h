/* listing.h - the tools that a server has, page by page. */
#ifndef CLI_LISTING_H
#define CLI_LISTING_H

#include <yyjson.h>

#include "cli/remote.h"

/* Visits pages until one is the last, or `page` returns false: it gets the tools as values and as the bytes of their
 * array, which live until the next page; those of the last one live as long as the client. False when a page does not
 * come, which was said. */
bool listing_visit(struct remote *remote, bool (*page)(void *user, yyjson_val *tools, struct tn_slice text),
                   void          *user);

/* May the tool be called? Over HTTP of 2026-07-28 a client must leave out tools whose "x-mcp-header" is not sound; NULL,
 * or what is wrong with it. */
const char *listing_mistake(struct remote *remote, yyjson_val *tool);

/* The tool of that name as it is listed, as long as the client lives; NULL when there is none or it cannot be called, which
 * was reported. */
yyjson_val *listing_find(struct remote *remote, const char *name);

#endif
