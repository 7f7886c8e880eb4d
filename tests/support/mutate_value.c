/* mutate_value.c - every single fault of one value, by what its declaration says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mutate_slot.h"
#include "support/valid.h"

#define ITEMS_MUTATED 2
#define FAR_MAX       20000 /* longer limits are not tried */

static bool is_strict(const struct mutator *run, const struct tn_node *node)
{
    return node->strict || run->how->strict;
}

static void put(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                yyjson_mut_val *other)
{
    bool sure = leniency != TAKEN_AS_IS && !spot->in_rule && !(spot->node->check);

    mutate_slot(run, spot, kind, leniency, sure && leniency != REFUSED, other);
}

static void put_raw(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                    const char *json)
{
    put(run, spot, kind, leniency, yyjson_mut_rawcpy(run->doc, json));
}

static void put_text(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                     const char *text)
{
    put(run, spot, kind, leniency, yyjson_mut_strcpy(run->doc, text));
}

/* ---- Presence ------------------------------------------------------------------------------------------------ */

static enum leniency of_absence(const struct mutator *run, const struct spot *spot)
{
    return !spot->param || spot->param->required || run->how->destructive ? REFUSED : TAKEN_ABSENT;
}

static bool is_placeholder_choice(const struct tn_node *node)
{
    const struct tn_choice *choice = node->choice      ? node->choice
                                     : node->list.item ? node->list.item->choice
                                                       : NULL;

    for (size_t i = 0; choice && i < choice->count; i++)
        if (choice->names[i].at && tn_slice_fold_equal(choice->names[i], SLICE_LIT("none")))
            return true;
    return false;
}

static void absences(struct mutator *run, const struct spot *spot)
{
    const struct tn_node *node  = spot->node;
    enum leniency         blank = of_absence(run, spot);

    if (node->kind != TENON_KIND_JSON || spot->param)
        put(run, spot, "null", of_absence(run, spot), yyjson_mut_null(run->doc));
    if (!tn_kind_is_text(node->kind) && is_strict(run, node))
        blank = REFUSED; /* a strict value is sent as what it is */
    if (tn_kind_is_text(node->kind) && node->text.blank_ok)
        blank = node->kind == TENON_KIND_STR && !node->text.format ? TAKEN_AS_IS : REFUSED;
    if (tn_kind_is_text(node->kind) || spot->param) {
        put_text(run, spot, "blank", blank, "");
        put_text(run, spot, "blank", node->kind == TENON_KIND_PATH && !spot->param ? TAKEN_AS_IS : blank,
                 "  \t");
    }
    if (!spot->param || tn_kind_is_text(node->kind) || is_placeholder_choice(node))
        return;
    put_text(run, spot, "placeholder", blank == REFUSED ? REFUSED : TAKEN_MESSAGE, "none");
    put_text(run, spot, "placeholder", blank == REFUSED ? REFUSED : TAKEN_MESSAGE, " Null ");
}

/* ---- Types --------------------------------------------------------------------------------------------------- */

static bool fits_alone(const struct mutator *run, const struct tn_node *node)
{
    return !is_strict(run, node) && node->list.min <= 1;
}

/* A number in the place of a text: the item's rules are for its digits. */
static enum leniency of_number(const struct mutator *run, const struct tn_node *item)
{
    const struct tn_text_rules *rules = &item->text;

    if (is_strict(run, item))
        return REFUSED;
    return rules->pattern || rules->format || rules->min > 1 ? TAKEN_AS_IS : TAKEN_TYPE;
}

