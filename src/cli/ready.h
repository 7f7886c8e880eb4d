/* ready.h - the servers that come with Tenon: each is a library of its own, written against the public headers, with a
 * main of its own. Which of them are there is known when the program is built.
 */
#ifndef CLI_READY_H
#define CLI_READY_H

#ifdef TENON_SERVER_DOCS
int docs_main(int argc, char **argv);    /* `tenon serve docs` */
int docs_command(int argc, char **argv); /* `tenon docs` */
#endif

#ifdef TENON_SERVER_APPSEC
int appsec_main(int argc, char **argv); /* `tenon serve appsec` */
#endif

#ifdef TENON_SERVER_KYC
int kyc_main(int argc, char **argv); /* `tenon serve kyc` */
#endif

#ifdef TENON_SERVER_PENTEST
int pentest_main(int argc, char **argv); /* `tenon serve pentest` */
#endif

#endif
