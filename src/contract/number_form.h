/* number_form.h - a number of JSON's grammar in its one shortest exact form. */
#ifndef CONTRACT_NUMBER_FORM_H
#define CONTRACT_NUMBER_FORM_H

#include "base/buf.h"

#define NUMBER_FORM_EXPONENT_MAX INT64_C(1000000000000000) /* either way; the digits before it are not limited */

/* Works on the text, never on doubles: 1.10 and 11e-1 are 1.1, -0.0 is 0, 100 stays, 1000 is 1e3, 1e400 stays. The shorter of
 * digits with a point and digits with an exponent; of two that are equally long the first. False when the exponent is larger
 * than the bound: nothing is written then. */
bool tn_number_form(struct tn_buf *out, struct tn_slice number);

#endif