static void wrong_types(struct mutator *run, const struct spot *spot)
{
    const struct tn_node *node = spot->node;
    unsigned              kind = node->kind;
    enum leniency         any  = kind == TENON_KIND_JSON ? TAKEN_AS_IS : REFUSED;
    enum leniency         word = REFUSED;

    if (spot->in_map) {
        put(run, spot, "type: boolean", of_number(run, node), yyjson_mut_true(run->doc));
        put(run, spot, "type: number", of_number(run, node), yyjson_mut_real(run->doc, 0.5));
    } else if (kind != TENON_KIND_BOOL)
        put(run, spot, "type: boolean", any, yyjson_mut_true(run->doc));
    if (kind != TENON_KIND_INT && kind != TENON_KIND_NUM && !spot->in_map)
        put(run, spot, "type: integer",
            kind == TENON_KIND_INTS || kind == TENON_KIND_NUMS ? fits_alone(run, node) ? TAKEN_TYPE : REFUSED
                                                               : any,
            yyjson_mut_int(run->doc, node->list.item && node->list.item->number.max < 7 ? 0 : 7));
    if (kind != TENON_KIND_NUM && !spot->in_map)
        put(run, spot, "type: number", kind == TENON_KIND_NUMS && fits_alone(run, node) ? TAKEN_TYPE : any,
            yyjson_mut_real(run->doc, 0.5));
    if ((kind == TENON_KIND_STRS || kind == TENON_KIND_PATHS) && fits_alone(run, node))
        word = TAKEN_AS_IS; /* if the rules of an item allow it */
    if (!tn_kind_is_text(kind))
        put_text(run, spot, "type: string", word, "zz zz");
    if (!tn_kind_is_list(kind)) {
        put(run, spot, "type: array", any, yyjson_mut_arr(run->doc));
        put_raw(run, spot, "type: array", any, "[\"zz\",1]");
    }
    if (kind != TENON_KIND_OBJECT && kind != TENON_KIND_MAP) {
        put(run, spot, "type: object", any, yyjson_mut_obj(run->doc));
        put_raw(run, spot, "type: object", any, "{\"zz\":[1]}");
    }
}

/* ---- Text ---------------------------------------------------------------------------------------------------- */

static void put_filled(struct mutator *run, const struct spot *spot, const char *kind, size_t len,
                       const char *first)
{
    char *text = malloc(len + 1);

    for (size_t i = 0; i < len; i++)
        text[i] = *first ? *first++ : 'x';
    put(run, spot, kind, REFUSED, yyjson_mut_strncpy(run->doc, text, len));
    free(text);
}

static void lengths(struct mutator *run, const struct spot *spot)
{
    const struct tn_text_rules *rules = &spot->node->text;

    if (rules->min > 1 && rules->min < FAR_MAX)
        put_filled(run, spot, "too short", rules->min - 1, "");
    if (rules->max < FAR_MAX)
        put_filled(run, spot, "too long", rules->max + 1, spot->node->kind == TENON_KIND_ABSPATH ? "/" : "");
}

static void path_faults(struct mutator *run, const struct spot *spot)
{
    static const struct { const char *kind, *text; } cases[] = {
        { "path: traversal", "../x.md" },          { "path: traversal", "a/../../x.md" },
        { "path: traversal", "/a/../x.json" },     { "path: traversal", "a\\..\\x.md" },
        { "path: backslash", "a\\b.md" },          { "path: drive",     "C:\\x.md" },
        { "path: drive",     "c:/x.md" },          { "path: UNC",       "\\\\host\\share\\x.md" },
        { "path: UNC",       "//host/share/x.md" }, { "path: control",  "a\x01" "b.md" },
        { "path: control",   "/a\nb.json" },       { "path: encoded",   "a/%2e%2e/b.md" },
        { "path: encoded",   "/a%2Fb.json" },      { "path: encoded",   "a%252e%252e/b.md" },
    };
    bool absolute = spot->node->kind == TENON_KIND_ABSPATH;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        put_text(run, spot, cases[i].kind, REFUSED, cases[i].text);
    put_text(run, spot, absolute ? "path: relative" : "path: absolute", REFUSED,
             absolute ? "a/x.json" : "/a/x.md");
    put_filled(run, spot, "path: long name", 300, absolute ? "/" : "");
    put_filled(run, spot, "path: long", 5000, absolute ? "/" : "");
    if (spot->node->text.ext) {
        put_text(run, spot, "path: extension", REFUSED, absolute ? "/a/x.zip" : "a/x.zip");
        put_text(run, spot, "path: extension", REFUSED, absolute ? "/" : ".");
    }
}

/* The good value with something put before and behind it. */
static void put_around(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                       const char *before, const char *behind)
{
    char text[256];

    snprintf(text, sizeof text, "%s%s%s", before, yyjson_mut_get_str(spot->slot), behind);
    put_text(run, spot, kind, leniency, text);
}

