/* decimal.c - JSON numbers compared and divided without rounding.
 *
 * Integers of 64 bits, and doubles that are such integers, are handled as they are. Everything else becomes a pointer
 * to its significant digits and the power of ten of the last one. Both ends of the digits are then no zeros, and that
 * makes long exponents harmless: a number is a multiple of another only if its power of ten is no smaller, and of the
 * zeros that the difference adds, only as many matter as the divisor has factors of two or five.
 */
#include "text/decimal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "base/str.h"
#include "json/write.h"

#define EXACT_INTEGER    9007199254740992. /* 2^53: up to here a whole double is the integer that it looks like */
#define EXACT_MAGNITUDE  UINT64_C(9007199254740992)
#define EXACT_DIGITS     16 /* of 2^53 */
#define ZEROS_MAX        123 /* 2^123 > 10^DECIMAL_DIVISOR_DIGITS */
#define CHUNK_DIGITS     18
#define HASH_MULTIPLIER  UINT64_C(0x9E3779B97F4A7C15)

__extension__ typedef unsigned __int128 wide;

/* `digits` may contain a point. Zero has no digits. */
struct decimal {
    bool            negative;
    struct tn_slice digits;
    size_t          count;    /* of the digits, without the point */
    int64_t         exponent; /* power of ten that the last digit stands for */
    char            room[JSON_NUMBER_ROOM];
};

/* A sign and a magnitude, for what fits. */
struct whole {
    bool     negative;
    uint64_t magnitude;
};

/* Is it a 64-bit integer that can be had without looking at digits? */
static bool as_whole(yyjson_val *number, struct whole *whole)
{
    double real;

    if (yyjson_is_uint(number)) {
        *whole = (struct whole){ false, unsafe_yyjson_get_uint(number) };
        return true;
    }
    if (yyjson_is_sint(number)) {
        int64_t value = unsafe_yyjson_get_sint(number);

        *whole = (struct whole){ value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value };
        return true;
    }
    if (!yyjson_is_real(number))
        return false;
    real = unsafe_yyjson_get_real(number);
    if (fabs(real) > EXACT_INTEGER || trunc(real) != real)
        return false;
    *whole = (struct whole){ real < 0, (uint64_t)fabs(real) };
    return true;
}

static struct tn_slice decimal_text_of(yyjson_val *number, char room[JSON_NUMBER_ROOM])
{
    struct whole whole;
    size_t       at = JSON_NUMBER_ROOM;

    if (yyjson_is_raw(number))
        return (struct tn_slice){ unsafe_yyjson_get_raw(number), unsafe_yyjson_get_len(number) };
    if (!as_whole(number, &whole))
        return (struct tn_slice){ room, tn_json_number_text(unsafe_yyjson_get_real(number), room) };
    do
        room[--at] = (char)('0' + whole.magnitude % 10);
    while ((whole.magnitude /= 10) > 0);
    if (whole.negative)
        room[--at] = '-';
    return (struct tn_slice){ room + at, JSON_NUMBER_ROOM - at };
}

/* What follows "e". */
static int64_t read_exponent(struct tn_slice text)
{
    bool    negative = text.len > 0 && text.at[0] == '-';
    int64_t value    = 0;

    for (size_t i = 0; i < text.len; i++)
        if (tn_ascii_is_digit(text.at[i]))
            value = value < DECIMAL_EXPONENT_MAX / 10 ? value * 10 + (text.at[i] - '0')
                                                      : DECIMAL_EXPONENT_MAX;
    return negative ? -value : value;
}

/* The digits without the zeros at both ends. */
static void decimal_trim(struct decimal *decimal, struct tn_slice mantissa)
{
    const char *point = memchr(mantissa.at, '.', mantissa.len);
    size_t      first = 0, end = mantissa.len;

    while (first < end && (mantissa.at[first] == '0' || mantissa.at[first] == '.'))
        first++;
    while (end > first && (mantissa.at[end - 1] == '0' || mantissa.at[end - 1] == '.'))
        end--;
    decimal->digits = (struct tn_slice){ mantissa.at + first, end - first };
    decimal->count  = end - first;
    if (decimal->count == 0) {
        decimal->negative = false;
        decimal->exponent = 0;
    } else if (!point) {
        decimal->exponent += (int64_t)(mantissa.len - end);
    } else {
        size_t at = (size_t)(point - mantissa.at);

        if (at > first && at < end)
            decimal->count--;
        /* A last digit before the point is followed by zeros up to it. */
        decimal->exponent += at >= end ? (int64_t)(at - end) : (int64_t)at + 1 - (int64_t)end;
    }
}

static void read_decimal(struct decimal *decimal, yyjson_val *number)
{
    struct tn_slice text = decimal_text_of(number, decimal->room);
    size_t          len  = 0;

    decimal->negative = text.len > 0 && text.at[0] == '-';
    if (decimal->negative)
        text = (struct tn_slice){ text.at + 1, text.len - 1 };
    while (len < text.len && (tn_ascii_is_digit(text.at[len]) || text.at[len] == '.'))
        len++;
    decimal->exponent = len < text.len
                            ? read_exponent((struct tn_slice){ text.at + len + 1, text.len - len - 1 })
                            : 0;
    decimal_trim(decimal, (struct tn_slice){ text.at, len });
}

/* The next digit, or a zero behind the last. */
static unsigned next_digit(struct tn_slice *digits)
{
    char c;

    if (digits->len > 0 && digits->at[0] == '.')
        *digits = (struct tn_slice){ digits->at + 1, digits->len - 1 };
    if (digits->len == 0)
        return 0;
    c       = digits->at[0];
    *digits = (struct tn_slice){ digits->at + 1, digits->len - 1 };
    return (unsigned)(c - '0');
}

