/* lint_fuzz.c - any bytes as a list of tools and as a profile: nothing breaks; what is made for clients keeps their rules, is a schema, and
 * leads back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contract/canonical.h"
#include "contract/lint/flat.h"
#include "contract/lint/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tn_profiles       known;
static const struct tn_profile *all[PROFILES_MAX];

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void prepare(void)
{
    tenon_allocator memory = tn_memory_of(NULL);

    if (known.count > 0)
        return;
    tn_profiles_init(&known, &memory);
    require(tn_profiles_add_known(&known));
    for (size_t i = 0; i < known.count; i++)
        all[i] = &known.at[i];
}

/* Every object leads back to something that can be read. */
static void lead_back(struct tn_arena *arena, const struct tn_flat *plan, yyjson_val *value)
{
    struct tn_buf out;
    yyjson_val   *read;

    tn_buf_init(&out, arena, 0, FLAT_LEN_MAX * 4);
    if (tn_flat_back(&out, arena, plan, value))
        require(tn_canonical_read(arena, tn_buf_slice(&out), CANONICAL_DEPTH_MAX, &read) == CANONICAL_FINE &&
                yyjson_is_obj(read));
}

static void fix(struct tn_arena *arena, const struct tn_profile *const *profiles, size_t count,
                const struct tn_definition *one)
{
    struct tn_flat_form form;
    struct tn_flat_tool tool;
    yyjson_val         *published;

    tn_flat_form_init(&form, profiles, count);
    if (!one->value || !tn_flat_tool(&tool, arena, &form, one->value, (struct tn_slice){ NULL, 0 }) ||
        !tool.plan)
        return;
    require(tn_canonical_read(arena, tool.text, CANONICAL_DEPTH_MAX, &published) == CANONICAL_FINE);
    require(tn_lint_keeps(arena, profiles, count, published, false));
    lead_back(arena, tool.plan, one->value);
    lead_back(arena, tool.plan, yyjson_obj_get(one->value, "arguments"));
}

static void look(struct tn_arena *arena, struct tn_slice text)
{
    struct tn_offer offer = { 0 };
    const char     *why;
    struct tn_lint  lint;
    struct tn_buf   out;

    if (!tn_offer_read(&offer, arena, text, NULL, &why))
        return;
    tn_lint_init(&lint, arena, all, known.count);
    require(tn_lint_offer(&lint, &offer));
    tn_buf_init(&out, arena, 0, FINDINGS_OUT_MAX);
    tn_lint_table(&out, &lint, true);
    lint.findings.folds = true;
    tn_findings_text(&out, &lint.findings, false);
    for (size_t i = 0; i < offer.kinds[KIND_TOOL].count && i < 4; i++) {
        fix(arena, all, known.count, &offer.kinds[KIND_TOOL].at[i]);
        for (size_t j = 0; j < known.count; j++)
            fix(arena, &all[j], 1, &offer.kinds[KIND_TOOL].at[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_slice    text   = { (const char *)data, size };
    tenon_allocator    memory = tn_memory_of(NULL);
    struct tn_profiles own;
    struct tn_arena    arena;

    prepare();
    tn_arena_init(&arena, &memory, 0);
    tn_profiles_init(&own, &memory);
    if (!tn_profiles_add(&own, SLICE_LIT("own"), text))
        require(own.why != NULL);
    tn_profiles_free(&own);
    look(&arena, text);
    tn_arena_free(&arena);
    return 0;
}
