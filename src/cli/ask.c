/* ask.c - forms on the terminal.
 *
 * An empty line leaves a field out, or takes its default; the end of the input (Ctrl-D) cancels. What was typed is judged
 * by the form's own schema, and asked for again when it is not what that wants.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/ask.h"

#include <string.h>

#include <tenon/schema.h>

#include "cli/each.h"
#include "cli/param.h"
#include "json/locate.h"
#include "json/write.h"

#define LINE_MAX_  4096
#define FORM_MAX   ((size_t)1 << 20)
#define FIELDS_MAX 100
#define TRIES_MAX  10

#define CANCELLED "{\"action\":\"cancel\"}"
#define DECLINED  "{\"action\":\"decline\"}"

/* Reads a line into `line`; false at the end of the input. What is too long is cut. */
static bool ask_read_line(char line[LINE_MAX_])
{
    size_t len;

    if (!fgets(line, LINE_MAX_, stdin))
        return false;
    len = strlen(line);
    if (len > 0 && line[len - 1] != '\n')
        for (int c = getchar(); c != '\n' && c != EOF;)
            c = getchar();
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static void ask_say(const struct client *client, const char *before, struct tn_slice text, const char *after)
{
    fputs(before, client->console->err);
    console_text(client->console->err, text);
    fputs(after, client->console->err);
}

/* y, n, or the end: 1, 0, -1. */
static int agrees(const struct client *client, const char *question)
{
    char line[LINE_MAX_];

    for (int i = 0; i < TRIES_MAX; i++) {
        fprintf(client->console->err, "%s [y/n] ", question);
        if (!ask_read_line(line))
            return -1;
        if (line[0] == 'y' || line[0] == 'Y' || line[0] == 'n' || line[0] == 'N')
            return line[0] == 'y' || line[0] == 'Y';
    }
    return -1;
}

static bool is_required(yyjson_val *schema, yyjson_val *name)
{
    yyjson_val *one;
    size_t      index, count;

    yyjson_arr_foreach(yyjson_obj_get(schema, "required"), index, count, one)
    {
        if (yyjson_equals(one, name))
            return true;
    }
    return false;
}

static void prompt(const struct client *client, yyjson_val *schema, yyjson_val *name, yyjson_val *field)
{
    struct tn_slice title = value_text(field, "title"), doc = value_text(field, "description");
    yyjson_val     *preset = yyjson_obj_get(field, "default");
    struct tn_buf   type;

    if (doc.len)
        ask_say(client, "  ", doc, "\n");
    if (title.len == 0)
        title = (struct tn_slice){ yyjson_get_str(name), yyjson_get_len(name) };
    ask_say(client, "  ", title, " (");
    tn_buf_init(&type, client->arena, 64, FORM_MAX);
    param_type(&type, client->arena, schema, field);
    ask_say(client, "", tn_buf_slice(&type), is_required(schema, name) ? ", required" : "");
    if (preset) {
        type.len = 0;
        tn_json_value(&type, preset);
        ask_say(client, ", default ", tn_buf_slice(&type), "");
    }
    fputs("): ", client->console->err);
}

/* What was typed, as the field's type: y and n for a truth value, words between commas for a list. */
static void add_typed(struct tn_buf *out, struct client *client, unsigned takes, const char *line)
{
    struct tn_slice rest = tn_slice_of(line), part;
    char            yes  = line[0] == 'y' || line[0] == 'Y';
    bool            any  = false;

    if ((takes & TAKES_BOOLEAN) && (yes || line[0] == 'n' || line[0] == 'N'))
        tn_buf_text(out, yes ? "true" : "false");
    else if ((takes & TAKES_ARRAY) && line[0] != '[') {
        tn_buf_char(out, '[');
        for (; tn_slice_split(&rest, ',', &part); any = true) {
            if (any)
                tn_buf_char(out, ',');
            part = tn_slice_trim(part);
            tn_json_string(out, part.at, part.len);
        }
        tn_buf_char(out, ']');
    } else
        param_value(out, client->arena, takes, tn_slice_of(line));
}

/* Fills in the form once; false at the end of the input. */
static bool fill_in(struct tn_buf *out, struct client *client, yyjson_val *schema)
{
    yyjson_val *name, *field, *preset;
    size_t      given = 0;
    char        line[LINE_MAX_];

    tn_buf_char(out, '{');
    EACH_MEMBER(yyjson_obj_get(schema, "properties"), at, name, field)
    {
        if (at.idx > FIELDS_MAX)
            break;
        prompt(client, schema, name, field);
        if (!ask_read_line(line))
            return false;
        preset = yyjson_obj_get(field, "default");
        if (!line[0] && !preset)
            continue;
        if (given++ > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, yyjson_get_str(name), yyjson_get_len(name));
        tn_buf_char(out, ':');
        if (line[0])
            add_typed(out, client, param_takes(client->arena, schema, field), line);
        else
            tn_json_value(out, preset);
    }
    tn_buf_char(out, '}');
    return true;
}

/* The content as the schema wants it; NULL when it does not keep it, which is said. */
static const char *ask_judge(struct client *client, yyjson_val *schema, struct tn_slice content)
{
    struct tn_buf  text;
    tenon_schema  *compiled;
    tenon_verdict *verdict;
    const char    *good = NULL;
    size_t         len;

    tn_buf_init(&text, client->arena, 1024, FORM_MAX);
    tn_json_value(&text, schema);
    if (!tn_buf_end(&text))
        return NULL;
    compiled = tenon_schema_new(text.at, text.len);
    verdict  = compiled && !tenon_schema_error(compiled) ? tenon_verdict_new(compiled) : NULL;
    if (!verdict) /* a schema that we cannot read is the server's to judge by */
        good = tn_arena_copy(client->arena, content.at, content.len);
    else if ((good = tenon_verdict_repair(verdict, content.at, content.len, &len)))
        good = tn_arena_copy(client->arena, good, len);
    for (size_t i = 0; verdict && !good && i < tenon_verdict_issue_count(verdict); i++)
        ask_say(client, "  ", tn_slice_of(tenon_verdict_issue(verdict, i)->text), "\n");
    tenon_verdict_free(verdict);
    tenon_schema_free(compiled);
    return good;
}

static const char *ask_form(struct client *client, yyjson_val *schema)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        struct tn_buf content, result;
        const char   *good;
        int           agreed;

        tn_buf_init(&content, client->arena, 256, FORM_MAX);
        if (!fill_in(&content, client, schema) || !tn_buf_end(&content))
            return CANCELLED;
        good = ask_judge(client, schema, tn_buf_slice(&content));
        if (!good)
            continue;
        agreed = agrees(client, "Send this?");
        if (agreed != 1)
            return agreed == 0 ? DECLINED : CANCELLED;
        tn_buf_init(&result, client->arena, 256, FORM_MAX);
        tn_buf_lit(&result, "{\"action\":\"accept\",\"content\":");
        tn_buf_text(&result, good);
        tn_buf_char(&result, '}');
        return tn_buf_end(&result);
    }
    return CANCELLED;
}

static const char *ask_url(struct client *client, yyjson_val *params)
{
    int agreed;

    ask_say(client, "  open this page: ", value_text(params, "url"), "\n");
    agreed = agrees(client, "Go on?");
    return agreed == 1 ? "{\"action\":\"accept\"}" : agreed == 0 ? DECLINED : CANCELLED;
}

const char *ask_person(struct client *client, yyjson_val *request)
{
    yyjson_val *params = yyjson_obj_get(request, "params");

    if (!client->interactive || !tn_slice_is(value_text(request, "method"), "elicitation/create"))
        return NULL;
    fflush(client->console->out);
    ask_say(client, "The server asks: ", value_text(params, "message"), "\n");
    return tn_slice_is(value_text(params, "mode"), "url")
               ? ask_url(client, params)
               : ask_form(client, yyjson_obj_get(params, "requestedSchema"));
}
