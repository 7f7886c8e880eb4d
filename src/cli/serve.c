/* serve.c - `tenon serve NAME`: the servers that come with Tenon. */
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/ready.h"

struct serve_ready {
    const char *name, *summary;
    int (*main)(int argc, char **argv);
};

/* Ends with a row without a name. */
static const struct serve_ready servers[] = {
#ifdef TENON_SERVER_DOCS
    { "docs", "the documentation of projects: search and answers", docs_main },
#endif
#ifdef TENON_SERVER_APPSEC
    { "appsec", "application security: vulnerabilities, attacks, libraries", appsec_main },
#endif
#ifdef TENON_SERVER_KYC
    { "kyc", "know your customer: clients and their persons", kyc_main },
#endif
#ifdef TENON_SERVER_PENTEST
    { "pentest", "authorised tests of your own systems: requests, missions, findings", pentest_main },
#endif
    { NULL, NULL, NULL },
};

static enum ending print_help(FILE *to)
{
    fputs("Usage: tenon serve NAME [OPTION]...\n\n"
          "Runs a server that comes with Tenon; tenon serve NAME --help has its options.\n\n",
          to);
    for (const struct serve_ready *row = servers; row->name; row++)
        fprintf(to, "  %-12s %s\n", row->name, row->summary);
    if (!servers[0].name)
        fputs("This tenon comes without servers.\n", to);
    return ENDING_GOOD;
}

static enum ending serve_run(const struct console *console, int count, char **arguments)
{
    static char program[64]; /* a server may look at it for as long as there is a process */
    const char *names[sizeof servers / sizeof *servers] = { NULL }, *near;
    size_t      known                                   = 0;

    if (count == 0 || strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0)
        return print_help(console->out);
    for (const struct serve_ready *row = servers; row->name; row++) {
        if (strcmp(arguments[0], row->name) == 0) {
            snprintf(program, sizeof program, "tenon serve %s", row->name);
            arguments[0] = program; /* stands where a program's own name does */
            return (enum ending)row->main(count, arguments);
        }
        names[known++] = row->name;
    }
    near = options_nearest(arguments[0], strlen(arguments[0]), names, known);
    console_error(console, "there is no server %s%s%s%s; tenon serve lists them", arguments[0],
                  near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    return ENDING_UNUSABLE;
}

const struct command command_serve = { "serve", "run a server that comes with Tenon", serve_run };
