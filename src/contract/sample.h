/* sample.h - a text that a pattern probably matches.
 *
 * Understands what patterns in schemas are made of: literals, classes, groups, alternatives, repetitions. What it does not
 * understand it leaves out, so that a text must be validated before it is used.
 */
#ifndef CONTRACT_SAMPLE_H
#define CONTRACT_SAMPLE_H

#include "base/buf.h"

/* The nth of several: further ones take other alternatives, other characters and more repetitions. */
void tn_sample_write(struct tn_buf *out, const char *pattern, size_t nth);

#endif
