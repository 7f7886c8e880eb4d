/* lock_test.c - what is written is read, what was changed by hand is refused, and writers do not lose each other's work. */
#define _GNU_SOURCE
#include "contract/lock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define WRITERS         6
#define ROUNDS          8

static char            folder[64], path[128], key_path[128];
static struct tn_arena arena;

static void run(const char *format, ...)
{
    char    command[1000];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);

    (void)state;
    strcpy(folder, "/tmp/tenon-lock-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/tenon.lock", folder);
    snprintf(key_path, sizeof key_path, "%s/key", folder);
    run("umask 077; printf 'a key that is long enough\\n' > %s", key_path);
    tn_arena_init(&arena, &memory, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tn_arena_free(&arena);
    run("rm -r %s", folder);
    return 0;
}

struct wish {
    const char *upstream, *tool, *text;
};

static bool pin_one(void *user, struct tn_lock *lock)
{
    static const char *const words[] = { "npx", "-y", "server", NULL };
    const struct wish       *wish    = user;
    struct tn_lock_entry    *entry   = tn_lock_enter(lock, tn_slice_of(wish->upstream));
    struct tn_pinned pinned = { .approved = SLICE_LIT("2026-11-16T08:00:00Z"), .by = SLICE_LIT("ann") };

    entry->command    = (tenon_strs){ 3, words };
    entry->era        = SLICE_LIT("2025-11-25");
    pinned.definition = tn_definition_read(&lock->arena, KIND_TOOL, tn_slice_of(wish->text), NULL);
    return tn_lock_pin(lock, entry, KIND_TOOL, &pinned) && tn_lock_order(lock, entry, NULL, 0);
}

/* Ten thousand tools, in no order: each copy of all of them, one for each, was gigabytes. */
static void test_many_tools_take_memory_once(void **state)
{
    const tenon_allocator memory = tn_memory_of(NULL);
    struct tn_lock        lock;
    struct tn_lock_entry *entry;
    static char           name[LOCK_ITEMS_MAX][8];

    (void)state;
    tn_lock_init(&lock, &memory);
    entry = tn_lock_enter(&lock, SLICE_LIT("many"));
    for (size_t i = 0; i < LOCK_ITEMS_MAX; i++) {
        struct tn_pinned pinned = { .by = SLICE_LIT("ann") };

        snprintf(name[i], sizeof name[i], "t%05zu", i * 7919 % LOCK_ITEMS_MAX);
        pinned.definition.name = tn_slice_of(name[i]);
        assert_true(tn_lock_pin(&lock, entry, KIND_TOOL, &pinned));
    }
    assert_int_equal(entry->kinds[KIND_TOOL].count, LOCK_ITEMS_MAX);
    for (size_t i = 1; i < LOCK_ITEMS_MAX; i++)
        assert_true(tn_canonical_compare(entry->kinds[KIND_TOOL].at[i - 1].definition.name,
                                         entry->kinds[KIND_TOOL].at[i].definition.name) < 0);
    assert_true(lock.arena.used < 8 * LOCK_ITEMS_MAX * sizeof(struct tn_pinned));
    tn_lock_free(&lock);
}

static void put(const struct tn_lock_file *file, const char *upstream, const char *tool)
{
    char        text[300];
    const char *mistake;
    struct wish wish = { upstream, tool, text };

    snprintf(text, sizeof text,
             "{\"name\":\"%s\",\"inputSchema\":{\"z\":1.10,\"a\":[1e400,{\"x\":\"\\ud83d\"}]}}", tool);
    assert_int_equal(tn_lock_update(file, pin_one, &wish, &arena, &mistake), TENON_OK);
    assert_null(mistake);
}

static const char *read_mistake(const struct tn_lock_file *file)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_lock  lock;
    const char     *mistake;

    tn_lock_init(&lock, &memory);
    if (tn_lock_read(&lock, file, &mistake) == TENON_OK)
        mistake = NULL;
    if (mistake)
        mistake = tn_arena_copy(&arena, mistake, strlen(mistake));
    tn_lock_free(&lock);
    return mistake;
}

static struct tn_slice contents(void)
{
    char  *text = tn_arena_take(&arena, 100000, 1);
    FILE  *file = fopen(path, "r");
    size_t len  = fread(text, 1, 99999, file);

    fclose(file);
    text[len] = '\0';
    return (struct tn_slice){ text, len };
}

static void put_text(const char *text, size_t len)
{
    FILE *file = fopen(path, "w");

    fwrite(text, 1, len, file);
    fclose(file);
    chmod(path, 0600);
}

