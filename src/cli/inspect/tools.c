/* tools.c - `tenon tools TARGET`: what a server offers, in short. */
#include <string.h>

#include "cli/inspect/tool_text.h"
#include "cli/listing.h"
#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"
#include "json/write.h"

#define NAME_SHOWN_MAX 200 /* bytes of a name in a warning */

static const struct option table[] = { REMOTE_TABLE };

static void print_help(FILE *to)
{
    fputs("Usage: tenon tools [OPTION]... TARGET [TOOL]\n"
          "       tenon tools [OPTION]... [TOOL] -- COMMAND [ARGUMENT]...\n\n"
          "Lists the tools of an MCP server, or shows one of them whole. TARGET is an address that\n"
          "begins with http:// or https://, the name of a server in a client's file (tenon servers\n"
          "lists them), or a command line, which is started and used over its standard input and\n"
          "output. No shell is involved: spaces separate words, quotes hold them together.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or the server cannot be used.\n", to);
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

struct tools_listing {
    struct remote *remote;
    size_t         count;
    struct tn_buf  raw; /* the tools of all pages, byte for byte */
};

static bool is_left_out(struct remote *remote, yyjson_val *tool)
{
    const char     *mistake = listing_mistake(remote, tool);
    struct tn_slice name    = value_text(tool, "name");

    if (mistake)
        console_warn(remote->console, "the tool '%.*s' is left out: %s",
                     (int)(name.len < NAME_SHOWN_MAX ? name.len : NAME_SHOWN_MAX), name.at, mistake);
    return mistake != NULL;
}

static bool print_page(void *user, yyjson_val *tools, struct tn_slice text)
{
    struct tools_listing *listing = user;
    yyjson_val           *tool;
    size_t                index, count;

    if (listing->remote->raw) {
        text = tn_slice_trim((struct tn_slice){ text.at + 1, text.len - 2 });
        if (listing->raw.len > 0 && text.len > 0)
            tn_buf_char(&listing->raw, ',');
        tn_buf_add(&listing->raw, text.at, text.len);
        return !listing->raw.failed;
    }
    yyjson_arr_foreach(tools, index, count, tool)
    {
        if (is_left_out(listing->remote, tool))
            continue;
        if (listing->count++ > 0)
            fputc('\n', listing->remote->console->out);
        tool_text_short(listing->remote, tool);
    }
    return !ferror(listing->remote->console->out);
}

static bool print_raw(struct tools_listing *listing)
{
    const struct console *console = listing->remote->console;

    if (listing->raw.failed) {
        console_error(console, "the list of tools is too long");
        return false;
    }
    fputs("{\"tools\":[", console->out);
    show_raw_part(console->out, tn_buf_slice(&listing->raw));
    fputs("]}\n", console->out);
    return true;
}

static enum ending list_tools(struct remote *remote)
{
    struct tools_listing listing = { .remote = remote };

    tn_buf_init(&listing.raw, &remote->arena, 0, MESSAGE_LEN_MAX * 4);
    if (!listing_visit(remote, print_page, &listing) || (remote->raw && !print_raw(&listing)))
        return ENDING_UNUSABLE;
    if (!remote->raw && listing.count == 0)
        console_warn(remote->console, "the server has no tools");
    return ENDING_GOOD;
}

static enum ending show_tool(struct remote *remote, const char *name)
{
    yyjson_val   *tool = listing_find(remote, name);
    struct tn_buf raw;

    if (!tool)
        return ENDING_UNUSABLE;
    if (!remote->raw) {
        tool_text_whole(remote, tool);
        return ENDING_GOOD;
    }
    tn_buf_init(&raw, &remote->arena, 0, MESSAGE_LEN_MAX * 2);
    tn_json_value(&raw, tool);
    show_raw(remote->console->out, tn_buf_slice(&raw));
    return raw.failed ? ENDING_UNUSABLE : ENDING_GOOD;
}

static enum ending tools_run(const struct console *console, int count, char **arguments)
{
    struct remote remote = { .console = console, .command = "tools", .help = print_help };
    enum ending   ending = ENDING_UNUSABLE;
    size_t        needed; /* operands before TOOL */

    if (remote_read(&remote, table, REMOTE_OPTIONS, count, arguments)) {
        needed = remote.word_count ? 0 : 1;
        if (remote.told)
            ending = ENDING_GOOD;
        else if (remote.operand_count < needed || remote.operand_count > needed + 1)
            remote_wrong(&remote, remote.operand_count
                                      ? "a TARGET and a TOOL only; quote a command line, or put it after --"
                                      : "a TARGET is needed: an address, a name or a command");
        else if (remote_open(&remote, needed ? remote.operands[0] : NULL))
            ending = remote.operand_count > needed ? show_tool(&remote, remote.operands[needed])
                                                   : list_tools(&remote);
    }
    remote_close(&remote);
    return ending;
}

const struct command command_tools = { "tools", "list the tools of an MCP server", tools_run };
