/* text_lint.c - what a definition says in words, and by its hints. */
#include "contract/lint/inside.h"
#include "contract/phrases.h"
#include "json/echo.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- Descriptions --------------------------------------------------------------------------------------------------- */

struct silent {
    size_t          count;
    struct tn_slice first;
};

static bool has_text(yyjson_val *schema)
{
    return tn_slice_trim(tn_json_slice(yyjson_obj_get(schema, "description"))).len > 0;
}

/* Those that a call has; what stands deeper explains itself more often. */
static void look_at_parameters(const struct tn_lint_tool *tool)
{
    yyjson_val     *properties = yyjson_obj_get(yyjson_obj_get(tool->definition->value, "inputSchema"),
                                                "properties");
    yyjson_obj_iter each       = yyjson_obj_iter_with(properties);
    struct silent   silent     = { 0 };
    struct tn_buf   name;
    yyjson_val     *key;

    while ((key = yyjson_obj_iter_next(&each)))
        if (!has_text(yyjson_obj_iter_get_val(key)) && silent.count++ == 0)
            silent.first = tn_json_slice(key);
    if (silent.count == 0)
        return;
    tn_buf_init(&name, tool->scratch, 0, FINDINGS_TEXT_MAX);
    tn_echo_text(&name, silent.first.at, silent.first.len);
    tn_lint_find(tool, LINT_UNDESCRIBED, SLICE_LIT(LINT_INPUT "/properties"), NULL, SAY_LINT_NO_TEXTS,
                 silent.count, silent.count > 1 ? "s" : "", tn_buf_end(&name) ? name.at : "");
}

/* ---- Hints ---------------------------------------------------------------------------------------------------------- */

/* The first word of a name: delete of delete_file, deleteFile and delete-file. */
static struct tn_slice first_word(struct tn_slice name)
{
    size_t len = 0;

    while (len < name.len && ((name.at[len] >= 'a' && name.at[len] <= 'z') ||
                              (len == 0 && name.at[0] >= 'A' && name.at[0] <= 'Z')))
        len++;
    return (struct tn_slice){ name.at, len };
}

static bool is_word(struct tn_slice word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tn_slice_fold_equal(word, tn_slice_of(words[i])))
            return true;
    return false;
}

static void look_at_hints(const struct tn_lint_tool *tool)
{
    static const char *const writes[] = { "delete", "remove", "drop",   "destroy",  "write",
                                          "update", "create", "insert", "send",     "move",
                                          "rename", "kill",   "purge",  "truncate", "overwrite" };
    static const char *const reads[]  = { "get",  "list",     "read",  "search",
                                          "find", "describe", "count", "lookup" };
    struct tn_slice          place    = SLICE_LIT("/annotations");
    yyjson_val              *hints    = yyjson_obj_get(tool->definition->value, "annotations");
    bool                     reading  = yyjson_is_true(yyjson_obj_get(hints, "readOnlyHint"));
    bool                     breaking = yyjson_is_true(yyjson_obj_get(hints, "destructiveHint"));
    struct tn_slice          word     = first_word(tool->definition->name);

    if (reading && breaking)
        tn_lint_find(tool, LINT_HINTS, place, NULL, "%s", SAY_LINT_HINT_BOTH);
    else if (reading && is_word(word, writes, COUNT_OF(writes)))
        tn_lint_find(tool, LINT_HINTS, place, NULL, SAY_LINT_HINT_NAME, "readOnlyHint", "true",
                     "that it writes");
    else if (breaking && is_word(word, reads, COUNT_OF(reads)))
        tn_lint_find(tool, LINT_HINTS, place, NULL, SAY_LINT_HINT_NAME, "destructiveHint", "true",
                     "that it reads");
}

void tn_lint_texts(const struct tn_lint_tool *tool, const struct tn_screening *screening)
{
    if (!has_text(tool->definition->value))
        tn_lint_find(tool, LINT_UNDESCRIBED, (struct tn_slice){ "", 0 }, NULL, "%s", SAY_LINT_NO_TEXT);
    look_at_parameters(tool);
    look_at_hints(tool);
    for (size_t i = 0; i < screening->count; i++) {
        struct tn_slice what = tn_remark_predicate(&screening->at[i]);

        tn_lint_find(tool, LINT_HIDDEN, tn_slice_of(screening->at[i].place), SAY_REPAIR_HIDDEN, "%.*s",
                     (int)what.len, what.at);
    }
}
