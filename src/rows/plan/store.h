/* store.h - good values to fields of every size that a row may have. */
#ifndef ROWS_STORE_H
#define ROWS_STORE_H

#include <string.h>

#include "model/node.h"

/* An integer to its field. Its range was checked to fit, signed or not. */
static inline void tn_store_int(unsigned size, int64_t integer, void *out)
{
    switch (size) {
    case 2: memcpy(out, &(int16_t){ (int16_t)integer }, 2); break;
    case 4: memcpy(out, &(int32_t){ (int32_t)integer }, 4); break;
    default: memcpy(out, &integer, 8); break;
    }
}

static inline void tn_store_num(unsigned size, double number, void *out)
{
    if (size == sizeof(float))
        memcpy(out, &(float){ (float)number }, sizeof(float));
    else
        memcpy(out, &number, sizeof number);
}

/* Text to a pointer, or to a tenon_str, which has its length beside it. */
static inline void tn_store_text(unsigned size, struct tn_slice text, void *out)
{
    if (size == sizeof(tenon_str))
        memcpy(out, &(tenon_str){ text.at, text.len }, sizeof(tenon_str));
    else
        memcpy(out, &text.at, sizeof text.at);
}

static inline void tn_store_choice(unsigned size, int choice, void *out)
{
    switch (size) {
    case 1: memcpy(out, &(uint8_t){ (uint8_t)choice }, 1); break;
    case 2: memcpy(out, &(uint16_t){ (uint16_t)choice }, 2); break;
    default: memcpy(out, &choice, sizeof choice); break;
    }
}

#endif
