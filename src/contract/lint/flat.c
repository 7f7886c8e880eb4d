/* flat.c - writes the flat form of a schema, and makes the plan of the way back. */
#include "contract/lint/flat.h"

#include "base/table.h"
#include "contract/canonical.h"
#include "contract/lint/flat_view.h"
#include "contract/lint/site.h"
#include "contract/phrases.h"
#include "json/write.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define BRACES_MAX      ((size_t)1500) /* bytes of rules in one description */
#define RULE_MAX        ((size_t)400)  /* bytes of one of them */

struct writer {
    struct tn_buf             *out;
    struct tn_arena           *arena;
    const struct tn_flat_form *form;
    yyjson_val                *root;
    size_t                     nodes;
    bool                       destructive;
};

/* One place that is being written. */
struct place {
    const struct place        *outer;
    const struct tn_flat_open *open; /* `here`, once the place is looked at */
    struct tn_flat_open        here;
    struct tn_flat_view        view;
    struct tn_flat            *plan;
    struct tn_buf              braces; /* rules that have no keyword, for the description */
    size_t                     level;  /* of objects */
    const char                *type;   /* that is published */
    bool root, member, whole;          /* the outermost; of an object; its schema stands in the description */
    enum tn_flat_absence absence;
};

/* ---- Descriptions --------------------------------------------------------------------------------------------------- */

static void begin_rule(struct place *place)
{
    if (place->braces.len > 0)
        tn_buf_lit(&place->braces, ", ");
}

/* A rule that cannot be kept, in words: "minimum: 1". */
static void add_rule(struct writer *writer, struct place *place, const char *keyword, yyjson_val *value)
{
    struct tn_buf text;

    tn_buf_init(&text, writer->arena, 0, RULE_MAX);
    tn_canonical_line(&text, value);
    if (text.failed || place->braces.len + text.len > BRACES_MAX)
        return;
    begin_rule(place);
    tn_buf_addf(&place->braces, "%s: ", keyword);
    tn_buf_add(&place->braces, text.at, text.len);
}

static void add_words(struct place *place, const char *words)
{
    begin_rule(place);
    tn_buf_text(&place->braces, words);
}

static const char *absence_words(enum tn_flat_absence absence)
{
    static const char *const words[] = { [FLAT_LEFT_OUT] = NULL,
                                         [FLAT_NULL]     = SAY_FLAT_NULL,
                                         [FLAT_BLANK]    = SAY_FLAT_BLANK,
                                         [FLAT_EMPTY]    = SAY_FLAT_EMPTY,
                                         [FLAT_WORDED]   = SAY_FLAT_WORD };

    return words[absence];
}

/* The description, with all rules that have no place of their own after it. */
static void write_description(struct writer *writer, struct place *place)
{
    struct tn_slice said = tn_json_slice(tn_flat_view_get(&place->view, "description"));
    struct tn_buf   text;

    if (said.len == 0 && place->braces.len == 0)
        return;
    tn_buf_init(&text, writer->arena, said.len + place->braces.len + 8, FLAT_LEN_MAX);
    tn_buf_add(&text, said.at, said.len);
    if (place->braces.len > 0) {
        tn_buf_text(&text, said.len > 0 ? "\n\n{" : "{");
        tn_buf_add(&text, place->braces.at, place->braces.len);
        tn_buf_char(&text, '}');
    }
    tn_buf_lit(writer->out, ",\"description\":");
    tn_canonical_string(writer->out, tn_buf_slice(&text));
    writer->out->failed |= text.failed;
}

/* ---- Rules of a value ----------------------------------------------------------------------------------------------- */

/* Keywords that the published type may have; others are words. */
static bool belongs(const char *type, const char *keyword)
{
    static const struct {
        const char *type, *keywords[8];
    } of[] = {
        { "string", { "minLength", "maxLength", "pattern", "format" } },
        { "integer", { "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf" } },
        { "number", { "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf" } },
        { "array", { "minItems", "maxItems", "uniqueItems" } },
        { "object", { "minProperties", "maxProperties" } },
    };

    if (strcmp(keyword, "title") == 0 || strcmp(keyword, "default") == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(of); i++)
        for (size_t j = 0; strcmp(of[i].type, type) == 0 && j < 8 && of[i].keywords[j]; j++)
            if (strcmp(of[i].keywords[j], keyword) == 0)
                return true;
    return false;
}

