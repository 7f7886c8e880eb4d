/* trial.h - a dry run: calls go to their servers as they came, and the log says what would have been done.
 *
 * So an operator can see what a configuration would refuse before it does. What is hidden stays hidden. */
#ifndef GUARD_CONFIG_TRIAL_H
#define GUARD_CONFIG_TRIAL_H

#include "guard/policy/admission.h"

/* A call is to be refused. True in a dry run: it was logged, and the call goes on. */
bool tn_trial_passes(const struct tn_relay *relay, const char *why);

/* A call was judged. In a dry run that is logged, and the judgement becomes one that lets everything through. */
void tn_trial_admit(const struct tn_relay *relay, struct tn_admission *admission);

#endif
