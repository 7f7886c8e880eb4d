/* skills.c - instructions for models: declaring them, and the extension by which clients find them.
 *
 * A skill is a folder of files with a SKILL.md, all of which are resources: skill://NAME/PATH. Its entry in skills/list, with
 * the hash and size of every file, is written when it is declared, and never changes. Only SKILL.md stands in
 * resources/list, as the format advises.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

#include "base/sized.h"
#include "base/utf8.h"
#include "mcp/exchange.h"
#include "mcp/offer/failure.h"
#include "mcp/phrases.h"
#include <tenon/resource.h>
#include <tenon/skill.h>

#define NOTHING      ((struct tn_slice){ NULL, 0 })
#define SCHEME       "skill://"
#define MANIFEST     "SKILL.md"
#define PATH_MAX_LEN ((size_t)255)
#define URI_MAX_LEN  ((size_t)1024)
#define ENTRY_MAX    ((size_t)1 << 20)
#define DIRECTORY    "inode/directory"
#define MARKDOWN     "text/markdown"

#define FILE_SIZE_FIRST (5 * sizeof(void *)) /* of the first headers, in which it was not written down */

/* A skill that is being declared. */
struct draft {
    tenon_server       *server;
    const char         *name;
    tenon_skill_options options;
    tenon_skill_file   *files; /* SKILL.md and the author's, by path */
    size_t              count;
    struct tn_buf       entry; /* as it is published */
};

/* ---- Names ------------------------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    size_t len = name ? strlen(name) : 0;

    if (len == 0 || len > TENON_SKILL_NAME_MAX || name[0] == '-' || name[len - 1] == '-' ||
        strstr(name, "--"))
        return false;
    for (size_t i = 0; i < len; i++)
        if (!(name[i] >= 'a' && name[i] <= 'z') && !tn_ascii_is_digit(name[i]) && name[i] != '-')
            return false;
    return true;
}

/* Segments that are neither empty nor "." nor "..", in UTF-8 without control characters. */
static bool is_path(const char *path)
{
    struct tn_slice rest = tn_slice_of(path), part;

    if (rest.len == 0 || rest.len > PATH_MAX_LEN || rest.at[rest.len - 1] == '/' ||
        !tn_utf8_valid(rest.at, rest.len))
        return false;
    for (size_t i = 0; i < rest.len; i++)
        if ((unsigned char)rest.at[i] < 0x20 || rest.at[i] == 0x7f || rest.at[i] == '\\')
            return false;
    while (tn_slice_split(&rest, '/', &part))
        if (part.len == 0 || tn_slice_is(part, ".") || tn_slice_is(part, ".."))
            return false;
    return true;
}

/* What may not stand in a path of a URI becomes %XX. */
static const char *uri_of(struct draft *draft, const char *path)
{
    struct tn_buf out;

    tn_buf_init(&out, &draft->server->arena, 0, URI_MAX_LEN);
    tn_buf_lit(&out, SCHEME);
    tn_buf_text(&out, draft->name);
    tn_buf_char(&out, '/');
    for (; *path; path++)
        if (tn_ascii_is_letter(*path) || tn_ascii_is_digit(*path) || strchr("-._~!$&'()*+,;=:@/", *path))
            tn_buf_char(&out, *path);
        else
            tn_buf_addf(&out, "%%%02X", (unsigned)(unsigned char)*path);
    return tn_buf_end(&out);
}

static const char *mime_of(const tenon_skill_file *file)
{
    size_t len = strlen(file->path);

    if (file->mime)
        return file->mime;
    if (len > 3 && strcmp(file->path + len - 3, ".md") == 0)
        return MARKDOWN;
    return file->text ? "text/plain" : "application/octet-stream";
}

/* ---- SKILL.md ---------------------------------------------------------------------------------------------- */

/* Its front matter, line by line for YAML or as the members of an object: a JSON string is one of YAML's, too. */
static void write_front(struct tn_buf *out, const struct draft *draft, bool yaml)
{
    const struct {
        const char *key, *value;
    } members[] = {
        { "name", draft->name },
        { "description", draft->options.doc },
        { "license", draft->options.license },
        { "compatibility", draft->options.compatibility },
        { "allowed-tools", draft->options.allowed_tools },
    };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!members[i].value)
            continue;
        if (yaml)
            tn_buf_addf(out, "%s: ", members[i].key);
        else
            tn_buf_addf(out, "%s\"%s\":", i > 0 ? "," : "", members[i].key);
        tn_json_string(out, members[i].value, strlen(members[i].value));
        if (yaml)
            tn_buf_char(out, '\n');
    }
}

static const char *write_manifest(const struct draft *draft)
{
    struct tn_buf out;

    tn_buf_init(&out, &draft->server->arena, 0, TENON_SKILL_BYTES_MAX);
    tn_buf_lit(&out, "---\n");
    write_front(&out, draft, true);
    tn_buf_lit(&out, "---\n\n");
    tn_buf_text(&out, draft->options.text);
    return tn_buf_end(&out);
}

