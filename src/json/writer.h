/* writer.h - the inside of a tenon_writer: where it stands in the value that it writes. */
#ifndef JSON_WRITER_H
#define JSON_WRITER_H

#include <tenon/json.h>

#include "base/buf.h"

struct tenon_writer {
    struct tn_arena own; /* of a writer that stands alone */
    struct tn_buf   out;
    const char     *mistake; /* the first one: static */
    unsigned        depth;   /* objects and arrays that are open */
    bool            keyed;   /* a key was written, and its value was not */
    bool            filled;  /* the innermost one, or the whole, has a value already */
    uint64_t        objects[TENON_WRITER_DEPTH / 64]; /* a bit for each open one: is it an object? */
};

#define WRITER_NO_MEMORY "out of memory"
#define WRITER_TOO_LONG  "the text is longer than its maximum"

/* A writer in `arena`, which outlives it; NULL when refused. */
tenon_writer *tn_writer_in(struct tn_arena *arena, size_t max);

#endif
