/* settings_value.h - values of settings, out of text. */
#ifndef NET_SETTINGS_VALUE_H
#define NET_SETTINGS_VALUE_H

#include "base/buf.h"
#include "net/settings_table.h"

/* Reads `text` by the row's kind and bounds into its field. False when it is not one; `wants` then has what is. */
bool tn_settings_take(struct tn_settings *settings, const tenon_setting *row, struct tn_slice text,
                      struct tn_buf *wants);

/* Writes the value that is in force as an operator would give it; nothing when there is none. False when it is a secret, or may
 * have one in it: it is not written then. */
bool tn_settings_show(struct tn_settings *settings, const tenon_setting *row, struct tn_buf *out);

/* Makes a field of a program's what it is without a value. */
void tn_settings_zero(struct tn_settings *settings, const tenon_setting *row);

/* Forgets the values of a list; nothing for other kinds. */
void tn_settings_clear(struct tn_settings *settings, const tenon_setting *row);

/* A number; and one with a unit of bytes (64KiB), or of time, in milliseconds (50s). */
bool tn_settings_read_count(struct tn_slice text, int64_t *value);
bool tn_settings_read_bytes(struct tn_slice text, int64_t *value);
bool tn_settings_read_time(struct tn_slice text, int64_t *value);

/* "a.example", "a.example:8080", "192.0.2.1", "[::1]:80". An empty `port` when there is none. */
bool tn_settings_split_host(struct tn_slice text, struct tn_slice *host, struct tn_slice *port);

/* The same of "https://host[:port]/...". */
bool tn_settings_split_url(struct tn_slice text, struct tn_slice *host, struct tn_slice *port);

#endif
