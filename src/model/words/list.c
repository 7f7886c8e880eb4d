/* list.c - how many items there may be, or members. */
#include "model/words/say.h"

void tn_say_count(struct tn_buf *out, const struct tn_issue *issue)
{
    const struct tn_node *node     = issue->node;
    bool                  contains = issue->code == ISSUE_CONTAINS;
    size_t                min = node->list.min, max = node->list.max;

    if (contains) {
        min = node->schema->array->min_contains;
        max = node->schema->array->max_contains;
    } else if (issue->code == ISSUE_MEMBERS) {
        min = node->schema->object->min;
        max = node->schema->object->max;
    }
    tn_say_label(out, issue,
                 issue->count < min ? " must contain at least "
                 : contains         ? " must not contain more than "
                                    : " must not exceed ");
    tn_buf_uint(out, issue->count < min ? min : max);
    tn_buf_text(out, contains ? " items that match, got " : " items, got ");
    tn_buf_uint(out, issue->count);
}
