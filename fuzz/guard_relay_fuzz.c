/* guard_relay_fuzz.c - a whole guard in memory between a client and a server that says what the input says: each request is
 * answered once, each message to a client is one line of JSON, and a result has nothing that its server did not say but what the
 * guard may put in.
 *
 * The first byte says which revisions both sides speak and what the policy is. Each line after it is one event:
 *
 *     c JSON          the client calls the tool "a" with these arguments
 *     m METHOD JSON   it asks something else
 *     n JSON          it notifies, or answers
 *     a JSON          it answers the last question
 *     r JSON          it goes on with the call that was answered by a state, with these answers
 *     x               it cancels its last request
 *     l JSON          the list of tools that the server has from now on
 *     ! or t          the server ends; a little time goes by
 *     anything else   a line of the server, with "@" for the id of the last request that it got
 *
 * Short inputs are run again with allocations refused in turn. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>

#include "base/memory.h"
#include "guard/guard.h"
#include "guard/link.h"
#include "json/read.h"
#include "net/serve.h"
#include "support/fault.h"

#define LINES_MAX    ((size_t)256) /* of the server, that wait */
#define ASKED_MAX    ((size_t)64)  /* requests of the client */
#define TEXT_MAX     ((size_t)1 << 16)
#define TURNS        8
#define REFUSED_SIZE ((size_t)300) /* of inputs that are tried with allocations refused, ... */
#define REFUSED_RUNS ((size_t)6)   /* ... so many of them, which the last byte chooses */

#define PRE  "io.modelcontextprotocol/"
#define META                                                                                                   \
    "\"_meta\":{\"" PRE "protocolVersion\":\"2026-07-28\",\"" PRE                                              \
    "clientInfo\":{\"name\":\"c\",\"version\":\"0\"},\"" PRE                                                   \
    "clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{}},\"progressToken\":7}"
#define HELLO(revision)                                                                                        \
    "\"protocolVersion\":\"" revision "\",\"clientInfo\":{\"name\":\"c\",\"version\":\"0\"},"                \
    "\"capabilities\":{\"elicitation\":{},\"sampling\":{},\"roots\":{}}"
#define TOOL                                                                                                   \
    "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}," \
    "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}}}}"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct asked {
    bool cancelled, open; /* a stream, which is not answered */
    int  answered;
};

struct scene {
    bool              modern_client, modern_server, old_client, fails;
    tenon_server     *server;
    struct tn_guard  *guard;
    struct tn_lane    lane;
    struct tn_service service;
    tenon_link       *link;
    struct asked      asked[ASKED_MAX];
    size_t            asked_count;
    char             *lines[LINES_MAX]; /* of the server */
    size_t            line_count;
    bool              ended, waited;
    long long         last_id; /* that the server got */
    char              tools[2048], question[64], state[4096], current[TEXT_MAX];
};

static struct scene scene;

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* As clients read it, with numbers as their text; NULL if it is not JSON. */
static yyjson_val *read_text(struct tn_arena *arena, const char *at, size_t len)
{
    const struct tn_json_limits limits = { (size_t)1 << 22, 200, 1000000 };

    tn_arena_init(arena, NULL, 0);
    return tn_json_read_literal(arena, at, len, &limits).root;
}

/* ---- The server ------------------------------------------------------------------------------------------------ */

static void say(const char *line)
{
    if (scene.line_count < LINES_MAX)
        scene.lines[scene.line_count++] = strdup(line);
}

static void say_result(long long id, const char *format, const char *value)
{
    char text[4096], result[3072];

    snprintf(result, sizeof result, format, value);
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":{%s%s}}", id,
             scene.modern_server ? "\"resultType\":\"complete\"," : "", result);
    say(text);
}

static void say_unknown(long long id)
{
    char text[128];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"error\":{\"code\":-32601,\"message\":\"no\"}}", id);
    say(text);
}

#define CAPABILITIES                                                                                           \
    "\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},"                   \
    "\"prompts\":{},\"completions\":{},\"logging\":{}}"

