/* install.c - `tenon install CLIENT NAME -- COMMAND`: a server becomes one of a client's file.
 *
 * One member is put into the file's text; everything else in it stays byte for byte. Nothing is written without --write,
 * and what was there before is kept beside it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/client/known.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/options.h"
#include "cli/remote.h"
#include "json/locate.h"
#include "json/read.h"
#include "json/write.h"

#define ARENA_MAX  ((size_t)256 << 20)
#define BACKUP     ".before-tenon"
#define NEW        ".new"
#define PATH_BYTES ((size_t)4096)

enum { OPTION_USER, OPTION_GUARD, OPTION_WRITE, OPTION_HELP, OPTIONS };

static const struct option table[] = {
    [OPTION_USER]  = { "user", '\0', NULL, "for all folders of this person, not this one alone" },
    [OPTION_GUARD] = { "guard", '\0', NULL, "with tenon guard in front" },
    [OPTION_WRITE] = { "write", '\0', NULL, "change the file; what it was is kept as FILE" BACKUP },
    [OPTION_HELP]  = { "help", 'h', NULL, "print this" },
};

static const struct tn_json_limits limits = { FILE_LEN_MAX, 100, 1000000 };

struct install {
    const struct console *console;
    struct tn_arena       arena;
    const char           *operands[3]; /* CLIENT, NAME, and an address */
    size_t                operand_count;
    char                **words; /* of the command */
    size_t                word_count;
    bool                  own, guarded, writes, told;
    struct known_file     file;
    const char           *list; /* "mcpServers" or "servers" */
};

static void print_help(FILE *to)
{
    fputs("Usage: tenon install [OPTION]... CLIENT NAME -- COMMAND [ARGUMENT]...\n"
          "       tenon install [OPTION]... CLIENT NAME URL\n\n"
          "Adds a server to the file of a client (claude-code, claude-desktop, cursor, vscode): shows\n"
          "the file as it would be, and writes it with --write.\n\n",
          to);
    options_help(to, table, OPTIONS);
    fputs("\nEnds with 0, or with 2 when the call is wrong or the file cannot be changed.\n", to);
}

static bool install_wrong(const struct install *install, const char *text)
{
    console_error(install->console, "%s; see tenon install --help", text);
    return false;
}

