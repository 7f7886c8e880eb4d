/* vocabulary.c - words that nothing has. Tags and metadata are free words: to ask for one that nothing has is not an
 * error, but the empty answer would look as if something was searched. So it is reported, with the words that exist. */
#include "appsec/vocabulary.h"

#include "kit/text.h"

#define SHOWN_MAX     10  /* words that are listed */
#define SHOWN_LEN_MAX 60  /* bytes of each; a longer one is left out */
#define MISSING_MAX   5  /* words that are reported */

/* "There are: a, b, c." of what a statement gives; ?1 is a name, ?2 an application. */
static const char *list_words(struct sql *sql, tenon_call *call, const struct vocabulary *words)
{
    struct statement *statement = vocabulary_statement(sql, words);
    struct text       text      = { 0 };
    size_t            shown = 0, more = 0;
    const char       *kept;

    while (sql_row(sql, statement)) {
        const char *word = sql_text(statement, 0);

        if (shown < SHOWN_MAX && strlen(word) <= SHOWN_LEN_MAX)
            text_addf(&text, "%s%s", shown++ == 0 ? " There are: " : ", ", tenon_echo(call, word));
        else
            more++;
    }
    if (more > 0)
        text_addf(&text, "%s%zu more", shown == 0 ? " There are " : " and ", more);
    kept = text.failed
               ? NULL
               : tenon_format(call, "%s%s", text_of(&text), shown + more > 0 ? "." : " There are none.");
    text_free(&text);
    return kept ? kept : "";
}

struct statement *vocabulary_statement(struct sql *sql, const struct vocabulary *words)
{
    struct statement *statement = sql_statement(sql, words->all);

    if (words->name)
        sql_bind_text(statement, 1, words->name);
    if (words->app)
        sql_bind_number(statement, 2, words->app);
    return statement;
}

void vocabulary_report(struct sql *sql, tenon_call *call, const struct vocabulary *words, const char *word)
{
    const char *near = names_nearest(sql, call, vocabulary_statement(sql, words), word);
    const char *all = list_words(sql, call, words), *asked = tenon_echo(call, word);

    if (near)
        tenon_message(call, "No %s '%s'. Did you mean '%s'?%s", words->what, asked, tenon_echo(call, near),
                      all);
    else
        tenon_message(call, "No %s '%s'.%s", words->what, asked, all);
}

void vocabulary_check(struct sql *sql, tenon_call *call, const struct vocabulary *words,
                      const tenon_strs *asked)
{
    size_t missing = 0;

    for (size_t i = 0; i < asked->count && missing < MISSING_MAX; i++) {
        struct statement *statement = sql_statement(sql, words->has);
        bool              there;

        sql_bind_text(statement, 1, asked->at[i]);
        there = sql_row(sql, statement);
        sql_reset(statement);
        if (!there && sql_failure(sql) == SQL_OK) {
            vocabulary_report(sql, call, words, asked->at[i]);
            missing++;
        }
    }
}

#define NEXT_TAG(after) "(SELECT tag FROM finding_tags" after " ORDER BY " SQL_NOCASE("tag") ", finding LIMIT 1)"
#define TAGGED(table)   table ", " TAGS_OF("p.tags")
#define IS_TAG          SQL_EITHER("g.value = ?1 COLLATE NOCASE", "lower(g.value COLLATE \"C\") = lower(CAST(?1 AS TEXT) COLLATE \"C\")")
#define BYTES(text)     SQL_EITHER(text, text " COLLATE \"C\"") /* in the order of their bytes */

