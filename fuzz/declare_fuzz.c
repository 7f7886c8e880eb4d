/* declare_fuzz.c - rows made by chance: they compile, or a text says why not; and what compiles takes its own example. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/json.h>

#include "base/utf8.h"
#include "model/shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { ROWS_MOST = 6, FIELD_ROOM = 32 };

/* What is left of the input; zero when it is used up. */
struct input {
    const uint8_t *at;
    size_t         len;
};

static unsigned take(struct input *input)
{
    if (input->len == 0)
        return 0;
    input->len--;
    return *input->at++;
}

static bool flip(struct input *input)
{
    return take(input) % 3 == 0;
}

static const char *pick(struct input *input, const char *const *from, size_t count)
{
    return from[take(input) % count];
}
#define PICK(input, from) pick((input), (from), sizeof(from) / sizeof *(from))

static const char *const docs[]     = { "Doc.", "Doc.", "Doc.", "Doc.", "", " ", NULL };
static const char *const keys[]     = { "a", "b", "c", "d", "e", "f", "a b", "", "x-1" };
static const char *const aliases[]  = { "q", "a", "r,s", ",", " t , u " };
static const char *const texts[]    = { "",
                                        "x",
                                        "text",
                                        "2025-01-15",
                                        "a@b.de",
                                        "/a/b",
                                        "a/b.md",
                                        "[]",
                                        "[1,2]",
                                        "[\"a\"]",
                                        "{}",
                                        "null",
                                        "true",
                                        "5",
                                        "1.5",
                                        "\"x\"",
                                        "\xFF",
                                        "[\"\xFF\"]",
                                        "a,b",
                                        "1,2",
                                        "low",
                                        "https://a/",
                                        "123e4567-e89b-12d3-a456-426614174000",
                                        "{\"n\":1}",
                                        "[{\"n\":1}]",
                                        NULL };
static const char *const patterns[] = { "^a", "[", "", "(a+)+$", "^[a-z]+$", "\\d{2}", "\\" };
static const char *const formats[]  = { "email", "uuid", "date",     "date-time", "time",
                                        "ipv4",  "ipv6", "hostname", "uri",       "no" };
static const char *const exts[]     = { ".md", ".md,.txt", "", ",", "md" };
static const char *const schemes[]  = { "https", "https,http", "", "x" };
static const char *const names_a[]  = { "low", "mid", "high" };
static const char *const names_b[]  = { NULL, "one", NULL, "two" };
static const char *const names_c[]  = { "x", "X" };
static const char *const names_d[]  = { "null", "a,b", "" };

typedef struct {
    int         n;
    const char *s;
} inner;
TENON_ROWS(inner_rows, inner, TENON_INT(n, "N.", .required = true, .range = { 1, 5 }),
           TENON_STR(s, "S.", .secret = true));

static int64_t number(struct input *input)
{
    static const int64_t some[] = { 0,
                                    1,
                                    -1,
                                    2,
                                    5,
                                    100,
                                    32767,
                                    32768,
                                    -32769,
                                    65535,
                                    65536,
                                    2147483647,
                                    INT64_C(2147483648),
                                    INT64_C(4294967296),
                                    INT64_MAX,
                                    INT64_MIN,
                                    INT64_MIN + 1,
                                    TENON_NO_MAX,
                                    TENON_NO_MIN };

    return some[take(input) % (sizeof some / sizeof *some)];
}

static double real(struct input *input)
{
    static const double some[] = {
        0, -0.0, 1, 0.5, -1, 1e308, -1e308, 1e39, 1e-300, (double)TENON_NO_MAX, (double)TENON_NO_MIN
    };

    return some[take(input) % (sizeof some / sizeof *some)];
}

static void sizes(struct input *input, size_t pair[2])
{
    static const size_t some[] = { 0, 1, 2, 3, 5, 70, 5000, (size_t)TENON_NO_MAX };

    if (!flip(input))
        return;
    pair[0] = some[take(input) % (sizeof some / sizeof *some)];
    pair[1] = some[take(input) % (sizeof some / sizeof *some)];
}

static const char *option_text(struct input *input, const char *const *from, size_t count)
{
    return flip(input) ? pick(input, from, count) : NULL;
}
#define TEXT(from) option_text(input, (from), sizeof(from) / sizeof *(from))

