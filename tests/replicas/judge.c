/* judge.c - the server whose replicas tests/replicas runs: tools that say what of a session, and of a server, is where. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include <tenon/tenon.h>

#include "kit/database.h"
#include "support/gate.h"

/* ---- Calls that take their time ------------------------------------------------------------------------------ */

static tenon_outcome work(tenon_call *call)
{
    return hold(call);
}
TENON_TOOL0(work, TENON_INFO("The same as a task.", .blocking = true, .deadline_ms = -1,
                             .task = TENON_TASK_REQUIRED));

static tenon_outcome whose(tenon_call *call)
{
    tenon_text(call, "%d", (int)getpid());
    return tenon_ok(call);
}
TENON_TOOL0(whose, TENON_INFO("Which process this is.", .hints = TENON_READ_ONLY));

typedef struct {
    int64_t notes;
} tell_args;

static tenon_outcome tell(tenon_call *call, const tell_args *args)
{
    for (int64_t i = 1; i <= args->notes; i++)
        tenon_progress(call, (double)i, (double)args->notes, "note %d", (int)i);
    tenon_text(call, "told");
    return tenon_ok(call);
}
TENON_TOOL(tell, tell_args,
    TENON_INFO("Tell of many steps on a worker.", .blocking = true),
    TENON_INT(notes, "How many.", .required = true, .range = {1, 100}));

static tenon_outcome hold_not(tenon_call *call)
{
    tenon_text(call, "at once");
    return tenon_ok(call);
}
TENON_TOOL0(hold_not, TENON_INFO("Answer at once, on a worker.", .blocking = true));

static tenon_outcome say(tenon_call *call)
{
    tenon_log(call, TENON_LEVEL_INFO, "something");
    tenon_text(call, "said");
    return tenon_ok(call);
}
TENON_TOOL0(say, TENON_INFO("Write a line into the client's log."));

/* ---- Tasks --------------------------------------------------------------------------------------------------- */

static tenon_outcome quiz(tenon_call *call)
{
    return ask(call);
}
TENON_TOOL0(quiz, TENON_INFO("Ask for a name in a task.", .blocking = true, .task = TENON_TASK_REQUIRED));

typedef struct {
    int64_t bytes;
} fill_args;

static tenon_outcome fill(tenon_call *call, const fill_args *args)
{
    char *text = tenon_alloc(call, (size_t)args->bytes + 1);

    if (!text)
        return tenon_ok(call);
    for (int64_t i = 0; i < args->bytes; i++)
        text[i] = "0123456789abcdef"[i % 16];
    text[args->bytes] = '\0';
    tenon_text(call, "%s", text);
    return tenon_ok(call);
}
TENON_TOOL(fill, fill_args,
    TENON_INFO("Answer with so many characters, as a task.", .blocking = true, .plain = true, .budget = 1 << 24,
               .task = TENON_TASK_REQUIRED),
    TENON_INT(bytes, "How many.", .required = true, .range = {0, 2000000}));

/* ---- What is remembered -------------------------------------------------------------------------------------- */

typedef struct {
    const char *text;
} text_args;

static tenon_outcome remember(tenon_call *call, const text_args *args)
{
    tenon_text(call, "%s", tenon_remember(call, args->text) ? "remembered" : "there is no session");
    return tenon_ok(call);
}
TENON_TOOL(remember, text_args,
    TENON_INFO("Remember a text in this session."),
    TENON_STR(text, "What to remember.", .required = true));

static tenon_outcome recall(tenon_call *call)
{
    tenon_text(call, "%s", tenon_remembered(call));
    return tenon_ok(call);
}
TENON_TOOL0(recall, TENON_INFO("What was remembered.", .hints = TENON_READ_ONLY));

typedef struct {
    bool shown;
} show_args;

static tenon_outcome show(tenon_call *call, const show_args *args)
{
    tenon_server_show_tool(tenon_server_of(call), "there", args->shown);
    tenon_text(call, "changed");
    return tenon_ok(call);
}
TENON_TOOL(show, show_args,
    TENON_INFO("Show or hide the tool there."),
    TENON_BOOL(shown, "Is it shown?", .required = true));

static tenon_outcome read_note(tenon_call *call, const char *uri)
{
    tenon_content_text(call, uri);
    return tenon_ok(call);
}

static tenon_outcome update(tenon_call *call)
{
    tenon_server_updated(tenon_server_of(call), "note://a");
    tenon_text(call, "updated");
    return tenon_ok(call);
}
TENON_TOOL0(update, TENON_INFO("Report that the note has changed."));

/* ---- The program --------------------------------------------------------------------------------------------- */

struct options {
    struct database_options database;
};

static const tenon_setting rows[] = { DATABASE_SETTINGS(struct options, database., "judge.db") };

static const char *const       shared_steps[] = { "CREATE TABLE nothing (id BIGINT PRIMARY KEY)" };
static const struct sql_schema schema         = {
            .at = shared_steps, .count = 1, .name = "judge", .shared = shared_steps, .application_id = 0x6a756467
};

int main(int argc, char **argv)
{
    static struct options options; /* a handler that does not end may still use these when the process does */
    static tenon_settings *settings;
    struct mistake         mistake = { NULL, false };
    tenon_server          *server;
    struct sql_pool       *pool = NULL;
    int                    result;

    settings = tenon_settings_new("replicas-judge", "1.0.0", rows, &options);
    if (!program_begin(settings, argc, argv, &result))
        return result;
    if (options.database.address) {
        pool = database_open(&options.database, "judge.db", &schema, &mistake);
        if (!pool)
            return program_refuse("replicas-judge", &mistake);
    }
    server = tenon_server_new("replicas-judge", "1.0.0");
    tenon_server_add(server, hold_tool());
    tenon_server_add(server, work_tool());
    tenon_server_add(server, quiz_tool());
    tenon_server_add(server, fill_tool());
    tenon_server_add(server, open_gate_tool());
    tenon_server_add(server, counts_tool());
    tenon_server_add(server, hold_not_tool());
    tenon_server_add(server, say_tool());
    tenon_server_add(server, whose_tool());
    tenon_server_add(server, tell_tool());
    tenon_server_add(server, remember_tool());
    tenon_server_add(server, recall_tool());
    tenon_server_add(server, there_tool());
    tenon_server_add(server, show_tool());
    tenon_server_add(server, ask_tool());
    tenon_server_add(server, update_tool());
    tenon_server_resource(server, "note://a", read_note, .name = "a", .mime = "text/plain", .watched = true);
    if (pool)
        database_serve(server, pool);
    result = tenon_server_run(server, settings);
    sql_close(pool);
    return result;
}
