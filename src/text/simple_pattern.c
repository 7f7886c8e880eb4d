/* simple_pattern.c - simple patterns, read and matched.
 *
 * Reading gives up at the first thing that is not simple. Matching is greedy, and that is exact, since a part that
 * may repeat shares no character with what can follow it: had it taken fewer, nothing could take the next one.
 */
#include "text/simple_pattern.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"

#define UNBOUNDED UINT32_MAX
#define LAST_CODE 0x10FFFFu

/* Spaces of ECMA-262 beyond ASCII, and its ends of lines. */
static const struct tn_simple_range spaces[] = {
    { 0xA0, 0xA0 },     { 0x1680, 0x1680 }, { 0x2000, 0x200A }, { 0x2028, 0x2029 },
    { 0x202F, 0x202F }, { 0x205F, 0x205F }, { 0x3000, 0x3000 }, { 0xFEFF, 0xFEFF },
};
static const struct tn_simple_range line_ends[] = { { 0x2028, 0x2029 } };

struct simple_reader {
    struct tn_simple_pattern *pattern;
    struct tn_slice           rest;
    bool                      failed; /* it is not simple */
};

/* One thing of a pattern that characters can be compared with. */
struct atom {
    struct tn_simple_set set;
    bool                 single; /* only `code` */
    uint32_t             code;
};

static void simple_pattern_give_up(struct simple_reader *reader)
{
    reader->failed   = true;
    reader->rest.len = 0;
}

static char simple_pattern_peek(const struct simple_reader *reader, size_t ahead)
{
    return ahead < reader->rest.len ? reader->rest.at[ahead] : '\0';
}

static void simple_pattern_skip(struct simple_reader *reader, size_t len)
{
    reader->rest = (struct tn_slice){ reader->rest.at + len, reader->rest.len - len };
}

static bool simple_pattern_take_char(struct simple_reader *reader, char wanted)
{
    if (reader->rest.len == 0 || reader->rest.at[0] != wanted)
        return false;
    simple_pattern_skip(reader, 1);
    return true;
}

