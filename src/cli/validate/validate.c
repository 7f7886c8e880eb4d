/* validate.c - `tenon validate SCHEMA INSTANCE...`: is each instance valid? */
#include <errno.h>
#include <string.h>

#include <tenon/root.h>
#include <tenon/schema.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/validate/instance.h"
#include "cli/validate/place.h"
#include "cli/validate/registry.h"
#include "json/locate.h"

#define OWNER    "schema: " /* how the engine begins what it says of a schema */
#define SEE_HELP "see tenon validate --help"

enum {
    OPTION_OUTPUT,
    OPTION_REPAIR,
    OPTION_REGISTRY,
    OPTION_FORMAT,
    OPTION_DIALECT,
    OPTION_DRAFT_07,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option table[] = {
    [OPTION_OUTPUT]   = { "output", '\0', "FORM",
                          "text (default), flag or basic (with annotations): JSON, a line per instance" },
    [OPTION_REPAIR]   = { "repair", '\0', NULL,
                          "print each instance repaired; changes of type are reported on stderr" },
    [OPTION_REGISTRY] = { "registry", '\0', "BASE_URI=FOLDER",
                          "references to BASE_URI lead to the .json files below FOLDER; repeatable" },
    [OPTION_FORMAT]   = { "format-assertion", '\0', NULL, "check \"format\"; it is only a note otherwise" },
    [OPTION_DIALECT]  = { "dialect", '\0', "NAME",
                          "of documents without $schema: 2020-12 (default), 2019-09, draft-07, draft-06, "
                           "draft-04" },
    [OPTION_DRAFT_07] = { "draft-07", '\0', NULL, "the same as --dialect draft-07" },
    [OPTION_HELP]     = { "help", 'h', NULL, "print this" },
    [OPTION_VERSION]  = { "version", '\0', NULL, "print the version" },
};

struct folder {
    const char *uri, *path;
};

/* What was asked for, and what was made to do it. */
struct validation {
    const struct console *console;
    struct tn_arena       arena;
    struct manner         manner;
    bool                  format_assertion, told; /* told: --help or --version */
    tenon_dialect         dialect;
    const char          **operands; /* the schema, then the instances */
    size_t                operand_count;
    struct folder        *folders;
    size_t                folder_count;
    tenon_schemas        *schemas;
    tenon_schema         *schema;
    tenon_verdict        *verdict;
};

/* ---- The call ----------------------------------------------------------------------------------------------- */

static void print_help(FILE *to)
{
    fputs("Usage: tenon validate [OPTION]... SCHEMA INSTANCE...\n\n"
          "Checks whether JSON files are valid by a JSON Schema (2020-12, 2019-09, draft-07,\n"
          "draft-06 or draft-04).\n"
          "- is standard input. Nothing is ever fetched from the network.\n\n",
          to);
    options_help(to, table, (int)(sizeof table / sizeof *table));
    fputs("\nEnds with 0 when all instances are valid, 1 when one is not, 2 when the schema, a file\n"
          "or the call is unusable.\n",
          to);
}

static bool validate_out_of_memory(const struct validation *validation)
{
    console_error(validation->console, "out of memory");
    return false;
}

static bool wrong_call(const struct validation *validation, const char *text)
{
    console_error(validation->console, "%s; " SEE_HELP, text);
    return false;
}

static bool set_output(struct validation *validation, const char *value)
{
    static const char *const names[] = { [FORM_TEXT] = "text", [FORM_FLAG] = "flag", [FORM_BASIC] = "basic" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            validation->manner.form = (enum form)i;
            return true;
        }
    console_error(validation->console, "--output must be text, flag or basic, got '%s'; " SEE_HELP, value);
    return false;
}

static bool set_dialect(struct validation *validation, const char *value)
{
    static const char *const names[] = {
        [TENON_DIALECT_2020_12] = "2020-12",   [TENON_DIALECT_2019_09] = "2019-09",
        [TENON_DIALECT_DRAFT_07] = "draft-07", [TENON_DIALECT_DRAFT_06] = "draft-06",
        [TENON_DIALECT_DRAFT_04] = "draft-04",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            validation->dialect = (tenon_dialect)i;
            return true;
        }
    console_error(validation->console,
                  "--dialect must be 2020-12, 2019-09, draft-07, draft-06 or draft-04, got '%s'; " SEE_HELP,
                  value);
    return false;
}

static bool set_registry(struct validation *validation, const char *value)
{
    struct folder *folder = &validation->folders[validation->folder_count++];
    const char    *why    = registry_split(&validation->arena, value, &folder->uri, &folder->path);

    if (why)
        console_error(validation->console, "--registry %s %s; " SEE_HELP, value, why);
    return !why;
}

static bool validate_take_option(struct validation *validation, int row, const char *value)
{
    switch (row) {
    case OPTION_OPERAND: validation->operands[validation->operand_count++] = value; return true;
    case OPTION_OUTPUT: return set_output(validation, value);
    case OPTION_REPAIR: validation->manner.repair = true; return true;
    case OPTION_REGISTRY: return set_registry(validation, value);
    case OPTION_FORMAT: validation->format_assertion = true; return true;
    case OPTION_DIALECT: return set_dialect(validation, value);
    case OPTION_DRAFT_07: validation->dialect = TENON_DIALECT_DRAFT_07; return true;
    case OPTION_HELP: print_help(validation->console->out); break;
    default: fprintf(validation->console->out, "tenon %s\n", tenon_version()); break;
    }
    validation->told = true;
    return true;
}

static bool check_call(const struct validation *validation)
{
    size_t inputs = 0;

    for (size_t i = 0; i < validation->operand_count; i++)
        inputs += strcmp(validation->operands[i], "-") == 0;
    if (validation->operand_count == 0)
        return wrong_call(validation, "a SCHEMA and an INSTANCE are missing");
    if (validation->operand_count == 1)
        return wrong_call(validation, "an INSTANCE is missing");
    if (inputs > 1)
        return wrong_call(validation, "standard input (-) can be read only once");
    if (validation->manner.repair && validation->manner.form != FORM_TEXT)
        return wrong_call(validation,
                          "--repair prints the repaired instance and goes with --output text only");
    return true;
}

/* False when the call is wrong, which was said. */
static bool read_call(struct validation *validation, int count, char **arguments)
{
    struct options options = { .table       = table,
                               .table_count = (int)(sizeof table / sizeof *table),
                               .arguments   = arguments,
                               .count       = count };
    int            row;

    validation->operands = tn_arena_array(&validation->arena, (size_t)count + 1, const char *);
    validation->folders  = tn_arena_array(&validation->arena, (size_t)count + 1, struct folder);
    if (!validation->operands || !validation->folders)
        return validate_out_of_memory(validation);
    while ((row = options_next(&options)) != OPTION_END) {
        if (row == OPTION_WRONG)
            return wrong_call(validation, options.why);
        if (!validate_take_option(validation, row, options.value))
            return false;
        if (validation->told)
            return true;
    }
    validation->manner.several = validation->operand_count > 2;
    return check_call(validation);
}

/* ---- The schema --------------------------------------------------------------------------------------------- */

/* Is `uri` the schema's: that of the call, or its own $id as it is written? */
static bool is_own_uri(const struct validate_source *source, const char *given, struct tn_slice uri)
{
    struct tn_slice id = SLICE_LIT("/$id"), old_id = SLICE_LIT("/id"); /* the latter of draft-04 */
    size_t          byte;

    if (uri.len == 0 || (given && tn_slice_is(uri, given)))
        return true;
    return (tn_json_locate(source->text, id, &byte) || tn_json_locate(source->text, old_id, &byte)) &&
           source->text.len - byte > uri.len + 1 &&
           memcmp(source->text.at + byte + 1, uri.at, uri.len) == 0 &&
           source->text.at[byte + 1 + uri.len] == '"';
}

/* Where the engine's "URI#/POINTER: TEXT" is in the schema's file; only the file when it is in another. */
static const char *place_of_mistake(struct tn_arena *arena, const struct validate_source *source,
                                    const char *uri, const char *text)
{
    const char *pointer = strchr(text, '#');
    size_t      byte;

    if (!pointer || !is_own_uri(source, uri, (struct tn_slice){ text, (size_t)(pointer - text) }))
        return source->name;
    pointer++;
    for (const char *end = strstr(pointer, ": "); end; end = strstr(end + 1, ": "))
        if (tn_json_locate(source->text, (struct tn_slice){ pointer, (size_t)(end - pointer) }, &byte))
            return place_of_byte(arena, source, byte);
    return source->name;
}

static bool say_mistake(struct validation *validation, const struct validate_source *source, const char *uri)
{
    const char *text = tenon_schema_error(validation->schema), *place, *what;

    if (place_of_fault(&validation->arena, source, &place, &what))
        text = what;
    else {
        if (strncmp(text, OWNER, sizeof OWNER - 1) == 0)
            text += sizeof OWNER - 1;
        place = place_of_mistake(&validation->arena, source, uri, text);
    }
    console_finding(validation->console, false, place ? place : source->name, text);
    return false;
}

/* Registers what the folders hold; *uri is the schema's own, when it lies in one of them. */
static bool register_folders(struct validation *validation, const struct file *schema, const char **uri)
{
    struct registry registry = { .console = validation->console,
                                 .arena   = &validation->arena,
                                 .schemas = validation->schemas,
                                 .own     = { .device = schema->device, .number = schema->number } };

    for (size_t i = 0; i < validation->folder_count; i++)
        if (!registry_add(&registry, validation->folders[i].uri, validation->folders[i].path))
            return false;
    *uri = registry.own.uri;
    return registry_settle(&registry);
}

/* A folder that is not there is a mistake, whether it is needed or not. */
static bool folders_are_there(struct validation *validation)
{
    for (size_t i = 0; i < validation->folder_count; i++) {
        const char  *path = validation->folders[i].path;
        tenon_root  *root;
        tenon_status status = tenon_root_new(path, NULL, &root);

        if (status == TENON_E_NOMEM)
            return validate_out_of_memory(validation);
        if (status != TENON_OK) {
            console_error(validation->console, "%s: %s", path, strerror(errno));
            return false;
        }
        tenon_root_free(root);
    }
    return true;
}

/* Is the schema sound? `uri` is its own, or NULL. */
static bool validate_compile(struct validation *validation, const struct file *file, const char *uri)
{
    tenon_schema_free(validation->schema);
    validation->schema = tenon_schema_new(file->text.at, file->text.len, .schemas = validation->schemas,
                                          .uri = uri, .format_assertion = validation->format_assertion,
                                          .dialect = validation->dialect);
    return validation->schema && !tenon_schema_error(validation->schema);
}

/* False when there is none to judge by, which was said. Folders may hold thousands of documents, and are read only when
 * the schema is not sound without them. */
static bool read_schema(struct validation *validation)
{
    const char            *path = validation->operands[0], *uri = NULL;
    struct file            file   = file_read(&validation->arena, path);
    struct validate_source source = { source_name(path), file.text };

    if (file.why) {
        console_error(validation->console, "%s: %s", source.name, file.why);
        return false;
    }
    validation->schemas = tenon_schemas_new(.dialect = validation->dialect);
    if (!validation->schemas)
        return validate_out_of_memory(validation);
    if (!folders_are_there(validation))
        return false;
    if (!validate_compile(validation, &file, NULL) && validation->folder_count > 0) {
        if (!register_folders(validation, &file, &uri))
            return false;
        validate_compile(validation, &file, uri);
    }
    if (validation->schema && tenon_schema_error(validation->schema))
        return say_mistake(validation, &source, uri);
    validation->verdict = validation->schema ? tenon_verdict_new(validation->schema) : NULL;
    return validation->verdict || validate_out_of_memory(validation);
}

/* ---- The instances ------------------------------------------------------------------------------------------ */

static enum ending judge_file(struct validation *validation, struct tn_arena *arena, const char *path)
{
    struct file            file   = file_read(arena, path);
    struct validate_source source = { source_name(path), file.text };

