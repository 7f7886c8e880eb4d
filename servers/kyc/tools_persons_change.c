/* tools_persons_change.c - correcting and deleting persons. */
#include "kyc/kyc.h"

/* ---- update_person ------------------------------------------------------------------------------------------- */

/* What may be emptied; by name, since leaving a parameter out, or null, must not lose anything. */
enum emptied {
    EMPTY_EMAIL,
    EMPTY_PHONE,
    EMPTY_NATIONALITY,
    EMPTY_IDENTIFICATION,
    EMPTY_POSITION,
    EMPTY_ADDRESS,
    EMPTIED
};

static const char *const emptied_names[EMPTIED] = { "email",         "phone",
                                                    "nationality",   "identificationNumber",
                                                    "positionTitle", "address" };

typedef struct {
    int64_t           person_id;
    const char       *first_name, *last_name;
    const char       *email, *phone, *nationality, *identification_number, *position_title, *address;
    tenon_time        date_of_birth;
    enum relationship relationship_type;
    double            ownership_percentage;
    tenon_set         clear;
} update_args;

struct update {
    const update_args *args;
    bool               relationship, ownership; /* are given */
};

/* The texts that may be emptied, in the order of their names. */
static const size_t of_args[EMPTIED] = {
    offsetof(update_args, email),          offsetof(update_args, phone),
    offsetof(update_args, nationality),    offsetof(update_args, identification_number),
    offsetof(update_args, position_title), offsetof(update_args, address),
};
static const size_t of_person[EMPTIED] = {
    offsetof(person, email),          offsetof(person, phone),
    offsetof(person, nationality),    offsetof(person, identification_number),
    offsetof(person, position_title), offsetof(person, address),
};

static const char *text_at(const update_args *args, enum emptied which)
{
    const char *text = *(const char *const *)(const void *)((const char *)args + of_args[which]);

    return text && text[0] ? text : NULL;
}

static bool clears(const update_args *args, enum emptied which)
{
    return (args->clear.bits >> which) & 1;
}

static const char *check_clear(tenon_check *check, const void *value)
{
    const update_args *args = value;

    for (enum emptied i = 0; i < EMPTIED; i++)
        if (clears(args, i) && text_at(args, i)) {
            tenon_check_at(check, &args->clear);
            return tenon_check_format(check, "%s is given and named in clear; do one of them",
                                      emptied_names[i]);
        }
    return NULL;
}

/* True when anything was given. */
static bool overlay(person *changed, const struct update *update)
{
    const update_args *args = update->args;
    bool given = args->clear.bits || args->date_of_birth.set || update->relationship || update->ownership;

    for (enum emptied i = 0; i < EMPTIED; i++) {
        const char **field = (const char **)(void *)((char *)changed + of_person[i]);
        const char  *text  = text_at(args, i);

        given  = given || text;
        *field = clears(args, i) ? NULL : text ? text : *field;
    }
    if (args->first_name && args->first_name[0]) {
        changed->first_name = args->first_name;
        given               = true;
    }
    if (args->last_name && args->last_name[0]) {
        changed->last_name = args->last_name;
        given              = true;
    }
    if (args->date_of_birth.set)
        changed->date_of_birth = args->date_of_birth;
    if (update->relationship)
        changed->relationship_type = args->relationship_type;
    if (update->ownership)
        changed->ownership_percentage = args->ownership_percentage;
    return given;
}

static tenon_outcome update(tenon_call *call, struct sql *sql, const void *wanted)
{
    const struct update *update = wanted;
    person               changed;
    bool                 found;
    tenon_outcome        failure;

    if (!persons_lock(sql, update->args->person_id) ||
        !persons_get(sql, call, update->args->person_id, &changed, &found))
        return call_failed(call, sql);
    if (!found)
        return person_missing(call, update->args->person_id);
    if (!overlay(&changed, update)) {
        tenon_message(call, "No field was given, so the person is unchanged.");
        return tenon_ok_data(call, person_rows, &changed);
    }
    changed.updated_at.ms = kyc_now();
    changed.full_name     = tenon_format(call, "%s %s", changed.first_name, changed.last_name);
    if (update->ownership && !share_fits(call, sql, &changed, &failure))
        return failure;
    if (!persons_change(sql, &changed) || !sql_end(sql))
        return call_failed(call, sql);
    return tenon_ok_data(call, person_rows, &changed);
}

