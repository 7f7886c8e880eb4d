/* corpus.c - the collections, and a store with one of them in it. */
#define _POSIX_C_SOURCE 200809L

#include "corpus.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docs/markdown/passage.h"
#include "docs/search/floor.h"
#include "kit/text.h"

void die(const char *what)
{
    fprintf(stderr, "bench/docs: %s\n", what);
    exit(1);
}

static void *need(void *memory)
{
    if (!memory)
        die("out of memory");
    return memory;
}

static char *read_file(const char *path)
{
    FILE       *file = fopen(path, "re");
    struct text text = { 0 };
    char        part[65536];
    size_t      len;

    if (!file)
        return NULL;
    while ((len = fread(part, 1, sizeof part, file)) > 0)
        text_add(&text, part, len);
    fclose(file);
    return need(strdup(text_of(&text)));
}

/* ---- CISI: records of lines ".I number", ".T" title, ".W" text, and others that are not texts ---- */

static void add_record(char **texts, size_t count, size_t number, struct text *text)
{
    if (number >= 1 && number <= count)
        texts[number - 1] = need(strdup(text_of(text)));
    text_clear(text);
}

static bool read_records(const char *folder, const char *name, char **texts, size_t count, bool in_order)
{
    char        path[4096], line[4096], field = 0;
    struct text text   = { 0 };
    size_t      number = 0;
    FILE       *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "re");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, ".I ", 3) == 0) {
            add_record(texts, count, number, &text);
            number = in_order ? number + 1 : strtoul(line + 3, NULL, 10);
            field  = 0;
        } else if (line[0] == '.' && isupper((unsigned char)line[1]) && strlen(line) <= 4) {
            field = line[1];
        } else if (field == 'T' || field == 'W') {
            text_put(&text, line);
        }
    }
    add_record(texts, count, number, &text);
    text_free(&text);
    fclose(file);
    for (size_t i = 0; i < count; i++)
        texts[i] = texts[i] ? texts[i] : need(strdup(""));
    return true;
}

static void make(struct corpus *corpus, size_t documents, size_t questions)
{
    corpus->count          = documents;
    corpus->question_count = questions;
    corpus->names          = need(calloc(documents + 1, sizeof *corpus->names));
    corpus->texts          = need(calloc(documents + 1, sizeof *corpus->texts));
    corpus->questions      = need(calloc(questions + 1, sizeof *corpus->questions));
    corpus->wanted         = need(calloc(questions + 1, sizeof *corpus->wanted));
    corpus->relevant       = need(calloc(documents * questions + 1, sizeof *corpus->relevant));
}

/* Collections in the SMART format: questions are numbered as they stand in the file, whatever number they have there. */
static const struct collection_files {
    const char *name, *all, *questions, *judged;
    size_t      documents, question_count;
    bool        has_grades; /* a third number, of which only 1 to 4 are relevant */
} collections[] = {
    { "cisi", "CISI.ALL", "CISI.QRY", "CISI.REL", 1460, 112, false },
    { "cranfield", "cran.all.1400", "cran.qry", "cranqrel", 1400, 225, true },
    { "cacm", "cacm.all", "query.text", "qrels.text", 3204, 64, false },
};

static bool read_judged(struct corpus *corpus, const char *path, bool has_grades)
{
    FILE    *file = fopen(path, "re");
    char     line[256];
    unsigned question, document;
    int      grade;

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        int count = sscanf(line, "%u %u %d", &question, &document, &grade);

        if (count >= 2 && question >= 1 && question <= corpus->question_count && document >= 1 &&
            document <= corpus->count && (!has_grades || (count == 3 && grade >= 1 && grade <= 4)))
            corpus->relevant[(question - 1) * corpus->count + document - 1] = true;
    }
    fclose(file);
    return true;
}

bool corpus_collection(struct corpus *corpus, const char *folder)
{
    char path[4096];

    for (size_t i = 0; i < sizeof collections / sizeof *collections; i++) {
        const struct collection_files *files = &collections[i];

        snprintf(path, sizeof path, "%s/%s", folder, files->judged);
        make(corpus, files->documents, files->question_count);
        corpus->name = files->name;
        if (!read_judged(corpus, path, files->has_grades))
            continue;
        for (size_t n = 0; n < corpus->count; n++) {
            snprintf(path, sizeof path, "%04zu.md", n + 1);
            corpus->names[n] = need(strdup(path));
        }
        return read_records(folder, files->all, corpus->texts, corpus->count, false) &&
               read_records(folder, files->questions, corpus->questions, corpus->question_count, true);
    }
    return false;
}

/* ---- Files ---- */

static void add_question(struct corpus *corpus, size_t number, char *line)
{
    char *answers = strchr(line, '\t');

    if (!answers)
        die("a question without a tab");
    *answers++                = '\0';
    corpus->questions[number] = need(strdup(line));
    if (strchr(answers, '\t')) {
        char *wanted = strchr(answers, '\t');

        *wanted++              = '\0';
        corpus->wanted[number] = need(strndup(wanted, strcspn(wanted, "\n")));
    }
    for (char *name = strtok(answers, " \n"); name; name = strtok(NULL, " \n")) {
        bool known = strcmp(name, "-") == 0;

        for (size_t i = 0; i < corpus->count; i++)
            if (strcmp(corpus->names[i], name) == 0)
                known = corpus->relevant[number * corpus->count + i] = true;
        if (!known)
            die(name);
    }
}