/* What every server answers. Anything else waits for the input to answer it. */
static void hear(yyjson_val *message)
{
    yyjson_val *method = yyjson_obj_get(message, "method"), *id = yyjson_obj_get(message, "id");
    long long   number = id ? atoll(yyjson_get_raw(id) ? yyjson_get_raw(id) : "0") : -1;

    if (!method || !id)
        return;
    if (yyjson_equals_str(method, scene.modern_server ? "server/discover" : "initialize"))
        say_result(number,
                   scene.modern_server ? "\"supportedVersions\":[\"%s\"]," CAPABILITIES
                                       : "\"protocolVersion\":\"%s\"," CAPABILITIES
                                         ",\"serverInfo\":{\"name\":\"up\",\"version\":\"1\"}",
                   scene.modern_server ? "2026-07-28" : "2025-11-25");
    else if (yyjson_equals_str(method, "initialize") || yyjson_equals_str(method, "server/discover"))
        say_unknown(number);
    else if (yyjson_equals_str(method, "tools/list"))
        say_result(number, "\"tools\":%s", scene.tools);
    else
        scene.last_id = number;
}

static bool way_send(struct tn_transport *transport, const struct tn_parcel *parcel)
{
    struct tn_arena arena;
    yyjson_val     *root = read_text(&arena, parcel->json.at, parcel->json.len);

    (void)transport;
    must(root && !memchr(parcel->json.at, '\n', parcel->json.len) &&
         !memchr(parcel->json.at, '\r', parcel->json.len));
    hear(root);
    tn_arena_free(&arena);
    return true;
}

static void way_step(struct tn_transport *transport, const struct tn_ready *ready, size_t count)
{
    char  *line = scene.line_count > 0 ? scene.lines[0] : NULL;
    size_t len  = line ? strlen(line) : 0;
    char  *copy;

    (void)ready, (void)count;
    if (!line && scene.ended)
        transport->sink.ended(transport->sink.user, 0, END_CLOSED, 0, "it ended");
    if (!line)
        return;
    memmove(scene.lines, scene.lines + 1, --scene.line_count * sizeof *scene.lines);
    snprintf(scene.current, sizeof scene.current, "%s", line);
    copy = malloc(len ? len : 1); /* without an end, so that a byte too far is seen */
    must(copy != NULL);
    memcpy(copy, line, len);
    transport->sink.message(transport->sink.user, 0, 0, (struct tn_slice){ copy, len });
    free(copy);
    free(line);
}

static int64_t way_due(const struct tn_transport *transport)
{
    (void)transport;
    return scene.line_count > 0 || scene.ended ? 0 : TRANSPORT_NEVER;
}

static void forget_lines(void)
{
    while (scene.line_count > 0)
        free(scene.lines[--scene.line_count]);
}

static void way_free(struct tn_transport *transport)
{
    forget_lines();
    scene.ended = false;
    free(transport);
}

static struct tn_transport *connect_way(const struct tn_upstream        *upstream,
                                        const struct tn_transport_frame *frame)
{
    struct tn_transport *way = calloc(1, sizeof *way);

    (void)upstream, (void)frame;
    must(way != NULL);
    way->send = way_send;
    way->step = way_step;
    way->due  = way_due;
    way->free = way_free;
    return way;
}

/* ---- The client ------------------------------------------------------------------------------------------------- */

static bool is_one_of(yyjson_val *name, const char *const *names)
{
    for (; *names; names++)
        if (yyjson_equals_str(name, *names))
            return true;
    return false;
}

/* Each member is the server's own, but for those that the guard may write anew, or put in. */
static void check_members(yyjson_val *result, yyjson_val *given)
{
    static const char *const edited[] = { "resultType", "ttlMs",   "cacheScope",        "_meta",
                                          "content",    "isError", "structuredContent", NULL };
    yyjson_obj_iter          each     = yyjson_obj_iter_with(result);
    yyjson_val              *name;

    while ((name = yyjson_obj_iter_next(&each)))
        if (!is_one_of(name, edited))
            must(yyjson_equals(yyjson_obj_iter_get_val(name),
                               yyjson_obj_getn(given, yyjson_get_str(name), yyjson_get_len(name))));
    each = yyjson_obj_iter_with(given);
    while ((name = yyjson_obj_iter_next(&each)))
        if (!is_one_of(name, edited))
            must(yyjson_obj_getn(result, yyjson_get_str(name), yyjson_get_len(name)) != NULL);
}

