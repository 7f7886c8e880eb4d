/* settings.c - `serve`: the settings of every server, read by their own table, so that there is one grammar and one wording. */
#define _GNU_SOURCE
#include "contract/trusted.h"
#include "guard/config/config.h"
#include "guard/config/spot.h"
#include "guard/phrases.h"
#include "net/settings_table.h"

#define SERVE_MAX  ((size_t)SETTINGS_MAX * SETTINGS_LIST_MAX)
#define TOKENS_MAX ((size_t)1 << 20)

struct serving {
    struct tn_config   *config;
    struct tn_settings *settings; /* only to try values */
    tenon_pair         *at;
};

/* A path of the file is one from its folder. */
static const char *value_of(const struct serving *serving, const struct tn_spot *spot)
{
    const tenon_setting *row  = tn_settings_find(serving->settings, tn_slice_of(spot->name));
    bool                 file = row && row->value &&
                (strcmp(row->value, "FILE") == 0 ||
                 (strcmp(row->value, "URL|FILE") == 0 && !strstr(tn_spot_text(spot), "://")));

    return file ? tn_spot_path(spot) : tn_spot_text(spot);
}

/* Who may call is decided by it, so that it is read as the configuration is. */
static void check_tokens(const struct tn_spot *spot, const char *path)
{
    struct tn_arena arena;
    struct tn_slice text;
    const char     *mistake;

    tn_arena_init(&arena, &spot->tree->arena->memory, 0);
    if (tn_trusted_read(path, TRUSTED_SHARED, TOKENS_MAX, &arena, &text, &mistake) != TENON_OK)
        tn_spot_wrong(spot, "%s", mistake);
    tn_arena_free(&arena);
}

static void put(struct serving *serving, const struct tn_spot *spot, const char *name, const char *value)
{
    tenon_map  *serve = &serving->config->serve;
    const char *mistake;

    if (!value || serve->count == SERVE_MAX)
        return;
    if (!tn_settings_put(serving->settings, name, value, &mistake))
        tn_spot_wrong(spot, "%s", mistake);
    else
        serving->at[serve->count++] = (tenon_pair){ name, value };
    if (strcmp(name, "tokens-file") == 0)
        check_tokens(spot, value);
}

static void put_all(struct serving *serving, const struct tn_spot *spot)
{
    yyjson_arr_iter items = yyjson_arr_iter_with(spot->value);
    yyjson_val     *item;

    if (yyjson_is_bool(spot->value))
        put(serving, spot, spot->name, yyjson_get_bool(spot->value) ? "true" : "false");
    else if (yyjson_is_str(spot->value) || yyjson_is_raw(spot->value))
        put(serving, spot, spot->name, value_of(serving, spot));
    for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
        struct tn_spot one = tn_spot_item(spot, i, item);

        put(serving, &one, spot->name, tn_spot_text(&one));
    }
}

void tn_config_serve(struct tn_config *config, const struct tn_spot *root)
{
    struct tn_spot  all     = tn_spot_member(root, "serve");
    struct serving  serving = { .config = config };
    yyjson_obj_iter names   = yyjson_obj_iter_with(all.value);
    yyjson_val     *name;

    if (yyjson_obj_size(all.value) == 0)
        return;
    serving.settings = tn_settings_new(&config->memory);
    serving.at       = tn_arena_array(&config->arena, SERVE_MAX, tenon_pair);
    config->serve.at = serving.at;
    while (serving.settings && serving.at && (name = yyjson_obj_iter_next(&names))) {
        struct tn_spot spot = tn_spot_named(&all, name);

        if (strcmp(spot.name, "unknown") == 0)
            tn_spot_key_wrong(&spot, SAY_CONFIG_SERVE_POLICY, spot.name);
        else
            put_all(&serving, &spot);
    }
    if (!serving.settings)
        tn_spot_wrong(&all, "%s", SAY_MEMORY);
    tn_settings_free(serving.settings);
}
