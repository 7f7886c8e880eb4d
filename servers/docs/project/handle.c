/* handle.c - active projects, and the handles by which callers name them.
 *
 * A handle says where the project is and which branch is meant, sealed for its caller: a process that has never seen the
 * project loads it again, by the rules of loading, so that a handle never opens what the operator does not allow (any more).
 */
#include "docs/project/parts.h"

#include <stdlib.h>
#include <string.h>

#include "docs/index/indexer.h"

#define PURPOSE     "docs project"
#define LISTED_MAX  20
#define KIND_CONFIG 'c'
#define KIND_FOLDER 'd'

/* What a handle says. */
struct place {
    char        branch[BRANCH_LEN_MAX + 1];
    const char *config_path, *directory; /* one of them */
};

/* ---- The list ---------------------------------------------------------------------------------------------- */

static bool same_tenant(const struct tenant *a, const struct tenant *b)
{
    return strcmp(a->project, b->project) == 0 && strcmp(a->branch, b->branch) == 0 &&
           strcmp(a->path_hash, b->path_hash) == 0;
}

/* Takes the one with this tenant off the list, or the oldest when the list is full, but none of the operator's; the list's
 * hold is the caller's. */
static struct project *take_off(struct docs *docs, const struct tenant *tenant)
{
    struct project **at = &docs->projects, **last = NULL, *found;
    size_t           count = 0;

    for (; *at; at = &(*at)->next, count++) {
        if (same_tenant(&(*at)->tenant, tenant)) {
            found = *at;
            *at   = found->next;
            return found;
        }
        if (!(*at)->directory)
            last = at;
    }
    if (count < PROJECTS_MAX || !last)
        return NULL;
    found = *last;
    *last = found->next;
    return found;
}

static void add_caller(struct project *project, const char *caller)
{
    for (size_t i = 0; i < project->caller_count; i++)
        if (strcmp(project->callers[i], caller) == 0)
            return;
    if (project->caller_count == PROJECT_CALLER_MAX) {
        free(project->callers[0]);
        memmove(project->callers, project->callers + 1, (PROJECT_CALLER_MAX - 1) * sizeof *project->callers);
        project->caller_count--;
    }
    project->callers[project->caller_count] = strdup(caller);
    if (project->callers[project->caller_count])
        project->caller_count++;
}

void project_activate(struct docs *docs, struct project *project)
{
    struct project *old;

    project_hold(project);
    pthread_mutex_lock(&docs->lock);
    old = take_off(docs, &project->tenant);
    if (old && old != project && same_tenant(&old->tenant, &project->tenant))
        for (size_t i = 0; i < old->caller_count; i++)
            add_caller(project, old->callers[i]);
    project->next  = docs->projects;
    docs->projects = project;
    pthread_mutex_unlock(&docs->lock);
    if (old && old != project)
        watch_end(docs, old);
    project_release(old);
}

