/* location.h - where in a value the validation is, and reporting what is wrong there.
 *
 * Locations live on the stack and point up. A caller can address everything that it sent as JSON; what came out of a
 * text (JSON text, a comma list) it can only replace whole, so that issues below are reported at the text. The same
 * holds for items that must differ, and for what has a name that no answer repeats as it is.
 *
 * A schema may lead to another one for the same value ($ref, allOf): such a step stays where it is in the value.
 */
#ifndef MODEL_LOCATION_H
#define MODEL_LOCATION_H

#include "model/judge.h"

struct tn_location {
    const struct tn_location *up;
    const struct tn_node     *node;
    struct tn_slice           name;  /* of a member; `at` is NULL for an item */
    size_t                    index; /* of an item */
    bool                      required;
    bool                      whole;    /* its content was read out of text: replaced only as a whole */
    bool                      together; /* its items must fit together: no item is offered alone */
    bool                      from_comma;
    bool                      plain; /* no form but its own is taken */
    unsigned                  form;  /* in which `sent` came (enum wire_form) */
    yyjson_val               *sent;  /* what the value was taken out of, or NULL */

    /* Of a schema that a document declares. */
    bool                      same;      /* it only goes on in the schema: the value is that of `up` */
    uint8_t                   part;      /* what is known of the value (enum tn_schema_part) */
    const char               *keyword;   /* that led here; NULL at the root */
    struct tn_slice           key;       /* and its name or index below the keyword */
    size_t                    key_index; /* SIZE_MAX is none */
    const struct tn_location *kept;      /* its copy in the arena, once there is one */
    const struct tn_schema   *schema;    /* that is applied there, once it is */
};

/* The nearest step that moves in the value, from `place` on; NULL is the whole. */
static inline const struct tn_location *tn_location_moved(const struct tn_location *place)
{
    while (place && place->same)
        place = place->up;
    return place;
}

/* For sentences: the name of a parameter at the top, a JSON Pointer below it, with names cut and escaped. */
struct tn_slice tn_location_path(struct tn_arena *arena, const struct tn_location *place);

/* The same where the name at the top is the caller's too, and may be that of the whole. */
struct tn_slice tn_location_shown(const struct tn_judge *judge, const struct tn_location *place);

/* For programs: an exact JSON Pointer, "" for NULL. */
struct tn_slice tn_location_pointer(struct tn_arena *arena, const struct tn_location *place);

/* Was it, or something around it, read out of text? */
bool tn_location_is_in_text(const struct tn_location *place);

/* A copy that outlives the stack; NULL for NULL, and when memory is refused. What two ways have in common is copied once. */
const struct tn_location *tn_location_keep(struct tn_arena *arena, const struct tn_location *place);

/* An issue at `place`; NULL when it is only counted. */
struct tn_issue *tn_location_report(struct tn_judge *judge, const struct tn_location *place,
                                    enum tn_issue_code code, yyjson_val *received);

/* The same with the middle or the end of its sentence, which may be NULL; always false, to be returned. */
bool tn_location_refuse(struct tn_judge *judge, const struct tn_location *place, enum tn_issue_code code,
                        yyjson_val *received, const char *why);

/* The same for a value of the wrong type that may stand in JSON text. */
void tn_location_report_in_text(struct tn_judge *judge, const struct tn_location *place, yyjson_val *received,
                                bool in_text);

/* Which part of what was sent an issue at `place` is of: its address, which may be that of something around it, and is
 * returned; NULL is the whole. */
const struct tn_location *tn_location_address(struct tn_judge *judge, const struct tn_location *place,
                                              struct tn_issue *issue);

/* Makes it an issue of `place`. */
void tn_location_move(struct tn_judge *judge, const struct tn_location *place, struct tn_issue *issue);

/* Suggests the value in `json`, unless the issue is about a part of what the caller can replace. */
void tn_location_suggest(struct tn_issue *issue, struct tn_buf *json);

#endif
