/* compare.c - two lists of definitions, tool by tool and part by part. */
#include "contract/compare.h"

#include <string.h>

#include "base/table.h"
#include "contract/assertions.h"
#include "contract/compare_schema.h"
#include "contract/phrases.h"

#define SENTENCE_MAX ((size_t)4096)

const char *tn_class_name(enum tn_class class_)
{
    static const char *const names[] = { "NONE", "SAFE", "REVIEW", "BREAKING" };

    return names[class_];
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

struct tn_difference *tn_compare_add(const struct tn_compared *compared, enum tn_class class_,
                                     struct tn_slice place, const char *what, ...)
{
    struct tn_comparison *comparison = compared->comparison;
    struct tn_difference *row;
    struct tn_buf         text;
    va_list               list;

    if (comparison->count == comparison->room) {
        size_t                room = comparison->room ? comparison->room * 2 : 16;
        struct tn_difference *more = tn_arena_array(comparison->arena, room, struct tn_difference);

        if (!more)
            return NULL;
        if (comparison->count > 0)
            memcpy(more, comparison->at, comparison->count * sizeof *more);
        comparison->at   = more;
        comparison->room = room;
    }
    tn_buf_init(&text, comparison->arena, 64, SENTENCE_MAX);
    va_start(list, what);
    tn_buf_addv(&text, what, list);
    va_end(list);
    row  = &comparison->at[comparison->count++];
    *row = (struct tn_difference){ .class_ = class_,
                                   .kind   = compared->kind,
                                   .name   = compared->name,
                                   .place  = place,
                                   .what   = tn_buf_slice(&text) };
    comparison->counts[class_]++;
    return row;
}

/* ---- Members of a definition ---------------------------------------------------------------------------------------- */

bool tn_compare_spend(const struct tn_compared *compared, size_t steps)
{
    size_t *left = &compared->comparison->work;

    *left -= steps < *left ? steps : *left;
    return *left > 0;
}

bool tn_compare_same(const struct tn_compared *compared, yyjson_val *a, yyjson_val *b)
{
    struct tn_buf   left, right;
    struct tn_arena scratch;
    bool            same;

    if (!a || !b)
        return a == b;
    tn_arena_init(&scratch, &compared->comparison->arena->memory, 0);
    tn_buf_init(&left, &scratch, 256, CANONICAL_BYTES_MAX);
    tn_buf_init(&right, &scratch, 256, CANONICAL_BYTES_MAX);
    tn_canonical_write(&left, &scratch, a);
    tn_canonical_write(&right, &scratch, b);
    same = tn_slice_same(tn_buf_slice(&left), tn_buf_slice(&right));
    compared->comparison->arena->failed |= scratch.failed;
    tn_arena_free(&scratch);
    return same;
}

/* Members that have a look of their own: of a definition, and of its annotations. */
static bool is_looked_at(struct tn_slice name)
{
    return tn_slice_is(name, "readOnlyHint") || tn_slice_is(name, "destructiveHint") ||
           tn_slice_is(name, "idempotentHint") || tn_slice_is(name, "openWorldHint") ||
           tn_slice_is(name, "inputSchema") || tn_slice_is(name, "outputSchema") ||
           tn_slice_is(name, "name") || tn_slice_is(name, "annotations") || tn_slice_is(name, "arguments");
}

/* Texts, titles, icons, _meta: a model or a client may read them, and only a person can say what they change. */
static void compare_members(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    struct tn_canonical_member *old = tn_canonical_members(compared->comparison->arena, before);
    struct tn_canonical_member *now = tn_canonical_members(compared->comparison->arena, after);

    for (size_t i = 0; old && i < yyjson_obj_size(before); i++) {
        yyjson_val *value = yyjson_obj_getn(after, old[i].name.at, old[i].name.len);

        if (!is_looked_at(old[i].name) && !tn_compare_same(compared, old[i].value, value))
            tn_compare_add(compared, CLASS_REVIEW, old[i].name, "%s",
                           value ? SAY_COMPARE_CHANGED : SAY_COMPARE_GONE);
    }
    for (size_t i = 0; now && i < yyjson_obj_size(after); i++)
        if (!is_looked_at(now[i].name) && !yyjson_obj_getn(before, now[i].name.at, now[i].name.len))
            tn_compare_add(compared, CLASS_REVIEW, now[i].name, SAY_COMPARE_NEW);
}

/* What a server claims about a tool. What is not said is what the protocol takes for granted. */
static void compare_hints(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    static const struct {
        const char *name;
        bool        standard;
    } hints[] = { { "readOnlyHint", false },
                  { "destructiveHint", true },
                  { "idempotentHint", false },
                  { "openWorldHint", true } };

    before = yyjson_obj_get(before, "annotations");
    after  = yyjson_obj_get(after, "annotations");
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        yyjson_val *old = yyjson_obj_get(before, hints[i].name), *now = yyjson_obj_get(after, hints[i].name);
        bool        was = old ? yyjson_is_true(old) : hints[i].standard;
        bool        is  = now ? yyjson_is_true(now) : hints[i].standard;

        if (now && !yyjson_is_bool(now) && !tn_compare_same(compared, old, now))
            tn_compare_add(compared, CLASS_REVIEW, tn_slice_of(hints[i].name), SAY_COMPARE_NOT_BOOLEAN);
        else if (was != is)
            tn_compare_add(compared, CLASS_REVIEW, tn_slice_of(hints[i].name), SAY_COMPARE_HINT,
                           was ? "true" : "false", is ? "true" : "false");
    }
    compare_members(compared, before, after);
}

