/* change_lines.c - two definitions side by side, line by line. */
#include "contract/change.h"

#include <string.h>

#define LINES_MAX ((size_t)200000)
#define CELLS_MAX ((size_t)4 << 20) /* of the table of what both have; larger parts are shown as replaced */
#define CONTEXT   ((size_t)3)       /* lines around a change */

struct lines {
    struct tn_slice *at;
    size_t           count;
};

struct lines_diff {
    struct tn_arena  *arena;
    struct lines      old, new;
    tn_change_line_fn line;
    void             *user;
    struct tn_slice  *held;              /* the last lines that both have, ... */
    size_t            held_count, after; /* ... and how many may still be shown after a change */
};

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Where the line ends: at its own end, or after an escaped line end inside of a text. */
static size_t line_length(struct tn_slice rest, bool *broken)
{
    *broken = false;
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.at[i] == '\n')
            return i;
        if (rest.at[i] != '\\' || i + 1 >= rest.len)
            continue;
        i++;
        *broken = rest.at[i] == 'n' && i + 1 < rest.len && rest.at[i + 1] != '"';
        if (*broken)
            return i + 1;
    }
    return rest.len;
}

static bool lines_split(struct tn_arena *arena, yyjson_val *value, struct lines *lines)
{
    struct tn_buf   out;
    struct tn_slice rest;
    size_t          room = 1;

    *lines = (struct lines){ 0 };
    if (!value)
        return true;
    tn_buf_init(&out, arena, 4096, CANONICAL_BYTES_MAX);
    tn_canonical_lay_out(&out, arena, value, 0, true);
    rest = tn_buf_slice(&out);
    for (size_t i = 0; i < rest.len; i++)
        room += rest.at[i] == '\n' || rest.at[i] == '\\';
    lines->at = tn_arena_array(arena, room, struct tn_slice);
    while (lines->at && rest.len > 0) {
        bool   broken;
        size_t len = line_length(rest, &broken), taken = len + (broken || len == rest.len ? 0 : 1);

        lines->at[lines->count++] = (struct tn_slice){ rest.at, len };
        rest                      = (struct tn_slice){ rest.at + taken, rest.len - taken };
    }
    return lines->at && !out.failed && lines->count <= LINES_MAX;
}

/* ---- Output ------------------------------------------------------------------------------------------------------ */

/* A line that both have: shown near to a change only. */
static void show_same(struct lines_diff *diff, struct tn_slice line)
{
    if (diff->after > 0) {
        diff->after--;
        diff->line(diff->user, ' ', line);
        return;
    }
    diff->held[diff->held_count++] = line;
}

static void show_changed(struct lines_diff *diff, char mark, struct tn_slice line)
{
    size_t from = diff->held_count > CONTEXT ? diff->held_count - CONTEXT : 0;

    if (from > 0)
        diff->line(diff->user, '@', (struct tn_slice){ "", 0 });
    for (; from < diff->held_count; from++)
        diff->line(diff->user, ' ', diff->held[from]);
    diff->held_count = 0;
    diff->after      = CONTEXT;
    diff->line(diff->user, mark, line);
}

/* ---- What both have ------------------------------------------------------------------------------------------------ */

static void show_replaced(struct lines_diff *diff, size_t old_from, size_t old_to, size_t new_from,
                          size_t new_to)
{
    for (; old_from < old_to; old_from++)
        show_changed(diff, '-', diff->old.at[old_from]);
    for (; new_from < new_to; new_from++)
        show_changed(diff, '+', diff->new.at[new_from]);
}

/* The longest common lines of two parts that begin and end differently. */
static bool show_middle(struct lines_diff *diff, size_t from, size_t old_to, size_t new_to)
{
    size_t    rows = old_to - from, columns = new_to - from, wide = columns + 1, i = 0, j = 0;
    uint32_t *best;

    if (rows == 0 || columns == 0 || rows > CELLS_MAX / wide) {
        show_replaced(diff, from, old_to, from, new_to);
        return true;
    }
    best = tn_arena_array(diff->arena, (rows + 1) * wide, uint32_t);
    if (!best)
        return false;
    for (size_t r = rows; r-- > 0;)
        for (size_t c = columns; c-- > 0;) {
            uint32_t down = best[(r + 1) * wide + c], right = best[r * wide + c + 1];

            best[r * wide + c] = tn_slice_same(diff->old.at[from + r], diff->new.at[from + c])
                                     ? best[(r + 1) * wide + c + 1] + 1
                                 : down > right ? down
                                                : right;
        }
    while (i < rows || j < columns) {
        if (i < rows && j < columns && tn_slice_same(diff->old.at[from + i], diff->new.at[from + j])) {
            show_same(diff, diff->old.at[from + i++]);
            j++;
        } else if (i < rows && (j == columns || best[(i + 1) * wide + j] >= best[i * wide + j + 1]))
            show_changed(diff, '-', diff->old.at[from + i++]);
        else
            show_changed(diff, '+', diff->new.at[from + j++]);
    }
    return true;
}

bool tn_change_diff(struct tn_arena *arena, yyjson_val *approved, yyjson_val *live, tn_change_line_fn line,
                    void *user)
{
    struct lines_diff diff = { .arena = arena, .line = line, .user = user };
    size_t            from = 0, old_to, new_to;

    if (!lines_split(arena, approved, &diff.old) || !lines_split(arena, live, &diff.new))
        return false;
    diff.held = tn_arena_array(arena, diff.old.count + 1, struct tn_slice);
    if (!diff.held)
        return false;
    old_to = diff.old.count;
    new_to = diff.new.count;
    while (from < old_to && from < new_to && tn_slice_same(diff.old.at[from], diff.new.at[from]))
        show_same(&diff, diff.old.at[from++]);
    while (old_to > from && new_to > from &&
           tn_slice_same(diff.old.at[old_to - 1], diff.new.at[new_to - 1])) {
        old_to--;
        new_to--;
    }
    if (!show_middle(&diff, from, old_to, new_to))
        return false;
    while (old_to < diff.old.count && diff.after > 0)
        show_same(&diff, diff.old.at[old_to++]);
    return true;
}
