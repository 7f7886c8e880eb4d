/* publish.c - the texts that never change while a server runs. What differs between eras is written for each, so that a
 * request only copies.
 */
#include "mcp/offer/publish.h"

#include <string.h>

#include "answer/toolbox.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/era.h"
#include "mcp/exchange.h"
#include "mcp/phrases.h"

#define ENTRY_MAX    ((size_t)4 << 20)
#define IDENTITY_MAX ((size_t)64 << 10)

static const struct json_limits meta_limits = { (size_t)64 << 10, 32, 10000 };

/* ---- Pieces -------------------------------------------------------------------------------------------------- */

static void member(struct buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    result_key(out, key);
    json_string(out, text, strlen(text));
}

bool publish_icons_sound(tenon_server *server, const char *name, const tenon_icon *icons, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!icons[i].src ||
            (strncmp(icons[i].src, "https:", 6) != 0 && strncmp(icons[i].src, "data:", 5) != 0)) {
            core_mistake(server, SAY_BAD_ICON, name);
            return false;
        }
    return true;
}

bool publish_meta_sound(tenon_server *server, const char *name, const char *meta)
{
    struct json_text read;

    if (!meta)
        return true;
    read = json_read(&server->arena, meta, strlen(meta), &meta_limits);
    if (yyjson_is_obj(read.root) && !read.bad_utf8)
        return true;
    core_mistake(server, SAY_BAD_META, name);
    return false;
}

void publish_meta(struct buf *out, const char *meta)
{
    if (!meta)
        return;
    buf_lit(out, ",\"_meta\":");
    json_line(out, meta, strlen(meta));
}

static void write_sizes(struct buf *out, const char *sizes)
{
    struct slice rest  = slice_of(sizes), part;
    bool         first = true;

    if (!sizes)
        return;
    buf_lit(out, ",\"sizes\":[");
    while (slice_split(&rest, ',', &part)) {
        part = slice_trim(part);
        if (!first)
            buf_char(out, ',');
        json_string(out, part.at, part.len);
        first = false;
    }
    buf_char(out, ']');
}

void publish_icons(struct buf *out, const tenon_icon *icons, size_t count)
{
    if (count == 0)
        return;
    buf_lit(out, ",\"icons\":[");
    for (size_t i = 0; i < count; i++) {
        buf_text(out, i > 0 ? ",{" : "{");
        member(out, "src", icons[i].src);
        member(out, "mimeType", icons[i].mime);
        write_sizes(out, icons[i].sizes);
        member(out, "theme", icons[i].theme);
        buf_char(out, '}');
    }
    buf_char(out, ']');
}

/* ---- Tools --------------------------------------------------------------------------------------------------- */

/* Each hint is true, false, or not said. */
static void write_hints(struct buf *out, unsigned hints)
{
    static const struct {
        unsigned    bit;
        const char *name;
    } names[] = { { TENON_READ_ONLY, "readOnlyHint" },
                  { TENON_DESTRUCTIVE, "destructiveHint" },
                  { TENON_IDEMPOTENT, "idempotentHint" },
                  { TENON_OPEN_WORLD, "openWorldHint" } };

    if (hints == 0)
        return;
    buf_lit(out, ",\"annotations\":{");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(hints & (names[i].bit | TENON_HINT_NOT(names[i].bit))))
            continue;
        result_key(out, names[i].name);
        buf_text(out, hints & names[i].bit ? "true" : "false");
    }
    buf_char(out, '}');
}

/* `old` is before 2025-06-18, which knows neither titles nor schemas of results. */
static struct slice write_tool(tenon_server *server, const struct entry *entry, bool old)
{
    const tenon_tool_view *view = &entry->compiled->view;
    const tenon_info      *info = &entry->tool->info;
    const char *input = server->portable && view->portable_input ? view->portable_input : view->input;
    struct buf  out;

    buf_init(&out, &server->arena, 0, ENTRY_MAX);
    buf_char(&out, '{');
    member(&out, "name", view->name);
    if (!old)
        member(&out, "title", view->title);
    member(&out, "description", view->doc);
    buf_lit(&out, ",\"inputSchema\":");
    json_line(&out, input, strlen(input));
    if (!old && view->output) {
        buf_lit(&out, ",\"outputSchema\":");
        buf_text(&out, view->output);
    }
    write_hints(&out, info->hints);
    publish_icons(&out, info->icons, info->icon_count);
    publish_meta(&out, info->meta);
    buf_char(&out, '}');
    buf_keep(&out);
    server->arena.failed |= out.failed;
    return buf_slice(&out);
}

