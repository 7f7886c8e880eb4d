/* timetable.h - what the guard does at a certain time, with one timer for all of it: seats that were left are given up, lists
 * that waited long enough are answered, changes are reported, lists of servers that do not report changes are looked at.
 */
#ifndef GUARD_TIMETABLE_H
#define GUARD_TIMETABLE_H

#include "guard/guard.h"

/* On the guard's loop, once; and off it. False without memory. */
bool tn_timetable_begin(struct tn_guard *guard);
void tn_timetable_end(struct tn_guard *guard);

/* As soon as nothing else runs on the loop. */
void tn_timetable_now(struct tn_guard *guard);

/* At the latest at this time, of tn_client_now_ms(). */
void tn_timetable_at(struct tn_guard *guard, int64_t due_ms);

#endif
