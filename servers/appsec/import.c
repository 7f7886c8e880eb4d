/* import.c - see import.h. */
#include "appsec/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <tenon/tenon.h>

#include "appsec/appsec.h"
#include "kit/text.h"

#define NAME_MAX_LEN 200

struct importing {
    struct sql *sql;
    FILE       *out;
    const char *name; /* of the file, for people */
    const char *app;  /* given with the file, or NULL */
    size_t      problems;
    int64_t     now, written; /* in milliseconds: the time, and when the file was written */
};

static void say(struct importing *importing, const char *problem)
{
    if (importing->problems++ == 0)
        fprintf(importing->out, APPSEC_NAME ": %s is not imported:\n", importing->name);
    fprintf(importing->out, "  %s\n", problem);
}

/* ---- Judging --------------------------------------------------------------------------------------------------------- */

static tenon_schema *compile(const char *const *pieces)
{
    struct text   text = { 0 };
    tenon_schema *schema;

    for (; *pieces; pieces++)
        text_put(&text, *pieces);
    schema = text.failed ? NULL : tenon_schema_new(text_of(&text), text.len, .format_assertion = true);
    text_free(&text);
    return schema;
}

static void say_issues(struct importing *importing, tenon_verdict *verdict)
{
    size_t      told = tenon_verdict_issue_count(verdict), all = tenon_verdict_issue_total(verdict);
    struct text line = { 0 };

    for (size_t i = 0; i < told; i++)
        say(importing, tenon_verdict_issue(verdict, i)->text);
    if (all > told) {
        text_addf(&line, "and %zu more", all - told);
        say(importing, text_of(&line));
    }
    text_free(&line);
}

static bool judge(struct importing *importing, const char *const *pieces, const struct text *json)
{
    tenon_schema  *schema  = compile(pieces);
    tenon_verdict *verdict = schema && !tenon_schema_error(schema) ? tenon_verdict_new(schema) : NULL;
    bool           valid   = verdict && tenon_verdict_judge(verdict, text_of(json), json->len);

    if (schema && tenon_schema_error(schema))
        say(importing, tenon_schema_error(schema));
    else if (!verdict || tenon_verdict_failed(verdict))
        import_out_of_memory(importing);
    else if (!valid)
        say_issues(importing, verdict);
    tenon_verdict_free(verdict);
    tenon_schema_free(schema);
    return valid;
}

/* ---- Storing --------------------------------------------------------------------------------------------------------- */

/* What the database says is reported. As long as the transaction goes on so do others, so that they are looked at too; nothing
 * of it is kept in the end. */
static bool is_well(struct importing *importing)
{
    if (sql_failure(importing->sql) == SQL_OK)
        return true;
    say(importing, sql_failure_text(importing->sql));
    if (sql_is_in_transaction(importing->sql))
        sql_clear(importing->sql);
    return false;
}

struct statement *import_prepare(struct importing *importing, const char *statement)
{
    struct statement *made = sql_statement(importing->sql, statement);

    if (!made)
        is_well(importing);
    return made;
}

static void bind_place(struct statement *statement, int at, int64_t place)
{
    if (place < 0)
        sql_bind_text(statement, at, NULL);
    else
        sql_bind_number(statement, at, place);
}

bool import_run(struct importing *importing, struct statement *statement, const struct import_values *values)
{
    sql_bind_part(statement, 1, values->json.at, values->json.len);
    sql_bind_text(statement, 2, values->stem);
    sql_bind_number(statement, 3, values->at);
    bind_place(statement, 4, values->first);
    bind_place(statement, 5, values->second);
    sql_bind_text(statement, 6, values->app);
    while (sql_row(importing->sql, statement))
        say(importing, sql_text(statement, 0));
    return is_well(importing);
}

bool import_run_all(struct importing *importing, const char *const *statements,
                    const struct import_values *values)
{
    bool good = true;

    for (; good && *statements; statements++) {
        struct statement *statement = import_prepare(importing, *statements);

        good = statement && import_run(importing, statement, values);
    }
    return good;
}

bool import_is_fine(const struct importing *importing)
{
    return importing->problems == 0;
}

bool import_out_of_memory(struct importing *importing)
{
    say(importing, "There is not enough memory.");
    return false;
}

/* ---- Forms ----------------------------------------------------------------------------------------------------------- */

struct form {
    const char        *member; /* that tells it */
    const char *const *schema;
    bool (*store)(struct importing *importing, const struct import_values *values);
    bool names_apps; /* it says itself whose its contents are */
};

static const struct form forms[] = {
    { "bomFormat", cyclonedx_schema, cyclonedx_store, false },
    { "spdxVersion", spdx_schema, spdx_store, false },
    { "runs", sarif_schema, sarif_store, false },
    { "version", sarif_schema, sarif_store, false },
    { NULL, form_schema, form_store, true },
};

static const struct form *form_of(struct piece json)
{
    const struct form *form = forms;

    while (form->member && piece_member(json, form->member).len == 0)
        form++;
    return form;
}

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

