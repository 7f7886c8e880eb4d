/* assertions.h - the parts of a schema: what it asks of a value, and what it only says about it. */
#ifndef CONTRACT_ASSERTIONS_H
#define CONTRACT_ASSERTIONS_H

#include "contract/canonical.h"

/* What stands under a keyword of a schema. */
enum tn_part {
    PART_VALUE,   /* something that is asked for */
    PART_NOTE,    /* something that is said: a description, a default, a format */
    PART_SCHEMA,  /* a schema */
    PART_SCHEMAS, /* a list of them */
    PART_NAMED,   /* schemas by name */
    PART_UNKNOWN /* anything: it asks for nothing, but a reference may lead into it, and a model may read it */
};

enum tn_part tn_assertions_part(struct tn_slice keyword);

/* The schema in canonical form without its notes, at any depth. */
void tn_assertions_write(struct tn_buf *out, struct tn_arena *arena, yyjson_val *schema);

#endif
