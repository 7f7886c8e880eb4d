/* fuzz_plan.c - prints plans. */
#include "cli/contract/fuzz_plan.h"

#include "base/memory.h"
#include "json/write.h"

#define LINE_MAX_ (CASE_LEN_MAX * 8)

static const char *const kinds[CASE_KINDS] = { "valid", "fault", "dirty", "hostile", "pair" };

static void write_line(struct tn_buf *out, struct tn_slice tool, const struct tn_case *one,
                       struct tn_slice good)
{
    static const char *const expected[] = { [EXPECT_TAKEN]   = "valid",
                                            [EXPECT_REFUSED] = "invalid",
                                            [EXPECT_EITHER]  = "invalid",
                                            [EXPECT_ALIVE]   = "hostile" };
    struct tn_buf            text;

    tn_buf_init(&text, out->arena, good.len + 256, CASE_LEN_MAX);
    tn_case_write(&text, good, one);
    tn_buf_lit(out, "{\"tool\":");
    tn_json_string(out, tool.at, tool.len);
    tn_buf_addf(out, ",\"kind\":\"%s\",\"schema\":\"%s\",\"what\":", kinds[one->kind], expected[one->expect]);
    tn_json_string(out, one->what, strlen(one->what));
    tn_buf_lit(out, ",\"place\":");
    tn_json_string(out, one->where.at ? one->where.at : "", one->where.len);
    tn_buf_lit(out, ",\"names\":[");
    for (size_t i = 0; i < one->name_count; i++) {
        tn_buf_text(out, i > 0 ? "," : "");
        tn_json_string(out, one->names[i].at, one->names[i].len);
    }
    tn_buf_lit(out, "]");
    if (!one->bare) {
        tn_buf_lit(out, ",\"arguments\":");
        tn_json_string(out, text.at ? text.at : "", text.len);
    }
    tn_buf_lit(out, "}\n");
    out->failed |= text.failed;
}

static bool print_kind(const struct console *console, const struct tn_fuzz_tool *tool, struct tn_plan *plan,
                       enum tn_case_kind kind)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    bool            fine = tn_plan_make(plan, kind);

    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; fine && i < plan->cases.count; i++) {
        struct tn_buf out;

        tn_arena_reset(&arena);
        tn_buf_init(&out, &arena, 512, LINE_MAX_);
        write_line(&out, tool->name, &plan->cases.at[i], tn_plan_good(plan, i));
        fine = !out.failed && fwrite(out.at, 1, out.len, console->out) == out.len;
    }
    tn_arena_free(&arena);
    return fine;
}

bool fuzz_plan_print(const struct console *console, const struct fuzz_chosen *chosen, uint64_t seed)
{
    tenon_allocator memory = tn_memory_of(NULL);
    bool            fine   = true;

    for (size_t i = 0; fine && i < chosen->count; i++) {
        const struct tn_fuzz_tool *tool = &chosen->tools[i];
        struct tn_plan             plan;

        tn_plan_open(&plan, &memory, tool->input, seed);
        if (plan.state == PLAN_NO_SCHEMA || plan.state == PLAN_NO_CALL)
            console_warn(console, "%.*s: %s", (int)tool->name.len, tool->name.at, plan.why);
        fine = plan.state != PLAN_NO_MEMORY;
        for (int kind = CASE_VALID; fine && plan.state == PLAN_READY && kind < CASE_KINDS; kind++)
            fine = print_kind(console, tool, &plan, (enum tn_case_kind)kind);
        tn_plan_close(&plan);
    }
    if (!fine)
        console_error(console, "out of memory");
    return fine;
}
