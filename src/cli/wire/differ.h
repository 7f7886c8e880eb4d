/* differ.h - where two JSON values differ first. */
#ifndef CLI_WIRE_DIFFER_H
#define CLI_WIRE_DIFFER_H

#include <yyjson.h>

#include "base/arena.h"

#define DIFFER_IGNORED_MAX 64

struct differ {
    struct tn_arena *arena;
    const char      *ignored[DIFFER_IGNORED_MAX]; /* names of members that may differ */
    size_t           ignored_count;
};

/* "result.content[0].text was "a", is "b"", in the arena; NULL when they are the same. The order of members means nothing. */
const char *differ_find(const struct differ *differ, yyjson_val *was, yyjson_val *is);

#endif
