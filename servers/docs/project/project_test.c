/* project_test.c - configurations that are strangers', places that may not be looked at, handles and what they open. */
#define _GNU_SOURCE
#include "docs/project/project.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <tenon/progress.h>
#include <tenon/testing.h>

#include "docs/index/indexer.h"
#include "docs/store/store.h"
#include "kit/embed/embed.h"
#include "kit/folder_test.h"

#define SCHEMA "{\"type\":\"object\",\"required\":[\"doc_type\"]}"

static const char *paths[2]; /* of options */

struct here {
    char       *folder;
    struct docs docs;
};

static void setup(struct here *here)
{
    char *mistake = NULL;

    *here = (struct here){ .folder = folder_new(), .docs.options.no_watch = true };
    assert_non_null(here->folder);
    pthread_mutex_init(&here->docs.lock, NULL);
    here->docs.store    = store_open(in_folder(here->folder, "data/docs.db"), &mistake);
    here->docs.embedder = embed_local_new(256);
    assert_non_null(here->docs.store);
    assert_non_null(here->docs.embedder);
}

static void teardown(struct here *here)
{
    watch_free(&here->docs);
    project_forget_all(&here->docs);
    store_close(here->docs.store);
    here->docs.embedder->free(here->docs.embedder);
    pthread_mutex_destroy(&here->docs.lock);
    folder_free(here->folder);
}

static enum project_status load(struct here *here, const char *config, struct project **project,
                                char **mistake)
{
    return project_load(&here->docs, in_folder(here->folder, config), NULL, "main", project, mistake);
}

