/* new.c - `tenon new NAME`: a folder with a server that builds, its test, and what clients need to find it.
 *
 * The files are share/tenon/new/, and new-c/ or new-cpp/, made part of the program by the build; @NAME@ and other words in
 * them become what this project has there.
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
#define URL          "http://127.0.0.1:8080/mcp"

enum { OPTION_CPP, OPTION_HTTP, OPTION_HELP, OPTIONS };

static const struct option table[] = {
    [OPTION_CPP]  = { "cpp", '\0', NULL, "in C++17, on <tenon/tenon.hpp>" },
    [OPTION_HTTP] = { "http", '\0', NULL, "a server that listens at " URL ", not one that clients start" },
    [OPTION_HELP] = { "help", 'h', NULL, "print this" },
};

struct project {
    const char *name;
    bool        is_cpp, is_http;
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon new [--cpp] [--http] NAME\n\n"
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

/* What stands in the place of a word, which may have @NAME@ in it again; NULL when it is no word of ours. */
static const char *meaning_of(const struct project *project, struct tn_slice word)
{
    const bool cpp = project->is_cpp, http = project->is_http;
    const struct {
        const char *word, *text;
    } words[] = {
        { "NAME", project->name },
        { "LANGUAGE", cpp ? "C++" : "C" },
        { "SOURCE", cpp ? "cpp" : "c" },
        { "HEADER", cpp ? "hpp" : "h" },
        { "WHERE", http ? "HTTP at 127.0.0.1:8080, --http for another address"
                        : "stdio, --http 127.0.0.1:8080 for HTTP" },
        { "SERVER", cpp ? "server.c()" : "server" },
        { "SERVE",
          http ? "    tenon_server_set(@SERVER@, \"http\", \"127.0.0.1:8080\"); /* a flag overrides it */\n"
               : "" },
        { "ENTRY",
          http ? "{ \"type\": \"http\", \"url\": \"" URL "\" }" : "{ \"command\": \"build/@NAME@\" }" },
        { "TARGET", http ? URL : "build/@NAME@" },
        { "RUN", http ? "build/@NAME@ & sleep 1; " : "" },
        { "ADD", http ? "claude mcp add --transport http @NAME@ " URL
                      : "claude mcp add @NAME@ -- \"$PWD/build/@NAME@\"" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tn_slice_is(word, words[i].word))
            return words[i].text;
    return NULL;
}

static void fill_in(struct tn_buf *out, const struct project *project, const char *text)
{
    const char *mark, *end, *meaning;

    for (; (mark = strchr(text, '@')); text = mark) {
        end     = strchr(mark + 1, '@');
        meaning = end ? meaning_of(project, (struct tn_slice){ mark + 1, (size_t)(end - mark) - 1 }) : NULL;
        tn_buf_add(out, text, (size_t)(mark - text));
        if (meaning)
            fill_in(out, project, meaning);
        else
            tn_buf_char(out, '@');
        mark = meaning ? end + 1 : mark + 1;
    }
    tn_buf_text(out, text);
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

static bool write_files(const struct console *console, int folder, const struct project *project)
{
    tenon_allocator memory = tn_memory_of(NULL);
    struct tn_arena arena;
    bool            done = true;

    tn_arena_init(&arena, &memory, TEXT_MAX * 4);
    for (size_t i = 0; done && i < template_count; i++) {
        struct tn_buf text;

        if (template_files[i].kind == (project->is_cpp ? TEMPLATE_C : TEMPLATE_CPP))
            continue;
        tn_buf_init(&text, &arena, 0, TEXT_MAX);
        fill_in(&text, project, template_files[i].text);
        done = tn_buf_end(&text) && write_file(console, folder, template_files[i].path, text.at);
        if (text.failed)
            console_error(console, "out of memory");
    }
    tn_arena_free(&arena);
    return done;
}

/* What to type next. */
static bool say_next(const struct console *console, const struct project *project)
{
    static const char text[] = "@NAME@/ has a server with one tool, in tools.@SOURCE@. Next:\n\n"
                               "  cd @NAME@\n"
                               "  cmake -G Ninja -B build && cmake --build build && ctest --test-dir build\n"
                               "  @RUN@tenon call @TARGET@ forecast city=Oslo days=5\n"
                               "  tenon shell @TARGET@\n"
                               "  @ADD@\n";
    tenon_allocator   memory = tn_memory_of(NULL);
    struct tn_arena   arena;
    struct tn_buf     out;
    bool              done;

    tn_arena_init(&arena, &memory, 0);
    tn_buf_init(&out, &arena, 1024, TEXT_MAX);
    fill_in(&out, project, text);
    done = tn_buf_end(&out) != NULL;
    fputs(done ? out.at : "", console->out);
    tn_arena_free(&arena);
    return done;
}

static enum ending make_project(const struct console *console, const struct project *project)
{
    const char *name = project->name;
    int         folder;
    bool        done;

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
    done   = folder >= 0 && write_files(console, folder, project);
    if (folder >= 0)
        close(folder);
    return done && say_next(console, project) ? ENDING_GOOD : ENDING_UNUSABLE;
}

static enum ending new_run(const struct console *console, int count, char **arguments)
{
    struct options options = {
        .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    struct project project = { 0 };
    int            row;

    while ((row = options_next(&options)) != OPTION_END) {
        if (row == OPTION_HELP) {
            print_help(console->out);
            return ENDING_GOOD;
        }
        if (row == OPTION_CPP || row == OPTION_HTTP) {
            *(row == OPTION_CPP ? &project.is_cpp : &project.is_http) = true;
            continue;
        }
        if (row == OPTION_WRONG || project.name) {
            console_error(console, "%s; see tenon new --help",
                          row == OPTION_WRONG ? options.why : "one NAME only");
            return ENDING_UNUSABLE;
        }
        project.name = options.value;
    }
    if (project.name)
        return make_project(console, &project);
    console_error(console, "a NAME is needed; see tenon new --help");
    return ENDING_UNUSABLE;
}

const struct command command_new = { "new", "make a project with a server in C or C++", new_run };
