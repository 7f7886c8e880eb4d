/* prompts.h - prompts: what must hold before one runs. */
#ifndef MCP_PROMPTS_H
#define MCP_PROMPTS_H

#include "mcp/exchange.h"

/* Finds the prompt of a prompts/get; false when it answered. */
bool prompts_check(struct exchange *x);

#endif
