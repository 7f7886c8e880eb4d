/* verdict_facts_test.c - what is known of a value before its faults are reported changes nothing of the report.
 *
 * A document of which every leaf is 1, light parts and heavy ones, is spoilt at each leaf in turn, and at each two that
 * lie somewhat apart; it is judged with facts and without any. */
#include <stdio.h>

#include "document/document.h"
#include "json/read.h"
#include "support/schema_case.h"

#define REPORT_ROOM 32768
#define APART       61

static const struct tn_json_limits limits = { 1 << 20, 256, 100000 };

static void append(char *out, size_t size, const char *text)
{
    size_t len = strlen(out);

    assert_true(len + strlen(text) < size);
    memcpy(out + len, text, strlen(text) + 1);
}

/* Light and heavy members side by side, to some depth. */
static void write_document(char *out, size_t size, int depth)
{
    append(out, size, "{'a':1,'big':{");
    for (int i = 0; i < 20; i++) {
        char name[64];

        snprintf(name, sizeof name, "%s'k%d':[1,{'a':1}]", i > 0 ? "," : "", i);
        append(out, size, name);
    }
    append(out, size, "},'b':[1,[1,1],{}],'c':");
    if (depth > 0)
        write_document(out, size, depth - 1);
    else
        append(out, size, "1");
    append(out, size, ",'list':[{'a':1,'z':1},1,[1]],'d':1}");
}

/* Everything that a report says, in its order. */
static void write_report(char *out, size_t size, struct tn_judge *judge)
{
    int len = snprintf(out, size, "%zu of %zu\n", judge->issues.count, judge->issues.total);

    for (size_t i = 0; i < judge->issues.count; i++) {
        const struct tn_issue *issue = &judge->issues.at[i];
        struct tn_slice        place = tn_verdict_place(judge->arena, issue);
        struct tn_buf          way;

        tn_buf_init(&way, judge->arena, 64, size);
        tn_verdict_keyword_path(&way, issue->place.way, issue->place.keyword);
        len += snprintf(out + len, size - (size_t)len, "%d %s %s %.*s\n", (int)issue->code,
                        issue->keyword ? issue->keyword : "-", tn_buf_end(&way), (int)place.len, place.at);
        assert_true((size_t)len < size);
    }
}

/* Ways of judging: a look first and what it learned; a report at once by somebody who keeps nothing; and one that also takes no
 * notes, but a location of each member. */
enum way { LOOK_FIRST, AT_ONCE, MEMBER_BY_MEMBER };

static bool report(const tenon_schema *schema, const char *text, enum way way, char *out)
{
    struct tn_arena     arena;
    struct matcher     *matcher = NULL;
    struct tn_judge     judge   = { .arena = &arena, .matcher = &matcher, .memory = &schema->shape.memory };
    struct tn_verdict   run     = tn_document_verdict(schema, &judge, VERDICT_STEPS_MAX);
    struct tn_location  root    = { .same = true, .key_index = SIZE_MAX };
    struct tn_json_text read;
    bool                fine;

    tn_arena_init(&arena, NULL, 0);
    read = tn_json_read(&arena, text, strlen(text), &limits);
    assert_non_null(read.root);
    run.careful = way == MEMBER_BY_MEMBER;
    if (way == LOOK_FIRST) {
        fine = tn_verdict_full(&run, schema->node, read.root);
    } else {
        run.all = true;
        tn_verdict_begin(&run, VERDICT_STEPS_MAX);
        fine = tn_verdict_step(&run, schema->node, read.root, &root, NULL);
        assert_false(run.gave_up);
    }
    tn_verdict_places(&judge);
    write_report(out, REPORT_ROOM, &judge);
    tn_matcher_free(matcher);
    tn_arena_free(&arena);
    return fine;
}

