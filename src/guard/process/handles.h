/* handles.h - what a program must not hand on by accident. */
#ifndef GUARD_PROCESS_HANDLES_H
#define GUARD_PROCESS_HANDLES_H

/* Closes every file handle from `first` on. */
void tn_handles_close_from(int first);

#endif
