/* ending.c - how a handler ends its call. The ending that it returns counts, whatever else was made before or after it;
 * nothing is written before the handler returns. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "answer/call.h"
#include "answer/phrases.h"
#include "answer/schema_tool.h"
#include "json/read.h"
#include "json/write.h"
#include "rows/unbind.h"

#define MESSAGE_ROOM ((size_t)64 << 10)

tenon_outcome call_end(tenon_call *call, struct ending ending)
{
    struct ending *before = NULL;

    if (call->ending.kind != ENDING_NONE) { /* rare: most handlers make one */
        before = arena_take(&call->arena, sizeof *before, alignof(struct ending));
        if (before)
            *before = call->ending;
    }
    call->serial        = call->serial == INT_MAX ? 1 : call->serial + 1;
    call->ending        = ending;
    call->ending.code   = call->serial;
    call->ending.before = before;
    call->ending.issues = call->judge.issues;
    return (tenon_outcome){ call->serial };
}

bool call_choose(tenon_call *call, tenon_outcome outcome)
{
    const struct ending *ending = &call->ending;

    while (ending && (ending->kind == ENDING_NONE || ending->code != outcome.code))
        ending = ending->before;
    if (ending && ending != &call->ending)
        call->ending = *ending;
    return ending != NULL;
}

void call_keep_details(tenon_call *call)
{
    struct details *kept;

    if (call->ending.kind == ENDING_NONE || call->ending.details)
        return;
    kept = arena_new(&call->arena, struct details);
    if (!kept)
        return;
    *kept = call->details;
    for (struct ending *ending = &call->ending; ending && !ending->details; ending = ending->before)
        ending->details = kept;
}

void call_note(tenon_call *call, struct buf *text, bool filler)
{
    if (text->failed || call->ending.kind != ENDING_DATA)
        return;
    call->ending.note   = (struct slice){ text->at, text->len };
    call->ending.filler = filler;
}

tenon_outcome call_fail(tenon_call *call, const char *code, struct buf *text)
{
    struct ending ending = { .kind = ENDING_ERROR, .error = errors_find(&call->box->errors, code) };

    if (!ending.error)
        return tenon_internal(call, PHRASE_LOG_CODE, code ? code : "");
    if (strcmp(code, TENON_CODE_INTERNAL_ERROR) == 0)
        return tenon_internal(call, "%s", buf_end(text) ? text->at : "");
    if (strcmp(code, TENON_CODE_VALIDATION_ERROR) == 0) {
        if (call->judge.issues.total == 0)
            tenon_issue_add(call, NULL, "invalid", "%s", buf_end(text) ? text->at : "");
        return tenon_invalid(call);
    }
    ending.message = (struct slice){ text->at, text->len };
    return call_end(call, ending);
}

tenon_outcome call_succeed(tenon_call *call, struct buf *data, size_t listed)
{
    struct buf text;

    if (!data->failed)
        return call_end(call, (struct ending){
                                  .kind = ENDING_DATA, .data = { data->at, data->len }, .listed = listed });
    /* Longer than any budget; or out of memory, which the arena remembers. */
    buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
    phrase_too_long(&text, call->tool->budget);
    return call_fail(call, TENON_CODE_LIMIT_EXCEEDED, &text);
}

/* ---- Success ------------------------------------------------------------------------------------------- */

tenon_outcome tenon_ok(tenon_call *call)
{
    struct buf data;

    if (call->tool->result || call->tool->items)
        return tenon_internal(call, PHRASE_LOG_DECLARED);
    if (call->tool->result_schema)
        return tenon_internal(call, PHRASE_LOG_RESULT_JSON);
    buf_init(&data, &call->arena, 0, DATA_LEN_MAX);
    if (!call->text.arena) {
        buf_lit(&data, "{}");
        return call_succeed(call, &data, 0);
    }
    buf_lit(&data, "{\"text\":");
    json_string(&data, call->text.at ? call->text.at : "", call->text.len);
    buf_char(&data, '}');
    data.failed |= call->text.failed;
    return call_succeed(call, &data, 0);
}

/* The same table may be compiled into several files. */
static bool same_rows(const tenon_rows *a, const tenon_rows *b)
{
    return a == b ||
           (strcmp(a->name, b->name) == 0 && a->count == b->count && a->struct_size == b->struct_size);
}

bool call_declares(tenon_rows_fn declared, tenon_rows_fn given)
{
    return declared && given && same_rows(declared(), given());
}

