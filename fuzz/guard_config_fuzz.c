/* guard_config_fuzz.c - a file of anything as the configuration of a guard: read, or refused with sentences that have a place in
 * it. What was accepted is complete, and can be written as YAML and read again. Text that begins with a brace is JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const environment[] = { "PATH=/bin", "HOME=/", "A=b", NULL };

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_mistakes(const struct tn_config_mistakes *mistakes)
{
    must(mistakes->count <= MISTAKES_MAX && mistakes->count <= mistakes->total);
    for (size_t i = 0; i < mistakes->count; i++) {
        must(mistakes->at[i].text && mistakes->at[i].text[0]);
        must(mistakes->at[i].at.line > 0 && mistakes->at[i].at.column > 0);
    }
}

static void check_upstreams(const struct tn_config *config)
{
    must(config->upstream_count > 0 && config->upstream_count <= UPSTREAMS_MAX);
    for (size_t i = 0; i < config->upstream_count; i++) {
        const struct tn_upstream *upstream = &config->upstreams[i];

        must(upstream->at == i && upstream->name[0] && upstream->prefix);
        must((upstream->words && upstream->words[0]) != (upstream->url != NULL));
        must(upstream->start_pause.first_ms > 0 &&
             upstream->start_pause.first_ms <= upstream->start_pause.most_ms);
        must(upstream->time_most_ms == 0 || upstream->time_most_ms >= upstream->time_ms);
        for (size_t j = 0; j < upstream->rule_count; j++)
            must(upstream->rules[j].name != NULL);
    }
    must(config->policy.lock != NULL);
}

#ifdef TENON_YAML
static void check_written(struct tn_config *config)
{
    const char       *yaml = tn_config_yaml(config);
    struct tn_config *again;

    must(yaml != NULL);
    again = tn_config_of("guard.yaml", tn_slice_of(yaml), environment, NULL);
    must(again && tn_config_is_fine(again) && again->upstream_count == config->upstream_count);
    for (size_t i = 0; i < again->upstream_count; i++) {
        must(strcmp(again->upstreams[i].name, config->upstreams[i].name) == 0);
        for (size_t j = 0; config->upstreams[i].words && config->upstreams[i].words[j]; j++)
            must(strcmp(again->upstreams[i].words[j], config->upstreams[i].words[j]) == 0);
    }
    tn_config_free(again);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_slice   text   = { (const char *)data, size };
    bool              json   = size > 0 && data[0] == '{';
    struct tn_config *config = tn_config_of(json ? "mcp.json" : "guard.yaml", text, environment, NULL);

    must(config != NULL);
    check_mistakes(&config->mistakes);
    check_mistakes(&config->notes);
    if (tn_config_is_fine(config)) {
        check_upstreams(config);
#ifdef TENON_YAML
        check_written(config);
#endif
    }
    tn_config_free(config);
    return 0;
}
