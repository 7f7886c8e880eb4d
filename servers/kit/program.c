/* program.c - see program.h. */
#include "kit/program.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool mistake_of_usage(struct mistake *mistake, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (vasprintf(&mistake->text, format, list) < 0)
        mistake->text = NULL;
    va_end(list);
    mistake->is_usage = true;
    return false;
}

bool program_begin(const char *name, const struct flag *flags, size_t count, void *options, int *argc,
                   char **argv)
{
    char wrong[FLAGS_MISTAKE_MAX];

    signal(SIGXFSZ, SIG_IGN);
    if (flags_take(flags, count, options, argc, argv, wrong))
        return true;
    fprintf(stderr, "%s: %s\n", name, wrong);
    return false;
}

bool program_only_asks(int argc, char **argv)
{
    return flags_have(argc, argv, "--help") || flags_have(argc, argv, "--version");
}

int program_refuse(const char *name, struct mistake *mistake)
{
    fprintf(stderr, "%s: %s\n", name, mistake->text ? mistake->text : "out of memory");
    free(mistake->text);
    mistake->text = NULL;
    return mistake->is_usage ? PROGRAM_MISUSED : PROGRAM_FAILED;
}
