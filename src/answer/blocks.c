/* blocks.c - what handlers add beside their answer, as JSON. */
#include "answer/blocks.h"

#include <tenon/progress.h>
#include <tenon/prompt.h>
#include <tenon/resource.h>

#include <sodium.h>
#include <string.h>

#include "answer/call.h"
#include "answer/phrases.h"
#include "json/write.h"

#define BASE64      sodium_base64_VARIANT_ORIGINAL
#define MIME_UNSAID "application/octet-stream"

/* ---- Writing ----------------------------------------------------------------------------------------------- */

static void add_member(struct tn_buf *out, const char *name, const char *value)
{
    tn_json_string(out, name, strlen(name));
    tn_buf_char(out, ':');
    tn_json_string(out, value ? value : "", value ? strlen(value) : 0);
}

/* A member behind others, unless there is no value. */
static void add_optional(struct tn_buf *out, const char *name, const char *value)
{
    if (!value)
        return;
    tn_buf_char(out, ',');
    add_member(out, name, value);
}

static void add_base64(struct tn_buf *out, const char *name, const void *data, size_t len)
{
    char *to;

    tn_buf_char(out, ',');
    tn_json_string(out, name, strlen(name));
    tn_buf_lit(out, ":\"");
    if (len > BLOCKS_LEN_MAX) {
        out->failed = true; /* before its length is multiplied */
        return;
    }
    to = tn_buf_room(out, sodium_base64_encoded_len(len, BASE64));
    if (to && len > 0) {
        sodium_bin2base64(to, sodium_base64_encoded_len(len, BASE64), data, len, BASE64);
        out->len += sodium_base64_encoded_len(len, BASE64) - 1;
    }
    tn_buf_char(out, '"');
}

/* The buffer, with the separator that is due. */
static struct tn_buf *blocks_begin(tenon_call *call)
{
    struct tn_buf *out = &call->blocks.out;

    if (!out->arena)
        tn_buf_init(out, &call->arena, 0, BLOCKS_LEN_MAX);
    else
        tn_buf_char(out, ',');
    return out;
}

static void leave_out(tenon_call *call, const char *what)
{
    tn_log_line(&call->box->log, LOG_WARN, PHRASE_LOG_MISPLACED, call->tool->view.name, what);
}

/* Blocks stand in a tool's answer as they are, and in a prompt as messages of the user's. */
static struct tn_buf *begin_block(tenon_call *call, const char *what)
{
    enum tn_subject_kind kind = call->subject.kind;
    struct tn_buf       *out;

    if (kind != SUBJECT_TOOL && kind != SUBJECT_PROMPT) {
        leave_out(call, what);
        return NULL;
    }
    out = blocks_begin(call);
    if (kind == SUBJECT_PROMPT)
        tn_buf_lit(out, "{\"role\":\"user\",\"content\":");
    return out;
}

static void end_block(tenon_call *call, struct tn_buf *out)
{
    tn_buf_char(out, '}');
    if (call->subject.kind == SUBJECT_PROMPT)
        tn_buf_char(out, '}');
}

/* ---- Blocks ------------------------------------------------------------------------------------------------ */

static void add_media(tenon_call *call, const char *what, const char *type, const char *mime,
                      const void *data, size_t len)
{
    struct tn_buf *out = begin_block(call, what);

    if (!out)
        return;
    tn_buf_char(out, '{');
    add_member(out, "type", type);
    add_base64(out, "data", data, len);
    add_optional(out, "mimeType", mime ? mime : MIME_UNSAID);
    end_block(call, out);
}

void tenon_add_image(tenon_call *call, const char *mime, const void *data, size_t len)
{
    add_media(call, "tenon_add_image()", "image", mime, data, len);
}

