/* servers.c - one upstream: its members into struct tn_upstream, and what holds between them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tenon/ask.h>

#include "base/ascii.h"
#include "contract/trusted.h"
#include "guard/config/config.h"
#include "guard/config/spot.h"
#include "guard/phrases.h"
#include "json/pointer.h"
#include "json/write.h"
#include "net/settings.h"
#include "net/settings_value.h"
#include "text/uri.h"

#define SECOND        1000
#define MINUTE        (60 * SECOND)
#define HOUR          (60 * MINUTE)
#define DAY           (24 * HOUR)
#define MEMORY_MIN    ((size_t)16 << 20)
#define MEMORY_MAX    ((size_t)1 << 40)
#define ANSWER_MIN    ((size_t)64 << 10)
#define ANSWER_MAX    ((size_t)16 << 20)
#define ROOTS_LEN_MAX ((size_t)256 << 10)
#define TOKEN_LEN_MAX ((size_t)64 << 10)
#define NAME_LEN_MAX  64
#define NAME_CHARS    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

static const tenon_choice shares[] = {
    { "auto", SHARE_AUTO },
    { "all", SHARE_ALL },
    { "caller", SHARE_CALLER },
    { "session", SHARE_SESSION },
    { 0 },
};
static const tenon_choice starts[] = { { "lazy", false }, { "now", true }, { 0 } };

/* ---- A command --------------------------------------------------------------------------------------------------- */

/* `where` is within the upstream. */
static void environment_mistake(void *user, const char *where, const char *text)
{
    const struct tn_spot *spot = user;
    struct tn_spot        member, inner;
    struct tn_slice       rest = tn_slice_of(where), token;
    bool                  bad  = false;
    size_t                index;

    if (!tn_pointer_step(spot->tree->arena, &rest, &token, &bad)) {
        tn_spot_wrong(spot, "%s", text);
        return;
    }
    member = tn_spot_member(spot, tn_arena_copy(spot->tree->arena, token.at, token.len));
    if (!tn_pointer_step(spot->tree->arena, &rest, &token, &bad)) {
        tn_spot_wrong(&member, "%s", text);
        return;
    }
    if (yyjson_is_arr(member.value) && tn_pointer_index(token, &index))
        inner = tn_spot_item(&member, index, yyjson_arr_get(member.value, index));
    else
        inner = tn_spot_member(&member, tn_arena_copy(spot->tree->arena, token.at, token.len));
    tn_spot_wrong(&inner, "%s", text);
}

static void check_directory(const struct tn_spot *spot, const char *path)
{
    int folder = path ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

    if (folder >= 0)
        close(folder);
    else if (path)
        tn_spot_wrong(spot, SAY_CONFIG_DIRECTORY, strerror(errno), path);
}

static void fill_command(const struct tn_spot *spot, const char *const *environment,
                         struct tn_upstream *upstream)
{
    struct tn_spot command = tn_spot_member(spot, "command"), env = tn_spot_member(spot, "env");
    struct tn_spot from = tn_spot_member(spot, "env-from"), secrets = tn_spot_member(spot, "secrets");
    struct tn_spot directory = tn_spot_member(spot, "directory"), start = tn_spot_member(spot, "start");
    struct tn_spot restart = tn_spot_member(spot, "restart"), idle = tn_spot_member(spot, "idle");
    struct tn_spot most = tn_spot_member(&restart, "most"), within = tn_spot_member(&restart, "within");
    struct tn_spot pause = tn_spot_member(&restart, "pause"), retry = tn_spot_member(spot, "retry");
    struct tn_environment_sink sink = { environment_mistake, (void *)(uintptr_t)spot };

