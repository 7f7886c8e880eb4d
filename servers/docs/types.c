/* types.c - kinds of documents: the schemas that are built in, those of a project, and front matter judged by them. */
#include "docs/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/types_builtin.h"

#define NAME_LEN_MAX   64
#define SCHEMA_LEN_MAX ((size_t)256 << 10)

/* ---- The list ----------------------------------------------------------------------------------------------- */

bool types_init(struct types *types, bool plain_allowed)
{
    *types = (struct types){ 0 };
    for (size_t i = 0; i < TYPES_BUILTIN; i++) {
        struct doc_type *type = &types->at[types->count++];

        *type        = (struct doc_type){ .name        = types_builtin[i].name,
                                          .description = types_builtin[i].description,
                                          .folder      = types_builtin[i].folder };
        type->schema = tenon_schema_new(types_builtin[i].schema, strlen(types_builtin[i].schema),
                                        .format_assertion = true);
        if (!type->schema || tenon_schema_error(type->schema)) {
            types_free(types);
            return false;
        }
    }
    if (plain_allowed)
        types->at[types->count++] = (struct doc_type){ .name        = TYPE_PLAIN,
                                                       .description = "Files without front matter.",
                                                       .folder      = "" };
    return true;
}

void types_free(struct types *types)
{
    for (size_t i = 0; i < types->count; i++) {
        tenon_schema_free(types->at[i].schema);
        if (types->at[i].schema_file)
            free((char *)(uintptr_t)types->at[i].name); /* one block for all its texts */
    }
    *types = (struct types){ 0 };
}

const struct doc_type *types_find(const struct types *types, const char *name)
{
    for (size_t i = 0; i < types->count; i++)
        if (strcmp(types->at[i].name, name) == 0)
            return &types->at[i];
    return NULL;
}

