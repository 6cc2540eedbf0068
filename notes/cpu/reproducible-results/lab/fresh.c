/* Sums a buffer of which one element was never written: in fresh memory, in memory that was used
   before (reused), or in memory that calloc has cleared (cleared). Prints one JSON object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum { N = 1000 };
    int cleared = argc > 1 && !strcmp(argv[1], "cleared");
    int reused = argc > 1 && !strcmp(argv[1], "reused");
    double *old = malloc(N * sizeof *old), sum = 0;
    if (!old)
        return 1;
    for (int i = 0; reused && i < N; i++)
        old[i] = 7;
    if (reused)
        free(old);
    double *x = cleared ? calloc(N, sizeof *x) : malloc(N * sizeof *x);
    if (!x)
        return 1;
    for (int i = 0; i < N; i++)
        if (i != N / 2) /* the mistake */
            x[i] = 1;
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("{\"sum\": %g}\n", sum);
    return 0;
}
