/* leak.c - does the server's memory grow with each call?
 *
 * Runtimes with a collector grow too, until it runs: rounds of calls are compared, and only what grows by about the same in
 * each, in more and more rounds, is a leak. Calls that are refused must leave nothing behind; those that succeed, only where
 * the tool changes nothing.
 */
#include "contract/fuzz/report.h"
#include "contract/fuzz/run.h"
#include "contract/phrases.h"
#include "json/write.h"

#define ROUNDS      6
#define ROUND_CALLS ((size_t)100)
#define PASSES      3                    /* that must agree */
#define STEADY      2                    /* rounds that are for warming up */
#define GROWTH_MIN  ((int64_t)4 << 20)   /* bytes in all steady rounds of a pass */
#define PAD_LEN     ((size_t)8000)

struct series {
    struct tn_fuzz       *fuzz;
    size_t                tool;
    const struct tn_case *one;
    struct tn_slice       arguments;
    int64_t               until_ms;
    size_t                calls;
    int64_t               grown[PASSES + 1]; /* bytes, before all passes and after each */
};

/* False when it cannot go on: there is no time, or the server does something else by now. */
static bool round_run(struct series *series, enum tn_fuzz_verdict wanted, int64_t *memory)
{
    struct tn_fuzz *fuzz = series->fuzz;
    struct tn_arena arena;
    bool            same = true;

    tn_arena_init(&arena, &fuzz->arena.memory, 0);
    for (size_t i = 0; i < ROUND_CALLS && same && tn_fuzz_goes_on(fuzz, series->until_ms); i++) {
        struct tn_buf why;

        tn_arena_reset(&arena);
        tn_buf_init(&why, &arena, 0, VERDICT_WHY_MAX);
        same = tn_fuzz_try(fuzz, series->tool, series->one, series->arguments, &why) == wanted;
        series->calls++;
    }
    tn_arena_free(&arena);
    *memory = fuzz->server->memory(fuzz->server->user);
    return same && *memory > 0 && tn_fuzz_goes_on(fuzz, series->until_ms);
}

/* Does each steady round grow by about as much as the others? */
static bool pass_grows(struct series *series, enum tn_fuzz_verdict wanted, int64_t *after)
{
    int64_t before, now, least = INT64_MAX, most = 0, sum = 0;

    if (!round_run(series, wanted, &before))
        return false;
    for (int i = 1; i < ROUNDS; i++) {
        if (!round_run(series, wanted, &now))
            return false;
        if (i >= STEADY) {
            least = now - before < least ? now - before : least;
            most  = now - before > most ? now - before : most;
            sum += now - before;
        }
        before = now;
    }
    *after = now;
    return sum >= GROWTH_MIN && least > 0 && least * 3 >= most;
}

static bool series_leaks(struct series *series, enum tn_fuzz_verdict wanted)
{
    series->grown[0] = series->fuzz->server->memory(series->fuzz->server->user);
    for (int i = 0; i < PASSES; i++)
        if (!pass_grows(series, wanted, &series->grown[i + 1]))
            return false;
    return true;
}

static void report(struct series *series)
{
    struct tn_fuzz *fuzz   = series->fuzz;
    int64_t         growth = (series->grown[PASSES] - series->grown[0]) / (int64_t)series->calls;
    struct tn_buf   why;

    tn_buf_init(&why, &fuzz->arena, 0, VERDICT_WHY_MAX);
    tn_buf_addf(&why, SAY_FUZZ_GREW, (long long)(series->grown[0] >> 20));
    for (size_t i = 1; i <= PASSES; i++)
        tn_buf_addf(&why, SAY_FUZZ_GREW_TO, (long long)(series->grown[i] >> 20), series->calls * i / PASSES);
    tn_buf_addf(&why, SAY_FUZZ_GREW_BY, (long long)growth);
    tn_score_add(&fuzz->tools[series->tool].score, FUZZ_LEAK);
    tn_fuzz_found(fuzz, &(struct tn_found){
                            .tool    = series->tool,
                            .verdict = FUZZ_LEAK,
                            .what    = series->one->what,
                            .where   = series->one->where,
                            .why     = tn_buf_slice(&why),
                            .again   = true,
                            .repeat  = tn_fuzz_repeat(fuzz, series->tool, series->one, series->arguments,
                                                      series->calls),
                        });
}

