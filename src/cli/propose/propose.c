/* propose.c - `tenon propose LINE`: hidden; what the completions of bash, zsh and fish ask.
 *
 * LINE is the command line up to the cursor. Each candidate is a line, its text and what it is with a tab between;
 * ":files" and ":folders" ask the shell for paths as well. A candidate that ends with "=" goes on. For names that only the
 * server knows it is started, or asked at its address, as the command itself would do it, for no longer than a person waits.
 */
#define _GNU_SOURCE
#include "cli/propose/propose.h"

#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "cli/client/known.h"
#include "cli/commands.h"
#include "cli/words.h"

#define ARENA_MAX ((size_t)64 << 20)
#define NAME_MAX_ 400

/* No character of it means something to a shell. */
static bool is_plain(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!tn_ascii_is_letter(text.at[i]) && !tn_ascii_is_digit(text.at[i]) &&
            !strchr("_-./:@+=,%", text.at[i]))
            return false;
    return text.len > 0 && text.len < NAME_MAX_;
}

void propose_joined(struct proposal *proposal, struct tn_slice name, const char *mark, struct tn_slice value,
                    struct tn_slice about)
{
    FILE  *out = proposal->console->out;
    char   whole[2 * NAME_MAX_ + 8];
    size_t typed = strlen(proposal->typed);
    int len = snprintf(whole, sizeof whole, "%.*s%s%.*s", (int)(name.len < NAME_MAX_ ? name.len : NAME_MAX_),
                       name.at, mark, (int)(value.len < NAME_MAX_ ? value.len : NAME_MAX_), value.at);

    if (!is_plain(name) || (name.at[0] == '-' && !proposal->is_flag) || (value.len > 0 && !is_plain(value)) ||
        (size_t)len < typed || memcmp(whole, proposal->typed, typed) != 0)
        return;
    fprintf(out, "%s\t", whole);
    console_text(out, about);
    fputc('\n', out);
}

void propose(struct proposal *proposal, struct tn_slice value, struct tn_slice about)
{
    propose_joined(proposal, value, "", (struct tn_slice){ "", 0 }, about);
}

static void propose_text(struct proposal *proposal, const char *value, const char *about)
{
    propose(proposal, tn_slice_of(value), tn_slice_of(about));
}

/* ---- Options ------------------------------------------------------------------------------------------------- */

static bool ends_with(struct tn_slice text, const char *end)
{
    size_t len = strlen(end);

    return text.len >= len && memcmp(text.at + text.len - len, end, len) == 0;
}

/* The value of an option: one of "a|b|c", or a path. `before` is "--name=" where it is typed in the same word. */
static void propose_value(struct proposal *proposal, const struct flag *flag, struct tn_slice before)
{
    struct tn_slice values = flag->value, one;

    if (ends_with(values, "FILE") || ends_with(values, "PATH"))
        fputs(":files\n", proposal->console->out);
    else if (ends_with(values, "DIR") || ends_with(values, "FOLDER"))
        fputs(":folders\n", proposal->console->out);
    while (memchr(flag->value.at, '|', flag->value.len) && tn_slice_split(&values, '|', &one))
        if (before.len > 0)
            propose_joined(proposal, before, "=", one, (struct tn_slice){ "", 0 });
        else
            propose(proposal, one, (struct tn_slice){ "", 0 });
}

static void propose_flags(struct proposal *proposal, struct tn_slice help)
{
    size_t      len = strcspn(proposal->typed, "=");
    struct flag flag;

    proposal->is_flag = true;
    if (proposal->typed[len]) {
        if (flags_find(help, (struct tn_slice){ proposal->typed, len }, &flag))
            propose_value(proposal, &flag, flag.name);
        return;
    }
    while (flags_next(&help, &flag))
        propose(proposal, flag.name, flag.about);
}

/* ---- Operands ------------------------------------------------------------------------------------------------ */

/* The words of "Usage: tenon docs index PATH" that are written as they are. */
static void propose_verbs(struct proposal *proposal, struct tn_slice help)
{
    struct tn_slice line;

    while (tn_slice_split(&help, '\n', &line)) {
        const char *tenon = memmem(line.at, line.len, " tenon ", 7);
        size_t      skip = 7 + strlen(proposal->command->name) + 1, len = 0;

        if (!tenon || (size_t)(line.at + line.len - tenon) <= skip)
            continue;
        while (tenon + skip + len < line.at + line.len && tenon[skip + len] >= 'a' &&
               tenon[skip + len] <= 'z')
            len++;
        if (len > 0)
            propose(proposal, (struct tn_slice){ tenon + skip, len }, (struct tn_slice){ "", 0 });
    }
}

/* The lines of a list, "  name   what it is". */
static void propose_rows(struct proposal *proposal, struct tn_slice help)
{
    struct tn_slice line;

    while (tn_slice_split(&help, '\n', &line)) {
        size_t len = 0;

        if (line.len < 4 || line.at[0] != ' ' || line.at[1] != ' ')
            continue;
        line = (struct tn_slice){ line.at + 2, line.len - 2 };
        while (len < line.len && (tn_ascii_is_letter(line.at[len]) || line.at[len] == '-'))
            len++;
        if (len > 0 && line.at[0] != '-' && len < line.len)
            propose(proposal, (struct tn_slice){ line.at, len },
                    tn_slice_trim((struct tn_slice){ line.at + len, line.len - len }));
    }
}

