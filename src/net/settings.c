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

static const char *settings_ended(struct tn_buf *text)
{
    const char *said = tn_buf_end(text);

    return said ? said : NO_MEMORY;
}

static const char *settings_say(struct tn_settings *settings, const char *format, ...) TENON_PRINTF(2, 3);

static const char *settings_say(struct tn_settings *settings, const char *format, ...)
{
    struct tn_buf text;
    va_list       args;

    tn_buf_init(&text, &settings->arena, 0, MISTAKE_MAX);
    va_start(args, format);
    tn_buf_addv(&text, format, args);
    va_end(args);
    return settings_ended(&text);
}

static void quote(struct tn_buf *text, struct tn_slice value)
{
    bool cut = value.len > ECHO_MAX;

    tn_json_string(text, value.at, cut ? ECHO_MAX : value.len);
    if (cut)
        tn_buf_lit(text, "...");
}

/* A character of a name, as it stands in that of a variable. */
static char upper(char c)
{
    if (c == '-')
        return '_';
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* A name as it is written in that place. */
static void write_name(struct tn_buf *text, struct tn_slice name, const struct origin *origin)
{
    if (origin->file)
        tn_buf_addf(text, "%s:%zu: ", origin->file, origin->line);
    if (origin->strength == STRENGTH_FLAG)
        tn_buf_lit(text, "--");
    if (origin->strength != STRENGTH_ENVIRONMENT) {
        tn_json_escaped(text, name.at, name.len < ECHO_MAX ? name.len : ECHO_MAX);
        return;
    }
    tn_buf_lit(text, PREFIX);
    for (size_t i = 0; i < name.len; i++)
        tn_buf_char(text, upper(name.at[i]));
}

static const char *settings_unknown(struct tn_settings *settings, struct tn_slice name,
                                    const struct origin *origin)
{
    const char   *near = tn_settings_near(settings, name);
    struct tn_buf text;

    tn_buf_init(&text, &settings->arena, 0, MISTAKE_MAX);
    write_name(&text, name, origin);
    tn_buf_lit(&text, " is not a setting");
    if (near) {
        struct origin plain = { .strength = origin->strength };

        tn_buf_lit(&text, "; did you mean ");
        write_name(&text, tn_slice_of(near), &plain);
        tn_buf_char(&text, '?');
    }
    return settings_ended(&text);
}

static const char *not_one(struct tn_settings *settings, const tenon_setting *row, struct tn_slice value,
                           const char *wants, const struct origin *origin)
{
    struct tn_buf text;

    tn_buf_init(&text, &settings->arena, 0, MISTAKE_MAX);
    write_name(&text, tn_slice_of(row->name), origin);
    tn_buf_addf(&text, " needs %s", wants);
    if (row->kind != SETTING_TOKENS && value.len) {
        tn_buf_lit(&text, "; got ");
        quote(&text, value);
    }
    return settings_ended(&text);
}

/* ---- One setting --------------------------------------------------------------------------------------------- */

static const char *settings_read_file(struct tn_settings *settings, struct tn_slice path);

/* Of the library's, by a name that is there. */
static const tenon_setting *table_row(const char *name)
{
    return tn_settings_find(&(struct tn_settings){ .own_count = 0 }, tn_slice_of(name));
}

static unsigned char *strength_of(struct tn_settings *settings, const tenon_setting *row)
{
    return tn_settings_is_own(settings, row) ? &settings->own_strength[row - settings->own]
                                             : &settings->strength[row - tn_settings_table];
}

/* NULL, or the mistake. */
static const char *apply(struct tn_settings *settings, const tenon_setting *row, struct tn_slice value,
                         const struct origin *origin)
{
    unsigned char *strength = strength_of(settings, row);
    struct tn_buf  wants;
    const char    *said;

    if (row->kind == SETTING_FILE)
        return origin->strength == STRENGTH_FILE
                   ? not_one(settings, row, value, "to be a flag or an environment variable", origin)
                   : settings_read_file(settings, value);
    if (*strength > origin->strength)
        return NULL;
    if (*strength < origin->strength)
        tn_settings_clear(settings, row);
    *strength = (unsigned char)origin->strength;
    tn_buf_init(&wants, &settings->arena, 0, MISTAKE_MAX);
    if (tn_settings_take(settings, row, value, &wants))
        return NULL;
    said = tn_buf_end(&wants);
    return said && *said ? not_one(settings, row, value, said, origin) : NO_MEMORY;
}

static const char *apply_named(struct tn_settings *settings, struct tn_slice name, struct tn_slice value,
                               const struct origin *origin)
{
    const tenon_setting *row = tn_settings_find(settings, name);

    return row ? apply(settings, row, value, origin) : settings_unknown(settings, name, origin);
}

bool tn_settings_set(struct tn_settings *settings, const char *name, const char *value, const char **mistake)
{
    const tenon_setting *row = tn_settings_find(settings, tn_slice_of(name));

    if (row && row->kind == SETTING_FLAG && value && !value[0])
        value = "true"; /* as the flag alone */
    *mistake = apply_named(settings, tn_slice_of(name), tn_slice_of(value),
                           &(struct origin){ STRENGTH_PROGRAM, NULL, 0 });
    return *mistake == NULL;
}

bool tn_settings_put(struct tn_settings *settings, const char *name, const char *value, const char **mistake)
{
    *mistake = apply_named(settings, tn_slice_of(name), tn_slice_of(value),
                           &(struct origin){ STRENGTH_FILE, NULL, 0 });
    return *mistake == NULL;
}

static const char *apply_standard(struct tn_settings *settings, const tenon_setting *row)
{
    return row->standard ? apply(settings, row, tn_slice_of(row->standard), &(struct origin){ 0 }) : NULL;
}

struct tn_settings *tn_settings_new(const tenon_allocator *memory)
{
    tenon_allocator     from     = tn_memory_of(memory);
    struct tn_settings *settings = tn_memory_new(&from, sizeof *settings);

    if (!settings)
        return NULL;
    *settings = (struct tn_settings){ 0 };
    tn_arena_init(&settings->arena, &from, ARENA_MAX);
    for (size_t i = 0; i < tn_settings_table_count; i++) {
        const char *mistake = apply_standard(settings, &tn_settings_table[i]);

        assert(!mistake || settings->arena.failed);
        if (mistake) {
            tn_settings_free(settings);
            return NULL;
        }
    }
    return settings;
}

bool tn_settings_add_own(struct tn_settings *settings, const tenon_setting *rows, size_t count, void *values)
{
    settings->own       = rows;
    settings->own_count = count;
    settings->values    = values;
    for (size_t i = 0; i < count; i++)
        tn_settings_zero(settings, &rows[i]);
    for (size_t i = 0; i < count && !settings->mistake; i++)
        settings->mistake = apply_standard(settings, &rows[i]);
    return !settings->arena.failed;
}

bool tn_settings_has(const struct tn_settings *settings, const char *name)
{
    const tenon_setting *row = tn_settings_find(settings, tn_slice_of(name));

    return row && *strength_of((struct tn_settings *)settings, row) != STRENGTH_NONE;
}

void tn_settings_free(struct tn_settings *settings)
{
    tenon_allocator from;

    if (!settings)
        return;
    from = settings->arena.memory;
    tn_arena_free(&settings->arena);
    tn_memory_free(&from, settings, sizeof *settings);
}

/* ---- The file ------------------------------------------------------------------------------------------------ */

/* The value without its quotes, or without the comment behind it. False when a quote is not closed. */
static bool read_value(struct tn_slice text, struct tn_slice *value)
{
    struct tn_slice rest;
    const char     *end;

    *value = text = tn_slice_trim(text);
    if (text.len && (text.at[0] == '"' || text.at[0] == '\'')) {
        end = memchr(text.at + 1, text.at[0], text.len - 1);
        if (!end)
            return false;
        *value = (struct tn_slice){ text.at + 1, (size_t)(end - text.at) - 1 };
        rest   = tn_slice_trim((struct tn_slice){ end + 1, text.len - value->len - 2 });
        return rest.len == 0 || rest.at[0] == '#';
    }
    for (size_t i = 1; i < text.len; i++)
        if (text.at[i] == '#' && (text.at[i - 1] == ' ' || text.at[i - 1] == '\t'))
            *value = tn_slice_trim((struct tn_slice){ text.at, i });
    return true;
}

static const char *settings_read_line(struct tn_settings *settings, struct tn_slice line,
                                      const struct origin *origin)
{
    const char     *mark;
    struct tn_slice name, value;

    line = tn_slice_trim(line);
    if (line.len == 0 || line.at[0] == '#')
        return NULL;
    mark = memchr(line.at, '=', line.len);
    if (!mark)
        return settings_say(settings, "%s:%zu: a line is NAME = VALUE, or a # and a comment", origin->file,
                            origin->line);
    name = tn_slice_trim((struct tn_slice){ line.at, (size_t)(mark - line.at) });
    if (!read_value((struct tn_slice){ mark + 1, line.len - (size_t)(mark - line.at) - 1 }, &value))
        return settings_say(settings,
                            "%s:%zu: what begins with a quote ends with the same one, and nothing follows it",
                            origin->file, origin->line);
    return apply_named(settings, name, value, origin);
}

/* All of a file, or NULL and the mistake. */
static bool load(struct tn_settings *settings, const char *path, struct tn_slice *text, const char **mistake)
{
    char   *room = tn_arena_take(&settings->arena, SETTINGS_FILE_BYTES + 1, 1);
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
        *mistake = settings_say(settings, "%s cannot be read: %s", path, strerror(errno));
    else if (len > SETTINGS_FILE_BYTES)
        *mistake = settings_say(settings, "%s is longer than %zu bytes", path, SETTINGS_FILE_BYTES);
    else
        *mistake = NULL;
    if (fd >= 0)
        close(fd);
    *text = (struct tn_slice){ room, len };
    return *mistake == NULL;
}

static const char *settings_read_file(struct tn_settings *settings, struct tn_slice path)
{
    struct origin   origin = { STRENGTH_FILE, tn_arena_copy(&settings->arena, path.at, path.len), 0 };
    struct tn_slice text, line;
    const char     *mistake;

    if (!origin.file)
        return NO_MEMORY;
    if (!load(settings, origin.file, &text, &mistake))
        return mistake;
    while (tn_slice_split(&text, '\n', &line)) {
        origin.line++;
        mistake = settings_read_line(settings, line, &origin);
        if (mistake)
            return mistake;
    }
    return NULL;
}

/* ---- The environment ----------------------------------------------------------------------------------------- */

/* The value of a row's variable; an empty one counts as none. Variables with other names are nobody's mistake: other
 * programs have some that begin alike. */
static bool find_variable(char **environment, const tenon_setting *row, struct tn_slice *value)
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
        *value = tn_slice_of(at + len + 1);
        return true;
    }
    return false;
}

