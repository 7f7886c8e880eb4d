/* backtrack.c - tries texts against a pattern. */
#include "contract/lint/backtrack.h"

#include "contract/sample.h"

#define PUMPS_MAX  16  /* things that are repeated, of one pattern */
#define TIMES_FEW  26  /* repetitions that show growth without bound in a short text, */
#define TIMES_MANY 400 /* and growth by a power */
#define TEXT_MAX   ((size_t)8 << 10)
#define STEPS_TRY  ((size_t)200000)
#define STEPS_BYTE ((size_t)100) /* of a byte: what more than this takes is reported */

struct search {
    const struct pattern *pattern;
    struct tn_slice       source;
    struct matcher       *matcher;
    struct tn_arena      *arena;
    size_t               *steps;
    struct tn_backtrack  *found;
    struct tn_slice       whole; /* a text that it matches, or empty */
};

/* A part of a pattern as a text that it probably matches. */
static struct tn_slice sample(struct search *search, size_t from, size_t to, size_t nth)
{
    char         *part = tn_arena_copy(search->arena, search->source.at + from, to - from);
    struct tn_buf out;

    tn_buf_init(&out, search->arena, 0, TEXT_MAX);
    if (part)
        tn_sample_write(&out, part, nth);
    return tn_buf_slice(&out);
}

/* Before, many times the pump, an end that fits nothing, and what the pattern must have: without it an engine need not look. */
static bool try(struct search *search, struct tn_slice before, struct tn_slice pump, size_t times)
{
    size_t        given = *search->steps < STEPS_TRY ? *search->steps : STEPS_TRY, left = given, took;
    struct tn_buf out;

    if (pump.len == 0 || given == 0)
        return false;
    tn_buf_init(&out, search->arena, 256, TEXT_MAX);
    tn_buf_add(&out, before.at, before.len);
    for (size_t i = 0; i < times && out.len + pump.len < TEXT_MAX / 2; i++)
        tn_buf_add(&out, pump.at, pump.len);
    tn_buf_lit(&out, "\x01!\x01");
    tn_buf_add(&out, search->whole.at, search->whole.len);
    tn_buf_char(&out, '\x01');
    if (out.failed)
        return false;
    tn_pattern_match(search->pattern, search->matcher, tn_buf_slice(&out), &left);
    took = given - left;
    *search->steps -= took;
    if (took < out.len * STEPS_BYTE || took < 10000)
        return false;
    *search->found = (struct tn_backtrack){ tn_buf_slice(&out), took };
    return true;
}

static bool try_both(struct search *search, struct tn_slice before, struct tn_slice pump)
{
    return try(search, before, pump, TIMES_FEW) || try(search, before, pump, TIMES_MANY);
}

/* Where the group that ends at `end` begins. */
static size_t group_begin(struct tn_slice source, size_t end)
{
    size_t open = 1, at = end;

    while (at > 0 && open > 0) {
        at--;
        if (at > 0 && source.at[at - 1] == '\\')
            continue;
        open += source.at[at] == ')';
        open -= source.at[at] == '(';
    }
    return at;
}

static bool repeats(char c)
{
    return c == '+' || c == '*' || c == '{';
}

/* Every group that is repeated. */
static bool try_groups(struct search *search)
{
    struct tn_slice source = search->source;
    size_t          tried  = 0;

    for (size_t i = 1; i + 1 < source.len && tried < PUMPS_MAX; i++) {
        size_t from;

        if (source.at[i] != ')' || source.at[i - 1] == '\\' || !repeats(source.at[i + 1]))
            continue;
        from = group_begin(source, i);
        for (size_t nth = 0; nth < 3; nth++, tried++)
            if (try_both(search, sample(search, 0, from, 0), sample(search, from, i + 1, nth)))
                return true;
    }
    return false;
}

bool tn_backtrack_find(struct tn_backtrack *found, const struct pattern *pattern, struct tn_slice source,
                       struct matcher *matcher, struct tn_arena *arena, size_t *steps)
{
    static const char *const pumps[] = { "a", "0", " ", "a0", "aa ", "a.", "a-", "/a" };
    struct search            search  = { pattern, source, matcher, arena, steps, found, { "", 0 } };

    search.whole = sample(&search, 0, source.len, 0);
    for (size_t i = 0; i < sizeof pumps / sizeof *pumps; i++)
        if (try_both(&search, (struct tn_slice){ "", 0 }, tn_slice_of(pumps[i])))
            return true;
    return try_groups(&search);
}