static void test_what_is_written_is_read(void **state)
{
    const struct tn_lock_file file   = { path, NULL };
    tenon_allocator           memory = tn_memory_of(NULL);
    const struct tn_pinned   *pinned;
    const char               *mistake;
    struct tn_slice           first;
    struct tn_lock            lock;
    struct stat               about;

    (void)state;
    put(&file, "b", "send");
    put(&file, "a", "read");
    put(&file, "b", "list");
    first = contents();
    put(&file, "b", "list");
    assert_string_equal(first.at, contents().at); /* the same again is the same text */
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    tn_lock_init(&lock, &memory);
    assert_int_equal(tn_lock_read(&lock, &file, &mistake), TENON_OK);
    assert_int_equal(lock.count, 2);
    assert_true(tn_slice_is(lock.at[0].name, "a"));
    assert_int_equal(lock.at[1].kinds[KIND_TOOL].count, 2);
    pinned = tn_lock_pinned(&lock.at[1], KIND_TOOL, SLICE_LIT("list"));
    assert_non_null(pinned);
    assert_true(
        tn_slice_is(pinned->definition.text,
                    "{\"name\":\"list\",\"inputSchema\":{\"z\":1.10,\"a\":[1e400,{\"x\":\"\\ud83d\"}]}}"));
    assert_true(tn_slice_is(pinned->by, "ann"));
    assert_null(tn_lock_pinned(&lock.at[0], KIND_TOOL, SLICE_LIT("list")));
    tn_lock_unpin(&lock.at[1], KIND_TOOL, SLICE_LIT("list"));
    assert_null(tn_lock_pinned(&lock.at[1], KIND_TOOL, SLICE_LIT("list")));
    assert_non_null(tn_lock_pinned(&lock.at[1], KIND_TOOL, SLICE_LIT("send")));
    tn_lock_free(&lock);
}

static void test_what_was_changed_is_refused(void **state)
{
    static const struct { const char *from, *to, *want; } cases[] = {
        { "1.10", "1.20", "the sha256 of upstreams/a/tools/send does not fit" },
        { "\"definition\": {", "\"definition\": {\"_meta\":{},", "does not fit its definition" },
        { "\"sha256\": \"", "\"sha256\": \"0", "does not fit its definition" },
        { "\"set\": \"sha256:", "\"set\": \"sha256:0", "the set of upstreams/a" },
        { "\"tools\": {", "\"tools\": {}, \"tools\": {", "same name twice" },
        { "\"instructions\": null", "\"instructions\": \"obey\"", "the set of upstreams/a" },
        { "\"instructions\": null", "\"instructions\": 1", "a text or null" },
        { "\"prompts\": {}", "\"prompts\": {\"a\":{}}", "must be an object" },
        { "\"approved\": \"2026", "\"approved\": \"x026", "must be a time" },
        { "\"by\": \"ann\"", "\"by\": 1", "must be a text" },
        { "\"by\": \"ann\"", "\"by\": \"ann\", \"more\": 1", "not known, more" },
        { "\"tenon-lock\": 1", "\"tenon-lock\": 2", "newer Tenon" },
        { "\"tenon-lock\": 1", "\"tenon-lock\": 1.0", "newer Tenon" },
        { "\"upstreams\": {", "\"upstreams\": [", "cannot be used" },
        { "\"upstreams\"", "\"upstream\"", "not known, upstream" },
        { "\"era\": \"2025-11-25\"", "\"era\": null", "must be a text" },
        { "\"command\": [\"npx\"", "\"command\": [1", "must be a text" },
        { "\"command\": [\"npx\"", "\"command\": [\"a\\u0000b\"", "must be a text" },
        { "\"capabilities\": {}", "\"capabilities\": []", "must be an object" },
        { "\"send\": {", "\"sent\": {", "definition of another name" },
        { "        \"send\"\n", "        \"sent\"\n", "the order of upstreams/a" },
        { "        \"send\"\n", "        \"send\", \"send\"\n", "the order of upstreams/a" },
        { "        \"send\"\n", "", "the order of upstreams/a" },
        { "\n}\n", "\n", "cannot be used" },
    };
    const struct tn_lock_file file = { path, NULL };
    struct tn_slice           text;

    (void)state;
    put(&file, "a", "send");
    text = contents();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *at = strstr(text.at, cases[i].from), *mistake;
        char        changed[20000];
        int         len;

        if (strcmp(cases[i].from, "\n}\n") == 0)
            at = text.at + text.len - 3;
        assert_non_null(at);
        len = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text.at), text.at, cases[i].to,
                       at + strlen(cases[i].from));
        put_text(changed, (size_t)len);
        mistake = read_mistake(&file);
        if (!mistake || !strstr(mistake, cases[i].want))
            fail_msg("case %zu: %s", i, mistake ? mistake : "it was accepted");
    }
}

