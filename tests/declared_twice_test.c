/* declared_twice_test.c - the same tool declared twice: by rows, and by the JSON Schema that those rows publish.
 *
 * Every single fault of a good call goes to both, and pairs of them. Both must take it or both refuse it, with the same
 * sentences, and a naive client that reads nothing but the issues must succeed with its second call, whichever declaration
 * it talks to. Where the two may differ, the difference has a name and a reason in the table below. What has none fails;
 * the shares of what is the same may only rise.
 */
#define _POSIX_C_SOURCE 200809L /* for strdup */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rows/row_shape.h"
#include "support/client.h"
#include "support/mutate.h"
#include "support/random.h"
#include "support/valid.h"
#include "support/zoo.h"
#include "text/format.h"

#define SHOWN_MAX   5  /* of what has no name */
#define WAY_MAX     16 /* nodes on the way to a fault */
#define SAME_LEAST  95 /* of a hundred sentences: the same from both */
#define SINGLES_LEAST 96 /* of a hundred refusals: all their sentences */
#define PAIRS_LEAST   93 /* the same of two faults at once, where one difference is enough */
#define FIXED_LEAST 99 /* of a hundred calls that the document refuses: good at the second try */

/* ---- What is compared -------------------------------------------------------------------------------------- */

/* One call that was sent to both. */
struct sent {
    const char             *tool, *kinds[2]; /* the second one of a pair, or "" */
    const tenon_tool       *declared;
    const struct tn_object *object;
    const struct tn_node   *way[WAY_MAX]; /* to the faults */
    size_t                  way_count;
    const char             *json;
    size_t                  len;
};

static bool any_kind(const struct sent *sent, const char *prefix)
{
    return strncmp(sent->kinds[0], prefix, strlen(prefix)) == 0 ||
           strncmp(sent->kinds[1], prefix, strlen(prefix)) == 0;
}

static bool any_node(const struct sent *sent, bool (*is)(const struct tn_node *node))
{
    for (size_t i = 0; i < sent->way_count; i++)
        if (is(sent->way[i]) || (sent->way[i]->list.item && is(sent->way[i]->list.item)))
            return true;
    return false;
}

static bool any_row(const struct sent *sent, bool (*is)(const struct tn_node *node))
{
    for (size_t i = 0; i < sent->object->count; i++)
        if (is(sent->object->params[i].node))
            return true;
    return false;
}

/* ---- Differences that are meant ---------------------------------------------------------------------------- */

static bool node_is_path(const struct tn_node *node)
{
    return node->kind == TENON_KIND_PATH || node->kind == TENON_KIND_ABSPATH ||
           node->kind == TENON_KIND_PATHS;
}

static bool node_is_name(const struct tn_node *node)
{
    return node->kind == TENON_KIND_ID || node->text.schemes || node->text.pattern_words;
}

static bool node_is_time(const struct tn_node *node)
{
    return node->kind == TENON_KIND_DATE || node->kind == TENON_KIND_TIMESTAMP ||
           (node->text.format && strncmp(node->text.format->name, "date", 4) == 0);
}

static bool node_is_strict(const struct tn_node *node)
{
    return node->strict;
}

static bool node_has_noun(const struct tn_node *node)
{
    return node->choice && (node->choice->noun || node->choice->exact);
}

static bool node_is_checked(const struct tn_node *node)
{
    return node->check || node->lookup;
}

static bool node_is_pulled(const struct tn_node *node)
{
    return node->integer.clamp || node->number.clamp || node->number.tolerance > 0;
}

static bool node_is_narrow(const struct tn_node *node)
{
    return node->kind == TENON_KIND_INT && (node->size < 8 || node->flavour != 0);
}

static bool node_is_comma(const struct tn_node *node)
{
    return node->kind == TENON_KIND_STRS && node->list.comma;
}

static bool node_is_blank_ok(const struct tn_node *node)
{
    return node->text.blank_ok || (tn_kind_is_text(node->kind) && node->text.min == 0);
}

static bool has_rules(const struct tn_object *object)
{
    return object && (object->rule_count > 0 || object->hook_count > 0);
}

static bool node_has_rules(const struct tn_node *node)
{
    return has_rules(node->object);
}

