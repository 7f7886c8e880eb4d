/* stdio.h - MCP over standard input and output: one message a line.
 *
 * The protocol's output is a private copy of descriptor 1, which itself leads to standard error from then on: what a
 * handler prints by mistake cannot break the protocol.
 */
#ifndef NET_STDIO_H
#define NET_STDIO_H

#include "net/endpoint.h"

/* Serves until the input ends, then waits for running calls and returns; or until stdio_stop(). */
tenon_status stdio_serve(struct serving *serving, struct loop *loop);
void         stdio_stop(struct loop *loop);

#endif
