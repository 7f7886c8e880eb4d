/* offer.h - what a server offers beside tools: resources, templates of resources, prompts.
 *
 *     static tenon_outcome read_motd(tenon_call *call, const char *uri)
 *     {
 *         tenon_content_text(call, "Hello.");
 *         return tenon_ok(call);
 *     }
 *     tenon_server_resource(server, "app://motd", read_motd, .name = "motd", .mime = "text/plain");
 *
 * A prompt is declared as a tool is, and its arguments arrive as a struct:
 *
 *     TENON_PROMPT(review, review_args,
 *         TENON_INFO("Review a change."),
 *         TENON_STR (path,  "What to review.", .required = true),
 *         TENON_ENUM(depth, depth_names, "How closely."));
 */
#ifndef TENON_OFFER_H
#define TENON_OFFER_H

#include <tenon/talk.h>
#include <tenon/tool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the resource `uri`: adds content and returns tenon_ok(call), or tenon_fail() and its kin. */
typedef tenon_outcome (*tenon_read_fn)(tenon_call *call, const char *uri);

/* Suggests values for the variable of a template or the argument of a prompt that is called `name` and begins with
 * `typed`: calls tenon_suggest() for each. What was chosen before is tenon_variable(). */
typedef void (*tenon_complete_fn)(tenon_call *call, const char *name, const char *typed);
TENON_API void tenon_suggest(tenon_call *call, const char *value);

/*   name      for programs; the URI when NULL
 *   title     for people
 *   doc       what it is
 *   mime      its type
 *   len       bytes, if known
 *   complete  for templates
 *   blocking  reading takes time: run it on a worker
 *   watched   clients may subscribe to it; tenon_server_updated() tells them
 *   private_  its content depends on the caller: no shared cache may keep it
 *   ttl_ms    how long a client may keep what it read */
typedef struct tenon_resource_options {
    size_t            size;
    const char       *name, *title, *doc, *mime;
    size_t            len;
    const tenon_icon *icons;
    size_t            icon_count;
    tenon_complete_fn complete;
    bool              blocking, watched, private_;
    int64_t           ttl_ms;
} tenon_resource_options;

/* What a read function, or a prompt, adds. Several contents are allowed; a resource without any is empty text. */
TENON_API void tenon_content_text(tenon_call *call, const char *text);
TENON_API void tenon_content_blob(tenon_call *call, const void *data, size_t len);

/* A variable of the template that matched, decoded; "" when there is none. */
TENON_API const char *tenon_variable(const tenon_call *call, const char *name);

/* ---- Skills -------------------------------------------------------------------------------------------------- */

/* A file that a skill brings with it.
 *   path  within the skill, such as "references/forms.md"
 *   text  its content; or `data` and `len` for bytes
 *   mime  its type; NULL: text/markdown for *.md, else text/plain or application/octet-stream */
typedef struct tenon_skill_file {
    const char *path, *text;
    const void *data;
    size_t      len;
    const char *mime;
} tenon_skill_file;

/* Instructions that a model reads when it needs them (the extension io.modelcontextprotocol/skills).
 *   doc      when to use it: all that a model sees before it reads the rest
 *   text     the instructions, in markdown; the front matter of SKILL.md is written from the other fields
 *   license, compatibility, allowed_tools   of the Agent Skills format; may be NULL
 *   files    what the instructions refer to by path */
typedef struct tenon_skill_options {
    size_t                  size;
    const char             *doc, *text;
    const char             *license, *compatibility, *allowed_tools;
    const tenon_skill_file *files;
    size_t                  file_count;
} tenon_skill_options;

/* What the format allows a skill: more is a mistake. */
#define TENON_SKILL_NAME_MAX  ((size_t)64)
#define TENON_SKILL_DOC_MAX   ((size_t)1024)
#define TENON_SKILL_FILES_MAX ((size_t)512) /* SKILL.md is one of them */
#define TENON_SKILL_BYTES_MAX ((size_t)16 << 20)

/* ---- Prompts ------------------------------------------------------------------------------------------------- */

typedef enum tenon_role { TENON_ROLE_USER = 0, TENON_ROLE_ASSISTANT } tenon_role;

/* Adds a message of the prompt. Images and resources are added with tenon_add_image() and its kin (talk.h). */
TENON_API void tenon_say(tenon_call *call, tenon_role role, const char *format, ...) TENON_PRINTF(3, 4);

/* Its rows are what a tool's are, though clients send text only: "5" is read as 5, and that is no message. */
#define TENON_PROMPT  TENON_TOOL
#define TENON_PROMPT0 TENON_TOOL0

#ifdef __cplusplus
}
#endif
#endif
