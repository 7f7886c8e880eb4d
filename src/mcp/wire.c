/* wire.c - copies of what came and went, without credentials. When in doubt, hidden. */
#define _GNU_SOURCE
#include "mcp/wire.h"

#include <string.h>

#include "answer/audit.h"
#include "base/memory.h"
#include "json/write.h"
#include "mcp/exchange.h"
#include "mcp/receive.h"
#include "text/secret.h"

#define SHOWN_MAX ((size_t)64)
#define HEAD_BYTES    ((size_t)4 << 10)
#define HIDDEN      "[hidden]"

struct tn_wire {
    tenon_allocator memory;
    struct tn_arena arena;
    struct tn_slice head, request,
        answer; /* of a head: "Name: value" a line, '!' before one that repeats an argument */
    bool                request_cut, answer_cut;
    int                 status;
    struct tn_call_wire said;
};

/* ---- What comes and goes ---------------------------------------------------------------------------------------- */

static struct tn_slice copy_of(struct tn_wire *wire, struct tn_slice text, bool *cut)
{
    size_t len = text.len < CALL_WIRE_MAX ? text.len : CALL_WIRE_MAX;

    *cut = len < text.len;
    while (*cut && len > 0 && ((unsigned char)text.at[len] & 0xC0) == 0x80)
        len--;
    return (struct tn_slice){ tn_arena_copy(&wire->arena, text.at, len), len };
}

/* Values that are shown. All others may be credentials: names of headers are chosen by who runs the clients. */
static bool is_shown(struct tn_slice name)
{
    static const char *const shown[] = { "accept",
                                         "accept-encoding",
                                         "accept-language",
                                         "connection",
                                         "content-length",
                                         "content-type",
                                         "host",
                                         "mcp-method",
                                         "mcp-name",
                                         "mcp-protocol-version",
                                         "origin",
                                         "traceparent",
                                         "user-agent" };

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (tn_slice_fold_equal(name, tn_slice_of(shown[i])))
            return true;
    return false;
}

static bool is_param(struct tn_slice name)
{
    struct tn_slice prefix = SLICE_LIT("mcp-param-");

    return name.len > prefix.len && tn_slice_fold_equal((struct tn_slice){ name.at, prefix.len }, prefix);
}

static struct tn_slice head_of(struct tn_wire *wire, const struct tn_http_facts *http)
{
    struct tn_slice name, value;
    struct tn_buf   out;

    tn_buf_init(&out, &wire->arena, 512, HEAD_BYTES);
    for (size_t i = 0; i < SHOWN_MAX && http->header_at(http->user, i, &name, &value); i++) {
        if (is_param(name))
            tn_buf_char(&out, '!');
        else if (!is_shown(name))
            value = SLICE_LIT(HIDDEN);
        tn_buf_add(&out, name.at, name.len);
        tn_buf_lit(&out, ": ");
        tn_buf_add(&out, value.at, value.len);
        tn_buf_char(&out, '\n');
    }
    return tn_buf_slice(&out);
}

struct tn_wire *tn_wire_new(const struct tn_exchange *x, const struct tn_message_in *in)
{
    const tenon_allocator *memory = &x->server->memory;
    struct tn_wire        *wire   = x->server->observer.wire ? tn_memory_new(memory, sizeof *wire) : NULL;

    if (!wire)
        return NULL;
    *wire = (struct tn_wire){ .memory = *memory };
    tn_arena_init(&wire->arena, memory, 4 * CALL_WIRE_MAX);
    wire->request = copy_of(wire, in->bytes, &wire->request_cut);
    if (in->http && in->http->header_at)
        wire->head = head_of(wire, in->http);
    return wire;
}

void tn_wire_free(struct tn_wire *wire)
{
    tenon_allocator memory;

    if (!wire)
        return;
    memory = wire->memory;
    tn_arena_rest(&wire->arena, 0); /* overwritten */
    tn_arena_free(&wire->arena);
    tn_memory_free(&memory, wire, sizeof *wire);
}

void tn_wire_answer(struct tn_wire *wire, const struct tn_out *out)
{
    if (!wire)
        return;
    wire->status = out->status;
    wire->answer = copy_of(wire, out->json, &wire->answer_cut);
}

/* ---- What is shown of it ------------------------------------------------------------------------------------------- */

/* Does a member of this text hold a credential, also in a text inside of it? Names stand between quotes, before a colon; those
 * of inner texts have backslashes before the quotes. */
