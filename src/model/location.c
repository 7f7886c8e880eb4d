/* location.c - paths, and issues at them. */
#include "model/location.h"

#include <string.h>

#include "base/utf8.h"
#include "json/echo.h"
#include "json/pointer.h"

#define POINTER_MAX ((size_t)4096)
#define ADDRESS_MAX ((size_t)250) /* longer ones would be cut in an answer */

/* One step of a JSON Pointer; cut and made printable for a sentence. */
static void add_step(struct tn_buf *out, struct tn_slice name, bool exact)
{
    tn_pointer_add(out, exact ? name : tn_echo_name(out->arena, name));
}

static void add_pointer(struct tn_buf *out, const struct tn_location *place, bool exact)
{
    place = tn_location_moved(place);
    if (!place)
        return;
    add_pointer(out, place->up, exact);
    if (place->name.at)
        add_step(out, place->name, exact);
    else
        tn_pointer_add_index(out, place->index);
}

static struct tn_slice pointer(struct tn_arena *arena, const struct tn_location *place, bool exact)
{
    struct tn_buf out;

    tn_buf_init(&out, arena, 64, POINTER_MAX);
    add_pointer(&out, place, exact);
    return tn_buf_slice(&out);
}

struct tn_slice tn_location_pointer(struct tn_arena *arena, const struct tn_location *place)
{
    return pointer(arena, place, true);
}

struct tn_slice tn_location_path(struct tn_arena *arena, const struct tn_location *place)
{
    place = tn_location_moved(place);
    return tn_location_moved(place->up) ? pointer(arena, place, false) : place->name;
}

struct tn_slice tn_location_shown(const struct tn_judge *judge, const struct tn_location *place)
{
    struct tn_slice path;

    place = tn_location_moved(place);
    if (!place)
        return tn_judge_whole(judge);
    path = place->name;
    if (tn_location_moved(place->up) || !place->name.at) {
        path = pointer(judge->arena, place, judge->whole.len > 0);
        if (judge->whole.len == 0 && (path.len > 0 || !place->name.at))
            return path;
        if (path.len == 0)
            path = place->name; /* too long to be repeated: its end must do */
    }
    return path.at ? tn_echo_name(judge->arena, path) : SLICE_LIT("");
}

bool tn_location_is_in_text(const struct tn_location *place)
{
    while (place && !place->whole)
        place = place->up;
    return place != NULL;
}

const struct tn_location *tn_location_keep(struct tn_arena *arena, const struct tn_location *place)
{
    struct tn_location *copy;

    if (!place || place->kept)
        return place ? place->kept : NULL;
    copy = tn_arena_take(arena, sizeof *copy, alignof(struct tn_location));
    if (!copy)
        return NULL;
    *copy                                          = *place;
    copy->up                                       = tn_location_keep(arena, place->up);
    ((struct tn_location *)(uintptr_t)place)->kept = copy;
    return copy;
}

/* How long an address may be: an answer cuts longer ones, a program that validates a document does not. */
static size_t address_max(const struct tn_judge *judge)
{
    return judge->whole.len > 0 ? POINTER_MAX : ADDRESS_MAX;
}

/* Can an answer repeat the name as it is? */
static bool is_plain(const struct tn_judge *judge, struct tn_slice name)
{
    return !name.at || judge->whole.len > 0 ||
           (name.len <= ADDRESS_MAX && !memchr(name.at, '\0', name.len) && tn_utf8_valid(name.at, name.len));
}

/* The deepest place on the way to `place` that the caller can address; NULL is the whole. */
static const struct tn_location *addressable(struct tn_judge *judge, const struct tn_location *place,
                                             struct tn_slice *address)
{
    const struct tn_location *best = place;

    for (const struct tn_location *at = place; at; at = tn_location_moved(at->up)) {
        if (at != place && (at->whole || at->together))
            best = at;
        if (!is_plain(judge, at->name))
            best = tn_location_moved(at->up);
    }
    for (; best && (tn_location_moved(best->up) || !best->name.at); best = tn_location_moved(best->up)) {
        *address = tn_location_pointer(judge->arena, best);
        if (address->len > 0 && address->len <= address_max(judge))
            return best;
    }
    *address = best ? best->name : tn_judge_whole(judge);
    if (best &&
        (tn_slice_same(*address, tn_judge_whole(judge)) || (address->len > 0 && address->at[0] == '/')))
        *address = tn_location_pointer(judge->arena,
                                       best); /* not to be taken for the whole, or for a pointer */
    return best;
}

const struct tn_location *tn_location_address(struct tn_judge *judge, const struct tn_location *place,
                                              struct tn_issue *issue)
{
    const struct tn_location *reach;

    place           = tn_location_moved(place);
    reach           = addressable(judge, place, &issue->parameter);
    issue->required = !reach || reach->required;
    issue->inside   = reach != place;
    return reach;
}

void tn_location_move(struct tn_judge *judge, const struct tn_location *place, struct tn_issue *issue)
{
    const struct tn_location *reach = tn_location_address(judge, place, issue);

    place            = tn_location_moved(place);
    issue->label     = place ? tn_location_path(judge->arena, place) : tn_judge_whole(judge);
    issue->node      = place ? place->node : NULL;
    issue->addressed = reach ? reach->node : NULL;
}

struct tn_issue *tn_location_report(struct tn_judge *judge, const struct tn_location *place,
                                    enum tn_issue_code code, yyjson_val *received)
{
    struct tn_issue *issue = tn_issues_add(&judge->issues, judge->arena);

    if (!issue)
        return NULL;
    issue->code     = code;
    issue->received = received;
    issue->hidden   = judge->guarded && yyjson_is_ctn(received);
    tn_location_move(judge, place, issue);
    return issue;
}

bool tn_location_refuse(struct tn_judge *judge, const struct tn_location *place, enum tn_issue_code code,
                        yyjson_val *received, const char *why)
{
    struct tn_issue *issue = tn_location_report(judge, place, code, received);

    if (issue)
        issue->why = why;
    return false;
}

void tn_location_report_in_text(struct tn_judge *judge, const struct tn_location *place, yyjson_val *received,
                                bool in_text)
{
    struct tn_issue *issue = tn_location_report(judge, place, ISSUE_TYPE, received);

    if (issue)
        issue->in_text = in_text;
}

void tn_location_suggest(struct tn_issue *issue, struct tn_buf *json)
{
    bool checked = issue->node && issue->node->check; /* which may not like it; the example it does */

    if (!json->failed && !issue->inside && !checked)
        issue->suggestion = (struct tn_slice){ json->at, json->len };
}
