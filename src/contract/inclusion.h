/* inclusion.h - is everything that one schema accepts accepted by another?
 *
 * Proved on the compiled trees, rule by rule. True means that there is no value which the first accepts and the second
 * refuses; false means that it was not proved, which says nothing: a witness may still be found (contract/witness.h), or
 * neither. A member that only the second declares, and of which the first says nothing at all, is taken as absent: a call that
 * used a parameter before there was one had no promise. References are followed, also in circles; every proof has a bound.
 */
#ifndef CONTRACT_INCLUSION_H
#define CONTRACT_INCLUSION_H

#include <tenon/schema.h>

/* Both were compiled without a mistake. */
bool tn_inclusion_proved(const tenon_schema *from, const tenon_schema *to);

/* Without that exception: of every value. */
bool tn_inclusion_strict(const tenon_schema *from, const tenon_schema *to);

#endif
