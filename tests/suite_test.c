/* suite_test.c - the official JSON Schema test suite, every file of it, with every issue rendered.
 *
 * The suite is not part of this repository: TENON_SUITE names its folder, else ../shared/data/json-schema-test-suite
 * is tried. tests/suite_skips.txt lists the tests that do not pass, each with its reason; one that passes all the
 * same is a failure, so that the list stays true.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <yyjson.h>

#include <tenon/schema.h>

#define PATH_LEN 1024

struct tally {
    size_t passed, failed, skipped;
};

/* What the standard says of an output format. */
struct standard {
    tenon_schemas *schemas;
    tenon_schema  *schema;
    tenon_verdict *verdict;
};

struct run {
    const char    *suite; /* its folder */
    const char    *set;   /* "draft2020-12", for the list of skips */
    tenon_schemas *remotes;
    bool           format_assertion;
    tenon_dialect  dialect;
    struct tally   tally;
    char          *skips;  /* the text of the list */
    size_t         listed; /* of this set, in it */

    struct standard basic, detailed;
};

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long  size;

    *len = 0;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text       = malloc((size_t)size + 1);
    *len       = fread(text, 1, (size_t)size, file);
    text[*len] = '\0';
    fclose(file);
    return text;
}

/* ---- Remote documents --------------------------------------------------------------------------------------- */

static void add_remotes(tenon_schemas *schemas, const char *folder, const char *uri)
{
    DIR           *dir = opendir(folder);
    struct dirent *entry;

    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        char        path[PATH_LEN], name[PATH_LEN];
        struct stat info;

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        snprintf(name, sizeof name, "%s/%.200s", uri, entry->d_name);
        assert_int_equal(stat(path, &info), 0);
        if (S_ISDIR(info.st_mode)) {
            add_remotes(schemas, path, name);
        } else {
            size_t len;
            char  *text = read_file(path, &len);

            tenon_schemas_add(schemas, name, text,
                              len); /* those of draft-03 and of drafts to come are refused */
            free(text);
        }
    }
    closedir(dir);
}

/* ---- One test ----------------------------------------------------------------------------------------------- */

/* Why a test does not pass, up to the end of the line; NULL when it is not listed. */
static const char *reason(const struct run *run, const char *name)
{
    char        line[PATH_LEN];
    const char *found;

    snprintf(line, sizeof line, "\n%.900s | ", name);
    found = run->skips ? strstr(run->skips, line) : NULL;
    return found ? found + strlen(line) : NULL;
}

/* How many lines of the list are about this set. */
static size_t count_listed(const struct run *run)
{
    size_t count = 0;
    char   start[PATH_LEN];

    snprintf(start, sizeof start, "\n%.900s/", run->set);
    for (const char *at = run->skips; at && (at = strstr(at, start)); at++) {
        const char *file = at + strlen(start), *slash = strchr(file, '/'), *colon = strchr(file, ':');

        count += !slash || colon < slash; /* and not about a folder below it */
    }
    return count;
}

/* tests/output.schema.json says what an output format is. */
static struct standard new_standard(const char *form)
{
    struct standard standard = { .schemas = tenon_schemas_new() };
    size_t          len;
    char           *text = read_file("tests/output.schema.json", &len), ref[200];

    assert_non_null(text);
    assert_int_equal(tenon_schemas_add(standard.schemas, "https://tenon.example/output", text, len),
                     TENON_OK);
    snprintf(ref, sizeof ref, "{\"$ref\":\"https://tenon.example/output#/$defs/%s\"}", form);
    standard.schema  = tenon_schema_new(ref, strlen(ref), .schemas = standard.schemas,
                                        .format_assertion = true);
    standard.verdict = tenon_verdict_new(standard.schema);
    assert_null(tenon_schema_error(standard.schema));
    free(text);
    return standard;
}

static void free_standard(struct standard *standard)
{
    tenon_verdict_free(standard->verdict);
    tenon_schema_free(standard->schema);
    tenon_schemas_free(standard->schemas);
}

static void check_output(struct standard *standard, tenon_verdict *verdict, tenon_output form)
{
    size_t      len;
    const char *output = tenon_verdict_output(verdict, form, &len);

    assert_non_null(output);
    if (!tenon_verdict_judge(standard->verdict, output, len))
        fail_msg("%s\nis not in the standard's form: %s", output,
                 tenon_verdict_issue(standard->verdict, 0)->text);
}

