/* uri_reference.c - URI references by RFC 3986, sections 3 and 5. */
#include "text/uri_reference.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "text/uri.h"

/* The parts of a reference; `at` is NULL where there is none, which is not the same as an empty one. */
struct parts {
    struct tn_slice scheme, authority, path, query, fragment;
};

static struct tn_slice uri_reference_behind(struct tn_slice text, size_t len)
{
    return (struct tn_slice){ text.at + len, text.len - len };
}

static bool starts_with(struct tn_slice text, const char *prefix)
{
    size_t len = strlen(prefix);

    return text.len >= len && memcmp(text.at, prefix, len) == 0;
}

/* Takes what stands before the first of `marks`, or everything. */
static struct tn_slice take_until(struct tn_slice *rest, const char *marks)
{
    size_t len = 0;

    while (len < rest->len && (rest->at[len] == '\0' || !strchr(marks, rest->at[len])))
        len++;
    *rest = uri_reference_behind(*rest, len);
    return (struct tn_slice){ rest->at - len, len };
}

static struct parts uri_reference_parse(struct tn_slice text)
{
    struct parts    parts  = { 0 };
    struct tn_slice rest   = { text.at ? text.at : "", text.len };
    struct tn_slice scheme = tn_uri_scheme(rest);

    if (scheme.len > 0) {
        parts.scheme = scheme;
        rest         = uri_reference_behind(rest, scheme.len + 1);
    }
    if (starts_with(rest, "//")) {
        rest            = uri_reference_behind(rest, 2);
        parts.authority = take_until(&rest, "/?#");
    }
    parts.path = take_until(&rest, "?#");
    if (starts_with(rest, "?")) {
        rest        = uri_reference_behind(rest, 1);
        parts.query = take_until(&rest, "#");
    }
    if (rest.len > 0)
        parts.fragment = uri_reference_behind(rest, 1);
    return parts;
}

/* How long `path` is without its last segment: "/a/b" becomes "/a". */
static size_t without_last_segment(const char *path, size_t len)
{
    while (len > 0 && path[len - 1] != '/')
        len--;
    return len > 0 ? len - 1 : 0;
}

/* Section 5.2.4, in place: returns the new length. What is written never overtakes what is read. */
static size_t remove_dots(char *path, size_t len)
{
    struct tn_slice in  = { path, len };
    size_t          out = 0;

    while (in.len > 0) {
        if (starts_with(in, "../")) {
            in = uri_reference_behind(in, 3);
        } else if (starts_with(in, "./") || starts_with(in, "/./")) {
            in = uri_reference_behind(in, 2);
        } else if (starts_with(in, "/../")) {
            in  = uri_reference_behind(in, 3);
            out = without_last_segment(path, out);
        } else if (tn_slice_is(in, "/.")) {
            path[out++] = '/';
            break;
        } else if (tn_slice_is(in, "/..")) {
            out         = without_last_segment(path, out);
            path[out++] = '/';
            break;
        } else if (tn_slice_is(in, ".") || tn_slice_is(in, "..")) {
            break;
        } else {
            size_t segment = 1;

            while (segment < in.len && in.at[segment] != '/')
                segment++;
            memmove(path + out, in.at, segment);
            out += segment;
            in = uri_reference_behind(in, segment);
        }
    }
    return out;
}

/* The path of `reference` as seen from `base`, section 5.2.3. */
static void add_merged(struct tn_buf *buf, const struct parts *base, struct tn_slice path)
{
    size_t len = base->path.len;

    while (len > 0 && base->path.at[len - 1] != '/')
        len--;
    if (base->authority.at && base->path.len == 0)
        tn_buf_char(buf, '/');
    else
        tn_buf_add(buf, base->path.at, len);
    tn_buf_add(buf, path.at, path.len);
}

static void add_path(struct tn_buf *buf, const struct parts *base, const struct parts *reference)
{
    size_t start = buf->len;

    if (reference->scheme.at || reference->authority.at || starts_with(reference->path, "/")) {
        tn_buf_add(buf, reference->path.at, reference->path.len);
    } else if (reference->path.len == 0) {
        tn_buf_add(buf, base->path.at, base->path.len);
        return; /* as it is: the base was resolved, or is no path of segments */
    } else {
        add_merged(buf, base, reference->path);
    }
    if (buf->at && !buf->failed && buf->len > start)
        buf->len = start + remove_dots(buf->at + start, buf->len - start);
}

