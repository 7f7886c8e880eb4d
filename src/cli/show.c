/* show.c - showing answers.
 *
 * Tenon's own answers are known by their form (status, error, messages, data), wherever they come from; of others the
 * content is shown block by block, and what is structured only where no text says the same.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/show.h"
#include "cli/each.h"
#include "cli/value.h"

#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "json/read.h"
#include "json/write.h"

#define BOLD  "\x1b[1m"
#define RED   "\x1b[1;31m"
#define PLAIN "\x1b[0m"

#define LINE_WIDTH 100
#define TEXT_MAX   (MESSAGE_LEN_MAX * 2)
#define DEPTH_MAX  100

static const struct tn_json_limits limits = { MESSAGE_LEN_MAX, DEPTH_MAX, 1000000 };

/* ---- Text and JSON ------------------------------------------------------------------------------------------ */

/* Line ends and tabs are only layout; everything else that steers a terminal is spelled out. */
static void show_safely(FILE *to, struct tn_slice text)
{
    for (size_t i = 0, len; i < text.len; i += len) {
        for (len = 0; i + len < text.len && text.at[i + len] != '\n' && text.at[i + len] != '\t'; len++)
            continue;
        if (i + len == text.len || text.at[i + len] == '\t' || len == 0 || text.at[i + len - 1] != '\r')
            console_text(to, (struct tn_slice){ text.at + i, len });
        else
            console_text(to, (struct tn_slice){ text.at + i, len - 1 }); /* CR and LF are one line end */
        if (i + len < text.len)
            fputc(text.at[i + len++], to);
    }
}

void show_text(FILE *to, struct tn_slice text)
{
    if (isatty(fileno(to)))
        show_safely(to, text);
    else
        fwrite(text.at, 1, text.len, to);
    if (text.len == 0 || text.at[text.len - 1] != '\n')
        fputc('\n', to);
}

static void add_pretty(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value, int depth);

static void add_break(struct tn_buf *out, int depth)
{
    tn_buf_char(out, '\n');
    for (int i = 0; i < depth; i++)
        tn_buf_lit(out, "  ");
}

/* On one line, until it is full. */
static void add_inline(struct tn_buf *line, yyjson_val *value, int depth)
{
    yyjson_val *key, *item;
    size_t      index, count;
    bool        object = yyjson_is_obj(value);

    if (!yyjson_is_ctn(value) || depth > DEPTH_MAX) {
        tn_json_value(line, value);
        return;
    }
    tn_buf_char(line, object ? '{' : '[');
    EACH_MEMBER(value, at, key, item)
    {
        if (line->failed)
            return;
        tn_buf_text(line, at.idx > 1 ? ", " : "");
        tn_json_string(line, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_lit(line, ": ");
        add_inline(line, item, depth + 1);
    }
    yyjson_arr_foreach(value, index, count, item)
    {
        if (line->failed)
            return;
        tn_buf_text(line, index ? ", " : "");
        add_inline(line, item, depth + 1);
    }
    tn_buf_char(line, object ? '}' : ']');
}

static bool add_if_it_fits(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value, int depth)
{
    struct tn_buf line;

    tn_buf_init(&line, arena, 0, LINE_WIDTH);
    add_inline(&line, value, 0);
    if (line.failed || (int)line.len + 2 * depth > LINE_WIDTH)
        return false;
    tn_buf_add(out, line.at, line.len);
    return true;
}

static void add_members(struct tn_buf *out, struct tn_arena *arena, yyjson_val *object, int depth)
{
    yyjson_val *key, *value;

    tn_buf_char(out, '{');
    EACH_MEMBER(object, at, key, value)
    {
        if (at.idx > 1)
            tn_buf_char(out, ',');
        add_break(out, depth + 1);
        tn_json_string(out, yyjson_get_str(key), yyjson_get_len(key));
        tn_buf_lit(out, ": ");
        add_pretty(out, arena, value, depth + 1);
    }
    add_break(out, depth);
    tn_buf_char(out, '}');
}

static void add_items(struct tn_buf *out, struct tn_arena *arena, yyjson_val *array, int depth)
{
    yyjson_val *value;
    size_t      index, count;

    tn_buf_char(out, '[');
    yyjson_arr_foreach(array, index, count, value)
    {
        if (index > 0)
            tn_buf_char(out, ',');
        add_break(out, depth + 1);
        add_pretty(out, arena, value, depth + 1);
    }
    add_break(out, depth);
    tn_buf_char(out, ']');
}

static void add_pretty(struct tn_buf *out, struct tn_arena *arena, yyjson_val *value, int depth)
{
    if (depth > DEPTH_MAX)
        tn_buf_lit(out, "null");
    else if (!yyjson_is_ctn(value))
        tn_json_value(out, value);
    else if ((depth > 0 || yyjson_is_arr(value)) && add_if_it_fits(out, arena, value, depth))
        return;
    else if (yyjson_is_obj(value))
        add_members(out, arena, value, depth);
    else
        add_items(out, arena, value, depth);
}

void show_json(FILE *to, struct tn_arena *arena, yyjson_val *value)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 4096, (size_t)256 << 20);
    add_pretty(&out, arena, value, 0);
    show_text(to, out.failed ? SLICE_LIT("(too large to show; see --raw)") : tn_buf_slice(&out));
}

