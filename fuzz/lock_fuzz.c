/* lock_fuzz.c - any bytes as a lock, as a saved list of tools and as a definition: nothing breaks, and what is accepted is
 * written and read back as the same. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contract/change.h"
#include "contract/lock.h"
#include "contract/review.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tn_slice key = { "a key that is long enough", 25 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* A lock that is accepted is written as a text that is accepted, and that stays the same. */
static void write_again(struct tn_lock *lock)
{
    const char     *mistake;
    struct tn_buf   first, second;
    struct tn_lock  read;
    tenon_allocator memory = tn_memory_of(NULL);

    tn_buf_init(&first, &lock->arena, 0, LOCK_BYTES_MAX);
    tn_lock_write(&first, lock, key);
    require(!first.failed);
    tn_lock_init(&read, &memory);
    require(tn_lock_parse(&read, "lock", tn_buf_slice(&first), key, &mistake));
    tn_buf_init(&second, &read.arena, 0, LOCK_BYTES_MAX);
    tn_lock_write(&second, &read, key);
    require(tn_slice_same(tn_buf_slice(&first), tn_buf_slice(&second)));
    tn_lock_free(&read);
}

/* The canonical form is its own, and so is its hash. */
static void read_definition(struct tn_arena *arena, struct tn_slice text)
{
    struct tn_definition once = tn_definition_read(arena, KIND_TOOL, text, NULL), twice;
    struct tn_screening  screening;
    yyjson_val          *value;
    struct tn_buf        form;

    if (once.fault != CANONICAL_FINE)
        return;
    twice = tn_definition_read(arena, KIND_TOOL, once.text, NULL);
    require(twice.fault == CANONICAL_FINE && strcmp(once.hash, twice.hash) == 0);
    require(tn_slice_same(once.text, twice.text));
    tn_buf_init(&form, arena, 0, CANONICAL_BYTES_MAX);
    require(tn_canonical_write(&form, arena, once.value) == CANONICAL_FINE);
    require(tn_canonical_read(arena, tn_buf_slice(&form), CANONICAL_DEPTH_MAX, &value) == CANONICAL_FINE);
    twice = tn_definition_read(arena, KIND_TOOL, tn_buf_slice(&form), NULL);
    require(strcmp(once.hash, twice.hash) == 0);
    tn_screen_definition(&screening, arena, &once);
}

static void count_line(void *user, char mark, struct tn_slice line)
{
    if (mark != ' ' || line.len == SIZE_MAX)
        ++*(size_t *)user;
}

/* Each tool beside the first, in words and line by line. */
static void compare(struct tn_arena *arena, const struct tn_offer *offer)
{
    const struct tn_offer_list *tools = &offer->kinds[KIND_TOOL];

    for (size_t i = 0; i < tools->count && i < 8; i++) {
        size_t        lines = 0;
        struct tn_buf text;

        if (tools->at[0].fault != CANONICAL_FINE || tools->at[i].fault != CANONICAL_FINE)
            continue;
        tn_buf_init(&text, arena, 0, CHANGE_TEXT_MAX);
        tn_change_describe(&text, arena, tools->at[0].value, tools->at[i].value);
        require(tn_change_diff(arena, tools->at[0].value, tools->at[i].value, count_line, &lines));
        require(i > 0 || lines == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_slice  text   = { (const char *)data, size };
    tenon_allocator  memory = tn_memory_of(NULL);
    struct tn_lock   lock;
    struct tn_offer  offer;
    struct tn_review review;
    const char      *mistake;
    bool             is_lock;

    tn_lock_init(&lock, &memory);
    is_lock = tn_lock_parse(&lock, "lock", text, (struct tn_slice){ "", 0 }, &mistake);
    require(is_lock || mistake);
    if (is_lock)
        write_again(&lock);
    read_definition(&lock.arena, text);
    if (tn_offer_read(&offer, &lock.arena, text, NULL, &mistake)) {
        require(tn_review_make(&review, &lock.arena, &offer, is_lock && lock.count > 0 ? lock.at : NULL));
        compare(&lock.arena, &offer);
    }
    tn_lock_free(&lock);
    return 0;
}
