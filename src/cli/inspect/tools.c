/* tools.c - `tenon tools TARGET`: what a server offers, in short. */
#include <string.h>

#include "cli/each.h"
#include "cli/listing.h"
#include "cli/param.h"
#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"
#include "json/write.h"

#define BOLD  "\x1b[1m"
#define PLAIN "\x1b[0m"

#define SENTENCE_MAX    200 /* bytes of a description that has no early end */
#define PARAMS_MAX      200
#define NAME_COLUMN_MAX 24
#define NAME_SHOWN_MAX  200 /* bytes of a name in a warning */

static const struct option table[] = { REMOTE_TABLE };

static void print_help(FILE *to)
{
    fputs("Usage: tenon tools [OPTION]... TARGET\n"
          "       tenon tools [OPTION]... -- COMMAND [ARGUMENT]...\n\n"
          "Lists the tools of an MCP server. TARGET is an address that begins with http:// or\n"
          "https://, or a command line, which is started and used over its standard input and\n"
          "output. No shell is involved: spaces separate words, quotes hold them together.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or the server cannot be used.\n", to);
}

/* ---- One tool ----------------------------------------------------------------------------------------------- */

/* Up to the first full stop before a blank, or the first line end. */
static struct tn_slice first_sentence(struct tn_slice text)
{
    text = tn_slice_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\n')
            return (struct tn_slice){ text.at, i };
        if (text.at[i] == '.' && (i + 1 == text.len || text.at[i + 1] == ' ' || text.at[i + 1] == '\n'))
            return (struct tn_slice){ text.at, i + 1 };
        if (i >= SENTENCE_MAX && text.at[i] == ' ')
            return (struct tn_slice){ text.at, i };
    }
    return text;
}

static bool is_required(yyjson_val *schema, yyjson_val *name)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(yyjson_obj_get(schema, "required"), index, count, one)
    {
        if (yyjson_equals(one, name))
            return true;
    }
    return false;
}

static void print_param(struct remote *remote, yyjson_val *schema, yyjson_val *name, yyjson_val *param,
                        size_t column)
{
    FILE         *to     = remote->console->out;
    yyjson_val   *preset = yyjson_obj_get(param, "default");
    size_t        len    = yyjson_get_len(name);
    struct tn_buf type;

    tn_buf_init(&type, &remote->arena, 128, MESSAGE_LEN_MAX);
    param_type(&type, &remote->arena, schema, param);
    if (is_required(schema, name))
        tn_buf_lit(&type, ", required");
    if (preset) {
        tn_buf_lit(&type, ", default ");
        tn_json_value(&type, preset);
    }
    fputs("    ", to);
    console_text(to, (struct tn_slice){ yyjson_get_str(name), len });
    fprintf(to, "%*s", (int)(len < column ? column - len + 2 : 2), "");
    console_text(to, tn_buf_slice(&type));
    fputc('\n', to);
}

static void print_params(struct remote *remote, yyjson_val *schema)
{
    yyjson_val *properties = yyjson_obj_get(schema, "properties"), *name, *param;
    size_t      column     = 0;

    EACH_MEMBER(properties, at, name, param)
    {
        size_t len = yyjson_get_len(name);

        if (len > column && len <= NAME_COLUMN_MAX)
            column = len;
    }
    EACH_MEMBER(properties, at, name, param)
    {
        if (at.idx > PARAMS_MAX) {
            fprintf(remote->console->out, "    and %zu more\n", at.max - PARAMS_MAX);
            return;
        }
        print_param(remote, schema, name, param, column);
    }
}

static void print_tool(struct remote *remote, yyjson_val *tool)
{
    FILE           *to       = remote->console->out;
    bool            coloured = remote->console->out_coloured;
    struct tn_slice title = value_text(tool, "title"), name = value_text(tool, "name"),
                    doc = value_text(tool, "description");

    if (title.len == 0)
        title = value_text(yyjson_obj_get(tool, "annotations"), "title");
    fputs(coloured ? BOLD : "", to);
    console_text(to, name);
    fputs(coloured ? PLAIN : "", to);
    if (title.len > 0) {
        fputs(" - ", to);
        console_text(to, title);
    }
    fputc('\n', to);
    if (doc.len > 0) {
        fputs("  ", to);
        console_text(to, first_sentence(doc));
        fputc('\n', to);
    }
    print_params(remote, yyjson_obj_get(tool, "inputSchema"));
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
        print_tool(listing->remote, tool);
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

static enum ending tools_run(const struct console *console, int count, char **arguments)
{
    struct remote remote = { .console = console, .command = "tools", .help = print_help };
    enum ending   ending = ENDING_UNUSABLE;

    if (remote_read(&remote, table, REMOTE_OPTIONS, count, arguments)) {
        if (remote.told)
            ending = ENDING_GOOD;
        else if (remote.operand_count != (remote.word_count ? 0 : 1))
            remote_wrong(&remote, remote.operand_count
                                      ? "one TARGET only; quote a command line, or put it after --"
                                      : "a TARGET is needed: an address or a command");
        else if (remote_open(&remote, remote.operands[0]))
            ending = list_tools(&remote);
    }
    remote_close(&remote);
    return ending;
}

const struct command command_tools = { "tools", "list the tools of an MCP server", tools_run };