/* Those that are neither kept nor put into words: they are dealt with elsewhere, or mean nothing to a model. */
static bool is_left(const char *keyword)
{
    static const char *const left[] = { "type",        "description", "properties", "required", "items",
                                        "enum",        "const",       "$ref",       "$defs",    "definitions",
                                        "anyOf",       "oneOf",       "allOf",      "$schema",  "$id",
                                        "$comment",    "$anchor",     "examples",   "nullable", "title",
                                        "x-mcp-header" };

    for (size_t i = 0; i < COUNT_OF(left); i++)
        if (strcmp(left[i], keyword) == 0)
            return true;
    return keyword[0] == 'x' && keyword[1] == '-';
}

/* What is not sent is null anyway, and converters of schemas drop the word. */
static bool says_nothing(const char *keyword, yyjson_val *value)
{
    return is_left(keyword) ? strcmp(keyword, "title") != 0
                            : strcmp(keyword, "default") == 0 && yyjson_is_null(value);
}

/* A value that may be left out must not be kept to a length that "" does not have. */
static bool keeps(const struct writer *writer, const struct place *place, const char *keyword,
                  yyjson_val *value)
{
    if (place->plan->kind == FLAT_TEXT || place->plan->kind == FLAT_CHOICE)
        return strcmp(keyword, "title") == 0 && tn_flat_form_keeps(writer->form, keyword, value, place->root);
    if (place->absence > FLAT_NULL && strcmp(keyword, "title") != 0)
        return false;
    return belongs(place->type, keyword) && tn_flat_form_keeps(writer->form, keyword, value, place->root);
}

static bool came_before(const struct place *place, size_t part, yyjson_val *name)
{
    for (size_t i = 0; i < part; i++)
        if (yyjson_obj_getn(place->view.parts[i], yyjson_get_str(name), yyjson_get_len(name)))
            return true;
    return false;
}

static void write_rules(struct writer *writer, struct place *place)
{
    for (size_t i = 0; i < place->view.count; i++) {
        yyjson_obj_iter members = yyjson_obj_iter_with(place->view.parts[i]);
        yyjson_val     *name;

        while ((name = yyjson_obj_iter_next(&members))) {
            const char *keyword = yyjson_get_str(name);
            yyjson_val *value   = yyjson_obj_iter_get_val(name);

            if (came_before(place, i, name) || says_nothing(keyword, value))
                continue;
            if (keeps(writer, place, keyword, value)) {
                tn_buf_addf(writer->out, ",\"%s\":", keyword);
                tn_canonical_line(writer->out, value);
            } else if (!is_left(keyword) && strcmp(keyword, "additionalProperties") != 0)
                add_rule(writer, place, keyword, value);
        }
    }
}

/* ---- Choices -------------------------------------------------------------------------------------------------------- */

/* Each value once: clients refuse one that stands twice, which branches with a value in common, and careless schemas, have. */
static bool add_choice(struct writer *writer, struct tn_table *seen, struct tn_buf *out, yyjson_val *value)
{
    struct tn_buf line;

    if (yyjson_is_null(value))
        return false;
    tn_buf_init(&line, writer->arena, 0, FLAT_LEN_MAX);
    tn_canonical_line(&line, value);
    if (!line.failed && tn_table_add(seen, writer->arena, NULL, tn_buf_slice(&line), value) != value)
        return true;
    if (out->len > 1)
        tn_buf_char(out, ',');
    tn_canonical_line(out, value);
    return true;
}

/* False when the schema counts no values. */
static bool add_choices(struct writer *writer, struct tn_table *seen, struct tn_buf *out, yyjson_val *schema)
{
    yyjson_val     *values = yyjson_obj_get(schema, "enum"), *constant = yyjson_obj_get(schema, "const");
    yyjson_arr_iter items = yyjson_arr_iter_with(values);
    yyjson_val     *one;
    bool            any = constant && !values && add_choice(writer, seen, out, constant);

    while (yyjson_is_arr(values) && (one = yyjson_arr_iter_next(&items)))
        any |= add_choice(writer, seen, out, one);
    return any;
}