static void mistakes(void **state)
{
    static const struct {
        const char         *config;
        enum project_status status;
        const char         *wants[3];
    } cases[] = {
        { "{\"project_name\":\"a\"}", PROJECT_OK, { 0 } },
        { "{\"project_name\":\"a-1\"}", PROJECT_OK, { 0 } },
        { "{}", PROJECT_INVALID, { "project_name" } },
        { "{\"project_name\":\"A b\"}", PROJECT_INVALID, { "project_name" } },
        { "not json", PROJECT_INVALID, { "JSON" } },
        { "[]", PROJECT_INVALID, { "mistakes:\nconfig.json must be an object" } },
        { "{", PROJECT_INVALID, { "mistakes:\nconfig.json is not valid JSON" } },
        { "{\"project_name\":\"a\",\"projectname\":1}", PROJECT_INVALID, { "projectname" } },
        { "{\"retrieval\":{\"max_results\":11,\"min_relevance_score\":2}}",
          PROJECT_INVALID,
          { "project_name", "max_results", "min_relevance_score" } },
        { "{\"project_name\":\"a\",\"retrieval\":{\"max_linked_docs\":21}}",
          PROJECT_INVALID,
          { "max_linked_docs" } },
        { "{\"project_name\":\"a\",\"link_resolution\":{\"max_depth\":11}}",
          PROJECT_INVALID,
          { "max_depth" } },
        { "{\"project_name\":\"a\",\"semantic_search\":{\"default_limit\":0}}",
          PROJECT_INVALID,
          { "default_limit" } },
        { "{\"project_name\":\"a\",\"docs_folder\":\"../out\"}", PROJECT_INVALID, { "docs_folder" } },
        { "{\"project_name\":\"a\",\"docs_folder\":\"/etc\"}", PROJECT_INVALID, { "docs_folder" } },
        { "{\"project_name\":\"a\",\"docs_folder\":\"none\"}", PROJECT_INVALID, { "'none' is not there" } },
        { "{\"project_name\":\"a\",\"docs_folder\":\"link\"}",
          PROJECT_INVALID,
          { "'link' does not lie in" } },
        { "{\"project_name\":\"a\",\"external_docs\":{}}", PROJECT_INVALID, { "path" } },
        { "{\"project_name\":\"a\",\"external_docs\":{\"path\":\"vendor\"}}", PROJECT_OK, { 0 } },
        { "{\"project_name\":\"a\",\"external_docs\":{\"path\":\"none\"}}",
          PROJECT_INVALID,
          { "external_docs.path 'none' is not there" } },
        { "{\"project_name\":\"a\",\"external_docs\":{\"path\":\"../out\"}}",
          PROJECT_INVALID,
          { "'../out' does not lie in" } },
        { "{\"project_name\":\"a\",\"external_docs\":{\"path\":\"/etc\"}}",
          PROJECT_INVALID,
          { "'/etc' does not lie in" } },
        { "{\"project_name\":\"a\",\"external_docs\":{\"path\":\"link\"}}",
          PROJECT_INVALID,
          { "'link' does not lie in" } },
        { "{\"project_name\":\"a\",\"external_docs\":{\"path\":\"%2e%2e/out\"}}",
          PROJECT_INVALID,
          { "is not there" } },
        { "{\"project_name\":\"a\",\"custom_doc_types\":[{\"name\":\"note\",\"schema_file\":\"note.json\"}]}",
          PROJECT_OK,
          { 0 } },
        { "{\"project_name\":\"a\",\"custom_doc_types\":[{\"name\":\"note\",\"schema_file\":\"../out/"
          "x.json\"}]}",
          PROJECT_INVALID,
          { "'../out/x.json' does not lie in" } },
        { "{\"project_name\":\"a\",\"custom_doc_types\":[{\"name\":\"note\",\"schema_file\":\"link/"
          "x.json\"}]}",
          PROJECT_INVALID,
          { "'link/x.json' does not lie in" } },
        { "{\"project_name\":\"a\",\"custom_doc_types\":[{\"name\":\"problem\",\"schema_file\":\"note.json\"}"
          ","
          "{\"name\":\"x\",\"schema_file\":\"gone.json\"},{\"name\":\"y\",\"schema_file\":\"bad.json\"}]}",
          PROJECT_INVALID,
          { "problem", "'gone.json' is not there", "custom_doc_types" } },
        { "{\"project_name\":\"a\",\"custom_doc_types\":[{\"name\":\"Bad Name\"}]}",
          PROJECT_INVALID,
          { "schema_file", "name" } },
    };
    struct here here;

    (void)state;
    setup(&here);
    write_text(here.folder, "p/docs/a.md", "x");
    write_text(here.folder, "p/vendor/a.md", "x");
    write_text(here.folder, "p/note.json", SCHEMA);
    write_text(here.folder, "p/bad.json", "{\"type\":\"nothing\"}");
    write_text(here.folder, "out/x.json", SCHEMA);
    assert_int_equal(symlink("../out", in_folder(here.folder, "p/link")), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct project *project;
        char           *mistake;

        write_text(here.folder, "p/.tenon/config.json", "%s", cases[i].config);
        if (load(&here, "p/.tenon/config.json", &project, &mistake) != cases[i].status)
            fail_msg("%s: %s", cases[i].config, mistake ? mistake : "(loaded)");
        for (size_t k = 0; k < 3 && cases[i].wants[k]; k++)
            if (!mistake || !strstr(mistake, cases[i].wants[k]))
                fail_msg("%s: '%s' is not in: %s", cases[i].config, cases[i].wants[k],
                         mistake ? mistake : "");
        assert_true((project != NULL) == (cases[i].status == PROJECT_OK));
        project_release(project);
        free(mistake);
    }
    teardown(&here);
}

