/* reasons.h - why nothing matched. An empty answer may mean that all is well or that the question was too narrow; a message
 * says which single condition left everything out, or that there is nothing to search in. */
#ifndef APPSEC_REASONS_H
#define APPSEC_REASONS_H

#include "appsec/appsec.h"

/* One sentence, growing; what does not fit is left out. */
struct reasons {
    size_t len;
    char   text[400];
};

/* Without this condition so many would match; nothing is said of none. */
void reasons_add(struct reasons *reasons, const char *condition, int64_t count);
void reasons_say(tenon_call *call, const struct reasons *reasons);

/* The number that a statement gives; ?1 is `app`. */
int64_t reasons_count(struct sql *sql, const char *text, int64_t app);

/* Of a search for vulnerabilities that found none. */
void reasons_findings(struct sql *sql, tenon_call *call, const struct finding_query *asked);
/* How far the search went. */
void reasons_searched(struct sql *sql, tenon_call *call);

#endif
