/* keywords.c - the rules of a node as keywords of JSON Schema, always in the same order. */
#include "rows/keywords.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "json/write.h"
#include "rows/emit.h"
#include "text/format.h"

/* What the model reads, beside the row's own words. */
#define SAY_RELATIVE       "Relative path"
#define SAY_RELATIVE_LIST  "Relative paths"
#define SAY_ABSOLUTE       "Absolute path"
#define SAY_RELATIVE_WORD  "relative"
#define SAY_ABSOLUTE_WORD  "absolute"
#define SAY_ENDS_IN        "Ends in "
#define SAY_EACH_ENDS_IN "Each ends in "
#define SAY_SCHEME         "Scheme: "
#define SAY_OR             " or "
#define SAY_JSON_TEXT      "JSON text"
#define SAY_EXAMPLE        ", e.g. "
#define SAY_EXAMPLE_OF     "Example: "
#define SAY_FORM_OF_LIST   "Example: [\"...\", \"...\"]"
#define SAY_FORM_OF_MAP    "Example: {\"...\": \"...\"}"
#define SAID_EXAMPLE       "e.g." /* a row whose own words have one of these has its example there */
#define SAID_EXAMPLE_WORD  "example"

#define EXAMPLE_SAID_MAX   ((size_t)400) /* bytes of an example that no author wrote */

#define ID_PATTERN         "[A-Za-z0-9_][A-Za-z0-9_.-]*$"

typedef void (*rules_fn)(struct tn_keywords *keywords, const struct tn_node *node, bool filled);

/* ---- Names and words --------------------------------------------------------------------------------------- */

void tn_keywords_name(struct tn_keywords *keywords, const char *name)
{
    struct tn_buf *out = keywords->out;

    if (keywords->any)
        tn_buf_text(out, keywords->prose ? ", " : ",");
    keywords->any = true;
    if (!keywords->prose)
        tn_buf_char(out, '"');
    tn_buf_text(out, name);
    tn_buf_text(out, keywords->prose ? ": " : "\":");
}

static void name_size(struct tn_keywords *keywords, const char *name, size_t value)
{
    tn_keywords_name(keywords, name);
    tn_buf_uint(keywords->out, value);
}

static void name_text(struct tn_keywords *keywords, const char *name, const char *text)
{
    tn_keywords_name(keywords, name);
    tn_json_string(keywords->out, text, strlen(text));
}

static void name_true(struct tn_keywords *keywords, const char *name)
{
    tn_keywords_name(keywords, name);
    tn_buf_lit(keywords->out, "true");
}

const char *tn_keywords_type(const struct tn_node *node)
{
    /* clang-format off */
    static const char *const types[] = {
        [TENON_KIND_STR]  = "string",  [TENON_KIND_PATH] = "string",  [TENON_KIND_ABSPATH]   = "string",
        [TENON_KIND_UUID] = "string",  [TENON_KIND_URL]  = "string",  [TENON_KIND_ID]        = "string",
        [TENON_KIND_DATE] = "string",  [TENON_KIND_ENUM] = "string",  [TENON_KIND_TIMESTAMP] = "string",
        [TENON_KIND_INT]  = "integer", [TENON_KIND_NUM]  = "number",  [TENON_KIND_BOOL]      = "boolean",
        [TENON_KIND_STRS] = "array",   [TENON_KIND_INTS] = "array",   [TENON_KIND_NUMS]      = "array",
        [TENON_KIND_PATHS] = "array",  [TENON_KIND_ENUMS] = "array",  [TENON_KIND_OBJECTS]   = "array",
        [TENON_KIND_OBJECT] = "object", [TENON_KIND_MAP] = "object",  [TENON_KIND_JSON]      = NULL,
    };
    /* clang-format on */

    assert(node->kind < sizeof types / sizeof *types);
    return types[node->kind];
}

bool tn_keywords_json_text(const struct tn_node *node)
{
    return node->json_text || node->kind == TENON_KIND_JSON;
}

const char *tn_keywords_format(const struct tn_node *node)
{
    switch (node->kind) {
    case TENON_KIND_UUID: return "uuid";
    case TENON_KIND_URL: return "uri";
    case TENON_KIND_DATE: return "date";
    case TENON_KIND_TIMESTAMP: return "date-time";
    default: return node->text.format ? node->text.format->name : NULL;
    }
}

