/* docs.c - `tenon docs`: the documentation server's work on the command line. */
#include "cli/command.h"
#include "cli/ready.h"

#ifdef TENON_SERVER_DOCS

static enum ending docs_run(const struct console *console, int count, char **arguments)
{
    (void)console;
    return (enum ending)docs_command(count, arguments);
}

const struct command command_docs = { "docs", "index, search and ask the documentation of a project",
                                      docs_run };

#else
typedef int nothing_here;
#endif