/* ---- Declaring --------------------------------------------------------------------------------------------- */

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const tenon_skill_file *)a)->path, ((const tenon_skill_file *)b)->path);
}

/* Every file with its length, in the order of their paths; a mistake is kept. */
static bool gather(struct draft *draft)
{
    tenon_server     *server = draft->server;
    size_t            given = draft->options.file_count, total = 0;
    size_t            size = draft->options.file_size ? draft->options.file_size : FILE_SIZE_FIRST;
    tenon_skill_file *file;
    const char       *manifest;

    if (given >= TENON_SKILL_FILES_MAX)
        return tn_core_mistake(server, SAY_SKILL_LARGE, draft->name), false;
    draft->files = tn_arena_array(&server->arena, given + 1, tenon_skill_file);
    if (!draft->files)
        return tn_core_mistake(server, SAY_NO_MEMORY_NEW), false;
    manifest = write_manifest(draft);
    if (!manifest)
        return tn_core_mistake(server, server->arena.failed ? SAY_NO_MEMORY_NEW : SAY_SKILL_LARGE,
                               draft->name),
               false;
    draft->files[0] = (tenon_skill_file){ .path = MANIFEST, .text = manifest, .mime = MARKDOWN };
    for (size_t i = 0; i < given; i++)
        if (!tn_sized_read(&draft->files[i + 1], sizeof *draft->files,
                           (const char *)draft->options.files + i * size, size))
            return tn_core_mistake(server, SAY_UNKNOWN_OPTION, draft->name), false;
    draft->count = given + 1;
    for (size_t i = 0; i < draft->count; i++) {
        file = &draft->files[i];
        if (!file->path || !is_path(file->path) || (i > 0 && strcmp(file->path, MANIFEST) == 0))
            return tn_core_mistake(server, SAY_SKILL_PATH, draft->name, file->path ? file->path : ""), false;
        if (file->text)
            file->len = strlen(file->text);
        if ((!file->text && !file->data) || (file->text && !tn_utf8_valid(file->text, file->len)))
            return tn_core_mistake(server, SAY_SKILL_FILE, draft->name, file->path), false;
        if (file->len > TENON_SKILL_BYTES_MAX - total)
            return tn_core_mistake(server, SAY_SKILL_LARGE, draft->name), false;
        total += file->len;
    }
    qsort(draft->files, draft->count, sizeof *draft->files, compare_paths);
    return true;
}

static tenon_outcome skills_read_file(tenon_call *call, const char *uri)
{
    const tenon_skill_file *file = tn_exchange_of(call)->entry->file;

    (void)uri;
    if (file->text)
        tenon_content_text(call, file->text);
    else
        tenon_content_blob(call, file->data, file->len);
    return tenon_ok(call);
}

/* Adds a file to the entry, and as a resource. */
static bool add_file(struct draft *draft, const tenon_skill_file *file)
{
    const void   *bytes = file->text ? (const void *)file->text : file->data;
    bool          first = strcmp(file->path, MANIFEST) == 0;
    const char   *uri   = uri_of(draft, file->path);
    unsigned char hash[crypto_hash_sha256_BYTES];
    char          hex[2 * sizeof hash + 1];

    if (!uri ||
        tenon_server_resource(draft->server, uri, skills_read_file, .name = first ? draft->name : file->path,
                              .doc = first ? draft->options.doc : NULL, .mime = mime_of(file),
                              .len = file->len) != TENON_OK)
        return false;
    draft->server->lists[LIST_RESOURCES].at[draft->server->lists[LIST_RESOURCES].count - 1].file     = file;
    draft->server->lists[LIST_RESOURCES].at[draft->server->lists[LIST_RESOURCES].count - 1].unlisted = !first;
    crypto_hash_sha256(hash, bytes, file->len);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    tn_buf_text(&draft->entry, file == draft->files ? "{\"uri\":" : ",{\"uri\":");
    tn_json_string(&draft->entry, uri, strlen(uri));
    tn_buf_addf(&draft->entry, ",\"digest\":\"sha256:%s\",\"size\":%zu}", hex, file->len);
    return true;
}

static tenon_status add_skill(struct draft *draft)
{
    const char      *uri   = uri_of(draft, MANIFEST);
    struct tn_entry *entry = uri ? tn_core_add_entry(draft->server, LIST_SKILLS, uri) : NULL;

    if (!entry || !gather(draft))
        return draft->server->complaints.text ? TENON_E_DECLARATION : TENON_E_NOMEM;
    tn_buf_init(&draft->entry, &draft->server->arena, 0, ENTRY_MAX);
    tn_buf_lit(&draft->entry, "{\"uri\":");
    tn_json_string(&draft->entry, uri, strlen(uri));
    tn_buf_lit(&draft->entry, ",\"frontmatter\":{");
    write_front(&draft->entry, draft, false);
    tn_buf_lit(&draft->entry, "},\"resources\":[");
    for (size_t i = 0; i < draft->count; i++)
        if (!add_file(draft, &draft->files[i]))
            return draft->server->complaints.text ? TENON_E_DECLARATION : TENON_E_NOMEM;
    tn_buf_lit(&draft->entry, "]}");
    if (!tn_buf_end(&draft->entry))
        return tn_core_mistake(draft->server, SAY_NO_MEMORY_NEW);
    entry->text = entry->old = tn_buf_slice(&draft->entry);
    return TENON_OK;
}

