/* cases.c - edits of a good call, and what the schema makes of them. */
#include "contract/fuzz/cases.h"

#include "base/clock.h"
#include "contract/canonical.h"
#include "document/document.h"
#include "json/pointer.h"
#include "json/read.h"
#include "json/write.h"

#define ROOM_FIRST  ((size_t)64)
#define SCRATCH_MAX ((size_t)32 << 20)
#define TIME_MS     3000
#define ISSUES_READ ((size_t)8)

static const struct tn_json_limits case_limits = { CASE_LEN_MAX, 200, 200000 };

static int64_t now_ms(void)
{
    struct tn_clock clock = tn_clock_system();

    return clock.now_ms(clock.user);
}

bool tn_case_maker_init(struct tn_case_maker *maker, const tenon_schema *schema,
                        const struct tn_places *places, struct tn_cases *cases)
{
    *maker = (struct tn_case_maker){
        .schema = schema, .verdict = tenon_verdict_new(schema), .places = places, .cases = cases
    };
    maker->until_ms = now_ms() + TIME_MS;
    tn_arena_init(&maker->scratch, &cases->arena->memory, SCRATCH_MAX);
    return maker->verdict != NULL;
}

void tn_case_maker_free(struct tn_case_maker *maker)
{
    tenon_verdict_free(maker->verdict);
    tn_arena_free(&maker->scratch);
}

struct tn_slice tn_case_keep(struct tn_case_maker *maker, struct tn_slice text)
{
    const char *copy = tn_arena_copy(maker->cases->arena, text.at, text.len);

    maker->cases->failed |= !copy;
    return copy ? (struct tn_slice){ copy, text.len } : (struct tn_slice){ "", 0 };
}

/* ---- Edits ------------------------------------------------------------------------------------------------------- */

struct tn_edit tn_edit_replace(const struct tn_place *place, struct tn_slice value)
{
    return (struct tn_edit){ place->from, place->to, value };
}

/* With the comma after it, or, of the last one, with the comma before it. */
struct tn_edit tn_edit_remove(const struct tn_places *places, const struct tn_place *member)
{
    const char    *text = places->text.at;
    struct tn_edit edit = { member->key, member->to, { "", 0 } };

    while (edit.to < places->text.len && tn_str_blank(text[edit.to]))
        edit.to++;
    if (edit.to < places->text.len && text[edit.to] == ',') {
        edit.to++;
        return edit;
    }
    edit.to = member->to;
    while (edit.from > 0 && tn_str_blank(text[edit.from - 1]))
        edit.from--;
    if (edit.from > 0 && text[edit.from - 1] == ',')
        edit.from--;
    return edit;
}

struct tn_edit tn_edit_insert(struct tn_case_maker *maker, const struct tn_place *object,
                              struct tn_slice name, struct tn_slice value)
{
    size_t        end = object->to - 1;
    struct tn_buf out;

    tn_buf_init(&out, maker->cases->arena, name.len + value.len + 16, CASE_LEN_MAX);
    if (yyjson_obj_size(object->value) > 0)
        tn_buf_char(&out, ',');
    tn_json_string(&out, name.at, name.len);
    tn_buf_char(&out, ':');
    tn_buf_add(&out, value.at, value.len);
    maker->cases->failed |= out.failed;
    return (struct tn_edit){ end, end, tn_buf_slice(&out) };
}

void tn_case_write(struct tn_buf *out, struct tn_slice good, const struct tn_case *one)
{
    size_t from = 0;

    for (size_t i = 0; !one->bare && i < one->edit_count; i++) {
        tn_buf_add(out, good.at + from, one->edits[i].from - from);
        tn_buf_add(out, one->edits[i].text.at, one->edits[i].text.len);
        from = one->edits[i].to;
    }
    if (!one->bare)
        tn_buf_add(out, good.at + from, good.len - from);
}

/* ---- What an answer has to name ------------------------------------------------------------------------------------ */

/* The last name on the way to what an issue is about: indices are no names. */
static struct tn_slice issue_name(struct tn_case_maker *maker, const char *parameter)
{
    struct tn_slice rest = tn_slice_of(parameter), token, name = { "", 0 };
    size_t          index;
    bool            bad = false;

    if (rest.len == 0 || rest.at[0] != '/')
        return tn_case_keep(maker, rest);
    while (tn_pointer_step(&maker->scratch, &rest, &token, &bad))
        if (!tn_pointer_index(token, &index))
            name = token;
    return tn_case_keep(maker, name);
}

