/* guard_list.c - `tenon guard --list`: a guard is run as a child, on a pipe, and asked what it publishes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/guard_call.h"
#include "guard/config/inventory.h"
#include "json/read.h"
#include "json/write.h"
#include "mcp/era.h"
#include "net/settings.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)
#define CHUNK_BYTES    65536
#define ANSWER_MS      180000 /* a server that is installed first takes its time ... */
#define READY_MS       65000  /* ... and lists wait for it until its client has given up */

/* Of a request that needs no `initialize` before it. */
#define AS_MODERN                                                                                            \
    "{\"_meta\":{\"" META_VERSION "\":\"" MODERN_VERSION "\",\"" META_CAPABILITIES "\":{}}}"

struct looker {
    FILE           *to;   /* the guard */
    int             from; /* it */
    pid_t           child;
    struct tn_arena arena;
    char            chunk[CHUNK_BYTES];
    size_t          at, len; /* of what was read and not taken */
};

/* ---- The guard --------------------------------------------------------------------------------------------------- */

/* It serves this process and no one else, and says only what is wrong. */
static void prepare(struct guard_call *call)
{
    struct tn_settings *settings = call->settings;

    if (!tn_settings_has(settings, "log"))
        settings->log_level = LOG_WARN;
    settings->http = settings->admin = settings->audit = NULL;
    settings->audit_arguments                          = false;
    call->policy.caller_count                          = 0;
    for (size_t i = 0; i < call->upstream_count; i++)
        if (call->upstreams[i].ready_ms < READY_MS)
            call->upstreams[i].ready_ms = READY_MS;
}

static bool start(struct looker *looker, struct guard_call *call, int (*serve)(struct guard_call *))
{
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    looker->child = fork();
    if (looker->child == 0) {
        close(in[1]);
        close(out[0]);
        _exit(dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0 ? (int)ENDING_UNUSABLE
                                                                               : serve(call));
    }
    close(in[0]);
    close(out[1]);
    looker->to   = fdopen(in[1], "w");
    looker->from = out[0];
    return looker->child > 0 && looker->to;
}

/* ---- Its client -------------------------------------------------------------------------------------------------- */

/* False when there is no more, or nothing came for too long. */
static bool next_line(struct looker *looker, struct tn_buf *line)
{
    struct pollfd ready = { .fd = looker->from, .events = POLLIN };

    for (;;) {
        char   *end = memchr(looker->chunk + looker->at, '\n', looker->len - looker->at);
        size_t  len = end ? (size_t)(end - looker->chunk) - looker->at : looker->len - looker->at;
        ssize_t got;

        tn_buf_add(line, looker->chunk + looker->at, len);
        looker->at += len + (end ? 1 : 0);
        if (end)
            return !line->failed;
        got = poll(&ready, 1, ANSWER_MS) > 0 ? read(looker->from, looker->chunk, sizeof looker->chunk) : -1;
        if (got <= 0)
            return false;
        looker->at  = 0;
        looker->len = (size_t)got;
    }
}

/* The result of a request, or NULL. */
static yyjson_val *ask(struct looker *looker, int id, const char *method, const char *params)
{
    const struct tn_json_limits limits = { LINE_MAX_BYTES, 128, 4000000 };

    fprintf(looker->to, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n", id, method,
            params);
    if (fflush(looker->to) != 0)
        return NULL;
    for (;;) {
        struct tn_buf line;
        yyjson_val   *root;

        tn_buf_init(&line, &looker->arena, 0, LINE_MAX_BYTES);
        if (!next_line(looker, &line))
            return NULL;
        root = tn_json_read(&looker->arena, line.at, line.len, &limits).root;
        if (yyjson_get_int(yyjson_obj_get(root, "id")) == id && !yyjson_obj_get(root, "method"))
            return yyjson_obj_get(root, "result");
    }
}

static yyjson_val *look(struct looker *looker)
{
    static const char *const lists[] = { "tools/list", "prompts/list", "resources/list",
                                         "resources/templates/list" };
    yyjson_val              *hello   = ask(looker, 1, "initialize",
                                           "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                                          "\"clientInfo\":{\"name\":\"tenon guard --list\",\"version\":\"0\"}}");

    if (!hello) /* its only server was not reached */
        return ask(looker, 2, INVENTORY_METHOD, AS_MODERN);
    fputs("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n", looker->to);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) /* so that the guard knows them */
        ask(looker, 2 + (int)i, lists[i], "{}");
    return ask(looker, 2 + (int)(sizeof lists / sizeof *lists), INVENTORY_METHOD, "{}");
}

