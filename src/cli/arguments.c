/* arguments.c - building arguments from words. */
#include "cli/arguments.h"

#include <stdio.h>
#include <string.h>

#include "cli/file.h"
#include "cli/param.h"
#include "json/read.h"
#include "json/write.h"

static const struct tn_json_limits limits = { FILE_LEN_MAX, 100, 1000000 };

const char *arguments_check(struct tn_arena *arena, struct tn_slice text)
{
    struct tn_json_text read = tn_json_read(arena, text.at, text.len, &limits);

    switch (read.fault) {
    case JSON_FINE: break;
    case JSON_NO_MEMORY: return "cannot be read: out of memory";
    case JSON_SYNTAX: return "is not JSON";
    default: return "is too large or too deep";
    }
    if (read.bad_utf8)
        return "is not UTF-8";
    return yyjson_is_obj(read.root) ? NULL : "is not a JSON object";
}

static bool is_json(struct tn_arena *arena, const char *text)
{
    struct tn_json_text read = tn_json_read(arena, text, strlen(text), &limits);

    return read.fault == JSON_FINE && !read.bad_utf8;
}

/* Does an earlier word have this name? */
static bool is_repeated(const char *const *words, size_t count, struct tn_slice name)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(words[i], name.at, name.len) == 0 &&
            (words[i][name.len] == '=' || strncmp(words[i] + name.len, ":=", 2) == 0))
            return true;
    return false;
}

/* True when the word was added. */
static bool add_word(struct tn_buf *out, struct tn_arena *arena, yyjson_val *schema, const char *word,
                     char why[ARGUMENTS_WHY_MAX])
{
    const char     *mark    = strchr(word, '=');
    bool            literal = mark && mark > word && mark[-1] == ':';
    struct tn_slice name    = { word, mark ? (size_t)(mark - word) - literal : 0 };
    yyjson_val     *param   = yyjson_obj_getn(yyjson_obj_get(schema, "properties"), name.at, name.len);

    if (!mark || name.len == 0) {
        snprintf(why, ARGUMENTS_WHY_MAX, "an argument must be NAME=VALUE or NAME:=JSON, got '%.100s'", word);
        return false;
    }
    if (literal && !is_json(arena, mark + 1)) {
        snprintf(why, ARGUMENTS_WHY_MAX, "%.*s:= needs JSON, got '%.100s'",
                 (int)(name.len < 100 ? name.len : 100), name.at, mark + 1);
        return false;
    }
    tn_json_string(out, name.at, name.len);
    tn_buf_char(out, ':');
    if (literal)
        tn_buf_text(out, mark + 1);
    else
        param_value(out, arena, param ? param_takes(arena, schema, param) : 0, tn_slice_of(mark + 1));
    return true;
}

const char *arguments_build(struct tn_arena *arena, yyjson_val *schema, const char *const *words,
                            size_t count, char why[ARGUMENTS_WHY_MAX])
{
    struct tn_buf out;
    const char   *text;

    tn_buf_init(&out, arena, 256, FILE_LEN_MAX);
    tn_buf_char(&out, '{');
    for (size_t i = 0; i < count; i++) {
        struct tn_slice name = { words[i], strcspn(words[i], "=") };

        if (name.len > 0 && words[i][name.len] == '=' && name.at[name.len - 1] == ':')
            name.len--;
        if (is_repeated(words, i, name)) {
            snprintf(why, ARGUMENTS_WHY_MAX, "%.*s is given twice", (int)(name.len < 100 ? name.len : 100),
                     name.at);
            return NULL;
        }
        if (i > 0)
            tn_buf_char(&out, ',');
        if (!add_word(&out, arena, schema, words[i], why))
            return NULL;
    }
    tn_buf_char(&out, '}');
    text = tn_buf_end(&out);
    if (!text)
        snprintf(why, ARGUMENTS_WHY_MAX, "out of memory");
    return text;
}
