/* anchor.c - the anchors of headings. */
#include "docs/markdown/anchor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/clean.h"
#include "kit/words/knowledge.h"

#define ROOM_FIRST 64
#define SUFFIX_MAX 12 /* "-4294967295" */

/* ---- Its own ---- */

size_t anchor_text_len(const char *heading)
{
    size_t      len  = strlen(heading), name;
    const char *open = strrchr(heading, '{');

    if (!open || open[1] != '#' || heading[len - 1] != '}')
        return len;
    name = strcspn(open + 2, " \t{}");
    if (name == 0 || open + 2 + name != heading + len - 1)
        return len;
    len = (size_t)(open - heading);
    while (len > 0 && (heading[len - 1] == ' ' || heading[len - 1] == '\t'))
        len--;
    return len;
}

/* ---- Made of the text ---- */

/* Marks beyond ASCII that renderers leave out; letters of all scripts stay. */
static bool is_mark(uint32_t point)
{
    return point == POINT_NONE || (point >= 0x80 && point < 0xaa) || (point > 0xaa && point < 0xb5) ||
           (point > 0xb5 && point < 0xba) || (point > 0xba && point < 0xc0) ||
           (point >= 0x2000 && point < 0x2070) || (point >= 0x2190 && point < 0x2c00) ||
           (point >= 0x3000 && point < 0x3005) || (point >= 0x1f000 && point < 0x20000);
}

/* Where the address of a link ends that begins with "](" at `at`; NULL: it is not one. */
static const char *skip_address(const char *at, const char *end)
{
    const char *close = at[0] == ']' && at + 1 < end && at[1] == '(' ? memchr(at, ')', (size_t)(end - at))
                                                                     : NULL;

    return close ? close + 1 : NULL;
}

static size_t make_slug(char *out, size_t most, const char *at, const char *end)
{
    size_t len = 0;

    while (at < end && len + 4 < most) {
        const char *begin = at, *behind = skip_address(at, end);
        uint32_t    point;

        if (behind) {
            at = behind;
            continue;
        }
        point = clean_point(&at, end);
        if (point == ' ')
            out[len++] = '-';
        else if (point < 0x80 && (isalnum((int)point) || point == '-' || point == '_'))
            out[len++] = (char)tolower((int)point);
        else if (point >= 0x80 && !is_mark(point)) {
            memcpy(out + len, begin, (size_t)(at - begin));
            len += (size_t)(at - begin);
        }
    }
    out[len] = '\0';
    return len;
}

/* ---- Those that are taken ---- */

static struct anchor_seen *find(const struct anchors *anchors, uint64_t hash)
{
    size_t mask = anchors->room - 1, i = (size_t)hash & mask;

    while (anchors->at[i].hash && anchors->at[i].hash != hash)
        i = (i + 1) & mask;
    return &anchors->at[i];
}

static bool grow(struct anchors *anchors)
{
    struct anchors more = { .room = anchors->room ? anchors->room * 2 : ROOM_FIRST, .count = anchors->count };

    more.at = calloc(more.room, sizeof *more.at);
    if (!more.at)
        return false;
    for (size_t i = 0; i < anchors->room; i++)
        if (anchors->at[i].hash)
            *find(&more, anchors->at[i].hash) = anchors->at[i];
    free(anchors->at);
    *anchors = more;
    return true;
}

bool anchor_make(struct anchors *anchors, const char *heading, char out[ANCHOR_MAX])
{
    size_t              text = anchor_text_len(heading), len;
    struct anchor_seen *seen;
    uint64_t            hash;

    if (heading[text]) {
        const char *own = strrchr(heading, '{') + 2;

        snprintf(out, ANCHOR_MAX, "%.*s", (int)(strlen(own) - 1), own);
        return true;
    }
    len = make_slug(out, ANCHOR_MAX - SUFFIX_MAX, heading, heading + text);
    if (anchors->count * 2 >= anchors->room && !grow(anchors))
        return false;
    hash = word_hash(0, out, len) | 1;
    seen = find(anchors, hash);
    if (seen->hash) {
        snprintf(out + len, SUFFIX_MAX, "-%u", ++seen->times);
        return true;
    }
    *seen = (struct anchor_seen){ hash, 0 };
    anchors->count++;
    return true;
}

void anchors_free(struct anchors *anchors)
{
    free(anchors->at);
    *anchors = (struct anchors){ 0 };
}
