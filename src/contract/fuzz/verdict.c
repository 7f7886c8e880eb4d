/* verdict.c - an answer beside what was expected of it. */
#include "contract/fuzz/verdict.h"

#include "contract/phrases.h"
#include "json/echo.h"
#include "json/read.h"
#include "json/write.h"

#define SAID_MAX  ((size_t)64 << 10) /* of an answer that is read */
#define SHOWN_MAX ((size_t)300)      /* of it that is shown */

const char *tn_fuzz_verdict_word(enum tn_fuzz_verdict verdict)
{
    static const char *const words[FUZZ_VERDICTS] = { "fine",           "named",    "vague",
                                                      "protocol error", "accepted", "wrong result",
                                                      "hang",           "crash",    "leak" };

    return words[verdict];
}

/* ---- What it says -------------------------------------------------------------------------------------------------- */

/* All that a model may read of a result: its texts, then its structured content. */
static void collect(struct tn_buf *out, yyjson_val *result)
{
    yyjson_val *block;
    size_t      i, count;

    yyjson_arr_foreach(yyjson_obj_get(result, "content"), i, count, block)
    {
        struct tn_slice text = tn_json_slice(yyjson_obj_get(block, "text"));

        if (out->len > 0)
            tn_buf_char(out, '\n');
        tn_buf_add(out, text.at, text.len < SAID_MAX / 2 ? text.len : SAID_MAX / 2);
        if (out->len >= SAID_MAX / 2)
            return;
    }
    if (yyjson_obj_get(result, "structuredContent")) {
        tn_buf_char(out, '\n');
        tn_json_value(out, yyjson_obj_get(result, "structuredContent"));
    }
}

static void show(struct tn_buf *why, const char *label, struct tn_slice text)
{
    tn_buf_text(why, label);
    if (text.len > SHOWN_MAX) {
        size_t len = SHOWN_MAX;

        while (len > 0 && ((unsigned char)text.at[len] & 0xC0) == 0x80)
            len--;
        tn_buf_add(why, text.at, len);
        tn_buf_lit(why, "...");
        return;
    }
    tn_buf_add(why, text.at, text.len);
}

/* ---- Refusals ------------------------------------------------------------------------------------------------------ */

/* The first name that is missing from the text, and has to be there: one fault may have two names, of which either will do; two
 * faults need both. NULL when there is none. */
static const struct tn_slice *unnamed(const struct tn_case *one, struct tn_slice text)
{
    const struct tn_slice *missing = NULL;
    size_t                 named   = 0;

    for (size_t i = 0; i < one->name_count; i++) {
        if (tn_mention_name(text, one->names[i]))
            named++;
        else if (!missing)
            missing = &one->names[i];
    }
    return named > 0 && one->kind != CASE_PAIR ? NULL : missing;
}

static enum tn_fuzz_verdict judge_refusal(const struct tn_case *one, yyjson_val *result, struct tn_buf *why)
{
    struct tn_buf          came;
    struct tn_slice        text;
    const struct tn_slice *missing;

    tn_buf_init(&came, why->arena, 256, SAID_MAX * 2);
    collect(&came, result);
    text = (struct tn_slice){ came.at ? came.at : "",
                              came.len }; /* what is too long, as far as it was read */
    missing = unnamed(one, text);
    if (missing) {
        tn_buf_addf(why, SAY_FUZZ_UNNAMED, (int)(missing->len < 100 ? missing->len : 100), missing->at);
        show(why, "", text);
        return FUZZ_VAGUE;
    }
    if (!tn_mention_reason(text)) {
        show(why, SAY_FUZZ_NO_REASON, text);
        return FUZZ_VAGUE;
    }
    return FUZZ_NAMED;
}

/* HTTP may refuse without a message of the protocol. */
static void show_error(struct tn_buf *why, const struct tn_answer *answer)
{
    if (!answer->error) {
        show(why, "", tn_slice_of(answer->why));
        return;
    }
    tn_buf_addf(why, SAY_FUZZ_CAME_ERROR, (long long)yyjson_get_sint(yyjson_obj_get(answer->error, "code")));
    show(why, "", tn_json_slice(yyjson_obj_get(answer->error, "message")));
}