/* Inside JSON, what steers a terminal has an escape of its own. */
void show_raw_part(FILE *to, struct tn_slice json)
{
    bool     terminal = isatty(fileno(to));
    uint32_t code;

    for (size_t i = 0, len; i < json.len; i += len) {
        len = tn_utf8_read(json.at + i, json.len - i, &code);
        if (terminal && len > 1 && code < 0x10000 && !console_is_plain(code))
            fprintf(to, "\\u%04x", (unsigned)code);
        else
            fwrite(json.at + i, 1, len ? len : (len = 1), to);
    }
}

void show_raw(FILE *to, struct tn_slice json)
{
    show_raw_part(to, json);
    fputc('\n', to);
}

/* ---- Tenon's answers ---------------------------------------------------------------------------------------- */

static bool is_envelope(yyjson_val *value)
{
    yyjson_val *status = yyjson_obj_get(value, "status");

    return (yyjson_equals_str(status, "SUCCESS") || yyjson_equals_str(status, "ERROR")) &&
           yyjson_is_arr(yyjson_obj_get(value, "messages")) && yyjson_obj_get(value, "error") &&
           yyjson_obj_get(value, "data");
}

static void show_line(const struct console *console, const char *before, struct tn_slice text)
{
    fputs(before, console->out);
    console_text(console->out, text);
}

/* Is it the issue of that sentence? Servers that give their issues no message of their own list them in order. */
static bool is_issue_of(yyjson_val *issue, yyjson_val *parameter, yyjson_val *sentence, size_t *nth)
{
    yyjson_val *message = yyjson_obj_get(issue, "message");

    if (message)
        return yyjson_equals(message, sentence);
    return yyjson_equals(yyjson_obj_get(issue, "parameter"), parameter) && (*nth)-- == 0;
}

/* The suggestion of an issue, or its example. */
static yyjson_val *advice_of(yyjson_val *issues, yyjson_val *parameter, yyjson_val *sentence, size_t nth,
                             bool *example)
{
    yyjson_val *issue, *advice;
    size_t      index, count;

    yyjson_arr_foreach(issues, index, count, issue)
    {
        if (!is_issue_of(issue, parameter, sentence, &nth))
            continue;
        if (yyjson_equals_str(yyjson_obj_get(issue, "code"), "unknown"))
            return NULL; /* the sentence says it */
        advice   = yyjson_obj_get(issue, "suggestion");
        *example = !advice;
        return advice ? advice : yyjson_obj_get(issue, "example");
    }
    return NULL;
}

static void show_issue(const struct console *console, struct tn_arena *arena, yyjson_val *issues,
                       yyjson_val *parameter, size_t nth, yyjson_val *sentence)
{
    bool          example = false;
    yyjson_val   *advice  = advice_of(issues, parameter, sentence, nth, &example);
    struct tn_buf text;

    show_line(console, "  ", (struct tn_slice){ yyjson_get_str(sentence), yyjson_get_len(sentence) });
    if (advice) {
        tn_buf_init(&text, arena, 64, MESSAGE_LEN_MAX);
        tn_json_value(&text, advice);
        show_line(console, example ? " (for example " : " (try ", tn_buf_slice(&text));
        fputc(')', console->out);
    }
    fputc('\n', console->out);
}

static void show_issues(const struct console *console, struct tn_arena *arena, yyjson_val *details)
{
    yyjson_val *issues = yyjson_obj_get(details, "issues"), *parameter, *sentences, *sentence;
    size_t      nth, sentence_count;

    EACH_MEMBER(yyjson_obj_get(details, "fieldErrors"), at, parameter, sentences)
    {
        yyjson_arr_foreach(sentences, nth, sentence_count, sentence)
        {
            if (yyjson_is_str(sentence))
                show_issue(console, arena, issues, parameter, nth, sentence);
        }
    }
}

/* Other details, a line each. */
static void show_details(const struct console *console, struct tn_arena *arena, yyjson_val *details)
{
    yyjson_val   *key, *value;
    struct tn_buf text;

    EACH_MEMBER(details, at, key, value)
    {
        show_line(console, "  ", (struct tn_slice){ yyjson_get_str(key), yyjson_get_len(key) });
        tn_buf_init(&text, arena, 64, MESSAGE_LEN_MAX);
        add_inline(&text, value, 0);
        show_line(console, ": ", tn_buf_slice(&text));
        fputc('\n', console->out);
    }
}

static void show_error(const struct console *console, struct tn_arena *arena, yyjson_val *error)
{
    yyjson_val *details = yyjson_obj_get(error, "details");

    fputs(console->out_coloured ? RED : "", console->out);
    console_text(console->out, value_text(error, "code"));
    fputs(console->out_coloured ? PLAIN : "", console->out);
    show_line(console, ": ", value_text(error, "message"));
    fputc('\n', console->out);
    if (yyjson_obj_get(details, "fieldErrors"))
        show_issues(console, arena, details);
    else
        show_details(console, arena, details);
}

