/* zoo.h - tools that together use every kind, option, rule, group and policy that can be declared.
 *
 * Tests that hold for every declaration run over all of them. What a zoo tool does is of no interest, except for the
 * round trip: `specimen` returns what `echo_specimen` takes.
 */
#ifndef SUPPORT_ZOO_H
#define SUPPORT_ZOO_H

#include <tenon/tenon.h>

/* All of them; never changes. */
const tenon_tool *const *zoo_tools(size_t *count);

/* A toolbox with all of them, whose cursors are signed with a fixed key and whose log is silent. Ends the program when
 * one of them does not compile. */
tenon_toolbox *zoo_box(void);

/* The same with a policy of the operator's for all of them: unknown names, and no other types. */
tenon_toolbox *zoo_box_with(tenon_unknown unknown, bool strict);

/* For callers who are given the portable form. */
tenon_toolbox *zoo_box_portable(void);

/* zoo_docs.c: the nine tools of a documentation server. */
TENON_TOOL_DECL(rag_query);
TENON_TOOL_DECL(semantic_search);
TENON_TOOL_DECL(index_document);
TENON_TOOL_DECL(list_doc_types);
TENON_TOOL_DECL(search_external_docs);
TENON_TOOL_DECL(rag_query_external);
TENON_TOOL_DECL(delete_documents);
TENON_TOOL_DECL(update_promotion_level);
TENON_TOOL_DECL(activate_project);

/* zoo_kinds.c: every kind with every option. */
TENON_TOOL_DECL(texts);
TENON_TOOL_DECL(formats);
TENON_TOOL_DECL(places);
TENON_TOOL_DECL(integers);
TENON_TOOL_DECL(numbers);
TENON_TOOL_DECL(choices);
TENON_TOOL_DECL(moments);
TENON_TOOL_DECL(lists);
TENON_TOOL_DECL(number_lists);
TENON_TOOL_DECL(enum_lists);
TENON_TOOL_DECL(trees);
TENON_TOOL_DECL(json_texts);
TENON_TOOL_DECL(all_required);

/* zoo_rules.c: rules, groups, policies, results. */
TENON_TOOL_DECL(ordered_pairs);
TENON_TOOL_DECL(presence_rules);
TENON_TOOL_DECL(own_rules);
TENON_TOOL_DECL(rules_below);
TENON_TOOL_DECL(paged);
TENON_TOOL_DECL(paged_small);
TENON_TOOL_DECL(by_cursor);
TENON_TOOL_DECL(in_time);
TENON_TOOL_DECL(own_groups);
TENON_TOOL_DECL(strict_tool);
TENON_TOOL_DECL(destructive_tool);
TENON_TOOL_DECL(unknown_message);
TENON_TOOL_DECL(unknown_ignored);
TENON_TOOL_DECL(specimen);
TENON_TOOL_DECL(echo_specimen);

#endif