/* The server's blocks are there, in its order, and nothing between them. */
static void check_content(yyjson_val *content, yyjson_val *given)
{
    size_t count = yyjson_arr_size(given), at = 0;

    if (!yyjson_is_arr(given))
        return;
    must(yyjson_arr_size(content) >= count && yyjson_arr_size(content) <= count + 2);
    while (at + count <= yyjson_arr_size(content)) {
        size_t same = 0;

        while (same < count && yyjson_equals(yyjson_arr_get(content, at + same), yyjson_arr_get(given, same)))
            same++;
        if (same == count)
            return;
        at++;
    }
    abort();
}

/* Is it the guard's, in the first block of an error? */
static bool is_own(const char *text)
{
    static const char *const codes[] = { "UPSTREAM_INVALID", "DENIED",  "UNAVAILABLE",   "VALIDATION_ERROR",
                                         "LIMIT_EXCEEDED",   "TIMEOUT", "INTERNAL_ERROR" };

    for (size_t i = 0; text && i < sizeof codes / sizeof *codes; i++)
        if (strstr(text, codes[i]))
            return true;
    return false;
}

/* A result of a tool, which came from the line that was taken last. */
static void check_result(yyjson_val *result)
{
    struct tn_arena arena;
    yyjson_val     *given = yyjson_obj_get(read_text(&arena, scene.current, strlen(scene.current)), "result");
    yyjson_val     *first = yyjson_arr_get_first(yyjson_obj_get(result, "content"));
    const char     *text  = yyjson_get_str(yyjson_obj_get(first, "text"));
    yyjson_val     *type  = yyjson_obj_get(given, "resultType");
    bool            fails = yyjson_is_true(yyjson_obj_get(result, "isError"));

    if (given && !(fails && is_own(text)) && (!type || yyjson_equals_str(type, "complete"))) {
        check_members(result, given);
        if (!scene.old_client)
            check_content(yyjson_obj_get(result, "content"), yyjson_obj_get(given, "content"));
    }
    tn_arena_free(&arena);
}

static void take_state(yyjson_val *state)
{
    if (yyjson_is_str(state))
        snprintf(scene.state, sizeof scene.state, "%s", yyjson_get_str(state));
}

static void take(void *user, const char *json, size_t len)
{
    struct tn_arena arena;
    yyjson_val     *root = read_text(&arena, json, len), *id = yyjson_obj_get(root, "id");
    size_t          number;

    (void)user;
    must(yyjson_is_obj(root) && !memchr(json, '\n', len) && !memchr(json, '\r', len));
    if (yyjson_obj_get(root, "method")) {
        if (id)
            snprintf(scene.question, sizeof scene.question, "\"%s\"", yyjson_get_str(id));
    } else if (id && yyjson_is_raw(id)) {
        number = (size_t)atoll(yyjson_get_raw(id));
        must(number < scene.asked_count && scene.asked[number].answered == 0);
        scene.asked[number].answered = 1;
        take_state(yyjson_obj_get(yyjson_obj_get(root, "result"), "requestState"));
        if (yyjson_obj_get(yyjson_obj_get(root, "result"), "content") && scene.current[0])
            check_result(yyjson_obj_get(root, "result"));
    }
    tn_arena_free(&arena);
}

static void turn(void)
{
    for (int i = 0; i < TURNS; i++) {
        for (struct tn_link *link = scene.guard->links; link; link = link->next)
            tn_link_arm(link);
        tn_loop_run(&scene.lane.loop, UV_RUN_NOWAIT);
    }
}

