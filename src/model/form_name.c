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

const char *form_name(enum wire_form form)
{
    assert(form < FORMS);
    return names[form];
}

bool form_is_wrapper(struct slice name)
{
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (slice_is(name, wrappers[i]))
            return true;
    return false;
}

static bool is_separator(char c)
{
    return c == '_' || c == '-' || c == ' ';
}

/* Moves past separators between two characters; true when there were some. Around a name they are part of it. */
static bool skip(struct slice *text)
{
    size_t count = 0;

    while (count < text->len && is_separator(text->at[count]))
        count++;
    if (count == text->len)
        return false;
    *text = (struct slice){ text->at + count, text->len - count };
    return count > 0;
}

bool form_same_name(struct slice a, struct slice b)
{
    char last = '\0'; /* before anything was compared */

    for (;;) {
        bool apart = last && skip(&a) != skip(&b);

        if (a.len == 0 || b.len == 0)
            return last && a.len == b.len;
        if (ascii_lower(a.at[0]) != ascii_lower(b.at[0]))
            return false;
        if (apart && ascii_is_digit(last) && ascii_is_digit(a.at[0]))
            return false; /* 1-10 is not 11-0 */
        last = a.at[0];
        a    = (struct slice){ a.at + 1, a.len - 1 };
        b    = (struct slice){ b.at + 1, b.len - 1 };
    }
}

int form_choice(const struct choice *choice, struct slice text)
{
    int found = -1;

    for (size_t i = 0; i < choice->count; i++) {
        if (!choice->names[i].at || !form_same_name(choice->names[i], text))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

uint32_t form_param(const struct object *object, struct slice name)
{
    uint32_t found = PARAM_NONE;

    for (size_t i = 0; i < object->count; i++) {
        const struct param *param = &object->params[i];

        if (!form_same_name((struct slice){ param->name, param->len }, name))
            continue;
        if (found != PARAM_NONE)
            return PARAM_NONE;
        found = (uint32_t)i;
    }
    return found;
}