/* ---- Prompts ------------------------------------------------------------------------------------------------------- */

static yyjson_val *argument_of(yyjson_val *definition, yyjson_val *like)
{
    yyjson_val     *all  = yyjson_obj_get(definition, "arguments"), *one;
    yyjson_arr_iter each = yyjson_arr_iter_with(all);
    yyjson_val     *name = yyjson_obj_get(like, "name");

    while ((one = yyjson_arr_iter_next(&each)))
        if (yyjson_equals(yyjson_obj_get(one, "name"), name))
            return one;
    return NULL;
}

static struct tn_slice name_of(yyjson_val *argument)
{
    yyjson_val *name = yyjson_obj_get(argument, "name");

    return (struct tn_slice){ yyjson_is_str(name) ? yyjson_get_str(name) : "", yyjson_get_len(name) };
}

static void compare_prompt(const struct tn_compared *compared, yyjson_val *before, yyjson_val *after)
{
    yyjson_arr_iter old = yyjson_arr_iter_with(yyjson_obj_get(before, "arguments"));
    yyjson_arr_iter now = yyjson_arr_iter_with(yyjson_obj_get(after, "arguments"));
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&old))) {
        yyjson_val *other = argument_of(after, one);

        if (!other)
            tn_compare_add(compared, CLASS_REVIEW, name_of(one), SAY_COMPARE_GONE);
        else if (yyjson_is_true(yyjson_obj_get(other, "required")) &&
                 !yyjson_is_true(yyjson_obj_get(one, "required")))
            tn_compare_add(compared, CLASS_BREAKING, name_of(one), SAY_COMPARE_REQUIRED);
        else if (!tn_compare_same(compared, one, other))
            tn_compare_add(compared, CLASS_REVIEW, name_of(one), SAY_COMPARE_CHANGED);
    }
    while ((one = yyjson_arr_iter_next(&now)))
        if (!argument_of(before, one)) {
            bool required = yyjson_is_true(yyjson_obj_get(one, "required"));

            tn_compare_add(compared, required ? CLASS_BREAKING : CLASS_SAFE, name_of(one), "%s",
                           required ? SAY_COMPARE_NEW_REQUIRED : SAY_COMPARE_NEW);
        }
}

/* ---- Definitions ---------------------------------------------------------------------------------------------------- */

static void compare_definition(const struct tn_compared *compared, const struct tn_definition *before,
                               const struct tn_definition *after)
{
    if (!before->value || !after->value) {
        tn_compare_add(compared, CLASS_REVIEW, SLICE_LIT("definition"), SAY_COMPARE_UNREAD,
                       tn_canonical_why(before->value ? after->fault : before->fault));
        return;
    }
    if (tn_compare_same(compared, before->value, after->value))
        return;
    if (compared->kind == KIND_TOOL) {
        tn_compare_input(compared, yyjson_obj_get(before->value, "inputSchema"),
                         yyjson_obj_get(after->value, "inputSchema"));
        tn_compare_output(compared, yyjson_obj_get(before->value, "outputSchema"),
                          yyjson_obj_get(after->value, "outputSchema"));
        compare_hints(compared, before->value, after->value);
    } else if (compared->kind == KIND_PROMPT)
        compare_prompt(compared, before->value, after->value);
    compare_members(compared, before->value, after->value);
}

/* Definitions of one kind, and by their names: there may be very many. */
struct side {
    const struct tn_offer_list *list;
    struct tn_table             by_name;
};

static struct side side_of(struct tn_comparison *comparison, const struct tn_offer *offer, enum tn_kind kind)
{
    struct side side = { .list = &offer->kinds[kind] };

    for (size_t i = 0; i < side.list->count; i++)
        if (side.list->at[i].name.len > 0)
            tn_table_add(&side.by_name, comparison->arena, NULL, side.list->at[i].name, &side.list->at[i]);
    return side;
}

