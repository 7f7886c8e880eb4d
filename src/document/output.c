/* output.c - what a verdict says for programs: annotations, and the standard output formats of JSON Schema. */
#include <string.h>

#include <tenon/schema.h>

#include "document/annotate.h"
#include "document/document.h"
#include "json/pointer.h"
#include "json/write.h"

#define OUTPUT_LEN_MAX ((size_t)1 << 20)
#define OUTPUT_END_LEN ((size_t)16) /* what closes it */

/* ---- Annotations -------------------------------------------------------------------------------------------- */

static const struct tn_annotations *annotations_of(tenon_verdict *verdict)
{
    struct tn_verdict run;

    if (verdict->annotated || !verdict->valid || verdict->arena.failed)
        return &verdict->annotations;
    verdict->annotated = true;
    run = tn_document_verdict(verdict->schema, &verdict->judge, SLICE_LIT("value"), verdict->steps);
    tn_annotate_value(&run, verdict->schema->node, verdict->value, &verdict->annotations);
    return &verdict->annotations;
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
    tn_json_value(&text, one->value);
    *view = (tenon_annotation){
        .keyword           = one->keyword,
        .keyword_location  = tn_arena_copy(&verdict->arena, one->keyword_path.at, one->keyword_path.len),
        .instance_location = tn_arena_copy(&verdict->arena, one->instance_path.at, one->instance_path.len),
        .json              = tn_buf_end(&text)
    };
    return verdict->arena.failed || !view->json ? NULL : view;
}

/* ---- Output ------------------------------------------------------------------------------------------------- */

/* The places of a unit, behind "valid". `schema` may be NULL, and `keyword` too. */
static void write_places(tenon_verdict *verdict, struct tn_buf *out, struct tn_slice keyword_path,
                         const struct tn_schema *schema, const char *keyword, struct tn_slice instance_path)
{
    struct tn_slice location;
    struct tn_buf   where;

    tn_buf_lit(out, ",\"keywordLocation\":");
    tn_json_string(out, keyword_path.at ? keyword_path.at : "", keyword_path.len);
    if (schema) {
        tn_buf_init(&where, &verdict->arena, 128, ISSUE_TEXT_MAX);
        location = tn_compile_location(&verdict->arena, schema);
        tn_buf_add(&where, location.at, location.len);
        if (keyword)
            tn_pointer_add(&where, tn_slice_of(keyword));
        tn_buf_lit(out, ",\"absoluteKeywordLocation\":");
        tn_json_string(out, where.at, where.failed ? 0 : where.len);
    }
    tn_buf_lit(out, ",\"instanceLocation\":");
    tn_json_string(out, instance_path.at ? instance_path.at : "", instance_path.len);
}

/* So many as fit; the API has all that are kept. */
static void write_annotations(tenon_verdict *verdict, struct tn_buf *out)
{
    const struct tn_annotations *all  = annotations_of(verdict);
    size_t                       mark = out->len;

    for (size_t i = 0; i < all->count; i++) {
        const struct tn_annotation *one    = &all->at[i];
        size_t                      before = out->len;

        tn_buf_text(out, i == 0 ? ",\"annotations\":[" : ",");
        tn_buf_lit(out, "{\"valid\":true");
        write_places(verdict, out, one->keyword_path, one->schema, one->keyword, one->instance_path);
        tn_buf_lit(out, ",\"annotation\":");
        tn_json_value(out, one->value);
        tn_buf_char(out, '}');
        if (verdict->arena.failed || (!out->failed && out->len < OUTPUT_LEN_MAX - OUTPUT_END_LEN))
            continue;
        out->failed = false;
        out->len    = before;
        break;
    }
    if (out->len > mark)
        tn_buf_char(out, ']');
}

static void write_unit(tenon_verdict *verdict, struct tn_buf *out, size_t index)
{
    const struct tn_issue  *issue  = &verdict->judge.issues.at[index];
    const struct tn_schema *schema = issue->schema ? issue->schema : issue->node ? issue->node->schema : NULL;
    const tenon_issue      *words  = tenon_verdict_issue(verdict, index);

    tn_buf_lit(out, "{\"valid\":false");
    write_places(verdict, out, issue->keyword_path, schema, issue->keyword, issue->instance_path);
    tn_buf_lit(out, ",\"error\":");
    tn_json_string(out, words ? words->text : "", words ? strlen(words->text) : 0);
    tn_buf_char(out, '}');
}

const char *tenon_verdict_output(tenon_verdict *verdict, tenon_output form, size_t *len)
{
    struct tn_buf out;

    tn_buf_init(&out, &verdict->arena, 256, OUTPUT_LEN_MAX);
    tn_buf_text(&out, verdict->valid ? "{\"valid\":true" : "{\"valid\":false");
    if (form == TENON_OUTPUT_BASIC && !verdict->valid) {
        tn_buf_lit(&out, ",\"errors\":[");
        for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
            if (i > 0)
                tn_buf_char(&out, ',');
            write_unit(verdict, &out, i);
        }
        tn_buf_char(&out, ']');
    }
    if (form == TENON_OUTPUT_BASIC && verdict->valid)
        write_annotations(verdict, &out);
    tn_buf_char(&out, '}');
    if (len)
        *len = out.len;
    return tn_buf_end(&out);
}
