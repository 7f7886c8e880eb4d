/* shell.c - `tenon shell TARGET`: one server kept, call after call.
 *
 *     > forecast city=Oslo days=5
 *     Oslo, 5 days: sunny, 21 °C.
 *
 * A line is a tool and its arguments, or a verb of ours. Ctrl-C cancels the call that runs, Ctrl-D ends the shell.
 */
#define _GNU_SOURCE
#include <string.h>

#include "base/memory.h"
#include "cli/arguments.h"
#include "cli/inspect/messages.h"
#include "cli/inspect/tool_text.h"
#include "cli/remote/notes.h"
#include "cli/remote/wait.h"
#include "cli/shell/greeting.h"
#include "cli/shell/line.h"
#include "cli/shell/menu.h"
#include "cli/show.h"
#include "cli/value.h"
#include "cli/words.h"

#define ARENA_MAX ((size_t)256 << 20) /* of one line */

#define PROMPT_NAME_MAX 30

static const struct option table[] = { REMOTE_TABLE };

struct shell {
    struct remote   remote;
    struct menu     menu;
    struct line     line;
    struct tn_arena arena;               /* of the line */
    bool            ended, failed, lost; /* lost: the server has ended */
    char            prompt[PROMPT_NAME_MAX + 3];
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon shell [OPTION]... TARGET\n"
          "       tenon shell [OPTION]... -- COMMAND [ARGUMENT]...\n\n"
          "Starts an MCP server once and calls it line by line: a tool and its arguments,\n"
          "NAME=VALUE, with Tab for names and values, the arrows for earlier lines, Ctrl-C to cancel\n"
          "a call. help lists the rest. Without a terminal, lines are read from standard input.\n\n",
          to);
    options_help(to, table, REMOTE_OPTIONS);
    fputs("\nEnds with 0; without a terminal with 1 when a call failed; with 2 when the server cannot be "
          "used.\n",
          to);
}

/* ---- Verbs -------------------------------------------------------------------------------------------------- */

static void shell_say(struct shell *shell, const char *format, const char *what)
{
    console_error(shell->remote.console, format, what);
    shell->failed = true;
}

static void show_raw_of(struct shell *shell, const tenon_request *request)
{
    tenon_str text = tenon_request_text(request);

    show_raw(shell->remote.console->out, (struct tn_slice){ text.at, text.len });
}

static const char *near_verb(const char *name);

static void no_tool(struct shell *shell, const char *name, const char *near)
{
    near = near ? near : near_verb(name);
    console_error(shell->remote.console, "there is no tool '%s'%s%s%s", name,
                  near ? " (did you mean " : "; tools lists them", near ? near : "", near ? "?)" : "");
    shell->failed = true;
}

static void show_progress(void *user, tenon_request *request, const tenon_json *params)
{
    (void)request;
    notes_progress(((const struct shell *)user)->remote.console, params);
}

/* How many words stand from here on. */
static size_t count_words(char **words)
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

/* One that is not there may have come since the tools were listed. */
static yyjson_val *find_tool(struct shell *shell, const char *name, const char **near)
{
    yyjson_val *tool = menu_find(&shell->menu, name, near);

    if (tool)
        return tool;
    shell->menu.stale = true;
    return menu_find(&shell->menu, name, near);
}

static void call_tool(struct shell *shell, char **words)
{
    const char    *near, *arguments;
    yyjson_val    *tool = find_tool(shell, words[0], &near), *result;
    char           why[ARGUMENTS_WHY_MAX];
    tenon_request *request;

    if (!tool) {
        no_tool(shell, words[0], near);
        return;
    }
    arguments = arguments_build(&shell->arena, yyjson_obj_get(tool, "inputSchema"),
                                (const char *const *)words + 1, count_words(words + 1), why);
    if (!arguments) {
        shell_say(shell, "%s", why);
        return;
    }
    request = tenon_client_call(shell->remote.client, words[0], arguments, .progress = show_progress,
                                .user = shell, .tool = (const tenon_json *)tool);
    result  = wait_for(&shell->remote, request);
    if (!result) {
        remote_complain(&shell->remote, request, words[0]);
        shell->failed = true;
    } else if (shell->remote.raw)
        show_raw_of(shell, request);
    else if (!show_result(shell->remote.console, &shell->arena, result))
        shell->failed = true;
    tenon_request_free(request);
}

static void verb_call(struct shell *shell, char **words)
{
    if (words[1])
        call_tool(shell, words + 1);
    else
        shell_say(shell, "%s", "call needs a tool");
}

static void verb_tools(struct shell *shell, char **words)
{
    yyjson_val *tool;
    size_t      index, count;

    (void)words;
    shell->menu.stale = true;
    yyjson_arr_foreach(menu_tools(&shell->menu), index, count, tool)
    {
        if (index > 0)
            fputc('\n', shell->remote.console->out);
        tool_text_short(&shell->remote, tool);
    }
}

