/* place.c - paths, and issues at them. */
#include "schema/place.h"

#include "json/echo.h"

#define PATH_TEXT_MAX 1024

/* One step of a JSON Pointer: '~' and '/' escaped, cut and made printable like everything that is echoed. */
static void add_step(struct buf *out, struct slice name)
{
    struct buf step;

    buf_init(&step, out->arena, 64, PATH_TEXT_MAX);
    echo_text(&step, name.at, name.len);
    buf_char(out, '/');
    for (size_t i = 0; i < step.len; i++) {
        if (step.at[i] == '~')
            buf_lit(out, "~0");
        else if (step.at[i] == '/')
            buf_lit(out, "~1");
        else
            buf_char(out, step.at[i]);
    }
}

static void add_pointer(struct buf *out, const struct place *place)
{
    if (!place)
        return;
    add_pointer(out, place->up);
    if (place->name.at) {
        add_step(out, place->name);
        return;
    }
    buf_char(out, '/');
    buf_uint(out, place->index);
}

struct slice place_pointer(struct arena *arena, const struct place *place)
{
    struct buf out;

    buf_init(&out, arena, 64, PATH_TEXT_MAX);
    add_pointer(&out, place);
    return out.failed ? (struct slice){ "", 0 } : (struct slice){ out.at, out.len };
}

struct slice place_path(struct arena *arena, const struct place *place)
{
    return place->up ? place_pointer(arena, place) : place->name;
}

/* The deepest place on the way to `place` that the caller can address. */
static const struct place *addressable(const struct place *place)
{
    const struct place *best = place;

    for (const struct place *up = place->up; up; up = up->up)
        if (up->from_text)
            best = up;
    return best;
}

struct issue *place_report(struct judge *judge, const struct place *place, enum issue_code code, yyjson_val *received)
{
    struct issue       *issue = issues_add(&judge->issues, judge->arena);
    const struct place *reach = addressable(place);

    if (!issue)
        return NULL;
    issue->code      = code;
    issue->required  = reach->required;
    issue->label     = place_path(judge->arena, place);
    issue->parameter = reach == place ? issue->label : place_path(judge->arena, reach);
    issue->node      = place->node;
    issue->addressed = reach->node;
    issue->received  = received;
    return issue;
}

void place_suggest(struct issue *issue, struct buf *json)
{
    if (!json->failed)
        issue->suggestion = (struct slice){ json->at, json->len };
}
