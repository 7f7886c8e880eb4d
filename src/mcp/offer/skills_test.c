/* skills_test.c - skills as clients find them, and the mistakes of those who declare them. */
#include "support/fault.h"

#include "support/link.h"
#include <tenon/skill.h>

static const tenon_skill_file files[] = {
    { .path = "b/two.md", .text = "2" },
    { .path = "b/c/three x.bin", .data = "\0\1", .len = 2 },
    { .path = "b-1.txt", .text = "1" },
};

static tenon_server *make_server(const tenon_allocator *memory)
{
    tenon_server *server = tenon_server_new("test", "1", .memory = memory, .page = 1);

    tenon_server_skill(server, "first", .doc = "Say \"a\":\n b.", .text = "# First\n", .license = "MIT",
                       .files = files, .file_count = COUNT_OF(files));
    tenon_server_skill(server, "123", .doc = "Count.", .text = "Count.");
    return server;
}

#define SHA(hex) "\"digest\":\"sha256:" hex "\""
#define FIRST                                                                                                 \
    "{\"uri\":\"skill://first/SKILL.md\",\"frontmatter\":{\"name\":\"first\",\"description\":\"Say "         \
    "\\\"a\\\":\\n b.\",\"license\":\"MIT\"},\"resources\":["                                                \
    "{\"uri\":\"skill://first/SKILL.md\"," SHA(MANIFEST_HASH) ",\"size\":77},"                               \
    "{\"uri\":\"skill://first/b-1.txt\"," SHA(ONE_HASH) ",\"size\":1},"                                      \
    "{\"uri\":\"skill://first/b/c/three%20x.bin\"," SHA(BYTES_HASH) ",\"size\":2},"                          \
    "{\"uri\":\"skill://first/b/two.md\"," SHA(TWO_HASH) ",\"size\":1}]}"
#define MANIFEST_HASH "18389bdae4fcbd01a165d9d3b078da426854b67505f0a3bcbd033ca886905d32"
#define ONE_HASH      "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
#define TWO_HASH      "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35"
#define BYTES_HASH    "b413f47d13ee2fe6c845b2ee141af81de858df4ec549a58b7970bb96645bc8d2"

static void answers(void **state)
{
    static const struct {
        enum link_era era;
        const char   *method, *params, *pointer, *want;
    } cases[] = {
        { MODERN, "server/discover", "", "/result/capabilities/extensions",
          "{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}" },
        { MODERN, "skills/list", "", "/result/skills", "[" FIRST "]" },
        { MODERN, "skills/list", "", "/result/ttlMs", "0" },
        { MODERN, "skills/list", "\"cursor\":\"x\"", "/error/code", "-32602" },
        { MODERN, "skills/get", "\"uri\":\"skill://first/SKILL.md\"", "/result/skill", FIRST },
        { MODERN, "skills/get", "\"uri\":\"skill://first/SKILL.md\"", "/result/nextCursor", "" },
        { MODERN, "skills/get", "\"uri\":\"skill://first/b/two.md\"", "/error/code", "-32602" },
        { MODERN, "skills/get", "\"uri\":\"skill://first\"", "/error/message",
          "\"There is no skill skill://first.\"" },
        { MODERN, "skills/get", "", "/error/code", "-32602" },
        { LEGACY, "skills/list", "", "/error/code", "-32601" },
        /* Only SKILL.md is listed, all are read. */
        { MODERN, "resources/list", "", "/result/resources",
          "[{\"uri\":\"skill://first/SKILL.md\",\"name\":\"first\",\"description\":\"Say \\\"a\\\":\\n b.\","
          "\"mimeType\":\"text/markdown\",\"size\":77}]" },
        { LEGACY, "resources/read", "\"uri\":\"skill://first/SKILL.md\"", "/result/contents/0/text",
          "\"---\\nname: \\\"first\\\"\\ndescription: \\\"Say \\\\\\\"a\\\\\\\":\\\\n b.\\\"\\nlicense: "
          "\\\"MIT\\\"\\n---\\n\\n# First\\n\"" },
        { MODERN, "resources/read", "\"uri\":\"skill://first/b/c/three%20x.bin\"", "/result/contents",
          "[{\"uri\":\"skill://first/b/c/three%20x.bin\",\"mimeType\":\"application/octet-stream\","
          "\"blob\":\"AAE=\"}]" },
        { MODERN, "resources/read", "\"uri\":\"skill://first/b/../SKILL.md\"", "/error/code", "-32602" },
        { MODERN, "resources/read", "\"uri\":\"skill://first/b\"", "/error/code", "-32602" },
        /* Directories. */
        { MODERN, "resources/directory/read", "\"uri\":\"skill://first\"", "/result/resources",
          "[{\"uri\":\"skill://first/SKILL.md\",\"name\":\"first\",\"mimeType\":\"text/"
          "markdown\",\"size\":77},"
          "{\"uri\":\"skill://first/b-1.txt\",\"name\":\"b-1.txt\",\"mimeType\":\"text/plain\",\"size\":1},"
          "{\"uri\":\"skill://first/b\",\"name\":\"b\",\"mimeType\":\"inode/directory\"}]" },
        { MODERN, "resources/directory/read", "\"uri\":\"skill://first/b\"", "/result/resources",
          "[{\"uri\":\"skill://first/b/c\",\"name\":\"c\",\"mimeType\":\"inode/directory\"},"
          "{\"uri\":\"skill://first/b/two.md\",\"name\":\"b/two.md\",\"mimeType\":\"text/"
          "markdown\",\"size\":1}]" },
        { MODERN, "resources/directory/read", "\"uri\":\"skill://first/b/two.md\"", "/error/code", "-32602" },
        { MODERN, "resources/directory/read", "\"uri\":\"skill://fir\"", "/error/code", "-32602" },
        { MODERN, "resources/directory/read", "\"uri\":\"skill:/\"", "/error/code", "-32602" },
        { MODERN, "resources/directory/read", "\"uri\":\"\"", "/error/code", "-32602" },
        { MODERN, "resources/directory/read", "", "/error/code", "-32602" },
    };
    tenon_server  *server = make_server(NULL);
    struct client *client = client_new(server);

    (void)state;
    assert_null(tenon_server_error(server));
    client_initialize(client, "2025-11-25");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        yyjson_doc *doc  = client_ask(client, cases[i].era, cases[i].method, cases[i].params);
        char       *text = yyjson_val_write(yyjson_doc_ptr_get(doc, cases[i].pointer), 0, NULL);

        if (strcmp(text ? text : "", cases[i].want) != 0)
            fail_msg("%zu: %s %s: %s is %s", i, cases[i].method, cases[i].params, cases[i].pointer,
                     text ? text : "not there");
        free(text);
        yyjson_doc_free(doc);
    }
    client_free(client);
    tenon_server_free(server);
}

