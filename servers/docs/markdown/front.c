/* front.c - front matter: where it is, its values, and one key of it rewritten. */
#include "docs/markdown/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/json.h>

#include "docs/markdown/front_yaml.h"

#define MARK     "---"
#define MARK_LEN 3
#define BOM      "\xef\xbb\xbf"
#define BOM_LEN  3

/* ---- Where it stands ---------------------------------------------------------------------------------------- */

/* The end of the line that `place` is in, without and with its ending. */
static size_t line_end(const char *at, size_t len, size_t place)
{
    while (place < len && at[place] != '\n' && at[place] != '\r')
        place++;
    return place;
}

static size_t next_line(const char *at, size_t len, size_t place)
{
    place = line_end(at, len, place);
    if (place + 1 < len && at[place] == '\r' && at[place + 1] == '\n')
        return place + 2;
    return place < len ? place + 1 : len;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_mark(const char *at, size_t len, size_t place)
{
    size_t end = line_end(at, len, place);

    if (end - place < MARK_LEN || memcmp(at + place, MARK, MARK_LEN) != 0)
        return false;
    for (place += MARK_LEN; place < end; place++)
        if (!is_blank(at[place]))
            return false;
    return true;
}

static void set_mistake(char **mistake, size_t line, const char *text)
{
    size_t room = strlen(text) + 48;

    *mistake = malloc(room);
    if (*mistake)
        snprintf(*mistake, room, "line %zu: %s", line, text);
}

static bool find_front(struct front *front, const char *at, size_t len, char **mistake)
{
    size_t place = len >= BOM_LEN && memcmp(at, BOM, BOM_LEN) == 0 ? BOM_LEN : 0;
    size_t line  = 2;

    *front = (struct front){ .body = place, .body_line = 1 };
    if (!is_mark(at, len, place))
        return true;
    front->begin = next_line(at, len, place);
    for (place = front->begin; place < len && place - front->begin <= FRONT_MAX; line++) {
        if (is_mark(at, len, place)) {
            front->present   = true;
            front->end       = place;
            front->body      = next_line(at, len, place);
            front->body_line = line + 1;
            return true;
        }
        place = next_line(at, len, place);
    }
    set_mistake(mistake, 1,
                place - front->begin > FRONT_MAX
                    ? "the front matter that begins here is too long, or has no end: a line of ---"
                    : "the front matter that begins here has no end: a line of ---");
    return false;
}

/* ---- What it says ------------------------------------------------------------------------------------------- */

static bool read_with(struct front *front, const char *at, size_t len, struct yaml_place *place,
                      char **mistake)
{
    struct yaml_mistake wrong;

    *mistake = NULL;
    if (!find_front(front, at, len, mistake))
        return false;
    if (!front->present) {
        text_put(&front->json, "{}");
        if (front->json.failed)
            front_free(front);
        return front->json.at != NULL;
    }
    if (yaml_read(at + front->begin, front->end - front->begin, &front->json, place, &wrong))
        return true;
    front_free(front);
    if (wrong.text[0])
        set_mistake(mistake, wrong.line + 1, wrong.text);
    return false;
}

bool front_read(struct front *front, const char *at, size_t len, char **mistake)
{
    return read_with(front, at, len, NULL, mistake);
}

void front_free(struct front *front)
{
    text_free(&front->json);
}

/* ---- One key rewritten -------------------------------------------------------------------------------------- */

/* What other readers of YAML, older than 1.2, take for truth values. */
static bool is_old_bool(const char *value)
{
    static const char *const words[] = { "y", "n", "yes", "no", "on", "off" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t len = strlen(words[i]), same = 0;

        while (same < len && (value[same] | 0x20) == words[i][same])
            same++;
        if (same == len && value[len] == '\0')
            return true;
    }
    return false;
}

/* Letters, digits and marks that mean nothing in YAML, wherever they stand. */
static bool is_plain(const char *value)
{
    size_t len = strlen(value);

    if (len == 0 || is_old_bool(value) || !yaml_plain_is_text(value, len) || strchr(" -+", value[0]) ||
        value[len - 1] == ' ')
        return false;
    return strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+- ") == len;
}

/* Inside single quotes everything is itself, but for line endings and what cannot be seen. */
static bool is_printable(const char *value)
{
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0) || (*c == 0xef && c[1] == 0xbb) ||
            (*c == 0xef && c[1] == 0xbf) || (*c == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9)))
            return false;
    }
    return true;
}

