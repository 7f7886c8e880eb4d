/* review.c - every definition of both sides, once. */
#include "contract/review.h"

const char *tn_review_word(enum tn_review_state state)
{
    static const char *const words[] = { "same", "new", "changed", "removed", "unfit" };

    return words[state];
}

enum tn_review_state tn_review_of(const struct tn_lock_entry *entry, enum tn_kind kind,
                                  const struct tn_definition *live)
{
    const struct tn_pinned *approved = entry ? tn_lock_pinned(entry, kind, live->name) : NULL;

    if (live->fault != CANONICAL_FINE)
        return REVIEW_UNFIT;
    if (!approved)
        return REVIEW_NEW;
    return strcmp(approved->definition.hash, live->hash) == 0 ? REVIEW_SAME : REVIEW_CHANGED;
}

static void review_add(struct tn_review *review, const struct tn_reviewed *one)
{
    review->at[review->count++] = *one;
    review->counts[one->state]++;
}

static void review_kind(struct tn_review *review, struct tn_arena *arena, const struct tn_offer *offer,
                        const struct tn_lock_entry *entry, enum tn_kind kind)
{
    const struct tn_offer_list *list = &offer->kinds[kind];

    for (size_t i = 0; i < list->count; i++) {
        const struct tn_definition *live = &list->at[i];
        struct tn_reviewed          one  = {
                      .state = tn_review_of(entry, kind, live), .kind = kind, .name = live->name, .live = live
        };

        one.hash     = one.state == REVIEW_UNFIT ? NULL : live->hash;
        one.approved = entry ? tn_lock_pinned(entry, kind, live->name) : NULL;
        if (one.state == REVIEW_NEW || one.state == REVIEW_CHANGED) {
            one.findings = tn_arena_new(arena, struct tn_screening);
            if (!one.findings)
                return;
            tn_screen_definition(one.findings, arena, live);
            if (kind == KIND_TOOL)
                tn_screen_twins(one.findings, arena, live, list);
        }
        review_add(review, &one);
    }
}

static void review_removed(struct tn_review *review, const struct tn_offer *offer,
                           const struct tn_lock_entry *entry, enum tn_kind kind)
{
    const struct tn_pinned_list *list = &entry->kinds[kind];

    for (size_t i = 0; i < list->count; i++)
        if (!tn_offer_find(offer, kind, list->at[i].definition.name))
            review_add(review, &(struct tn_reviewed){ .state    = REVIEW_REMOVED,
                                                      .kind     = kind,
                                                      .name     = list->at[i].definition.name,
                                                      .approved = &list->at[i] });
}

/* Texts have hashes as definitions do: over their canonical form. */
static const char *text_hash(struct tn_arena *arena, struct tn_slice text)
{
    char         *hash = tn_arena_take(arena, HASH_LEN + 1, 1);
    struct tn_buf out;

    tn_buf_init(&out, arena, text.len + 2, CANONICAL_BYTES_MAX);
    tn_canonical_string(&out, text);
    if (hash)
        tn_canonical_hash(tn_buf_slice(&out), hash);
    return hash;
}

static void review_instructions(struct tn_review *review, struct tn_arena *arena,
                                const struct tn_offer *offer, const struct tn_lock_entry *entry)
{
    struct tn_slice was    = entry ? entry->instructions : (struct tn_slice){ NULL, 0 },
                    is     = offer->instructions;
    struct tn_reviewed one = { .instructions = true, .name = SLICE_LIT("instructions") };

    if (!was.at && !is.at)
        return;
    one.state = !is.at                   ? REVIEW_REMOVED
                : !was.at                ? REVIEW_NEW
                : tn_slice_same(was, is) ? REVIEW_SAME
                                         : REVIEW_CHANGED;
    one.hash  = is.at ? text_hash(arena, is) : NULL;
    if (one.state == REVIEW_NEW || one.state == REVIEW_CHANGED) {
        one.findings = tn_arena_new(arena, struct tn_screening);
        if (one.findings)
            tn_screen_text(one.findings, arena, is);
    }
    review_add(review, &one);
}

bool tn_review_make(struct tn_review *review, struct tn_arena *arena, const struct tn_offer *offer,
                    const struct tn_lock_entry *entry)
{
    size_t most = 1;

    *review = (struct tn_review){ 0 };
    for (size_t kind = 0; kind < KINDS; kind++)
        most += offer->kinds[kind].count + (entry ? entry->kinds[kind].count : 0);
    review->at = tn_arena_array(arena, most, struct tn_reviewed);
    if (!review->at)
        return false;
    for (size_t kind = 0; kind < KINDS; kind++)
        review_kind(review, arena, offer, entry, (enum tn_kind)kind);
    review_instructions(review, arena, offer, entry);
    for (size_t kind = 0; entry && kind < KINDS; kind++)
        review_removed(review, offer, entry, (enum tn_kind)kind);
    return !arena->failed;
}

void tn_review_name(struct tn_buf *out, struct tn_slice upstream, const struct tn_reviewed *one)
{
    tn_buf_add(out, upstream.at, upstream.len);
    tn_buf_char(out, '/');
    if (!one->instructions && one->kind != KIND_TOOL) {
        tn_buf_text(out, tn_kind_plural(one->kind));
        tn_buf_char(out, '/');
    }
    tn_buf_add(out, one->name.at, one->name.len);
}
