/* validate.c - `tenon validate SCHEMA INSTANCE...`: is each instance valid? */
#include <string.h>

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
    OPTION_ANNOTATIONS,
    OPTION_REPAIR,
    OPTION_REGISTRY,
    OPTION_FORMAT,
    OPTION_DIALECT,
    OPTION_DRAFT_07,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option table[] = {
    [OPTION_OUTPUT]      = { "output", '\0', "text|flag|basic|detailed",
                             "text by default; the others are JSON, a line per instance" },
    [OPTION_ANNOTATIONS] = { "annotations", '\0', NULL,
                             "print what the schema says of valid instances: titles, defaults, formats" },
    [OPTION_REPAIR]      = { "repair", '\0', NULL,
                             "print each instance repaired; changes of type are reported on stderr" },
    [OPTION_REGISTRY]    = { "registry", '\0', "[BASE_URI=]PATH",
                             "where references lead: the documents of a folder, or a file; repeatable" },
    [OPTION_FORMAT]   = { "format-assertion", '\0', NULL, "check \"format\"; it is only a note otherwise" },
    [OPTION_DIALECT]  = { "dialect", '\0', "2020-12|2019-09|draft-07|draft-06|draft-04",
                          "of documents without $schema; the first by default" },
    [OPTION_DRAFT_07] = { "draft-07", '\0', NULL, "the same as --dialect draft-07" },
    [OPTION_HELP]     = { "help", 'h', NULL, "print this" },
    [OPTION_VERSION]  = { "version", '\0', NULL, "print the version" },
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
    const char          **places; /* of --registry */
    size_t                place_count;
    struct registry       registry;
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
          "or the call is unusable, or an instance cannot be validated within the limits.\n",
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
    static const char *const names[] = {
        [FORM_TEXT] = "text", [FORM_FLAG] = "flag", [FORM_BASIC] = "basic", [FORM_DETAILED] = "detailed"
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            validation->manner.form = (enum form)i;
            return true;
        }
    console_error(validation->console, "--output must be text, flag, basic or detailed, got '%s'; " SEE_HELP,
                  value);
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

static bool validate_take_option(struct validation *validation, int row, const char *value)
{
    switch (row) {
    case OPTION_OPERAND: validation->operands[validation->operand_count++] = value; return true;
    case OPTION_OUTPUT: return set_output(validation, value);
    case OPTION_ANNOTATIONS: validation->manner.annotations = true; return true;
    case OPTION_REPAIR: validation->manner.repair = true; return true;
    case OPTION_REGISTRY: validation->places[validation->place_count++] = value; return true;
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
    if (validation->manner.repair && (validation->manner.form != FORM_TEXT || validation->manner.annotations))
        return wrong_call(validation,
                          "--repair prints the repaired instance, without --output and --annotations");
    if (validation->manner.annotations && validation->manner.form == FORM_FLAG)
        return wrong_call(validation, "--output flag has no annotations");
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
    validation->places   = tn_arena_array(&validation->arena, (size_t)count + 1, const char *);
    if (!validation->operands || !validation->places)
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

    ids_warn(&validation->registry);
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

/* What --registry names must be there, whether it is needed or not. */
static bool open_registry(struct validation *validation)
{
    struct registry *registry = &validation->registry;

    registry->console = validation->console;
    registry->arena   = &validation->arena;
    registry->dialect = validation->dialect;
    if (!registry_init(registry, validation->place_count))
        return validate_out_of_memory(validation);
    for (size_t i = 0; i < validation->place_count; i++)
        if (!registry_add(registry, validation->places[i], SEE_HELP))
            return false;
    return true;
}

/* False when there is none to validate by, which was printed. */
static bool read_schema(struct validation *validation)
{
    const char            *path   = validation->operands[0], *uri;
    struct file            file   = file_read(&validation->arena, path);
    struct validate_source source = { source_name(path), file.text };

    if (file.why) {
        console_error(validation->console, "%s: %s", source.name, file.why);
        return false;
    }
    if (!open_registry(validation))
        return false;
    uri                = registry_uri_of(&validation->registry, path);
    validation->schema = tenon_schema_new(file.text.at, file.text.len, .uri = uri,
                                          .format_assertion = validation->format_assertion,
                                          .dialect = validation->dialect, .load = registry_load,
                                          .load_user = &validation->registry);
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
    registry_free(&validation.registry);
    tn_arena_free(&validation.arena);
    return ending;
}

const struct command command_validate = { "validate", "validate JSON files by a JSON Schema", validate_run };
