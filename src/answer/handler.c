/* handler.c - what a handler asks and reports while it runs. */
#include <string.h>

#include "answer/call.h"
#include "answer/phrases.h"
#include "answer/schema_tool.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "json/echo.h"
#include "json/read.h"
#include "json/write.h"
#include "json/writer.h"
#include "model/came.h"

#define TEXT_CUT "..."
#define LIST_ROOM ((size_t)4) /* of a list that grows, at first */

void *tenon_user(const tenon_call *call)
{
    return call->box->options.user;
}

bool tenon_is_cancelled(const tenon_call *call)
{
    return atomic_load_explicit(&call->cancelled, memory_order_relaxed);
}

void tenon_call_cancel(tenon_call *call)
{
    atomic_store_explicit(&call->cancelled, true, memory_order_relaxed);
}

void *tenon_alloc(tenon_call *call, size_t len)
{
    return tn_arena_zero(&call->arena, len ? len : 1, 1, alignof(max_align_t));
}

/* There is room for 4 items, then 8, 16 and so on: a list is full when it has as many. */
static bool list_is_full(size_t count)
{
    return count == 0 || (count >= LIST_ROOM && (count & (count - 1)) == 0);
}

bool tenon_list_add_(tenon_call *call, size_t *count, void *at, size_t size, const void *item)
{
    char  *items, *wider;
    size_t room = *count < LIST_ROOM ? LIST_ROOM : *count * 2;

    memcpy(&items, at, sizeof items);
    if (list_is_full(*count)) {
        wider = tn_arena_zero(&call->arena, room, size, alignof(max_align_t));
        if (!wider)
            return false;
        if (*count > 0)
            memcpy(wider, items, *count * size);
        items = wider;
        memcpy(at, &items, sizeof items);
    }
    memcpy(items + *count * size, item, size);
    *count += 1;
    return true;
}

const char *tenon_format(tenon_call *call, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &call->arena, 0, DATA_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    return tn_buf_end(&text);
}

const char *tenon_echo(tenon_call *call, const char *text)
{
    struct tn_buf echo;
    const char   *made;

    tn_buf_init(&echo, &call->arena, 0, DATA_LEN_MAX);
    tn_echo_text(&echo, text ? text : "", text ? strlen(text) : 0);
    made = tn_buf_end(&echo);
    return made ? made : "";
}

const tenon_json *tenon_json_parse(tenon_call *call, const char *text, size_t len)
{
    const struct tn_json_limits limits = { DATA_LEN_MAX, JSON_WRITE_DEPTH_MAX, SIZE_MAX };
    struct tn_json_text         read = tn_json_read(&call->arena, text ? text : "", text ? len : 0, &limits);

    return read.bad_utf8 ? NULL : (const tenon_json *)read.root;
}

tenon_writer *tenon_call_writer(tenon_call *call)
{
    return tn_writer_in(&call->arena, DATA_LEN_MAX);
}

/* ---- Presence ------------------------------------------------------------------------------------------ */

tenon_presence tenon_presence_of(const tenon_call *call, const void *field)
{
    struct tn_found found;

    if (!tn_judge_locate(&call->judge, field, &found))
        return TENON_ABSENT;
    switch (tn_judge_presence(&found)) {
    case PRESENT_GIVEN: return TENON_GIVEN;
    case PRESENT_NULL: return TENON_NULL;
    default: return TENON_ABSENT;
    }
}

const char *tenon_source_name(tenon_source source)
{
    switch (source) {
    case TENON_FROM_ARGUMENT: return "argument";
    case TENON_FROM_CONFIG: return "configuration";
    default: return "default";
    }
}

