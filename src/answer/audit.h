/* audit.h - the arguments of a call as an operator may keep them: without secrets. */
#ifndef ANSWER_AUDIT_H
#define ANSWER_AUDIT_H

#include "answer/call.h"

#define AUDIT_HIDDEN "\"[hidden]\""
#define AUDIT_MAX    ((size_t)64 << 10) /* longer ones are left out as a whole */

/* JSON in the call's arena, after a run by tn_call_run_value(); empty when it is too long. Of a tool with secrets, whatever
 * may hold one is hidden: secret parameters, names that are not declared, lists and objects; of any, members that are called like a
 * credential. */
struct tn_slice tn_audit_arguments(tenon_call *call);

#endif
