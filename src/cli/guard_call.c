/* guard_call.c - options of `tenon guard`, from the words of its call to upstreams and policy. */
#define _GNU_SOURCE
#include "cli/guard_call.h"

#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "guard/phrases.h"
#include "guard/policy/clients.h"
#include "net/settings.h"
#include "net/settings_table.h"
#include "net/stdio/stdio.h"

#define OPTIONS_MAX  256 /* words */
#define SENTENCE_LEN 256

/* clang-format off */
static const tenon_setting rows[] = {
    TENON_SETTING_TEXT(struct guard_values, config, "config", "FILE",
                       "guard.yaml, its JSON, or a client's file with mcpServers", .group = "What is guarded"),
    TENON_SETTING_FLAG(struct guard_values, check, "check",
                       "only look for mistakes: ends with 0, or 2 and all of them"),
    TENON_SETTING_FLAG(struct guard_values, list, "list",
                       "print what is published, what not, and why; ends with 1 if a server is not reached"),
    TENON_SETTING_FLAG(struct guard_values, json, "json", "of --list: as JSON"),
    TENON_SETTING_TEXT(struct guard_values, import, "import", "FILE", "print a client's file as guard.yaml"),
    TENON_SETTING_TEXT(struct guard_values, lock, "lock", "FILE", "approved definitions; beside --config by default"),
    TENON_SETTING_TEXT(struct guard_values, lock_key, "lock-key", "FILE", "the key that seals the lock"),
    TENON_SETTING_FLAG(struct guard_values, pin, "pin", "approve what a server offers, if the lock has nothing of it"),
    TENON_SETTING_TEXTS(struct guard_values, env_from, "env-from", "NAME",
                        "a variable of the guard's environment that the COMMAND gets; repeatable"),
    TENON_SETTING_TEXT(struct guard_values, token_file, "token-file", "FILE", "the guard's own token, for a URL"),
    TENON_SETTING_TEXTS(struct guard_values, header_files, "header-file", "NAME=FILE",
                        "a header whose value is in a file, for a URL; repeatable"),
    TENON_SETTING_FLAG(struct guard_values, dry_run, "dry-run",
                       "send every call as it came, and log what would be done", .group = "Calls and results"),
    TENON_SETTING_CHOICE(struct guard_values, unknown, "unknown", tn_policy_unknowns,
                         "arguments that an open schema does not name"),
    TENON_SETTING_CHOICE(struct guard_values, repair, "repair", tn_policy_repairs,
                         "all repairs, those that keep the value, or none"),
    TENON_SETTING_CHOICE(struct guard_values, results, "results", tn_policy_results,
                         "structured results that the outputSchema refuses"),
    TENON_SETTING_CHOICE(struct guard_values, changed, "changed", tn_policy_changes,
                         "tools that differ from what was approved"),
    TENON_SETTING_TEXT(struct guard_values, publish, "publish", "NAME,...",
                       "lists in a form that these clients accept; see tenon lint"),
};
/* clang-format on */

/* ---- Help -------------------------------------------------------------------------------------------------------- */

static void print_help(const struct guard_call *call)
{
    FILE                *to = call->console->out;
    const tenon_setting *row;

    fputs("Usage: tenon guard [OPTION]... -- COMMAND [ARGUMENT]...\n"
          "       tenon guard [OPTION]... URL\n"
          "       tenon guard [OPTION]... --config FILE\n"
          "       tenon guard --import FILE\n\n"
          "Puts Tenon's boundary in front of MCP servers: calls that their schemas refuse never reach them, "
          "and\n"
          "every problem is in one answer; calls that only need another form are repaired, and the answer "
          "reports\n"
          "it. A command or an address is guarded as it is; a file has several servers, names, rules and "
          "limits.\n\n"
          "  tenon guard -- npx -y @modelcontextprotocol/server-filesystem /srv\n"
          "  tenon guard --http 127.0.0.1:8080 -- uvx mcp-server-git\n"
          "  tenon guard --token-file token https://mcp.example.com/mcp\n"
          "  tenon guard --config guard.yaml --check\n",
          to);
    for (size_t next = 0; (row = tn_settings_next(call->settings, &next));)
        tn_settings_help_row(to, row);
    fputs("\n  --help, --version\n\n"
          "Settings also stand in the environment (TENON_MAX_BODY=8MiB) and in the file: under serve, or in "
          "policy.\n"
          "A flag overrides the environment, and that the file. TIME is written like 500ms, 50s, 2m or 1h; "
          "SIZE like\n"
          "65536, 64KiB or 4MiB. The file's keys: docs/guard.md, and share/tenon/guard.schema.json for "
          "editors.\n",
          to);
}

