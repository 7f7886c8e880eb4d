/* declared_twice_fuzz.c - one tool declared twice, by rows and by the document that these rows publish: both take a call or
 * both refuse it, and they refuse the same parameters with the same sentences.
 *
 * What the document accepts needs no further repair, and no answer repeats a secret. The rows have none of what a JSON
 * Schema has no words for, so that few differences are left; each has a name below. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/toolbox.h>
#include <yyjson.h>

#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* ---- The tool -------------------------------------------------------------------------------------------------- */

enum level { LOW, MID, HIGH };
static const char *const level_names[] = { [LOW] = "low", [MID] = "mid", [HIGH] = "High" };

typedef struct {
    const char *name, *hush;
    int64_t     age;
    tenon_ints  ids;
} person;

typedef struct {
    const char *must, *code, *word, *mail, *hush;
    int64_t     whole, few, figure;
    double      number, ratio;
    bool        flag, on;
    enum level  level, chosen;
    tenon_strs  strs, tags;
    tenon_ints  ints;
    tenon_nums  nums;
    tenon_enums levels;
    tenon_map   map;
    person      owner;
    TENON_LIST_OF(person) people;
} every;

TENON_ROWS(person_rows, person,
    TENON_STR (name, "A name.", .required = true, .len = {1, 20}),
    TENON_STR (hush, "A secret.", .secret = true, .len = {3, 12}),
    TENON_INT (age,  "Years.", .range = {0, 150}),
    TENON_INTS(ids,  "Numbers.", .range = {1, 9}, .unique = true));

static tenon_outcome by_rows(tenon_call *call, const every *args)
{
    (void)args;
    return tenon_ok(call);
}

TENON_TOOL(by_rows, every, TENON_INFO("Take what the rows allow."),
    TENON_STR    (must,   "A text.", .required = true, .len = {1, 40}),
    TENON_STR    (code,   "A code.", .len = {1, 12}, .pattern = "^[a-z]+(-[0-9]{2})*$", .example = "ab-12"),
    TENON_STR    (word,   "A word.", .len = {2, 9}),
    TENON_STR    (mail,   "An address.", .len = {1, 60}, .format = "email"),
    TENON_STR    (hush,   "A secret.", .secret = true, .len = {3, 12}),
    TENON_INT    (whole,  "A number."),
    TENON_INT    (few,    "A few.", .range = {1, 10}, .def = 3),
    TENON_INT    (figure, "A secret.", .secret = true, .range = {1, 1000000000}),
    TENON_NUM    (number, "A number."),
    TENON_NUM    (ratio,  "A share.", .range = {0, 1}),
    TENON_BOOL   (flag,   "Or not."),
    TENON_BOOL   (on,     "Or off.", .def = true),
    TENON_ENUM   (level,  level_names, "A level."),
    TENON_ENUM   (chosen, level_names, "A level.", .def = MID),
    TENON_STRS   (strs,   "Texts.", .len = {1, 20}, .count = {0, 5}),
    TENON_STRS   (tags,   "Codes.", .len = {1, 9}, .pattern = "^[a-z]+$", .example = "[\"a\"]", .unique = true),
    TENON_INTS   (ints,   "Numbers.", .range = {-5, 5}, .count = {1, 6}),
    TENON_NUMS   (nums,   "Numbers.", .unique = true),
    TENON_ENUMS  (levels, level_names, "Levels.", .count = {0, 4}),
    TENON_MAP    (map,    "Texts.", .count = {0, 4}, .len = {1, 9}),
    TENON_OBJECT (owner,  person_rows, "A person."),
    TENON_OBJECTS(people, person_rows, "Persons.", .count = {0, 6}));

#define TAKEN_LEN_MAX ((size_t)1 << 20)

static tenon_writer *taken; /* the arguments of the last call that the document took */

static tenon_outcome by_document(tenon_call *call, const tenon_json *args)
{
    tenon_writer_free(taken);
    taken = tenon_writer_new(NULL, TAKEN_LEN_MAX);
    tenon_write_json(taken, NULL, args);
    return tenon_ok(call);
}

