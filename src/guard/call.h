/* call.h - a call of a tool, on its way to the server behind. */
#ifndef GUARD_CALL_H
#define GUARD_CALL_H

#include "guard/relay.h"

/* Its server is ready, and its tools are known: sends it, or answers it. */
void tn_call_go(struct tn_relay *relay);

#endif
