/* tool_text.c - one tool, for people. */
#include "cli/inspect/tool_text.h"

#include <string.h>

#include "cli/each.h"
#include "cli/param.h"
#include "cli/show.h"
#include "cli/value.h"
#include "json/read.h"
#include "json/write.h"

#define BOLD  "\x1b[1m"
#define PLAIN "\x1b[0m"

#define SENTENCE_MAX    200 /* bytes of a description that has no early end */
#define PARAMS_MAX      200
#define NAME_COLUMN_MAX 24

struct tn_slice tool_text_sentence(struct tn_slice text)
{
    text = tn_slice_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\n')
            return (struct tn_slice){ text.at, i };
        if (text.at[i] == '.' && (i + 1 == text.len || text.at[i + 1] == ' ' || text.at[i + 1] == '\n'))
            return (struct tn_slice){ text.at, i + 1 };
        if (i >= SENTENCE_MAX && text.at[i] == ' ')
            return (struct tn_slice){ text.at, i };
    }
    return text;
}

static void print_param(struct remote *remote, yyjson_val *schema, yyjson_val *name, yyjson_val *param,
                        size_t column)
{
    FILE         *to     = remote->console->out;
    yyjson_val   *preset = yyjson_obj_get(param, "default");
    size_t        len    = yyjson_get_len(name);
    struct tn_buf type;

    tn_buf_init(&type, &remote->arena, 128, MESSAGE_LEN_MAX);
    param_type(&type, &remote->arena, schema, param);
    if (param_is_required(schema, name))
        tn_buf_lit(&type, ", required");
    if (preset) {
        tn_buf_lit(&type, ", default ");
        tn_json_value(&type, preset);
    }
    fputs("    ", to);
    console_text(to, (struct tn_slice){ yyjson_get_str(name), len });
    fprintf(to, "%*s", (int)(len < column ? column - len + 2 : 2), "");
    console_text(to, tn_buf_slice(&type));
    fputc('\n', to);
}

static void print_params(struct remote *remote, yyjson_val *schema)
{
    yyjson_val *properties = yyjson_obj_get(schema, "properties"), *name, *param;
    size_t      column     = 0;

    EACH_MEMBER(properties, at, name, param)
    {
        size_t len = yyjson_get_len(name);

        if (len > column && len <= NAME_COLUMN_MAX)
            column = len;
    }
    EACH_MEMBER(properties, at, name, param)
    {
        if (at.idx > PARAMS_MAX) {
            fprintf(remote->console->out, "    and %zu more\n", at.max - PARAMS_MAX);
            return;
        }
        print_param(remote, schema, name, param, column);
    }
}

static void print_name(const struct console *console, yyjson_val *entry)
{
    FILE           *to    = console->out;
    struct tn_slice title = value_text(entry, "title");

    if (title.len == 0)
        title = value_text(yyjson_obj_get(entry, "annotations"), "title");
    fputs(console->out_coloured ? BOLD : "", to);
    console_text(to, value_text(entry, "name"));
    fputs(console->out_coloured ? PLAIN : "", to);
    if (title.len > 0) {
        fputs(" - ", to);
        console_text(to, title);
    }
    fputc('\n', to);
}

void tool_text_short(struct remote *remote, yyjson_val *tool)
{
    FILE           *to  = remote->console->out;
    struct tn_slice doc = value_text(tool, "description");

    print_name(remote->console, tool);
    if (doc.len > 0) {
        fputs("  ", to);
        console_text(to, tool_text_sentence(doc));
        fputc('\n', to);
    }
    print_params(remote, yyjson_obj_get(tool, "inputSchema"));
}

/* ---- Whole -------------------------------------------------------------------------------------------------- */

void tool_text_lines(FILE *to, struct tn_slice text, int indent)
{
    struct tn_slice line;

    text = tn_slice_trim(text);
    while (text.len > 0 && tn_slice_split(&text, '\n', &line)) {
        while (line.len > 0 && line.at[line.len - 1] == '\r')
            line.len--;
        fprintf(to, "%*s", line.len ? indent : 0, "");
        console_text(to, line);
        fputc('\n', to);
    }
}

/* "1 to 14", "at least 1", "at most 14": what two keywords say of a size. */
static void add_span(struct tn_buf *out, yyjson_val *least, yyjson_val *most, const char *unit)
{
    if (!least && !most)
        return;
    tn_buf_text(out, least && most ? ", " : least ? ", at least " : ", at most ");
    if (least)
        tn_json_value(out, least);
    tn_buf_text(out, least && most ? " to " : "");
    if (most)
        tn_json_value(out, most);
    tn_buf_text(out, unit);
}

