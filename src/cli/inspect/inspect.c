/* inspect.c - `tenon inspect TARGET`: everything that a server offers, on one page. */
#include <string.h>

#include "cli/inspect/lists.h"
#include "cli/inspect/tool_text.h"
#include "cli/remote.h"
#include "cli/show.h"
#include "cli/value.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/era.h"

#define COLUMN_MAX 40 /* of names */
#define BOLD       "\x1b[1m"
#define PLAIN      "\x1b[0m"

enum { OPTION_JSON = REMOTE_OPTIONS, OPTIONS };

static const struct option table[] = {
    REMOTE_TABLE,
    [OPTION_JSON] = { "json", '\0', NULL, "print it as one JSON object" },
};

struct inspect {
    struct remote remote;
    bool          json;
    yyjson_val   *about; /* what the server says of itself, or NULL */
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon inspect [OPTION]... TARGET\n"
          "       tenon inspect [OPTION]... -- COMMAND [ARGUMENT]...\n\n"
          "Shows what an MCP server is and offers: its name, the revision of the protocol, its tools,\n"
          "resources and prompts. TARGET is an address, a name or a command line, as in tenon tools.\n\n",
          to);
    options_help(to, table + REMOTE_OPTIONS, OPTIONS - REMOTE_OPTIONS);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or the server cannot be used.\n", to);
}

static bool inspect_take_option(void *user, int row, const char *value)
{
    (void)row, (void)value;
    ((struct inspect *)user)->json = true;
    return true;
}

/* ---- For people --------------------------------------------------------------------------------------------- */

static void print_server(const struct inspect *inspect)
{
    const struct console *console = inspect->remote.console;
    yyjson_val           *info    = remote_server_info(&inspect->remote);
    struct tn_slice title = value_text(info, "title"), guide = value_text(inspect->about, "instructions");

    fputs(console->out_coloured ? BOLD : "", console->out);
    console_text(console->out, value_text(info, "name"));
    fputs(console->out_coloured ? PLAIN " " : " ", console->out);
    console_text(console->out, value_text(info, "version"));
    if (title.len) {
        fputs(" - ", console->out);
        console_text(console->out, title);
    }
    fprintf(console->out, "\nspeaks %s\n", tenon_client_revision(inspect->remote.client));
    if (guide.len)
        tool_text_lines(console->out, guide, 2);
}

static void print_capabilities(const struct inspect *inspect)
{
    FILE           *to  = inspect->remote.console->out;
    yyjson_obj_iter all = yyjson_obj_iter_with(yyjson_obj_get(inspect->about, "capabilities"));
    yyjson_val     *name;
    bool            any = false;

    while ((name = yyjson_obj_iter_next(&all))) {
        fputs(any ? ", " : "offers ", to);
        console_text(to, tn_json_slice(name));
        any = true;
    }
    if (any)
        fputc('\n', to);
}

static size_t column_of(yyjson_val *entries, const char *key)
{
    yyjson_val *entry;
    size_t      index, count, column = 0;

    yyjson_arr_foreach(entries, index, count, entry)
    {
        size_t len = value_text(entry, key).len;

        if (len > column && len <= COLUMN_MAX)
            column = len;
    }
    return column;
}

static void print_list(const struct inspect *inspect, size_t list, yyjson_val *entries)
{
    const struct console *console = inspect->remote.console;
    size_t                column  = column_of(entries, offered_lists[list].name), index, count;
    yyjson_val           *entry;

    fprintf(console->out, "\n%s%s%s (%zu)\n", console->out_coloured ? BOLD : "", offered_lists[list].nouns,
            console->out_coloured ? PLAIN : "", yyjson_arr_size(entries));
    yyjson_arr_foreach(entries, index, count, entry)
    {
        struct tn_slice name = value_text(entry, offered_lists[list].name),
                        doc  = value_text(entry, "description");

        if (doc.len == 0)
            doc = value_text(entry, "title");
        fputs("  ", console->out);
        console_text(console->out, name);
        if (doc.len)
            fprintf(console->out, "%*s", (int)(name.len < column ? column - name.len + 2 : 2), "");
        console_text(console->out, tool_text_sentence(doc));
        fputc('\n', console->out);
    }
}

static enum ending print_page(struct inspect *inspect)
{
    size_t failed = 0;

    print_server(inspect);
    print_capabilities(inspect);
    for (size_t i = 0; i < OFFERED_LISTS; i++) {
        yyjson_val *entries = offered_read(&inspect->remote, inspect->about, i, &failed);

        if (yyjson_arr_size(entries) > 0)
            print_list(inspect, i, entries);
    }
    return ENDING_GOOD;
}

/* ---- For programs ------------------------------------------------------------------------------------------- */

static enum ending print_json(struct inspect *inspect)
{
    const struct {
        const char *name;
        yyjson_val *value;
    } told[] = {
        { "serverInfo", remote_server_info(&inspect->remote) },
        { "capabilities", yyjson_obj_get(inspect->about, "capabilities") },
        { "instructions", yyjson_obj_get(inspect->about, "instructions") },
    };
    struct tn_buf out;
    size_t        failed = 0;

    tn_buf_init(&out, &inspect->remote.arena, 4096, (size_t)256 << 20);
    tn_buf_lit(&out, "{\"revision\":");
    tn_json_string(&out, tenon_client_revision(inspect->remote.client),
                   strlen(tenon_client_revision(inspect->remote.client)));
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        if (!told[i].value)
            continue;
        tn_buf_addf(&out, ",\"%s\":", told[i].name);
        tn_json_value(&out, told[i].value);
    }
    for (size_t i = 0; i < OFFERED_LISTS; i++) {
        yyjson_val *entries = offered_read(&inspect->remote, inspect->about, i, &failed);

        if (!entries)
            continue;
        tn_buf_addf(&out, ",\"%s\":", offered_lists[i].member);
        tn_json_value(&out, entries);
    }
    tn_buf_char(&out, '}');
    if (out.failed) {
        console_error(inspect->remote.console, "what the server offers is too long");
        return ENDING_UNUSABLE;
    }
    show_raw(inspect->remote.console->out, tn_buf_slice(&out));
    return ENDING_GOOD;
}

static enum ending inspect_run(const struct console *console, int count, char **arguments)
{
    struct inspect inspect = { .remote = { .console = console, .command = "inspect", .help = print_help } };
    struct remote *remote  = &inspect.remote;
    enum ending    ending  = ENDING_UNUSABLE;

    remote->option = inspect_take_option;
    remote->user   = &inspect;
    if (remote_read(remote, table, OPTIONS, count, arguments)) {
        if (remote->told)
            ending = ENDING_GOOD;
        else if (remote_open_only(remote)) {
            inspect.about = value_of(tenon_client_server(remote->client));
            ending        = inspect.json || remote->raw ? print_json(&inspect) : print_page(&inspect);
        }
    }
    remote_close(remote);
    return ending;
}

const struct command command_inspect = { "inspect", "show what an MCP server is and offers", inspect_run };
