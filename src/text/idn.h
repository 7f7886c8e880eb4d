/* idn.h - internationalised names of hosts, by IDNA 2008 (RFC 5890 to 5893).
 *
 * The tables of Unicode are those of libidn2 and of libunistring, on which it is built; they are optional: the build
 * defines TENON_IDN2 where both are found. Without them nothing is known of the characters, so that there is no
 * tn_idn_is_name, and what follows "xn--" is accepted as it is. libidn2 takes a few hundred bytes from malloc for a
 * label and gives them back.
 */
#ifndef TEXT_IDN_H
#define TEXT_IDN_H

#include <stdbool.h>

#include "base/str.h"

#ifdef TENON_IDN2
/* Labels of letters, digits and inner hyphens, labels in Unicode that are valid as they are (nothing is mapped), and
 * their encoded forms; dots of any of the four kinds. The rules of context and direction are kept. */
bool tn_idn_is_name(struct tn_slice text);
#endif

/* tn_host_is_name(), whose labels with "xn--" stand for valid ones. */
bool tn_idn_is_ascii_name(struct tn_slice text);

#endif
