/* state.c - what a failure is, by its SQLSTATE. A lost connection has none. */
#include <string.h>

#include "kit/pg/pg.h"

/* Two or five characters; the first that fits. */
static const struct {
    const char   *state;
    enum sql_code code;
} states[] = {
    { "40001", SQL_AGAIN },    { "40P01", SQL_AGAIN }, { "55P03", SQL_BUSY },      { "40003", SQL_UNKNOWN },
    { "57014", SQL_TIMEOUT },  { "57P01", SQL_GONE },  { "57P02", SQL_GONE },      { "57P03", SQL_GONE },
    { "25006", SQL_GONE },     { "25P03", SQL_GONE },  { "25P04", SQL_GONE },      { "53300", SQL_GONE },
    { "53100", SQL_FULL },     { "54000", SQL_FULL },  { "53200", SQL_NO_MEMORY }, { "23505", SQL_CONFLICT },
    { "23503", SQL_CONFLICT }, { "08", SQL_GONE },
};

enum sql_code pg_code_of(const char *state)
{
    for (size_t i = 0; state && i < sizeof states / sizeof *states; i++)
        if (strncmp(state, states[i].state, strlen(states[i].state)) == 0)
            return states[i].code;
    return state ? SQL_ERROR : SQL_GONE;
}

bool pg_fail(struct pg *pg, const PGresult *result)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *text  = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;

    if (!state && result && PQstatus(pg->conn) == CONNECTION_OK)
        sql_fail(&pg->sql, SQL_ERROR, PQresultErrorMessage(result));
    else
        sql_fail(&pg->sql, pg_code_of(state), text ? text : PQerrorMessage(pg->conn));
    return false;
}
