/* run.c - tools by kinds of calls. */
#include "contract/fuzz/run.h"

#include <stdio.h>

#include "base/memory.h"
#include "contract/fuzz/report.h"
#include "contract/phrases.h"
#include "json/read.h"

#define CRASHES_MAX ((size_t)8) /* of one tool; then the rest of it is left out */
#define HANGS_MAX   ((size_t)3)
#define ARENA_MAX   ((size_t)256 << 20)
#define WITNESS_MAX ((size_t)8 << 10)

bool tn_fuzz_goes_on(struct tn_fuzz *fuzz, int64_t until_ms)
{
    int64_t now = tn_client_now_ms();

    return !fuzz->stopped && !fuzz->failed && now < until_ms && now < fuzz->end_ms &&
           fuzz->calls < FUZZ_CALLS_MAX;
}

/* ---- Repeating ------------------------------------------------------------------------------------------------------- */

/* May `tenon call --json` send it? */
static bool is_object(struct tn_arena *arena, struct tn_slice text)
{
    static const struct tn_json_limits limits = { CASE_LEN_MAX, 64, 100000 };
    struct tn_json_text                read   = tn_json_read(arena, text.at, text.len, &limits);

    return read.fault == JSON_FINE && yyjson_is_obj(read.root) && !read.bad_utf8;
}

struct tn_slice tn_fuzz_repeat(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                               struct tn_slice arguments, size_t times)
{
    struct tn_repeat       how    = fuzz->repeat;
    const struct tn_called called = { fuzz->tools[tool].name,
                                      (const tenon_json *)fuzz->tools[tool].definition,
                                      one->bare ? (struct tn_slice){ NULL, 0 } : arguments };
    struct tn_arena        arena;
    struct tn_buf          out, message;

    how.times = times;
    tn_buf_init(&out, &fuzz->arena, 256, FINDINGS_TEXT_MAX);
    tn_arena_init(&arena, &fuzz->arena.memory, 0);
    if (!one->bare && called.name.len > 0 && called.name.at[0] != '-' && is_object(&arena, arguments))
        tn_repeat_call(&out, &how, called.name, arguments);
    else if (fuzz->session.client) {
        tn_buf_init(&message, &arena, 256, CASE_LEN_MAX * 4);
        tn_session_message(&fuzz->session, &called, "\"fuzz\"", &message);
        tn_repeat_send(&out, &how, tn_buf_slice(&message));
    }
    tn_arena_free(&arena);
    return out.failed ? (struct tn_slice){ "", 0 } : tn_buf_slice(&out); /* longer than anyone would type */
}

/* ---- One call -------------------------------------------------------------------------------------------------------- */

/* The server is there and has time for the call. */
static bool is_ready(struct tn_fuzz *fuzz)
{
    if (tn_session_ready(&fuzz->session))
        return true;
    fuzz->stopped = true;
    snprintf(fuzz->why, sizeof fuzz->why, "%s", fuzz->session.why);
    return false;
}

enum tn_fuzz_verdict tn_fuzz_try(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                                 struct tn_slice arguments, struct tn_buf *why)
{
    struct tn_fuzz_tool   *of     = &fuzz->tools[tool];
    const struct tn_called called = { of->name, (const tenon_json *)of->definition,
                                      one->bare ? (struct tn_slice){ NULL, 0 } : arguments };
    struct tn_answer       answer;
    enum tn_fuzz_verdict   verdict;

    if (!is_ready(fuzz))
        return FUZZ_FINE;
    fuzz->calls++;
    tn_session_call(&fuzz->session, &called, &answer);
    verdict = tn_fuzz_judge(one, &answer, &of->judge, why);
    of->slow |= answer.state == ANSWER_PENDING;
    if (one->kind == CASE_VALID && answer.state != ANSWER_GONE)
        of->judge.fails |= answer.state != ANSWER_RESULT ||
                           yyjson_is_true(yyjson_obj_get(answer.result, "isError"));
    if (verdict == FUZZ_HANG && !tn_session_answers(&fuzz->session))
        tn_session_stop(&fuzz->session); /* it answers nothing at all */
    return verdict;
}

