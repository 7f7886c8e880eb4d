/* offered.c - names that only the server knows: it is asked, quietly and not for long. */
#include <string.h>

#include "cli/each.h"
#include "cli/inspect/tool_text.h"
#include "cli/param.h"
#include "cli/propose/propose.h"
#include "cli/remote.h"
#include "cli/value.h"
#include "json/read.h"

#define TIMEOUT_MS 3000 /* for each answer */

static const struct option table[] = { REMOTE_TABLE };

static yyjson_val *offered_list(struct remote *remote, const char *what)
{
    return yyjson_obj_get(value_of(tenon_client_wait(tenon_client_list(remote->client, what))), what);
}

/* All of a list, by one of their members. */
static void propose_names(struct proposal *proposal, struct remote *remote, const char *what,
                          const char *member)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(offered_list(remote, what), index, count, one)
    {
        propose(proposal, value_text(one, member), tool_text_sentence(value_text(one, "description")));
    }
}

static yyjson_val *find_named(yyjson_val *list, const char *name)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(list, index, count, one)
    {
        if (tn_slice_is(value_text(one, "name"), name))
            return one;
    }
    return NULL;
}

/* ---- Arguments of a tool ---------------------------------------------------------------------------------------- */

static void propose_values(struct proposal *proposal, struct tn_arena *arena, yyjson_val *schema,
                           struct tn_slice name)
{
    yyjson_val *param   = yyjson_obj_getn(yyjson_obj_get(schema, "properties"), name.at, name.len);
    yyjson_val *choices = yyjson_obj_get(param_resolve(arena, schema, param), "enum"), *choice;
    size_t      index, count;

    yyjson_arr_foreach(choices, index, count, choice)
    {
        if (yyjson_is_str(choice))
            propose_joined(proposal, name, "=", tn_json_slice(choice), (struct tn_slice){ "", 0 });
    }
    if (param && param_takes(arena, schema, param) == TAKES_BOOLEAN) {
        propose_joined(proposal, name, "=", SLICE_LIT("true"), (struct tn_slice){ "", 0 });
        propose_joined(proposal, name, "=", SLICE_LIT("false"), (struct tn_slice){ "", 0 });
    }
}

static bool is_given(const char *const *words, size_t count, struct tn_slice name)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) > name.len && memcmp(words[i], name.at, name.len) == 0 &&
            (words[i][name.len] == '=' || words[i][name.len] == ':'))
            return true;
    return false;
}

static void propose_parameters(struct proposal *proposal, yyjson_val *schema, const char *const *given,
                               size_t given_count)
{
    yyjson_val *name, *param;

    EACH_MEMBER(yyjson_obj_get(schema, "properties"), at, name, param)
    if (!is_given(given, given_count, tn_json_slice(name)))
        propose_joined(proposal, tn_json_slice(name), "=", (struct tn_slice){ "", 0 },
                       tool_text_sentence(value_text(param, "description")));
}

static void propose_arguments(struct proposal *proposal, struct remote *remote, const char *const *operands,
                              size_t operand_count)
{
    yyjson_val *schema = yyjson_obj_get(find_named(offered_list(remote, "tools"), operands[1]),
                                        "inputSchema");
    size_t      len    = strcspn(proposal->typed, "=");

    if (proposal->typed[len])
        propose_values(proposal, &remote->arena, schema, (struct tn_slice){ proposal->typed, len });
    else
        propose_parameters(proposal, schema, operands + 2, operand_count - 2);
}

