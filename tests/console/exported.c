/* A server with one tool, and the test that the console made of a call: with TEST defined as the file that has it. */
#include <tenon/tenon.h>
#include <tenon/testing.h>

#include <stdio.h>

#ifdef TEST
#include TEST
#endif

typedef struct {
    const char *text;
    int         count;
} repeat_args;

static tenon_outcome repeat(tenon_call *call, const repeat_args *args)
{
    tenon_message(call, "%s, %d times", args->text, args->count);
    return tenon_ok(call);
}

TENON_TOOL(repeat, repeat_args,
    TENON_INFO("Repeat a text."),
    TENON_STR(text,  "What.",     .required = true, .len = {1, 100}),
    TENON_INT(count, "How often.", .range = {1, 9}, .def = 1));

/* With arguments it serves; without any, the call of TEST is made. */
int main(int count, char **arguments)
{
    tenon_server *server = tenon_server_new("repeater", "1.0.0");
    tenon_probe  *probe;
    const char   *mistake = NULL;

    tenon_server_add(server, repeat_tool());
    if (count > 1)
        return tenon_server_main(server, count, arguments);
    probe = tenon_probe_new(server);
#ifdef TEST
    mistake = mistake_in_repeat(probe);
#endif
    if (mistake)
        puts(mistake);
    tenon_probe_free(probe);
    tenon_server_free(server);
    return mistake != NULL;
}
