/* listing.h - prompts, resources or templates of an upstream as they were listed at one time. Tools have a catalog. */
#ifndef GUARD_LISTING_H
#define GUARD_LISTING_H

#include "guard/guard.h"

struct tn_listed {
    struct tn_slice own;        /* the name, the URI, or the URI template, as the server calls it */
    struct tn_slice published;  /* the same as clients call it: names have a prefix, URIs are never changed */
    struct tn_slice text;       /* as it is published */
    bool            hidden;     /* it is not published */
    const char     *why_hidden; /* a text that lives as long as the guard; NULL when it is not hidden */
    bool            shadowed;   /* an upstream before this one has the same: the log says so */
};

struct tn_listing {
    struct tn_guard          *guard;
    const struct tn_upstream *upstream;
    tenon_allocator           memory;
    size_t                    refs;
    struct tn_arena           arena;
    enum tn_list              list;
    struct tn_listed         *at;
    size_t                    count;
    struct tn_table           names; /* of struct tn_listed, by published name */
    uint64_t                  hash;  /* of what is published */
};

/* How lists are asked for, and which members they and their entries have. */
struct tn_list_words {
    const char *what;       /* for tenon_client_list() */
    const char *method;     /* of clients */
    const char *member;     /* of the result, that holds the entries */
    const char *key;        /* of an entry */
    const char *capability; /* that a server with such entries has */
};

extern const struct tn_list_words tn_list_words[GUARD_LISTS];

/* Of the result of a list, read and as its text. NULL without memory. */
struct tn_listing *tn_listing_new(struct tn_guard *guard, const struct tn_upstream *upstream,
                                  enum tn_list list, yyjson_val *result, struct tn_slice text);
void               tn_listing_release(struct tn_listing *listing); /* NULL is fine */

/* NULL when it is not there, or not published. */
const struct tn_listed *tn_listing_find(const struct tn_listing *listing, struct tn_slice published);

/* Why a name is not published, for people. */
const char *tn_naming_why(const struct tn_naming *naming);

/* Writes the same to the log. */
void tn_naming_log(struct tn_guard *guard, const struct tn_upstream *upstream, const char *what,
                   const struct tn_naming *naming);

#endif
