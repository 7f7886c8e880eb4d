/* settings_test.c - one table, four places: what is taken, what is refused and in which words, and who wins. */
#define _GNU_SOURCE
#include "net/settings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/settings_table.h"
#include "net/settings_value.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static struct tn_settings *made(void)
{
    struct tn_settings *settings = tn_settings_new(NULL);

    assert_non_null(settings);
    return settings;
}

static void has_defaults(void **state)
{
    struct tn_settings *settings = made();

    (void)state;
    assert_false(settings->stdio);
    assert_null(settings->http);
    assert_string_equal(settings->path, "/mcp");
    assert_int_equal(settings->unknown, TENON_UNKNOWN_DEFAULT);
    assert_int_equal(settings->deadline_ms, 50000);
    assert_int_equal(settings->calls, 1000);
    assert_int_equal(settings->session_ms, 3600000);
    assert_int_equal(settings->replay_bytes, 256 << 10);
    assert_int_equal(settings->limits.body_bytes, 4 << 20);
    assert_int_equal(settings->limits.head_bytes, 16 << 10);
    assert_int_equal(settings->limits.idle_ms, 75000);
    assert_int_equal(settings->log_level, LOG_INFO);
    assert_null(tn_settings_mistake(settings));
    tn_settings_free(settings);
    tn_settings_free(NULL);
}

