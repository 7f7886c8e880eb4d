/* console.c - lines for people, and colours for terminals. */
#define _POSIX_C_SOURCE 200809L
#include "cli/console.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

#define BOLD   "\x1b[1m"
#define RED    "\x1b[1;31m"
#define YELLOW "\x1b[1;33m"
#define PLAIN  "\x1b[0m"

static bool shows_colours(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return !(refused && *refused) && terminal && strcmp(terminal, "dumb") != 0 && isatty(fileno(stream));
}

struct console console_of(FILE *out, FILE *err)
{
    return (struct console){ out, err, shows_colours(out), shows_colours(err) };
}

/* Control characters, and those that change the direction of what follows. */
static bool steers(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029;
}

bool console_is_plain(uint32_t code)
{
    return !steers(code);
}

void console_text(FILE *to, struct tn_slice text)
{
    uint32_t code;

    for (size_t i = 0, len; i < text.len; i += len) {
        len = tn_utf8_read(text.at + i, text.len - i, &code);
        if (len == 0) {
            len = 1;
            fprintf(to, "\\x%02X", (unsigned)(unsigned char)text.at[i]);
        } else if (!steers(code))
            fwrite(text.at + i, 1, len, to);
        else if (code == '\n' || code == '\t' || code == '\r')
            fprintf(to, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
        else
            fprintf(to, code < 0x80 ? "\\x%02X" : "\\u{%X}", (unsigned)code);
    }
}

static void console_say(const struct console *console, const char *colour, const char *kind,
                        const char *format, va_list args) TENON_PRINTF(4, 0);

static void console_say(const struct console *console, const char *colour, const char *kind,
                        const char *format, va_list args)
{
    char line[CONSOLE_LINE_MAX];
    bool coloured = console->err_coloured;

    vsnprintf(line, sizeof line, format, args);
    fflush(console->out); /* where both go to one place, lines keep their order */
    fprintf(console->err, "%stenon:%s%s ", coloured ? colour : "", kind, coloured ? PLAIN : "");
    console_text(console->err, tn_slice_of(line));
    fputc('\n', console->err);
}

void console_error(const struct console *console, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    console_say(console, RED, "", format, args);
    va_end(args);
}

void console_warn(const struct console *console, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    console_say(console, YELLOW, " warning:", format, args);
    va_end(args);
}

void console_finding(const struct console *console, bool result, const char *place, const char *text)
{
    FILE *to       = result ? console->out : console->err;
    bool  coloured = result ? console->out_coloured : console->err_coloured;

    if (!result)
        fflush(console->out);
    fputs(coloured ? BOLD : "", to);
    console_text(to, tn_slice_of(place));
    fprintf(to, ":%s ", coloured ? PLAIN : "");
    console_text(to, tn_slice_of(text));
    fputc('\n', to);
}
