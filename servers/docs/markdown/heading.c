/* heading.c - what a heading says. */
#include "docs/markdown/heading.h"

static void trim(const char *at, size_t *begin, size_t *end)
{
    while (*begin < *end && heading_is_space(at[*begin]))
        ++*begin;
    while (*begin < *end && heading_is_space(at[*end - 1]))
        --*end;
}

void heading_text(const char *at, const struct mdline *line, size_t *begin, size_t *end)
{
    size_t closing;

    *begin = line->text_begin;
    *end   = line->text_end;
    trim(at, begin, end);
    if (line->text_end <= line->begin)
        return; /* underlined */
    closing = *end;
    while (closing > *begin && at[closing - 1] == '#')
        closing--;
    if (closing < *end && (closing == *begin || at[closing - 1] == ' ' || at[closing - 1] == '\t'))
        *end = closing;
    trim(at, begin, end);
}

size_t heading_copy(char *out, size_t most, const char *at, size_t begin, size_t end)
{
    size_t len = 0;

    while (begin < end && len < most) {
        unsigned char c = (unsigned char)at[begin++];

        if (c > 0x20 && c != 0x7f)
            out[len++] = (char)c;
        else if (len > 0 && out[len - 1] != ' ')
            out[len++] = ' ';
    }
    if (begin < end && ((unsigned char)at[begin] & 0xc0) == 0x80) {
        while (len > 0 && ((unsigned char)out[len - 1] & 0xc0) == 0x80)
            len--;
        len -= len > 0;
    }
    while (len > 0 && out[len - 1] == ' ')
        len--;
    out[len] = '\0';
    return len;
}
