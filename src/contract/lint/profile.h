/* profile.h - what a client or a provider does with lists of tools, as data.
 *
 * A profile is a JSON document (share/tenon/profile.schema.json says what stands in it): rules, each with what happens where it
 * is broken, where that was seen, and when. Those in share/tenon/profiles are part of the program; others are read from a folder.
 */
#ifndef CONTRACT_LINT_PROFILE_H
#define CONTRACT_LINT_PROFILE_H

#include "contract/findings/findings.h"
#include "json/read.h"
#include "text/pattern.h"

#define PROFILES_MAX         ((size_t)64)
#define PROFILE_LEN_MAX      ((size_t)256 << 10)
#define PROFILE_MISTAKES_MAX ((size_t)8)

/* What a rule looks at; the names are those of the schema. */
enum tn_profile_check {
    CHECK_NAME,
    CHECK_PROPERTY_NAMES,
    CHECK_KEYWORDS,
    CHECK_ONLY,
    CHECK_VALUE,
    CHECK_TYPED,
    CHECK_ONE_TYPE,
    CHECK_NULL,
    CHECK_MIXED,
    CHECK_VARIANTS,
    CHECK_BESIDE,
    CHECK_REFERENCE,
    CHECK_RECURSION,
    CHECK_REQUIRED,
    CHECK_DEPTH,
    CHECK_FORMATS,
    CHECK_ENUM,
    CHECK_COUNT,
    CHECK_OUTPUT,
    CHECKS
};

enum tn_profile_at { AT_ANYWHERE, AT_ROOT, AT_INSIDE };

enum tn_profile_count {
    COUNT_TOOLS,
    COUNT_PROPERTIES,
    COUNT_OPTIONAL,
    COUNT_UNIONS,
    COUNT_ENUM_VALUES,
    COUNT_CHARACTERS,
    COUNTS
};

struct tn_profile_rule {
    enum tn_profile_check check;
    enum tn_profile_at    at;
    enum tn_level         level;
    struct tn_slice       effect;
    struct pattern       *pattern; /* of names, or NULL */
    struct tn_slice       pattern_text;
    struct tn_slice       prefix, keyword, type;                          /* or empty */
    yyjson_val           *keywords, *formats, *allowed, *refused, *types; /* arrays, or NULL */
    bool                  needed, folds_case, whole_list;
    enum tn_profile_count of;
    size_t                longest, most; /* SIZE_MAX: no limit */
};

struct tn_profile {
    struct tn_slice         name, title;
    struct tn_slice         reads; /* "content", "structuredContent", "both"; or empty */
    bool                    mode;  /* must be asked for */
    struct tn_profile_rule *rules;
    size_t                  count;
};

struct tn_profiles {
    struct tn_arena   arena;
    struct tn_profile at[PROFILES_MAX]; /* by their names */
    size_t            count;
    const char       *why; /* the last one that was refused */
};

void tn_profiles_init(struct tn_profiles *profiles, const tenon_allocator *memory);
void tn_profiles_free(struct tn_profiles *profiles);

/* Reads one; it takes the place of another of that name. False when it cannot be used: `why` says so. */
bool tn_profiles_add(struct tn_profiles *profiles, struct tn_slice name, struct tn_slice text);

/* Those that are part of the program. */
bool tn_profiles_add_known(struct tn_profiles *profiles);

/* Or NULL. */
const struct tn_profile *tn_profiles_find(const struct tn_profiles *profiles, struct tn_slice name);

/* "name", "property-names", ... */
const char *tn_profile_check_name(enum tn_profile_check check);

/* Made by the build of what stands in share/tenon. */
extern const char tn_profile_schema[];

struct tn_profile_text {
    const char *name, *text;
};
extern const struct tn_profile_text tn_profile_texts[]; /* one without a name is the end */

#endif
