/* lookup.h - values that only the running program knows: catalogues, looked up together with the validation.
 *
 *     static void known_tags(tenon_lookup *lookup, const void *value)
 *     {
 *         struct shop      *shop = tenon_user(tenon_lookup_call(lookup));
 *         const tenon_strs *tags = value;
 *
 *         tenon_lookup_words(lookup, "tag", "list_tags has all of them.");
 *         for (size_t i = 0; i < tags->count; i++)
 *             if (!shop_has_tag(shop, tags->at[i]))
 *                 tenon_lookup_unknown(lookup, tags->at[i]);
 *         if (tenon_lookup_count(lookup) > 0)
 *             for (size_t i = 0; i < shop->tag_count; i++)
 *                 tenon_lookup_offer(lookup, shop->tags[i]);
 *     }
 *
 *     TENON_STRS(tags, "Only with these tags.", .lookup = known_tags)
 *
 * A lookup runs where the handler would run, after all rows were validated and before the handler, once for each parameter that
 * was sent and holds its row's rules, also when others do not: what it finds is reported in the first answer, beside all
 * other issues. One that waits, for a database or a network, belongs to a tool that is .blocking. Validation without a
 * tool (tenon_params_bind) stays pure and runs no lookup.
 */
#ifndef TENON_LOOKUP_H
#define TENON_LOOKUP_H

#include <tenon/call.h>
#include <tenon/rows.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The call, for tenon_user(), tenon_detail() and their kin. */
TENON_API tenon_call *tenon_lookup_call(const tenon_lookup *lookup);

/* The struct around the value: the tool's arguments, or the object that it stands in. For a field whose value was
 * refused tenon_lookup_holds() is false; do not use its content. */
TENON_API const void *tenon_lookup_args(const tenon_lookup *lookup);
TENON_API bool        tenon_lookup_holds(const tenon_lookup *lookup, const void *field);

/* Words of its issues: what one value is called ("tag"), and a sentence that says where to find those that there are, or
 * NULL. Both are static. */
TENON_API void tenon_lookup_words(tenon_lookup *lookup, const char *noun, const char *where);

/* The error code, of the toolbox's table, that the answer has when nothing else is wrong: in the place of VALIDATION_ERROR,
 * with the table's text. */
TENON_API void tenon_lookup_code(tenon_lookup *lookup, const char *code);

/* A value that does not exist. Each is an issue of its own. */
TENON_API void   tenon_lookup_unknown(tenon_lookup *lookup, const char *name);
TENON_API size_t tenon_lookup_count(const tenon_lookup *lookup);

/* After the unknown ones: a value that exists. The nearest one is suggested; where no value is near, a short
 * list is named in full. */
TENON_API void tenon_lookup_offer(tenon_lookup *lookup, const char *name);

/* The lookup failed: the call ends with `failure`, of tenon_fail() or its kin, unless issues end it anyway. */
TENON_API void tenon_lookup_fail(tenon_lookup *lookup, tenon_outcome failure);

#ifdef __cplusplus
}
#endif
#endif
