/* instance.h - one instance of `tenon validate`: validated, and the result printed. */
#ifndef CLI_VALIDATE_INSTANCE_H
#define CLI_VALIDATE_INSTANCE_H

#include <tenon/schema.h>

#include "cli/command.h"
#include "cli/validate/place.h"

enum form { FORM_TEXT, FORM_FLAG, FORM_BASIC, FORM_DETAILED };

/* How judgements are printed. */
struct manner {
    enum form form;
    bool      repair;      /* print the repaired instance, and what is wrong on standard error */
    bool      annotations; /* print what the schema says of valid instances */
    bool      several;     /* a line of JSON names its instance */
};

/* `arena` is for this instance only. */
enum ending instance_judge(const struct console *console, const struct manner *manner, tenon_verdict *verdict,
                           struct tn_arena *arena, const struct validate_source *source);

#endif
