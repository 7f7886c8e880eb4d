/* wordpiece.c - texts to the tokens of a BERT model.
 *
 * Each character is dropped, made a space, or mapped to small letters without accents; words end at spaces, punctuation and
 * Chinese characters stand alone. A word is cut from its beginning into the longest pieces that the vocabulary has; one that
 * cannot be cut is unknown as a whole. tests/docs_wordpiece compares this with the reference, on every code point.
 */
#include "kit/embed/model/wordpiece.h"

#include <assert.h>
#include <string.h>

#include "kit/embed/model/wordpiece_parts.h"
#include "kit/embed/model/wordpiece_table.h"

#define BROKEN       0xfffdu /* is dropped, as any control character */
#define HANGUL_FIRST 0xac00u
#define HANGUL_END   0xd7a4u

/* ---- Characters ---- */

static uint32_t next_char(const char **at, const char *end)
{
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    unsigned char         c       = (unsigned char)*(*at)++;
    int                   more    = c < 0x80                ? 0
                                    : c >= 0xc2 && c < 0xe0 ? 1
                                    : c >= 0xe0 && c < 0xf0 ? 2
                                    : c >= 0xf0 && c < 0xf5 ? 3
                                                            : -1;
    uint32_t              value   = more <= 0 ? c : c & (0x3fu >> more);

    if (more < 0)
        return BROKEN;
    for (int i = 0; i < more; i++) {
        if (*at == end || ((unsigned char)**at & 0xc0) != 0x80)
            return BROKEN;
        value = value << 6 | ((unsigned char)*(*at)++ & 0x3f);
    }
    if (value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return BROKEN;
    return value;
}

static size_t put_char(char *out, uint32_t c)
{
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

    out[0] = (char)(more ? (0xffu << (7 - more) & 0xffu) | c >> 6 * more : c);
    for (size_t i = 1; i <= more; i++)
        out[i] = (char)(0x80u | (c >> 6 * (more - i) & 0x3fu));
    return more + 1;
}

static bool is_in(const uint32_t (*ranges)[2], size_t count, uint32_t c)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (c > ranges[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low][0];
}

#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof *(ranges), c)

static size_t map_hangul(uint32_t c, uint32_t out[4])
{
    uint32_t syllable = c - HANGUL_FIRST;

    out[0] = 0x1100 + syllable / 588;
    out[1] = 0x1161 + syllable % 588 / 28;
    out[2] = 0x11a7 + syllable % 28;
    return syllable % 28 ? 3 : 2;
}

/* One that is mapped to several: how many; 0 when it is not. */
static size_t map_string(uint32_t c, uint32_t out[4])
{
    size_t low = 0, high = sizeof strings / sizeof *strings, count = 0;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (c > strings[middle][0])
            low = middle + 1;
        else
            high = middle;
    }
    if (low < sizeof strings / sizeof *strings && strings[low][0] == c)
        for (; count < 4 && strings[low][count + 1]; count++)
            out[count] = strings[low][count + 1];
    return count;
}

/* The small letters without accents that stand for it; how many. */
static size_t map_char(uint32_t c, uint32_t out[4])
{
    size_t low = 0, high = sizeof runs / sizeof *runs, count;

    out[0] = c;
    if (c < 0x80) {
        out[0] = c >= 'A' && c <= 'Z' ? c + 32 : c;
        return 1;
    }
    if (c >= HANGUL_FIRST && c < HANGUL_END)
        return map_hangul(c, out);
    count = map_string(c, out);
    if (count)
        return count;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (c > runs[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < sizeof runs / sizeof *runs && c >= runs[low].first &&
        (c - runs[low].first) % (uint32_t)runs[low].step == 0)
        out[0] = (uint32_t)((int64_t)c + runs[low].add);
    return 1;
}

/* ---- Words ---- */

struct splitter {
    const struct wordpiece *pieces;
    int64_t                *ids;
    size_t                  count, room;
    char                    word[WORD_MAX * LETTER_BYTES];
    size_t                  len, letters;
};

static void add_id(struct splitter *splitter, int32_t id)
{
    if (splitter->count < splitter->room)
        splitter->ids[splitter->count++] = id;
}

/* The longest piece that begins at `from`; where it ends, or `from`. */
static size_t cut_piece(const struct splitter *splitter, size_t from, int32_t *id)
{
    const struct wordpiece *pieces = splitter->pieces;
    char                    piece[PREFIX_ROOM + sizeof splitter->word];
    size_t                  head = from ? pieces->prefix_len : 0, to = splitter->len;

    memcpy(piece, pieces->prefix, head);
    memcpy(piece + head, splitter->word + from, splitter->len - from);
    if (pieces->longest <= head)
        return from;
    if (to - from > pieces->longest - head)
        to = from + pieces->longest - head;
    for (; to > from; to--) {
        if (to < splitter->len && ((unsigned char)splitter->word[to] & 0xc0) == 0x80)
            continue; /* inside of a character */
        *id = wordpiece_find(pieces, piece, head + to - from);
        if (*id >= 0)
            return to;
    }
    return from;
}

static void cut_word(struct splitter *splitter)
{
    size_t from = 0, before = splitter->count;

    while (from < splitter->len) {
        int32_t id;
        size_t  to = cut_piece(splitter, from, &id);

        if (to == from) {
            splitter->count = before;
            add_id(splitter, splitter->pieces->unknown);
            return;
        }
        add_id(splitter, id);
        from = to;
    }
}

static void end_word(struct splitter *splitter)
{
    if (splitter->letters > splitter->pieces->word_max)
        add_id(splitter, splitter->pieces->unknown);
    else
        cut_word(splitter);
    splitter->len = splitter->letters = 0;
}

static void add_letter(struct splitter *splitter, uint32_t c)
{
    if (++splitter->letters <= splitter->pieces->word_max)
        splitter->len += put_char(splitter->word + splitter->len, c);
}

static void add_char(struct splitter *splitter, uint32_t c)
{
    uint32_t small[4];
    size_t   count;
    bool     alone;

    if ((c >= 0x7f || c < ' ') && (IS_IN(controls, c) || IS_IN(marks, c)))
        return;
    if (IS_IN(spaces, c)) {
        end_word(splitter);
        return;
    }
    alone = c >= 0x80 && IS_IN(chinese, c);
    if (alone)
        end_word(splitter);
    count = map_char(c, small);
    for (size_t i = 0; i < count; i++) {
        bool is_sign = IS_IN(punctuation, small[i]);

        if (is_sign)
            end_word(splitter);
        add_letter(splitter, small[i]);
        if (is_sign)
            end_word(splitter);
    }
    if (alone)
        end_word(splitter);
}

size_t wordpiece_split(const struct wordpiece *pieces, const char *text, size_t len, int64_t *ids,
                       size_t room)
{
    struct splitter splitter = { .pieces = pieces, .ids = ids, .room = room - 1 };
    const char     *at = text, *end = text + len;

    assert(room >= 2);
    add_id(&splitter, pieces->first);
    while (at < end && splitter.count < splitter.room)
        add_char(&splitter, next_char(&at, end));
    end_word(&splitter);
    splitter.room++;
    add_id(&splitter, pieces->last);
    return splitter.count;
}
