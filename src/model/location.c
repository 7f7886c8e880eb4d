/* location.c - paths, and issues at them. */
#include "model/location.h"

#include <string.h>

#include "base/utf8.h"
#include "json/echo.h"
#include "json/pointer.h"

#define POINTER_MAX ((size_t)4096)
#define ADDRESS_MAX ((size_t)250) /* longer ones would be cut in an answer */

/* One step of a JSON Pointer; cut and made printable for a sentence. */
static void add_step(struct buf *out, struct slice name, bool exact)
{
    struct buf step;

    buf_init(&step, out->arena, 64, POINTER_MAX);
    if (!exact) {
        echo_text(&step, name.at, name.len);
        name = buf_slice(&step);
    }
    pointer_add(out, name);
}

static void add_pointer(struct buf *out, const struct place *place, bool exact)
{
    if (!place)
        return;
    add_pointer(out, place->up, exact);
    if (place->name.at)
        add_step(out, place->name, exact);
    else
        pointer_add_index(out, place->index);
}

static struct slice pointer(struct arena *arena, const struct place *place, bool exact)
{
    struct buf out;

    buf_init(&out, arena, 64, POINTER_MAX);
    add_pointer(&out, place, exact);
    return buf_slice(&out);
}

struct slice place_pointer(struct arena *arena, const struct place *place)
{
    return pointer(arena, place, true);
}

struct slice place_path(struct arena *arena, const struct place *place)
{
    return place->up ? pointer(arena, place, false) : place->name;
}

bool place_is_in_text(const struct place *place)
{
    while (place && !place->whole)
        place = place->up;
    return place != NULL;
}

const struct place *place_keep(struct arena *arena, const struct place *place)
{
    struct place *kept = place ? arena_new(arena, struct place) : NULL;

    if (!kept)
        return NULL;
    *kept    = *place;
    kept->up = place_keep(arena, place->up);
    return kept;
}

/* Can an answer repeat the name as it is? */
static bool is_plain(struct slice name)
{
    return !name.at ||
           (name.len <= ADDRESS_MAX && !memchr(name.at, '\0', name.len) && utf8_valid(name.at, name.len));
}

/* The deepest place on the way to `place` that the caller can address; NULL is the arguments as a whole. */
static const struct place *addressable(struct judge *judge, const struct place *place, struct slice *address)
{
    const struct place *best = place;

    for (const struct place *at = place; at; at = at->up) {
        if (at != place && (at->whole || at->together))
            best = at;
        if (!is_plain(at->name))
            best = at->up;
    }
    for (; best && best->up; best = best->up) {
        *address = place_pointer(judge->arena, best);
        if (address->len > 0 && address->len <= ADDRESS_MAX)
            return best;
    }
    *address = best ? best->name : SLICE_LIT("arguments");
    if (best && (slice_is(*address, "arguments") || (address->len > 0 && address->at[0] == '/')))
        *address = place_pointer(judge->arena, best); /* not to be taken for the whole, or for a pointer */
    return best;
}

void place_move(struct judge *judge, const struct place *place, struct issue *issue)
{
    const struct place *reach = addressable(judge, place, &issue->parameter);

    issue->required  = !reach || reach->required;
    issue->label     = place_path(judge->arena, place);
    issue->inside    = reach != place;
    issue->node      = place->node;
    issue->addressed = reach ? reach->node : NULL;
}

struct issue *place_report(struct judge *judge, const struct place *place, enum issue_code code,
                           yyjson_val *received)
{
    struct issue *issue = issues_add(&judge->issues, judge->arena);

    if (!issue)
        return NULL;
    issue->code     = code;
    issue->received = received;
    place_move(judge, place, issue);
    return issue;
}

void place_report_in_text(struct judge *judge, const struct place *place, yyjson_val *received, bool in_text)
{
    struct issue *issue = place_report(judge, place, ISSUE_TYPE, received);

    if (issue)
        issue->in_text = in_text;
}

void place_suggest(struct issue *issue, struct buf *json)
{
    bool checked = issue->node && issue->node->check; /* which may not like it; the example it does */

    if (!json->failed && !issue->inside && !checked)
        issue->suggestion = (struct slice){ json->at, json->len };
}
