/* vocabulary.h - words that nothing has: a message for each, with the nearest existing word and some of the others. */
#ifndef APPSEC_VOCABULARY_H
#define APPSEC_VOCABULARY_H

#include "appsec/appsec.h"

struct vocabulary {
    const char *what; /* "vulnerability has the tag" */
    const char *has;  /* gives a row when there is ?1 */
    const char *all;  /* gives the words, in their order; ?1 is `name` and ?2 `app`, where they are set */
    const char *name;
    int64_t     app;
};

extern const struct vocabulary finding_tag_words, app_tag_words, server_tag_words, agent_words;

void vocabulary_check(struct sql *sql, tenon_call *call, const struct vocabulary *words,
                      const tenon_strs *asked);
void vocabulary_report(struct sql *sql, tenon_call *call, const struct vocabulary *words, const char *word);
struct statement *vocabulary_statement(struct sql *sql, const struct vocabulary *words);

/* Of metadata, as appsec_choices() makes it: of applications, or of one application's sessions. */
void vocabulary_metadata(struct sql *sql, tenon_call *call, int64_t app, const char *choices);

#endif
