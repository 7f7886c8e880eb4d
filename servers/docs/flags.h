/* flags.h - the flags of the documentation server. */
#ifndef DOCS_FLAGS_H
#define DOCS_FLAGS_H

#include "docs/docs.h"
#include "kit/flags.h"

/* Takes its flags out of argv, and leaves those of tenon_server_main(). False and a sentence for one that is wrong. */
bool docs_flags(struct docs_options *options, int *argc, char **argv, char mistake[FLAGS_MISTAKE_MAX]);

#endif
