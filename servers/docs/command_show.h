/* command_show.h - answers of the documentation server for people and for programs.
 *
 * Documents are untrusted text: on a terminal, control characters are spelled out.
 */
#ifndef DOCS_COMMAND_SHOW_H
#define DOCS_COMMAND_SHOW_H

#include <stdio.h>

#include <tenon/json.h>

#include "docs/index/indexer.h"

/* Text as it is, or with control characters as \xNN and \u{NN} on a terminal; line ends and tabs stay. */
void docs_show_text(FILE *to, const char *at, size_t len);

/* A sentence, and every violation on a line of its own. */
void docs_show_problem(FILE *to, const struct index_problem *problem);

/* The whole answer on one line of JSON. */
void docs_show_json(FILE *to, const tenon_json *answer);

/* Messages, and the error if there is one. False when there is. */
bool docs_show_status(FILE *to, const tenon_json *answer);

void docs_show_found(FILE *to, const tenon_json *data);
void docs_show_answer(FILE *to, const tenon_json *data);

#endif
