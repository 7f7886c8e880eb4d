/* catalog.h - the tools of a server as they were listed at one time: their texts, and the schemas that calls must keep. */
#ifndef GUARD_CATALOG_H
#define GUARD_CATALOG_H

#include "answer/toolbox.h"
#include "document/open.h"
#include "guard/guard.h"

struct tn_flat;
struct tn_standing_tool;

struct tn_offered {
    struct tn_slice            name;      /* as the server calls it */
    struct tn_slice            published; /* as clients call it */
    struct tn_slice            text;      /* the definition as it is published, ... */
    struct tn_slice            older;     /* ... and by modern servers to legacy clients */
    struct tn_tool             tool;    /* what judges its arguments; without a schema they are not judged */
    tenon_schema              *output;  /* what its structured results must keep, or NULL */
    tenon_schema              *overlay; /* what its arguments must keep beside its own schema, or NULL */
    struct tn_flat            *plan;    /* of arguments in the form that is published; NULL: its own */
    const struct tn_tool_rule *rule;    /* what the operator says of it, or NULL */
    enum tn_open               open;    /* what becomes of names that its schema does not declare */
    yyjson_val                *definition; /* where headers repeat arguments of it; else NULL */
    struct tn_standing_tool   *standing;   /* its counters (report/report.h), once it was called; or NULL */
    bool                       promises;   /* it publishes an outputSchema */
    bool wraps;     /* its structured results may be no objects, which legacy clients need */
    bool read_only; /* it is known to change nothing: by the operator's word, or an approved hint */
    bool unlisted;  /* it is not published; calls are answered with the reason */
    bool hidden;    /* it is not published, and cannot be called */
    const char *
        why_hidden; /* of both, for the operator; a text that lives as long as the guard, or as its catalog */
    /* What was decided by the lock (pins/pins.h): */
    bool            held;          /* it is hidden: new, or changed */
    bool            warns;         /* it has changed, and is published all the same */
    bool            says_harmless; /* an operator has approved that it claims to change nothing */
    struct tn_slice waits;  /* its definition as the server lists it, while it is to be approved; or empty */
    const char     *denied; /* why calls are refused: a sentence for models; or NULL */
    struct tn_slice live_schema; /* of arguments, of a changed tool whose approved definition is published; */
    tenon_schema   *live;        /* the same, compiled */
};

struct tn_catalog {
    struct tn_guard          *guard;
    const struct tn_upstream *upstream; /* whose tools they are */
    tenon_allocator           memory;
    size_t                    refs;
    struct tn_arena           arena;
    struct tn_offered        *at;
    size_t                    count;
    struct tn_table           names;
    struct tn_slice           text, older; /* of the whole list, between its brackets; as of each tool */
    struct tn_table           warned;      /* callers that know of a change */
    size_t                    warned_count;
};

/* Of an upstream, of the result of tools/list, read and as its text. NULL without memory. */
struct tn_catalog *tn_catalog_new(struct tn_guard *guard, const struct tn_upstream *upstream,
                                  yyjson_val *result, struct tn_slice text);
void               tn_catalog_hold(struct tn_catalog *catalog);
void               tn_catalog_release(struct tn_catalog *catalog);

/* A tool that may be called, by its published name; or NULL. */
const struct tn_offered *tn_catalog_find(const struct tn_catalog *catalog, struct tn_slice name);

/* May this caller see it? */
bool tn_catalog_shows(const struct tn_catalog *catalog, const struct tn_offered *tool,
                      const struct tn_caller *caller);

#endif