static void add_name(struct tn_case *one, struct tn_slice name)
{
    for (size_t i = 0; i < one->name_count; i++)
        if (tn_slice_same(one->names[i], name))
            return;
    if (one->name_count < CASE_NAMES_MAX)
        one->names[one->name_count++] = name;
}

static void find_names(struct tn_case_maker *maker, struct tn_case *one)
{
    size_t count = tenon_verdict_issue_count(maker->verdict);

    for (size_t i = 0; i < count && i < ISSUES_READ; i++) {
        const tenon_issue *issue = tenon_verdict_issue(maker->verdict, i);

        if (issue && issue->parameter)
            add_name(one, issue_name(maker, issue->parameter));
    }
}

/* ---- Trying ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_of(struct tn_slice text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static bool is_repeated(const struct tn_cases *cases, uint64_t hash)
{
    for (size_t i = 0; i < cases->count; i++)
        if (cases->at[i].hash == hash)
            return true;
    return false;
}

static void keep(struct tn_case_maker *maker, const struct tn_case *one)
{
    struct tn_cases *cases = maker->cases;

    if (cases->count == CASES_MAX) {
        cases->dropped++;
        return;
    }
    if (cases->count == cases->room) {
        size_t room = cases->room > 0 ? cases->room * 2 : ROOM_FIRST;
        void  *at   = tn_arena_resize(cases->arena, cases->at, cases->room * sizeof *one, room * sizeof *one);

        if (!at) {
            cases->failed = true;
            return;
        }
        cases->at   = at;
        cases->room = room;
    }
    cases->at[cases->count++] = *one;
}

/* Does it mean a valid call, in another form? Then a server may convert it. */
static bool is_a_form(struct tn_case_maker *maker, const struct tn_case *one, struct tn_slice text)
{
    size_t len;

    return one->kind == CASE_DIRTY || tenon_verdict_repair(maker->verdict, text.at, text.len, &len) != NULL;
}

/* A name twice is a hostile value: readers of JSON do not agree about it. */
static bool has_names_twice(struct tn_case_maker *maker, struct tn_slice text)
{
    yyjson_val *value;

    return tn_canonical_read(&maker->scratch, text, case_limits.depth, &value) == CANONICAL_TWICE;
}

/* What the schema says of the text decides what is expected. False when the case is not what its kind says. */
static bool settle(struct tn_case_maker *maker, struct tn_case *one, struct tn_slice text)
{
    struct tn_json_text read;
    bool                valid;

    if (one->kind == CASE_HOSTILE) {
        one->expect = EXPECT_ALIVE;
        return true;
    }
    if (one->bare)
        text = SLICE_LIT("{}");
    read = tn_json_read(&maker->scratch, text.at, text.len, &case_limits);
    if (read.fault != JSON_FINE || read.bad_utf8 || has_names_twice(maker, text))
        return false;
    valid = tenon_verdict_judge(maker->verdict, text.at, text.len);
    if (tenon_verdict_failed(maker->verdict)) {
        maker->cases->failed = true;
        return false;
    }
    if (!valid)
        find_names(maker, one);
    one->expect = valid ? EXPECT_TAKEN : is_a_form(maker, one, text) ? EXPECT_EITHER : EXPECT_REFUSED;
    if (one->expect == EXPECT_REFUSED && tenon_verdict_issue_count(maker->verdict) > 0) {
        one->name_count = 0;
        find_names(maker, one); /* what a repair leaves: the rest a server may have converted */
    }
    return one->kind == CASE_DIRTY || valid == (one->kind == CASE_VALID);
}

bool tn_case_try(struct tn_case_maker *maker, const struct tn_case *one)
{
    struct tn_case  made = *one;
    struct tn_buf   out;
    struct tn_slice text;

    if (maker->cases->failed || now_ms() >= maker->until_ms)
        return false;
    tn_arena_reset(&maker->scratch);
    tn_buf_init(&out, &maker->scratch, maker->places->text.len + 256, CASE_LEN_MAX);
    tn_case_write(&out, maker->places->text, one);
    if (out.failed) {
        maker->cases->failed |= maker->scratch.failed;
        return false;
    }
    text      = tn_buf_slice(&out);
    made.hash = made.bare ? 1 : hash_of(text);
    if (is_repeated(maker->cases, made.hash) || !settle(maker, &made, text))
        return false;
    made.where = tn_case_keep(maker, made.where);
    keep(maker, &made);
    return !maker->cases->failed;
}