    upstream->words       = tn_spot_words(&command);
    upstream->environment = (struct tn_environment_wishes){ .env      = tn_spot_map(&env),
                                                            .env_from = tn_spot_texts(&from),
                                                            .secrets  = tn_spot_paths(&secrets) };
    tn_environment_new(environment, &upstream->environment, &sink, spot->tree->arena);
    upstream->directory = tn_spot_path(&directory);
    check_directory(&directory, upstream->directory);
    upstream->starts_now = tn_spot_choice(&start, starts, false) != 0;
    tn_spot_time(&idle, 0, DAY, &upstream->idle_ms);
    upstream->starts_most = (int)tn_spot_count(&most, (size_t)upstream->starts_most);
    tn_spot_time(&within, SECOND, HOUR, &upstream->starts_within_ms);
    tn_spot_pause(&pause, &upstream->start_pause);
    upstream->retry = tn_spot_bool(&retry, false);
}

/* ---- An address -------------------------------------------------------------------------------------------------- */

static void check_secret(const struct tn_spot *spot, const char *path)
{
    struct tn_arena arena;
    struct tn_slice text;
    const char     *mistake;

    if (!path)
        return;
    tn_arena_init(&arena, &spot->tree->arena->memory, 0);
    if (tn_trusted_read(path, TRUSTED_PRIVATE, TOKEN_LEN_MAX, &arena, &text, &mistake) != TENON_OK)
        tn_spot_wrong(spot, "%s", mistake);
    tn_arena_rest(&arena, 0); /* it was a secret */
    tn_arena_free(&arena);
}

static bool is_ours(const char *name)
{
    static const char *const ours[] = { "host",       "content-type",      "content-length", "accept",
                                        "connection", "transfer-encoding", "last-event-id" };
    struct tn_slice          given  = tn_slice_of(name);

    if (given.len > 4 && tn_slice_fold_equal((struct tn_slice){ name, 4 }, SLICE_LIT("mcp-")))
        return true;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (tn_slice_fold_equal(given, tn_slice_of(ours[i])))
            return true;
    return false;
}

static bool is_authorization(const char *name)
{
    return tn_slice_fold_equal(tn_slice_of(name), SLICE_LIT("authorization"));
}

/* How many of them show who the guard is. */
static size_t check_headers(const struct tn_spot *headers, const tenon_map *map, bool of_files)
{
    size_t count = 0;

    for (size_t i = 0; i < map->count; i++) {
        struct tn_spot spot = tn_spot_member(headers, map->at[i].key);

        if (is_ours(map->at[i].key))
            tn_spot_key_wrong(&spot, SAY_CONFIG_HEADER_OURS, map->at[i].key);
        if (of_files)
            check_secret(&spot, map->at[i].value);
        else
            for (const char *c = map->at[i].value; *c; c++)
                if ((unsigned char)*c < 0x20 || *c == 0x7f) {
                    tn_spot_wrong(&spot, SAY_CONFIG_HEADER, map->at[i].key);
                    break;
                }
        count += is_authorization(map->at[i].key);
    }
    return count;
}

static void check_url(const struct tn_spot *spot, const struct tn_upstream *upstream)
{
    struct tn_slice text = tn_slice_of(upstream->url), host, port;

    if (!upstream->url)
        return;
    if (!tn_settings_split_url(text, &host, &port) || !tn_uri_is_absolute(text) || strchr(upstream->url, '#'))
        tn_spot_wrong(spot, SAY_CONFIG_URL, "url");
    else if (!tn_slice_fold_equal(tn_uri_scheme(text), SLICE_LIT("https")) && !upstream->plain &&
             !tn_settings_is_loopback(host))
        tn_spot_wrong(spot, SAY_CONFIG_PLAIN, "url");
#ifndef TENON_CURL
    tn_spot_wrong(spot, "%s", SAY_CONFIG_NO_URL);
#endif
}

/* One credential for several callers is meant, or a mistake. */
static void check_credential(const struct tn_config *config, const struct tn_spot *spot,
                             const struct tn_upstream *upstream, size_t headers)
{
    size_t ways = (upstream->token_file ? 1u : 0u) + (upstream->token_command ? 1u : 0u) + headers;

    if (ways > 1)
        tn_spot_wrong(spot, "%s", SAY_CONFIG_TOKENS);
    if (ways + upstream->header_files.count > 0 && !upstream->shared_credential &&
        tenon_map_get(&config->serve, "http"))
        tn_spot_wrong(spot, "%s", SAY_CONFIG_SHARED);
}

