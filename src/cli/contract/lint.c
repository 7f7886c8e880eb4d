/* lint.c - `tenon lint`: what is wrong with a list of tools, by itself and for the clients that get it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "cli/contract/report.h"
#include "cli/file.h"
#include "contract/lint/flat.h"
#include "contract/lint/lint.h"
#include "contract/phrases.h"

#define SUMMARY_MAX ((size_t)300)
#define PATH_ROOM   ((size_t)4096)
#define FIX_BEGIN   "{\"tools\": [\n"

enum { LINT_FOR = REPORT_OPTIONS, LINT_PROFILES, LINT_FIX, LINT_OPTIONS };

static const struct option table[] = {
    TARGET_TABLE,
    [LINT_FOR]      = { "for", '\0', "NAME,...",
                        "for these clients, or all; without it, for those that need no strict mode" },
    [LINT_PROFILES] = { "profiles", '\0', "DIR", "also read profiles of clients from the .json files there" },
    [LINT_FIX]      = { "fix", '\0', NULL, "print the list in a form that these clients accept" },
    [REPORT_STRICT] = { "strict", '\0', NULL, "end with 1 for warnings, too" },
    [REPORT_ALL]    = { "all", '\0', NULL, "also show notes" },
};

struct lint {
    struct targets           targets;
    const char              *clients, *folder;
    bool                     fix;
    struct tn_profiles       profiles;
    const struct tn_profile *chosen[PROFILES_MAX];
    size_t                   chosen_count;
};

static void print_help(FILE *to)
{
    fputs(
        "Usage: tenon lint [OPTION]... TARGET\n"
        "       tenon lint [OPTION]... -- COMMAND [ARGUMENT]...\n"
        "       tenon lint [OPTION]... --config FILE [NAME]\n\n"
        "Looks for what is wrong with the tools that an MCP server offers: schemas that do not compile or "
        "that\n"
        "nothing satisfies, defaults that their schema refuses, text that people do not see, and what "
        "clients\n"
        "and providers refuse or misread. TARGET is an address, a command line in one word, a saved list of\n"
        "tools (.json), a lock, or a name in tenon.lock. No tool is called.\n\n",
        to);
    options_help(to, table, LINT_OPTIONS);
    fputs("\nEnds with 0 when nothing is an error, with 1 when something is, and with 2 when the call is "
          "wrong or\n"
          "the server cannot be reached.\n",
          to);
}

static bool lint_option(void *user, int row, const char *value)
{
    struct lint *lint = user;

    switch (row) {
    case LINT_FOR: lint->clients = value; return true;
    case LINT_PROFILES: lint->folder = value; return true;
    case LINT_FIX: lint->fix = true; return true;
    default: return targets_option(&lint->targets, row, value);
    }
}

static bool lint_fail(const struct lint *lint, const char *why)
{
    console_error(lint->targets.remote.console, "%s", why);
    return false;
}

/* ---- Profiles ---------------------------------------------------------------------------------------------------- */

static bool is_profile(const char *name)
{
    size_t len = strlen(name);

    return len > 5 && name[0] != '.' && strcmp(name + len - 5, ".json") == 0;
}

static bool read_profile(struct lint *lint, const char *name)
{
    char        path[PATH_ROOM];
    struct file file;

    if (snprintf(path, sizeof path, "%s/%s", lint->folder, name) >= (int)sizeof path)
        return lint_fail(lint, "the path of a profile is too long");
    file = file_read(&lint->targets.remote.arena, path);
    if (file.why) {
        console_error(lint->targets.remote.console, "%s: %s", path, file.why);
        return false;
    }
    return tn_profiles_add(&lint->profiles, (struct tn_slice){ name, strlen(name) - 5 }, file.text) ||
           lint_fail(lint, lint->profiles.why);
}

/* In whatever order they come: each has a name of its own. */
static bool read_folder(struct lint *lint)
{
    DIR           *folder = opendir(lint->folder);
    struct dirent *entry;
    size_t         count = 0;
    bool           good  = true;

    if (!folder) {
        console_error(lint->targets.remote.console, "%s: %s", lint->folder, strerror(errno));
        return false;
    }
    while (good && (entry = readdir(folder)))
        if (is_profile(entry->d_name)) {
            good = read_profile(lint, entry->d_name);
            count++;
        }
    closedir(folder);
    return good &&
           (count > 0 || lint_fail(lint, "there is no profile (.json) in the folder that --profiles names"));
}

