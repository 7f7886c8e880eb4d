/* extract_units.c - sentences, items, tables and blocks of code of a markdown text, with the lines they stand on. */
#include "docs/search/extract_units.h"

#include <ctype.h>
#include <string.h>

#include "docs/markdown/lines.h"

enum block { BLOCK_NONE, BLOCK_TEXT, BLOCK_TABLE, BLOCK_CODE };

struct splitter {
    const char *at;
    bool (*visit)(void *user, const struct unit *unit);
    void      *user;
    bool       stopped;
    enum block block; /* what is being read, from here */
    size_t     begin, first_line;
    size_t     end, last_line; /* so far */
    size_t     cut;            /* its last line that fits into a unit */
    size_t     cut_line;
    size_t     heading, heading_len;
    size_t     place;
};

static void tell(struct splitter *splitter, struct unit unit)
{
    if (splitter->stopped || unit.begin >= unit.end)
        return;
    unit.heading      = splitter->heading;
    unit.heading_len  = splitter->heading_len;
    unit.place        = splitter->place++;
    splitter->stopped = !splitter->visit(splitter->user, &unit);
}

/* ---- Sentences ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A point behind one of these, or behind a single letter or a number of an item, ends nothing. */
static bool is_short_form(const char *at, size_t begin, size_t dot)
{
    static const char *const forms[] = { "e.g",  "i.e",  "etc", "vs",   "cf",  "approx", "dr",
                                         "mr",   "mrs",  "ms",  "prof", "fig", "no",     "st",
                                         "resp", "incl", "ca",  "al",   "ed",  "pp",     "vol" };
    size_t                   word    = dot, len;

    while (word > begin && !is_blank(at[word - 1]) && at[word - 1] != '(')
        word--;
    len = dot - word;
    if (len == 1)
        return isalnum((unsigned char)at[word]) != 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t n = 0;

        while (n < len && forms[i][n] && tolower((unsigned char)at[word + n]) == forms[i][n])
            n++;
        if (n == len && forms[i][n] == '\0')
            return true;
    }
    return false;
}

/* Whether a sentence ends with the character at `place`; *after is then behind its marks. */
static bool ends_here(const char *at, size_t begin, size_t place, size_t end, size_t *after)
{
    unsigned char c = (unsigned char)at[place];

    if (c == 0xe3 && end - place >= 3 &&
        memcmp(at + place, "\xe3\x80\x82", 3) == 0) { /* an ideographic full stop */
        *after = place + 3;
        return true;
    }
    if (c != '.' && c != '!' && c != '?')
        return false;
    *after = place + 1;
    while (*after < end && strchr(".!?\"')]*_`", at[*after]) && at[*after])
        ++*after;
    if (*after == end)
        return true;
    if (!is_blank(at[*after]))
        return false;
    for (place = *after; place < end && is_blank(at[place]);)
        place++;
    if (place < end && islower((unsigned char)at[place]))
        return false;
    return c != '.' || !is_short_form(at, begin, *after - 1);
}

static size_t count_lines(const char *at, size_t begin, size_t end)
{
    size_t count = 0;

    for (size_t i = begin; i < end; i++)
        count += at[i] == '\n' || (at[i] == '\r' && (i + 1 == end || at[i + 1] != '\n'));
    return count;
}

static void tell_sentence(struct splitter *splitter, size_t begin, size_t end, size_t line)
{
    const char *at = splitter->at;

    while (end > begin && is_blank(at[end - 1]))
        end--;
    if (end - begin > UNIT_LEN_MAX)
        return;
    tell(splitter, (struct unit){ .kind       = UNIT_SENTENCE,
                                  .begin      = begin,
                                  .end        = end,
                                  .first_line = line,
                                  .last_line  = line + count_lines(at, begin, end) });
}