/* Which paths are configurations at all, and which of them may be read. */
static void places(void **state)
{
    static const struct {
        const char         *path;
        bool                rooted, over_http;
        enum project_status want;
    } cases[] = {
        { "p/.tenon/config.json", false, false, PROJECT_OK },
        { "p/.tenon/../.tenon/config.json", false, false, PROJECT_OK },
        { "p/.tenon/other.json", false, false, PROJECT_NOT_FOUND },
        { "p/config.json", false, false, PROJECT_NOT_FOUND },
        { "none/.tenon/config.json", false, false, PROJECT_NOT_FOUND },
        { "p/.tenon/config.json", true, false, PROJECT_NOT_FOUND },
        { "in/q/.tenon/config.json", true, false, PROJECT_OK },
        { "in/q/.tenon/config.json", true, true, PROJECT_OK },
        { "in/q/.tenon/config.json", false, true, PROJECT_NOT_FOUND },
        { "in/../p/.tenon/config.json", true, false, PROJECT_NOT_FOUND },
        { "in/link/.tenon/config.json", true, false, PROJECT_NOT_FOUND },
        { "in/%2e%2e/p/.tenon/config.json", true, false, PROJECT_NOT_FOUND },
        { "inside/.tenon/config.json", true, false, PROJECT_NOT_FOUND },
        { "in/out/.tenon/config.json", false, false, PROJECT_NOT_FOUND },
    };
    struct here here;
    char        root[PATH_MAX];

    (void)state;
    setup(&here);
    write_text(here.folder, "p/.tenon/config.json", "{\"project_name\":\"p\",\"docs_folder\":\".\"}");
    write_text(here.folder, "p/.tenon/other.json", "{\"project_name\":\"p\"}");
    write_text(here.folder, "inside/.tenon/config.json", "{\"project_name\":\"p\",\"docs_folder\":\".\"}");
    write_text(here.folder, "in/q/.tenon/config.json", "{\"project_name\":\"q\",\"docs_folder\":\".\"}");
    write_text(here.folder, "in/out/x", "x");
    assert_int_equal(symlink("../p", in_folder(here.folder, "in/link")), 0);
    assert_int_equal(symlink("../../p/.tenon", in_folder(here.folder, "in/out/.tenon")), 0);
    snprintf(root, sizeof root, "%s/in/", here.folder);
    paths[0]                   = root;
    here.docs.options.roots.at = paths;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct project *project;
        char           *mistake;

        here.docs.options.roots.count = cases[i].rooted;
        here.docs.options.over_http   = cases[i].over_http;
        if (load(&here, cases[i].path, &project, &mistake) != cases[i].want)
            fail_msg("case %zu, %s: %s", i, cases[i].path, mistake ? mistake : "(loaded)");
        project_release(project);
        free(mistake);
    }
    teardown(&here);
}

static void what_it_says(void **state)
{
    struct here     here;
    struct project *project;
    char           *mistake;

    (void)state;
    setup(&here);
    here.docs.options.config_folder = ".csharp-compounding-docs";
    write_text(here.folder, "p/notes/a.md", "x");
    write_text(here.folder, "p/.csharp-compounding-docs/config.json",
               "{\"project_name\":\"p\",\"docs_folder\":\"./notes/\",\"plain_documents\":true,"
               "\"retrieval\":{\"min_relevance_score\":0},\"semantic_search\":{\"default_limit\":7},"
               "\"link_resolution\":{\"max_depth\":0},"
               "\"external_docs\":{\"path\":\"notes\",\"exclude_patterns\":[]}}");
    assert_int_equal(load(&here, "p/.csharp-compounding-docs/config.json", &project, &mistake), PROJECT_OK);
    assert_string_equal(project->config.name, "p");
    assert_string_equal(project->config.docs_folder, "notes");
    assert_true(project->config.has_rag_score && project->config.rag_score == 0);
    assert_false(project->config.has_rag_results || project->config.has_search_score);
    assert_true(project->config.has_search_limit && project->config.search_limit == 7);
    assert_int_equal(project->config.max_linked_docs, 5);
    assert_int_equal(project->config.max_depth, 0);
    assert_true(project->config.plain_allowed);
    assert_int_equal(project->config.include_count, 1);
    assert_string_equal(project->config.includes[0], "**/*.md");
    assert_int_equal(project->config.exclude_count, 0);
    assert_int_equal(strlen(project->tenant.path_hash), PATH_HASH_LEN);
    assert_string_equal(project->tenant.branch, "main");
    assert_true(project->tenant.id > 0);
    project_release(project);
    teardown(&here);
}

/* The operator's allow-list opens folders outside, and only those. */
static void allowed(void **state)
{
    struct here     here;
    struct project *project;
    char           *mistake;

    (void)state;
    setup(&here);
    write_text(
        here.folder, "p/.tenon/config.json",
        "{\"project_name\":\"p\",\"docs_folder\":\".\",\"external_docs\":{\"path\":\"../shared/docs\"}}");
    write_text(here.folder, "shared/docs/a.md", "x");
    assert_int_equal(load(&here, "p/.tenon/config.json", &project, &mistake), PROJECT_INVALID);
    free(mistake);
    paths[0]                  = in_folder(here.folder, "shared");
    here.docs.options.allowed = (tenon_strs){ 1, paths };
    assert_int_equal(load(&here, "p/.tenon/config.json", &project, &mistake), PROJECT_OK);
    assert_string_equal(project->external, in_folder(here.folder, "shared/docs"));
    project_release(project);
    teardown(&here);
}

