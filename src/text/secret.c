/* secret.c - names of members that hold credentials. */
#include "text/secret.h"

#include "json/read.h"

#define BY(letter) [(letter) & 31]

/* By their first letter, and without what stands between their words: access_token, access-token and accessToken are one. */
static const char *const words[32][4] = {
    BY('a') = { "authorization", "apikey", "accesstoken" },
    BY('c') = { "cookie", "clientsecret" },
    BY('p') = { "password", "proxyauthorization" },
    BY('r') = { "refreshtoken" },
    BY('s') = { "secret", "setcookie" },
    BY('t') = { "token" },
    BY('x') = { "xapikey", "xauthtoken" },
};

/* How much of `text` is the word; 0 when it does not begin with it. */
static size_t begins_with(struct tn_slice text, const char *word)
{
    size_t len = 0;

    for (; *word; word++, len++) {
        while (len > 0 && len < text.len &&
               (text.at[len] == '_' || text.at[len] == '-' || text.at[len] == ' '))
            len++;
        if (len == text.len || (text.at[len] | 0x20) != *word)
            return 0;
    }
    return len;
}

bool tn_secret_is_key(struct tn_slice key)
{
    if (key.len > 0 && (key.at[0] <= ' ' || key.at[key.len - 1] <= ' '))
        key = tn_slice_trim(key);
    if (key.len == 0)
        return false;
    for (const char *const *word = words[key.at[0] & 31]; *word; word++)
        if (begins_with(key, *word) == key.len)
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
        for (const char *const *word = words[text.at[i] & 31]; *word; word++)
            if (begins_with((struct tn_slice){ text.at + i, text.len - i }, *word) > 0)
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
