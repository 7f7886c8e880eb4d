/* decimal.h - JSON numbers compared without rounding, whatever their size. */
#ifndef TEXT_DECIMAL_H
#define TEXT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

/* Each number is a 64-bit integer, a double (taken as its shortest decimal text, which is what was meant) or a raw
 * literal of JSON's grammar, of any length. Nothing is allocated, and cost is linear in the literals, whatever their
 * exponents; an exponent past DECIMAL_EXPONENT_MAX either way counts as that. */
#define DECIMAL_EXPONENT_MAX INT64_C(1000000000000000000)

/* -1, 0 or 1: how number `a` compares with `b`. */
int tn_decimal_compare(yyjson_val *a, yyjson_val *b);

/* Is `a` an integer multiple of `b`, which is greater than zero? Exact: 0.0075 is a multiple of 0.0001. Of a divisor with more
 * than DECIMAL_DIVISOR_DIGITS between its first and its last digit that is not zero only the multiples by powers of ten are
 * seen. */
#define DECIMAL_DIVISOR_DIGITS 37
bool tn_decimal_multiple(yyjson_val *a, yyjson_val *b);

/* 1.0 and 1e3 are integers, 1.5 is not. */
bool tn_decimal_is_integer(yyjson_val *a);

/* Equal numbers have equal hashes. */
uint64_t tn_decimal_hash(yyjson_val *a);

#endif
