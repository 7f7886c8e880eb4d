/* internal.c - what went wrong inside: a safe sentence for the caller, the truth for the log, one reference in both. */
#include <sodium.h>

#include "answer/call.h"
#include "answer/phrases.h"

#define LINE_ROOM ((size_t)4096)

/* Five bits a character; no letters that are read as digits. */
static void draw_reference(char reference[REFERENCE_LEN + 1])
{
    static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    unsigned char     random[REFERENCE_LEN];

    randombytes_buf(random, sizeof random);
    for (size_t i = 0; i < REFERENCE_LEN; i++)
        reference[i] = letters[random[i] % 32];
    reference[REFERENCE_LEN] = '\0';
}

tenon_outcome tenon_internal(tenon_call *call, const char *format, ...)
{
    struct tn_ending ending = { .kind = ENDING_ERROR };
    struct tn_buf    line, text;
    va_list          args;

    draw_reference(ending.reference);
    tn_buf_init(&line, &call->arena, 0, LINE_ROOM);
    va_start(args, format);
    tn_buf_addv(&line, format, args);
    va_end(args);
    tn_log_line(&call->box->log, LOG_ERROR, PHRASE_LOG_INTERNAL, call->tool->view.name, ending.reference,
                tn_buf_end(&line) ? line.at : "");

    tn_buf_init(&text, &call->arena, 0, LINE_ROOM);
    tn_phrase_internal(&text, ending.reference);
    ending.error   = tn_errors_find(&call->box->errors, TENON_CODE_INTERNAL_ERROR);
    ending.message = (struct tn_slice){ text.at, text.len };
    return tn_call_end(call, ending);
}