/* The values that a place may have, as an array; NULL when they are not counted. */
static yyjson_val *choices_of(struct writer *writer, const struct tn_flat_view *view)
{
    struct tn_table seen = { 0 };
    struct tn_buf   out;
    yyjson_val     *read;

    tn_buf_init(&out, writer->arena, 0, FLAT_LEN_MAX);
    tn_buf_char(&out, '[');
    for (size_t i = 0; i < view->count && out.len == 1; i++)
        add_choices(writer, &seen, &out, view->parts[i]);
    for (size_t i = 0; i < view->variant_count; i++)
        if (!add_choices(writer, &seen, &out, view->variants[i]))
            return NULL; /* one of them has any value */
    tn_buf_char(&out, ']');
    if (out.len == 2 || out.failed)
        return NULL;
    return tn_canonical_read(writer->arena, tn_buf_slice(&out), CANONICAL_DEPTH_MAX, &read) == CANONICAL_FINE
               ? read
               : NULL;
}

static bool folds(struct writer *writer, yyjson_val *choices)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(choices);
    struct tn_table seen  = { 0 };
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&items))) {
        struct tn_slice text   = tn_json_slice(one);
        char           *folded = tn_arena_copy(writer->arena, text.at ? text.at : "", text.len);
        void           *first;

        for (size_t i = 0; folded && i < text.len; i++)
            folded[i] = (char)(folded[i] >= 'A' && folded[i] <= 'Z' ? folded[i] | 0x20 : folded[i]);
        first = folded
                    ? tn_table_add(&seen, writer->arena, NULL, (struct tn_slice){ folded, text.len }, folded)
                    : NULL;
        if (yyjson_is_str(one) && first != (void *)folded)
            return true;
    }
    return false;
}

static bool all_texts(yyjson_val *choices)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(choices);
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&items)))
        if (!yyjson_is_str(one))
            return false;
    return true;
}

static void write_choices(struct writer *writer, struct place *place, yyjson_val *choices)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(choices);
    bool            texts = place->plan->kind == FLAT_CHOICE;
    yyjson_val     *one;

    tn_buf_lit(writer->out, ",\"enum\":[");
    for (size_t i = 0; (one = yyjson_arr_iter_next(&items)); i++) {
        if (i > 0)
            tn_buf_char(writer->out, ',');
        if (texts && !yyjson_is_str(one)) {
            struct tn_buf text;

            tn_buf_init(&text, writer->arena, 0, FLAT_LEN_MAX);
            tn_canonical_line(&text, one);
            tn_canonical_string(writer->out, tn_buf_slice(&text));
        } else
            tn_canonical_line(writer->out, one);
    }
    if (place->absence == FLAT_WORDED)
        tn_buf_lit(writer->out, ",\"" FLAT_WORD "\"");
    if (place->absence == FLAT_NULL)
        tn_buf_lit(writer->out, ",null");
    tn_buf_char(writer->out, ']');
}

/* ---- Places --------------------------------------------------------------------------------------------------------- */

static struct tn_flat *write_place(struct writer *writer, struct place *place, yyjson_val *schema);

static void write_type(struct writer *writer, const struct place *place)
{
    if (place->absence == FLAT_NULL)
        tn_buf_addf(writer->out, "{\"type\":[\"%s\",\"null\"]", place->type);
    else
        tn_buf_addf(writer->out, "{\"type\":\"%s\"", place->type);
}

/* How a member is left out, where all are sent; by what its type can say. */
static enum tn_flat_absence absence_of(const struct writer *writer, const struct place *place,
                                       yyjson_val *choices)
{
    if (writer->form->nulls)
        return FLAT_NULL;
    if (choices || writer->destructive)
        return FLAT_WORDED;
    if (place->type && strcmp(place->type, "array") == 0)
        return FLAT_EMPTY;
    return place->type && strcmp(place->type, "boolean") == 0 ? FLAT_WORDED : FLAT_BLANK;
}

/* A value as a text of JSON. */
static void become_text(struct place *place)
{
    place->plan->kind  = FLAT_TEXT;
    place->plan->plain = place->view.takes_text;
    if (place->type && strcmp(place->type, "string") != 0)
        add_words(place, place->type);
    place->type = "string";
}

/* Nothing of the schema itself is published: its text is, as far as it is short. */
static void describe_whole(struct writer *writer, struct place *place, yyjson_val *schema)
{
    place->whole = true;
    add_words(place, SAY_FLAT_JSON);
    if (yyjson_obj_size(schema) > 0)
        add_rule(writer, place, "schema", schema);
}

