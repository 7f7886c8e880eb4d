/* flags.c - a command's options, read from its --help: what people read there is what is proposed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/propose/propose.h"

#define TEXT_MAX ((size_t)256 << 10)

/* What the command prints for --help, in a process of its own: some write to standard output by themselves. */
static _Noreturn void print_help(const struct proposal *proposal, int out)
{
    struct console console;
    char           flag[] = "--help", *arguments[3] = { NULL };
    int            count = 0;

    if (strcmp(proposal->command->name, "serve") == 0 && proposal->word_count > 0)
        arguments[count++] = proposal->words[0];
    arguments[count++] = flag;
    dup2(out, STDOUT_FILENO);
    console = console_of(stdout, stderr);
    proposal->command->run(&console, count, arguments);
    fflush(stdout);
    _exit(0);
}

struct tn_slice flags_text(struct proposal *proposal)
{
    struct tn_buf text;
    int           ends[2], status;
    pid_t         child;
    ssize_t       got;
    char          part[4096];

    tn_buf_init(&text, &proposal->arena, sizeof part, TEXT_MAX);
    fflush(stdout);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tn_buf_slice(&text);
    child = fork();
    if (child == 0)
        print_help(proposal, ends[1]);
    close(ends[1]);
    while (child > 0 && (got = read(ends[0], part, sizeof part)) > 0)
        tn_buf_add(&text, part, (size_t)got);
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    return tn_buf_slice(&text);
}

/* What stands before the next two spaces, or before the line's end. */
static struct tn_slice take_part(struct tn_slice *line)
{
    const char     *gap  = memmem(line->at, line->len, "  ", 2);
    struct tn_slice part = { line->at, gap ? (size_t)(gap - line->at) : line->len };

    *line = tn_slice_trim((struct tn_slice){ line->at + part.len, line->len - part.len });
    return part;
}

bool flags_next(struct tn_slice *text, struct flag *flag)
{
    struct tn_slice line;

    while (tn_slice_split(text, '\n', &line)) {
        const char *dashes = line.len > 4 ? memmem(line.at, line.len < 8 ? line.len : 8, "--", 2) : NULL;
        const char *space;

        if (!dashes || line.at[0] != ' ' || line.at[1] != ' ' || (dashes != line.at + 2 && line.at[2] != '-'))
            continue;
        line        = (struct tn_slice){ dashes, line.len - (size_t)(dashes - line.at) };
        flag->name  = take_part(&line);
        flag->about = line;
        space       = memchr(flag->name.at, ' ', flag->name.len);
        flag->value = (struct tn_slice){ "", 0 };
        if (space) {
            flag->value = tn_slice_trim(
                (struct tn_slice){ space, flag->name.len - (size_t)(space - flag->name.at) });
            flag->name.len = (size_t)(space - flag->name.at);
        }
        return true;
    }
    return false;
}

bool flags_find(struct tn_slice text, struct tn_slice name, struct flag *flag)
{
    while (flags_next(&text, flag))
        if (tn_slice_same(flag->name, name))
            return true;
    return false;
}