static void text_kinds(struct mutator *run, const struct spot *spot)
{
    const struct tn_node *node = spot->node;
    char                  upper[64];

    switch (node->kind) {
    case TENON_KIND_PATH:
        path_faults(run, spot);
        put_around(run, spot, "path: not normal", node->text.max < 100 ? TAKEN_AS_IS : TAKEN_FORM, "./a//./",
                   "");
        break;
    case TENON_KIND_ABSPATH:
        path_faults(run, spot);
        put_around(run, spot, "path: not normal", TAKEN_FORM, "/./a/", "");
        break;
    case TENON_KIND_UUID:
        snprintf(upper, sizeof upper, "%s", yyjson_mut_get_str(spot->slot));
        for (char *c = upper; *c; c++)
            *c = *c >= 'a' && *c <= 'f' ? (char)(*c - 0x20) : *c;
        put_text(run, spot, "uuid: capitals", TAKEN_FORM, upper);
        put_text(run, spot, "format", REFUSED, "2eb8aa08-aa98-41ea-b4aa");
        put_around(run, spot, "format", REFUSED, "{", "}");
        break;
    case TENON_KIND_URL:
        put_text(run, spot, "format", REFUSED, "not a url");
        put_text(run, spot, "format", REFUSED, "//example.com/");
        put_text(run, spot, "scheme", node->text.schemes ? REFUSED : TAKEN_AS_IS, "ftp://example.com/");
        break;
    case TENON_KIND_ID:
        put_text(run, spot, "format", REFUSED, "two words");
        put_text(run, spot, "format", REFUSED, "-x-1");
        put_text(run, spot, "format", REFUSED, "na\xC3\xAFve");
        break;
    default: break;
    }
}

static void texts(struct mutator *run, const struct spot *spot)
{
    const struct tn_node *node = spot->node;

    lengths(run, spot);
    put(run, spot, "NUL", REFUSED, yyjson_mut_strncpy(run->doc, "ab\0cd", 5));
    put(run, spot, "not UTF-8", REFUSED, yyjson_mut_strncpy(run->doc, "ab\xFF\xFE", 4));
    put_raw(run, spot, "lone surrogate", REFUSED, "\"ab\\ud800\"");
    put_raw(run, spot, "lone surrogate", REFUSED, "\"\\udc00ab\"");
    if (node->text.pattern)
        put_text(run, spot, "pattern", REFUSED, "!!!!");
    if (node->text.format) {
        put_text(run, spot, "format", REFUSED, "!! no such thing !!");
        put_around(run, spot, "format", REFUSED, " ", " ");
    }
    if (node->check)
        put_text(run, spot, "own check", REFUSED, "rude");
    text_kinds(run, spot);
}

/* ---- Numbers ------------------------------------------------------------------------------------------------- */

static enum leniency of_spelling(const struct mutator *run, const struct tn_node *node)
{
    return is_strict(run, node) ? REFUSED : TAKEN_TYPE;
}

static void integers(struct mutator *run, const struct spot *spot)
{
    static const struct { const char *kind, *json; } cases[] = {
        { "integer: fraction", "1.5" },                  { "integer: spelled", "\"007\"" },
        { "integer: spelled", "\"0x10\"" },              { "integer: spelled", "\"1,000\"" },
        { "integer: spelled", "\"+5\"" },                { "integer: spelled", "\"4.5\"" },
        { "integer: spelled", "\"five\"" },              { "integer: spelled", "\"NaN\"" },
        { "integer: overflow", "1e400" },                { "integer: spelled", "\"1e400\"" },
    };
    static const struct { const char *kind, *json; } wide[] = {
        { "integer: beyond 64 bits", "9223372036854775808" },
        { "integer: beyond 64 bits", "18446744073709551616" },
        { "integer: beyond 64 bits", "-9223372036854775809" },
        { "integer: beyond 64 bits", "123456789012345678901234567890" },
        { "integer: beyond 64 bits", "1e30" },
    };
    const struct tn_int_rules *rules  = &spot->node->integer;
    enum leniency              beyond = rules->clamp ? TAKEN_MESSAGE : REFUSED;
    char                       good[32], text[64];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        put_raw(run, spot, cases[i].kind, REFUSED, cases[i].json);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        put_raw(run, spot, wide[i].kind, beyond, wide[i].json);
    put_raw(run, spot, "integer: beyond 64 bits",
            rules->clamp && !is_strict(run, spot->node) ? TAKEN_MESSAGE : REFUSED, "\"9223372036854775808\"");
    if (rules->min > INT64_MIN)
        put(run, spot, "range: low", beyond, yyjson_mut_sint(run->doc, rules->min - 1));
    if (rules->max < INT64_MAX)
        put(run, spot, "range: high", beyond, yyjson_mut_sint(run->doc, rules->max + 1));
    put(run, spot, "range: lowest", rules->min == INT64_MIN ? TAKEN_AS_IS : beyond,
        yyjson_mut_sint(run->doc, INT64_MIN));
    put(run, spot, "range: highest", rules->max == INT64_MAX ? TAKEN_AS_IS : beyond,
        yyjson_mut_sint(run->doc, INT64_MAX));
    if (spot->node->check)
        put(run, spot, "own check", REFUSED, yyjson_mut_sint(run->doc, 3));
    snprintf(good, sizeof good, "%lld", (long long)yyjson_mut_get_sint(spot->slot));
    put_text(run, spot, "integer: as text", of_spelling(run, spot->node), good);
    snprintf(text, sizeof text, " %s ", good);
    put_text(run, spot, "integer: as text", of_spelling(run, spot->node), text);
    snprintf(text, sizeof text, "%s.0", good);
    if (strlen(good) < 16)
        put_raw(run, spot, "integer: with .0", TAKEN_FORM, text);
}

