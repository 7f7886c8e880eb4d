/* bind.c - parameters: presence, each value in the declared order, rules over several, unknown names. */
#include "rows/bind.h"

#include <string.h>

#include "base/utf8.h"
#include "json/echo.h"
#include "json/pointer.h"
#include "json/write.h"
#include "model/came.h"
#include "model/like.h"
#include "model/taken.h"
#include "model/unique.h"
#include "model/words/words.h"
#include "rows/bind_form.h"
#include "rows/bind_list.h"
#include "rows/check.h"
#include "rows/coerce.h"
#include "rows/plan/plan.h"
#include "rows/portable.h"
#include "rows/rule.h"
#include "rows/unknown.h"

/* ---- One value to its field -------------------------------------------------------------------------------- */

/* A single value; what no case names is text. */
static bool bind_scalar(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value, void *out)
{
    union {
        struct tn_slice text;
        int64_t         integer;
        double          number;
        bool            truth;
        int             choice;
        tenon_time      moment;
    } to;

    switch (at->node->kind) {
    case TENON_KIND_INT:
        if (!tn_coerce_int(judge, at, value, &to.integer))
            return false;
        tn_store_int(at->node->size, to.integer, out);
        return true;
    case TENON_KIND_NUM:
        if (!tn_coerce_num(judge, at, value, &to.number))
            return false;
        tn_store_num(at->node->size, to.number, out);
        return true;
    case TENON_KIND_BOOL:
        if (!tn_coerce_bool(judge, at, value, &to.truth))
            return false;
        memcpy(out, &to.truth, sizeof to.truth);
        return true;
    case TENON_KIND_ENUM:
        if (!tn_coerce_choice(judge, at, value, &to.choice))
            return false;
        tn_store_choice(at->node->size, to.choice, out);
        return true;
    case TENON_KIND_DATE:
    case TENON_KIND_TIMESTAMP:
        if (!tn_coerce_time(judge, at, value, &to.moment))
            return false;
        memcpy(out, &to.moment, sizeof to.moment);
        return true;
    default:
        if (!tn_coerce_text(judge, at, value, &to.text))
            return false;
        tn_store_text(at->node->size, to.text, out);
        return true;
    }
}

/* Where the members go: the struct itself, or a new one that the field then points to. */
static void *object_base(struct tn_judge *judge, const struct tn_node *node, void *field)
{
    void *made;

    if (node->flavour == 0)
        return field;
    made = tn_arena_take(judge->arena, node->object->size, alignof(max_align_t));
    if (made)
        memcpy(made, node->object->defaults, node->object->size);
    memcpy(field, &made, sizeof made);
    return made;
}

static bool bind_object(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out)
{
    size_t            before = judge->issues.total;
    yyjson_val       *object = yyjson_is_str(value) ? tn_bind_read_text(judge, at, value) : value;
    struct tn_region *region;
    void             *base;

    if (!object)
        return false;
    if (!yyjson_is_obj(object)) {
        tn_location_report_in_text(judge, at, object, object != value);
        return false;
    }
    base   = object_base(judge, at->node, out);
    region = base ? tn_bind_region(judge, at->node->object, at, base, 1) : NULL;
    if (region)
        tn_bind_members(judge, at->node->object, object, at, base, region->presence);
    return judge->issues.total == before && !judge->arena->failed;
}

/* Is there text at any depth that is not UTF-8? The values of a document follow each other. */
static bool holds_bad_text(yyjson_val *root)
{
    yyjson_val *end = unsafe_yyjson_get_next(root);

    for (yyjson_val *at = root; at < end; at++)
        if (yyjson_is_str(at) && !tn_utf8_valid(yyjson_get_str(at), yyjson_get_len(at)))
            return true;
    return false;
}

static bool bind_json(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out)
{
    const tenon_json *view;
    yyjson_val       *any = yyjson_is_str(value) ? tn_bind_read_text(judge, at, value) : value;

    if (!any)
        return false;
    if (yyjson_is_ctn(any) && tn_unique_key_within(judge->arena, any))
        return tn_location_refuse(judge, at, ISSUE_KEY_TWICE, NULL,
                                  " has an object in it with the same key twice");
    if (judge->check_utf8 && holds_bad_text(any))
        return tn_location_refuse(judge, at, ISSUE_TEXT, NULL, " must be valid UTF-8");
    view = (const tenon_json *)any;
    memcpy(out, &view, sizeof view);
    return true;
}

