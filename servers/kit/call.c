/* call.c - see call.h. */
#include "kit/call.h"

#include <string.h>

void call_run_out(tenon_call *call)
{
    (void)tenon_alloc(call, SIZE_MAX / 2);
}

const char *call_text(tenon_call *call, struct statement *row, int column)
{
    size_t      len;
    const char *text = sql_part(row, column, &len);

    if (!text)
        call_run_out(call);
    return text && text[0] ? tenon_format(call, "%s", text) : NULL;
}

const tenon_json *call_json(tenon_call *call, struct statement *row, int column)
{
    const char *text = call_text(call, row, column);

    return text ? tenon_json_parse(call, text, strlen(text)) : NULL;
}

const char *call_json_text(tenon_call *call, const tenon_json *value)
{
    tenon_writer *w = value ? tenon_call_writer(call) : NULL;

    tenon_write_json(w, NULL, value);
    return value ? tenon_writer_text(w, NULL) : "";
}

const char *call_json_strs(tenon_call *call, const tenon_strs *list)
{
    tenon_writer *w = list->count ? tenon_call_writer(call) : NULL;

    tenon_write_array(w, NULL);
    for (size_t i = 0; i < list->count; i++)
        tenon_write_str(w, NULL, list->at[i]);
    tenon_write_end(w);
    return tenon_writer_text(w, NULL);
}

tenon_outcome call_failed(tenon_call *call, const struct sql *sql)
{
    if (!sql)
        return tenon_fail(call, TENON_CODE_UNAVAILABLE, "The database cannot be opened. Try again later.");
    if (sql_failure(sql) == SQL_BUSY)
        return tenon_fail(call, TENON_CODE_UNAVAILABLE, "Another process is writing. Try again in a moment.");
    if (sql_is_over_limit(sql))
        return tenon_fail(call, TENON_CODE_LIMIT_EXCEEDED, CALL_OVER_LIMIT);
    if (sql_failure(sql) == SQL_FULL)
        return tenon_fail(
            call, TENON_CODE_UNAVAILABLE,
            "The disk is full; nothing was changed. Ask the operator for room, then try again.");
    return tenon_internal(call, "%s", sql_failure_text(sql));
}