TENON_SCHEMA_TOOL(by_document, TENON_INFO("Take what the schema allows."), "{\"type\":\"object\"}");

/* ---- Both declarations ----------------------------------------------------------------------------------------- */

static tenon_tool     document_tool;
static char          *schema;
static tenon_toolbox *box;
static tenon_call    *call;

/* One answer, kept. */
struct answer {
    char       *json;
    size_t      len;
    bool        is_error;
    yyjson_doc *doc;
};

struct both {
    const char   *sent;
    size_t        len;
    struct answer rows, document;
};

static void require(const struct both *both, bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    if (both)
        fprintf(stderr, "  sent     %.*s\n  rows     %s\n  document %s\n", (int)both->len, both->sent,
                both->rows.json ? both->rows.json : "", both->document.json ? both->document.json : "");
    abort();
}

/* Rows do not publish which values are secrets; a document can say it. */
static void mark_secrets(yyjson_mut_doc *doc, yyjson_mut_val *object)
{
    static const char *const names[]    = { "hush", "figure" };
    yyjson_mut_val          *properties = yyjson_mut_obj_get(object, "properties");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        yyjson_mut_val *secret = yyjson_mut_obj_get(properties, names[i]);

        if (secret)
            yyjson_mut_obj_add_bool(doc, secret, "writeOnly", true);
    }
}

static char *document_of(const char *published)
{
    yyjson_doc     *read = yyjson_read(published, strlen(published), 0);
    yyjson_mut_doc *doc  = yyjson_doc_mut_copy(read, NULL);
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    char           *text;

    mark_secrets(doc, root);
    mark_secrets(doc, yyjson_mut_doc_ptr_get(doc, "/properties/owner"));
    mark_secrets(doc, yyjson_mut_doc_ptr_get(doc, "/properties/people/items"));
    text = yyjson_mut_write(doc, 0, NULL);
    yyjson_mut_doc_free(doc);
    yyjson_doc_free(read);
    return text;
}

static void let_go(void)
{
    tenon_writer_free(taken);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    free(schema);
}

static void make_ready(void)
{
    box = tenon_toolbox_new();
    require(NULL, tenon_toolbox_add(box, by_rows_tool()) == TENON_OK, "the rows do not compile");
    schema               = document_of(tenon_toolbox_find(box, "by_rows")->input);
    document_tool        = *by_document_tool();
    document_tool.schema = schema;
    require(NULL, tenon_toolbox_add(box, &document_tool) == TENON_OK, "the document does not compile");
    call = tenon_call_new(box);
    require(NULL, call != NULL, "no memory");
    atexit(let_go);
}

static struct answer ask(const char *tool, const char *json, size_t len)
{
    const tenon_answer *answer = tenon_call_run(call, tool, json, len);
    struct answer       kept   = { malloc(answer->len + 1), answer->len, answer->is_error, NULL };

    require(NULL, kept.json && tn_utf8_valid(answer->json, answer->len), "an answer is UTF-8");
    memcpy(kept.json, answer->json, answer->len + 1);
    kept.doc = yyjson_read(kept.json, kept.len, 0);
    require(NULL, kept.doc != NULL, "an answer is JSON");
    return kept;
}

static struct both ask_both(const char *json, size_t len)
{
    return (struct both){ json, len, ask("by_rows", json, len), ask("by_document", json, len) };
}

static void forget(struct answer *answer)
{
    free(answer->json);
    yyjson_doc_free(answer->doc);
}

static void forget_both(struct both *both)
{
    forget(&both->rows);
    forget(&both->document);
}

/* ---- Differences that are meant -------------------------------------------------------------------------------- */

#define DIGITS_MAX 15 /* that every double keeps */

static bool contains(const char *json, size_t len, const char *what)
{
    size_t what_len = strlen(what);

    for (size_t i = 0; i + what_len <= len; i++)
        if (memcmp(json + i, what, what_len) == 0)
            return true;
    return false;
}

/* U+0000 is a character of JSON, and ends a C string. */
static bool has_nul(const char *at, const char *end)
{
    return contains(at, (size_t)(end - at), "\\u0000");
}

