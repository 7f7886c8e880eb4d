/* columns.c - between columns of the database and the values of calls. */
#include "appsec/appsec.h"

tenon_time appsec_time(struct statement *row, int column)
{
    return (tenon_time){ sql_number(row, column), !sql_is_null(row, column) };
}

/* ---- Lists and maps: columns have them as JSON --------------------------------------------------------------------- */

/* The text of a member; of one that is no text, its JSON. */
static const char *member(tenon_call *call, const tenon_json *value)
{
    const char *text = tenon_json_type_of(value) == TENON_JSON_STRING
                           ? tenon_format(call, "%s", tenon_json_str(value).at)
                           : call_json_text(call, value);

    return text ? text : "";
}

tenon_strs appsec_strs(tenon_call *call, struct statement *row, int column)
{
    const tenon_json *list = call_json(call, row, column), *value;
    size_t            used = 0;
    const char      **at   = list ? tenon_alloc(call, tenon_json_count(list) * sizeof *at) : NULL;

    for (size_t place = 0; at && (value = tenon_json_next(list, &place, NULL));)
        at[used++] = member(call, value);
    return (tenon_strs){ used, at };
}

tenon_map appsec_map(tenon_call *call, struct statement *row, int column)
{
    const tenon_json *map  = call_json(call, row, column), *value;
    size_t            used = 0;
    tenon_pair       *at   = map ? tenon_alloc(call, tenon_json_count(map) * sizeof *at) : NULL;
    tenon_str         key;

    for (size_t place = 0; at && (value = tenon_json_next(map, &place, &key));) {
        const char *name = tenon_format(call, "%s", key.at);

        at[used++] = (tenon_pair){ name ? name : "", member(call, value) };
    }
    return (tenon_map){ used, at };
}

/* ---- JSON for json_each() ------------------------------------------------------------------------------------------ */

/* Without memory the call fails as a whole. */
static const char *text_of_writer(tenon_writer *w)
{
    const char *text = tenon_writer_text(w, NULL);

    return text ? text : "[]";
}

const char *appsec_json(tenon_call *call, const tenon_strs *list)
{
    const char *text = call_json_strs(call, list);

    return text || list->count == 0 ? text : "[]";
}

/* What stands between commas, without spaces around it. */
static void write_values(tenon_writer *w, const char *values)
{
    const char *spaces = " \t";

    for (const char *at = values; *at;) {
        size_t len = strcspn(at, ","), first = strspn(at, spaces), used;

        first = first < len ? first : len;
        used  = len - first;
        while (used > 0 && strchr(spaces, at[first + used - 1]))
            used--;
        if (used > 0)
            tenon_write_text(w, NULL, at + first, used);
        at += len + (at[len] == ',');
    }
}

const char *appsec_choices(tenon_call *call, const tenon_map *map)
{
    tenon_writer *w = tenon_call_writer(call);

    if (map->count == 0)
        return NULL;
    tenon_write_object(w, NULL);
    for (size_t i = 0; i < map->count; i++) {
        tenon_write_array(w, map->at[i].key);
        write_values(w, map->at[i].value);
        tenon_write_end(w);
    }
    tenon_write_end(w);
    return text_of_writer(w);
}

const char *appsec_choice(tenon_call *call, const char *name, const char *value)
{
    tenon_writer *w = tenon_call_writer(call);

    tenon_write_object(w, NULL);
    tenon_write_array(w, name);
    tenon_write_str(w, NULL, value);
    tenon_write_end(w);
    tenon_write_end(w);
    return text_of_writer(w);
}
