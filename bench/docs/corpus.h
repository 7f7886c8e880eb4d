/* corpus.h - what is measured: documents, questions, and which document answers which question. */
#ifndef BENCH_DOCS_CORPUS_H
#define BENCH_DOCS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "docs/docs.h"
#include "docs/search/search.h"
#include "kit/embed/embed.h"

struct corpus {
    const char *name;           /* of a collection */
    char      **names, **texts; /* of documents */
    size_t      count;
    char      **questions;
    size_t      question_count;
    char      **wanted;   /* words that a right answer has, "|" between alternatives; NULL: not known */
    bool       *relevant; /* question * count + document */
};

/* The collection in `folder` (CISI, Cranfield or CACM); documents and questions keep their numbers less one. False when it is not there. */
bool corpus_collection(struct corpus *corpus, const char *folder);

/* The files as documents; questions of a file of lines "question<TAB>file file", "-" for none, and perhaps a TAB and
 * the words of a right answer. */
bool corpus_files(struct corpus *corpus, char **files, size_t count, const char *questions);

bool   corpus_is_relevant(const struct corpus *corpus, size_t question, size_t document);
size_t corpus_relevant(const struct corpus *corpus, size_t question);

/* A server's parts with the corpus indexed: in memory for path NULL. Ends the program when something fails. */
struct bench {
    struct docs    docs;
    struct project project;
    tenon_toolbox *box;
    tenon_call    *call;
};

void bench_open(struct bench *bench, const char *path);
void bench_put(struct bench *bench, const struct corpus *corpus);
void bench_close(struct bench *bench);
/* A new call: what the last one allocated is gone. */
void bench_renew(struct bench *bench);

void die(const char *what);

int quality_run(const struct corpus *corpus);
int features_run(const struct corpus *corpus);
/* Pairs of a name and a file of questions, then "--" and the files that are the documents. */
int show_sets(char **words, size_t count);
int speed_run(const struct corpus *corpus, const char *folder, size_t pieces);

#endif