/* In the place of a block that the client does not know: its schema would refuse the whole answer. */
static void add_stand_in(tenon_call *call, const char *what, const char *format, ...)
{
    struct tn_buf *out = begin_block(call, what), text;
    va_list        args;

    if (!out)
        return;
    tn_buf_init(&text, &call->arena, 0, BLOCKS_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    tn_buf_lit(out, "{\"type\":\"text\",\"text\":");
    tn_json_string(out, text.at ? text.at : "", text.len);
    out->failed |= text.failed;
    end_block(call, out);
}

void tenon_add_audio(tenon_call *call, const char *mime, const void *data, size_t len)
{
    if (call->subject.lacks & LACKS_AUDIO)
        add_stand_in(call, "tenon_add_audio()", PHRASE_AUDIO_LEFT, mime ? mime : MIME_UNSAID, len);
    else
        add_media(call, "tenon_add_audio()", "audio", mime, data, len);
}

/* The object of a resource's content, up to its text or blob. */
static void begin_content(struct tn_buf *out, const char *uri, const char *mime)
{
    tn_buf_char(out, '{');
    add_member(out, "uri", uri);
    add_optional(out, "mimeType", mime);
}

/* Inside a block, or as it is where a resource is read. */
static struct tn_buf *begin_resource(tenon_call *call, const char *what, const char *uri, const char *mime)
{
    bool           alone = call->subject.kind == SUBJECT_RESOURCE;
    struct tn_buf *out   = alone ? blocks_begin(call) : begin_block(call, what);

    if (!out)
        return NULL;
    if (!alone)
        tn_buf_lit(out, "{\"type\":\"resource\",\"resource\":");
    begin_content(out, uri, mime);
    return out;
}

static void end_resource(tenon_call *call, struct tn_buf *out)
{
    tn_buf_char(out, '}');
    if (call->subject.kind != SUBJECT_RESOURCE)
        end_block(call, out);
}

void tenon_add_resource_text(tenon_call *call, const char *uri, const char *mime, const char *text)
{
    struct tn_buf *out = begin_resource(call, "tenon_add_resource_text()", uri, mime);

    if (!out)
        return;
    add_optional(out, "text", text ? text : "");
    end_resource(call, out);
}

void tenon_add_resource_blob(tenon_call *call, const char *uri, const char *mime, const void *data,
                             size_t len)
{
    struct tn_buf *out = begin_resource(call, "tenon_add_resource_blob()", uri, mime);

    if (!out)
        return;
    add_base64(out, "blob", data, len);
    end_resource(call, out);
}

void tenon_add_link(tenon_call *call, const char *uri, const char *name, const char *mime)
{
    const char    *what = "tenon_add_link()";
    struct tn_buf *out;

    if (call->subject.lacks & LACKS_LINKS) {
        add_stand_in(call, what, PHRASE_LINK, name ? name : "", name ? ": " : "", uri ? uri : "",
                     mime ? " (" : "", mime ? mime : "", mime ? ")" : "");
        return;
    }
    out = begin_block(call, what);
    if (!out)
        return;
    tn_buf_lit(out, "{\"type\":\"resource_link\",");
    add_member(out, "uri", uri);
    add_optional(out, "name", name ? name : uri ? uri : "");
    add_optional(out, "mimeType", mime);
    end_block(call, out);
}

/* ---- Resources --------------------------------------------------------------------------------------------- */

void tenon_content_text(tenon_call *call, const char *text)
{
    struct tn_buf *out;

    if (call->subject.kind == SUBJECT_RESOURCE) {
        tenon_add_resource_text(call, call->subject.uri, call->subject.mime, text);
        return;
    }
    out = begin_block(call, "tenon_content_text()");
    if (!out)
        return;
    tn_buf_lit(out, "{\"type\":\"text\",");
    add_member(out, "text", text);
    end_block(call, out);
}

void tenon_content_blob(tenon_call *call, const void *data, size_t len)
{
    if (call->subject.kind == SUBJECT_RESOURCE)
        tenon_add_resource_blob(call, call->subject.uri, call->subject.mime, data, len);
    else
        leave_out(call, "tenon_content_blob()");
}

const char *tenon_variable(const tenon_call *call, const char *name)
{
    for (size_t i = 0; name && i < call->subject.variable_count; i++)
        if (tn_slice_is(call->subject.variables[i].name, name))
            return call->subject.variables[i].value.at;
    return "";
}

/* ---- Prompts and completion -------------------------------------------------------------------------------- */

void tenon_say(tenon_call *call, tenon_role role, const char *format, ...)
{
    struct tn_buf *out, text;
    va_list        args;

    if (call->subject.kind != SUBJECT_PROMPT) {
        leave_out(call, "tenon_say()");
        return;
    }
    tn_buf_init(&text, &call->arena, 0, BLOCKS_LEN_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    out = blocks_begin(call);
    tn_buf_text(out, role == TENON_ROLE_ASSISTANT ? "{\"role\":\"assistant\"" : "{\"role\":\"user\"");
    tn_buf_lit(out, ",\"content\":{\"type\":\"text\",\"text\":");
    tn_json_string(out, text.at ? text.at : "", text.len);
    tn_buf_lit(out, "}}");
    out->failed |= text.failed;
}

void tenon_suggest(tenon_call *call, const char *value)
{
    struct tn_buf *out = &call->blocks.out;
    size_t         len = value ? strlen(value) : 0;

    if (call->subject.kind != SUBJECT_COMPLETION) {
        leave_out(call, "tenon_suggest()");
        return;
    }
    call->blocks.suggested++;
    if (call->blocks.kept == SUGGESTIONS_MAX || out->len + len > SUGGESTIONS_LEN_MAX)
        return;
    call->blocks.kept++;
    out = blocks_begin(call);
    tn_json_string(out, value ? value : "", len);
}
