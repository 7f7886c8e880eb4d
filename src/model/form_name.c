/* form_name.c - names of forms, and names in another spelling. */
#include "model/form.h"

#include <assert.h>

#include "base/ascii.h"

static const char *const names[FORMS] = {
    [FORM_TEXT] = "arguments_text",  [FORM_LAYER] = "text_in_text", [FORM_FENCE] = "fence",
    [FORM_WRAPPER] = "wrapper",      [FORM_NAME] = "name",          [FORM_SPELLING] = "enum_spelling",
    [FORM_ONE_ITEM] = "list_of_one", [FORM_WORDS] = "comma_words",  [FORM_NUMBER] = "map_value",
};

/* What clients and models put around the arguments: words that say "here are the arguments" and nothing else. */
static const char *const wrappers[] = { "params", "parameters", "arguments", "args", "kwargs", "input" };

const char *tn_form_name(enum tn_wire_form form)
{
    assert(form < FORMS);
    return names[form];
}

bool tn_form_is_wrapper(struct tn_slice name)
{
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (tn_slice_is(name, wrappers[i]))
            return true;
    return false;
}

static bool is_separator(char c)
{
    return c == '_' || c == '-' || c == ' ';
}

/* Moves past separators between two characters; true when there were some. Around a name they are part of it. */
static bool form_name_skip(struct tn_slice *text)
{
    size_t count = 0;

    while (count < text->len && is_separator(text->at[count]))
        count++;
    if (count == text->len)
        return false;
    *text = (struct tn_slice){ text->at + count, text->len - count };
    return count > 0;
}

bool tn_form_same_name(struct tn_slice a, struct tn_slice b)
{
    char last = '\0'; /* before anything was compared */

    for (;;) {
        bool apart = last && form_name_skip(&a) != form_name_skip(&b);

        if (a.len == 0 || b.len == 0)
            return last && a.len == b.len;
        if (tn_ascii_lower(a.at[0]) != tn_ascii_lower(b.at[0]))
            return false;
        if (apart && tn_ascii_is_digit(last) && tn_ascii_is_digit(a.at[0]))
            return false; /* 1-10 is not 11-0 */
        last = a.at[0];
        a    = (struct tn_slice){ a.at + 1, a.len - 1 };
        b    = (struct tn_slice){ b.at + 1, b.len - 1 };
    }
}

uint32_t tn_form_param(const struct tn_object *object, struct tn_slice name)
{
    uint32_t found = PARAM_NONE;

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param = &object->params[i];

        if (!tn_form_same_name((struct tn_slice){ param->name, param->len }, name))
            continue;
        if (found != PARAM_NONE)
            return PARAM_NONE;
        found = (uint32_t)i;
    }
    return found;
}
