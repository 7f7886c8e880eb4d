/* content.c - writing content blocks. A block that a client's schema does not know would cost it the whole answer. */
#define _GNU_SOURCE
#include "guard/answer/content.h"

#include <string.h>

#include "answer/blocks.h"
#include "guard/phrases.h"
#include "json/member.h"
#include "json/write.h"
#include "mcp/rpc.h"

#define STAND_IN_MAX ((size_t)64 << 10)

static void content_comma(struct tn_buf *out, size_t from)
{
    if (out->len > from)
        tn_buf_char(out, ',');
}

static unsigned lack_of(yyjson_val *block)
{
    yyjson_val *type = yyjson_obj_get(block, "type");

    return yyjson_equals_str(type, "audio")           ? LACKS_AUDIO
           : yyjson_equals_str(type, "resource_link") ? LACKS_LINKS
                                                      : 0u;
}

bool tn_content_lacks(yyjson_val *blocks, unsigned lacks)
{
    yyjson_arr_iter iter;
    yyjson_val     *one;

    if (!yyjson_arr_iter_init(blocks, &iter))
        return false;
    while ((one = yyjson_arr_iter_next(&iter))) {
        yyjson_val *inner = yyjson_obj_get(one, "role") ? yyjson_obj_get(one, "content") : one;

        if (lack_of(inner) & lacks)
            return true;
    }
    return false;
}

/* A text block in the place of one: with its URI, or its type and size. */
static void write_stand_in(struct tn_buf *out, yyjson_val *block)
{
    struct tn_slice data = tn_rpc_text(yyjson_obj_get(block, "data"));
    struct tn_slice mime = tn_rpc_text(yyjson_obj_get(block, "mimeType"));
    struct tn_slice name = tn_rpc_text(yyjson_obj_get(block, "name"));
    struct tn_slice uri  = tn_rpc_text(yyjson_obj_get(block, "uri"));
    struct tn_buf   text;

    tn_buf_init(&text, out->arena, 256, STAND_IN_MAX);
    if (lack_of(block) == LACKS_AUDIO)
        tn_buf_addf(&text, GUARD_AUDIO_LEFT, (int)mime.len, mime.at ? mime.at : "", data.len / 4 * 3);
    else
        tn_buf_addf(&text, GUARD_LINK, (int)name.len, name.at ? name.at : "", name.len > 0 ? ": " : "",
                    (int)uri.len, uri.at ? uri.at : "");
    tn_buf_lit(out, "{\"type\":\"text\",\"text\":");
    tn_json_string(out, text.at, text.len);
    tn_buf_char(out, '}');
    out->failed |= text.failed;
}

void tn_content_add_all(struct tn_buf *out, size_t from, yyjson_val *content, struct tn_slice text,
                        unsigned lacks)
{
    struct tn_slice   inside = tn_slice_trim((struct tn_slice){ text.at + 1, text.len - 2 });
    struct tn_members all    = tn_members_of(text);
    yyjson_arr_iter   blocks = yyjson_arr_iter_with(content);
    struct tn_slice   one;

    if (inside.len == 0)
        return;
    if (lacks == 0) {
        content_comma(out, from);
        tn_json_line(out, inside.at, inside.len);
        return;
    }
    while (tn_items_next(&all, &one)) {
        yyjson_val *block = yyjson_arr_iter_next(&blocks);

        content_comma(out, from);
        if (lack_of(block) & lacks)
            write_stand_in(out, block);
        else
            tn_json_line(out, one.at, one.len);
    }
}

void tn_content_add_text(struct tn_buf *out, size_t from, struct tn_slice text)
{
    content_comma(out, from);
    tn_buf_lit(out, "{\"type\":\"text\",\"text\":");
    tn_json_string(out, text.at, text.len);
    tn_buf_char(out, '}');
}

void tn_content_add_said(struct tn_buf *out, size_t from, struct tn_slice said)
{
    struct tn_members all  = tn_members_of(said);
    bool              more = false;
    struct tn_slice   one;

    content_comma(out, from);
    tn_buf_lit(out, "{\"type\":\"text\",\"text\":\"");
    while (tn_items_next(&all, &one)) {
        tn_buf_text(out, more ? "\\n" GUARD_SAID : GUARD_SAID);
        tn_buf_add(out, one.at + 1, one.len - 2);
        more = true;
    }
    tn_buf_lit(out, "\"}");
}

/* A message of a prompt has one block. */
static void write_message(struct tn_buf *out, yyjson_val *message, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(message);
    struct tn_member  one;
    size_t            from;

    tn_buf_char(out, '{');
    from = out->len;
    while (tn_members_next(&all, &one)) {
        yyjson_val *name = yyjson_obj_iter_next(&names);

        if (!yyjson_equals_str(name, "content")) {
            tn_member_add(out, from, &one);
            continue;
        }
        content_comma(out, from);
        tn_buf_lit(out, "\"content\":");
        write_stand_in(out, yyjson_obj_iter_get_val(name));
    }
    tn_buf_char(out, '}');
}

void tn_content_prompt(struct tn_buf *out, yyjson_val *messages, struct tn_slice text, unsigned lacks)
{
    struct tn_members all  = tn_members_of(text);
    yyjson_arr_iter   iter = yyjson_arr_iter_with(messages);
    struct tn_slice   one;
    size_t            from;

    tn_buf_lit(out, "\"messages\":[");
    from = out->len;
    while (tn_items_next(&all, &one)) {
        yyjson_val *message = yyjson_arr_iter_next(&iter);

        content_comma(out, from);
        if (lack_of(yyjson_obj_get(message, "content")) & lacks)
            write_message(out, message, one);
        else
            tn_json_line(out, one.at, one.len);
    }
    tn_buf_char(out, ']');
}
