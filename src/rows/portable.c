/* portable.c - the part of JSON Schema that every provider's strict mode accepts.
 *
 * That is: type, properties, items, enum of strings that differ by more than case, description, the format date-time,
 * every property in `required`, additionalProperties false, two levels. Every other rule stands in braces at the end of
 * the description: "How far ahead.\n\n{minimum: 1, maximum: 14}".
 *
 * A property that must be sent needs a way to say nothing, and a union with null is not accepted everywhere. So each
 * type has a value that means "left out", which leave_out.c knows: the default where there is one, [] of a list, "" of
 * text, and of an enum or a truth value one word more. A number has no such value, and is sent as text. On a destructive
 * tool, where what is empty by mistake could widen the call, the word is the only way.
 */
#include "rows/portable.h"

#include "json/write.h"
#include "rows/emit.h"
#include "rows/keywords.h"

/* What the model reads about leaving a parameter out. */
static const char *const say_absence[] = {
    [ABSENCE_NONE]      = NULL,
    [ABSENCE_DEFAULT]   = "optional",
    [ABSENCE_BLANK]     = "optional: send \"\" to leave it out",
    [ABSENCE_EMPTY]     = "optional: send [] to leave it out",
    [ABSENCE_WORD]      = "optional: send \"" PORTABLE_WORD "\" to leave it out",
    [ABSENCE_LIST_WORD] = "optional: send [\"" PORTABLE_WORD "\"] to leave it out",
};

/* How one parameter is published. */
struct plan {
    bool            is_string; /* in place of its own type */
    bool            json_text; /* and that string holds JSON */
    enum tn_absence absence;
};

static bool is_container(const struct tn_node *node)
{
    return tn_kind_is_list(node->kind) || node->kind == TENON_KIND_OBJECT || node->kind == TENON_KIND_MAP;
}

/* Values that no schema of this form can describe. */
static bool is_beyond_reach(const struct tn_node *node, unsigned level)
{
    bool is_object = node->kind == TENON_KIND_OBJECT || node->kind == TENON_KIND_OBJECTS;

    return tn_keywords_json_text(node) || node->kind == TENON_KIND_MAP ||
           (is_object && level >= PORTABLE_LEVELS);
}

/* True when no two names are the same but for the case of their letters, which not every provider keeps; the word for
 * what is left out counts as one of them. */
static bool has_distinct_names(const struct tn_choice *choice)
{
    if (tn_choice_has(choice, SLICE_LIT(PORTABLE_WORD)))
        return false;
    for (size_t i = 0; i < choice->count; i++)
        for (size_t k = i + 1; k < choice->count; k++)
            if (choice->names[i].at && choice->names[k].at &&
                tn_slice_fold_equal(choice->names[i], choice->names[k]))
                return false;
    return true;
}

/* The keywords of a value that are not dropped, but for type and description. */
static bool keeps_enum(const struct tn_node *node)
{
    return node->kind == TENON_KIND_ENUM && has_distinct_names(node->choice);
}

/* A truth value and its absence: an enum of three words. */
static bool is_three_words(const struct tn_node *node, const struct plan *plan)
{
    return node->kind == TENON_KIND_BOOL && plan->absence == ABSENCE_WORD;
}

/* May the items of a list be the word? */
static bool holds_text(const struct tn_node *node)
{
    return tn_kind_is_list(node->kind) && node->kind != TENON_KIND_OBJECTS &&
           strcmp(tn_keywords_type(node->list.item), "string") == 0;
}

