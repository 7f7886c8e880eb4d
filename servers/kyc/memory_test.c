/* memory_test.c - every allocation of SQLite refused in turn: an answer is whole or an error. */
#define _POSIX_C_SOURCE 200809L
#include "kit/whole_test.h"
#include "kyc/kyc.h"

static int prepare(void **state)
{
    (void)state;
    return refuse_prepare();
}

/* clang-format off */
static const struct whole_case before[] = {
    { "create_client",        "{\"name\":\"Acme\",\"clientType\":\"COMPANY\",\"riskLevel\":\"HIGH\",\"email\":\"a@b.example\"}" },
    { "create_client",        "{\"name\":\"Bee\",\"clientType\":\"TRUST\",\"riskLevel\":\"LOW\"}" },
    { "add_person_to_client", "{\"clientId\":1,\"firstName\":\"Ann\",\"lastName\":\"Lee\",\"dateOfBirth\":\"1980-01-02\","
                              "\"relationshipType\":\"DIRECTOR\",\"ownershipPercentage\":60,\"address\":\"1 Way\"}" },
};

static const struct whole_case cases[] = {
    { "get_all_clients",       "{}" },
    { "get_high_risk_clients", "{}" },
    { "search_clients",        "{\"name\":\"e\",\"clientType\":\"TRUST\"}" },
    { "get_client_details",    "{\"clientId\":1}" },
    { "get_client_details",    "{\"clientId\":9}" },
    { "get_beneficial_owners", "{}" },
    { "create_client",         "{\"name\":\"ACME\",\"clientType\":\"COMPANY\",\"riskLevel\":\"LOW\"}" },
    { "add_person_to_client",  "{\"clientId\":1,\"firstName\":\"Bob\",\"lastName\":\"Ray\",\"dateOfBirth\":\"1981-01-02\","
                               "\"relationshipType\":\"PARTNER\",\"ownershipPercentage\":41}" },
    { "update_client",         "{\"clientId\":1}" },
    { "update_client",         "{\"clientId\":2,\"name\":\"acme\",\"clientType\":\"COMPANY\"}" },
    { "update_person",         "{\"personId\":1,\"ownershipPercentage\":101}" },
    { "update_person",         "{\"personId\":9,\"firstName\":\"Al\"}" },
    { "delete_client",         "{\"clientId\":1}" },
    { "delete_person",         "{\"personId\":9}" },
};
/* clang-format on */

static void answers_are_whole_or_errors(void **state)
{
    struct kyc     kyc;
    struct mistake mistake;
    tenon_toolbox *box;
    tenon_call    *call;

    (void)state;
    assert_non_null(kyc_new(&kyc, &(struct database_options){ .address = ":memory:" }, &mistake));
    box  = tenon_toolbox_new(.user = &kyc, .log = whole_be_silent);
    call = whole_call(box, &kyc_tools);
    whole_begin(call, before, sizeof before / sizeof *before);
    whole_or_errors(call, cases, sizeof cases / sizeof *cases);
    tenon_call_free(call);
    tenon_toolbox_free(box);
    tenon_server_free(kyc.server);
    kyc_free(&kyc);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(answers_are_whole_or_errors) };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
