/* plan_fuzz.c - calls made of any schema: making them ends, a good call is valid, a fault is not, and the same seed
 * makes the same calls. The input is a byte of the seed, and the schema. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contract/fuzz/plan.h"
#include "judging.h"

#define OUT_MAX ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* What is expected of the case is what the schema says of its text; the hash stands for all of it. */
static uint64_t check_case(const struct tn_plan *plan, tenon_verdict *verdict, size_t index)
{
    const struct tn_case *one    = &plan->cases.at[index];
    tenon_allocator       memory = tn_memory_of(NULL);
    struct tn_arena       arena;
    struct tn_buf         out;
    struct tn_slice       text;

    tn_arena_init(&arena, &memory, 0);
    tn_buf_init(&out, &arena, 0, OUT_MAX);
    tn_case_write(&out, tn_plan_good(plan, index), one);
    text = one->bare ? SLICE_LIT("{}") : tn_buf_slice(&out);
    must(!out.failed && one->what && one->name_count <= CASE_NAMES_MAX);
    if (one->kind != CASE_HOSTILE)
        must(tenon_verdict_flag(verdict, text.at, text.len) == (one->expect == EXPECT_TAKEN));
    if (one->kind == CASE_FAULT || one->kind == CASE_PAIR)
        must(one->expect != EXPECT_TAKEN && one->name_count > 0);
    tn_arena_free(&arena);
    return one->hash * 31 + one->where.len;
}

static uint64_t check_plan(const uint8_t *data, size_t len)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_plan  plan;
    tenon_verdict  *verdict;
    uint64_t        sum = 0;

    tn_plan_open(&plan, &memory, (struct tn_slice){ (const char *)data + 1, len - 1 }, data[0]);
    verdict = plan.state == PLAN_READY ? tenon_verdict_new(plan.schema) : NULL;
    for (int kind = CASE_VALID; verdict && kind < CASE_KINDS; kind++)
        if (tn_plan_make(&plan, (enum tn_case_kind)kind))
            for (size_t i = 0; i < plan.cases.count; i++)
                sum = sum * 17 + check_case(&plan, verdict, i);
    tenon_verdict_free(verdict);
    tn_plan_close(&plan);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len > 1)
        must(check_plan(data, len) == check_plan(data, len));
    return 0;
}
