/* lookup.c - values that only the program knows.
 *
 * The validation is done, and knows every struct that it bound and which of its parameters are valid. Their lookups run one
 * after the other; each reports unknown values and then offers known ones, so that a catalogue is read once for all values.
 */
#include <tenon/lookup.h>

#include <string.h>

#include "answer/lookup.h"
#include "answer/phrases.h"
#include "json/write.h"
#include "model/came.h"
#include "text/meant.h"

#define LOOKUPS_MAX      ((size_t)256)   /* of one call: more than that is a list of objects, each with one */
#define COMPARED_MAX     ((size_t)20000) /* names that are offered with names that are unknown, in one call */
#define SUGGESTION_MAX   ((size_t)16 << 10)
#define UNKNOWN_KEPT_MAX ISSUES_MAX
#define CODE             "unknown"

struct unknown_name {
    struct tn_slice name, near; /* the likeliest so far, or nothing */
    struct tn_meant meant;
};

struct tenon_lookup {
    tenon_call         *call;
    struct tn_found     at;
    const char         *noun, *where;
    const tenon_error  *error;
    struct unknown_name unknown[UNKNOWN_KEPT_MAX];
    size_t              count; /* of all that are unknown */
    struct tn_slice     offered[PHRASE_OFFERED_MAX];
    size_t              offered_count;
    size_t             *compared;
    bool                failed;
    tenon_outcome       failure;
};

/* ---- What a lookup may ask and say --------------------------------------------------------------------- */

tenon_call *tenon_lookup_call(const tenon_lookup *lookup)
{
    return lookup->call;
}

const void *tenon_lookup_args(const tenon_lookup *lookup)
{
    return lookup->at.region->base + lookup->at.index * lookup->at.region->object->size;
}

bool tenon_lookup_holds(const tenon_lookup *lookup, const void *field)
{
    struct tn_found found;

    return tn_judge_locate(&lookup->call->judge, field, &found) && tn_judge_presence(&found) != PRESENT_BAD;
}

void tenon_lookup_words(tenon_lookup *lookup, const char *noun, const char *where)
{
    lookup->noun  = noun;
    lookup->where = where;
}

void tenon_lookup_code(tenon_lookup *lookup, const char *code)
{
    lookup->error = tn_errors_find(&lookup->call->box->errors, code);
    if (!lookup->error)
        tn_log_line(&lookup->call->box->log, LOG_WARN, PHRASE_LOG_LOOKUP_CODE, lookup->call->tool->view.name,
                    code);
}

static struct tn_slice lookup_kept(tenon_lookup *lookup, const char *text)
{
    size_t len  = strlen(text);
    char  *copy = tn_arena_copy(&lookup->call->arena, text, len);

    return (struct tn_slice){ copy ? copy : "", copy ? len : 0 };
}

void tenon_lookup_unknown(tenon_lookup *lookup, const char *name)
{
    struct unknown_name *unknown;

    if (lookup->count++ >= UNKNOWN_KEPT_MAX)
        return;
    unknown       = &lookup->unknown[lookup->count - 1];
    unknown->name = lookup_kept(lookup, name ? name : "");
    unknown->near = (struct tn_slice){ NULL, 0 };
    tn_meant_begin(&unknown->meant, unknown->name, false);
}

size_t tenon_lookup_count(const tenon_lookup *lookup)
{
    return lookup->count;
}

/* Of two that are as likely none is offered. */
static void lookup_compare(tenon_lookup *lookup, struct unknown_name *unknown, const char *candidate)
{
    unsigned before = unknown->meant.rank;
    size_t   index;

    if (!tn_meant_try(&unknown->meant, tn_slice_of(candidate), lookup->offered_count))
        return;
    if (!tn_meant_found(&unknown->meant, &index))
        unknown->near = (struct tn_slice){ NULL, 0 };
    else if (unknown->meant.rank < before)
        unknown->near = lookup_kept(lookup, candidate);
}