typedef bool (*bind_fn)(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out);

static const bind_fn containers[] = {
    [TENON_KIND_STRS] = tn_bind_list, [TENON_KIND_PATHS] = tn_bind_list, [TENON_KIND_INTS] = tn_bind_list,
    [TENON_KIND_NUMS] = tn_bind_list, [TENON_KIND_ENUMS] = tn_bind_list, [TENON_KIND_OBJECTS] = tn_bind_list,
    [TENON_KIND_MAP] = tn_bind_map,   [TENON_KIND_OBJECT] = bind_object, [TENON_KIND_JSON] = bind_json,
};

bool tn_bind_value(struct tn_judge *judge, struct tn_location *at, yyjson_val *value, void *out)
{
    bind_fn container = containers[at->node->kind];

    return container ? container(judge, at, value, out) : bind_scalar(judge, at, value, out);
}

/* ---- Presence ---------------------------------------------------------------------------------------------- */

/* True when there is no value to go on with. */
static bool is_nothing(struct tn_judge *judge, const struct tn_location *at, yyjson_val *value)
{
    enum tn_nothing nothing = tn_like_nothing(at->node, value, judge->strict);

    if (nothing == NOTHING_NOT)
        return false;
    if (at->required)
        tn_location_report(judge, at, nothing == NOTHING_BLANK ? ISSUE_EMPTY : ISSUE_REQUIRED, value);
    else if (judge->destructive)
        tn_location_report(judge, at, ISSUE_NULL, value); /* dropping it could widen the call */
    else if (nothing == NOTHING_WORD)
        tn_taken_placeholder(judge, tn_location_path(judge->arena, at), at->node->secret ? NULL : value);
    return true;
}

/* ---- One parameter ----------------------------------------------------------------------------------------- */

static void bind_say(struct tn_judge *judge, const char *text)
{
    if (text)
        tn_messages_add(&judge->messages, judge->arena, text, strlen(text));
}

/* A single value that came inside a list or inside quotes; lists and objects have their forms where they are read. */
static bool may_have_form(const struct tn_location *at, yyjson_val *value)
{
    if (at->node->list.item || at->node->object || at->node->kind == TENON_KIND_JSON)
        return false;
    return yyjson_is_arr(value) || (yyjson_is_str(value) && !tn_kind_is_text(at->node->kind));
}

static unsigned bind_given(struct tn_judge *judge, const struct tn_param *param, struct tn_location *at,
                           yyjson_val *value, char *field)
{
    size_t coerced = judge->coerced;

    if (may_have_form(at, value))
        value = tn_bind_form_value(judge, at, value);
    if (!tn_bind_value(judge, at, value, field))
        return PRESENT_BAD;
    if (at->node->check && !tn_checks_hold(judge, param, at, value, field))
        return PRESENT_BAD;
    if (at->sent)
        tn_bind_form_done(judge, at, value, coerced);
    return PRESENT_GIVEN;
}

static bool is_alias(const struct tn_param *param, yyjson_val *key)
{
    return !yyjson_equals_strn(key, param->name, param->len);
}

/* What the caller calls it: what came under another spelling is addressed as it came. */
static struct tn_slice bind_name_of(const struct tn_object *object, const struct tn_param *param,
                                    yyjson_val *value)
{
    struct tn_slice name = { param->name, param->len }, sent;

    if (!value || !is_alias(param, value - 1))
        return name;
    sent = tn_json_slice(value - 1);
    return tn_object_find(object, sent.at, sent.len) == PARAM_NONE ? sent : name;
}

static unsigned bind_param(struct tn_judge *judge, const struct tn_object *object,
                           const struct tn_param *param, const struct tn_location *up, yyjson_val *value,
                           char *base)
{
    struct tn_location at = { .up       = up,
                              .node     = param->node,
                              .name     = bind_name_of(object, param, value),
                              .required = param->required,
                              .plain    = judge->mirrored && param->header };

    if (!value) {
        if (param->required)
            tn_location_report(judge, &at, ISSUE_REQUIRED, NULL);
        return PRESENT_NOT;
    }
    if (is_nothing(judge, &at, value))
        return PRESENT_NULL;
    return bind_given(judge, param, &at, value, base + param->offset);
}

