/* screen.c - walks every text of a definition, names of members too. */
#include "contract/screen.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "contract/phrases.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define TEXT_MAX        ((size_t)400)
#define PATH_TEXT_MAX   ((size_t)300)

struct range {
    uint32_t first, last;
};

/* Steps from the whole to a value: names, or NULL and a number. */
struct step {
    const struct step *outer;
    struct tn_slice    name;
    size_t             index;
};

struct screen {
    struct tn_screening *findings;
    struct tn_arena     *arena;
};

static void write_step(struct tn_buf *out, const struct step *step)
{
    if (!step)
        return;
    write_step(out, step->outer);
    tn_buf_char(out, '/');
    if (!step->name.at)
        tn_buf_uint(out, step->index);
    for (size_t i = 0; step->name.at && i < step->name.len; i++)
        if (step->name.at[i] == '~' || step->name.at[i] == '/')
            tn_buf_text(out, step->name.at[i] == '~' ? "~0" : "~1");
        else
            tn_buf_char(out, step->name.at[i]);
}

TENON_PRINTF(3, 4)
static void screen_find(struct screen *screen, const struct step *step, const char *format, ...)
{
    struct tn_screening *all = screen->findings;
    struct tn_buf        place, what;
    va_list              args;

    if (all->count == SCREEN_FINDINGS_MAX)
        return;
    tn_buf_init(&place, screen->arena, 0, PATH_TEXT_MAX);
    write_step(&place, step);
    tn_buf_init(&what, screen->arena, 0, TEXT_MAX);
    va_start(args, format);
    tn_buf_addv(&what, format, args);
    va_end(args);
    all->at[all->count++] = (struct tn_remark){ tn_buf_end(&place) ? place.at : "...",
                                                tn_buf_end(&what) ? what.at : format };
}

/* ---- Characters -------------------------------------------------------------------------------------------------- */

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static const char *fault_of(uint32_t code)
{
    static const struct range direction[] = {
        { 0x061C, 0x061C }, { 0x200E, 0x200F }, { 0x202A, 0x202E }, { 0x2066, 0x2069 }
    };
    static const struct range hidden[] = { { 0xAD, 0xAD },       { 0x034F, 0x034F },  { 0x115F, 0x1160 },
                                           { 0x17B4, 0x17B5 },   { 0x180B, 0x180F },  { 0x200B, 0x200D },
                                           { 0x2028, 0x2029 },   { 0x2060, 0x2065 },  { 0x206A, 0x206F },
                                           { 0x2800, 0x2800 },   { 0x3164, 0x3164 },  { 0xFE00, 0xFE0F },
                                           { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },  { 0xFFF9, 0xFFFB },
                                           { 0x1D173, 0x1D17A }, { 0xE0080, 0xE0FFF } };

    if (code == 0x1B || code == 0x9B)
        return SAY_SCREEN_ANSI;
    if ((code < 0x20 && code != '\t' && code != '\n' && code != '\r') || (code >= 0x7F && code < 0xA0))
        return SAY_SCREEN_CONTROL;
    if (code >= 0xE0000 && code < 0xE0080)
        return SAY_SCREEN_TAG;
    if (is_in(code, direction, COUNT_OF(direction)))
        return SAY_SCREEN_DIRECTION;
    return is_in(code, hidden, COUNT_OF(hidden)) ? SAY_SCREEN_HIDDEN : NULL;
}

/* Emoji and some scripts need them: a form after a character that is seen, a joiner between two beyond ASCII. */
static bool is_in_its_place(uint32_t code, uint32_t before, uint32_t after)
{
    if (code == 0xFE0E || code == 0xFE0F)
        return before > 0x20 && !fault_of(before);
    return (code == 0x200C || code == 0x200D) && before > 0x7F && after > 0x7F &&
           (!fault_of(before) || before == 0xFE0F) && !fault_of(after);
}

static uint32_t code_at(struct tn_slice text, size_t at, size_t *len)
{
    uint32_t code = 0;

    *len = at < text.len ? tn_utf8_read(text.at + at, text.len - at, &code) : 0;
    if (*len == 0)
        *len = 1;
    return code;
}

/* The first of each kind is enough. */
static void screen_characters(struct screen *screen, const struct step *step, struct tn_slice text)
{
    const char *found[SCREEN_FINDINGS_MAX];
    size_t      count  = 0, len, next_len;
    uint32_t    before = 0;

    for (size_t i = 0; i < text.len; i += len) {
        uint32_t    code  = code_at(text, i, &len);
        const char *fault = code < 0x7F && code >= 0x20 ? NULL : fault_of(code);
        size_t      known = 0;

        if (fault && !is_in_its_place(code, before, code_at(text, i + len, &next_len))) {
            while (known < count && found[known] != fault)
                known++;
            if (known == count && count < COUNT_OF(found)) {
                found[count++] = fault;
                screen_find(screen, step, fault, (unsigned)code);
            }
        }
        before = code;
    }
}

static bool has_comment(struct tn_slice text)
{
    for (size_t i = 0; i + 4 <= text.len; i++)
        if (memcmp(text.at + i, "<!--", 4) == 0)
            return true;
    return false;
}

static void screen_string(struct screen *screen, const struct step *step, struct tn_slice text, size_t max)
{
    screen_characters(screen, step, text);
    if (has_comment(text))
        screen_find(screen, step, "%s", SAY_SCREEN_COMMENT);
    if (text.len > max)
        screen_find(screen, step, SAY_SCREEN_LONG, text.len, max);
}