static bool is_json(struct tn_arena *arena, struct tn_slice text)
{
    static const struct tn_json_limits limits = { CASE_LEN_MAX, 100000, 1000000 };
    struct tn_json_text                read   = tn_json_read(arena, text.at, text.len, &limits);

    return read.fault == JSON_FINE && !read.bad_utf8;
}

/* What is no JSON has no id, and need not be answered; the server has to go on. */
static enum tn_fuzz_verdict try_garbage(struct tn_fuzz *fuzz, size_t tool, struct tn_slice arguments,
                                        struct tn_buf *why)
{
    const struct tn_called called = { fuzz->tools[tool].name,
                                      (const tenon_json *)fuzz->tools[tool].definition, arguments };
    enum tn_wire_end       end;
    struct tn_buf          message;

    if (!is_ready(fuzz))
        return FUZZ_FINE;
    tn_buf_init(&message, why->arena, arguments.len + 512, CASE_LEN_MAX * 2);
    tn_session_message(&fuzz->session, &called, "\"fuzz\"", &message);
    if (message.failed)
        return FUZZ_FINE;
    end = tn_fuzz_send(fuzz, tn_buf_slice(&message), NULL, why->arena);
    tn_buf_text(why, end == WIRE_LOST ? fuzz->session.why : end == WIRE_STUCK ? SAY_FUZZ_STUCK : "");
    return end == WIRE_LOST ? FUZZ_CRASH : end == WIRE_STUCK ? FUZZ_HANG : FUZZ_FINE;
}

static void found_add(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one, struct tn_slice arguments,
                      struct tn_found found)
{
    found.tool  = tool;
    found.what  = one->what;
    found.where = one->where;
    if (!tn_fuzz_known(fuzz, tool, found.verdict, found.where)) {
        struct tn_arena arena;

        fuzz->repeat.raw = found.verdict == FUZZ_WRONG_RESULT;

        tn_arena_init(&arena, &fuzz->arena.memory, 0);
        found.repeat = tn_fuzz_repeat(fuzz, tool, one, arguments, 0);
        if (!one->bare && arguments.len <= WITNESS_MAX && is_object(&arena, arguments))
            found.witness = arguments;
        tn_arena_free(&arena);
    }
    tn_fuzz_found(fuzz, &found);
}

/* ---- What happened once ---------------------------------------------------------------------------------------------- */

/* Does the call end the server when it is made alone? */
static bool ends_alone(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                       struct tn_slice arguments)
{
    struct tn_buf why;

    tn_buf_init(&why, &fuzz->arena, 0, VERDICT_WHY_MAX);
    tn_session_stop(&fuzz->session);
    if (tn_fuzz_try(fuzz, tool, one, arguments, &why) == FUZZ_CRASH)
        return true;
    return !fuzz->stopped && !tn_session_answers(&fuzz->session) && tn_session_is_over(&fuzz->session);
}

/* A server may end a moment after it answered: then the call before was the one. */
static void crashed(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one, struct tn_slice arguments,
                    struct tn_slice why)
{
    const struct tn_case earlier = { .kind = CASE_FAULT, .expect = EXPECT_ALIVE, .what = "the call before" };
    struct tn_slice      last    = tn_buf_slice(&fuzz->last);
    struct tn_found      found   = { .verdict = FUZZ_CRASH, .why = why };

    if (tn_fuzz_known(fuzz, tool, FUZZ_CRASH, one->where)) {
        found_add(fuzz, tool, one, arguments, found);
        return;
    }
    found.again = ends_alone(fuzz, tool, one, arguments);
    if (!found.again && fuzz->last_tool != FUZZ_SERVER && last.len > 0 &&
        ends_alone(fuzz, fuzz->last_tool, &earlier, last)) {
        found.again = true;
        found_add(fuzz, fuzz->last_tool, &earlier, last, found);
        return;
    }
    found_add(fuzz, tool, one, arguments, found);
}

