/* fault.c - refuses the nth allocation; what it grants comes from malloc. How many a program refused is its last line, which
 * scripts/quality adds up.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/fault.h"

#include "base/memory.h"

static atomic_size_t refusals;

static void report(void)
{
    fprintf(stderr, "%zu allocations refused\n", atomic_load(&refusals));
}

static void count_refusal(void)
{
    if (atomic_fetch_add(&refusals, 1) == 0)
        atexit(report);
}

static bool must_refuse(const struct tn_fault *fault)
{
    if (fault->refuse_at == 0 || fault->requests < fault->refuse_at)
        return false;
    return fault->refuse_rest || fault->requests == fault->refuse_at;
}

static void *resize_or_refuse(void *user, void *block, size_t old_len, size_t new_len)
{
    struct tn_fault *fault  = user;
    tenon_allocator  memory = tn_memory_of(NULL);
    void            *moved;

    if (new_len > old_len) {
        fault->requests++;
        if (must_refuse(fault)) {
            fault->refused = true;
            count_refusal();
            return NULL;
        }
    }
    moved = memory.resize(memory.user, block, old_len, new_len);
    if (new_len > 0 && !moved)
        return NULL;
    if (!block && moved)
        fault->blocks++;
    if (block && !moved)
        fault->blocks--;
    fault->bytes += new_len - old_len;
    return moved;
}

tenon_allocator tn_fault_allocator(struct tn_fault *fault)
{
    return (tenon_allocator){ .resize = resize_or_refuse, .user = fault };
}
