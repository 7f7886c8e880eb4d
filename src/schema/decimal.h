/* decimal.h - JSON numbers compared without rounding, whatever their size. */
#ifndef SCHEMA_DECIMAL_H
#define SCHEMA_DECIMAL_H

#include <stdbool.h>

#include <yyjson.h>

/* -1, 0 or 1: how number `a` compares with `b`. Each is a 64-bit integer, a double (taken as its shortest decimal
 * text, which is what was meant) or a raw literal of any length. Cost is linear in the literals. */
int decimal_compare(yyjson_val *a, yyjson_val *b);

/* Is `a` an integer multiple of `b`, which is greater than zero? Exact: 0.0075 is a multiple of 0.0001. */
bool decimal_multiple(yyjson_val *a, yyjson_val *b);

/* 1.0 and 1e3 are integers, 1.5 is not. */
bool decimal_is_integer(yyjson_val *a);

#endif
