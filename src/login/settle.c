/* settle.c - what stays of an answer: the few texts that are kept. Documents, forms and keys of it are overwritten. */
#include <string.h>

#include "login/inside.h"

#define TEXTS_MAX (12 + 2 * KNOWN_ISSUERS_MAX)

/* Where the texts stand that outlive an answer. */
struct texts {
    const char **at[TEXTS_MAX];
    size_t       count;
};

static void add(struct texts *texts, const char **text)
{
    if (*text)
        texts->at[texts->count++] = text;
}

static void find_texts(struct login *login, struct texts *texts)
{
    struct kept *kept = &login->kept;

    texts->count = 0;
    add(texts, &kept->issuer);
    add(texts, &kept->access);
    add(texts, &kept->refresh);
    add(texts, &kept->scope);
    add(texts, &kept->key);
    add(texts, &kept->client.id);
    add(texts, &kept->client.secret);
    add(texts, &kept->client.method);
    add(texts, &kept->client.redirect);
    add(texts, &login->authorization);
    add(texts, &login->server_nonce);
    add(texts, &login->issuer_nonce);
    for (size_t i = 0; i < kept->known_count; i++) {
        add(texts, &kept->known[i].client);
        add(texts, &kept->known[i].issuer);
    }
}

void login_settle(struct login *login)
{
    const char  *copies[TEXTS_MAX];
    struct texts texts;
    struct arena next;

    find_texts(login, &texts);
    arena_init(&next, &login->arena.memory, login->arena.max);
    for (size_t i = 0; i < texts.count; i++)
        copies[i] = arena_copy(&next, *texts.at[i], strlen(*texts.at[i]));
    if (next.failed) { /* then it stays where it is */
        arena_rest(&next, 0);
        arena_free(&next);
        return;
    }
    for (size_t i = 0; i < texts.count; i++)
        *texts.at[i] = copies[i];
    arena_rest(&login->arena, 0);
    arena_free(&login->arena);
    login->arena = next;
}
