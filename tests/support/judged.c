/* judged.c - judging for tests. */
#include "support/judged.h"

#include <string.h>

#include "model/words/words.h"
#include "rows/bind.h"
#include "rows/unbind.h"

#define LINE_MAX_LEN ((size_t)1 << 20)

static void swap_quotes(char *text, char from, char to)
{
    for (; *text; text++)
        if (*text == from)
            *text = to;
}

void judged_open(struct judged *judged, const tenon_rows *rows, const char *args, const struct tn_judge *how)
{
    char  *json;
    size_t len = strlen(args);

    *judged       = (struct judged){ .shape = tenon_shape_new(rows, NULL) };
    judged->judge = how ? *how : (struct tn_judge){ 0 };
    assert_non_null(judged->shape);
    if (tenon_shape_error(judged->shape))
        fail_msg("%s", tenon_shape_error(judged->shape));
    tn_arena_init(&judged->arena, NULL, 0);
    judged->judge.arena   = &judged->arena;
    judged->judge.matcher = &judged->matcher;
    judged->judge.memory  = &judged->shape->memory;
    if (judged->judge.limits.bytes == 0)
        judged->judge.limits = (struct tn_json_limits){ 1 << 20, 64, 10000 };
    if (judged->judge.unknown == TENON_UNKNOWN_DEFAULT)
        judged->judge.unknown = TENON_UNKNOWN_REJECT;

    json = tn_arena_copy(&judged->arena, args, len);
    assert_non_null(json);
    swap_quotes(json, '\'', '"');
    judged->bound = tn_bind_text(&judged->judge, judged->shape->object, json, len);
    assert_false(judged->arena.failed);
    assert_true((judged->bound != NULL) == (judged->judge.issues.total == 0));
}

void judged_close(struct judged *judged)
{
    tn_matcher_free(judged->matcher);
    tn_arena_free(&judged->arena);
    tenon_shape_free(judged->shape);
}

static void add_bound(struct tn_buf *out, struct judged *judged)
{
    struct tn_unbind unbind = { .out = out, .matcher = &judged->matcher, .memory = &judged->shape->memory };

    if (!tn_unbind_object(&unbind, judged->shape->object, judged->bound))
        tn_buf_addf(out, "(%s %s)", unbind.fault.param, unbind.fault.why);
}

const char *judged_line(struct judged *judged)
{
    const struct tn_issues   *issues   = &judged->judge.issues;
    const struct tn_messages *messages = &judged->judge.messages;
    struct tn_buf             out;

    tn_buf_init(&out, &judged->arena, 256, LINE_MAX_LEN);
    if (judged->bound)
        add_bound(&out, judged);
    for (size_t i = 0; i < issues->count; i++) {
        if (i > 0)
            tn_buf_lit(&out, " | ");
        tn_words_issue(&out, &issues->at[i]);
    }
    for (size_t i = 0; i < messages->count; i++) {
        tn_buf_lit(&out, " + ");
        tn_buf_add(&out, messages->at[i].at, messages->at[i].len);
    }
    assert_non_null(tn_buf_end(&out));
    swap_quotes(out.at, '"', '\'');
    return out.at;
}

const char *judged_codes(struct judged *judged)
{
    struct tn_buf out;

    tn_buf_init(&out, &judged->arena, 256, LINE_MAX_LEN);
    for (size_t i = 0; i < judged->judge.issues.count; i++) {
        const struct tn_issue *issue = &judged->judge.issues.at[i];

        if (i > 0)
            tn_buf_char(&out, ' ');
        tn_buf_add(&out, issue->parameter.at, issue->parameter.len);
        tn_buf_char(&out, ':');
        tn_buf_text(&out, tn_words_code(issue));
        if (issue->suggestion.len > 0) {
            tn_buf_char(&out, '~');
            tn_buf_add(&out, issue->suggestion.at, issue->suggestion.len);
        }
    }
    assert_non_null(tn_buf_end(&out));
    swap_quotes(out.at, '"', '\'');
    return out.at;
}

static void compare(const char *args, const char *got, const char *want)
{
    if (strcmp(got, want) != 0)
        fail_msg("%.500s\n  wanted: %s\n     got: %s", args, want, got);
}

void judged_is_how(const tenon_rows *rows, const char *args, const struct tn_judge *how, const char *want)
{
    struct judged judged;

    judged_open(&judged, rows, args, how);
    compare(args, judged_line(&judged), want);
    judged_close(&judged);
}

void judged_is(const tenon_rows *rows, const char *args, const char *want)
{
    judged_is_how(rows, args, NULL, want);
}

void judged_codes_are(const tenon_rows *rows, const char *args, const char *want)
{
    struct judged judged;

    judged_open(&judged, rows, args, NULL);
    compare(args, judged_codes(&judged), want);
    judged_close(&judged);
}

void judged_mistake_is(const tenon_rows *rows, const char *want)
{
    tenon_shape *shape = tenon_shape_new(rows, NULL);
    const char  *got;

    assert_non_null(shape);
    got = tenon_shape_error(shape);
    if (want ? !got || strcmp(got, want) != 0 : got != NULL)
        fail_msg("%s\n  wanted: %s\n     got: %s", rows->name, want ? want : "(no mistake)",
                 got ? got : "(no mistake)");
    assert_true((tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL) == NULL) == (got != NULL));
    tenon_shape_free(shape);
}