static bool is_alnum(char c)
{
    return tn_ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* ---- Sets ---------------------------------------------------------------------------------------- */

static struct tn_simple_set empty_set(const struct simple_reader *reader)
{
    return (struct tn_simple_set){ .range = reader->pattern->range_count };
}

/* The ranges of the newest set are the last of the pattern. */
static void add_range(struct simple_reader *reader, struct tn_simple_set *set, uint32_t first, uint32_t last)
{
    struct tn_simple_pattern *pattern = reader->pattern;

    for (; first <= last && first < 0x80; first++)
        set->ascii[first / 64] |= UINT64_C(1) << first % 64;
    if (first > last)
        return;
    if (pattern->range_count == SIMPLE_RANGES_MAX) {
        simple_pattern_give_up(reader);
        return;
    }
    pattern->ranges[pattern->range_count++] = (struct tn_simple_range){ first, last };
    set->range_count++;
}

/* The ranges, or what lies between them, from U+0080 on. */
static void add_ranges(struct simple_reader *reader, struct tn_simple_set *set,
                       const struct tn_simple_range *ranges, size_t count, bool between)
{
    uint32_t next = 0x80;

    for (size_t i = 0; i < count; i++) {
        if (between)
            add_range(reader, set, next, ranges[i].first - 1);
        else
            add_range(reader, set, ranges[i].first, ranges[i].last);
        next = ranges[i].last + 1;
    }
    if (between)
        add_range(reader, set, next, LAST_CODE);
}

/* \d, \w, \s and their opposites. */
static void add_kind(struct simple_reader *reader, struct tn_simple_set *set, char kind)
{
    struct tn_simple_set ascii    = { .range = 0 };
    bool                 opposite = kind >= 'A' && kind <= 'Z';

    switch (kind | 0x20) {
    case 'w':
        add_range(reader, &ascii, 'a', 'z');
        add_range(reader, &ascii, 'A', 'Z');
        add_range(reader, &ascii, '_', '_');
        add_range(reader, &ascii, '0', '9');
        break;
    case 'd': add_range(reader, &ascii, '0', '9'); break;
    default:
        add_range(reader, &ascii, '\t', '\r');
        add_range(reader, &ascii, ' ', ' ');
        add_ranges(reader, set, spaces, sizeof spaces / sizeof *spaces, opposite);
        break;
    }
    for (size_t i = 0; i < 2; i++)
        set->ascii[i] |= opposite ? ~ascii.ascii[i] : ascii.ascii[i];
    if (opposite && (kind | 0x20) != 's')
        add_range(reader, set, 0x80, LAST_CODE);
}

static void invert(struct tn_simple_set *set)
{
    set->ascii[0] = ~set->ascii[0];
    set->ascii[1] = ~set->ascii[1];
    set->inverted = !set->inverted;
}

static bool set_has_beyond(const struct tn_simple_pattern *pattern, const struct tn_simple_set *set,
                           uint32_t code)
{
    const struct tn_simple_range *ranges = pattern->ranges + set->range;

    for (size_t i = 0; i < set->range_count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return !set->inverted;
    return set->inverted;
}

/* May a character be in both? Says yes when in doubt. */
static bool sets_meet(const struct tn_simple_pattern *pattern, const struct tn_simple_set *a,
                      const struct tn_simple_set *b)
{
    const struct tn_simple_range *x = pattern->ranges + a->range, *y = pattern->ranges + b->range;

    if ((a->ascii[0] & b->ascii[0]) || (a->ascii[1] & b->ascii[1]) || (a->inverted && b->inverted))
        return true;
    if (a->inverted)
        return sets_meet(pattern, b, a);
    for (size_t i = 0; i < a->range_count; i++) {
        bool outside = true;

        for (size_t j = 0; j < b->range_count; j++) {
            if (!b->inverted && x[i].first <= y[j].last && y[j].first <= x[i].last)
                return true;
            if (x[i].first >= y[j].first && x[i].last <= y[j].last)
                outside = false;
        }
        if (b->inverted && outside)
            return true;
    }
    return false;
}

/* ---- Reading ------------------------------------------------------------------------------------- */

/* \uHHHH of one that is no surrogate. */
static uint32_t take_hex(struct simple_reader *reader)
{
    uint32_t code = 0;

    for (size_t i = 0; i < 4; i++) {
        char c = simple_pattern_peek(reader, i);
        int  digit;

        if (tn_ascii_is_digit(c))
            digit = c - '0';
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (c | 0x20) - 'a' + 10;
        else
            digit = 16;
        if (digit == 16) {
            simple_pattern_give_up(reader);
            return 0;
        }
        code = code * 16 + (uint32_t)digit;
    }
    if (code >= 0xD800 && code <= 0xDFFF)
        simple_pattern_give_up(reader);
    else
        simple_pattern_skip(reader, 4);
    return code;
}

/* What follows a backslash that stands for one character; gives up on any other. */
static uint32_t take_escaped(struct simple_reader *reader)
{
    static const char names[] = "tnvfr", codes[] = "\t\n\v\f\r";
    char              c = simple_pattern_peek(reader, 0);
    const char       *name;

    if (c <= ' ' || c > '~') {
        simple_pattern_give_up(reader);
        return 0;
    }
    simple_pattern_skip(reader, 1);
    if (!is_alnum(c))
        return (uint32_t)c;
    if (c == 'u')
        return take_hex(reader);
    name = strchr(names, c);
    if (!name) {
        simple_pattern_give_up(reader);
        return 0;
    }
    return (uint32_t)codes[name - names];
}

/* One character, escaped or not. */
static uint32_t take_code(struct simple_reader *reader)
{
    uint32_t code = 0;
    size_t   len;

    if (simple_pattern_take_char(reader, '\\'))
        return take_escaped(reader);
    len = tn_utf8_read(reader->rest.at, reader->rest.len, &code);
    if (len == 0)
        simple_pattern_give_up(reader);
    else
        simple_pattern_skip(reader, len);
    return code;
}

/* \d and its like, if that is what comes. */
static char take_kind(struct simple_reader *reader)
{
    char kind = simple_pattern_peek(reader, 0) == '\\' ? simple_pattern_peek(reader, 1) : '\0';

    if (kind == '\0' || !strchr("dDwWsS", kind))
        return '\0';
    simple_pattern_skip(reader, 2);
    return kind;
}

static void read_class_item(struct simple_reader *reader, struct tn_simple_set *set)
{
    char     kind = take_kind(reader);
    uint32_t first, last;

    if (kind) {
        add_kind(reader, set, kind);
        if (simple_pattern_peek(reader, 0) == '-' && simple_pattern_peek(reader, 1) != ']')
            simple_pattern_give_up(reader);
        return;
    }
    first = last = take_code(reader);
    if (simple_pattern_peek(reader, 0) == '-' && simple_pattern_peek(reader, 1) != ']') {
        simple_pattern_skip(reader, 1);
        if (take_kind(reader))
            simple_pattern_give_up(reader);
        last = take_code(reader);
    }
    if (first > last)
        simple_pattern_give_up(reader);
    if (!reader->failed)
        add_range(reader, set, first, last);
}

/* What stands behind "[". An empty class is not simple. */
static struct tn_simple_set read_class(struct simple_reader *reader)
{
    struct tn_simple_set set      = empty_set(reader);
    bool                 opposite = simple_pattern_take_char(reader, '^');

    if (simple_pattern_peek(reader, 0) == ']')
        simple_pattern_give_up(reader);
    while (reader->rest.len > 0 && simple_pattern_peek(reader, 0) != ']')
        read_class_item(reader, &set);
    if (!simple_pattern_take_char(reader, ']'))
        simple_pattern_give_up(reader);
    if (opposite)
        invert(&set);
    return set;
}

static struct atom read_atom(struct simple_reader *reader)
{
    struct atom atom = { .set = empty_set(reader) };
    char        kind = take_kind(reader);

    if (kind) {
        add_kind(reader, &atom.set, kind);
    } else if (simple_pattern_take_char(reader, '[')) {
        atom.set = read_class(reader);
    } else if (simple_pattern_take_char(reader, '.')) {
        add_range(reader, &atom.set, '\n', '\n');
        add_range(reader, &atom.set, '\r', '\r');
        add_ranges(reader, &atom.set, line_ends, 1, false);
        invert(&atom.set);
    } else if (simple_pattern_peek(reader, 0) != '\0' &&
               strchr("^$*+?()]{}|", simple_pattern_peek(reader, 0))) {
        simple_pattern_give_up(reader);
    } else {
        atom.single = true;
        atom.code   = take_code(reader);
        if (!reader->failed)
            add_range(reader, &atom.set, atom.code, atom.code);
    }
    return atom;
}

static uint32_t take_number(struct simple_reader *reader)
{
    uint32_t value = 0;

    if (!tn_ascii_is_digit(simple_pattern_peek(reader, 0)))
        simple_pattern_give_up(reader);
    while (tn_ascii_is_digit(simple_pattern_peek(reader, 0))) {
        value = value * 10 + (uint32_t)(simple_pattern_peek(reader, 0) - '0');
        if (value > SIMPLE_REPEAT_MAX)
            simple_pattern_give_up(reader);
        else
            simple_pattern_skip(reader, 1);
    }
    return value;
}

/* The quantifier behind an atom, if there is one. Lazy or not makes no difference to whether there is a match. */
static bool read_quantifier(struct simple_reader *reader, uint32_t *min, uint32_t *max)
{
    *min = *max = 1;
    if (simple_pattern_take_char(reader, '*')) {
        *min = 0;
        *max = UNBOUNDED;
    } else if (simple_pattern_take_char(reader, '+')) {
        *max = UNBOUNDED;
    } else if (simple_pattern_take_char(reader, '?')) {
        *min = 0;
    } else if (simple_pattern_take_char(reader, '{')) {
        *min = *max = take_number(reader);
        if (simple_pattern_take_char(reader, ','))
            *max = simple_pattern_peek(reader, 0) == '}' ? UNBOUNDED : take_number(reader);
        if (*min > *max || !simple_pattern_take_char(reader, '}'))
            simple_pattern_give_up(reader);
    } else {
        return false;
    }
    simple_pattern_take_char(reader, '?');
    return true;
}

/* Text goes to the end of the literal part before it, if that is what stands there. */
static void add_text(struct simple_reader *reader, const struct atom *atom, struct tn_slice text)
{
    struct tn_simple_pattern *pattern = reader->pattern;
    struct tn_simple_part    *last    = pattern->count > 0 ? &pattern->parts[pattern->count - 1] : NULL;

    if (text.len > SIMPLE_LITERAL_MAX - (size_t)pattern->literal_len ||
        ((!last || last->len == 0) && pattern->count == SIMPLE_PARTS_MAX)) {
        simple_pattern_give_up(reader);
        return;
    }
    if (!last || last->len == 0) {
        last  = &pattern->parts[pattern->count++];
        *last = (struct tn_simple_part){
            .set = atom->set, .min = 1, .max = 1, .literal = pattern->literal_len
        };
    }
    memcpy(pattern->literal + pattern->literal_len, text.at, text.len);
    last->len            = (uint16_t)(last->len + text.len);
    pattern->literal_len = (uint16_t)(pattern->literal_len + text.len);
}

/* To the text of a choice. */
static void add_byte(struct simple_reader *reader, char c)
{
    struct tn_simple_pattern *pattern = reader->pattern;

    if (pattern->literal_len == SIMPLE_LITERAL_MAX) {
        simple_pattern_give_up(reader);
        return;
    }
    pattern->literal[pattern->literal_len++] = c;
    simple_pattern_skip(reader, 1);
}

static void add_code(struct simple_reader *reader, const struct atom *atom)
{
    uint32_t code = atom->code;
    char     text[4];
    size_t   len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = len - 1; i > 0; i--, code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3F));
    text[0] = (char)(len == 1 ? code : (0xF00u >> len & 0xFFu) | code);
    add_text(reader, atom, (struct tn_slice){ text, len });
}

