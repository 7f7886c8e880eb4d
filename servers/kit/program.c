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

bool program_begin(tenon_settings *settings, int argc, char **argv, int *result)
{
    signal(SIGXFSZ, SIG_IGN);
    return tenon_settings_read(settings, argc, argv, result);
}

int program_refuse(const char *name, struct mistake *mistake)
{
    fprintf(stderr, "%s: %s\n", name, mistake->text ? mistake->text : "out of memory");
    free(mistake->text);
    mistake->text = NULL;
    return mistake->is_usage ? PROGRAM_MISUSED : PROGRAM_FAILED;
}
