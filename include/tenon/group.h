/* group.h - groups that are ready to use: pages, cursors, and a range of time.
 *
 *     typedef struct { const char *name; tenon_page page; } search_args;
 *
 *     TENON_TOOL(search, search_args,
 *         TENON_INFO("Search the clients.", .items = client_rows),
 *         TENON_STR (name, "Part of the name."),
 *         TENON_PAGE(page));
 */
#ifndef TENON_GROUP_H
#define TENON_GROUP_H

#if defined(__GNUC__)
#pragma GCC system_header /* as in rows.h */
#endif

#include <tenon/base.h>
#include <tenon/rows.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Page numbers: `page` from 1 and `pageSize`. No integer is refused; what had to be changed is reported in a message. */
typedef struct tenon_page {
    int64_t page, page_size;
    int64_t offset; /* (page - 1) * page_size, never past INT64_MAX */
    int64_t limit;  /* page_size */
} tenon_page;

TENON_API void tenon_page_derive(void *page);

/* Cursors: an opaque place to continue at, signed and bound to the query that it came from, and `limit`. */
typedef struct tenon_cursor {
    const char *cursor;
    int64_t     limit;
} tenon_cursor;

/* Two dates, of which the second includes its whole day. */
typedef struct tenon_time_range {
    tenon_time start, end;
} tenon_time_range;

#ifdef __cplusplus
}
#else

#define TENON_PAGE_SIZE     50
#define TENON_PAGE_SIZE_MAX 100

TENON_ROWS(tenon_page_rows, tenon_page,
    TENON_INT(page,      "Page number, from 1.", .range = {1, TENON_NO_MAX}, .def = 1, .clamp = true,
              .low_text = "Invalid page number {value}, using page {used}"),
    TENON_INT(page_size, "Items on a page.", .key = "pageSize", .range = {1, TENON_PAGE_SIZE_MAX},
              .def = TENON_PAGE_SIZE, .clamp = true, .low_default = true,
              .low_text  = "Invalid pageSize {value}, using default {used}",
              .high_text = "Requested pageSize {value} exceeds maximum {max}, capped to {used}"),
    TENON_DERIVE(tenon_page_derive));

TENON_ROWS(tenon_cursor_rows, tenon_cursor,
    TENON_STR(cursor, "Where to continue: the cursor of the answer before. Leave it out to start."),
    TENON_INT(limit,  "Most items to return.", .range = {1, TENON_PAGE_SIZE_MAX}, .def = TENON_PAGE_SIZE,
              .clamp = true));

TENON_ROWS(tenon_time_range_rows, tenon_time_range,
    TENON_DATE(start, "Not before this date.", .key = "startDate"),
    TENON_DATE(end,   "Not after this date; the whole day counts.", .key = "endDate", .end_of_day = true),
    TENON_ORDERED(start, end));

/* The page group, with a lower maximum for this tool: TENON_PAGE(page), TENON_PAGE(page, .max = 20). */
#define TENON_PAGE(...)         TENON_PAGE_(__VA_ARGS__, )
#define TENON_PAGE_(f, ...)     TENON_GROUP_(f, tenon_page_rows, .tuned = "pageSize", __VA_ARGS__)
#define TENON_CURSOR(...)       TENON_CURSOR_(__VA_ARGS__, )
#define TENON_CURSOR_(f, ...)   TENON_GROUP_(f, tenon_cursor_rows, .tuned = "limit", __VA_ARGS__)
#define TENON_TIME_RANGE(...)   TENON_TIME_RANGE_(__VA_ARGS__, )
#define TENON_TIME_RANGE_(f, ...) TENON_GROUP_(f, tenon_time_range_rows, __VA_ARGS__)

#endif
#endif
