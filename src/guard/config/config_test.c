/* config_test.c - configurations and all of their values; every mistake with its place; hostile files. */
#define _XOPEN_SOURCE 700
#include "guard/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <tenon/ask.h>

#include "guard/config/yaml.h"
#include "support/fault.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const own[] = { "PATH=/bin", "HTTPS_PROXY=http://p:1", "LD_PRELOAD=x", NULL };

static struct tn_config *config_of(const char *name, const char *text)
{
    struct tn_config *config = tn_config_of(name, tn_slice_of(text), own, NULL);

    assert_non_null(config);
    return config;
}

/* LINE:COLUMN: SENTENCE, one a line. */
static const char *report(const struct tn_config_mistakes *mistakes)
{
    static char text[20000];
    size_t      len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < mistakes->count && len < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%zu:%zu: %s\n", mistakes->at[i].at.line,
                                mistakes->at[i].at.column, mistakes->at[i].text);
    return text;
}

static void assert_reports(const char *name, const char *text, const char *want)
{
    struct tn_config *config = config_of(name, text);

    assert_string_equal(report(&config->mistakes), want);
    tn_config_free(config);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Every key of the file. Paths are below the folder of the test. */
static const char whole[] =
    "serve: { http: 127.0.0.1:8080, tokens-file: tokens, audit-arguments: false, rate: [ann=10/s, bob=5/m], "
    "max-queue: 7 }\n"
    "lock: locks/tenon.lock\n"
    "upstreams:\n"
    "  files:\n"
    "    command: [npx, -y, \"@modelcontextprotocol/server-filesystem@2026.8.31\", 8]\n"
    "    env: { LOG_LEVEL: warn, PORT: 8080 }\n"
    "    env-from: [HTTPS_PROXY]\n"
    "    secrets: { API_KEY: key }\n"
    "    directory: /\n"
    "    share: caller\n"
    "    questions: [sampling]\n"
    "    roots: [{ uri: file:///srv, name: x }]\n"
    "    start: now\n"
    "    idle: 0\n"
    "    restart: { most: 3, within: 2m, pause: 200ms..30s }\n"
    "    retry: true\n"
    "    limits: { memory: 512MiB, answer: 2MiB, time: 1s, time-max: 1h, calls: 2 }\n"
    "    ready: 3s\n"
    "    refresh: 0\n"
    "    prefix: fs_\n"
    "    extensions: [io.example/x]\n"
    "    tools:\n"
    "      allow: [\"read_*\", list]\n"
    "      deny: [write]\n"
    "      search:\n"
    "        arguments: { properties: { path: { pattern: \"^/srv(/|$)\", maxLength: 12345678901234567890 } } "
    "}\n"
    "        publish: true\n"
    "        say: nothing\n"
    "        read-only: true\n"
    "        rate: 30/m\n"
    "    resources: { allow: [\"file:*\"] }\n"
    "    prompts: { deny: [x] }\n"
    "  web.x:\n"
    "    url: http://example.com/mcp?x=1\n"
    "    plain: true\n"
    "    private: true\n"
    "    token-file: key\n"
    "    headers: { X-A: 1 }\n"
    "    header-file: { X-Key: key }\n"
    "    credential: shared\n"
    "    breaker: { failures: 4, within: 5s, pause: 1s..1s }\n"
    "  more: { url: https://example.com/mcp, token-command: [print, token], credential: shared, prefix: \"\" "
    "}\n"
    "policy:\n"
    "  read-only: true\n"
    "  unknown: ignore\n"
    "  repair: on\n"
    "  results: warn\n"
    "  changed: keep\n"
    "  messages: meta\n"
    "  schema-errors: pass\n"
    "  name-max: 100\n"
    "  callers:\n"
    "    ann: { allow: [\"*\"], deny: [y] }\n"
    "    \"scope:reader\": { rate: 5000/h burst=100 }\n";

static void assert_words(const char *const *words, const char *joined)
{
    char text[1000] = "";

    for (; *words; words++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s|", *words);
    assert_string_equal(text, joined);
}

static void check_command(const struct tn_upstream *one, const char *folder)
{
    char key[100];

    snprintf(key, sizeof key, "%s/key", folder);
    assert_string_equal(one->name, "files");
    assert_words(one->words, "npx|-y|@modelcontextprotocol/server-filesystem@2026.8.31|8|");
    assert_string_equal(tenon_map_get(&one->environment.env, "PORT"), "8080");
    assert_string_equal(one->environment.env_from.at[0], "HTTPS_PROXY");
    assert_string_equal(tenon_map_get(&one->environment.secrets, "API_KEY"), key);
    assert_string_equal(one->directory, "/");
    assert_int_equal(one->share, SHARE_CALLER);
    assert_int_equal(one->questions, TENON_CAN_SAMPLE | TENON_CAN_SAMPLE_TOOLS | TENON_CAN_LIST_ROOTS);
    assert_string_equal(one->roots, "[{\"uri\":\"file:///srv\",\"name\":\"x\"}]");
    assert_true(one->starts_now && one->retry);
    assert_int_equal(one->idle_ms, 0);
    assert_int_equal(one->starts_most, 3);
    assert_int_equal(one->starts_within_ms, 120000);
    assert_int_equal(one->start_pause.first_ms, 200);
    assert_int_equal(one->start_pause.most_ms, 30000);
    assert_int_equal(one->memory_max, (size_t)512 << 20);
    assert_int_equal(one->answer_max, (size_t)2 << 20);
    assert_int_equal(one->time_ms, 1000);
    assert_int_equal(one->time_most_ms, 3600000);
    assert_int_equal(one->calls_max, 2);
    assert_int_equal(one->ready_ms, 3000);
    assert_int_equal(one->refresh_ms, 0);
    assert_string_equal(one->prefix, "fs_");
    assert_string_equal(one->extensions.at[0], "io.example/x");
}

static void check_rules(const struct tn_upstream *one)
{
    assert_int_equal(one->tools.allow.count, 2);
    assert_string_equal(one->tools.allow.at[0], "read_*");
    assert_string_equal(one->tools.deny.at[0], "write");
    assert_string_equal(one->resources.allow.at[0], "file:*");
    assert_string_equal(one->prompts.deny.at[0], "x");
    assert_int_equal(one->rule_count, 1);
    assert_string_equal(one->rules[0].name, "search");
    assert_string_equal(
        one->rules[0].arguments,
        "{\"properties\":{\"path\":{\"pattern\":\"^/srv(/|$)\",\"maxLength\":12345678901234567890}}}");
    assert_true(one->rules[0].publish && one->rules[0].silent && one->rules[0].read_only);
    assert_int_equal(one->rules[0].rate.count, 30);
    assert_int_equal(one->rules[0].rate.per_us, 60000000);
}

static void check_addresses(const struct tn_upstream *web, const struct tn_upstream *more)
{
    assert_string_equal(web->url, "http://example.com/mcp?x=1");
    assert_null(web->words);
    assert_true(web->plain && web->private_ && web->shared_credential);
    assert_string_equal(strrchr(web->token_file, '/'), "/key");
    assert_string_equal(tenon_map_get(&web->headers, "X-A"), "1");
    assert_string_equal(strrchr(tenon_map_get(&web->header_files, "X-Key"), '/'), "/key");
    assert_int_equal(web->failures, 4);
    assert_int_equal(web->failures_ms, 5000);
    assert_int_equal(web->failure_pause.first_ms, 1000);
    assert_string_equal(web->prefix, "web_x_");
    assert_int_equal(web->questions, TENON_CAN_ELICIT | TENON_CAN_ELICIT_URL);
    assert_words(more->token_command, "print|token|");
    assert_string_equal(more->prefix, "");
    assert_int_equal(more->at, 2);
    assert_int_equal(more->time_ms, 50000);
}

static void check_policy(const struct tn_policy *policy)
{
    assert_true(policy->read_only && policy->pass_bad_schemas && policy->lock_named);
    assert_int_equal(policy->unknown, UNKNOWN_IGNORE);
    assert_int_equal(policy->repairs, REPAIRS_ON);
    assert_int_equal(policy->results, RESULTS_WARN);
    assert_int_equal(policy->changed, CHANGED_KEEP);
    assert_int_equal(policy->messages, MESSAGES_META);
    assert_int_equal(policy->name_max, 100);
    assert_int_equal(policy->caller_count, 2);
    assert_string_equal(policy->callers[0].who, "ann");
    assert_string_equal(policy->callers[0].tools.deny.at[0], "y");
    assert_string_equal(policy->callers[1].who, "scope:reader");
    assert_int_equal(policy->callers[1].rate.burst, 100);
    assert_string_equal(strrchr(policy->lock, '/') - strlen("/locks"), "/locks/tenon.lock");
}

static void check_serve(const tenon_map *serve, const char *folder)
{
    char tokens[100];

    snprintf(tokens, sizeof tokens, "%s/tokens", folder);
    assert_string_equal(tenon_map_get(serve, "http"), "127.0.0.1:8080");
    assert_string_equal(tenon_map_get(serve, "tokens-file"), tokens);
    assert_string_equal(tenon_map_get(serve, "max-queue"), "7");
    assert_int_equal(serve->count, 6); /* a rate each */
    assert_string_equal(serve->at[4].value, "bob=5/m");
}

static void every_value_is_read(void **state)
{
    char              folder[] = "/tmp/tenon-config-XXXXXX", path[100];
    struct tn_config *config;
    FILE             *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/key", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("secret\n", file);
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
    snprintf(path, sizeof path, "%s/tokens", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(path, 0644), 0);
    snprintf(path, sizeof path, "%s/guard.yaml", folder);
    config = config_of(path, whole);
    /* Its directory is the root of all files: the only mistake. */
    assert_int_equal(config->mistakes.total, 1);
    assert_non_null(
        strstr(report(&config->mistakes), "9:16: the server could change what decides about it: "));
    assert_int_equal(config->upstream_count, 3);
    check_command(&config->upstreams[0], folder);
    check_rules(&config->upstreams[0]);
    check_addresses(&config->upstreams[1], &config->upstreams[2]);
    check_policy(&config->policy);
    check_serve(&config->serve, folder);
    tn_config_free(config);
    snprintf(path, sizeof path, "rm -r %s", folder);
    assert_int_equal(system(path), 0);
}

static void little_is_enough(void **state)
{
    struct tn_config *config = config_of("g.json", "{\"upstreams\":{\"a\":{\"command\":[\"x\"]}}}");

    (void)state;
    assert_string_equal(report(&config->mistakes), "");
    assert_string_equal(config->upstreams[0].prefix, "a_");
    assert_string_equal(config->policy.lock, "tenon.lock");
    assert_false(config->policy.lock_named);
    assert_int_equal(config->policy.results, RESULTS_CHECK);
    tn_config_free(config);
}

/* ---- Mistakes ---------------------------------------------------------------------------------------------------- */

#define A "upstreams:\n  a: { command: [x] }\n"

static void mistakes_have_places(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { A, "" },
        { "", "1:1: value must be an object, got null\n" },
        { "# nothing\n", "1:1: value must be an object, got null\n" },
        { "[]", "1:1: value must be an object, got []\n" },
        { "upstreams: {}\n", "1:12: upstreams must contain at least 1 items, got 0\n" },
        { A "polcy: {}\n", "3:1: unknown property 'polcy'; did you mean 'policy'? Valid properties: serve, "
                           "lock, lock-key, upstreams, policy\n" },
        { A "policy: { repair: true, results: chek }\n",
          "3:19: /policy/repair must be one of: on, form, off. Got: true\n"
          "3:34: /policy/results must be one of: check, warn, off. Got: chek\n" },
        { "upstreams:\n  a b: { command: [x] }\n",
          "2:3: the name of a server must begin with a letter or digit and have letters, digits, '_', '.' "
          "and '-' only\n" },
        { "upstreams:\n  a: {}\n", "2:6: /upstreams/a/command is required\n" },
        { "upstreams:\n  a: { command: [x], url: https://a.example }\n",
          "2:6: a has both a command and a url; it is one or the other\n" },
        { "upstreams:\n  a: { command: [x], idle: 5 }\n",
          "2:28: idle must be a time such as 200ms, 30s, 10m or 1h, from 0 to 24h\n" },
        { "upstreams:\n  a: { command: [x], idle: 25h, restart: { within: 1ms, pause: 2s..1s, most: 0 } }\n",
          "2:28: idle must be a time such as 200ms, 30s, 10m or 1h, from 0 to 24h\n"
          "2:52: within must be a time such as 200ms, 30s, 10m or 1h, from 1s to 1h\n"
          "2:64: pause must be two times such as 200ms..30s, the second not the shorter one\n"
          "2:78: /upstreams/a/restart/most must be between 1 and 100, got 0\n" },
        { "upstreams:\n  a: { command: [x], limits: { memory: 1KiB, answer: 17MiB, time: 10s, time-max: 9s } "
          "}\n",
          "2:40: memory must be a size such as 65536, 64KiB or 512MiB, from 16MiB to 1024GiB\n"
          "2:54: answer must be a size such as 65536, 64KiB or 512MiB, from 64KiB to 16MiB\n"
          "2:82: time-max must not be shorter than time\n" },
        { "upstreams:\n  a: { command: [x], env: { A: true, B: \"x\" }, env-from: [NOPE, LD_PRELOAD, B] }\n",
          "2:32: /upstreams/a/env/A must be a string or a number, got true\n"
          "2:59: NOPE is not set in the environment of the guard\n"
          "2:65: LD_PRELOAD changes what a program runs; write its value in env if it is meant\n"
          "2:77: B is not set in the environment of the guard\n" },
        { "upstreams:\n  a: { command: [x], secrets: { K: /none/such } }\n",
          "2:36: it cannot be opened (No such file or directory): /none/such\n" },
        { "upstreams:\n  a: { command: [x], directory: /none/such }\n",
          "2:33: the directory cannot be entered (No such file or directory): /none/such\n" },
        { "upstreams:\n  a: { url: http://a.example/x }\n  b: { url: 'nothing' }\n  c: { url: "
          "'http://127.0.0.1:1/mcp' }\n",
          "2:13: url must begin with https: over http a token can be read on the way; \"plain: true\" "
          "accepts that\n"
          "3:13: url must be an address such as https://mcp.example.com/mcp\n" },
        { "upstreams:\n  a: { url: https://a.example/x, env: { A: b } }\n",
          "2:34: env is for a server with a command; a has a url\n" },
        { "upstreams:\n  a: { url: https://a.example/x, headers: { Mcp-Name: a, Host: b, X: \"a\\nb\" } }\n",
          "2:45: the header Mcp-Name is set by the guard itself\n"
          "2:58: the header Host is set by the guard itself\n"
          "2:70: X must not contain line breaks or control characters\n" },
        { "upstreams:\n  a: { url: https://a.example/x, token-command: [x], headers: { authorization: a } "
          "}\n",
          "2:6: token-file, token-command and a header Authorization exclude each other\n" },
        { "serve: { http: 127.0.0.1:0 }\nupstreams:\n  a: { url: https://a.example/x, token-command: [x] }\n",
          "3:6: several callers would share this credential; write \"credential: shared\" if that is "
          "meant\n" },
        { A "serve: { htp: x, unknown: ignore, max-body: 1, rate: [a=1/s, b], config: x, stdio: maybe }\n",
          "3:15: htp is not a setting; did you mean http?\n"
          "3:18: unknown stands in policy, not in serve\n"
          "3:45: max-body needs a size (65536, 64KiB, 4MiB) from 1KiB to 1GiB; got \"1\"\n"
          "3:62: rate needs CALLER=N/s, with /m, /h or /d as well, such as ann=10/s, or \"*=100/m burst=20 "
          "calls=4 bytes=1MiB/s\"; got \"b\"\n"
          "3:74: config needs to be a flag or an environment variable; got \"x\"\n"
          "3:84: stdio needs true or false; got \"maybe\"\n" },
        { "upstreams:\n  a: { command: [x] }\n  a_b: { command: [x] }\n  c: { command: [x], prefix: a_ }\n  "
          "d: { command: [x], prefix: 'e f' }\n",
          "3:3: the prefixes 'a_b_' and 'a_' (of a) begin alike: a tool of one server could take the name of "
          "another's\n"
          "4:22: the prefixes 'a_' and 'a_' (of a) begin alike: a tool of one server could take the name of "
          "another's\n"
          "4:22: the prefixes 'a_' and 'a_b_' (of a_b) begin alike: a tool of one server could take the name "
          "of another's\n"
          "5:30: /upstreams/d/prefix must match the pattern ^[A-Za-z0-9_-]{0,32}$, got \"e f\"\n" },
        { "upstreams:\n  a:\n    command: [x]\n    tools:\n      allow: x\n      t: { say: nothing, rate: "
          "5/x, publish: false }\n"
          "      u: { arguments: { properties: { a: { type: integr } } } }\n",
          "5:14: /upstreams/a/tools/allow must be an array of strings, got \"x\"\n"
          "6:17: say needs arguments, the schema that it is about\n"
          "6:32: rate must be a rate such as 10/s, 30/m, 100/h or 1000/d\n"
          "6:46: publish needs arguments, the schema that it is about\n"
          "7:50: arguments is not a JSON Schema: must be one of: null, boolean, integer, number, string, "
          "array, object\n" },
        { A "serve: { tokens-file: /none/such }\n",
          "3:23: it cannot be opened (No such file or directory): /none/such\n" },
        { A "policy: { callers: { x: { rate: 0/s } } }\n",
          "3:33: rate must be a rate such as 10/s, 30/m, 100/h or 1000/d\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_reports("g.yaml", cases[i].text, cases[i].want);
}

static void hostile_files_are_refused(void **state)
{
    static const struct {
        const char *name, *text, *want;
    } cases[] = {
        { "g.yaml", "a: &x [1]\nb: *x\n",
          "1:4: anchors and aliases (&name, *name) are not allowed; write the value out\n" },
        { "g.yaml", "b: *x\n",
          "1:4: anchors and aliases (&name, *name) are not allowed; write the value out\n" },
        { "g.yaml", "a: !!python/object x\n", "1:4: tags (!name) are not allowed\n" },
        { "g.yaml", "{}\n---\n{}\n", "2:1: a second document is not allowed\n" },
        { "g.yaml", "a: [\n", "2:1: this is not valid YAML: did not find expected node content\n" },
        { "g.yaml", "? [a]\n: b\n", "1:3: a name must be text\n" },
        { "g.yaml", "a: \"\xff\"\n", "1:5: this is not valid YAML: invalid leading UTF-8 octet\n" },
        { "g.json", "{\"upstreams\":\n }", "2:2: this is not valid JSON: unexpected character\n" },
        { "g.json", "{\"a\":\"\xff\"}", "1:7: this is not valid UTF-8\n" },
        { "g.yaml", A "lock: \"a\\0b\"\n", "3:7: a text must not contain NUL\n" },
        { "g.json", "{\"upstreams\":{\"a\":{\"command\":[\"x\\u0000\"]}}}",
          "1:31: a text must not contain NUL\n" },
        { "g.yaml", A "lock: a\nlock: b\n", "4:1: this name is given twice\n" },
        { "g.json",
          "{\"lock\":\"a\",\n "
          "\"upstreams\":{\"a\":{\"command\":[\"x\"]},\n\"\\u0061\":{\"command\":[\"x\"]}}}",
          "3:1: this name is given twice\n" },
        { "g.json", "\xef\xbb\xbf{\"upstreams\":{\"a\":{\"command\":[\"x\"]}}}", "" },
    };
    char   deep[401];
    size_t len = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_reports(cases[i].name, cases[i].text, cases[i].want);
    while (len < 200)
        deep[len++] = '[';
    deep[len] = '\0';
    assert_reports("g.yaml", deep, "1:65: it is nested deeper than 64 levels\n");
    while (len < 400)
        deep[len++] = ']';
    deep[400] = '\0';
    assert_reports("g.json", deep, "1:1: it is nested deeper than 64 levels\n");
}

static void comments_are_spaces(void **state)
{
    static const struct { const char *text, *want; } cases[] = {
        { "// a\n{ /* b \n ] */ \"upstreams\": { // \"\n\"a\": { \"command\": [\"x // y\", \"/* \\\"z\", ], }, }, }\n// end", "" },
        { "{\"upstreams\": {\"a\": {\"command\": [\"x\",,]}}}", "1:38: this is not valid JSON: unexpected character\n" },
        { "{\"upstreams\": {\"a\": {\"command\": [,]}}}", "1:34: this is not valid JSON: unexpected character\n" },
        { "{} /* no end", "1:4: this is not valid JSON: text after the end of the value\n" },
        { "{\"upstreams\": {\"a\": {\"command\": /* x */ 1}}}", "1:41: /upstreams/a/command must be an array, got 1\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_reports("mcp.json", cases[i].text, cases[i].want);
}

static void a_nul_byte_is_seen(void **state)
{
    struct tn_config *config = tn_config_of("g.yaml", (struct tn_slice){ "a: b\n\0c", 7 }, own, NULL);

    (void)state;
    assert_string_equal(report(&config->mistakes), "2:1: a text must not contain NUL\n");
    tn_config_free(config);
}

static void a_file_of_any_length_is_bounded(void **state)
{
    char             *text = malloc(CONFIG_BYTES_MAX + 2);
    struct tn_config *config;

    (void)state;
    memset(text, ' ', CONFIG_BYTES_MAX + 1);
    text[CONFIG_BYTES_MAX + 1] = '\0';
    assert_reports("g.yaml", text, "1:1: it is longer than a configuration may be\n");
    /* A name each two bytes, all of them the same: counted, and the first hundred shown. */
    for (size_t i = 0; i < CONFIG_BYTES_MAX; i += 4)
        memcpy(text + i, "\n? a", 4);
    config = config_of("g.yaml", text);
    assert_true(config->mistakes.total > 0 && config->mistakes.count <= MISTAKES_MAX);
    tn_config_free(config);
    free(text);
}

/* ---- Files of clients -------------------------------------------------------------------------------------------- */

static void clients_files_are_read(void **state)
{
    static const struct {
        const char *text, *mistakes, *notes, *yaml;
    } cases[] = {
        { "{\"mcpServers\": {\"a b\": {\"command\": \"npx\", \"args\": [\"-y\", \"x y\", \"on\"], \"env\": "
          "{\"K\": \"5\"}},\n"
          " \"w\": {\"type\": \"http\", \"url\": \"https://a.example/m\", \"headers\": {\"X-A\": \"b\"}}}}",
          "", "",
          "upstreams:\n  a-b:\n    command: [npx, \"-y\", \"x y\", \"on\"]\n    env:\n      K: \"5\"\n"
          "  w:\n    url: \"https://a.example/m\"\n    headers:\n      X-A: b\n" },
        { "{\"servers\": {\"a\": {\"type\": \"stdio\", \"cwd\": \"/\", \"command\": \"x\", \"envFile\": "
          "\"y\"}}, \"inputs\": []}",
          "1:44: the server could change what decides about it: ",
          "1:1: not understood, and ignored: inputs\n"
          "1:65: a: envFile is not understood, and is ignored\n",
          "  a:\n    command: [x]\n    directory: /\n" },
        { "{\"mcpServers\": {\"g\": {\"command\": \"/usr/bin/tenon\", \"args\": [\"guard\", \"--config\", "
          "\"x\"]},\n"
          "\"d\": {\"command\": \"x\", \"disabled\": true}, \"a\": {\"command\": \"x\"}}}",
          "", "1:17: g is left out: it runs tenon guard itself\n2:1: d is left out: it is disabled\n",
          "upstreams:\n  a:\n    command: [x]\n" },
        { "{\"mcpServers\": {\"s\": {\"type\": \"sse\", \"url\": \"https://a.example\"},\n"
          "\"v\": {\"command\": \"x\", \"env\": {\"K\": \"${K}\"}}, \"n\": 1, \"o\": {}, \"p\": "
          "{\"command\": [\"x\"]},\n"
          "\"a\": {\"command\": \"x\"}}}",
          "1:31: s: type sse is not supported; servers are reached by stdio or http\n"
          "2:36: v: ${...} is not understood; write the value out, or import the file and use env-from or "
          "secrets\n"
          "2:51: n must be an object with a command or a url\n2:59: o must be an object with a command or a "
          "url\n"
          "2:80: p: command must be a string\n",
          "", "\nupstreams:\n  a:\n    command: [x]\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tn_config *config = config_of("mcp.json", cases[i].text), *again;
        const char       *yaml;

        if (cases[i].mistakes[0] && !strchr(cases[i].mistakes, '\n'))
            assert_non_null(strstr(report(&config->mistakes), cases[i].mistakes));
        else
            assert_string_equal(report(&config->mistakes), cases[i].mistakes);
        assert_string_equal(report(&config->notes), cases[i].notes);
        yaml = tn_config_yaml(config);
        assert_non_null(strstr(yaml, cases[i].yaml));
        again = config_of("guard.yaml", yaml);
        assert_int_equal(again->upstream_count, config->upstream_count);
        tn_config_free(again);
        tn_config_free(config);
    }
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void refused_memory_is_a_mistake(void **state)
{
    static const char *const texts[] = {
        "g.yaml", whole, "mcp.json",
        "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"env\": {\"K\": \"5\"}}}}"
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i += 2)
        for (size_t at = 1;; at++) {
            struct tn_fault   fault  = { .refuse_at = at, .refuse_rest = at % 2 == 0 };
            tenon_allocator   memory = tn_fault_allocator(&fault);
            struct tn_config *config = tn_config_of(texts[i], tn_slice_of(texts[i + 1]), own, &memory);
            bool              fine   = config && tn_config_is_fine(config);

            tn_config_free(config);
            assert_int_equal(fault.blocks, 0);
            if (!fault.refused)
                break;
            assert_false(fine && fault.refuse_rest); /* one that is refused may be done without */
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_is_read),
        cmocka_unit_test(little_is_enough),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(hostile_files_are_refused),
        cmocka_unit_test(comments_are_spaces),
        cmocka_unit_test(a_nul_byte_is_seen),
        cmocka_unit_test(a_file_of_any_length_is_bounded),
        cmocka_unit_test(clients_files_are_read),
        cmocka_unit_test(refused_memory_is_a_mistake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