/* In a variable, texts of a program's are separated by commas. */
static const char *apply_variable(struct tn_settings *settings, const tenon_setting *row,
                                  struct tn_slice value)
{
    const struct origin origin  = { STRENGTH_ENVIRONMENT, NULL, 0 };
    const char         *mistake = NULL;
    struct tn_slice     part;

    if (row->kind != SETTING_TEXTS)
        return apply(settings, row, value, &origin);
    while (!mistake && tn_slice_split(&value, ',', &part))
        mistake = apply(settings, row, tn_slice_trim(part), &origin);
    return mistake;
}

/* TENON_TOKEN is a client's, and may be here too; so callers' hashes come in every other way. */
static const char *read_environment(struct tn_settings *settings, char **environment)
{
    const tenon_setting *row;

    for (size_t next = 0; (row = tn_settings_next(settings, &next));) {
        const char     *mistake;
        struct tn_slice value;

        if (row->kind == SETTING_FILE || row->kind == SETTING_TOKENS ||
            !find_variable(environment, row, &value))
            continue;
        mistake = apply_variable(settings, row, value);
        if (mistake)
            return mistake;
    }
    return NULL;
}

/* ---- Flags --------------------------------------------------------------------------------------------------- */

struct flags {
    char **at;
    int    count, next;
    bool   ended; /* "--" was seen: the rest are operands */
};

