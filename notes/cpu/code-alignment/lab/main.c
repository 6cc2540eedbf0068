/* Runs both functions on a text of 4 KiB.
 *
 *   program time     nanoseconds of CPU time per byte for words and for hash, the median of 15 samples
 *   program count    calls each once, for a simulator, and prints where words lies
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "hot.h"

enum { LENGTH = 4096, SAMPLES = 15, CALLS = 40 };
static unsigned char text[LENGTH];
static volatile uint64_t sink;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples)
{
    qsort(samples, SAMPLES, sizeof *samples, ascending);
    return samples[SAMPLES / 2] / CALLS / LENGTH * 1e9;
}

int main(int argc, char **argv)
{
    double words_taken[SAMPLES], hash_taken[SAMPLES];
    for (int i = 0; i < LENGTH; i++)
        text[i] = i % 8 == 7 ? ' ' : 'a';
    if (argc > 1 && !strcmp(argv[1], "count")) {
        printf("%zu %u %#jx\n", words(text, LENGTH), hash(text, LENGTH), (uintmax_t)(uintptr_t)words);
        return 0;
    }
    for (int s = 0; s < SAMPLES; s++) {
        double start = seconds();
        for (int i = 0; i < CALLS; i++)
            sink = words(text, LENGTH);
        double middle = seconds();
        for (int i = 0; i < CALLS; i++)
            sink = hash(text, LENGTH);
        words_taken[s] = middle - start;
        hash_taken[s] = seconds() - middle;
    }
    printf("%.6f %.6f\n", median(words_taken), median(hash_taken));
    return 0;
}
