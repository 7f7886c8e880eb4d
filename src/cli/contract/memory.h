/* memory.h - how much memory processes have to themselves. */
#ifndef CLI_CONTRACT_MEMORY_H
#define CLI_CONTRACT_MEMORY_H

#include <stdint.h>

/* Bytes of a process and of those that it started, as far as they can be read. */
int64_t memory_of_tree(int process);

/* Of those that this process started. */
int64_t memory_of_children(void);

#endif