/* Arguments of a prompt have names and descriptions; the server itself suggests values. */
static void propose_prompt(struct proposal *proposal, struct remote *remote, const char *const *operands,
                           size_t operand_count)
{
    yyjson_val *arguments = yyjson_obj_get(find_named(offered_list(remote, "prompts"), operands[1]),
                                           "arguments");
    yyjson_val *one;
    size_t      index, count, len = strcspn(proposal->typed, "=");
    const char *name = tn_arena_copy(&remote->arena, proposal->typed, len);

    if (proposal->typed[len] && name) {
        tenon_request *request = tenon_client_complete(remote->client, operands[1], name,
                                                       proposal->typed + len + 1);
        yyjson_val    *values  = yyjson_obj_get(
                yyjson_obj_get(value_of(tenon_client_wait(request)), "completion"), "values");

        yyjson_arr_foreach(values, index, count, one)
        {
            propose_joined(proposal, (struct tn_slice){ name, len }, "=", tn_json_slice(one),
                           (struct tn_slice){ "", 0 });
        }
        return;
    }
    yyjson_arr_foreach(arguments, index, count, one)
    {
        if (!is_given(operands + 2, operand_count - 2, value_text(one, "name")))
            propose_joined(proposal, value_text(one, "name"), "=", (struct tn_slice){ "", 0 },
                           tool_text_sentence(value_text(one, "description")));
    }
}

/* ---- Which of them ---------------------------------------------------------------------------------------------- */

static void ask(struct proposal *proposal, struct remote *remote, const char *const *operands,
                size_t operand_count)
{
    const char *command = proposal->command->name;

    if (strcmp(command, "tools") == 0 || (strcmp(command, "call") == 0 && operand_count == 1)) {
        if (operand_count == 1)
            propose_names(proposal, remote, "tools", "name");
    } else if (strcmp(command, "call") == 0)
        propose_arguments(proposal, remote, operands, operand_count);
    else if (strcmp(command, "read") == 0 && operand_count == 1)
        propose_names(proposal, remote, "resources", "uri");
    else if (operand_count == 1)
        propose_names(proposal, remote, "prompts", "name");
    else
        propose_prompt(proposal, remote, operands, operand_count);
}

static void no_help(FILE *to)
{
    (void)to;
}

/* Options of the command's own are none of reaching the server. */
static bool pass_over(void *user, int row, const char *value)
{
    (void)user, (void)row, (void)value;
    return true;
}

/* The options that lead to the server, as they were typed, and a limit that is not theirs. */
static int reaching_words(struct tn_arena *arena, const char *const *flags, size_t flag_count, char ***words)
{
    char **to    = tn_arena_array(arena, flag_count + 2, char *);
    int    count = 0;

    *words = to;
    for (size_t i = 0; to && i < flag_count; i++)
        for (int row = 0; row < REMOTE_RAW; row++) {
            size_t len = strlen(table[row].name);

            if (strncmp(flags[i], "--", 2) != 0 || strncmp(flags[i] + 2, table[row].name, len) != 0 ||
                (flags[i][2 + len] && flags[i][2 + len] != '=') || row == REMOTE_TIMEOUT ||
                row == REMOTE_LOGIN)
                continue;
            to[count++] = (char *)flags[i]; /* of main, which are not const */
            if (table[row].value && !flags[i][2 + len] && i + 1 < flag_count)
                to[count++] = (char *)flags[++i];
            break;
        }
    return count;
}

void propose_offered(struct proposal *proposal, const char *const *operands, size_t operand_count,
                     const char *const *flags, size_t flag_count)
{
    static const char *const asking[] = { "tools", "call", "read", "prompt", "complete" };
    struct console           quiet    = { .out = proposal->console->out, .err = fopen("/dev/null", "w") };
    struct remote remote = { .console = &quiet, .command = "call", .help = no_help, .option = pass_over };
    char        **words;
    int           count  = reaching_words(&proposal->arena, flags, flag_count, &words);
    bool          wanted = false;

    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        wanted = wanted || strcmp(proposal->command->name, asking[i]) == 0;
    if (wanted && quiet.err && words && remote_read(&remote, table, REMOTE_OPTIONS, count, words)) {
        remote.timeout_ms  = TIMEOUT_MS;
        remote.interactive = remote.verbose = false;
        if (remote_open(&remote, operands[0]))
            ask(proposal, &remote, operands, operand_count);
    }
    if (wanted && quiet.err)
        remote_close(&remote);
    if (quiet.err)
        fclose(quiet.err);
}
