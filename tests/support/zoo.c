/* zoo.c - the list of the zoo's tools, and a toolbox with them. */
#include "support/zoo.h"

#include <stdio.h>
#include <stdlib.h>

#define TOOLS_MAX 64

const tenon_tool *const *zoo_tools(size_t *count)
{
    static const tenon_tool *tools[TOOLS_MAX];
    static const tenon_tool *(*const all[])(void) = {
        rag_query_tool,
        semantic_search_tool,
        index_document_tool,
        list_doc_types_tool,
        search_external_docs_tool,
        rag_query_external_tool,
        delete_documents_tool,
        update_promotion_level_tool,
        activate_project_tool,
        texts_tool,
        formats_tool,
        places_tool,
        integers_tool,
        numbers_tool,
        choices_tool,
        moments_tool,
        lists_tool,
        number_lists_tool,
        enum_lists_tool,
        trees_tool,
        json_texts_tool,
        all_required_tool,
        ordered_pairs_tool,
        presence_rules_tool,
        own_rules_tool,
        rules_below_tool,
        paged_tool,
        paged_small_tool,
        by_cursor_tool,
        in_time_tool,
        own_groups_tool,
        strict_tool_tool,
        destructive_tool_tool,
        unknown_message_tool,
        unknown_ignored_tool,
        specimen_tool,
        echo_specimen_tool,
    };

    _Static_assert(sizeof all / sizeof *all <= TOOLS_MAX, "the list is longer than its room");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tools[i] = all[i]();
    *count = sizeof all / sizeof *all;
    return tools;
}

static void say_nothing(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

static tenon_toolbox *make_box(tenon_unknown unknown, bool strict, bool portable)
{
    static const unsigned char key[TENON_KEY_LEN] = { 1, 2, 3 };
    size_t                     count;
    const tenon_tool *const   *tools = zoo_tools(&count);
    tenon_toolbox             *box   = tenon_toolbox_new(.key = key, .log = say_nothing, .unknown = unknown,
                                                         .strict = strict, .portable = portable);

    for (size_t i = 0; i < count; i++)
        tenon_toolbox_add(box, tools[i]);
    if (tenon_toolbox_error(box)) {
        fprintf(stderr, "the zoo does not compile: %s\n", tenon_toolbox_error(box));
        exit(1);
    }
    return box;
}

tenon_toolbox *zoo_box_with(tenon_unknown unknown, bool strict)
{
    return make_box(unknown, strict, false);
}

tenon_toolbox *zoo_box_portable(void)
{
    return make_box(TENON_UNKNOWN_DEFAULT, false, true);
}

tenon_toolbox *zoo_box(void)
{
    return zoo_box_with(TENON_UNKNOWN_DEFAULT, false);
}
