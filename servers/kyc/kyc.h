/* kyc.h - know your customer: clients and their persons.
 *
 *   clients   the rows of clients in the database
 *   persons   those of persons; all shares of a client together are at most 100 percent
 *   tools_*   eleven tools
 */
#ifndef KYC_KYC_H
#define KYC_KYC_H

#include <string.h>

#include <tenon/tenon.h>

#include "kit/call.h"
#include "kit/database.h"
#include "kit/program.h"
#include "kit/sql.h"
#include "kit/tools.h"

/* ---- Words --------------------------------------------------------------------------------------------------- */

enum client_type { INDIVIDUAL, COMPANY, TRUST, PARTNERSHIP, OTHER_CLIENT, CLIENT_TYPES };
enum risk { RISK_LOW, RISK_MEDIUM, RISK_HIGH, RISKS };
enum relationship {
    BENEFICIAL_OWNER,
    DIRECTOR,
    SHAREHOLDER,
    SECRETARY,
    TRUSTEE,
    SETTLOR,
    BENEFICIARY,
    PROTECTOR,
    PARTNER,
    AUTHORIZED_SIGNATORY,
    LEGAL_REPRESENTATIVE,
    OTHER_RELATIONSHIP,
    RELATIONSHIPS
};

extern const char *const client_type_names[CLIENT_TYPES];
extern const char *const risk_names[RISKS];
extern const char *const relationship_names[RELATIONSHIPS];

/* ---- What is stored, and answered ---------------------------------------------------------------------------- */

typedef struct {
    int64_t           id, client_id;
    const char       *client_name, *first_name, *last_name, *full_name;
    const char       *email, *phone, *nationality, *identification_number, *position_title, *address;
    tenon_time        date_of_birth, created_at, updated_at;
    enum relationship relationship_type;
    double            ownership_percentage;
} person;

TENON_ROWS(person_rows, person,
    TENON_INT      (id,                    "Its number.", .required = true),
    TENON_INT      (client_id,             "The client.", .key = "clientId", .required = true),
    TENON_STR      (client_name,           "The client's name.", .key = "clientName"),
    TENON_STR      (first_name,            "First name.", .key = "firstName", .required = true),
    TENON_STR      (last_name,             "Last name.", .key = "lastName", .required = true),
    TENON_STR      (full_name,             "Both.", .key = "fullName"),
    TENON_STR      (email,                 "E-mail address."),
    TENON_STR      (phone,                 "Telephone number."),
    TENON_DATE     (date_of_birth,         "Date of birth.", .key = "dateOfBirth"),
    TENON_STR      (nationality,           "Nationality."),
    TENON_STR      (identification_number, "Number of a passport or identity card.", .key = "identificationNumber"),
    TENON_ENUM     (relationship_type,     relationship_names, "What the person is to the client.", .key = "relationshipType"),
    TENON_STR      (position_title,        "Position.", .key = "positionTitle"),
    TENON_NUM      (ownership_percentage,  "Ownership, in percent.", .key = "ownershipPercentage"),
    TENON_STR      (address,               "Address."),
    TENON_TIMESTAMP(created_at,            "When it was entered.", .key = "createdAt"),
    TENON_TIMESTAMP(updated_at,            "When it was last changed.", .key = "updatedAt"));

typedef struct {
    int64_t          id;
    const char      *name, *email, *phone, *registration_number;
    enum client_type client_type;
    enum risk        risk_level;
    tenon_time       created_at, updated_at;
} client;

TENON_ROWS(client_rows, client,
    TENON_INT      (id,                  "Its number.", .required = true),
    TENON_STR      (name,                "Its name.", .required = true),
    TENON_ENUM     (client_type,         client_type_names, "What it is.", .key = "clientType"),
    TENON_STR      (email,               "E-mail address."),
    TENON_STR      (phone,               "Telephone number."),
    TENON_STR      (registration_number, "Number in a register of companies.", .key = "registrationNumber"),
    TENON_ENUM     (risk_level,          risk_names, "How risky it is.", .key = "riskLevel"),
    TENON_TIMESTAMP(created_at,          "When it was entered.", .key = "createdAt"),
    TENON_TIMESTAMP(updated_at,          "When it was last changed.", .key = "updatedAt"));

