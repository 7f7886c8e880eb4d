/* boot.h - a name for what lives as long as this process. */
#ifndef MCP_BOOT_H
#define MCP_BOOT_H

#include <sodium.h>

#define BOOT_LEN   ((size_t)16) /* 64 bits in hexadecimal */
#define BOOT_BYTES (BOOT_LEN / 2)

/* Random, not counted: what another process made, or this one before it was started again, must not be found here. */
static inline void tn_boot_name(char boot[BOOT_LEN + 1])
{
    unsigned char bits[BOOT_BYTES];

    randombytes_buf(bits, sizeof bits);
    sodium_bin2hex(boot, BOOT_LEN + 1, bits, sizeof bits);
}

#endif
