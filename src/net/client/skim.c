/* skim.c - brackets, strings, and names at the top. */
#include "net/client/skim.h"

#include <string.h>

static bool skim_is(const struct tn_skim *skim, const char *name)
{
    return skim->name_len == strlen(name) && memcmp(skim->name, name, skim->name_len) == 0;
}

/* A name at the top is complete. */
static void end_name(struct tn_skim *skim)
{
    skim->in_name     = false;
    skim->is_id       = skim_is(skim, "id");
    skim->has_method  = skim->has_method || skim_is(skim, "method");
    skim->has_outcome = skim->has_outcome || skim_is(skim, "result") || skim_is(skim, "error");
}

static void take_in_string(struct tn_skim *skim, char byte)
{
    if (skim->escaped)
        skim->escaped = false;
    else if (byte == '\\')
        skim->escaped = true;
    else if (byte == '"') {
        skim->in_string = false;
        if (skim->in_name)
            end_name(skim);
        return;
    }
    if (skim->in_name && skim->name_len < SKIM_NAME_MAX)
        skim->name[skim->name_len++] = byte;
}

static void begin_string(struct tn_skim *skim)
{
    skim->in_string = true;
    skim->in_name   = skim->depth == 1 && !skim->in_value;
    skim->is_id     = skim->is_id && !skim->in_name && skim->depth > 1; /* an id that is a text is not ours */
    if (skim->in_name)
        skim->name_len = 0;
}

static void take_digit(struct tn_skim *skim, char byte)
{
    if (!skim->is_id || skim->depth != 1 || !skim->in_value)
        return;
    if (byte >= '0' && byte <= '9' && skim->digits < SKIM_DIGITS_MAX) {
        skim->number = skim->number * 10 + (byte - '0');
        skim->digits++;
    } else
        skim->is_id = false;
}

static void take_outside(struct tn_skim *skim, char byte)
{
    switch (byte) {
    case '"': begin_string(skim); break;
    case '{':
    case '[': skim->depth++; break;
    case '}':
    case ']': skim->depth -= skim->depth > 0; break;
    case ':': skim->in_value = skim->in_value || skim->depth == 1; break;
    case ',':
        if (skim->depth == 1)
            skim->in_value = skim->is_id = false;
        break;
    case ' ':
    case '\t':
    case '\r':
    case '\n': break;
    default: take_digit(skim, byte); break;
    }
}

void tn_skim_bytes(struct tn_skim *skim, const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (skim->in_string)
            take_in_string(skim, at[i]);
        else
            take_outside(skim, at[i]);
    }
}

int64_t tn_skim_answered(const struct tn_skim *skim)
{
    return skim->has_outcome && !skim->has_method && skim->digits > 0 ? skim->number : 0;
}