static bool is_container(const char *type)
{
    return strcmp(type, "object") == 0 || strcmp(type, "array") == 0;
}

/* A map has names that no schema says; where objects must be closed it is a text. */
static bool has_members(const struct tn_flat_view *view)
{
    if (tn_flat_view_get(view, "properties"))
        return true;
    for (size_t i = 0; i < view->variant_count; i++)
        if (yyjson_obj_get(view->variants[i], "properties"))
            return true;
    return false;
}

static bool is_beyond(const struct writer *writer, const struct place *place)
{
    const char *type = place->view.type;

    if (!type || writer->nodes >= FLAT_NODES_MAX)
        return !place->root;
    if (place->root || strcmp(type, "object") != 0)
        return false;
    return place->level > writer->form->levels || (writer->form->closed && !has_members(&place->view));
}

/* ---- Objects and arrays --------------------------------------------------------------------------------------------- */

struct members {
    struct writer        *writer;
    struct place         *place;
    struct tn_table       seen; /* by their own names */
    struct tn_flat_needed needed;
    size_t                room;
};

static void write_member(struct members *members, yyjson_val *name, yyjson_val *schema)
{
    struct writer         *writer = members->writer;
    struct place          *outer  = members->place;
    struct tn_flat        *plan   = outer->plan;
    struct place           inner  = { .outer = outer, .level = outer->level, .member = true };
    struct tn_slice        own    = tn_json_slice(name);
    bool                   needed = tn_flat_needs(&members->needed, own);
    struct tn_flat_member *member;

    if (plan->count == members->room || tn_table_find(&members->seen, NULL, own) ||
        !tn_table_add(&members->seen, writer->arena, NULL, own, name))
        return;
    member        = &plan->members[plan->count];
    *member       = (struct tn_flat_member){ .own = own, .optional = !needed };
    member->name  = tn_flat_form_name(writer->form, writer->arena, CHECK_PROPERTY_NAMES, outer->root, own);
    inner.absence = needed ? FLAT_LEFT_OUT : FLAT_BLANK; /* to be chosen when its type is known */
    if (plan->count > 0)
        tn_buf_char(writer->out, ',');
    tn_canonical_string(writer->out, member->name);
    tn_buf_char(writer->out, ':');
    tn_table_add(&plan->by_name, writer->arena, NULL, member->name, member);
    plan->count++;
    member->plan    = write_place(writer, &inner, schema);
    member->to_null = needed && inner.view.nullable;
    member->absence = inner.absence;
}

static void write_members_of(struct members *members, yyjson_val *schema)
{
    yyjson_obj_iter each = yyjson_obj_iter_with(yyjson_obj_get(schema, "properties"));
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&each)))
        write_member(members, name, yyjson_obj_iter_get_val(name));
}

/* What variants say of one member, as alternatives. */
static yyjson_val *unite(struct writer *writer, const struct tn_flat_view *view, yyjson_val *name,
                         yyjson_val *schema)
{
    size_t        count = 0;
    yyjson_val   *read;
    struct tn_buf out;

    tn_buf_init(&out, writer->arena, 0, FLAT_LEN_MAX);
    tn_buf_lit(&out, "{\"anyOf\":[");
    for (size_t i = 0; i < view->variant_count; i++) {
        yyjson_val *properties = yyjson_obj_get(view->variants[i], "properties");
        yyjson_val *one        = yyjson_obj_getn(properties, yyjson_get_str(name), yyjson_get_len(name));

        if (!yyjson_is_obj(one))
            continue;
        tn_buf_text(&out, count++ > 0 ? "," : "");
        tn_canonical_line(&out, one);
    }
    tn_buf_lit(&out, "]}");
    if (count < 2 || out.failed ||
        tn_canonical_read(writer->arena, tn_buf_slice(&out), CANONICAL_DEPTH_MAX, &read) != CANONICAL_FINE)
        return schema;
    return read;
}

static void write_members_of_variants(struct members *members)
{
    const struct tn_flat_view *view = &members->place->view;

    for (size_t i = 0; i < view->variant_count; i++) {
        yyjson_obj_iter each = yyjson_obj_iter_with(yyjson_obj_get(view->variants[i], "properties"));
        yyjson_val     *name;

        while ((name = yyjson_obj_iter_next(&each)))
            if (!tn_table_find(&members->seen, NULL, tn_json_slice(name)))
                write_member(members, name,
                             unite(members->writer, view, name, yyjson_obj_iter_get_val(name)));
    }
}