/* ---- Rules by kind ------------------------------------------------------------------------------------------- */

static void add_format(struct tn_keywords *keywords, const struct tn_node *node)
{
    const char *format = tn_keywords_format(node);

    if (format && !(keywords->date_time && strcmp(format, "date-time") == 0))
        name_text(keywords, "format", format);
}

/* An identifier's row may have a pattern too: then both must hold, which one pattern can say only by looking ahead. */
static void add_pattern(struct tn_keywords *keywords, const struct tn_node *node)
{
    const char *pattern = node->text.pattern_text;

    if (keywords->use == KEYWORDS_EXPECTED && node->text.pattern_words)
        return; /* the sentence says it in words, for a reader of issues knows those better */
    if (node->kind != TENON_KIND_ID) {
        if (pattern)
            name_text(keywords, "pattern", pattern);
        return;
    }
    tn_keywords_name(keywords, "pattern");
    if (!pattern) {
        tn_buf_lit(keywords->out, "\"^" ID_PATTERN "\"");
        return;
    }
    tn_buf_lit(keywords->out, "\"^(?=" ID_PATTERN ")(?=[\\\\s\\\\S]*(?:");
    tn_json_escaped(keywords->out, pattern, strlen(pattern));
    tn_buf_lit(keywords->out, "))\"");
}

static void rules_text(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    const struct tn_text_rules *text = &node->text;
    bool                        bare = !tn_keywords_format(node) &&
                node->kind != TENON_KIND_ID; /* others refuse blank text by themselves */
    size_t min = text->min == 0 && filled && bare && !text->blank_ok ? 1 : text->min;

    add_format(keywords, node);
    add_pattern(keywords, node);
    if (min > 0)
        name_size(keywords, "minLength", min);
    if (text->max < (size_t)TENON_NO_MAX)
        name_size(keywords, "maxLength", text->max);
}

static void rules_time(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    (void)filled;
    add_format(keywords, node);
}

static void add_int_bound(struct tn_keywords *keywords, const char *name, int64_t bound, int64_t field_limit)
{
    if (bound <= TENON_NO_MIN || bound >= TENON_NO_MAX)
        return;
    if (keywords->use == KEYWORDS_RESULT && bound == field_limit)
        return; /* a result cannot leave it */
    tn_keywords_name(keywords, name);
    tn_buf_int(keywords->out, bound);
}

static void rules_int(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    bool     is_unsigned = node->flavour == 1;
    unsigned bits        = node->size * 8 - !is_unsigned; /* of the largest value */
    int64_t  most        = bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;

    (void)filled;
    add_int_bound(keywords, "minimum", node->integer.min, is_unsigned ? 0 : -most - 1);
    add_int_bound(keywords, "maximum", node->integer.max, most);
}

static void add_num_bound(struct tn_keywords *keywords, const char *name, double bound, double field_limit)
{
    if (!isfinite(bound))
        return;
    if (keywords->use == KEYWORDS_RESULT && bound == field_limit)
        return; /* a result cannot leave it */
    tn_keywords_name(keywords, name);
    tn_json_number(keywords->out, bound);
}

static void rules_num(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    double most = node->size == sizeof(float) ? (double)FLT_MAX : (double)INFINITY;

    (void)filled;
    add_num_bound(keywords, "minimum", node->number.min, -most);
    add_num_bound(keywords, "maximum", node->number.max, most);
}

static void rules_none(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    (void)keywords, (void)node, (void)filled;
}

void tn_keywords_choice(struct tn_keywords *keywords, const struct tn_node *node, const char *more)
{
    const struct tn_choice *choice = node->choice;
    bool                    any    = false;

    tn_keywords_name(keywords, "enum");
    tn_buf_char(keywords->out, '[');
    for (size_t i = 0; i < choice->count; i++) {
        if (!choice->names[i].at)
            continue;
        if (any)
            tn_buf_char(keywords->out, ',');
        tn_json_string(keywords->out, choice->names[i].at, choice->names[i].len);
        any = true;
    }
    if (more) {
        tn_buf_char(keywords->out, ',');
        tn_json_string(keywords->out, more, strlen(more));
    }
    tn_buf_char(keywords->out, ']');
}