static enum tn_absence choose_absence(const struct tn_param *param, const struct tn_emit_how *how,
                                      bool is_string)
{
    const struct tn_node   *node  = param->node;
    const struct tn_choice *names = node->list.item ? node->list.item->choice : node->choice;

    if (param->required)
        return ABSENCE_NONE;
    if (param->has_default)
        return ABSENCE_DEFAULT;
    if (how->destructive && names && tn_choice_has(names, SLICE_LIT(PORTABLE_WORD)))
        return ABSENCE_NONE; /* the word is a value of its own: one of them must be sent */
    if (how->destructive)
        return holds_text(node) && !is_string ? ABSENCE_LIST_WORD : ABSENCE_WORD;
    if (tn_kind_is_list(node->kind) && !is_string)
        return ABSENCE_EMPTY;
    if (keeps_enum(node) || node->kind == TENON_KIND_BOOL ||
        (tn_kind_is_text(node->kind) && node->text.blank_ok))
        return ABSENCE_WORD;
    return ABSENCE_BLANK;
}

static struct plan make_plan(const struct tn_param *param, const struct tn_emit_how *how, unsigned level)
{
    const struct tn_node *node = param->node;
    struct plan           plan = { .is_string = is_beyond_reach(node, level) };

    plan.json_text = plan.is_string;
    plan.absence   = choose_absence(param, how, plan.is_string);
    if (plan.absence != ABSENCE_BLANK && (plan.absence != ABSENCE_WORD || keeps_enum(node)))
        return plan;
    plan.is_string = true;
    plan.json_text = plan.json_text || is_container(node);
    return plan;
}

static bool keeps_format(const struct tn_node *node)
{
    const char *format = tn_kind_is_text(node->kind) || node->kind == TENON_KIND_TIMESTAMP
                             ? tn_keywords_format(node)
                             : NULL;

    return format && strcmp(format, "date-time") == 0;
}

static void add_kept(struct tn_keywords *keywords, const struct tn_node *node, bool with_word)
{
    if (keeps_enum(node))
        tn_keywords_choice(keywords, node, with_word ? PORTABLE_WORD : NULL);
    if (keeps_format(node)) {
        tn_keywords_name(keywords, "format");
        tn_buf_lit(keywords->out, "\"date-time\"");
    }
}

/* ---- What is dropped, in words ------------------------------------------------------------------------------- */

static void add_dropped_of_item(struct tn_keywords *braces, const struct tn_node *item)
{
    struct tn_keywords inside = { .out       = braces->out,
                                  .use       = KEYWORDS_ARGUMENTS,
                                  .date_time = keeps_format(item) };
    struct tn_keywords before = *braces;
    size_t             mark   = braces->out->len;

    if (keeps_enum(item))
        return;
    tn_keywords_name(braces, "items");
    tn_buf_char(braces->out, '{');
    tn_keywords_rules(&inside, item, false);
    tn_buf_char(braces->out, '}');
    if (inside.any || braces->out->failed)
        return;
    braces->out->len = mark;
    *braces          = before;
}

static void add_dropped(struct tn_keywords *braces, const struct tn_param *param, const struct plan *plan,
                        bool filled)
{
    const struct tn_node *node = param->node;

    if (plan->is_string) {
        if (tn_keywords_type(node) && strcmp(tn_keywords_type(node), "string") != 0) {
            tn_keywords_name(braces, "type");
            tn_buf_text(braces->out, tn_keywords_type(node));
        }
        tn_keywords_rules(braces, node, filled);
        return;
    }
    if (tn_kind_is_list(node->kind)) {
        if (node->kind != TENON_KIND_OBJECTS)
            add_dropped_of_item(braces, node->list.item);
        tn_keywords_counts(braces, node);
        return;
    }
    if (node->kind == TENON_KIND_OBJECT || keeps_enum(node))
        return;
    braces->date_time = keeps_format(node);
    tn_keywords_rules(braces, node, filled);
}

