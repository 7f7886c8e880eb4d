/* random.h - numbers by a seed: the same ones each time (splitmix64). */
#ifndef CONTRACT_FUZZ_RANDOM_H
#define CONTRACT_FUZZ_RANDOM_H

#include <stdint.h>

static inline uint64_t tn_random_next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
