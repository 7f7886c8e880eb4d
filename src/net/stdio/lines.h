/* lines.h - lines out of bytes as they come: bounded, without a copy, without an allocation once it has its room.
 *
 *     at = tn_lines_room(&lines, &len);
 *     tn_lines_added(&lines, read(fd, at, len));
 *     while ((next = tn_lines_next(&lines, &line)) != LINE_NONE)
 *         ...
 *
 * A line ends with LF, or CR LF; neither is part of it. What is longer than the maximum, or than memory allows, is skipped
 * to its end; its beginning is reported.
 */
#ifndef NET_STDIO_LINES_H
#define NET_STDIO_LINES_H

#include <tenon/base.h>

#include "base/str.h"

#define LINES_ROOM ((size_t)64 << 10) /* at first: what a pipe holds */
#define LINES_KEEP ((size_t)1 << 20)  /* of the room that a long line needed */
#define LINES_HEAD ((size_t)4096)     /* of a line that is skipped */

struct tn_lines {
    tenon_allocator memory;
    char           *at;
    size_t          room, begin, end; /* what is not taken yet lies between the two */
    size_t          seen;             /* of it, in which there is no LF */
    size_t          dirty;            /* bytes from the beginning on that are not overwritten yet */
    size_t          max;              /* bytes of a line */
    bool            skipping;         /* the rest of a line that is too long */
    size_t          head_len;         /* of its beginning */
    char            head[LINES_HEAD];
};

/* False without memory. */
bool tn_lines_init(struct tn_lines *lines, const tenon_allocator *memory, size_t max);
void tn_lines_free(struct tn_lines *lines);

/* Where the next bytes go, *len of them at most, and at least one. Ends the validity of earlier lines. */
char *tn_lines_room(struct tn_lines *lines, size_t *len);
void  tn_lines_added(struct tn_lines *lines, size_t len);

enum tn_line_next { LINE_NONE, LINE_READ, LINE_TOO_LONG };

/* *line is all of the line; of one that is too long its beginning, LINES_HEAD bytes at most. */
enum tn_line_next tn_lines_next(struct tn_lines *lines, struct tn_slice *line);

/* At the end of the input: the last line, if it has no end. */
enum tn_line_next tn_lines_last(struct tn_lines *lines, struct tn_slice *line);

#endif