/* The same call again and again, as long as it gets the same verdict. */
static bool try_series(struct tn_fuzz *fuzz, size_t tool, const struct tn_case *one,
                       struct tn_slice arguments, int64_t until_ms)
{
    struct series        series = { fuzz, tool, one, arguments, until_ms, 0, { 0 } };
    enum tn_fuzz_verdict first;
    struct tn_buf        why;

    tn_buf_init(&why, &fuzz->arena, 0, VERDICT_WHY_MAX);
    first = tn_fuzz_try(fuzz, tool, one, arguments, &why);
    if (first >= FUZZ_WRONG_RESULT || fuzz->server->memory(fuzz->server->user) <= 0)
        return false;
    if (first == FUZZ_ACCEPTED && !fuzz->tools[tool].read_only)
        return false; /* what it changes may need memory */
    if (!series_leaks(&series, first))
        return false;
    report(&series);
    return true;
}

/* A fault behind which something else fits into the object. */
static const struct tn_case *find_refused(const struct tn_plan *plan)
{
    size_t inside = plan->places.at[0].from + 1;

    for (size_t i = 0; i < plan->cases.count; i++) {
        const struct tn_case *one = &plan->cases.at[i];

        if (one->edit_count == 1 && one->expect == EXPECT_REFUSED && one->edits[0].from > inside)
            return one;
    }
    return NULL;
}

/* A call that is refused, with a long text in it: a server that keeps what it was sent keeps that. */
static bool try_refused(struct tn_fuzz *fuzz, size_t tool, struct tn_plan *plan, int64_t until_ms)
{
    size_t                inside  = plan->places.at[0].from + 1;
    const struct tn_case *refused = find_refused(plan);
    struct tn_case        padded;
    struct tn_arena       arena;
    struct tn_buf         text, pad;
    bool                  leaks;

    if (!refused)
        return false;
    tn_arena_init(&arena, &fuzz->arena.memory, 0);
    tn_buf_init(&pad, &arena, PAD_LEN + 32, CASE_LEN_MAX);
    tn_buf_lit(&pad, "\"padding\":\"");
    for (size_t i = 0; i < PAD_LEN; i++)
        tn_buf_char(&pad, 'x');
    tn_buf_lit(&pad, "\",");
    padded            = *refused;
    padded.edits[1]   = refused->edits[0];
    padded.edits[0]   = (struct tn_edit){ inside, inside, tn_buf_slice(&pad) };
    padded.edit_count = 2;
    tn_buf_init(&text, &arena, PAD_LEN * 2, CASE_LEN_MAX);
    tn_case_write(&text, plan->good.full, &padded);
    leaks = !text.failed && !pad.failed && try_series(fuzz, tool, &padded, tn_buf_slice(&text), until_ms);
    tn_arena_free(&arena);
    return leaks;
}

void tn_fuzz_leak(struct tn_fuzz *fuzz, size_t tool, struct tn_plan *plan, int64_t until_ms)
{
    static const struct tn_case good = { .kind = CASE_VALID, .expect = EXPECT_TAKEN, .what = "a valid call" };
    int64_t                     now  = tn_client_now_ms();

    if (fuzz->server->memory(fuzz->server->user) <= 0 || !tn_fuzz_goes_on(fuzz, until_ms))
        return;
    if (!tn_plan_make(plan, CASE_FAULT)) {
        fuzz->failed = true;
        return;
    }
    if (!try_refused(fuzz, tool, plan, now + (until_ms - now) / 2) && fuzz->tools[tool].read_only)
        try_series(fuzz, tool, &good, plan->good.plain, until_ms);
}
