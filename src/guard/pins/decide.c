/* decide.c - definitions beside what was approved of them, and calls of tools.
 *
 * Nothing of a definition that was not approved reaches a model, also not inside the guard's own sentences: they name kinds of
 * changes, and what was approved.
 */
#define _GNU_SOURCE
#include "guard/pins/inside.h"

#include <string.h>

#include "answer/call.h"
#include "answer/envelope.h"
#include "contract/change.h"
#include "contract/compare.h"
#include "contract/review.h"
#include "document/document.h"
#include "guard/answer/errors.h"
#include "guard/bridge.h"
#include "guard/phrases.h"
#include "json/echo.h"
#include "json/member.h"
#include "json/read.h"
#include "json/write.h"

#define SENTENCE_MAX ((size_t)2000)
#define DATE_LEN     10

/* ---- Sentences ---------------------------------------------------------------------------------------------------- */

/* A text of the operator's, or one that was approved: shortened, and on one line. */
static void write_quoted(struct tn_buf *out, struct tn_slice text)
{
    tn_echo_text(out, text.at, text.len);
}

/* Why a changed tool is refused. */
static const char *changed_sentence(struct tn_arena *arena, const struct tn_lock_entry *entry,
                                    const struct tn_pinned *approved, struct tn_arena *scratch,
                                    yyjson_val *live)
{
    struct tn_buf out, what;

    tn_buf_init(&what, scratch, 256, CHANGE_TEXT_MAX);
    tn_change_describe(&what, scratch, approved->definition.value, live);
    tn_buf_init(&out, arena, 256, SENTENCE_MAX);
    tn_buf_lit(&out, GUARD_PINNED_NAME);
    write_quoted(&out, approved->definition.name);
    tn_buf_lit(&out, GUARD_PINNED_BY);
    write_quoted(&out, approved->by);
    tn_buf_addf(&out, GUARD_PINNED_WHAT, DATE_LEN, approved->approved.at, (int)what.len,
                what.failed ? "" : what.at);
    write_quoted(&out, entry->name);
    tn_buf_char(&out, '/');
    write_quoted(&out, approved->definition.name);
    return tn_buf_end(&out) ? out.at : GUARD_PINNED_SHORT;
}

/* ---- Decisions ---------------------------------------------------------------------------------------------------- */

/* What becomes of one definition. */
struct decision {
    struct tn_guard            *guard;
    const struct tn_upstream   *upstream;
    enum tn_kind                kind;
    const struct tn_lock_entry *entry; /* or NULL */
    struct tn_arena             scratch;
    struct tn_definition        live;
    const struct tn_pinned     *approved; /* or NULL */
    bool                        held;     /* it is not published */
    bool                        changed;  /* since it was approved */
    bool                        replaced; /* by what was approved */
};

static bool is_first(struct decision *decision)
{
    return tn_pins_once(decision->guard, decision->upstream->name, decision->live.name, decision->live.hash);
}

static void decision_say(struct decision *decision, const char *format, const char *what)
{
    struct tn_slice name = tn_echo_name(&decision->scratch, decision->live.name);

    tn_log_line(&decision->guard->server->log, LOG_WARN, format, decision->upstream->name,
                tn_kind_word(decision->kind), (int)name.len, name.at, what);
}

static void decision_log(struct decision *decision, const char *format, const char *what)
{
    if (is_first(decision))
        decision_say(decision, format, what);
}

/* Does anything stand in it that a person would not see? Without an operator that approves, as in `guard -- COMMAND`, the log
 * says so and nothing is taken away. */
static void decide_unpinned(struct decision *decision)
{
    struct tn_screening findings = { .count = 0 };
    const char         *what     = tn_canonical_why(CANONICAL_TWICE);

    if (decision->live.fault != CANONICAL_TWICE) {
        tn_screen_definition(&findings, &decision->scratch, &decision->live);
        if (findings.count == 0)
            return;
        what = findings.at[0].what;
    }
    decision->held = !decision->guard->policy.pass_bad_schemas;
    decision_log(decision, decision->held ? GUARD_LOG_SCREENED : GUARD_LOG_SCREEN, what);
}

/* What is new waits, and so does what has no canonical form. */
static void decide_new(struct decision *decision)
{
    decision->held = true;
    decision_log(decision, GUARD_LOG_NEW,
                 decision->live.fault == CANONICAL_FINE ? GUARD_LOG_NOT_YET
                                                        : tn_canonical_why(decision->live.fault));
}

