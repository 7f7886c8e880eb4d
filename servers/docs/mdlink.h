/* mdlink.h - the links of a markdown document to other files beside it. */
#ifndef DOCS_MDLINK_H
#define DOCS_MDLINK_H

#include <stdbool.h>
#include <stddef.h>

#define LINKS_MAX 1000

struct links {
    char **at; /* paths relative to the docs folder, normalised, without fragments; each once */
    size_t count;
};

/* Inline, reference and implicit links of `len` bytes of markdown (read with cmark), and `related` (paths from front matter)
 * of the document at `path`. Other schemes, images, absolute paths and what leads out of the folder are left out. */
bool links_make(struct links *links, const char *path, const char *at, size_t len, const char *const *related,
                size_t related_count);
void links_free(struct links *links);

#endif