static void rules_choice(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    (void)filled;
    tn_keywords_choice(keywords, node, NULL);
}

void tn_keywords_counts(struct tn_keywords *keywords, const struct tn_node *node)
{
    bool   map   = node->kind == TENON_KIND_MAP;
    size_t least = node->list.min == 0 && keywords->items ? 1 : node->list.min;

    if (least > 0)
        name_size(keywords, map ? "minProperties" : "minItems", least);
    if (node->list.max < (size_t)TENON_NO_MAX)
        name_size(keywords, map ? "maxProperties" : "maxItems", node->list.max);
    if (node->list.unique && !map)
        name_true(keywords, "uniqueItems");
}

static void rules_list(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    (void)filled;
    tn_keywords_name(keywords, "items");
    tn_keywords_schema(keywords, node->list.item, NULL, keywords->depth);
    tn_keywords_counts(keywords, node);
}

static void rules_map(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    (void)filled;
    tn_keywords_name(keywords, "additionalProperties");
    tn_keywords_schema(keywords, node->list.item, NULL, keywords->depth);
    tn_keywords_counts(keywords, node);
}

/* ---- Objects ------------------------------------------------------------------------------------------------- */

/* A result always has these, unlike texts, times and any JSON. */
static bool is_always_written(const struct tn_node *node)
{
    return !tn_kind_is_text(node->kind) && node->kind != TENON_KIND_DATE &&
           node->kind != TENON_KIND_TIMESTAMP && node->kind != TENON_KIND_JSON;
}

static void add_required(struct tn_keywords *keywords, const struct tn_object *object)
{
    bool any = false;

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        if (!param->required && !(keywords->use == KEYWORDS_RESULT && is_always_written(param->node)))
            continue;
        if (!any) {
            tn_keywords_name(keywords, "required");
            tn_buf_char(keywords->out, '[');
        } else {
            tn_buf_char(keywords->out, ',');
        }
        tn_json_string(keywords->out, param->name, param->len);
        any = true;
    }
    if (any)
        tn_buf_char(keywords->out, ']');
}

void tn_keywords_object(struct tn_keywords *keywords, const struct tn_object *object)
{
    unsigned most = keywords->use == KEYWORDS_EXPECTED ? 1 : EMIT_DEPTH_MAX;

    if (keywords->depth >= most)
        return;
    tn_keywords_name(keywords, "properties");
    tn_buf_char(keywords->out, '{');
    for (size_t i = 0; i < object->count; i++) {
        if (i > 0)
            tn_buf_char(keywords->out, ',');
        tn_json_string(keywords->out, object->params[i].name, object->params[i].len);
        tn_buf_char(keywords->out, ':');
        tn_keywords_schema(keywords, object->params[i].node, &object->params[i], keywords->depth + 1);
    }
    tn_buf_char(keywords->out, '}');
    add_required(keywords, object);
    if (keywords->closed) {
        tn_keywords_name(keywords, "additionalProperties");
        tn_buf_lit(keywords->out, "false");
    }
}

static void rules_object(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    (void)filled;
    tn_keywords_object(keywords, node->object);
}

static void rules_objects(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    struct tn_keywords item = *keywords;

    (void)filled;
    tn_keywords_name(keywords, "items");
    tn_buf_lit(keywords->out, "{\"type\":\"object\"");
    item.any   = true;
    item.prose = false;
    tn_keywords_object(&item, node->object);
    tn_buf_char(keywords->out, '}');
    tn_keywords_counts(keywords, node);
}