/* ---- Results ------------------------------------------------------------------------------------------------------- */

/* Is it what every tool promises, and this one? */
static bool is_result_right(yyjson_val *result, tenon_verdict *output, struct tn_buf *why)
{
    yyjson_val        *structured = yyjson_obj_get(result, "structuredContent");
    struct tn_buf      text;
    const tenon_issue *issue;

    if (!yyjson_is_arr(yyjson_obj_get(result, "content")) && !structured) {
        tn_buf_lit(why, SAY_FUZZ_NO_CONTENT);
        return false;
    }
    if (!output)
        return true;
    if (!structured) {
        tn_buf_lit(why, SAY_FUZZ_NO_STRUCTURE);
        return false;
    }
    tn_buf_init(&text, why->arena, 256, CASE_LEN_MAX * 16);
    tn_json_value(&text, structured);
    if (text.failed || tenon_verdict_judge(output, text.at, text.len) || tenon_verdict_failed(output))
        return true; /* what is too large is not looked at */
    issue = tenon_verdict_issue(output, 0);
    show(why, SAY_FUZZ_CAME_WRONG, tn_slice_of(issue && issue->text ? issue->text : ""));
    return false;
}

static bool is_complete(yyjson_val *result)
{
    struct tn_slice type = tn_json_slice(yyjson_obj_get(result, "resultType"));

    return type.len == 0 || tn_slice_is(type, "complete");
}

static enum tn_fuzz_verdict judge_error(const struct tn_case *one, yyjson_val *result,
                                        const struct tn_judge *judge, struct tn_buf *why)
{
    enum tn_fuzz_verdict verdict;

    if (one->expect != EXPECT_REFUSED && one->expect != EXPECT_EITHER)
        return FUZZ_FINE;
    verdict = judge_refusal(one, result, why);
    return verdict == FUZZ_VAGUE && one->expect == EXPECT_EITHER && judge->fails ? FUZZ_FINE : verdict;
}

/* An invalid call succeeded. One that is corrected is fine when the answer reports each correction. */
static enum tn_fuzz_verdict judge_success(const struct tn_case *one, yyjson_val *result, struct tn_buf *why)
{
    struct tn_buf   came;
    struct tn_slice text;
    size_t          corrected = 0;

    tn_buf_init(&came, why->arena, 256, SAID_MAX * 2);
    collect(&came, result);
    text = (struct tn_slice){ came.at ? came.at : "", came.len };
    while (corrected < one->name_count && tn_mention_correction(text, one->names[corrected]))
        corrected++;
    if (one->name_count > 0 && corrected == one->name_count)
        return FUZZ_NAMED;
    show(why, SAY_FUZZ_CAME, text);
    return FUZZ_ACCEPTED;
}

static enum tn_fuzz_verdict judge_result(const struct tn_case *one, yyjson_val *result,
                                         const struct tn_judge *judge, struct tn_buf *why)
{
    if (yyjson_is_true(yyjson_obj_get(result, "isError")))
        return judge_error(one, result, judge, why);
    if (!is_complete(result))
        return FUZZ_FINE; /* it asks for input first */
    if (one->expect == EXPECT_REFUSED)
        return judge_success(one, result, why);
    return is_result_right(result, judge->output, why) ? FUZZ_FINE : FUZZ_WRONG_RESULT;
}

enum tn_fuzz_verdict tn_fuzz_judge(const struct tn_case *one, const struct tn_answer *answer,
                                   const struct tn_judge *judge, struct tn_buf *why)
{
    switch (answer->state) {
    case ANSWER_RESULT: return judge_result(one, answer->result, judge, why);
    case ANSWER_ERROR:
        if (one->expect == EXPECT_ALIVE)
            return FUZZ_FINE;
        show_error(why, answer);
        return FUZZ_PROTOCOL_ERROR;
    case ANSWER_PENDING: return FUZZ_FINE;
    default: show(why, "", tn_slice_of(answer->why)); break;
    }
    return answer->state == ANSWER_LATE     ? FUZZ_HANG
           : answer->state == ANSWER_BROKEN ? FUZZ_WRONG_RESULT
                                            : FUZZ_CRASH;
}