/* clang-format off */
static bool paths(const struct sent *sent)    { return any_node(sent, node_is_path); }
static bool names(const struct sent *sent)    { return any_node(sent, node_is_name); }
static bool times(const struct sent *sent)    { return any_node(sent, node_is_time); }
static bool strict(const struct sent *sent)   { return any_node(sent, node_is_strict) || (any_kind(sent, "unknown") && any_row(sent, node_is_strict)); }
static bool nouns(const struct sent *sent)    { return any_node(sent, node_has_noun); }
static bool checks(const struct sent *sent)   { return any_node(sent, node_is_checked); }
static bool pulled(const struct sent *sent)   { return any_node(sent, node_is_pulled); }
static bool narrow(const struct sent *sent)   { return any_node(sent, node_is_narrow); }
static bool commas(const struct sent *sent)   { return any_node(sent, node_is_comma); }
static bool blanks(const struct sent *sent)   { return any_kind(sent, "blank") || any_node(sent, node_is_blank_ok); }
static bool nuls(const struct sent *sent)     { return any_kind(sent, "NUL") || any_kind(sent, "enum: NUL") || any_kind(sent, "map: bad name, NUL"); }
static bool numbers(const struct sent *sent)  { return any_kind(sent, "integer: ") || any_kind(sent, "number: ") || any_kind(sent, "range: ") || any_kind(sent, "integers: "); }
static bool aliases(const struct sent *sent)  { return any_kind(sent, "alias"); }
static bool rules(const struct sent *sent)    { return has_rules(sent->object) || any_node(sent, node_has_rules); }
static bool policy(const struct sent *sent)   { return sent->declared->info.unknown && any_kind(sent, "unknown"); }
/* clang-format on */

/* A document says what JSON Schema has words for. Each line is something that rows know beside it, or that JSON Schema
 * defines in another way; the first that explains a difference is the one that it is counted for. */
static struct difference {
    const char *name, *why;
    bool (*explains)(const struct sent *sent);
    size_t sentences, verdicts;
} differences[] = {
    { "alias", "other names of a parameter are not published", aliases, 0, 0 },
    { "path", "a path is published as a plain text", paths, 0, 0 },
    { "identifier",
      "identifiers, schemes and the words of a pattern are published as a pattern or not at all", names, 0,
      0 },
    { "moment", "a row takes a day, a moment or milliseconds; a format is one of them", times, 0, 0 },
    { "strict", "one row may be strict; a document's tool is as a whole", strict, 0, 0 },
    { "noun", "nouns and exact case of an enum are not published", nouns, 0, 0 },
    { "check", "checks and lookups are functions", checks, 0, 0 },
    { "clamp", "what a row pulls into its range a schema refuses", pulled, 0, 0 },
    { "field", "a row names the bounds of its field only when they are broken", narrow, 0, 0 },
    { "comma", "that texts may stand between commas is not published", commas, 0, 0 },
    { "NUL", "U+0000 is a character of JSON, and ends a C string", nuls, 0, 0 },
    { "blank", "a document keeps a blank text that its schema allows", blanks, 0, 0 },
    { "number", "numbers of JSON Schema have any size, those of C do not", numbers, 0, 0 },
    { "rule", "rules over several parameters are functions of the program", rules, 0, 0 },
    { "unknown", "a tool may let unknown names pass; its schema does not say so", policy, 0, 0 },
};

#define DIFFERENCES (sizeof differences / sizeof *differences)

static struct difference *difference_of(const struct sent *sent)
{
    for (size_t i = 0; i < DIFFERENCES; i++)
        if (differences[i].explains(sent))
            return &differences[i];
    return NULL;
}

/* ---- Both -------------------------------------------------------------------------------------------------- */

struct tally {
    size_t count, taken, refused, same, sentences, said, rows_refused, rows_fixed, document_refused,
        document_fixed, unnamed;
};

struct run {
    tenon_call  *rows, *document;
    struct sent  sent;
    struct tally single, pair;
};

/* One answer, kept. */
struct outcome {
    bool   is_error;
    char  *json;
    size_t len;
};

static struct outcome call(tenon_call *by, const struct sent *sent)
{
    const tenon_answer *answer = tenon_call_run(by, sent->tool, sent->json, sent->len);

    return (struct outcome){ answer->is_error, strdup(answer->json), answer->len };
}

static bool fixed(tenon_call *by, const struct sent *sent, const struct outcome *outcome)
{
    size_t      len;
    const char *why;
    char       *second = client_repair(sent->json, sent->len, outcome->json, outcome->len, &len, &why);
    bool        fine   = second && !tenon_call_run(by, sent->tool, second, len)->is_error;

    free(second);
    return fine;
}