void tn_keywords_rules(struct tn_keywords *keywords, const struct tn_node *node, bool filled)
{
    /* clang-format off */
    static const rules_fn rules[] = {
        [TENON_KIND_STR]    = rules_text,   [TENON_KIND_PATH]    = rules_text,    [TENON_KIND_ABSPATH]   = rules_text,
        [TENON_KIND_UUID]   = rules_text,   [TENON_KIND_URL]     = rules_text,    [TENON_KIND_ID]        = rules_text,
        [TENON_KIND_DATE]   = rules_time,   [TENON_KIND_ENUM]    = rules_choice,  [TENON_KIND_TIMESTAMP] = rules_time,
        [TENON_KIND_INT]    = rules_int,    [TENON_KIND_NUM]     = rules_num,     [TENON_KIND_BOOL]      = rules_none,
        [TENON_KIND_STRS]   = rules_list,   [TENON_KIND_INTS]    = rules_list,    [TENON_KIND_NUMS]      = rules_list,
        [TENON_KIND_PATHS]  = rules_list,   [TENON_KIND_ENUMS]   = rules_list,    [TENON_KIND_MAP]       = rules_map,
        [TENON_KIND_OBJECT] = rules_object, [TENON_KIND_OBJECTS] = rules_objects, [TENON_KIND_JSON]      = rules_none,
    };
    /* clang-format on */

    assert(node->kind < sizeof rules / sizeof *rules && rules[node->kind]);
    rules[node->kind](keywords, node, filled);
}

/* ---- Descriptions -------------------------------------------------------------------------------------------- */

/* Is `word` somewhere in `text`, whatever the case of its letters? */
static bool keywords_says(const char *text, struct tn_slice word)
{
    for (size_t left = strlen(text); left >= word.len; text++, left--)
        if (tn_slice_fold_equal((struct tn_slice){ text, word.len }, word))
            return true;
    return false;
}

/* Ends the sentence before, if there is one, so that another can begin. */
static void begin_sentence(struct tn_buf *text)
{
    if (text->len == 0)
        return;
    if (!strchr(".!?:;", text->at[text->len - 1]))
        tn_buf_char(text, '.');
    tn_buf_char(text, ' ');
}

/* "Ends in .md or .txt." from ".md,.txt", unless the row's own words have all of them. */
static void add_alternatives(struct tn_buf *text, const char *doc, const char *before, const char *list)
{
    struct tn_slice part, rest = tn_slice_of(list);
    bool            said = true;

    while (tn_slice_split(&rest, ',', &part))
        said = said && keywords_says(doc, tn_slice_trim(part));
    if (said)
        return;
    begin_sentence(text);
    tn_buf_text(text, before);
    rest = tn_slice_of(list);
    for (bool any = false; tn_slice_split(&rest, ',', &part); any = true) {
        if (any)
            tn_buf_text(text, SAY_OR);
        part = tn_slice_trim(part);
        tn_buf_add(text, part.at, part.len);
    }
    tn_buf_char(text, '.');
}

static void add_path_words(struct tn_buf *text, const char *doc, const struct tn_node *node)
{
    const struct tn_node *path     = node->kind == TENON_KIND_PATHS ? node->list.item : node;
    bool                  absolute = node->kind == TENON_KIND_ABSPATH;

    if (!keywords_says(doc, tn_slice_of(absolute ? SAY_ABSOLUTE_WORD : SAY_RELATIVE_WORD))) {
        begin_sentence(text);
        tn_buf_text(text, absolute ? SAY_ABSOLUTE : path == node ? SAY_RELATIVE : SAY_RELATIVE_LIST);
        tn_buf_char(text, '.');
    }
    if (path->text.ext)
        add_alternatives(text, doc, path == node ? SAY_ENDS_IN : SAY_EACH_ENDS_IN, path->text.ext);
}

/* Words that a caller might send as they are: of those only the form is shown. */
static bool is_made_of_words(const struct tn_node *node)
{
    return (node->kind == TENON_KIND_STRS || node->kind == TENON_KIND_MAP) && !node->list.item->text.format;
}

/* A list or an object is sent in the right form the first time when its description shows one. */
static void add_example(struct tn_buf *text, const char *doc, const struct tn_param *param)
{
    const struct tn_node *node = param->node;
    bool                  own  = param->row && param->row->rule.any.example;
    bool                  made = !own && !(param->has_default && param->def.len > 2);

    if (node->example.len == 0 || keywords_says(doc, node->example) ||
        (!own && node->example.len > EXAMPLE_SAID_MAX))
        return;
    if (!own &&
        (keywords_says(doc, SLICE_LIT(SAID_EXAMPLE)) || keywords_says(doc, SLICE_LIT(SAID_EXAMPLE_WORD))))
        return;
    begin_sentence(text);
    if (made && is_made_of_words(node)) {
        tn_buf_text(text, node->kind == TENON_KIND_MAP ? SAY_FORM_OF_MAP : SAY_FORM_OF_LIST);
        return;
    }
    tn_buf_text(text, SAY_EXAMPLE_OF);
    tn_buf_add(text, node->example.at, node->example.len);
}

