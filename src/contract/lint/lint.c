/* lint.c - looks at every tool of a list, and then at all of them together. */
#include "contract/lint/lint.h"

#include "base/table.h"
#include "contract/lint/inside.h"
#include "contract/phrases.h"

#define PATTERN_STEPS_ALL ((size_t)20000000) /* for all patterns of a list: a second or less */
#define TOKEN_BYTES       4

/* clang-format off */
static const struct tn_finding_rule rules[LINT_RULES] = {
    [LINT_UNREADABLE]  = { "definition-unfit", "The definition cannot be read, or its name is another's.", LEVEL_ERROR },
    [LINT_BROKEN]      = { "schema-broken", "The schema cannot be compiled.", LEVEL_ERROR },
    [LINT_EMPTY]       = { "schema-empty", "No value satisfies the schema.", LEVEL_ERROR },
    [LINT_DEFAULT]     = { "default-refused", "A default does not fit its own schema.", LEVEL_WARNING },
    [LINT_EXAMPLE]     = { "example-refused", "An example does not fit its own schema.", LEVEL_WARNING },
    [LINT_PATTERN]     = { "pattern-backtracks", "A short text makes the pattern take very many steps.", LEVEL_WARNING },
    [LINT_UNTYPED]     = { "parameter-untyped", "Nothing says what type a parameter has.", LEVEL_WARNING },
    [LINT_UNDESCRIBED] = { "description-missing", "A model has only the name to go by.", LEVEL_NOTE },
    [LINT_UNDECLARED]  = { "required-undeclared", "A name is required that is not declared.", LEVEL_WARNING },
    [LINT_HINTS]       = { "hints-contradict", "Hints contradict each other, or the name.", LEVEL_WARNING },
    [LINT_HIDDEN]      = { "text-hidden", "A text has parts that people do not see, or do not read.", LEVEL_ERROR },
    [LINT_COMMAND]     = { "command-unpinned", "The command fetches a program without naming its version.", LEVEL_WARNING },
    [LINT_SIZE]        = { "list-size", "What the list costs a model to read.", LEVEL_NOTE },
    [LINT_CHECKS + CHECK_NAME]           = { "client-name", "The client does not accept the name of the tool.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_PROPERTY_NAMES] = { "client-property-name", "The client does not accept the name of a parameter.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_KEYWORDS]       = { "client-keyword", "The client does not accept a keyword.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_ONLY]           = { "client-keyword-unknown", "The client does not know a keyword.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_VALUE]          = { "client-value", "The client needs another value of a keyword.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_TYPED]          = { "client-untyped", "The client needs a type.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_ONE_TYPE]       = { "client-types", "The client accepts one type only.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_NULL]           = { "client-null", "The client does not accept unions with null.", LEVEL_WARNING },
    [LINT_CHECKS + CHECK_MIXED]          = { "client-mixed", "The client does not keep the types of a union.", LEVEL_WARNING },
    [LINT_CHECKS + CHECK_VARIANTS]       = { "client-variant-untyped", "The client needs a type in every alternative.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_BESIDE]         = { "client-type-beside", "The client does not accept a type there.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_REFERENCE]      = { "client-reference", "The client does not accept the reference.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_RECURSION]      = { "client-recursion", "The client does not accept schemas that refer to themselves.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_REQUIRED]       = { "client-optional", "The client needs every property in required.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_DEPTH]          = { "client-depth", "The client accepts fewer levels.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_FORMATS]        = { "client-format", "The client does not know the format.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_ENUM]           = { "client-enum", "The client does not accept a value of an enum.", LEVEL_ERROR },
    [LINT_CHECKS + CHECK_COUNT]          = { "client-count", "The client accepts fewer.", LEVEL_WARNING },
    [LINT_CHECKS + CHECK_OUTPUT]         = { "client-output", "The client has trouble with an output schema.", LEVEL_NOTE },
};
/* clang-format on */

void tn_lint_init(struct tn_lint *lint, struct tn_arena *arena, const struct tn_profile *const *profiles,
                  size_t profile_count)
{
    *lint = (struct tn_lint){ .arena         = arena,
                              .profiles      = profiles,
                              .profile_count = profile_count,
                              .pattern_steps = PATTERN_STEPS_ALL };
    tn_findings_init(&lint->findings, arena, "lint", rules, LINT_RULES);
}

void tn_lint_find(const struct tn_lint_tool *tool, size_t row, struct tn_slice place, const char *repair,
                  const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, tool->scratch, 0, FINDINGS_TEXT_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    tn_findings_add(&tool->lint->findings,
                    &(struct tn_finding){ .rule    = row,
                                          .level   = rules[row].level,
                                          .tool    = tool->definition ? tool->definition->name
                                                                      : (struct tn_slice){ "", 0 },
                                          .place   = place,
                                          .message = tn_buf_slice(&text),
                                          .repair  = tn_slice_of(repair) });
}

/* ---- Names that look alike ------------------------------------------------------------------------------------------ */

/* The names that look the same as one: which was first, and are there different ones? */
struct alike {
    struct tn_slice first;
    bool            differ;
};

static struct alike *alike_of(struct tn_lint *lint, struct tn_table *names, struct tn_slice name)
{
    struct tn_slice look = tn_screen_glance(lint->arena, name);
    struct alike   *one  = look.at ? tn_table_find(names, NULL, look) : NULL;

    if (one || !look.at)
        return one;
    one = tn_arena_new(lint->arena, struct alike);
    if (one)
        one->first = name;
    return one && tn_table_add(names, lint->arena, NULL, look, one) ? one : NULL;
}

static void collect_names(struct tn_lint *lint, const struct tn_offer_list *list, struct alike **alike)
{
    struct tn_table names = { 0 };

    for (size_t i = 0; i < list->count; i++) {
        alike[i] = alike_of(lint, &names, list->at[i].name);
        if (alike[i] && !tn_slice_same(alike[i]->first, list->at[i].name))
            alike[i]->differ = true;
    }
}

/* ---- Tools ---------------------------------------------------------------------------------------------------------- */

/* A definition that cannot be read says nothing else. */
static void look_at_tool(const struct tn_lint_tool *tool, const struct alike *alike,
                         struct tn_lint_sums *sums)
{
    struct tn_screening screening;

    tn_findings_check(&tool->lint->findings, tool->definition->name);
    tool->lint->bytes += tool->definition->text.len;
    if (tool->definition->fault != CANONICAL_FINE)
        tn_lint_find(tool, LINT_UNREADABLE, (struct tn_slice){ "", 0 }, NULL, SAY_LINT_UNREADABLE,
                     tn_canonical_why(tool->definition->fault));
    if (!tool->definition->value)
        return;
    tn_lint_schema(tool, LINT_INPUT);
    tn_lint_schema(tool, LINT_OUTPUT);
    tn_screen_definition(&screening, tool->scratch, tool->definition);
    if (alike && alike->differ)
        tn_screen_twin(&screening, tool->scratch);
    tn_lint_texts(tool, &screening);
    tn_lint_clients(tool, sums);
}

static void look_at_instructions(const struct tn_lint_tool *server, struct tn_slice instructions)
{
    struct tn_screening screening;

    if (!instructions.at)
        return;
    tn_screen_text(&screening, server->scratch, instructions);
    for (size_t i = 0; i < screening.count; i++) {
        struct tn_slice what = tn_remark_predicate(&screening.at[i]);

        tn_lint_find(server, LINT_HIDDEN, SLICE_LIT("instructions"), SAY_REPAIR_HIDDEN, "%.*s", (int)what.len,
                     what.at);
    }
}

bool tn_lint_offer(struct tn_lint *lint, const struct tn_offer *offer)
{
    const struct tn_offer_list *list    = &offer->kinds[KIND_TOOL];
    struct tn_lint_sums         sums    = { { 0 } };
    struct matcher             *matcher = NULL;
    struct alike              **alike;
    struct tn_arena             scratch;
    struct tn_lint_tool         server = { .lint = lint, .scratch = &scratch, .matcher = &matcher };

    lint->tools      = tn_arena_array(lint->arena, list->count + 1, struct tn_slice);
    lint->cells      = tn_arena_array(lint->arena, list->count * lint->profile_count + 1, unsigned char);
    alike            = tn_arena_array(lint->arena, list->count + 1, struct alike *);
    lint->tool_count = list->count;
    if (!lint->tools || !lint->cells || !alike)
        return false;
    collect_names(lint, list, alike);
    tn_arena_init(&scratch, &lint->arena->memory, 0);
    for (size_t i = 0; i < list->count; i++) {
        struct tn_lint_tool tool = { lint, &list->at[i], &scratch, &matcher, i };

        lint->tools[i] = list->at[i].name;
        tn_arena_reset(&scratch);
        look_at_tool(&tool, alike[i], &sums);
        lint->findings.failed |= scratch.failed;
    }
    tn_arena_reset(&scratch);
    look_at_instructions(&server, offer->instructions);
    tn_lint_list(lint, &sums);
    tn_lint_find(&server, LINT_SIZE, (struct tn_slice){ "", 0 }, NULL, SAY_LINT_SIZE, list->count,
                 lint->bytes, lint->bytes / TOKEN_BYTES);
    tn_matcher_free(matcher);
    tn_arena_free(&scratch);
    return !lint->findings.failed && !lint->arena->failed;
}