static void folders_without(void **state)
{
    static const struct {
        const char *folder, *head, *name, *branch;
    } cases[] = {
        { "My Project (2)", NULL, "my-project-2", "main" },
        { "123", "ref: refs/heads/work/x\n", "project", "work/x" },
        { "a", "0123456789012345678901234567890123456789\n", "a", "main" },
        { "b__c", "ref: refs/heads/\n", "b-c", "main" },
        { "d", "ref: refs/heads/a\tb\n", "d", "main" },
    };
    struct here     here;
    struct project *project;
    char           *mistake;

    (void)state;
    setup(&here);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char head[PATH_MAX], file[PATH_MAX];

        snprintf(head, sizeof head, "%s/.git/HEAD", cases[i].folder);
        snprintf(file, sizeof file, "%s/read.md", cases[i].folder);
        write_text(here.folder, file, "x");
        if (cases[i].head)
            write_text(here.folder, head, "%s", cases[i].head);
        assert_int_equal(project_load(&here.docs, NULL, in_folder(here.folder, cases[i].folder), NULL,
                                      &project, &mistake),
                         PROJECT_OK);
        assert_string_equal(project->config.name, cases[i].name);
        assert_string_equal(project->tenant.branch, cases[i].branch);
        assert_string_equal(project->config.docs_folder, ".");
        assert_true(project->config.plain_allowed);
        project_release(project);
    }
    /* a work tree, whose .git is a file */
    write_text(here.folder, "tree/docs/x.md", "x");
    write_text(here.folder, "tree/.git", "gitdir: ../repo/.git/worktrees/tree\n");
    write_text(here.folder, "repo/.git/worktrees/tree/HEAD", "ref: refs/heads/other\n");
    assert_int_equal(project_load(&here.docs, NULL, in_folder(here.folder, "tree"), NULL, &project, &mistake),
                     PROJECT_OK);
    assert_string_equal(project->tenant.branch, "other");
    assert_string_equal(project->config.docs_folder, "docs");
    project_release(project);
    teardown(&here);
}

/* The text, with the folder in the place of its %s. */
static void put_folder(char out[PATH_MAX], const char *text, const char *folder)
{
    const char *mark = strstr(text, "%s");

    if (mark)
        snprintf(out, PATH_MAX, "%.*s%s%s", (int)(mark - text), text, folder, mark + 2);
    else
        snprintf(out, PATH_MAX, "%s", text);
}

/* Where only roots may be looked at, git's folder of a work tree is read when it says that it is this one's. */
static void finds_branches_outside_of_roots(void **state)
{
    static const struct { const char *git, *back, *head, *branch; } cases[] = {
        { "gitdir: ../repo/.git/worktrees/tree\n",  "%s/in/tree/.git\n",      "ref: refs/heads/other\n", "main"  },
        { "gitdir: ../../repo/.git/worktrees/tree\n", "%s/in/tree/.git\n",    "ref: refs/heads/other\n", "other" },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  "%s/in/tree/.git\n",      "ref: refs/heads/a/b\n",   "a/b"   },
        { "gitdir: %s/repo/.git/worktrees/tree",    "../../../../in/tree/.git", "ref: refs/heads/rel",     "rel"   },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  "%s/in/other/.git\n",     "ref: refs/heads/other\n", "main"  },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  NULL,                     "ref: refs/heads/other\n", "main"  },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  "",                       "ref: refs/heads/other\n", "main"  },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  "/etc/passwd\n",          "ref: refs/heads/other\n", "main"  },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  "%s/in/tree/.git\n",      "0123456789abcdef\n",      "main"  },
        { "gitdir: %s/repo/.git/worktrees/tree\n",  "%s/in/tree/.git\n",      "ref: refs/heads/\x01\n",  "main"  },
        { "gitdir: /nowhere\n",                     "%s/in/tree/.git\n",      "ref: refs/heads/other\n", "main"  },
        { "gitdir: /etc\n",                         "%s/in/tree/.git\n",      "ref: refs/heads/other\n", "main"  },
        { "gitdir: \n",                             "%s/in/tree/.git\n",      "ref: refs/heads/other\n", "main"  },
        { "something else\n",                       "%s/in/tree/.git\n",      "ref: refs/heads/other\n", "main"  },
    };
    struct here     here;
    struct project *project;
    char           *mistake, git[PATH_MAX], back[PATH_MAX];

    (void)state;
    setup(&here);
    write_text(here.folder, "in/tree/docs/x.md", "x");
    paths[0]                = strdup(in_folder(here.folder, "in"));
    here.docs.options.roots = (tenon_strs){ 1, paths };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_folder(git, cases[i].git, here.folder);
        put_folder(back, cases[i].back ? cases[i].back : "", here.folder);
        write_text(here.folder, "in/tree/.git", "%s", git);
        write_text(here.folder, "repo/.git/worktrees/tree/gitdir", "%s", back);
        if (!cases[i].back)
            assert_int_equal(unlink(in_folder(here.folder, "repo/.git/worktrees/tree/gitdir")), 0);
        write_text(here.folder, "repo/.git/worktrees/tree/HEAD", "%s", cases[i].head);
        assert_int_equal(project_load(&here.docs, NULL, in_folder(here.folder, "in/tree"), NULL, &project,
                                      &mistake),
                         PROJECT_OK);
        if (strcmp(project->tenant.branch, cases[i].branch) != 0)
            fail_msg("%zu: %s", i, project->tenant.branch);
        project_release(project);
    }
    free((char *)(uintptr_t)paths[0]);
    teardown(&here);
}