void tenon_lookup_offer(tenon_lookup *lookup, const char *name)
{
    size_t count = lookup->count < UNKNOWN_KEPT_MAX ? lookup->count : UNKNOWN_KEPT_MAX;

    if (!name || count == 0)
        return;
    for (size_t i = 0; i < count && *lookup->compared < COMPARED_MAX; i++) {
        ++*lookup->compared;
        lookup_compare(lookup, &lookup->unknown[i], name);
    }
    if (lookup->offered_count++ < PHRASE_OFFERED_MAX)
        lookup->offered[lookup->offered_count - 1] = lookup_kept(lookup, name);
}

void tenon_lookup_fail(tenon_lookup *lookup, tenon_outcome failure)
{
    lookup->failed  = true;
    lookup->failure = failure;
}

/* ---- Issues -------------------------------------------------------------------------------------------- */

/* What probably was meant in the place of `name`; the name itself when it is known. */
static struct tn_slice lookup_meant(const tenon_lookup *lookup, struct tn_slice name)
{
    for (size_t i = 0; i < lookup->count; i++)
        if (lookup->unknown[i].name.len == name.len &&
            memcmp(lookup->unknown[i].name.at, name.at, name.len) == 0)
            return lookup->unknown[i].near;
    return name;
}

/* The whole list with what was meant in it: it came as a list or as text, and may be sent again as a list. */
static void suggest_list(struct tn_buf *out, const tenon_lookup *lookup, const void *field)
{
    tenon_strs names = { .count = SIZE_MAX };

    if (tn_node_ends_with_null(lookup->at.param->node))
        memcpy(&names.at, field, sizeof names.at);
    else
        memcpy(&names, field, sizeof names);
    tn_buf_char(out, '[');
    for (size_t i = 0; i < names.count && names.at[i]; i++) {
        struct tn_slice name = lookup_meant(lookup, tn_slice_of(names.at[i]));

        if (i > 0)
            tn_buf_char(out, ',');
        tn_json_string(out, name.at, name.len);
    }
    tn_buf_char(out, ']');
}

/* A value for the whole parameter, if all of it is sure. */
static struct tn_slice lookup_suggest(const tenon_lookup *lookup, const void *field)
{
    unsigned      kind = lookup->at.param->node->kind;
    struct tn_buf out;

    if (lookup->count > UNKNOWN_KEPT_MAX || lookup->at.param->node->secret)
        return (struct tn_slice){ "", 0 };
    for (size_t i = 0; i < lookup->count; i++)
        if (!lookup->unknown[i].near.at)
            return (struct tn_slice){ "", 0 };
    tn_buf_init(&out, &lookup->call->arena, 0, SUGGESTION_MAX);
    if (kind == TENON_KIND_STRS || kind == TENON_KIND_PATHS)
        suggest_list(&out, lookup, field);
    else if (tn_kind_is_text(kind))
        tn_json_string(&out, lookup->unknown[0].near.at, lookup->unknown[0].near.len);
    return out.failed ? (struct tn_slice){ "", 0 } : (struct tn_slice){ out.at, out.len };
}

static void lookup_report(tenon_lookup *lookup, const struct unknown_name *unknown,
                          struct tn_slice suggestion, bool offer)
{
    struct tn_issue *issue = tn_issues_add(&lookup->call->judge.issues, &lookup->call->arena);
    struct tn_buf    text;

    if (!issue || !unknown)
        return;
    tn_came_move(&lookup->call->judge, &lookup->at, issue);
    tn_buf_init(&text, &lookup->call->arena, 0, ISSUE_TEXT_MAX);
    tn_phrase_unknown(&text, &(struct tn_unknown_words){
                                 .parameter = issue->label,
                                 .noun      = lookup->noun,
                                 .where     = lookup->where,
                                 .name      = unknown->name,
                                 .near      = unknown->near,
                                 .secret    = lookup->at.param->node->secret,
                                 .offered   = lookup->offered,
                                 .count     = offer ? lookup->offered_count : 0,
                             });
    issue->code     = ISSUE_OWN;
    issue->own_code = CODE;
    issue->unshown  = true;
    issue->text     = (struct tn_slice){ text.at, text.len };
    if (!issue->inside)
        issue->suggestion = suggestion;
}