/* The code point at *at, which moves on. The text is UTF-8: an output that is not is found when it is read again. */
static unsigned next_point(const unsigned char **at)
{
    const unsigned char *c     = *at;
    unsigned             point = *c++;

    if (point >= 0xc0) {
        point &= point >= 0xf0 ? 0x07u : point >= 0xe0 ? 0x0fu : 0x1fu;
        while ((*c & 0xc0) == 0x80)
            point = (point << 6 | (*c++ & 0x3fu)) & 0x1fffffu;
    }
    *at = c;
    return point;
}

static void write_escaped(struct text *out, const char *value)
{
    text_char(out, '"');
    for (const unsigned char *c = (const unsigned char *)value; *c;) {
        const unsigned char *begin = c;
        unsigned             point = next_point(&c);

        if (point == '"' || point == '\\')
            text_addf(out, "\\%c", (int)point);
        else if (point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029 ||
                 point == 0xfeff || (point & 0xfffe) == 0xfffe)
            text_addf(out, point > 0xffff ? "\\U%08x" : "\\u%04x", point);
        else
            text_add(out, (const char *)begin, (size_t)(c - begin));
    }
    text_char(out, '"');
}

/* With as few quotes as it needs. */
static void write_value(struct text *out, const char *value)
{
    if (is_plain(value)) {
        text_put(out, value);
        return;
    }
    if (!is_printable(value)) {
        write_escaped(out, value);
        return;
    }
    text_char(out, '\'');
    for (; *value; value++) {
        if (*value == '\'')
            text_char(out, '\'');
        text_char(out, *value);
    }
    text_char(out, '\'');
}

struct rewrite {
    struct text      *out;
    const char       *at; /* the YAML */
    size_t            len;
    struct yaml_place place;
    const char       *value;
    const char       *ending; /* of lines in this file */
    size_t            ending_len;
};

static void keep(const struct rewrite *rewrite, size_t begin, size_t end)
{
    if (end > begin)
        text_add(rewrite->out, rewrite->at + begin, end - begin);
}

/* Copies from `begin` to the end without the lines from `cut` to `end`; a comment behind the last one stays. */
static void keep_without(const struct rewrite *rewrite, size_t begin, size_t cut, size_t end)
{
    size_t rest = end;

    while (cut > begin && is_blank(rewrite->at[cut - 1]))
        cut--;
    while (rest < rewrite->len && is_blank(rewrite->at[rest]))
        rest++;
    keep(rewrite, begin, cut);
    keep(rewrite,
         rest < rewrite->len && rewrite->at[rest] == '#' ? end : next_line(rewrite->at, rewrite->len, end),
         rewrite->len);
}

static bool has_line_end(const char *at, size_t begin, size_t end)
{
    for (; begin < end; begin++)
        if (at[begin] == '\n' || at[begin] == '\r')
            return true;
    return false;
}

static void replace_block_scalar(const struct rewrite *rewrite, size_t end)
{
    const struct yaml_place *place  = &rewrite->place;
    size_t                   header = place->begin;
    size_t                   line;

    while (header < end && !strchr(" \t\r\n", rewrite->at[header]))
        header++;
    keep(rewrite, 0, place->begin);
    write_value(rewrite->out, rewrite->value);
    line = next_line(rewrite->at, rewrite->len, header);
    if (end <= line) {
        keep(rewrite, header, rewrite->len);
        return;
    }
    keep(rewrite, header, line);
    keep(rewrite, next_line(rewrite->at, rewrite->len, end), rewrite->len);
}