/* Everything that can be said of a judgement must be sound text, and in the form of the standard. */
static void render(struct run *run, tenon_verdict *verdict)
{
    for (size_t i = 0; i < tenon_verdict_issue_count(verdict); i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        assert_non_null(issue);
        assert_non_null(issue->text);
        assert_non_null(tenon_verdict_place(verdict, i));
    }
    check_output(&run->basic, verdict, TENON_OUTPUT_BASIC);
    check_output(&run->basic, verdict, TENON_OUTPUT_BASIC_ANNOTATIONS);
    check_output(&run->detailed, verdict, TENON_OUTPUT_DETAILED);
    check_output(&run->detailed, verdict, TENON_OUTPUT_DETAILED_ANNOTATIONS);
}

static void count(struct run *run, const char *name, bool passed, const char *why)
{
    const char *listed = reason(run, name);

    if (listed) {
        if (passed)
            print_error("listed as not passing, and passes: %s\n", name);
        else
            print_message("does not pass, as listed: %s: %.*s\n", name, (int)strcspn(listed, "\n"), listed);
        run->tally.failed += passed;
        run->tally.skipped += !passed;
        return;
    }
    run->tally.passed += passed;
    run->tally.failed += !passed;
    if (!passed)
        print_error("%s%s%s\n", name, why ? ": " : "", why ? why : "");
}

static void run_group(struct run *run, const char *file, yyjson_val *group)
{
    size_t          len, test_len;
    char           *text    = yyjson_val_write(yyjson_obj_get(group, "schema"), 0, &len);
    tenon_schema   *schema  = tenon_schema_new(text, len, .schemas = run->remotes,
                                               .format_assertion = run->format_assertion,
                                               .dialect          = run->dialect);
    tenon_verdict  *verdict = tenon_verdict_new(schema);
    yyjson_arr_iter iter;
    yyjson_val     *test;

    yyjson_arr_iter_init(yyjson_obj_get(group, "tests"), &iter);
    while ((test = yyjson_arr_iter_next(&iter))) {
        char  name[PATH_LEN];
        char *data  = yyjson_val_write(yyjson_obj_get(test, "data"), 0, &test_len);
        bool  want  = yyjson_get_bool(yyjson_obj_get(test, "valid"));
        bool  valid = tenon_verdict_judge(verdict, data, test_len);

        snprintf(name, sizeof name, "%s/%s: %s: %s", run->set, file,
                 yyjson_get_str(yyjson_obj_get(group, "description")),
                 yyjson_get_str(yyjson_obj_get(test, "description")));
        if (!tenon_schema_error(schema))
            render(run, verdict);
        if (!tenon_schema_error(schema) && valid == want &&
            valid == (tenon_verdict_issue_count(verdict) == 0))
            count(run, name, tenon_verdict_flag(verdict, data, test_len) == want,
                  "flag and full judgement differ");
        else
            count(run, name, false, tenon_schema_error(schema));
        free(data);
    }
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    free(text);
}

