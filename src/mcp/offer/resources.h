/* resources.h - resources and templates of them: finding the one that a URI means. */
#ifndef MCP_OFFER_RESOURCES_H
#define MCP_OFFER_RESOURCES_H

#include "mcp/exchange.h"
#include "mcp/offer/uri_template.h"

/* The resource with that URI, or the first template that matches it, with its variables decoded in the exchange's arena;
 * NULL when there is none that is shown. */
struct entry *resources_find(struct exchange *x, struct slice uri,
                             struct variable variables[URI_VARIABLES_MAX], size_t *count);

/* Runs x->entry's function of the subject's kind inside a call of the reader; NULL when it was answered otherwise. */
const tenon_answer *resources_run(struct exchange *x, const struct subject *subject);

#endif