static void split_sentences(struct splitter *splitter)
{
    const char *at    = splitter->at;
    size_t      begin = splitter->begin, line = splitter->first_line;
    bool        in_code = false; /* a name in backticks may have points */

    for (size_t i = begin, after; i < splitter->end;) {
        in_code = at[i] == '`' ? !in_code : in_code;
        if (in_code || !ends_here(at, begin, i, splitter->end, &after)) {
            i++;
            continue;
        }
        tell_sentence(splitter, begin, after, line);
        while (after < splitter->end && is_blank(at[after]))
            after++;
        line += count_lines(at, begin, after);
        begin = i = after;
    }
    tell_sentence(splitter, begin, splitter->end, line);
}

/* ---- Blocks ---- */

static void end_block(struct splitter *splitter)
{
    enum block block = splitter->block;

    splitter->block = BLOCK_NONE;
    if (block == BLOCK_TEXT)
        split_sentences(splitter);
    else if (block != BLOCK_NONE)
        tell(splitter, (struct unit){ .kind       = block == BLOCK_CODE ? UNIT_CODE : UNIT_TABLE,
                                      .begin      = splitter->begin,
                                      .end        = splitter->cut,
                                      .first_line = splitter->first_line,
                                      .last_line  = splitter->cut_line });
}

static void add_line(struct splitter *splitter, enum block block, const struct mdline *line, size_t begin,
                     bool anew)
{
    if (splitter->block != block || anew) {
        end_block(splitter);
        splitter->block = block;
        splitter->begin = splitter->cut = begin;
        splitter->first_line            = line->number;
    }
    splitter->end       = line->end;
    splitter->last_line = line->number;
    if (line->end - splitter->begin <= UNIT_LEN_MAX) {
        splitter->cut      = line->end;
        splitter->cut_line = line->number;
    }
}

/* Behind the mark of an item or a quote, if there is one. */
static size_t skip_mark(const char *at, size_t begin, size_t end, bool *marked)
{
    size_t place = begin;

    while (place < end && is_blank(at[place]))
        place++;
    begin = place;
    if (place < end && strchr("-*+>", at[place])) {
        place++;
    } else {
        while (place < end && place - begin < 9 && isdigit((unsigned char)at[place]))
            place++;
        if (place == begin || place == end || (at[place] != '.' && at[place] != ')'))
            return begin;
        place++;
    }
    if (place < end && !is_blank(at[place]))
        return begin;
    *marked = at[begin] != '>'; /* the lines of a quote belong together */
    while (place < end && is_blank(at[place]))
        place++;
    return place;
}

static void read_text(struct splitter *splitter, const struct mdline *line)
{
    bool   marked = false;
    size_t begin  = skip_mark(splitter->at, line->begin, line->end, &marked);

    if (begin < line->end && splitter->at[begin] == '|')
        add_line(splitter, BLOCK_TABLE, line, begin, marked);
    else
        add_line(splitter, BLOCK_TEXT, line, begin, marked);
}

/* An underlined heading was read as a text. */
static void read_heading(struct splitter *splitter, const struct mdline *line)
{
    if (splitter->block != BLOCK_NONE && splitter->begin >= line->heading_begin)
        splitter->block = BLOCK_NONE;
    end_block(splitter);
    splitter->heading     = line->text_begin;
    splitter->heading_len = line->text_end - line->text_begin;
}

void units_each(const char *at, size_t len, bool (*visit)(void *user, const struct unit *unit), void *user)
{
    struct splitter splitter = { .at = at, .visit = visit, .user = user };
    struct mdlines  lines;
    struct mdline   line;

    mdlines_init(&lines, at, len);
    while (!splitter.stopped && mdlines_next(&lines, &line)) {
        if (line.kind == MDLINE_HEADING)
            read_heading(&splitter, &line);
        else if (line.kind == MDLINE_CODE)
            add_line(&splitter, BLOCK_CODE, &line, line.begin, false);
        else if (line.kind == MDLINE_TEXT)
            read_text(&splitter, &line);
        else
            end_block(&splitter);
    }
    end_block(&splitter);
}
