/* plan.c - compiles the schema, finds good calls, and makes the cases of each kind. */
#include "contract/fuzz/plan.h"

#include <stdio.h>

#include "base/memory.h"

#define ARENA_MAX ((size_t)64 << 20)

static void plan_fail(struct tn_plan *plan, enum tn_plan_state state, const char *why)
{
    plan->state = state;
    snprintf(plan->why, sizeof plan->why, "%.290s", why);
}

/* Good calls keep formats where that is possible: what a server makes of an impossible date is its own affair. */
static bool find_good(struct tn_plan *plan, const tenon_allocator *memory, struct tn_slice text)
{
    tenon_schema *strict = tenon_schema_new(text.at, text.len, .format_assertion = true, .memory = memory);
    uint64_t      seed   = plan->seed;
    bool          found  = strict && !tenon_schema_error(strict) &&
                 tn_good_find(&plan->good, &plan->arena, strict, &seed);

    tenon_schema_free(strict);
    return found || tn_good_find(&plan->good, &plan->arena, plan->schema, &seed);
}

void tn_plan_open(struct tn_plan *plan, const tenon_allocator *memory, struct tn_slice schema, uint64_t seed)
{
    *plan = (struct tn_plan){ .seed = seed };
    tn_arena_init(&plan->arena, memory, ARENA_MAX);
    tn_arena_init(&plan->memory, memory, ARENA_MAX);
    plan->schema = tenon_schema_new(schema.at, schema.len, .memory = memory);
    if (!plan->schema)
        plan_fail(plan, PLAN_NO_MEMORY, "out of memory");
    else if (tenon_schema_error(plan->schema))
        plan_fail(plan, PLAN_NO_SCHEMA, tenon_schema_error(plan->schema));
    else if (!find_good(plan, memory, schema))
        plan_fail(plan, plan->arena.failed ? PLAN_NO_MEMORY : PLAN_NO_CALL,
                  "no call was found that it accepts");
    else if (!tn_places_find(&plan->places, &plan->arena, plan->schema, plan->good.full, plan->good.way))
        plan_fail(plan, PLAN_NO_MEMORY, "out of memory");
}

void tn_plan_close(struct tn_plan *plan)
{
    tenon_schema_free(plan->schema);
    tn_arena_free(&plan->memory);
    tn_arena_free(&plan->arena);
}

struct tn_slice tn_plan_good(const struct tn_plan *plan, size_t index)
{
    if (plan->cases.count == 0 || plan->cases.at[0].kind != CASE_VALID)
        return plan->good.full;
    return index == 0 ? plan->good.full : index == 1 ? plan->good.plain : plan->good.mixed[index - 2];
}

static void add_valid(struct tn_plan *plan)
{
    static const char *const whats[] = { "a call with all members", "the plainest call", "a call by chance" };

    plan->cases.at = tn_arena_array(&plan->memory, plan->good.mixed_count + 2, struct tn_case);
    if (!plan->cases.at) {
        plan->cases.failed = true;
        return;
    }
    for (size_t i = 0; i < plan->good.mixed_count + 2; i++)
        plan->cases.at[plan->cases.count++] = (struct tn_case){ .kind   = CASE_VALID,
                                                                .expect = EXPECT_TAKEN,
                                                                .what   = whats[i < 2 ? i : 2] };
}

static void add_pairs(struct tn_plan *plan, struct tn_case_maker *maker)
{
    struct tn_cases      faults = { .arena = &plan->memory };
    struct tn_case_maker first;
    uint64_t             seed = plan->seed;

    if (tn_case_maker_init(&first, plan->schema, &plan->places, &faults))
        tn_faults_add(&first);
    else
        faults.failed = true;
    tn_case_maker_free(&first);
    if (!faults.failed)
        tn_pairs_add(maker, &faults, &seed);
    plan->cases.failed |= faults.failed;
}

bool tn_plan_make(struct tn_plan *plan, enum tn_case_kind kind)
{
    struct tn_case_maker maker;

    tn_arena_reset(&plan->memory);
    plan->cases = (struct tn_cases){ .arena = &plan->memory };
    if (kind == CASE_VALID) {
        add_valid(plan);
        return !plan->cases.failed;
    }
    if (tn_case_maker_init(&maker, plan->schema, &plan->places, &plan->cases))
        switch (kind) {
        case CASE_FAULT: tn_faults_add(&maker); break;
        case CASE_DIRTY: tn_dirty_add(&maker); break;
        case CASE_HOSTILE: tn_hostile_add(&maker); break;
        default: add_pairs(plan, &maker); break;
        }
    else
        plan->cases.failed = true;
    tn_case_maker_free(&maker);
    return !plan->cases.failed;
}