/* ---- Names -------------------------------------------------------------------------------------------------------- */

static bool is_ascii_letter(uint32_t code)
{
    return (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
}

/* Letters that some fonts show as those of ASCII: Greek, Cyrillic, Armenian, Cherokee, small capitals, wide and mathematical
 * ones. */
static bool is_look_alike(uint32_t code)
{
    static const struct range ranges[] = { { 0x0370, 0x03FF }, { 0x0400, 0x058F },  { 0x13A0, 0x13FF },
                                           { 0x1D00, 0x1D7F }, { 0x2100, 0x214F },  { 0xAB30, 0xABBF },
                                           { 0xFF10, 0xFF5A }, { 0x1D400, 0x1D7FF } };

    return is_in(code, ranges, COUNT_OF(ranges));
}

static void screen_name(struct screen *screen, const struct step *step, struct tn_slice name)
{
    bool   ascii = false, alike = false;
    size_t len;

    for (size_t i = 0; i < name.len; i += len) {
        uint32_t code = code_at(name, i, &len);

        ascii |= is_ascii_letter(code);
        alike |= is_look_alike(code);
    }
    if (ascii && alike)
        screen_find(screen, step, "%s", SAY_SCREEN_MIXED);
}

/* What a name looks like at a glance. */
static char glance(char c)
{
    if (c == 'I' || c == 'l' || c == '|')
        return '1';
    if (c == 'O' || c == 'o')
        return '0';
    if (c == '-' || c == '.' || c == ' ')
        return '_';
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool looks_same(struct tn_slice a, struct tn_slice b)
{
    size_t i = 0;

    if (a.len != b.len || tn_slice_same(a, b))
        return false;
    while (i < a.len && glance(a.at[i]) == glance(b.at[i]))
        i++;
    return i == a.len;
}

struct tn_slice tn_screen_glance(struct tn_arena *arena, struct tn_slice name)
{
    char *at = tn_arena_copy(arena, name.at, name.len);

    for (size_t i = 0; at && i < name.len; i++)
        at[i] = glance(at[i]);
    return (struct tn_slice){ at, at ? name.len : 0 };
}

void tn_screen_twin(struct tn_screening *findings, struct tn_arena *arena)
{
    struct screen     screen = { findings, arena };
    const struct step step   = { .name = SLICE_LIT("name") };

    screen_find(&screen, &step, "%s", SAY_SCREEN_TWIN);
}

void tn_screen_twins(struct tn_screening *findings, struct tn_arena *arena, const struct tn_definition *tool,
                     const struct tn_offer_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (looks_same(tool->name, list->at[i].name)) {
            tn_screen_twin(findings, arena);
            return;
        }
}

/* ---- Definitions -------------------------------------------------------------------------------------------------- */

static void screen_value(struct screen *screen, const struct step *step, yyjson_val *value)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(value);
    yyjson_arr_iter items   = yyjson_arr_iter_with(value);
    yyjson_val     *one;

    if (yyjson_is_str(value))
        screen_string(screen, step, tn_json_slice(value),
                      step->outer ? SCREEN_PROPERTY_MAX : SCREEN_DESCRIPTION_MAX);
    while (yyjson_is_obj(value) && (one = yyjson_obj_iter_next(&members))) {
        struct step inner = { step, tn_json_slice(one), 0 };

        screen_string(screen, &inner, inner.name, SCREEN_PROPERTY_MAX);
        screen_name(screen, &inner, inner.name);
        screen_value(screen, &inner, yyjson_obj_iter_get_val(one));
    }
    for (size_t i = 0; yyjson_is_arr(value) && (one = yyjson_arr_iter_next(&items)); i++) {
        struct step inner = { step, { NULL, 0 }, i };

        screen_value(screen, &inner, one);
    }
}

static bool is_ascii(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] > 0x7E)
            return false;
    return true;
}

void tn_screen_definition(struct tn_screening *findings, struct tn_arena *arena,
                          const struct tn_definition *definition)
{
    struct screen     screen = { findings, arena };
    yyjson_obj_iter   each   = yyjson_obj_iter_with(definition->value);
    const struct step named  = { .name = SLICE_LIT("name") };
    yyjson_val       *name;

    findings->count = 0;
    if (definition->text.len > SCREEN_DEFINITION_MAX)
        screen_find(&screen, NULL, SAY_SCREEN_LONG, definition->text.len, SCREEN_DEFINITION_MAX);
    if (!is_ascii(definition->name) && !yyjson_obj_get(definition->value, "uriTemplate"))
        screen_find(&screen, &named, "%s", SAY_SCREEN_NAME);
    while ((name = yyjson_obj_iter_next(&each))) {
        struct step step = { .name = tn_json_slice(name) };

        screen_string(&screen, &step, step.name, SCREEN_PROPERTY_MAX);
        screen_value(&screen, &step, yyjson_obj_iter_get_val(name));
    }
}

void tn_screen_text(struct tn_screening *findings, struct tn_arena *arena, struct tn_slice text)
{
    struct screen screen = { findings, arena };

    findings->count = 0;
    screen_string(&screen, NULL, text, SCREEN_DESCRIPTION_MAX);
}

struct tn_slice tn_remark_predicate(const struct tn_remark *remark)
{
    static const char *const subjects[] = { "it ", "the name " };

    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strncmp(remark->what, subjects[i], strlen(subjects[i])) == 0)
            return tn_slice_of(remark->what + strlen(subjects[i]));
    return tn_slice_of(remark->what);
}
