/* probe.h - what the parts of a probe share. */
#ifndef NET_PROBE_PROBE_H
#define NET_PROBE_PROBE_H

#include <tenon/client.h>
#include <tenon/testing.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"

#define PROBE_ERROR_MAX   500
#define PROBE_LEN_MAX     ((size_t)64 << 20)

/* A message that came. */
struct tn_probe_message {
    struct tn_probe_message *next;
    yyjson_val              *message;
};

struct tn_probe_messages {
    struct tn_probe_message *first, **end;
};

struct tenon_probe {
    tenon_allocator memory;
    tenon_server   *server;
    tenon_client   *client; /* NULL when there can be none */
    struct tn_arena arena;  /* of what it gives, and of differences */
    char            error[PROBE_ERROR_MAX];

    tenon_probe_answer_fn answer;
    void                 *user;

    struct tn_arena          inbox; /* of what came */
    struct tn_probe_messages notes;
    yyjson_val              *last;
};

/* Keeps it, and returns NULL. */
const tenon_json *tn_probe_fail(tenon_probe *probe, const char *format, ...) TENON_PRINTF(2, 3);

/* A value that is read from text, in the probe's arena; NULL, and reported, when it is invalid. */
yyjson_val *tn_probe_read(tenon_probe *probe, const char *what, const char *json);

#endif
