/* document.c - a file as a document: read, validated by its type, cut into pieces. */
#include "docs/index/parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sodium.h>

#include "docs/source/front_lines.h"
#include "docs/source/pdf.h"
#include "docs/source/source.h"

#define TAG_MAX 100 /* bytes */

typedef struct {
    const tenon_json *front;
} front_view;
TENON_ROWS(front_view_rows, front_view, TENON_JSON(front, "Front matter."));

const tenon_rows *front_view_table(void)
{
    return front_view_rows();
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

/* UTF-8 without NUL, as the standard has it: nothing overlong, no surrogates. */
static bool is_text(const char *at, size_t len)
{
    const unsigned char *p = (const unsigned char *)at, *end = p + len;

    while (p < end) {
        size_t   more;
        unsigned low = 0x80, high = 0xbf;

        if (*p < 0x80) {
            if (*p++ == 0)
                return false;
            continue;
        }
        if (*p < 0xc2 || *p > 0xf4)
            return false;
        more = *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
        low  = *p == 0xe0 ? 0xa0 : *p == 0xf0 ? 0x90 : low;
        high = *p == 0xed ? 0x9f : *p == 0xf4 ? 0x8f : high;
        if ((size_t)(end - p) <= more || p[1] < low || p[1] > high)
            return false;
        for (size_t i = 2; i <= more; i++)
            if ((p[i] & 0xc0) != 0x80)
                return false;
        p += more + 1;
    }
    return true;
}

static int64_t count_chars(const char *at, size_t len)
{
    int64_t count = 0;

    for (size_t i = 0; i < len; i++)
        count += ((unsigned char)at[i] & 0xc0) != 0x80;
    return count;
}

void index_hash(const struct project *project, const char *at, size_t len, char out[HASH_LEN + 1])
{
    unsigned char            hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, project->rules, sizeof project->rules);
    crypto_hash_sha256_update(&state, (const unsigned char *)at, len);
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(out, HASH_LEN + 1, hash, sizeof hash);
}

enum index_status ready_read(struct index_run *run, struct ready *ready, const char *path)
{
    enum docs_file_status status;

    *ready      = (struct ready){ 0 };
    ready->path = strdup(path);
    if (!ready->path)
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    if (!is_text(path, strlen(path))) /* no answer could name it, and one that found it would be none */
        return run_fail(run, INDEX_BAD_NAME, "Its name is not UTF-8. Rename the file.");
    status = docs_file_read(run->root, path, FILE_LEN_MAX, &ready->file);
    if (status != FILE_OK)
        return run_fail_file(run, status, path);
    index_hash(run->project, ready->file.at ? ready->file.at : "", ready->file.len, ready->hash);
    return INDEX_OK;
}

void ready_free(struct ready *ready)
{
    free(ready->path);
    docs_file_free(&ready->file);
    front_free(&ready->front);
    chunks_free(&ready->chunks);
    passages_free(&ready->passages);
    links_free(&ready->links);
    free(ready->pieces);
    free(ready->parts);
    free(ready->texts);
    tenon_params_free(ready->params);
    free(ready->title);
    free(ready->summary);
    free(ready->supersedes);
    free(ready->tags);
    text_free(&ready->text);
    *ready = (struct ready){ 0 };
}

/* ---- Judging ------------------------------------------------------------------------------------------------- */

/* A text of the front matter; NULL when there is none, or it is blank. */
static const char *field(const tenon_json *front, const char *key)
{
    tenon_str text = tenon_json_str(tenon_json_get(front, key));

    return text.len > 0 && strlen(text.at) == text.len ? text.at : NULL;
}

static const tenon_json *view_front(struct index_run *run, struct ready *ready)
{
    struct indexer   *indexer = indexer_of(run->docs);
    tenon_writer     *w       = tenon_writer_new(NULL, TEXT_MAX);
    const front_view *view    = NULL;
    const char       *json;
    size_t            len;

    ready->params = indexer ? tenon_params_new(indexer->front) : NULL;
    tenon_write_object(w, NULL);
    tenon_write_raw(w, "front", ready->front.json.at, ready->front.json.len);
    tenon_write_end(w);
    json = tenon_writer_text(w, &len);
    if (ready->params && json)
        view = tenon_params_bind(ready->params, json, len);
    tenon_writer_free(w);
    return view ? view->front : NULL;
}

/* The type of the folder that the path begins with. */
static const struct doc_type *type_of_folder(const struct types *types, const char *path)
{
    for (size_t i = 0; i < types->count; i++) {
        const char *folder = types->at[i].folder;
        size_t      len    = folder ? strlen(folder) : 0;

        if (len > 0 && strncmp(folder, path, len) == 0 && path[len] == '/')
            return &types->at[i];
    }
    return NULL;
}

