/* notes.c - progress and log lines. */
#include "cli/remote/notes.h"

#include <string.h>

#include "base/memory.h"
#include "cli/value.h"
#include "json/write.h"

#define BAR_WIDTH   20
#define BAR_MESSAGE ((size_t)50) /* bytes beside it, so that all stays on one line */

/* Of the terminal, which there is one of. */
static bool bar_is_shown;

void notes_end(const struct console *console)
{
    if (bar_is_shown)
        fputs("\r\x1b[K", console->err);
    bar_is_shown = false;
}

static void show_bar(FILE *to, double part, struct tn_slice message)
{
    int full = (int)(part * BAR_WIDTH);

    fputs("\r\x1b[K[", to);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < full ? '#' : '.', to);
    fprintf(to, "] %3.0f%% ", 100 * part);
    while (message.len > BAR_MESSAGE ||
           (message.len > 0 && ((unsigned char)message.at[message.len - 1] & 0xC0) == 0xC0))
        message.len--; /* not within a character */
    console_text(to, message);
    fflush(to);
    bar_is_shown = true;
}

void notes_progress(const struct console *console, const tenon_json *given)
{
    yyjson_val *params = value_of(given);
    FILE       *to     = console->err;
    double      done   = yyjson_get_num(yyjson_obj_get(params, "progress"));
    double      total  = yyjson_get_num(yyjson_obj_get(params, "total"));

    if (console->err_coloured && total > 0 && done >= 0 && done <= total) {
        show_bar(to, done / total, value_text(params, "message"));
        return;
    }
    if (total > 0 && done >= 0 && done <= total)
        fprintf(to, "[%3.0f%%] ", 100 * done / total);
    else
        fprintf(to, "[%.6g] ", done);
    console_text(to, value_text(params, "message"));
    fputc('\n', to);
}

static void show_log(FILE *to, yyjson_val *params)
{
    yyjson_val     *data   = yyjson_obj_get(params, "data");
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    struct tn_buf   line;

    tn_arena_init(&arena, &memory, 0);
    tn_buf_init(&line, &arena, 256, MESSAGE_LEN_MAX);
    if (!yyjson_is_str(data))
        tn_json_value(&line, data);
    else
        tn_buf_add(&line, yyjson_get_str(data), yyjson_get_len(data));
    fputc('[', to);
    console_text(to, value_text(params, "level"));
    fputs("] ", to);
    console_text(to, tn_buf_slice(&line));
    fputc('\n', to);
    tn_arena_free(&arena);
}

void notes_show(const struct console *console, const char *method, const tenon_json *params)
{
    if (strcmp(method, "notifications/message") != 0)
        return;
    notes_end(console);
    show_log(console->err, value_of(params));
}
