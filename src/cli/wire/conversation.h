/* conversation.h - a server that is asked by hand: messages out, answers and questions kept until they are asked for. */
#ifndef CLI_WIRE_CONVERSATION_H
#define CLI_WIRE_CONVERSATION_H

#include <yyjson.h>

#include "base/arena.h"
#include "cli/wire/program.h"
#include "net/stdio/lines.h"

struct matched {
    yyjson_val     *then, *now; /* ids of a question of the server */
    struct matched *next;
};

struct came {
    yyjson_val  *message;
    struct came *next;
};

struct conversation {
    struct tn_arena *arena;
    struct program   program;
    struct tn_lines  lines;
    struct came     *first, *last; /* everything with an id, in its order */
    struct matched  *matched;
    int              timeout_ms;
    char             why[200];
};

/* `timeout_ms` is set. False, and why, when it cannot be run. */
bool conversation_open(struct conversation *talk, struct tn_arena *arena, char *const *words);
void conversation_close(struct conversation *talk);

/* Sends a message; an answer to a question goes to the question that was matched. */
bool conversation_send(struct conversation *talk, yyjson_val *message);

/* Waits for the answer to that id, or with NULL for the next question; NULL, and why, when it does not come. */
yyjson_val *conversation_wait(struct conversation *talk, yyjson_val *id);

/* The question that had the id `then` has the id `now`. */
void conversation_match(struct conversation *talk, yyjson_val *then, yyjson_val *now);

#endif
