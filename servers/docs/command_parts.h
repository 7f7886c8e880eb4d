/* command_parts.h - what the files of `tenon docs` share. */
#ifndef DOCS_COMMAND_PARTS_H
#define DOCS_COMMAND_PARTS_H

#include <tenon/testing.h>

#include "docs/docs.h"
#include "docs/index/indexer.h"

enum command_ending { ENDING_GOOD = 0, ENDING_BAD = 1, ENDING_UNUSABLE = 2 };

struct command_row {
    struct docs_options options;
    const char         *limit, *score;
    tenon_strs          least; /* measures that eval asks for */
    bool                json, no_index;
    tenon_strs          words; /* after the command's name */
    const char         *path;  /* of the project */
    struct docs         docs;
};

/* Brings the index up to date; what went wrong was said, briefly or file by file. */
enum command_ending command_bring_up_to_date(struct command_row *command, bool briefly,
                                             struct index_counts *counts);
/* A number as it is, anything else as text: the tool says what is wrong with it. NULL writes nothing. */
void command_write_value(tenon_writer *w, const char *name, const char *value);

enum command_ending command_index(struct command_row *command);
enum command_ending command_status(struct command_row *command);
enum command_ending command_backup(struct command_row *command);
enum command_ending command_eval(struct command_row *command);

#endif
