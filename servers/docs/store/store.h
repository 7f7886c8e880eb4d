/* store.h - the database: tenants, documents, their pieces, links, words and vectors.
 *
 * Every function takes the tenant, and no row of another is ever seen. A document and its pieces change in one
 * transaction. The vectors of a tenant are also kept in memory, read when first needed and renewed when another process
 * has written (each change has a number).
 */
#ifndef DOCS_STORE_STORE_H
#define DOCS_STORE_STORE_H

#include "docs/docs.h"
#include "docs/markdown/chunk.h"
#include "docs/store/matrix.h"
#include "kit/sql.h"

enum store_status {
    STORE_OK,
    STORE_NONE, /* no such row */
    STORE_BUSY,
    STORE_FULL,
    STORE_OVER_LIMIT, /* of sql_limit() */
    STORE_LIMIT,      /* BRANCHES_MAX */
    STORE_AWAY,       /* the database cannot be reached, or has not answered in time */
    STORE_FAILED,
    STORE_NO_MEMORY
};

/* A document as it is stored. Texts are the reader's arena's (a call's, see below) when read. */
struct document {
    int64_t     id;
    const char *path, *title, *summary, *doc_type, *date,
        *hash; /* hash: SHA-256, 64 hex, of the file and its rules */
    enum level  level;
    bool        external; /* of the external folder: separate, read-only */
    int64_t     chars, lines;
    const char *supersedes; /* path or NULL */
    const char *tags;       /* in small letters, each between two line endings; NULL: none. Written only */
    bool        superseded; /* by another of the tenant */
};

/* A part of a piece: what is embedded, shown and cited. */
struct part {
    size_t      begin, end; /* bytes of the piece's text */
    int64_t     first_line, last_line;
    const char *heading_path, *anchor;
};

/* One piece as it is stored and searched by words, with its parts, which have the vectors. */
struct piece {
    int64_t            id, document;
    int                index;
    const char        *header_path, *text;
    size_t             len;
    int64_t            first_line, last_line;
    const struct part *parts;
    size_t             part_count; /* when it is put, 0: one, all of it */
};

/* How many vectors it has. */
static inline size_t store_part_count(const struct piece *piece)
{
    return piece->part_count ? piece->part_count : 1;
}

/* Vectors are of parts, and named by piece and part in one number. */
#define PARTS_MAX 65536 /* of a piece */
static inline int64_t part_id(int64_t piece, size_t place)
{
    return piece * PARTS_MAX + (int64_t)place;
}
static inline int64_t part_piece(int64_t id)
{
    return id / PARTS_MAX;
}

/* Opens it; NULL and *mistake (free it). */
struct store *store_open(const char *path, char **mistake);
/* The same of a database that is open, which is the store's from now on; `path` is its file. */
struct store *store_open_on(struct sql_pool *pool, const char *path, char **mistake);
/* How vectors are kept in memory: 16-bit floats unless it is called. Before others use it. */
void store_vectors_form(struct store *store, enum matrix_form form);
/* Most bytes of them in memory, of all collections; one alone may have more, unless PostgreSQL searches it. Likewise. */
void             store_vectors_limit(struct store *store, size_t bytes);
void             store_close(struct store *store);
const char      *store_path(const struct store *store); /* "PostgreSQL": an address may have secrets */
struct sql_pool *store_pool(const struct store *store);

extern const struct sql_schema docs_schema;

#define BRANCHES_MAX 256 /* of one work tree that are indexed */

/* Registers the tenant, or finds it: fills in `id`. STORE_LIMIT for a branch beyond BRANCHES_MAX. `root` is the project's folder. */
/* Of a work tree that is indexed: its project's name, and its branch when `branch` has none. STORE_NONE: there is none. */
#define STORE_NAME_ROOM 512
enum store_status store_known(struct store *store, const char *path_hash, char name[STORE_NAME_ROOM],
                              char branch[STORE_NAME_ROOM]);
enum store_status store_tenant(struct store *store, struct tenant *tenant, const char *root);

/* Writes a document with pieces, links and vectors (`dimensions` floats for each part of each piece, of `model`; NULL: none yet, and the
 * stored model is ""), in the place of the one at its path, whose number it keeps. A document whose hash and model are the
 * stored ones needs no call: store_hash(). */
enum store_status store_put(struct store *store, const struct tenant *tenant, const struct document *document,
                            const struct piece *pieces, size_t piece_count, const float *vectors,
                            size_t dimensions, const char *model, const char *const *links,
                            size_t link_count);
/* Many documents of one collection in one transaction, all or none: much cheaper than one by one. */
struct store_entry {
    const struct document *document;
    const struct piece    *pieces;
    size_t                 piece_count;
    const float           *vectors;
    size_t                 dimensions;
    const char            *model;
    const char *const     *links;
    size_t                 link_count;
};
enum store_status store_put_many(struct store *store, const struct tenant *tenant, bool external,
                                 const struct store_entry *entries, size_t count);
/* The hash and model of the document at a path: "" for none. `out` has room for 65 and 129 bytes. */
enum store_status store_hash(struct store *store, const struct tenant *tenant, const char *path,
                             bool external, char *hash, char *model);
