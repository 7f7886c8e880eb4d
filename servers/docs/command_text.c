/* command_text.c - documents' text for people: what steers a terminal is spelled out, asked words stand out, places are links. */
#include "docs/command_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BOLD          "\x1b[1m"
#define PLAIN         "\x1b[0m"
#define LINK          "\x1b]8;;"
#define LINK_END      "\x1b\\"
#define PASSAGE_LINES ((size_t)8) /* of a passage that are shown */
#define LINES_MOST    512         /* of a passage that are looked at */
#define WIDTH_LEAST   40
#define HOST_ROOM     256

struct docs_page docs_page_of(FILE *to)
{
    const char      *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool             is_terminal = isatty(fileno(to));
    struct winsize   size;
    struct docs_page page = { .to = to, .is_terminal = is_terminal };

    if (!is_terminal || !terminal || strcmp(terminal, "dumb") == 0)
        return page;
    page.is_coloured = !(refused && *refused);
    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col >= WIDTH_LEAST)
        page.width = size.ws_col;
    return page;
}

/* ---- Characters ---------------------------------------------------------------------------------------------- */

/* How many bytes the character has, and which it is; 1 and U+FFFD for what is not one. */
static size_t read_character(const unsigned char *at, size_t len, unsigned *code)
{
    static const unsigned least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t                n        = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;

    *code = n == 1 ? at[0] : at[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if (i >= len || (at[i] & 0xC0) != 0x80)
            n = 0;
        else
            *code = *code << 6 | (at[i] & 0x3Fu);
    }
    if (n > 0 && *code >= least[n] && *code < 0x110000 && (at[0] < 0x80 || at[0] >= 0xC0))
        return n;
    *code = 0xFFFD;
    return 1;
}

/* Does it steer a terminal, turn the order of what is read, or hide? */
static bool is_steering(unsigned code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) || code == 0x61C ||
           code == 0x180E || (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFD) ||
           (code >= 0xE0000 && code <= 0xE0FFF);
}

static void put_escaped(FILE *to, const char *at, size_t len, bool one_line)
{
    unsigned code;

    for (size_t i = 0, n; i < len; i += n) {
        n = read_character((const unsigned char *)at + i, len - i, &code);
        if (is_steering(code) || (one_line && code < 0x20))
            fprintf(to, code < 0x80 ? "\\x%02x" : "\\u{%x}", code);
        else
            fwrite(at + i, 1, n, to);
    }
}

void docs_show_text(FILE *to, const char *at, size_t len)
{
    if (isatty(fileno(to)))
        put_escaped(to, at, len, false);
    else
        fwrite(at, 1, len, to);
}

/* ---- Words of the question ----------------------------------------------------------------------------------- */

struct asked {
    const struct query_words *words;
    bool                      found;
};

static bool is_asked(void *user, const char *word, size_t len)
{
    struct asked *asked = user;

    for (size_t i = 0; i < asked->words->count && !asked->found; i++)
        asked->found = strlen(asked->words->at[i]) == len && memcmp(asked->words->at[i], word, len) == 0;
    return !asked->found;
}

static bool is_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* The length of what stands at the start: a word, or what is between two. */
static size_t run_of(const char *at, size_t len, bool *is_word)
{
    size_t n = 0;

    *is_word = is_of_word(at[0]);
    while (n < len && is_of_word(at[n]) == *is_word)
        n++;
    return n;
}

static bool stands_out(const struct docs_page *page, const char *at, size_t len)
{
    struct asked asked = { .words = page->words };

    if (page->words)
        words_each(at, len, is_asked, &asked);
    return asked.found;
}

void docs_page_text(const struct docs_page *page, const char *at, size_t len)
{
    bool is_word;

    if (!page->is_coloured) {
        docs_show_text(page->to, at, len);
        return;
    }
    for (size_t i = 0, n; i < len; i += n) {
        n = run_of(at + i, len - i, &is_word);
        if (is_word && stands_out(page, at + i, n)) {
            fputs(BOLD, page->to);
            put_escaped(page->to, at + i, n, false);
            fputs(PLAIN, page->to);
        } else
            put_escaped(page->to, at + i, n, false);
    }
}

/* ---- Links --------------------------------------------------------------------------------------------------- */

static void put_encoded(FILE *to, const char *at, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((is_of_word(at[i]) && (unsigned char)at[i] < 0x80) || (at[i] && strchr("/-._~", at[i])))
            fputc(at[i], to);
        else
            fprintf(to, "%%%02X", (unsigned)(unsigned char)at[i]);
}