static void add_word(struct tn_buf *out, const char *before, struct tn_slice word)
{
    if (word.len == 0)
        return;
    tn_buf_text(out, before);
    tn_buf_add(out, word.at, word.len);
}

/* What the schema asks of a value, beside its type. */
static void add_rules(struct tn_buf *out, yyjson_val *param)
{
    static const struct {
        const char *least, *most, *unit;
    } spans[] = {
        { "minimum", "maximum", "" },
        { "minLength", "maxLength", " characters" },
        { "minItems", "maxItems", " items" },
        { "minProperties", "maxProperties", " members" },
    };
    yyjson_val *above = yyjson_obj_get(param, "exclusiveMinimum"),
               *below = yyjson_obj_get(param, "exclusiveMaximum"),
               *step  = yyjson_obj_get(param, "multipleOf");

    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        add_span(out, yyjson_obj_get(param, spans[i].least), yyjson_obj_get(param, spans[i].most),
                 spans[i].unit);
    if (yyjson_is_num(above)) {
        tn_buf_lit(out, ", above ");
        tn_json_value(out, above);
    }
    if (yyjson_is_num(below)) {
        tn_buf_lit(out, ", below ");
        tn_json_value(out, below);
    }
    if (step) {
        tn_buf_lit(out, ", a multiple of ");
        tn_json_value(out, step);
    }
    add_word(out, ", ", value_text(param, "format"));
    add_word(out, ", pattern ", value_text(param, "pattern"));
}

static void print_param_whole(struct remote *remote, yyjson_val *schema, yyjson_val *name, yyjson_val *param)
{
    FILE           *to     = remote->console->out;
    yyjson_val     *target = param_resolve(&remote->arena, schema, param);
    yyjson_val     *preset = yyjson_obj_get(param, "default");
    struct tn_slice doc    = value_text(param, "description");
    struct tn_buf   type;

    tn_buf_init(&type, &remote->arena, 128, MESSAGE_LEN_MAX);
    param_type(&type, &remote->arena, schema, param);
    add_rules(&type, target);
    if (preset) {
        tn_buf_lit(&type, ", default ");
        tn_json_value(&type, preset);
    }
    fputs("  ", to);
    console_text(to, tn_json_slice(name));
    fputs(param_is_required(schema, name) ? " (required, " : " (", to);
    console_text(to, tn_buf_slice(&type));
    fputs(")\n", to);
    tool_text_lines(to, doc.len ? doc : value_text(target, "description"), 6);
}

static void print_hints(FILE *to, yyjson_val *hints)
{
    static const struct {
        const char *name, *yes, *no;
    } known[] = {
        { "readOnlyHint", "read-only", "changes things" },
        { "destructiveHint", "destructive", "not destructive" },
        { "idempotentHint", "idempotent", NULL },
        { "openWorldHint", "reaches other systems", NULL },
    };
    bool any = false;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        yyjson_val *hint = yyjson_obj_get(hints, known[i].name);
        const char *word = yyjson_is_true(hint) ? known[i].yes : yyjson_is_false(hint) ? known[i].no : NULL;

        if (!word)
            continue;
        fprintf(to, "%s%s", any ? ", " : "\nhints: ", word);
        any = true;
    }
    if (any)
        fputc('\n', to);
}

/* Tenon's envelope is the same for every tool: what differs is its data. */
static yyjson_val *answer_of(yyjson_val *output)
{
    yyjson_val *members = yyjson_obj_get(output, "properties"), *data = yyjson_obj_get(members, "data");

    return data && yyjson_obj_get(members, "status") && yyjson_obj_get(members, "messages") ? data : output;
}

void tool_text_whole(struct remote *remote, yyjson_val *tool)
{
    FILE       *to     = remote->console->out;
    yyjson_val *schema = yyjson_obj_get(tool, "inputSchema"),
               *output = answer_of(yyjson_obj_get(tool, "outputSchema"));
    yyjson_val *name, *param;

    print_name(remote->console, tool);
    tool_text_lines(to, value_text(tool, "description"), 2);
    if (yyjson_obj_size(yyjson_obj_get(schema, "properties")) > 0)
        fputc('\n', to);
    EACH_MEMBER(yyjson_obj_get(schema, "properties"), at, name, param)
    {
        print_param_whole(remote, schema, name, param);
    }
    if (yyjson_obj_size(yyjson_obj_get(output, "properties")) > 0)
        fputs("\nanswers with\n", to);
    EACH_MEMBER(yyjson_obj_get(output, "properties"), at, name, param)
    {
        print_param_whole(remote, output, name, param);
    }
    print_hints(to, yyjson_obj_get(tool, "annotations"));
}
