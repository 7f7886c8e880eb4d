/* api.c - what include/tenon/schema.h offers: registered documents, compiled schemas, verdicts. */
#include <string.h>

#include <tenon/schema.h>

#include "base/memory.h"
#include "base/sized.h"
#include "document/document.h"
#include "document/repair/repair.h"
#include "model/issue_view.h"
#include "text/uri.h"

#define UNKNOWN_OPTION "it has an option that this version of the library does not know"

/* ---- Registered documents ----------------------------------------------------------------------------------- */

struct tenon_schemas {
    tenon_allocator    memory;
    struct tn_arena    arena;
    struct tn_registry library;
    enum tn_dialect    dialect;
    const char        *error;
    bool               refused; /* it takes no document */
};

/* A number that names no dialect is the newest. */
static enum tn_dialect chosen(tenon_dialect dialect, bool draft_07)
{
    if (draft_07)
        return DIALECT_DRAFT_07;
    return (unsigned)dialect < DIALECT_COUNT ? (enum tn_dialect)dialect : DIALECT_2020_12;
}

tenon_schemas *tenon_schemas_new_(const tenon_schemas_options *given)
{
    tenon_schemas_options options = { 0 };
    tenon_allocator       from;
    tenon_schemas        *schemas;
    bool                  known;

    known   = tn_sized_read(&options, sizeof options, given, given->size) && options.reserved_ == 0;
    from    = tn_memory_of(options.memory);
    schemas = tn_memory_new(&from, sizeof *schemas);
    if (!schemas)
        return NULL;
    *schemas = (tenon_schemas){ .memory = from, .dialect = chosen(options.dialect, options.draft_07) };
    tn_arena_init(&schemas->arena, &from, 0);
    schemas->library.arena = &schemas->arena;
    schemas->error         = known ? NULL : UNKNOWN_OPTION;
    schemas->refused       = !known;
    return schemas;
}

void tenon_schemas_free(tenon_schemas *schemas)
{
    tenon_allocator memory;

    if (!schemas)
        return;
    memory = schemas->memory;
    tn_arena_free(&schemas->arena);
    tn_memory_free(&memory, schemas, sizeof *schemas);
}

const char *tenon_schemas_error(const tenon_schemas *schemas)
{
    return schemas->error;
}

tenon_status tenon_schemas_add(tenon_schemas *schemas, const char *uri, const char *json, size_t len)
{
    struct tn_mistake   mistake = { .arena = &schemas->arena, .owner = uri };
    struct tn_slice     name    = tn_slice_of(tn_arena_copy(&schemas->arena, uri, strlen(uri)));
    yyjson_val         *root    = tn_registry_read(&schemas->arena, &mistake, json, len);
    struct tn_resource *resource;

    if (schemas->refused)
        return TENON_E_DECLARATION;
    if (!schemas->arena.failed && (!tn_uri_is_absolute(name) || memchr(name.at, '#', name.len)))
        tn_mistake_note(&mistake, NULL, "its URI must be absolute and have no fragment");
    else if (root && tn_registry_add(&schemas->library, &mistake, name, root, schemas->dialect, &resource) &&
             !schemas->arena.failed)
        return TENON_OK;
    if (!mistake.text)
        return TENON_E_NOMEM;
    schemas->error = mistake.text;
    return TENON_E_DECLARATION;
}

/* ---- Schemas ------------------------------------------------------------------------------------------------ */

static void api_compile(tenon_schema *schema, const char *json, size_t len,
                        const tenon_schema_options *options)
{
    struct tn_compilation *reading = &schema->reading;
    struct tn_arena       *arena   = &schema->shape.arena;
    struct tn_slice        uri     = { "", 0 };
    struct tn_resource    *resource;
    yyjson_val            *root = tn_registry_read(arena, &reading->mistake, json, len);

    if (options->uri)
        uri = tn_slice_of(tn_arena_copy(arena, options->uri, strlen(options->uri)));
    if (root &&
        tn_registry_add(&schema->library, &reading->mistake, uri, root, reading->options.dialect, &resource))
        schema->node = tn_compile_schema(reading, root, resource);
    schema->supply.load = NULL; /* from here on nothing changes */
    schema->shape.error = reading->mistake.text;
}

