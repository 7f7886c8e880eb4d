/* judge.c - the server that tests/forms is run against: tools that return what they were given. */
#include <tenon/tenon.h>

enum risk { LOW, HIGH_RISK };
static const char *const risks[] = { "LOW", "HIGH_RISK" };

typedef struct {
    int         page_size;
    enum risk   risk;
    tenon_strs  tags, names;
    tenon_ints  ids;
    tenon_map   headers;
    const char *text, *token;
} find_args;

#define FIND_ROWS                                                                                            \
    TENON_INT(page_size, "How many.", .range = { 1, 50 }, .def = 10),                                        \
    TENON_ENUM(risk, risks, "How bad."),                                                                     \
    TENON_STRS(tags, "Words.", .pattern = "^[a-z]+$", .example = "[\"api\"]"),                               \
    TENON_STRS(names, "Names.", .comma = true),                                                              \
    TENON_INTS(ids, "Which."),                                                                               \
    TENON_MAP(headers, "Headers."),                                                                          \
    TENON_STR(text, "Any text."),                                                                            \
    TENON_STR(token, "A key.", .secret = true)

TENON_ROWS(find_rows, find_args, FIND_ROWS);

static tenon_outcome find(tenon_call *call, const find_args *args)
{
    return tenon_ok_data(call, find_rows, args);
}

TENON_TOOL(find, find_args, TENON_INFO("Return what was given.", .result = find_rows), FIND_ROWS);

static tenon_outcome find_strict(tenon_call *call, const find_args *args)
{
    return tenon_ok_data(call, find_rows, args);
}

TENON_TOOL(find_strict, find_args, TENON_INFO("The same, strictly.", .result = find_rows, .strict = true),
           FIND_ROWS);

typedef struct {
    const char *id;
    bool        dry_run;
} drop_args;

static tenon_outcome drop(tenon_call *call, const drop_args *args)
{
    tenon_text(call, "%s%s", args->id[0] ? args->id : "everything", args->dry_run ? ", not really" : "");
    return tenon_ok(call);
}

TENON_TOOL(drop, drop_args,
    TENON_INFO("Delete one, or all.", .hints = TENON_DESTRUCTIVE),
    TENON_STR (id,      "Which one."),
    TENON_BOOL(dry_run, "Only look.", .strict = true));

typedef struct {
    const char *region;
    int         count;
} routed_args;

static tenon_outcome routed(tenon_call *call, const routed_args *args)
{
    tenon_text(call, "%s %d", args->region[0] ? args->region : "nowhere", args->count);
    return tenon_ok(call);
}

TENON_TOOL(routed, routed_args,
    TENON_INFO("A header repeats the region."),
    TENON_STR(region, "Where.", .header = "Region"),
    TENON_INT(count,  "How many."));

static tenon_outcome document(tenon_call *call, const tenon_json *args)
{
    tenon_str city = tenon_json_str(tenon_json_get(args, "city"));

    tenon_text(call, "%.*s", (int)city.len, city.at);
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(document, TENON_INFO("Declared by a document."),
                  "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},\"days\":{\"type\":\"integer\"}},"
                  "\"required\":[\"city\"],\"additionalProperties\":false}");

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new("forms", "1.0.0");

    tenon_server_add(server, find_tool());
    tenon_server_add(server, find_strict_tool());
    tenon_server_add(server, drop_tool());
    tenon_server_add(server, routed_tool());
    tenon_server_add(server, document_tool());
    return tenon_server_main(server, argc, argv);
}
