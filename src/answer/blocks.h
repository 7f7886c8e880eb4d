/* blocks.h - content beside the answer: blocks of a tool, contents of a resource, messages of a prompt, suggestions.
 *
 * It is collected as JSON while the handler runs, values separated by commas, ready to stand between brackets. What a
 * handler may add depends on what it answers, which its host says before the run.
 */
#ifndef ANSWER_BLOCKS_H
#define ANSWER_BLOCKS_H

#include <tenon/resource.h>

#include "base/buf.h"
#include "text/uri_template.h"

#define BLOCKS_LEN_MAX      ((size_t)32 << 20) /* of all that one handler adds */
#define SUGGESTIONS_MAX     ((size_t)100)      /* that are sent; the rest is counted */
#define SUGGESTIONS_LEN_MAX ((size_t)256 << 10)

enum tn_subject_kind { SUBJECT_TOOL = 0, SUBJECT_PROMPT, SUBJECT_RESOURCE, SUBJECT_COMPLETION };

/* What a call is about, as its host says; it stays from run to run. All of it is the host's. */
struct tn_subject {
    enum tn_subject_kind      kind;
    const char               *uri, *mime;   /* of the resource that is read; mime may be NULL */
    const char               *name, *typed; /* of the value that is to be completed */
    const struct tn_variable *variables;
    size_t                    variable_count;
    unsigned                  lacks; /* of enum subject_lack: what the client does not know is sent as text */
};

enum tn_subject_lack { LACKS_AUDIO = 1, LACKS_LINKS = 2 };

struct tn_blocks {
    struct tn_buf out;             /* the host knows what of: content, contents, messages or values */
    size_t        suggested, kept; /* suggestions in all, and those that are in `out` */
};

static inline void tn_blocks_clear(struct tn_blocks *blocks)
{
    blocks->out.arena  = NULL;
    blocks->out.len    = 0;
    blocks->out.failed = false;
    blocks->suggested = blocks->kept = 0;
}

/* Something did not fit. */
static inline bool tn_blocks_failed(const struct tn_blocks *blocks)
{
    return blocks->out.arena && blocks->out.failed;
}

/* What was added; empty when nothing was. */
static inline struct tn_slice tn_blocks_slice(const struct tn_blocks *blocks)
{
    return blocks->out.arena ? tn_buf_slice(&blocks->out) : (struct tn_slice){ "", 0 };
}

#endif
