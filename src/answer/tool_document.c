/* tool_document.c - schema documents by their text. */
#include "answer/tool_document.h"

#include <string.h>

#include "answer/phrases.h"
#include "answer/schema_tool.h"
#include "answer/toolbox.h"
#include "document/document.h"
#include "document/suggest.h"

struct tn_tool_document *tn_tool_document_find(const tenon_toolbox *box, const char *text)
{
    return tn_table_find(&box->documents, NULL, tn_slice_of(text));
}

/* What was not checked, or has a mistake, is not known: the text of a tool that is refused may be gone soon. */
static struct tn_tool_document *add(tenon_toolbox *box, const char *text, const tenon_schema *tried)
{
    struct tn_tool_document *document = tn_arena_new(&box->arena, struct tn_tool_document);

    if (!document || !tn_table_add(&box->documents, &box->arena, NULL, tn_slice_of(text), document))
        return NULL;
    document->text      = text;
    document->portable  = tn_schema_tool_is_portable(tried);
    document->next      = box->first_document;
    box->first_document = document;
    return document;
}

static tenon_schema *compile_text(const tenon_toolbox *box, const char *text, bool tried)
{
    const tenon_schema_options options = { .size             = sizeof options,
                                           .schemas          = box->options.schemas,
                                           .format_assertion = true,
                                           .memory           = &box->memory };

    return tried ? tn_schema_try(text, strlen(text), &options)
                 : tenon_schema_new_(text, strlen(text), &options);
}

tenon_status tn_tool_document_try(tenon_toolbox *box, const char *text, struct tn_tool_document **document,
                                  tenon_schema **schema, const char **mistake)
{
    *schema = compile_text(box, text, !box->options.schemas);
    if (!*schema)
        return TENON_E_NOMEM;
    *mistake = tn_schema_tool_mistake(*schema);
    if (*mistake)
        return TENON_E_DECLARATION;
    *document = add(box, text, *schema);
    if (*document && box->options.schemas) {
        (*document)->schema = *schema;
        tn_suggest_prepare(*schema);
    }
    return *document ? TENON_OK : TENON_E_NOMEM;
}

static tenon_status compile(tenon_toolbox *box, const struct tn_tool_document *document, bool tried,
                            tenon_schema **schema)
{
    const char *mistake;

    *schema = compile_text(box, document->text, tried);
    if (!*schema)
        return TENON_E_NOMEM;
    mistake = tn_schema_tool_mistake(*schema);
    if (!mistake && !tried)
        tn_suggest_prepare(*schema);
    if (!mistake && !(*schema)->shape.arena.failed)
        return TENON_OK;
    if (!mistake) {
        tenon_schema_free(*schema);
        *schema = NULL;
        return TENON_E_NOMEM;
    }
    tn_log_line(&box->log, LOG_ERROR, PHRASE_LOG_CHANGED, mistake);
    tenon_schema_free(*schema);
    *schema = NULL;
    return TENON_E_DECLARATION;
}

tenon_status tn_tool_document_compile(tenon_toolbox *box, struct tn_tool_document *document)
{
    return document->schema ? TENON_OK : compile(box, document, false, &document->schema);
}

tenon_status tn_tool_document_borrow(tenon_toolbox *box, const struct tn_tool_document *document,
                                     tenon_schema **schema)
{
    *schema = document->schema;
    return *schema ? TENON_OK : compile(box, document, true, schema);
}

void tn_tool_document_return(const struct tn_tool_document *document, tenon_schema *schema)
{
    if (!document || schema != document->schema)
        tenon_schema_free(schema);
}

void tn_tool_documents_free(tenon_toolbox *box)
{
    for (struct tn_tool_document *document = box->first_document; document; document = document->next)
        tenon_schema_free(document->schema);
}
