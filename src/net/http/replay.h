/* replay.h - streams of legacy sessions that a client may come back to, with the id of the last event that it got.
 *
 * A stream is written by one side (replay_keep) and read by at most one connection, perhaps on another loop; when the
 * connection is lost the events wait here. Ids are "<boot>-<stream>-<number>"; they lead nowhere but from the session, and
 * the caller, that they were made for. `boot` is random for each store: an id of another process, or of before a restart,
 * leads nowhere either. Everything is bounded: what does not fit any more is forgotten, the oldest first.
 *
 * Everything here may be called by any thread.
 */
#ifndef NET_HTTP_REPLAY_H
#define NET_HTTP_REPLAY_H

#include "base/account.h"
#include "base/buf.h"
#include "base/clock.h"
#include "mcp/boot.h"

#define REPLAY_ID_MAX (BOOT_LEN + 1 + 16 + 1 + 20) /* bytes of an event's id */

struct replays; /* all of a server */
struct replay;  /* one stream */

/* The most of each; zero is its default. */
struct tn_replay_limits {
    size_t  stream_bytes;    /* that wait in a stream: 256 KiB */
    size_t  total_bytes;     /* in all: 64 MiB; each caller's share of HELD_REPLAYS is a bound, too */
    size_t  streams;         /* in all: 4,096 */
    size_t  session_streams; /* of a session: 16 */
    int64_t keep_ms;         /* without a reader: 5 minutes */
};

/* Who reads a stream. `wake` is called when there is more to read, or the stream is not its own any more; by any thread,
 * with the store's lock held: all it may do is post a message. */
struct tn_replay_reader {
    void (*wake)(struct tn_replay_reader *reader);
};

/* `clock` of zeros is the system's. NULL without memory. */
struct replays *tn_replays_new(const tenon_allocator *memory, struct tn_clock clock,
                               const struct tn_replay_limits *limits);
void            tn_replays_free(struct replays *replays); /* after the last tn_replay_release() */
struct tn_slice tn_replays_boot(
    const struct replays *replays); /* what every id begins with, before its first '-' */

/* A new stream, with its reader; NULL without memory or when everything is taken by streams that are being read. Held. */
struct replay *tn_replay_open(struct replays *replays, struct tn_slice session, struct tn_slice caller,
                              struct tn_account *account, struct tn_replay_reader *reader);

/* The stream of an event, to be read from behind that event on. The one that read it before finds that it is taken. NULL when
 * there is nothing to go on with: an id that is not one, of a foreign session or process, or no longer kept. Held. */
struct replay *tn_replay_resume(struct replays *replays, struct tn_slice session, struct tn_slice caller,
                                struct tn_slice event, struct tn_replay_reader *reader);
void           tn_replay_hold(struct replay *replay);
void           tn_replay_release(struct replay *replay);

/* One more event. One that may be lost is, when its reader is far behind. */
void tn_replay_keep(struct replay *replay, struct tn_slice json, bool may_be_lost);
void tn_replay_end(struct replay *replay); /* nothing follows */

enum tn_replay_next {
    REPLAY_WAIT, /* for more */
    REPLAY_OVER, /* the stream has ended, and everything was read */
    REPLAY_TAKEN /* by another reader, or forgotten */
};

/* Writes the events that were not read yet, framed. They count as read unless `out` failed. */
enum tn_replay_next tn_replay_read(struct replay *replay, const struct tn_replay_reader *reader,
                                   struct tn_buf *out);

/* The id to come back with for everything: of the priming event. `room` is for REPLAY_ID_MAX bytes and a NUL. */
struct tn_slice tn_replay_first_id(const struct replay *replay, char *room);

/* The reader does not read any more. After it, `wake` is not called. Does nothing for one that is not the reader. */
void tn_replay_leave(struct replay *replay, const struct tn_replay_reader *reader);

/* Is it forgotten, or without a reader for too long? It is then forgotten in any case. */
bool tn_replay_is_lost(struct replay *replay);

/* Everything of a session that has ended. */
void tn_replays_forget(struct replays *replays, struct tn_slice session);

/* Forgets what is too old. Now and then. */
void tn_replays_tick(struct replays *replays);

#endif