static void run_file(struct run *run, const char *folder, const char *file)
{
    char            path[PATH_LEN];
    size_t          len;
    char           *text;
    yyjson_doc     *doc;
    yyjson_arr_iter iter;
    yyjson_val     *group;

    snprintf(path, sizeof path, "%s/tests/%s/%s", run->suite, folder, file);
    text = read_file(path, &len);
    assert_non_null(text);
    doc = yyjson_read(text, len, YYJSON_READ_BIGNUM_AS_RAW);
    assert_non_null(doc);
    yyjson_arr_iter_init(yyjson_doc_get_root(doc), &iter);
    while ((group = yyjson_arr_iter_next(&iter)))
        run_group(run, file, group);
    yyjson_doc_free(doc);
    free(text);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_json(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return end && strcmp(end, ".json") == 0;
}

/* The dialect of documents in a folder that do not say theirs. */
static tenon_dialect dialect_of(const char *folder)
{
    static const struct { const char *start; tenon_dialect dialect; } all[] = {
        { "draft2020-12", TENON_DIALECT_2020_12 }, { "draft2019-09", TENON_DIALECT_2019_09 },
        { "draft7", TENON_DIALECT_DRAFT_07 },      { "draft6", TENON_DIALECT_DRAFT_06 },
        { "draft4", TENON_DIALECT_DRAFT_04 },
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strncmp(folder, all[i].start, strlen(all[i].start)) == 0)
            return all[i].dialect;
    fail_msg("no dialect for %s", folder);
    return TENON_DIALECT_2020_12;
}

static void run_folder(const char *folder, bool format_assertion, size_t least)
{
    const char *suite = getenv("TENON_SUITE") ? getenv("TENON_SUITE")
                                              : "../shared/data/json-schema-test-suite";
    struct run  run   = {
           .suite = suite, .set = folder, .format_assertion = format_assertion, .dialect = dialect_of(folder)
    };
    char            path[PATH_LEN];
    struct dirent **files;
    size_t          len;
    int             found;

    snprintf(path, sizeof path, "%s/tests/%s", suite, folder);
    found = scandir(path, &files, is_json, by_name);
    if (found < 0) {
        print_message("skipped: no JSON Schema test suite at %s; set TENON_SUITE\n", suite);
        skip();
    }
    run.skips    = read_file("tests/suite_skips.txt", &len);
    run.remotes  = tenon_schemas_new(.dialect = run.dialect);
    run.basic    = new_standard("basic");
    run.detailed = new_standard("detailed");
    run.listed   = count_listed(&run);
    snprintf(path, sizeof path, "%s/remotes", suite);
    add_remotes(run.remotes, path, "http://localhost:1234");
    for (int i = 0; i < found; i++) {
        run_file(&run, folder, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    free(run.skips);
    tenon_schemas_free(run.remotes);
    free_standard(&run.basic);
    free_standard(&run.detailed);
    print_message("%s: %zu passed, %zu failed, %zu listed as not passing\n", folder, run.tally.passed,
                  run.tally.failed, run.tally.skipped);
    assert_int_equal(run.tally.failed, 0);
    assert_int_equal(run.tally.skipped, run.listed); /* each line of the list is a test that is there */
    assert_true(run.tally.passed >= least);
}

static void draft_2020_12(void **state)
{
    (void)state;
    run_folder("draft2020-12", false, 1299);
}

static void draft_2020_12_optional(void **state)
{
    (void)state;
    run_folder("draft2020-12/optional", false, 162);
}

static void draft_2020_12_formats(void **state)
{
    (void)state;
    run_folder("draft2020-12/optional/format", true, 764);
}

static void draft_2019_09(void **state)
{
    (void)state;
    run_folder("draft2019-09", false, 1259);
}

static void draft_2019_09_optional(void **state)
{
    (void)state;
    run_folder("draft2019-09/optional", false, 158);
}

static void draft_2019_09_formats(void **state)
{
    (void)state;
    run_folder("draft2019-09/optional/format", true, 757);
}

static void draft_07(void **state)
{
    (void)state;
    run_folder("draft7", false, 927);
}

static void draft_07_optional(void **state)
{
    (void)state;
    run_folder("draft7/optional", false, 114);
}

static void draft_07_formats(void **state)
{
    (void)state;
    run_folder("draft7/optional/format", true, 676);
}

static void draft_06(void **state)
{
    (void)state;
    run_folder("draft6", false, 839);
}

static void draft_06_optional(void **state)
{
    (void)state;
    run_folder("draft6/optional", false, 106);
}

static void draft_06_formats(void **state)
{
    (void)state;
    run_folder("draft6/optional/format", true, 325);
}

static void draft_04(void **state)
{
    (void)state;
    run_folder("draft4", false, 618);
}

static void draft_04_optional(void **state)
{
    (void)state;
    run_folder("draft4/optional", false, 99);
}

static void draft_04_formats(void **state)
{
    (void)state;
    run_folder("draft4/optional/format", true, 219);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draft_2020_12),
        cmocka_unit_test(draft_2020_12_optional),
        cmocka_unit_test(draft_2020_12_formats),
        cmocka_unit_test(draft_2019_09),
        cmocka_unit_test(draft_2019_09_optional),
        cmocka_unit_test(draft_2019_09_formats),
        cmocka_unit_test(draft_07),
        cmocka_unit_test(draft_07_optional),
        cmocka_unit_test(draft_07_formats),
        cmocka_unit_test(draft_06),
        cmocka_unit_test(draft_06_optional),
        cmocka_unit_test(draft_06_formats),
        cmocka_unit_test(draft_04),
        cmocka_unit_test(draft_04_optional),
        cmocka_unit_test(draft_04_formats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
