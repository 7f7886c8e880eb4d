/* rule.h - rules over several parameters: ordered, together, exclusive, at least one, requires. */
#ifndef ROWS_RULE_H
#define ROWS_RULE_H

#include "model/location.h"

/* Judges one rule over a struct whose own values were bound. What is bad already is counted as given, and not
 * compared. */
void rule_judge(struct judge *judge, const struct object *object, const struct rule *rule,
                const struct place *up, const char *base, const uint8_t *presence);

#endif
