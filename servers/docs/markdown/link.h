/* link.h - the links of a markdown document to other files beside it.
 */
#ifndef DOCS_MARKDOWN_LINK_H
#define DOCS_MARKDOWN_LINK_H

#include <stdbool.h>
#include <stddef.h>

#define LINKS_MAX 1000

struct links {
    char **at; /* paths relative to the docs folder, normalised, without fragments; each once */
    size_t count;
};

/* Inline, reference and implicit links of `len` bytes of markdown, and `related` (paths from front matter)
 * of the document at `path`, at most LINKS_MAX of them. Other schemes, images, absolute paths, what leads out of the folder and
 * the document itself are left out. A related path counts from the document's folder and, unless it begins with "./" or
 * "../", from the docs folder too: both are listed, and it is for the reader to see which is there. False without memory. */
bool links_make(struct links *links, const char *path, const char *at, size_t len, const char *const *related,
                size_t related_count);
void links_free(struct links *links);

#endif
