/* logging.c - lines with their time and level. */
#define _GNU_SOURCE
#include "net/logging.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "text/date.h"

#define ESCAPE_MAX 6 /* \u001F */
#define FRAME_MAX  100
#define LINE_MAX_  (LOG_LINE_MAX * ESCAPE_MAX + FRAME_MAX)

/* As --log has it. */
static const char *level_name(int level)
{
    static const char *const names[] = { "error", "error", "warn", "info", "debug" };

    return level >= LOG_ERROR && level <= LOG_DEBUG ? names[level] : names[0];
}

/* Control characters are harmless in neither form, and a quote ends a JSON string. Returns how many bytes. */
static size_t escape(char *out, const char *text, size_t len, enum tn_log_form form)
{
    bool  valid = tn_utf8_valid(text, len);
    char *at    = out;

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < 0x20 || c == 0x7F) {
            at += sprintf(at, form == LOG_JSON ? "\\u%04X" : "\\x%02X", c);
        } else if (c >= 0x80 && !valid) {
            *at++ = '?';
        } else {
            if (form == LOG_JSON && (c == '"' || c == '\\'))
                *at++ = '\\';
            *at++ = (char)c;
        }
    }
    return (size_t)(at - out);
}

static void logging_write_line(void *user, int level, const char *text)
{
    const struct tn_logging *logging = user;
    bool                     json    = logging->form == LOG_JSON;
    char                     line[LINE_MAX_], when[TIMESTAMP_TEXT_LEN + 1];
    size_t                   len;
    ssize_t                  written;

    if (level > logging->level)
        return;
    tn_timestamp_format(logging->clock.wall_ms(logging->clock.user), when);
    len = (size_t)snprintf(line, FRAME_MAX,
                           json ? "{\"time\":\"%s\",\"level\":\"%s\",\"message\":\"" : "%s %s: ", when,
                           level_name(level));
    len += escape(line + len, text, strnlen(text, LOG_LINE_MAX), logging->form);
    if (json) {
        line[len++] = '"';
        line[len++] = '}';
    }
    line[len++] = '\n';
    do
        written = write(logging->fd, line, len);
    while (written < 0 && errno == EINTR);
}

void tn_logging_init(struct tn_logging *logging, const struct tn_settings *settings)
{
    *logging = (struct tn_logging){ .fd    = STDERR_FILENO,
                                    .level = settings->log_level,
                                    .form  = settings->log_form,
                                    .clock = tn_clock_system() };
}

struct tn_log tn_logging_log(struct tn_logging *logging)
{
    return (struct tn_log){ .line = logging_write_line, .user = logging };
}