static bool has_secret_member(struct tn_slice text)
{
    const char *end = text.at + text.len, *at = text.len > 0 ? memchr(text.at, '"', text.len) : NULL;

    while (at) {
        const char *name = at + 1, *stop = memchr(name, '"', (size_t)(end - name)), *after = stop;

        if (!stop)
            return false;
        at = stop; /* it may end a name and begin the next text */
        while (++after < end && (*after == ' ' || *after == '\n' || *after == '\r' || *after == '\t'))
            ;
        while (stop > name && stop[-1] == '\\')
            stop--;
        if (after < end && *after == ':' &&
            tn_secret_is_key((struct tn_slice){ name, (size_t)(stop - name) }))
            return true;
    }
    return false;
}

/* The same message, with what is hidden. */
static struct tn_slice write_request(const struct tn_exchange *x, struct tn_arena *arena,
                                     struct tn_slice arguments)
{
    struct tn_buf   out;
    yyjson_obj_iter members;
    yyjson_val     *key;
    bool            first = true;

    tn_buf_init(&out, arena, 1024, CALL_WIRE_MAX);
    tn_buf_lit(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    tn_buf_add(&out, x->id.at, x->id.len);
    tn_buf_lit(&out, ",\"method\":\"tools/call\",\"params\":{");
    yyjson_obj_iter_init(x->params, &members);
    while ((key = yyjson_obj_iter_next(&members))) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);

        if (!first)
            tn_buf_char(&out, ',');
        first = false;
        tn_json_string(&out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_char(&out, ':');
        if (yyjson_equals_str(key, "arguments") && arguments.len > 0)
            tn_buf_add(&out, arguments.at, arguments.len);
        else if (yyjson_equals_str(key, "arguments") || tn_secret_is_in(value, SIZE_MAX))
            tn_buf_lit(&out, AUDIT_HIDDEN);
        else
            tn_json_value(&out, value);
    }
    tn_buf_lit(&out, "}}");
    return tn_buf_slice(&out);
}

/* Is anything of the request a secret, or not known to be none? */
static bool hides(const struct tn_exchange *x, struct tn_slice arguments)
{
    yyjson_obj_iter members;
    yyjson_val     *key;

    if (tn_rpc_get(x->params, "arguments") &&
        (arguments.len == 0 || memmem(arguments.at, arguments.len, AUDIT_HIDDEN, sizeof AUDIT_HIDDEN - 1)))
        return true;
    yyjson_obj_iter_init(x->params, &members);
    while ((key = yyjson_obj_iter_next(&members)))
        if (!yyjson_equals_str(key, "arguments") && tn_secret_is_in(yyjson_obj_iter_get_val(key), SIZE_MAX))
            return true;
    return false;
}

/* Headers that repeat arguments are shown where those are. */
static struct tn_slice shown_head(struct tn_wire *wire, bool hidden)
{
    const char   *at = wire->head.at, *end;
    struct tn_buf out;

    if (wire->head.len == 0) /* over standard streams there is none */
        return wire->head;
    end = at + wire->head.len;
    tn_buf_init(&out, &wire->arena, wire->head.len + 16, 2 * HEAD_BYTES);
    while (at < end) {
        const char *stop    = memchr(at, '\n', (size_t)(end - at)), *colon;
        bool        repeats = *at == '!';

        stop = stop ? stop + 1 : end;
        at += repeats;
        colon = memchr(at, ':', (size_t)(stop - at));
        if (repeats && hidden && colon) {
            tn_buf_add(&out, at, (size_t)(colon - at));
            tn_buf_lit(&out, ": " HIDDEN "\n");
        } else {
            tn_buf_add(&out, at, (size_t)(stop - at));
        }
        at = stop;
    }
    return tn_buf_slice(&out);
}

const struct tn_call_wire *tn_wire_report(const struct tn_exchange *x, struct tn_slice arguments)
{
    struct tn_wire *wire = x->wire;
    bool            hidden;

    if (!wire)
        return NULL;
    hidden     = hides(x, arguments);
    wire->said = (struct tn_call_wire){ .revision    = tn_version_text(x->version),
                                        .head        = shown_head(wire, hidden),
                                        .request     = wire->request,
                                        .answer      = wire->answer,
                                        .request_cut = wire->request_cut,
                                        .answer_cut  = wire->answer_cut,
                                        .hidden      = hidden,
                                        .status      = x->on_http ? wire->status : 0 };
    if (hidden)
        wire->said.request = write_request(x, &wire->arena, arguments);
    wire->said.withheld = wire->answer.len > 0 && (hidden || has_secret_member(wire->answer));
    if (wire->said.withheld)
        wire->said.answer = (struct tn_slice){ "", 0 };
    return wire->arena.failed ? NULL : &wire->said;
}
