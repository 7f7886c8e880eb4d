/* protocol_test.c - conversations with a server in memory, one a file in tests/protocol/.
 *
 *     # a comment
 *     > {"jsonrpc":"2.0",...}     sent
 *     < {"jsonrpc":"2.0",...}     must come back, in this order and nothing else
 *
 * $NAME in a line that comes back stands for any text without quotes and backslashes, and is put into later lines that are sent. <V> in
 * a line that is sent stands for the envelope of 2026-07-28 in params, with capabilities {}; <V {...}> with others.
 * `protocol_test --update` writes what comes back into the files, for a person to read before it is kept.
 *
 * Every conversation is repeated with each allocation refused in turn: nothing crashes or leaks, and whatever comes back is
 * JSON.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <yyjson.h>

#include <tenon/server.h>

#include "support/fault.h"
#include "support/offered.h"

#define DIRECTORY "tests/protocol"
#define NAMES_MAX 16
#define VALUE_MAX 2048
#define FILE_MAX  (1 << 20)

struct talk {
    char  *came; /* lines that came back and were not looked at */
    size_t len;
    bool   only_json; /* nothing is compared */
};

struct value {
    char name[32], text[VALUE_MAX];
};

static struct value values[NAMES_MAX];
static size_t       value_count;
static bool         update;

static void sink(void *user, const char *json, size_t len)
{
    struct talk *talk = user;
    yyjson_doc  *doc  = yyjson_read(json, len, 0);

    if (!doc || memchr(json, '\n', len))
        fail_msg("not one line of JSON: %.*s", (int)len, json);
    yyjson_doc_free(doc);
    talk->came = realloc(talk->came, talk->len + len + 2);
    memcpy(talk->came + talk->len, json, len);
    talk->len += len;
    talk->came[talk->len++] = '\n';
    talk->came[talk->len]   = '\0';
}

/* ---- Names and values ---------------------------------------------------------------------------------------- */

static struct value *value_of(const char *name, size_t len)
{
    for (size_t i = 0; i < value_count; i++)
        if (strlen(values[i].name) == len && memcmp(values[i].name, name, len) == 0)
            return &values[i];
    return NULL;
}

static size_t name_len(const char *at)
{
    size_t len = 0;

    while ((at[1 + len] >= 'A' && at[1 + len] <= 'Z') || at[1 + len] == '_')
        len++;
    return len;
}

/* Does `came` have the form `want`? Names in `want` take what they stand for. */
static bool matches(const char *want, const char *came)
{
    while (*want) {
        size_t len = *want == '$' ? name_len(want) : 0, taken;

        if (len == 0) {
            if (*want++ != *came++)
                return false;
            continue;
        }
        taken = strcspn(came, "\"\\\n");
        if (taken >= VALUE_MAX)
            return false;
        if (!value_of(want + 1, len)) {
            assert_true(value_count < NAMES_MAX && len < sizeof values->name);
            memcpy(values[value_count].name, want + 1, len);
            values[value_count++].name[len] = '\0';
        }
        memcpy(value_of(want + 1, len)->text, came, taken);
        value_of(want + 1, len)->text[taken] = '\0';
        want += len + 1;
        came += taken;
    }
    return *came == '\0';
}

/* Puts values and envelopes into a line that is sent. */
static char *expand(const char *line)
{
    char  *out;
    size_t len;
    FILE  *to = open_memstream(&out, &len);

    while (*line) {
        size_t name = *line == '$' ? name_len(line) : 0;

        if (name > 0 && value_of(line + 1, name)) {
            fputs(value_of(line + 1, name)->text, to);
            line += name + 1;
        } else if (strncmp(line, "<V", 2) == 0) {
            const char *end = strchr(line, '>');

            fputs("\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                  "\"io.modelcontextprotocol/clientCapabilities\":",
                  to);
            if (line[2] == ' ')
                fwrite(line + 3, 1, (size_t)(end - line - 3), to);
            else
                fputs("{}", to);
            fputc('}', to);
            line = end + 1;
        } else {
            fputc(*line++, to);
        }
    }
    fclose(to);
    return out;
}

/* ---- Conversations ------------------------------------------------------------------------------------------- */

