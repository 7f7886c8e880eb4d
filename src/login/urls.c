/* urls.c - addresses and forms: encoding, comparing, random words. */
#include <sodium.h>
#include <string.h>

#include "base/ascii.h"
#include "fetch/url.h"
#include "login/inside.h"

void urls_encode(struct tn_buf *to, struct tn_slice text)
{
    static const char hex[] = "0123456789ABCDEF";

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (tn_ascii_is_letter((char)c) || tn_ascii_is_digit((char)c) || (c && strchr("-._~", c))) {
            tn_buf_char(to, (char)c);
            continue;
        }
        tn_buf_char(to, '%');
        tn_buf_char(to, hex[c >> 4]);
        tn_buf_char(to, hex[c & 15]);
    }
}

void urls_add(struct tn_buf *form, const char *name, struct tn_slice text)
{
    if (form->len > 0 && form->at[form->len - 1] != '?')
        tn_buf_char(form, '&');
    tn_buf_text(form, name);
    tn_buf_char(form, '=');
    urls_encode(form, text);
}

/* A part of it in the arena, in small letters when `fold`; NULL when there is none. */
static const char *urls_part(struct tn_arena *arena, struct tn_url *url, enum tn_url_part which, bool fold)
{
    const char *text = tn_url_get(url, which);
    char       *copy = text ? tn_arena_copy(arena, text, strlen(text)) : NULL;

    for (char *at = copy; fold && at && *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    return copy;
}

const char *urls_origin(struct tn_arena *arena, const char *text)
{
    struct tn_url *url    = tn_url_new(text);
    const char    *scheme = url ? urls_part(arena, url, URL_SCHEME, true) : NULL;
    const char    *host   = scheme ? urls_part(arena, url, URL_HOST, true) : NULL;
    const char    *port   = host ? urls_part(arena, url, URL_PORT, false) : NULL;
    struct tn_buf  out;

    tn_url_free(url);
    if (!port)
        return NULL;
    tn_buf_init(&out, arena, 64, LOGIN_TEXT_MAX);
    tn_buf_text(&out, scheme);
    tn_buf_lit(&out, "://");
    tn_buf_text(&out, host);
    tn_buf_char(&out, ':');
    tn_buf_text(&out, port);
    return tn_buf_end(&out);
}

const char *urls_path(struct tn_arena *arena, const char *text)
{
    struct tn_url *url  = tn_url_new(text);
    const char    *path = url ? urls_part(arena, url, URL_PATH, false) : NULL;
    size_t         len  = path ? strlen(path) : 0;

    tn_url_free(url);
    while (len > 0 && path[len - 1] == '/')
        len--;
    return path ? tn_arena_copy(arena, path, len) : NULL;
}

struct tn_slice urls_root(const char *url)
{
    const char *mark = strstr(url, "://");
    size_t      len  = mark ? (size_t)(mark - url) + 3 : 0;

    return (struct tn_slice){ url, len + strcspn(url + len, "/?#") };
}

bool urls_cover(struct tn_arena *arena, const char *resource, const char *url)
{
    const char *origin = urls_origin(arena, resource), *other = urls_origin(arena, url);
    const char *path = urls_path(arena, resource), *whole = urls_path(arena, url);
    size_t      len = path ? strlen(path) : 0;

    if (!origin || !other || !path || !whole || strcmp(origin, other) != 0 || strpbrk(resource, "?#"))
        return false;
    return strncmp(whole, path, len) == 0 && (!whole[len] || whole[len] == '/');
}

const char *urls_base64(struct tn_arena *arena, const void *bytes, size_t len)
{
    size_t room = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    char  *text = tn_arena_take(arena, room, 1);

    return text ? sodium_bin2base64(text, room, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING) : NULL;
}

const char *urls_random(struct tn_arena *arena, size_t len)
{
    unsigned char *bytes = sodium_init() >= 0 ? tn_arena_take(arena, len, 1) : NULL;

    if (!bytes)
        return NULL;
    randombytes_buf(bytes, len);
    return urls_base64(arena, bytes, len);
}
