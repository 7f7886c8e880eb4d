/* offered.c - tools, resources and prompts that use every part of the interface once. */
#include "support/offered.h"

#include <tenon/tenon.h>

#include <string.h>

/* ---- Tools --------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *text;
    int         times;
} echo_args;

static tenon_outcome echo(tenon_call *call, const echo_args *args)
{
    for (int i = 0; i < args->times; i++) {
        tenon_progress(call, i + 1, args->times, "%d of %d", i + 1, args->times);
        tenon_log(call, TENON_LEVEL_INFO, "echo %d", i + 1);
        tenon_text(call, "%s", args->text);
    }
    return tenon_ok(call);
}

TENON_TOOL(echo, echo_args,
    TENON_INFO("Say it again.", .title = "Echo", .hints = TENON_READ_ONLY | TENON_HINT_NOT(TENON_OPEN_WORLD),
               .meta = "{\"example.org/kind\":\"test\"}"),
    TENON_STR(text,  "What to say.", .required = true, .header = "Text"),
    TENON_INT(times, "How often.", .range = {1, 3}, .def = 1));

typedef struct {
    const char *name;
    bool        sure;
} who;

TENON_ROWS(who_rows, who,
    TENON_STR (name, "Your name.", .required = true, .len = {1, 20}),
    TENON_BOOL(sure, "Are you sure?"));

static tenon_outcome greet(tenon_call *call)
{
    const who *first, *second;

    if (tenon_elicit(call, "first", who_rows, &first, "Who are you?") == TENON_REPLY_PENDING) {
        tenon_keep(call, "asked once");
        return tenon_ask(call);
    }
    if (!first)
        return tenon_fail(call, TENON_CODE_DENIED, "The user did not say a name.");
    if (tenon_elicit(call, "second", who_rows, &second, "And your friend, %s?", first->name) ==
        TENON_REPLY_PENDING)
        return tenon_ask(call);
    tenon_text(call, "Hello %s and %s (%s).", first->name, second ? second->name : "nobody",
               tenon_kept(call));
    return tenon_ok(call);
}
TENON_TOOL0(greet, TENON_INFO("Greet two users.", .plain = true));

static tenon_outcome survey(tenon_call *call)
{
    const tenon_json *answer = tenon_sample(call, "model", "{\"messages\":[],\"maxTokens\":10}");
    const tenon_json *roots  = tenon_list_roots(call, "roots");

    if (!answer || !roots)
        return tenon_ask(call);
    tenon_text(call, "%s; %zu roots", tenon_json_str(tenon_json_get(answer, "model")).at,
               tenon_json_count(tenon_json_get(roots, "roots")));
    return tenon_ok(call);
}
TENON_TOOL0(survey, TENON_INFO("Ask the model and for roots."));

static tenon_outcome picture(tenon_call *call)
{
    tenon_add_image(call, "image/png", "PNG", 3);
    tenon_add_link(call, "app://motd", "motd", "text/plain");
    return tenon_ok(call);
}
TENON_TOOL0(picture, TENON_INFO("Show a picture."));

static tenon_outcome toggle(tenon_call *call)
{
    tenon_server *server = tenon_server_of(call);

    tenon_server_show_tool(server, "picture", false);
    tenon_server_updated(server, "app://motd");
    tenon_server_show_tool(server, "picture", true);
    return tenon_ok(call);
}
TENON_TOOL0(toggle, TENON_INFO("Hide a tool and show it again."));

static tenon_outcome job(tenon_call *call)
{
    const who *given;

    if (tenon_elicit(call, "name", who_rows, &given, "Whose job is it?") == TENON_REPLY_PENDING)
        return tenon_ask(call);
    tenon_text(call, "done for %s", given ? given->name : "nobody");
    return tenon_ok(call);
}
TENON_TOOL0(job, TENON_INFO("Work as a task.", .task = TENON_TASK_REQUIRED, .blocking = true));

static tenon_outcome broken(tenon_call *call)
{
    return tenon_internal(call, "the disk is on fire");
}
TENON_TOOL0(broken, TENON_INFO("Fail inside.", .task = TENON_TASK_ALLOWED));

/* ---- Resources and prompts ----------------------------------------------------------------------------------- */

static tenon_outcome read_motd(tenon_call *call, const char *uri)
{
    (void)uri;
    tenon_content_text(call, "Hello.");
    return tenon_ok(call);
}

static tenon_outcome read_file(tenon_call *call, const char *uri)
{
    if (strcmp(tenon_variable(call, "name"), "none") == 0)
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no file %s.", uri);
    tenon_content_blob(call, "\0\1", 2);
    return tenon_ok(call);
}

static void complete_name(tenon_call *call, const char *name, const char *typed)
{
    (void)name;
    if (typed[0] == '\0' || typed[0] == 'a')
        tenon_suggest(call, "apple");
}

enum tone { TONE_KIND, TONE_HARSH };
static const char *const tone_names[] = { "kind", "harsh" };

typedef struct {
    const char *path;
    enum tone   tone;
    int         lines;
} review_args;

static tenon_outcome review(tenon_call *call, const review_args *args)
{
    tenon_say(call, TENON_ROLE_USER, "Review %s in a %s tone, %d lines.", args->path, tone_names[args->tone],
              args->lines);
    tenon_say(call, TENON_ROLE_ASSISTANT, "I will.");
    return tenon_ok(call);
}

TENON_PROMPT(review, review_args,
    TENON_INFO("Review a change."),
    TENON_STR (path,  "What to review.", .required = true),
    TENON_ENUM(tone,  tone_names, "How to say it."),
    TENON_INT (lines, "How long.", .range = {1, 50}, .def = 10));

/* ---- The server ---------------------------------------------------------------------------------------------- */

static void no_log(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

tenon_server *offered_server(const tenon_allocator *memory)
{
    tenon_server *server = tenon_server_new("offered", "1.2.3", .title = "Everything once", .memory = memory,
                                            .instructions = "Try it.", .page = 5, .log = no_log);

    tenon_server_add(server, echo_tool());
    tenon_server_add(server, greet_tool());
    tenon_server_add(server, survey_tool());
    tenon_server_add(server, picture_tool());
    tenon_server_add(server, toggle_tool());
    tenon_server_add(server, job_tool());
    tenon_server_add(server, broken_tool());
    tenon_server_resource(server, "app://motd", read_motd, .name = "motd", .mime = "text/plain",
                          .watched = true, .ttl_ms = 1000);
    tenon_server_template(server, "app://files/{name}", read_file, .name = "file", .complete = complete_name);
    tenon_server_add_prompt(server, review_tool(), NULL);
    return server;
}