/* Asks with parameters that are the members of an object, or nothing. */
static void ask(const char *method, const char *members)
{
    static char text[TEXT_MAX * 2];
    int         len;

    if (scene.asked_count == ASKED_MAX)
        return;
    len                              = snprintf(text, sizeof text,
                                                "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"%s\",\"params\":{%s%s%s}}",
                                                scene.asked_count, method, scene.modern_client ? META : "",
                   scene.modern_client && members[0] ? "," : "", members);
    scene.asked[scene.asked_count++] = (struct asked){ .open = !strcmp(method, "subscriptions/listen") };
    if (len > 0 && (size_t)len < sizeof text)
        tenon_link_send(scene.link, text, (size_t)len);
    turn();
}

/* JSON of the input, NULL if it is not. Repeated names are for the target of the protocol. */
static yyjson_doc *read_input(const char *text)
{
    return yyjson_read(text, strlen(text), YYJSON_READ_ALLOW_INVALID_UNICODE);
}

static void ask_call(const char *arguments)
{
    static char members[TEXT_MAX];
    yyjson_doc *doc = read_input(arguments);

    snprintf(members, sizeof members, "\"name\":\"a\",\"arguments\":%s", arguments);
    if (doc)
        ask("tools/call", members);
    yyjson_doc_free(doc);
}

static void ask_again(const char *answers)
{
    static char members[TEXT_MAX];
    yyjson_doc *doc = read_input(answers);

    snprintf(members, sizeof members,
             "\"name\":\"a\",\"arguments\":{},\"inputResponses\":%s,\"requestState\":\"%s\"", answers,
             scene.state);
    if (doc)
        ask("tools/call", members);
    yyjson_doc_free(doc);
}

static void ask_other(char *line)
{
    char       *space = strchr(line, ' ');
    yyjson_doc *doc   = read_input(space ? space + 1 : "{}");
    char       *from = space ? strchr(space, '{') : NULL, *to = space ? strrchr(space, '}') : NULL;

    if (space)
        *space = '\0';
    if (to)
        *to = '\0';
    if (yyjson_is_obj(yyjson_doc_get_root(doc)) &&
        strspn(line, "abcdefghijklmnopqrstuvwxyzL/") == strlen(line))
        ask(line, from ? from + 1 + strspn(from + 1, " \t") : "");
    yyjson_doc_free(doc);
}

/* A notification or an answer: requests are made above, where they are counted. */
static void notify(const char *text)
{
    yyjson_doc *doc  = read_input(text);
    yyjson_val *root = yyjson_doc_get_root(doc);

    if (yyjson_is_obj(root) && !(yyjson_obj_get(root, "id") && yyjson_obj_get(root, "method")) &&
        !(yyjson_obj_get(root, "id") && !yyjson_obj_get(root, "result") && !yyjson_obj_get(root, "error")))
        tenon_link_send(scene.link, text, strlen(text));
    yyjson_doc_free(doc);
    turn();
}

static void answer(const char *result)
{
    static char text[TEXT_MAX];
    yyjson_doc *doc = read_input(result);

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", scene.question, result);
    if (doc && scene.question[0])
        tenon_link_send(scene.link, text, strlen(text));
    yyjson_doc_free(doc);
    turn();
}

static void cancel(void)
{
    char text[128];

    if (scene.asked_count == 0)
        return;
    scene.asked[scene.asked_count - 1].cancelled = true;
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%zu}}",
             scene.asked_count - 1);
    tenon_link_send(scene.link, text, strlen(text));
    turn();
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

/* A line of the server, with the id of what it answers. */
static void say_input(const char *line)
{
    static char text[TEXT_MAX];
    const char *at = strchr(line, '@');

    if (at)
        snprintf(text, sizeof text, "%.*s%lld%s", (int)(at - line), line, scene.last_id, at + 1);
    say(at ? text : line);
    turn();
}

static void wait_a_little(void)
{
    if (!scene.waited)
        usleep(21000); /* questions to modern clients are collected for 20 ms */
    scene.waited = true;
    turn();
}

