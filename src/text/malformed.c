/* malformed.c - the usual ways to write what is nearly JSON: Python's, JavaScript's, a chat's.
 *
 * The reader says where it stopped; what stands there and before it says why. A caller that knows it can write the
 * same thing again, where "unexpected character" would make it guess.
 */
#include "text/malformed.h"

#include <string.h>

#include "base/ascii.h"

#define FENCE "```"

static bool malformed_begins(struct tn_slice text, size_t at, const char *word)
{
    size_t len = strlen(word);

    return at <= text.len && text.len - at >= len && memcmp(text.at + at, word, len) == 0;
}

static bool begins_any(struct tn_slice text, size_t at, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (malformed_begins(text, at, words[i]))
            return true;
    return false;
}

/* Of a name without quotes. */
static bool is_letter(char c)
{
    return tn_ascii_is_letter(c) || c == '_' || c == '$';
}

/* The last character before `at` that is no space; '\0' when there is none. */
static char malformed_before(struct tn_slice text, size_t at)
{
    while (at > 0 && tn_str_blank(text.at[at - 1]))
        at--;
    return at > 0 ? text.at[at - 1] : '\0';
}

/* A word without quotes. */
static enum tn_malformed word_kind(struct tn_slice text, size_t at)
{
    static const char *const python[]  = { "True", "False", "None", "TRUE", "FALSE", "NULL", "undefined" };
    static const char *const numbers[] = { "NaN", "nan", "Infinity", "inf" };
    char                     last      = malformed_before(text, at);

    if (begins_any(text, at, python, sizeof python / sizeof *python))
        return MALFORMED_PYTHON;
    if (begins_any(text, at, numbers, sizeof numbers / sizeof *numbers))
        return MALFORMED_NO_NUMBER;
    if (last == '\0')
        return MALFORMED_PLAIN;
    if (last == '{')
        return MALFORMED_NAME;
    return last == ',' || last == '[' || last == ':' ? MALFORMED_BARE : MALFORMED_COMMA_MISSING;
}

enum tn_malformed tn_malformed_kind(struct tn_slice text, const struct tn_json_text *read)
{
    size_t at = read->at;
    char c = at < text.len ? text.at[at] : '\0', last = malformed_before(text, at < text.len ? at : text.len);

    if (malformed_begins(tn_slice_trim(text), 0, FENCE))
        return MALFORMED_FENCE;
    if (at >= text.len || strcmp(read->what, "unexpected end") == 0)
        return MALFORMED_CUT;
    if (strcmp(read->what, "text after the end of the value") == 0 ||
        strcmp(read->what, "invalid string") == 0)
        return MALFORMED_OTHER;
    if (strcmp(read->what, "control character in a string") == 0)
        return c == '\n' || c == '\r' || c == '\t' ? MALFORMED_LINE_BREAK : MALFORMED_OTHER;
    if (strcmp(read->what, "trailing comma") == 0 || ((c == ']' || c == '}') && last == ','))
        return MALFORMED_COMMA_LEFT;
    if (c == '\'')
        return MALFORMED_SINGLE_QUOTES;
    if (malformed_begins(text, at, "\xE2\x80\x9C") || malformed_begins(text, at, "\xE2\x80\x9D"))
        return MALFORMED_CURLY_QUOTES;
    if (malformed_begins(text, at, "\\\""))
        return MALFORMED_ESCAPED;
    if (malformed_begins(text, at, "//") || malformed_begins(text, at, "/*") || c == '#')
        return MALFORMED_COMMENT;
    if (is_letter(c))
        return word_kind(text, at);
    if ((c == '"' || c == '{' || c == '[') && last != ',' && last != ':' && last != '{' && last != '[')
        return MALFORMED_COMMA_MISSING;
    return MALFORMED_OTHER;
}
