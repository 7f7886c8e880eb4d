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
#include "json/writer.h"
#include "rows/unbind.h"

#define MESSAGE_ROOM ((size_t)64 << 10)

tenon_outcome tn_call_end(tenon_call *call, struct tn_ending ending)
{
    struct tn_ending *before = NULL;

    if (call->ending.kind != ENDING_NONE) { /* rare: most handlers make one */
        before = tn_arena_take(&call->arena, sizeof *before, alignof(struct tn_ending));
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

bool tn_call_choose(tenon_call *call, tenon_outcome outcome)
{
    const struct tn_ending *ending = &call->ending;

    while (ending && (ending->kind == ENDING_NONE || ending->code != outcome.code))
        ending = ending->before;
    if (ending && ending != &call->ending)
        call->ending = *ending;
    return ending != NULL;
}

void tn_call_keep_details(tenon_call *call)
{
    struct tn_details *kept;

    if (call->ending.kind == ENDING_NONE || call->ending.details)
        return;
    kept = tn_arena_new(&call->arena, struct tn_details);
    if (!kept)
        return;
    *kept = call->details;
    for (struct tn_ending *ending = &call->ending; ending && !ending->details; ending = ending->before)
        ending->details = kept;
}

void tn_call_note(tenon_call *call, struct tn_buf *text, bool filler)
{
    if (text->failed || call->ending.kind != ENDING_DATA)
        return;
    call->ending.note   = (struct tn_slice){ text->at, text->len };
    call->ending.filler = filler;
}

tenon_outcome tn_call_fail(tenon_call *call, const char *code, struct tn_buf *text)
{
    struct tn_ending ending = { .kind = ENDING_ERROR, .error = tn_errors_find(&call->box->errors, code) };

    if (!ending.error)
        return tenon_internal(call, PHRASE_LOG_CODE, code ? code : "");
    if (strcmp(code, TENON_CODE_INTERNAL_ERROR) == 0)
        return tenon_internal(call, "%s", tn_buf_end(text) ? text->at : "");
    if (strcmp(code, TENON_CODE_VALIDATION_ERROR) == 0) {
        if (call->judge.issues.total == 0)
            tenon_issue_add(call, NULL, "invalid", "%s", tn_buf_end(text) ? text->at : "");
        return tenon_invalid(call);
    }
    ending.message = (struct tn_slice){ text->at, text->len };
    return tn_call_end(call, ending);
}

tenon_outcome tn_call_succeed(tenon_call *call, struct tn_buf *data, size_t listed)
{
    struct tn_buf text;

    if (!data->failed)
        return tn_call_end(call, (struct tn_ending){ .kind   = ENDING_DATA,
                                                     .data   = { data->at, data->len },
                                                     .listed = listed });
    /* Longer than any budget; or out of memory, which the arena remembers. */
    tn_buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
    tn_phrase_too_long(&text, call->tool->budget);
    return tn_call_fail(call, TENON_CODE_LIMIT_EXCEEDED, &text);
}

/* ---- Success ------------------------------------------------------------------------------------------- */

tenon_outcome tenon_ok(tenon_call *call)
{
    struct tn_buf data;

    if (call->tool->result || call->tool->items)
        return tenon_internal(call, PHRASE_LOG_DECLARED);
    if (call->tool->result_schema)
        return tenon_internal(call, PHRASE_LOG_RESULT_JSON);
    tn_buf_init(&data, &call->arena, 0, DATA_LEN_MAX);
    if (!call->text.arena) {
        tn_buf_lit(&data, "{}");
        return tn_call_succeed(call, &data, 0);
    }
    tn_buf_lit(&data, "{\"text\":");
    tn_json_string(&data, call->text.at ? call->text.at : "", call->text.len);
    tn_buf_char(&data, '}');
    data.failed |= call->text.failed;
    return tn_call_succeed(call, &data, 0);
}

/* The same table may be compiled into several files. */
static bool same_rows(const tenon_rows *a, const tenon_rows *b)
{
    return a == b ||
           (strcmp(a->name, b->name) == 0 && a->count == b->count && a->struct_size == b->struct_size);
}

bool tn_call_declares(tenon_rows_fn declared, tenon_rows_fn given)
{
    return declared && given && same_rows(declared(), given());
}

bool tn_call_unbind(tenon_call *call, struct tn_buf *out, const struct tn_object *object, const void *data,
                    tenon_outcome *failure)
{
    struct tn_unbind unbind = { .out = out, .matcher = &call->matcher, .memory = &call->box->memory };

    if (tn_unbind_object(&unbind, object, data))
        return true;
    if (!unbind.fault.why) {
        *failure = tn_call_succeed(call, out, 0); /* which failed */
        return false;
    }
    *failure = tenon_internal(call, PHRASE_LOG_FIELD, unbind.fault.param ? unbind.fault.param : "",
                              unbind.fault.why);
    return false;
}

tenon_outcome tenon_ok_data_(tenon_call *call, tenon_rows_fn rows, const void *data)
{
    tenon_outcome failure;
    struct tn_buf out;

    if (!data || !tn_call_declares(call->tool->declared->info.result, rows))
        return tenon_internal(call, PHRASE_LOG_NOT_RESULT);
    tn_buf_init(&out, &call->arena, 256, DATA_LEN_MAX);
    if (!tn_call_unbind(call, &out, call->tool->result->object, data, &failure))
        return failure;
    return tn_call_succeed(call, &out, 0);
}

tenon_outcome tenon_ok_json(tenon_call *call, const char *json, size_t len)
{
    const struct tn_json_limits limits = { DATA_LEN_MAX, JSON_WRITE_DEPTH_MAX, SIZE_MAX };
    struct tn_json_text         read;
    tenon_outcome               failure;
    struct tn_buf               data;

    if (call->tool->result || call->tool->items)
        return tenon_internal(call, PHRASE_LOG_DECLARED);
    read = tn_json_read(&call->arena, json ? json : "", json ? len : 0, &limits);
    tn_buf_init(&data, &call->arena, 0, DATA_LEN_MAX);
    if (read.fault == JSON_TOO_LONG || read.fault == JSON_NO_MEMORY)
        data.failed = true;
    else if (!yyjson_is_obj(read.root) || read.bad_utf8)
        return tenon_internal(call, PHRASE_LOG_RAW);
    else if (call->tool->result_schema && !tn_schema_tool_result(call, read.root, len, &failure))
        return failure;
    else
        tn_json_line(&data, json, len);
    return tn_call_succeed(call, &data, 0);
}

tenon_outcome tenon_ok_written(tenon_call *call, tenon_writer *writer)
{
    size_t        len;
    const char   *json    = tenon_writer_text(writer, &len);
    const char   *mistake = tenon_writer_error(writer);
    struct tn_buf data;

    if (call->tool->result || call->tool->items)
        return tenon_internal(call, PHRASE_LOG_DECLARED);
    if (json && call->tool->result_schema)
        return tenon_ok_json(call, json, len);
    if (json && json[0] != '{')
        return tenon_internal(call, PHRASE_LOG_WRITTEN, "it is not an object");
    tn_buf_init(&data, &call->arena, 0, DATA_LEN_MAX);
    if (!json && strcmp(mistake, WRITER_NO_MEMORY) != 0 && strcmp(mistake, WRITER_TOO_LONG) != 0)
        return tenon_internal(call, PHRASE_LOG_WRITTEN, mistake);
    if (!json)
        data.failed = true;
    else if (writer->out.arena == &call->arena)
        data = writer->out;
    else
        tn_buf_add(&data, json, len);
    return tn_call_succeed(call, &data, 0);
}

/* ---- Failure ------------------------------------------------------------------------------------------- */

tenon_outcome tenon_fail(tenon_call *call, const char *code, const char *format, ...)
{
    const tenon_error *error = tn_errors_find(&call->box->errors, code);
    struct tn_buf      text;
    va_list            args;

    tn_buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
    if (format) {
        va_start(args, format);
        tn_buf_addv(&text, format, args);
        va_end(args);
    }
    if (error && (!format || text.failed)) {
        tn_buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
        tn_errors_expand(&text, error, &call->details, &call->box->log);
    }
    return tn_call_fail(call, code, &text);
}

tenon_outcome tenon_invalid(tenon_call *call)
{
    struct tn_ending ending = { .kind = ENDING_INVALID };
    struct tn_buf    text;

    if (call->judge.issues.total == 0)
        return tenon_internal(call, PHRASE_LOG_NO_ISSUES);
    tn_buf_init(&text, &call->arena, 64, MESSAGE_ROOM);
    ending.error = call->lookup_error;
    if (ending.error) {
        tn_errors_expand(&text, ending.error, &call->details, &call->box->log);
    } else {
        tn_phrase_validation_failed(&text, call->judge.issues.total);
        ending.error = tn_errors_find(&call->box->errors, TENON_CODE_VALIDATION_ERROR);
    }
    ending.message = (struct tn_slice){ text.at, text.len };
    return tn_call_end(call, ending);
}

tenon_outcome tenon_cancelled(tenon_call *call)
{
    return tenon_fail(call, TENON_CODE_CANCELLED, NULL);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

bool tenon_open(tenon_call *call, const tenon_root *root, const char *path, unsigned how, int *fd,
                tenon_outcome *failure)
{
    tenon_status  status = tenon_root_open(root, path, how, fd);
    const char   *code   = NULL;
    struct tn_buf text;

    if (status == TENON_E_IO && errno == ENOTDIR) /* a name on the way is a file */
        status = TENON_E_NOT_FOUND;
    tn_buf_init(&text, &call->arena, 0, MESSAGE_ROOM);
    switch (status) {
    case TENON_OK: return true;
    case TENON_E_DENIED:
        code = TENON_CODE_DENIED;
        tn_phrase_open_denied(&text, path, tenon_root_path(root));
        break;
    case TENON_E_NOT_FOUND:
        code = TENON_CODE_NOT_FOUND;
        tn_phrase_open_missing(&text, path, tenon_root_path(root));
        break;
    case TENON_E_EXISTS:
        code = TENON_CODE_CONFLICT;
        tn_phrase_open_exists(&text, path);
        break;
    case TENON_E_LIMIT:
        code = TENON_CODE_LIMIT_EXCEEDED;
        tn_phrase_open_long(&text, path);
        break;
    default: *failure = tenon_internal(call, PHRASE_LOG_OPEN, strerror(errno)); return false;
    }
    *failure = tn_call_fail(call, code, &text);
    return false;
}
