/* output.c - what a verdict says for programs: annotations, and the standard output formats of JSON Schema.
 *
 * Both formats print output units: an error or an annotation with the way through the schema, the keyword's own place and
 * the place of the value. The basic format is a list of them. For the detailed one they are put into a tree: its branches
 * are the keywords and schemas on their ways, and a branch with one child is left out.
 */
#include <string.h>

#include <tenon/schema.h>

#include "document/document.h"
#include "document/output/annotate.h"
#include "json/pointer.h"
#include "json/write.h"
#include "model/issue_view.h"

#define OUTPUT_LEN_MAX ((size_t)1 << 20)
#define OUTPUT_END_LEN                                                                                       \
    ((size_t)4096) /* what closes it: two characters for each branch, of which no way has so many */
#define OUTPUT_PATH_MAX ((size_t)64 << 10)

/* ---- Annotations -------------------------------------------------------------------------------------------- */

static const struct tn_annotations *annotations_of(tenon_verdict *verdict)
{
    struct tn_verdict run;

    if (verdict->annotated || !verdict->valid || verdict->arena.failed)
        return &verdict->annotations;
    verdict->annotated = true;
    run                = tn_document_verdict(verdict->schema, &verdict->judge, verdict->steps);
    tn_annotate_value(&run, verdict->schema->node, verdict->value, &verdict->annotations);
    return &verdict->annotations;
}

static void add_said(struct tn_buf *out, const struct tn_annotation *annotation)
{
    if (annotation->value)
        tn_json_value(out, annotation->value);
    else
        tn_buf_add(out, annotation->made.at, annotation->made.len);
}

/* A path as text in the arena; "" when it is too long. */
static struct tn_slice path_of(struct tn_arena *arena, const struct tn_location *way, const char *keyword,
                               bool of_instance)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 64, OUTPUT_PATH_MAX);
    if (of_instance)
        tn_verdict_instance_path(&out, way);
    else
        tn_verdict_keyword_path(&out, way, keyword);
    tn_buf_end(&out);
    return tn_buf_slice(&out);
}

size_t tenon_verdict_annotation_count(tenon_verdict *verdict)
{
    return annotations_of(verdict)->count;
}

const tenon_annotation *tenon_verdict_annotation(tenon_verdict *verdict, size_t index)
{
    const struct tn_annotations *all = annotations_of(verdict);
    const struct tn_annotation  *one = index < all->count ? &all->at[index] : NULL;
    tenon_annotation            *view;
    struct tn_buf                text;

    view = one ? tn_arena_new(&verdict->arena, tenon_annotation) : NULL;
    if (!view)
        return NULL;
    tn_buf_init(&text, &verdict->arena, 64, OUTPUT_LEN_MAX);
    add_said(&text, one);
    *view = (tenon_annotation){
        .keyword           = one->keyword,
        .keyword_location  = path_of(&verdict->arena, one->way, one->keyword, false).at,
        .instance_location = path_of(&verdict->arena, one->way, NULL, true).at,
        .json              = tn_buf_end(&text)
    };
    return verdict->arena.failed || !view->json ? NULL : view;
}

/* ---- Places ------------------------------------------------------------------------------------------------- */

/* An output unit, and in the detailed format also a branch that has others below it. */
struct unit {
    const struct tn_location   *way; /* to the schema; NULL: there is none, as of a text that is not JSON */
    const char                 *keyword; /* in it, or NULL */
    const struct tn_annotation *annotation;
    const struct tn_issue      *issue;
    struct unit                *up, *first, *last, *next;
    const char                 *name; /* of a branch: the keyword that it stands for; NULL for a schema */
};

struct output {
    tenon_verdict *verdict;
    struct tn_buf  out;
    bool           valid;
    bool           full; /* no unit fits any more */
};

/* What a URI's fragment may not contain is percent-encoded, behind the first '#'. */
static void add_uri(struct tn_buf *out, struct tn_slice uri)
{
    bool fragment = false;

    for (size_t i = 0; i < uri.len; i++) {
        unsigned char c     = (unsigned char)uri.at[i];
        bool          plain = c > ' ' && c < 0x7F && !strchr("\"#%<>[\\]^`{|}", c);

        if (!fragment || plain)
            tn_buf_char(out, (char)c);
        else
            tn_buf_addf(out, "%%%02X", (unsigned)c);
        fragment |= c == '#';
    }
}

/* Where the keyword itself stands, or the schema. Nothing where no schema was applied. */
static struct tn_slice absolute_of(struct tn_arena *arena, const struct unit *unit)
{
    const struct tn_location *way     = unit->way;
    const char               *keyword = unit->keyword;
    struct tn_slice           location;
    struct tn_buf             pointer, uri;

