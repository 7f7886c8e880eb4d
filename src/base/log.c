/* log.c - one bounded, harmless line at a time. */
#define _GNU_SOURCE
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

#define CUT_MARK  "..."
#define LABEL_MAX 20 /* "tenon: warning: " */

static const char *const labels[] = {
    [0]         = "tenon: ",
    [LOG_ERROR] = "tenon: error: ",
    [LOG_WARN]  = "tenon: warning: ",
    [LOG_INFO]  = "tenon: info: ",
    [LOG_DEBUG] = "tenon: debug: ",
};

static const char *log_label_of(enum tn_log_level level)
{
    size_t index = (size_t)level;

    return labels[index < sizeof labels / sizeof *labels ? index : 0];
}

/* Nothing that a terminal or a reader of lines would obey: C0 and C1 controls and DEL become '?', and so does
 * every byte above ASCII when the text is not valid UTF-8. */
static void make_harmless(char *text, size_t len)
{
    bool valid = tn_utf8_valid(text, len);

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c < 0x20 || c == 0x7F || (c >= 0x80 && !valid))
            text[i] = '?';
        else if (c == 0xC2 && (unsigned char)text[i + 1] < 0xA0)
            text[i] = text[i + 1] = '?';
    }
}

/* The end of `text` gives way to CUT_MARK, at the end of a code point. */
static size_t cut(char *text, size_t len)
{
    size_t at = len - strlen(CUT_MARK);

    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
        at--;
    memcpy(text + at, CUT_MARK, sizeof CUT_MARK);
    return at + strlen(CUT_MARK);
}

/* One write, so that lines of several threads and processes do not mix. */
static void log_write_line(enum tn_log_level level, const char *text)
{
    char    line[LABEL_MAX + LOG_LINE_MAX + 2];
    int     len = snprintf(line, sizeof line, "%s%s\n", log_label_of(level), text);
    ssize_t written;

    do
        written = write(STDERR_FILENO, line, (size_t)len);
    while (written < 0 && errno == EINTR);
}

void tn_log_line(const struct tn_log *log, enum tn_log_level level, const char *format, ...)
{
    int     saved = errno;
    char    text[LOG_LINE_MAX + 1];
    va_list args;
    int     wanted;
    size_t  len;

    va_start(args, format);
    wanted = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (wanted >= 0) {
        len = (size_t)wanted;
        if (len > LOG_LINE_MAX)
            len = cut(text, LOG_LINE_MAX);
        make_harmless(text, len);
        if (log && log->line)
            log->line(log->user, (int)level, text);
        else
            log_write_line(level, text);
    }
    errno = saved;
}