static void numbers(struct mutator *run, const struct spot *spot)
{
    static const struct { const char *kind, *json; } cases[] = {
        { "number: overflow", "1e400" },   { "number: overflow", "-1e400" },   { "number: spelled", "\"1e400\"" },
        { "number: spelled", "\"NaN\"" },  { "number: spelled", "\"Infinity\"" }, { "number: spelled", "\"0,5\"" },
        { "number: spelled", "\".5\"" },   { "number: spelled", "\"half\"" },  { "number: inexact", "9007199254740993" },
    };
    const struct tn_num_rules *rules  = &spot->node->number;
    enum leniency              beyond = rules->clamp ? TAKEN_MESSAGE : REFUSED;
    char                       text[64];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        put_raw(run, spot, cases[i].kind, REFUSED, cases[i].json);
    if (isfinite(rules->min)) {
        put(run, spot, "range: low", beyond, yyjson_mut_real(run->doc, rules->min - 0.5));
        put(run, spot, "range: low", beyond, yyjson_mut_real(run->doc, -1e300));
        put(run, spot, "range: just low", rules->tolerance > 1e-7 ? TAKEN_FORM : beyond,
            yyjson_mut_real(run->doc, rules->min - 1e-7));
    }
    if (isfinite(rules->max)) {
        put(run, spot, "range: high", beyond, yyjson_mut_real(run->doc, rules->max + 0.5));
        put(run, spot, "range: high", beyond, yyjson_mut_real(run->doc, 1e300));
        put(run, spot, "range: just high", rules->tolerance > 1e-7 ? TAKEN_FORM : beyond,
            yyjson_mut_real(run->doc, rules->max + 1e-7));
    }
    snprintf(text, sizeof text, "%.17g", yyjson_mut_get_num(spot->slot));
    put_text(run, spot, "number: as text", of_spelling(run, spot->node), text);
}

/* ---- Booleans, enums, moments -------------------------------------------------------------------------------- */

static void booleans(struct mutator *run, const struct spot *spot)
{
    put_text(run, spot, "boolean: as text", of_spelling(run, spot->node), "true");
    put_text(run, spot, "boolean: as text", of_spelling(run, spot->node), " FALSE");
    put_text(run, spot, "boolean: spelled", REFUSED, "maybe");
    put_text(run, spot, "boolean: spelled", REFUSED, "yes");
    put_text(run, spot, "boolean: spelled", REFUSED, "1");
    put(run, spot, "boolean: number", REFUSED, yyjson_mut_int(run->doc, 0));
}

/* Is the text with an "s" behind it another choice: http and https? */
static bool is_plural(const struct tn_choice *choice, const char *text)
{
    char longer[80];
    int  len = snprintf(longer, sizeof longer, "%ss", text);

    for (size_t i = 0; i < choice->count; i++)
        if (choice->names[i].at &&
            tn_slice_fold_equal(choice->names[i], (struct tn_slice){ longer, (size_t)len }))
            return true;
    return false;
}

