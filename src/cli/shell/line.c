/* line.c - reading lines. */
#define _GNU_SOURCE
#include "cli/shell/line.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/console.h"

#define WIDTH 80 /* of a terminal that does not say */

size_t line_width(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : WIDTH;
}

#ifdef TENON_EDIT

#include <histedit.h>
#include <locale.h>

#include "fetch/late.h"

#define HISTORY_MAX  1000
#define PATH_LEN_MAX 4096
#define CHOICES_MAX  4096
#define WORD_MAX     1024

/* Of libedit, which is loaded when a terminal is there: other commands do without it. */
static struct tn_late library = { .file = TENON_EDIT };

/* clang-format off */
LATE(library, NULL, EditLine *, el_init, (const char *name, FILE *in, FILE *out, FILE *err), (name, in, out, err))
LATE(library, NULL, const char *, el_gets, (EditLine *edit, int *count), (edit, count))
LATE(library, NULL, const LineInfo *, el_line, (EditLine *edit), (edit))
LATE(library, -1, int, el_insertstr, (EditLine *edit, const char *text), (edit, text))
LATE_VOID(library, el_deletestr, (EditLine *edit, int count), (edit, count))
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
    char   typed[WORD_MAX];  /* the word before the cursor, without its quotes */
    char   common[WORD_MAX]; /* what all candidates begin with */
    size_t count, widest, hidden,
        column; /* of what is hidden, candidates are not shown: the name before a value */
};

/* Where the word before the cursor begins; what it stands for goes to `word`, which has room for it. */
static size_t word_start(const char *text, size_t len, char *word)
{
    size_t start = 0, out = 0;
    char   quote = '\0';

    for (size_t i = 0; i < len; i++) {
        char c = text[i];

        if (!quote && c == ' ') {
            start = i + 1;
            out   = 0;
        } else if (!quote && (c == '\'' || c == '"'))
            quote = c;
        else if (quote && c == quote)
            quote = '\0';
        else
            word[out++] = c == '\\' && quote != '\'' && i + 1 < len ? text[++i] : c;
    }
    word[out] = '\0';
    return start;
}

/* The word as it is typed: with quotes where it needs them, after the = of a value; an open end stays open. */
static void put_word(EditLine *edit, const char *word, bool whole)
{
    const char *value = strchr(word, '='), *from;
    char        text[2 * WORD_MAX + 4];
    size_t      len = 0;
    bool        quoted;

    value  = value ? value + 1 : word;
    quoted = strpbrk(value, " '\"\\") != NULL;
    for (from = word; *from; from++) {
        if (quoted && from == value)
            text[len++] = '"';
        if (quoted && (*from == '"' || *from == '\\'))
            text[len++] = '\\';
        text[len++] = *from;
    }
    if (whole && quoted)
        text[len++] = '"';
    if (whole && len > 0 && text[len - 1] != '=')
        text[len++] = ' ';
    text[len] = '\0';
    el_insertstr(edit, text);
}

static void take_choice(struct completion *found, const char *choice)
{
    size_t same = 0, len = strlen(choice);

    if (found->count++ == 0)
        snprintf(found->common, sizeof found->common, "%s", choice);
    while (found->common[same] && found->common[same] == choice[same])
        same++;
    while (same > 0 && ((unsigned char)found->common[same] & 0xC0) == 0x80) /* no part of a character */
        same--;
    found->common[same] = '\0';
    found->widest       = len > found->widest ? len : found->widest;
}

static void print_choice(struct completion *found, const char *choice)
{
    size_t wide = found->widest - found->hidden, shown = strlen(choice) - found->hidden;

    if (found->column > 0 && found->column + wide > line_width()) {
        fputc('\n', stdout);
        found->column = 0;
    }
    fputs(choice + found->hidden, stdout);
    for (size_t i = shown; i < wide + 2; i++)
        fputc(' ', stdout);
    found->column += wide + 2;
}

/* Names and values are the server's: what a terminal would obey is neither shown nor typed. */
static bool is_plain(const char *choice)
{
    size_t   left = strlen(choice), len;
    uint32_t code;

    for (; left > 0; choice += len, left -= len) {
        len = tn_utf8_read(choice, left, &code);
        if (len == 0 || !console_is_plain(code))
            return false;
    }
    return true;
}

static void each_choice(const char *before, struct completion *found,
                        void (*take)(struct completion *, const char *))
{
    const char *choice;

    for (size_t nth = 0; nth < CHOICES_MAX; nth++) {
        choice = editor.line->choice(editor.line->user, before, found->typed, nth);
        if (!choice)
            return;
        if (strlen(choice) < WORD_MAX && is_plain(choice) &&
            strncmp(choice, found->typed, strlen(found->typed)) == 0)
            take(found, choice);
    }
}

/* How many times the cursor moves over a text. */
static int cursor_steps(const char *text)
{
    size_t count = mbstowcs(NULL, text, 0);

    return (int)(count == (size_t)-1 ? strlen(text) : count);
}

/* Tab: what all candidates share is put in; when that is nothing new, they are shown. */
static unsigned char complete_word(EditLine *edit, int key)
{
    const LineInfo   *line = el_line(edit);
    size_t            len  = (size_t)(line->cursor - line->buffer), start;
    char              text[WORD_MAX], typed[WORD_MAX];
    struct completion found = { .typed = "" };
    const char       *value;

    (void)key;
    if (len >= sizeof text)
        return CC_ERROR;
    memcpy(text, line->buffer, len);
    text[len] = '\0';
    start     = word_start(text, len, found.typed);
    snprintf(typed, sizeof typed, "%s", text + start);
    text[start] = '\0';
    each_choice(text, &found, take_choice);
    if (found.count == 0)
        return CC_ERROR;
    if (found.count == 1 || strlen(found.common) > strlen(found.typed)) {
        el_deletestr(edit, cursor_steps(typed));
        put_word(edit, found.common, found.count == 1);
        return CC_REFRESH;
    }
    value        = strchr(found.common, '=');
    found.hidden = value ? (size_t)(value - found.common) + 1 : 0;
    fputc('\n', stdout);
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

    if (!setlocale(LC_CTYPE, "") || MB_CUR_MAX == 1)
        setlocale(LC_CTYPE,
                  "C.UTF-8"); /* a terminal sends it also where no locale is set, as in a container */
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
    if (text && text[0] && text[0] != ' ') {
        editor.of_lines(editor.lines, &event, H_ENTER, text);
        save_lines(); /* at once: a window may be closed */
    }
    return text;
}

static void end_editing(void)
{
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