static tenon_status publish_tool_entry(tenon_server *server, struct entry *entry)
{
    const tenon_info *info = &entry->tool->info;

    if (!publish_meta_sound(server, entry->name.at, info->meta) ||
        !publish_icons_sound(server, entry->name.at, info->icons, info->icon_count))
        return TENON_E_DECLARATION;
    entry->modern = entry->legacy = write_tool(server, entry, false);
    entry->old                    = write_tool(server, entry, true);
    return TENON_OK;
}

/* ---- The server ---------------------------------------------------------------------------------------------- */

static struct slice write_identity(tenon_server *server)
{
    const tenon_server_options *options = &server->options;
    struct buf                  out;

    buf_init(&out, &server->arena, 0, IDENTITY_MAX);
    buf_char(&out, '{');
    member(&out, "name", server->name);
    member(&out, "version", server->version);
    member(&out, "title", options->title);
    member(&out, "description", options->description);
    member(&out, "websiteUrl", options->website);
    publish_icons(&out, options->icons, options->icon_count);
    buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return buf_slice(&out);
}

static bool any_of(const tenon_server *server, enum list list)
{
    return server->lists[list].count > 0;
}

static bool any_completion(const tenon_server *server)
{
    return any_of(server, LIST_PROMPTS) || any_of(server, LIST_TEMPLATES);
}

static bool any_watched(const tenon_server *server)
{
    for (size_t list = LIST_RESOURCES; list <= LIST_TEMPLATES; list++)
        for (size_t i = 0; i < server->lists[list].count; i++)
            if (server->lists[list].at[i].resource->watched)
                return true;
    return false;
}

static bool any_task(const tenon_server *server)
{
    for (size_t i = 0; i < server->lists[LIST_TOOLS].count; i++)
        if (server->lists[LIST_TOOLS].at[i].tool->info.task != TENON_TASK_NEVER)
            return true;
    return false;
}

static void write_extensions(const tenon_server *server, struct buf *out)
{
    bool tasks = any_task(server), skills = any_of(server, LIST_SKILLS);

    if (!tasks && !skills)
        return;
    buf_lit(out, ",\"extensions\":{");
    if (tasks)
        buf_lit(out, "\"" EXTENSION_TASKS "\":{}");
    if (tasks && skills)
        buf_char(out, ',');
    if (skills)
        buf_lit(out, "\"" EXTENSION_SKILLS "\":{\"directoryRead\":true}");
    buf_char(out, '}');
}

static struct slice write_capabilities(tenon_server *server, bool modern)
{
    struct buf out;

    buf_init(&out, &server->arena, 0, IDENTITY_MAX);
    buf_lit(&out, "{\"logging\":{}");
    if (any_of(server, LIST_TOOLS))
        buf_lit(&out, ",\"tools\":{\"listChanged\":true}");
    if (any_of(server, LIST_PROMPTS))
        buf_lit(&out, ",\"prompts\":{\"listChanged\":true}");
    if (any_of(server, LIST_RESOURCES) || any_of(server, LIST_TEMPLATES))
        buf_text(&out, any_watched(server) ? ",\"resources\":{\"subscribe\":true,\"listChanged\":true}"
                                           : ",\"resources\":{\"listChanged\":true}");
    if (any_completion(server))
        buf_lit(&out, ",\"completions\":{}");
    if (modern)
        write_extensions(server, &out);
    buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return buf_slice(&out);
}

static tenon_status publish_list(tenon_server *server, enum list list)
{
    for (size_t i = 0; i < server->lists[list].count; i++) {
        struct entry *entry = &server->lists[list].at[i];
        tenon_status  status;

        switch (list) {
        case LIST_TOOLS: status = publish_tool_entry(server, entry); break;
        case LIST_PROMPTS: status = publish_prompt(server, entry); break;
        case LIST_SKILLS: status = TENON_OK; break; /* written when it was declared */
        default: status = publish_resource(server, entry, list == LIST_TEMPLATES); break;
        }
        if (status != TENON_OK)
            return status;
    }
    return TENON_OK;
}

tenon_status publish_server(tenon_server *server)
{
    for (size_t list = 0; list < LISTS; list++)
        if (publish_list(server, (enum list)list) != TENON_OK)
            return TENON_E_DECLARATION;
    if (!publish_icons_sound(server, server->name, server->options.icons, server->options.icon_count))
        return TENON_E_DECLARATION;
    server->identity        = write_identity(server);
    server->capabilities[0] = write_capabilities(server, false);
    server->capabilities[1] = write_capabilities(server, true);
    return TENON_OK;
}