/* Every parameter that the plan did not bind, in the declared order; and the notes of all that are given. */
static void bind_params(struct tn_judge *judge, const struct tn_object *object, const struct tn_location *up,
                        const struct tn_members *members, char *base)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param    = &object->params[i];
        uint8_t               *presence = &members->presence[i];
        yyjson_val            *value    = members->given[i];

        if (*presence == PRESENT_NOT && value && !judge->check_utf8 &&
            tn_plan_take(judge->arena, &object->plan->ops[i], value, base + param->offset))
            *presence = PRESENT_GIVEN;
        else if (*presence != PRESENT_GIVEN)
            *presence = (uint8_t)bind_param(judge, object, param, up, value, base);
        if (*presence == PRESENT_GIVEN)
            bind_say(judge, param->note);
    }
}

/* ---- The members of an object ------------------------------------------------------------------------------ */

#define MEMBERS_FEW 32

/* The same parameter twice. An alias beside the name itself is the one to leave out. */
static void report_twice(struct tn_judge *judge, const struct tn_param *param, const struct tn_location *up,
                         yyjson_val *key, yyjson_val *before)
{
    struct tn_location at = {
        .up = up, .node = param->node, .name = { param->name, param->len }, .required = param->required
    };
    yyjson_val      *alias = is_alias(param, key) ? key : is_alias(param, before) ? before : NULL;
    struct tn_issue *issue;
    struct tn_buf    text;

    if (alias) {
        at.node     = NULL;
        at.required = false;
        at.name     = (struct tn_slice){ yyjson_get_str(alias), yyjson_get_len(alias) };
    }
    issue = tn_location_report(judge, &at, ISSUE_KEY_TWICE, NULL);
    if (!issue || !alias)
        return;
    tn_buf_init(&text, judge->arena, 64, ISSUE_TEXT_MAX);
    tn_words_alias(&text, param->name);
    issue->why = tn_buf_end(&text);
}

/* Every member whose parameter came before it. */
__attribute__((cold)) static void report_repeated(struct tn_judge *judge, const struct tn_object *object,
                                                  yyjson_val *value, const struct tn_location *up,
                                                  yyjson_val *const *given)
{
    size_t      i, count;
    yyjson_val *key, *sent;

    yyjson_obj_foreach(value, i, count, key, sent)
    {
        uint32_t index = tn_object_find(object, unsafe_yyjson_get_str(key), unsafe_yyjson_get_len(key));

        if (index != PARAM_NONE && given[index] != sent)
            report_twice(judge, &object->params[index], up, key, given[index] - 1);
    }
}

static void default_notes(struct tn_judge *judge, const struct tn_object *object, const uint8_t *presence)
{
    for (size_t i = 0; i < object->count; i++)
        if ((presence[i] == PRESENT_NOT || presence[i] == PRESENT_NULL) && object->params[i].default_note)
            tn_messages_add_default(&judge->messages, judge->arena, object->params[i].default_note,
                                    strlen(object->params[i].default_note));
}

/* Own checks see a struct only when its values are good, and derived values are made only when all is. */
static void run_hooks(struct tn_judge *judge, const struct tn_object *object, const struct tn_location *up,
                      char *base)
{
    size_t before = judge->issues.total;

    for (size_t i = 0; i < object->hook_count; i++)
        if (object->hooks[i].check)
            tn_check_struct(judge, object, &object->hooks[i], up, base);
    for (size_t i = 0; judge->issues.total == before && i < object->hook_count; i++)
        if (object->hooks[i].derive)
            object->hooks[i].derive(base + object->hooks[i].offset);
}

/* A check over the whole struct takes the examples of its rows; whether it takes a bound is not known. */
static void prefer_examples(struct tn_judge *judge, const struct tn_object *object, size_t from)
{
    bool checks = false;

    for (size_t i = 0; i < object->hook_count; i++)
        checks |= object->hooks[i].check != NULL;
    for (size_t i = from; checks && i < judge->issues.count; i++)
        for (size_t j = 0; judge->issues.at[i].code == ISSUE_RANGE && j < object->count; j++)
            if (judge->issues.at[i].node == object->params[j].node)
                judge->issues.at[i].suggestion = (struct tn_slice){ "", 0 };
}

/* Binds the members that are plain. A caller of the portable form says "nothing" by some of them, and text that may
 * not be UTF-8 is looked at closely: then they are only sorted. */