static void fill_address(const struct tn_config *config, const struct tn_spot *spot,
                         struct tn_upstream *upstream)
{
    struct tn_spot url = tn_spot_member(spot, "url"), token = tn_spot_member(spot, "token-file");
    struct tn_spot command = tn_spot_member(spot, "token-command"), headers = tn_spot_member(spot, "headers");
    struct tn_spot files      = tn_spot_member(spot, "header-file"),
                   credential = tn_spot_member(spot, "credential");
    struct tn_spot plain = tn_spot_member(spot, "plain"), private_ = tn_spot_member(spot, "private");
    struct tn_spot breaker  = tn_spot_member(spot, "breaker");
    struct tn_spot failures = tn_spot_member(&breaker, "failures"),
                   within   = tn_spot_member(&breaker, "within");
    struct tn_spot pause    = tn_spot_member(&breaker, "pause");

    upstream->url               = yyjson_get_str(url.value);
    upstream->token_file        = tn_spot_path(&token);
    upstream->token_command     = tn_spot_words(&command);
    upstream->headers           = tn_spot_map(&headers);
    upstream->header_files      = tn_spot_paths(&files);
    upstream->shared_credential = yyjson_equals_str(credential.value, "shared");
    upstream->plain             = tn_spot_bool(&plain, false);
    upstream->private_          = tn_spot_bool(&private_, false);
    upstream->failures          = (int)tn_spot_count(&failures, (size_t)upstream->failures);
    tn_spot_time(&within, SECOND, HOUR, &upstream->failures_ms);
    tn_spot_pause(&pause, &upstream->failure_pause);
    check_url(&url, upstream);
    check_secret(&token, upstream->token_file);
    check_credential(config, spot, upstream,
                     check_headers(&headers, &upstream->headers, false) +
                         check_headers(&files, &upstream->header_files, true));
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

static void fill_questions(const struct tn_spot *spot, struct tn_upstream *upstream)
{
    static const tenon_choice names[] = {
        { "elicitation", TENON_CAN_ELICIT | TENON_CAN_ELICIT_URL },
        { "sampling", TENON_CAN_SAMPLE | TENON_CAN_SAMPLE_TOOLS },
        { "roots", TENON_CAN_LIST_ROOTS },
        { 0 },
    };
    struct tn_spot  questions = tn_spot_member(spot, "questions"), roots = tn_spot_member(spot, "roots");
    yyjson_arr_iter items = yyjson_arr_iter_with(questions.value);
    yyjson_val     *item;
    struct tn_buf   text;

    if (yyjson_is_arr(questions.value))
        upstream->questions = 0;
    for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
        struct tn_spot one = tn_spot_item(&questions, i, item);

        upstream->questions |= (unsigned)tn_spot_choice(&one, names, 0);
    }
    if (!yyjson_is_arr(roots.value))
        return;
    tn_buf_init(&text, spot->tree->arena, 0, ROOTS_LEN_MAX);
    tn_json_value(&text, roots.value);
    upstream->roots = tn_buf_end(&text);
    upstream->questions |= TENON_CAN_LIST_ROOTS;
}

static void fill_limits(const struct tn_spot *spot, struct tn_upstream *upstream)
{
    struct tn_spot limits = tn_spot_member(spot, "limits"), memory = tn_spot_member(&limits, "memory");
    struct tn_spot answer = tn_spot_member(&limits, "answer"), time = tn_spot_member(&limits, "time");
    struct tn_spot most = tn_spot_member(&limits, "time-max"), calls = tn_spot_member(&limits, "calls");
    struct tn_spot ready = tn_spot_member(spot, "ready"), refresh = tn_spot_member(spot, "refresh");

    tn_spot_size(&memory, MEMORY_MIN, MEMORY_MAX, &upstream->memory_max);
    tn_spot_size(&answer, ANSWER_MIN, ANSWER_MAX, &upstream->answer_max);
    tn_spot_time(&time, 0, DAY, &upstream->time_ms);
    tn_spot_time(&most, 0, DAY, &upstream->time_most_ms);
    if (!most.value && upstream->time_most_ms < upstream->time_ms)
        upstream->time_most_ms = upstream->time_ms;
    if (most.value && upstream->time_most_ms > 0 && upstream->time_most_ms < upstream->time_ms)
        tn_spot_wrong(&most, SAY_CONFIG_ORDER, "time-max", "time");
    upstream->calls_max = tn_spot_count(&calls, upstream->calls_max);
    tn_spot_time(&ready, 100, 10 * MINUTE, &upstream->ready_ms);
    tn_spot_time(&refresh, 0, DAY, &upstream->refresh_ms);
}