tenon_source tenon_source_of(const tenon_call *call, const void *field, bool configured)
{
    if (tenon_presence_of(call, field) == TENON_GIVEN)
        return TENON_FROM_ARGUMENT;
    return configured ? TENON_FROM_CONFIG : TENON_FROM_DEFAULT;
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

/* At most `most` bytes, cut at the end of a code point with a mark. */
static struct tn_slice shorten(struct tn_buf *text, size_t most)
{
    size_t len = most - strlen(TEXT_CUT);

    if (text->len <= most)
        return (struct tn_slice){ text->at, text->len };
    while (len > 0 && ((unsigned char)text->at[len] & 0xC0) == 0x80)
        len--;
    memcpy(text->at + len, TEXT_CUT, strlen(TEXT_CUT));
    return (struct tn_slice){ text->at, len + strlen(TEXT_CUT) };
}

static struct tn_slice format_short(tenon_call *call, size_t most, const char *format, va_list args)
{
    struct tn_buf text;

    tn_buf_init(&text, &call->arena, 0, DATA_LEN_MAX);
    tn_buf_addv(&text, format, args);
    return text.failed ? (struct tn_slice){ "", 0 } : shorten(&text, most);
}

static void handler_say(tenon_call *call, struct tn_slice text)
{
    struct tn_messages *messages = &call->judge.messages;

    if (text.len == 0)
        return;
    if (messages->count == MESSAGES_MAX)
        call->dropped_messages++;
    else
        tn_messages_add(messages, &call->arena, text.at, text.len);
}

void tn_call_message(tenon_call *call, struct tn_buf *text)
{
    if (!text->failed)
        handler_say(call, shorten(text, MESSAGE_LEN_MAX));
}

void tenon_message(tenon_call *call, const char *format, ...)
{
    va_list args;

    call->has_own_message = true;
    va_start(args, format);
    handler_say(call, format_short(call, MESSAGE_LEN_MAX, format, args));
    va_end(args);
}

int64_t tenon_elapsed_ms(const tenon_call *call)
{
    return call->began_us ? (tn_clock_now_us() - call->began_us) / 1000 : 0;
}

void tenon_waited(tenon_call *call, int64_t us)
{
    if (us > 0 && us <= INT64_MAX - call->waited_us)
        call->waited_us += us;
}

void tenon_fact(tenon_call *call, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &call->arena, 0, DATA_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    tn_phrase_took(&text, call->began_us ? tenon_elapsed_ms(call) : -1);
    tn_call_message(call, &text);
}

void tenon_text(tenon_call *call, const char *format, ...)
{
    va_list args;

    if (!call->text.arena)
        tn_buf_init(&call->text, &call->arena, 0, DATA_LEN_MAX);
    else
        tn_buf_char(&call->text, '\n');
    va_start(args, format);
    tn_buf_addv(&call->text, format, args);
    va_end(args);
}

/* ---- Issues -------------------------------------------------------------------------------------------- */

static struct tn_issue *handler_add_issue(tenon_call *call, const void *field, const char *code,
                                          struct tn_slice text)
{
    struct tn_issue *issue = tn_issues_add(&call->judge.issues, &call->arena);
    struct tn_found  found;

    if (!issue)
        return NULL;
    issue->code      = ISSUE_OWN;
    issue->own_code  = tn_arena_copy(&call->arena, code, strlen(code));
    issue->text      = text;
    issue->parameter = SLICE_LIT(PHRASE_WHOLE);
    if (!issue->own_code)
        issue->own_code = "";
    if (field && call->tool->schema)
        tn_schema_tool_locate(call, field, &issue->parameter);
    issue->label = issue->parameter;
    if (field && tn_judge_locate(&call->judge, field, &found))
        tn_came_move(&call->judge, &found, issue);
    return issue;
}

void tenon_issue_add(tenon_call *call, const void *field, const char *code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    handler_add_issue(call, field, code, format_short(call, ISSUE_TEXT_MAX, format, args));
    va_end(args);
}

void tenon_issue_suggest(tenon_call *call, const void *field, const char *code, const char *json,
                         const char *format, ...)
{
    struct tn_json_text suggestion;
    struct tn_issue    *issue;
    struct tn_buf       text;
    va_list             args;

    va_start(args, format);
    issue = handler_add_issue(call, field, code, format_short(call, ISSUE_TEXT_MAX, format, args));
    va_end(args);
    if (!issue || !json)
        return;
    suggestion = tn_json_read(&call->arena, json, strlen(json), &call->judge.limits);
    if (!suggestion.root) {
        tn_log_line(&call->box->log, LOG_WARN, PHRASE_LOG_SUGGESTION, call->tool->view.name);
        return;
    }
    tn_buf_init(&text, &call->arena, 0, DATA_LEN_MAX); /* compact, and on one line */
    tn_json_value(&text, suggestion.root);
    if (!text.failed && !issue->inside)
        issue->suggestion = (struct tn_slice){ text.at, text.len };
}

/* ---- Details ------------------------------------------------------------------------------------------- */

/* Keeps a detail whose JSON is `json`, under a copy of `key`. */
static void put_detail(tenon_call *call, const char *key, struct tn_slice plain, struct tn_buf *json)
{
    struct tn_slice name = { tn_arena_copy(&call->arena, key, strlen(key)), strlen(key) };

    if (!name.at)
        return;
    if (tn_details_reserved(name)) {
        tn_log_line(&call->box->log, LOG_WARN, PHRASE_LOG_DETAIL, call->tool->view.name, key);
        return;
    }
    tn_call_keep_details(call);
    if (json->failed) {
        call->details.lost = true;
        return;
    }
    tn_details_put(&call->details, (struct tn_detail){ name, { json->at, json->len }, plain });
}

void tenon_detail(tenon_call *call, const char *key, const char *format, ...)
{
    struct tn_slice plain;
    struct tn_buf   json;
    va_list         args;

    va_start(args, format);
    plain = format_short(call, MESSAGE_LEN_MAX, format, args);
    va_end(args);
    tn_buf_init(&json, &call->arena, 0, DETAILS_LEN_MAX);
    tn_json_string(&json, plain.at, plain.len);
    put_detail(call, key, plain, &json);
}

void tenon_detail_int(tenon_call *call, const char *key, int64_t value)
{
    struct tn_buf json;

    tn_buf_init(&json, &call->arena, 0, DETAILS_LEN_MAX);
    tn_buf_int(&json, value);
    put_detail(call, key, (struct tn_slice){ json.at, json.len }, &json);
}

void tenon_detail_strs(tenon_call *call, const char *key, const char *const *at, size_t count)
{
    struct tn_buf json, plain;

    tn_buf_init(&json, &call->arena, 0, DETAILS_LEN_MAX);
    tn_buf_init(&plain, &call->arena, 0, DETAILS_LEN_MAX);
    tn_buf_char(&json, '[');
    for (size_t i = 0; i < count && !json.failed; i++) {
        const char *text = at[i] ? at[i] : "";

        if (i > 0) {
            tn_buf_char(&json, ',');
            tn_buf_lit(&plain, ", ");
        }
        tn_json_string(&json, text, strlen(text));
        tn_buf_text(&plain, text);
    }
    tn_buf_char(&json, ']');
    put_detail(call, key, (struct tn_slice){ plain.at, plain.len }, &json);
}
