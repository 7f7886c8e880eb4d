/* server.c - a server of notes: tools to search and to write, each note as a resource, and a prompt.
 *
 *     server                          on standard input and output, as clients start it
 *     server --http 127.0.0.1:8080    on HTTP
 *     server --help                   everything else
 *
 * Notes live in memory, as long as the server does.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tenon/tenon.h>

#define NOTES_MAX 1000
#define TITLE_MAX 100
#define TEXT_MAX  4000

/* ---- The notes: written by any thread, never deleted --------------------------------------------------------- */

struct stored {
    char title[TITLE_MAX * 4 + 1], text[TEXT_MAX * 4 + 1]; /* characters have up to four bytes */
};

static struct stored   notes[NOTES_MAX];
static size_t          note_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t count_notes(void)
{
    size_t count;

    pthread_mutex_lock(&lock);
    count = note_count;
    pthread_mutex_unlock(&lock);
    return count;
}

/* Its number, from 1; 0 when there is no room. */
static size_t store(const char *title, const char *text)
{
    size_t number = 0;

    pthread_mutex_lock(&lock);
    if (note_count < NOTES_MAX) {
        snprintf(notes[note_count].title, sizeof notes[0].title, "%s", title);
        snprintf(notes[note_count].text, sizeof notes[0].text, "%s", text);
        number = ++note_count;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

/* ---- Tools --------------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t     number;
    const char *title;
} note;

TENON_ROWS(note_rows, note,
    TENON_INT(number, "Its number: the resource note:///NUMBER is its text."),
    TENON_STR(title,  "Its title."));

typedef struct {
    const char *text;
    int         limit;
} search_args;

typedef struct {
    int64_t found;
    TENON_LIST_OF(note) notes;
} search_result;

TENON_ROWS(search_result_rows, search_result,
    TENON_INT    (found, "How many match, shown or not."),
    TENON_OBJECTS(notes, note_rows, "The notes, the oldest first."));

static tenon_outcome search_notes(tenon_call *call, const search_args *args)
{
    size_t        count  = count_notes();
    note         *shown  = tenon_alloc(call, (size_t)args->limit * sizeof *shown);
    search_result result = { 0 };

    for (size_t i = 0; shown && i < count; i++) {
        if (!strstr(notes[i].title, args->text) && !strstr(notes[i].text, args->text))
            continue;
        if (result.found++ < args->limit)
            shown[result.notes.count++] = (note){ (int64_t)i + 1, notes[i].title };
    }
    result.notes.at = shown;
    if (result.found == 0)
        tenon_message(call, "No note has this text. Case matters.");
    return tenon_ok_data(call, search_result_rows, &result);
}

TENON_TOOL(search_notes, search_args,
    TENON_INFO("Search titles and texts of the notes.", .hints = TENON_READ_ONLY, .result = search_result_rows),
    TENON_STR(text,  "What to look for; case matters.", .required = true, .len = {1, 100}),
    TENON_INT(limit, "Most notes to show.", .range = {1, 50}, .def = 10));

typedef struct {
    const char *title, *text;
} write_args;

static tenon_outcome write_note(tenon_call *call, const write_args *args)
{
    size_t number = store(args->title, args->text);

    if (number == 0)
        return tenon_fail(call, TENON_CODE_LIMIT_EXCEEDED,
                          "There are %d notes already, and no room for more.", NOTES_MAX);
    tenon_text(call, "Kept as note:///%zu.", number);
    return tenon_ok(call);
}

TENON_TOOL(write_note, write_args,
    TENON_INFO("Keep a note.", .hints = TENON_HINT_NOT(TENON_DESTRUCTIVE)),
    TENON_STR(title, "One line that says what it is about.", .required = true, .len = {1, TITLE_MAX}),
    TENON_STR(text,  "The note itself.", .len = {0, TEXT_MAX}));

typedef struct {
    int seconds;
} remind_args;

/* Waits: declared as blocking, it runs on a thread of its own and other calls go on. */
static tenon_outcome remind(tenon_call *call, const remind_args *args)
{
    enum { STEPS = 20 };
    const struct timespec step = { .tv_nsec = 1000000000L / STEPS };

    for (int i = 0; i < args->seconds * STEPS; i++) {
        if (tenon_is_cancelled(call))
            return tenon_cancelled(call);
        if (i % STEPS == 0)
            tenon_progress(call, i / STEPS, args->seconds, "%d s to go", args->seconds - i / STEPS);
        nanosleep(&step, NULL);
    }
    tenon_text(call, "%d seconds are over, and there are %zu notes.", args->seconds, count_notes());
    return tenon_ok(call);
}

TENON_TOOL(remind, remind_args,
    TENON_INFO("Wait, then say how many notes there are.", .hints = TENON_READ_ONLY, .blocking = true),
    TENON_INT(seconds, "How long to wait.", .range = {0, 40}, .def = 1));

/* ---- Resources and a prompt ---------------------------------------------------------------------------------- */

static tenon_outcome read_note(tenon_call *call, const char *uri)
{
    size_t number = 0;

    for (const char *at = tenon_variable(call, "number"); *at >= '0' && *at <= '9' && number <= NOTES_MAX;
         at++)
        number = number * 10 + (size_t)(*at - '0');
    if (number == 0 || number > count_notes())
        return tenon_fail(call, TENON_CODE_NOT_FOUND, "There is no %s; search_notes lists the numbers.", uri);
    tenon_content_text(call, notes[number - 1].text);
    return tenon_ok(call);
}

typedef struct {
    const char *topic;
} summary_args;

static tenon_outcome summarize(tenon_call *call, const summary_args *args)
{
    tenon_say(call, TENON_ROLE_USER,
              "Search the notes for \"%s\", read what you find, and sum it up in three sentences.",
              args->topic);
    return tenon_ok(call);
}

TENON_PROMPT(summarize, summary_args,
    TENON_INFO("Sum up what the notes say.", .title = "Sum up"),
    TENON_STR(topic, "What about.", .required = true, .len = {1, 100}));

int main(int argc, char **argv)
{
    tenon_server *server = tenon_server_new(
        "notes", "1.0.0", .title = "Notes",
        .instructions = "Search before you write: a note may be there already.");

    store("Buy milk", "Two litres, and bread.");
    store("Plan the release", "Test on Debian and Ubuntu, then tag.");
    tenon_server_add(server, search_notes_tool());
    tenon_server_add(server, write_note_tool());
    tenon_server_add(server, remind_tool());
    tenon_server_template(server, "note:///{number}", read_note, .name = "note", .doc = "A note's text.",
                          .mime = "text/plain");
    tenon_server_add_prompt(server, summarize_tool(), NULL);
    return tenon_server_main(server, argc, argv);
}
