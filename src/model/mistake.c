/* mistake.c - telling an author what is wrong with a declaration. */
#include "model/mistake.h"

#include "base/buf.h"

#define MISTAKE_LEN_MAX 4000

void mistake_note(struct mistake *mistake, const char *param, const char *format, ...)
{
    struct buf text;
    va_list    args;

    if (mistake->text)
        return;
    buf_init(&text, mistake->arena, 256, MISTAKE_LEN_MAX);
    buf_text(&text, mistake->owner);
    buf_lit(&text, ": ");
    if (param) {
        buf_lit(&text, "parameter '");
        buf_text(&text, param);
        buf_lit(&text, "': ");
    }
    va_start(args, format);
    buf_addv(&text, format, args);
    va_end(args);
    mistake->text = buf_end(&text);
    if (!mistake->text)
        mistake->text = "a declaration is wrong, and memory to say how was refused";
}
