/* notes.c - progress and log lines. */
#include "cli/notes.h"

#include <string.h>

#include "base/memory.h"
#include "cli/value.h"
#include "json/write.h"

static void show_progress(FILE *to, yyjson_val *params)
{
    double done  = yyjson_get_num(yyjson_obj_get(params, "progress"));
    double total = yyjson_get_num(yyjson_obj_get(params, "total"));

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
    if (strcmp(method, "notifications/progress") == 0)
        show_progress(console->err, value_of(params));
    else if (strcmp(method, "notifications/message") == 0)
        show_log(console->err, value_of(params));
}
