/* Sums an n x n matrix of floats along its rows and along its columns.
 *
 *   walk rows|columns|both N   one pass each, for a cache simulator or a profiler
 *   walk bench N               CPU seconds of interleaved passes, as JSON
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15 };
static volatile float sink;

__attribute__((noinline)) float sum_rows(const float *a, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += a[(long)i * n + j];
    return s;
}

__attribute__((noinline)) float sum_columns(const float *a, int n)
{
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            s += a[(long)i * n + j];
    return s;
}

static void die(const char *message)
{
    fprintf(stderr, "walk: %s\n", message);
    exit(2);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(const float *a, int n)
{
    static const char *const names[] = {"rows", "columns", "again"};
    static float (*const walks[])(const float *, int) = {sum_rows, sum_columns, sum_rows};
    static double seconds[3][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) /* round -1 warms up */
        for (int k = 0; k < 3; k++) {
            double begin = cpu_seconds();
            sink += walks[k](a, n);
            double end = cpu_seconds();
            if (round >= 0)
                seconds[k][round] = end - begin;
        }
    for (int k = 0; k < 3; k++) {
        printf("%s\"%s\": [", k ? ", " : "{", names[k]);
        for (int round = 0; round < ROUNDS; round++)
            printf("%s%.9f", round ? ", " : "", seconds[k][round]);
        printf("]");
    }
    printf("}\n");
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[2]) : 0;
    if (n < 64 || n > 16384 || n % 16)
        die("usage: walk rows|columns|both|bench N, N a multiple of 16 from 64 to 16384");
    int rows = !strcmp(argv[1], "rows"), columns = !strcmp(argv[1], "columns");
    if (!strcmp(argv[1], "both"))
        rows = columns = 1;
    else if (!rows && !columns && strcmp(argv[1], "bench"))
        die("the mode must be rows, columns, both or bench");
    float *a = aligned_alloc(64, sizeof(float) * (size_t)n * (size_t)n);
    if (!a)
        die("out of memory");
    for (long i = 0; i < (long)n * n; i++)
        a[i] = (float)(i & 1); /* small enough a sum to be exact up to 2^24 */
    float half = (float)((long)n * n / 2);
    if (rows && sum_rows(a, n) != half && half <= 8388608)
        die("the sum along rows is wrong");
    if (columns && sum_columns(a, n) != half && half <= 8388608)
        die("the sum along columns is wrong");
    if (!rows && !columns)
        bench(a, n);
    free(a);
    return 0;
}
