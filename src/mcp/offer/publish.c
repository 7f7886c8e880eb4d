/* publish.c - the texts that never change while a server runs. What differs between eras is written for each, so that a
 * request only copies.
 */
#include "mcp/offer/publish.h"

#include <string.h>

#include "json/read.h"
#include "json/write.h"
#include "mcp/era.h"
#include "mcp/exchange.h"
#include "mcp/phrases.h"

#define IDENTITY_MAX ((size_t)64 << 10)

static const struct tn_json_limits meta_limits = { (size_t)64 << 10, 32, 10000 };

/* ---- Pieces -------------------------------------------------------------------------------------------------- */

void tn_publish_member(struct tn_buf *out, const char *key, const char *text)
{
    if (!text)
        return;
    tn_result_key(out, key);
    tn_json_string(out, text, strlen(text));
}

bool tn_publish_icons_sound(tenon_server *server, const char *name, const tenon_icon *icons, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!icons[i].src ||
            (strncmp(icons[i].src, "https:", 6) != 0 && strncmp(icons[i].src, "data:", 5) != 0)) {
            tn_core_mistake(server, SAY_BAD_ICON, name);
            return false;
        }
    return true;
}

bool tn_publish_meta_sound(tenon_server *server, const char *name, const char *meta)
{
    struct tn_json_text read;

    if (!meta)
        return true;
    read = tn_json_read(&server->arena, meta, strlen(meta), &meta_limits);
    if (yyjson_is_obj(read.root) && !read.bad_utf8)
        return true;
    tn_core_mistake(server, SAY_BAD_META, name);
    return false;
}

void tn_publish_meta(struct tn_buf *out, const char *meta)
{
    if (!meta)
        return;
    tn_buf_lit(out, ",\"_meta\":");
    tn_json_line(out, meta, strlen(meta));
}

static void write_sizes(struct tn_buf *out, const char *sizes)
{
    struct tn_slice rest  = tn_slice_of(sizes), part;
    bool            first = true;

    if (!sizes)
        return;
    tn_buf_lit(out, ",\"sizes\":[");
    while (tn_slice_split(&rest, ',', &part)) {
        part = tn_slice_trim(part);
        if (!first)
            tn_buf_char(out, ',');
        tn_json_string(out, part.at, part.len);
        first = false;
    }
    tn_buf_char(out, ']');
}

void tn_publish_icons(struct tn_buf *out, const tenon_icon *icons, size_t count)
{
    if (count == 0)
        return;
    tn_buf_lit(out, ",\"icons\":[");
    for (size_t i = 0; i < count; i++) {
        tn_buf_text(out, i > 0 ? ",{" : "{");
        tn_publish_member(out, "src", icons[i].src);
        tn_publish_member(out, "mimeType", icons[i].mime);
        write_sizes(out, icons[i].sizes);
        tn_publish_member(out, "theme", icons[i].theme);
        tn_buf_char(out, '}');
    }
    tn_buf_char(out, ']');
}

/* ---- Tools --------------------------------------------------------------------------------------------------- */

/* What it publishes is written when it is first listed. */
static tenon_status check_tool_entry(tenon_server *server, const struct tn_entry *entry)
{
    const tenon_info *info = &entry->tool->info;

    if (!tn_publish_meta_sound(server, entry->name.at, info->meta) ||
        !tn_publish_icons_sound(server, entry->name.at, info->icons, info->icon_count))
        return TENON_E_DECLARATION;
    return TENON_OK;
}

/* ---- The server ---------------------------------------------------------------------------------------------- */

static struct tn_slice write_identity(tenon_server *server)
{
    const tenon_server_options *options = &server->options;
    struct tn_buf               out;

    tn_buf_init(&out, &server->arena, 0, IDENTITY_MAX);
    tn_buf_char(&out, '{');
    tn_publish_member(&out, "name", server->name);
    tn_publish_member(&out, "version", server->version);
    tn_publish_member(&out, "title", options->title);
    tn_publish_member(&out, "description", options->description);
    tn_publish_member(&out, "websiteUrl", options->website);
    tn_publish_icons(&out, options->icons, options->icon_count);
    tn_buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return tn_buf_slice(&out);
}

static bool any_of(const tenon_server *server, enum tn_list list)
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

static void write_extensions(const tenon_server *server, struct tn_buf *out)
{
    bool tasks = any_task(server), skills = any_of(server, LIST_SKILLS);

    if (!tasks && !skills)
        return;
    tn_buf_lit(out, ",\"extensions\":{");
    if (tasks)
        tn_buf_lit(out, "\"" EXTENSION_TASKS "\":{}");
    if (tasks && skills)
        tn_buf_char(out, ',');
    if (skills)
        tn_buf_lit(out, "\"" EXTENSION_SKILLS "\":{\"directoryRead\":true}");
    tn_buf_char(out, '}');
}

static struct tn_slice write_capabilities(tenon_server *server, bool modern)
{
    struct tn_buf out;

    tn_buf_init(&out, &server->arena, 0, IDENTITY_MAX);
    tn_buf_lit(&out, "{\"logging\":{}");
    if (any_of(server, LIST_TOOLS))
        tn_buf_lit(&out, ",\"tools\":{\"listChanged\":true}");
    if (any_of(server, LIST_PROMPTS))
        tn_buf_lit(&out, ",\"prompts\":{\"listChanged\":true}");
    if (any_of(server, LIST_RESOURCES) || any_of(server, LIST_TEMPLATES))
        tn_buf_text(&out, any_watched(server) ? ",\"resources\":{\"subscribe\":true,\"listChanged\":true}"
                                              : ",\"resources\":{\"listChanged\":true}");
    if (any_completion(server))
        tn_buf_lit(&out, ",\"completions\":{}");
    if (modern)
        write_extensions(server, &out);
    tn_buf_char(&out, '}');
    server->arena.failed |= out.failed;
    return tn_buf_slice(&out);
}

static tenon_status publish_list(tenon_server *server, enum tn_list list)
{
    tenon_status all = TENON_OK;

    for (size_t i = 0; i < server->lists[list].count; i++) {
        struct tn_entry *entry = &server->lists[list].at[i];
        tenon_status     status;

        switch (list) {
        case LIST_TOOLS: status = check_tool_entry(server, entry); break;
        case LIST_PROMPTS: /* of one that is wrong there is nothing to publish */
            status = entry->compiled ? tn_publish_prompt(server, entry) : TENON_E_DECLARATION;
            break;
        case LIST_SKILLS: status = TENON_OK; break; /* written when it was declared */
        default: status = tn_publish_resource(server, entry, list == LIST_TEMPLATES); break;
        }
        if (status != TENON_OK)
            all = status;
    }
    return all;
}

tenon_status tn_publish_server(tenon_server *server)
{
    bool sound = tn_publish_icons_sound(server, server->name, server->options.icons,
                                        server->options.icon_count);

    for (size_t list = 0; list < LISTS; list++)
        sound &= publish_list(server, (enum tn_list)list) == TENON_OK;
    if (!sound)
        return TENON_E_DECLARATION;
    server->identity        = write_identity(server);
    server->capabilities[0] = write_capabilities(server, false);
    server->capabilities[1] = write_capabilities(server, true);
    return TENON_OK;
}
