/* offer.c - lists, from wherever they come. */
#include "contract/offer.h"

#include <stdarg.h>

#include "base/table.h"
#include "contract/phrases.h"
#include "json/write.h"
#include "mcp/era.h"
#include "mcp/rpc.h"

#define WHY_MAX    ((size_t)2000)
#define OFFER_MAX  ((size_t)64 << 20) /* bytes of one list */
#define NODES_MAX  ((size_t)8 << 20)
#define DEPTH_MAX  ((size_t)120)

TENON_PRINTF(3, 4)
static bool offer_refuse(struct tn_arena *arena, const char **why, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, arena, 0, WHY_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    *why = tn_buf_end(&text) ? text.at : SAY_MEMORY;
    return false;
}

/* ---- Definitions ------------------------------------------------------------------------------------------------ */

/* One that no name leads to cannot be approved. */
static void check_name(struct tn_definition *definition, struct tn_table *names, struct tn_arena *arena)
{
    if (definition->fault != CANONICAL_FINE)
        return;
    if (definition->name.len == 0)
        definition->fault = CANONICAL_SYNTAX;
    else if (tn_table_find(names, NULL, definition->name))
        definition->fault = CANONICAL_TWICE;
    else if (!tn_table_add(names, arena, NULL, definition->name, definition))
        definition->fault = CANONICAL_MEMORY;
}

/* The items of an array whose numbers are as they were written. */
static bool read_list(struct tn_offer *offer, struct tn_arena *arena, enum tn_kind kind, yyjson_val *array,
                      const tenon_strs *unpinned, const char **why)
{
    struct tn_offer_list *list  = &offer->kinds[kind];
    size_t                count = yyjson_arr_size(array);
    yyjson_arr_iter       each  = yyjson_arr_iter_with(array);
    struct tn_table       names = { 0 };
    yyjson_val           *item;

    if (count > LOCK_ITEMS_MAX)
        return offer_refuse(arena, why, SAY_OFFER_MANY, LOCK_ITEMS_MAX, tn_kind_plural(kind));
    list->at = tn_arena_array(arena, count + 1, struct tn_definition);
    while (list->at && (item = yyjson_arr_iter_next(&each))) {
        struct tn_definition *one = &list->at[list->count++];
        struct tn_buf         line;

        tn_buf_init(&line, arena, 1024, OFFER_MAX);
        tn_canonical_line(&line, item);
        *one = tn_definition_read(arena, kind, tn_buf_slice(&line), unpinned);
        check_name(one, &names, arena);
    }
    return !arena->failed || offer_refuse(arena, why, "%s", SAY_MEMORY);
}

static yyjson_val *read_text(struct tn_arena *arena, struct tn_slice text, const char **why)
{
    static const struct tn_json_limits limits = { OFFER_MAX, DEPTH_MAX, NODES_MAX };
    struct tn_json_text                read   = tn_json_read_literal(arena, text.at, text.len, &limits);

    switch (read.fault) {
    case JSON_FINE: break;
    case JSON_SYNTAX:
        offer_refuse(arena, why, SAY_OFFER_JSON, read.what ? read.what : SAY_CANONICAL_SYNTAX, read.at);
        break;
    case JSON_NO_MEMORY: offer_refuse(arena, why, "%s", SAY_MEMORY); break;
    case JSON_TOO_DEEP: offer_refuse(arena, why, SAY_OFFER_DEEP, DEPTH_MAX); break;
    case JSON_TOO_LONG: offer_refuse(arena, why, SAY_OFFER_LONG, OFFER_MAX); break;
    case JSON_TOO_MANY: offer_refuse(arena, why, SAY_OFFER_PARTS, NODES_MAX); break;
    }
    return read.root;
}

/* ---- Of a server ------------------------------------------------------------------------------------------------ */

static const char *method_of(enum tn_kind kind)
{
    return kind == KIND_TEMPLATE ? "resources/templates" : tn_kind_plural(kind);
}

static const char *member_of(enum tn_kind kind)
{
    return kind == KIND_TEMPLATE ? "resourceTemplates" : tn_kind_plural(kind);
}

/* Does it say that it has any? Tools are asked for in any case, but for a server that says what else it has. */
static bool is_offered(yyjson_val *capabilities, enum tn_kind kind)
{
    return yyjson_obj_get(capabilities, kind == KIND_TEMPLATE ? "resources" : tn_kind_plural(kind)) ||
           (kind == KIND_TOOL && yyjson_obj_size(capabilities) == 0);
}

static bool ask_list(struct tn_offer *offer, struct tn_arena *arena, tenon_client *client, enum tn_kind kind,
                     const tenon_strs *unpinned, const char **why)
{
    tenon_request *request = tenon_client_list(client, method_of(kind));
    yyjson_val    *error, *root;
    tenon_str      text;

    if (tenon_client_wait(request)) {
        text = tenon_request_text(request);
        root = read_text(arena, (struct tn_slice){ text.at, text.len }, why);
        return root && read_list(offer, arena, kind, yyjson_obj_get(root, member_of(kind)), unpinned, why);
    }
    error = (yyjson_val *)tenon_request_error(request);
    if (yyjson_get_sint(yyjson_obj_get(error, "code")) == RPC_NO_METHOD)
        return true;
    return offer_refuse(arena, why, SAY_OFFER_LIST, tn_kind_plural(kind),
                        request ? tenon_request_why(request) : tenon_client_error(client));
}

static struct tn_slice object_text(struct tn_arena *arena, yyjson_val *value)
{
    struct tn_buf out;