/* What callers meet, by the classes of `tenon diff`. */
static const char *class_of(struct decision *decision)
{
    struct tn_pins             *pins   = decision->guard->pins;
    const struct tn_definition *before = &decision->approved->definition;

    if (!pins || pins->compared == PINS_COMPARED_MAX || !decision->live.value || !before->value ||
        decision->live.text.len > PINS_COMPARED_LEN || before->text.len > PINS_COMPARED_LEN)
        return GUARD_LOG_UNCOMPARED;
    pins->compared++;
    return tn_class_name(tn_compare_definitions(&decision->scratch, decision->kind, before, &decision->live));
}

/* Whether to hide it, keep what was approved, or warn, is the operator's word. */
static void decide_changed(struct decision *decision)
{
    enum tn_guard_changed changed = decision->guard->policy.changed;
    struct tn_buf         what;

    if (tn_pins_keeps(decision->guard, decision->upstream, decision->live.name, decision->live.hash))
        changed = CHANGED_KEEP;
    decision->changed  = true;
    decision->held     = changed == CHANGED_HIDE;
    decision->replaced = changed == CHANGED_KEEP;
    if (!is_first(decision))
        return;
    tn_buf_init(&what, &decision->scratch, 0, SENTENCE_MAX);
    tn_buf_addf(&what, GUARD_LOG_HASHES, class_of(decision), decision->approved->definition.hash,
                decision->live.hash);
    decision_say(decision, GUARD_LOG_CHANGED, tn_buf_end(&what) ? what.at : "");
    tn_report_changed(decision->guard, decision->upstream);
}

/* The scratch is the caller's to free. */
static void decide(struct decision *decision, struct tn_slice text)
{
    decision->entry = tn_pins_entry(decision->guard, decision->upstream);
    tn_arena_init(&decision->scratch, &decision->guard->memory, 0);
    decision->live = tn_definition_read(&decision->scratch, decision->kind, text,
                                        decision->entry ? &decision->entry->unpinned : NULL);
    if (!decision->entry) {
        decide_unpinned(decision);
        return;
    }
    decision->approved = tn_lock_pinned(decision->entry, decision->kind, decision->live.name);
    switch (tn_review_of(decision->entry, decision->kind, &decision->live)) {
    case REVIEW_SAME: decision->replaced = true; break;
    case REVIEW_CHANGED: decide_changed(decision); break;
    default: decide_new(decision); break;
    }
}

static struct tn_slice copy_schema(struct tn_catalog *catalog, struct tn_slice text)
{
    struct tn_slice schema = tn_member_of(text, "inputSchema");

    return (struct tn_slice){ tn_arena_copy(&catalog->arena, schema.at ? schema.at : "", schema.len),
                              schema.len };
}

void tn_pins_decide(struct tn_catalog *catalog, struct tn_offered *tool, yyjson_val **definition,
                    struct tn_slice *text)
{
    struct decision decision = { .guard = catalog->guard, .upstream = catalog->upstream, .kind = KIND_TOOL };
    yyjson_val     *hints;

    decide(&decision, *text);
    if (decision.entry && (decision.held || decision.changed) && decision.live.fault == CANONICAL_FINE)
        tool->waits = (struct tn_slice){ tn_arena_copy(&catalog->arena, text->at, text->len), text->len };
    tool->held  = decision.held;
    tool->warns = decision.changed && !decision.held && !decision.replaced;
    if (decision.entry && decision.changed)
        tool->denied = changed_sentence(&catalog->arena, decision.entry, decision.approved, &decision.scratch,
                                        decision.live.value);
    else if (decision.held)
        tool->denied = GUARD_UNAPPROVED;
    if (decision.changed) /* refusals have structured content only where clients do not hold it to a schema */
        tool->promises = yyjson_obj_get(decision.approved->definition.value, "outputSchema") != NULL;
    if (decision.changed && decision.replaced)
        tool->live_schema = copy_schema(catalog, *text);
    if (decision.replaced) {
        *definition         = decision.approved->definition.value;
        *text               = decision.approved->definition.text;
        hints               = yyjson_obj_get(*definition, "annotations");
        tool->says_harmless = yyjson_is_true(yyjson_obj_get(hints, "readOnlyHint"));
    }
    tn_arena_free(&decision.scratch);
}

bool tn_pins_publishes(struct tn_guard *guard, const struct tn_upstream *upstream, enum tn_list list,
                       yyjson_val **definition, struct tn_slice *text)
{
    struct decision decision = { .guard    = guard,
                                 .upstream = upstream,
                                 .kind     = list == LIST_PROMPTS ? KIND_PROMPT : KIND_TEMPLATE };

    decide(&decision, *text);
    if (decision.replaced) {
        *definition = decision.approved->definition.value;
        *text       = decision.approved->definition.text;
    }
    tn_arena_free(&decision.scratch);
    return !decision.held;
}

