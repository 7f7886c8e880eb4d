/* rule.h - rules over several parameters: ordered, together, exclusive, at least one, requires. */
#ifndef ROWS_RULE_H
#define ROWS_RULE_H

#include "model/location.h"

/* Judges one rule over a struct whose own values were bound. What is bad already is counted as given, and not
 * compared. */
void tn_rule_judge(struct tn_judge *judge, const struct tn_object *object, const struct tn_rule *rule,
                   const struct tn_location *up, const char *base, const uint8_t *presence);

#endif