/* A variant of a union may only refer. */
static yyjson_val *variant_of(struct writer *writer, yyjson_val *variant)
{
    struct tn_flat_view view;

    tn_flat_view(&view, writer->arena, writer->root, variant, NULL);
    for (size_t i = 0; i < view.count; i++)
        if (yyjson_obj_get(view.parts[i], "properties"))
            return view.parts[i];
    return variant;
}

static size_t count_members(const struct tn_flat_view *view)
{
    size_t count = 0;

    for (size_t i = 0; i < view->count; i++)
        count += yyjson_obj_size(yyjson_obj_get(view->parts[i], "properties"));
    for (size_t i = 0; i < view->variant_count; i++)
        count += yyjson_obj_size(yyjson_obj_get(view->variants[i], "properties"));
    return count;
}

static void write_required(struct writer *writer, const struct tn_flat *plan)
{
    bool any = false;

    tn_buf_lit(writer->out, ",\"required\":[");
    for (size_t i = 0; i < plan->count; i++) {
        const struct tn_flat_member *member = &plan->members[i];

        if (!writer->form->all_required && (member->optional || member->to_null))
            continue;
        if (any)
            tn_buf_char(writer->out, ',');
        any = true;
        tn_canonical_string(writer->out, member->name);
    }
    tn_buf_char(writer->out, ']');
}

static void write_additional(struct writer *writer, struct place *place)
{
    yyjson_val  *additional = tn_flat_view_get(&place->view, "additionalProperties");
    struct place inner      = { .outer = place, .level = place->level };

    if (writer->form->closed)
        tn_buf_lit(writer->out, ",\"additionalProperties\":false");
    else if (yyjson_is_bool(additional) && place->view.variant_count == 0 &&
             tn_flat_form_keeps(writer->form, "additionalProperties", additional, place->root)) {
        tn_buf_lit(writer->out, ",\"additionalProperties\":");
        tn_canonical_line(writer->out, additional);
    } else if (yyjson_is_obj(additional) &&
               tn_flat_form_keeps(writer->form, "additionalProperties", NULL, place->root)) {
        tn_buf_lit(writer->out, ",\"additionalProperties\":");
        place->plan->item = write_place(writer, &inner, additional);
    }
}

static void write_object(struct writer *writer, struct place *place)
{
    struct members members = { .writer = writer, .place = place };

    for (size_t i = 0; i < place->view.variant_count; i++)
        place->view.variants[i] = variant_of(writer, place->view.variants[i]);
    place->plan->kind    = FLAT_OBJECT;
    members.room         = count_members(&place->view);
    place->plan->members = tn_arena_array(writer->arena, members.room + 1, struct tn_flat_member);
    if (!place->plan->members) {
        writer->out->failed = true;
        return;
    }
    tn_flat_needed(&members.needed, writer->arena, &place->view);
    tn_buf_lit(writer->out, ",\"properties\":{");
    for (size_t i = 0; i < place->view.count; i++)
        write_members_of(&members, place->view.parts[i]);
    write_members_of_variants(&members);
    tn_buf_char(writer->out, '}');
    write_required(writer, place->plan);
    write_additional(writer, place);
}

static void write_array(struct writer *writer, struct place *place)
{
    yyjson_val  *items = tn_flat_view_get(&place->view, "items");
    struct place inner = { .outer = place, .level = place->level };

    place->plan->kind = FLAT_ARRAY;
    if (!yyjson_is_obj(items) && !writer->form->items &&
        tn_flat_form_keeps(writer->form, "items", NULL, false) && !items &&
        !tn_flat_view_get(&place->view, "prefixItems")) {
        place->plan->kind = FLAT_AS_IS;
        return; /* any list */
    }
    tn_buf_lit(writer->out, ",\"items\":");
    place->plan->item = write_place(writer, &inner, yyjson_is_obj(items) ? items : NULL);
}

/* ---- One place ------------------------------------------------------------------------------------------------------ */

