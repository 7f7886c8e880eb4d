/* mistake.c - why a provider cannot be used, for the operator. */
#include <stdarg.h>
#include <stdio.h>

#include "kit/embed/http.h"

bool embed_mistake(char **mistake, const char *format, ...)
{
    va_list list;

    if (!mistake)
        return false;
    va_start(list, format);
    if (vasprintf(mistake, format, list) < 0)
        *mistake = NULL;
    va_end(list);
    return false;
}
