/* program.c - a program that run.py compiles with headers of several versions: prints what the library understood.
 *
 * Many structs of the later headers have one more member, `added`. NEW says in which of them this program uses it. */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

enum {
    IN_BOOL = 1,
    IN_STRS,
    IN_GROUP,
    IN_INFO,
    IN_ICON,
    IN_ERROR,
    IN_TOOLBOX,
    IN_SERVER,
    IN_RESOURCE,
    IN_SKILL,
    IN_FILE,
    IN_SCHEMA
};
#ifdef NEW
#define ADDED(where) , .added = NEW == (where) ? "x" : NULL
#else
#define ADDED(where)
#endif

#define LIST                                                                                                          \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"                                 \
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}"

typedef struct {
    int        days;
    bool       celsius;
    tenon_strs names;
    double     least;
    tenon_page page;
} forecast_args;

static tenon_outcome forecast(tenon_call *call, const forecast_args *args)
{
    if (args->days > 7)
        return tenon_fail(call, "TOO_FAR", NULL);
    tenon_text(call, "%d days, celsius %d, %zu names, least %g, %lld on a page", args->days, args->celsius,
               args->names.count, args->least, (long long)args->page.page_size);
    return tenon_ok(call);
}

/* clang-format off */
static const tenon_icon icons[] = {
    { .src = "https://a/1.png", .mime = "image/png" },
    { .src = "https://a/2.png" ADDED(IN_ICON) },
};

TENON_TOOL(forecast, forecast_args,
    TENON_INFO("Say what the weather will be.", .hints = TENON_READ_ONLY, .icons = icons, .icon_count = 2 ADDED(IN_INFO)),
    TENON_INT  (days,    "How far ahead.", .range = {1, 14}, .def = 3),
    TENON_BOOL (celsius, "In Celsius?",    .def = false ADDED(IN_BOOL)),
    TENON_STRS (names,   "Names.",         .count = {1, 3}, .required = true ADDED(IN_STRS)),
    TENON_NUM  (least,   "A number.",      .range = {0, 1}),
    TENON_GROUP(page,    tenon_page_rows,  .tuned = "pageSize", .max = 20 ADDED(IN_GROUP)));

static const tenon_error errors[] = {
    { .code = "TOO_NEAR", .text = "Ask later." },
    { .code = "TOO_FAR",  .text = "Ask for less." ADDED(IN_ERROR) },
};

static const tenon_skill_file files[] = {
    { .path = "a.md", .text = "A." },
    { .path = "b.md", .text = "B." ADDED(IN_FILE) },
};
/* clang-format on */

static tenon_outcome motd(tenon_call *call, const char *uri)
{
    (void)uri;
    return tenon_ok(call);
}

static void call_with(tenon_call *call, const char *args)
{
    const tenon_answer *answer = tenon_call_run(call, "forecast", args, strlen(args));

    puts(answer ? answer->json : "no such tool");
}

static void try_toolbox(void)
{
    tenon_toolbox *box  = tenon_toolbox_new(TENON_ERRORS(errors) ADDED(IN_TOOLBOX));
    tenon_call    *call = tenon_call_new(box);

    tenon_toolbox_add(box, forecast_tool());
    if (tenon_toolbox_error(box)) {
        printf("toolbox refused: %s\n", tenon_toolbox_error(box));
    } else {
        puts(tenon_toolbox_find(box, "forecast")->input);
        call_with(call, "{\"names\":[\"a\"]}");
        call_with(call, "{\"names\":[\"a\"],\"days\":9}");
        call_with(call, "{\"names\":[],\"least\":2}");
    }
    tenon_call_free(call);
    tenon_toolbox_free(box);
}

static void print(void *user, const char *json, size_t len)
{
    (void)user;
    printf("%.*s\n", (int)len, json);
}

static void try_server(void)
{
    tenon_server *server = tenon_server_new("abi", "1.0.0", .icons = icons, .icon_count = 1,
                                            TENON_ERRORS(errors) ADDED(IN_SERVER));
    tenon_link   *link;

    tenon_server_add(server, forecast_tool());
    tenon_server_resource(server, "app://motd", motd, .name = "motd", .icons = icons,
                          .icon_count = 1 ADDED(IN_RESOURCE));
    tenon_server_skill(server, "weather", .doc = "Weather.", .text = "Ask.", .files = files,
                       .file_count = 2 ADDED(IN_SKILL));
    link = tenon_link_new(server, print, NULL);
    if (tenon_server_error(server))
        printf("server refused: %s\n", tenon_server_error(server));
    else
        tenon_link_send(link, LIST, strlen(LIST));
    tenon_link_free(link);
    tenon_server_free(server);
}

static void try_schema(void)
{
    static const char text[] = "{\"type\":\"integer\"}";
    tenon_schema *schema = tenon_schema_new(text, strlen(text), .format_assertion = true ADDED(IN_SCHEMA));

    if (tenon_schema_error(schema))
        printf("schema refused: %s\n", tenon_schema_error(schema));
    else
        puts("schema compiled");
    tenon_schema_free(schema);
}

/* What differs between versions. */
static void print_sizes(void)
{
    printf("%zu %zu %zu %zu %zu %zu %zu\n", sizeof(tenon_row), sizeof(tenon_info), sizeof(tenon_error),
           sizeof(tenon_toolbox_options), sizeof(tenon_server_options), sizeof(tenon_skill_options),
           sizeof(tenon_schema_options));
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        print_sizes();
        return 0;
    }
    try_toolbox();
    try_server();
    try_schema();
    return 0;
}
