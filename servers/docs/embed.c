/* embed.c - the provider that the operator asks for. */
#include "docs/embed.h"

#include <string.h>

#include "docs/embed_http.h"

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

static struct embedder *new_local(const struct docs_options *options, char **mistake)
{
    int              dimensions = options->embedding_dimensions;
    struct embedder *embedder;

    if (dimensions && (dimensions < EMBED_DIMENSIONS_MIN || dimensions > EMBED_DIMENSIONS_MAX)) {
        embed_mistake(mistake, "Embeddings have from %d to %d dimensions, not %d.", EMBED_DIMENSIONS_MIN,
                      EMBED_DIMENSIONS_MAX, dimensions);
        return NULL;
    }
    embedder = embed_local_new((size_t)dimensions);
    if (!embedder)
        embed_mistake(mistake, "There is no memory for embeddings.");
    return embedder;
}

struct embedder *embed_new(const struct docs_options *options, char **mistake)
{
    const char *wanted = options->embedding ? options->embedding : "embedded";

    if (mistake)
        *mistake = NULL;
    if (!strcmp(wanted, "embedded"))
        return new_local(options, mistake);
    if (!strcmp(wanted, "ollama") || !strcmp(wanted, "openai"))
        return embed_http_new(options, mistake);
    embed_mistake(mistake, "The embedding provider is embedded, ollama or openai.");
    return NULL;
}