static enum index_status fail_type(struct index_run *run, const char *path, const char *name)
{
    const struct types *types = &run->project->types;
    struct text         list  = { 0 };
    enum index_status   status;

    for (size_t i = 0; i < types->count; i++)
        text_addf(&list, "%s%s", i ? ", " : "", types->at[i].name);
    status = name ? run_fail(run, INDEX_NO_TYPE,
                             "'%s' has the doc_type '%s', which is not one of this project's: %s.", path,
                             name, text_of(&list))
                  : run_fail(run, INDEX_NO_TYPE,
                             "'%s' does not say its doc_type in front matter (one of: %s), and this project "
                             "has no plain "
                             "documents (plain_documents in its configuration).",
                             path, text_of(&list));
    text_free(&list);
    return status;
}

static enum index_status judge_type(struct index_run *run, struct ready *ready, const tenon_json *front)
{
    const struct types    *types = &run->project->types;
    const char            *name  = field(front, "doc_type");
    const struct doc_type *type  = name ? types_find(types, name) : types_find(types, TYPE_PLAIN);
    struct violation       unused[VIOLATIONS_MAX], *out = run->problem ? run->problem->violations : unused;
    size_t                 count;

    if (!name && !type && ready->front.present)
        type = type_of_folder(types, ready->path);
    if (!type)
        return fail_type(run, ready->path, name);
    ready->document.doc_type = type->name;
    if (!type->schema)
        return INDEX_OK;
    count = types_judge(type, ready->front.json.at, ready->front.json.len, out);
    if (run->problem)
        run->problem->violation_count = count;
    if (count == 0)
        return INDEX_OK;
    return run_fail(run, INDEX_INVALID, "The front matter of '%s' breaks the schema of '%s' in %zu place%s.",
                    ready->path, type->name, count, count == 1 ? "" : "s");
}

static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char       *name  = strdup(slash ? slash + 1 : path), *dot;

    dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot > name)
        *dot = '\0';
    return name;
}

/* How much of a text that may be cut in the middle of a character is whole. */
static size_t whole_chars(const char *at, size_t len)
{
    while (len > 0 && ((unsigned char)at[len - 1] & 0xc0) == 0x80)
        len--;
    return len > 0 && (unsigned char)at[len - 1] >= 0xc0 ? len - 1 : len;
}

/* The first lines that are neither heading nor code, as one line. */
static char *first_paragraph(const char *at, size_t len)
{
    char  *out     = malloc(SUMMARY_MAX + 1);
    size_t room    = 0;
    bool   in_code = false;

    for (size_t place = 0, next; out && place < len && room < SUMMARY_MAX; place = next) {
        size_t end = place;

        while (end < len && at[end] != '\n' && at[end] != '\r')
            end++;
        next = end + (end < len);
        while (place < end && isspace((unsigned char)at[place]))
            place++;
        if (end - place >= 3 && (memcmp(at + place, "```", 3) == 0 || memcmp(at + place, "~~~", 3) == 0))
            in_code = !in_code;
        else if (!in_code && place < end && at[place] != '#' && at[place] != '<') {
            if (room > 0)
                out[room++] = ' ';
            for (; place < end && room < SUMMARY_MAX; place++)
                out[room++] = at[place];
            continue;
        }
        if (room > 0)
            break;
    }
    if (!out)
        return NULL;
    out[room == SUMMARY_MAX ? whole_chars(out, room) : room] = '\0';
    return out;
}

static enum level level_of(const char *name)
{
    for (int i = LEVEL_STANDARD; name && i <= LEVEL_CRITICAL; i++)
        if (strcasecmp(name, level_names[i]) == 0)
            return (enum level)i;
    return LEVEL_STANDARD;
}

/* Each in small letters between two line endings; NULL: there are none. */
static char *tags_of(const tenon_json *tags)
{
    const tenon_json *item  = tags;
    struct text       out   = { 0 };
    size_t            place = 0;
    char             *copy;

    if (tenon_json_type_of(tags) == TENON_JSON_ARRAY)
        item = tenon_json_next(tags, &place, NULL);
    for (; item; item = place ? tenon_json_next(tags, &place, NULL) : NULL) {
        tenon_str text = tenon_json_str(item);

        if (text.len == 0 || text.len > TAG_MAX || memchr(text.at, '\n', text.len))
            continue;
        text_put(&out, out.len ? "" : "\n");
        for (size_t i = 0; i < text.len; i++)
            text_char(&out, (char)tolower((unsigned char)text.at[i]));
        text_char(&out, '\n');
    }
    copy = out.len && !out.failed ? strdup(text_of(&out)) : NULL;
    text_free(&out);
    return copy;
}