static void read_part(struct simple_reader *reader)
{
    struct tn_simple_pattern *pattern = reader->pattern;
    struct atom               atom    = read_atom(reader);
    uint32_t                  min, max;
    bool                      repeated = read_quantifier(reader, &min, &max);

    if (reader->failed)
        return;
    if (atom.single && !repeated) {
        add_code(reader, &atom);
    } else if (pattern->count == SIMPLE_PARTS_MAX) {
        simple_pattern_give_up(reader);
    } else {
        pattern->parts[pattern->count++] = (struct tn_simple_part){ .set = atom.set, .min = min, .max = max };
    }
}

/* Texts between bars, from "^(" to ")$". */
static void read_choice(struct simple_reader *reader)
{
    struct tn_simple_pattern *pattern = reader->pattern;

    pattern->choice = true;
    do {
        struct tn_simple_part *part = &pattern->parts[pattern->count];
        uint16_t               from = pattern->literal_len;

        for (char c; !reader->failed && (c = simple_pattern_peek(reader, 0)) != '|' && c != ')';) {
            if (!is_alnum(c) && c != '_' && c != '-')
                simple_pattern_give_up(reader);
            else
                add_byte(reader, c);
        }
        if (pattern->literal_len == from || pattern->count == SIMPLE_PARTS_MAX)
            simple_pattern_give_up(reader);
        if (reader->failed)
            return;
        *part = (struct tn_simple_part){
            .min = 1, .max = 1, .literal = from, .len = (uint16_t)(pattern->literal_len - from)
        };
        pattern->count++;
    } while (simple_pattern_take_char(reader, '|'));
    if (!simple_pattern_take_char(reader, ')') || !tn_slice_is(reader->rest, "$"))
        simple_pattern_give_up(reader);
}

