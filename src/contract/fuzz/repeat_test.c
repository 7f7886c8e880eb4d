/* repeat_test.c - lines for a shell: what a shell makes of them is what was to be sent, byte for byte. */
#define _POSIX_C_SOURCE 200809L
#include "contract/fuzz/repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

/* A shell function in place of the command prints the words, and standard input where it is read. */
#define SHELL                                                                                               \
    "tenon() { for word; do case $word in -) cat; echo; echo;; *) printf '%s\\n\\n' \"$word\";; esac; done; }\n"

static const char *const words[] = { "python3", "a server.py", "it's", "$HOME", "", NULL };

static const struct {
    const char *text;
    size_t      len, repeat;
} texts[] = {
    { "{\"q\":\"it's $HOME `x` \\\\ \\u0000 \\n\"}", 0, 1 },
    { "{\"q\":\"%s %d \\t\"}", 0, 1 },
    { "{\"q\":\"\xFF\xFE\x01\"}", 0, 1 },
    { "a\0b", 3, 1 },
    { "{\n}", 0, 1 },
    { "[", 0, 3000 },
    { "\\", 0, 3000 },
    { "ab'", 0, 1000 },
};

static void take_back(struct tn_arena *arena, struct tn_slice text)
{
    const struct tn_repeat repeat = {
        .words = words, .era = "legacy", .token_file = "my token", .timeout_s = 5
    };
    struct tn_buf line, script, want;
    char          buffer[70000];
    size_t        len;
    FILE         *shell;

    tn_buf_init(&line, arena, 0, 1 << 20);
    tn_repeat_call(&line, &repeat, SLICE_LIT("search"), text);
    for (size_t i = 0; i < line.len; i++)
        assert_true(line.at[i] >= ' ' && line.at[i] <= '~');
    tn_buf_init(&script, arena, 0, 1 << 20);
    tn_buf_lit(&script, SHELL);
    tn_buf_add(&script, line.at, line.len);
    shell = popen(tn_buf_end(&script), "r");
    assert_non_null(shell);
    len = fread(buffer, 1, sizeof buffer, shell);
    assert_int_equal(pclose(shell), 0);
    tn_buf_init(&want, arena, 0, 1 << 20);
    tn_buf_lit(&want, "call\n\n--era\n\nlegacy\n\n--token-file\n\nmy token\n\n--timeout\n\n5\n\n--json\n\n");
    tn_buf_add(&want, text.at, text.len);
    tn_buf_lit(&want, "\n\nsearch\n\n--\n\n");
    for (size_t i = 0; words[i]; i++)
        tn_buf_addf(&want, "%s\n\n", words[i]);
    assert_int_equal(len, want.len);
    assert_memory_equal(buffer, want.at, len);
}

static void shells_take_them_back(void **state)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;

    (void)state;
    tn_arena_init(&arena, &memory, 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct tn_buf text;

        tn_buf_init(&text, &arena, 0, 1 << 20);
        for (size_t j = 0; j < texts[i].repeat; j++)
            tn_buf_add(&text, texts[i].text, texts[i].len > 0 ? texts[i].len : strlen(texts[i].text));
        take_back(&arena, tn_buf_slice(&text));
    }
    tn_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(shells_take_them_back) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