/* The next line that came back, cut off; NULL when there is none. */
static char *next_line(struct talk *talk)
{
    char *line, *end;

    if (talk->len == 0)
        return NULL;
    end  = memchr(talk->came, '\n', talk->len);
    line = strndup(talk->came, (size_t)(end - talk->came));
    talk->len -= (size_t)(end + 1 - talk->came);
    memmove(talk->came, end + 1, talk->len);
    return line;
}

static void compare(struct talk *talk, const char *name, const char *want)
{
    char *came = next_line(talk);

    if (!came)
        fail_msg("%s: nothing came, wanted\n%s", name, want);
    if (!matches(want, came))
        fail_msg("%s: wanted\n%s\ncame\n%s", name, want, came);
    free(came);
}

static void nothing_left(struct talk *talk, const char *name)
{
    if (talk->len > 0)
        fail_msg("%s: came unexpected:\n%s", name, talk->came);
}

static void write_left(struct talk *talk, FILE *to)
{
    char *came = next_line(talk);

    for (; came; came = next_line(talk)) {
        fprintf(to, "< %s\n", came);
        free(came);
    }
}

static void one_line(struct talk *talk, tenon_link *link, const char *name, char *line, FILE *updated)
{
    if (line[0] != '<' && updated)
        write_left(talk, updated);
    if (line[0] == '>') {
        char *message = expand(line + 2);

        if (!talk->only_json && !updated)
            nothing_left(talk, name);
        tenon_link_send(link, message, strlen(message));
        free(message);
    } else if (line[0] == '<' && updated) {
        char *came = next_line(talk);

        if (!came || !matches(line + 2, came)) {
            if (came)
                fprintf(updated, "< %s\n", came);
            free(came);
            return;
        }
        free(came);
    } else if (line[0] == '<' && !talk->only_json) {
        compare(talk, name, line + 2);
    }
    if (updated)
        fprintf(updated, "%s\n", line);
}

static char *read_file(const char *name)
{
    char  path[512], *text = calloc(1, FILE_MAX);
    FILE *from;

    snprintf(path, sizeof path, DIRECTORY "/%s", name);
    from = fopen(path, "r");
    assert_non_null(from);
    fread(text, 1, FILE_MAX - 1, from);
    fclose(from);
    return text;
}

static void converse(const char *name, const tenon_allocator *memory, bool only_json)
{
    char         *text = read_file(name), *rest = text, *line, path[512];
    struct talk   talk    = { .only_json = only_json };
    tenon_server *server  = offered_server(memory);
    tenon_link   *link    = tenon_link_new(server, sink, &talk);
    FILE         *updated = NULL;

    value_count = 0;
    snprintf(path, sizeof path, DIRECTORY "/%s", name);
    if (!link && !only_json)
        fail_msg("%s", tenon_server_error(server));
    if (update && !only_json)
        updated = fopen(path, "w");
    while (link && (line = strsep(&rest, "\n")) && (line[0] || rest))
        one_line(&talk, link, name, line, updated);
    if (updated) {
        write_left(&talk, updated);
        fclose(updated);
    }
    if (!only_json)
        nothing_left(&talk, name);
    tenon_link_free(link);
    tenon_server_free(server);
    free(talk.came);
    free(text);
}

static int is_conversation(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && strcmp(dot, ".rpc") == 0;
}

static void each(void (*visit)(const char *name))
{
    struct dirent **entries;
    int             count = scandir(DIRECTORY, &entries, is_conversation, alphasort);

    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        visit(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static void as_written(const char *name)
{
    converse(name, NULL, false);
}

static void test_conversations(void **state)
{
    (void)state;
    each(as_written);
}

static void with_refusals(const char *name)
{
    for (size_t n = 1;; n += n < 200 ? 1 : 7) {
        struct tn_fault fault     = { .refuse_at = n };
        tenon_allocator allocator = tn_fault_allocator(&fault);

        converse(name, &allocator, true);
        assert_int_equal(fault.blocks, 0);
        if (!fault.refused)
            break;
    }
}

static void test_refused_memory(void **state)
{
    (void)state;
    each(with_refusals);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversations),
        cmocka_unit_test(test_refused_memory),
    };

    update = count > 1 && strcmp(arguments[1], "--update") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
