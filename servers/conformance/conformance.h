/* conformance.h - what the parts of this server share. */
#ifndef CONFORMANCE_CONFORMANCE_H
#define CONFORMANCE_CONFORMANCE_H

#include <tenon/tenon.h>

/* Each part adds what it offers. */
void add_tools(tenon_server *server);
void add_content_tools(tenon_server *server);
void add_input_tools(tenon_server *server);
void add_form_tools(tenon_server *server);
void add_task_tools(tenon_server *server);
void add_resources(tenon_server *server);
void add_prompts(tenon_server *server);
void add_skills(tenon_server *server);

/* The smallest picture, one red pixel, and the shortest sound, of no sample at all. */
#define PIXEL_PNG_LEN 69
extern const unsigned char pixel_png[PIXEL_PNG_LEN];
extern const size_t        pixel_png_len;
extern const unsigned char silence_wav[];
extern const size_t        silence_wav_len;

/* Waits, as slow work does: false when the caller lost interest before the time was over. */
bool work_for(const tenon_call *call, int ms);

/* A form that asks for a name; several tools and a prompt use it. */
typedef struct {
    const char *name;
} name_form;

TENON_ROWS(name_form_rows, name_form,
    TENON_STR(name, "A name.", .required = true, .len = {1, 100}));

/* How a question that was not accepted ends a call. */
tenon_outcome not_given(tenon_call *call, tenon_reply reply);

/* What the client's model said, of the result of tenon_sample(). */
tenon_str sampled_text(const tenon_json *result);

#endif
