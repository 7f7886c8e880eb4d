/* notes.c - a tool with six parameters over some notes in memory.
 *
 * Nothing in search_notes() checks its arguments: the rows at the bottom say what they may be, and the handler runs
 * only when all of them hold. Run it, and it prints the tool's schema and the answers to a few calls.
 */
#include <stdio.h>
#include <string.h>

#include <tenon/tenon.h>

enum folder { INBOX, WORK, ARCHIVE };
static const char *const folder_names[] = { [INBOX] = "inbox", [WORK] = "work", [ARCHIVE] = "archive" };

typedef struct {
    const char *title;
    enum folder folder;
    tenon_strs  tags;
    tenon_time  written;
} note;

TENON_ROWS(note_rows, note,
    TENON_STR (title,   "Title of the note.", .required = true),
    TENON_ENUM(folder,  folder_names, "Where it lies."),
    TENON_STRS(tags,    "Its tags."),
    TENON_DATE(written, "When it was written."));

#define TAGS(...) { sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), (const char *[]){ __VA_ARGS__ } }
#define DAY(n)    { INT64_C(1735689600000) + INT64_C(86400000) * (n), true } /* from 2025-01-01 */

static const note notes[] = {
    { "Buy milk", INBOX, TAGS("home"), DAY(0) },
    { "Plan the release", WORK, TAGS("plan", "release"), DAY(13) },
    { "Release notes 0.1", WORK, TAGS("release"), DAY(20) },
    { "Old release checklist", ARCHIVE, TAGS("release", "old"), DAY(2) },
};
#define NOTE_COUNT (sizeof notes / sizeof *notes)

typedef struct {
    const char      *text;
    tenon_set        folders;
    tenon_strs       tags;
    tenon_time_range written;
    int              limit;
} search_args;

typedef struct {
    int64_t found;
    TENON_LIST_OF(note) notes;
} search_result;

TENON_ROWS(search_result_rows, search_result,
    TENON_INT    (found, "How many match, shown or not."),
    TENON_OBJECTS(notes, note_rows, "The notes, in no order."));

static bool has_tag(const note *one, const char *tag)
{
    for (size_t i = 0; i < one->tags.count; i++)
        if (strcmp(one->tags.at[i], tag) == 0)
            return true;
    return false;
}

static bool matches(const note *one, const search_args *args)
{
    for (size_t i = 0; i < args->tags.count; i++)
        if (!has_tag(one, args->tags.at[i]))
            return false;
    return strstr(one->title, args->text) && tenon_set_has(args->folders, (int)one->folder) &&
           (!args->written.start.set || one->written.ms >= args->written.start.ms) &&
           (!args->written.end.set || one->written.ms <= args->written.end.ms);
}

static tenon_outcome search_notes(tenon_call *call, const search_args *args)
{
    note         *shown  = tenon_alloc(call, NOTE_COUNT * sizeof *shown);
    search_result result = { 0 };

    for (size_t i = 0; shown && i < NOTE_COUNT; i++) {
        if (!matches(&notes[i], args))
            continue;
        if (result.found++ < args->limit)
            shown[result.notes.count++] = notes[i];
    }
    result.notes.at = shown;
    if (result.found == 0)
        tenon_message(call, "No note matches. Leave out a filter to find more.");
    return tenon_ok_data(call, search_result_rows, &result);
}

TENON_TOOL(search_notes, search_args,
    TENON_INFO("Search the notes.", .hints = TENON_READ_ONLY, .result = search_result_rows),
    TENON_STR  (text,    "Part of the title; case matters.", .len = {1, 100}),
    TENON_ENUMS(folders, folder_names, "Where to look.", .noun = "folder", .def = "inbox,work",
                .default_note = "Looking in inbox and work only. Set folders to look elsewhere."),
    TENON_STRS (tags,    "Tags that a note must have, all of them.", .count = {0, 5}, .unique = true, .comma = true),
    TENON_INT  (limit,   "Most notes to show.", .range = {1, 50}, .def = 10),
    TENON_TIME_RANGE(written, .keys = "from,to"));

int main(void)
{
    static const char *const calls[] = {
        "{}",
        "{\"text\": \"elease\", \"folders\": \"work,Archive\", \"tags\": \"release\", \"limit\": \"1\"}",
        "{\"folders\": [\"archive\"], \"from\": \"2025-02-01\"}",
        "{\"folder\": 1, \"folders\": \"attic\", \"tags\": [\"a\", \"a\"], \"limit\": 0, \"from\": \"soon\"}",
    };
    tenon_toolbox *box  = tenon_toolbox_new();
    tenon_call    *call = NULL;

    tenon_toolbox_add(box, search_notes_tool());
    if (!tenon_toolbox_error(box))
        call = tenon_call_new(box);
    if (!call) {
        fprintf(stderr, "notes: %s\n", tenon_toolbox_error(box) ? tenon_toolbox_error(box) : "out of memory");
        return 1;
    }
    printf("%s\n", tenon_toolbox_find(box, "search_notes")->input);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        printf("\n> %s\n%s\n", calls[i],
               tenon_call_run(call, "search_notes", calls[i], strlen(calls[i]))->json);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    return 0;
}
