/* console.h - what the program prints: results on standard output, everything else on standard error.
 *
 * File names, keys and values are untrusted text. Everything printed here has its control characters written as
 * \n, \xNN or \u{NN}, so that a line stays a line and a terminal is not controlled by them.
 */
#ifndef CLI_CONSOLE_H
#define CLI_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tenon/base.h>

#include "base/str.h"

/* The bytes of the longest message; what is longer is cut. */
#define CONSOLE_LINE_MAX 8000

struct console {
    FILE *out, *err;
    bool  out_coloured, err_coloured;
};

/* Colours only where a terminal shows them and nobody asked for none (NO_COLOR). */
struct console console_of(FILE *out, FILE *err);

/* One line each on standard error, "tenon: ..." and "tenon: warning: ...". */
void console_error(const struct console *console, const char *format, ...) TENON_PRINTF(2, 3);
void console_warn(const struct console *console, const char *format, ...) TENON_PRINTF(2, 3);

/* "place: text" as one line, the place in bold; with `result` on standard output. */
void console_finding(const struct console *console, bool result, const char *place, const char *text);

/* Is it a character that a terminal only shows? */
bool console_is_plain(uint32_t code);

/* Text with its control characters spelled out, for tests and for pieces of a line. */
void console_text(FILE *to, struct tn_slice text);

#endif
