/* tools.h - calling tools: what must hold before one runs, and answers in its place. */
#ifndef MCP_OFFER_TOOLS_H
#define MCP_OFFER_TOOLS_H

#include "answer/envelope.h"
#include "mcp/exchange.h"

/* Finds the tool of a tools/call and checks scopes and headers (`http` may be NULL); false when it answered. */
bool tn_tools_check(struct tn_exchange *x, const struct tn_http_facts *http);

/* Do the headers say what the arguments of a call say that they repeat? False when it answered. */
bool tn_tools_headers_agree(struct tn_exchange *x, const struct tn_http_facts *http,
                            const struct tn_tool_header *rules, size_t count);
bool tn_tools_needs_worker(struct tn_exchange *x);

/* Answers with an error of the tool, in the form of the era, without touching what a running handler uses. `retry_ms` as
 * of tn_envelope_error(). */
bool tn_tools_answer_instead(struct tn_exchange *x, const char *code, const char *message, int64_t retry_ms);

#endif
