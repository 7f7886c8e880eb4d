/* files.c - reading and writing files beneath a directory, and nowhere else.
 *
 * TENON_PATH holds the text of a path to its rules; the root holds what is opened to the directory, whatever links
 * lie in it. The program makes itself a directory with a note and a link that leads out of it, and tries both.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tenon/tenon.h>

#define NOTE_MAX 4000

typedef struct {
    const char *path;
} read_args;

static tenon_outcome read_note(tenon_call *call, const read_args *args)
{
    char         *text = tenon_alloc(call, NOTE_MAX + 1);
    int           fd;
    ssize_t       len;
    tenon_outcome failure;

    if (!tenon_open(call, tenon_user(call), args->path, TENON_READ, &fd, &failure))
        return failure;
    len = text ? read(fd, text, NOTE_MAX) : -1;
    close(fd);
    if (len < 0)
        return tenon_internal(call, "reading %s failed", args->path);
    tenon_text(call, "%s", text);
    return tenon_ok(call);
}

TENON_TOOL(read_note, read_args,
    TENON_INFO("Read a note.", .hints = TENON_READ_ONLY),
    TENON_PATH(path, "The note.", .required = true, .ext = ".md,.txt"));

typedef struct {
    const char *path, *text;
    bool        replace;
} write_args;

static tenon_outcome write_note(tenon_call *call, const write_args *args)
{
    unsigned      how = TENON_WRITE | TENON_CREATE | (args->replace ? TENON_TRUNCATE : TENON_NEW);
    size_t        len = strlen(args->text);
    int           fd;
    ssize_t       written;
    tenon_outcome failure;

    if (!tenon_open(call, tenon_user(call), args->path, how, &fd, &failure))
        return failure;
    written = write(fd, args->text, len);
    if (close(fd) != 0 || written != (ssize_t)len)
        return tenon_fail(call, TENON_CODE_UNAVAILABLE, "%s could not be written whole. Try again later.",
                          args->path);
    tenon_text(call, "Wrote %zu bytes.", len);
    return tenon_ok(call);
}

TENON_TOOL(write_note, write_args,
    TENON_INFO("Write a note.", .hints = TENON_DESTRUCTIVE | TENON_IDEMPOTENT),
    TENON_PATH(path,    "The note.", .required = true, .ext = ".md,.txt"),
    TENON_STR (text,    "Its text.", .required = true, .blank_ok = true, .len = {0, NOTE_MAX}),
    TENON_BOOL(replace, "Write over a note that is there.", .strict = true));

/* ---- A few calls --------------------------------------------------------------------------------------------- */

static void run(tenon_call *call, const char *tool, const char *json)
{
    printf("\n> %s %s\n%s\n", tool, json, tenon_call_run(call, tool, json, strlen(json))->json);
}

static void run_all(tenon_call *call)
{
    run(call, "write_note", "{\"path\": \"./milk.md\", \"text\": \"Buy milk.\"}");
    run(call, "read_note", "{\"path\": \"milk.md\"}");
    run(call, "read_note", "{\"path\": \"cheese.md\"}");
    run(call, "read_note", "{\"path\": \"out.md\"}");
    run(call, "read_note", "{\"path\": \"../../etc/passwd\"}");
    run(call, "write_note", "{\"path\": \"milk.md\", \"text\": \"Buy cheese.\"}");
    run(call, "write_note", "{\"path\": \"milk.md\", \"text\": \"Buy cheese.\", \"replace\": true}");
    run(call, "write_note", "{\"path\": \"/milk.sh\", \"text\": null, \"replace\": \"true\"}");
}

int main(void)
{
    char           directory[] = "/tmp/tenon-files-XXXXXX";
    tenon_toolbox *box         = NULL;
    tenon_call    *call        = NULL;
    tenon_root    *root        = NULL;
    int            status      = 1;

    /* The root is opened by a name that does not change, so that the answers do not either. */
    if (!mkdtemp(directory) || chdir(directory) != 0 || symlink("/etc/hostname", "out.md") != 0 ||
        tenon_root_new(".", NULL, &root) != TENON_OK) {
        perror("files");
        return 1;
    }
    box = tenon_toolbox_new(.user = root);
    tenon_toolbox_add(box, read_note_tool());
    tenon_toolbox_add(box, write_note_tool());
    if (!tenon_toolbox_error(box))
        call = tenon_call_new(box);
    if (call) {
        run_all(call);
        status = 0;
    } else {
        fprintf(stderr, "files: %s\n", tenon_toolbox_error(box) ? tenon_toolbox_error(box) : "out of memory");
    }
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_root_free(root);
    unlink("milk.md");
    unlink("out.md");
    rmdir(directory);
    return status;
}
