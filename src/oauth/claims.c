/* claims.c - issuer, audience, times, subject and scopes of a token (RFC 7519, RFC 9068). */
#include "oauth/claims.h"

#include <string.h>

#include "base/buf.h"
#include "json/read.h"
#include "oauth/jwt.h"
#include "oauth/words.h"

#define NAME_MAX_ ((size_t)1024)
#define SECONDS   1e12 /* no time is later */

/* ---- Audience ------------------------------------------------------------------------------------------------ */

/* A resource without its fragment, and without one '/' at its end. */
static struct tn_slice plain_resource(struct tn_slice text)
{
    const char *mark = text.len ? memchr(text.at, '#', text.len) : NULL;

    if (mark)
        text.len = (size_t)(mark - text.at);
    if (text.len > 0 && text.at[text.len - 1] == '/')
        text.len--;
    return text;
}

static bool is_for(yyjson_val *value, struct tn_slice audience)
{
    struct tn_slice text = tn_json_slice(value);

    if (!text.at)
        return false;
    text     = plain_resource(text);
    audience = plain_resource(audience);
    return text.len > 0 && text.len == audience.len && memcmp(text.at, audience.at, text.len) == 0;
}

static bool has_audience(yyjson_val *claims, struct tn_slice audience)
{
    yyjson_val *value = yyjson_obj_get(claims, "aud"), *one;
    size_t      i, count;

    if (!yyjson_is_arr(value))
        return is_for(value, audience);
    yyjson_arr_foreach(value, i, count, one) if (is_for(one, audience)) return true;
    return false;
}

/* ---- Times --------------------------------------------------------------------------------------------------- */

/* False when it is there and no time. */
static bool read_time(yyjson_val *claims, const char *name, double *time, bool *given)
{
    yyjson_val *value = yyjson_obj_get(claims, name);

    *given = value != NULL;
    if (!value)
        return true;
    *time = yyjson_is_num(value) ? yyjson_get_num(value) : -1;
    return *time >= 0 && *time <= SECONDS;
}

static const char *judge_times(yyjson_val *claims, int64_t now_s, int64_t *expires_s)
{
    double now = (double)now_s, expires = 0, begins = 0, issued = 0;
    bool   has_expiry, has_begin, has_issue;

    if (!read_time(claims, "exp", &expires, &has_expiry) || !has_expiry)
        return WHY_NO_EXPIRY;
    if (expires <= now)
        return WHY_EXPIRED;
    if (!read_time(claims, "nbf", &begins, &has_begin) || !read_time(claims, "iat", &issued, &has_issue))
        return WHY_EARLY;
    if ((has_begin && begins > now + CLAIMS_LEEWAY_S) || (has_issue && issued > now + CLAIMS_LEEWAY_S))
        return WHY_EARLY;
    *expires_s = (int64_t)expires;
    return NULL;
}

/* ---- Scopes -------------------------------------------------------------------------------------------------- */

static bool add_scopes(struct tn_buf *out, struct tn_slice text)
{
    struct tn_slice one;

    while (tn_slice_split(&text, ' ', &one)) {
        if (one.len == 0)
            continue;
        for (size_t i = 0; i < one.len; i++)
            if (one.at[i] <= 0x20 || one.at[i] >= 0x7F || one.at[i] == '"' || one.at[i] == '\\')
                return false;
        if (out->len > 0)
            tn_buf_char(out, ' ');
        tn_buf_add(out, one.at, one.len);
    }
    return true;
}

/* "scope" is a text (RFC 8693); "scp" is what some issuers have in its place, a text or a list. */
static bool read_scopes(yyjson_val *claims, struct tn_arena *arena, struct tn_slice *scopes)
{
    yyjson_val   *value = yyjson_obj_get(claims, "scope"), *one;
    struct tn_buf out;
    size_t        i, count;

    if (!value)
        value = yyjson_obj_get(claims, "scp");
    tn_buf_init(&out, arena, 0, JWT_LEN_MAX);
    if (yyjson_is_str(value) &&
        !add_scopes(&out, (struct tn_slice){ yyjson_get_str(value), yyjson_get_len(value) }))
        return false;
    if (value && !yyjson_is_str(value) && !yyjson_is_arr(value))
        return false;
    yyjson_arr_foreach(value, i, count,
                       one) if (!yyjson_is_str(one) ||
                                !add_scopes(&out, (struct tn_slice){ yyjson_get_str(one),
                                                                     yyjson_get_len(one) })) return false;
    *scopes = tn_buf_slice(&out);
    return !out.failed;
}

/* ---- All together -------------------------------------------------------------------------------------------- */

/* A client that acts for itself has no subject of its own at some issuers. */
static bool read_name(yyjson_val *claims, struct tn_slice issuer, struct tn_arena *arena,
                      struct tn_slice *name)
{
    struct tn_slice who;
    struct tn_buf   out;

    if ((!jwt_text(claims, "sub", &who) || who.len == 0) &&
        (!jwt_text(claims, "client_id", &who) || who.len == 0))
        return false;
    tn_buf_init(&out, arena, 0, NAME_MAX_);
    tn_buf_add(&out, issuer.at, issuer.len);
    tn_buf_char(&out, '|');
    tn_buf_add(&out, who.at, who.len);
    *name = tn_buf_slice(&out);
    return !out.failed;
}

const char *claims_judge(yyjson_val *claims, const struct claims_wanted *wanted, struct tn_arena *arena,
                         struct tn_oauth_judgement *judgement, int64_t *expires_s)
{
    struct tn_slice issuer;
    const char     *why;

    if (!jwt_text(claims, "iss", &issuer) || issuer.len != wanted->issuer.len ||
        memcmp(issuer.at, wanted->issuer.at, issuer.len) != 0)
        return WHY_ISSUER;
    if (!has_audience(claims, wanted->audience))
        return WHY_AUDIENCE;
    why = judge_times(claims, wanted->now_s, expires_s);
    if (why)
        return why;
    if (!read_name(claims, issuer, arena, &judgement->name))
        return WHY_NOBODY;
    return read_scopes(claims, arena, &judgement->scopes) ? NULL : WHY_SCOPES;
}