static tenon_outcome update_person(tenon_call *call, const update_args *args)
{
    return kyc_change(call, update,
                      &(struct update){
                          args, tenon_presence_of(call, &args->relationship_type) == TENON_GIVEN,
                          tenon_presence_of(call, &args->ownership_percentage) == TENON_GIVEN });
}

TENON_TOOL(update_person, update_args,
    TENON_INFO("Correct a person of a client: what is given replaces what was there, everything else stays. Shares of all "
               "persons of a client together are at most 100 percent.",
               .title = "Update a person",
               .hints = TENON_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_HINT_NOT(TENON_OPEN_WORLD), .result = person_rows,
               .blocking = true),
    TENON_INT  (person_id,             "The person's number, from get_client_details.", .key = "personId", .required = true,
                .range = {1, TENON_NO_MAX}),
    TENON_STR  (first_name,            "First name.", .key = "firstName", .len = {1, 100}),
    TENON_STR  (last_name,             "Last name.", .key = "lastName", .len = {1, 100}),
    TENON_DATE (date_of_birth,         "Date of birth.", .key = "dateOfBirth", .calendar = true, .check = check_past,
                .example = "1980-05-17"),
    TENON_ENUM (relationship_type,     relationship_names, "What the person is to the client.", .key = "relationshipType"),
    TENON_NUM  (ownership_percentage,  "Ownership, in percent.", .key = "ownershipPercentage", .range = {0, 100}),
    TENON_STR  (email,                 "E-mail address.", .format = "email", .len = {3, 254}),
    TENON_STR  (phone,                 "Telephone number.", .len = {3, 40}),
    TENON_STR  (nationality,           "Nationality.", .len = {2, 60}),
    TENON_STR  (identification_number, "Number of a passport or identity card.", .key = "identificationNumber",
                .len = {1, 60}, .secret = true),
    TENON_STR  (position_title,        "Position.", .key = "positionTitle", .len = {1, 100}),
    TENON_STR  (address,               "Address.", .len = {1, 300}),
    TENON_ENUMS(clear,                 emptied_names, "Fields to empty.", .noun = "field"),
    TENON_CHECK(check_clear));

/* ---- delete_person ------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t person_id;
} delete_args;

tenon_outcome person_missing(tenon_call *call, int64_t id)
{
    tenon_detail_int(call, "personId", id);
    return tenon_fail(call, TENON_CODE_NOT_FOUND,
                      "There is no person %lld. get_client_details lists the persons of a client.",
                      (long long)id);
}

static tenon_outcome delete_one(tenon_call *call, struct sql *sql, const void *wanted)
{
    const delete_args *args = wanted;
    person             gone;
    bool               found;

    if (!persons_lock(sql, args->person_id) || !persons_get(sql, call, args->person_id, &gone, &found))
        return call_failed(call, sql);
    if (!found)
        return person_missing(call, args->person_id);
    if (!persons_delete(sql, args->person_id) || !sql_end(sql))
        return call_failed(call, sql);
    return tenon_ok_data(call, person_rows, &gone);
}

static tenon_outcome delete_person(tenon_call *call, const delete_args *args)
{
    return kyc_change(call, delete_one, args);
}

TENON_TOOL(delete_person, delete_args,
    TENON_INFO("Delete a person of a client for good; the answer is the person as it was.", .title = "Delete a person",
               .hints = TENON_DESTRUCTIVE | TENON_HINT_NOT(TENON_OPEN_WORLD), .result = person_rows, .blocking = true),
    TENON_INT(person_id, "The person's number, from get_client_details.", .key = "personId", .required = true,
              .range = {1, TENON_NO_MAX}));
