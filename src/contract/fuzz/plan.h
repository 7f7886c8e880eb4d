/* plan.h - all calls that are made of one tool: by its schema, the same for the same seed.
 *
 *     tn_plan_open(&plan, &memory, tn_json_slice(...), seed);
 *     for (kind = CASE_VALID; kind < CASE_KINDS; kind++)
 *         if (tn_plan_make(&plan, kind))
 *             for (i = 0; i < plan.cases.count; i++)
 *                 tn_case_write(&out, tn_plan_good(&plan, i), &plan.cases.at[i]);
 */
#ifndef CONTRACT_FUZZ_PLAN_H
#define CONTRACT_FUZZ_PLAN_H

#include "contract/fuzz/cases.h"
#include "contract/fuzz/good.h"

enum tn_plan_state {
    PLAN_READY,
    PLAN_NO_SCHEMA, /* it does not compile: `why` */
    PLAN_NO_CALL,   /* no call was found that it accepts */
    PLAN_NO_MEMORY
};

struct tn_plan {
    enum tn_plan_state state;
    char               why[300];
    tenon_schema *
        schema; /* "format" is a note in it, as JSON Schema has it: nothing that breaks only a format is a fault */
    struct tn_arena  arena;
    struct tn_good   good;
    struct tn_places places; /* of the full call */
    uint64_t         seed;
    struct tn_arena  memory; /* of the cases */
    struct tn_cases  cases;  /* of the kind that was made last */
};

/* `schema` is the text of an inputSchema. Always needs tn_plan_close(). */
void tn_plan_open(struct tn_plan *plan, const tenon_allocator *memory, struct tn_slice schema, uint64_t seed);
void tn_plan_close(struct tn_plan *plan);

/* Makes the cases of one kind, in place of those before. False without memory. */
bool tn_plan_make(struct tn_plan *plan, enum tn_case_kind kind);

/* The arguments that the edits of a case are made in. */
struct tn_slice tn_plan_good(const struct tn_plan *plan, size_t index);

#endif