    if (way && !way->schema && !keyword && way->keyword &&
        way->up) { /* a keyword that refuses without a schema */
        keyword = way->keyword;
        way     = way->up;
    }
    if (!way || !way->schema)
        return (struct tn_slice){ NULL, 0 };
    location = tn_compile_location(arena, way->schema);
    tn_buf_init(&pointer, arena, location.len + 32, OUTPUT_PATH_MAX);
    tn_buf_add(&pointer, location.at, location.len);
    if (keyword)
        tn_pointer_add(&pointer, tn_slice_of(keyword));
    tn_buf_init(&uri, arena, pointer.len + 1, OUTPUT_PATH_MAX);
    add_uri(&uri, tn_buf_slice(&pointer));
    return tn_buf_slice(&uri);
}

static void write_places(struct output *output, const struct unit *unit)
{
    struct tn_arena *arena = &output->verdict->arena;
    struct tn_slice  path = path_of(arena, unit->way, unit->keyword, false), at = absolute_of(arena, unit);

    tn_buf_lit(&output->out, ",\"keywordLocation\":");
    tn_json_string(&output->out, path.at, path.len);
    if (at.len > 0) {
        tn_buf_lit(&output->out, ",\"absoluteKeywordLocation\":");
        tn_json_string(&output->out, at.at, at.len);
    }
    path = path_of(arena, unit->way, NULL, true);
    tn_buf_lit(&output->out, ",\"instanceLocation\":");
    tn_json_string(&output->out, path.at, path.len);
}

/* ---- Units -------------------------------------------------------------------------------------------------- */

static bool is_branch(const struct unit *unit)
{
    return !unit->annotation && !unit->issue;
}

static void write_said(struct output *output, const struct unit *unit)
{
    const char *text = unit->issue ? tn_issue_sentence(&output->verdict->arena, unit->issue) : NULL;

    if (text) {
        tn_buf_lit(&output->out, ",\"error\":");
        tn_json_string(&output->out, text, strlen(text));
    }
    if (unit->annotation) {
        tn_buf_lit(&output->out, ",\"annotation\":");
        add_said(&output->out, unit->annotation);
    }
}

static bool write_unit(struct output *output, const struct unit *unit);

/* The units below, as many as fit. False when none does. */
static bool write_below(struct output *output, const struct unit *unit)
{
    struct tn_buf *out   = &output->out;
    size_t         count = 0;

    tn_buf_text(out, output->valid ? ",\"annotations\":[" : ",\"errors\":[");
    for (const struct unit *below = unit->first; below && !output->full; below = below->next) {
        size_t before = out->len;

        if (count > 0)
            tn_buf_char(out, ',');
        if (write_unit(output, below))
            count++;
        else
            out->len = before;
    }
    tn_buf_char(out, ']');
    return count > 0;
}

/* False when it does not fit: then so far as it came it is to be taken back. */
static bool write_unit(struct output *output, const struct unit *unit)
{
    struct tn_buf *out = &output->out;
    bool           fits;

    while (is_branch(unit) && unit->first && !unit->first->next)
        unit = unit->first;
    tn_buf_text(out, output->valid ? "{\"valid\":true" : "{\"valid\":false");
    write_places(output, unit);
    write_said(output, unit);
    fits = !out->failed && out->len < OUTPUT_LEN_MAX - OUTPUT_END_LEN;
    if (fits && unit->first)
        fits = write_below(output, unit) || !is_branch(unit);
    tn_buf_char(out, '}');
    if (fits)
        return true;
    output->full = true;
    out->failed  = output->verdict->arena.failed;
    return false;
}

/* ---- The tree ----------------------------------------------------------------------------------------------- */

static struct unit *unit_add(struct tn_arena *arena, struct unit *up, struct unit what)
{
    struct unit *unit = tn_arena_new(arena, struct unit);

    if (!unit)
        return NULL;
    *unit    = what;
    unit->up = up;
    if (up->last)
        up->last->next = unit;
    else
        up->first = unit;
    up->last = unit;
    return unit;
}

/* The branch of a keyword of a schema; made when there is none. A keyword is mostly the newest below its schema. */
static struct unit *keyword_unit(struct tn_arena *arena, struct unit *up, const struct tn_location *way,
                                 const char *keyword, const char *name)
{
    if (up->last && up->last->name && strcmp(up->last->name, name) == 0)
        return up->last;
    for (struct unit *unit = up->first; unit; unit = unit->next)
        if (unit->name && strcmp(unit->name, name) == 0)
            return unit;
    return unit_add(arena, up, (struct unit){ .way = way, .keyword = keyword, .name = name });
}

static bool is_same_step(const struct tn_location *a, const struct tn_location *b)
{
    return a == b || (a && a->key_index == b->key_index && a->same == b->same && a->index == b->index &&
                      tn_slice_same(a->key, b->key) && tn_slice_same(a->name, b->name));
}

