/* pool.h - memory for cmark: bounded, freed at once, and a refusal that does not end the process.
 *
 * cmark calls abort() when it gets no memory, and its allocator has no user's pointer. So the pool is the thread's, and a
 * refusal jumps back to where the pool was begun: nothing of cmark is left but what lies in the pool.
 */
#ifndef DOCS_MARKDOWN_POOL_H
#define DOCS_MARKDOWN_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include <cmark.h>

#define MDPOOL_MAX ((size_t)64 << 20)

/* Runs `work` with an allocator that is only good inside of it; false when memory was refused on the way. */
bool mdpool_run(void (*work)(void *user, cmark_mem *memory), void *user);

#endif
