/* line.c - reading lines. */
#define _GNU_SOURCE
#include "cli/shell/line.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"

#ifdef TENON_EDIT

#include <histedit.h>
#include <locale.h>

#include "fetch/late.h"

#define HISTORY_MAX  1000
#define PATH_LEN_MAX 4096
#define CHOICES_MAX  4096
#define WORD_MAX     1024
#define WIDTH        80

/* Of libedit, which is loaded when a terminal is there: other commands do without it. */
static struct tn_late library = { .file = TENON_EDIT };

/* clang-format off */
LATE(library, NULL, EditLine *, el_init, (const char *name, FILE *in, FILE *out, FILE *err), (name, in, out, err))
LATE(library, NULL, const char *, el_gets, (EditLine *edit, int *count), (edit, count))
LATE(library, NULL, const LineInfo *, el_line, (EditLine *edit), (edit))
LATE(library, -1, int, el_insertstr, (EditLine *edit, const char *text), (edit, text))
LATE_VOID(library, el_end, (EditLine *edit), (edit))
LATE(library, NULL, History *, history_init, (void), ())
LATE_VOID(library, history_end, (History *history), (history))
/* clang-format on */

typedef int (*el_set_fn)(EditLine *edit, int what, ...);
typedef int (*history_fn)(History *history, HistEvent *event, int what, ...);

struct line_editor {
    EditLine    *edit;
    History     *lines;
    el_set_fn    set;
    history_fn   of_lines;
    struct line *line;
};

/* readline's relatives know no user but by their own handle. */
static struct line_editor editor;

static char *give_prompt(EditLine *edit)
{
    (void)edit;
    return (char *)(uintptr_t)editor.line->prompt;
}

/* ---- Completion --------------------------------------------------------------------------------------------- */

struct completion {
    const char *word;             /* that is typed */
    char        common[WORD_MAX]; /* what all candidates begin with */
    size_t      count, column;
};

static void take_choice(struct completion *found, const char *choice)
{
    size_t same = 0;

    if (found->count++ == 0)
        snprintf(found->common, sizeof found->common, "%s", choice);
    while (found->common[same] && found->common[same] == choice[same])
        same++;
    found->common[same] = '\0';
}

static void print_choice(struct completion *found, const char *choice)
{
    size_t len = strlen(choice) + 2;

    if (found->column + len > WIDTH)
        found->column = 0;
    fputs(found->column ? "  " : "\n", stdout);
    fputs(choice, stdout);
    found->column += len;
}

static void each_choice(const char *before, struct completion *found,
                        void (*take)(struct completion *, const char *))
{
    const char *choice;

    for (size_t nth = 0; nth < CHOICES_MAX; nth++) {
        choice = editor.line->choice(editor.line->user, before, found->word, nth);
        if (!choice)
            return;
        if (strncmp(choice, found->word, strlen(found->word)) == 0)
            take(found, choice);
    }
}

/* Tab: what all candidates share is put in; when that is nothing new, they are shown. */
static unsigned char complete_word(EditLine *edit, int key)
{
    const LineInfo   *typed = el_line(edit);
    size_t            len = (size_t)(typed->cursor - typed->buffer), start = len;
    char              text[WORD_MAX];
    struct completion found = { .word = "" };

    (void)key;
    if (len + 2 > sizeof text)
        return CC_ERROR;
    memcpy(text, typed->buffer, len);
    text[len] = '\0';
    while (start > 0 && text[start - 1] != ' ')
        start--;
    found.word  = memmove(text + start + 1, text + start, len - start + 1); /* a NUL between both */
    text[start] = '\0';
    each_choice(text, &found, take_choice);
    if (found.count == 0)
        return CC_ERROR;
    if (strlen(found.common) > strlen(found.word) || found.count == 1) {
        el_insertstr(edit, found.common + strlen(found.word));
        if (found.count == 1 && found.common[0] && found.common[strlen(found.common) - 1] != '=')
            el_insertstr(edit, " ");
        return CC_REFRESH;
    }
    each_choice(text, &found, print_choice);
    fputc('\n', stdout);
    return CC_REDISPLAY;
}

/* ---- Earlier lines ------------------------------------------------------------------------------------------ */