static inline void bind_plain(struct tn_judge *judge, const struct tn_object *object,
                              const struct tn_location *up, char *base, struct tn_members *members)
{
    tn_plan_bind(judge->arena, object, base, judge->portable || judge->check_utf8, members);
    if (members->repeated > 0)
        report_repeated(judge, object, members->value, up, members->given);
}

static void clear_absent(const struct tn_object *object, const struct tn_members *members)
{
    for (size_t i = 0; i < object->count; i++)
        if (members->presence[i] == PRESENT_NOT)
            members->given[i] = NULL;
}

/* Members that are not declared may come inside a wrapper, or under other spellings of their names. True when they do. */
static bool take_names(struct tn_judge *judge, const struct tn_object *object, struct tn_form_names *names,
                       char *base, struct tn_members *members)
{
    const struct tn_location *up = names->up;

    if (!up && tn_bind_form_wrapper(judge, object, names)) {
        members->value   = names->value;
        members->unknown = 0; /* the wrapper was all there was */
        bind_plain(judge, object, names->up, base, members);
        clear_absent(object, members);
        names->unknown = members->unknown;
    }
    if (names->unknown > 0)
        names->unknown -= tn_bind_form_names(judge, object, names, members->given);
    members->unknown = names->unknown;
    return names->count > 0 || names->up != up;
}

/* What the plan left: parameters that are not plain or not there, names that are not declared, and notes. Returns where
 * the members are; `names` is set when some are not declared. */
static const struct tn_location *bind_rest(struct tn_judge *judge, const struct tn_object *object,
                                           const struct tn_location *up, char *base,
                                           struct tn_members *members, struct tn_form_names *names)
{
    bool other = false;

    clear_absent(object, members);
    if (members->unknown > 0) {
        *names = (struct tn_form_names){ .up = up, .value = members->value, .unknown = members->unknown };
        other  = take_names(judge, object, names, base, members);
        up     = names->up;
    }
    if (other || (up && up->whole))
        tn_came_add(judge, members->presence, up, other && names->count > 0 ? names->keys : NULL,
                    other ? names->count : 0);
    if (judge->portable) {
        tn_portable_given(judge, object, members->given);
        if (!judge->check_utf8)
            memset(members->presence, PRESENT_NOT, object->count); /* what is left now may be plain */
    }
    bind_params(judge, object, up, members, base);
    return up;
}

void tn_bind_members(struct tn_judge *judge, const struct tn_object *object, yyjson_val *value,
                     const struct tn_location *up, char *base, uint8_t *presence)
{
    yyjson_val          *few[MEMBERS_FEW];
    struct tn_members    members = { .value = value, .given = few, .presence = presence };
    struct tn_form_names names; /* set when some are not declared */
    size_t               before = judge->issues.total, known = judge->issues.count;

    if (object->count > MEMBERS_FEW)
        members.given = tn_arena_take(judge->arena, object->count * sizeof *few, alignof(yyjson_val *));
    if (!members.given)
        return;
    memset(presence, PRESENT_NOT, object->count);
    memcpy(base, object->defaults, object->size);
    bind_plain(judge, object, up, base, &members);
    if (members.put_off + members.missing + members.unknown > 0 || object->plan->notes || (up && up->whole))
        up = bind_rest(judge, object, up, base, &members, &names);
    if (judge->issues.total > before && object->hook_count > 0)
        prefer_examples(judge, object, known);
    if (object->speaks)
        default_notes(judge, object, presence);
    for (size_t i = 0; i < object->rule_count; i++)
        tn_rule_judge(judge, object, &object->rules[i], up, base, presence);
    if (members.unknown > 0)
        tn_unknown_judge(judge, object, &names, presence, known);
    if (object->hook_count > 0 && judge->issues.total == before && !judge->arena->failed)
        run_hooks(judge, object, up, base);
}

struct tn_region *tn_bind_region(struct tn_judge *judge, const struct tn_object *object,
                                 const struct tn_location *at, char *base, size_t count)
{
    struct tn_region *region = at ? tn_arena_take(judge->arena, sizeof *region, alignof(struct tn_region))
                                  : &judge->root;

    if (!region)
        return NULL;
    *region = (struct tn_region){ .base = base, .count = count, .object = object, .next = judge->regions };
    /* A list is reported before its structs are bound; elsewhere every byte is about to be set. */
    region->presence = count == 1 ? tn_arena_take(judge->arena, object->count, 1)
                                  : tn_arena_zero(judge->arena, count, object->count, 1);
    if (!region->presence)
        return NULL;
    if (at)
        region->path = tn_location_pointer(judge->arena, at);
    if (at && tn_location_is_in_text(at))
        region->at = tn_location_keep(judge->arena, at);
    judge->regions = region;
    return region;
}

