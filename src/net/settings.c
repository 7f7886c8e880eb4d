/* settings.c - settings from where they are given, in order of strength, and what holds between them. */
#define _GNU_SOURCE
#include "net/settings.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/memory.h"
#include "json/write.h"
#include "net/settings_table.h"
#include "net/settings_value.h"
#include "text/uri.h"

#define ARENA_MAX   ((size_t)4 << 20) /* the files of keys and tokens, too */
#define MISTAKE_MAX 1000
#define ECHO_MAX    100 /* bytes of a wrong value that are repeated */
#define PREFIX      "TENON_"

#define NO_MEMORY "out of memory"

/* In order of strength; a default is weaker than all. */
enum strength { STRENGTH_NONE = 0, STRENGTH_PROGRAM, STRENGTH_FILE, STRENGTH_ENVIRONMENT, STRENGTH_FLAG };

/* Where a value stands, so that a mistake can name the place. */
struct origin {
    enum strength strength;
    const char   *file;
    size_t        line;
};

/* ---- Mistakes ------------------------------------------------------------------------------------------------ */

static const char *ended(struct buf *text)
{
    const char *said = buf_end(text);

    return said ? said : NO_MEMORY;
}

static const char *say(struct settings *settings, const char *format, ...) TENON_PRINTF(2, 3);

static const char *say(struct settings *settings, const char *format, ...)
{
    struct buf text;
    va_list    args;

    buf_init(&text, &settings->arena, 0, MISTAKE_MAX);
    va_start(args, format);
    buf_addv(&text, format, args);
    va_end(args);
    return ended(&text);
}

static void quote(struct buf *text, struct slice value)
{
    bool cut = value.len > ECHO_MAX;

    json_string(text, value.at, cut ? ECHO_MAX : value.len);
    if (cut)
        buf_lit(text, "...");
}