static bool fill_in(struct index_run *run, struct ready *ready, const tenon_json *front)
{
    struct document *document = &ready->document;
    const char *supersedes = field(front, "supersedes"), *body = text_of(&ready->text) + ready->body_begin;
    size_t      len = ready->text.len - ready->body_begin;
    char        clean[FILE_PATH_MAX];

    ready->related     = tenon_json_get(front, "related_docs");
    document->path     = ready->path;
    document->hash     = ready->hash;
    document->external = run->external;
    document->title    = field(front, "title");
    document->summary  = field(front, "summary");
    document->date     = field(front, "date");
    document->chars    = count_chars(text_of(&ready->text), ready->text.len);
    document->tags = ready->tags = tags_of(tenon_json_get(front, "tags"));
    document->level              = run->external ? LEVEL_STANDARD : level_of(field(front, "promotion_level"));
    if (!document->title) {
        ready->title    = chunk_title(body, len);
        ready->is_named = !ready->title;
        if (!ready->title)
            ready->title = name_of(ready->path);
        document->title = ready->title;
    }
    if (!document->summary)
        document->summary = ready->summary = first_paragraph(body, len);
    if (!document->date)
        document->date = "";
    if (supersedes && !run->external && path_clean(supersedes, clean))
        document->supersedes = ready->supersedes = strdup(clean);
    return document->title && document->summary;
}

static enum index_status read_front(struct index_run *run, struct ready *ready)
{
    char             *mistake = NULL;
    enum index_status status;

    if (front_read(&ready->front, ready->file.at, ready->file.len, &mistake))
        return INDEX_OK;
    if (run->external) { /* not ours to correct: it is text */
        free(mistake);
        ready->front = (struct front){ .body_line = 1 };
        text_put(&ready->front.json, "{}");
        return ready->front.json.failed ? run_fail(run, INDEX_NO_MEMORY, "out of memory") : INDEX_OK;
    }
    if (!mistake)
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    status = run_fail(run, INDEX_INVALID, "The front matter of '%s' cannot be read.", ready->path);
    if (run->problem) {
        struct violation *violation = &run->problem->violations[0];

        run->problem->violation_count = 1;
        *violation                    = (struct violation){ .kind = "InvalidYaml" };
        snprintf(violation->text, sizeof violation->text, "%s", mistake);
    }
    free(mistake);
    return status;
}

static enum index_status read_pdf(struct index_run *run, struct ready *ready)
{
    const char *mistake = pdf_read(ready->file.at, ready->file.len, run->stop, &ready->text);

    text_put(&ready->front.json, "{}");
    if (mistake)
        return run_fail(run, INDEX_NOT_TEXT, "'%s' cannot be read: %s.", ready->path, mistake);
    if (!is_text(text_of(&ready->text), ready->text.len))
        return run_fail(run, INDEX_NOT_TEXT, "'%s' has no text in UTF-8.", ready->path);
    return INDEX_OK;
}

/* What the front matter says stands in front, line by line. */
static void put_front(struct ready *ready)
{
    ready->text_line = ready->front.body_line;
    if (!ready->front.present)
        return;
    front_lines(ready->file.at + ready->front.begin, ready->front.end - ready->front.begin, &ready->text);
    text_char(&ready->text, '\n'); /* the line that ends it */
    ready->text_line = 2;
}

/* The file as markdown. */
static enum index_status source_read(struct index_run *run, struct ready *ready)
{
    enum source_kind  kind   = source_kind_of(ready->path);
    enum index_status status = INDEX_OK;

    ready->front     = (struct front){ .body_line = 1 };
    ready->text_line = 1;
    if (kind == SOURCE_PDF)
        return read_pdf(run, ready);
    if (!is_text(ready->file.at, ready->file.len))
        return run_fail(run, INDEX_NOT_TEXT, "'%s' is not UTF-8 text.", ready->path);
    if (source_has_front(kind))
        status = read_front(run, ready);
    else
        text_put(&ready->front.json, "{}");
    if (status != INDEX_OK)
        return status;
    put_front(ready);
    ready->body_begin = ready->text.len;
    source_plain(kind, ready->file.at + ready->front.body, ready->file.len - ready->front.body, &ready->text);
    return ready->text.failed || ready->front.json.failed ? run_fail(run, INDEX_NO_MEMORY, "out of memory")
                                                          : INDEX_OK;
}

enum index_status ready_judge(struct index_run *run, struct ready *ready)
{
    enum index_status status;
    const tenon_json *front;