static bool choose(struct lint *lint, struct tn_slice name)
{
    const struct tn_profile *profile = tn_profiles_find(&lint->profiles, name);

    for (size_t i = 0; i < lint->chosen_count; i++)
        if (lint->chosen[i] == profile)
            return true;
    if (profile) {
        lint->chosen[lint->chosen_count++] = profile;
        return true;
    }
    console_error(lint->targets.remote.console, "there is no profile '%.*s'; there are:", (int)name.len,
                  name.at);
    for (size_t i = 0; i < lint->profiles.count; i++)
        fprintf(lint->targets.remote.console->err, "  %-18.*s %.*s\n", (int)lint->profiles.at[i].name.len,
                lint->profiles.at[i].name.at, (int)lint->profiles.at[i].title.len,
                lint->profiles.at[i].title.at);
    return false;
}

/* Those that the call names; else all that need no mode to be switched on. */
static bool choose_all(struct lint *lint)
{
    struct tn_slice rest = tn_slice_of(lint->clients), name;
    bool            all  = tn_slice_is(rest, "all");

    while (lint->clients && !all && tn_slice_split(&rest, ',', &name))
        if (!choose(lint, tn_slice_trim(name)))
            return false;
    for (size_t i = 0; (all || !lint->clients) && i < lint->profiles.count; i++)
        if (all || !lint->profiles.at[i].mode)
            lint->chosen[lint->chosen_count++] = &lint->profiles.at[i];
    return lint->chosen_count > 0 || lint_fail(lint, "--for needs the name of a client");
}

static bool read_profiles(struct lint *lint)
{
    tenon_allocator memory = tn_memory_of(NULL);

    tn_profiles_init(&lint->profiles, &memory);
    if (!tn_profiles_add_known(&lint->profiles))
        return lint_fail(lint, lint->profiles.why);
    return (!lint->folder || read_folder(lint)) && choose_all(lint);
}

/* ---- Showing ------------------------------------------------------------------------------------------------------ */

static void sum_up(struct tn_lint *found)
{
    struct tn_buf sums;

    tn_buf_init(&sums, found->arena, 100, SUMMARY_MAX);
    tn_buf_addf(&sums, "%zu errors, %zu warnings, %zu notes in %zu tools of %zu bytes, about %zu tokens",
                found->findings.counts[LEVEL_ERROR], found->findings.counts[LEVEL_WARNING],
                found->findings.counts[LEVEL_NOTE], found->tool_count, found->bytes, found->bytes / 4);
    found->findings.summary = tn_buf_slice(&sums);
}

static bool show(struct lint *lint, struct tn_lint *found)
{
    const struct console *console = lint->targets.remote.console;
    struct tn_buf         out;

    tn_findings_sort(&found->findings);
    sum_up(found);
    if (lint->targets.format == FINDINGS_TEXT && found->tool_count > 0) {
        tn_buf_init(&out, found->arena, 4096, FINDINGS_OUT_MAX);
        tn_lint_table(&out, found, console->out_coloured);
        if (out.failed)
            return lint_fail(lint, "out of memory");
        fwrite(out.at, 1, out.len, console->out);
    }
    return report_print(&lint->targets, &found->findings);
}

/* ---- Fixing -------------------------------------------------------------------------------------------------------- */

/* What is printed must keep every rule: it is looked at again. */
static enum ending look_again(struct lint *lint, struct tn_slice text)
{
    struct tn_arena *arena = &lint->targets.remote.arena;
    struct tn_offer  offer = { 0 };
    struct tn_lint   found;
    struct tn_buf    out;
    const char      *why;
    bool             broken = false;

    tn_lint_init(&found, arena, lint->chosen, lint->chosen_count);
    if (!tn_offer_read(&offer, arena, text, NULL, &why) || !tn_lint_offer(&found, &offer)) {
        lint_fail(lint, "out of memory");
        return ENDING_UNUSABLE;
    }
    for (size_t i = 0; i < found.findings.count; i++)
        if (found.findings.at[i].client.len == 0)
            found.findings.at[i].level = LEVEL_NONE; /* what no form can change */
        else
            broken |= found.findings.at[i].level >= LEVEL_WARNING && found.findings.at[i].tool.len > 0;
    found.findings.shows   = LEVEL_WARNING;
    found.findings.folds   = true;
    found.findings.dropped = 0;
    tn_buf_init(&out, arena, 4096, FINDINGS_OUT_MAX);
    tn_findings_text(&out, &found.findings, false);
    fwrite(out.at ? out.at : "", 1, out.len, lint->targets.remote.console->err);
    return broken ? ENDING_BAD : ENDING_GOOD;
}

