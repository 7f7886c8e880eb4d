/* log.h - what the library reports to its operator. Never standard output, never a value that a caller sent. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <tenon/base.h>

/* The bytes of the longest text; what is longer ends in "...". */
#define LOG_LINE_MAX 1000

enum tn_log_level { LOG_ERROR = 1, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Where lines go: a function of the program's, or standard error when NULL. One line a call, without its end,
 * valid UTF-8 and without control characters. */
struct tn_log {
    void (*line)(void *user, int level, const char *text);
    void *user;
};

/* `log` may be NULL: standard error. errno stays as it was. */
void tn_log_line(const struct tn_log *log, enum tn_log_level level, const char *format, ...)
    TENON_PRINTF(3, 4);

#endif
