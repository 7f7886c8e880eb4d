/* ascii.h - what kind of character a byte is; ASCII rules only, whatever the locale. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

static inline bool tn_ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool tn_ascii_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool tn_ascii_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline char tn_ascii_lower(char c)
{
    return tn_ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

/* What a hexadecimal digit of either case stands for; -1 when it is not one. */
static inline int tn_ascii_hex_value(char c)
{
    if (tn_ascii_is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static inline bool tn_ascii_is_hex(char c)
{
    return tn_ascii_hex_value(c) >= 0;
}

#endif