static tenon_schema *new_schema(const char *json, size_t len, const tenon_schema_options *given, bool tried)
{
    tenon_schema_options options = { 0 };
    tenon_schema        *schema;
    tenon_allocator      from;
    bool                 known;

    known  = tn_sized_read(&options, sizeof options, given, given->size) && options.reserved_ == 0;
    from   = tn_memory_of(options.memory);
    schema = tn_memory_new(&from, sizeof *schema);
    if (!schema)
        return NULL;
    *schema = (tenon_schema){ .shape = { .memory = from, .tried = tried } };
    tn_arena_init(&schema->shape.arena, &from, 0);
    schema->library.arena = &schema->shape.arena;
    schema->library.below = options.schemas ? &options.schemas->library : NULL;
    schema->reading       = (struct tn_compilation){
              .shape   = &schema->shape,
              .library = &schema->library,
              .mistake = { .arena = &schema->shape.arena, .owner = "schema" },
              .options = { options.format_assertion, chosen(options.dialect, options.draft_07) },
    };
    schema->supply         = (struct tn_supply){ .load    = options.load,
                                                 .user    = options.load_user,
                                                 .dialect = schema->reading.options.dialect };
    schema->library.supply = &schema->supply;
    if (!known)
        tn_mistake_note(&schema->reading.mistake, NULL, UNKNOWN_OPTION);
    api_compile(schema, json, len, &options);
    if (schema->shape.arena.failed && !schema->shape.error) {
        tenon_schema_free(schema);
        return NULL;
    }
    return schema;
}

tenon_schema *tenon_schema_new_(const char *json, size_t len, const tenon_schema_options *given)
{
    return new_schema(json, len, given, false);
}

tenon_schema *tn_schema_try(const char *json, size_t len, const tenon_schema_options *options)
{
    return new_schema(json, len, options, true);
}

void tenon_schema_free(tenon_schema *schema)
{
    tenon_allocator memory;

    if (!schema)
        return;
    memory = schema->shape.memory;
    tn_shape_clear(&schema->shape);
    tn_memory_free(&memory, schema, sizeof *schema);
}

const char *tenon_schema_error(const tenon_schema *schema)
{
    return schema->shape.error;
}

/* ---- Verdicts ----------------------------------------------------------------------------------------------- */

tenon_verdict *tenon_verdict_new(const tenon_schema *schema)
{
    tenon_verdict *verdict = tn_memory_new(&schema->shape.memory, sizeof *verdict);

    if (!verdict)
        return NULL;
    *verdict = (tenon_verdict){ .schema = schema };
    tn_arena_init(&verdict->arena, &schema->shape.memory, 0);
    return verdict;
}

void tenon_verdict_free(tenon_verdict *verdict)
{
    if (!verdict)
        return;
    tn_matcher_free(verdict->matcher);
    tn_arena_free(&verdict->arena);
    tn_memory_free(&verdict->schema->shape.memory, verdict, sizeof *verdict);
}

static const struct tn_node *find_dynamic(void *user, const struct tn_resource *resource, const char *name)
{
    const struct tn_compilation *reading = user;
    const struct tn_anchor      *anchor  = tn_resource_anchor(resource, tn_slice_of(name), true);

    return anchor ? tn_compile_memo(reading, anchor->at) : NULL;
}

static void api_begin(tenon_verdict *verdict)
{
    tn_arena_reset(&verdict->arena);
    verdict->issues = NULL;
    verdict->value  = NULL;
    verdict->valid = verdict->annotated = verdict->as_sent = false;
    verdict->annotations                                   = (struct tn_annotations){ 0 };
    verdict->judge                                         = (struct tn_judge){ .arena   = &verdict->arena,
                                                                                .matcher = &verdict->matcher,
                                                                                .memory  = &verdict->schema->shape.memory,
                                                                                .limits  = tn_registry_limits,
                                                                                .whole   = SLICE_LIT("value") };
}

static void api_refuse_text(tenon_verdict *verdict, const struct tn_json_text *read)
{
    struct tn_issue *issue;

    if (read->fault == JSON_NO_MEMORY)
        return;
    issue = tn_issues_add(&verdict->judge.issues, &verdict->arena);
    if (!issue)
        return;
    issue->code  = read->fault == JSON_SYNTAX ? ISSUE_JSON : read->bad_utf8 ? ISSUE_TEXT : ISSUE_LIMIT;
    issue->why   = read->fault == JSON_SYNTAX ? read->what
                   : read->bad_utf8           ? " must be valid UTF-8"
                                              : " is too long, too deep or has too many values";
    issue->count = read->at;
    issue->label = issue->parameter = SLICE_LIT("value");
}

