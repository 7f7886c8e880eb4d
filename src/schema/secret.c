/* secret.c - names of members that hold credentials. */
#include "schema/secret.h"

#include "json/read.h"

static const char *const words[] = {
    "authorization", "proxy-authorization",
    "cookie",        "set-cookie",
    "x-api-key",     "api-key",
    "apikey",        "password",
    "secret",        "token",
    "access_token",  "refresh_token",
    "client_secret", "x-auth-token",
};

#define WORD_COUNT (sizeof words / sizeof *words)

bool secret_is_key(struct slice key)
{
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (slice_fold_equal(slice_trim(key), slice_of(words[i])))
            return true;
    return false;
}

/* Text of a container has its names in it, whether it can be read or not. */
static bool is_in_text(struct slice text, size_t most)
{
    struct slice trimmed = slice_trim(text);

    if (trimmed.len == 0 || (trimmed.at[0] != '{' && trimmed.at[0] != '['))
        return false;
    for (size_t i = 0; i < trimmed.len && i < most; i++)
        for (size_t k = 0; k < WORD_COUNT; k++) {
            struct slice word = slice_of(words[k]);

            if (trimmed.len - i >= word.len &&
                slice_fold_equal((struct slice){ trimmed.at + i, word.len }, word))
                return true;
        }
    return false;
}

static bool is_in(yyjson_val *value, size_t *left)
{
    bool        object = yyjson_is_obj(value);
    size_t      count  = yyjson_is_ctn(value) ? unsafe_yyjson_get_len(value) : 0;
    yyjson_val *one    = count > 0 ? unsafe_yyjson_get_first(value) : NULL;

    for (; count > 0 && *left > 0; count--, one = unsafe_yyjson_get_next(one)) {
        --*left;
        if (object && secret_is_key(json_slice(one++)))
            return true;
        if (is_in(one, left))
            return true;
    }
    return yyjson_is_str(value) && is_in_text(json_slice(value), *left);
}

bool secret_is_in(yyjson_val *value, size_t most)
{
    return is_in(value, &most);
}