/* ---- Arguments --------------------------------------------------------------------------------------------- */

/* What is wrong with the arguments as a whole shows an example of the whole: but without any filter it would be the widest
 * call. */
static void show_whole(const struct tn_judge *judge, const struct tn_object *object, struct tn_issue *issue)
{
    if (issue && (!judge->destructive || !tn_slice_is(object->example, "{}")))
        issue->example = object->example;
}

static void refuse_type(struct tn_judge *judge, const struct tn_object *object, yyjson_val *sent)
{
    show_whole(judge, object, tn_location_report(judge, NULL, ISSUE_TYPE, sent));
}

static yyjson_val *read_arguments(struct tn_judge *judge, const struct tn_object *object, const char *json,
                                  size_t len)
{
    struct tn_json_text read = tn_json_read(judge->arena, json, len, &judge->limits);

    judge->nodes += read.nodes;
    judge->check_utf8 |= read.bad_utf8;
    if (!read.root)
        show_whole(judge, object, tn_taken_unread(judge, NULL, NULL, (struct tn_slice){ json, len }, &read));
    return read.root;
}

/* The arguments that came as a text, or NULL, reported. */
static yyjson_val *arguments_in_text(struct tn_judge *judge, const struct tn_object *object, yyjson_val *sent)
{
    struct tn_json_text plain;

    if (judge->mirrored) {
        refuse_type(judge, object, sent);
        return NULL;
    }
    judge->read = tn_taken_whole(judge, tn_json_slice(sent), &plain);
    if (judge->read)
        return judge->read;
    if (plain.root)
        refuse_type(judge, object, plain.root);
    show_whole(judge, object, tn_taken_unread(judge, NULL, NULL, tn_json_slice(sent), &plain));
    return NULL;
}

const void *tn_bind_args(struct tn_judge *judge, const struct tn_object *object, yyjson_val *args)
{
    yyjson_val        none = { .tag = YYJSON_TYPE_OBJ, .uni.ofs = sizeof(yyjson_val) };
    char             *base;
    struct tn_region *region;

    if (yyjson_is_str(args)) {
        args = arguments_in_text(judge, object, args);
        if (!args)
            return NULL;
    }
    if (!args || yyjson_is_null(args))
        args = &none;
    if (!yyjson_is_obj(args)) {
        refuse_type(judge, object, args);
        return NULL;
    }
    judge->guarded = object->guarded;
    base           = tn_arena_take(judge->arena, object->size, alignof(max_align_t));
    region         = base ? tn_bind_region(judge, object, NULL, base, 1) : NULL;
    if (!region)
        return NULL;
    tn_bind_members(judge, object, args, NULL, base, region->presence);
    tn_coercions_report(judge);
    tn_taken_report(judge);
    return judge->issues.total > 0 || judge->arena->failed ? NULL : base;
}

const void *tn_bind_text(struct tn_judge *judge, const struct tn_object *object, const char *json, size_t len)
{
    yyjson_val *args = NULL;

    if ((len > 0 && json[0] == '{') || !tn_slice_blank((struct tn_slice){ json, len })) {
        args = read_arguments(judge, object, json, len);
        if (!args)
            return NULL;
    }
    return tn_bind_args(judge, object, args);
}

bool tn_bind_alone(struct tn_judge *judge, const struct tn_param *param, const char *json, size_t len,
                   void *out)
{
    struct tn_json_text read = tn_json_read(judge->arena, json, len, &judge->limits);
    struct tn_location  at   = { .node = param->node, .name = { param->name, param->len } };
    struct tn_issue    *issue;

    judge->check_utf8 = read.bad_utf8;
    if (read.root)
        return bind_given(judge, param, &at, read.root, out) == PRESENT_GIVEN;
    issue = read.fault == JSON_NO_MEMORY ? NULL : tn_location_report(judge, &at, ISSUE_JSON, NULL);
    if (issue) {
        issue->node  = NULL; /* its example may be this one */
        issue->why   = read.what ? read.what : "too large";
        issue->count = read.at;
    }
    return false;
}