/* ---- The call ---------------------------------------------------------------------------------------------------- */

static bool is_address(const char *word)
{
    return strncmp(word, "http://", 7) == 0 || strncmp(word, "https://", 8) == 0;
}

/* Is the last of these words the value of a flag? */
static bool is_value(const struct guard_call *call, int count, char **arguments)
{
    const tenon_setting *row;

    if (count < 2 || strncmp(arguments[count - 2], "--", 2) != 0 || strchr(arguments[count - 2], '='))
        return false;
    row = tn_settings_find(call->settings, tn_slice_of(arguments[count - 2] + 2));
    return row && row->kind != TENON_SETTING_FLAG;
}

/* What is guarded stands at the end: a command after --, or an address. How many words stand before it. */
static int split(struct guard_call *call, int count, char **arguments)
{
    for (int at = 0; at < count; at++)
        if (strcmp(arguments[at], "--") == 0) {
            call->words = at + 1 < count ? (const char *const *)(arguments + at + 1) : NULL;
            return at;
        }
    if (count > 0 && is_address(arguments[count - 1]) && !is_value(call, count, arguments)) {
        call->url = arguments[count - 1];
        return count - 1;
    }
    return count;
}

static bool complain(const struct guard_call *call, const char *mistake)
{
    fprintf(call->console->err, "tenon %s: ", call->program ? call->program : "guard");
    console_text(call->console->err, tn_slice_of(mistake));
    fputc('\n', call->console->err);
    return false;
}

/* Words that are neither flags nor their values, before what is guarded: most forget the --. What stands after a flag that is not
 * known may be its value; such flags have sentences of their own. */
static bool check_words(const struct guard_call *call, int count, char **arguments)
{
    for (int at = 0; at < count; at++) {
        if (arguments[at][0] == '-' || is_value(call, at + 1, arguments))
            continue;
        if (at > 0 && arguments[at - 1][0] == '-')
            return true;
        return complain(call, is_address(arguments[at]) ? "an address stands after all options"
                              : strstr(arguments[at], "://")
                                  ? "an address begins with https:// or http://"
                                  : "a command stands after --, as in: tenon guard -- npx server-name");
    }
    return true;
}

static bool read_flags(struct guard_call *call, int count, char **arguments, enum ending *ending)
{
    char       *own[OPTIONS_MAX] = { (char *)"tenon guard" };
    int         own_count        = split(call, count, arguments);
    const char *mistake          = "there are too many options";

    if (own_count + 1 >= OPTIONS_MAX)
        return complain(call, mistake);
    if (!check_words(call, own_count, arguments))
        return false;
    memcpy(own + 1, arguments, (size_t)own_count * sizeof *own);
    switch (tn_settings_read(call->settings, own_count + 1, own, environ, &mistake)) {
    case SETTINGS_SERVE: return true;
    case SETTINGS_HELP:
        print_help(call);
        *ending = ENDING_GOOD;
        return false;
    case SETTINGS_VERSION:
        fprintf(call->console->out, "tenon guard %s\n", tenon_version());
        *ending = ENDING_GOOD;
        return false;
    case SETTINGS_MISTAKE: break;
    }
    return complain(call, mistake);
}

/* ---- A file ------------------------------------------------------------------------------------------------------ */

static void print_mistake(const struct guard_call *call, const struct tn_config *config,
                          const struct tn_config_mistake *mistake)
{
    char place[64] = "";

    if (mistake->at.line > 0)
        snprintf(place, sizeof place, ":%zu:%zu", mistake->at.line, mistake->at.column);
    console_text(call->console->err, tn_slice_of(config->path));
    fprintf(call->console->err, "%s: ", place);
    console_text(call->console->err, tn_slice_of(mistake->text));
    fputc('\n', call->console->err);
}

