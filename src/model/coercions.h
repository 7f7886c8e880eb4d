/* coercions.h - the message that all values of another type than the declared one share. */
#ifndef MODEL_COERCIONS_H
#define MODEL_COERCIONS_H

#include "model/judge.h"

/* Counts a value that was taken of another type, and adds it to the message: as many as fit, and how many more there
 * are. */
void tn_coercions_add(struct tn_judge *judge, struct tn_slice label, bool secret, yyjson_val *from,
                      struct tn_slice to);

/* The message, when all are known. */
void tn_coercions_report(struct tn_judge *judge);

#endif