    status = source_read(run, ready);
    if (status != INDEX_OK)
        return status;
    front = view_front(run, ready);
    if (!front)
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    if (run->external)
        ready->document.doc_type = TYPE_PLAIN;
    else
        status = judge_type(run, ready, front);
    if (status != INDEX_OK)
        return status;
    return fill_in(run, ready, front) ? INDEX_OK : run_fail(run, INDEX_NO_MEMORY, "out of memory");
}

enum index_status ready_text(struct index_run *run, struct ready *ready)
{
    enum index_status status = source_read(run, ready);
    const tenon_json *front;

    if (status != INDEX_OK)
        return status;
    front = view_front(run, ready);
    return front && fill_in(run, ready, front) ? INDEX_OK : run_fail(run, INDEX_NO_MEMORY, "out of memory");
}

/* ---- Cutting ------------------------------------------------------------------------------------------------- */

static bool make_links(struct ready *ready, const char *body, size_t len)
{
    const char       *related[LINKS_MAX];
    const tenon_json *item;
    size_t            count = 0;

    for (size_t place = 0; count < LINKS_MAX && (item = tenon_json_next(ready->related, &place, NULL));)
        if (tenon_json_str(item).len > 0)
            related[count++] = tenon_json_str(item).at;
    return links_make(&ready->links, ready->path, body, len, related, count);
}

/* What is embedded of each passage, ended by a NUL: the title and headings above it, then its text. */
static bool make_texts(struct ready *ready, const char *body)
{
    const char *title = ready->document.title;
    size_t      count = ready->passages.count, room = count * sizeof *ready->texts;
    char       *at;

    for (size_t i = 0; i < count; i++)
        room += embed_head_len(title, ready->passages.at[i].heading_path) + ready->passages.at[i].end -
                ready->passages.at[i].begin + 1;
    ready->texts = malloc(room + 1);
    if (!ready->texts)
        return false;
    at = (char *)(ready->texts + count);
    for (size_t i = 0; i < count; i++) {
        const struct passage *passage = &ready->passages.at[i];
        size_t                len     = passage->end - passage->begin;

        ready->texts[i] = at;
        at              = embed_head(at, title, passage->heading_path);
        memcpy(at, body + passage->begin, len);
        at[len] = '\0';
        at += len + 1;
    }
    return true;
}

static bool make_pieces(struct ready *ready, const char *body)
{
    const struct passages *passages = &ready->passages;
    size_t                 next     = 0;

    ready->pieces = calloc(ready->chunks.count + 1, sizeof *ready->pieces);
    ready->parts  = calloc(passages->count + 1, sizeof *ready->parts);
    if (!ready->pieces || !ready->parts)
        return false;
    for (size_t i = 0; i < ready->chunks.count; i++) {
        const struct chunk *chunk = &ready->chunks.at[i];
        size_t              first = next;

        for (; next < passages->count && passages->at[next].chunk == i; next++) {
            const struct passage *passage = &passages->at[next];

            ready->parts[next] = (struct part){ .begin        = passage->begin - chunk->begin,
                                                .end          = passage->end - chunk->begin,
                                                .first_line   = (int64_t)passage->first_line,
                                                .last_line    = (int64_t)passage->last_line,
                                                .heading_path = passage->heading_path,
                                                .anchor       = passage->anchor };
        }
        ready->pieces[i] = (struct piece){ .index       = (int)i,
                                           .header_path = chunk->header_path,
                                           .text        = body + chunk->begin,
                                           .len         = chunk->end - chunk->begin,
                                           .first_line  = (int64_t)chunk->first_line,
                                           .last_line   = (int64_t)chunk->last_line,
                                           .parts       = ready->parts + first,
                                           .part_count  = next - first };
    }
    return true;
}

enum index_status ready_cut(struct index_run *run, struct ready *ready)
{
    const char *body = text_of(&ready->text);
    size_t      len  = ready->text.len;

    if (!chunks_make(&ready->chunks, body, len, ready->text_line))
        return run_fail(run, INDEX_TOO_LARGE,
                        "'%s' has more than %d sections, or there is no memory for them.", ready->path,
                        CHUNKS_MAX);
    ready->document.lines = (int64_t)ready->chunks.lines;
    if (!passages_make(&ready->passages, body, len, ready->text_line, &ready->chunks,
                       ready->document.title) ||
        !make_pieces(ready, body) || !make_texts(ready, body) ||
        (!run->external && !make_links(ready, body + ready->body_begin, len - ready->body_begin)))
        return run_fail(run, INDEX_NO_MEMORY, "out of memory");
    return INDEX_OK;
}
