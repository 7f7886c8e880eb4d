/* check.h - the quick look at a value: sees that most of those that are valid are, and that some are not.
 *
 * A schema that asks for a type, for bounds, for one of a few words, or for a list of such values, is summed up as a
 * `struct tn_check`, which stands where the schema is applied: at the property, at the items. It says yes, or no, only
 * where that is sure. All else is left to the schema itself, which knows every case: 3.0 is an integer there, and numbers
 * that no double holds are compared by their digits.
 *
 * What it costs does not depend on the schema: a comparison of bounds, or of a few short words; of a list, one for each
 * item, which the caller has to account for.
 */
#ifndef DOCUMENT_CHECK_H
#define DOCUMENT_CHECK_H

#include "base/str.h"
#include "model/document_node.h"

enum tn_check_code {
    CHECK_TYPE, /* nothing but the type */
    CHECK_TEXT, /* the length of a text, */
    CHECK_NUMBER,
    CHECK_WORDS, /* texts that are one of a few */
    CHECK_LIST,  /* arrays are not in `tags`: each item has to be looked at */
    CHECK_INTO,  /* nor are objects and arrays whose parts are judged by schemas of their own */
    CHECK_FORK   /* only types that one alternative takes as they are: there is nothing but alternatives */
};

#define CHECK_WORD_MAX  ((size_t)255)          /* bytes of a text that is compared with words */
#define CHECK_EXACT     (UINT64_C(1) << 53)    /* a double holds all integers up to it */
#define CHECK_TAG(tag)  (UINT32_C(1) << (tag)) /* of yyjson, which has five bits */
#define CHECK_ARRAY_TAG CHECK_TAG(YYJSON_TYPE_ARR)

/* When all of a document was read, from `newest` back: sums up what each schema applies to members and items; and of
 * `root`, which defaults there are. */
void tn_check_compile(struct tn_node *newest, const struct tn_node *root);

/* A number that a double holds, exactly; false of every other value. */
static inline bool tn_check_as_double(yyjson_val *value, double *out)
{
    switch (unsafe_yyjson_get_tag(value)) {
    case YYJSON_TYPE_NUM | YYJSON_SUBTYPE_UINT:
        *out = (double)unsafe_yyjson_get_sint(value);
        return unsafe_yyjson_get_uint(value) <= CHECK_EXACT;
    case YYJSON_TYPE_NUM | YYJSON_SUBTYPE_SINT:
        *out = (double)unsafe_yyjson_get_sint(value);
        return unsafe_yyjson_get_sint(value) >= -(int64_t)CHECK_EXACT;
    case YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL: *out = unsafe_yyjson_get_real(value); return true;
    default: return false;
    }
}

static inline bool tn_check_number(const struct tn_check *check, yyjson_val *value)
{
    double number;

    if (unsafe_yyjson_get_type(value) != YYJSON_TYPE_NUM)
        return true; /* nothing is asked of another type */
    return tn_check_as_double(value, &number) && number >= check->number.min && number <= check->number.max;
}

static inline bool tn_check_is_short_text(yyjson_val *value)
{
    return unsafe_yyjson_get_type(value) == YYJSON_TYPE_STR && unsafe_yyjson_get_len(value) <= CHECK_WORD_MAX;
}

/* All texts that are short are decided here: it is one of the words, or not valid. */
static inline bool tn_check_words(const struct tn_check *check, yyjson_val *value)
{
    size_t len = unsafe_yyjson_get_len(value);

    for (size_t i = 0; len <= CHECK_WORD_MAX && i < check->words.count; i++)
        if (unsafe_yyjson_get_len(check->words.at[i]) == len &&
            tn_str_same(unsafe_yyjson_get_str(check->words.at[i]), unsafe_yyjson_get_str(value), len))
            return true;
    return false;
}

/* Is it valid for sure? */
static inline bool tn_check_holds(const struct tn_check *check, yyjson_val *value)
{
    unsigned tag = unsafe_yyjson_get_tag(value);

    if (!(check->tags >> (tag & 31) & 1))
        return false;
    switch (check->code) {
    case CHECK_TEXT:
        return (tag & YYJSON_TYPE_MASK) != YYJSON_TYPE_STR ||
               (unsafe_yyjson_get_len(value) >= check->count.min &&
                unsafe_yyjson_get_len(value) <= check->count.max);
    case CHECK_NUMBER: return tn_check_number(check, value);
    case CHECK_WORDS: return tn_check_words(check, value);
    default: return true;
    }
}

/* Of a value that does not hold: is it refused for sure? So many bytes have too few characters, or too many, whether they take
 * one byte or four. */
static inline bool tn_check_refuses(const struct tn_check *check, yyjson_val *value)
{
    size_t len = unsafe_yyjson_get_len(value);
    double number;

    switch (check->code) {
    case CHECK_TEXT:
        return unsafe_yyjson_get_type(value) == YYJSON_TYPE_STR &&
               (len < (check->count.min + 3) / 4 || len / 4 > check->count.max);
    case CHECK_NUMBER:
        return tn_check_as_double(value, &number) &&
               (number < check->number.min || number > check->number.max);
    case CHECK_WORDS: return tn_check_is_short_text(value);
    default: return false;
    }
}

/* Both in one look. What is refused is a text or a number; what is open may be refused for its type. */
enum tn_check_result { CHECK_OPEN, CHECK_HOLDS, CHECK_REFUSED };

static inline enum tn_check_result tn_check_result(const struct tn_check *check, yyjson_val *value)
{
    unsigned tag = unsafe_yyjson_get_tag(value);
    size_t   len = unsafe_yyjson_get_len(value);
    double   number;

    if (!(check->tags >> (tag & 31) & 1))
        return CHECK_OPEN;
    switch (check->code) {
    case CHECK_TEXT:
        if ((tag & YYJSON_TYPE_MASK) != YYJSON_TYPE_STR ||
            (len >= check->count.min && len <= check->count.max))
            return CHECK_HOLDS;
        return tn_check_refuses(check, value) ? CHECK_REFUSED : CHECK_OPEN;
    case CHECK_NUMBER:
        if ((tag & YYJSON_TYPE_MASK) != YYJSON_TYPE_NUM)
            return CHECK_HOLDS;
        if (!tn_check_as_double(value, &number))
            return CHECK_OPEN;
        return number >= check->number.min && number <= check->number.max ? CHECK_HOLDS : CHECK_REFUSED;
    case CHECK_WORDS:
        if (tn_check_words(check, value))
            return CHECK_HOLDS;
        return len <= CHECK_WORD_MAX ? CHECK_REFUSED : CHECK_OPEN;
    default: return CHECK_HOLDS;
    }
}

/* Is there more to see of it than tn_check_holds() does? Then tn_check_items() sees it, item by item. */
static inline bool tn_check_is_list(const struct tn_check *check, yyjson_val *value)
{
    return check->code == CHECK_LIST && unsafe_yyjson_is_arr(value);
}

bool tn_check_items(const struct tn_check *check, yyjson_val *array);

#endif
