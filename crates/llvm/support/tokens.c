// `strtok` of C, which goes on where the last call of any thread has ended. Compiled with the program if it calls it.

#include <string.h>

static char *rest;

char *strtok(char *text, const char *separators) { return strtok_r(text, separators, &rest); }