/* ---- Handles --------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *config_path, *branch, *handle;
} open_args;

static tenon_outcome activate(tenon_call *call, const open_args *args)
{
    struct docs    *docs = docs_of(call);
    struct project *project;
    char           *mistake;
    const char     *handle;

    if (project_load(docs, args->config_path, NULL, args->branch, &project, &mistake) != PROJECT_OK)
        return tenon_internal(call, "%s", mistake);
    project_activate(docs, project);
    handle = project_handle(call, project);
    (void)tenon_remember(call, handle);
    project_release(project);
    tenon_text(call, "%s", handle);
    return tenon_ok(call);
}
TENON_TOOL(activate, open_args,
    TENON_INFO("Activate."),
    TENON_STR(config_path, "Path."),
    TENON_STR(branch,      "Branch."));

static tenon_outcome which(tenon_call *call, const open_args *args)
{
    tenon_outcome   outcome;
    struct project *project = project_of(call, args->handle, &outcome);

    if (!project)
        return outcome;
    tenon_text(call, "%s %s", project->tenant.project, project->tenant.branch);
    project_release(project);
    return tenon_ok(call);
}
TENON_TOOL(which, open_args, TENON_INFO("Which."), TENON_STR(handle, "Handle."));

static tenon_server *serve(struct docs *docs)
{
    tenon_server *server = tenon_server_new("docs", "1", .user = docs, TENON_ERRORS(docs_errors));

    tenon_server_add(server, activate_tool());
    tenon_server_add(server, which_tool());
    assert_null(tenon_server_error(server));
    return server;
}

static char *activated(struct here *here, tenon_probe *probe, const char *config, const char *branch)
{
    char              args[PATH_MAX + 64];
    const tenon_json *answer;
    tenon_str         text;

    snprintf(args, sizeof args, "{\"config_path\":\"%s/%s\",\"branch\":\"%s\"}", here->folder, config,
             branch);
    answer = tenon_probe_call(probe, "activate", args);
    text   = tenon_json_str(tenon_json_get(tenon_json_get(answer, "data"), "text"));
    assert_true(text.len > 20);
    return strdup(text.at);
}

static void expect_which(tenon_probe *probe, const char *handle, const char *expected)
{
    char        args[8192];
    const char *wrong;

    snprintf(args, sizeof args, "{\"handle\":\"%s\"}", handle);
    wrong = tenon_probe_expect(probe, "which", *handle ? args : "{}", expected);
    if (wrong)
        fail_msg("%s", wrong);
}

static void handles(void **state)
{
    struct here   here;
    tenon_server *server;
    tenon_probe  *probe;
    char         *one, *two, *broken;

    (void)state;
    setup(&here);
    write_text(here.folder, "p/.tenon/config.json",
               "{\"project_name\":\"p\",\"docs_folder\":\".\",\"plain_documents\":true}");
    write_text(here.folder, "q/.tenon/config.json", "{\"project_name\":\"q\",\"docs_folder\":\".\"}");
    server = serve(&here.docs);
    probe  = tenon_probe_new(server);
    expect_which(probe, "",
                 "{\"error\":{\"code\":\"PROJECT_NOT_ACTIVATED\",\"details\":{\"requiredTool\":\"activate_"
                 "project\"}}}");
    expect_which(probe, "nonsense", "{\"error\":{\"code\":\"INVALID_PROJECT\"}}");
    one = activated(&here, probe, "p/.tenon/config.json", "main");
    two = activated(&here, probe, "p/.tenon/config.json", "other");
    expect_which(probe, one, "{\"data\":{\"text\":\"p main\"}}");
    expect_which(probe, two, "{\"data\":{\"text\":\"p other\"}}");
    broken = strdup(one);
    broken[strlen(broken) / 2] ^= 1;
    expect_which(probe, broken, "{\"error\":{\"code\":\"INVALID_PROJECT\"}}");
    /* a process that has not seen it yet loads it; the operator's rules hold then, too */
    project_forget_all(&here.docs);
    expect_which(probe, one, "{\"data\":{\"text\":\"p main\"}}");
    project_forget_all(&here.docs);
    here.docs.options.over_http = true;
    expect_which(probe, one, "{\"error\":{\"code\":\"INVALID_PROJECT\"}}");
    here.docs.options.over_http = false;
    /* a session remembers; one that has nothing to remember is told what it may use */
    free(activated(&here, probe, "p/.tenon/config.json", "main"));
    expect_which(probe, "", "{\"data\":{\"text\":\"p main\"}}");
    tenon_probe_free(probe);
    probe = tenon_probe_new(server);
    assert_int_equal(
        tenon_json_count(tenon_json_get(
            tenon_json_get(tenon_json_get(tenon_probe_call(probe, "which", "{}"), "error"), "details"),
            "projects")),
        1);
    assert_true(tenon_probe_as(probe, "2025-06-18"));
    free(activated(&here, probe, "q/.tenon/config.json", "main"));
    expect_which(probe, "", "{\"data\":{\"text\":\"q main\"}}");
    expect_which(probe, one, "{\"data\":{\"text\":\"p main\"}}");
    tenon_probe_free(probe);
    tenon_server_free(server);
    /* another server has other keys */
    server = serve(&here.docs);
    probe  = tenon_probe_new(server);
    expect_which(probe, one, "{\"error\":{\"code\":\"INVALID_PROJECT\"}}");
    tenon_probe_free(probe);
    tenon_server_free(server);
    free(one);
    free(two);
    free(broken);
    teardown(&here);
}

