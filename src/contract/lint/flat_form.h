/* flat_form.h - what the rules of profiles leave for a schema that all of them accept. */
#ifndef CONTRACT_LINT_FLAT_FORM_H
#define CONTRACT_LINT_FLAT_FORM_H

#include "contract/lint/profile.h"

#define FORM_LEVELS ((size_t)6) /* of objects below each other, where no rule says fewer */

struct tn_flat_form {
    const struct tn_profile *const *profiles;
    size_t                          count;
    bool                            all_required; /* every property must be sent */
    bool                            closed;       /* objects must say that they have no other members */
    bool                            items;        /* arrays must say what is in them */
    bool                            nulls;        /* null may stand for what is left out */
    bool                            case_folds;   /* values of an enum differ by more than case */
    bool                            text_enums;   /* values of an enum are texts */
    bool                            output;       /* an outputSchema may be there */
    size_t                          levels;       /* of objects */
};

/* The profiles are borrowed. Notes do not count: what is good to know is no reason to change a schema. */
void tn_flat_form_init(struct tn_flat_form *form, const struct tn_profile *const *profiles, size_t count);

/* May the keyword stand in a schema? `value` may be NULL. */
bool tn_flat_form_keeps(const struct tn_flat_form *form, const char *keyword, yyjson_val *value, bool root);

/* The shortest limit of names, of tools or of properties; SIZE_MAX without any. */
size_t tn_flat_form_name_max(const struct tn_flat_form *form, enum tn_profile_check check, bool root);

/* A name that all rules accept: itself, or with other characters, or cut, with a hash of the whole. In the arena. */
struct tn_slice tn_flat_form_name(const struct tn_flat_form *form, struct tn_arena *arena,
                                  enum tn_profile_check check, bool root, struct tn_slice name);

#endif
