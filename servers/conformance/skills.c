/* skills.c - two skills, one of them with files of its own. */
#include "conformance.h"

static const char greeting_steps[] =
    "# Greeting\n\nCall the tool `greet` with a name, and say what it says.\n";

static const char report_steps[] =
    "# Reports\n\nFollow [the form](references/form.md), begin with [the letter head]"
    "(assets/head.png), and take the words of [the list](references/words/list.txt).\n";

static const tenon_skill_file report_files[] = {
    { .path = "references/form.md", .text = "A report has a title, a summary and a table.\n" },
    { .path = "references/words/list.txt", .text = "finding\nremedy\n" },
    { .path = "assets/head.png", .data = pixel_png, .len = PIXEL_PNG_LEN, .mime = "image/png" },
};

void add_skills(tenon_server *server)
{
    tenon_server_skill(server, "write-reports", .doc = "Write a report: \"what was found\", and the remedy.",
                       .text = report_steps, .license = "MIT", .files = report_files,
                       .file_count = sizeof report_files / sizeof *report_files);
    tenon_server_skill(server, "greeting", .doc = "Greet somebody by name.", .text = greeting_steps);
}
