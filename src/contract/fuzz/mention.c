/* mention.c - does an answer name a parameter, and a reason? */
#include "contract/fuzz/verdict.h"

#define SHORT_NAME ((size_t)2) /* and below: "a" and "id" are words, too */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_word(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_at(struct tn_slice text, size_t at, struct tn_slice word)
{
    if (word.len > text.len - at)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (lower(text.at[at + i]) != lower(word.at[i]))
            return false;
    return true;
}

/* As a word of its own. */
static bool is_word_at(struct tn_slice text, size_t at, struct tn_slice word)
{
    size_t end = at + word.len;

    return is_at(text, at, word) && (at == 0 || !is_word(text.at[at - 1]) || !is_word(word.at[0])) &&
           (end == text.len || !is_word(text.at[end]) || !is_word(word.at[word.len - 1]));
}

static bool has_word(struct tn_slice text, const char *word)
{
    for (size_t i = 0; i < text.len; i++)
        if (is_word_at(text, i, tn_slice_of(word)))
            return true;
    return false;
}

/* ---- Names --------------------------------------------------------------------------------------------------------- */

static bool is_common(struct tn_slice name)
{
    static const char *const words[] = { "and",     "any",       "are",    "array",   "boolean", "call",
                                         "data",    "error",     "field",  "for",     "has",     "input",
                                         "integer", "key",       "list",   "message", "name",    "not",
                                         "null",    "number",    "object", "of",      "one",     "path",
                                         "string",  "text",      "the",    "tool",    "type",    "value",
                                         "with",    "arguments", "format", "length",  "item",    "pattern",
                                         "required" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tn_slice_fold_equal(name, tn_slice_of(words[i])))
            return true;
    return name.len <= SHORT_NAME;
}

/* "parameter a", "the field 'a'" */
static bool follows_title(struct tn_slice text, size_t at)
{
    static const char *const titles[] = { "parameter", "argument", "field",  "property",
                                          "key",       "option",   "member", "name" };
    size_t                   end      = at, begin;

    while (end > 0 && text.at[end - 1] == ' ')
        end--;
    begin = end;
    while (begin > 0 && is_word(text.at[begin - 1]))
        begin--;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (tn_slice_fold_equal((struct tn_slice){ text.at + begin, end - begin }, tn_slice_of(titles[i])))
            return true;
    return false;
}

static bool stands_as_name(struct tn_slice text, size_t at, size_t len)
{
    static const char before[] = "'\"`/.[({\n<=\\", after[] = "'\"`/])}:=\n>\\";
    char              first = at > 0 ? text.at[at - 1] : '\n';
    char              last  = at + len < text.len ? text.at[at + len] : '\n';

    return strchr(before, first) || strchr(after, last) || follows_title(text, at);
}

bool tn_mention_name(struct tn_slice text, struct tn_slice name)
{
    bool common = is_common(name);

    if (name.len == 0)
        return true;
    for (size_t i = 0; i + name.len <= text.len; i++)
        if (is_word_at(text, i, name) && (!common || stands_as_name(text, i, name.len)))
            return true;
    return false;
}

/* ---- Reasons ------------------------------------------------------------------------------------------------------- */

bool tn_mention_reason(struct tn_slice text)
{
    /* "invalid" alone says only that something is wrong */
    static const char *const words[] = {
        "must",           "should",        "expected",     "required",    "requires",
        "missing",        "needs",         "needed",       "unknown",     "unexpected",
        "unrecognized",   "undefined",     "additional",   "extra",       "allowed",
        "permitted",      "between",       "least",        "most",        "greater",
        "less",           "than",          "above",        "below",       "minimum",
        "maximum",        "exceeds",       "exceeded",     "small",       "large",
        "short",          "long",          "string",       "number",      "integer",
        "boolean",        "array",         "object",       "list",        "null",
        "format",         "pattern",       "match",        "matches",     "duplicate",
        "unique",         "twice",         "range",        "empty",       "length",
        "one of",         "is not",        "not a",        "not an",      "cannot be",
        "no such",        "got",           "received",     "unsupported", "supported",
        "choose",         "valid integer", "valid number", "absent",      "not found",
        "does not exist", "did you mean",  "forbidden",    "type",        "null or undefined",
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(text, words[i]))
            return true;
    return false;
}

/* ---- Corrections --------------------------------------------------------------------------------------------------- */

/* What a line, or a string of a JSON text, says. */
static struct tn_slice next_sentence(struct tn_slice *rest)
{
    size_t len = 0;

    while (len < rest->len && rest->at[len] != '\n' && rest->at[len] != '"')
        len++;
    struct tn_slice sentence = { rest->at, len };

    rest->at += len < rest->len ? len + 1 : len;
    rest->len -= len < rest->len ? len + 1 : len;
    return sentence;
}

bool tn_mention_correction(struct tn_slice text, struct tn_slice name)
{
    static const char *const words[] = { "using",    "used",    "instead", "converted", "corrected",
                                         "adjusted", "clamped", "ignored", "default",   "defaults",
                                         "capped",   "limited", "reduced", "raised" };

    while (name.len > 0 && text.len > 0) {
        struct tn_slice sentence = next_sentence(&text);

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (has_word(sentence, words[i]) && tn_mention_name(sentence, name))
                return true;
    }
    return false;
}