/* Each tag once, found by steps in the index, however many findings have it. */
const struct vocabulary finding_tag_words = {
    .what = "vulnerability has the tag",
    .has  = "SELECT 1 FROM finding_tags WHERE " SQL_NOCASE("tag") " = " SQL_NOCASE_VALUE("?1") " LIMIT 1",
    .all  = "WITH RECURSIVE t (tag) AS (SELECT " NEXT_TAG("") " UNION ALL SELECT " NEXT_TAG(
         " WHERE " SQL_NOCASE("tag") " > " SQL_NOCASE(
             "t.tag")) " FROM t WHERE t.tag IS NOT NULL) SELECT tag FROM t WHERE tag IS NOT NULL LIMIT 1000",
};
const struct vocabulary app_tag_words = {
    .what = "application has the tag",
    .has  = "SELECT 1 FROM " TAGGED("applications p") " WHERE " IS_TAG " LIMIT 1",
    .all  = "SELECT DISTINCT " BYTES("g.value") " FROM " TAGGED("applications p") " ORDER BY 1 LIMIT 1000",
};
const struct vocabulary server_tag_words = {
    .what = "server has the tag",
    .has  = "SELECT 1 FROM " TAGGED("servers p") " WHERE " IS_TAG " LIMIT 1",
    .all  = "SELECT DISTINCT " BYTES("g.value") " FROM " TAGGED("servers p") " ORDER BY 1 LIMIT 1000",
};
const struct vocabulary agent_words = {
    .what = "server has the agentVersion",
    .has  = "SELECT 1 FROM servers WHERE agent = ?1 LIMIT 1",
    .all  = "SELECT DISTINCT agent FROM servers WHERE agent <> '' ORDER BY 1 LIMIT 1000",
};

/* ---- Metadata ------------------------------------------------------------------------------------------------------ */

/* Names and values of ?1, JSON as appsec_choices() makes it, that nothing has; is the name known? */
#define MISSING(rows)                                                                                        \
    "WITH have AS (SELECT DISTINCT " LOWER("m.key") " AS name, m.value AS value FROM " rows ", " METADATA_OF("p.metadata") " m)" \
    " SELECT w.key, v.value, " LOWER("w.key") " IN (SELECT name FROM have) FROM " CHOICES_OF("?1") " w, " VALUES_OF("w.value") \
    " WHERE (" LOWER("w.key") ", v.value) NOT IN (SELECT name, value FROM have) LIMIT 5"
#define NAMES(rows)                                                                                          \
    "SELECT DISTINCT " BYTES("m.key") " FROM " rows ", " METADATA_OF("p.metadata") " m WHERE CAST(?1 AS TEXT) IS NULL ORDER BY 1 LIMIT 1000"
#define VALUES(rows)                                                                                         \
    "SELECT DISTINCT " BYTES("m.value") " FROM " rows ", " METADATA_OF("p.metadata") " m WHERE " LOWER("m.key") " = " \
    SQL_EITHER("lower(?1)", "lower(CAST(?1 AS TEXT) COLLATE \"C\")") " ORDER BY 1 LIMIT 1000"

#define APPS     "applications p"
#define SESSIONS "(SELECT metadata FROM sessions WHERE app = ?2) p"

static const struct {
    const char *missing, *names, *values, *what;
} metadata_of[2] = {
    { MISSING(APPS), NAMES(APPS), VALUES(APPS), "application" },
    { MISSING(SESSIONS), NAMES(SESSIONS), VALUES(SESSIONS), "session of this application" },
};

static void report_one(struct sql *sql, tenon_call *call, int64_t app, const char *name, const char *value,
                       bool named)
{
    struct vocabulary words = { .app = app };

    words.all  = named ? metadata_of[app != 0].values : metadata_of[app != 0].names;
    words.name = named ? name : NULL;
    words.what = named ? tenon_format(call, "%s has the metadata %s", metadata_of[app != 0].what,
                                      tenon_echo(call, name))
                       : tenon_format(call, "%s has the metadata", metadata_of[app != 0].what);
    if (words.what)
        vocabulary_report(sql, call, &words, named ? value : name);
}

void vocabulary_metadata(struct sql *sql, tenon_call *call, int64_t app, const char *choices)
{
    struct statement *statement = sql_statement(sql, metadata_of[app != 0].missing);
    size_t            count     = 0;
    struct {
        const char *name, *value;
        bool        named;
    } missing[MISSING_MAX];

    sql_bind_text(statement, 1, choices);
    sql_bind_number(statement, 2, app);
    while (count < MISSING_MAX && sql_row(sql, statement)) {
        missing[count].name  = call_text(call, statement, 0);
        missing[count].value = call_text(call, statement, 1);
        missing[count].named = sql_number(statement, 2) != 0;
        count++;
    }
    sql_reset(statement);
    for (size_t i = 0; i < count; i++)
        if (missing[i].name && missing[i].value)
            report_one(sql, call, app, missing[i].name, missing[i].value, missing[i].named);
}