static void choices(struct mutator *run, const struct spot *spot)
{
    const struct tn_choice *choice = spot->node->choice;
    char                    text[64];
    size_t                  same = 0, len;

    snprintf(text, sizeof text, "%s", yyjson_mut_get_str(spot->slot));
    len = strlen(text);
    for (size_t i = 0; i < choice->count; i++)
        same += choice->names[i].at && tn_slice_fold_equal(choice->names[i], (struct tn_slice){ text, len });
    for (size_t i = 0; i < len; i++)
        if ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z'))
            text[i] = (char)(text[i] ^ 0x20);
    put_text(run, spot, "enum: case", choice->exact ? REFUSED : same > 1 ? TAKEN_AS_IS : TAKEN_FORM, text);
    put_around(run, spot, "enum: blanks", TAKEN_FORM, " ", "\n");
    put_around(run, spot, "enum: near", REFUSED, "", is_plural(choice, text) ? "zs" : "s");
    put_text(run, spot, "enum: far", REFUSED, "zzzzzzzzqqqq");
    put(run, spot, "enum: NUL", REFUSED, yyjson_mut_strncpy(run->doc, "a\0b", 3));
}

static void moments(struct mutator *run, const struct spot *spot)
{
    static const struct { const char *kind, *json; } cases[] = {
        { "date: garbage", "\"garbage\"" },                  { "date: calendar", "\"2025-02-30\"" },
        { "date: calendar", "\"2025-13-01T00:00:00Z\"" },    { "date: order", "\"01/02/2025\"" },
        { "date: early", "\"0000-12-31T23:59:59Z\"" },       { "date: late", "\"10000-01-01\"" },
        { "date: no offset", "\"2025-01-15T10:30:00\"" },    { "date: seconds", "1736899200" },
        { "date: small", "7" },                              { "date: negative", "-1736899200000" },
        { "date: huge", "9223372036854775807" },             { "date: seconds", "\"1736899200\"" },
        { "date: compact", "\"20250115\"" },                { "date: compact", "20250115" },
        { "date: zeros", "\"2025-1-5\"" },                  { "date: century", "\"25-01-15\"" },
        { "date: beyond 64 bits", "92233720368547758070" },  { "date: fraction", "1736899200000.5" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        put_raw(run, spot, cases[i].kind, REFUSED, cases[i].json);
    put_raw(run, spot, "date: milliseconds", TAKEN_FORM, "1736899200000");
    put_text(run, spot, "date: milliseconds", TAKEN_FORM, "1736899200000");
    put_around(run, spot, "date: blanks", TAKEN_FORM, " ", " ");
    put_text(run, spot, "date: other form", spot->node->kind == TENON_KIND_DATE ? TAKEN_AS_IS : REFUSED,
             "2025-01-20");
    put_text(run, spot, "date: before 1970", TAKEN_AS_IS, "1950-12-10T23:30:00-08:00");
    put_text(run, spot, "date: other form", TAKEN_AS_IS, "2025-01-20T12:00:00.25+02:00");
}

/* ---- Lists, maps, objects ------------------------------------------------------------------------------------ */

static void as_text(struct mutator *run, const struct spot *spot)
{
    char *json, cut[32];

    if (run->wrap == spot->slot)
        return; /* it is text already */
    json = yyjson_mut_val_write(spot->slot, 0, NULL);
    put_text(run, spot, "JSON text", TAKEN_FORM, json);
    snprintf(cut, sizeof cut, "%.*s", (int)(strlen(json) / 2 < 30 ? strlen(json) / 2 : 30), json);
    put_text(run, spot, "malformed JSON text", REFUSED, cut[0] ? cut : "{");
    snprintf(cut, sizeof cut, "%c 1 2", json[0]);
    put_text(run, spot, "malformed JSON text", REFUSED, cut);
    free(json);
}

static yyjson_mut_val *of_count(struct mutator *run, yyjson_mut_val *list, size_t count)
{
    yyjson_mut_val *copy = yyjson_mut_arr(run->doc);

    for (size_t i = 0; i < count; i++)
        yyjson_mut_arr_append(
            copy, yyjson_mut_val_mut_copy(run->doc, yyjson_mut_arr_get(list, i % yyjson_mut_arr_size(list))));
    return copy;
}

#define BAD_ITEM "!!zzzzzzzzzzzzzzz"

/* The items of a list of scalars as a comma list, with a bad one behind them if `bad`. */
static void comma(struct mutator *run, const struct spot *spot, bool bad)
{
    char                text[256] = "";
    yyjson_mut_arr_iter iter;
    yyjson_mut_val     *item;
    enum leniency       taken = is_strict(run, spot->node) || bad ? REFUSED : TAKEN_FORM;

    yyjson_mut_arr_iter_init(spot->slot, &iter);
    while ((item = yyjson_mut_arr_iter_next(&iter))) {
        char *json = yyjson_mut_val_write(item, 0, NULL);
        char *from = json[0] == '"' ? json + 1 : json;

        from[strcspn(from, "\"")] = '\0';
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", text[0] ? ", " : "", from);
        free(json);
    }
    if (bad)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",%s", BAD_ITEM);
    put_text(run, spot, bad ? "comma list: bad item" : "comma list", taken, text);
}

static bool takes_any_text(const struct tn_node *item)
{
    return item->kind == TENON_KIND_STR && !item->text.pattern && !item->text.format &&
           item->text.max >= sizeof BAD_ITEM - 1;
}

static void items(struct mutator *run, const struct spot *spot)
{
    const struct tn_node *node = spot->node;
    size_t                size = yyjson_mut_arr_size(spot->slot);
    struct spot           item = { .node = node->list.item };

    for (size_t i = 0; i < size && i < ITEMS_MUTATED; i++) {
        item.slot = yyjson_mut_arr_get(spot->slot, i);
        snprintf(item.where, sizeof item.where, "%.250s/%zu", spot->where, i);
        item.in_rule = node->list.unique || node->check ||
                       spot->in_rule; /* may be in the way of a good item */
        mutate_value(run, &item);
    }
}

static void lists(struct mutator *run, const struct spot *spot)
{
    const struct tn_list_rules *rules = &spot->node->list;
    size_t                      size  = yyjson_mut_arr_size(spot->slot);
    yyjson_mut_val             *copy;

    if (rules->min > 0)
        put(run, spot, "too few items", REFUSED, of_count(run, spot->slot, rules->min - 1));
    if (rules->max < FAR_MAX)
        put(run, spot, "too many items", REFUSED, of_count(run, spot->slot, rules->max + 1));
    if (rules->unique && size > 0 && size < rules->max) {
        copy = yyjson_mut_val_mut_copy(run->doc, spot->slot);
        yyjson_mut_arr_append(copy, yyjson_mut_val_mut_copy(run->doc, yyjson_mut_arr_get_first(spot->slot)));
        put(run, spot, "duplicate items", REFUSED, copy);
    }
    items(run, spot);
    if (run->wrap == spot->slot)
        return; /* the other forms are not for text in text */
    if (rules->comma && spot->node->kind != TENON_KIND_OBJECTS) {
        comma(run, spot, false);
        if (!takes_any_text(rules->item))
            comma(run, spot, true);
    }
    if (size > 0 && spot->node->kind != TENON_KIND_OBJECTS)
        put(run, spot, "lone value", TAKEN_AS_IS,
            yyjson_mut_val_mut_copy(run->doc, yyjson_mut_arr_get_first(spot->slot)));
    as_text(run, spot);
}

static void put_pair(struct mutator *run, const struct spot *spot, const char *kind, enum leniency leniency,
                     struct tn_slice name, yyjson_mut_val *value)
{
    yyjson_mut_val *copy = yyjson_mut_val_mut_copy(run->doc, spot->slot);

    yyjson_mut_obj_add(copy, yyjson_mut_strncpy(run->doc, name.at, name.len), value);
    put(run, spot, kind, leniency, copy);
}

static void maps(struct mutator *run, const struct spot *spot)
{
    static const struct { const char *kind; struct tn_slice name; } cases[] = {
        { "map: bad value",                { "plain", 5 } },
        { "map: bad value, odd name",      { "a/b~c", 5 } },
        { "map: bad value, empty name",    { "", 0 } },
        { "map: bad value, line break",    { "a\nb", 3 } },
        { "map: bad value, quotes",        { "a\"b\\c", 5 } },
        { "map: bad value, letters",       { "\xE2\x82\xAC", 3 } },
        { "map: bad value, secret name",   { "Authorization", 13 } },
        { "map: bad value, number",        { "0", 1 } },
    };
    const struct tn_list_rules *rules = &spot->node->list;
    struct spot                 item  = { .node = rules->item };
    yyjson_mut_val             *copy, *first = yyjson_mut_obj_get(spot->slot, "name");
    char                        name[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        put_pair(run, spot, cases[i].kind, REFUSED, cases[i].name, yyjson_mut_arr(run->doc));
    put_pair(run, spot, "map: number", of_number(run, rules->item), SLICE_LIT("plain"),
             yyjson_mut_int(run->doc, 5));
    memset(name, 'n', sizeof name);
    put_pair(run, spot, "map: bad value, long name", REFUSED, (struct tn_slice){ name, sizeof name },
             yyjson_mut_arr(run->doc));
    put_pair(run, spot, "map: bad name, NUL", REFUSED, (struct tn_slice){ "a\0b", 3 },
             yyjson_mut_str(run->doc, "b"));
    put_pair(run, spot, "map: bad name, not UTF-8", REFUSED, (struct tn_slice){ "a\xFF", 2 },
             yyjson_mut_str(run->doc, "b"));
    if (first)
        put_pair(run, spot, "map: twice", REFUSED, SLICE_LIT("name"), yyjson_mut_str(run->doc, "b"));
    if (rules->min > 0)
        put(run, spot, "too few items", REFUSED, yyjson_mut_obj(run->doc));
    if (rules->max < 100) {
        copy = yyjson_mut_val_mut_copy(run->doc, spot->slot);
        for (size_t i = 0; i <= rules->max; i++)
            yyjson_mut_obj_add(copy, yyjson_mut_strncpy(run->doc, name, i + 2),
                               yyjson_mut_str(run->doc, "b"));
        put(run, spot, "too many items", REFUSED, copy);
    }
    as_text(run, spot);
    if (first) {
        item.slot    = first;
        item.in_rule = spot->in_rule;
        item.in_map  = true;
        snprintf(item.where, sizeof item.where, "%.250s/name", spot->where);
        mutate_value(run, &item);
    }
}

static void objects(struct mutator *run, const struct spot *spot)
{
    as_text(run, spot);
    mutate_members(run, spot, spot->node->object);
}

static void any_json(struct mutator *run, const struct spot *spot)
{
    put_text(run, spot, "JSON text", TAKEN_FORM, "{\"a\":[1,{\"b\":null}]}");
    put_text(run, spot, "malformed JSON text", REFUSED, "{\"a\":");
    put_text(run, spot, "malformed JSON text", REFUSED, "[1,]");
    put_text(run, spot, "JSON: twice", REFUSED, "{\"a\":1,\"a\":2}");
    put_raw(run, spot, "JSON: twice", REFUSED, "[{\"a\":{\"b\":1,\"b\":2}}]");
}

/* ---- One value ----------------------------------------------------------------------------------------------- */

static void by_kind(struct mutator *run, const struct spot *spot)
{
    if (tn_kind_is_text(spot->node->kind)) {
        texts(run, spot);
        return;
    }
    switch (spot->node->kind) {
    case TENON_KIND_INT: integers(run, spot); break;
    case TENON_KIND_NUM: numbers(run, spot); break;
    case TENON_KIND_BOOL: booleans(run, spot); break;
    case TENON_KIND_ENUM: choices(run, spot); break;
    case TENON_KIND_DATE:
    case TENON_KIND_TIMESTAMP: moments(run, spot); break;
    case TENON_KIND_OBJECT: objects(run, spot); break;
    case TENON_KIND_MAP: maps(run, spot); break;
    case TENON_KIND_JSON: any_json(run, spot); break;
    default: lists(run, spot); break;
    }
}

void mutate_value(struct mutator *run, const struct spot *spot)
{
    unsigned kind      = spot->node->kind;
    bool     container = tn_kind_is_list(kind) || kind == TENON_KIND_OBJECT || kind == TENON_KIND_MAP;

    absences(run, spot);
    wrong_types(run, spot);
    by_kind(run, spot);
    if (run->wrap || !container)
        return;
    run->wrap = spot->slot; /* the same inside a value that comes as text */
    by_kind(run, spot);
    run->wrap = NULL;
}
