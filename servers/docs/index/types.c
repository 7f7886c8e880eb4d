/* types.c - kinds of documents: the schemas that are built in, those of a project, and front matter validated by them. */
#include "docs/index/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/index/types_builtin.h"

#define NAME_LEN_MAX   64
#define SCHEMA_LEN_MAX ((size_t)256 << 10)

/* ---- The list ----------------------------------------------------------------------------------------------- */

static tenon_schema *compile(const char *json, size_t len)
{
    tenon_schema *schema = tenon_schema_new(json, len, .format_assertion = true);

    if (!schema || !tenon_schema_error(schema))
        return schema;
    tenon_schema_free(schema);
    return NULL;
}

bool types_init(struct types *types, bool plain_allowed)
{
    *types = (struct types){ .common = compile(types_common, strlen(types_common)) };
    if (!types->common)
        return false;
    for (size_t i = 0; i < TYPES_BUILTIN; i++) {
        struct doc_type *type = &types->at[types->count++];

        *type        = (struct doc_type){ .name        = types_builtin[i].name,
                                          .description = types_builtin[i].description,
                                          .folder      = types_builtin[i].folder };
        type->schema = compile(types_builtin[i].schema, strlen(types_builtin[i].schema));
        if (!type->schema) {
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
    tenon_schema_free(types->common);
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
               const char *schema_file, const char *schema_json, size_t len, bool with_common, char **mistake)
{
    struct doc_type type = { .common = with_common ? types->common : NULL };

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

/* The library's sentence names the field, what it must be and what came. */
static void describe(struct violation *out, const tenon_issue *issue)
{
    *out = (struct violation){ 0 };
    COPY(out->path, issue->parameter, strlen(issue->parameter));
    snprintf(out->kind, sizeof out->kind, "%s", kind_of(issue->code));
    COPY(out->text, issue->text, strlen(issue->text));
}

static bool is_said(const struct violation *out, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(out[i].path, path, sizeof out->path - 1) == 0)
            return true;
    return false;
}

/* Violations so far, and those that found no room. */
struct judging {
    struct violation *out;
    size_t            count, missed;
    bool              failed; /* for want of memory */
};

/* What a field's own kind says of it is enough: the common rules, which come after, are silent about it. */
static void judge(struct judging *judging, const tenon_schema *schema, const char *json, size_t len)
{
    tenon_verdict *verdict = tenon_verdict_new(schema);
    size_t         before  = judging->count, shown;

    if (!verdict || (!tenon_verdict_judge(verdict, json, len) && tenon_verdict_failed(verdict)))
        judging->failed = true;
    shown = verdict ? tenon_verdict_issue_count(verdict) : 0;
    for (size_t i = 0; i < shown; i++) {
        const tenon_issue *issue = tenon_verdict_issue(verdict, i);

        if (!issue || is_said(judging->out, before, issue->parameter))
            continue;
        if (judging->count + 1 < VIOLATIONS_MAX)
            describe(&judging->out[judging->count++], issue);
        else
            judging->missed++;
    }
    if (verdict)
        judging->missed += tenon_verdict_issue_total(verdict) - shown;
    tenon_verdict_free(verdict);
}

void violation_text(const struct violation *violation, char out[VIOLATION_TEXT_MAX])
{
    if (violation->kind[0])
        snprintf(out, VIOLATION_TEXT_MAX, "%s (%s)", violation->text, violation->kind);
    else
        snprintf(out, VIOLATION_TEXT_MAX, "%s", violation->text);
}

size_t types_judge(const struct doc_type *type, const char *json, size_t len, struct violation *out)
{
    struct judging judging = { .out = out };

    if (!type->schema)
        return 0;
    judge(&judging, type->schema, json, len);
    if (type->common)
        judge(&judging, type->common, json, len);
    if (judging.failed) {
        out[0] = (struct violation){ .kind = "Invalid", .text = "there was no memory to check it" };
        return 1;
    }
    if (judging.missed) {
        out[judging.count] = (struct violation){ 0 };
        snprintf(out[judging.count].text, sizeof out->text, "%zu more", judging.missed);
        judging.count++;
    }
    return judging.count;
}
