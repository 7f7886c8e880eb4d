/* config.c - a configuration from its text to what the guard is run with. */
#define _GNU_SOURCE
#include "guard/config/config.h"

#include <sys/stat.h>
#include <unistd.h>

#include <tenon/schema.h>

#include "base/memory.h"
#include "contract/trusted.h"
#include "guard/config/spot.h"
#include "guard/phrases.h"

#define MEMORY_MAX   ((size_t)128 << 20)
#define LOCK_DEFAULT "tenon.lock"

/* ---- By its schema ----------------------------------------------------------------------------------------------- */

/* Has the code that reads the value a better sentence for it? */
static bool is_weak(const char *code)
{
    static const char *const weak[] = { "pattern", "range", "any_of", "one_of", "name" };

    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++)
        if (strcmp(code, weak[i]) == 0)
            return true;
    return false;
}

static void report(struct tn_config *config, tenon_verdict *verdict)
{
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue  = tenon_verdict_issue(verdict, i);
        bool               of_key = strcmp(issue->code, "unknown") == 0 || strcmp(issue->code, "name") == 0;

        tn_mistakes_add(&config->mistakes,
                        tn_tree_place(&config->tree, tn_slice_of(tenon_verdict_place(verdict, i)), of_key),
                        is_weak(issue->code), "%s", issue->text);
    }
    config->mistakes.total += tenon_verdict_issue_total(verdict) - tenon_verdict_issue_count(verdict);
}