/* Is nothing answered after this call, made alone? */
static bool sticks_alone(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                         struct tn_slice arguments)
{
    struct tn_buf why;

    tn_buf_init(&why, &fuzz->arena, 0, VERDICT_WHY_MAX);
    tn_session_stop(&fuzz->session);
    tn_fuzz_try(fuzz, tool, one, arguments, &why);
    if (fuzz->stopped || !fuzz->session.client || tn_session_answers(&fuzz->session))
        return false;
    tn_session_stop(&fuzz->session);
    return true;
}

/* One late answer may be a busy machine; two are not, nor is a server that answers nothing any more. */
static enum tn_fuzz_verdict hung(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                                 struct tn_slice arguments)
{
    const struct tn_case earlier = { .kind = CASE_FAULT, .expect = EXPECT_ALIVE, .what = "the call before" };
    struct tn_slice      last    = tn_buf_slice(&fuzz->last);
    struct tn_found      found   = { .verdict = FUZZ_HANG, .again = true };
    bool                 stuck   = !fuzz->session.client;
    struct tn_buf        why;

    tn_buf_init(&why, &fuzz->arena, 0, VERDICT_WHY_MAX);
    if (tn_fuzz_known(fuzz, tool, FUZZ_HANG, one->where) ||
        tn_fuzz_try(fuzz, tool, one, arguments, &why) == FUZZ_HANG) {
        found_add(fuzz, tool, one, arguments, found);
        return FUZZ_HANG;
    }
    if (!stuck)
        return FUZZ_FINE;
    if (fuzz->last_tool != FUZZ_SERVER && last.len > 0 &&
        sticks_alone(fuzz, fuzz->last_tool, &earlier, last)) {
        found.why = tn_slice_of(SAY_FUZZ_STUCK);
        found_add(fuzz, fuzz->last_tool, &earlier, last, found);
        return FUZZ_HANG;
    }
    found.again = false;
    found_add(fuzz, tool, one, arguments, found);
    return FUZZ_HANG;
}

static void remember(struct tn_fuzz *fuzz, size_t tool, struct tn_slice arguments)
{
    tn_arena_reset(&fuzz->last_arena);
    tn_buf_init(&fuzz->last, &fuzz->last_arena, 0, CASE_LEN_MAX);
    tn_buf_add(&fuzz->last, arguments.at, arguments.len);
    fuzz->last_tool = tool;
}

static void give_up(struct tn_fuzz_tool *tool, const char *why)
{
    if (!tool->left)
        tool->left = why;
}

/* A form that was converted may meet an error that a valid call meets as well: by now, for calls change things. */
static bool fails_anyway(struct tn_fuzz *fuzz, size_t tool, struct tn_slice good, struct tn_arena *scratch)
{
    static const struct tn_case valid = { .kind   = CASE_VALID,
                                          .expect = EXPECT_TAKEN,
                                          .what   = "a valid call" };
    struct tn_buf               why;

    tn_buf_init(&why, scratch, 0, VERDICT_WHY_MAX);
    tn_fuzz_try(fuzz, tool, &valid, good, &why);
    return fuzz->tools[tool].judge.fails;
}

static void run_case(struct tn_fuzz *fuzz, size_t at, const struct tn_case *one, struct tn_slice arguments,
                     struct tn_slice good, struct tn_arena *scratch)
{
    struct tn_fuzz_tool *tool = &fuzz->tools[at];
    struct tn_buf        why;
    enum tn_fuzz_verdict verdict;

