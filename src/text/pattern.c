/* pattern.c - patterns: simple ones matched at once, the others on PCRE2, with its compiler to machine code where
 * that is allowed. */
#include "text/pattern.h"

#include <stdio.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/arena.h"
#include "base/memory.h"
#include "text/regex_ecma.h"
#include "text/simple_pattern.h"

#define OPTIONS                                                                                              \
    (PCRE2_UTF | PCRE2_NEVER_UCP | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |                        \
     PCRE2_ALLOW_EMPTY_CLASS | PCRE2_NEVER_BACKSLASH_C)

struct pattern {
    tenon_allocator           memory; /* PCRE2 keeps a pointer to it */
    struct tn_simple_pattern *simple; /* or `code` */
    pcre2_code               *code;
    bool                      anchored;   /* a match starts at the beginning or not at all */
    bool                      references; /* to what a group matched */
    size_t                    run;        /* characters between two callouts */
};

struct matcher {
    tenon_allocator      memory;
    pcre2_match_data    *data;
    pcre2_match_context *context;
    size_t               left; /* steps of this match */
    size_t               each; /* that a callout takes */
    size_t               last; /* where the last one was, and */
    size_t               rest; /* bytes that were passed and are no step yet */
};

/* PCRE2 frees without saying how much: the length stands in front of each block. */
union block_head {
    size_t      len;
    max_align_t align;
};

static void *take_block(size_t len, void *user)
{
    union block_head *head;

    if (len > SIZE_MAX - sizeof *head)
        return NULL;
    head = tn_memory_new(user, sizeof *head + len);
    if (!head)
        return NULL;
    head->len = sizeof *head + len;
    return head + 1;
}

static void free_block(void *block, void *user)
{
    union block_head *head = block;

    if (head)
        tn_memory_free(user, head - 1, head[-1].len);
}

static void pattern_explain(char *why, size_t why_size, const char *text)
{
    if (why_size > 0)
        snprintf(why, why_size, "%s", text);
}

/* `error` is PCRE2's, 0 when memory was refused before it. */
static pcre2_code *pattern_compile(pcre2_general_context *general, struct tn_slice text, int *error)
{
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    pcre2_code            *code;
    PCRE2_SIZE             at;

    if (!context)
        return NULL;
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    code = pcre2_compile((PCRE2_SPTR)text.at, text.len, OPTIONS, error, &at, context);
    pcre2_compile_context_free(context);
    return code;
}

/* What came of a pattern's text. */
struct pattern_outcome {
    pcre2_code                 *code;
    struct tn_regex_ecma_result ecma;
    int                         error; /* PCRE2's */
};

/* In PCRE2's words, and those compiled. */
static struct pattern_outcome translate(const tenon_allocator *memory, pcre2_general_context *general,
                                        struct tn_slice text)
{
    struct pattern_outcome outcome = { 0 };
    struct tn_arena        arena;
    struct tn_buf          buf;

    tn_arena_init(&arena, memory, 0);
    tn_buf_init(&buf, &arena, text.len * 2, (text.len + 1) * ECMA_GROWTH_MAX);
    outcome.ecma = tn_regex_ecma_write(&buf, text);
    if (!outcome.ecma.why && tn_buf_end(&buf))
        outcome.code = pattern_compile(general, (struct tn_slice){ buf.at, buf.len }, &outcome.error);
    tn_arena_free(&arena);
    return outcome;
}

static bool pattern_prepare(struct pattern *pattern, struct tn_slice text, char *why, size_t why_size)
{
    pcre2_general_context *general = pcre2_general_context_create(take_block, free_block, &pattern->memory);
    struct pattern_outcome outcome;
    uint32_t               options;
    PCRE2_UCHAR            message[256];

    if (!general)
        return false;
    outcome       = translate(&pattern->memory, general, text);
    pattern->code = outcome.code;
    pcre2_general_context_free(general);
    if (outcome.ecma.why)
        pattern_explain(why, why_size, outcome.ecma.why);
    else if (!outcome.code && outcome.error != 0 && outcome.error != PCRE2_ERROR_HEAP_FAILED &&
             pcre2_get_error_message(outcome.error, message, sizeof message) > 0)
        pattern_explain(why, why_size, (const char *)message);
    if (!pattern->code)
        return false;

    pcre2_pattern_info(pattern->code, PCRE2_INFO_ALLOPTIONS, &options);
    pattern->anchored   = (options & PCRE2_ANCHORED) != 0;
    pattern->references = outcome.ecma.references;
    pattern->run        = outcome.ecma.run;
    return true;
}