static void takes_numbers(void **state)
{
    static const struct {
        const char *name, *value;
        size_t      offset;
        int64_t     want;
    } cases[] = {
        { "deadline", "50s", offsetof(struct tn_settings, deadline_ms), 50000 },
        { "deadline", "1500ms", offsetof(struct tn_settings, deadline_ms), 1500 },
        { "deadline", "2m", offsetof(struct tn_settings, deadline_ms), 120000 },
        { "deadline", "1 h", offsetof(struct tn_settings, deadline_ms), 3600000 },
        { "deadline", "0", offsetof(struct tn_settings, deadline_ms), 0 },
        { "header_timeout", "100MS", offsetof(struct tn_settings, limits.head_ms), 100 },
        { "loops", "64", offsetof(struct tn_settings, loops), 64 },
        { "max-body", "1024", offsetof(struct tn_settings, limits.body_bytes), 1024 },
        { "max-body", "4096B", offsetof(struct tn_settings, limits.body_bytes), 4096 },
        { "max-body", "64k", offsetof(struct tn_settings, limits.body_bytes), 65536 },
        { "max-body", "64KiB", offsetof(struct tn_settings, limits.body_bytes), 65536 },
        { "max-body", "8M", offsetof(struct tn_settings, limits.body_bytes), 8 << 20 },
        { "max-body", "1GiB", offsetof(struct tn_settings, limits.body_bytes), 1 << 30 },
        { "max-calls", "7", offsetof(struct tn_settings, calls), 7 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings *settings = made();
        const char         *mistake;
        const char         *field = (const char *)settings + cases[i].offset;
        bool                wide  = strncmp(cases[i].name, "max-", 4) == 0;
        int64_t             got;

        if (!tn_settings_set(settings, cases[i].name, cases[i].value, &mistake))
            fail_msg("%s", mistake);
        got = wide ? (int64_t) * (const size_t *)(const void *)field : *(const int *)(const void *)field;
        assert_int_equal(got, cases[i].want);
        tn_settings_free(settings);
    }
}

static void refuses_values(void **state)
{
    static const struct {
        const char *name, *value, *want;
    } cases[] = {
        { "deadline", "50", "deadline needs a time (500ms, 50s, 2m, 1h) from 0 to 24h; got \"50\"" },
        { "deadline", "25h", "deadline needs a time (500ms, 50s, 2m, 1h) from 0 to 24h; got \"25h\"" },
        { "deadline", "-1s", "deadline needs a time (500ms, 50s, 2m, 1h) from 0 to 24h; got \"-1s\"" },
        { "deadline", "s", "deadline needs a time (500ms, 50s, 2m, 1h) from 0 to 24h; got \"s\"" },
        { "deadline", "9999999999999999s",
          "deadline needs a time (500ms, 50s, 2m, 1h) from 0 to 24h; got \"9999999999999999s\"" },
        { "deadline", "999999999999999h",
          "deadline needs a time (500ms, 50s, 2m, 1h) from 0 to 24h; got \"999999999999999h\"" },
        { "max-body", "4MB", "max-body needs a size (65536, 64KiB, 4MiB) from 1KiB to 1GiB; got \"4MB\"" },
        { "max-body", "", "max-body needs a size (65536, 64KiB, 4MiB) from 1KiB to 1GiB" },
        { "max-calls", "0", "max-calls needs a number from 1 to 1000000; got \"0\"" },
        { "loops", "two", "loops needs a number from 1 to 64; got \"two\"" },
        { "stdio", "maybe", "stdio needs true or false; got \"maybe\"" },
        { "unknown", "refuse", "unknown needs reject, message or ignore; got \"refuse\"" },
        { "schema", "small", "schema needs full or portable; got \"small\"" },
        { "path", "mcp",
          "path needs a path that begins with '/', without '?' and '#', such as /mcp; got \"mcp\"" },
        { "path", "/a b",
          "path needs a path that begins with '/', without '?' and '#', such as /mcp; got \"/a b\"" },
        { "path", "//a",
          "path needs a path that begins with '/', without '?' and '#', such as /mcp; got \"//a\"" },
        { "path", "/a?b",
          "path needs a path that begins with '/', without '?' and '#', such as /mcp; got \"/a?b\"" },
        { "key-file", "", "key-file needs a value" },
        { "key-file", "a\nb", "key-file needs a value without control characters; got \"a\\nb\"" },
        { "public-url", "example.com",
          "public-url needs a URL without '?' and '#', such as "
          "https://tools.example.com/mcp; got \"example.com\"" },
        { "allow-host", "a,,b",
          "allow-host needs HOST or HOST:PORT, such as tools.example.com; got \"a,,b\"" },
        { "allow-host", "*", "allow-host needs HOST or HOST:PORT, such as tools.example.com; got \"*\"" },
        { "allow-origin", "https://a.example/",
          "allow-origin needs an origin, such as https://app.example.com; got "
          "\"https://a.example/\"" },
        { "token", "sesame", "token needs NAME:HASH, as `tenon token` prints it" },
        { "htpp", "x", "htpp is not a setting; did you mean http?" },
        { "max_bodi", "x", "max_bodi is not a setting; did you mean max-body?" },
        { "zzzzzzzzz", "x", "zzzzzzzzz is not a setting" },
        { "", "x", " is not a setting" },
        { "config", "/nowhere/a.conf", "/nowhere/a.conf cannot be read: No such file or directory" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings *settings = made();
        const char         *mistake  = NULL;

        assert_false(tn_settings_set(settings, cases[i].name, cases[i].value, &mistake));
        assert_string_equal(mistake, cases[i].want);
        tn_settings_free(settings);
    }
}

static void splits_addresses(void **state)
{
    static const struct {
        const char *text, *host, *port;
        bool        loopback;
    } cases[] = {
        { "127.0.0.1:8080", "127.0.0.1", "8080", true },
        { "127.9.9.9:0", "127.9.9.9", "0", true },
        { "[::1]:65535", "::1", "65535", true },
        { "[0:0::0:1]:1", "0:0::0:1", "1", true },
        { "LocalHost:80", "LocalHost", "80", true },
        { "0.0.0.0:80", "0.0.0.0", "80", false },
        { "[::]:80", "::", "80", false },
        { "128.0.0.1:80", "128.0.0.1", "80", false },
        { "127.example:80", "127.example", "80", false },
        { "localhost.evil:1", "localhost.evil", "1", false },
        { "tools.example:80", "tools.example", "80", false },
        { "8080", NULL, NULL, false },
        { ":8080", NULL, NULL, false },
        { "127.0.0.1", NULL, NULL, false },
        { "127.0.0.1:", NULL, NULL, false },
        { "127.0.0.1:65536", NULL, NULL, false },
        { "127.0.0.1:8o", NULL, NULL, false },
        { "127.0.0.1:-1", NULL, NULL, false },
        { "::1:80", NULL, NULL, false },
        { "[::1]80", NULL, NULL, false },
        { "[::1:80", NULL, NULL, false },
        { "[127.0.0.1]:80", NULL, NULL, false },
        { "a b:80", NULL, NULL, false },
        { "http://a:80", NULL, NULL, false },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings       *settings = made();
        struct tn_setting_address address;
        const char               *mistake;

        assert_int_equal(tn_settings_set(settings, "http", cases[i].text, &mistake), cases[i].host != NULL);
        if (cases[i].host) {
            address = tn_settings_address(settings->http);
            assert_string_equal(address.host, cases[i].host);
            assert_string_equal(address.port, cases[i].port);
            assert_int_equal(tn_settings_is_loopback(tn_slice_of(address.host)), cases[i].loopback);
        }
        tn_settings_free(settings);
    }
    assert_string_equal(tn_settings_address("").host, "");
    assert_string_equal(tn_settings_address(NULL).port, "");
}

/* ---- From all places ----------------------------------------------------------------------------------------- */

/* Arguments and variables are separated by spaces. */
static char **split(char *text)
{
    static char *parts[2][24];
    static int   which;
    char       **to    = parts[which ^= 1];
    size_t       count = 0;

    for (char *part = strtok(text, " "); part; part = strtok(NULL, " "))
        to[count++] = part;
    to[count] = NULL;
    return to;
}

static enum tn_settings_ask reading(struct tn_settings *settings, const char *flags, const char *environment,
                                    const char **mistake)
{
    char   flag_text[600], environment_text[600];
    char **argv, **variables;
    int    argc = 0;

    snprintf(flag_text, sizeof flag_text, "program %s", flags);
    snprintf(environment_text, sizeof environment_text, "%s", environment);
    argv      = split(flag_text);
    variables = split(environment_text);
    while (argv[argc])
        argc++;
    return tn_settings_read(settings, argc, argv, variables, mistake);
}

static char *file_of(const char *text)
{
    static char path[40];
    int         fd;

    strcpy(path, "/tmp/tenon-settings-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    return path;
}

static void reads_flags(void **state)
{
    struct tn_settings *settings = made();
    const char         *mistake;

    (void)state;
    assert_int_equal(
        reading(
            settings,
            "--http [::1]:0 --max-body=8k --no-auth --allow-host a.example --allow_host=b.example:80,[::1] "
            "--log debug --log-format json --schema portable --unknown message --audit a.log "
            "--audit-arguments=yes",
            "", &mistake),
        SETTINGS_SERVE);
    assert_null(mistake);
    assert_string_equal(settings->http, "[::1]:0");
    assert_int_equal(settings->limits.body_bytes, 8192);
    assert_true(settings->no_auth);
    assert_int_equal(settings->allow_hosts.count, 3);
    assert_string_equal(settings->allow_hosts.at[1], "b.example:80");
    assert_string_equal(settings->allow_hosts.at[2], "[::1]");
    assert_int_equal(settings->log_level, LOG_DEBUG);
    assert_int_equal(settings->log_form, LOG_JSON);
    assert_true(settings->portable);
    assert_int_equal(settings->unknown, TENON_UNKNOWN_MESSAGE);
    assert_true(settings->audit_arguments);
    assert_null(tn_settings_mistake(settings));
    tn_settings_free(settings);
}

static void asks(void **state)
{
    static const struct {
        const char          *flags, *environment;
        enum tn_settings_ask want;
        const char          *mistake;
    } cases[] = {
        { "", "", SETTINGS_SERVE, NULL },
        { "--stdio --help", "", SETTINGS_HELP, NULL },
        { "-h", "", SETTINGS_HELP, NULL },
        { "--version", "", SETTINGS_VERSION, NULL },
        { "--help --nonsense", "", SETTINGS_HELP, NULL },
        { "--htpp x", "", SETTINGS_MISTAKE, "--htpp is not a setting; did you mean --http?" },
        { "serve", "", SETTINGS_MISTAKE, "'serve' is not a flag; see --help" },
        { "--", "", SETTINGS_MISTAKE, "'--' is not a flag; see --help" },
        { "--http", "", SETTINGS_MISTAKE, "--http needs a value: --http HOST:PORT" },
        { "--stdio=2", "", SETTINGS_MISTAKE, "--stdio needs true or false; got \"2\"" },
        { "--loops 0", "", SETTINGS_MISTAKE, "--loops needs a number from 1 to 64; got \"0\"" },
        { "", "TENON_LOOPS=0", SETTINGS_MISTAKE, "TENON_LOOPS needs a number from 1 to 64; got \"0\"" },
        { "", "TENON_MAX_BODY=x", SETTINGS_MISTAKE,
          "TENON_MAX_BODY needs a size (65536, 64KiB, 4MiB) from 1KiB to 1GiB; got \"x\"" },
        { "", "TENON_LOOPS= TENON_BUILD_DIR=/x LOOPS=0 TENON_MAX-BODY=x tenon_loops=0 TENON_TOKEN=a",
          SETTINGS_SERVE, NULL },
        { "--config /nowhere/x", "", SETTINGS_MISTAKE,
          "/nowhere/x cannot be read: No such file or directory" },
        { "", "TENON_CONFIG=/nowhere/x", SETTINGS_MISTAKE,
          "/nowhere/x cannot be read: No such file or directory" },
        { "--config /tmp", "", SETTINGS_MISTAKE, "/tmp cannot be read: Is a directory" },
        { "--config /dev/zero", "", SETTINGS_MISTAKE, "/dev/zero is longer than 65536 bytes" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings *settings = made();
        const char         *mistake  = NULL;

        assert_int_equal(reading(settings, cases[i].flags, cases[i].environment, &mistake), cases[i].want);
        if (cases[i].mistake)
            assert_string_equal(mistake, cases[i].mistake);
        else
            assert_null(mistake);
        tn_settings_free(settings);
    }
}

static void reads_files(void **state)
{
    static const struct {
        const char *text, *mistake;
    } cases[] = {
        { "", NULL },
        { "# only a comment\n\n  \n", NULL },
        { "path = /x\n", NULL },
        { "path=/x", NULL },
        { "\tpath\t=\t/x\t# why\r\n", NULL },
        { "path = \"/x\" # why\n", NULL },
        { "path = '/x'\n", NULL },
        { "path = \"/x\n", ":1: what begins with a quote ends with the same one, and nothing follows it" },
        { "path = \"/x\" y\n",
          ":1: what begins with a quote ends with the same one, and nothing follows it" },
        { "\n\npath\n", ":3: a line is NAME = VALUE, or a # and a comment" },
        { "stdio = true\npaht = /x\n", ":2: paht is not a setting; did you mean path?" },
        { "path = x\n",
          ":1: path needs a path that begins with '/', without '?' and '#', such as /mcp; got \"x\"" },
        { "config = x\n", ":1: config needs to be a flag or an environment variable; got \"x\"" },
        { "token = sesame\n", ":1: token needs NAME:HASH, as `tenon token` prints it" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings *settings = made();
        char               *path     = file_of(cases[i].text), flags[80], want[200];
        const char         *mistake  = NULL;

        snprintf(flags, sizeof flags, "--config %s", path);
        assert_int_equal(reading(settings, flags, "", &mistake),
                         cases[i].mistake ? SETTINGS_MISTAKE : SETTINGS_SERVE);
        snprintf(want, sizeof want, "%s%s", path, cases[i].mistake ? cases[i].mistake : "");
        if (cases[i].mistake)
            assert_string_equal(mistake, want);
        else
            assert_string_equal(settings->path, strstr(cases[i].text, "/x") ? "/x" : "/mcp");
        unlink(path);
        tn_settings_free(settings);
    }
}

/* A flag over the environment over the file over the program over the default; a list is replaced as a whole. */
static void the_stronger_wins(void **state)
{
    static const struct {
        const char *flags, *environment, *file, *program, *want;
    } cases[] = {
        { "--path /flag", "TENON_PATH=/env", "path = /file", "/program", "/flag" },
        { "", "TENON_PATH=/env", "path = /file", "/program", "/env" },
        { "", "", "path = /file", "/program", "/file" },
        { "", "", "", "/program", "/program" },
        { "", "", "", NULL, "/mcp" },
        { "--path /flag", "", "", "/program", "/flag" },
        { "--path=/a --path=/flag", "", "path = /file", NULL, "/flag" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings *settings = made();
        char                environment[100], *path = file_of(cases[i].file);
        const char         *mistake = NULL;

        if (cases[i].program)
            assert_true(tn_settings_set(settings, "path", cases[i].program, &mistake));
        snprintf(environment, sizeof environment, "%s TENON_CONFIG=%s", cases[i].environment, path);
        assert_int_equal(reading(settings, cases[i].flags, environment, &mistake), SETTINGS_SERVE);
        assert_string_equal(settings->path, cases[i].want);
        unlink(path);
        tn_settings_free(settings);
    }
}

static void lists_are_replaced(void **state)
{
    struct tn_settings *settings = made();
    const char         *mistake;
    char               *path = file_of("allow-host = c.example\nallow-host = d.example\n");

    (void)state;
    assert_true(tn_settings_set(settings, "allow-host", "a.example", &mistake));
    assert_true(tn_settings_set(settings, "allow-host", "b.example", &mistake));
    assert_int_equal(settings->allow_hosts.count, 2);
    assert_true(tn_settings_set(settings, "config", path, &mistake));
    assert_int_equal(settings->allow_hosts.count, 2);
    assert_string_equal(settings->allow_hosts.at[0], "c.example");
    assert_int_equal(reading(settings, "--allow-host e.example", "TENON_ALLOW_HOST=f.example", &mistake),
                     SETTINGS_SERVE);
    assert_int_equal(settings->allow_hosts.count, 1);
    assert_string_equal(settings->allow_hosts.at[0], "e.example");
    assert_true(tn_settings_set(settings, "allow-host", "late.example", &mistake)); /* too weak by now */
    assert_int_equal(settings->allow_hosts.count, 1);
    for (int i = 1; i < SETTINGS_LIST_MAX; i++)
        assert_true(tn_settings_set(settings, "allow-origin", "http://a.example:80", &mistake));
    assert_true(tn_settings_set(settings, "allow-origin", "http://a.example", &mistake));
    assert_false(tn_settings_set(settings, "allow-origin", "http://a.example", &mistake));
    assert_string_equal(mistake, "allow-origin needs at most 32 values; got \"http://a.example\"");
    unlink(path);
    tn_settings_free(settings);
}

/* ---- Between settings ---------------------------------------------------------------------------------------- */

static void is_sound_together(void **state)
{
#define PLAIN "--oauth-issuer and --oauth-keys are https URLs; over plain http tokens could be forged"
#define STRANGERS                                                                                            \
    " can be reached from other machines without authentication: give --tokens-file or --oauth-issuer, "     \
    "serve only 127.0.0.1, or give --no-auth if something else authenticates callers"
    static const struct {
        const char *flags, *environment, *want;
    } cases[] = {
        { "--http 127.0.0.1:0", "", NULL },
        { "--http [::1]:0", "", NULL },
        { "--http localhost:0", "", NULL },
        { "--http 0.0.0.0:80", "", "0.0.0.0:80" STRANGERS },
        { "--http [::]:80", "", "[::]:80" STRANGERS },
        { "--http tools.example:80", "", "tools.example:80" STRANGERS },
        { "--http 0.0.0.0:80 --no-auth", "", NULL },
        { "--http 127.0.0.1:80 --public-url https://a.example/mcp", "", "https://a.example/mcp" STRANGERS },
        { "--http 127.0.0.1:80 --public-url http://localhost:81/mcp", "", NULL },
        { "--stdio --public-url https://a.example/mcp", "", NULL },
        { "--http 0.0.0.0:80 --tokens-file t", "", NULL },
        { "--http 0.0.0.0:80 --token a:b", "", NULL },
        { "--no-auth --token a:b", "", "--no-auth and tokens exclude each other; give one or the other" },
        { "--oauth-keys k", "", "--oauth-... settings need --oauth-issuer, the authorization server's URL" },
        { "--http 0.0.0.0:80 --oauth-issuer https://a.example", "",
          "--oauth-issuer needs --public-url, which clients know the server by, or --oauth-audience: what "
          "tokens must be "
          "issued for" },
        { "--http 127.0.0.1:80 --oauth-issuer https://a.example", "", NULL },
        { "--http 127.0.0.1:80 --oauth-issuer http://localhost:9 --oauth-keys /etc/keys.json", "", NULL },
        { "--http 127.0.0.1:80 --oauth-issuer http://a.example", "", PLAIN },
        { "--http 127.0.0.1:80 --oauth-issuer https://a.example --oauth-keys http://a.example/keys", "",
          PLAIN },
        { "--oauth-issuer https://a.example --public-url https://b.example/mcp --http 0.0.0.0:80", "", NULL },
        { "--stdio --http 127.0.0.1:0", "", "--stdio and --http exclude each other; give one of them" },
        { "--stdio", "TENON_HTTP=0.0.0.0:80", NULL },
        { "--http [::1]:0", "TENON_STDIO=1", NULL },
        { "--audit-arguments", "",
          "--audit-arguments needs --audit, the file that they are written to, or --console" },
        { "--console", "",
          "--console needs --admin, the address that it is served at: --admin 127.0.0.1:0 takes a free "
          "port" },
        { "--console --admin 127.0.0.1:0", "", NULL },
        { "--console --admin 127.0.0.1:0 --audit-arguments", "", NULL },
        { "--console --admin 0.0.0.0:9", "",
          "the console at 0.0.0.0:9 can be reached from other machines: give --console-token, or an --admin "
          "of 127.0.0.1" },
        { "--console --admin 0.0.0.0:9 --console-token a:b", "", NULL },
        { "--console-token a:b", "", "--console-token needs --console" },
        { "--http 127.0.0.1:9 --admin 127.0.0.1:9", "",
          "--admin and --http cannot share an address; give --admin another port" },
        { "--http 127.0.0.1:0 --admin 127.0.0.1:0", "", NULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_settings *settings = made();
        const char         *mistake;

        assert_int_equal(reading(settings, cases[i].flags, cases[i].environment, &mistake), SETTINGS_SERVE);
        mistake = tn_settings_mistake(settings);
        if (cases[i].want) {
            assert_non_null(mistake);
            assert_string_equal(mistake, cases[i].want);
        } else {
            assert_null(mistake);
            assert_false(settings->stdio && settings->http);
        }
        tn_settings_free(settings);
    }
}

/* ---- The table ----------------------------------------------------------------------------------------------- */

static void helps_with_every_row(void **state)
{
    struct tn_settings *settings = made();
    char               *text     = NULL;
    size_t              len = 0, columns = 0;
    FILE               *to = open_memstream(&text, &len);

    (void)state;
    tn_settings_help(settings, to, "notes", "Notes", "1.0.0");
    fclose(to);
    for (size_t i = 0; i < tn_settings_table_count; i++) {
        char flag[80];

        snprintf(flag, sizeof flag, "  --%s", tn_settings_table[i].name);
        assert_non_null(strstr(text, flag));
        assert_non_null(strstr(text, tn_settings_table[i].help));
        assert_ptr_equal(tn_settings_find(settings, tn_slice_of(tn_settings_table[i].name)),
                         &tn_settings_table[i]);
    }
    for (size_t i = 0; i < len; i++) {
        columns = text[i] == '\n' ? 0 : columns + 1;
        assert_true(columns <= 110);
    }
    tn_settings_free(settings);
    free(text);
}

static void survives_refused_memory(void **state)
{
    struct tn_fault fault = { 0 };
    bool            done  = false;
    char           *path  = file_of("path = /x\nallow-host = a.example, b.example\n");

    (void)state;
    for (size_t n = 1; !done; n++) {
        tenon_allocator     memory;
        struct tn_settings *settings;
        const char         *mistake = NULL;

        fault    = (struct tn_fault){ .refuse_at = n, .refuse_rest = true };
        memory   = tn_fault_allocator(&fault);
        settings = tn_settings_new(&memory);
        if (settings) {
            done = tn_settings_set(settings, "config", path, &mistake) &&
                   reading(settings, "--http 127.0.0.1:0 --public-url https://a.example/x", "TENON_LOG=debug",
                           &mistake) == SETTINGS_SERVE;
            assert_true(done || mistake);
            tn_settings_free(settings);
        }
        assert_int_equal(fault.blocks, 0);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_defaults),         cmocka_unit_test(takes_numbers),
        cmocka_unit_test(refuses_values),       cmocka_unit_test(splits_addresses),
        cmocka_unit_test(reads_flags),          cmocka_unit_test(asks),
        cmocka_unit_test(reads_files),          cmocka_unit_test(the_stronger_wins),
        cmocka_unit_test(lists_are_replaced),   cmocka_unit_test(is_sound_together),
        cmocka_unit_test(helps_with_every_row), cmocka_unit_test(survives_refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
