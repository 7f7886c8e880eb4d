/* number_form.c - digits without zeros around them, and where the point is. */
#include "contract/number_form.h"

/* The value is 0.DIGITS times ten to the power of `point`, DIGITS being those of `digits` that are not a point. */
struct number {
    bool            negative;
    struct tn_slice digits; /* from the first digit that is not zero to the last; a point may be inside */
    size_t          count;  /* digits in it; 0: the number is zero */
    int64_t         point;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exponent after the letter; false when it is larger than the bound. */
static bool read_exponent(struct tn_slice text, int64_t *exponent)
{
    bool   negative = text.len > 0 && text.at[0] == '-';
    size_t i        = text.len > 0 && !is_digit(text.at[0]) ? 1 : 0;

    *exponent = 0;
    for (; i < text.len; i++) {
        *exponent = *exponent * 10 + (text.at[i] - '0');
        if (*exponent > NUMBER_FORM_EXPONENT_MAX)
            return false;
    }
    if (negative)
        *exponent = -*exponent;
    return true;
}

/* Takes zeros from both ends, and says where the point is seen from the first digit that stays. */
static void trim_zeros(struct number *number, struct tn_slice text, int64_t exponent)
{
    size_t first = 0, last = text.len, point = text.len;

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '.')
            point = i;
    while (first < last && (text.at[first] == '0' || text.at[first] == '.'))
        first++;
    while (last > first && (text.at[last - 1] == '0' || text.at[last - 1] == '.'))
        last--;
    number->digits = (struct tn_slice){ text.at + first, last - first };
    number->count  = last - first - (first < point && point < last ? 1 : 0);
    number->point  = exponent + (int64_t)point - (int64_t)first + (first > point ? 1 : 0);
}

static bool read_number(struct number *number, struct tn_slice text)
{
    size_t  mantissa = 0;
    int64_t exponent = 0;
    bool    fits     = true;

    *number = (struct number){ .negative = text.len > 0 && text.at[0] == '-' };
    if (number->negative)
        text = (struct tn_slice){ text.at + 1, text.len - 1 };
    while (mantissa < text.len && (is_digit(text.at[mantissa]) || text.at[mantissa] == '.'))
        mantissa++;
    if (mantissa < text.len)
        fits = read_exponent((struct tn_slice){ text.at + mantissa + 1, text.len - mantissa - 1 }, &exponent);
    trim_zeros(number, (struct tn_slice){ text.at, mantissa }, exponent);
    return fits || number->count == 0;
}

static size_t length_of(int64_t value)
{
    size_t len = value < 0 ? 2 : 1;

    while (value /= 10)
        len++;
    return len;
}

/* Bytes of the form with a point, without its sign. */
static uint64_t plain_length(const struct number *number)
{
    int64_t count = (int64_t)number->count;

    if (number->point <= 0)
        return (uint64_t)(count - number->point) + 2; /* 0.00DIGITS */
    return (uint64_t)(number->point >= count ? number->point : count + 1);
}

static void write_zeros(struct tn_buf *out, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        tn_buf_char(out, '0');
}

/* The digits, with a point before number `point` of them. */
static void write_digits(struct tn_buf *out, const struct number *number, int64_t point)
{
    int64_t written = 0;

    for (size_t i = 0; i < number->digits.len; i++) {
        if (number->digits.at[i] == '.')
            continue;
        if (written++ == point)
            tn_buf_char(out, '.');
        tn_buf_char(out, number->digits.at[i]);
    }
}

static void write_plain(struct tn_buf *out, const struct number *number)
{
    if (number->point <= 0) {
        tn_buf_lit(out, "0.");
        write_zeros(out, -number->point);
        write_digits(out, number, -1);
        return;
    }
    write_digits(out, number, number->point);
    write_zeros(out, number->point - (int64_t)number->count);
}

bool tn_number_form(struct tn_buf *out, struct tn_slice text)
{
    struct number number;
    int64_t       exponent;

    if (!read_number(&number, text))
        return false;
    if (number.count == 0) {
        tn_buf_char(out, '0');
        return true;
    }
    if (number.negative)
        tn_buf_char(out, '-');
    exponent = number.point - (int64_t)number.count;
    if (exponent == 0 || plain_length(&number) <= number.count + 1 + length_of(exponent)) {
        write_plain(out, &number);
        return true;
    }
    write_digits(out, &number, -1);
    tn_buf_char(out, 'e');
    tn_buf_int(out, exponent);
    return true;
}
