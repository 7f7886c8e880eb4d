/* ask.c - forms on the terminal.
 *
 * An empty line leaves a field out, or takes its default; the end of the input (Ctrl-D) cancels. What was typed is
 * validated by the form's own schema, and asked for again when it is not valid.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/remote/ask.h"

#include <string.h>

#include <tenon/schema.h>

#include "cli/each.h"
#include "cli/param.h"
#include "cli/value.h"
#include "json/locate.h"
#include "json/write.h"

#define LINE_MAX_  4096
#define FORM_MAX   ((size_t)1 << 20)
#define FIELDS_MAX 100
#define TRIES_MAX  10

#define CANCELLED "{\"action\":\"cancel\"}"
#define DECLINED  "{\"action\":\"decline\"}"

/* Reads a line into `line`; false at Ctrl-D, after which the next question is read again, and at Ctrl-C. What is too long
 * is cut. */
static bool ask_read_line(const struct remote *remote, char line[LINE_MAX_])
{
    size_t len;

    if (!fgets(line, LINE_MAX_, stdin)) {
        clearerr(stdin);
        fputc('\n', remote->console->err);
        return false;
    }
    len = strlen(line);
    if (len > 0 && line[len - 1] != '\n')
        for (int c = getchar(); c != '\n' && c != EOF;)
            c = getchar();
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

static void ask_say(const struct remote *remote, const char *before, struct tn_slice text, const char *after)
{
    fputs(before, remote->console->err);
    console_text(remote->console->err, text);
    fputs(after, remote->console->err);
}

/* y, n, or the end: 1, 0, -1. */
static int agrees(const struct remote *remote, const char *question)
{
    char line[LINE_MAX_];

    for (int i = 0; i < TRIES_MAX; i++) {
        fprintf(remote->console->err, "%s [y/n] ", question);
        if (!ask_read_line(remote, line))
            return -1;
        if (line[0] == 'y' || line[0] == 'Y' || line[0] == 'n' || line[0] == 'N')
            return line[0] == 'y' || line[0] == 'Y';
    }
    return -1;
}

static void prompt(struct remote *remote, yyjson_val *schema, yyjson_val *name, yyjson_val *field)
{
    struct tn_slice title = value_text(field, "title"), doc = value_text(field, "description");
    yyjson_val     *preset = yyjson_obj_get(field, "default");
    struct tn_buf   type;

    if (doc.len)
        ask_say(remote, "  ", doc, "\n");
    if (title.len == 0)
        title = (struct tn_slice){ yyjson_get_str(name), yyjson_get_len(name) };
    ask_say(remote, "  ", title, " (");
    tn_buf_init(&type, &remote->arena, 64, FORM_MAX);
    param_type(&type, &remote->arena, schema, field);
    ask_say(remote, "", tn_buf_slice(&type), param_is_required(schema, name) ? ", required" : "");
    if (preset) {
        type.len = 0;
        tn_json_value(&type, preset);
        ask_say(remote, ", default ", tn_buf_slice(&type), "");
    }
    fputs("): ", remote->console->err);
}

/* What was typed, as the field's type: y and n for a truth value, words between commas for a list. */
static void add_typed(struct tn_buf *out, struct remote *remote, unsigned takes, const char *line)
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
        param_value(out, &remote->arena, takes, tn_slice_of(line));
}

/* Fills in the form once; false at the end of the input. */
static bool fill_in(struct tn_buf *out, struct remote *remote, yyjson_val *schema)
{
    yyjson_val *name, *field, *preset;
    size_t      given = 0;
    char        line[LINE_MAX_];

    tn_buf_char(out, '{');
    EACH_MEMBER(yyjson_obj_get(schema, "properties"), at, name, field)
    {
        if (at.idx > FIELDS_MAX)
            break;
        prompt(remote, schema, name, field);
        if (!ask_read_line(remote, line))
            return false;
        preset = yyjson_obj_get(field, "default");
        if (!line[0] && !preset)
            continue;
        if (given++ > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, yyjson_get_str(name), yyjson_get_len(name));
        tn_buf_char(out, ':');
        if (line[0])
            add_typed(out, remote, param_takes(&remote->arena, schema, field), line);
        else
            tn_json_value(out, preset);
    }
    tn_buf_char(out, '}');
    return true;
}

/* The content as the schema wants it; NULL when it does not keep it, which is said. */
static const char *ask_judge(struct remote *remote, yyjson_val *schema, struct tn_slice content)
{
    struct tn_buf  text;
    tenon_schema  *compiled;
    tenon_verdict *verdict;
    const char    *good = NULL;
    size_t         len;

    tn_buf_init(&text, &remote->arena, 1024, FORM_MAX);
    tn_json_value(&text, schema);
    if (!tn_buf_end(&text))
        return NULL;
    compiled = tenon_schema_new(text.at, text.len);
    verdict  = compiled && !tenon_schema_error(compiled) ? tenon_verdict_new(compiled) : NULL;
    if (!verdict) /* a schema that we cannot read is the server's to judge by */
        good = tn_arena_copy(&remote->arena, content.at, content.len);
    else if ((good = tenon_verdict_repair(verdict, content.at, content.len, &len)))
        good = tn_arena_copy(&remote->arena, good, len);
    for (size_t i = 0; verdict && !good && i < tenon_verdict_issue_count(verdict); i++)
        ask_say(remote, "  ", tn_slice_of(tenon_verdict_issue(verdict, i)->text), "\n");
    tenon_verdict_free(verdict);
    tenon_schema_free(compiled);
    return good;
}

static const char *ask_form(struct remote *remote, yyjson_val *schema)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        struct tn_buf content, result;
        const char   *good;
        int           agreed;

        tn_buf_init(&content, &remote->arena, 256, FORM_MAX);
        if (!fill_in(&content, remote, schema) || !tn_buf_end(&content))
            return CANCELLED;
        good = ask_judge(remote, schema, tn_buf_slice(&content));
        if (!good)
            continue;
        agreed = agrees(remote, "Send this?");
        if (agreed != 1)
            return agreed == 0 ? DECLINED : CANCELLED;
        tn_buf_init(&result, &remote->arena, 256, FORM_MAX);
        tn_buf_lit(&result, "{\"action\":\"accept\",\"content\":");
        tn_buf_text(&result, good);
        tn_buf_char(&result, '}');
        return tn_buf_end(&result);
    }
    return CANCELLED;
}

static const char *ask_url(struct remote *remote, yyjson_val *params)
{
    int agreed;

    ask_say(remote, "  open this page: ", value_text(params, "url"), "\n");
    agreed = agrees(remote, "Go on?");
    return agreed == 1 ? "{\"action\":\"accept\"}" : agreed == 0 ? DECLINED : CANCELLED;
}

const char *ask_person(struct remote *remote, const char *method, yyjson_val *params)
{
    if (!remote->interactive || strcmp(method, "elicitation/create") != 0)
        return NULL;
    fflush(remote->console->out);
    ask_say(remote, "The server asks: ", value_text(params, "message"), "\n");
    return tn_slice_is(value_text(params, "mode"), "url")
               ? ask_url(remote, params)
               : ask_form(remote, yyjson_obj_get(params, "requestedSchema"));
}
