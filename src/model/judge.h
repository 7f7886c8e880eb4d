/* judge.h - one judgement of a call's arguments: its settings, and all that is found on the way. */
#ifndef MODEL_JUDGE_H
#define MODEL_JUDGE_H

#include "json/read.h"
#include "model/issue.h"
#include "text/pattern.h"

struct place;

/* Presence of one parameter in one struct. */
enum { PRESENT_NOT = 0, PRESENT_NULL, PRESENT_GIVEN, PRESENT_BAD };

/* A struct, or an array of them, that was bound: so that a pointer to a field leads back to its parameter. */
struct region {
    const char          *base;
    size_t               count; /* structs in it */
    const struct object *object;
    uint8_t             *presence; /* object->count for each struct */
    struct slice         path;     /* JSON Pointer of the struct or the array; empty for the arguments */
    const struct place  *at;       /* of the same, kept when it was read out of text; else NULL */
    bool                 is_list;
    struct region       *next;
};

struct judge {
    struct arena          *arena;
    struct matcher       **matcher; /* made when first needed; its owner frees it */
    const tenon_allocator *memory;
    struct json_limits     limits;
    tenon_unknown          unknown; /* resolved: never the default */
    bool                   strict, destructive;
    bool                   exact;    /* nothing is clamped: for what is published as it is */
    bool                   portable; /* the caller was given the portable form */
    bool                   mirrored; /* headers repeat some arguments, and were compared with what was sent */
    const char            *tool;     /* its name, for checks of the program's own; or NULL */

    struct issues   issues;
    struct messages messages;
    size_t reformed, coerced, clamped; /* values taken in another form, of another type, pulled into range */
    struct buf           coercions;    /* the message that all changes of type share */
    size_t               unsaid;       /* changes of type that no longer fit into it */
    struct region       *regions;
    struct region        root;     /* of the arguments themselves */
    size_t               nodes;    /* values read so far, of limits.nodes */
    struct pattern_steps patterns; /* of rows */
    size_t               steps;    /* that a document's verdicts took */
    size_t               compared; /* names with declared ones, of NAMES_COMPARED_MAX */
    bool                 check_utf8;
    struct forms        *forms; /* that were taken (bind_form.h), or NULL */
    yyjson_val          *read;  /* the arguments, when they came inside something else, or NULL */
    struct came         *came;  /* structs that did not come plainly (came.h), or NULL */
};

/* Makes ready for another judgement: the settings stay, what was found is forgotten. Field by field, for the whole
 * struct at once is a string instruction that takes longer to start than all of this. */
static inline void judge_clear(struct judge *judge)
{
    judge->issues   = (struct issues){ 0 };
    judge->messages = (struct messages){ 0 };
    judge->reformed = judge->coerced = judge->clamped = 0;
    judge->coercions                                  = (struct buf){ 0 };
    judge->regions                                    = NULL;
    judge->unsaid = judge->nodes = 0;
    judge->patterns              = (struct pattern_steps){ 0 };
    judge->steps = judge->compared = 0;
    judge->check_utf8              = false;
    judge->forms                   = NULL;
    judge->read                    = NULL;
    judge->came                    = NULL;
}

/* A parameter that was found by its bound field. */
struct found {
    const struct region *region;
    const struct param  *param;
    size_t               index; /* which struct of the region */
};

/* The parameter whose bound field is at `field`, or false. */
bool judge_locate(const struct judge *judge, const void *field, struct found *found);

/* Its name or JSON Pointer. */
struct slice judge_path(struct arena *arena, const struct found *found);

/* Its presence: PRESENT_NOT and so on. */
unsigned judge_presence(const struct found *found);

#endif