enum flag { FLAG_SETTING, FLAG_OPERAND, FLAG_HELP, FLAG_VERSION, FLAG_END, FLAG_WRONG };

static enum flag settings_wrong(const char **mistake, const char *said)
{
    *mistake = said;
    return FLAG_WRONG;
}

static const tenon_setting *find_alias(const struct tn_settings *settings, const char *given)
{
    const tenon_setting *row;

    for (size_t next = 0; (row = tn_settings_next(settings, &next));)
        if (row->alias && given[0] == '-' && given[1] == row->alias && !given[2])
            return row;
    return NULL;
}

/* The row of a flag, and what stands after its '=', if anything. */
static enum flag find_flag(struct tn_settings *settings, const char *given, const tenon_setting **row,
                           struct tn_slice *value, const char **mistake)
{
    const struct origin origin = { STRENGTH_FLAG, NULL, 0 };
    const char         *mark   = strchr(given, '=');
    struct tn_slice     name;

    *value = (struct tn_slice){ NULL, 0 };
    *row   = find_alias(settings, given);
    if (*row)
        return FLAG_SETTING;
    if (strncmp(given, "--", 2) != 0 || !given[2])
        return settings_wrong(mistake,
                              settings_say(settings, "'%.*s' is not a flag; see --help", ECHO_MAX, given));
    name = (struct tn_slice){ given + 2, mark ? (size_t)(mark - given) - 2 : strlen(given) - 2 };
    *row = tn_settings_find(settings, name);
    if (!*row)
        return settings_wrong(mistake, settings_unknown(settings, name, &origin));
    if (mark)
        *value = tn_slice_of(mark + 1);
    return FLAG_SETTING;
}

