/* secret.c - names of members that hold credentials. */
#include "text/secret.h"

#include "json/read.h"

static const struct tn_slice words[] = {
    { "authorization", 13 }, { "proxy-authorization", 19 },
    { "cookie", 6 },         { "set-cookie", 10 },
    { "x-api-key", 9 },      { "api-key", 7 },
    { "apikey", 6 },         { "password", 8 },
    { "secret", 6 },         { "token", 5 },
    { "access_token", 12 },  { "refresh_token", 13 },
    { "client_secret", 13 }, { "x-auth-token", 12 },
};

#define WORD_COUNT (sizeof words / sizeof *words)

/* Lengths of the words: most names are none for theirs alone. */
#define LEN_MAX 19
#define LENGTHS                                                                                              \
    (1u << 5 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 10 | 1u << 12 | 1u << 13 | 1u << LEN_MAX)

bool tn_secret_is_key(struct tn_slice key)
{
    if (key.len > 0 && (key.at[0] <= ' ' || key.at[key.len - 1] <= ' '))
        key = tn_slice_trim(key);
    if (key.len > LEN_MAX || !(LENGTHS >> key.len & 1))
        return false;
    for (size_t i = 0; i < WORD_COUNT; i++)
        if (words[i].len == key.len && words[i].at[0] == (key.at[0] | 0x20) &&
            tn_slice_fold_equal(key, words[i]))
            return true;
    return false;
}

/* Text of a container has its names in it, whether it can be read or not. */
static bool is_in_text(struct tn_slice text, size_t most)
{
    if (text.len > 0 && text.at[0] <= ' ')
        text = tn_slice_trim(text);
    if (text.len == 0 || (text.at[0] != '{' && text.at[0] != '['))
        return false;
    for (size_t i = 0; i < text.len && i < most; i++)
        for (size_t k = 0; k < WORD_COUNT; k++)
            if (text.len - i >= words[k].len &&
                tn_slice_fold_equal((struct tn_slice){ text.at + i, words[k].len }, words[k]))
                return true;
    return false;
}

static bool is_in(yyjson_val *value, size_t *left)
{
    bool        object = yyjson_is_obj(value);
    size_t      count  = yyjson_is_ctn(value) ? unsafe_yyjson_get_len(value) : 0;
    yyjson_val *one    = count > 0 ? unsafe_yyjson_get_first(value) : NULL;

    for (; count > 0 && *left > 0; count--, one = unsafe_yyjson_get_next(one)) {
        --*left;
        if (object && tn_secret_is_key(tn_json_slice(one++)))
            return true;
        if (is_in(one, left))
            return true;
    }
    return yyjson_is_str(value) && is_in_text(tn_json_slice(value), *left);
}

bool tn_secret_is_in(yyjson_val *value, size_t most)
{
    return is_in(value, &most);
}