void project_forget_all(struct docs *docs)
{
    while (docs->projects) {
        struct project *project = docs->projects;

        docs->projects = project->next;
        project_release(project);
    }
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Held; NULL when it is not active. */
static struct project *find_place(struct docs *docs, const struct place *place)
{
    struct project *project;

    pthread_mutex_lock(&docs->lock);
    for (project = docs->projects; project; project = project->next)
        if (same_text(project->config_path, place->config_path) &&
            same_text(project->directory, place->directory) &&
            strcmp(project->tenant.branch, place->branch) == 0)
            break;
    if (project)
        project_hold(project);
    pthread_mutex_unlock(&docs->lock);
    return project;
}

/* ---- Handles ----------------------------------------------------------------------------------------------- */

static const char *seal(tenon_call *call, const struct project *project)
{
    const char *text = tenon_format(call, "%s\n%c%s", project->tenant.branch,
                                    project->config_path ? KIND_CONFIG : KIND_FOLDER,
                                    project->config_path ? project->config_path : project->directory);

    return text ? tenon_seal(call, PURPOSE, text, 0) : NULL;
}

const char *project_handle(tenon_call *call, struct project *project)
{
    struct docs *docs = project->docs;

    pthread_mutex_lock(&docs->lock);
    add_caller(project, tenon_caller(call));
    pthread_mutex_unlock(&docs->lock);
    return seal(call, project);
}

static bool unseal(tenon_call *call, const char *handle, struct place *place)
{
    const char *text = tenon_unseal(call, PURPOSE, handle);
    size_t      len;

    *place = (struct place){ 0 };
    if (!text)
        return false;
    len = strcspn(text, "\n");
    if (len == 0 || len > BRANCH_LEN_MAX || text[len] != '\n')
        return false;
    memcpy(place->branch, text, len);
    text += len + 1;
    if (*text == KIND_CONFIG)
        place->config_path = text + 1;
    else if (*text == KIND_FOLDER)
        place->directory = text + 1;
    return place->config_path || place->directory;
}

/* ---- The project of a call ----------------------------------------------------------------------------------- */

static struct project *find_or_load(struct docs *docs, const struct place *place, char **mistake)
{
    struct project *project = find_place(docs, place);

    *mistake = NULL;
    if (project || project_load(docs, place->config_path, place->directory, place->branch, &project,
                                mistake) != PROJECT_OK)
        return project;
    project_activate(docs, project);
    return project;
}

static struct project *from_handle(tenon_call *call, const char *handle, tenon_outcome *failure)
{
    struct place    place;
    struct project *project;
    char           *mistake;

    if (!unseal(call, handle, &place)) {
        tenon_detail(call, "requiredTool", "activate_project");
        *failure = tenon_fail(
            call, DOCS_INVALID_PROJECT,
            "This project_handle is not one of yours, or it is too old. Call activate_project.");
        return NULL;
    }
    project = find_or_load(docs_of(call), &place, &mistake);
    if (!project) {
        tenon_detail(call, "requiredTool", "activate_project");
        *failure = tenon_fail(call, DOCS_INVALID_PROJECT,
                              "The project of this handle cannot be used any more. %s",
                              mistake ? mistake : "Try again later.");
    }
    free(mistake);
    return project;
}

/* What the session remembers is believed as far as it goes: a project that is gone leaves the caller without one. */
static struct project *from_session(tenon_call *call)
{
    const char     *handle = tenon_remembered(call);
    struct place    place;
    struct project *project = NULL;
    char           *mistake = NULL;

    if (handle && *handle && unseal(call, handle, &place))
        project = find_or_load(docs_of(call), &place, &mistake);
    free(mistake);
    return project;
}

/* Those whom the operator named are everybody's. */
static struct project *from_operator(struct docs *docs)
{
    struct project *found = NULL;
    size_t          count = 0;

    pthread_mutex_lock(&docs->lock);
    for (struct project *project = docs->projects; project; project = project->next)
        if (project->directory && docs->options.projects.count > 0) {
            found = project;
            count++;
        }
    found = count == 1 ? found : NULL;
    if (found)
        project_hold(found);
    pthread_mutex_unlock(&docs->lock);
    return found;
}

static bool may_use(const struct project *project, const char *caller)
{
    if (project->directory)
        return true;
    for (size_t i = 0; i < project->caller_count; i++)
        if (strcmp(project->callers[i], caller) == 0)
            return true;
    return false;
}

static size_t list_usable(struct docs *docs, const char *caller, struct project *out[LISTED_MAX])
{
    size_t count = 0;

    pthread_mutex_lock(&docs->lock);
    for (struct project *project = docs->projects; project && count < LISTED_MAX; project = project->next)
        if (may_use(project, caller)) {
            project_hold(project);
            out[count++] = project;
        }
    pthread_mutex_unlock(&docs->lock);
    return count;
}

static tenon_outcome fail_none(tenon_call *call)
{
    struct project *usable[LISTED_MAX];
    const char     *lines[LISTED_MAX];
    size_t          count = list_usable(docs_of(call), tenon_caller(call), usable), said = 0;

    for (size_t i = 0; i < count; i++) {
        const char *handle = seal(call, usable[i]);

        if (handle)
            lines[said++] = tenon_format(call, "%s (branch %s): %s", usable[i]->tenant.project,
                                         usable[i]->tenant.branch, handle);
        project_release(usable[i]);
    }
    tenon_detail(call, "requiredTool", "activate_project");
    if (said > 0)
        tenon_detail_strs(call, "projects", lines, said);
    return tenon_fail(call, DOCS_PROJECT_NOT_ACTIVATED, NULL);
}

/* The first call about a project in this process waits until the index is as the files are. What cannot be indexed now is
 * searched as it was. */
static void look_at(tenon_call *call, struct project *project)
{
    struct index_counts counts;

    if (atomic_exchange(&project->looked_at, true))
        return;
    (void)index_reconcile(project->docs, call, project, NULL, NULL, &counts);
    if (!project->docs->options.no_watch)
        (void)watch_begin(project->docs, project);
}

struct project *project_of(tenon_call *call, const char *handle, tenon_outcome *failure)
{
    bool            is_given = handle && *handle;
    struct project *project  = is_given ? from_handle(call, handle, failure) : from_session(call);

    if (!project && !is_given) {
        project = from_operator(docs_of(call));
        if (!project)
            *failure = fail_none(call);
    }
    if (project)
        look_at(call, project);
    return project;
}
