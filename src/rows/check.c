/* check.c - what a rule of the program's own may ask, and what becomes of its sentence. */
#include "rows/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json/write.h"
#include "model/came.h"
#include "model/words/words.h"
#include "rows/keywords.h"

#define SUGGESTION_LEN_MAX ((size_t)1 << 16)

struct tenon_check {
    struct tn_judge          *judge;
    const struct tn_param    *param; /* NULL: it is over a struct */
    const struct tn_location *place; /* of the value or the struct; NULL: the arguments */
    const void               *argument;
    const void               *field; /* that is wrong, of a struct; or NULL */
    struct tn_slice           suggestion;
};

/* ---- What a check may ask ---------------------------------------------------------------------------------- */

static const char *check_text(tenon_check *check, const char *format, va_list args)
{
    enum { ROOM = ISSUE_TEXT_MAX + 8 }; /* a code point more than is kept */
    char *text = tn_arena_take(check->judge->arena, ROOM, 1);

    if (!text)
        return NULL;
    if (vsnprintf(text, ROOM, format, args) < 0)
        return "a check failed, and its message could not be written";
    text[tn_words_cut(text, strlen(text))] = '\0'; /* cut, for NULL would mean that the rule holds */
    return text;
}

const char *tenon_check_format(tenon_check *check, const char *format, ...)
{
    const char *text;
    va_list     args;

    va_start(args, format);
    text = check_text(check, format, args);
    va_end(args);
    return text;
}

const char *tenon_check_fail(tenon_check *check, const char *format, ...)
{
    const char *text;
    va_list     args;

    va_start(args, format);
    text = check_text(check, format, args);
    va_end(args);
    if (!check->judge->broken)
        check->judge->broken = text; /* the first; without memory the answer says that alone */
    return text;
}

const void *tenon_check_argument(const tenon_check *check)
{
    return check->argument;
}

const char *tenon_check_tool(const tenon_check *check)
{
    return check->judge->tool ? check->judge->tool : "";
}

/* A copy that ends in NUL; "" when memory is refused, which the arena remembers. */
static const char *check_kept(tenon_check *check, struct tn_slice text)
{
    const char *copy = tn_arena_copy(check->judge->arena, text.at, text.len);

    return copy ? copy : "";
}

const char *tenon_check_parameter(tenon_check *check)
{
    return check->place ? check_kept(check, tn_location_path(check->judge->arena, check->place))
                        : WORDS_WHOLE;
}

const char *tenon_check_type(const tenon_check *check)
{
    const char *type = check->param ? tn_keywords_type(check->param->node) : "object";

    return type ? type : "string"; /* any JSON is published as text */
}

bool tenon_check_is_required(const tenon_check *check)
{
    return check->param ? check->param->required : !check->place || check->place->required;
}

const char *tenon_check_default(tenon_check *check)
{
    return check->param && check->param->has_default ? check_kept(check, check->param->def) : NULL;
}

/* ---- What a check may say ---------------------------------------------------------------------------------- */

void tenon_check_at(tenon_check *check, const void *field)
{
    check->field = field;
}

void tenon_check_suggest(tenon_check *check, const char *json)
{
    struct tn_arena    *arena = check->judge->arena;
    struct tn_json_text read  = tn_json_read(arena, json ? json : "", json ? strlen(json) : 0,
                                             &check->judge->limits);
    struct tn_buf       text;

    if (!read.root || read.bad_utf8)
        return;
    tn_buf_init(&text, arena, 0, SUGGESTION_LEN_MAX); /* compact, and on one line */
    tn_json_value(&text, read.root);
    if (!text.failed)
        check->suggestion = (struct tn_slice){ text.at, text.len };
}

static void check_complete(struct tn_issue *issue, const tenon_check *check, const char *text)
{
    if (!issue)
        return;
    issue->code = ISSUE_CHECK;
    issue->text = (struct tn_slice){ text, strlen(text) };
    if (!issue->inside)
        issue->suggestion = check->suggestion;
}

/* ---- Over one value ---------------------------------------------------------------------------------------- */

bool tn_checks_hold(struct tn_judge *judge, const struct tn_param *param, const struct tn_location *at,
                    yyjson_val *value, const void *field)
{
    bool hold = true;

    for (size_t i = 0; i < at->node->check_count; i++) {
        tenon_check check = {
            .judge = judge, .param = param, .place = at, .argument = at->node->check[i].argument
        };
        const char *text = at->node->check[i].check(&check, field);

        if (text)
            check_complete(tn_location_report(judge, at, ISSUE_CHECK, value), &check, text);
        hold = hold && !text;
    }
    return hold;
}

/* ---- Over a struct ----------------------------------------------------------------------------------------- */

static struct tn_issue *report_whole(struct tn_judge *judge, const struct tn_object *object,
                                     const struct tn_location *up)
{
    struct tn_issue *issue;

    if (up)
        return tn_location_report(judge, up, ISSUE_CHECK, NULL);
    issue = tn_issues_add(&judge->issues, judge->arena);
    if (!issue)
        return NULL;
    issue->parameter = issue->label = SLICE_LIT(WORDS_WHOLE);
    issue->required                 = true;
    issue->example                  = object->example;
    return issue;
}

/* At the parameter whose field the check named: one of this struct, or of a struct inside it. */
static struct tn_issue *report_at(struct tn_judge *judge, const struct tn_found *found)
{
    struct tn_issue *issue = tn_issues_add(&judge->issues, judge->arena);

    if (issue)
        tn_came_move(judge, found, issue);
    return issue;
}

void tn_check_struct(struct tn_judge *judge, const struct tn_object *object, const struct tn_hook *hook,
                     const struct tn_location *up, const char *base)
{
    tenon_check     check = { .judge = judge, .place = up, .argument = hook->argument };
    const char     *text  = hook->check(&check, base + hook->offset);
    struct tn_found found;

    if (!text)
        return;
    if (check.field && tn_judge_locate(judge, check.field, &found))
        check_complete(report_at(judge, &found), &check, text);
    else
        check_complete(report_whole(judge, object, up), &check, text);
}