    tn_buf_init(&why, scratch, 0, VERDICT_WHY_MAX);
    verdict = one->kind == CASE_HOSTILE && !is_json(scratch, arguments)
                  ? try_garbage(fuzz, at, arguments, &why)
                  : tn_fuzz_try(fuzz, at, one, arguments, &why);
    if (fuzz->stopped)
        return;
    if (verdict == FUZZ_VAGUE && one->expect == EXPECT_EITHER && fails_anyway(fuzz, at, good, scratch))
        verdict = FUZZ_FINE;
    if (verdict == FUZZ_HANG)
        verdict = hung(fuzz, at, one, arguments);
    tn_score_add(&tool->score, verdict);
    if (verdict == FUZZ_CRASH) {
        crashed(fuzz, at, one, arguments, tn_buf_slice(&why));
        if (++tool->crashes == CRASHES_MAX)
            give_up(tool, SAY_FUZZ_CRASHES);
    } else if (!tn_fuzz_verdict_is_good(verdict) && verdict != FUZZ_HANG)
        found_add(fuzz, at, one, arguments,
                  (struct tn_found){ .verdict = verdict, .why = tn_buf_slice(&why) });
    if (verdict == FUZZ_HANG && ++tool->hangs == HANGS_MAX)
        give_up(tool, SAY_FUZZ_HANGS);
    remember(fuzz, at, one->bare ? (struct tn_slice){ NULL, 0 } : arguments);
}

/* A hostile value that hung or ended the server does it wherever it stands: each such call takes long. */
static bool did_harm(const struct tn_fuzz *fuzz, const struct tn_case *one)
{
    for (size_t i = 0; one->kind == CASE_HOSTILE && i < fuzz->found_count; i++)
        if ((fuzz->found[i].verdict == FUZZ_HANG || fuzz->found[i].verdict == FUZZ_CRASH) &&
            strcmp(fuzz->found[i].what, one->what) == 0)
            return true;
    return false;
}

/* ---- One tool -------------------------------------------------------------------------------------------------------- */

static void run_kind(struct tn_fuzz *fuzz, size_t at, struct tn_plan *plan, enum tn_case_kind kind,
                     int64_t until_ms)
{
    struct tn_arena scratch;
    size_t          i;

    if (!tn_plan_make(plan, kind)) {
        fuzz->failed = true;
        return;
    }
    tn_arena_init(&scratch, &fuzz->arena.memory, ARENA_MAX);
    for (i = 0; i < plan->cases.count && !fuzz->tools[at].left && tn_fuzz_goes_on(fuzz, until_ms); i++) {
        struct tn_buf arguments;

        if (did_harm(fuzz, &plan->cases.at[i]) ||
            (fuzz->tools[at].slow && plan->cases.at[i].expect != EXPECT_REFUSED)) {
            fuzz->spared++;
            continue;
        }
        tn_arena_reset(&scratch);
        tn_buf_init(&arguments, &scratch, 256, CASE_LEN_MAX);
        tn_case_write(&arguments, tn_plan_good(plan, i), &plan->cases.at[i]);
        if (!arguments.failed)
            run_case(fuzz, at, &plan->cases.at[i], tn_buf_slice(&arguments), plan->good.full, &scratch);
    }
    fuzz->left += fuzz->tools[at].left ? 0 : plan->cases.count - i;
    tn_arena_free(&scratch);
}

/* Its plan is made anew for each kind: all plans at once would be too much memory. */
static void run_tool(struct tn_fuzz *fuzz, size_t at, int kind, int64_t until_ms)
{
    struct tn_fuzz_tool *tool = &fuzz->tools[at];
    struct tn_plan       plan;

    if (tool->left)
        return;
    if (!tn_fuzz_goes_on(fuzz, until_ms)) {
        fuzz->left += kind < CASE_KINDS; /* at least one */
        return;
    }
    tn_plan_open(&plan, &fuzz->arena.memory, tool->input, fuzz->options.seed);
    if (plan.state == PLAN_NO_MEMORY)
        fuzz->failed = true;
    else if (plan.state != PLAN_READY) {
        snprintf(tool->why, sizeof tool->why, "%s", plan.why);
        give_up(tool, tool->why);
    } else if (kind < CASE_KINDS)
        run_kind(fuzz, at, &plan, (enum tn_case_kind)kind, until_ms);
    else
        tn_fuzz_leak(fuzz, at, &plan, until_ms);
    tn_plan_close(&plan);
}

