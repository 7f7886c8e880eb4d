/* settle.c - what stays of an answer: the few texts that are kept. Documents, forms and keys of it are overwritten. */
#include <string.h>

#include "login/inside.h"

#define TEXTS_MAX (12 + 2 * KNOWN_ISSUERS_MAX)

/* Where the texts stand that outlive an answer. */
struct texts {
    const char **at[TEXTS_MAX];
    size_t       count;
};

static void settle_add(struct texts *texts, const char **text)
{
    if (*text)
        texts->at[texts->count++] = text;
}

static void find_texts(struct login *login, struct texts *texts)
{
    struct login_kept *kept = &login->kept;

    texts->count = 0;
    settle_add(texts, &kept->issuer);
    settle_add(texts, &kept->access);
    settle_add(texts, &kept->refresh);
    settle_add(texts, &kept->scope);
    settle_add(texts, &kept->key);
    settle_add(texts, &kept->client.id);
    settle_add(texts, &kept->client.secret);
    settle_add(texts, &kept->client.method);
    settle_add(texts, &kept->client.redirect);
    settle_add(texts, &login->authorization);
    settle_add(texts, &login->server_nonce);
    settle_add(texts, &login->issuer_nonce);
    for (size_t i = 0; i < kept->known_count; i++) {
        settle_add(texts, &kept->known[i].client);
        settle_add(texts, &kept->known[i].issuer);
    }
}

void login_settle(struct login *login)
{
    const char     *copies[TEXTS_MAX];
    struct texts    texts;
    struct tn_arena next;

    find_texts(login, &texts);
    tn_arena_init(&next, &login->arena.memory, login->arena.max);
    for (size_t i = 0; i < texts.count; i++)
        copies[i] = tn_arena_copy(&next, *texts.at[i], strlen(*texts.at[i]));
    if (next.failed) { /* then it stays where it is */
        tn_arena_rest(&next, 0);
        tn_arena_free(&next);
        return;
    }
    for (size_t i = 0; i < texts.count; i++)
        *texts.at[i] = copies[i];
    tn_arena_rest(&login->arena, 0);
    tn_arena_free(&login->arena);
    login->arena = next;
}