/* The file without its mark of byte order, which scanners for Windows write. */
static bool read_file(struct importing *importing, struct text *json)
{
    static char piece[65536];
    struct stat status;
    ssize_t     len;
    int         file = open(importing->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *why  = NULL;

    if (file < 0 || fstat(file, &status) != 0)
        why = strerror(errno);
    else if (!S_ISREG(status.st_mode))
        why = "It is not a file.";
    while (!why && (len = read(file, piece, sizeof piece)) != 0) {
        if (len < 0 && errno != EINTR)
            why = strerror(errno);
        else if (len > 0 && json->len + (size_t)len > IMPORT_BYTES_MAX)
            why = "It is longer than 64 MiB.";
        else if (len > 0)
            text_add(json, piece, (size_t)len);
    }
    if (file >= 0)
        close(file);
    if (!why) {
        int64_t written = (int64_t)status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1000000;

        importing->written = written < importing->now ? written : importing->now;
    }
    if (!why && json->failed)
        why = "There is not enough memory.";
    if (why)
        say(importing, why);
    if (json->len >= 3 && memcmp(json->at, "\xef\xbb\xbf", 3) == 0) {
        memmove(json->at, json->at + 3, json->len - 2);
        json->len -= 3;
    }
    return !why;
}

/* "reports/shop.sarif" is shop. */
static void stem_of(const char *path, char stem[NAME_MAX_LEN + 1])
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t      len  = strcspn(name, ".");

    len = len > 0 ? len : strlen(name);
    len = len < NAME_MAX_LEN ? len : NAME_MAX_LEN;
    memcpy(stem, name, len);
    stem[len] = '\0';
}

/* Text ends at a NUL, in C and in most of SQLite: a name would be another one than it seems. */
static bool has_nul(struct importing *importing, const struct text *json)
{
    const char *at = text_of(json);

    while ((at = strchr(at, '\\')) && at[1] != '\0') {
        if (strncmp(at, "\\u0000", 6) == 0) {
            say(importing, "A text in it has the character NUL (\\u0000).");
            return true;
        }
        at += 2;
    }
    return false;
}

static bool take_text(struct importing *importing, const struct text *json)
{
    char                 stem[NAME_MAX_LEN + 1];
    struct import_values values = {
        .json = { text_of(json), json->len }, .stem = stem, .at = importing->written, .app = importing->app
    };
    const struct form *form = form_of(values.json);

    stem_of(importing->name, stem);
    if (!judge(importing, form->schema, json) || has_nul(importing, json))
        return false;
    if (form->names_apps && importing->app)
        say(importing, "It names its applications itself: give it without a name.");
    return importing->problems == 0 && form->store(importing, &values) && importing->problems == 0;
}

/* Names are shown to people and models: no control characters, no spaces around them. */
static bool is_name(const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 127)
            return false;
    return len > 0 && len <= NAME_MAX_LEN && name[0] != ' ' && name[len - 1] != ' ';
}

/* Splits NAME=PATH. A path that is there is a path, whatever is in its name. */
static bool split_name(struct importing *importing, const char *given, char name[NAME_MAX_LEN + 1])
{
    struct stat status;
    size_t      len = strcspn(given, "=/");

    importing->app  = NULL;
    importing->name = given;
    if (given[len] != '=' || stat(given, &status) == 0)
        return true;
    if (!is_name(given, len)) {
        say(importing, "The name before = must have 1 to 200 characters, none of them a control character.");
        return false;
    }
    memcpy(name, given, len);
    name[len]       = '\0';
    importing->app  = name;
    importing->name = given + len + 1;
    return true;
}

static bool take_file(struct importing *importing, const char *given)
{
    char        name[NAME_MAX_LEN + 1];
    struct text json = { 0 };
    bool        good;

    importing->problems = 0;
    good = split_name(importing, given, name) && read_file(importing, &json) && take_text(importing, &json);
    text_free(&json);
    return good;
}

static bool take_sample(struct importing *importing)
{
    bool good = true;

    importing->name = "the sample";
    for (const char *const *piece = sample_texts; good && *piece; piece++) {
        struct text json = { 0 };

        text_put(&json, *piece);
        good = !json.failed && take_text(importing, &json);
        text_free(&json);
    }
    return good;
}

/* All of them, so that all problems are named at once. SQLite itself ends a transaction that it cannot go on with (no memory, a
 * full disk): what a later file brings would then be written at once, and alone. */
static bool take_all(struct importing *importing, bool sample, const char *const *files, size_t count)
{
    struct import_values values = { .json = { "", 0 }, .stem = "", .at = importing->now };
    bool                 good   = reports_begin(importing, &values) && (!sample || take_sample(importing));

    for (size_t i = 0; i < count && sql_is_in_transaction(importing->sql); i++)
        good = take_file(importing, files[i]) && good;
    return good && reports_end(importing, &values);
}

static int64_t read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool import_into(struct sql *sql, bool sample, const char *const *files, size_t count, FILE *out)
{
    struct importing importing = { .sql = sql, .out = out, .name = "the database", .now = read_clock() };

    importing.written = importing.now;
    return take_all(&importing, sample, files, count);
}

bool import_refuse(FILE *out, const char *why)
{
    fprintf(out, APPSEC_NAME ": the database cannot be written: %s\n", why);
    return false;
}

static bool import_file(struct sql_pool *pool, bool sample, const char *const *files, size_t count, FILE *out)
{
    struct sql *sql = sql_take(pool);
    bool        good;

    if (!sql || !sql_begin(sql)) {
        import_refuse(out, sql ? sql_failure_text(sql) : "it cannot be opened");
        sql_give(pool, sql);
        return false;
    }
    good = import_into(sql, sample, files, count, out);
    if (good && !sql_end(sql))
        good = import_refuse(out, sql_failure_text(sql));
    sql_give(pool, sql);
    return good;
}

bool import_all(struct sql_pool *pool, bool sample, const char *const *files, size_t count, FILE *out)
{
    if (!sample && count == 0)
        return true;
    return (sql_report(pool).is_shared ? import_shared : import_file)(pool, sample, files, count, out);
}
