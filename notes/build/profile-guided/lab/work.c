/* work KIND INPUT ROUNDS: makes an input, and does work of one kind on it ROUNDS times.
 *
 * The input decides which way the code goes:
 *   apply   nearly all calls go to one function, the first or the last of the table
 *   wide    all functions go one way or the other
 *   filter  first: half of the values are kept, at random; second: none is kept
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { N = 4096 };
static unsigned char choice[N];
static unsigned value[N];
static unsigned char flag[256];

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: work apply|sum|filter|wide first|second ROUNDS\n", stderr);
        return 2;
    }
    const char *kind = argv[1];
    int first = strcmp(argv[2], "first") == 0;
    unsigned rounds = (unsigned)atoi(argv[3]);

    unsigned state = 1;
    for (unsigned i = 0; i < N; i++) {
        state = state * 1103515245u + 12345u;
        unsigned random = state >> 16;
        choice[i] = random % 16 == 0 ? (unsigned char)(random / 16 % 4) : first ? 0 : 3;
        value[i] = first ? random : 2 * i;
    }
    memset(flag, first, sizeof flag);

    unsigned result = 0;
    for (unsigned round = 0; round < rounds; round++) {
        if (strcmp(kind, "apply") == 0)
            result += apply(choice, N);
        else if (strcmp(kind, "sum") == 0)
            result += sum(value, N);
        else if (strcmp(kind, "filter") == 0)
            result += filter(value, N);
        else
            result += wide(flag, round);
    }
    printf("%u\n", result);
    return 0;
}
