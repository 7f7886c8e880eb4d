/* check.c - `tenon check TARGET`: does a server start, list all it offers, and are its schemas schemas? */
#include <string.h>

#include <tenon/schema.h>

#include "cli/inspect/lists.h"
#include "cli/listing.h"
#include "cli/show.h"
#include "cli/value.h"
#include "json/write.h"

#define OWNER "schema: "

static const struct option table[] = { REMOTE_TABLE };

struct check {
    struct remote remote;
    size_t        wrong;                 /* things that are */
    size_t        counts[OFFERED_LISTS]; /* of entries */
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon check [OPTION]... TARGET\n"
          "       tenon check [OPTION]... -- COMMAND [ARGUMENT]...\n\n"
          "Starts an MCP server, reads all that it lists, and compiles every schema: names that are missing "
          "or given\n"
          "twice, schemas that are not valid. TARGET is an address, a name or a command line, as in tenon "
          "tools.\n"
          "What clients and providers refuse beside that is what tenon lint finds.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0, with 1 when something is wrong, or with 2 when the server cannot be used.\n", to);
}

/* ---- What is wrong ------------------------------------------------------------------------------------------ */

/* "tool 'forecast': what". */
static void wrong(struct check *check, size_t list, struct tn_slice name, const char *part, const char *what)
{
    FILE *to = check->remote.console->out;

    check->wrong++;
    fprintf(to, "%s '", offered_lists[list].noun);
    console_text(to, name);
    fprintf(to, "'%s%s: ", part ? ", " : "", part ? part : "");
    console_text(to, tn_slice_of(what));
    fputc('\n', to);
}

/* A mistake without the "schema: " before it. */
static const char *after_owner(const char *mistake)
{
    return strncmp(mistake, OWNER, strlen(OWNER)) == 0 ? mistake + strlen(OWNER) : mistake;
}

/* A schema that was not given is `needed`, or fine. */
static void check_schema(struct check *check, struct tn_slice name, yyjson_val *tool, const char *part,
                         bool needed)
{
    yyjson_val   *value = yyjson_obj_get(tool, part);
    tenon_schema *schema;
    struct tn_buf text;

    if (!value && !needed)
        return;
    if (!yyjson_is_obj(value)) {
        wrong(check, 0, name, part, value ? "it is not an object" : "it is missing");
        return;
    }
    if (!tn_slice_is(value_text(value, "type"), "object"))
        wrong(check, 0, name, part, "its type is not \"object\"");
    tn_buf_init(&text, &check->remote.arena, 1024, (size_t)64 << 20);
    tn_json_value(&text, value);
    schema = text.failed ? NULL : tenon_schema_new(text.at, text.len);
    if (!schema)
        wrong(check, 0, name, part, "it is too large");
    else if (tenon_schema_error(schema))
        wrong(check, 0, name, part, after_owner(tenon_schema_error(schema)));
    tenon_schema_free(schema);
}

static void check_tool(struct check *check, struct tn_slice name, yyjson_val *tool)
{
    const char *mistake = listing_mistake(&check->remote, tool);

    check_schema(check, name, tool, "inputSchema", true);
    check_schema(check, name, tool, "outputSchema", false);
    if (mistake)
        wrong(check, 0, name, NULL, mistake);
}

/* Has one before it the same name? */
static bool is_again(yyjson_val *entries, size_t list, size_t index, struct tn_slice name)
{
    yyjson_val *entry;
    size_t      i, count;

    yyjson_arr_foreach(entries, i, count, entry)
    {
        if (i == index)
            return false;
        if (tn_slice_same(value_text(entry, offered_lists[list].name), name))
            return true;
    }
    return false;
}

static void check_list(struct check *check, size_t list, yyjson_val *entries)
{
    yyjson_val *entry;
    size_t      index, count;

    check->counts[list] = yyjson_arr_size(entries);
    yyjson_arr_foreach(entries, index, count, entry)
    {
        struct tn_slice name = value_text(entry, offered_lists[list].name);

        if (name.len == 0)
            wrong(check, list, name, NULL, "it has no name");
        else if (is_again(entries, list, index, name))
            wrong(check, list, name, NULL, "it is listed twice");
        if (list == 0)
            check_tool(check, name, entry);
    }
}

/* ---- The command -------------------------------------------------------------------------------------------- */

static void print_summary(const struct check *check)
{
    FILE       *to   = check->remote.console->out;
    yyjson_val *info = remote_server_info(&check->remote);

    console_text(to, value_text(info, "name"));
    fputc(' ', to);
    console_text(to, value_text(info, "version"));
    fprintf(to, ", %s:", tenon_client_revision(check->remote.client));
    for (size_t i = 0; i < OFFERED_LISTS; i++)
        fprintf(to, "%s %zu %s%s", i > 0 ? "," : "", check->counts[i], offered_lists[i].noun,
                check->counts[i] == 1 ? "" : "s");
    if (check->wrong == 0)
        fputs("; nothing is wrong\n", to);
    else
        fprintf(to, "; %zu mistake%s\n", check->wrong, check->wrong == 1 ? "" : "s");
}

static enum ending check_all(struct check *check)
{
    yyjson_val *about  = value_of(tenon_client_server(check->remote.client));
    size_t      failed = 0;

    for (size_t i = 0; i < OFFERED_LISTS; i++)
        check_list(check, i, offered_read(&check->remote, about, i, &failed));
    if (failed > 0)
        return ENDING_UNUSABLE;
    print_summary(check);
    return check->wrong == 0 ? ENDING_GOOD : ENDING_BAD;
}

static enum ending check_run(const struct console *console, int count, char **arguments)
{
    struct check   check  = { .remote = { .console = console, .command = "check", .help = print_help } };
    struct remote *remote = &check.remote;
    enum ending    ending = ENDING_UNUSABLE;

    if (remote_read(remote, table, REMOTE_OPTIONS, count, arguments)) {
        if (remote->told)
            ending = ENDING_GOOD;
        else if (remote_open_only(remote))
            ending = check_all(&check);
    }
    remote_close(remote);
    return ending;
}

const struct command command_check = { "check", "compile all that an MCP server lists, and say what is wrong",
                                       check_run };
