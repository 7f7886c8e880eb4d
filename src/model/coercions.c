/* coercions.c - changes of type, all in one message for the whole call. */
#include "model/coercions.h"

#include "model/words/words.h"

void tn_coercions_add(struct tn_judge *judge, struct tn_slice label, bool secret, yyjson_val *from,
                      struct tn_slice to)
{
    size_t before;

    judge->coerced++;
    if (judge->unsaid > 0) {
        judge->unsaid++; /* there are enough to tell of */
        return;
    }
    if (!judge->coercions.arena)
        tn_buf_init(&judge->coercions, judge->arena, 128, COERCIONS_LEN_MAX);
    before = judge->coercions.len;
    tn_words_coerced(&judge->coercions, before == 0, label, secret, from, to);
    if (judge->coercions.failed && !judge->arena->failed) {
        judge->coercions.failed = false;
        judge->coercions.len    = before;
        judge->unsaid++;
    }
}

void tn_coercions_report(struct tn_judge *judge)
{
    judge->coercions.max = MESSAGE_LEN_MAX;
    tn_words_coerced_end(&judge->coercions, judge->coercions.len == 0, judge->unsaid);
    if (judge->coercions.len > 0 && !judge->coercions.failed)
        tn_messages_add(&judge->messages, judge->arena, judge->coercions.at, judge->coercions.len);
}
