/* era.c - distinguishing revisions, and the rules that only the modern one has. */
#include "mcp/era.h"

#include <tenon/ask.h>

#include <sodium.h>
#include <string.h>

#include "base/utf8.h"
#include "mcp/phrases.h"

/* ---- Versions and levels ------------------------------------------------------------------------------------- */

static const char *const versions[VERSIONS] = {
    [V2024_11_05] = "2024-11-05",   [V2025_03_26] = "2025-03-26",   [V2025_06_18] = "2025-06-18",
    [V2025_11_25] = LEGACY_VERSION, [V2026_07_28] = MODERN_VERSION,
};

enum tn_version tn_version_of(struct tn_slice text)
{
    for (size_t i = VERSIONS; i-- > 0;)
        if (tn_slice_is(text, versions[i]))
            return (enum tn_version)i;
    return VERSION_NONE;
}

const char *tn_version_text(enum tn_version version)
{
    return versions[version];
}

enum tn_version tn_version_negotiated(yyjson_val *params)
{
    enum tn_version asked = tn_version_of(tn_rpc_text(tn_rpc_get(params, "protocolVersion")));

    return asked >= V2026_07_28 ? VERSION_LEGACY : asked;
}

static const char *const levels[] = { "debug", "info",     "notice", "warning",
                                      "error", "critical", "alert",  "emergency" };

int tn_level_of(struct tn_slice name)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (tn_slice_is(name, levels[i]))
            return (int)i;
    return -1;
}

const char *tn_level_text(int level)
{
    return levels[level];
}

/* Revisions are dates: what is no earlier than the first without a handshake is meant to be modern, known or not. */
static bool is_modern_date(struct tn_slice text)
{
    const char *first = versions[V2026_07_28];

    if (text.len != strlen(first))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (first[i] == '-' ? text.at[i] != '-' : text.at[i] < '0' || text.at[i] > '9')
            return false;
    return memcmp(text.at, first, text.len) >= 0;
}

/* ---- Capabilities of clients --------------------------------------------------------------------------------- */

unsigned tn_abilities_of(yyjson_val *capabilities)
{
    yyjson_val *elicitation = tn_rpc_get(capabilities, "elicitation");
    yyjson_val *sampling    = tn_rpc_get(capabilities, "sampling");
    yyjson_val *url = tn_rpc_get(elicitation, "url"), *form = tn_rpc_get(elicitation, "form");
    unsigned    found = 0;

    if (yyjson_is_obj(elicitation) && (form || !url)) /* an empty one means forms */
        found |= TENON_CAN_ELICIT;
    if (yyjson_is_obj(url))
        found |= TENON_CAN_ELICIT_URL;
    if (yyjson_is_obj(sampling))
        found |= TENON_CAN_SAMPLE;
    if (yyjson_is_obj(tn_rpc_get(sampling, "tools")))
        found |= TENON_CAN_SAMPLE_TOOLS;
    if (yyjson_is_obj(tn_rpc_get(capabilities, "roots")))
        found |= TENON_CAN_LIST_ROOTS;
    if (yyjson_is_obj(tn_rpc_get(tn_rpc_get(capabilities, "extensions"), EXTENSION_TASKS)))
        found |= ABILITY_TASKS;
    return found;
}

void tn_abilities_write(struct tn_buf *out, unsigned abilities)
{
    size_t start;

    tn_buf_char(out, '{');
    start = out->len;
    if (abilities & TENON_CAN_ELICIT_URL)
        tn_buf_text(out, abilities & TENON_CAN_ELICIT ? ",\"elicitation\":{\"form\":{},\"url\":{}}"
                                                      : ",\"elicitation\":{\"url\":{}}");
    else if (abilities & TENON_CAN_ELICIT)
        tn_buf_lit(out, ",\"elicitation\":{}");
    if (abilities & TENON_CAN_SAMPLE_TOOLS)
        tn_buf_lit(out, ",\"sampling\":{\"tools\":{}}");
    else if (abilities & TENON_CAN_SAMPLE)
        tn_buf_lit(out, ",\"sampling\":{}");
    if (abilities & TENON_CAN_LIST_ROOTS)
        tn_buf_lit(out, ",\"roots\":{}");
    if (abilities & ABILITY_TASKS)
        tn_buf_lit(out, ",\"extensions\":{\"" EXTENSION_TASKS "\":{}}");
    if (!out->failed && out->len > start) { /* the first comma is one too many */
        memmove(out->at + start, out->at + start + 1, out->len - start - 1);
        out->len--;
    }
    tn_buf_char(out, '}');
}

/* ---- Era ----------------------------------------------------------------------------------------------------- */

static struct tn_era era_fault(int code, const char *text)
{
    return (struct tn_era){ .kind = ERA_FAULT, .code = code, .fault = text };
}

/* The order matters to clients: a header that differs outranks a version that is not supported. */
static struct tn_era read_envelope(yyjson_val *meta, const struct tn_http_facts *http)
{
    struct tn_era   era      = { .kind = ERA_MODERN, .log_level = -1 };
    struct tn_slice version  = tn_rpc_text(tn_rpc_get(meta, META_VERSION));
    yyjson_val *capabilities = tn_rpc_get(meta, META_CAPABILITIES), *level = tn_rpc_get(meta, META_LOG_LEVEL);

