/* rpc_scan.c - the id of a message that cannot be read, so that its answer finds the request that waits for it.
 *
 * Only the outermost level is looked at, from its beginning to its end or to where it is broken. The id counts when it is
 * whole, stands there once, and the message is not a response: ids of those are ours.
 */
#include "json/read.h"
#include "json/scan.h"
#include "json/write.h"
#include "mcp/rpc.h"

#define NOTHING     ((struct tn_slice){ NULL, 0 })
#define NAME_MAX    ((size_t)64)   /* bytes of a member's name that is looked at; an escape takes six */
#define SCAN_ID_MAX ((size_t)4096) /* bytes of an id */

static const struct tn_json_limits one_value = { .bytes = SCAN_ID_MAX, .depth = 1, .nodes = 1 };

/* The text between the quotes as it is meant. False when it is not JSON. */
static bool read_name(struct tn_arena *arena, struct tn_slice *raw)
{
    struct tn_json_text text;

    if (raw->len > NAME_MAX || !memchr(raw->at, '\\', raw->len))
        return true;
    text = tn_json_read(arena, raw->at - 1, raw->len + 2, &one_value); /* with its quotes */
    if (!text.root)
        return false;
    *raw = tn_rpc_text(text.root);
    return true;
}

/* The name of the next member, of the object whose bracket, or the comma before it, was taken. False when there is none. */
static bool rpc_scan_take_name(struct tn_scan *scan, struct tn_arena *arena, struct tn_slice *name)
{
    tn_scan_skip_spaces(scan);
    if (tn_scan_peek(scan) != '"')
        return false;
    *name = tn_scan_take_string(scan);
    return tn_scan_take(scan, ':') && read_name(arena, name);
}

/* Its value. False when it is not there as a whole: what reaches the end may be cut off. */
static bool take_value(struct tn_scan *scan, struct tn_slice *value)
{
    size_t first;

    tn_scan_skip_spaces(scan);
    first = scan->next;
    tn_scan_skip_value(scan);
    *value = (struct tn_slice){ scan->at + first, scan->next - first };
    return value->len > 0 && scan->next < scan->len;
}

static struct tn_slice rpc_scan_read_id(struct tn_arena *arena, struct tn_slice raw)
{
    struct tn_json_text text = tn_json_read(arena, raw.at, raw.len, &one_value);
    struct tn_buf       out;

    if (!tn_rpc_is_token(text.root) || text.bad_utf8)
        return NOTHING;
    tn_buf_init(&out, arena, 32, 2 * SCAN_ID_MAX);
    if (yyjson_is_real(text.root))
        tn_buf_add(&out, raw.at, raw.len);
    else
        tn_json_value(&out, text.root);
    return out.failed ? NOTHING : tn_buf_slice(&out);
}

struct tn_slice tn_rpc_scan_id(struct tn_arena *arena, struct tn_slice text)
{
    struct tn_scan  scan = tn_scan_of(text);
    struct tn_slice name, value, id = NOTHING;

    if (!tn_scan_take(&scan, '{'))
        return NOTHING;
    do {
        if (!rpc_scan_take_name(&scan, arena, &name))
            break;
        if (tn_slice_is(name, "result") || tn_slice_is(name, "error") || (tn_slice_is(name, "id") && id.at))
            return NOTHING;
        if (!take_value(&scan, &value))
            break;
        if (tn_slice_is(name, "id"))
            id = value;
    } while (tn_scan_take(&scan, ','));
    return id.at ? rpc_scan_read_id(arena, id) : NOTHING;
}

struct tn_slice tn_rpc_scan_method(struct tn_arena *arena, struct tn_slice text)
{
    struct tn_scan  scan = tn_scan_of(text);
    struct tn_slice name, value;

    if (!tn_scan_take(&scan, '{'))
        return NOTHING;
    do {
        if (!rpc_scan_take_name(&scan, arena, &name) || !take_value(&scan, &value))
            break;
        if (tn_slice_is(name, "method"))
            return tn_rpc_text(tn_json_read(arena, value.at, value.len, &one_value).root);
    } while (tn_scan_take(&scan, ','));
    return NOTHING;
}