/* Counts the sentences of the rows, and those that the document says too, under the same parameter. */
static bool same_sentences(struct tally *tally, const struct outcome *rows, const struct outcome *document)
{
    yyjson_doc *by_rows     = yyjson_read(rows->json, rows->len, 0),
               *by_document = yyjson_read(document->json, document->len, 0);
    yyjson_val     *all     = yyjson_doc_ptr_get(by_rows, "/error/details/fieldErrors"), *name, *sentence;
    yyjson_val     *others  = yyjson_doc_ptr_get(by_document, "/error/details/fieldErrors");
    bool            same    = yyjson_equals(all, others);
    yyjson_obj_iter iter;

    yyjson_obj_iter_init(all, &iter);
    while ((name = yyjson_obj_iter_next(&iter))) {
        yyjson_val     *also = yyjson_obj_getn(others, yyjson_get_str(name), yyjson_get_len(name));
        yyjson_arr_iter each;

        yyjson_arr_iter_init(yyjson_obj_iter_get_val(name), &each);
        while ((sentence = yyjson_arr_iter_next(&each))) {
            bool   found = false;
            size_t i, count;

            yyjson_val *other;
            yyjson_arr_foreach(also, i, count, other) found |= yyjson_equals(other, sentence);
            tally->sentences++;
            tally->said += found;
        }
    }
    yyjson_doc_free(by_rows);
    yyjson_doc_free(by_document);
    return same;
}

static void note(struct run *run, struct tally *tally, const struct outcome *rows,
                 const struct outcome *document, bool verdicts)
{
    struct difference *found = difference_of(&run->sent);

    if (found) {
        found->verdicts += verdicts;
        found->sentences += !verdicts;
        return;
    } else if (tally->unnamed++ >= SHOWN_MAX) {
        return;
    }
    print_message("%s: %s %s\n  sent     %.500s\n  rows     %.500s\n  document %.500s\n", run->sent.tool,
                  run->sent.kinds[0], run->sent.kinds[1], run->sent.json, rows->json, document->json);
}

/* True when both took it, or both refused it. */
static bool compare(struct run *run, struct tally *tally)
{
    struct outcome rows = call(run->rows, &run->sent), document = call(run->document, &run->sent);
    bool           same;

    tally->count++;
    tally->taken += !rows.is_error && !document.is_error;
    if (rows.is_error != document.is_error)
        note(run, tally, &rows, &document, true);
    if (rows.is_error && document.is_error) {
        same = same_sentences(tally, &rows, &document);
        tally->refused++;
        tally->same += same;
        if (!same)
            note(run, tally, &rows, &document, false);
    }
    if (rows.is_error) {
        tally->rows_refused++;
        tally->rows_fixed += fixed(run->rows, &run->sent, &rows);
    }
    if (document.is_error) {
        tally->document_refused++;
        tally->document_fixed += fixed(run->document, &run->sent, &document);
    }
    free(rows.json);
    free(document.json);
    return rows.is_error == document.is_error;
}

/* ---- Where a fault is -------------------------------------------------------------------------------------- */

static void add_way(struct sent *sent, const char *where)
{
    const struct tn_object *object = sent->object;
    const struct tn_node   *node   = NULL;

    where += strcspn(where, "/"); /* "(in text) /..." */
    while (*where == '/' && sent->way_count < WAY_MAX) {
        size_t   len = strcspn(++where, "/");
        uint32_t index;

        if (node && tn_kind_is_list(node->kind)) {
            object = node->object;
            node   = NULL;
        } else {
            index  = object ? tn_object_find(object, where, len) : PARAM_NONE;
            node   = index == PARAM_NONE ? NULL : object->params[index].node;
            object = node && node->kind == TENON_KIND_OBJECT ? node->object : NULL;
            if (!node)
                return;
            sent->way[sent->way_count++] = node;
        }
        where += len;
    }
}

/* ---- Pairs ------------------------------------------------------------------------------------------------- */

/* A single fault that changes one parameter only. */
struct single {
    char *kind, *where, *name;
    char *json; /* the parameter's value, or NULL when it is gone */
};

struct singles {
    struct run    *run;
    yyjson_doc    *good;
    struct single *at;
    size_t         count, room;
};

/* The one parameter in which a call differs from the good one, or NULL. */
static yyjson_val *changed(yyjson_val *good, yyjson_val *bad, const char **name)
{
    yyjson_val     *found = NULL, *key;
    yyjson_obj_iter iter;

    *name = NULL;
    if (!yyjson_is_obj(bad) || yyjson_obj_size(bad) != yyjson_obj_size(good))
        return NULL;
    yyjson_obj_iter_init(bad, &iter);
    while ((key = yyjson_obj_iter_next(&iter))) {
        yyjson_val *before = yyjson_obj_get(good, yyjson_get_str(key)), *now = yyjson_obj_iter_get_val(key);

        if (before && yyjson_equals(before, now))
            continue;
        if (!before || *name)
            return NULL;
        *name = yyjson_get_str(key);
        found = now;
    }
    return found;
}