/* A document keeps a blank text that its schema allows. As bytes: it may stand in a text that is JSON itself. */
static bool has_blank(const char *at, const char *end)
{
    for (; at < end; at++) {
        const char *next = at + 1;

        if (*at != '"')
            continue;
        while (next < end && (*next == ' ' || *next == '\\' || *next == 'n' || *next == 't' || *next == 'r' ||
                              (unsigned char)*next >= 0x80))
            next++;
        if (next > at + 1 && next < end && *next == '"')
            return true;
    }
    return false;
}

/* Numbers of JSON Schema have any size and precision, those of C do not. */
static bool has_large_number(const char *at, const char *end)
{
    size_t digits = 0;

    for (; at < end; at++) {
        if (*at >= '0' && *at <= '9')
            digits++;
        else if ((*at == 'e' || *at == 'E') && digits > 0)
            return true;
        else if (*at != '.')
            digits = 0;
        if (digits > DIGITS_MAX)
            return true;
    }
    return false;
}

/* Text that is not valid is found by a document wherever it stands, by rows where a rule reaches it. */
static bool has_bad_text(const char *at, const char *end)
{
    return !tn_utf8_valid(at, (size_t)(end - at)) || contains(at, (size_t)(end - at), "\\ud") ||
           contains(at, (size_t)(end - at), "\\uD");
}

static size_t count_twice(yyjson_val *value)
{
    size_t      twice = 0, i, k, count, keys;
    yyjson_val *key, *one, *other, *of;

    if (!yyjson_is_ctn(value))
        return 0;
    yyjson_arr_foreach(value, i, count, one) twice += count_twice(one);
    yyjson_obj_foreach(value, i, count, key, one)
    {
        twice += count_twice(one);
        yyjson_obj_foreach(value, k, keys, other, of) twice += k < i && yyjson_equals(key, other);
    }
    return twice;
}

/* Of a name that comes twice rows report that alone, a document also what is wrong with both values; of several where no rule
 * looks, a document names the first. */
static bool has_names_twice(const char *at, const char *end)
{
    yyjson_doc *doc   = yyjson_read(at, (size_t)(end - at), YYJSON_READ_BIGNUM_AS_RAW);
    bool        twice = count_twice(yyjson_doc_get_root(doc)) > 0;

    yyjson_doc_free(doc);
    return twice;
}

/* What was null, or an empty text, is not there for a document, which may then suggest its name for an unknown one. */
static bool has_nothing(const char *at, const char *end)
{
    return contains(at, (size_t)(end - at), "null") || contains(at, (size_t)(end - at), "\"\"");
}

enum sameness { SAME_NOTHING, SAME_VERDICT, SAME_SENTENCES };

static const struct {
    const char *name;
    bool (*explains)(const char *at, const char *end);
    enum sameness left; /* what is the same nevertheless */
} differences[] = {
    { "NUL", has_nul, SAME_NOTHING },
    { "blank", has_blank, SAME_NOTHING },
    { "number", has_large_number, SAME_NOTHING },
    { "UTF-8", has_bad_text, SAME_VERDICT },
    { "twice", has_names_twice, SAME_VERDICT },
    { "left out", has_nothing, SAME_VERDICT },
};

static enum sameness sameness_of(const char *json, size_t len)
{
    enum sameness least = SAME_SENTENCES;

    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i].left < least && differences[i].explains(json, json + len))
            least = differences[i].left;
    return least;
}

/* ---- What both say --------------------------------------------------------------------------------------------- */

#define ISSUES_KEPT 25 /* more are counted only, and which of them are kept is each side's own */

static bool has_all_names(yyjson_val *all, yyjson_val *of)
{
    yyjson_obj_iter iter = yyjson_obj_iter_with(of);
    yyjson_val     *name;

    while ((name = yyjson_obj_iter_next(&iter)))
        if (!yyjson_obj_getn(all, yyjson_get_str(name), yyjson_get_len(name)))
            return false;
    return true;
}

