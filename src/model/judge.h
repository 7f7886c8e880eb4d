/* judge.h - one validation of a call's arguments: its settings, and everything found. */
#ifndef MODEL_JUDGE_H
#define MODEL_JUDGE_H

#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "json/read.h"
#include "model/issue.h"
#include "text/pattern.h"

struct tn_location;

/* Presence of one parameter in one struct. */
enum { PRESENT_NOT = 0, PRESENT_NULL, PRESENT_GIVEN, PRESENT_BAD };

/* A struct, or an array of them, that was bound: so that a pointer to a field leads back to its parameter. */
struct tn_region {
    const char               *base;
    size_t                    count; /* structs in it */
    const struct tn_object   *object;
    uint8_t                  *presence; /* object->count for each struct */
    struct tn_slice           path;     /* JSON Pointer of the struct or the array; empty for the arguments */
    const struct tn_location *at;       /* of the same, kept when it was read out of text; else NULL */
    bool                      is_list;
    struct tn_region         *next;
};

struct tn_judge {
    struct tn_arena       *arena;
    struct matcher       **matcher; /* made when first needed; its owner frees it */
    const tenon_allocator *memory;
    struct tn_json_limits  limits;
    tenon_unknown          unknown; /* resolved: never the default */
    bool                   strict, destructive;
    bool            guarded;  /* some parameter is secret: no container is repeated, which may hold it */
    bool            exact;    /* nothing is clamped: for what is published as it is */
    bool            portable; /* the caller was given the portable form */
    bool            mirrored; /* headers repeat some arguments, and were compared with what was sent */
    const char     *tool;     /* its name, for checks of the program's own; or NULL */
    struct tn_slice whole;    /* what the whole value is called; empty is "arguments" */

    struct tn_issues   issues;
    struct tn_messages messages;
    size_t reformed, coerced, clamped; /* values taken in another form, of another type, pulled into range */
    struct tn_buf           coercions; /* the message that all changes of type share */
    size_t                  unsaid;    /* changes of type that no longer fit into it */
    struct tn_region       *regions;
    struct tn_region        root;     /* of the arguments themselves */
    size_t                  nodes;    /* values read so far, of limits.nodes */
    struct tn_pattern_steps patterns; /* of rows */
    size_t                  steps;    /* that a document's verdicts took */
    size_t                  compared; /* names with declared ones, of NAMES_COMPARED_MAX */
    bool                    check_utf8;
    struct tn_taken        *taken;  /* forms (taken.h), or NULL */
    yyjson_val             *read;   /* the arguments, when they came inside something else, or NULL */
    struct tn_came         *came;   /* structs that did not come plainly (came.h), or NULL */
    const char             *broken; /* what failed inside a check of the program's own, or NULL */
};

/* Makes ready for another judgement: the settings stay; from `issues` on, what was found is forgotten. */
static inline void tn_judge_clear(struct tn_judge *judge)
{
    size_t settings = offsetof(struct tn_judge, issues);

    tn_memory_zero((char *)judge + settings, sizeof *judge - settings);
}

/* The matcher of the judge's owner, made when it is first needed; NULL when memory is refused, which the arena remembers. */
struct matcher *tn_judge_matcher(struct tn_judge *judge);

/* What is wrong with the length of a text: ISSUE_SHORT, ISSUE_LONG, or 0. Bytes bound code points from both sides, so that
 * only texts near a limit are counted. */
static inline unsigned tn_judge_length(const struct tn_text_rules *rules, const char *at, size_t len)
{
    size_t count;

    if (len <= rules->max && (len + 3) / 4 >= rules->min)
        return 0;
    count = tn_utf8_count(at, len);
    return count < rules->min ? ISSUE_SHORT : count > rules->max ? ISSUE_LONG : 0;
}

/* What issues call the whole value. */
static inline struct tn_slice tn_judge_whole(const struct tn_judge *judge)
{
    return judge->whole.len > 0 ? judge->whole : SLICE_LIT("arguments");
}

/* A parameter that was found by its bound field. */
struct tn_found {
    const struct tn_region *region;
    const struct tn_param  *param;
    size_t                  index; /* which struct of the region */
};

/* The parameter whose bound field is at `field`, or false. */
bool tn_judge_locate(const struct tn_judge *judge, const void *field, struct tn_found *found);

/* Its name or JSON Pointer. */
struct tn_slice tn_judge_path(struct tn_arena *arena, const struct tn_found *found);

/* Its presence: PRESENT_NOT and so on. */
unsigned tn_judge_presence(const struct tn_found *found);

#endif
