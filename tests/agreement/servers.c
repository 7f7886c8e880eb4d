/* servers.c - the tools of all servers, as they are declared: what their handlers do is of no interest here.
 *
 * The judge is then linked with the servers instead of the zoo.
 */
#include "agreement/judged.h"

/* servers/docs */
TENON_TOOL_DECL(rag_query);
TENON_TOOL_DECL(semantic_search);
TENON_TOOL_DECL(index_document);
TENON_TOOL_DECL(list_doc_types);
TENON_TOOL_DECL(search_external_docs);
TENON_TOOL_DECL(rag_query_external);
TENON_TOOL_DECL(delete_documents);
TENON_TOOL_DECL(update_promotion_level);
TENON_TOOL_DECL(activate_project);

/* servers/kyc */
TENON_TOOL_DECL(search_clients);
TENON_TOOL_DECL(get_client_details);
TENON_TOOL_DECL(get_all_clients);
TENON_TOOL_DECL(get_high_risk_clients);
TENON_TOOL_DECL(create_client);
TENON_TOOL_DECL(add_person_to_client);
TENON_TOOL_DECL(get_beneficial_owners);

/* servers/appsec */
TENON_TOOL_DECL(search_vulnerabilities);
TENON_TOOL_DECL(search_app_vulnerabilities);
TENON_TOOL_DECL(get_vulnerability);
TENON_TOOL_DECL(list_vulnerability_types);
TENON_TOOL_DECL(update_vulnerability_status);
TENON_TOOL_DECL(search_applications);
TENON_TOOL_DECL(list_application_libraries);
TENON_TOOL_DECL(list_applications_by_cve);
TENON_TOOL_DECL(search_attacks);
TENON_TOOL_DECL(search_servers);
TENON_TOOL_DECL(get_route_coverage);

/* servers/pentest */
TENON_TOOL_DECL(http_request);
TENON_TOOL_DECL(search_requests);
TENON_TOOL_DECL(create_target);
TENON_TOOL_DECL(update_target_status);
TENON_TOOL_DECL(get_target_summary);
TENON_TOOL_DECL(search_targets);
TENON_TOOL_DECL(get_target_context);
TENON_TOOL_DECL(update_target_context);
TENON_TOOL_DECL(create_mission);
TENON_TOOL_DECL(set_mission_context);
TENON_TOOL_DECL(get_mission_context);
TENON_TOOL_DECL(record_action);
TENON_TOOL_DECL(find_similar_techniques);
TENON_TOOL_DECL(search_techniques);
TENON_TOOL_DECL(get_technique_stats);
TENON_TOOL_DECL(add_to_library);
TENON_TOOL_DECL(search_library);
TENON_TOOL_DECL(get_library_stats);

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
    search_clients_tool,
    get_client_details_tool,
    get_all_clients_tool,
    get_high_risk_clients_tool,
    create_client_tool,
    add_person_to_client_tool,
    get_beneficial_owners_tool,
    search_vulnerabilities_tool,
    search_app_vulnerabilities_tool,
    get_vulnerability_tool,
    list_vulnerability_types_tool,
    update_vulnerability_status_tool,
    search_applications_tool,
    list_application_libraries_tool,
    list_applications_by_cve_tool,
    search_attacks_tool,
    search_servers_tool,
    get_route_coverage_tool,
    http_request_tool,
    search_requests_tool,
    create_target_tool,
    update_target_status_tool,
    get_target_summary_tool,
    search_targets_tool,
    get_target_context_tool,
    update_target_context_tool,
    create_mission_tool,
    set_mission_context_tool,
    get_mission_context_tool,
    record_action_tool,
    find_similar_techniques_tool,
    search_techniques_tool,
    get_technique_stats_tool,
    add_to_library_tool,
    search_library_tool,
    get_library_stats_tool,
};

#define TOOLS (sizeof all / sizeof *all)

static tenon_outcome run_nothing(tenon_call *call, const void *args)
{
    (void)args;
    return tenon_ok(call);
}

/* With the rows that they have, and no results: those are the handlers' business. */
const tenon_tool *const *judged_tools(size_t *count)
{
    static tenon_tool        copies[TOOLS];
    static const tenon_tool *tools[TOOLS];

    for (size_t i = 0; i < TOOLS; i++) {
        copies[i]                    = *all[i]();
        copies[i].run                = run_nothing;
        copies[i].info.result        = NULL;
        copies[i].info.items         = NULL;
        copies[i].info.result_schema = NULL;
        tools[i]                     = &copies[i];
    }
    *count = TOOLS;
    return tools;
}

static void no_log(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

tenon_toolbox *judged_box(void)
{
    size_t                   count;
    const tenon_tool *const *tools = judged_tools(&count);
    tenon_toolbox           *box   = tenon_toolbox_new(.log = no_log);

    for (size_t i = 0; i < count; i++)
        tenon_toolbox_add(box, tools[i]);
    return box;
}