/* ---- For people -------------------------------------------------------------------------------------------------- */

static void print_text(FILE *to, yyjson_val *text)
{
    console_text(to, tn_json_slice(text));
}

static void print_server(FILE *to, yyjson_val *upstream)
{
    yyjson_val *server = yyjson_obj_get(upstream, "server"), *why = yyjson_obj_get(upstream, "why");

    print_text(to, yyjson_obj_get(upstream, "name"));
    if (!yyjson_get_bool(yyjson_obj_get(upstream, "ready"))) {
        fputs(": not reached", to);
        if (why) {
            fputs(": ", to);
            print_text(to, why);
        }
        fputc('\n', to);
        return;
    }
    fputs(": ", to);
    print_text(to, yyjson_obj_get(server, "name"));
    fputc(' ', to);
    print_text(to, yyjson_obj_get(server, "version"));
    fputs(", revision ", to);
    print_text(to, yyjson_obj_get(upstream, "revision"));
    fputc('\n', to);
}

/* One line for each entry; `kind` stands before its name. */
static void print_entries(FILE *to, yyjson_val *entries, const char *kind)
{
    yyjson_arr_iter all = yyjson_arr_iter_with(entries);
    yyjson_val     *one;

    while ((one = yyjson_arr_iter_next(&all))) {
        yyjson_val *hidden = yyjson_obj_get(one, "hidden");

        fprintf(to, "  %s%s", hidden ? "- " : "", kind);
        print_text(to, yyjson_obj_get(one, hidden ? "name" : "published"));
        if (hidden) {
            fputs(": ", to);
            print_text(to, hidden);
        }
        fputc('\n', to);
    }
}

static void print_upstream(FILE *to, yyjson_val *upstream)
{
    print_server(to, upstream);
    if (yyjson_get_bool(yyjson_obj_get(upstream, "unversioned")))
        fputs("  ! its command names no version: what runs may be another program tomorrow\n", to);
    if (yyjson_get_bool(yyjson_obj_get(upstream, "proxied")))
        fputs(
            "  ! a proxy of the environment connects to the addresses that it names, and has to check them\n",
            to);
    print_entries(to, yyjson_obj_get(upstream, "tools"), "");
    print_entries(to, yyjson_obj_get(upstream, "prompts"), "prompt ");
    print_entries(to, yyjson_obj_get(upstream, "resources"), "resource ");
    print_entries(to, yyjson_obj_get(upstream, "templates"), "template ");
}

static enum ending print_all(const struct guard_call *call, struct looker *looker, yyjson_val *inventory)
{
    yyjson_val     *all   = yyjson_obj_get(inventory, "upstreams");
    yyjson_arr_iter items = yyjson_arr_iter_with(all);
    yyjson_val     *item;
    enum ending     ending = ENDING_GOOD;
    struct tn_buf   out;

    while ((item = yyjson_arr_iter_next(&items))) {
        if (!call->values.json)
            print_upstream(call->console->out, item);
        if (!yyjson_get_bool(yyjson_obj_get(item, "ready")))
            ending = ENDING_BAD;
    }
    if (!call->values.json)
        return ending;
    tn_buf_init(&out, &looker->arena, 0, LINE_MAX_BYTES);
    tn_buf_lit(&out, "{\"upstreams\":");
    tn_json_value(&out, all);
    tn_buf_lit(&out, "}\n");
    fputs(tn_buf_end(&out) ? out.at : "", call->console->out);
    return ending;
}

enum ending guard_list(struct guard_call *call, int (*serve)(struct guard_call *))
{
    struct looker looker = { .from = -1 };
    enum ending   ending = ENDING_UNUSABLE;
    yyjson_val   *inventory;

    prepare(call);
    signal(SIGPIPE, SIG_IGN);
    tn_arena_init(&looker.arena, NULL, 0);
    if (!start(&looker, call, serve)) {
        console_error(call->console, "the guard cannot be started");
        return ENDING_UNUSABLE;
    }
    inventory = look(&looker);
    if (inventory)
        ending = print_all(call, &looker, inventory);
    else
        console_error(call->console, "no server could be asked what it has");
    fclose(looker.to);
    waitpid(looker.child, NULL, 0);
    close(looker.from);
    tn_arena_free(&looker.arena);
    return ending;
}
