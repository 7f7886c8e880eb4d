/* propose.h - what may stand next in a command line of `tenon`, for the shells' completion. */
#ifndef CLI_PROPOSE_PROPOSE_H
#define CLI_PROPOSE_PROPOSE_H

#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"
#include "cli/command.h"

/* A command line that is being typed. */
struct proposal {
    const struct console *console;
    struct tn_arena       arena;
    const struct command *command;
    char                **words; /* after the command's name, without the one that is typed */
    size_t                word_count;
    const char           *typed;
    bool                  is_flag; /* an option is typed; otherwise no candidate may look like one */
};

/* One candidate, when it begins as what is typed does. Names come from servers, and shells insert them into a command line:
 * one with a character that a shell could read in its own way is left out. `about` may be empty. */
void propose(struct proposal *proposal, struct tn_slice value, struct tn_slice about);

/* The same of a name and what follows it: "city", "=". */
void propose_joined(struct proposal *proposal, struct tn_slice name, const char *mark, struct tn_slice value,
                    struct tn_slice about);

/* flags.c: an option, as the command's --help has it. */
struct flag {
    struct tn_slice name;  /* with its dashes */
    struct tn_slice value; /* what it takes; empty when it takes nothing */
    struct tn_slice about;
};

/* The text of --help; an empty one when there is none. */
struct tn_slice flags_text(struct proposal *proposal);

/* Takes the next option from the rest of that text. */
bool flags_next(struct tn_slice *text, struct flag *flag);
bool flags_find(struct tn_slice text, struct tn_slice name, struct flag *flag);

/* offered.c: asks the server of the operand before for the `operand`th one: tools, parameters, values, resources. */
void propose_offered(struct proposal *proposal, const char *const *operands, size_t operand_count,
                     const char *const *flags, size_t flag_count);

#endif
