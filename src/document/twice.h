/* twice.h - names that stand twice in one object of a tool's arguments. */
#ifndef DOCUMENT_TWICE_H
#define DOCUMENT_TWICE_H

#include "document/verdict.h"

/* Reports them, at any depth, where no issue speaks of them yet: the schema need not say anything of the object. `repaired` is
 * what became of `sent`: it has in it what texts say, and lacks what stands for nothing. */
void tn_twice_report(struct tn_verdict *verdict, const struct tn_node *node, yyjson_val *sent,
                     yyjson_val *repaired);

#endif