enum store_status store_remove(struct store *store, const struct tenant *tenant, const char *path,
                               bool external);
/* Only the path: in the place of what is at `to`. Links that the document's folder decides are the caller's to renew. */
enum store_status store_rename(struct store *store, const struct tenant *tenant, const char *from,
                               const char *to);
enum store_status store_set_level(struct store *store, const struct tenant *tenant, const char *path,
                                  enum level level, const char *hash);

/* ---- Reading: texts are in the call's memory (tenon_alloc) ---- */

enum store_status store_find(struct store *store, tenon_call *call, const struct tenant *tenant,
                             const char *path, bool external, struct document *document);
/* The document of each of these pieces, in their order; of one that is gone its id is 0. */
enum store_status store_documents(struct store *store, tenon_call *call, const struct tenant *tenant,
                                  const int64_t *pieces, size_t count, struct document *out);
/* The pieces with these ids, in their order, without their parts; those that are gone have id 0. */
enum store_status store_pieces(struct store *store, tenon_call *call, const struct tenant *tenant,
                               const int64_t *ids, size_t count, struct piece *out);
/* Their parts, each in order, within the texts that are there. */
enum store_status store_parts(struct store *store, tenon_call *call, const struct tenant *tenant,
                              struct piece *pieces, size_t count);
/* Whose a piece is; its texts last as long as the visit. */
struct piece_place {
    int64_t     piece, document;
    const char *path, *tags; /* tags: in small letters, each between two line endings */
};
/* Visits every piece of documents of these types (none: of all) and levels (a bit each), a document's side by side. A visitor
 * that says false is out of memory. */
enum store_status store_each_piece(struct store *store, const struct tenant *tenant, bool external,
                                   const char *const *doc_types, size_t doc_type_count, unsigned levels,
                                   bool (*visit)(void *user, const struct piece_place *place), void *user);
/* Visits every path (and hash) of the tenant, in order (bytes), until false. The visitor may ask the store, not change it. */
enum store_status store_each_path(struct store *store, const struct tenant *tenant, bool external,
                                  bool (*visit)(void *user, const char *path, const char *hash,
                                                const char *model),
                                  void *user);
/* Critical documents, at most `most`, superseded ones last; links from a document, to documents that are there. */
enum store_status store_critical(struct store *store, tenon_call *call, const struct tenant *tenant,
                                 struct document *out, size_t most, size_t *count);
enum store_status store_links(struct store *store, tenon_call *call, const struct tenant *tenant,
                              int64_t document, struct document *out, size_t most, size_t *count);
/* Up to three paths that look like `path`. */
enum store_status store_near_paths(struct store *store, tenon_call *call, const struct tenant *tenant,
                                   const char *path, const char *out[3], size_t *count);
enum store_status store_count(struct store *store, const struct tenant *tenant, const char *doc_type,
                              bool external, int64_t *count); /* doc_type NULL: all */

/* ---- Searching ---- */

/* How many pieces the tenant has, and how many of them have the word: for weights that do not depend on hits. */
enum store_status store_frequency(struct store *store, const struct tenant *tenant, bool external,
                                  const char *word, int64_t *pieces, int64_t *with);
/* The tenant's vectors, for reading, until store_vectors_done(), which the same thread calls before it asks for them again.
 * NULL, and nothing to be done, when there are none of this model or they cannot be read. */
const struct matrix *store_vectors(struct store *store, const struct tenant *tenant, bool external,
                                   const char *model);
/* Has it, alone, more than store_vectors_limit()? True once. */
bool store_vectors_are_over(struct store *store, const struct matrix *matrix);
/* The same once more, as they are in memory by now: the database is not asked. */
const struct matrix *store_vectors_again(struct store *store, const struct tenant *tenant, bool external,
                                         const char *model);
void                 store_vectors_done(struct store *store, const struct tenant *tenant, bool external);

/* ---- Deleting ---- */

#define DELETED_LISTED_MAX 100 /* branches that are listed; all are counted */

/* One branch of one work tree; its texts are the call's. */
struct deleted_branch {
    const char *branch, *path_hash;
    int64_t     documents, external, pieces; /* `documents` are all, `external` are those of them that are */
};

struct store_deleted {
    int64_t               documents, external, pieces;
    struct deleted_branch branches[DELETED_LISTED_MAX];
    size_t                branch_count, listed;
};
/* Of the project, own and external ones; branch and path_hash NULL mean all. With `dry` only counts: the same that deleting
 * then reports. */
enum store_status store_delete(struct store *store, tenon_call *call, const char *project, const char *branch,
                               const char *path_hash, bool dry, struct store_deleted *deleted);
/* The project's branches, each once, by name; path_hash NULL: of all work trees. The first `most` of them. */
enum store_status store_branches(struct store *store, tenon_call *call, const char *project,
                                 const char *path_hash, const char **out, size_t most, size_t *count);

/* One process indexes a tenant at a time; others read. True when this process has it (renew at least every 10 s; it ends by
 * itself after 30 s, and at once when its process dies on this machine). */
bool store_lease(struct store *store, const struct tenant *tenant);
void store_lease_end(struct store *store, const struct tenant *tenant);

bool store_backup(struct store *store, const char *path, char **mistake);

#endif