static void print_mistakes(const struct guard_call *call, const struct tn_config *config,
                           const struct tn_config_mistakes *mistakes)
{
    for (size_t i = 0; i < mistakes->count; i++)
        print_mistake(call, config, &mistakes->at[i]);
    if (mistakes->total > mistakes->count)
        fprintf(call->console->err, "%s: and %zu more\n", config->path, mistakes->total - mistakes->count);
}

/* The file's settings are weaker than what was given. */
static void put_served(struct guard_call *call)
{
    const char *mistake;

    for (size_t i = 0; i < call->config->serve.count; i++)
        tn_settings_put(call->settings, call->config->serve.at[i].key, call->config->serve.at[i].value,
                        &mistake);
}

static bool read_file(struct guard_call *call)
{
    call->config = tn_config_read(call->values.config, NULL);
    if (!call->config)
        return complain(call, "out of memory");
    print_mistakes(call, call->config, &call->config->notes);
    print_mistakes(call, call->config, &call->config->mistakes);
    if (!tn_config_is_fine(call->config))
        return false;
    put_served(call);
    call->upstreams      = call->config->upstreams;
    call->upstream_count = call->config->upstream_count;
    call->policy         = call->config->policy;
    return true;
}

static enum ending import_file(struct guard_call *call)
{
    struct tn_config *config = tn_config_read(call->values.import, NULL);
    const char       *yaml   = config && config->tree.root ? tn_config_yaml(config) : NULL;

    call->config = config;
    if (yaml) {
        fputs(yaml, call->console->out);
        return ENDING_GOOD;
    }
    if (config)
        print_mistakes(call, config, &config->mistakes);
    return ENDING_UNUSABLE;
}

/* ---- Without a file ---------------------------------------------------------------------------------------------- */

static void keep_first(void *user, const char *where, const char *text)
{
    char *first = user;

    (void)where;
    if (!first[0])
        snprintf(first, SENTENCE_LEN, "%s", text);
}

/* What a file would refuse is refused before anything is started. */
static bool read_variables(struct guard_call *call)
{
    char                             first[SENTENCE_LEN] = "";
    const struct tn_environment_sink sink                = { keep_first, first };

    call->plain.environment.env_from = call->values.env_from;
    if (tn_environment_new((const char *const *)environ, &call->plain.environment, &sink,
                           &call->settings->arena))
        return true;
    return complain(call, first[0] ? first : SAY_MEMORY);
}

static bool read_header_files(struct guard_call *call)
{
    tenon_strs given = call->values.header_files;

    for (size_t i = 0; i < given.count; i++) {
        char *name = tn_arena_copy(&call->settings->arena, given.at[i], strlen(given.at[i]));
        char *mark = name ? strchr(name, '=') : NULL;

        if (!mark || mark == name || !mark[1])
            return complain(call, "--header-file needs NAME=FILE, such as X-Api-Key=/run/secrets/key");
        *mark            = '\0';
        call->headers[i] = (tenon_pair){ name, mark + 1 };
    }
    call->plain.header_files = (tenon_map){ given.count, call->headers };
    return true;
}

/* The name of an address, without a key that may stand in it. NULL when there is none. */
static const char *name_address(struct guard_call *call)
{
    if (!call->url)
        return NULL;
    snprintf(call->address, sizeof call->address, "%.*s", (int)strcspn(call->url, "?"), call->url);
    return call->address;
}