/* The names that servers have in clients' files; programs and lists are files. */
static void propose_targets(struct proposal *proposal)
{
    struct known_file files[KNOWN_FILES_MAX];
    size_t            count = known_files(&proposal->arena, files);

    for (size_t i = 0; i < count; i++) {
        struct tn_config *config = known_read(&files[i]);

        for (size_t k = 0; config && k < config->upstream_count; k++)
            propose_text(proposal, config->upstreams[k].name, files[i].path);
        tn_config_free(config);
    }
    fputs(":files\n", proposal->console->out);
}

static void propose_commands(struct proposal *proposal)
{
    for (size_t i = 0; commands_all[i]; i++)
        if (commands_all[i]->summary)
            propose_text(proposal, commands_all[i]->name, commands_all[i]->summary);
}

/* ---- The command line ---------------------------------------------------------------------------------------- */

/* Which kind of word a command's first operand is. */
static const struct {
    const char *command;
    void (*first)(struct proposal *proposal, struct tn_slice help);
} firsts[] = {
    { "serve", propose_rows },
    { "docs", propose_verbs },
    { "db", propose_verbs },
};

static const char *const with_target[] = { "tools",    "call",  "inspect", "read",    "prompt",
                                           "complete", "shell", "watch",   "pin",     "verify",
                                           "diff",     "lint",  "fuzz",    "console", "check" };

static bool takes_target(const struct command *command)
{
    for (size_t i = 0; i < sizeof with_target / sizeof *with_target; i++)
        if (strcmp(command->name, with_target[i]) == 0)
            return true;
    return false;
}

static void propose_operand(struct proposal *proposal, struct tn_slice help, const char *const *operands,
                            size_t operand_count, const char *const *flags, size_t flag_count)
{
    static const char *const clients[] = { "claude-code", "claude-desktop", "cursor", "vscode" };
    const char              *name      = proposal->command->name;

    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        if (strcmp(name, firsts[i].command) == 0 && operand_count == 0) {
            firsts[i].first(proposal, help);
            return;
        }
    if (strcmp(name, "install") == 0 && operand_count == 0)
        for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
            propose_text(proposal, clients[i], "");
    else if (takes_target(proposal->command) && operand_count == 0)
        propose_targets(proposal);
    else if (takes_target(proposal->command))
        propose_offered(proposal, operands, operand_count, flags, flag_count);
    else if (strcmp(name, "docs") == 0)
        fputs(":folders\n", proposal->console->out);
    else if (strcmp(name, "new") != 0 && strcmp(name, "servers") != 0 && strcmp(name, "token") != 0)
        fputs(":files\n", proposal->console->out);
}

static void propose_word(struct proposal *proposal)
{
    struct tn_slice help          = flags_text(proposal);
    const char    **operands      = tn_arena_array(&proposal->arena, proposal->word_count + 1, const char *);
    const char    **flags         = tn_arena_array(&proposal->arena, proposal->word_count + 1, const char *);
    size_t          operand_count = 0, flag_count = 0;

    for (size_t i = 0; operands && flags && i < proposal->word_count; i++) {
        const char *word = proposal->words[i];
        struct flag flag;

        if (strcmp(word, "--") == 0) { /* a command of another program */
            fputs(":files\n", proposal->console->out);
            return;
        }
        if (word[0] != '-') {
            operands[operand_count++] = word;
            continue;
        }
        flags[flag_count++] = word;
        if (strchr(word, '=') || !flags_find(help, tn_slice_of(word), &flag) || flag.value.len == 0)
            continue;
        if (++i == proposal->word_count) {
            propose_value(proposal, &flag, (struct tn_slice){ "", 0 });
            return;
        }
        flags[flag_count++] = proposal->words[i];
    }
    if (proposal->typed[0] == '-')
        propose_flags(proposal, help);
    else if (operands && flags)
        propose_operand(proposal, help, operands, operand_count, flags, flag_count);
}

/* The words after the program's name; the last is what is typed, which may be nothing yet. */
static bool split_line(struct proposal *proposal, const char *line, char ***words, size_t *count)
{
    size_t      len = strlen(line);
    const char *why;
    bool        fresh = len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t');
    char      **all   = words_split(&proposal->arena, line, &why);

    if (!all)
        return false;
    *words = all + 1; /* without the program's name, however it was written */
    for (*count = 0; (*words)[*count];)
        ++*count;
    proposal->typed = fresh || *count == 0 ? "" : (*words)[--*count];
    return true;
}

static enum ending propose_run(const struct console *console, int count, char **arguments)
{
    struct proposal proposal = { .console = console };
    tenon_allocator memory   = tn_memory_of(NULL);
    char          **words;
    size_t          word_count;

    tn_arena_init(&proposal.arena, &memory, ARENA_MAX);
    if (count == 1 && split_line(&proposal, arguments[0], &words, &word_count)) {
        if (word_count > 0 && strcmp(words[0], "help") != 0)
            proposal.command = commands_find(words[0]);
        if (word_count == 0 || (word_count == 1 && strcmp(words[0], "help") == 0))
            propose_commands(&proposal);
        if (word_count == 0)
            propose_text(&proposal, "help", "the options of a command");
        if (proposal.command && proposal.command->summary) {
            proposal.words      = words + 1;
            proposal.word_count = word_count - 1;
            propose_word(&proposal);
        }
    }
    tn_arena_free(&proposal.arena);
    return ENDING_GOOD;
}

const struct command command_propose = { "propose", NULL, propose_run };