static const struct tn_definition *find(const struct side *side, struct tn_slice name)
{
    return tn_table_find(&side->by_name, NULL, name);
}

/* A tool that is new and takes the same arguments may be the one that is gone. */
static struct tn_slice renamed_to(const struct tn_compared *compared, const struct tn_definition *gone,
                                  const struct side *before, const struct side *after)
{
    yyjson_val *schema = yyjson_obj_get(gone->value, "inputSchema");

    for (size_t i = 0; schema && i < after->list->count; i++) {
        const struct tn_definition *now = &after->list->at[i];

        if (!tn_compare_spend(compared, (now->text.len + gone->text.len) / 4))
            break;
        if (!find(before, now->name) &&
            tn_compare_same(compared, schema, yyjson_obj_get(now->value, "inputSchema")))
            return now->name;
    }
    return (struct tn_slice){ "", 0 };
}

static void compare_gone(const struct tn_compared *compared, const struct tn_definition *gone,
                         const struct side *before, const struct side *after)
{
    struct tn_slice       now = renamed_to(compared, gone, before, after);
    struct tn_difference *row;

    if (now.len > 0)
        row = tn_compare_add(compared, CLASS_BREAKING, SLICE_LIT(""), SAY_COMPARE_RENAMED, (int)now.len,
                             now.at);
    else
        row = tn_compare_add(compared, CLASS_BREAKING, SLICE_LIT(""), SAY_COMPARE_REMOVED,
                             tn_kind_word(compared->kind));
    if (row && compared->kind == KIND_TOOL)
        row->witness = tn_compare_plain_call(compared, yyjson_obj_get(gone->value, "inputSchema"));
}

static void compare_kind(struct tn_comparison *comparison, enum tn_kind kind, const struct tn_offer *before,
                         const struct tn_offer *after)
{
    struct tn_compared compared = { .comparison = comparison, .kind = kind };
    struct side        olds = side_of(comparison, before, kind), nows = side_of(comparison, after, kind);

    for (size_t i = 0; i < olds.list->count; i++) {
        const struct tn_definition *old = &olds.list->at[i], *now;

        if (old->name.len == 0)
            continue;
        now           = find(&nows, old->name);
        compared.name = old->name;
        if (now)
            compare_definition(&compared, old, now);
        else
            compare_gone(&compared, old, &olds, &nows);
    }
    for (size_t i = 0; i < nows.list->count; i++) {
        const struct tn_definition *now = &nows.list->at[i];

        compared.name = now->name;
        if (now->fault == CANONICAL_TWICE)
            tn_compare_add(&compared, CLASS_REVIEW, SLICE_LIT(""), SAY_COMPARE_TWICE, tn_kind_word(kind));
        if (now->name.len > 0 && !find(&olds, now->name))
            tn_compare_add(&compared, CLASS_SAFE, SLICE_LIT(""), SAY_COMPARE_ADDED, tn_kind_word(kind));
    }
}

static bool compare_offers(struct tn_comparison *comparison, const struct tn_offer *before,
                           const struct tn_offer *after)
{
    const struct tn_compared server = { .comparison = comparison };

    for (unsigned kind = 0; kind < KINDS; kind++)
        compare_kind(comparison, (enum tn_kind)kind, before, after);
    if (!tn_slice_same(before->instructions, after->instructions))
        tn_compare_add(&server, CLASS_REVIEW, SLICE_LIT("instructions"), SAY_COMPARE_CHANGED);
    return !comparison->arena->failed;
}

bool tn_compare_offers(struct tn_comparison *comparison, struct tn_arena *arena,
                       const struct tn_offer *before, const struct tn_offer *after)
{
    *comparison = (struct tn_comparison){ .arena = arena, .work = COMPARE_WORK };
    return compare_offers(comparison, before, after);
}

enum tn_class tn_compare_definitions(struct tn_arena *arena, enum tn_kind kind,
                                     const struct tn_definition *before, const struct tn_definition *after)
{
    struct tn_offer      was = { 0 }, is = { 0 };
    struct tn_comparison comparison = { .arena = arena, .work = COMPARE_WORK_ONE };
    size_t               gravest    = CLASSES - 1;

    was.kinds[kind] = (struct tn_offer_list){ (struct tn_definition *)(uintptr_t)before, 1 };
    is.kinds[kind]  = (struct tn_offer_list){ (struct tn_definition *)(uintptr_t)after, 1 };
    if (!compare_offers(&comparison, &was, &is))
        return CLASS_REVIEW;
    while (gravest > 0 && comparison.counts[gravest] == 0)
        gravest--;
    return (enum tn_class)gravest;
}