static void report_all(tenon_lookup *lookup, const void *field)
{
    struct tn_slice suggestion = lookup_suggest(lookup, field);
    bool            offered    = false; /* once is enough, where nothing is near */

    for (size_t i = 0; i < lookup->count; i++) {
        const struct unknown_name *unknown = i < UNKNOWN_KEPT_MAX ? &lookup->unknown[i] : NULL;
        bool                       offer   = unknown && !unknown->near.at && !offered;

        lookup_report(lookup, unknown, suggestion, offer);
        offered |= offer;
    }
}

/* ---- All of them --------------------------------------------------------------------------------------- */

/* What the lookups of one call came to. */
struct looking {
    tenon_call   *call;
    size_t        runs, compared, unknown;
    bool          failed; /* the first failure is kept */
    tenon_outcome failure;
};

static void say_unchecked(tenon_call *call, const struct tn_found *at)
{
    struct tn_slice path = tn_judge_path(&call->arena, at);
    struct tn_buf   text;

    tn_buf_init(&text, &call->arena, 0, MESSAGE_LEN_MAX);
    tn_phrase_unchecked(&text, path);
    tn_call_message(call, &text);
}

static void look_up(struct looking *looking, const struct tn_found *at)
{
    tenon_call  *call   = looking->call;
    const char  *base   = at->region->base + at->index * at->region->object->size;
    tenon_lookup lookup = { .call = call, .at = *at, .noun = PHRASE_VALUE, .compared = &looking->compared };

    at->param->node->lookup(&lookup, base + at->param->offset);
    if (lookup.count > 0) {
        report_all(&lookup, base + at->param->offset);
        call->lookup_error = looking->unknown == 0 || call->lookup_error == lookup.error ? lookup.error
                                                                                         : NULL;
        looking->unknown += lookup.count;
    }
    if (!lookup.failed)
        return;
    if (!looking->failed)
        looking->failure = lookup.failure;
    looking->failed = true;
    say_unchecked(call, at);
}

static bool may_go_on(struct looking *looking)
{
    tenon_call *call = looking->call;

    if (call->arena.failed || looking->failed)
        return false;
    if (tenon_is_cancelled(call))
        looking->failure = tenon_cancelled(call);
    else if (looking->runs++ >= LOOKUPS_MAX)
        looking->failure = tenon_fail(call, TENON_CODE_LIMIT_EXCEEDED, PHRASE_LOOKUPS, LOOKUPS_MAX);
    else
        return true;
    looking->failed = true;
    return false;
}

static void look_in_struct(struct looking *looking, const struct tn_region *region, size_t index)
{
    const struct tn_object *object = region->object;

    for (size_t i = 0; i < object->count; i++) {
        struct tn_found at = { region, &object->params[i], index };

        if (!at.param->node->lookup || tn_judge_presence(&at) != PRESENT_GIVEN)
            continue;
        if (!may_go_on(looking))
            return;
        look_up(looking, &at);
    }
}

/* Regions are known newest first; issues come in the order of the arguments. */
static const struct tn_region **regions_in_order(tenon_call *call, size_t *count)
{
    const struct tn_region **at;
    size_t                   i = 0;

    for (const struct tn_region *region = call->judge.regions; region; region = region->next)
        i += region->object->looks;
    *count = i;
    at     = tn_arena_array(&call->arena, i, const struct tn_region *);
    for (const struct tn_region *region = call->judge.regions; at && region; region = region->next)
        if (region->object->looks)
            at[--i] = region;
    return at;
}

bool tn_lookups_run(tenon_call *call)
{
    struct looking           looking = { .call = call };
    size_t                   before = call->judge.issues.total, count, said = call->judge.messages.count;
    struct tn_details        details = call->details;
    const struct tn_region **at      = regions_in_order(call, &count);

    call->lookup_error = NULL;
    for (size_t i = 0; at && i < count && !looking.failed; i++)
        for (size_t k = 0; k < at[i]->count && !looking.failed; k++)
            look_in_struct(&looking, at[i], k);
    if (before > 0)
        call->lookup_error = NULL; /* something else is wrong, too */
    if (!looking.failed)
        return true;
    if (call->judge.issues.total > 0) { /* which are sure, and must be mended first */
        call->details      = details;
        call->lookup_error = NULL;
        return true;
    }
    call->judge.messages.count = said;
    if (!tn_call_choose(call, looking.failure))
        tenon_internal(call, PHRASE_LOG_OUTCOME);
    return false;
}