/* Does one character tell whether a part ends? */
static bool is_told_apart(const struct tn_simple_pattern *pattern, size_t index)
{
    const struct tn_simple_part *part = &pattern->parts[index];

    if (part->min == part->max)
        return true;
    for (size_t i = index + 1; i < pattern->count; i++) {
        if (sets_meet(pattern, &part->set, &pattern->parts[i].set))
            return false;
        if (pattern->parts[i].min > 0)
            break;
    }
    return true;
}

/* A match that may begin anywhere is looked for only where that is plain: text, or one character. */
static bool is_findable(const struct tn_simple_pattern *pattern)
{
    const struct tn_simple_part *part = pattern->parts;

    if (pattern->from_start || pattern->count == 0)
        return true;
    return pattern->count == 1 && (part->len > 0 || (!pattern->to_end && part->min <= 1 && part->max > 0));
}

bool tn_simple_pattern_read(struct tn_simple_pattern *pattern, struct tn_slice text)
{
    struct simple_reader reader = { .pattern = pattern, .rest = text };

    *pattern            = (struct tn_simple_pattern){ 0 };
    pattern->from_start = simple_pattern_take_char(&reader, '^');
    if (pattern->from_start && simple_pattern_take_char(&reader, '(')) {
        if (simple_pattern_peek(&reader, 0) == '?' && simple_pattern_peek(&reader, 1) == ':')
            simple_pattern_skip(&reader, 2);
        read_choice(&reader);
    }
    while (!reader.failed && reader.rest.len > 0 && !tn_slice_is(reader.rest, "$"))
        read_part(&reader);
    pattern->to_end = simple_pattern_take_char(&reader, '$');
    if (reader.failed || !is_findable(pattern))
        return false;
    for (size_t i = 0; i < pattern->count; i++)
        if (!is_told_apart(pattern, i))
            return false;
    return true;
}