typedef struct {
    client client;
    TENON_LIST_OF(person) persons;
} client_details;

TENON_ROWS(client_details_rows, client_details,
    TENON_GROUP  (client, client_rows),
    TENON_OBJECTS(persons, person_rows, "The persons who own or represent it."));

/* ---- The server ---------------------------------------------------------------------------------------------- */

extern const struct sql_schema kyc_schema;

struct kyc {
    struct sql_pool *pool;
    tenon_server    *server;
};

/* The server; NULL and *mistake. */
tenon_server *kyc_new(struct kyc *kyc, const struct database_options *options, struct mistake *mistake);
void          kyc_free(struct kyc *kyc);

/* `tenon serve kyc`. */
int kyc_main(int argc, char **argv);

static inline struct kyc *kyc_of(const tenon_call *call)
{
    return tenon_user(call);
}

/* ---- The database: texts of rows are in the call's memory ------------------------------------------------------ */

/* Clients that match; names by any part, whatever the case. Enums of CLIENT_TYPES and RISKS mean any. */
struct client_filter {
    const char      *name;
    enum client_type type;
    enum risk        risk;
};

bool clients_find(struct sql *sql, tenon_call *call, const struct client_filter *filter,
                  const tenon_page *page, client **out, size_t *count, int64_t *total);
bool clients_get(struct sql *sql, tenon_call *call, int64_t id, client *out, bool *found);
/* Others that decide about this client, or about its persons, wait until the transaction ends; one that is not there is no
 * failure. What is decided about is read after it. */
bool clients_lock(struct sql *sql, int64_t id);
/* The id of another client with this name and type, or this registration number; 0 for none. */
int64_t clients_same(struct sql *sql, tenon_call *call, const client *like);
bool    clients_add(struct sql *sql, tenon_call *call, const client *new_client, client *out);
bool    clients_change(struct sql *sql, const client *changed); /* all but when it was entered */
bool    clients_delete(struct sql *sql, int64_t id);

bool    persons_of(struct sql *sql, tenon_call *call, int64_t client_id, person **out, size_t *count);
bool    persons_lock(struct sql *sql, int64_t id); /* the client of this person */
bool    persons_get(struct sql *sql, tenon_call *call, int64_t id, person *out, bool *found);
int64_t persons_count(struct sql *sql, int64_t client_id);
/* Percent, together, without those of one person. */
double persons_owned(struct sql *sql, int64_t client_id, int64_t except);
bool   persons_add(struct sql *sql, tenon_call *call, const person *new_person, person *out);
bool persons_change(struct sql *sql, const person *changed); /* all but its client and when it was entered */
bool persons_delete(struct sql *sql, int64_t id);
bool persons_delete_of(struct sql *sql, int64_t client_id);
bool persons_owners(struct sql *sql, tenon_call *call, double least, const tenon_page *page, person **out,
                    size_t *count, int64_t *total);

/* ---- What the tools share -------------------------------------------------------------------------------------- */

int64_t kyc_now(void); /* milliseconds since 1970 */

/* call_transact() with the server's database. */
tenon_outcome kyc_change(tenon_call *call, call_work_fn work, const void *args);

tenon_outcome client_missing(tenon_call *call, int64_t id);
tenon_outcome client_conflict(tenon_call *call, int64_t same);
tenon_outcome person_missing(tenon_call *call, int64_t id);

/* True when this share fits beside those of the client's other persons; else *failure, or the database's. */
bool share_fits(tenon_call *call, struct sql *sql, const person *of, tenon_outcome *failure);

const char *check_past(tenon_check *check, const void *value); /* a date of birth */

TENON_TOOL_DECL(search_clients);
TENON_TOOL_DECL(get_client_details);
TENON_TOOL_DECL(get_all_clients);
TENON_TOOL_DECL(get_high_risk_clients);
TENON_TOOL_DECL(create_client);
TENON_TOOL_DECL(add_person_to_client);
TENON_TOOL_DECL(get_beneficial_owners);
TENON_TOOL_DECL(update_client);
TENON_TOOL_DECL(delete_client);
TENON_TOOL_DECL(update_person);
TENON_TOOL_DECL(delete_person);

extern const struct tool_list kyc_tools;

#endif
