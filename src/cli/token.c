/* token.c - `tenon token NAME`: a bearer token for a caller, and the line for the server that accepts it.
 *
 * The line, with the hash, goes to standard output, so that it can be appended to a file; the token itself is shown once,
 * on standard error, and is kept nowhere.
 */
#define _POSIX_C_SOURCE 200809L
#include <sodium.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "net/auth/inside.h"

#define PREFIX     "tenon_" /* scanners for secrets that were published find it by this */
#define RANDOM_LEN 32
#define READ_MIN   43 /* as many characters as 32 random bytes take */
#define SEE_HELP   "see tenon token --help"
#define VARIANT    sodium_base64_VARIANT_URLSAFE_NO_PADDING

enum { OPTION_READ, OPTION_HELP, OPTION_VERSION };

static const struct option table[] = {
    [OPTION_READ]    = { "read", '\0', NULL, "read the token from standard input instead of generating one" },
    [OPTION_HELP]    = { "help", 'h', NULL, "print this" },
    [OPTION_VERSION] = { "version", '\0', NULL, "print the version" },
};

static enum ending print_help(FILE *to)
{
    fputs(
        "Usage: tenon token [--read] NAME\n\n"
        "Generates a bearer token for NAME and prints it on standard error, once. Standard output gets the\n"
        "line with its hash, for --token or a --tokens-file of the server:\n\n"
        "  tenon token ann >> tokens\n\n",
        to);
    options_help(to, table, (int)(sizeof table / sizeof *table));
    return ENDING_GOOD;
}

static enum ending token_complain(const struct console *console, const char *text)
{
    console_error(console, "%s; " SEE_HELP, text);
    return ENDING_UNUSABLE;
}

/* The line, made of the name and the token's hash. */
static enum ending print_line(const struct console *console, const char *name, struct tn_slice token)
{
    unsigned char        hash[AUTH_HASH_LEN];
    char                 line[AUTH_NAME_MAX + AUTH_HASH_LEN * 2 + 20], hex[AUTH_HASH_LEN * 2 + 1];
    struct tn_auth_entry entry;
    int                  len;

    tn_auth_entry_hash(token, hash);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    len = snprintf(line, sizeof line, "%s:sha256:%s", name, hex);
    if (len < 0 || (size_t)len >= sizeof line ||
        !tn_auth_entry_read((struct tn_slice){ line, (size_t)len }, &entry))
        return token_complain(console, "NAME must be at most 64 letters, digits and . _ @ -");
    fprintf(console->out, "%s\n", line);
    return ENDING_GOOD;
}

static enum ending draw(const struct console *console, const char *name)
{
    unsigned char random[RANDOM_LEN];
    char          token[sizeof PREFIX + sodium_base64_ENCODED_LEN(RANDOM_LEN, VARIANT)] = PREFIX;
    enum ending   ending;

    randombytes_buf(random, sizeof random);
    sodium_bin2base64(token + sizeof PREFIX - 1, sizeof token - sizeof PREFIX + 1, random, sizeof random,
                      VARIANT);
    ending = print_line(console, name, tn_slice_of(token));
    if (ending == ENDING_GOOD)
        fprintf(console->err, "the token of %s, shown only now: %s\n", name, token);
    sodium_memzero(random, sizeof random);
    sodium_memzero(token, sizeof token);
    return ending;
}

static enum ending read_token(const struct console *console, const char *name)
{
    static const char accepted[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";
    char              text[AUTH_TOKEN_MAX + 3];
    size_t            len   = fread(text, 1, sizeof text, stdin);
    struct tn_slice   token = tn_slice_trim((struct tn_slice){ text, len });
    enum ending       ending;

    if (token.len > AUTH_TOKEN_MAX)
        ending = token_complain(console, "the token has more than 8,192 characters");
    else if (token.len < READ_MIN)
        ending = token_complain(
            console, "a token needs at least 43 characters, generated at random: only its hash is stored");
    else {
        size_t fine = 0, end = token.len;

        while (end > 0 && token.at[end - 1] == '=')
            end--;
        while (fine < end && token.at[fine] && strchr(accepted, token.at[fine]))
            fine++;
        ending = fine == end ? print_line(console, name, token)
                             : token_complain(console, "a token has letters, digits and - . _ ~ + / only");
    }
    sodium_memzero(text, sizeof text);
    return ending;
}

static enum ending token_run(const struct console *console, int count, char **arguments)
{
    struct options options = { .table       = table,
                               .table_count = (int)(sizeof table / sizeof *table),
                               .arguments   = arguments,
                               .count       = count };
    const char    *name    = NULL;
    bool           read    = false;
    int            row;

    while ((row = options_next(&options)) != OPTION_END) {
        switch (row) {
        case OPTION_WRONG: return token_complain(console, options.why);
        case OPTION_HELP: return print_help(console->out);
        case OPTION_VERSION: fprintf(console->out, "tenon %s\n", tenon_version()); return ENDING_GOOD;
        case OPTION_READ: read = true; break;
        default:
            if (name)
                return token_complain(console, "there is more than one NAME");
            name = options.value;
        }
    }
    if (!name)
        return token_complain(console, "a NAME is missing");
    if (sodium_init() < 0)
        return token_complain(console, "the system has no randomness");
    return read ? read_token(console, name) : draw(console, name);
}

const struct command command_token = { "token", "generate a bearer token and its hash for the server",
                                       token_run };
