/* new.c - `tenon new NAME`: a folder with a server that builds, its test, and what clients need to find it.
 *
 * The files are share/tenon/new/, made part of the program by the build; @NAME@ in them becomes the name.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/project/template.h"

#define NAME_LEN_MAX ((size_t)40)
#define TEXT_MAX     ((size_t)1 << 20)
#define MARK         "@NAME@"

enum { OPTION_HELP, OPTIONS };

static const struct option table[] = { [OPTION_HELP] = { "help", 'h', NULL, "print this" } };

static void print_help(FILE *to)
{
    fputs("Usage: tenon new NAME\n\n"
          "Makes the folder NAME with a server of one tool: its source, a test, a build for CMake, a\n"
          "Dockerfile, and a .mcp.json with which clients find it. NAME is a word of small letters,\n"
          "digits, - and _.\n\n",
          to);
    options_help(to, table, OPTIONS);
    fputs("\nEnds with 0, or with 2 when nothing could be made.\n", to);
}

static bool is_name(const char *name)
{
    size_t len = strlen(name);

    if (len == 0 || len > NAME_LEN_MAX || name[0] < 'a' || name[0] > 'z')
        return false;
    for (size_t i = 0; i < len; i++)
        if (!(name[i] >= 'a' && name[i] <= 'z') && !tn_ascii_is_digit(name[i]) && name[i] != '-' &&
            name[i] != '_')
            return false;
    return true;
}

/* The text with the name in its places; NULL when out of memory. */
static const char *fill_in(struct tn_arena *arena, const char *text, const char *name)
{
    struct tn_buf out;
    const char   *mark;

    tn_buf_init(&out, arena, strlen(text) + 64, TEXT_MAX);
    for (; (mark = strstr(text, MARK)); text = mark + strlen(MARK)) {
        tn_buf_add(&out, text, (size_t)(mark - text));
        tn_buf_text(&out, name);
    }
    tn_buf_text(&out, text);
    return tn_buf_end(&out);
}

/* A file that was not there before. */
static bool write_file(const struct console *console, int folder, const char *path, const char *text)
{
    size_t left = strlen(text);
    int    file = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool   done = file >= 0;

    while (done && left > 0) {
        ssize_t written = write(file, text, left);

        done = written > 0;
        if (done) {
            text += written;
            left -= (size_t)written;
        }
    }
    if (!done)
        console_error(console, "cannot write %s: %s", path, strerror(errno));
    if (file >= 0 && close(file) != 0 && done) {
        console_error(console, "cannot write %s: %s", path, strerror(errno));
        done = false;
    }
    return done;
}

static bool write_files(const struct console *console, int folder, const char *name)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    bool            done = true;

    tn_arena_init(&arena, &memory, TEXT_MAX * 4);
    for (size_t i = 0; done && i < template_count; i++) {
        const char *text = fill_in(&arena, template_files[i].text, name);

        done = text && write_file(console, folder, template_files[i].path, text);
        if (!text)
            console_error(console, "out of memory");
    }
    tn_arena_free(&arena);
    return done;
}

static enum ending make_project(const struct console *console, const char *name)
{
    int  folder;
    bool done;

    if (!is_name(name)) {
        console_error(
            console,
            "'%s' cannot be the name of a project: small letters, digits, - and _, a letter first, at "
            "most %zu",
            name, NAME_LEN_MAX);
        return ENDING_UNUSABLE;
    }
    if (mkdir(name, 0777) != 0) {
        console_error(console, "cannot make the folder %s: %s", name, strerror(errno));
        return ENDING_UNUSABLE;
    }
    folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    done   = folder >= 0 && write_files(console, folder, name);
    if (folder >= 0)
        close(folder);
    if (!done)
        return ENDING_UNUSABLE;
    fprintf(console->out,
            "%s/ has a server with one tool, in tools.c. Next:\n\n"
            "  cd %s\n"
            "  cmake -G Ninja -B build && cmake --build build && ctest --test-dir build\n"
            "  tenon call build/%s forecast city=Oslo days=5\n"
            "  tenon shell build/%s\n"
            "  claude mcp add %s -- \"$PWD/build/%s\"\n",
            name, name, name, name, name, name);
    return ENDING_GOOD;
}

static enum ending new_run(const struct console *console, int count, char **arguments)
{
    struct options options = {
        .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    const char *name = NULL;
    int         row;

    while ((row = options_next(&options)) != OPTION_END) {
        if (row == OPTION_HELP) {
            print_help(console->out);
            return ENDING_GOOD;
        }
        if (row == OPTION_WRONG || name) {
            console_error(console, "%s; see tenon new --help",
                          row == OPTION_WRONG ? options.why : "one NAME only");
            return ENDING_UNUSABLE;
        }
        name = options.value;
    }
    if (name)
        return make_project(console, name);
    console_error(console, "a NAME is needed; see tenon new --help");
    return ENDING_UNUSABLE;
}

const struct command command_new = { "new", "make a project with a server in C", new_run };