static void replace_value(const struct rewrite *rewrite)
{
    const struct yaml_place *place = &rewrite->place;
    size_t                   colon = place->key_end;
    size_t                   end   = place->end;

    while (colon < rewrite->len && is_blank(rewrite->at[colon]))
        colon++;
    colon = colon < rewrite->len && rewrite->at[colon] == ':' ? colon + 1 : place->begin;
    if (place->begin < end && strchr("|>", rewrite->at[place->begin])) {
        while (end > place->begin && strchr(" \t\r\n", rewrite->at[end - 1]))
            end--;
        if (!has_line_end(rewrite->at, colon, place->begin)) {
            replace_block_scalar(rewrite, end);
            return;
        }
    }
    if (place->begin == end || has_line_end(rewrite->at, colon, place->begin)) {
        keep(rewrite, 0, colon);
        text_char(rewrite->out, ' ');
        write_value(rewrite->out, rewrite->value);
        if (place->begin == end)
            keep(rewrite, colon, rewrite->len);
        else
            keep_without(rewrite, colon, place->begin, end);
        return;
    }
    keep(rewrite, 0, place->begin);
    write_value(rewrite->out, rewrite->value);
    keep(rewrite, end, rewrite->len);
}

static void write_pair(const struct rewrite *rewrite)
{
    write_value(rewrite->out, rewrite->place.key);
    text_put(rewrite->out, ": ");
    write_value(rewrite->out, rewrite->value);
}

static void add_pair(const struct rewrite *rewrite, bool is_empty)
{
    const struct yaml_place *place  = &rewrite->place;
    size_t                   indent = place->root;

    if (place->has_root && place->flow) {
        keep(rewrite, 0, place->last);
        text_put(rewrite->out, is_empty ? "" : ", ");
        write_pair(rewrite);
        keep(rewrite, place->last, rewrite->len);
        return;
    }
    keep(rewrite, 0, rewrite->len);
    while (indent > 0 && rewrite->at[indent - 1] == ' ')
        indent--;
    if (place->has_root)
        keep(rewrite, indent, place->root);
    write_pair(rewrite);
    text_add(rewrite->out, rewrite->ending, rewrite->ending_len);
}

/* Text as the JSON of front matter has it. */
static void add_json(struct text *out, const char *text)
{
    tenon_writer *w = tenon_writer_new(NULL, TEXT_MAX);
    const char   *json;
    size_t        len;

    tenon_write_bytes(w, NULL, text, strlen(text));
    json = tenon_writer_text(w, &len);
    text_add(out, json, len);
    out->failed |= !json;
    tenon_writer_free(w);
}

/* Says the new text what the old one said, but for this key? Then nothing of a strange file was misunderstood. */
static bool says_the_same(const struct rewrite *rewrite, const struct text *before)
{
    const struct yaml_place *place = &rewrite->place;
    struct front             after;
    struct text              want    = { 0 };
    char                    *mistake = NULL;
    bool                     same;

    text_add(&want, before->at, place->found ? place->json_begin : before->len - 1);
    if (!place->found) {
        text_put(&want, before->len > 2 ? "," : "");
        add_json(&want, place->key);
        text_char(&want, ':');
    }
    add_json(&want, rewrite->value);
    text_put(&want, place->found ? before->at + place->json_end : "}");
    same = !rewrite->out->failed && !want.failed &&
           front_read(&after, rewrite->out->at, rewrite->out->len, &mistake);
    if (same) {
        same = after.present && after.json.len == want.len && memcmp(after.json.at, want.at, want.len) == 0;
        front_free(&after);
    }
    free(mistake);
    text_free(&want);
    return same;
}

bool front_set(struct text *out, const char *at, size_t len, const char *key, const char *value)
{
    struct rewrite rewrite = { .out = out, .value = value, .place = { .key = key } };
    struct front   front;
    char          *mistake;
    bool           fine;

    text_clear(out);
    if (!read_with(&front, at, len, &rewrite.place, &mistake)) {
        free(mistake);
        return false;
    }
    if (!front.present) {
        front_free(&front);
        return false;
    }
    rewrite.at         = at + front.begin;
    rewrite.len        = front.end - front.begin;
    rewrite.ending     = at + line_end(at, len, 0);
    rewrite.ending_len = next_line(at, len, 0) - line_end(at, len, 0);
    text_add(out, at, front.begin);
    if (rewrite.place.found)
        replace_value(&rewrite);
    else
        add_pair(&rewrite, front.json.len == 2);
    text_add(out, at + front.end, len - front.end);
    fine = says_the_same(&rewrite, &front.json);
    front_free(&front);
    if (!fine)
        text_clear(out);
    return fine;
}
