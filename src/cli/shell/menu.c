/* menu.c - listing tools, and completing lines by them. */
#include "cli/shell/menu.h"

#include <stdio.h>
#include <string.h>

#include "cli/param.h"
#include "cli/remote/wait.h"
#include "cli/value.h"
#include "json/read.h"
#include "mcp/rpc.h"

#define NAMES_MAX 1000

static void list_end(struct menu_list *list)
{
    tenon_request_free(list->request);
    *list = (struct menu_list){ 0 };
}

/* A server of prompts and resources only does not know the method. */
static bool has_no_tools(const tenon_request *request)
{
    yyjson_val *error = value_of(tenon_request_error(request));

    return yyjson_get_sint(yyjson_obj_get(error, "code")) == RPC_NO_METHOD;
}

yyjson_val *menu_tools(struct menu *menu)
{
    struct menu_list *list = &menu->tools;

    if (list->entries && !menu->stale)
        return list->entries;
    list_end(list);
    list->request = tenon_client_list(menu->remote->client, "tools");
    list->entries = yyjson_obj_get(wait_for(menu->remote, list->request), "tools");
    menu->stale   = false;
    if (!list->entries && !has_no_tools(list->request))
        remote_complain(menu->remote, list->request, "the server does not list its tools");
    return list->entries;
}

/* What is only completed with: a server that has no such list is not spoken of. */
static yyjson_val *menu_others(struct menu *menu, struct menu_list *list, const char *what)
{
    if (!list->request) {
        list->request = tenon_client_list(menu->remote->client, what);
        list->entries = yyjson_obj_get(wait_for(menu->remote, list->request), what);
    }
    return list->entries;
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
    if (nth - verb_count >= yyjson_arr_size(menu->tools.entries))
        return NULL;
    return menu_copy(menu, value_text(yyjson_arr_get(menu->tools.entries, nth - verb_count), "name"), "");
}

/* Does the line have an argument of that name already? */
static bool is_given(const char *before, struct tn_slice name)
{
    for (const char *at = before; !memchr(name.at, '\0', name.len) && (at = strchr(at, ' ')); at++)
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

/* ---- Resources and prompts ----------------------------------------------------------------------------------- */

static const char *nth_entry(struct menu *menu, yyjson_val *entries, const char *key, size_t nth)
{
    yyjson_val *entry = yyjson_arr_get(entries, nth);

    return entry ? menu_copy(menu, value_text(entry, key), "") : NULL;
}

/* A value of a prompt's argument: the server is asked once for what is typed. */
static const char *suggested(struct menu *menu, const char *prompt, const char *word, size_t nth)
{
    char        asked[sizeof menu->typed_for], name[200], text[300];
    size_t      len   = strcspn(word, "=");
    yyjson_val *value = NULL;

    if (snprintf(asked, sizeof asked, "%s %s", prompt, word) >= (int)sizeof asked || len >= sizeof name)
        return NULL;
    memcpy(name, word, len);
    name[len] = '\0';
    if (!menu->typed.request || strcmp(asked, menu->typed_for) != 0) {
        list_end(&menu->typed);
        memcpy(menu->typed_for, asked, sizeof asked);
        menu->typed.request = tenon_client_complete(menu->remote->client, prompt, name, word + len + 1);
        menu->typed.entries = yyjson_obj_get(
            yyjson_obj_get(wait_for(menu->remote, menu->typed.request), "completion"), "values");
    }
    value = yyjson_arr_get(menu->typed.entries, nth);
    if (!yyjson_is_str(value) || yyjson_get_len(value) > 200)
        return NULL;
    snprintf(text, sizeof text, "=%s", yyjson_get_str(value));
    return menu_copy(menu, (struct tn_slice){ word, len }, text);
}

/* `rest` is what stands between the verb and the word. */
static const char *prompt_choice(struct menu *menu, const char *rest, const char *word, size_t nth)
{
    yyjson_val *prompts = menu_others(menu, &menu->prompts, "prompts"), *prompt, *one;
    size_t      index, count, start = strspn(rest, " "), len = strcspn(rest + start, " ");
    char        name[200];

    if (len == 0)
        return nth_entry(menu, prompts, "name", nth);
    snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : 0), rest + start);
    if (strchr(word, '='))
        return suggested(menu, name, word, nth);
    prompt = NULL;
    yyjson_arr_foreach(prompts, index, count, one)
    {
        if (tn_slice_is(value_text(one, "name"), name))
            prompt = one;
    }
    yyjson_arr_foreach(yyjson_obj_get(prompt, "arguments"), index, count, one)
    {
        if (!is_given(rest + start + len, value_text(one, "name")) && nth-- == 0)
            return menu_copy(menu, value_text(one, "name"), "=");
    }
    return NULL;
}

/* ---- A line ---------------------------------------------------------------------------------------------------- */

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
    if (strcmp(tool, "read") == 0)
        return nth_entry(menu, menu_others(menu, &menu->resources, "resources"), "uri", nth);
    if (strcmp(tool, "prompt") == 0)
        return prompt_choice(menu, before + start + len, word, nth);
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
    list_end(&menu->tools);
    list_end(&menu->resources);
    list_end(&menu->prompts);
    list_end(&menu->typed);
}
