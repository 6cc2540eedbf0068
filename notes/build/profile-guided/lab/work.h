/* Four kinds of work, each in a file of its own. */
#include <stddef.h>

unsigned apply(const unsigned char *choice, size_t n);    /* calls through a table */
unsigned sum(const unsigned *value, size_t n);            /* a loop without a branch inside */
unsigned filter(const unsigned *value, size_t n);         /* a branch that the data decide */
unsigned wide(const unsigned char *flag, unsigned start); /* 256 functions with two ways each */