/* Keeps a path that follows on nothing from being read as something else: "//a" as an authority, "a:b" as a scheme. */
static void guard_path(struct tn_buf *buf, size_t start, bool after_scheme)
{
    struct tn_slice path, rest, first;
    const char     *guard;

    if (buf->failed || !buf->at || buf->len == start)
        return;
    path = rest = (struct tn_slice){ buf->at + start, buf->len - start };
    first       = take_until(&rest, "/");
    if (starts_with(path, "//"))
        guard = "/.";
    else if (!after_scheme && memchr(first.at, ':', first.len))
        guard = "./";
    else
        return;
    tn_buf_text(buf, guard);
    if (buf->failed)
        return;
    memmove(buf->at + start + 2, buf->at + start, path.len);
    memcpy(buf->at + start, guard, 2);
}

static void add_part(struct tn_buf *buf, const char *before, struct tn_slice part, const char *after)
{
    if (!part.at)
        return;
    tn_buf_text(buf, before);
    tn_buf_add(buf, part.at, part.len);
    tn_buf_text(buf, after);
}

struct tn_slice tn_uri_reference_resolve(struct tn_arena *arena, struct tn_slice base,
                                         struct tn_slice reference)
{
    struct parts    from, to;
    struct tn_slice scheme, authority;
    struct tn_buf   buf;
    size_t          start;

    if (base.len > REFERENCE_LEN_MAX || reference.len > REFERENCE_LEN_MAX)
        return (struct tn_slice){ NULL, 0 };
    from      = uri_reference_parse(base);
    to        = uri_reference_parse(reference);
    scheme    = to.scheme.at ? to.scheme : from.scheme;
    authority = to.scheme.at || to.authority.at ? to.authority : from.authority;
    tn_buf_init(&buf, arena, base.len + reference.len + 1, REFERENCE_LEN_MAX);
    add_part(&buf, "", scheme, ":");
    add_part(&buf, "//", authority, "");
    start = buf.len;
    add_path(&buf, &from, &to);
    if (!authority.at)
        guard_path(&buf, start, scheme.at != NULL);
    if (to.query.at || to.scheme.at || to.authority.at || to.path.len > 0)
        add_part(&buf, "?", to.query, "");
    else
        add_part(&buf, "?", from.query, "");
    add_part(&buf, "#", to.fragment, "");
    if (!tn_buf_end(&buf))
        return (struct tn_slice){ NULL, 0 };
    return tn_buf_slice(&buf);
}

void tn_uri_reference_split(struct tn_slice uri, struct tn_slice *without, struct tn_slice *fragment)
{
    uri.at    = uri.at ? uri.at : "";
    *without  = take_until(&uri, "#");
    *fragment = uri.len > 0 ? uri_reference_behind(uri, 1) : uri;
}

struct tn_slice tn_uri_reference_decode(struct tn_arena *arena, struct tn_slice fragment)
{
    char  *out = tn_arena_copy(arena, fragment.at, fragment.len);
    size_t len = 0;

    if (!out)
        return (struct tn_slice){ NULL, 0 };
    for (size_t i = 0; i < fragment.len; i++) {
        int high, low;

        if (fragment.at[i] != '%') {
            out[len++] = fragment.at[i];
            continue;
        }
        high = fragment.len - i > 2 ? tn_ascii_hex_value(fragment.at[i + 1]) : -1;
        low  = fragment.len - i > 2 ? tn_ascii_hex_value(fragment.at[i + 2]) : -1;
        if (high < 0 || low < 0)
            return (struct tn_slice){ NULL, 0 };
        out[len++] = (char)(high * 16 + low);
        i += 2;
    }
    out[len] = '\0';
    return tn_utf8_valid(out, len) ? (struct tn_slice){ out, len } : (struct tn_slice){ NULL, 0 };
}