/* One server as it is: nothing is taken away. */
static bool take_plain(struct guard_call *call)
{
    tn_upstream_plain(&call->plain);
    tn_policy_plain(&call->policy);
    call->upstreams      = &call->plain;
    call->upstream_count = 1;
    call->plain.words    = call->words;
    call->plain.url      = call->url;
    call->plain.name     = call->words ? call->words[0] : name_address(call);
    if (!call->plain.name)
        return complain(call,
                        "a command after --, an address or --config FILE is needed; see tenon guard --help");
    if (call->words && (call->values.token_file || call->values.header_files.count))
        return complain(call, "--token-file and --header-file are for an address");
    if (call->url && call->values.env_from.count)
        return complain(call, "--env-from is for a command");
    call->plain.token_file = call->values.token_file;
    return read_header_files(call) && read_variables(call);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* Flags and environment hold against the file. */
static void overrule(struct guard_call *call)
{
    struct tn_policy *policy = &call->policy;

    if (tn_settings_has(call->settings, "results"))
        policy->results = (enum tn_guard_results)call->values.results;
    if (tn_settings_has(call->settings, "unknown"))
        policy->unknown = (enum tn_guard_unknown)call->values.unknown;
    if (tn_settings_has(call->settings, "repair"))
        policy->repairs = (enum tn_guard_repairs)call->values.repair;
    if (tn_settings_has(call->settings, "changed"))
        policy->changed = (enum tn_guard_changed)call->values.changed;
    if (call->values.publish)
        policy->publish = call->values.publish;
    if (call->values.lock_key)
        policy->lock_key = call->values.lock_key;
    if (call->values.lock) {
        policy->lock       = call->values.lock;
        policy->lock_named = true;
    }
    policy->dry_run   = call->values.dry_run;
    policy->over_http = call->settings->http != NULL;
    if (policy->dry_run && policy->results == RESULTS_CHECK)
        policy->results = RESULTS_WARN; /* nothing is taken away */
}

/* Names of a flag; those of a file were looked at with it. */
static bool knows_clients(const struct guard_call *call)
{
    tenon_allocator    memory  = tn_memory_of(NULL);
    struct tn_clients *clients = call->policy.publish ? tn_clients_new(&memory, call->policy.publish, NULL)
                                                      : NULL;
    bool               known   = clients || !call->policy.publish;

    tn_clients_free(clients);
    return known;
}

/* The same as the file's check of its own address: several callers would use one credential. */
static bool shares_credentials(const struct guard_call *call)
{
    for (size_t i = 0; call->config && call->settings->http && i < call->upstream_count; i++) {
        const struct tn_upstream *upstream = &call->upstreams[i];

        if (!upstream->shared_credential &&
            (upstream->token_file || upstream->token_command || upstream->header_files.count > 0 ||
             tenon_map_get(&upstream->headers, "Authorization")))
            return true;
    }
    return false;
}

static bool has_flag(int count, char **arguments, const char *name)
{
    size_t len = strlen(name);

    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        if (strncmp(arguments[i], name, len) == 0 && (!arguments[i][len] || arguments[i][len] == '='))
            return true;
    return false;
}

/* A file of the environment is meant where nothing else is named. */
static bool take_guarded(struct guard_call *call, int count, char **arguments)
{
    bool named = call->words || call->url;

    if (named && has_flag(count, arguments, "--config"))
        return complain(
            call,
            "--config FILE and a command or an address exclude each other; the file names what is guarded");
    if (!call->values.config || named)
        return take_plain(call);
    if (call->values.token_file || call->values.header_files.count)
        return complain(
            call,
            "--token-file and --header-file are for an address; in the file they stand with their server");
    if (call->values.env_from.count)
        return complain(call, "--env-from is for a command; in the file, env-from stands with its server");
    return read_file(call);
}

bool guard_call_read(struct guard_call *call, int count, char **arguments, enum ending *ending)
{
    const char *mistake;

    *ending        = ENDING_UNUSABLE;
    call->settings = tn_stdio_fill_gaps()
                         ? tenon_settings_new("tenon guard", tenon_version(), rows, &call->values)
                         : NULL;
    if (!call->settings)
        return complain(call, "out of memory");
    if (count == 0) {
        print_help(call);
        *ending = ENDING_GOOD;
        return false;
    }
    if (!read_flags(call, count, arguments, ending))
        return false;
    if (call->values.import) {
        *ending = import_file(call);
        return false;
    }
    if (!take_guarded(call, count, arguments))
        return false;
    overrule(call);
    if (!knows_clients(call))
        return complain(call, GUARD_NO_CLIENT);
    if (shares_credentials(call))
        return complain(call, SAY_CONFIG_SHARED);
    mistake = tn_settings_mistake(call->settings);
    return mistake ? complain(call, mistake) : true;
}

void guard_call_free(struct guard_call *call)
{
    tn_config_free(call->config);
    tenon_settings_free(call->settings);
}