static bool is_name(const char *name)
{
    size_t len = strlen(name);

    return len > 0 && len <= NAME_LEN_MAX && name[0] >= 'a' && name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

static bool refuse(char **mistake, const char *name, const char *text, const char *more)
{
    size_t room = NAME_LEN_MAX + strlen(text) + strlen(more) + 32;

    *mistake = malloc(room);
    if (*mistake)
        snprintf(*mistake, room, "doc type '%.*s': %s%s", NAME_LEN_MAX, name, text, more);
    return false;
}

static const char *put(char **place, const char *text)
{
    size_t len  = strlen(text) + 1;
    char  *copy = memcpy(*place, text, len);

    *place += len;
    return copy;
}

static bool copy_texts(struct doc_type *type, const char *name, const char *description, const char *folder,
                       const char *schema_file)
{
    char *place = malloc(strlen(name) + strlen(description) + strlen(folder) + strlen(schema_file) + 4);

    if (!place)
        return false;
    type->name        = put(&place, name);
    type->description = put(&place, description);
    type->folder      = put(&place, folder);
    type->schema_file = put(&place, schema_file);
    return true;
}

bool types_add(struct types *types, const char *name, const char *description, const char *folder,
               const char *schema_file, const char *schema_json, size_t len, char **mistake)
{
    struct doc_type type = { 0 };

    *mistake = NULL;
    if (!is_name(name))
        return refuse(mistake, name, "a name has up to 64 of a-z, 0-9, - and _, and begins with a letter",
                      "");
    if (types_find(types, name) || strcmp(name, TYPE_PLAIN) == 0)
        return refuse(mistake, name, "there is one of this name already", "");
    if (types->count == TYPES_MAX)
        return refuse(mistake, name, "there are too many", "");
    if (len > SCHEMA_LEN_MAX)
        return refuse(mistake, name, "its schema is longer than 256 KiB", "");
    type.schema = tenon_schema_new(schema_json, len, .format_assertion = true);
    if (!type.schema)
        return false;
    if (tenon_schema_error(type.schema)) {
        refuse(mistake, name, "", tenon_schema_error(type.schema));
        tenon_schema_free(type.schema);
        return false;
    }
    if (!copy_texts(&type, name, description ? description : "", folder ? folder : "",
                    schema_file ? schema_file : "")) {
        tenon_schema_free(type.schema);
        return false;
    }
    types->at[types->count++] = type;
    return true;
}

/* ---- Judging ------------------------------------------------------------------------------------------------ */

/* Codes of the library and kinds of this server. */
static const char *kind_of(const char *code)
{
    static const struct { const char *code, *kind; } kinds[] = {
        { "required", "MissingRequired" }, { "type", "InvalidType" },       { "enum", "InvalidEnum" },
        { "pattern", "PatternMismatch" },  { "format", "PatternMismatch" }, { "date", "PatternMismatch" },
        { "unknown", "UnknownField" },     { "range", "OutOfRange" },       { "length", "InvalidLength" },
        { "count", "InvalidCount" },       { "duplicates", "Duplicates" },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(code, kinds[i].code) == 0)
            return kinds[i].kind;
    return "Invalid";
}

/* As much as fits, in whole characters. */
static void copy(char *out, size_t room, const char *text, size_t len)
{
    if (len >= room) {
        len = room - 1;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
            len--;
    }
    memcpy(out, text, len);
    out[len] = '\0';
}

#define COPY(field, text, len) copy((field), sizeof(field), (text), (len))

/* "x must be WHAT, got THIS" and "x must be one of: WHAT. Got: THIS", taken apart. What is expected is the schema's, what came
 * is the stranger's: the first ", got " is the sentence's own. */
static void take_apart(struct violation *out, const char *text, size_t parameter_len)
{
    static const char must_be[] = "must be ";
    const char       *got       = NULL;
    size_t            mark      = 0;

    text += parameter_len;
    text += *text == ' ';
    if (strncmp(text, must_be, sizeof must_be - 1) == 0)
        text += sizeof must_be - 1;
    if (strncmp(text, "one of: ", 8) == 0 && (got = strstr(text, ". Got: ")))
        mark = 7;
    else if ((got = strstr(text, ", got ")))
        mark = 6;
    COPY(out->expected, text, got ? (size_t)(got - text) : strlen(text));
    if (got)
        COPY(out->actual, got + mark, strlen(got + mark));
}

static void describe(struct violation *out, const tenon_issue *issue)
{
    static const char names[] = "Valid properties: ";
    size_t            len     = strlen(issue->parameter);
    const char       *valid;

    *out = (struct violation){ 0 };
    COPY(out->path, issue->parameter, len);
    snprintf(out->kind, sizeof out->kind, "%s", kind_of(issue->code));
    if (strcmp(issue->code, "required") == 0) {
        COPY(out->expected, "a value", 7);
        COPY(out->actual, "nothing", 7);
    } else if (strcmp(issue->code, "unknown") == 0) {
        valid = strstr(issue->text, names);
        snprintf(out->expected, sizeof out->expected, "one of: ");
        copy(out->expected + 8, sizeof out->expected - 8, valid ? valid + sizeof names - 1 : "",
             valid ? strlen(valid + sizeof names - 1) : 0);
        COPY(out->actual, issue->parameter, len);
    } else
        take_apart(out, issue->text, strncmp(issue->text, issue->parameter, len) == 0 ? len : 0);
}

static size_t not_judged(struct violation *out)
{
    *out = (struct violation){ .kind = "Invalid", .expected = "memory to judge it", .actual = "none" };
    return 1;
}

/* All that the verdict kept, and how many it did not keep. */
static size_t write_violations(tenon_verdict *verdict, struct violation *out)
{
    size_t total = tenon_verdict_issue_total(verdict), count = 0;

    for (size_t i = 0; i < tenon_verdict_issue_count(verdict) && count + 1 < VIOLATIONS_MAX; i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        if (issue)
            describe(&out[count++], issue);
    }
    if (count == 0 || tenon_verdict_failed(verdict))
        return not_judged(out);
    if (total > count) {
        out[count] = (struct violation){ .kind = "More" };
        snprintf(out[count].actual, sizeof out->actual, "%zu more", total - count);
        count++;
    }
    return count;
}

void violation_text(const struct violation *violation, char out[VIOLATION_TEXT_MAX])
{
    snprintf(out, VIOLATION_TEXT_MAX, "%s: %s, expected %s, got %s",
             violation->path[0] ? violation->path : "(front matter)", violation->kind, violation->expected,
             violation->actual[0] ? violation->actual : "nothing");
}

size_t types_judge(const struct doc_type *type, const char *json, size_t len, struct violation *out)
{
    tenon_verdict *verdict;
    size_t         count;

    if (!type->schema)
        return 0;
    verdict = tenon_verdict_new(type->schema);
    if (!verdict)
        return not_judged(out);
    count = tenon_verdict_of(verdict, json, len) ? 0 : write_violations(verdict, out);
    tenon_verdict_free(verdict);
    return count;
}
