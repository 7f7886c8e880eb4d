/* offered.h - a small server with one of everything, for tests of the protocol. */
#ifndef SUPPORT_OFFERED_H
#define SUPPORT_OFFERED_H

#include <tenon/server.h>

/* NULL without memory. `memory` may be NULL. */
tenon_server *offered_server(const tenon_allocator *memory);

#endif
