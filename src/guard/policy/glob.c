/* glob.c - matching without recursion: after a mismatch the last star takes one character more. */
#include "guard/policy/glob.h"

/* The length of the character that begins here: `?` stands for one, not for a byte. */
static size_t character_len(struct tn_slice text, size_t at)
{
    size_t len = 1;

    while (at + len < text.len && ((unsigned char)text.at[at + len] & 0xC0) == 0x80)
        len++;
    return len;
}

bool tn_glob_match(struct tn_slice pattern, struct tn_slice name)
{
    size_t p = 0, n = 0, star = SIZE_MAX, taken = 0;

    while (n < name.len) {
        if (p < pattern.len && pattern.at[p] == '*') {
            star  = p++;
            taken = n;
        } else if (p < pattern.len && pattern.at[p] == '?') {
            p++;
            n += character_len(name, n);
        } else if (p < pattern.len && pattern.at[p] == name.at[n]) {
            p++;
            n++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            n = taken += character_len(name, taken);
        } else
            return false;
    }
    while (p < pattern.len && pattern.at[p] == '*')
        p++;
    return p == pattern.len;
}

/* Up to its first star the pattern is as long as what it matches; from there on anything may follow. */
bool tn_glob_reaches(struct tn_slice pattern, struct tn_slice beginning)
{
    size_t p = 0, n = 0;

    while (n < beginning.len && p < pattern.len && pattern.at[p] != '*') {
        if (pattern.at[p] != '?' && pattern.at[p] != beginning.at[n])
            return false;
        n += pattern.at[p] == '?' ? character_len(beginning, n) : 1;
        p++;
    }
    return n >= beginning.len || p < pattern.len;
}

static bool any_matches(const tenon_strs *patterns, struct tn_slice name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (tn_glob_match(tn_slice_of(patterns->at[i]), name))
            return true;
    return false;
}

bool tn_globs_allow(const struct tn_globs *globs, struct tn_slice name)
{
    return (globs->allow.count == 0 || any_matches(&globs->allow, name)) && !any_matches(&globs->deny, name);
}

bool tn_globs_reach(const struct tn_globs *globs, struct tn_slice beginning)
{
    for (size_t i = 0; i < globs->deny.count; i++) {
        struct tn_slice deny = tn_slice_of(globs->deny.at[i]);

        /* A pattern with a star at its end that matches the beginning matches all that begins so. */
        if (deny.len > 0 && deny.at[deny.len - 1] == '*' && tn_glob_match(deny, beginning))
            return false;
    }
    for (size_t i = 0; i < globs->allow.count; i++)
        if (tn_glob_reaches(tn_slice_of(globs->allow.at[i]), beginning))
            return true;
    return globs->allow.count == 0;
}
