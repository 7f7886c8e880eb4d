/* skim.h - what a message is about, seen without keeping or reading it: for one that is too long, or broken.
 *
 * Bytes come piece by piece. Only members at the top are looked at; nothing is checked, and every byte is looked at once.
 */
#ifndef NET_CLIENT_SKIM_H
#define NET_CLIENT_SKIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKIM_NAME_MAX   8  /* bytes of a name that matter: "method" is the longest */
#define SKIM_DIGITS_MAX 18 /* of an id; ours have fewer */

struct tn_skim {
    size_t  depth; /* of brackets */
    bool    in_string, escaped;
    bool    in_name, in_value; /* of a member at the top */
    char    name[SKIM_NAME_MAX];
    size_t  name_len;
    bool    is_id; /* the value that is next, or being read, is the id's */
    size_t  digits;
    int64_t number;
    bool    has_method, has_outcome; /* "result" or "error" */
};

void tn_skim_bytes(struct tn_skim *skim, const char *at, size_t len);

/* The id that it answers, when it is seen to be a response; else 0. */
int64_t tn_skim_answered(const struct tn_skim *skim);

#endif
