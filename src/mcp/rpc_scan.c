/* rpc_scan.c - the id of a message that cannot be read, so that its answer finds the request that waits for it.
 *
 * Only the outermost level is looked at, from its beginning to its end or to where it is broken. The id counts when it is
 * whole, stands there once, and the message is not a response: ids of those are ours.
 */
#include "json/read.h"
#include "json/scan.h"
#include "json/write.h"
#include "mcp/rpc.h"

#define NOTHING     ((struct slice){ NULL, 0 })
#define NAME_MAX    ((size_t)64)   /* bytes of a member's name that is looked at; an escape takes six */
#define SCAN_ID_MAX ((size_t)4096) /* bytes of an id */

static const struct json_limits one_value = { .bytes = SCAN_ID_MAX, .depth = 1, .nodes = 1 };

/* The text between the quotes as it is meant. False when it is not JSON. */
static bool read_name(struct arena *arena, struct slice *raw)
{
    struct json_text text;

    if (raw->len > NAME_MAX || !memchr(raw->at, '\\', raw->len))
        return true;
    text = json_read(arena, raw->at - 1, raw->len + 2, &one_value); /* with its quotes */
    if (!text.root)
        return false;
    *raw = rpc_text(text.root);
    return true;
}

/* The name of the next member, of the object whose bracket, or the comma before it, was taken. False when there is none. */
static bool take_name(struct scan *scan, struct arena *arena, struct slice *name)
{
    scan_skip_blanks(scan);
    if (scan_peek(scan) != '"')
        return false;
    *name = scan_take_string(scan);
    return scan_take(scan, ':') && read_name(arena, name);
}

/* Its value. False when it is not there as a whole: what reaches the end may be cut off. */
static bool take_value(struct scan *scan, struct slice *value)
{
    size_t first;

    scan_skip_blanks(scan);
    first = scan->next;
    scan_skip_value(scan);
    *value = (struct slice){ scan->at + first, scan->next - first };
    return value->len > 0 && scan->next < scan->len;
}

static struct slice read_id(struct arena *arena, struct slice raw)
{
    struct json_text text = json_read(arena, raw.at, raw.len, &one_value);
    struct buf       out;

    if (!rpc_is_token(text.root) || text.bad_utf8)
        return NOTHING;
    buf_init(&out, arena, 32, 2 * SCAN_ID_MAX);
    if (yyjson_is_real(text.root))
        buf_add(&out, raw.at, raw.len);
    else
        json_value(&out, text.root);
    return out.failed ? NOTHING : buf_slice(&out);
}

struct slice rpc_scan_id(struct arena *arena, struct slice text)
{
    struct scan  scan = scan_of(text);
    struct slice name, value, id = NOTHING;

    if (!scan_take(&scan, '{'))
        return NOTHING;
    do {
        if (!take_name(&scan, arena, &name))
            break;
        if (slice_is(name, "result") || slice_is(name, "error") || (slice_is(name, "id") && id.at))
            return NOTHING;
        if (!take_value(&scan, &value))
            break;
        if (slice_is(name, "id"))
            id = value;
    } while (scan_take(&scan, ','));
    return id.at ? read_id(arena, id) : NOTHING;
}

struct slice rpc_scan_method(struct arena *arena, struct slice text)
{
    struct scan  scan = scan_of(text);
    struct slice name, value;

    if (!scan_take(&scan, '{'))
        return NOTHING;
    do {
        if (!take_name(&scan, arena, &name) || !take_value(&scan, &value))
            break;
        if (slice_is(name, "method"))
            return rpc_text(json_read(arena, value.at, value.len, &one_value).root);
    } while (scan_take(&scan, ','));
    return NOTHING;
}
