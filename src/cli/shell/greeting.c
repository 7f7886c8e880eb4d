/* greeting.c - the first lines of a shell, as wide as the terminal. */
#include "cli/shell/greeting.h"

#include "base/utf8.h"
#include "cli/inspect/tool_text.h"
#include "cli/shell/line.h"
#include "cli/value.h"

#define GREETED_MAX    20 /* tools in the greeting */
#define NAME_SHOWN_MAX 30 /* the widest column */
#define FIRST_WIDE     0x1100 /* characters from here on may take two columns */

/* As much of a text as fits into so many columns; *cut: it is not all. Wide characters take two. */
static struct tn_slice fit(struct tn_slice text, size_t columns, bool *cut)
{
    size_t taken = 0, len, at = 0;

    for (uint32_t code; at < text.len; at += len) {
        len = tn_utf8_read(text.at + at, text.len - at, &code);
        taken += code >= FIRST_WIDE && len > 0 ? 2 : 1;
        len = len > 0 ? len : 1;
        if (taken > columns)
            break;
    }
    *cut = at < text.len;
    return (struct tn_slice){ text.at, at };
}

static void greet_tool(FILE *to, yyjson_val *tool, size_t widest)
{
    const size_t    around = sizeof "    ..." - 1; /* the columns' spaces, and what stands for the rest */
    struct tn_slice name   = value_text(tool, "name"), doc;
    size_t          left   = line_width() > widest + around ? line_width() - widest - around : 0;
    bool            cut;

    doc = fit(tool_text_sentence(value_text(tool, "description")), left, &cut);
    fputs("  ", to);
    console_text(to, name);
    fprintf(to, "%*s  ", name.len < widest ? (int)(widest - name.len) : 0, "");
    console_text(to, doc);
    fputs(cut ? "...\n" : "\n", to);
}

/* The tools by name, where a screen has room for them. */
static void greet_tools(FILE *to, yyjson_val *tools)
{
    yyjson_val *tool;
    size_t      index, count, widest = 0;

    yyjson_arr_foreach(tools, index, count, tool)
    {
        size_t len = value_text(tool, "name").len;

        widest = len > widest && len <= NAME_SHOWN_MAX ? len : widest;
    }
    yyjson_arr_foreach(tools, index, count, tool)
    {
        if (index == GREETED_MAX)
            break;
        greet_tool(to, tool, widest);
    }
    if (count > GREETED_MAX)
        fprintf(to, "  and %zu more: tools\n", count - GREETED_MAX);
}

void greeting_show(const struct remote *remote, yyjson_val *tools)
{
    yyjson_val     *about = value_of(tenon_client_server(remote->client));
    yyjson_val     *info  = remote_server_info(remote);
    struct tn_slice name = value_text(info, "name"), version = value_text(info, "version");
    FILE           *to    = remote->console->out;
    size_t          count = yyjson_arr_size(tools);

    console_text(to, name.len ? name : SLICE_LIT("a server"));
    fputs(version.len ? " " : "", to);
    console_text(to, version);
    fprintf(to, ", %zu tool%s, %s\n", count, count == 1 ? "" : "s", tenon_client_revision(remote->client));
    tool_text_lines(to, value_text(about, "instructions"), 0);
    fputc('\n', to);
    greet_tools(to, tools);
    fputs("\nA tool and NAME=VALUE calls it. Tab completes, help shows more, Ctrl-D ends.\n", to);
}
