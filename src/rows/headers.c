/* headers.c - finding x-mcp-header in rows and in documents, by the same rules. */
#include "rows/headers.h"

#include <stdio.h>

#include "base/ascii.h"
#include "json/pointer.h"
#include "json/read.h"
#include "rows/keywords.h"

#define POINTER_LEN_MAX ((size_t)4096)

#define MISTAKE_WHERE "a header is only for values that are reached through properties of objects"

/* Where the walk stands. */
struct way {
    struct tn_headers     *headers;
    struct tn_tool_header *found;   /* HEADERS_MAX of them */
    struct tn_buf          pointer; /* of the argument */
    struct tn_buf          place;   /* of the schema inside its document */
    bool                   open;    /* through properties only */
};

bool tn_header_is_name(struct tn_slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c == '\0' || !(tn_ascii_is_letter(c) || tn_ascii_is_digit(c) || strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return name.len > 0 && name.len <= HEADER_NAME_MAX;
}

static bool way_init(struct way *way, struct tn_headers *headers)
{
    *way = (struct way){ .headers = headers, .open = true };
    tn_buf_init(&way->pointer, headers->arena, 64, POINTER_LEN_MAX);
    tn_buf_init(&way->place, headers->arena, 64, POINTER_LEN_MAX);
    headers->mistake.arena = headers->arena;
    headers->at            = NULL;
    headers->count         = 0;
    return !headers->arena->failed;
}

static bool goes_on(const struct way *way)
{
    return !way->headers->mistake.text && !way->headers->arena->failed;
}

static bool way_end(struct way *way)
{
    way->headers->at = way->found;
    return goes_on(way);
}

/* Back to where it stood before. A pointer that was too long is not any more. */
static void headers_leave(struct way *way, const struct way *before)
{
    way->pointer.len    = before->pointer.len;
    way->pointer.failed = before->pointer.failed;
    way->place.len      = before->place.len;
    way->place.failed   = before->place.failed;
    way->open           = before->open;
}

/* `who` is the parameter's name or NULL, `where` the schema's place or "". */
static void headers_add(struct way *way, struct tn_slice name, enum tn_header_kind kind, const char *who,
                        const char *where)
{
    struct tn_headers *headers = way->headers;
    char              *pointer;

    for (size_t i = 0; i < headers->count; i++)
        if (tn_slice_fold_equal(headers->at[i].header, name))
            tn_mistake_note(&headers->mistake, who, "%sthe header '%.*s' is used twice", where, (int)name.len,
                            name.at);
    if (headers->count == HEADERS_MAX)
        tn_mistake_note(&headers->mistake, who, "%sa tool has at most %zu headers", where, HEADERS_MAX);
    if (!way->found)
        way->found = tn_arena_array(headers->arena, HEADERS_MAX, struct tn_tool_header);
    pointer = tn_arena_copy(headers->arena, way->pointer.at, way->pointer.len);
    if (way->pointer.failed && !headers->arena->failed)
        tn_mistake_note(&headers->mistake, who, "%sit stands too deep for a header", where);
    if (!way->found || !pointer || !goes_on(way))
        return;
    way->found[headers->count++] = (struct tn_tool_header){ name, { pointer, way->pointer.len }, kind };
    headers->at                  = way->found;
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

static enum tn_header_kind kind_of(unsigned kind)
{
    return kind == TENON_KIND_INT ? HEADER_INTEGER : kind == TENON_KIND_BOOL ? HEADER_BOOLEAN : HEADER_TEXT;
}

static void walk_object(struct way *way, const struct tn_object *object)
{
    for (size_t i = 0; i < object->count && goes_on(way); i++) {
        const struct tn_param *param = &object->params[i];
        struct way             here  = *way;

        tn_pointer_add(&way->pointer, (struct tn_slice){ param->name, param->len });
        way->open = here.open && param->node->kind == TENON_KIND_OBJECT &&
                    !tn_keywords_json_text(param->node);
        if (param->header && !here.open)
            tn_mistake_note(&way->headers->mistake, param->name, "%s", MISTAKE_WHERE);
        else if (param->header)
            headers_add(way, tn_slice_of(param->header), kind_of(param->node->kind), param->name, "");
        if (param->node->object)
            walk_object(way, param->node->object);
        headers_leave(way, &here);
    }
}

bool tn_headers_any(const struct tn_object *object)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        if (param->header || (param->node->object && tn_headers_any(param->node->object)))
            return true;
    }
    return false;
}

bool tn_headers_of_rows(struct tn_headers *headers, const struct tn_object *object)
{
    struct way way;

    if (!way_init(&way, headers))
        return false;
    walk_object(&way, object);
    return way_end(&way);
}

/* ---- Documents --------------------------------------------------------------------------------------------- */

