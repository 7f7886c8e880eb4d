/* client_file.c - the file of a client becomes a configuration: mcpServers of Claude and Cursor, servers of VS Code.
 *
 * It is written anew in the guard's own form, with marks that lead to the file, so that everything after it knows one form only.
 * What would change what is run is a mistake; what a client keeps there for itself is ignored, and named.
 */
#define _GNU_SOURCE
#include "base/ascii.h"
#include "guard/config/config.h"
#include "guard/phrases.h"
#include "json/member.h"
#include "json/read.h"

#define NAMES_LEN_MAX ((size_t)400)
#define ECHO_MAX      64

enum part {
    PART_COMMAND,
    PART_ARGS,
    PART_ENV,
    PART_CWD,
    PART_URL,
    PART_HEADERS,
    PART_TYPE,
    PART_DISABLED,
    PARTS
};

static const char *const part_names[PARTS] = { "command", "args",    "env",  "cwd",
                                               "url",     "headers", "type", "disabled" };

struct value {
    yyjson_val     *at; /* NULL: it is not there */
    struct tn_slice text;
};

struct import {
    struct tn_config       *config;
    struct tn_marked        to;
    size_t                  byte; /* of the entry that is read, and where that is */
    struct tn_json_position at;
    const char             *name; /* of the entry */
};

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* What stands in the entry is not far from its beginning. */
static struct tn_json_position place_of(const struct import *import, const char *at)
{
    const struct tn_tree   *tree = &import->config->tree;
    size_t                  byte = (size_t)(at - tree->json.at);
    struct tn_json_position sub;

    if (tree->marks || byte < import->byte)
        return tn_tree_position(tree, byte);
    sub = tn_json_position((struct tn_slice){ tree->json.at + import->byte, tree->json.len - import->byte },
                           byte - import->byte);
    return sub.line == 1 ? (struct tn_json_position){ import->at.line, import->at.column + sub.column - 1 }
                         : (struct tn_json_position){ import->at.line + sub.line - 1, sub.column };
}

static void enter(struct import *import, const char *at)
{
    import->at   = place_of(import, at);
    import->byte = (size_t)(at - import->config->tree.json.at);
}

static void note(struct import *import, const char *at, const char *format, ...) TENON_PRINTF(3, 4);

static void note(struct import *import, const char *at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tn_mistakes_addv(&import->config->notes, place_of(import, at), false, format, args);
    va_end(args);
}

static void wrong(struct import *import, const char *at, const char *format, ...) TENON_PRINTF(3, 4);

