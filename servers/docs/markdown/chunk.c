/* chunk.c - a document in pieces.
 *
 * One pass finds the headings; each section is measured when the next heading is seen, since a line below a paragraph can make
 * a heading of it. Only a section that is too long is read a second time.
 */
#include "docs/markdown/chunk.h"

#include <stdlib.h>
#include <string.h>

#include "docs/markdown/heading.h"
#include "docs/markdown/lines.h"

#define MARKS_MAX       4   /* "### " */

/* What a heading says, without marks, with its level in front. */
struct heading {
    char   text[MARKS_MAX + HEADING_LEN_MAX + 1];
    size_t len; /* 0: there is none */
};

struct maker {
    struct chunks *chunks;
    const char    *at;
    size_t         room;
    size_t         line; /* the number of the first */
    struct heading second, third;
    bool           failed;
};

/* From a heading to the next: lines are counted from 0. */
struct section {
    size_t begin, first;
    size_t body; /* behind its heading */
};

/* ---- Headings ----------------------------------------------------------------------------------------------- */

static void set_heading(struct heading *heading, const char *at, const struct mdline *line)
{
    size_t marks = (size_t)line->level, begin, end, len;

    heading_text(at, line, &begin, &end);
    memset(heading->text, '#', marks);
    heading->text[marks]        = ' ';
    len                         = heading_copy(heading->text + marks + 1, HEADING_LEN_MAX, at, begin, end);
    heading->len                = len > 0 ? marks + 1 + len : marks;
    heading->text[heading->len] = '\0';
}