/* False when it is not simple, or memory is refused, which the engine then meets too. */
static bool prepare_simple(struct pattern *pattern, struct tn_slice text)
{
    struct tn_simple_pattern simple;

    if (!tn_simple_pattern_read(&simple, text))
        return false;
    pattern->simple = tn_memory_new(&pattern->memory, sizeof simple);
    if (pattern->simple)
        *pattern->simple = simple;
    return pattern->simple != NULL;
}

struct pattern *tn_pattern_try(const tenon_allocator *memory, struct tn_slice text, char *why,
                               size_t why_size)
{
    tenon_allocator from = tn_memory_of(memory);
    struct pattern *pattern;

    pattern_explain(why, why_size, "");
    if (text.len > PATTERN_LEN_MAX) {
        pattern_explain(why, why_size, "the pattern is too long");
        return NULL;
    }
    pattern = tn_memory_new(&from, sizeof *pattern);
    if (!pattern)
        return NULL;
    *pattern = (struct pattern){ .memory = from };
    if (prepare_simple(pattern, text) || pattern_prepare(pattern, text, why, why_size))
        return pattern;
    tn_pattern_free(pattern);
    return NULL;
}

/* A refusal to make machine code (by the system, or for want of memory) leaves the interpreter. */
struct pattern *tn_pattern_new(const tenon_allocator *memory, struct tn_slice text, char *why,
                               size_t why_size)
{
    struct pattern *pattern = tn_pattern_try(memory, text, why, why_size);

#ifndef TENON_NO_JIT /* valgrind cannot see what code that is made while it runs reads */
    if (pattern && pattern->code)
        pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
#endif
    return pattern;
}

void tn_pattern_free(struct pattern *pattern)
{
    tenon_allocator memory;

    if (!pattern)
        return;
    memory = pattern->memory;
    pcre2_code_free(pattern->code);
    tn_memory_free(&memory, pattern->simple, sizeof *pattern->simple);
    tn_memory_free(&memory, pattern, sizeof *pattern);
}

bool tn_pattern_well_formed(struct tn_slice text)
{
    tenon_allocator        memory = tn_memory_of(NULL);
    pcre2_general_context *general;
    struct pattern_outcome outcome;
    bool                   well;

    if (text.len > PATTERN_LEN_MAX)
        return false;
    general = pcre2_general_context_create(take_block, free_block, &memory);
    if (!general)
        return false;
    outcome = translate(&memory, general, text);
    well    = outcome.code || outcome.error == PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH ||
           outcome.error == PCRE2_ERROR_PATTERN_TOO_LARGE; /* in the words of this engine */
    pcre2_code_free(outcome.code);
    pcre2_general_context_free(general);
    return well;
}

/* Called wherever a match may go on in another way. */
static int count_step(pcre2_callout_block *block, void *user)
{
    struct matcher *matcher = user;
    size_t          steps   = matcher->each;

    if (block->current_position > matcher->last) {
        matcher->rest += block->current_position - matcher->last;
        steps += matcher->rest / PATTERN_BYTES_OF_STEP;
        matcher->rest %= PATTERN_BYTES_OF_STEP;
    }
    matcher->last = block->current_position;
    if (steps > matcher->left) {
        matcher->left = 0;
        return PCRE2_ERROR_CALLOUT;
    }
    matcher->left -= steps;
    return 0;
}

struct matcher *tn_matcher_new(const tenon_allocator *memory)
{
    tenon_allocator        from    = tn_memory_of(memory);
    struct matcher        *matcher = tn_memory_new(&from, sizeof *matcher);
    pcre2_general_context *general;

