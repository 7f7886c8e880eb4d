/* tool_document.h - the schema documents that the tools of a box declare, each text once.
 *
 * As with tables of rows (tool_table.h): a document is compiled to be checked when the first tool that has it is added, and to stay
 * when one is first called. One that may refer to documents that the program registered is compiled once, and stays.
 */
#ifndef ANSWER_TOOL_DOCUMENT_H
#define ANSWER_TOOL_DOCUMENT_H

#include <tenon/toolbox.h>

#include "rows/headers.h"

struct tn_tool_document {
    struct tn_tool_document     *next; /* of the box */
    const char                  *text; /* the author's */
    const struct tn_tool_header *headers;
    uint32_t                     header_count;
    bool                         walked;   /* the headers were looked for */
    bool                         portable; /* its text is its portable form too */
    tenon_schema                *schema;   /* NULL before the first call; under the lock of the box */
};

/* The document of that text in the box, or NULL: it was not yet checked. */
struct tn_tool_document *tn_tool_document_find(const tenon_toolbox *box, const char *text);

/* Compiles it to be checked, and adds it: `*schema` is to be returned in any case. TENON_E_NOMEM, or TENON_E_DECLARATION and the
 * mistake, which lives as long as the schema. */
tenon_status tn_tool_document_try(tenon_toolbox *box, const char *text, struct tn_tool_document **document,
                                  tenon_schema **schema, const char **mistake);

/* Compiles it, unless that was done; and the same for a short time. Under the lock of the box. TENON_E_DECLARATION when the
 * program changed the text since it was checked, which is logged. */
tenon_status tn_tool_document_compile(tenon_toolbox *box, struct tn_tool_document *document);
tenon_status tn_tool_document_borrow(tenon_toolbox *box, const struct tn_tool_document *document,
                                     tenon_schema **schema);
void         tn_tool_document_return(const struct tn_tool_document *document, tenon_schema *schema);

void tn_tool_documents_free(tenon_toolbox *box);

#endif
