/* servers.c - the tools of all servers, as they are declared: what their handlers do is of no interest here.
 *
 * The judge is then linked with the servers instead of the zoo.
 */
#include <assert.h>

#include "agreement/judged.h"
#include "answer/toolbox.h"
#include "kit/tools.h"

/* Their headers have names in common, so only what is needed of them stands here. */
extern const struct tool_list docs_tools, kyc_tools, appsec_tools, pentest_tools;

static const struct tool_list *const servers[] = { &docs_tools, &kyc_tools, &appsec_tools, &pentest_tools };

#define TOOLS_MAX 128

static tenon_outcome run_nothing(tenon_call *call, const void *args)
{
    (void)args;
    return tenon_ok(call);
}

/* With the rows that they have, and no results: those are the handlers' business. */
const tenon_tool *const *judged_tools(size_t *count)
{
    static tenon_tool        copies[TOOLS_MAX];
    static const tenon_tool *tools[TOOLS_MAX];

    *count = 0;
    for (size_t server = 0; server < sizeof servers / sizeof *servers; server++)
        for (size_t i = 0; i < servers[server]->count; i++) {
            tenon_tool *copy = &copies[*count];

            assert(*count < TOOLS_MAX);
            *copy                    = *servers[server]->at[i]();
            copy->run                = run_nothing;
            copy->info.result        = NULL;
            copy->info.items         = NULL;
            copy->info.result_schema = NULL;
            tools[(*count)++]        = copy;
        }
    return tools;
}

static void no_log(void *user, int level, const char *text)
{
    (void)user, (void)level, (void)text;
}

tenon_toolbox *judged_box(bool portable)
{
    size_t                   count;
    const tenon_tool *const *tools = judged_tools(&count);
    tenon_toolbox           *box   = tenon_toolbox_new(.log = no_log, .portable = portable);

    for (size_t i = 0; i < count; i++)
        tenon_toolbox_add(box, tools[i]);
    for (size_t i = 0; i < box->count; i++) {
        tn_tool_ready(box, box->tools[i]);
        box->tools[i]->looks = false; /* there is no catalogue to look into */
    }
    return box;
}
