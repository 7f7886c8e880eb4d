/* tools.h - the ten tools, and what their handlers share: which project, which words for which failure. */
#ifndef DOCS_TOOLS_TOOLS_H
#define DOCS_TOOLS_TOOLS_H

#include <string.h>

#include "docs/index/indexer.h"
#include "docs/search/extract.h"
#include "kit/tools.h"

TENON_TOOL_DECL(rag_query);
TENON_TOOL_DECL(semantic_search);
TENON_TOOL_DECL(search_external_docs);
TENON_TOOL_DECL(rag_query_external);
TENON_TOOL_DECL(read_document);
TENON_TOOL_DECL(index_document);
TENON_TOOL_DECL(list_doc_types);
TENON_TOOL_DECL(delete_documents);
TENON_TOOL_DECL(update_promotion_level);
TENON_TOOL_DECL(activate_project);

extern const struct tool_list docs_tools;

/* Fills it in; `config_folder` NULL: as declared. False when such a path is too long. Both outlive the server. */
bool activation_of(struct activation *own, const char *config_folder);

/* ---- The project of a call ----------------------------------------------------------------------------------- */

typedef struct {
    const char *project_handle;
} project_choice;

TENON_ROWS(project_choice_rows, project_choice,
    TENON_STR(project_handle, "Which project: the handle that activate_project returned. Leave it out for the "
                              "active one.", .len = {1, 4096}));

#define FILTERS_MAX 20
#define FILTER_ROWS                                                                                                      \
    TENON_STRS(tags,  "Only documents with all of these tags in their front matter.", .count = {0, FILTERS_MAX},        \
               .comma = true, .example = "[\"billing\"]"),                                                             \
    TENON_STRS(paths, "Only documents whose path matches one of these patterns; ** is any number of folders.",          \
               .count = {0, FILTERS_MAX}, .example = "[\"guides/**\"]")

#define PROJECT_ROW(f) TENON_GROUP(f, project_choice_rows)

/* The argument, else what the project's configuration says, else the default, which the argument then holds. */
static inline size_t choose_most(tenon_call *call, const int *argument, bool configured, int value)
{
    return (size_t)(tenon_source_of(call, argument, configured) == TENON_FROM_CONFIG ? value : *argument);
}

/* The same for the threshold of a search. */
static inline void choose_threshold(struct search *search, tenon_call *call, const double *argument,
                                    bool configured, double value)
{
    tenon_source from = tenon_source_of(call, argument, configured);

    search->threshold            = from == TENON_FROM_CONFIG ? value : *argument;
    search->threshold_is_default = from != TENON_FROM_ARGUMENT;
}

/* In every answer. */
typedef struct {
    const char *project_name, *branch_name;
} used;

TENON_ROWS(used_rows, used,
    TENON_STR(project_name, "The project that was used.", .required = true),
    TENON_STR(branch_name,  "Its branch.", .required = true));

static inline used used_of(const struct project *project)
{
    return (used){ project->tenant.project, project->tenant.branch };
}

/* An answer by the client's model; NULL in *answer when it is not to be asked, cannot be or says nothing. False: the call ends
 * with *asking, and runs again when the model has answered. */
bool model_answers(tenon_call *call, const char *query, const struct hit *hits, size_t count,
                   const char **answer, tenon_outcome *asking);

/* A message while the operator's projects are indexed for the first time. */
/* When it went by words only: why. */
void say_words_only(tenon_call *call, const struct hits *hits);
void say_if_incomplete(tenon_call *call);

/* A message when a promotion level puts a document above one that is more relevant. */
void say_if_promoted(tenon_call *call, const struct hits *hits);

/* A message when release notes were put after others. */
void say_if_notes(tenon_call *call, const struct hits *hits);

/* A message, and true, when nothing can be found because nothing is there. */
bool say_if_empty(tenon_call *call, const struct project *project, bool external);

/* Documents as resources, docs:///PATH; false when it cannot be. */
bool docs_resources(tenon_server *server);

/* The rest of a path that begins with the docs folder, as people write it from the project's root; NULL for another. */
const char *path_after_folder(const struct project *project, const char *path);

/* Which of the texts is shown of a hit; NULL when a document has none. */
static inline const struct part *part_of(const struct hit *hit)
{
    return hit->part < hit->piece.part_count ? &hit->piece.parts[hit->part] : NULL;
}

/* Why a hit is where it is: its evidence, and what raised or lowered it. */
const char *why_of(tenon_call *call, const struct hit *hit);

/* ---- What is shown of documents ------------------------------------------------------------------------------ */

#define TITLE_SHOWN 300

/* Text of a document as data, in the call's memory. */
static inline const char *clean(tenon_call *call, const char *text, size_t most)
{
    const char *shown = text ? extract_clean(call, text, strlen(text), most) : NULL;

    return shown ? shown : "";
}

/* Four digits say all that a relevance can. */
static inline double shown_score(double relevance)
{
    return (double)(int)(relevance * 10000 + 0.5) / 10000;
}

/* ---- Failures ------------------------------------------------------------------------------------------------ */

tenon_outcome fail_store(tenon_call *call, enum store_status status);
tenon_outcome fail_embedding(tenon_call *call, const struct embed_failure *failure);
tenon_outcome fail_index(tenon_call *call, const struct project *project, const char *path,
                         const struct index_problem *problem);

/* EXTERNAL_DOCS_NOT_CONFIGURED with the JSON to add. */
tenon_outcome fail_no_external(tenon_call *call);

/* DOCUMENT_NOT_FOUND with up to three paths that look like it. */
tenon_outcome fail_not_found(tenon_call *call, const struct project *project, const char *path);

/* Every name is a type of the project that *handle chooses; those that are not are named: INVALID_DOC_TYPE, if nothing else
 * is wrong. */
void doc_types_look_up(tenon_lookup *lookup, const tenon_strs *names, const char *const *handle);

#endif