static void add_braces(struct tn_buf *text, const struct tn_param *param, const struct plan *plan,
                       const struct tn_emit_how *how)
{
    struct tn_keywords braces = { .out         = text,
                                  .use         = KEYWORDS_ARGUMENTS,
                                  .prose       = true,
                                  .portable    = true,
                                  .closed      = how->closed,
                                  .destructive = how->destructive };
    const char        *say    = say_absence[plan->absence];
    size_t             mark   = text->len, inside, head;

    tn_buf_lit(text, "\n\n{");
    inside = text->len;
    if (say)
        tn_buf_text(text, say);
    head = text->len;
    if (head > inside)
        tn_buf_text(text, strchr(say, ':') ? "; " : ", ");

    add_dropped(&braces, param, plan, param->required || how->destructive);
    if (param->has_default) {
        tn_keywords_name(&braces, "default");
        tn_buf_add(text, param->def.at, param->def.len);
    }
    if (text->failed)
        return;
    if (!braces.any)
        text->len = head;
    if (text->len == inside)
        text->len = mark;
    else
        tn_buf_char(text, '}');
}

/* ---- What is published --------------------------------------------------------------------------------------- */

static void write_level(struct tn_buf *out, const struct tn_object *object, const struct tn_emit_how *how,
                        unsigned level);

static void add_items(struct tn_buf *out, const struct tn_node *node, const struct plan *plan,
                      const struct tn_emit_how *how, unsigned level)
{
    struct tn_keywords keywords = { .out = out, .any = true };

    tn_buf_lit(out, ",\"items\":{\"type\":");
    if (node->kind == TENON_KIND_OBJECTS) {
        tn_buf_lit(out, "\"object\"");
        write_level(out, node->object, how, level + 1);
    } else {
        tn_json_string(out, tn_keywords_type(node->list.item), strlen(tn_keywords_type(node->list.item)));
        add_kept(&keywords, node->list.item, plan->absence == ABSENCE_LIST_WORD);
    }
    tn_buf_char(out, '}');
}

static void write_param(struct tn_buf *out, const struct tn_param *param, const struct tn_emit_how *how,
                        unsigned level)
{
    const struct tn_node *node     = param->node;
    struct plan           plan     = make_plan(param, how, level);
    struct tn_keywords    keywords = { .out = out, .any = true };
    const char           *type     = plan.is_string ? "string" : tn_keywords_type(node);
    struct tn_buf         text;

    tn_buf_lit(out, "{\"type\":");
    tn_json_string(out, type, strlen(type));
    tn_buf_lit(out, ",\"description\":");
    tn_buf_init(&text, out->arena, 0, out->max);
    tn_keywords_describe(&text, param, plan.json_text);
    add_braces(&text, param, &plan, how);
    tn_json_string(out, text.at, text.len);
    out->failed |= text.failed;

    if (is_three_words(node, &plan)) {
        tn_buf_lit(out, ",\"enum\":[\"true\",\"false\",\"" PORTABLE_WORD "\"]");
    } else if (plan.is_string) {
        /* nothing more: any text must be possible */
    } else if (tn_kind_is_list(node->kind)) {
        add_items(out, node, &plan, how, level);
    } else if (node->kind == TENON_KIND_OBJECT) {
        write_level(out, node->object, how, level + 1);
    } else {
        add_kept(&keywords, node, plan.absence == ABSENCE_WORD);
    }
    tn_buf_char(out, '}');
}

/* The keywords of an object behind its type and description. */
static void write_level(struct tn_buf *out, const struct tn_object *object, const struct tn_emit_how *how,
                        unsigned level)
{
    tn_buf_lit(out, ",\"properties\":{");
    for (size_t i = 0; i < object->count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, object->params[i].name, object->params[i].len);
        tn_buf_char(out, ':');
        write_param(out, &object->params[i], how, level);
    }
    tn_buf_lit(out, "},\"required\":[");
    for (size_t i = 0; i < object->count; i++) {
        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, object->params[i].name, object->params[i].len);
    }
    tn_buf_lit(out, "],\"additionalProperties\":false");
}

void tn_portable_object(struct tn_buf *out, const struct tn_object *object, const struct tn_emit_how *how)
{
    tn_buf_lit(out, "{\"type\":\"object\"");
    write_level(out, object, how, 1);
    tn_buf_char(out, '}');
}