static void show_envelope(const struct console *console, struct tn_arena *arena, yyjson_val *envelope)
{
    yyjson_val *error = yyjson_obj_get(envelope, "error"), *data = yyjson_obj_get(envelope, "data"), *message;
    size_t      index, count;

    if (yyjson_is_obj(error))
        show_error(console, arena, error);
    yyjson_arr_foreach(yyjson_obj_get(envelope, "messages"), index, count, message)
    {
        if (!yyjson_is_str(message))
            continue; /* a server that breaks its own form */
        fputs(console->out_coloured ? BOLD : "", console->out);
        fputs("note:", console->out);
        show_line(console, console->out_coloured ? PLAIN " " : " ", tn_json_slice(message));
        fputc('\n', console->out);
    }
    if (yyjson_obj_size(data) == 1 && yyjson_is_str(yyjson_obj_get(data, "text")))
        show_text(console->out, value_text(data, "text"));
    else if (!yyjson_is_null(data) && !(yyjson_is_obj(data) && yyjson_obj_size(data) == 0))
        show_json(console->out, arena, data);
}

/* ---- Content ------------------------------------------------------------------------------------------------ */

static void show_binary(const struct console *console, struct tn_slice type, yyjson_val *holder,
                        const char *key)
{
    struct tn_slice mime = value_text(holder, "mimeType"), data = value_text(holder, key);
    size_t          len = data.len / 4 * 3;

    for (size_t i = data.len; i > 0 && len > 0 && data.at[i - 1] == '='; i--)
        len--;
    show_line(console, "[", type);
    show_line(console, " ", mime.len ? mime : SLICE_LIT("of unknown type"));
    fprintf(console->out, ", %zu bytes]\n", len);
}

void show_block(const struct console *console, yyjson_val *block)
{
    struct tn_slice type     = value_text(block, "type");
    yyjson_val     *resource = yyjson_obj_get(block, "resource");

    if (tn_slice_is(type, "text"))
        show_text(console->out, value_text(block, "text"));
    else if (tn_slice_is(type, "resource") && yyjson_is_str(yyjson_obj_get(resource, "text"))) {
        show_line(console, "[", value_text(resource, "uri"));
        fputs("]\n", console->out);
        show_text(console->out, value_text(resource, "text"));
    } else if (tn_slice_is(type, "resource"))
        show_binary(console, value_text(resource, "uri"), resource, "blob");
    else if (tn_slice_is(type, "resource_link")) {
        show_line(console, "[", value_text(block, "name"));
        show_line(console, ": ", value_text(block, "uri"));
        fputs("]\n", console->out);
    } else
        show_binary(console, type, block, "data");
}

void show_contents(const struct console *console, yyjson_val *contents)
{
    yyjson_val *part;
    size_t      index, count;

    yyjson_arr_foreach(contents, index, count, part)
    {
        if (yyjson_is_str(yyjson_obj_get(part, "text")))
            show_text(console->out, value_text(part, "text"));
        else
            show_binary(console, value_text(part, "uri"), part, "blob");
    }
}

/* Is this block the text of the structured content? */
static bool repeats(struct tn_arena *arena, yyjson_val *block, yyjson_val *structured)
{
    struct tn_slice     text = value_text(block, "text");
    struct tn_json_text read;

    if (!structured || !tn_slice_is(value_text(block, "type"), "text"))
        return false;
    read = tn_json_read(arena, text.at, text.len, &limits);
    return read.fault == JSON_FINE && yyjson_equals(read.root, structured);
}

/* The envelope inside the first block's text, for clients that were told nothing structured. */
static yyjson_val *envelope_in_text(struct tn_arena *arena, yyjson_val *content)
{
    struct tn_slice     text = value_text(yyjson_arr_get_first(content), "text");
    struct tn_json_text read;

    if (text.len == 0 || text.at[0] != '{')
        return NULL;
    read = tn_json_read(arena, text.at, text.len, &limits);
    return read.fault == JSON_FINE && is_envelope(read.root) ? read.root : NULL;
}

bool show_result(const struct console *console, struct tn_arena *arena, yyjson_val *result)
{
    yyjson_val *content    = yyjson_obj_get(result, "content"), *block;
    yyjson_val *structured = yyjson_obj_get(result, "structuredContent"), *envelope;
    bool        failed = yyjson_is_true(yyjson_obj_get(result, "isError")), said = false;
    size_t      index, count;

    envelope = is_envelope(structured) ? structured : structured ? NULL : envelope_in_text(arena, content);
    if (envelope)
        show_envelope(console, arena, envelope);
    else if (failed)
        fprintf(console->out, "%serror:%s\n", console->out_coloured ? RED : "",
                console->out_coloured ? PLAIN : "");
    yyjson_arr_foreach(content, index, count, block)
    {
        if ((envelope && index == 0 && tn_slice_is(value_text(block, "type"), "text")) ||
            repeats(arena, block, structured))
            continue;
        show_block(console, block);
        said = said || tn_slice_is(value_text(block, "type"), "text");
    }
    if (structured && !envelope && !said)
        show_json(console->out, arena, structured);
    return !failed;
}
