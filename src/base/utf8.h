/* utf8.h - UTF-8: is it valid, how many code points, where to cut. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No overlong forms, no surrogates, nothing above U+10FFFF. */
bool tn_utf8_valid(const char *at, size_t len);

/* Code points of valid UTF-8. */
size_t tn_utf8_count(const char *at, size_t len);

/* The code point at the front of `len` bytes: how many of them it takes; 0 when there is none. */
size_t tn_utf8_read(const char *at, size_t len, uint32_t *code);

#endif
