/* embed.c - the provider that the operator asks for. */
#include "kit/embed/embed.h"

#include <stdlib.h>
#include <string.h>

#include "kit/embed/http.h"
#include "kit/embed/model/model.h"

void embed_quiet(void)
{
    setenv("ORT_DISABLE_TELEMETRY", "1", 1);
}

static size_t line_len(const char *line)
{
    return line && *line ? strlen(line) + 1 : 0;
}

static char *add_line(char *out, const char *line)
{
    size_t len = line_len(line);

    if (!len)
        return out;
    memcpy(out, line, len - 1);
    out[len - 1] = '\n';
    return out + len;
}

size_t embed_head_len(const char *title, const char *header_path)
{
    return line_len(title) + line_len(header_path);
}

char *embed_head(char *out, const char *title, const char *header_path)
{
    return add_line(add_line(out, title), header_path);
}

static bool is_local(const struct embed_options *options)
{
    return !options->provider || strcmp(options->provider, "embedded") == 0;
}

static bool is_service(const struct embed_options *options)
{
    return options->provider &&
           (strcmp(options->provider, "ollama") == 0 || strcmp(options->provider, "openai") == 0);
}

static bool is_model(const struct embed_options *options)
{
    return options->provider && strcmp(options->provider, "model") == 0;
}

static bool has_dimensions(const struct embed_options *options)
{
    int dimensions = options->dimensions;

    return !dimensions || (dimensions >= EMBED_DIMENSIONS_MIN && dimensions <= EMBED_DIMENSIONS_MAX);
}

static struct embedder *new_local(const struct embed_options *options, char **mistake)
{
    int              dimensions = options->dimensions;
    struct embedder *embedder;

    if (!has_dimensions(options)) {
        embed_mistake(mistake, "Embeddings have from %d to %d dimensions, not %d.", EMBED_DIMENSIONS_MIN,
                      EMBED_DIMENSIONS_MAX, dimensions);
        return NULL;
    }
    embedder = embed_local_new((size_t)dimensions);
    if (!embedder)
        embed_mistake(mistake, "There is no memory for embeddings.");
    return embedder;
}

/* Its dimensions are its own. */
static struct embedder *new_model(const struct embed_options *options, char **mistake)
{
    struct embedder *embedder;

    if (!options->model || !*options->model) {
        embed_mistake(
            mistake,
            "--embedding model needs --embedding-model: the name or the folder of a model that tenon docs "
            "model import has written.");
        return NULL;
    }
    embedder = embed_model_new(options, mistake);
    if (embedder && options->dimensions && (size_t)options->dimensions != embedder->dimensions) {
        embed_mistake(mistake, "The model %s has %zu dimensions, but --embedding-dimensions states %d.",
                      options->model, embedder->dimensions, options->dimensions);
        embedder->free(embedder);
        return NULL;
    }
    return embedder;
}

struct embedder *embed_new(const struct embed_options *options, char **mistake)
{
    if (mistake)
        *mistake = NULL;
    if (is_local(options))
        return new_local(options, mistake);
    if (is_service(options))
        return embed_http_new(options, mistake);
    if (is_model(options))
        return new_model(options, mistake);
    embed_mistake(mistake, "--embedding is embedded, model, ollama or openai.");
    return NULL;
}

bool embed_could(const struct embed_options *options)
{
    struct embed_service service;
    bool                 could;

    if (is_local(options) || !is_service(options))
        return is_local(options) && has_dimensions(options);
    could = embed_service_read(&service, options, NULL);
    embed_service_free(&service);
    return could;
}