static void keep_single(struct singles *singles, const struct mutation *mutation)
{
    yyjson_doc *doc = yyjson_read(mutation->json, mutation->len, YYJSON_READ_BIGNUM_AS_RAW);
    const char *name;
    yyjson_val *value = changed(yyjson_doc_get_root(singles->good), yyjson_doc_get_root(doc), &name);

    if (value && singles->count == singles->room) {
        singles->room = singles->room * 2 + 64;
        singles->at   = realloc(singles->at, singles->room * sizeof *singles->at);
        assert_non_null(singles->at);
    }
    if (value)
        singles->at[singles->count++] = (struct single){ strdup(mutation->kind), strdup(mutation->where),
                                                         strdup(name), yyjson_val_write(value, 0, NULL) };
    yyjson_doc_free(doc);
}

static void try_single(void *user, const struct mutation *mutation)
{
    struct singles *singles = user;
    struct sent    *sent    = &singles->run->sent;

    sent->kinds[0]  = mutation->kind;
    sent->kinds[1]  = "";
    sent->json      = mutation->json;
    sent->len       = mutation->len;
    sent->way_count = 0;
    add_way(sent, mutation->where);
    if (compare(singles->run, &singles->run->single)) /* else a pair could not have the same sentences */
        keep_single(singles, mutation);
}

static void try_pair(struct singles *singles, const struct single *a, const struct single *b)
{
    struct run     *run = singles->run;
    yyjson_mut_doc *doc = yyjson_doc_mut_copy(singles->good, NULL);
    yyjson_mut_val *all = yyjson_mut_doc_get_root(doc);
    char           *text;

    yyjson_mut_obj_put(all, yyjson_mut_strcpy(doc, a->name), yyjson_mut_rawcpy(doc, a->json));
    yyjson_mut_obj_put(all, yyjson_mut_strcpy(doc, b->name), yyjson_mut_rawcpy(doc, b->json));
    text                = yyjson_mut_write(doc, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &run->sent.len);
    run->sent.json      = text;
    run->sent.kinds[0]  = a->kind;
    run->sent.kinds[1]  = b->kind;
    run->sent.way_count = 0;
    add_way(&run->sent, a->where);
    add_way(&run->sent, b->where);
    compare(run, &run->pair);
    free(text);
    yyjson_mut_doc_free(doc);
}

/* Each with one other of another parameter, by lot. */
static void try_pairs(struct singles *singles, struct random *lot)
{
    for (size_t i = 0; i < singles->count; i++) {
        const struct single *other = &singles->at[random_below(lot, singles->count)];

        if (strcmp(other->name, singles->at[i].name) != 0)
            try_pair(singles, &singles->at[i], other);
    }
}

static void forget(struct singles *singles)
{
    for (size_t i = 0; i < singles->count; i++) {
        free(singles->at[i].kind);
        free(singles->at[i].where);
        free(singles->at[i].name);
        free(singles->at[i].json);
    }
    free(singles->at);
    yyjson_doc_free(singles->good);
}

/* ---- The tools --------------------------------------------------------------------------------------------- */

