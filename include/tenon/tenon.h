/* tenon.h - declare a tool once, in C; get its schema, its checks, its struct and its answers.
 *
 *   base.h     status, memory, types of fields
 *   rows.h     rows: one line for each parameter or result field
 *   group.h    groups of rows that are ready to use: pages, cursors, a range of time
 *   shape.h    rows compiled: schema and validation, without any tool
 *   tool.h     tools
 *   call.h     what a handler can do
 *   toolbox.h  a set of tools, called in memory
 *   progress.h what a handler reports while it runs
 *   ask.h      what it asks its client
 *   lookup.h   values that only the program knows
 *   resource.h resources, and templates of them
 *   prompt.h   prompts
 *   skill.h    instructions for models
 *   server.h   all of them served over stdio and HTTP
 *   share.h    what replicas of a server share, and where
 *   client.h   the other side: a client of such servers
 *   schema.h   JSON Schema documents: compile, validate, repair
 *   json.h     a view of any JSON
 *   root.h     files beneath a directory, and nowhere else
 *
 * Beside these there is testing.h, a client in memory, for tests only.
 */
#ifndef TENON_H
#define TENON_H

#include <tenon/ask.h>
#include <tenon/base.h>
#include <tenon/call.h>
#include <tenon/client.h>
#include <tenon/group.h>
#include <tenon/json.h>
#include <tenon/lookup.h>
#include <tenon/progress.h>
#include <tenon/prompt.h>
#include <tenon/resource.h>
#include <tenon/root.h>
#include <tenon/rows.h>
#include <tenon/schema.h>
#include <tenon/server.h>
#include <tenon/shape.h>
#include <tenon/share.h>
#include <tenon/skill.h>
#include <tenon/tool.h>
#include <tenon/toolbox.h>

#endif