    if (!yyjson_is_obj(value))
        return SLICE_LIT("{}");
    tn_buf_init(&out, arena, 256, LOCK_BYTES_MAX);
    tn_json_value(&out, value);
    return tn_buf_end(&out) ? tn_buf_slice(&out) : SLICE_LIT("{}");
}

static struct tn_slice copied(struct tn_arena *arena, struct tn_slice text)
{
    return text.at ? (struct tn_slice){ tn_arena_copy(arena, text.at, text.len), text.len } : text;
}

const tenon_json *tn_offer_server_info(const tenon_json *about)
{
    const tenon_json *info = tenon_json_get(about, "serverInfo");

    return info ? info : tenon_json_get(tenon_json_get(about, "_meta"), META_SERVER_INFO);
}

bool tn_offer_ask(struct tn_offer *offer, struct tn_arena *arena, tenon_client *client,
                  const tenon_strs *unpinned, const char **why)
{
    yyjson_val *server, *capabilities;

    *offer = (struct tn_offer){ 0 };
    if (!tenon_client_ready(client))
        return offer_refuse(arena, why, "%s", tenon_client_error(client));
    server              = (yyjson_val *)tenon_client_server(client);
    capabilities        = yyjson_obj_get(server, "capabilities");
    offer->server       = object_text(arena, (yyjson_val *)tn_offer_server_info(tenon_client_server(client)));
    offer->capabilities = object_text(arena, capabilities);
    offer->era          = copied(arena, tn_slice_of(tenon_client_revision(client)));
    offer->instructions = copied(arena, tn_json_slice(yyjson_obj_get(server, "instructions")));
    for (size_t kind = 0; kind < KINDS; kind++)
        if (is_offered(capabilities, (enum tn_kind)kind) &&
            !ask_list(offer, arena, client, (enum tn_kind)kind, unpinned, why))
            return false;
    return true;
}

/* ---- Of a file -------------------------------------------------------------------------------------------------- */

/* Who the server is: of a saved list, its name and version. */
static struct tn_slice saved_server(struct tn_arena *arena, yyjson_val *root)
{
    struct tn_slice name    = tn_json_slice(yyjson_obj_get(root, "name"));
    struct tn_slice version = tn_json_slice(yyjson_obj_get(root, "version"));
    struct tn_buf   out;

    if (yyjson_is_obj(yyjson_obj_get(root, "serverInfo")) || !name.at) {
        tn_buf_init(&out, arena, 256, LOCK_BYTES_MAX);
        tn_canonical_line(&out, yyjson_obj_get(root, "serverInfo"));
        return tn_slice_is(tn_buf_slice(&out), "null") ? SLICE_LIT("{}") : tn_buf_slice(&out);
    }
    tn_buf_init(&out, arena, 256, LOCK_BYTES_MAX);
    tn_buf_lit(&out, "{\"name\":");
    tn_canonical_string(&out, name);
    if (version.at) {
        tn_buf_lit(&out, ",\"version\":");
        tn_canonical_string(&out, version);
    }
    tn_buf_char(&out, '}');
    return tn_buf_slice(&out);
}

bool tn_offer_read(struct tn_offer *offer, struct tn_arena *arena, struct tn_slice text,
                   const tenon_strs *unpinned, const char **why)
{
    yyjson_val *root = read_text(arena, text, why), *inner = yyjson_obj_get(root, "result");

    *offer = (struct tn_offer){ .capabilities = SLICE_LIT("{}"), .era = SLICE_LIT("") };
    if (!root)
        return false;
    if (yyjson_is_obj(inner))
        root = inner;
    if (!yyjson_is_arr(root) && !yyjson_is_arr(yyjson_obj_get(root, "tools")))
        return offer_refuse(arena, why, "%s", SAY_OFFER_FORM);
    offer->server       = saved_server(arena, root);
    offer->instructions = tn_json_slice(yyjson_obj_get(root, "instructions"));
    if (yyjson_is_str(yyjson_obj_get(root, "protocolVersion")))
        offer->era = tn_json_slice(yyjson_obj_get(root, "protocolVersion"));
    if (yyjson_is_arr(root))
        return read_list(offer, arena, KIND_TOOL, root, unpinned, why);
    for (size_t kind = 0; kind < KINDS; kind++) {
        yyjson_val *list = yyjson_obj_get(root, member_of((enum tn_kind)kind));

        if (yyjson_is_arr(list) && !read_list(offer, arena, (enum tn_kind)kind, list, unpinned, why))
            return false;
    }
    return true;
}

/* ---- Of a lock -------------------------------------------------------------------------------------------------- */

bool tn_offer_approved(struct tn_offer *offer, struct tn_arena *arena, const struct tn_lock_entry *entry)
{
    *offer = (struct tn_offer){ .server       = entry->server,
                                .capabilities = entry->capabilities,
                                .era          = entry->era,
                                .instructions = entry->instructions };
    for (size_t kind = 0; kind < KINDS; kind++) {
        const struct tn_pinned_list *from = &entry->kinds[kind];
        struct tn_offer_list        *list = &offer->kinds[kind];

        list->at = tn_arena_array(arena, from->count + 1, struct tn_definition);
        if (!list->at)
            return false;
        for (; list->count < from->count; list->count++)
            list->at[list->count] = from->at[list->count].definition;
    }
    return true;
}

const struct tn_definition *tn_offer_find(const struct tn_offer *offer, enum tn_kind kind,
                                          struct tn_slice name)
{
    const struct tn_offer_list *list = &offer->kinds[kind];

    for (size_t i = 0; i < list->count; i++)
        if (tn_slice_same(list->at[i].name, name))
            return &list->at[i];
    return NULL;
}