static tenon_outcome by_document(tenon_call *call, const tenon_json *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(by_document, TENON_INFO("Take what the schema allows."), "{\"type\":\"object\"}");

/* Rows do not publish which values are secrets; a document can say it, and then it must keep them. */
static void mark_secrets(yyjson_mut_doc *doc, yyjson_mut_val *schema, const struct tn_object *object)
{
    yyjson_mut_val *properties = yyjson_mut_obj_get(schema, "properties");

    for (size_t i = 0; i < object->count; i++) {
        const struct tn_param *param    = &object->params[i];
        yyjson_mut_val        *property = yyjson_mut_obj_get(properties, param->name);

        if (param->row->rule.any.secret)
            yyjson_mut_obj_add_bool(doc, property, "writeOnly", true);
        if (param->node->kind == TENON_KIND_OBJECT)
            mark_secrets(doc, property, param->node->object);
    }
}

static char *document_of(const tenon_tool *tool, const struct tn_object *object)
{
    tenon_shape    *shape = tenon_shape_new(&tool->rows, NULL);
    const char     *json  = tenon_shape_schema(shape, TENON_SCHEMA_FULL, NULL);
    yyjson_doc     *doc   = yyjson_read(json, strlen(json), 0);
    yyjson_mut_doc *copy  = yyjson_doc_mut_copy(doc, NULL);
    char           *text;

    mark_secrets(copy, yyjson_mut_doc_get_root(copy), object);
    text = yyjson_mut_write(copy, 0, NULL);
    yyjson_mut_doc_free(copy);
    yyjson_doc_free(doc);
    tenon_shape_free(shape);
    return text;
}

/* Good calls that the published schema takes, too: some rows take what a schema cannot say. */
static size_t try_calls(struct run *run, const struct mutate_how *how, struct random *lot)
{
    size_t good = 0;

    for (enum valid kind = VALID_LEAST; kind < VALID_KINDS; kind++) {
        yyjson_mut_doc *doc     = yyjson_mut_doc_new(NULL);
        struct singles  singles = { .run = run };
        size_t          len;
        char           *json;

        yyjson_mut_doc_set_root(doc, valid_object(doc, run->sent.object, kind));
        json         = yyjson_mut_write(doc, 0, &len);
        singles.good = yyjson_read(json, len, 0);
        if (!tenon_call_run(run->document, run->sent.tool, json, len)->is_error) {
            good++;
            mutate_call(doc, run->sent.object, how, try_single, &singles);
            try_pairs(&singles, lot);
        }
        forget(&singles);
        free(json);
        yyjson_mut_doc_free(doc);
    }
    return good;
}

static size_t try_tool(struct run *run, const tenon_tool *declared, struct random *lot)
{
    tenon_shape      *shape  = tn_shape_compile(&declared->rows, declared->handler, NULL);
    char             *schema = document_of(declared, shape->object);
    tenon_toolbox    *box    = tenon_toolbox_new();
    tenon_tool        tool   = *by_document_tool();
    struct mutate_how how    = { .strict      = declared->info.strict,
                                 .destructive = (declared->info.hints & TENON_DESTRUCTIVE) != 0,
                                 .unknown     = declared->info.unknown ? declared->info.unknown
                                                                       : TENON_UNKNOWN_REJECT };
    size_t            good;

    run->sent        = (struct sent){ .tool     = declared->info.name ? declared->info.name : declared->handler,
                                      .declared = declared,
                                      .object   = shape->object };
    tool.info.name   = run->sent.tool;
    tool.info.strict = declared->info.strict;
    tool.info.hints  = declared->info.hints;
    tool.schema      = schema;
    assert_int_equal(tenon_toolbox_add(box, &tool), TENON_OK);
    run->document = tenon_call_new(box);
    good          = try_calls(run, &how, lot);
    tenon_call_free(run->document);
    tenon_toolbox_free(box);
    tenon_shape_free(shape);
    free(schema);
    return good;
}

static void report(const char *what, const struct tally *tally)
{
    print_message("%s: %zu calls, %zu taken by both, %zu refused by both, %zu of them with the same "
                  "sentences and no other; %zu of %zu "
                  "sentences are the same; second calls that succeed: rows %zu of %zu, document %zu of %zu\n",
                  what, tally->count, tally->taken, tally->refused, tally->same, tally->said,
                  tally->sentences, tally->rows_fixed, tally->rows_refused, tally->document_fixed,
                  tally->document_refused);
}

static void check(const struct tally *tally, size_t least)
{
    assert_true(tally->count > 10000);
    assert_int_equal(tally->unnamed, 0);
    assert_true(tally->said * 100 >= tally->sentences * SAME_LEAST);
    assert_true(tally->same * 100 >= tally->refused * least);
    assert_int_equal(tally->rows_fixed, tally->rows_refused);
    assert_true(tally->document_fixed * 100 >= tally->document_refused * FIXED_LEAST);
}

static void both_say_the_same(void **state)
{
    static struct run        run;
    size_t                   count, good = 0;
    const tenon_tool *const *tools = zoo_tools(&count);
    tenon_toolbox           *box   = zoo_box();
    struct random            lot   = { 20250115 };

    (void)state;
    run.rows = tenon_call_new(box);
    for (size_t i = 0; i < count; i++)
        good += try_tool(&run, tools[i], &lot);
    tenon_call_free(run.rows);
    tenon_toolbox_free(box);
    report("single faults", &run.single);
    report("pairs of faults", &run.pair);
    for (size_t i = 0; i < DIFFERENCES; i++)
        print_message("  %-10s %5zu sentences, %5zu verdicts: %s\n", differences[i].name,
                      differences[i].sentences, differences[i].verdicts, differences[i].why);
    assert_true(good >= 100);
    check(&run.single, SINGLES_LEAST);
    check(&run.pair, PAIRS_LEAST);
    for (size_t i = 0; i < DIFFERENCES; i++) /* one that explains nothing is none any more */
        assert_true(differences[i].sentences + differences[i].verdicts > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(both_say_the_same) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