static void assert_same_reports(const tenon_schema *schema, const char *text, bool valid)
{
    static char known[REPORT_ROOM], unknown[REPORT_ROOM];

    assert_int_equal(report(schema, text, LOOK_FIRST, known), valid);
    assert_int_equal(report(schema, text, AT_ONCE, unknown), valid);
    assert_string_equal(known, unknown);
}

/* `rules` are those of every value in the document. */
static void try_rules(const char *rules)
{
    static char   text[REPORT_ROOM], document[REPORT_ROOM];
    char         *leaf, *other;
    tenon_schema *schema;
    size_t        apart = 0;

    snprintf(text, sizeof text, "{'$id':'https://example.org/all','$ref':'#/$defs/n','$defs':{'n':%s}}",
             rules);
    requote(text, '\'', '"');
    schema = tenon_schema_new(text, strlen(text));
    assert_non_null(schema);
    assert_null(tenon_schema_error(schema));
    document[0] = '\0';
    write_document(document, sizeof document, 2);
    requote(document, '\'', '"');
    assert_same_reports(schema, document, true);
    for (leaf = strchr(document, '1'); leaf; leaf = strchr(leaf + 1, '1')) {
        if (leaf[-1] == 'k' || leaf[-2] == 'k') /* part of a name */
            continue;
        *leaf = '5';
        assert_same_reports(schema, document, false);
        for (other = strchr(leaf, '1'); other; other = strchr(other + 1, '1'))
            if (other[-1] != 'k' && other[-2] != 'k' && ++apart % APART == 0) {
                *other = '7';
                assert_same_reports(schema, document, false);
                *other = '1';
            }
        *leaf = '1';
    }
    tenon_schema_free(schema);
}

#define REST "'$ref':'#/$defs/n'"