/* Where lines are remembered; false when there is no home. Its folder is made. */
static bool history_path(char path[PATH_LEN_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool        own = !(state && state[0] == '/');

    if (own && !(home && home[0] == '/'))
        return false;
    if (snprintf(path, PATH_LEN_MAX, "%s%s/tenon/history", own ? home : state, own ? "/.local/state" : "") >=
        PATH_LEN_MAX)
        return false;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    return true;
}

static void load_lines(void)
{
    HistEvent event;
    char      path[PATH_LEN_MAX];

    editor.of_lines(editor.lines, &event, H_SETSIZE, HISTORY_MAX);
    editor.of_lines(editor.lines, &event, H_SETUNIQUE, 1);
    editor.set(editor.edit, EL_HIST, editor.of_lines, editor.lines);
    if (history_path(path))
        editor.of_lines(editor.lines, &event, H_LOAD, path);
}

static void save_lines(void)
{
    HistEvent event;
    char      path[PATH_LEN_MAX];
    mode_t    before = umask(0077);

    if (history_path(path))
        editor.of_lines(editor.lines, &event, H_SAVE, path);
    umask(before);
}

/* ---- Editing ------------------------------------------------------------------------------------------------ */

/* False when lines cannot be edited, and are read as they are. */
static bool begin_editing(struct line *line)
{
    static _Atomic(void *) known_set, known_history;
    void                  *set   = tn_late_find(&library, &known_set, "el_set");
    void                  *lines = tn_late_find(&library, &known_history, "history");

    setlocale(LC_CTYPE, "");
    editor = (struct line_editor){ .line = line };
    memcpy(&editor.set, &set, sizeof set);
    memcpy(&editor.of_lines, &lines, sizeof lines);
    editor.edit  = set && lines ? el_init("tenon", stdin, stdout, stderr) : NULL;
    editor.lines = editor.edit ? history_init() : NULL;
    if (!editor.lines)
        return false;
    editor.set(editor.edit, EL_PROMPT, give_prompt);
    editor.set(editor.edit, EL_EDITOR, "emacs");
    editor.set(editor.edit, EL_ADDFN, "tenon-complete", "Complete a word", complete_word);
    editor.set(editor.edit, EL_BIND, "^I", "tenon-complete", NULL);
    load_lines();
    return true;
}

static const char *edit_line(struct line *line)
{
    int         count = 0;
    const char *text  = el_gets(editor.edit, &count);
    HistEvent   event;

    text = text && count > 0 ? tn_arena_copy(&line->arena, text, strcspn(text, "\r\n")) : NULL;
    if (text && text[0] && text[0] != ' ')
        editor.of_lines(editor.lines, &event, H_ENTER, text);
    return text;
}

static void end_editing(void)
{
    save_lines();
    history_end(editor.lines);
    el_end(editor.edit);
}

#else

static bool begin_editing(struct line *line)
{
    (void)line;
    return false;
}

static const char *edit_line(struct line *line)
{
    (void)line;
    return NULL;
}

static void end_editing(void)
{
}

#endif

void line_begin(struct line *line)
{
    tenon_allocator memory = tn_memory_of(NULL);

    tn_arena_init(&line->arena, &memory, LINE_BYTES_MAX * 4);
    line->is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    line->is_edited   = line->is_terminal && begin_editing(line);
}

/* A line that is too long ends the input. */
static const char *read_line(struct line *line)
{
    struct tn_buf text;
    int           c;

    if (line->is_terminal) {
        fputs(line->prompt, stdout);
        fflush(stdout);
    }
    tn_buf_init(&text, &line->arena, 256, LINE_BYTES_MAX);
    while ((c = getchar()) != EOF && c != '\n')
        if (c != '\r')
            tn_buf_char(&text, (char)c);
    return c == EOF && text.len == 0 ? NULL : tn_buf_end(&text);
}

const char *line_next(struct line *line)
{
    tn_arena_reset(&line->arena);
    return line->is_edited ? edit_line(line) : read_line(line);
}

void line_end(struct line *line)
{
    if (line->is_edited)
        end_editing();
    tn_arena_free(&line->arena);
}