    if (file.why) {
        console_error(validation->console, "%s: %s", source.name, file.why);
        return ENDING_UNUSABLE;
    }
    return instance_judge(validation->console, &validation->manner, validation->verdict, arena, &source);
}

/* Goes on after a bad one; the worst ending is the call's. */
static enum ending judge_all(struct validation *validation)
{
    tenon_allocator memory = tn_memory_of(NULL);
    enum ending     worst  = ENDING_GOOD;
    struct tn_arena arena;

    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 1; i < validation->operand_count && !ferror(validation->console->out); i++) {
        enum ending one = judge_file(validation, &arena, validation->operands[i]);

        worst = one > worst ? one : worst;
        tn_arena_reset(&arena);
    }
    tn_arena_free(&arena);
    return worst;
}

static enum ending validate_run(const struct console *console, int count, char **arguments)
{
    struct validation validation = { .console = console };
    tenon_allocator   memory     = tn_memory_of(NULL);
    enum ending       ending     = ENDING_UNUSABLE;

    tn_arena_init(&validation.arena, &memory, 0);
    if (read_call(&validation, count, arguments)) {
        if (validation.told)
            ending = ENDING_GOOD;
        else if (read_schema(&validation))
            ending = judge_all(&validation);
    }
    tenon_verdict_free(validation.verdict);
    tenon_schema_free(validation.schema);
    tenon_schemas_free(validation.schemas);
    tn_arena_free(&validation.arena);
    return ending;
}

const struct command command_validate = { "validate", "validate JSON files by a JSON Schema", validate_run };