static void choose_names(struct input *input, const char *const **names, size_t *count)
{
    switch (take(input) % 4) {
    case 0: *names = names_b, *count = 4; break;
    case 1: *names = names_c, *count = 2; break;
    case 2: *names = names_d, *count = 3; break;
    default: *names = names_a, *count = 3; break;
    }
}

static void make_text(struct input *input, tenon_row *row)
{
    tenon_text_options *options = &row->rule.text;

    row->flavour = (uint8_t)(take(input) % 2);
    row->size    = row->flavour ? sizeof(tenon_str) : sizeof(char *);
    sizes(input, options->len);
    options->pattern  = TEXT(patterns);
    options->format   = TEXT(formats);
    options->ext      = TEXT(exts);
    options->schemes  = TEXT(schemes);
    options->def      = TEXT(texts);
    options->blank_ok = flip(input);
}

static void make_int(struct input *input, tenon_row *row)
{
    static const uint32_t widths[] = { 2, 4, 8 };
    tenon_int_options    *options  = &row->rule.integer;

    row->flavour = (uint8_t)(take(input) % 2);
    row->size    = widths[take(input) % 3];
    if (flip(input)) {
        options->range[0] = number(input);
        options->range[1] = number(input);
    }
    if (flip(input))
        options->def = number(input);
    options->clamp       = flip(input);
    options->low_default = options->clamp && flip(input);
    if (options->clamp && flip(input))
        options->low_text = "{name} {value} {used} {min} {max} {", options->high_text = "";
}

static void make_num(struct input *input, tenon_row *row)
{
    tenon_num_options *options = &row->rule.number;

    row->size = take(input) % 2 ? sizeof(float) : sizeof(double);
    if (flip(input)) {
        options->range[0] = real(input);
        options->range[1] = real(input);
    }
    if (flip(input))
        options->def = real(input);
    if (flip(input))
        options->tolerance = real(input);
    options->clamp = flip(input);
}

static void make_list(struct input *input, tenon_row *row)
{
    row->size = sizeof(tenon_strs);
    switch (row->kind) {
    case TENON_KIND_INTS:
        sizes(input, row->rule.ints.count);
        if (flip(input)) {
            row->rule.ints.range[0] = number(input);
            row->rule.ints.range[1] = number(input);
        }
        row->rule.ints.def       = TEXT(texts);
        row->rule.ints.unique    = flip(input);
        row->rule.ints.json_text = flip(input);
        break;
    case TENON_KIND_NUMS:
        sizes(input, row->rule.nums.count);
        if (flip(input)) {
            row->rule.nums.range[0] = real(input);
            row->rule.nums.range[1] = real(input);
        }
        row->rule.nums.def    = TEXT(texts);
        row->rule.nums.unique = flip(input);
        break;
    case TENON_KIND_ENUMS:
        row->flavour = (uint8_t)(take(input) % 2);
        row->size    = row->flavour ? sizeof(tenon_enums) : sizeof(tenon_set);
        choose_names(input, &row->rule.choices.names, &row->rule.choices.name_count);
        sizes(input, row->rule.choices.count);
        row->rule.choices.def    = TEXT(texts);
        row->rule.choices.unique = flip(input);
        row->rule.choices.exact  = flip(input);
        row->rule.choices.noun   = flip(input) ? "thing" : NULL;
        break;
    default: /* strings, paths, maps */
        sizes(input, row->rule.strs.count);
        sizes(input, row->rule.strs.len);
        row->rule.strs.pattern = TEXT(patterns);
        row->rule.strs.format  = TEXT(formats);
        row->rule.strs.ext     = TEXT(exts);
        row->rule.strs.def     = TEXT(texts);
        row->rule.strs.unique  = flip(input);
        row->rule.strs.comma   = flip(input);
        break;
    }
}

static void make_object(struct input *input, tenon_row *row)
{
    tenon_object_options *options = &row->rule.object;

    row->size     = row->kind == TENON_KIND_JSON     ? sizeof(void *)
                    : row->kind == TENON_KIND_OBJECT ? sizeof(inner)
                                                     : sizeof(tenon_strs);
    options->rows = inner_rows;
    if (row->kind != TENON_KIND_JSON)
        sizes(input, options->count);
    options->def       = TEXT(texts);
    options->json_text = flip(input);
}