tenon_status tenon_server_skill_(tenon_server *server, const char *name, const tenon_skill_options *given)
{
    struct draft draft = { .server = server, .name = name };

    if (!server)
        return TENON_E_NOMEM;
    if (!is_name(name))
        return tn_core_mistake(server, SAY_SKILL_NAME, name ? name : "");
    if (!tn_sized_read(&draft.options, sizeof draft.options, given, given->size))
        return tn_core_mistake(server, SAY_UNKNOWN_OPTION, name);
    if (!draft.options.doc || !draft.options.doc[0] || strlen(draft.options.doc) > TENON_SKILL_DOC_MAX ||
        !draft.options.text)
        return tn_core_mistake(server, SAY_SKILL_TEXT, name);
    return add_skill(&draft);
}

/* ---- Finding ----------------------------------------------------------------------------------------------- */

void tn_method_skills_list(struct tn_exchange *x)
{
    tn_catalog_list(x, LIST_SKILLS, "skills");
}

void tn_method_skills_get(struct tn_exchange *x)
{
    struct tn_slice  uri   = tn_rpc_text(tn_rpc_get(x->params, "uri"));
    struct tn_entry *entry = tn_core_find(x->server, LIST_SKILLS, uri);
    struct tn_buf    out;

    if (!uri.at) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_URI);
        return;
    }
    if (!entry) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_SKILL, tn_exchange_echo(x, uri));
        return;
    }
    out = tn_result_begin(x);
    tn_result_key(&out, "skill");
    tn_buf_add(&out, entry->text.at, entry->text.len);
    tn_result_cacheable(x, &out, x->server->options.ttl_ms, false);
    tn_result_end(x, &out);
}

/* What of a file's URI stands behind the directory and its slash; `at` NULL when it is not beneath it. */
static struct tn_slice beneath(const struct tn_entry *entry, struct tn_slice directory)
{
    if (!entry->file || directory.len < sizeof SCHEME || entry->name.len <= directory.len + 1 ||
        memcmp(entry->name.at, directory.at, directory.len) != 0 || entry->name.at[directory.len] != '/')
        return NOTHING;
    return (struct tn_slice){ entry->name.at + directory.len + 1, entry->name.len - directory.len - 1 };
}

static void write_child(struct tn_buf *out, const struct tn_entry *entry, struct tn_slice directory,
                        struct tn_slice child)
{
    bool is_file = child.at + child.len == entry->name.at + entry->name.len;

    tn_buf_lit(out, "{\"uri\":");
    tn_json_string(out, entry->name.at, directory.len + 1 + child.len);
    tn_buf_lit(out, ",\"name\":");
    if (is_file)
        tn_json_string(out, entry->resource->name, strlen(entry->resource->name));
    else
        tn_json_string(out, child.at, child.len);
    tn_buf_lit(out, ",\"mimeType\":");
    if (is_file)
        tn_json_string(out, entry->resource->mime, strlen(entry->resource->mime));
    else
        tn_json_string(out, DIRECTORY, sizeof DIRECTORY - 1);
    if (is_file)
        tn_buf_addf(out, ",\"size\":%zu", entry->file->len);
    tn_buf_char(out, '}');
}

/* Files of a skill stand by their paths, so that those of one directory follow each other. Returns how many there are. */
static size_t write_children(struct tn_exchange *x, struct tn_buf *out, struct tn_slice directory)
{
    const struct tn_entries *files = &x->server->lists[LIST_RESOURCES];
    struct tn_slice          last  = NOTHING;
    size_t                   count = 0;

    for (size_t i = 0; i < files->count; i++) {
        struct tn_slice rest = beneath(&files->at[i], directory), child;

        if (!rest.at || !tn_slice_split(&rest, '/', &child) ||
            (last.at && last.len == child.len && memcmp(last.at, child.at, child.len) == 0))
            continue;
        last = child;
        if (count++ > 0)
            tn_buf_char(out, ',');
        write_child(out, &files->at[i], directory, child);
    }
    return count;
}

void tn_method_directory_read(struct tn_exchange *x)
{
    struct tn_slice uri = tn_rpc_text(tn_rpc_get(x->params, "uri"));
    struct tn_buf   out = tn_result_begin(x);

    if (!uri.at) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_URI);
        return;
    }
    tn_result_key(&out, "resources");
    tn_buf_char(&out, '[');
    if (write_children(x, &out, uri) == 0) {
        tn_exchange_fail(x, RPC_INVALID_PARAMS, NOTHING, SAY_NO_DIRECTORY, tn_exchange_echo(x, uri));
        return;
    }
    tn_buf_char(&out, ']');
    tn_result_cacheable(x, &out, x->server->options.ttl_ms, false);
    tn_result_end(x, &out);
}
