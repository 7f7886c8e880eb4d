/* no_service.c - stands in for service.c and line.c in a program without libcurl: it reaches no service. */
#include "kit/embed/http.h"

bool embed_service_read(struct embed_service *service, const struct embed_options *options, char **mistake)
{
    (void)options;
    *service = (struct embed_service){ 0 };
    return embed_mistake(mistake,
                         "This program was built without libcurl, and reaches no embedding service: use "
                         "--embedding embedded or --embedding model.");
}

void embed_service_free(struct embed_service *service)
{
    (void)service;
}

struct embed_line *embed_line_new(const struct embed_world *world)
{
    (void)world;
    return NULL;
}

void embed_line_free(struct embed_line *line)
{
    (void)line;
}

enum embed_reply embed_line_post(struct embed_line *line, const struct embed_service *service,
                                 const struct text *request, const tenon_call *call, const struct text **body,
                                 char *why, int *pause)
{
    (void)line, (void)service, (void)request, (void)call, (void)why;
    *body  = NULL;
    *pause = 0;
    return REPLY_REFUSED;
}
