/* pdf.h - the text of a PDF, as poppler's pdftotext finds it, where that is installed.
 *
 * A PDF is a program of its author's: it is read in a child process that has little memory, time and output, no environment
 * and no files but the one that it gets.
 */
#ifndef DOCS_SOURCE_PDF_H
#define DOCS_SOURCE_PDF_H

#include <stdatomic.h>
#include <stdbool.h>

#include "kit/text.h"

#define PDF_TEXT_MAX ((size_t)16 << 20)

/* Is pdftotext there? Looked for once. */
bool pdf_can_read(void);

/* The text of the file's bytes; NULL, or what is wrong. `stop` may be NULL: when it is true, the child is ended. */
const char *pdf_read(const char *at, size_t len, const atomic_bool *stop, struct text *out);

#endif