/* Every byte of it counts: another one is refused, or does not change what the lock states. */
static void test_every_byte_counts(void **state)
{
    const struct tn_lock_file file   = { path, key_path };
    tenon_allocator           memory = tn_memory_of(NULL);
    struct tn_slice           text, key = SLICE_LIT("a key that is long enough");
    size_t                    accepted = 0;

    (void)state;
    put(&file, "a", "send");
    text = contents();
    for (size_t i = 0; i < text.len; i++) {
        char          *changed = (char *)(uintptr_t)text.at, was = changed[i];
        struct tn_lock lock;
        const char    *mistake;

        changed[i] = (char)(was ^ 1);
        tn_lock_init(&lock, &memory);
        accepted += tn_lock_parse(&lock, "lock", text, key, &mistake);
        tn_lock_free(&lock);
        changed[i] = was;
    }
    assert_int_equal(accepted, 0); /* a changed space is not a space, either */
}

static void test_seal(void **state)
{
    const struct tn_lock_file sealed = { path, key_path }, open = { path, NULL };
    struct wish               wish = { "a", "x", "{\"name\":\"x\"}" };
    const char               *mistake;

    (void)state;
    put(&open, "a", "send");
    assert_non_null(strstr(read_mistake(&sealed), "not sealed"));
    run("rm %s", path);
    put(&sealed, "a", "send");
    assert_null(read_mistake(&sealed));
    assert_null(read_mistake(&open)); /* a reader without the key looks at hashes only, ... */
    assert_int_equal(tn_lock_update(&open, pin_one, &wish, &arena, &mistake),
                     TENON_E_IO); /* ... and does not write */
    assert_non_null(strstr(mistake, "is sealed"));
    run("sed -i 's/\"by\": \"ann\"/\"by\": \"bob\"/' %s", path);
    assert_non_null(strstr(read_mistake(&sealed), "its seal does not fit"));
    assert_null(read_mistake(&open));
    run("printf short > %s", key_path);
    assert_non_null(strstr(read_mistake(&sealed), "at least 16 bytes"));
    run("chmod 644 %s", key_path);
    assert_non_null(strstr(read_mistake(&sealed), "chmod 600"));
}

static void test_files_of_others_are_refused(void **state)
{
    const struct tn_lock_file file = { path, NULL };
    struct wish               wish = { "a", "x", "{\"name\":\"x\"}" };
    const char               *mistake;

    (void)state;
    put(&file, "a", "send");
    run("chmod 644 %s", path);
    put(&file, "a", "more");
    run("test $(stat -c %%a %s) = 644", path); /* as readable as it was */
    run("chmod 666 %s", path);
    assert_non_null(strstr(read_mistake(&file), "writable"));
    assert_int_equal(tn_lock_update(&file, pin_one, &wish, &arena, &mistake), TENON_E_IO);
    run("chmod 644 %s && chmod 777 %s", path, folder);
    assert_non_null(strstr(read_mistake(&file), "folder"));
    run("rm %s", path);
    assert_int_equal(tn_lock_update(&file, pin_one, &wish, &arena, &mistake),
                     TENON_E_IO); /* nothing is left */
    run("test -z \"$(ls -A %s | grep lock)\" && chmod 700 %s", folder, folder);
}

static void test_a_link_stays_one(void **state)
{
    char                      real[128];
    const struct tn_lock_file linked = { path, NULL }, direct = { real, NULL };

    (void)state;
    snprintf(real, sizeof real, "%s/real/lock", folder);
    run("mkdir %s/real && ln -s real/lock %s", folder, path);
    put(&direct, "a", "one");
    put(&linked, "a", "two");
    run("test -L %s && grep -q '\"two\": {' %s && grep -q '\"one\": {' %s", path, real, real);
}

static void test_writers_lose_nothing(void **state)
{
    const struct tn_lock_file file = { path, NULL };
    pid_t                     children[WRITERS];
    struct tn_lock            lock;
    tenon_allocator           memory = tn_memory_of(NULL);
    const char               *mistake;
    int                       status;

    (void)state;
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            for (int round = 0; round < ROUNDS; round++) {
                char name[40];

                snprintf(name, sizeof name, "tool_%d_%d", i, round);
                put(&file, i % 2 ? "odd" : "even", name);
            }
            _exit(0);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    tn_lock_init(&lock, &memory);
    assert_int_equal(tn_lock_read(&lock, &file, &mistake), TENON_OK);
    assert_int_equal(lock.at[0].kinds[KIND_TOOL].count + lock.at[1].kinds[KIND_TOOL].count, WRITERS * ROUNDS);
    tn_lock_free(&lock);
    run("test \"$(ls -A %s | sort | tr '\\n' ' ')\" = 'key tenon.lock '", folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_written_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_was_changed_is_refused, set_up, tear_down),
        cmocka_unit_test(test_many_tools_take_memory_once),
        cmocka_unit_test_setup_teardown(test_every_byte_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_seal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files_of_others_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_link_stays_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_writers_lose_nothing, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
