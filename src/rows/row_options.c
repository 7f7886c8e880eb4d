/* row_options.c - the designators in a row's source text, outside of literals and nested braces. */
#include "rows/row_options.h"

#include <ctype.h>
#include <string.h>

/* Behind the literal that begins at `at`, a quote. */
static const char *skip_literal(const char *at)
{
    char quote = *at++;

    while (*at && *at != quote)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool tn_row_options_has(const char *text, const char *option)
{
    size_t len   = strlen(option);
    int    depth = 0;
    char   last  = ','; /* a designator follows a comma or the beginning; a member access does not */

    if (!text || !strstr(text, option)) /* most rows have few of the options that they are asked for */
        return false;
    for (const char *at = text; *at;) {
        if (*at == '"' || *at == '\'') {
            at   = skip_literal(at);
            last = '"';
            continue;
        }
        if (*at == '.' && depth == 0 && last == ',' && strncmp(at + 1, option, len) == 0 &&
            !is_word(at[1 + len]))
            return true;
        depth += (*at == '{' || *at == '(' || *at == '[') - (*at == '}' || *at == ')' || *at == ']');
        if (*at != ' ' && *at != '\t' && *at != '\n')
            last = *at;
        at++;
    }
    return false;
}
