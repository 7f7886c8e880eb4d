/* ask.h - questions of the server behind, put to the client in front: elicitation, sampling, roots. */
#ifndef GUARD_ASK_H
#define GUARD_ASK_H

#include "guard/link.h"

/* A question came; refused where no client can be asked. */
void tn_ask_client(struct tn_link *link, tenon_question *question);

/* A response of the client's. False when it answers no open question of this link. */
bool tn_ask_answered(struct tn_link *link, struct tn_exchange *x, struct tn_slice message);

/* Its server is gone: the answers are not waited for any more. */
void tn_ask_forget(struct tn_link *link);

#endif
