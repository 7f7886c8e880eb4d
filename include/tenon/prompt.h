/* prompt.h - prompts: declared as a tool is, and their arguments arrive as a struct.
 *
 *     TENON_PROMPT(review, review_args,
 *         TENON_INFO("Review a change."),
 *         TENON_STR (path,  "What to review.", .required = true),
 *         TENON_ENUM(depth, depth_names, "How closely."));
 */
#ifndef TENON_PROMPT_H
#define TENON_PROMPT_H

#include <tenon/call.h>
#include <tenon/tool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tenon_role { TENON_ROLE_USER = 0, TENON_ROLE_ASSISTANT } tenon_role;

/* Adds a message of the prompt. Images and resources are added with tenon_add_image() and its kin (progress.h). */
TENON_API void tenon_say(tenon_call *call, tenon_role role, const char *format, ...) TENON_PRINTF(3, 4);

/* Its rows are those of a tool, though clients send text only: "5" is converted to 5 without a message. */
#define TENON_PROMPT  TENON_TOOL
#define TENON_PROMPT0 TENON_TOOL0

#ifdef __cplusplus
}
#endif
#endif