static void facts_change_no_report(void **state)
{
    static const char *const rules[] = {
        "{'maximum':1,'additionalProperties':{" REST "},'items':{" REST "}}",
        "{'type':['integer','array','object'],'maximum':1,'properties':{'c':{" REST "},'a':{" REST "}},"
        "'patternProperties':{'^[bkl]':{" REST "},'^d$':{'const':1}},'propertyNames':{'maxLength':4},"
        "'additionalProperties':{'maximum':1},'items':{" REST
        "},'contains':{'not':{'type':'null'}},'minContains':0}",
        "{'anyOf':[{'const':1},{'type':'array','items':{" REST "}},"
        "{'type':'object','additionalProperties':{" REST "}}]}",
        "{'oneOf':[{'type':'integer','maximum':1},{'type':'array','items':{" REST "}},"
        "{'type':'object','required':['big'],'additionalProperties':{" REST "}},"
        "{'type':'object','not':{'required':['big']},'additionalProperties':{" REST "}}]}",
        "{'maximum':1,'allOf':[{'properties':{'a':{" REST "}}},{'items':{" REST "}}],"
        "'dependentSchemas':{'z':{'properties':{'z':{'maximum':1}}}},"
        "'unevaluatedProperties':{" REST "},'unevaluatedItems':{" REST "}}",
        "{'maximum':1,'if':{'required':['big'],'properties':{'a':{'maximum':1}}},"
        "'then':{'additionalProperties':{" REST "}},'else':{'additionalProperties':{" REST "}},'items':{" REST
        "}}",
        "{'$dynamicAnchor':'n','maximum':1,'additionalProperties':{'$dynamicRef':'#n'},"
        "'items':{'$dynamicRef':'#n'}}",
        "{'not':{'type':'integer','minimum':2},'properties':{'list':{'uniqueItems':true," REST
        "}},'items':{" REST "},'prefixItems':[{" REST "}],"
        "'additionalProperties':{" REST "},'dependentRequired':{'a':['a']}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        try_rules(rules[i]);
}

/* More facts than are kept: the way to the fault is longer. */
static void facts_may_be_lost(void **state)
{
    static char   text[REPORT_ROOM], known[REPORT_ROOM], unknown[REPORT_ROOM];
    char          words[] = "{'maximum':1,'items':{'$ref':'#'}}";
    int           depth   = FACTS_MAX + 60;
    tenon_schema *schema;

    (void)state;
    requote(words, '\'', '"');
    schema = tenon_schema_new(words, strlen(words));
    assert_non_null(schema);
    for (int i = 0; i < depth; i++)
        append(text, sizeof text, "[1,");
    append(text, sizeof text, "5");
    for (int i = 0; i < depth; i++)
        append(text, sizeof text, ",1]");
    assert_false(report(schema, text, LOOK_FIRST, known));
    assert_false(report(schema, text, AT_ONCE, unknown));
    assert_string_equal(known, unknown);
    tenon_schema_free(schema);
}

#define LIST "[1,2,3,4,5,6,7,8,9,10]"
#define BAD  "[1,2,3,4,5,6,7,8,9,'a']"

/* Members that are put off stay unknown when another one is refused, or lacks. */
static void facts_of_what_is_put_off(void **state)
{
    static const char *const documents[] = {
        "{'a':" LIST ",'b':" BAD ",'c':1}",
        "{'a':" BAD ",'b':" LIST "}",
        "{'a':" LIST ",'b':" BAD ",'d':5}",
        "{'a':" BAD ",'c':'x','b':" BAD "}",
        "{'a':" LIST ",'c':'x','d':" BAD ",'b':1}",
        "{'a':" BAD ",'b':" BAD ",'d':" LIST ",'e':" LIST ",'f':" BAD ",'g':" BAD "}",
        "{'a':" LIST ",'b':" LIST ",'d':" LIST ",'e':" LIST ",'f':" LIST ",'c':" LIST ",'g':" BAD "}",
    };
    char words[] = "{'properties':{'a':{'$ref':'#/$defs/l'},'b':{'$ref':'#/$defs/l'},'c':{'type':'integer'}},"
                   "'additionalProperties':{'$ref':'#/$defs/l'},'required':['c'],"
                   "'$defs':{'l':{'type':'array','items':{'type':'integer'}}}}";
    tenon_schema *schema;

    (void)state;
    requote(words, '\'', '"');
    schema = tenon_schema_new(words, strlen(words));
    assert_non_null(schema);
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        char text[REPORT_ROOM];

        snprintf(text, sizeof text, "%s", documents[i]);
        requote(text, '\'', '"');
        assert_same_reports(schema, text, false);
    }
    tenon_schema_free(schema);
}

/* ---- Notes --------------------------------------------------------------------------------------------------- */

#define KINDS  (sizeof kinds / sizeof *kinds)
#define VALUES 8 /* of a member, and that it is absent */

/* Of each kind of member: its schema, whether it is valid or not, and why. */
static const struct kind {
    const char *schema, *values[VALUES];
} kinds[] = {
    { "{'type':'integer','minimum':1,'maximum':10}", { "1", "0", "11", "1.5", "3.0", "'a'", "1e400", "{}" } },
    { "{'type':'number','exclusiveMinimum':0,'maximum':1}",
      { "1", "0", "-1", "0.5", "null", "[]", "true", "'1'" } },
    { "{'type':'string','minLength':2,'maxLength':3}",
      { "'ab'", "''", "'a'", "'\\u00e9\\u00e9\\u00e9'", "'\\u00e9'", "'abcd'", "5", "{'a':1}" } },
    { "{'enum':['a','bb']}", { "'a'", "'bb'", "'c'", "'cc'", "1", "null", "[]", "'aa'" } },
    { "{'const':'x'}", { "'x'", "'y'", "''", "1", "{}", "false", "'xx'", "null" } },
    { "{'type':'array','items':{'type':'integer'},'maxItems':2}",
      { "[]", "[1]", "[1,2,3]", "['a']", "{}", "1", "[1,'b','c']", "null" } },
    { "{'type':'object','properties':{'k':{'type':'integer'},'l':{'enum':['m']}},'required':['k'],"
      "'additionalProperties':false}",
      { "{'k':1}", "{}", "{'k':'1','l':'n'}", "{'k':1,'z':2,'y':3}", "1", "{'l':'m','k':2}", "[]",
        "{'l':1}" } },
    { "{'anyOf':[{'type':'integer'},{'type':'object','properties':{'k':{'const':1},'l':{'maximum':1}}}]}",
      { "1", "'a'", "{'k':1}", "{'k':2,'l':3}", "{'l':2}", "null", "1.5", "{'k':1,'l':2}" } },
    { "{'type':'string','pattern':'^a'}", { "'a'", "'b'", "1", "''", "null", "'ab'", "[]", "{}" } },
    { "{'$ref':'#/$defs/r'}", { "1", "5", "'a'", "null", "4", "[]", "{}", "1.5" } },
    { "false", { "1", "null", "'a'", "[]", "{}", "0", "''", "true" } },
};

