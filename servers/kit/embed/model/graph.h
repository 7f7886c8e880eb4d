/* graph.h - is a file a model of the kind that is run here? Asked before ONNX Runtime sees it. */
#ifndef KIT_EMBED_MODEL_GRAPH_H
#define KIT_EMBED_MODEL_GRAPH_H

#include <stddef.h>

#define GRAPH_FILE_MAX ((size_t)1 << 30) /* bytes of a model */

/* NULL, or why it is not run: the rest of a sentence that begins with "it". */
const char *graph_check(const void *bytes, size_t len);

#endif
