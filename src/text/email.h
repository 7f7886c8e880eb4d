/* email.h - addresses of mailboxes, as text: no comments, no display name. */
#ifndef TEXT_EMAIL_H
#define TEXT_EMAIL_H

#include <stdbool.h>

#include "base/str.h"

/* What RFC 5321 calls a mailbox; ASCII only. */
bool tn_email_is_address(struct tn_slice text);

/* The same with the characters that RFC 6531 adds, in the local part and in the labels of the domain. Those labels
 * are not looked into any further. */
bool tn_email_is_international(struct tn_slice text);

#endif
