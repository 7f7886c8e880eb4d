/* forms.c - tools that ask the user to fill in a form, as scenarios of every revision require. */
#include "conformance.h"

/* ---- A form by rows ------------------------------------------------------------------------------------------ */

typedef struct {
    const char *message;
} elicitation_args;

typedef struct {
    const char *username, *email;
} user_form;

TENON_ROWS(user_form_rows, user_form,
    TENON_STR(username, "The user's name.",          .required = true),
    TENON_STR(email,    "The user's email address.", .required = true, .format = "email"));

static tenon_outcome test_elicitation(tenon_call *call, const elicitation_args *args)
{
    const user_form *user  = NULL;
    tenon_reply      reply = tenon_elicit(call, "user", user_form_rows, &user, "%s", args->message);

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    tenon_text(call, "User response: %s <%s>", user->username, user->email);
    return tenon_ok(call);
}
TENON_TOOL(test_elicitation, elicitation_args,
    TENON_INFO("Ask the user for a name and an email address."),
    TENON_STR(message, "What the user reads.", .required = true));

/* ---- A form with defaults ------------------------------------------------------------------------------------ */

enum status { ACTIVE, INACTIVE, PENDING };
static const char *const status_names[] = {
    [ACTIVE] = "active", [INACTIVE] = "inactive", [PENDING] = "pending"
};

typedef struct {
    const char *name;
    int         age;
    double      score;
    enum status status;
    bool        verified;
} profile_form;

TENON_ROWS(profile_form_rows, profile_form,
    TENON_STR (name,     "The user's name.",     .def = "John Doe"),
    TENON_INT (age,      "In years.",            .def = 30),
    TENON_NUM (score,    "Of 100.",              .def = 95.5),
    TENON_ENUM(status,   status_names, "Status.", .def = ACTIVE),
    TENON_BOOL(verified, "Has it been checked?", .def = true));

static tenon_outcome test_elicitation_sep1034_defaults(tenon_call *call)
{
    const profile_form *given = NULL;
    tenon_reply         reply = tenon_elicit(call, "profile", profile_form_rows, &given,
                                             "Please review and update the form.");

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);
    tenon_text(call, "Elicitation completed: %s, %d, %g, %s, %s", given->name, given->age, given->score,
               status_names[given->status], given->verified ? "verified" : "not verified");
    return tenon_ok(call);
}
TENON_TOOL0(test_elicitation_sep1034_defaults, TENON_INFO("Ask with a form whose fields have defaults."));

/* ---- A form by JSON Schema: every way to choose -------------------------------------------------------------- */

static const char choices_schema[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
    "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":\"First Option\"},"
    "{\"const\":\"value2\",\"title\":\"Second Option\"},{\"const\":\"value3\",\"title\":\"Third Option\"}]},"
    "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
    "\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},"
    "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
    "\"enum\":[\"option1\",\"option2\",\"option3\"]}},"
    "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"value1\",\"title\":\"First "
    "Choice\"},"
    "{\"const\":\"value2\",\"title\":\"Second Choice\"},{\"const\":\"value3\",\"title\":\"Third "
    "Choice\"}]}}}}";

static tenon_outcome test_elicitation_sep1330_enums(tenon_call *call)
{
    const tenon_json *given = NULL;
    tenon_reply       reply = tenon_elicit_json(call, "choices", choices_schema, &given, "Please choose.");

    if (reply != TENON_REPLY_ACCEPTED)
        return not_given(call, reply);

    tenon_str single = tenon_json_str(tenon_json_get(given, "untitledSingle"));
    tenon_text(call, "Elicitation completed: %.*s, and %zu more fields", (int)single.len, single.at,
               tenon_json_count(given) - 1);
    return tenon_ok(call);
}
TENON_TOOL0(test_elicitation_sep1330_enums, TENON_INFO("Ask with a form of choices."));

void add_form_tools(tenon_server *server)
{
    tenon_server_add(server, test_elicitation_tool());
    tenon_server_add(server, test_elicitation_sep1034_defaults_tool());
    tenon_server_add(server, test_elicitation_sep1330_enums_tool());
}
