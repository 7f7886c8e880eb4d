/* main.h - what a program calls: the documentation server, and its commands. */
#ifndef DOCS_MAIN_H
#define DOCS_MAIN_H

/* `tenon serve docs`: argv[0] is skipped. */
int docs_main(int argc, char **argv);

/* `tenon docs index|search|ask|status|backup PATH`: the same code, without a client. */
int docs_command(int argc, char **argv);
/* `tenon docs model`, after its name. */
int docs_model_command(int argc, char **argv);

#endif
