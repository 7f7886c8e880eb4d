/* notes.h - release notes and changelogs: they mention everything, and rarely answer how something works now. */
#ifndef DOCS_SEARCH_NOTES_H
#define DOCS_SEARCH_NOTES_H

#include <stdbool.h>

#define NOTES_PART 0.5 /* of its relevance, by which one is listed */

/* By its name or folder. */
bool notes_are(const char *path);
/* Does a question ask for them: what is new, changed, released, or a version? */
bool notes_are_asked(const char *query);

#endif