/* ---- Matching ------------------------------------------------------------------------------------ */

/* The length of the character at the front, if it is in the set; else 0. */
static size_t member_len(const struct tn_simple_pattern *pattern, const struct tn_simple_set *set,
                         const char *at, size_t len)
{
    unsigned char c = (unsigned char)*at;
    uint32_t      code;
    size_t        taken;

    if (c < 0x80)
        return set->ascii[c / 64] >> c % 64 & 1;
    if (set->range_count == 0)
        return set->inverted ? tn_utf8_read(at, len, &code) : 0;
    taken = tn_utf8_read(at, len, &code);
    return set_has_beyond(pattern, set, code) ? taken : 0;
}

/* How many of the first `most` bytes are ASCII of the set. */
static size_t ascii_run(const struct tn_simple_set *set, const char *at, size_t most)
{
    const uint64_t low = set->ascii[0], high = set->ascii[1];
    size_t         len = 0;

    while (len < most) {
        unsigned char c = (unsigned char)at[len];

        if (c >= 0x80 || ((c < 64 ? low : high) >> (c & 63) & 1) == 0)
            break;
        len++;
    }
    return len;
}

/* As many characters of the part as there are; how many. */
static size_t take_members(const struct tn_simple_pattern *pattern, const struct tn_simple_part *part,
                           struct tn_slice *rest)
{
    const char *at = rest->at, *end = rest->at + rest->len;
    size_t      count = 0;

    for (;;) {
        size_t left = (size_t)(end - at), most = part->max - count;
        size_t run = ascii_run(&part->set, at, left < most ? left : most), taken;

        at += run;
        count += run;
        if (at == end || count == part->max || (unsigned char)*at < 0x80)
            break;
        taken = member_len(pattern, &part->set, at, (size_t)(end - at));
        if (taken == 0)
            break;
        at += taken;
        count++;
    }
    *rest = (struct tn_slice){ at, (size_t)(end - at) };
    return count;
}

static bool take_part(const struct tn_simple_pattern *pattern, const struct tn_simple_part *part,
                      struct tn_slice *rest)
{
    if (part->len == 0)
        return take_members(pattern, part, rest) >= part->min;
    if (rest->len < part->len || memcmp(rest->at, pattern->literal + part->literal, part->len) != 0)
        return false;
    *rest = (struct tn_slice){ rest->at + part->len, rest->len - part->len };
    return true;
}

static bool match_from_start(const struct tn_simple_pattern *pattern, struct tn_slice text)
{
    for (size_t i = 0; i < pattern->count; i++)
        if (!take_part(pattern, &pattern->parts[i], &text))
            return false;
    return !pattern->to_end || text.len == 0;
}