void docs_page_link(const struct docs_page *page, tenon_str path, bool external, long long first,
                    long long last)
{
    const char *folder          = external ? page->external : page->folder;
    char        host[HOST_ROOM] = "";
    bool        linked          = page->is_coloured && folder;

    if (linked && gethostname(host, sizeof host - 1) == 0) {
        fputs(LINK "file://", page->to);
        put_encoded(page->to, host, strlen(host));
        put_encoded(page->to, folder, strlen(folder));
        fputc('/', page->to);
        put_encoded(page->to, path.at, path.len);
        fputs(LINK_END, page->to);
    }
    if (page->is_terminal)
        put_escaped(page->to, path.at, path.len, true);
    else
        fwrite(path.at, 1, path.len, page->to);
    if (first > 0 && last > first)
        fprintf(page->to, ":%lld-%lld", first, last);
    else if (first > 0)
        fprintf(page->to, ":%lld", first);
    if (linked)
        fputs(LINK LINK_END, page->to);
}

/* ---- Passages ------------------------------------------------------------------------------------------------ */

struct passage_line {
    const char *at;
    size_t      len, asked; /* words of the question */
};

static size_t count_asked(const struct docs_page *page, const char *at, size_t len)
{
    size_t count = 0;
    bool   is_word;

    for (size_t i = 0, n; i < len; i += n) {
        n = run_of(at + i, len - i, &is_word);
        count += is_word && stands_out(page, at + i, n);
    }
    return count;
}

/* The lines that are not blank. */
static size_t split_lines(const struct docs_page *page, tenon_str text, struct passage_line *lines)
{
    const char *end   = text.at + text.len;
    size_t      count = 0;

    for (const char *line = text.at, *next; line < end && count < LINES_MOST; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t      len     = newline ? (size_t)(newline - line) : (size_t)(end - line);

        next = newline ? newline + 1 : end;
        while (len > 0 && strchr(" \t\r", line[len - 1]))
            len--;
        if (len > 0)
            lines[count++] = (struct passage_line){ line, len, count_asked(page, line, len) };
    }
    return count;
}

/* Where the lines with most of the words begin; the first of such places. */
static size_t best_window(const struct passage_line *lines, size_t count)
{
    size_t sum = 0, most = 0, best = 0;

    for (size_t i = 0; i < count; i++) {
        sum += lines[i].asked;
        if (i >= PASSAGE_LINES)
            sum -= lines[i - PASSAGE_LINES].asked;
        if (sum > most) {
            most = sum;
            best = i + 1 > PASSAGE_LINES ? i + 1 - PASSAGE_LINES : 0;
        }
    }
    return best;
}

static size_t columns_of(const char *at, size_t len)
{
    size_t columns = 0;

    for (size_t i = 0; i < len; i++)
        columns += ((unsigned char)at[i] & 0xC0) != 0x80;
    return columns;
}

static size_t blanks_at(const struct passage_line *line, size_t at)
{
    size_t n = 0;

    while (at + n < line->len && (line->at[at + n] == ' ' || line->at[at + n] == '\t'))
        n++;
    return n;
}

/* Broken between words where the terminal ends. */
static void show_wrapped(const struct docs_page *page, const char *indent, const struct passage_line *line)
{
    size_t begin = strlen(indent), column = begin;

    fputs(indent, page->to);
    for (size_t i = 0, blanks, n; i < line->len; i += blanks + n) {
        size_t columns;

        blanks = blanks_at(line, i);
        for (n = 0; i + blanks + n < line->len && !blanks_at(line, i + blanks + n);)
            n++;
        columns = columns_of(line->at + i, blanks + n);
        if (page->width && column > begin && column + columns > page->width) {
            fprintf(page->to, "\n%s", indent);
            docs_page_text(page, line->at + i + blanks, n);
            column = begin + columns - blanks;
        } else {
            docs_page_text(page, line->at + i, blanks + n);
            column += columns;
        }
    }
    fputc('\n', page->to);
}

void docs_page_passage(const struct docs_page *page, const char *indent, tenon_str text)
{
    struct passage_line lines[LINES_MOST];
    size_t              count = split_lines(page, text, lines), from = best_window(lines, count);
    size_t              until = from + PASSAGE_LINES < count ? from + PASSAGE_LINES : count;

    if (from > 0)
        fprintf(page->to, "%s...\n", indent);
    for (size_t i = from; i < until; i++)
        show_wrapped(page, indent, &lines[i]);
    if (until < count)
        fprintf(page->to, "%s...\n", indent);
}