bool corpus_files(struct corpus *corpus, char **files, size_t count, const char *questions)
{
    FILE  *file = fopen(questions, "re");
    char   line[4096];
    size_t lines = 0;

    if (!file)
        return false;
    while (fgets(line, sizeof line, file))
        lines += line[0] != '#' && line[0] != '\n';
    make(corpus, count, lines);
    for (size_t i = 0; i < count; i++) {
        corpus->names[i] = need(strdup(files[i]));
        corpus->texts[i] = need(read_file(files[i]));
    }
    rewind(file);
    lines = 0;
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && line[0] != '\n')
            add_question(corpus, lines++, line);
    fclose(file);
    return true;
}

bool corpus_is_relevant(const struct corpus *corpus, size_t question, size_t document)
{
    return corpus->relevant[question * corpus->count + document];
}

size_t corpus_relevant(const struct corpus *corpus, size_t question)
{
    size_t count = 0;

    for (size_t i = 0; i < corpus->count; i++)
        count += corpus_is_relevant(corpus, question, i);
    return count;
}

/* ---- A store with it ---- */

void bench_renew(struct bench *bench)
{
    tenon_call_free(bench->call);
    bench->call = need(tenon_call_new(bench->box));
}

/* The embedded one, or the model that TENON_BENCH_MODEL names. */
static struct embedder *new_embedder(void)
{
    const char          *model    = getenv("TENON_BENCH_MODEL");
    struct embed_options options  = { .provider = model && *model ? "model" : "embedded", .model = model };
    char                *mistake  = NULL;
    struct embedder     *embedder = embed_new(&options, &mistake);

    if (!embedder || (embedder->wait && !embedder->wait(embedder, &mistake)))
        die(mistake ? mistake : "no embeddings");
    return embedder;
}

void bench_open(struct bench *bench, const char *path)
{
    char *mistake = NULL;

    *bench               = (struct bench){ .project.tenant = { 0, "bench", "main", "0123456789abcdef" } };
    bench->docs.store    = store_open(path ? path : ":memory:", &mistake);
    bench->docs.embedder = new_embedder();
    pthread_mutex_init(&bench->docs.lock, NULL);
    bench->box = tenon_toolbox_new(.user = &bench->docs);
    if (!bench->docs.store || !bench->docs.embedder || !bench->box ||
        store_tenant(bench->docs.store, &bench->project.tenant, "/bench") != STORE_OK)
        die(mistake ? mistake : "the store cannot be opened");
    bench_renew(bench);
}

/* What is embedded of a passage. */
static void embed_passage(struct embedder *embedder, const char *title, const struct passage *passage,
                          const char *text, float *out)
{
    size_t               len      = passage->end - passage->begin;
    char                *embedded = need(calloc(embed_head_len(title, passage->heading_path) + len + 1, 1));
    struct embed_failure failure;

    memcpy(embed_head(embedded, title, passage->heading_path), text + passage->begin, len);
    if (embedder->embed(embedder, NULL, EMBED_DOCUMENT, (const char *const *)&embedded, 1, out, &failure) !=
        EMBED_OK)
        die("a text cannot be embedded");
    free(embedded);
}

static struct piece *cut_pieces(const struct chunks *chunks, const struct passages *passages,
                                const char *text, struct part *parts)
{
    struct piece *pieces = need(calloc(chunks->count, sizeof *pieces));

    for (size_t i = 0; i < chunks->count; i++)
        pieces[i] = (struct piece){ .index       = (int)i,
                                    .text        = text + chunks->at[i].begin,
                                    .len         = chunks->at[i].end - chunks->at[i].begin,
                                    .header_path = chunks->at[i].header_path,
                                    .first_line  = (int64_t)chunks->at[i].first_line,
                                    .last_line   = (int64_t)chunks->at[i].last_line };
    for (size_t i = 0; i < passages->count; i++) {
        const struct passage *passage = &passages->at[i];
        struct piece         *piece   = &pieces[passage->chunk];
        size_t                begin   = chunks->at[passage->chunk].begin;

        parts[i]     = (struct part){ passage->begin - begin,       passage->end - begin,
                                      (int64_t)passage->first_line, (int64_t)passage->last_line,
                                      passage->heading_path,        passage->anchor };
        piece->parts = piece->part_count++ ? piece->parts : &parts[i];
    }
    return pieces;
}

static void put_document(struct bench *bench, const char *name, const char *text)
{
    struct embedder *embedder = bench->docs.embedder;
    char            *title    = chunk_title(text, strlen(text));
    struct document  document = {
         .path = name, .title = title ? title : "", .doc_type = "plain", .hash = "h"
    };
    struct chunks   chunks;
    struct passages passages;
    struct piece   *pieces;
    struct part    *parts;
    float          *vectors;

    if (!chunks_make(&chunks, text, strlen(text), 1) ||
        !passages_make(&passages, text, strlen(text), 1, &chunks, title))
        die("a document cannot be cut");
    parts   = need(calloc(passages.count, sizeof *parts));
    vectors = need(calloc(passages.count * embedder->dimensions, sizeof *vectors));
    pieces  = cut_pieces(&chunks, &passages, text, parts);
    for (size_t i = 0; i < passages.count; i++)
        embed_passage(embedder, title, &passages.at[i], text, vectors + i * embedder->dimensions);
    if (store_put(bench->docs.store, &bench->project.tenant, &document, pieces, chunks.count, vectors,
                  embedder->dimensions, embedder->model, NULL, 0) != STORE_OK)
        die("a document cannot be stored");
    passages_free(&passages);
    chunks_free(&chunks);
    free(title);
    free(parts);
    free(pieces);
    free(vectors);
}

void bench_put(struct bench *bench, const struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        put_document(bench, corpus->names[i], corpus->texts[i]);
}

void bench_close(struct bench *bench)
{
    tenon_call_free(bench->call);
    tenon_toolbox_free(bench->box);
    floors_free(&bench->docs);
    bench->docs.embedder->free(bench->docs.embedder);
    store_close(bench->docs.store);
}