static void wrong(struct import *import, const char *at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tn_mistakes_addv(&import->config->mistakes, place_of(import, at), false, format, args);
    va_end(args);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* A text, as it is written; a variable of the client's own language means something else there. */
static void copy_text(struct import *import, yyjson_val *value, struct tn_slice text)
{
    struct tn_slice inner = tn_json_slice(value);

    if (inner.len > 0 && memmem(inner.at, inner.len, "${", 2))
        wrong(import, text.at, SAY_CLIENT_VARIABLE, import->name);
    tn_mark(&import->to, place_of(import, text.at));
    tn_json_line(&import->to.json, text.at, text.len);
}

static void copy_key(struct import *import, const char *name, const char *at)
{
    tn_mark(&import->to, place_of(import, at));
    tn_json_string(&import->to.json, name, strlen(name));
    tn_buf_char(&import->to.json, ':');
}

static void copy_map(struct import *import, const struct value *map)
{
    struct tn_members all   = tn_members_of(map->text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(map->at);
    struct tn_member  one;
    yyjson_val       *name;
    size_t            from;

    tn_mark(&import->to, place_of(import, map->text.at));
    tn_buf_char(&import->to.json, '{');
    from = import->to.json.len;
    while ((name = yyjson_obj_iter_next(&names)) && tn_members_next(&all, &one)) {
        if (import->to.json.len > from)
            tn_buf_char(&import->to.json, ',');
        copy_key(import, yyjson_get_str(name), one.name.at - 1);
        copy_text(import, yyjson_obj_iter_get_val(name), one.value);
    }
    tn_buf_char(&import->to.json, '}');
}

/* The program and its arguments are one list. */
static void copy_command(struct import *import, const struct value parts[PARTS])
{
    struct tn_members all   = tn_members_of(parts[PART_ARGS].text);
    yyjson_arr_iter   items = yyjson_arr_iter_with(parts[PART_ARGS].at);
    struct tn_slice   one;
    yyjson_val       *item;

    tn_mark(&import->to, place_of(import, parts[PART_COMMAND].text.at));
    tn_buf_char(&import->to.json, '[');
    copy_text(import, parts[PART_COMMAND].at, parts[PART_COMMAND].text);
    while ((item = yyjson_arr_iter_next(&items)) && tn_items_next(&all, &one)) {
        tn_buf_char(&import->to.json, ',');
        copy_text(import, item, one);
    }
    tn_buf_char(&import->to.json, ']');
}

/* ---- An entry ---------------------------------------------------------------------------------------------------- */

static bool is_tenon(yyjson_val *word)
{
    const char *text  = yyjson_get_str(word);
    const char *slash = text ? strrchr(text, '/') : NULL;

    return text && strcmp(slash ? slash + 1 : text, "tenon") == 0;
}

/* Such an entry would start guards without end, if its guard reads this file. */
static bool runs_guard(const struct value parts[PARTS])
{
    yyjson_arr_iter items  = yyjson_arr_iter_with(parts[PART_ARGS].at);
    yyjson_val     *before = parts[PART_COMMAND].at, *item;

    while ((item = yyjson_arr_iter_next(&items))) {
        if (is_tenon(before) && yyjson_equals_str(item, "guard"))
            return true;
        before = item;
    }
    return false;
}

static bool is_of_type(const struct value *value, yyjson_type type)
{
    return !value->at || yyjson_get_type(value->at) == type;
}

static bool check_types(struct import *import, const struct value parts[PARTS])
{
    static const struct {
        yyjson_type type;
        const char *name;
    } types[PARTS] = {
        [PART_COMMAND]  = { YYJSON_TYPE_STR, "a string" },
        [PART_ARGS]     = { YYJSON_TYPE_ARR, "an array" },
        [PART_ENV]      = { YYJSON_TYPE_OBJ, "an object" },
        [PART_CWD]      = { YYJSON_TYPE_STR, "a string" },
        [PART_URL]      = { YYJSON_TYPE_STR, "a string" },
        [PART_HEADERS]  = { YYJSON_TYPE_OBJ, "an object" },
        [PART_TYPE]     = { YYJSON_TYPE_STR, "a string" },
        [PART_DISABLED] = { YYJSON_TYPE_BOOL, "true or false" },
    };
    bool fine = true;

    for (size_t i = 0; i < PARTS; i++)
        if (!is_of_type(&parts[i], types[i].type)) {
            wrong(import, parts[i].text.at, SAY_CLIENT_TYPE, import->name, part_names[i], types[i].name);
            fine = false;
        }
    return fine;
}

/* The kind of its transport, which may be left out. */
static bool check_kind(struct import *import, const struct value parts[PARTS])
{
    static const char *const http[] = { "http", "streamable-http", "streamableHttp" };
    const struct value      *type   = &parts[PART_TYPE];

    if (!type->at || (parts[PART_COMMAND].at && yyjson_equals_str(type->at, "stdio")))
        return true;
    for (size_t i = 0; i < sizeof http / sizeof *http; i++)
        if (parts[PART_URL].at && yyjson_equals_str(type->at, http[i]))
            return true;
    wrong(import, type->text.at, SAY_CLIENT_SSE, import->name, yyjson_get_str(type->at));
    return false;
}

static void write_members(struct import *import, const struct value parts[PARTS])
{
    struct tn_buf *json = &import->to.json;
    size_t         from = json->len;

    for (size_t i = 0; i < PARTS; i++) {
        if (!parts[i].at || i == PART_ARGS || i == PART_TYPE || i == PART_DISABLED)
            continue;
        if (json->len > from)
            tn_buf_char(json, ',');
        copy_key(import, i == PART_CWD ? "directory" : part_names[i], parts[i].text.at);
        if (i == PART_COMMAND)
            copy_command(import, parts);
        else if (i == PART_ENV || i == PART_HEADERS)
            copy_map(import, &parts[i]);
        else
            copy_text(import, parts[i].at, parts[i].text);
    }
}

static void read_parts(struct import *import, yyjson_val *entry, struct tn_slice text,
                       struct value parts[PARTS])
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(entry);
    struct tn_member  one;
    yyjson_val       *name;

    while ((name = yyjson_obj_iter_next(&names)) && tn_members_next(&all, &one)) {
        size_t part = 0;

        while (part < PARTS && !yyjson_equals_str(name, part_names[part]))
            part++;
        if (part < PARTS)
            parts[part] = (struct value){ yyjson_obj_iter_get_val(name), one.value };
        else
            note(import, one.name.at - 1, SAY_CLIENT_IGNORED, import->name, yyjson_get_str(name));
    }
}

/* Names of clients' files are for people; the guard's own are part of names of tools, and of paths. */
static const char *name_of(struct tn_arena *arena, yyjson_val *name)
{
    struct tn_slice given = tn_json_slice(name);
    size_t          len   = given.len < ECHO_MAX ? given.len : ECHO_MAX;
    char           *made  = tn_arena_copy(arena, given.at, len);

    for (size_t i = 0; made && i < len; i++)
        if (!tn_ascii_is_letter(made[i]) && !tn_ascii_is_digit(made[i]) &&
            (i == 0 || !strchr("_.-", made[i])))
            made[i] = i == 0 ? 'x' : '-';
    return made && len ? made : "server";
}

static void read_entry(struct import *import, yyjson_val *entry, const struct tn_member *member, size_t from)
{
    struct value parts[PARTS] = { 0 };
    size_t       len = import->to.json.len, marks = import->to.count;
    size_t       mistakes = import->config->mistakes.total;

    enter(import, member->name.at - 1);
    if (!yyjson_is_obj(entry)) {
        wrong(import, member->value.at, SAY_CLIENT_ENTRY, import->name);
        return;
    }
    read_parts(import, entry, member->value, parts);
    if (!check_types(import, parts))
        return;
    if (yyjson_get_bool(parts[PART_DISABLED].at)) {
        note(import, member->name.at - 1, SAY_CLIENT_DISABLED, import->name);
        return;
    }
    if (!import->config->guards && runs_guard(parts)) {
        note(import, member->name.at - 1, SAY_CLIENT_GUARD, import->name);
        return;
    }
    if (!parts[PART_COMMAND].at && !parts[PART_URL].at) {
        wrong(import, member->value.at, SAY_CLIENT_ENTRY, import->name);
        return;
    }
    if (!check_kind(import, parts))
        return;
    if (import->to.json.len > from)
        tn_buf_char(&import->to.json, ',');
    copy_key(import, import->name, member->name.at - 1);
    tn_mark(&import->to, place_of(import, member->value.at));
    tn_buf_char(&import->to.json, '{');
    write_members(import, parts);
    tn_buf_char(&import->to.json, '}');
    if (import->config->mistakes.total > mistakes) { /* it is not brought over in part */
        import->to.json.len = len;
        import->to.count    = marks;
    }
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static const char *const files[] = { "mcpServers", "servers" };

static const char *member_of(const struct tn_tree *tree)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (yyjson_is_obj(yyjson_obj_get(tree->root, files[i])))
            return files[i];
    return NULL;
}

bool tn_config_is_clients(const struct tn_tree *tree)
{
    return !yyjson_obj_get(tree->root, "upstreams") && member_of(tree);
}

static void read_entries(struct import *import, yyjson_val *servers, struct tn_slice text)
{
    struct tn_members all   = tn_members_of(text);
    yyjson_obj_iter   names = yyjson_obj_iter_with(servers);
    struct tn_member  one;
    yyjson_val       *name;
    size_t            from;

    tn_mark(&import->to, (struct tn_json_position){ 1, 1 });
    tn_buf_char(&import->to.json, '{');
    copy_key(import, "upstreams", text.at);
    tn_mark(&import->to, place_of(import, text.at));
    tn_buf_char(&import->to.json, '{');
    from = import->to.json.len;
    while ((name = yyjson_obj_iter_next(&names)) && tn_members_next(&all, &one)) {
        import->name = name_of(&import->config->arena, name);
        read_entry(import, yyjson_obj_iter_get_val(name), &one, from);
    }
    tn_buf_lit(&import->to.json, "}}");
}

bool tn_config_from_client(struct tn_config *config)
{
    struct import     import = { .config = config, .at = { 1, 1 } };
    struct tn_tree   *tree   = &config->tree;
    const char       *wanted = member_of(tree);
    struct tn_members all    = tn_members_of(tree->json);
    yyjson_obj_iter   names  = yyjson_obj_iter_with(tree->root);
    struct tn_member  one;
    yyjson_val       *name;
    struct tn_buf     beside;

    tn_marked_init(&import.to, &config->arena);
    tn_buf_init(&beside, &config->arena, 0, NAMES_LEN_MAX);
    while ((name = yyjson_obj_iter_next(&names)) && tn_members_next(&all, &one)) {
        if (yyjson_equals_str(name, wanted))
            read_entries(&import, yyjson_obj_iter_get_val(name), one.value);
        else if (beside.len < NAMES_LEN_MAX / 2)
            tn_buf_addf(&beside, "%s%.*s", beside.len ? ", " : "", ECHO_MAX, yyjson_get_str(name));
    }
    if (tn_buf_slice(&beside).len > 0)
        tn_mistakes_add(&config->notes, (struct tn_json_position){ 1, 1 }, false, SAY_CLIENT_BESIDE,
                        tn_buf_end(&beside));
    return tn_tree_of(tree, &import.to);
}