static void show_list(struct shell *shell, const char *what, const char *member, const char *key)
{
    tenon_request *request = tenon_client_list(shell->remote.client, what);
    yyjson_val    *entries = yyjson_obj_get(wait_for(&shell->remote, request), member), *entry;
    size_t         index, count;

    if (!entries) {
        remote_complain(&shell->remote, request, what);
        shell->failed = true;
    }
    yyjson_arr_foreach(entries, index, count, entry)
    {
        console_text(shell->remote.console->out, value_text(entry, key));
        fputs("  ", shell->remote.console->out);
        console_text(shell->remote.console->out, tool_text_sentence(value_text(entry, "description")));
        fputc('\n', shell->remote.console->out);
    }
    tenon_request_free(request);
}

static void verb_resources(struct shell *shell, char **words)
{
    (void)words;
    show_list(shell, "resources", "resources", "uri");
    show_list(shell, "resources/templates", "resourceTemplates", "uriTemplate");
}

static void verb_prompts(struct shell *shell, char **words)
{
    (void)words;
    show_list(shell, "prompts", "prompts", "name");
}

static void verb_read(struct shell *shell, char **words)
{
    tenon_request *request;
    yyjson_val    *contents;

    if (!words[1]) {
        shell_say(shell, "%s", "read needs a URI; resources lists them");
        return;
    }
    request  = tenon_client_read(shell->remote.client, words[1]);
    contents = yyjson_obj_get(wait_for(&shell->remote, request), "contents");
    if (!contents) {
        remote_complain(&shell->remote, request, words[1]);
        shell->failed = true;
    }
    show_contents(shell->remote.console, contents);
    tenon_request_free(request);
}

static void verb_prompt(struct shell *shell, char **words)
{
    char           why[ARGUMENTS_WHY_MAX];
    const char    *arguments;
    tenon_request *request;
    yyjson_val    *result;

    if (!words[1]) {
        shell_say(shell, "%s", "prompt needs a name; prompts lists them");
        return;
    }
    arguments = arguments_build(&shell->arena, NULL, (const char *const *)words + 2, count_words(words + 2),
                                why);
    if (!arguments) {
        shell_say(shell, "%s", why);
        return;
    }
    request = tenon_client_prompt(shell->remote.client, words[1], arguments);
    result  = wait_for(&shell->remote, request);
    if (!result) {
        remote_complain(&shell->remote, request, words[1]);
        shell->failed = true;
    }
    messages_show(shell->remote.console, yyjson_obj_get(result, "messages"));
    tenon_request_free(request);
}

static void verb_raw(struct shell *shell, char **words)
{
    (void)words;
    shell->remote.raw = !shell->remote.raw;
    fprintf(shell->remote.console->out, "answers are shown %s\n",
            shell->remote.raw ? "as the server sent them" : "for people");
}

/* Again with a process of its own: what was listed may have changed. */
static bool shell_restart(struct shell *shell)
{
    menu_end(&shell->menu);
    shell->lost = !remote_reopen(&shell->remote);
    if (shell->lost)
        shell->failed = true;
    return !shell->lost;
}

static void verb_restart(struct shell *shell, char **words)
{
    (void)words;
    if (shell->remote.is_address)
        shell_say(shell, "%s", "restart is for a server that is a command; this one is at an address");
    else if (shell_restart(shell) && menu_tools(&shell->menu))
        fprintf(shell->remote.console->out, "started again, %zu tools\n",
                yyjson_arr_size(menu_tools(&shell->menu)));
}

static void verb_help(struct shell *shell, char **words);

static const struct {
    const char *name, *help;
    void (*run)(struct shell *shell, char **words); /* NULL: run_line() knows it */
} verbs[] = {
    { "help", "this; help TOOL shows a tool whole", verb_help },
    { "tools", "what can be called", verb_tools },
    { "call", "call TOOL NAME=VALUE..., for a tool named like a word of this list", verb_call },
    { "resources", "what can be read", verb_resources },
    { "read", "read URI: a resource", verb_read },
    { "prompts", "the server's prompts", verb_prompts },
    { "prompt", "prompt NAME ARGUMENT=VALUE...: a prompt, filled in", verb_prompt },
    { "raw", "show answers as the server sends them, or again for people", verb_raw },
    { "restart", "start the server again, when you have built it", verb_restart },
    { "quit", "end; so do exit and Ctrl-D", NULL },
};

#define VERBS (sizeof verbs / sizeof *verbs)