static bool is_one_of(struct tn_slice key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tn_slice_is(key, names[i]))
            return true;
    return false;
}

/* What holds values, which may look like schemas. */
static bool holds_values(struct tn_slice key)
{
    static const char *const names[] = { "enum", "const", "default", "examples" };

    return is_one_of(key, names, sizeof names / sizeof *names);
}

/* What holds schemas by names of its author's. */
static bool holds_named(struct tn_slice key)
{
    static const char *const names[] = { "properties",  "patternProperties", "$defs",
                                         "definitions", "dependentSchemas",  "dependencies" };

    return is_one_of(key, names, sizeof names / sizeof *names);
}

static bool type_of(yyjson_val *schema, enum tn_header_kind *kind)
{
    yyjson_val *type = yyjson_obj_get(schema, "type");

    *kind = yyjson_equals_str(type, "integer")   ? HEADER_INTEGER
            : yyjson_equals_str(type, "boolean") ? HEADER_BOOLEAN
                                                 : HEADER_TEXT;
    return *kind != HEADER_TEXT || yyjson_equals_str(type, "string");
}

static void take_keyword(struct way *way, yyjson_val *schema, yyjson_val *value)
{
    struct tn_slice     name  = tn_json_slice(value);
    struct tn_mistake  *wrong = &way->headers->mistake;
    const char         *place = tn_buf_end(&way->place);
    char                where[256];
    enum tn_header_kind kind;

    snprintf(where, sizeof where, "#%.200s: ", place ? place : "");
    if (!yyjson_is_str(value) || !tn_header_is_name(name))
        tn_mistake_note(wrong, NULL, "%s" HEADER_KEYWORD " is not the name of an HTTP header", where);
    else if (!way->open)
        tn_mistake_note(wrong, NULL, "%s%s", where, MISTAKE_WHERE);
    else if (!type_of(schema, &kind))
        tn_mistake_note(wrong, NULL, "%sa header is only for the types string, integer and boolean", where);
    else
        headers_add(way, name, kind, NULL, where);
}

static void walk_schema(struct way *way, yyjson_val *schema);

static void walk_named(struct way *way, yyjson_val *map, bool properties)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;

    yyjson_obj_iter_init(map, &iter);
    while ((key = yyjson_obj_iter_next(&iter)) && goes_on(way)) {
        struct way      here = *way;
        struct tn_slice name = { yyjson_get_str(key), yyjson_get_len(key) };

        tn_pointer_add(&way->place, name);
        tn_pointer_add(&way->pointer, name);
        way->open = here.open && properties;
        walk_schema(way, yyjson_obj_iter_get_val(key));
        headers_leave(way, &here);
    }
}

/* A schema or a list of them, somewhere but in `properties`. */
static void walk_other(struct way *way, yyjson_val *value)
{
    bool            open = way->open;
    yyjson_arr_iter iter;
    yyjson_val     *item;

    way->open = false;
    if (yyjson_is_obj(value))
        walk_schema(way, value);
    yyjson_arr_iter_init(value, &iter);
    while ((item = yyjson_arr_iter_next(&iter)) && goes_on(way))
        if (yyjson_is_obj(item))
            walk_schema(way, item);
    way->open = open;
}

/* As deep as the document, whose depth was bounded when it was read. */
static void walk_schema(struct way *way, yyjson_val *schema)
{
    yyjson_obj_iter iter;
    yyjson_val     *key;

    yyjson_obj_iter_init(schema, &iter);
    while ((key = yyjson_obj_iter_next(&iter)) && goes_on(way)) {
        struct tn_slice name  = { yyjson_get_str(key), yyjson_get_len(key) };
        yyjson_val     *value = yyjson_obj_iter_get_val(key);
        struct way      here  = *way;

        if (tn_slice_is(name, HEADER_KEYWORD)) {
            take_keyword(way, schema, value);
            continue;
        }
        if (holds_values(name))
            continue;
        tn_pointer_add(&way->place, name);
        if (holds_named(name))
            walk_named(way, value, tn_slice_is(name, "properties"));
        else
            walk_other(way, value);
        headers_leave(way, &here);
    }
}

/* Values lie behind each other, names among them. */
bool tn_headers_any_of_document(yyjson_val *schema)
{
    yyjson_val *end = unsafe_yyjson_get_next(schema);

    for (yyjson_val *at = schema; at < end; at++)
        if (yyjson_is_str(at) && tn_slice_is(tn_json_slice(at), HEADER_KEYWORD))
            return true;
    return false;
}

bool tn_headers_of_document(struct tn_headers *headers, yyjson_val *schema)
{
    struct way way;

    if (!way_init(&way, headers))
        return false;
    walk_schema(&way, schema);
    return way_end(&way);
}
