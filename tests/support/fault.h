/* fault.h - an allocator for tests that refuses the nth allocation and counts what is out. */
#ifndef SUPPORT_FAULT_H
#define SUPPORT_FAULT_H

#include <tenon/base.h>

struct tn_fault {
    size_t refuse_at;   /* refuse the nth request (1 is the first); 0 refuses none */
    bool   refuse_rest; /* and every one after it */
    size_t requests;    /* for new or larger blocks, so far */
    size_t blocks;      /* that are out now */
    size_t bytes;       /* in them; freeing with a wrong length shows here */
    bool   refused;
};

tenon_allocator tn_fault_allocator(struct tn_fault *fault);

#endif