/* What is published, when it is known what the place is. */
static yyjson_val *decide(struct writer *writer, struct place *place, yyjson_val *schema)
{
    bool        optional = place->absence != FLAT_LEFT_OUT;
    yyjson_val *choices  = place->view.deep || place->view.mixed ? NULL : choices_of(writer, &place->view);

    place->type = place->view.type;
    if (place->root)
        place->type = "object";
    else if (is_beyond(writer, place) || !place->type) {
        become_text(place);
        describe_whole(writer, place, schema);
        choices = NULL;
    }
    if (choices && is_container(place->type))
        choices = NULL;
    if (choices && ((writer->form->case_folds && folds(writer, choices)) ||
                    !tn_flat_form_keeps(writer->form, "enum", NULL, place->root))) {
        add_rule(writer, place, "enum", choices);
        choices = NULL;
    }
    if (choices && writer->form->text_enums && !all_texts(choices)) {
        place->plan->kind    = FLAT_CHOICE;
        place->plan->choices = choices;
        add_words(place, place->type);
        place->type = "string";
    }
    optional = place->member && (optional || place->view.nullable);
    if (optional && !choices && place->type && strcmp(place->type, "boolean") == 0 &&
        writer->form->all_required && !writer->form->nulls)
        tn_canonical_read(writer->arena, SLICE_LIT("[true,false]"), CANONICAL_DEPTH_MAX, &choices);
    place->absence = !optional || !writer->form->all_required || place->root
                         ? FLAT_LEFT_OUT
                         : absence_of(writer, place, choices);
    if (place->absence == FLAT_WORDED && tn_site_lists(choices, SLICE_LIT(FLAT_WORD)))
        place->absence = FLAT_LEFT_OUT; /* the word is a value of its own: one of them must be sent */
    return choices;
}

/* A number or a truth value that may be left out by a word, or by nothing, is a text. */
static void make_room_for_absence(struct writer *writer, struct place *place, yyjson_val *schema,
                                  yyjson_val *choices)
{
    bool is_text = strcmp(place->type, "string") == 0;

    if (place->absence <= FLAT_NULL || is_text ||
        (place->absence == FLAT_EMPTY && place->plan->kind != FLAT_TEXT))
        return;
    if (choices && place->plan->kind != FLAT_CHOICE) {
        place->plan->kind    = FLAT_CHOICE;
        place->plan->choices = choices;
        add_words(place, place->type);
        place->type = "string";
        return;
    }
    if (is_container(place->type))
        describe_whole(writer, place, schema);
    become_text(place);
}

static struct tn_flat *write_place(struct writer *writer, struct place *place, yyjson_val *schema)
{
    yyjson_val *choices;

    place->here = (struct tn_flat_open){ place->outer ? place->outer->open : NULL, &place->view };
    place->plan = tn_arena_new(writer->arena, struct tn_flat);
    tn_buf_init(&place->braces, writer->arena, 0, BRACES_MAX + RULE_MAX);
    if (!place->plan) {
        writer->out->failed = true;
        return NULL;
    }
    writer->nodes++;
    if (writer->nodes >
        FLAT_NODES_MAX) /* nothing of it is looked at: references would be searched for each */
        place->view = (struct tn_flat_view){
            .parts = { schema }, .count = 1, .deep = true, .takes_text = true
        };
    else
        tn_flat_view(&place->view, writer->arena, writer->root, schema, place->here.outer);
    place->open = &place->here;
    if (place->view.type && strcmp(place->view.type, "object") == 0)
        place->level++;
    choices = decide(writer, place, schema);
    make_room_for_absence(writer, place, schema, choices);
    write_type(writer, place);
    if (strcmp(place->type, "object") == 0 && place->plan->kind == FLAT_AS_IS)
        write_object(writer, place);
    else if (strcmp(place->type, "array") == 0 && place->plan->kind == FLAT_AS_IS)
        write_array(writer, place);
    else if (choices)
        write_choices(writer, place, choices);
    if (!place->whole)
        write_rules(writer, place);
    if (absence_words(place->absence))
        add_words(place, absence_words(place->absence));
    write_description(writer, place);
    tn_buf_char(writer->out, '}');
    return place->plan;
}

struct tn_flat *tn_flat_write(struct tn_buf *out, struct tn_arena *arena, const struct tn_flat_form *form,
                              yyjson_val *schema, bool destructive)
{
    struct writer writer = {
        .out = out, .arena = arena, .form = form, .root = schema, .destructive = destructive
    };
    struct place root = { .root = true };

    write_place(&writer, &root, schema);
    return out->failed || arena->failed ? NULL : root.plan;
}
