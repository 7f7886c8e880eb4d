/* settings_value.h - values of settings, out of text. */
#ifndef NET_SETTINGS_VALUE_H
#define NET_SETTINGS_VALUE_H

#include "base/buf.h"
#include "net/settings_table.h"

/* Reads `text` by the row's kind and bounds into its field. False when it is not one; `wants` then has what is. */
bool settings_take(struct settings *settings, const struct setting *row, struct slice text,
                   struct buf *wants);

/* Forgets the values of a list; nothing for other kinds. */
void settings_clear(struct settings *settings, const struct setting *row);

/* A number; and one with a unit of bytes (64KiB). */
bool settings_read_count(struct slice text, int64_t *value);
bool settings_read_bytes(struct slice text, int64_t *value);

/* "a.example", "a.example:8080", "192.0.2.1", "[::1]:80". An empty `port` when there is none. */
bool settings_split_host(struct slice text, struct slice *host, struct slice *port);

/* The same of "https://host[:port]/...". */
bool settings_split_url(struct slice text, struct slice *host, struct slice *port);

#endif
