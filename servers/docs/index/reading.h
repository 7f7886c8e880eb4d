/* reading.h - one document to be read, as its file is now. */
#ifndef DOCS_INDEX_READING_H
#define DOCS_INDEX_READING_H

#include "docs/index/indexer.h"
#include "docs/markdown/passage.h"

struct reading {
    const char     *at; /* the file itself, or what was made of HTML and PDF: as its lines are cited */
    size_t          len, lines;
    const char     *title;
    struct passages passages;
    struct ready   *ready; /* what has all of it */
};

/* INDEX_OK, or what fails; `problem` says why. The path is one that index_file() takes. */
enum index_status reading_open(struct reading *reading, struct docs *docs, const tenon_call *call,
                               struct project *project, const char *path, bool external,
                               struct index_problem *problem);
void              reading_close(struct reading *reading);

#endif