static void come_page_by_page(void **state)
{
    tenon_server  *server = make_server(NULL);
    struct client *client = client_new(server);
    yyjson_doc    *doc    = client_ask(client, MODERN, "skills/list", "");
    const char    *cursor = yyjson_get_str(yyjson_doc_ptr_get(doc, "/result/nextCursor"));
    char           params[1024];

    (void)state;
    assert_non_null(cursor);
    snprintf(params, sizeof params, "\"cursor\":\"%s\"", cursor ? cursor : "");
    yyjson_doc_free(doc);
    doc = client_ask(client, MODERN, "skills/list", params);
    assert_string_equal(yyjson_get_str(yyjson_doc_ptr_get(doc, "/result/skills/0/uri")),
                        "skill://123/SKILL.md");
    assert_null(yyjson_doc_ptr_get(doc, "/result/nextCursor"));
    yyjson_doc_free(doc);
    client_free(client);
    tenon_server_free(server);
}

static void mistakes(void **state)
{
    static char                   long_doc[TENON_SKILL_DOC_MAX + 2], large[TENON_SKILL_BYTES_MAX + 1];
    static const tenon_skill_file bad[] = {
        { .path = "../up", .text = "" },       { .path = "a//b", .text = "" },
        { .path = "/etc/passwd", .text = "" }, { .path = "a/", .text = "" },
        { .path = "a\\b", .text = "" },        { .path = "SKILL.md", .text = "" },
        { .path = NULL, .text = "" },          { .path = "a\n", .text = "" },
        { .path = "./a", .text = "" },         { .path = "no-content" },
        { .path = "bad", .text = "\xff" },     { .path = "large", .data = large, .len = sizeof large },
    };
    static const char *const names[] = { "", "A", "a--b", "-a", "a-", "a_b", "a/b", NULL };
    tenon_server            *server;

    (void)state;
    memset(long_doc, 'a', sizeof long_doc - 1);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        server = tenon_server_new("test", "1");
        assert_int_equal(tenon_server_skill(server, names[i], .doc = "d", .text = "t"), TENON_E_DECLARATION);
        assert_non_null(strstr(tenon_server_error(server), "single hyphens"));
        tenon_server_free(server);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        server = tenon_server_new("test", "1");
        assert_int_equal(tenon_server_skill(server, "a", .doc = "d", .text = "t", .files = &bad[i],
                                            .file_count = 1),
                         TENON_E_DECLARATION);
        assert_non_null(strstr(tenon_server_error(server), "skill 'a': "));
        tenon_server_free(server);
    }
    server = tenon_server_new("test", "1");
    assert_int_equal(tenon_server_skill(server, "a", .doc = long_doc, .text = "t"), TENON_E_DECLARATION);
    tenon_server_free(server);
    server = tenon_server_new("test", "1");
    tenon_server_skill(server, "a", .doc = "d", .text = "t");
    tenon_server_skill(server, "a", .doc = "d", .text = "t");
    assert_null(tenon_link_new(server, NULL, NULL));
    assert_non_null(strstr(tenon_server_error(server), "was added twice"));
    tenon_server_free(server);
    assert_int_equal(tenon_server_skill(NULL, "a", .doc = "d", .text = "t"), TENON_E_NOMEM);
}

static bool run_refused(size_t nth)
{
    struct tn_fault fault  = { .refuse_at = nth };
    tenon_allocator memory = tn_fault_allocator(&fault);
    tenon_server   *server = make_server(&memory);
    struct client   client = { .last = malloc(LINK_TEXT_MAX) };

    client.link = server ? tenon_link_new(server, client_keep, &client) : NULL;
    if (client.link) {
        yyjson_doc_free(client_ask(&client, MODERN, "skills/list", ""));
        yyjson_doc_free(client_ask(&client, MODERN, "resources/directory/read", "\"uri\":\"skill://first\""));
        yyjson_doc_free(client_ask(&client, MODERN, "skills/get", "\"uri\":\"skill://first/SKILL.md\""));
        tenon_link_free(client.link);
    }
    free(client.last);
    tenon_server_free(server);
    assert_int_equal(fault.blocks, 0);
    assert_int_equal(fault.bytes, 0);
    return fault.refused;
}

static void survive_every_refusal(void **state)
{
    size_t nth = 1;

    (void)state;
    while (run_refused(nth))
        nth++;
    assert_true(nth > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(come_page_by_page),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(survive_every_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