static bool is_container(const struct tn_node *node)
{
    return tn_kind_is_list(node->kind) || node->kind == TENON_KIND_OBJECT || node->kind == TENON_KIND_MAP;
}

void tn_keywords_describe(struct tn_buf *text, const struct tn_param *param, bool json_text)
{
    const struct tn_node *node = param->node;
    const char           *doc  = param->doc ? param->doc : "";

    tn_buf_text(text, doc);
    if (node->kind == TENON_KIND_PATH || node->kind == TENON_KIND_ABSPATH || node->kind == TENON_KIND_PATHS)
        add_path_words(text, doc, node);
    if (tn_kind_is_text(node->kind) && node->text.schemes)
        add_alternatives(text, doc, SAY_SCHEME, node->text.schemes);
    if (!json_text && is_container(node))
        add_example(text, doc, param);
    if (!json_text)
        return;
    begin_sentence(text);
    tn_buf_text(text, SAY_JSON_TEXT);
    if (node->example.len == 0 || keywords_says(doc, node->example)) {
        tn_buf_char(text, '.');
        return;
    }
    tn_buf_text(text, SAY_EXAMPLE);
    tn_buf_add(text, node->example.at, node->example.len);
}

/* ---- One value ----------------------------------------------------------------------------------------------- */

static void add_description(struct tn_keywords *keywords, const struct tn_param *param, bool json_text)
{
    struct tn_buf text;

    tn_keywords_name(keywords, "description");
    if (keywords->use == KEYWORDS_RESULT) {
        tn_json_string(keywords->out, param->doc, param->doc ? strlen(param->doc) : 0);
        return;
    }
    tn_buf_init(&text, keywords->out->arena, 0, keywords->out->max);
    tn_keywords_describe(&text, param, json_text);
    tn_json_string(keywords->out, text.at, text.len);
    keywords->out->failed |= text.failed;
}

static void add_default(struct tn_keywords *keywords, const struct tn_param *param, bool json_text)
{
    if (!param->has_default)
        return;
    tn_keywords_name(keywords, "default");
    if (json_text)
        tn_json_string(keywords->out, param->def.at, param->def.len);
    else
        tn_buf_add(keywords->out, param->def.at, param->def.len);
}

/* Of these a property of what is expected has more than its type. */
static bool is_listing(const struct tn_node *node)
{
    return node->kind == TENON_KIND_ENUM || (tn_kind_is_list(node->kind) && node->kind != TENON_KIND_OBJECTS);
}

void tn_keywords_schema(const struct tn_keywords *around, const struct tn_node *node,
                        const struct tn_param *param, unsigned depth)
{
    struct tn_keywords inside    = { .out         = around->out,
                                     .use         = around->use,
                                     .closed      = around->closed,
                                     .destructive = around->destructive,
                                     .portable    = around->portable,
                                     .depth       = depth };
    bool               arguments = inside.use == KEYWORDS_ARGUMENTS;
    bool               json_text = arguments && tn_keywords_json_text(node);
    bool               brief     = inside.use == KEYWORDS_EXPECTED && depth > 0 && !is_listing(node);
    const char        *type      = json_text ? "string" : tn_keywords_type(node);

    inside.items = arguments && param && inside.destructive && !param->required;
    tn_buf_char(inside.out, '{');
    if (type)
        name_text(&inside, "type", type);
    else if (inside.use == KEYWORDS_EXPECTED)
        tn_buf_lit(inside.out, "\"type\":\"string\",\"contentMediaType\":\"application/json\"");
    if (param && inside.use != KEYWORDS_EXPECTED)
        add_description(&inside, param, json_text);
    if (!json_text && !brief)
        tn_keywords_rules(&inside, node, arguments && param && (param->required || inside.destructive));
    if (param && arguments)
        add_default(&inside, param, json_text);
    if (param && arguments && param->header && !inside.portable)
        name_text(&inside, "x-mcp-header", param->header);
    tn_buf_char(inside.out, '}');
}