static enum flag next_flag(struct tn_settings *settings, struct flags *flags, const tenon_setting **row,
                           struct tn_slice *value, const char **mistake)
{
    const char *given;
    enum flag   found;

    if (flags->next >= flags->count)
        return FLAG_END;
    given = flags->at[flags->next++];
    if (settings->usage && !flags->ended && strcmp(given, "--") == 0) {
        flags->ended = true;
        return next_flag(settings, flags, row, value, mistake);
    }
    if (settings->usage && (flags->ended || given[0] != '-' || !given[1])) {
        *value = tn_slice_of(given);
        return FLAG_OPERAND;
    }
    if (strcmp(given, "--help") == 0 || strcmp(given, "-h") == 0)
        return FLAG_HELP;
    if (strcmp(given, "--version") == 0 && !settings->usage)
        return FLAG_VERSION;
    found = find_flag(settings, given, row, value, mistake);
    if (found != FLAG_SETTING || value->at)
        return found;
    if ((*row)->kind == SETTING_FLAG)
        *value = SLICE_LIT("true");
    else if (flags->next < flags->count)
        *value = tn_slice_of(flags->at[flags->next++]);
    else
        return settings_wrong(mistake, settings_say(settings, "--%s needs a value: --%s %s", (*row)->name,
                                                    (*row)->name, (*row)->value ? (*row)->value : "VALUE"));
    return FLAG_SETTING;
}

static const char *add_operand(struct tn_settings *settings, const char *text, size_t most)
{
    const char **at = (const char **)settings->operands.at;

    if (!at)
        settings->operands.at = at = tn_arena_array(&settings->arena, most, const char *);
    if (!at)
        return NO_MEMORY;
    at[settings->operands.count++] = text;
    return NULL;
}

/* Applies all flags; or, with `config`, only looks for the configuration file among them. */
static enum flag read_flags(struct tn_settings *settings, int argc, char **argv, struct tn_slice *config,
                            const char **mistake)
{
    const struct origin  origin = { STRENGTH_FLAG, NULL, 0 };
    struct flags         flags  = { argv, argc, 1, false };
    const tenon_setting *row    = NULL;
    struct tn_slice      value  = { "", 0 };
    enum flag            found;

    while ((found = next_flag(settings, &flags, &row, &value, mistake)) <= FLAG_OPERAND) {
        bool is_file = found == FLAG_SETTING && row->kind == SETTING_FILE;

        if (is_file && config)
            *config = value;
        if (is_file || config)
            continue;
        *mistake = found == FLAG_OPERAND ? add_operand(settings, value.at, (size_t)argc)
                                         : apply(settings, row, value, &origin);
        if (*mistake)
            return FLAG_WRONG;
    }
    return found;
}

enum tn_settings_ask tn_settings_read(struct tn_settings *settings, int argc, char **argv, char **environment,
                                      const char **mistake)
{
    static const enum tn_settings_ask asks[] = { [FLAG_HELP]    = SETTINGS_HELP,
                                                 [FLAG_VERSION] = SETTINGS_VERSION,
                                                 [FLAG_END]     = SETTINGS_SERVE,
                                                 [FLAG_WRONG]   = SETTINGS_MISTAKE };

    struct tn_slice config = { NULL, 0 };
    enum flag       found;

    *mistake = settings->mistake;
    if (*mistake)
        return SETTINGS_MISTAKE;
    found = read_flags(settings, argc, argv, &config, mistake);
    if (found != FLAG_END)
        return asks[found];
    if (settings->usage) /* a command's: flags only */
        return asks[read_flags(settings, argc, argv, NULL, mistake)];
    if (!config.at && tn_settings_find(settings, SLICE_LIT("config"))->kind == SETTING_FILE)
        find_variable(environment, table_row("config"), &config);
    if (config.at)
        *mistake = settings_read_file(settings, config);
    if (!*mistake)
        *mistake = read_environment(settings, environment);
    if (*mistake)
        return SETTINGS_MISTAKE;
    return asks[read_flags(settings, argc, argv, NULL, mistake)];
}

