/* docs.c - measurements of the documentation server.
 *
 *     docs quality CISI                 how good, beside SQLite's own search and vectors alone
 *     docs features CISI                evidence of every pair, for fit.py
 *     docs own NAME QUESTIONS [NAME QUESTIONS]... -- FILE...   the second corpus; a set of questions after the other
 *     docs speed CISI FOLDER PIECES     how fast, with texts made of the collection's words
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

int main(int argc, char **argv)
{
    struct corpus corpus = { 0 };

    if (argc < 3)
        die("docs quality|features|own|speed ...");
    if (strcmp(argv[1], "own") == 0)
        return show_sets(argv + 2, (size_t)argc - 2);
    if (!corpus_collection(&corpus, argv[2]))
        die("the collection is not there");
    if (strcmp(argv[1], "quality") == 0)
        return quality_run(&corpus);
    if (strcmp(argv[1], "features") == 0)
        return features_run(&corpus);
    if (strcmp(argv[1], "speed") == 0 && argc == 5)
        return speed_run(&corpus, argv[3], strtoul(argv[4], NULL, 10));
    die("docs quality|features|own|speed ...");
    return 2;
}
