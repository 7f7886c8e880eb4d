/* menu.c - listing tools, and completing lines by them. */
#include "cli/shell/menu.h"

#include <stdio.h>
#include <string.h>

#include "cli/param.h"
#include "cli/value.h"
#include "json/read.h"

#define NAMES_MAX 1000

yyjson_val *menu_tools(struct menu *menu)
{
    if (menu->tools && !menu->stale)
        return menu->tools;
    tenon_request_free(menu->list);
    menu->list  = tenon_client_list(menu->remote->client, "tools");
    menu->tools = yyjson_obj_get(value_of(tenon_client_wait(menu->list)), "tools");
    menu->stale = false;
    if (!menu->tools)
        remote_complain(menu->remote, menu->list, "the server does not list its tools");
    return menu->tools;
}

yyjson_val *menu_find(struct menu *menu, const char *name, const char **near)
{
    const char *names[NAMES_MAX];
    yyjson_val *tool;
    size_t      index, count, name_count = 0;

    *near = NULL;
    yyjson_arr_foreach(menu_tools(menu), index, count, tool)
    {
        struct tn_slice one = value_text(tool, "name");

        if (tn_slice_is(one, name))
            return tool;
        if (name_count < NAMES_MAX && one.len > 0 && one.len <= STR_NEAR_MAX && !memchr(one.at, 0, one.len))
            names[name_count++] = one.at;
    }
    *near = options_nearest(name, strlen(name), names, name_count);
    return NULL;
}

static const char *menu_copy(struct menu *menu, struct tn_slice text, const char *after)
{
    snprintf(menu->choice, sizeof menu->choice, "%.*s%s", (int)(text.len < 400 ? text.len : 400), text.at,
             after);
    return menu->choice;
}

static const char *first_word(struct menu *menu, const char *const *verbs, size_t nth)
{
    size_t verb_count = 0;

    while (verbs[verb_count])
        verb_count++;
    if (nth < verb_count)
        return verbs[nth];
    if (nth - verb_count >= yyjson_arr_size(menu->tools))
        return NULL;
    return menu_copy(menu, value_text(yyjson_arr_get(menu->tools, nth - verb_count), "name"), "");
}

/* Does the line have an argument of that name already? */
static bool is_given(const char *before, struct tn_slice name)
{
    for (const char *at = before; (at = strchr(at, ' ')); at++)
        if (strncmp(at + 1, name.at, name.len) == 0 && (at[1 + name.len] == '=' || at[1 + name.len] == ':'))
            return true;
    return false;
}

static const char *parameter(struct menu *menu, yyjson_val *schema, const char *before, size_t nth)
{
    yyjson_obj_iter all = yyjson_obj_iter_with(yyjson_obj_get(schema, "properties"));
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&all)))
        if (!is_given(before, tn_json_slice(name)) && nth-- == 0)
            return menu_copy(menu, tn_json_slice(name), "=");
    return NULL;
}

/* "name=choice" for a parameter with an enum, or a boolean. */
static const char *value(struct menu *menu, yyjson_val *schema, const char *word, size_t nth)
{
    struct tn_slice name   = { word, strcspn(word, "=") };
    yyjson_val     *param  = yyjson_obj_getn(yyjson_obj_get(schema, "properties"), name.at, name.len);
    yyjson_val     *choice = yyjson_arr_get(
            yyjson_obj_get(param_resolve(&menu->remote->arena, schema, param), "enum"), nth);
    static const char *const booleans[] = { "=true", "=false" };
    char                     text[300];

    if (param && nth < 2 && param_takes(&menu->remote->arena, schema, param) == TAKES_BOOLEAN)
        return menu_copy(menu, name, booleans[nth]);
    if (!yyjson_is_str(choice) || yyjson_get_len(choice) > 200)
        return NULL;
    snprintf(text, sizeof text, "=%s", yyjson_get_str(choice));
    return menu_copy(menu, name, text);
}

const char *menu_choice(struct menu *menu, const char *const *verbs, const char *before, const char *word,
                        size_t nth)
{
    char        tool[200];
    yyjson_val *schema;
    const char *near;
    size_t      start = strspn(before, " ");
    size_t      len   = strcspn(before + start, " ");

    if (len == 0)
        return first_word(menu, verbs, nth);
    snprintf(tool, sizeof tool, "%.*s", (int)(len < sizeof tool ? len : 0), before + start);
    if (strcmp(tool, "help") == 0 || strcmp(tool, "call") == 0) { /* a tool's name, then as without them */
        static const char *const none[] = { NULL };

        return menu_choice(menu, none, before + start + len, word, nth);
    }
    schema = yyjson_obj_get(menu_find(menu, tool, &near), "inputSchema");
    return strchr(word, '=') ? value(menu, schema, word, nth)
                             : parameter(menu, schema, before + start + len, nth);
}

void menu_end(struct menu *menu)
{
    tenon_request_free(menu->list);
    *menu = (struct menu){ 0 };
}
