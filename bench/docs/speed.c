#include "corpus.h"
int speed_run(const struct corpus *corpus, const char *folder, size_t pieces){(void)corpus;(void)folder;(void)pieces;return 0;}