/* The branch of the schema that a way leads to: below that of the keyword which applies it, and the same where the keyword
 * applies one schema to the value itself, as $ref does. */
static struct unit *schema_unit(struct tn_arena *arena, struct unit *root, const struct tn_location *way)
{
    struct unit *up;
    bool         alone;

    if (!way || !way->up)
        return root;
    up    = schema_unit(arena, root, way->up);
    alone = !way->key.at && way->key_index == SIZE_MAX && way->same;
    if (up && way->keyword)
        up = keyword_unit(arena, up, alone ? way : way->up, alone ? NULL : way->keyword, way->keyword);
    if (!up || (alone && way->keyword))
        return up;
    if (up->last && !up->last->name && is_branch(up->last) && is_same_step(up->last->way, way))
        return up->last;
    return unit_add(arena, up, (struct unit){ .way = way });
}

/* What a keyword applied to stands at the branch of the keyword. */
static void tree_add(struct tn_arena *arena, struct unit *root, const struct unit *unit)
{
    struct unit *up = schema_unit(arena, root, unit->way), *own;

    if (!up)
        return;
    if (!unit->annotation || unit->annotation->value) {
        unit_add(arena, up, *unit);
        return;
    }
    own = keyword_unit(arena, up, unit->way, unit->keyword, unit->keyword);
    if (own)
        own->annotation = unit->annotation;
}

/* ---- Formats ------------------------------------------------------------------------------------------------ */

/* The issues of all alternatives; those that are known where that meets a limit. */
static const struct tn_issues *every_issue(tenon_verdict *verdict, struct tn_judge *judge)
{
    struct tn_verdict run;

    if (!verdict->as_sent || !verdict->value)
        return &verdict->judge.issues;
    *judge     = (struct tn_judge){ .arena   = &verdict->arena,
                                    .matcher = &verdict->matcher,
                                    .memory  = &verdict->schema->shape.memory,
                                    .limits  = tn_registry_limits,
                                    .whole   = SLICE_LIT("value") };
    run        = tn_document_verdict(verdict->schema, judge, verdict->steps);
    run.member = "property";
    run.every  = true;
    tn_verdict_full(&run, verdict->schema->node, verdict->value);
    for (size_t i = 0; i < judge->issues.count; i++)
        if (judge->issues.at[i].code == ISSUE_LIMIT)
            return &verdict->judge.issues;
    return &judge->issues;
}

static void add_issues(tenon_verdict *verdict, struct unit *root, bool tree)
{
    struct tn_judge         own    = { 0 };
    const struct tn_issues *issues = tree ? every_issue(verdict, &own) : &verdict->judge.issues;

    tn_verdict_places(issues == &own.issues ? &own : &verdict->judge);
    for (size_t i = 0; i < issues->count && !verdict->arena.failed; i++) {
        const struct tn_issue *issue = &issues->at[i];
        struct unit unit = { .way = issue->place.way, .keyword = issue->place.keyword, .issue = issue };

        if (tree)
            tree_add(&verdict->arena, root, &unit);
        else
            unit_add(&verdict->arena, root, unit);
    }
}

static void add_annotations(tenon_verdict *verdict, struct unit *root, bool tree)
{
    const struct tn_annotations *all = annotations_of(verdict);

    for (size_t i = 0; i < all->count && !verdict->arena.failed; i++) {
        struct unit unit = { .way        = all->at[i].way,
                             .keyword    = all->at[i].keyword,
                             .annotation = &all->at[i] };

        if (tree)
            tree_add(&verdict->arena, root, &unit);
        else
            unit_add(&verdict->arena, root, unit);
    }
}

const char *tenon_verdict_output(tenon_verdict *verdict, tenon_output form, size_t *len)
{
    bool tree      = form == TENON_OUTPUT_DETAILED || form == TENON_OUTPUT_DETAILED_ANNOTATIONS;
    bool annotated = form == TENON_OUTPUT_BASIC_ANNOTATIONS || form == TENON_OUTPUT_DETAILED_ANNOTATIONS;
    struct output output = { .verdict = verdict, .valid = verdict->valid };
    struct unit   root   = { 0 };

    tn_buf_init(&output.out, &verdict->arena, 256, OUTPUT_LEN_MAX);
    tn_buf_text(&output.out, verdict->valid ? "{\"valid\":true" : "{\"valid\":false");
    if (tree)
        write_places(&output, &root);
    if (verdict->valid && annotated)
        add_annotations(verdict, &root, tree);
    else if (!verdict->valid && form != TENON_OUTPUT_FLAG)
        add_issues(verdict, &root, tree);
    if (!verdict->valid ? form != TENON_OUTPUT_FLAG : root.first != NULL)
        write_below(&output, &root);
    tn_buf_char(&output.out, '}');
    if (len)
        *len = output.out.len;
    return tn_buf_end(&output.out);
}
