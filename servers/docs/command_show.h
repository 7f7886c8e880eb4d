/* command_show.h - answers of the documentation server for people and for programs. */
#ifndef DOCS_COMMAND_SHOW_H
#define DOCS_COMMAND_SHOW_H

#include <stdio.h>

#include <tenon/json.h>

#include "docs/command_text.h"
#include "docs/index/indexer.h"

/* A sentence, and every violation on a line of its own. */
void docs_show_problem(FILE *to, const struct index_problem *problem);

/* The whole answer on one line of JSON. */
void docs_show_json(FILE *to, const tenon_json *answer);

/* Messages, and the error if there is one. False when there is. */
bool docs_show_status(FILE *to, const tenon_json *answer);

/* Places with headings and passages; an answer with its sources. */
void docs_show_found(const struct docs_page *page, const tenon_json *data);
void docs_show_answer(const struct docs_page *page, const tenon_json *data);

#endif