static void make_row(struct input *input, tenon_row *row)
{
    tenon_row_init(row, (tenon_kind)(TENON_KIND_STR + take(input) % (TENON_KIND_JSON - TENON_KIND_STR + 1)));
    if (row->kind <= TENON_KIND_ID) {
        make_text(input, row);
    } else if (row->kind <= TENON_KIND_TIMESTAMP) {
        row->size                 = sizeof(tenon_time);
        row->rule.time.def        = TEXT(texts);
        row->rule.time.end_of_day = flip(input);
    } else if (row->kind == TENON_KIND_INT) {
        make_int(input, row);
    } else if (row->kind == TENON_KIND_NUM) {
        make_num(input, row);
    } else if (row->kind == TENON_KIND_BOOL) {
        row->size = sizeof(bool);
        if (flip(input))
            row->rule.boolean.def = flip(input);
    } else if (row->kind == TENON_KIND_ENUM) {
        static const uint32_t widths[] = { 1, 2, 4 };

        row->size = widths[take(input) % 3];
        choose_names(input, &row->rule.choice.names, &row->rule.choice.name_count);
        row->rule.choice.exact = flip(input);
        if (flip(input))
            row->rule.choice.def = (int)(take(input) % 8) - 2;
    } else if (row->kind >= TENON_KIND_OBJECT && row->kind != TENON_KIND_MAP) {
        make_object(input, row);
    } else {
        make_list(input, row);
    }
    row->rule.any.doc          = PICK(input, docs);
    row->rule.any.alias        = flip(input) ? PICK(input, aliases) : NULL;
    row->rule.any.example      = flip(input) ? PICK(input, texts) : NULL;
    row->rule.any.default_note = flip(input) ? "noted" : NULL;
    row->rule.any.required     = flip(input);
    row->rule.any.strict       = flip(input);
    row->rule.any.secret       = flip(input);
    if (flip(input))
        row->rule.any.key = PICK(input, keys);
}

static void make_rule(struct input *input, tenon_row *row, size_t fields)
{
    tenon_row_init(row, (tenon_kind)(TENON_KIND_ORDERED + take(input) % 5));
    row->field             = "rule";
    row->rule.fields.count = row->kind == TENON_KIND_ORDERED ? 2 : 2 + take(input) % 5;
    for (size_t i = 0; i < row->rule.fields.count; i++)
        row->rule.fields.offset[i] = (uint32_t)(take(input) % (fields + 1) * FIELD_ROOM);
}

static void check(const tenon_shape *shape, const char *args, size_t len)
{
    tenon_params *params = tenon_params_new(shape);

    if (!params || (!tenon_params_bind(params, args, len) && tenon_params_issue_count(params) == 0))
        abort();
    if (len == shape->object->example.len && args == shape->object->example.at &&
        !tenon_params_valid(params)) {
        fprintf(stderr, "%.*s: %s\n", (int)len, args, tenon_params_issue(params, 0)->text);
        abort();
    }
    for (size_t i = 0; i < tenon_params_issue_count(params); i++)
        if (!tenon_params_issue(params, i)->text)
            abort();
    tenon_params_free(params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const fields[] = { "a", "b", "c", "d", "e", "f" };
    struct input             input    = { data, len };
    tenon_row                rows[2 * ROWS_MOST];
    size_t                   count = 1 + take(&input) % ROWS_MOST, rules = take(&input) % 3;
    tenon_rows               table = { .name        = "made",
                                       .at          = rows,
                                       .count       = count + rules,
                                       .row_size    = sizeof *rows,
                                       .struct_size = ROWS_MOST * FIELD_ROOM };
    tenon_shape             *shape;

    for (size_t i = 0; i < count; i++) {
        make_row(&input, &rows[i]);
        rows[i].field  = fields[i];
        rows[i].offset = (uint32_t)(i * FIELD_ROOM);
    }
    for (size_t i = 0; i < rules; i++)
        make_rule(&input, &rows[count + i], count);
    shape = tenon_shape_new(&table, NULL);
    if (!shape)
        abort();
    if (tenon_shape_error(shape)) {
        if (strncmp(tenon_shape_error(shape), "made: ", 6) != 0 ||
            tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL))
            abort();
    } else {
        check(shape, shape->object->example.at, shape->object->example.len);
        check(shape, "{}", 2);
        check(shape, (const char *)input.at, input.len);
    }
    tenon_shape_free(shape);
    return 0;
}
