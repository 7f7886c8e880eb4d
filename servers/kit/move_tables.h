/* move_tables.h - the tables that both engines have under the same names, and their rows from one to the other. */
#ifndef KIT_MOVE_TABLES_H
#define KIT_MOVE_TABLES_H

#include "kit/sql.h"
#include "kit/text.h"

#define MOVE_COLUMNS_MAX 32
#define MOVE_TABLES_MAX  64
#define MOVE_NAME_MAX    64

enum move_kind { KIND_NUMBER, KIND_REAL, KIND_TEXT, KIND_BLOB, KIND_OTHER /* is not moved */ };

struct move_column {
    char           name[MOVE_NAME_MAX];
    enum move_kind kind;
    bool           is_key;    /* of the primary key */
    bool           is_number; /* that PostgreSQL gives to new rows */
};

struct move_table {
    char               name[MOVE_NAME_MAX];
    struct move_column columns[MOVE_COLUMNS_MAX];
    int                count;
};

struct move_tables {
    struct move_table at[MOVE_TABLES_MAX];
    size_t            count;
};

/* Which there are, PostgreSQL says; one that refers to another comes after it. False when there are too many. */
bool move_list(struct sql *shared, const char *schema, struct move_tables *out);

/* "a", "b": those of the columns that are wanted, each after `prefix`. */
void move_names(struct text *out, const struct move_table *table, const char *prefix,
                bool (*is_wanted)(const struct move_column *column));
bool move_is_any(const struct move_column *column);
bool move_is_key(const struct move_column *column);

/* The statement of a text that was put together, which is freed; NULL after a failure. */
struct statement *move_prepare(struct sql *sql, struct text *text);
struct statement *move_select(struct sql *sql, const struct move_table *table);
/* Without those that are not wanted. */
struct statement *move_insert(struct sql *sql, const struct move_table *table,
                              bool (*is_wanted)(const struct move_column *column));

/* The value of the row's column `from`, counted from 0, as `to`. */
void move_bind(struct statement *to, int at, struct statement *row, int from, enum move_kind kind);

#endif
