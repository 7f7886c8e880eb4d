/* reason.c - why an authorization server gives no token, in its own words, as far as they can be shown.
 *
 * Its answer may repeat what was sent. A text with a part of a secret in it is left out: it would end in a terminal or in
 * a log.
 */
#define _GNU_SOURCE
#include <string.h>

#include "login/inside.h"
#include "login/words.h"

#define PART_LEN ((size_t)12) /* of a secret, that is not shown either */

/* Parameters of forms that are secret. */
static const char *const hidden[] = { "code",      "code_verifier",    "refresh_token", "client_secret",
                                      "assertion", "client_assertion", "subject_token" };

/* Is the secret in the text, or a part of it as long as PART_LEN? */
static bool has_part(struct tn_slice text, struct tn_slice secret)
{
    size_t len = secret.len < PART_LEN ? secret.len : PART_LEN;

    for (size_t i = 0; len > 0 && i + len <= text.len; i++)
        if (memmem(secret.at, secret.len, text.at + i, len))
            return true;
    return false;
}

/* The value of a parameter as it was sent, encoded; empty when there is none. */
static struct tn_slice sent_as(struct tn_slice form, const char *name)
{
    size_t          len = strlen(name);
    struct tn_slice part;

    while (tn_slice_split(&form, '&', &part))
        if (part.len > len && part.at[len] == '=' && memcmp(part.at, name, len) == 0)
            return (struct tn_slice){ part.at + len + 1, part.len - len - 1 };
    return (struct tn_slice){ "", 0 };
}

bool reason_reveals(struct login *login, struct tn_slice text, const struct sent *sent)
{
    if (has_part(text, sent->secret) || has_part(text, sent->header))
        return true;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        const char *plain = query_text(&login->arena, sent->form, hidden[i]);

        if (has_part(text, sent_as(tn_slice_of(sent->form), hidden[i])) ||
            (plain && has_part(text, tn_slice_of(plain))))
            return true;
    }
    return false;
}

/* A member that can be shown; NULL when there is none. What would be cut off is looked at no further than a secret that
 * begins before the cut. */
static const char *reason_member(struct login *login, yyjson_val *object, const char *key, size_t shown,
                                 const struct sent *sent)
{
    const char     *text = object ? login_text(login, object, key) : NULL;
    struct tn_slice seen = tn_slice_of(text);

    if (seen.len > shown + PART_LEN)
        seen.len = shown + PART_LEN;
    return text && !reason_reveals(login, seen, sent) ? text : NULL;
}

struct reason reason_of(struct login *login, yyjson_val *object, const struct sent *sent)
{
    const char *error = reason_member(login, object, "error", REASON_ERROR_MAX, sent);
    const char *more  = reason_member(login, object, "error_description", REASON_MORE_MAX, sent);

    return (struct reason){ error ? error : SAY_NO_REASON, more ? ": " : "", more ? more : "" };
}