/* A document looks for duplicates among items that are no good, too, and matches empty texts; a text inside a text that is
 * not JSON has an example from rows only. */
static bool may_differ(yyjson_val *sentence)
{
    static const char *const parts[] = { " contains duplicate values", " is not valid JSON: ", ", got \"\"" };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (contains(yyjson_get_str(sentence), yyjson_get_len(sentence), parts[i]))
            return true;
    return false;
}

/* Are all sentences of each parameter in `all`? */
static bool has_all_sentences(yyjson_val *all, yyjson_val *of)
{
    yyjson_val *name, *said, *sentence, *other;
    size_t      i, names, k, count, j, others;

    yyjson_obj_foreach(of, i, names, name, said)
    {
        yyjson_val *known = yyjson_obj_getn(all, yyjson_get_str(name), yyjson_get_len(name));

        yyjson_arr_foreach(said, k, count, sentence)
        {
            bool found = may_differ(sentence);

            yyjson_arr_foreach(known, j, others, other) found |= yyjson_equals(other, sentence);
            if (!found)
                return false;
        }
    }
    return true;
}

static void compare(const struct both *both, enum sameness sameness)
{
    yyjson_val *rows     = yyjson_doc_ptr_get(both->rows.doc, "/error/details/fieldErrors");
    yyjson_val *document = yyjson_doc_ptr_get(both->document.doc, "/error/details/fieldErrors");

    require(both, both->rows.is_error == both->document.is_error, "one takes what the other refuses");
    if (!both->rows.is_error || sameness == SAME_VERDICT ||
        yyjson_arr_size(yyjson_doc_ptr_get(both->rows.doc, "/error/details/issues")) >= ISSUES_KEPT ||
        yyjson_arr_size(yyjson_doc_ptr_get(both->document.doc, "/error/details/issues")) >= ISSUES_KEPT)
        return;
    require(both, yyjson_obj_size(rows) > 0 && yyjson_obj_size(document) > 0, "a refusal has a reason");
    require(both, has_all_names(rows, document) && has_all_names(document, rows),
            "the parameters are not the same");
    require(both, has_all_sentences(rows, document) && has_all_sentences(document, rows),
            "the sentences are not the same");
}

/* What was accepted is accepted again, without another word. */
static void send_again(const struct both *both)
{
    size_t      len, again_len;
    const char *text = tenon_writer_text(taken, &len), *written;
    char       *first;
    struct both again;

    require(both, text != NULL, "arguments can be written");
    first = malloc(len + 1);
    require(both, first != NULL, "no memory");
    memcpy(first, text, len + 1);
    again   = (struct both){ first, len, { 0 }, ask("by_document", first, len) };
    written = tenon_writer_text(taken, &again_len);
    require(&again, !again.document.is_error, "what was accepted is refused");
    require(&again, tenon_call_coerced(call) == 0 && tenon_call_reformed(call) == 0,
            "what was repaired is repaired again");
    require(&again, len == again_len && memcmp(first, written, len) == 0, "what was accepted has changed");
    forget(&again.document);
    free(first);
}

/* ---- Secrets --------------------------------------------------------------------------------------------------- */

#define MARK        "~MARK~"
#define MARK_DIGITS "918273645"

/* The value with every leaf of it replaced by a marker of the same type. */
static yyjson_mut_val *marked(yyjson_mut_doc *doc, yyjson_mut_val *value)
{
    yyjson_mut_val *copy, *key, *one;
    size_t          i, count;

    if (yyjson_mut_is_arr(value)) {
        copy = yyjson_mut_arr(doc);
        yyjson_mut_arr_foreach(value, i, count, one) yyjson_mut_arr_append(copy, marked(doc, one));
        return copy;
    }
    if (yyjson_mut_is_obj(value)) {
        copy = yyjson_mut_obj(doc);
        yyjson_mut_obj_foreach(value, i, count, key, one)
            yyjson_mut_obj_add(copy, yyjson_mut_val_mut_copy(doc, key), marked(doc, one));
        return copy;
    }
    if (yyjson_mut_is_str(value))
        return yyjson_mut_str(doc, yyjson_mut_get_len(value) % 4 == 0   ? MARK_DIGITS
                                   : yyjson_mut_get_len(value) % 4 == 1 ? "[\"" MARK "\"]"
                                   : yyjson_mut_get_len(value) % 4 == 2 ? MARK MARK MARK
                                                                        : MARK);
    if (yyjson_mut_is_int(value))
        return yyjson_mut_int(doc, 918273645);
    return yyjson_mut_is_real(value) ? yyjson_mut_real(doc, 918273645.5) : value;
}

