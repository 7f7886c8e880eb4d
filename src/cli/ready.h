/* ready.h - the servers that come with Tenon: each is a library of its own, written against the public headers, with a
 * main of its own. Which of them are there is known when the program is built.
 */
#ifndef CLI_READY_H
#define CLI_READY_H

struct sql_schema; /* the kit's: what tables a server has */

#ifdef TENON_SERVER_DOCS
int                            docs_main(int argc, char **argv);    /* `tenon serve docs` */
int                            docs_command(int argc, char **argv); /* `tenon docs` */
extern const struct sql_schema docs_schema;
#endif

#ifdef TENON_SERVER_APPSEC
int                            appsec_main(int argc, char **argv); /* `tenon serve appsec` */
extern const struct sql_schema appsec_schema;
#endif

#ifdef TENON_SERVER_KYC
int kyc_main(int argc, char **argv);                                            /* `tenon serve kyc` */
int db_command(int argc, char **argv, const struct sql_schema *const *schemas); /* `tenon db` */
extern const struct sql_schema kyc_schema;
#endif

#ifdef TENON_SERVER_PENTEST
int                            pentest_main(int argc, char **argv); /* `tenon serve pentest` */
extern const struct sql_schema pentest_schema;
#endif

#endif
