/* resources.h - resources and templates of them: finding the one that a URI means. */
#ifndef MCP_OFFER_RESOURCES_H
#define MCP_OFFER_RESOURCES_H

#include "mcp/exchange.h"
#include "text/uri_template.h"

/* The resource with that URI, or the first template that matches it, with its variables decoded in the exchange's arena;
 * NULL when there is none that is shown. */
struct tn_entry *tn_resources_find(struct tn_exchange *x, struct tn_slice uri,
                                   struct tn_variable variables[URI_VARIABLES_MAX], size_t *count);

/* Runs x->entry's function of the subject's kind inside a call of the reader; NULL when it was answered otherwise. */
const tenon_answer *tn_resources_run(struct tn_exchange *x, const struct tn_subject *subject);

#endif