/* One project of the operator's is used without a handle; of two, none. */
static void operators(void **state)
{
    struct here     here;
    tenon_server   *server;
    tenon_probe    *probe;
    struct project *project;
    char           *mistake;

    (void)state;
    setup(&here);
    write_text(here.folder, "p/a.md", "x");
    write_text(here.folder, "q/a.md", "x");
    server = serve(&here.docs);
    probe  = tenon_probe_new(server);
    for (size_t i = 0; i < 2; i++) {
        paths[i]                   = in_folder(here.folder, i ? "q" : "p");
        here.docs.options.projects = (tenon_strs){ i + 1, paths };
        assert_int_equal(project_load(&here.docs, NULL, paths[i], "main", &project, &mistake), PROJECT_OK);
        project_activate(&here.docs, project);
        project_release(project);
        expect_which(probe, "",
                     i ? "{\"error\":{\"code\":\"PROJECT_NOT_ACTIVATED\"}}"
                       : "{\"data\":{\"text\":\"p main\"}}");
    }
    tenon_probe_free(probe);
    tenon_server_free(server);
    teardown(&here);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes),        cmocka_unit_test(places),
        cmocka_unit_test(what_it_says),    cmocka_unit_test(allowed),
        cmocka_unit_test(folders_without), cmocka_unit_test(finds_branches_outside_of_roots),
        cmocka_unit_test(handles),         cmocka_unit_test(operators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