/* Its name and '_', in characters that names of tools may have. */
static const char *default_prefix(struct tn_arena *arena, const char *name)
{
    char *prefix = tn_arena_take(arena, strlen(name) + 2, 1);

    if (!prefix)
        return "";
    for (size_t i = 0; name[i]; i++)
        prefix[i] = strchr(NAME_CHARS, name[i]) ? name[i] : '_';
    memcpy(prefix + strlen(name), "_", 2);
    return prefix;
}

static void check_name(const struct tn_spot *spot)
{
    const char *name = spot->name;

    if ((!tn_ascii_is_letter(name[0]) && !tn_ascii_is_digit(name[0])) || strlen(name) > NAME_LEN_MAX)
        tn_spot_key_wrong(spot, "%s", SAY_CONFIG_NAME);
    else
        for (const char *c = name; *c; c++)
            if (*c != '.' && !strchr(NAME_CHARS, *c)) {
                tn_spot_key_wrong(spot, "%s", SAY_CONFIG_NAME);
                return;
            }
}

/* Members that mean nothing for the one kind of server. */
static void check_members(const struct tn_spot *spot, const char *kind, const char *other,
                          const char *const *names)
{
    if (!yyjson_obj_get(spot->value, other) || yyjson_obj_get(spot->value, kind))
        return;
    for (; *names; names++) {
        struct tn_spot member = tn_spot_member(spot, *names);

        if (member.value)
            tn_spot_key_wrong(&member, SAY_CONFIG_FOR, *names, kind, spot->name, other);
    }
}

static void check_kind(const struct tn_spot *spot)
{
    static const char *const of_commands[]  = { "env",   "env-from", "secrets", "directory",
                                                "start", "idle",     "restart", NULL };
    static const char *const of_addresses[] = { "token-file",  "token-command", "headers",
                                                "header-file", "credential",    "plain",
                                                "private",     "breaker",       NULL };

    if (yyjson_obj_get(spot->value, "command") && yyjson_obj_get(spot->value, "url"))
        tn_spot_wrong(spot, SAY_CONFIG_BOTH, spot->name);
    check_members(spot, "command", "url", of_commands);
    check_members(spot, "url", "command", of_addresses);
}

void tn_config_upstream(struct tn_config *config, const struct tn_spot *spot, const char *const *environment,
                        struct tn_upstream *upstream)
{
    struct tn_spot prefix = tn_spot_member(spot, "prefix"), share = tn_spot_member(spot, "share");
    struct tn_spot tools = tn_spot_member(spot, "tools"), resources = tn_spot_member(spot, "resources");
    struct tn_spot prompts = tn_spot_member(spot, "prompts"), extensions = tn_spot_member(spot, "extensions");

    tn_upstream_configured(upstream);
    upstream->name = spot->name;
    check_name(spot);
    check_kind(spot);
    fill_command(spot, environment, upstream);
    fill_address(config, spot, upstream);
    upstream->share = (enum tn_share)tn_spot_choice(&share, shares, SHARE_AUTO);
    fill_questions(spot, upstream);
    fill_limits(spot, upstream);
    upstream->prefix = yyjson_get_str(prefix.value);
    if (!upstream->prefix)
        upstream->prefix = default_prefix(spot->tree->arena, spot->name);
    upstream->tools      = tn_config_globs(&tools);
    upstream->resources  = tn_config_globs(&resources);
    upstream->prompts    = tn_config_globs(&prompts);
    upstream->extensions = tn_spot_texts(&extensions);
    tn_config_rules(&tools, upstream);
}
