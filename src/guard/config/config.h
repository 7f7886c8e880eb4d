/* config.h - a configuration of the guard: a file in YAML or JSON, or the file of a client (mcpServers, servers).
 *
 *     struct tn_config *config = tn_config_read("guard.yaml", NULL);
 *
 *     if (config && tn_config_is_fine(config))
 *         guard = tn_guard_new(config->upstreams, config->upstream_count, &config->policy, &options);
 *     ...
 *     tn_config_free(config);
 *
 * It is read whole or not at all: its schema and what no schema can say are checked to the end, so that every mistake is in
 * one report. Nothing is started, and no file is written.
 */
#ifndef GUARD_CONFIG_CONFIG_H
#define GUARD_CONFIG_CONFIG_H

#include <stdio.h>

#include "guard/config/tree.h"
#include "guard/upstream.h"

struct tn_config {
    tenon_allocator           memory;
    struct tn_arena           arena;
    const char               *path;   /* as it was given */
    const char               *folder; /* of the file; "" is here */
    struct tn_tree            tree;   /* in the guard's own form */
    struct tn_config_mistakes mistakes;
    struct tn_config_mistakes notes; /* of a client's file: what is left out, and why */
    bool                guards; /* of a client's file: entries that run the guard are taken as any others */
    struct tn_upstream *upstreams;
    size_t              upstream_count;
    struct tn_policy    policy;
    tenon_map           serve; /* settings by name, for tn_settings_put(); a list has a row for each value */
};

/* NULL without memory. */
struct tn_config *tn_config_read(const char *path, const tenon_allocator *memory);

/* The same of a client's file as its client reads it: with the entries that run the guard. A guard leaves them out, which would
 * start guards without end. */
struct tn_config *tn_config_read_whole(const char *path, const tenon_allocator *memory);

/* The same of a text that is at hand. `environment` is where env-from is taken from. */
struct tn_config *tn_config_of(const char *path, struct tn_slice text, const char *const *environment,
                               const tenon_allocator *memory);
void              tn_config_free(struct tn_config *config);

static inline bool tn_config_is_fine(const struct tn_config *config)
{
    return config->mistakes.total == 0;
}

/* What was read, as guard.yaml; what was left out stands in comments. In the config's arena; NULL without memory. */
const char *tn_config_yaml(struct tn_config *config);

/* ---- Its parts --------------------------------------------------------------------------------------------------- */

struct tn_spot;

/* servers.c: one upstream, whose name is the spot's. */
void tn_config_upstream(struct tn_config *config, const struct tn_spot *spot, const char *const *environment,
                        struct tn_upstream *upstream);

/* rules.c: policy and its callers, the rules of tools. */
void            tn_config_policy(struct tn_config *config, const struct tn_spot *root);
void            tn_config_rules(const struct tn_spot *tools, struct tn_upstream *upstream);
struct tn_globs tn_config_globs(const struct tn_spot *spot);

/* settings.c: the settings of the server in front. */
void tn_config_serve(struct tn_config *config, const struct tn_spot *root);

/* reach.c: files that decide what a server may do must not lie where it could change them. */
void tn_config_reach(struct tn_config *config, const struct tn_spot *root);

/* client_file.c: a tree with mcpServers or servers becomes one with upstreams. False when there is nothing to go on with. */
bool tn_config_is_clients(const struct tn_tree *tree);
bool tn_config_from_client(struct tn_config *config);

/* The text of share/tenon/guard.schema.json, made part of the program by the build. */
extern const char tn_guard_schema[];

#endif