static bool fix_tool(struct lint *lint, const struct tn_flat_form *form, struct tn_buf *out,
                     const struct tn_definition *one)
{
    struct tn_arena    *arena = &lint->targets.remote.arena;
    struct tn_slice     name  = tn_flat_form_name(form, arena, CHECK_NAME, true, one->name);
    struct tn_flat_tool tool;

    if (!tn_flat_tool(&tool, arena, form, one->value, name))
        return lint_fail(lint, "out of memory");
    if (tool.moves_header)
        console_error(lint->targets.remote.console, "%.*s: " SAY_FIX_HEADER, (int)one->name.len,
                      one->name.at);
    tn_buf_text(out, out->len > strlen(FIX_BEGIN) ? ",\n" : "");
    tn_buf_add(out, tool.text.at, tool.text.len);
    return true;
}

static enum ending fix(struct lint *lint, const struct target *target)
{
    const struct tn_offer_list *list = &target->offer.kinds[KIND_TOOL];
    struct tn_flat_form         form;
    struct tn_buf               out;

    tn_flat_form_init(&form, lint->chosen, lint->chosen_count);
    tn_buf_init(&out, &lint->targets.remote.arena, 4096, FINDINGS_OUT_MAX);
    tn_buf_text(&out, FIX_BEGIN);
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].value && !fix_tool(lint, &form, &out, &list->at[i]))
            return ENDING_UNUSABLE;
    tn_buf_lit(&out, "\n]}\n");
    if (out.failed) {
        lint_fail(lint, "out of memory");
        return ENDING_UNUSABLE;
    }
    fwrite(out.at, 1, out.len, lint->targets.remote.console->out);
    return look_again(lint, tn_buf_slice(&out));
}

/* ---- The command ---------------------------------------------------------------------------------------------------- */

static enum ending look_at(struct lint *lint, struct target *target)
{
    struct tn_lint found;

    if (!target_ask(&lint->targets, target))
        return ENDING_UNUSABLE;
    if (lint->fix)
        return fix(lint, target);
    tn_lint_init(&found, &lint->targets.remote.arena, lint->chosen, lint->chosen_count);
    found.findings.fails  = lint->targets.strict ? LEVEL_WARNING : LEVEL_ERROR;
    found.findings.shows  = lint->targets.all ? LEVEL_NONE : LEVEL_WARNING;
    found.findings.folds  = true;
    found.findings.file   = target->file;
    found.findings.target = target->name;
    if (!tn_lint_offer(&found, &target->offer)) {
        lint_fail(lint, "out of memory");
        return ENDING_UNUSABLE;
    }
    if (target->words)
        tn_lint_command(&found, target->words);
    if (!show(lint, &found))
        return ENDING_UNUSABLE;
    return tn_findings_fail(&found.findings) ? ENDING_BAD : ENDING_GOOD;
}

static enum ending look_at_all(struct lint *lint)
{
    struct targets *targets = &lint->targets;
    enum ending     worst   = ENDING_GOOD;

    if (!read_profiles(lint) || !targets_find(targets))
        return ENDING_UNUSABLE;
    if (targets->remote.raw)
        targets->format = FINDINGS_JSON;
    if (targets->count != 1 && (lint->fix || targets->format != FINDINGS_TEXT)) {
        lint_fail(lint, "one server only for this form of output; name it");
        return ENDING_UNUSABLE;
    }
    for (size_t i = 0; i < targets->count; i++) {
        enum ending one;

        if (targets->count > 1)
            fprintf(targets->remote.console->out, "%s%.*s\n\n", i > 0 ? "\n" : "",
                    (int)targets->at[i].name.len, targets->at[i].name.at);
        one   = look_at(lint, &targets->at[i]);
        worst = one > worst ? one : worst;
    }
    return worst;
}

static enum ending lint_go(void *user)
{
    struct lint *lint   = user;
    enum ending  ending = look_at_all(lint);

    tn_profiles_free(&lint->profiles);
    return ending;
}

static enum ending lint_run(const struct console *console, int count, char **arguments)
{
    struct lint lint = { .targets.remote = { .console = console,
                                             .command = "lint",
                                             .help    = print_help,
                                             .option  = lint_option,
                                             .user    = &lint } };

    return targets_run(&lint.targets, table, LINT_OPTIONS, count, arguments, lint_go);
}

const struct command command_lint = { "lint",
                                      "what is wrong with the tools of an MCP server, and for which clients",
                                      lint_run };
