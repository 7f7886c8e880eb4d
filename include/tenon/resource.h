/* resource.h - what a server offers to be read: resources, and templates of them.
 *
 *     static tenon_outcome read_motd(tenon_call *call, const char *uri)
 *     {
 *         tenon_content_text(call, "Hello.");
 *         return tenon_ok(call);
 *     }
 *     tenon_server_resource(server, "app://motd", read_motd, .name = "motd", .mime = "text/plain");
 */
#ifndef TENON_RESOURCE_H
#define TENON_RESOURCE_H

#include <tenon/call.h>
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
 *   watched   clients may subscribe to it; tenon_server_updated() notifies them
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
    size_t            icon_size; /* set by the macro */
} tenon_resource_options;

/* What a read function, or a prompt, adds. Several contents are allowed; a resource without any is empty text. */
TENON_API void tenon_content_text(tenon_call *call, const char *text);
TENON_API void tenon_content_blob(tenon_call *call, const void *data, size_t len);

/* A variable of the template that matched, decoded; "" when it does not exist. */
TENON_API const char *tenon_variable(const tenon_call *call, const char *name);

#ifdef __cplusplus
}
#endif
#endif