static size_t next_of(size_t *state, size_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

/* Four members, some of them absent, in some order; and members of other names. */
static void write_members(char *out, size_t size, const size_t *of, size_t *state)
{
    static const char *const others[] = { "'more':1", "'z':'a'", "'a_longer_name':{}", "'y':[1]" };
    size_t                   turn = next_of(state, 4), count = 0;

    out[0] = '\0';
    append(out, size, "{");
    for (size_t i = 0; i < 4; i++) {
        size_t which = next_of(state, 3) > 0 ? (i + turn) % 4 : 3 - (i + turn) % 4;
        size_t value = next_of(state, VALUES + 1);
        char   member[256];

        snprintf(member, sizeof member, "'p%zu'", which);
        if (value == VALUES || strstr(out, member))
            continue;
        snprintf(member, sizeof member, "%s'p%zu':%s", count++ > 0 ? "," : "", which,
                 kinds[of[which]].values[value]);
        append(out, size, member);
        if (next_of(state, 4) > 0)
            continue;
        append(out, size, ",");
        append(out, size, others[i]);
    }
    append(out, size, "}");
    requote(out, '\'', '"');
}

/* A note of a fault says later what would have been said of it at once. */
static void notes_change_no_report(void **state)
{
    static const char *const rest[] = { "", ",'additionalProperties':false",
                                        ",'additionalProperties':{'type':'integer'},'maxProperties':3",
                                        ",'required':['p1','p3','q'],'minProperties':2",
                                        ",'additionalProperties':false,'required':['p0','p2']" };
    size_t                   chance = 1;

    (void)state;
    for (size_t round = 0; round < 200; round++) {
        static char   slow[REPORT_ROOM], known[REPORT_ROOM], text[REPORT_ROOM];
        char          words[2048];
        size_t        of[4];
        tenon_schema *schema;

        for (size_t i = 0; i < 4; i++)
            of[i] = next_of(&chance, KINDS);
        snprintf(
            words, sizeof words,
            "{'$defs':{'r':{'type':'integer','maximum':4}},'properties':{'p0':%s,'p1':%s,'p2':%s,'p3':%s}%s}",
            kinds[of[0]].schema, kinds[of[1]].schema, kinds[of[2]].schema, kinds[of[3]].schema,
            rest[round % (sizeof rest / sizeof *rest)]);
        requote(words, '\'', '"');
        schema = tenon_schema_new(words, strlen(words));
        assert_non_null(schema);
        assert_null(tenon_schema_error(schema));
        for (size_t turn = 0; turn < 40; turn++) {
            write_members(text, sizeof text, of, &chance);
            assert_same_reports(schema, text, report(schema, text, MEMBER_BY_MEMBER, slow));
            report(schema, text, LOOK_FIRST, known);
            assert_string_equal(known, slow);
        }
        tenon_schema_free(schema);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_change_no_report),
        cmocka_unit_test(facts_of_what_is_put_off),
        cmocka_unit_test(facts_may_be_lost),
        cmocka_unit_test(notes_change_no_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
