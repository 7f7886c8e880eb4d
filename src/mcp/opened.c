/* opened.c - a table of ids, each in the slot that its first characters name: they are of its nonce, which is random. */
#include "mcp/opened.h"

#include <sodium.h>
#include <string.h>

#include "base/memory.h"

#define PART  ((size_t)crypto_verify_64_BYTES)
#define NAMED ((size_t)4) /* characters of an id that name its slot */

_Static_assert(OPENED_ID_MAX % PART == 0, "an id is compared in parts, all of it");
_Static_assert(OPENED_NAME_MAX <= PART, "a name is compared as one");

struct slot {
    unsigned char id[OPENED_ID_MAX], name[PART]; /* with zeros after them */
    size_t        id_len, name_len;              /* 0, when nothing is here */
    int64_t       until_ms;
    unsigned char inside[OPENED_LEN];
};

struct tn_opened {
    struct slot slots[OPENED_SLOTS];
};

static bool is_kept(struct tn_slice id, struct tn_slice name)
{
    return id.len > NAMED && id.len <= OPENED_ID_MAX && name.len <= OPENED_NAME_MAX;
}

static size_t slot_of(struct tn_slice id)
{
    size_t slot = 0;

    for (size_t i = 0; i < NAMED; i++)
        slot = slot * 61 + (unsigned char)id.at[i];
    return slot % OPENED_SLOTS;
}

/* An id is a secret to all but its client: how far another is like it must not show in the time that this takes. */
static bool holds(const struct slot *slot, struct tn_slice id, struct tn_slice name)
{
    unsigned char text[OPENED_ID_MAX] = { 0 }, owner[PART] = { 0 };
    int           differ = 0;

    if (slot->id_len != id.len || slot->name_len != name.len)
        return false;
    memcpy(text, id.at, id.len);
    if (name.len > 0)
        memcpy(owner, name.at, name.len);
    for (size_t i = 0; i < OPENED_ID_MAX; i += PART)
        differ |= crypto_verify_64(text + i, slot->id + i);
    differ |= crypto_verify_64(owner, slot->name);
    return differ == 0;
}

bool tn_opened_find(const struct tn_opened *opened, struct tn_slice id, struct tn_slice name, int64_t now_ms,
                    unsigned char inside[OPENED_LEN])
{
    const struct slot *slot;

    if (!opened || !is_kept(id, name))
        return false;
    slot = &opened->slots[slot_of(id)];
    if (slot->until_ms <= now_ms || !holds(slot, id, name))
        return false;
    memcpy(inside, slot->inside, OPENED_LEN);
    return true;
}

void tn_opened_keep(struct tn_opened **opened, const tenon_allocator *memory, struct tn_slice id,
                    struct tn_slice name, int64_t until_ms, const unsigned char inside[OPENED_LEN])
{
    struct slot *slot;

    if (!is_kept(id, name))
        return;
    if (!*opened && (*opened = tn_memory_new(memory, sizeof **opened)))
        memset(*opened, 0, sizeof **opened);
    if (!*opened)
        return;
    slot  = &(*opened)->slots[slot_of(id)];
    *slot = (struct slot){ .id_len = id.len, .name_len = name.len, .until_ms = until_ms };
    memcpy(slot->id, id.at, id.len);
    if (name.len > 0)
        memcpy(slot->name, name.at, name.len);
    memcpy(slot->inside, inside, OPENED_LEN);
}

void tn_opened_free(struct tn_opened *opened, const tenon_allocator *memory)
{
    if (!opened)
        return;
    sodium_memzero(opened, sizeof *opened);
    tn_memory_free(memory, opened, sizeof *opened);
}