/* Marks the secrets of an object of the rows; true when there was one. */
static bool mark_members(yyjson_mut_doc *doc, yyjson_mut_val *object)
{
    static const char *const names[] = { "hush", "figure" };
    bool                     any     = false;

    for (size_t i = 0; yyjson_mut_is_obj(object) && i < sizeof names / sizeof *names; i++) {
        yyjson_mut_val *value = yyjson_mut_obj_get(object, names[i]);

        any |= value && yyjson_mut_obj_put(object, yyjson_mut_str(doc, names[i]), marked(doc, value));
    }
    return any;
}

static void check_secrets(const char *json, size_t len)
{
    struct both both = ask_both(json, len);

    require(&both,
            !contains(both.rows.json, both.rows.len, MARK) &&
                !contains(both.rows.json, both.rows.len, MARK_DIGITS),
            "the rows repeat a secret");
    require(&both,
            !contains(both.document.json, both.document.len, MARK) &&
                !contains(both.document.json, both.document.len, MARK_DIGITS),
            "the document repeats a secret");
    forget_both(&both);
}

/* The call with an object of it as JSON text, and with all of it. */
static void check_texts(yyjson_mut_doc *doc, const char *json, size_t len)
{
    yyjson_mut_val *root  = yyjson_mut_doc_get_root(doc);
    yyjson_mut_val *owner = yyjson_mut_obj_get(root, "owner");
    char           *inner = yyjson_mut_is_obj(owner) ? yyjson_mut_val_write(owner, 0, NULL) : NULL, *text;

    if (inner)
        yyjson_mut_obj_put(root, yyjson_mut_str(doc, "owner"), yyjson_mut_str(doc, inner));
    text = inner ? yyjson_mut_write(doc, 0, &len) : NULL;
    if (text)
        check_secrets(text, len);
    free(text);
    free(inner);
    yyjson_mut_doc_set_root(doc, yyjson_mut_strn(doc, json, strlen(json)));
    text = yyjson_mut_write(doc, 0, &len);
    if (text)
        check_secrets(text, len);
    free(text);
}

/* The same call with secrets that can be found again in an answer. */
static void keep_secrets(const char *json, size_t len)
{
    yyjson_doc     *read = yyjson_read(json, len, 0);
    yyjson_mut_doc *doc  = read ? yyjson_doc_mut_copy(read, NULL) : NULL;
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc), *one;
    bool            any  = false;
    char           *text = NULL;
    size_t          i, count;

    if (yyjson_mut_is_obj(root) && !contains(json, len, MARK) && !contains(json, len, MARK_DIGITS)) {
        any = mark_members(doc, root);
        any |= mark_members(doc, yyjson_mut_obj_get(root, "owner"));
        yyjson_mut_arr_foreach(yyjson_mut_obj_get(root, "people"), i, count, one)
            any |= mark_members(doc, one);
        text = any ? yyjson_mut_write(doc, 0, &len) : NULL;
    }
    if (text) {
        check_secrets(text, len);
        check_texts(doc, text, len);
    }
    free(text);
    yyjson_mut_doc_free(doc);
    yyjson_doc_free(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct both   both;
    enum sameness sameness = sameness_of((const char *)data, len);

    if (!box)
        make_ready();
    both = ask_both((const char *)data, len);
    if (!both.document.is_error)
        send_again(&both);
    if (sameness != SAME_NOTHING)
        compare(&both, sameness);
    forget_both(&both);
    keep_secrets((const char *)data, len);
    return 0;
}
