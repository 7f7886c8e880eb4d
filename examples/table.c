/* table.c - data whose form is known only when it is there: a table of comma-separated values, answered as JSON.
 *
 * Rows declare results that are always alike. What is in a table is up to who wrote it, so its objects are written value by
 * value. There is nothing to check on the way: the last call says whether all of it was right.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

#define COLUMNS_MAX 20

/* What stands up to a comma or the end of the line, and moves past it; an empty one at the end. */
static tenon_str take_cell(const char **at)
{
    tenon_str cell = { *at, strcspn(*at, ",\n") };

    *at += cell.len + ((*at)[cell.len] == ',');
    return cell;
}

/* A number as a number, nothing as null, the rest as text. */
static void write_cell(tenon_writer *w, tenon_str cell)
{
    char  *end;
    double number = strtod(cell.at, &end);

    if (cell.len == 0)
        tenon_write_null(w, NULL);
    else if (end == cell.at + cell.len && isfinite(number))
        tenon_write_num(w, NULL, number);
    else
        tenon_write_text(w, NULL, cell.at, cell.len);
}

typedef struct {
    const char *table;
} read_table_args;

static tenon_outcome read_table(tenon_call *call, const read_table_args *args)
{
    tenon_writer *w  = tenon_call_writer(call);
    const char   *at = args->table;
    tenon_str     names[COLUMNS_MAX];
    size_t        columns = 0;

    while (*at && *at != '\n' && columns < COLUMNS_MAX)
        names[columns++] = take_cell(&at);
    at += strcspn(at, "\n");
    tenon_write_object(w, NULL);
    tenon_write_array(w, "rows");
    while (*at && *++at) {
        tenon_write_object(w, NULL);
        for (size_t i = 0; i < columns; i++) {
            tenon_write_key(w, names[i].at, names[i].len);
            write_cell(w, take_cell(&at));
        }
        tenon_write_end(w);
        at += strcspn(at, "\n");
    }
    tenon_write_end(w);
    tenon_write_end(w);
    return tenon_ok_written(call, w);
}

TENON_TOOL(read_table, read_table_args,
    TENON_INFO("Read a table of comma-separated values.", .hints = TENON_READ_ONLY),
    TENON_STR(table, "Its lines; the first has the names of the columns.", .required = true, .len = {1, 10000}));

int main(void)
{
    static const char *const sent[] = {
        "{\"table\": \"name,age\\nAda,36\\nGrace \\\"Amazing\\\",85\"}",
        "{\"table\": \"city,high,low\\nOslo,4.5\\nRome,,-2\\n\"}",
        "{\"table\": \"alone\"}",
    };
    tenon_toolbox *box = tenon_toolbox_new();
    tenon_call    *call;

    tenon_toolbox_add(box, read_table_tool());
    call = tenon_toolbox_error(box) ? NULL : tenon_call_new(box);
    for (size_t i = 0; call && i < sizeof sent / sizeof *sent; i++)
        puts(tenon_call_run(call, "read_table", sent[i], strlen(sent[i]))->json);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    return call ? 0 : 1;
}