/* ---- Calls -------------------------------------------------------------------------------------------------------- */

static void answer_denied(struct tn_relay *relay, const char *sentence)
{
    tn_errors_answer(relay, &(struct tn_failure){ .code     = TENON_CODE_DENIED,
                                                  .message  = tn_slice_of(sentence),
                                                  .reason   = GUARD_REASON_PINNED,
                                                  .retry_ms = RETRY_NEVER });
}

bool tn_pins_refuse(struct tn_relay *relay, struct tn_slice name)
{
    const struct tn_catalog *catalog = relay->link->catalog;

    for (size_t i = 0; i < catalog->count; i++) {
        const struct tn_offered *tool = &catalog->at[i];

        if (!tool->held || !tn_slice_same(name, tool->published) || !tn_catalog_shows(catalog, tool, NULL) ||
            !tn_catalog_shows(catalog, tool, &relay->x->caller))
            continue;
        relay->tool    = tool; /* for what it promised of its results */
        relay->catalog = relay->link->catalog;
        tn_catalog_hold(relay->catalog);
        tn_report_pinned(relay, REPORT_HIDDEN);
        answer_denied(relay, tool->denied);
        return true;
    }
    return false;
}

static bool fits_live(struct tn_relay *relay, yyjson_val *arguments)
{
    const tenon_schema *schema = relay->tool->live;
    tenon_call         *call   = relay->link->guard->call;
    struct tn_judge     judge;
    struct tn_verdict   verdict;

    tn_arena_rest(&call->arena, CALL_MEMORY_MAX);
    judge   = (struct tn_judge){ .arena   = &call->arena,
                                 .matcher = &call->matcher,
                                 .memory  = &call->box->memory,
                                 .limits  = call->judge.limits,
                                 .whole   = SLICE_LIT("arguments") };
    verdict = tn_document_verdict(schema, &judge, tn_verdict_steps_of(relay->message.len));
    return tn_verdict_of(&verdict, schema->node, arguments);
}

/* One message for each caller and tool of a list; a caller without a name is one. */
static bool warns_first(struct tn_relay *relay)
{
    struct tn_catalog *catalog = relay->catalog;
    struct tn_slice    kept;
    struct tn_buf      key;

    if (catalog->warned_count >= PINS_WARNED_MAX)
        return false;
    tn_buf_init(&key, &relay->x->arena, 0, SENTENCE_MAX); /* the catalog's keeps what is added only */
    tn_buf_add(&key, relay->x->caller.name.at, relay->x->caller.name.len);
    tn_buf_char(&key, '\n');
    tn_buf_add(&key, relay->tool->name.at, relay->tool->name.len);
    if (key.failed || tn_table_find(&catalog->warned, relay->x->session, tn_buf_slice(&key)))
        return false;
    kept = (struct tn_slice){ tn_arena_copy(&catalog->arena, key.at, key.len), key.len };
    catalog->warned_count++;
    return kept.at && tn_table_add(&catalog->warned, &catalog->arena, relay->x->session, kept, catalog);
}

static void add_warning(struct tn_relay *relay)
{
    struct tn_slice said = relay->said;
    struct tn_buf   out;

    tn_buf_init(&out, &relay->x->arena, said.len + 512, said.len + 4 * SENTENCE_MAX);
    if (said.len > 0)
        tn_buf_add(&out, said.at, said.len - 1);
    tn_buf_char(&out, said.len > 0 ? ',' : '[');
    tn_json_string(&out, relay->tool->denied, strlen(relay->tool->denied));
    tn_buf_char(&out, ']');
    if (!out.failed)
        relay->said = tn_buf_slice(&out);
}

bool tn_pins_admit(struct tn_relay *relay, yyjson_val *arguments, struct tn_slice repaired)
{
    static const struct tn_json_limits limits = { RESULT_LEN_MAX, CLIENT_DEPTH_MAX,
                                                  CLIENT_NODES(RESULT_LEN_MAX) };

    if (relay->tool->warns)
        tn_report_pinned(relay, REPORT_WARNED);
    if (relay->tool->warns && warns_first(relay))
        add_warning(relay);
    if (!relay->tool->live)
        return true;
    tn_report_pinned(relay, REPORT_KEPT);
    if (repaired.len > 0 || !arguments) {
        struct tn_slice text = repaired.len > 0 ? repaired : SLICE_LIT("{}");

        arguments = tn_json_read(&relay->x->arena, text.at, text.len, &limits).root;
    }
    if (arguments && fits_live(relay, arguments))
        return true;
    answer_denied(relay, relay->tool->denied);
    return false;
}