struct tn_verdict tn_document_verdict(const tenon_schema *schema, struct tn_judge *judge, size_t steps)
{
    return (struct tn_verdict){
        .judge   = judge,
        .dynamic = find_dynamic,
        .user    = (void *)(uintptr_t)&schema->reading,
        .allowed = steps,
        .guarded = schema->reading.secrets,
    };
}

static bool read_value(tenon_verdict *verdict, const char *json, size_t len)
{
    struct tn_json_text read;

    api_begin(verdict);
    if (!verdict->schema->node)
        return false;
    read = tn_json_read(&verdict->arena, json, len, &verdict->judge.limits);
    if (!read.root || read.bad_utf8) {
        api_refuse_text(verdict, &read);
        return false;
    }
    verdict->value = read.root;
    verdict->steps = tn_verdict_steps_alone(len);
    return true;
}

static bool api_judge(tenon_verdict *verdict, const char *json, size_t len,
                      bool (*by)(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *value))
{
    struct tn_verdict run;

    if (!read_value(verdict, json, len))
        return false;
    run              = tn_document_verdict(verdict->schema, &verdict->judge, tn_verdict_steps_alone(len));
    run.member       = "property";
    verdict->as_sent = true;
    verdict->valid   = by(&run, verdict->schema->node, verdict->value);
    return verdict->valid;
}

bool tenon_verdict_flag(tenon_verdict *verdict, const char *json, size_t len)
{
    return api_judge(verdict, json, len, tn_verdict_of);
}

bool tenon_verdict_judge(tenon_verdict *verdict, const char *json, size_t len)
{
    return api_judge(verdict, json, len, tn_verdict_full);
}

const char *tenon_verdict_repair(tenon_verdict *verdict, const char *json, size_t len, size_t *out_len)
{
    struct tn_repair_how how  = { .defaults = verdict->schema->reading.defaults,
                                  .choices  = verdict->schema->reading.choices,
                                  .presence = true };
    struct tn_slice      text = { json, len };
    struct tn_verdict    run;
    const char          *copy;

    if (!read_value(verdict, json, len))
        return NULL;
    run        = tn_document_verdict(verdict->schema, &verdict->judge, tn_verdict_steps_alone(len));
    run.member = "property";
    if (!tn_repair_text(&run, verdict->schema->node, &text, &verdict->value, &how)) {
        if (!verdict->arena.failed)
            tn_verdict_report(&run, verdict->schema->node, verdict->value);
        return NULL;
    }
    copy = text.at == json ? tn_arena_copy(&verdict->arena, json, len) : text.at;
    if (verdict->arena.failed)
        return NULL;
    verdict->valid = true;
    if (out_len)
        *out_len = text.len;
    return copy;
}

size_t tenon_verdict_message_count(const tenon_verdict *verdict)
{
    return verdict->arena.failed ? 0 : verdict->judge.messages.count;
}

const char *tenon_verdict_message(const tenon_verdict *verdict, size_t index)
{
    return index < tenon_verdict_message_count(verdict) ? verdict->judge.messages.at[index].at : NULL;
}

size_t tenon_verdict_issue_count(const tenon_verdict *verdict)
{
    return verdict->arena.failed ? 0 : verdict->judge.issues.count;
}

size_t tenon_verdict_issue_total(const tenon_verdict *verdict)
{
    return verdict->arena.failed ? 0 : verdict->judge.issues.total;
}

bool tenon_verdict_failed(const tenon_verdict *verdict)
{
    return verdict->arena.failed;
}

const tenon_issue *tenon_verdict_issue(tenon_verdict *verdict, size_t index)
{
    if (index >= tenon_verdict_issue_count(verdict))
        return NULL;
    tn_verdict_places(&verdict->judge);
    if (!verdict->issues)
        verdict->issues = tn_issue_views(&verdict->arena, &verdict->judge.issues);
    return verdict->issues ? &verdict->issues[index] : NULL;
}

const char *tenon_verdict_place(tenon_verdict *verdict, size_t index)
{
    struct tn_slice path;
    const char     *copy;

    if (index >= tenon_verdict_issue_count(verdict))
        return NULL;
    tn_verdict_places(&verdict->judge);
    path = tn_verdict_place(&verdict->arena, &verdict->judge.issues.at[index]);
    copy = tn_arena_copy(&verdict->arena, path.at, path.len);
    return copy ? copy : "";
}