static char *path_of(const struct maker *maker)
{
    const char *between = maker->second.len && maker->third.len ? HEADING_BETWEEN : "";
    size_t      len     = strlen(between);
    char       *path    = malloc(maker->second.len + len + maker->third.len + 1);

    if (!path)
        return NULL;
    memcpy(path, maker->second.text, maker->second.len);
    memcpy(path + maker->second.len, between, len);
    memcpy(path + maker->second.len + len, maker->third.text, maker->third.len);
    path[maker->second.len + len + maker->third.len] = '\0';
    return path;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------- */

static void add_piece(struct maker *maker, size_t begin, size_t end, size_t first, size_t last)
{
    struct chunks *chunks = maker->chunks;
    char          *path   = chunks->count < CHUNKS_MAX ? path_of(maker) : NULL;

    if (path && chunks->count == maker->room) {
        size_t        room = maker->room ? maker->room * 2 : 16;
        struct chunk *more = realloc(chunks->at, room * sizeof *more);

        if (!more) {
            free(path);
            path = NULL;
        } else {
            chunks->at  = more;
            maker->room = room;
        }
    }
    if (!path) {
        maker->failed = true;
        return;
    }
    chunks->at[chunks->count++] = (struct chunk){ begin, end, maker->line + first, maker->line + last, path };
}

static size_t count_line_ends(const char *at, size_t begin, size_t end)
{
    size_t count = 0;

    for (; begin < end; begin++)
        count += at[begin] == '\n' || (at[begin] == '\r' && !(begin + 1 < end && at[begin + 1] == '\n'));
    return count;
}

static size_t end_of_text(const char *at, size_t begin, size_t end)
{
    while (end > begin && heading_is_space(at[end - 1]))
        end--;
    return end;
}

/* May a piece begin with this line? */
static bool begins_paragraph(const struct mdline *line, bool after_blank, bool was_open)
{
    if (was_open || line->kind == MDLINE_BLANK)
        return false;
    return line->kind == MDLINE_HEADING ? line->heading_begin == line->begin
                                        : after_blank && line->indent < 4;
}

/* Cuts a section that is too long at the last beginning of a paragraph that keeps the piece short enough, else at the next. */
static void split_section(struct maker *maker, size_t begin, size_t end, size_t first)
{
    struct mdlines lines;
    struct mdline  line;
    size_t         piece = begin, piece_first = first, cut = begin, cut_line = first;
    bool           after_blank = false, was_open = false;

    mdlines_init(&lines, maker->at + begin, end - begin);
    while (!maker->failed && mdlines_next(&lines, &line)) {
        if (line.number > 0 && begins_paragraph(&line, after_blank, was_open)) {
            cut      = begin + line.begin;
            cut_line = first + line.number;
        }
        if (cut > piece && first + line.number - piece_first >= CHUNK_SECTION_LINES) {
            size_t stop = end_of_text(maker->at, piece, cut);

            add_piece(maker, piece, stop, piece_first, piece_first + count_line_ends(maker->at, piece, stop));
            piece       = cut;
            piece_first = cut_line;
        }
        after_blank = line.kind == MDLINE_BLANK;
        was_open    = lines.open != MDLINES_OPEN_NOTHING;
    }
    if (!maker->failed)
        add_piece(maker, piece, end, piece_first, piece_first + count_line_ends(maker->at, piece, end));
}

/* A heading with nothing below it is no piece: it stands in the paths of what follows. */
static void end_section(struct maker *maker, const struct section *section, size_t end)
{
    size_t begin = section->begin, first = section->first, stop, last;

    stop = end_of_text(maker->at, section->body, end);
    if (stop == section->body)
        return;
    for (size_t next = begin; next < stop && heading_is_space(maker->at[next]); next++)
        if (maker->at[next] == '\n' || maker->at[next] == '\r')
            begin = next + 1;
    first += count_line_ends(maker->at, section->begin, begin);
    last = first + count_line_ends(maker->at, begin, stop);
    if (last - first + 1 > CHUNK_SECTION_LINES)
        split_section(maker, begin, stop, first);
    else
        add_piece(maker, begin, stop, first, last);
}

static void set_path(struct maker *maker, const struct mdline *line)
{
    if (line->level == 3) {
        set_heading(&maker->third, maker->at, line);
        return;
    }
    set_heading(&maker->second, maker->at, line);
    maker->third.len = 0;
}

static void split(struct maker *maker, size_t len)
{
    struct section section = { 0 };
    struct mdlines lines;
    struct mdline  line;

    mdlines_init(&lines, maker->at, len);
    while (!maker->failed && mdlines_next(&lines, &line)) {
        if (line.kind != MDLINE_HEADING || (line.level != 2 && line.level != 3))
            continue;
        end_section(maker, &section, line.heading_begin);
        set_path(maker, &line);
        section = (struct section){ line.heading_begin, line.heading_number, line.next };
    }
    if (!maker->failed)
        end_section(maker, &section, len);
}

bool chunks_make(struct chunks *chunks, const char *at, size_t len, size_t line)
{
    struct maker maker = { .chunks = chunks, .at = at, .line = line };

    *chunks       = (struct chunks){ 0 };
    chunks->lines = count_line_ends(at, 0, len) + (len > 0 && at[len - 1] != '\n' && at[len - 1] != '\r');
    if (chunks->lines > CHUNK_LINES)
        split(&maker, len);
    if (!maker.failed && chunks->count == 0) { /* short, or nothing but headings */
        maker.second.len = maker.third.len = 0;
        add_piece(&maker, 0, len, 0, chunks->lines > 0 ? chunks->lines - 1 : 0);
    }
    if (maker.failed)
        chunks_free(chunks);
    return !maker.failed;
}

void chunks_free(struct chunks *chunks)
{
    for (size_t i = 0; i < chunks->count; i++)
        free(chunks->at[i].header_path);
    free(chunks->at);
    *chunks = (struct chunks){ 0 };
}

char *chunk_title(const char *at, size_t len)
{
    char           title[HEADING_LEN_MAX + 1], *found = NULL;
    struct mdlines lines;
    struct mdline  line;

    mdlines_init(&lines, at, len);
    while (mdlines_next(&lines, &line)) {
        size_t begin, end;

        if (line.kind != MDLINE_HEADING || (found && line.level > 1))
            continue;
        heading_text(at, &line, &begin, &end);
        if (heading_copy(title, HEADING_LEN_MAX, at, begin, end) == 0)
            continue;
        free(found);
        found = strdup(title);
        if (!found || line.level == 1)
            break;
    }
    return found;
}
