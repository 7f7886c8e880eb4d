/* skill.h - instructions that a model reads when it needs them. */
#ifndef TENON_SKILL_H
#define TENON_SKILL_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    size_t                  file_size; /* set by the macro */
} tenon_skill_options;

/* What the format allows a skill: more is a mistake. */
#define TENON_SKILL_NAME_MAX  ((size_t)64)
#define TENON_SKILL_DOC_MAX   ((size_t)1024)
#define TENON_SKILL_FILES_MAX ((size_t)512) /* SKILL.md is one of them */
#define TENON_SKILL_BYTES_MAX ((size_t)16 << 20)

#ifdef __cplusplus
}
#endif
#endif
