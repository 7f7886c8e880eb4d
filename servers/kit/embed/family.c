/* family.c - families of models, by name.
 *
 * What stands here is what the models' own descriptions ask for. Models that were trained with words in front of questions and
 * documents find less without them, and nothing in their files states it.
 */
#include "kit/embed/family.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "kit/embed/http.h"
#include "kit/words/knowledge.h"

#define BGE_QUERY "Represent this sentence for searching relevant passages: "

static const struct embed_family families[] = {
    { "bge", BGE_QUERY, "", POOL_CLS, 512 },
    { "e5", "query: ", "passage: ", POOL_MEAN, 512 },
    { "nomic", "search_query: ", "search_document: ", POOL_MEAN, 512 },
    { "minilm", "", "", POOL_MEAN, 256 },
    { "other", "", "", POOL_MEAN, 512 },
};
enum { FAMILY_BGE, FAMILY_E5, FAMILY_NOMIC, FAMILY_MINILM, FAMILY_OTHER };

/* Names that are looked for, and what the name must not have besides: models of the same makers that are used otherwise. */
static const struct {
    const char *part, *but;
    int         family;
} names[] = {
    { "bge-small-en", NULL, FAMILY_BGE },  { "bge-base-en", NULL, FAMILY_BGE },
    { "bge-large-en", NULL, FAMILY_BGE },  { "bge-large", "zh", FAMILY_BGE }, /* as Ollama calls it */
    { "e5-small", "instruct", FAMILY_E5 }, { "e5-base", "instruct", FAMILY_E5 },
    { "e5-large", "instruct", FAMILY_E5 }, { "nomic-embed-text", NULL, FAMILY_NOMIC },
    { "minilm", NULL, FAMILY_MINILM },
};

const struct embed_family *embed_family_of(const char *model)
{
    for (size_t i = 0; model && i < sizeof names / sizeof *names; i++)
        if (strcasestr(model, names[i].part) && !(names[i].but && strcasestr(model, names[i].but)))
            return &families[names[i].family];
    return &families[FAMILY_OTHER];
}

struct embed_prefixes embed_prefixes_of(const struct embed_options *options,
                                        const struct embed_family  *family)
{
    struct embed_prefixes prefixes = {
        { [EMBED_DOCUMENT] = family->document, [EMBED_QUERY] = family->query }
    };

    if (options->document_prefix)
        prefixes.at[EMBED_DOCUMENT] = options->document_prefix;
    if (options->query_prefix)
        prefixes.at[EMBED_QUERY] = options->query_prefix;
    return prefixes;
}

void embed_prefix_mark(const struct embed_prefixes *prefixes, char out[EMBED_PREFIX_MARK])
{
    static const char digits[] = "0123456789abcdef";
    const char       *query = prefixes->at[EMBED_QUERY], *document = prefixes->at[EMBED_DOCUMENT];
    uint64_t          mark;

    *out = '\0';
    if (!*query && !*document)
        return;
    mark   = word_hash(word_hash(0, query, strlen(query) + 1), document, strlen(document));
    out[0] = '/';
    for (size_t i = 1; i < EMBED_PREFIX_MARK - 1; i++, mark >>= 4)
        out[i] = digits[mark & 15];
    out[EMBED_PREFIX_MARK - 1] = '\0';
}

static bool is_fine(const char *prefix)
{
    if (prefix && strlen(prefix) > EMBED_PREFIX_MAX)
        return false;
    for (; prefix && *prefix; prefix++)
        if ((unsigned char)*prefix < ' ' || *prefix == 0x7f)
            return false;
    return true;
}

bool embed_prefixes_are_fine(const struct embed_options *options, char **mistake)
{
    if (is_fine(options->query_prefix) && is_fine(options->document_prefix))
        return true;
    return embed_mistake(
        mistake, "--embedding-query-prefix and --embedding-document-prefix are one line of at most %d bytes.",
        EMBED_PREFIX_MAX);
}
