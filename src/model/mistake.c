/* mistake.c - reporting to an author what is wrong with a declaration. */
#include "model/mistake.h"

#include "base/buf.h"
#include "base/complaints.h"

#define MISTAKE_LEN_MAX 4000

void tn_mistake_note(struct tn_mistake *mistake, const char *param, const char *format, ...)
{
    struct tn_complaints lines = { mistake->text, mistake->count++ };
    struct tn_buf        text;
    va_list              args;

    if (mistake->text && (!mistake->all || (param && param == mistake->param)))
        return;
    tn_buf_init(&text, mistake->arena, 256, MISTAKE_LEN_MAX);
    tn_buf_text(&text, mistake->owner);
    tn_buf_lit(&text, ": ");
    if (param) {
        tn_buf_lit(&text, "parameter '");
        tn_buf_text(&text, param);
        tn_buf_lit(&text, "': ");
    }
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    if (tn_buf_end(&text))
        tn_complaints_add(&lines, mistake->arena, text.at);
    mistake->text  = lines.text ? lines.text : "a declaration is wrong, and memory to say how was refused";
    mistake->param = param;
}