static void judge(struct tn_config *config)
{
    tenon_schema  *schema  = tenon_schema_new(tn_guard_schema, strlen(tn_guard_schema),
                                              .memory = &config->memory);
    tenon_verdict *verdict = schema && !tenon_schema_error(schema) ? tenon_verdict_new(schema) : NULL;
    bool valid = verdict && tenon_verdict_judge(verdict, config->tree.json.at, config->tree.json.len);

    if (!verdict || tenon_verdict_failed(verdict))
        tn_mistakes_add(&config->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s", SAY_MEMORY);
    else if (!valid)
        report(config, verdict);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
}

/* ---- What it says ------------------------------------------------------------------------------------------------ */

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* No prefix begins another's, or a tool of one server could take the name of another's. */
static void check_prefixes(struct tn_config *config, const struct tn_spot *upstreams)
{
    for (size_t i = 1; i < config->upstream_count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct tn_upstream *one = &config->upstreams[i], *other = &config->upstreams[j];

            if (one->prefix[0] && other->prefix[0] && strcmp(one->name, other->name) != 0 &&
                (begins_with(one->prefix, other->prefix) || begins_with(other->prefix, one->prefix))) {
                struct tn_spot spot   = tn_spot_member(upstreams, one->name);
                struct tn_spot prefix = tn_spot_member(&spot, "prefix");

                tn_spot_key_wrong(prefix.value ? &prefix : &spot, SAY_CONFIG_PREFIX, one->prefix,
                                  other->prefix, other->name);
            }
        }
}

static void fill_upstreams(struct tn_config *config, const struct tn_spot *root,
                           const char *const *environment)
{
    struct tn_spot  all   = tn_spot_member(root, "upstreams");
    yyjson_obj_iter names = yyjson_obj_iter_with(all.value);
    yyjson_val     *name;

    if (yyjson_obj_size(all.value) == 0)
        return;
    config->upstreams = tn_arena_array(&config->arena, UPSTREAMS_MAX, struct tn_upstream);
    while (config->upstreams && config->upstream_count < UPSTREAMS_MAX &&
           (name = yyjson_obj_iter_next(&names))) {
        struct tn_upstream *upstream = &config->upstreams[config->upstream_count];
        struct tn_spot      spot     = tn_spot_named(&all, name);

        tn_config_upstream(config, &spot, environment, upstream);
        upstream->at = config->upstream_count++;
    }
    check_prefixes(config, &all);
}

static void fill_lock(struct tn_config *config, const struct tn_spot *root)
{
    struct tn_spot lock = tn_spot_member(root, "lock"), key = tn_spot_member(root, "lock-key");
    struct tn_buf  path;

    config->policy.lock_key   = tn_spot_path(&key);
    config->policy.lock       = tn_spot_path(&lock);
    config->policy.lock_named = config->policy.lock != NULL;
    if (config->policy.lock)
        return;
    tn_buf_init(&path, &config->arena, 0, MISTAKE_TEXT_MAX);
    tn_buf_addf(&path, "%s%s" LOCK_DEFAULT, config->folder,
                config->folder[0] && strcmp(config->folder, "/") != 0 ? "/" : "");
    config->policy.lock = tn_buf_end(&path);
}

static void fill(struct tn_config *config, const char *const *environment)
{
    struct tn_spot root = { .tree = &config->tree, .value = config->tree.root, .folder = config->folder };

    tn_policy_configured(&config->policy);
    tn_config_serve(config, &root);
    fill_upstreams(config, &root, environment);
    tn_config_policy(config, &root);
    fill_lock(config, &root);
    tn_config_reach(config, &root);
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcasecmp(text + len - end_len, end) == 0;
}

static const char *folder_of(struct tn_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return "";
    return tn_arena_copy(arena, path, slash == path ? 1 : (size_t)(slash - path));
}

static struct tn_config *config_new(const char *path, const tenon_allocator *memory)
{
    tenon_allocator   from   = tn_memory_of(memory);
    struct tn_config *config = tn_memory_new(&from, sizeof *config);

    if (!config)
        return NULL;
    memset(config, 0, sizeof *config);
    config->memory = from;
    tn_arena_init(&config->arena, &from, MEMORY_MAX);
    config->path           = tn_arena_copy(&config->arena, path, strlen(path));
    config->folder         = folder_of(&config->arena, path);
    config->mistakes.arena = config->notes.arena = config->tree.arena = &config->arena;
    config->tree.mistakes                                             = &config->mistakes;
    if (config->path && config->folder)
        return config;
    tn_config_free(config);
    return NULL;
}

static void take_text(struct tn_config *config, struct tn_slice text, const char *const *environment)
{
    bool is_yaml = ends_with(config->path, ".yaml") || ends_with(config->path, ".yml");

    if (tn_tree_read(&config->tree, text, is_yaml) &&
        (!tn_config_is_clients(&config->tree) || tn_config_from_client(config))) {
        judge(config);
        fill(config, environment);
    }
    if (config->arena.failed && tn_config_is_fine(config))
        tn_mistakes_add(&config->mistakes, (struct tn_json_position){ 1, 1 }, false, "%s", SAY_MEMORY);
    tn_mistakes_sort(&config->mistakes);
    tn_mistakes_sort(&config->notes);
}

struct tn_config *tn_config_of(const char *path, struct tn_slice text, const char *const *environment,
                               const tenon_allocator *memory)
{
    struct tn_config *config = config_new(path, memory);

    if (config)
        take_text(config, text, environment);
    return config;
}

static struct tn_config *read_file(const char *path, bool guards, const tenon_allocator *memory)
{
    struct tn_config *config = config_new(path, memory);
    struct tn_slice   text;
    const char       *mistake;

    if (!config)
        return NULL;
    config->guards = guards;
    if (tn_trusted_read(path, TRUSTED_SHARED, CONFIG_BYTES_MAX, &config->arena, &text, &mistake) == TENON_OK)
        take_text(config, text, (const char *const *)environ);
    else
        tn_mistakes_add(&config->mistakes, (struct tn_json_position){ 0, 0 }, false, "%s", mistake);
    return config;
}

struct tn_config *tn_config_read(const char *path, const tenon_allocator *memory)
{
    return read_file(path, false, memory);
}

struct tn_config *tn_config_read_whole(const char *path, const tenon_allocator *memory)
{
    return read_file(path, true, memory);
}

void tn_config_free(struct tn_config *config)
{
    tenon_allocator memory;

    if (!config)
        return;
    memory = config->memory;
    tn_arena_rest(&config->arena, 0); /* credentials were read */
    tn_arena_free(&config->arena);
    tn_memory_free(&memory, config, sizeof *config);
}