    if (!version.at)
        return era_fault(RPC_INVALID_PARAMS, SAY_BAD_VERSION);
    if (http && http->version.at &&
        (http->version.len != version.len || memcmp(http->version.at, version.at, version.len) != 0))
        return era_fault(RPC_HEADER_MISMATCH, SAY_VERSION_DIFFERS);
    if (!yyjson_is_obj(capabilities))
        return era_fault(RPC_INVALID_PARAMS, SAY_NO_CAPABILITIES);
    era.version = tn_version_of(version);
    if (era.version != V2026_07_28) {
        era           = era_fault(RPC_NO_VERSION, SAY_NO_VERSION);
        era.requested = version;
        return era;
    }
    era.abilities = tn_abilities_of(capabilities);
    if (level) {
        era.log_level = tn_level_of(tn_rpc_text(level));
        if (era.log_level < 0)
            return era_fault(RPC_INVALID_PARAMS, SAY_BAD_LEVEL);
    }
    return era;
}

/* A notification is answered by nothing but 202: what names the revision, its envelope or its header, is enough, and
 * capabilities are of no use. One that names another revision than ours is not modern. */
static struct tn_era notification_era(yyjson_val *meta, const struct tn_http_facts *http)
{
    yyjson_val     *given   = tn_rpc_get(meta, META_VERSION);
    struct tn_slice version = given  ? tn_rpc_text(given)
                              : http ? http->version
                                     : (struct tn_slice){ NULL, 0 };

    return tn_version_of(version) == V2026_07_28
               ? (struct tn_era){ .kind = ERA_MODERN, .version = V2026_07_28, .log_level = -1 }
               : (struct tn_era){ .kind = ERA_LEGACY, .log_level = -1 };
}

struct tn_era tn_era_of(const struct tn_rpc *rpc, const struct tn_http_facts *http)
{
    yyjson_val   *meta      = tn_rpc_get(rpc->params, "_meta");
    bool          enveloped = tn_rpc_get(meta, META_VERSION) != NULL;
    bool          header    = http && is_modern_date(http->version);
    struct tn_era legacy    = { .kind = ERA_LEGACY, .log_level = -1 };

    if (rpc->kind == RPC_RESPONSE)
        return legacy;
    if (rpc->kind == RPC_NOTIFICATION)
        return notification_era(meta, http);
    if (tn_slice_is(rpc->method, "initialize")) {
        struct tn_era era = enveloped ? read_envelope(meta, http) : legacy;

        if (enveloped && era.kind == ERA_MODERN)
            return era;
        return header ? era_fault(RPC_HEADER_MISMATCH, SAY_INIT_MODERN) : legacy;
    }
    if (enveloped)
        return read_envelope(meta, http);
    if (header)
        return era_fault(RPC_INVALID_PARAMS, SAY_NO_ENVELOPE);
    return legacy;
}

/* ---- Headers ------------------------------------------------------------------------------------------------- */

#define CODED_BEGIN "=?base64?"
#define CODED_END   "?="

static bool is_plain(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < 0x20 || (unsigned char)text.at[i] > 0x7e)
            return false;
    return true;
}

bool tn_era_header_decode(struct tn_slice header, struct tn_arena *arena, struct tn_slice *value)
{
    const size_t   around = sizeof CODED_BEGIN - 1 + sizeof CODED_END - 1;
    const char    *inside = header.at + sizeof CODED_BEGIN - 1;
    unsigned char *raw;
    char          *again;
    size_t         len, room;

    if (header.len < around || memcmp(header.at, CODED_BEGIN, sizeof CODED_BEGIN - 1) != 0 ||
        memcmp(header.at + header.len - 2, CODED_END, 2) != 0) {
        *value = header;
        return is_plain(header);
    }
    len   = header.len - around;
    raw   = tn_arena_take(arena, len + 1, 1);
    room  = sodium_base64_encoded_len(len + 1, sodium_base64_VARIANT_ORIGINAL);
    again = tn_arena_take(arena, room, 1);
    if (!raw || !again || len % 4 != 0 ||
        sodium_base642bin(raw, len + 1, inside, len, NULL, &room, NULL, sodium_base64_VARIANT_ORIGINAL) != 0)
        return false;
    /* Canonical: what encodes to the same text again. */
    sodium_bin2base64(again, sodium_base64_encoded_len(len + 1, sodium_base64_VARIANT_ORIGINAL), raw, room,
                      sodium_base64_VARIANT_ORIGINAL);
    if (strlen(again) != len || memcmp(again, inside, len) != 0)
        return false;
    *value = (struct tn_slice){ (const char *)raw, room };
    return tn_utf8_valid(value->at, value->len);
}

/* What Mcp-Name repeats; `at` NULL when the method has none, or the body lacks it. */
static struct tn_slice era_name_of(const struct tn_rpc *rpc, bool *wanted)
{
    static const struct {
        const char *method, *member;
    } named[] = {
        { "tools/call", "name" },  { "prompts/get", "name" },    { "resources/read", "uri" },
        { "tasks/get", "taskId" }, { "tasks/update", "taskId" }, { "tasks/cancel", "taskId" },
    };

    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (tn_slice_is(rpc->method, named[i].method)) {
            *wanted = true;
            return tn_rpc_text(tn_rpc_get(rpc->params, named[i].member));
        }
    *wanted = false;
    return (struct tn_slice){ NULL, 0 };
}

const char *tn_era_header_fault(const struct tn_rpc *rpc, const struct tn_http_facts *http,
                                struct tn_arena *arena)
{
    struct tn_slice value, name;
    bool            wanted;

    if (!http->version.at)
        return SAY_VERSION_HEADER;
    if (!http->method.at)
        return SAY_METHOD_MISSING;
    if (!tn_era_header_decode(http->method, arena, &value) || !tn_slice_same(value, rpc->method))
        return SAY_METHOD_DIFFERS;
    name = era_name_of(rpc, &wanted);
    if (!wanted || !name.at) /* what the body lacks is the body's fault */
        return NULL;
    if (!http->name.at)
        return SAY_NAME_MISSING;
    if (!tn_era_header_decode(http->name, arena, &value) || !tn_slice_same(value, name))
        return SAY_NAME_DIFFERS;
    return NULL;
}
