/* core.h - a server: what it offers, and what all its clients share.
 *
 * Until tn_mcp_prepare() it is changed by one thread; afterwards only what `lock` protects changes, and the flags of
 * entries that are shown.
 */
#ifndef MCP_CORE_H
#define MCP_CORE_H

#include <pthread.h>
#include <stdatomic.h>

#include <tenon/resource.h>
#include <tenon/server.h>
#include <tenon/share.h>
#include <tenon/skill.h>

#include "base/account.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/complaints.h"
#include "base/log.h"
#include "base/table.h"
#include "mcp/boot.h"
#include "mcp/observe.h"
#include "mcp/receive.h"
#include "mcp/seal.h"
#include "mcp/source.h"

#define DEADLINE_MS 50000 /* clients give up at 60 s */

struct task;

/* Calls of tools, of prompts, and of resources and completions, each in a toolbox of its own: their names may collide. */
enum tn_box { BOX_TOOLS, BOX_PROMPTS, BOX_READS, BOXES };

/* One entry of a list, with its JSON as it is published; what differs between eras is written twice. */
struct tn_entry {
    struct tn_slice               name;      /* or URI, or template */
    struct tn_slice               text, old; /* from 2025-06-18 on, and before; not of tools */
    _Atomic(struct tn_listed *)   listed;    /* of a tool, when it was first listed (offer/listed.c) */
    atomic_bool                   hidden;
    const tenon_tool             *tool;     /* of tools and prompts */
    struct tn_tool               *compiled; /* the same, in its toolbox */
    const tenon_resource_options *resource; /* of resources and templates: a copy */
    tenon_read_fn                 read;
    tenon_complete_fn             complete; /* of prompts and templates */
    const tenon_skill_file       *file;     /* of a skill's files, which are resources */
    bool                          unlisted; /* is found, but not shown in its list */
};

enum tn_list { LIST_TOOLS, LIST_PROMPTS, LIST_RESOURCES, LIST_TEMPLATES, LIST_SKILLS, LISTS };

struct tn_entries {
    struct tn_entry *at;
    size_t           count, room;
    struct tn_table  names; /* made by tn_mcp_prepare() */
};

/* What serving adds, by the layer that does it; every one may be NULL. */
struct tn_host {
    bool (*spawn)(void               *user,
                  struct tn_exchange *exchange); /* runs it on a worker; false when there is none free */
    int64_t (*admit)(void *user, struct tn_account *account,
                     size_t bytes);     /* 0, or in how many ms this caller may call again */
    void (*free)(tenon_server *server); /* stops serving, at the end of the server */
    void *user;
};

/* Who else is to know that a session was ended; `session_ended` may be NULL. Called by any thread. */
struct tn_keeper {
    void (*session_ended)(void *user, const unsigned char *key, int64_t until_ms); /* ENDED_KEY_LEN bytes */
    void *user;
};

struct tenon_server {
    tenon_allocator      memory;
    struct tn_arena      arena;
    tenon_server_options options;
    const char          *name, *version;
    struct tn_log        log;
    struct tn_clock      clock;
    struct tn_complaints complaints;
    bool                 prepared, portable;
    int                  deadline_ms; /* of blocking handlers that say none */
    int64_t              session_ms;  /* that sessions of HTTP may be idle; 0: SESSION_IDLE_MS */
    struct ledger       *ledger;      /* what callers hold, and the most of it */
    struct tn_seal_keys  keys;
    char                 boot[BOOT_LEN + 1]; /* 64 random bits in hexadecimal: this server in this process */
    tenon_toolbox       *boxes[BOXES];
    struct tn_entries    lists[LISTS];
    struct tn_observer   observer;
    struct tn_host       host;
    struct tn_keeper     keeper;
    tenon_database_fn    database; /* what its database tells of itself; or NULL */
    void                *database_user;
    tenon_share_store    store;              /* where replicas share; `read` NULL: nowhere */
    struct tn_shared    *share;              /* while they do, over HTTP; else NULL */
    const struct tn_source *source;          /* of all its answers; or NULL: it has its own */
    struct tn_slice         identity;        /* {"name":...,"version":...} with title, icons and website */
    struct tn_slice         capabilities[2]; /* legacy, modern */

    atomic_uint_fast64_t asked; /* questions on legacy sessions, so far */
    pthread_mutex_t      lock;
    struct tn_exchange  *idle;                   /* exchanges to use again */
    size_t               idle_count, idle_least; /* now; and the fewest since the last tick */
    size_t               idle_bytes;             /* that they keep */
    struct sessions     *sessions;               /* session.c */
    struct ended        *ended;                  /* of them, by their clients (ended.c) */
    struct tn_opened    *opened;                 /* ids of them (opened.c) */
    struct tn_listener  *listeners;              /* subscriptions/listen (subscribe.c) */
    struct task         *tasks;                  /* the newest first (tasks.c) */
    struct tn_form      *forms;                  /* forms.c */

    void *owner; /* of the layer that serves it; NULL before */
};

/* Keeps the first mistake, formatted; returns TENON_E_DECLARATION. */
tenon_status tn_core_mistake(tenon_server *server, const char *format, ...) TENON_PRINTF(2, 3);

/* An entry by its name, unless it is hidden; else NULL. */
struct tn_entry *tn_core_find(tenon_server *server, enum tn_list list, struct tn_slice name);

/* Room for one more; NULL without memory. The server must not be prepared. */
struct tn_entry *tn_core_add_entry(tenon_server *server, enum tn_list list, const char *name);

/* The tool as this library knows it; NULL after a mistake. */
const tenon_tool *tn_core_read_tool(tenon_server *server, const tenon_tool *given);

#endif
