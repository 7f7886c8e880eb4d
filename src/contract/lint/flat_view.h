/* flat_view.h - what a schema says of one place, references and allOf included, as far as one type can say it. */
#ifndef CONTRACT_LINT_FLAT_VIEW_H
#define CONTRACT_LINT_FLAT_VIEW_H

#include "contract/lint/flat.h"

#define FLAT_PARTS_MAX 16

struct tn_flat_view {
    yyjson_val *parts[FLAT_PARTS_MAX]; /* schemas that all hold, the outermost first */
    size_t      count;
    yyjson_val *variants[FLAT_PARTS_MAX]; /* of a union of objects, or of choices: one of them holds */
    size_t      variant_count;
    const char *type; /* "string", ...; NULL: any, or several that one type cannot say */
    bool        nullable, mixed, deep;
    bool        takes_text; /* a text is among what it accepts */
};

/* The places around one: a schema that comes again inside itself makes it `deep`. */
struct tn_flat_open {
    const struct tn_flat_open *outer;
    const struct tn_flat_view *view;
};

void tn_flat_view(struct tn_flat_view *view, struct tn_arena *arena, yyjson_val *root, yyjson_val *schema,
                  const struct tn_flat_open *open);

/* What the first part that has the keyword says, or NULL. */
yyjson_val *tn_flat_view_get(const struct tn_flat_view *view, const char *keyword);

/* The names of members that must be there. */
struct tn_flat_needed {
    struct tn_table always, variants[FLAT_PARTS_MAX];
    size_t          variant_count;
};

void tn_flat_needed(struct tn_flat_needed *needed, struct tn_arena *arena, const struct tn_flat_view *view);

/* Whichever variant holds? */
bool tn_flat_needs(const struct tn_flat_needed *needed, struct tn_slice name);

#endif