/* A character of a name, as it stands in that of a variable. */
static char upper(char c)
{
    if (c == '-')
        return '_';
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* A name as it is written in that place. */
static void write_name(struct buf *text, struct slice name, const struct origin *origin)
{
    if (origin->file)
        buf_addf(text, "%s:%zu: ", origin->file, origin->line);
    if (origin->strength == STRENGTH_FLAG)
        buf_lit(text, "--");
    if (origin->strength != STRENGTH_ENVIRONMENT) {
        json_escaped(text, name.at, name.len < ECHO_MAX ? name.len : ECHO_MAX);
        return;
    }
    buf_lit(text, PREFIX);
    for (size_t i = 0; i < name.len; i++)
        buf_char(text, upper(name.at[i]));
}

static const char *unknown(struct settings *settings, struct slice name, const struct origin *origin)
{
    const char *near = settings_near(name);
    struct buf  text;

    buf_init(&text, &settings->arena, 0, MISTAKE_MAX);
    write_name(&text, name, origin);
    buf_lit(&text, " is not a setting");
    if (near) {
        struct origin plain = { .strength = origin->strength };

        buf_lit(&text, "; did you mean ");
        write_name(&text, slice_of(near), &plain);
        buf_char(&text, '?');
    }
    return ended(&text);
}

static const char *not_one(struct settings *settings, const struct setting *row, struct slice value,
                           const char *wants, const struct origin *origin)
{
    struct buf text;

    buf_init(&text, &settings->arena, 0, MISTAKE_MAX);
    write_name(&text, slice_of(row->name), origin);
    buf_addf(&text, " wants %s", wants);
    if (row->kind != SETTING_TOKENS && value.len) {
        buf_lit(&text, "; got ");
        quote(&text, value);
    }
    return ended(&text);
}

/* ---- One setting --------------------------------------------------------------------------------------------- */

static const char *read_file(struct settings *settings, struct slice path);

/* NULL, or the mistake. */
static const char *apply(struct settings *settings, const struct setting *row, struct slice value,
                         const struct origin *origin)
{
    unsigned char *strength = &settings->strength[row - settings_table];
    struct buf     wants;
    const char    *said;

    if (row->kind == SETTING_FILE)
        return origin->strength == STRENGTH_FILE ? not_one(settings, row, value, "to stand elsewhere", origin)
                                                 : read_file(settings, value);
    if (*strength > origin->strength)
        return NULL;
    if (*strength < origin->strength)
        settings_clear(settings, row);
    *strength = (unsigned char)origin->strength;
    buf_init(&wants, &settings->arena, 0, MISTAKE_MAX);
    if (settings_take(settings, row, value, &wants))
        return NULL;
    said = buf_end(&wants);
    return said && *said ? not_one(settings, row, value, said, origin) : NO_MEMORY;
}

static const char *apply_named(struct settings *settings, struct slice name, struct slice value,
                               const struct origin *origin)
{
    const struct setting *row = settings_find(name);

    return row ? apply(settings, row, value, origin) : unknown(settings, name, origin);
}

bool settings_set(struct settings *settings, const char *name, const char *value, const char **mistake)
{
    *mistake = apply_named(settings, slice_of(name), slice_of(value),
                           &(struct origin){ STRENGTH_PROGRAM, NULL, 0 });
    return *mistake == NULL;
}

struct settings *settings_new(const tenon_allocator *memory)
{
    tenon_allocator  from     = memory_of(memory);
    struct settings *settings = memory_new(&from, sizeof *settings);

    if (!settings)
        return NULL;
    *settings = (struct settings){ 0 };
    arena_init(&settings->arena, &from, ARENA_MAX);
    for (size_t i = 0; i < settings_table_count; i++) {
        const struct setting *row     = &settings_table[i];
        const char           *mistake = row->standard
                                            ? apply(settings, row, slice_of(row->standard), &(struct origin){ 0 })
                                            : NULL;

        assert(!mistake || settings->arena.failed);
        if (mistake) {
            settings_free(settings);
            return NULL;
        }
    }
    return settings;
}

void settings_free(struct settings *settings)
{
    tenon_allocator from;

    if (!settings)
        return;
    from = settings->arena.memory;
    arena_free(&settings->arena);
    memory_free(&from, settings, sizeof *settings);
}

/* ---- The file ------------------------------------------------------------------------------------------------ */

/* The value without its quotes, or without the comment behind it. False when a quote is not closed. */
static bool read_value(struct slice text, struct slice *value)
{
    struct slice rest;
    const char  *end;

    *value = text = slice_trim(text);
    if (text.len && (text.at[0] == '"' || text.at[0] == '\'')) {
        end = memchr(text.at + 1, text.at[0], text.len - 1);
        if (!end)
            return false;
        *value = (struct slice){ text.at + 1, (size_t)(end - text.at) - 1 };
        rest   = slice_trim((struct slice){ end + 1, text.len - value->len - 2 });
        return rest.len == 0 || rest.at[0] == '#';
    }
    for (size_t i = 1; i < text.len; i++)
        if (text.at[i] == '#' && (text.at[i - 1] == ' ' || text.at[i - 1] == '\t'))
            *value = slice_trim((struct slice){ text.at, i });
    return true;
}

static const char *read_line(struct settings *settings, struct slice line, const struct origin *origin)
{
    const char  *mark;
    struct slice name, value;

    line = slice_trim(line);
    if (line.len == 0 || line.at[0] == '#')
        return NULL;
    mark = memchr(line.at, '=', line.len);
    if (!mark)
        return say(settings, "%s:%zu: a line is NAME = VALUE, or a # and a comment", origin->file,
                   origin->line);
    name = slice_trim((struct slice){ line.at, (size_t)(mark - line.at) });
    if (!read_value((struct slice){ mark + 1, line.len - (size_t)(mark - line.at) - 1 }, &value))
        return say(settings,
                   "%s:%zu: what begins with a quote ends with the same one, and nothing follows it",
                   origin->file, origin->line);
    return apply_named(settings, name, value, origin);
}

/* All of a file, or NULL and the mistake. */
static bool load(struct settings *settings, const char *path, struct slice *text, const char **mistake)
{
    char   *room = arena_take(&settings->arena, SETTINGS_FILE_BYTES + 1, 1);
    size_t  len  = 0;
    ssize_t got  = 1;
    int     fd   = room ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    *mistake = NO_MEMORY;
    if (!room)
        return false;
    while (fd >= 0 && len <= SETTINGS_FILE_BYTES && got != 0) {
        got = read(fd, room + len, SETTINGS_FILE_BYTES + 1 - len);
        if (got < 0 && errno != EINTR)
            break;
        len += got > 0 ? (size_t)got : 0;
    }
    if (fd < 0 || got < 0)
        *mistake = say(settings, "%s cannot be read: %s", path, strerror(errno));
    else if (len > SETTINGS_FILE_BYTES)
        *mistake = say(settings, "%s is longer than %zu bytes", path, SETTINGS_FILE_BYTES);
    else
        *mistake = NULL;
    if (fd >= 0)
        close(fd);
    *text = (struct slice){ room, len };
    return *mistake == NULL;
}

static const char *read_file(struct settings *settings, struct slice path)
{
    struct origin origin = { STRENGTH_FILE, arena_copy(&settings->arena, path.at, path.len), 0 };
    struct slice  text, line;
    const char   *mistake;

    if (!origin.file)
        return NO_MEMORY;
    if (!load(settings, origin.file, &text, &mistake))
        return mistake;
    while (slice_split(&text, '\n', &line)) {
        origin.line++;
        mistake = read_line(settings, line, &origin);
        if (mistake)
            return mistake;
    }
    return NULL;
}

/* ---- The environment ----------------------------------------------------------------------------------------- */

/* The value of a row's variable; an empty one counts as none. Variables with other names are nobody's mistake: other
 * programs have some that begin alike. */
static bool find_variable(char **environment, const struct setting *row, struct slice *value)
{
    size_t len = strlen(row->name);

    for (; environment && *environment; environment++) {
        const char *at = *environment;
        size_t      i  = 0;

        if (strncmp(at, PREFIX, strlen(PREFIX)) != 0)
            continue;
        for (at += strlen(PREFIX); i < len; i++)
            if (at[i] != upper(row->name[i]))
                break;
        if (i < len || at[len] != '=' || !at[len + 1])
            continue;
        *value = slice_of(at + len + 1);
        return true;
    }
    return false;
}

/* TENON_TOKEN is a client's, and may be here too; so callers' hashes come in every other way. */
static const char *read_environment(struct settings *settings, char **environment)
{
    const struct origin origin = { STRENGTH_ENVIRONMENT, NULL, 0 };

    for (size_t i = 0; i < settings_table_count; i++) {
        const struct setting *row = &settings_table[i];
        const char           *mistake;
        struct slice          value;

        if (row->kind == SETTING_FILE || row->kind == SETTING_TOKENS ||
            !find_variable(environment, row, &value))
            continue;
        mistake = apply(settings, row, value, &origin);
        if (mistake)
            return mistake;
    }
    return NULL;
}

/* ---- Flags --------------------------------------------------------------------------------------------------- */

struct flags {
    char **at;
    int    count, next;
};

enum flag { FLAG_SETTING, FLAG_HELP, FLAG_VERSION, FLAG_END, FLAG_WRONG };

static enum flag wrong(const char **mistake, const char *said)
{
    *mistake = said;
    return FLAG_WRONG;
}

static enum flag next_flag(struct settings *settings, struct flags *flags, const struct setting **row,
                           struct slice *value, const char **mistake)
{
    const struct origin origin = { STRENGTH_FLAG, NULL, 0 };
    const char         *given, *mark;
    struct slice        name;

    if (flags->next >= flags->count)
        return FLAG_END;
    given = flags->at[flags->next++];
    if (strcmp(given, "--help") == 0 || strcmp(given, "-h") == 0)
        return FLAG_HELP;
    if (strcmp(given, "--version") == 0)
        return FLAG_VERSION;
    if (strncmp(given, "--", 2) != 0 || !given[2])
        return wrong(mistake, say(settings, "'%.*s' is not a flag; see --help", ECHO_MAX, given));
    mark = strchr(given, '=');
    name = (struct slice){ given + 2, mark ? (size_t)(mark - given) - 2 : strlen(given) - 2 };
    *row = settings_find(name);
    if (!*row)
        return wrong(mistake, unknown(settings, name, &origin));
    if (mark)
        *value = slice_of(mark + 1);
    else if ((*row)->kind == SETTING_FLAG)
        *value = SLICE_LIT("true");
    else if (flags->next < flags->count)
        *value = slice_of(flags->at[flags->next++]);
    else
        return wrong(mistake,
                     say(settings, "--%s needs a value: --%s %s", (*row)->name, (*row)->name, (*row)->value));
    return FLAG_SETTING;
}

/* Applies all flags; or, with `config`, only looks for the configuration file among them. */
static enum flag read_flags(struct settings *settings, int argc, char **argv, struct slice *config,
                            const char **mistake)
{
    const struct origin   origin = { STRENGTH_FLAG, NULL, 0 };
    struct flags          flags  = { argv, argc, 1 };
    const struct setting *row    = NULL;
    struct slice          value  = { "", 0 };
    enum flag             found;

    while ((found = next_flag(settings, &flags, &row, &value, mistake)) == FLAG_SETTING) {
        if (row->kind == SETTING_FILE && config)
            *config = value;
        if (row->kind == SETTING_FILE || config)
            continue;
        *mistake = apply(settings, row, value, &origin);
        if (*mistake)
            return FLAG_WRONG;
    }
    return found;
}

enum settings_ask settings_read(struct settings *settings, int argc, char **argv, char **environment,
                                const char **mistake)
{
    static const enum settings_ask asks[] = { [FLAG_HELP]    = SETTINGS_HELP,
                                              [FLAG_VERSION] = SETTINGS_VERSION,
                                              [FLAG_END]     = SETTINGS_SERVE,
                                              [FLAG_WRONG]   = SETTINGS_MISTAKE };

    struct slice config = { NULL, 0 };
    enum flag    found;

    *mistake = NULL;
    found    = read_flags(settings, argc, argv, &config, mistake);
    if (found != FLAG_END)
        return asks[found];
    if (!config.at)
        find_variable(environment, settings_find(SLICE_LIT("config")), &config);
    if (config.at)
        *mistake = read_file(settings, config);
    if (!*mistake)
        *mistake = read_environment(settings, environment);
    if (*mistake)
        return SETTINGS_MISTAKE;
    return asks[read_flags(settings, argc, argv, NULL, mistake)];
}

/* ---- What holds between them --------------------------------------------------------------------------------- */

static unsigned strength_of(const struct settings *settings, const char *name)
{
    return settings->strength[settings_find(slice_of(name)) - settings_table];
}

/* Of --stdio and --http the one that is said with more strength holds, so that an operator can overrule a program. */
static const char *choose_transport(struct settings *settings)
{
    unsigned stdio = strength_of(settings, "stdio"), http = strength_of(settings, "http");

    if (!settings->stdio || !settings->http)
        return NULL;
    if (stdio == http)
        return "--stdio and --http exclude each other; give one of them";
    if (stdio > http)
        settings->http = NULL;
    else
        settings->stdio = false;
    return NULL;
}

static bool wants_oauth(const struct settings *settings)
{
    return settings->oauth_issuer || settings->oauth_audience || settings->oauth_keys ||
           settings->oauth_scopes || settings->oauth_algorithms;
}

/* Where others reach it from: beyond loopback, or through a proxy that does. NULL when nowhere. */
static const char *reached_at(const struct settings *settings)
{
    struct setting_address address = settings_address(settings->http);
    struct slice           host, port;

    if (!settings->http)
        return NULL;
    if (settings->public_url && settings_split_url(slice_of(settings->public_url), &host, &port) &&
        !settings_is_loopback(host))
        return settings->public_url;
    return settings_is_loopback(slice_of(address.host)) ? NULL : settings->http;
}

/* Whoever can change what a plain connection carries can make keys, and so tokens. */
static bool is_safe_url(const char *text)
{
    struct slice url = slice_of(text), host, port;

    if (!settings_split_url(url, &host, &port))
        return true; /* a file */
    return slice_fold_equal(uri_scheme(url), SLICE_LIT("https")) || settings_is_loopback(host);
}

static const char *mistake_in_auth(struct settings *settings)
{
    bool        oauth = wants_oauth(settings), any = oauth || settings->tokens.count || settings->tokens_file;
    const char *reached = reached_at(settings);

    if (oauth && !settings->oauth_issuer)
        return "--oauth-... settings need --oauth-issuer, the authorization server's URL";
    if (oauth && reached && !settings->oauth_audience && !settings->public_url)
        return "--oauth-issuer needs --public-url, which clients know the server by, or --oauth-audience: "
               "what tokens "
               "must be issued for";
    if (oauth && (!is_safe_url(settings->oauth_issuer) || !is_safe_url(settings->oauth_keys)))
        return "--oauth-issuer and --oauth-keys are https URLs; on the way of plain http anybody could make "
               "tokens";
    if (settings->no_auth && any)
        return "--no-auth lets everybody call, and tokens do not; give one or the other";
    if (!reached || any || settings->no_auth)
        return NULL;
    return say(
        settings,
        "%s can be reached from other machines, and callers need not say who they are: give --tokens-file or "
        "--oauth-issuer, serve only 127.0.0.1, or say --no-auth if something else keeps strangers away",
        reached);
}

const char *settings_mistake(struct settings *settings)
{
    const char *mistake = choose_transport(settings);

    if (!mistake)
        mistake = mistake_in_auth(settings);
    if (mistake)
        return mistake;
    if (settings->audit_arguments && !settings->audit)
        return "--audit-arguments needs --audit, the file that they are written to";
    if (settings->admin && settings->http && strcmp(settings->admin, settings->http) == 0 &&
        strcmp(settings_address(settings->admin).port, "0") != 0)
        return "--admin and --http cannot share an address; give --admin another port";
    return NULL;
}