/* ---- The run --------------------------------------------------------------------------------------------------------- */

enum { PART_PROTOCOL = CASE_KINDS + 1, PART_LEAK = CASE_KINDS };

/* Weights: a part has its share of the time that is left, and what it does not use is for the next ones. */
static const struct {
    int kind, weight;
} parts[] = { { CASE_VALID, 10 },   { CASE_FAULT, 40 }, { CASE_DIRTY, 12 }, { CASE_HOSTILE, 15 },
              { PART_PROTOCOL, 8 }, { PART_LEAK, 7 },   { CASE_PAIR, 8 } };

#define PARTS (sizeof parts / sizeof *parts)

static int64_t part_end(const struct tn_fuzz *fuzz, size_t part)
{
    int64_t now = tn_client_now_ms();
    int     sum = 0;

    for (size_t i = part; i < PARTS; i++)
        sum += parts[i].weight;
    return now >= fuzz->end_ms ? now : now + (fuzz->end_ms - now) * parts[part].weight / sum;
}

static void run_part(struct tn_fuzz *fuzz, int kind, int64_t until_ms)
{
    for (size_t i = 0; i < fuzz->tool_count && !fuzz->stopped && !fuzz->failed; i++) {
        int64_t now  = tn_client_now_ms();
        int64_t left = until_ms > now ? until_ms - now : 0;

        run_tool(fuzz, i, kind, now + left / (int64_t)(fuzz->tool_count - i));
    }
}

/* What a tool promises of its results. One that does not compile promises nothing that could be held against it. */
static void read_promises(struct tn_fuzz *fuzz, const tenon_allocator *memory)
{
    for (size_t i = 0; i < fuzz->tool_count; i++) {
        struct tn_fuzz_tool *tool = &fuzz->tools[i];

        if (tool->output.len == 0)
            continue;
        tool->promise = tenon_schema_new(tool->output.at, tool->output.len, .memory = memory);
        if (tool->promise && !tenon_schema_error(tool->promise))
            tool->judge.output = tenon_verdict_new(tool->promise);
        fuzz->failed |= !tool->promise;
    }
}

bool tn_fuzz_run(struct tn_fuzz *fuzz, const tenon_allocator *memory)
{
    tn_arena_init(&fuzz->arena, memory, ARENA_MAX);
    tn_arena_init(&fuzz->last_arena, memory, ARENA_MAX);
    tn_session_init(&fuzz->session, fuzz->server, fuzz->options.timeout_ms, memory);
    fuzz->last_tool = FUZZ_SERVER;
    read_promises(fuzz, memory);
    if (!fuzz->failed && !is_ready(fuzz))
        return false;
    fuzz->end_ms = tn_client_now_ms() + fuzz->options.time_ms;
    for (size_t i = 0; i < PARTS && !fuzz->stopped && !fuzz->failed; i++) {
        if (parts[i].kind == PART_PROTOCOL)
            tn_fuzz_protocol(fuzz, part_end(fuzz, i));
        else
            run_part(fuzz, parts[i].kind, part_end(fuzz, i));
    }
    tn_session_stop(&fuzz->session);
    return true;
}

void tn_fuzz_free(struct tn_fuzz *fuzz)
{
    for (size_t i = 0; i < fuzz->tool_count; i++) {
        tenon_verdict_free(fuzz->tools[i].judge.output);
        tenon_schema_free(fuzz->tools[i].promise);
    }
    tn_session_free(&fuzz->session);
    tn_arena_free(&fuzz->last_arena);
    tn_arena_free(&fuzz->arena);
}