static int compare_digits(struct tn_slice a, struct tn_slice b)
{
    while (a.len > 0 || b.len > 0) {
        unsigned x = next_digit(&a), y = next_digit(&b);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int compare_magnitudes(const struct decimal *a, const struct decimal *b)
{
    int64_t a_top = a->exponent + (int64_t)a->count, b_top = b->exponent + (int64_t)b->count;

    if (a->count == 0 || b->count == 0)
        return (a->count > 0) - (b->count > 0);
    if (a_top != b_top)
        return a_top < b_top ? -1 : 1;
    return compare_digits(a->digits, b->digits);
}

static int compare_wholes(struct whole a, struct whole b)
{
    int order = (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);

    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    return a.negative ? -order : order;
}

static int compare_texts(yyjson_val *a, yyjson_val *b)
{
    struct decimal x, y;
    int            order;

    read_decimal(&x, a);
    read_decimal(&y, b);
    if (x.negative != y.negative)
        return x.negative ? -1 : 1;
    order = compare_magnitudes(&x, &y);
    return x.negative ? -order : order;
}

/* Shortest decimals lie as their doubles do, so that two doubles need no text; nor does an integer that is one. */
int tn_decimal_compare(yyjson_val *a, yyjson_val *b)
{
    struct whole x = { 0 }, y = { 0 };
    bool         x_whole = as_whole(a, &x), y_whole = as_whole(b, &y);
    double       x_real, y_real;

    if (x_whole && y_whole)
        return compare_wholes(x, y);
    if (yyjson_is_raw(a) || yyjson_is_raw(b) || (x_whole && x.magnitude > EXACT_MAGNITUDE) ||
        (y_whole && y.magnitude > EXACT_MAGNITUDE))
        return compare_texts(a, b);
    x_real = yyjson_get_num(a);
    y_real = yyjson_get_num(b);
    return (x_real > y_real) - (x_real < y_real);
}

static wide value_of(const struct decimal *decimal)
{
    struct tn_slice digits = decimal->digits;
    wide            value  = 0;

    assert(decimal->count <= DECIMAL_DIVISOR_DIGITS);
    while (digits.len > 0)
        value = value * 10 + next_digit(&digits);
    return value;
}

/* The remainder of the digits, with `zeros` behind them. A divisor of 64 bits takes CHUNK_DIGITS at a time. */
static wide remainder_of(const struct decimal *decimal, size_t zeros, wide divisor)
{
    struct tn_slice digits = decimal->digits;
    size_t          left   = decimal->count + zeros;
    size_t          most   = divisor <= UINT64_MAX ? CHUNK_DIGITS : 1;
    wide            rest   = 0;

    while (left > 0) {
        uint64_t scale = 1, chunk = 0;

        for (size_t i = 0; i < most && left > 0; i++, left--) {
            scale *= 10;
            chunk = chunk * 10 + next_digit(&digits);
        }
        rest = (rest * scale + chunk) % divisor;
    }
    return rest;
}

static bool divide_texts(yyjson_val *a, yyjson_val *b)
{
    struct decimal x, y;
    int64_t        zeros;

    read_decimal(&x, a);
    read_decimal(&y, b);
    if (y.count == 0 || y.negative)
        return false;
    zeros = x.exponent - y.exponent;
    if (x.count == 0)
        return true;
    if (zeros < 0)
        return false; /* the last digit of `x` is not zero */
    if (y.count > DECIMAL_DIVISOR_DIGITS)
        return x.count == y.count && compare_digits(x.digits, y.digits) == 0;
    return remainder_of(&x, zeros > ZEROS_MAX ? ZEROS_MAX : (size_t)zeros, value_of(&y)) == 0;
}

bool tn_decimal_multiple(yyjson_val *a, yyjson_val *b)
{
    struct whole x, y;

    if (as_whole(a, &x) && as_whole(b, &y))
        return !y.negative && y.magnitude > 0 && x.magnitude % y.magnitude == 0;
    return divide_texts(a, b);
}

bool tn_decimal_is_integer(yyjson_val *a)
{
    struct decimal decimal;

    if (yyjson_is_int(a))
        return true;
    if (yyjson_is_real(a))
        return trunc(unsafe_yyjson_get_real(a)) == unsafe_yyjson_get_real(a);
    read_decimal(&decimal, a);
    return decimal.exponent >= 0;
}

static uint64_t decimal_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * HASH_MULTIPLIER;
    return hash ^ hash >> 32;
}

/* Small integers are by far the most; they have a hash of their own, whatever they were written as. */
static bool is_small(const struct decimal *decimal, uint64_t *magnitude)
{
    if (decimal->exponent < 0 || (int64_t)decimal->count + decimal->exponent > EXACT_DIGITS)
        return false;
    *magnitude = (uint64_t)value_of(decimal);
    for (int64_t i = 0; i < decimal->exponent; i++)
        *magnitude *= 10;
    return *magnitude <= EXACT_MAGNITUDE;
}

uint64_t tn_decimal_hash(yyjson_val *a)
{
    struct whole    whole;
    struct decimal  decimal;
    struct tn_slice digits;
    uint64_t        hash, magnitude;

    if (as_whole(a, &whole) && whole.magnitude <= EXACT_MAGNITUDE)
        return decimal_mix(whole.negative, whole.magnitude);
    read_decimal(&decimal, a);
    if (is_small(&decimal, &magnitude))
        return decimal_mix(decimal.negative, magnitude);
    hash   = decimal_mix(decimal.negative, (uint64_t)decimal.exponent);
    digits = decimal.digits;
    while (digits.len > 0)
        hash = decimal_mix(hash, next_digit(&digits));
    return hash;
}
