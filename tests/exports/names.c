/* names.c - a program whose own functions have names that a library might have: linked with libtenon.a, each is called only
 * by the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

/* Ends the program when something else than it calls one of them. */
#define OWN(name)                                             \
    bool name(const char *a, const char *b);                  \
    bool name(const char *a, const char *b)                   \
    {                                                         \
        fprintf(stderr, "the library called %s()\n", #name); \
        (void)a, (void)b;                                     \
        abort();                                              \
    }
/* clang-format off */
OWN(arena_init) OWN(arena_free) OWN(arena_copy) OWN(buf_init) OWN(buf_add) OWN(buf_addf) OWN(buf_end) OWN(said) OWN(same)
OWN(slice_of) OWN(slice_trim) OWN(memory_new) OWN(memory_free) OWN(json_read) OWN(json_string) OWN(json_number) OWN(str_hash)
OWN(utf8_valid) OWN(format_find) OWN(path_normalize) OWN(pattern_compile) OWN(object_find) OWN(issue_add) OWN(judge)
OWN(row_read) OWN(rows_compile) OWN(coerce) OWN(emit_object) OWN(shape_compile) OWN(schema_compile) OWN(toolbox_lookup)
OWN(errors_find) OWN(envelope_write) OWN(exchange_run) OWN(session_find) OWN(settings_read) OWN(log_line) OWN(worker_new)
OWN(http_parse) OWN(conn_close) OWN(endpoint_open)
    /* clang-format on */

    typedef struct {
    const char *city;
    int         days;
} forecast_args;

static tenon_outcome forecast(tenon_call *call, const forecast_args *args)
{
    tenon_text(call, "%s %d", args->city, args->days);
    return tenon_ok(call);
}

TENON_TOOL(forecast, forecast_args,
    TENON_INFO("Say what the weather will be."),
    TENON_STR(city, "A city, in English.", .required = true, .len = {1, 80}),
    TENON_INT(days, "How far ahead.",      .range = {1, 14}, .def = 3));

static void take(void *user, const char *json, size_t len)
{
    (void)json, (void)len;
    *(size_t *)user += 1;
}

int main(void)
{
    static const char   ping[]   = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    static const char   args[]   = "{\"city\":\"Oslo\"}";
    tenon_toolbox      *box      = tenon_toolbox_new();
    tenon_server       *server   = tenon_server_new("names", "1.0.0");
    size_t              messages = 0;
    const tenon_answer *answer;
    tenon_call         *call;
    tenon_link         *link;

    tenon_toolbox_add(box, forecast_tool());
    call   = tenon_call_new(box);
    answer = tenon_call_run(call, "forecast", args, strlen(args));
    if (!answer || !strstr(answer->json, "Oslo 3")) {
        fprintf(stderr, "the library answered %s\n", answer ? answer->json : "nothing");
        return 1;
    }
    tenon_server_add(server, forecast_tool());
    link = tenon_link_new(server, take, &messages);
    tenon_link_send(link, ping, strlen(ping));
    tenon_link_free(link);
    tenon_server_free(server);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    puts(messages == 1 ? "a program keeps its own names" : "the server did not answer");
    return messages != 1;
}
