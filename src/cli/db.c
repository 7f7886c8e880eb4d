/* db.c - `tenon db`: the tables of servers in PostgreSQL. */
#include "cli/command.h"
#include "cli/ready.h"

#ifdef TENON_SERVER_KYC

static enum ending db_run(const struct console *console, int count, char **arguments)
{
    static const struct sql_schema *const schemas[] = {
#ifdef TENON_SERVER_APPSEC
        &appsec_schema,
#endif
#ifdef TENON_SERVER_DOCS
        &docs_schema,
#endif
        &kyc_schema,
#ifdef TENON_SERVER_PENTEST
        &pentest_schema,
#endif
        NULL,
    };

    (void)console;
    return (enum ending)db_command(count, arguments, schemas);
}

const struct command command_db = { "db", "make the tables of servers in PostgreSQL, copy from SQLite",
                                    db_run };

#else
typedef int nothing_here;
#endif
