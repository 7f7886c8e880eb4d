/* messages.c - a role and what it says, one after another. */
#include "cli/inspect/messages.h"

#include "cli/show.h"
#include "cli/value.h"

void messages_show(const struct console *console, yyjson_val *messages)
{
    yyjson_val *message;
    size_t      index, count;

    yyjson_arr_foreach(messages, index, count, message)
    {
        fputs(index ? "\n" : "", console->out);
        console_text(console->out, value_text(message, "role"));
        fputs(":\n", console->out);
        show_block(console, yyjson_obj_get(message, "content"));
    }
}
