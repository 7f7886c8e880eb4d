/* tokens.c - static bearer tokens: the caller of each, by hash. */
#define _POSIX_C_SOURCE 200809L
#include <sodium.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "net/auth/inside.h"
#include "net/keys.h"

#define KIND        "sha256:"
#define MISTAKE_MAX 500

_Static_assert(AUTH_HASH_LEN == crypto_hash_sha256_BYTES, "an entry holds a hash");

static bool is_name_char(char c)
{
    return tn_ascii_is_letter(c) || tn_ascii_is_digit(c) || (c && strchr("._@-", c));
}

static bool is_name(struct tn_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_name_char(name.at[i]))
            return false;
    return name.len > 0 && name.len <= AUTH_NAME_MAX;
}

bool tn_auth_entry_read(struct tn_slice text, struct tn_auth_entry *entry)
{
    size_t len;

    if (!tn_slice_split(&text, ':', &entry->name) || !is_name(entry->name))
        return false;
    if (text.len != sizeof KIND - 1 + AUTH_HASH_LEN * (size_t)2 ||
        memcmp(text.at, KIND, sizeof KIND - 1) != 0)
        return false;
    return sodium_hex2bin(entry->hash, sizeof entry->hash, text.at + sizeof KIND - 1,
                          AUTH_HASH_LEN * (size_t)2, NULL, &len, NULL) == 0 &&
           len == AUTH_HASH_LEN;
}

void tn_auth_entry_hash(struct tn_slice token, unsigned char hash[AUTH_HASH_LEN])
{
    crypto_hash_sha256(hash, (const unsigned char *)token.at, token.len);
}

/* Says where the entry stands, never what it is: somebody may have put the token itself there. */
static bool tokens_refuse(struct tn_arena *arena, const char **mistake, const char *where, unsigned number,
                          const char *path)
{
    struct tn_buf text;

    tn_buf_init(&text, arena, 0, MISTAKE_MAX);
    tn_buf_addf(&text, "%s %u is not NAME:sha256:HASH as `tenon token` prints it", where, number);
    if (path)
        tn_buf_addf(&text, ": %s", path);
    *mistake = tn_buf_end(&text) ? text.at : "out of memory";
    return false;
}

static bool tokens_add(struct tn_auth_tokens *tokens, const struct tn_auth_entry *entry,
                       struct tn_arena *arena, const char **mistake)
{
    char *name;

    if (tokens->count == AUTH_ENTRIES_MAX) {
        *mistake = "there are more than 1,024 static tokens";
        return false;
    }
    if (!tokens->at)
        tokens->at = tn_arena_array(arena, AUTH_ENTRIES_MAX, struct tn_auth_entry);
    name = tn_arena_copy(arena, entry->name.at, entry->name.len);
    if (!tokens->at || !name) {
        *mistake = "out of memory";
        return false;
    }
    tokens->at[tokens->count]           = *entry;
    tokens->at[tokens->count++].name.at = name;
    return true;
}

static bool tokens_read_file(struct tn_auth_tokens *tokens, struct tn_settings *settings,
                             const char **mistake)
{
    struct tn_arena     *arena = &settings->arena;
    struct tn_auth_entry entry;
    struct tn_slice      rest, line;

    if (tn_keys_read_private(settings->tokens_file, "the tokens file", AUTH_FILE_BYTES, arena, &rest,
                             mistake) != TENON_OK)
        return false;
    for (unsigned number = 1; tn_slice_split(&rest, '\n', &line); number++) {
        line = tn_slice_trim(line);
        if (line.len == 0 || line.at[0] == '#')
            continue;
        if (!tn_auth_entry_read(line, &entry))
            return tokens_refuse(arena, mistake, "in the tokens file, line", number, settings->tokens_file);
        if (!tokens_add(tokens, &entry, arena, mistake))
            return false;
    }
    return true;
}

bool tn_auth_tokens_read(struct tn_auth_tokens *tokens, struct tn_settings *settings, const char **mistake)
{
    struct tn_auth_entry entry;

    for (size_t i = 0; i < settings->tokens.count; i++) {
        if (!tn_auth_entry_read(tn_slice_of(settings->tokens.at[i]), &entry))
            return tokens_refuse(&settings->arena, mistake, "--token number", (unsigned)i + 1, NULL);
        if (!tokens_add(tokens, &entry, &settings->arena, mistake))
            return false;
    }
    if (!settings->tokens_file)
        return true;
    if (!tokens_read_file(tokens, settings, mistake))
        return false;
    if (tokens->count == 0)
        *mistake = "the tokens file has no token, so that no caller could be accepted";
    return tokens->count > 0;
}

const struct tn_auth_entry *tn_auth_tokens_find(const struct tn_auth_tokens *tokens, struct tn_slice token)
{
    const struct tn_auth_entry *found = NULL;
    unsigned char               hash[AUTH_HASH_LEN];

    if (tokens->count == 0)
        return NULL;
    tn_auth_entry_hash(token, hash);
    for (size_t i = 0; i < tokens->count; i++) /* all of them, whichever it is */
        if (sodium_memcmp(hash, tokens->at[i].hash, sizeof hash) == 0)
            found = &tokens->at[i];
    return found;
}