static void play(char *line)
{
    bool has_text = line[0] && line[1] == ' ';

    if (has_text && line[0] == 'c')
        ask_call(line + 2);
    else if (has_text && line[0] == 'r')
        ask_again(line + 2);
    else if (has_text && line[0] == 'm')
        ask_other(line + 2);
    else if (has_text && line[0] == 'n')
        notify(line + 2);
    else if (has_text && line[0] == 'a')
        answer(line + 2);
    else if (has_text && line[0] == 'l')
        snprintf(scene.tools, sizeof scene.tools, "%s", line + 2);
    else if (strcmp(line, "x") == 0)
        cancel();
    else if (strcmp(line, "!") == 0) {
        scene.ended = scene.guard->links && scene.guard->links->client;
        turn();
    } else if (strcmp(line, "t") == 0)
        wait_a_little();
    else
        say_input(line);
}

static void play_all(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *next;

    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (!scene.modern_client) {
        ask("initialize", scene.old_client ? HELLO("2024-11-05") : HELLO("2025-11-25"));
        notify("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }
    for (char *line = text; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        play(line);
    }
    free(text);
}

static void forget(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

static bool begin(uint8_t how, struct tn_upstream *upstream, const tenon_allocator *memory)
{
    const tenon_server_options    options = { .size = sizeof options, .memory = memory, .log = forget };
    static struct tn_server_owner owner;
    struct tn_policy              policy;

    tn_upstream_plain(upstream);
    tn_policy_plain(&policy);
    upstream->name      = "up";
    upstream->connect   = connect_way;
    policy.results      = how & 4 ? RESULTS_CHECK : RESULTS_WARN;
    policy.messages     = (enum tn_guard_messages)((how >> 3) % 3);
    scene.modern_client = how & 1;
    scene.modern_server = how & 2;
    scene.old_client    = how & 32 && !scene.modern_client;
    scene.guard         = tn_guard_new(upstream, 1, &policy, &options);
    if (!scene.guard)
        return false;
    must(tn_loop_init(&scene.lane.loop, NULL) == TENON_OK);
    tn_loop_hold(&scene.lane.loop); /* timers alone do not keep it running */
    scene.server        = scene.guard->server;
    scene.service.lanes = &scene.lane;
    owner               = (struct tn_server_owner){ .service = &scene.service };
    scene.server->owner = &owner;
    scene.link          = tenon_link_new(scene.server, take, NULL);
    return true;
}

static void end(void)
{
    const struct tn_source *source = scene.server->source;

    source->ending(source->user);
    for (size_t i = 0; i < scene.asked_count; i++)
        must(scene.asked[i].answered || scene.asked[i].cancelled || scene.asked[i].open || scene.fails);
    tenon_link_free(scene.link);
    source->stopped(source->user);
    tn_loop_release(&scene.lane.loop);
    tn_loop_run(&scene.lane.loop, UV_RUN_DEFAULT);
    tn_loop_run(&scene.lane.loop, UV_RUN_NOWAIT);
    scene.server->owner = NULL;
    tn_guard_free(scene.guard);
    tn_loop_free(&scene.lane.loop);
    forget_lines();
}

static void converse(const uint8_t *data, size_t size, struct tn_fault *fault)
{
    tenon_allocator    memory = tn_fault_allocator(fault);
    struct tn_upstream upstream;

    memset(&scene, 0, sizeof scene);
    scene.fails = fault->refuse_at > 0;
    snprintf(scene.tools, sizeof scene.tools, "[" TOOL "]");
    if (!begin(data[0], &upstream, &memory))
        return;
    if (scene.link)
        play_all(data + 1, size - 1);
    end();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tn_fault fault = { 0 };
    size_t          all, runs;

    if (size < 1 || size > TEXT_MAX / 2)
        return 0;
    converse(data, size, &fault);
    must(fault.blocks == 0);
    all  = size <= REFUSED_SIZE ? fault.requests : 0;
    runs = all < REFUSED_RUNS ? all : REFUSED_RUNS;
    for (size_t i = 0; i < runs; i++) {
        fault = (struct tn_fault){ .refuse_at = 1 + (i * all + data[size - 1] % all) / runs };
        converse(data, size, &fault);
        must(fault.blocks == 0);
    }
    return 0;
}