const char *tn_settings_from(const struct tn_settings *settings, const tenon_setting *row)
{
    static const char *const names[] = { "default", "program", "file", "environment", "flag" };

    return names[*strength_of((struct tn_settings *)settings, row)];
}

/* ---- What holds between them --------------------------------------------------------------------------------- */

/* Of --stdio and --http the one that is said with more strength holds, so that an operator can overrule a program. */
static const char *choose_transport(struct tn_settings *settings)
{
    unsigned stdio = *strength_of(settings, table_row("stdio"));
    unsigned http  = *strength_of(settings, table_row("http"));

    if (!settings->stdio || !settings->http)
        return NULL;
    if (stdio == http)
        return "--stdio and --http exclude each other; give one of them";
    if (stdio > http) {
        settings->http                            = NULL;
        *strength_of(settings, table_row("http")) = STRENGTH_NONE;
    } else {
        settings->stdio = false;
    }
    return NULL;
}

static bool wants_oauth(const struct tn_settings *settings)
{
    return settings->oauth_issuer || settings->oauth_audience || settings->oauth_keys ||
           settings->oauth_scopes || settings->oauth_algorithms;
}

/* Where others reach it from: beyond loopback, or through a proxy that does. NULL when nowhere. */
static const char *reached_at(const struct tn_settings *settings)
{
    struct tn_setting_address address = tn_settings_address(settings->http);
    struct tn_slice           host, port;

    if (!settings->http)
        return NULL;
    if (settings->public_url && tn_settings_split_url(tn_slice_of(settings->public_url), &host, &port) &&
        !tn_settings_is_loopback(host))
        return settings->public_url;
    return tn_settings_is_loopback(tn_slice_of(address.host)) ? NULL : settings->http;
}

/* Whoever can change what a plain connection carries can make keys, and so tokens. */
static bool is_safe_url(const char *text)
{
    struct tn_slice url = tn_slice_of(text), host, port;

    if (!tn_settings_split_url(url, &host, &port))
        return true; /* a file */
    return tn_slice_fold_equal(tn_uri_scheme(url), SLICE_LIT("https")) || tn_settings_is_loopback(host);
}

static const char *mistake_in_auth(struct tn_settings *settings)
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
        return "--oauth-issuer and --oauth-keys are https URLs; over plain http tokens could be forged";
    if (settings->no_auth && any)
        return "--no-auth and tokens exclude each other; give one or the other";
    if (!reached || any || settings->no_auth)
        return NULL;
    return settings_say(
        settings,
        "%s can be reached from other machines without authentication: give --tokens-file or --oauth-issuer, "
        "serve only 127.0.0.1, or give --no-auth if something else authenticates callers",
        reached);
}

/* The page of the console can call every tool. */
static const char *mistake_in_console(struct tn_settings *settings)
{
    struct tn_setting_address address = tn_settings_address(settings->admin);

    if (settings->console_tokens.count > 0 && !settings->console)
        return "--console-token needs --console";
    if (!settings->console)
        return NULL;
    if (!settings->admin)
        return "--console needs --admin, the address that it is served at: --admin 127.0.0.1:0 takes a free "
               "port";
    if (settings->console_tokens.count > 0 || tn_settings_is_loopback(tn_slice_of(address.host)))
        return NULL;
    return settings_say(settings,
                        "the console at %s can be reached from other machines: give --console-token, or an "
                        "--admin of 127.0.0.1",
                        settings->admin);
}

const char *tn_settings_mistake(struct tn_settings *settings)
{
    const char *mistake = choose_transport(settings);

    if (!mistake)
        mistake = mistake_in_auth(settings);
    if (!mistake)
        mistake = mistake_in_console(settings);
    if (mistake)
        return mistake;
    if (settings->audit_arguments && !settings->audit && !settings->console)
        return "--audit-arguments needs --audit, the file that they are written to, or --console";
    if (settings->admin && settings->http && strcmp(settings->admin, settings->http) == 0 &&
        strcmp(tn_settings_address(settings->admin).port, "0") != 0)
        return "--admin and --http cannot share an address; give --admin another port";
    return NULL;
}
