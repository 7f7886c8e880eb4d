/* stdio.h - MCP over standard input and output: one message a line.
 *
 * The protocol has private copies of both; descriptor 1 itself leads to standard error from then on, and descriptor 0 to
 * nothing: what a handler, or a program that it starts, prints or reads by mistake cannot break the protocol.
 *
 * Answers go out as they are ready, those of one turn of the loop with one write. While the client does not read, nothing
 * more is read from it. Nor while it has as many calls with the workers as fit into their queue: a burst of any length is
 * read as fast as it is worked off, and none of it is refused. What is no call, a cancellation for one, is not kept
 * waiting by the pause itself, but by a call that stands before it. When the input ends meanwhile, calls that do not come to
 * their end are waited for as long as at any other end. Calls that have asked the client something do not
 * count, or the answer would never be read.
 *
 * So what is held for a client that does not read is bounded: about a megabyte, the answers of the calls that are with
 * the workers when reading stops, and notifications up to a bound of their own.
 *
 * Everything here happens on the loop's thread.
 */
#ifndef NET_STDIO_STDIO_H
#define NET_STDIO_STDIO_H

#include "net/endpoint/endpoint.h"
#include "net/loop.h"

struct stdio;

/* Descriptors 0 to 2 must lead somewhere, or the next file that is opened becomes one of them: to be called before any
 * is. False when the system refuses. */
bool              tn_stdio_fill_gaps(void);
extern const char tn_stdio_no_gap_filler[]; /* what to say then */

/* Takes over the standard streams: *in and *out are the private descriptors, to be given to tn_stdio_open(). */
tenon_status tn_stdio_claim(int *in, int *out);

/* Serves a pair of descriptors, which belong to it from then on, also when it fails: pipes, sockets, terminals or files.
 * `over` is called once, when the input has ended or tn_stdio_stop() was called, running calls have finished, or had the
 * time of settings->grace_ms to, and all is written; or when the client does not take the answers any more. The thread
 * must block SIGPIPE. */
tenon_status tn_stdio_open(struct stdio **stdio, struct tn_serving *serving, struct tn_loop *loop, int in,
                           int out, void (*over)(void *user), void *user);

/* Bytes that were read so far. */
size_t tn_stdio_bytes(const struct stdio *stdio);

/* Reads no more. With `now`, running calls are cancelled and not waited for. */
void tn_stdio_stop(struct stdio *stdio, bool now);

/* After `over`. NULL is fine. */
void tn_stdio_free(struct stdio *stdio);

#endif