static const char *near_verb(const char *name)
{
    const char *names[VERBS];

    for (size_t i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    return options_nearest(name, strlen(name), names, VERBS);
}

static void verb_help(struct shell *shell, char **words)
{
    const char *near = NULL;
    yyjson_val *tool = words[1] ? find_tool(shell, words[1], &near) : NULL;

    if (tool)
        tool_text_whole(&shell->remote, tool);
    else if (words[1])
        no_tool(shell, words[1], near);
    if (words[1])
        return;
    fputs("TOOL NAME=VALUE... calls a tool; NAME:=JSON is taken as it is.\n\n", shell->remote.console->out);
    for (size_t i = 0; i < VERBS; i++)
        fprintf(shell->remote.console->out, "  %-10s %s\n", verbs[i].name, verbs[i].help);
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static const char *give_choice(void *user, const char *before, const char *word, size_t nth)
{
    static const char *names[VERBS + 1];

    for (size_t i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    return menu_choice(&((struct shell *)user)->menu, names, before, word, nth);
}

static void run_line(struct shell *shell, const char *text)
{
    const char *why;
    char      **words = words_split(&shell->arena, text, &why);

    if (!words) {
        shell_say(shell, "%s", why);
        return;
    }
    if (strcmp(words[0], "quit") == 0 || strcmp(words[0], "exit") == 0) {
        shell->ended = true;
        return;
    }
    if (shell->lost && strcmp(words[0], "restart") != 0 && !shell_restart(shell))
        return;
    for (size_t i = 0; i < VERBS; i++)
        if (verbs[i].run && strcmp(words[0], verbs[i].name) == 0) {
            verbs[i].run(shell, words);
            return;
        }
    call_tool(shell, words);
}

/* "weather> ", for a server whose name is a plain word. */
static void set_prompt(struct shell *shell)
{
    struct tn_slice name  = value_text(remote_server_info(&shell->remote), "name");
    bool            plain = name.len > 0 && name.len <= PROMPT_NAME_MAX;

    for (size_t i = 0; plain && i < name.len; i++)
        plain = name.at[i] > ' ' && name.at[i] <= '~';
    snprintf(shell->prompt, sizeof shell->prompt, "%.*s> ", plain ? (int)name.len : 0, name.at);
    shell->line.prompt = shell->prompt;
}

/* A person at a terminal goes on with another process; a script ends with its server. */
static void look_after_server(struct shell *shell)
{
    if (shell->ended || shell->lost || tenon_client_poll(shell->remote.client, 0) >= 0)
        return;
    shell->lost  = true;
    shell->ended = !shell->line.is_terminal || shell->remote.is_address;
    if (!shell->ended)
        fputs("the server has ended; the next line starts it again\n", shell->remote.console->err);
}

static enum ending talk(struct shell *shell)
{
    tenon_allocator memory = tn_memory_of(NULL);
    const char     *text   = "";

    set_prompt(shell);
    line_begin(&shell->line);
    if (shell->line.is_terminal)
        greeting_show(&shell->remote, menu_tools(&shell->menu));
    while (!shell->ended) {
        wait_forget_interrupt();
        text = line_next(&shell->line);
        if (!text && wait_interrupted() && shell->line.is_terminal) {
            fputc('\n', shell->remote.console->out);
            continue;
        }
        if (!text)
            break;
        if (!text[strspn(text, " \t")] || text[0] == '#')
            continue;
        tn_arena_init(&shell->arena, &memory, ARENA_MAX);
        wait_forget_interrupt();
        run_line(shell, text);
        tn_arena_free(&shell->arena);
        fflush(shell->remote.console->out);
        look_after_server(shell);
    }
    line_end(&shell->line);
    if (!shell->line.is_terminal)
        return shell->failed ? ENDING_BAD : ENDING_GOOD;
    fputs(text ? "" : "\n", shell->remote.console->out);
    return ENDING_GOOD;
}

static enum ending shell_run(const struct console *console, int count, char **arguments)
{
    struct shell shell = {
        .remote = { .console = console, .command = "shell", .help = print_help, .is_apart = true },
        .line   = { .choice = give_choice }
    };
    enum ending ending = ENDING_UNUSABLE;

    shell.menu.remote = &shell.remote;
    shell.line.user   = &shell;
    if (remote_read(&shell.remote, table, REMOTE_OPTIONS, count, arguments)) {
        wait_take_interrupts();
        if (shell.remote.told)
            ending = ENDING_GOOD;
        else if (remote_open_only(&shell.remote))
            ending = talk(&shell);
    }
    menu_end(&shell.menu);
    remote_close(&shell.remote);
    if (ending == ENDING_UNUSABLE && wait_interrupted())
        wait_end_interrupted();
    return ending;
}

const struct command command_shell = { "shell", "call a server line by line", shell_run };