    if (!matcher)
        return NULL;
    *matcher = (struct matcher){ .memory = from };
    general  = pcre2_general_context_create(take_block, free_block, &matcher->memory);
    if (general) {
        matcher->data    = pcre2_match_data_create(1, general);
        matcher->context = pcre2_match_context_create(general);
        pcre2_general_context_free(general);
    }
    if (!matcher->data || !matcher->context) {
        tn_matcher_free(matcher);
        return NULL;
    }
    pcre2_set_callout(matcher->context, count_step, matcher);
    pcre2_set_match_limit(matcher->context, PATTERN_MATCH_LIMIT);
    pcre2_set_depth_limit(matcher->context, PATTERN_MATCH_LIMIT);
    pcre2_set_heap_limit(matcher->context, PATTERN_HEAP_KIB);
    return matcher;
}

void tn_matcher_free(struct matcher *matcher)
{
    tenon_allocator memory;

    if (!matcher)
        return;
    memory = matcher->memory;
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    tn_memory_free(&memory, matcher, sizeof *matcher);
}

static bool take_steps(size_t *steps, size_t count)
{
    bool enough = count <= *steps;

    *steps -= enough ? count : *steps;
    return enough;
}

/* What is not counted while it is done: the run of characters at each place where a match may start. */
static size_t steps_to_start(const struct pattern *pattern, size_t len)
{
    size_t places = pattern->anchored ? 1 : len + 1;

    return PATTERN_STEPS_BEGIN + places / PATTERN_BYTES_OF_STEP +
           places * (pattern->run < len ? pattern->run : len) / PATTERN_RUN_OF_STEP;
}

/* Machine code has only the thread's own 32 KiB of stack here; the interpreter, slower, has PATTERN_HEAP_KIB. */
static int match_with(const struct pattern *pattern, struct matcher *matcher, struct tn_slice text)
{
    PCRE2_SPTR at  = (PCRE2_SPTR)(text.len ? text.at : "");
    size_t     run = pattern->run + (pattern->references ? text.len : 0);
    int        found;

    matcher->each = 1 + run / PATTERN_RUN_OF_STEP;
    matcher->last = matcher->rest = 0;
    found = pcre2_match(pattern->code, at, text.len, 0, PCRE2_NO_UTF_CHECK, matcher->data, matcher->context);
    if (found != PCRE2_ERROR_JIT_STACKLIMIT)
        return found;
    matcher->last = matcher->rest = 0;
    return pcre2_match(pattern->code, at, text.len, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, matcher->data,
                       matcher->context);
}

enum tn_pattern_result tn_pattern_match(const struct pattern *pattern, struct matcher *matcher,
                                        struct tn_slice text, size_t *steps)
{
    int found;

    if (pattern->simple) {
        if (!take_steps(steps, 1 + text.len / PATTERN_SIMPLE_BYTES))
            return PATTERN_GAVE_UP;
        return tn_simple_pattern_match(pattern->simple, text) ? PATTERN_YES : PATTERN_NO;
    }
    if (!take_steps(steps, steps_to_start(pattern, text.len)))
        return PATTERN_GAVE_UP;
    matcher->left = *steps;
    found         = match_with(pattern, matcher, text);
    *steps        = matcher->left;
    if (found >= 0)
        return PATTERN_YES;
    if (found == PCRE2_ERROR_NOMATCH)
        return PATTERN_NO;
    return found == PCRE2_ERROR_NOMEMORY ? PATTERN_NO_MEMORY : PATTERN_GAVE_UP;
}

bool tn_pattern_is_simple(const struct pattern *pattern)
{
    return pattern->simple != NULL;
}

bool tn_pattern_is_text(const struct pattern *pattern, struct tn_pattern_text *out)
{
    *out = (struct tn_pattern_text){ 0 };
    if (!pattern->simple || !tn_simple_pattern_is_text(pattern->simple, &out->text))
        return false;
    out->from_start = pattern->simple->from_start;
    out->to_end     = pattern->simple->to_end;
    return true;
}

enum tn_pattern_result tn_pattern_match_within(const struct pattern *pattern, struct matcher *matcher,
                                               struct tn_slice text, struct tn_pattern_steps *within)
{
    size_t                 given, left;
    enum tn_pattern_result result;

    within->bytes += text.len;
    given = left = (PATTERN_STEPS_MIN + within->bytes * PATTERN_STEPS_PER_BYTE - within->spent) / 2;
    result       = tn_pattern_match(pattern, matcher, text, &left);
    within->spent += given - left;
    return result;
}
