/* complaints.c - the text of several mistakes. */
#include "base/complaints.h"

#include <string.h>

#include "base/buf.h"

/* Does `line` stand in the text, from the beginning of a line to the end of one? */
static bool complaints_have(const char *text, const char *line)
{
    size_t len = strlen(line);

    for (const char *at = len > 0 ? text : NULL; at && (at = strstr(at, line)); at++)
        if ((at == text || at[-1] == '\n') && (at[len] == '\0' || at[len] == '\n'))
            return true;
    return false;
}

bool tn_complaints_add(struct tn_complaints *complaints, struct tn_arena *arena, const char *line)
{
    struct tn_buf text;
    size_t        before = complaints->text ? strlen(complaints->text) : 0;
    char         *made;

    if (complaints_have(complaints->text, line))
        return true;
    complaints->count++;
    if (before > 0 && (complaints->count > COMPLAINTS_MAX || before + strlen(line) > COMPLAINTS_LEN_MAX))
        line = COMPLAINTS_MORE;
    if (complaints_have(complaints->text, line))
        return true;
    tn_buf_init(&text, arena, before + strlen(line) + 2, SIZE_MAX);
    tn_buf_add(&text, complaints->text, before);
    if (before > 0)
        tn_buf_char(&text, '\n');
    tn_buf_text(&text, line);
    made = tn_buf_end(&text);
    if (made)
        complaints->text = made;
    return made != NULL;
}
