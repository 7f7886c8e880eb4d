/* transport.c - what both ways to a server share. */
#include "cli/client/transport.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"

int transport_left_ms(const struct transport *transport)
{
    struct tn_clock clock = tn_clock_system();
    int64_t         left  = transport->deadline_ms - clock.now_ms(clock.user);

    return left <= 0 ? 0 : left < INT_MAX ? (int)left : INT_MAX;
}

enum carried transport_fail(struct transport *transport, enum carried how, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(transport->why, sizeof transport->why, format, args);
    va_end(args);
    return how;
}