static bool install_memory(const struct install *install)
{
    console_error(install->console, "out of memory");
    return false;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

static bool take_option(struct install *install, const struct options *options, int row)
{
    switch (row) {
    case OPTION_USER: install->own = true; return true;
    case OPTION_GUARD: install->guarded = true; return true;
    case OPTION_WRITE: install->writes = true; return true;
    case OPTION_HELP:
        print_help(install->console->out);
        install->told = true;
        return true;
    case OPTION_OPERAND: break;
    default: return install_wrong(install, options->why);
    }
    if (options->ended)
        install->words[install->word_count++] = (char *)(uintptr_t)options->value;
    else if (install->operand_count < 3)
        install->operands[install->operand_count++] = options->value;
    else
        return install_wrong(install, "CLIENT, NAME and a URL only; a command goes after --");
    return true;
}

static bool read_call(struct install *install, int count, char **arguments)
{
    struct options options = {
        .table = table, .table_count = OPTIONS, .arguments = arguments, .count = count
    };
    int row;

    install->words = tn_arena_array(&install->arena, (size_t)count + 1, char *);
    if (!install->words)
        return install_memory(install);
    while (!install->told && (row = options_next(&options)) != OPTION_END)
        if (!take_option(install, &options, row))
            return false;
    if (install->told)
        return true;
    if (install->operand_count < 2)
        return install_wrong(install, "a CLIENT and a NAME are needed");
    if ((install->operand_count == 3) == (install->word_count > 0))
        return install_wrong(install, "a server is needed: -- COMMAND, or a URL");
    if (install->operand_count == 3 && !remote_is_address(install->operands[2]))
        return install_wrong(install, "an address begins with http:// or https://; a command goes after --");
    return true;
}

/* Which file it is. Claude Desktop has none of a folder. */
static bool find_file(struct install *install)
{
    const char       *client = install->operands[0], *names[KNOWN_FILES_MAX], *near;
    struct known_file files[KNOWN_FILES_MAX];
    size_t            count = known_files(&install->arena, files);
    bool              found = false;

    for (size_t i = 0; i < count; i++) {
        names[i] = files[i].client;
        if (strcmp(files[i].client, client) != 0 || (found && files[i].own != install->own))
            continue;
        install->file = files[i];
        found         = true;
    }
    if (found) {
        install->list = strcmp(client, "vscode") == 0 ? "servers" : "mcpServers";
        return true;
    }
    near = options_nearest(client, strlen(client), names, count);
    console_error(install->console,
                  "there is no client '%s'%s%s%s: claude-code, claude-desktop, cursor or vscode", client,
                  near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    return false;
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

static void add_argument(struct tn_buf *out, bool first, const char *word)
{
    tn_buf_text(out, first ? "" : ", ");
    tn_json_string(out, word, strlen(word));
}

/* "command" and "args"; with a guard, what is guarded follows it. */
static void add_command(const struct install *install, struct tn_buf *out)
{
    const char *command = install->guarded ? "tenon" : install->words[0];

    tn_buf_lit(out, "\"command\": ");
    tn_json_string(out, command, strlen(command));
    tn_buf_lit(out, ", \"args\": [");
    if (install->guarded) {
        add_argument(out, true, "guard");
        add_argument(out, false, install->word_count ? "--" : install->operands[2]);
    }
    for (size_t i = install->guarded ? 0 : 1; i < install->word_count; i++)
        add_argument(out, !install->guarded && i == 1, install->words[i]);
    tn_buf_char(out, ']');
}

/* The server as a member of the list: "NAME": {...} */
static void add_entry(const struct install *install, struct tn_buf *out)
{
    tn_json_string(out, install->operands[1], strlen(install->operands[1]));
    tn_buf_lit(out, ": { ");
    if (install->operand_count == 3 && !install->guarded) {
        tn_buf_lit(out, "\"type\": \"http\", \"url\": ");
        tn_json_string(out, install->operands[2], strlen(install->operands[2]));
    } else
        add_command(install, out);
    tn_buf_lit(out, " }");
}

/* Puts text behind the brace that opens the object at `byte`. */
static void add_member(struct tn_buf *out, struct tn_slice text, size_t byte, bool empty, int indent,
                       struct tn_slice member)
{
    tn_buf_add(out, text.at, byte + 1);
    tn_buf_addf(out, "\n%*s", indent, "");
    tn_buf_add(out, member.at, member.len);
    if (empty)
        tn_buf_addf(out, "\n%*s", indent - 2, "");
    else
        tn_buf_char(out, ',');
    tn_buf_add(out, text.at + byte + 1, text.len - byte - 1);
}

/* The file with its new member; NULL when that cannot be, which was reported. */
static const char *change(struct install *install, struct tn_slice text)
{
    struct tn_json_text read = tn_json_read(&install->arena, text.at, text.len, &limits);
    yyjson_val         *list = yyjson_obj_get(read.root, install->list);
    struct tn_buf       entry, pointer, out;
    size_t              byte;

    if (read.fault != JSON_FINE || !yyjson_is_obj(read.root) || (list && !yyjson_is_obj(list))) {
        console_error(install->console,
                      "%s is not the JSON of a client (comments cannot be kept): add the server by hand",
                      install->file.path);
        return NULL;
    }
    if (yyjson_obj_get(list, install->operands[1])) {
        console_error(install->console, "%s has a server '%s' already", install->file.path,
                      install->operands[1]);
        return NULL;
    }
    tn_buf_init(&entry, &install->arena, 0, FILE_LEN_MAX);
    tn_buf_init(&pointer, &install->arena, 0, PATH_BYTES);
    tn_buf_init(&out, &install->arena, 0, FILE_LEN_MAX + FILE_LEN_MAX);
    if (!list)
        tn_buf_addf(&entry, "\"%s\": {\n    ", install->list);
    add_entry(install, &entry);
    if (!list)
        tn_buf_lit(&entry, "\n  }");
    tn_buf_addf(&pointer, "%s%s", list ? "/" : "", list ? install->list : "");
    if (entry.failed || pointer.failed || !tn_json_locate(text, tn_buf_slice(&pointer), &byte)) {
        install_memory(install);
        return NULL;
    }
    add_member(&out, text, byte, yyjson_obj_size(list ? list : read.root) == 0, list ? 4 : 2,
               tn_buf_slice(&entry));
    if (out.failed)
        install_memory(install);
    return tn_buf_end(&out);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static const char *path_with(struct install *install, const char *ending)
{
    struct tn_buf path;

    tn_buf_init(&path, &install->arena, 0, PATH_BYTES);
    tn_buf_addf(&path, "%s%s", install->file.path, ending);
    return tn_buf_end(&path);
}

/* The folders of the file, one after the other. */
static void make_folders(struct install *install)
{
    char *path = tn_arena_copy(&install->arena, install->file.path, strlen(install->file.path));

    for (char *slash = path ? strchr(path + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777); /* what cannot be made, the file tells */
        *slash = '/';
    }
}

static bool write_text(const char *path, const char *text, mode_t mode)
{
    FILE *file;
    int   fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    bool  done;

    file = fd < 0 ? NULL : fdopen(fd, "w");
    done = file && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fd) == 0;
    if (file)
        return fclose(file) == 0 && done;
    if (fd >= 0)
        close(fd);
    return false;
}

static bool install_write(struct install *install, bool is_there, const char *before, const char *after)
{
    const char *fresh = path_with(install, NEW), *backup = path_with(install, BACKUP);
    struct stat found;
    mode_t      mode = is_there && stat(install->file.path, &found) == 0 ? found.st_mode & 0777
                       : install->file.own                               ? 0600
                                                                         : 0666;

    if (!fresh || !backup || !before)
        return install_memory(install);
    make_folders(install);
    if ((is_there && !write_text(backup, before, mode)) || !write_text(fresh, after, mode) ||
        rename(fresh, install->file.path) != 0) {
        console_error(install->console, "cannot write %s: %s", install->file.path, strerror(errno));
        unlink(fresh);
        return false;
    }
    fprintf(install->console->out, "%s has the server '%s'%s%s\n", install->file.path, install->operands[1],
            is_there ? "; what it was is " : "", is_there ? backup : "");
    return true;
}

static bool install_server(struct install *install)
{
    bool            is_there = access(install->file.path, F_OK) == 0;
    struct tn_slice before   = SLICE_LIT("{}\n");
    const char     *after;

    if (is_there) {
        struct file file = file_read(&install->arena, install->file.path);

        if (file.why) {
            console_error(install->console, "%s: %s", install->file.path, file.why);
            return false;
        }
        before = file.text;
    }
    after = change(install, before);
    if (!after)
        return false;
    if (install->writes)
        return install_write(install, is_there, tn_arena_copy(&install->arena, before.at, before.len), after);
    fputs(after, install->console->out);
    console_warn(install->console, "this is what %s would be; --write changes it", install->file.path);
    return true;
}

static enum ending install_run(const struct console *console, int count, char **arguments)
{
    struct install  install = { .console = console };
    tenon_allocator memory  = tn_memory_of(NULL);
    bool            done;

    tn_arena_init(&install.arena, &memory, ARENA_MAX);
    done = read_call(&install, count, arguments) &&
           (install.told || (find_file(&install) && install_server(&install)));
    tn_arena_free(&install.arena);
    return done ? ENDING_GOOD : ENDING_UNUSABLE;
}

const struct command command_install = { "install", "add a server to a client's file", install_run };
