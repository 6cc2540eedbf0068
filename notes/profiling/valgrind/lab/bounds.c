/* Writes one byte behind an array of 16: bounds heap|stack|global
 *
 * The byte belongs to a neighbour. Built with -DALONE there is none, as AddressSanitizer needs it,
 * which does not look within a structure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 16 };

struct place {
    char array[SIZE];
#ifndef ALONE
    char behind[SIZE];
#endif
};

static struct place global;

int main(int argc, char **argv)
{
    struct place stack;
    memset(&stack, 0, sizeof stack);
    char *volatile heap = malloc(SIZE);
    const char *where = argc > 1 ? argv[1] : "";
    char *volatile to = !strcmp(where, "heap")     ? heap
                        : !strcmp(where, "stack")  ? stack.array
                        : !strcmp(where, "global") ? global.array
                                                   : NULL;
    if (!to)
        return fprintf(stderr, "usage: bounds heap|stack|global\n"), 2;
    *(volatile char *)(to + SIZE) = 1;
    free(heap);
}