bool call_unbind(tenon_call *call, struct buf *out, const struct object *object, const void *data,
                 tenon_outcome *failure)
{
    struct unbind unbind = { .out = out, .matcher = &call->matcher, .memory = &call->box->memory };

    if (unbind_object(&unbind, object, data))
        return true;
    if (!unbind.fault.why) {
        *failure = call_succeed(call, out, 0); /* which failed */
        return false;
    }
    *failure = tenon_internal(call, PHRASE_LOG_FIELD, unbind.fault.param ? unbind.fault.param : "",
                              unbind.fault.why);
    return false;
}

tenon_outcome tenon_ok_data_(tenon_call *call, tenon_rows_fn rows, const void *data)
{
    tenon_outcome failure;
    struct buf    out;

    if (!data || !call_declares(call->tool->declared->info.result, rows))
        return tenon_internal(call, PHRASE_LOG_NOT_RESULT);
    buf_init(&out, &call->arena, 256, DATA_LEN_MAX);
    if (!call_unbind(call, &out, call->tool->result->object, data, &failure))
        return failure;
    return call_succeed(call, &out, 0);
}

tenon_outcome tenon_ok_json(tenon_call *call, const char *json, size_t len)
{
    const struct json_limits limits = { DATA_LEN_MAX, JSON_WRITE_DEPTH_MAX, SIZE_MAX };
    struct json_text         read;
    tenon_outcome            failure;
    struct buf               data;

    if (call->tool->result || call->tool->items)
        return tenon_internal(call, PHRASE_LOG_DECLARED);
    read = json_read(&call->arena, json ? json : "", json ? len : 0, &limits);
    buf_init(&data, &call->arena, 0, DATA_LEN_MAX);
    if (read.fault == JSON_TOO_LONG || read.fault == JSON_NO_MEMORY)
        data.failed = true;
    else if (!yyjson_is_obj(read.root) || read.bad_utf8)
        return tenon_internal(call, PHRASE_LOG_RAW);
    else if (call->tool->result_schema && !schema_tool_result(call, read.root, len, &failure))
        return failure;
    else
        json_line(&data, json, len);
    return call_succeed(call, &data, 0);
}

/* ---- Failure ------------------------------------------------------------------------------------------- */

tenon_outcome tenon_fail(tenon_call *call, const char *code, const char *format, ...)
{
    const tenon_error *error = errors_find(&call->box->errors, code);
    struct buf         text;
    va_list            args;

    buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
    if (format) {
        va_start(args, format);
        buf_addv(&text, format, args);
        va_end(args);
    }
    if (error && (!format || text.failed)) {
        buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
        errors_expand(&text, error, &call->details, &call->box->log);
    }
    return call_fail(call, code, &text);
}

tenon_outcome tenon_invalid(tenon_call *call)
{
    struct ending ending = { .kind = ENDING_INVALID };
    struct buf    text;

    if (call->judge.issues.total == 0)
        return tenon_internal(call, PHRASE_LOG_NO_ISSUES);
    buf_init(&text, &call->arena, 64, MESSAGE_ROOM);
    ending.error = call->lookup_error;
    if (ending.error) {
        errors_expand(&text, ending.error, &call->details, &call->box->log);
    } else {
        phrase_validation_failed(&text, call->judge.issues.total);
        ending.error = errors_find(&call->box->errors, TENON_CODE_VALIDATION_ERROR);
    }
    ending.message = (struct slice){ text.at, text.len };
    return call_end(call, ending);
}

tenon_outcome tenon_cancelled(tenon_call *call)
{
    return tenon_fail(call, TENON_CODE_CANCELLED, NULL);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

bool tenon_open(tenon_call *call, const tenon_root *root, const char *path, unsigned how, int *fd,
                tenon_outcome *failure)
{
    tenon_status status = tenon_root_open(root, path, how, fd);
    const char  *code   = NULL;
    struct buf   text;

    if (status == TENON_E_IO && errno == ENOTDIR) /* a name on the way is a file */
        status = TENON_E_NOT_FOUND;
    buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
    switch (status) {
    case TENON_OK: return true;
    case TENON_E_DENIED:
        code = TENON_CODE_DENIED;
        phrase_open_denied(&text, path, tenon_root_path(root));
        break;
    case TENON_E_NOT_FOUND:
        code = TENON_CODE_NOT_FOUND;
        phrase_open_missing(&text, path, tenon_root_path(root));
        break;
    case TENON_E_EXISTS:
        code = TENON_CODE_CONFLICT;
        phrase_open_exists(&text, path);
        break;
    case TENON_E_LIMIT:
        code = TENON_CODE_LIMIT_EXCEEDED;
        phrase_open_long(&text, path);
        break;
    default: *failure = tenon_internal(call, PHRASE_LOG_OPEN, strerror(errno)); return false;
    }
    *failure = call_fail(call, code, &text);
    return false;
}