/* Text is short, so that its length bounds what each place costs. */
static bool find_text(struct tn_slice wanted, struct tn_slice text, bool to_end)
{
    if (text.len < wanted.len)
        return false;
    if (to_end)
        return memcmp(text.at + text.len - wanted.len, wanted.at, wanted.len) == 0;
    for (const char *at = text.at, *last = text.at + (text.len - wanted.len); at <= last; at++) {
        at = memchr(at, wanted.at[0], (size_t)(last - at) + 1);
        if (!at)
            return false;
        if (memcmp(at, wanted.at, wanted.len) == 0)
            return true;
    }
    return false;
}

static bool match_choice(const struct tn_simple_pattern *pattern, struct tn_slice text)
{
    for (size_t i = 0; i < pattern->count; i++)
        if (pattern->parts[i].len == text.len &&
            memcmp(pattern->literal + pattern->parts[i].literal, text.at, text.len) == 0)
            return true;
    return false;
}

bool tn_simple_pattern_match(const struct tn_simple_pattern *pattern, struct tn_slice text)
{
    const struct tn_simple_part *part = pattern->parts;

    if (!text.at)
        text.at = "";
    if (pattern->choice)
        return match_choice(pattern, text);
    if (pattern->from_start)
        return match_from_start(pattern, text);
    if (pattern->count == 0 || part->min == 0)
        return true;
    if (part->len > 0)
        return find_text((struct tn_slice){ pattern->literal, part->len }, text, pattern->to_end);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if ((c & 0xC0) != 0x80 && member_len(pattern, &part->set, text.at + i, text.len - i) > 0)
            return true;
    }
    return false;
}

bool tn_simple_pattern_is_text(const struct tn_simple_pattern *pattern, struct tn_slice *text)
{
    if (pattern->count != 1 || pattern->parts[0].len == 0 || !(pattern->from_start || pattern->to_end))
        return false;
    *text = (struct tn_slice){ pattern->literal, pattern->parts[0].len };
    return true;
}

/* ---- A text that matches ----------------------------------------------------------------------------------- */

static bool set_has(const struct tn_simple_set *set, unsigned char c)
{
    return (set->ascii[c / 64] >> c % 64 & 1) != 0;
}

/* A character of the set that reads well; 0 when it has none of ASCII that is printed. */
static char set_pick(const struct tn_simple_set *set)
{
    static const char liked[] = "aA0";

    for (const char *c = liked; *c; c++)
        if (set_has(set, (unsigned char)*c))
            return *c;
    for (int c = '!'; c <= '~'; c++)
        if (set_has(set, (unsigned char)c))
            return (char)c;
    return set_has(set, ' ') ? ' ' : '\0';
}

/* How often a part stands there; the first that may repeat fills up what is short of `least`. */
static size_t part_times(const struct tn_simple_part *part, size_t *missing)
{
    size_t more = part->max - part->min < *missing ? part->max - part->min : *missing;

    *missing -= more;
    return part->min + more;
}

size_t tn_simple_pattern_write(const struct tn_simple_pattern *pattern, size_t least, char *out, size_t room)
{
    size_t len = 0, missing = least;

    for (size_t i = 0; !pattern->choice && i < pattern->count; i++) {
        size_t sure = (size_t)pattern->parts[i].min * (pattern->parts[i].len ? pattern->parts[i].len : 1);

        missing -= sure < missing ? sure : missing;
    }
    for (size_t i = 0; !pattern->choice && i < pattern->count; i++) {
        const struct tn_simple_part *part  = &pattern->parts[i];
        size_t                       times = part_times(part, &missing), width = part->len ? part->len : 1;
        char                         c = part->len ? '\0' : set_pick(&part->set);

        if (times > (room - len) / width || (times > 0 && !part->len && !c))
            return 0;
        for (; times > 0; times--, len += width) {
            if (part->len)
                memcpy(out + len, pattern->literal + part->literal, width);
            else
                out[len] = c;
        }
    }
    return len;
}
