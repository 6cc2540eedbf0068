/* One sum by several threads, many times over: how many different results? Prints one JSON object. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100000, RUNS = 200, THREADS = 8 };
static double x[N];

static int by_value(const void *a, const void *b) { return memcmp(a, b, sizeof(double)); }

static int different(double *all)
{
    qsort(all, RUNS, sizeof *all, by_value);
    int found = 1;
    for (int i = 1; i < RUNS; i++)
        found += memcmp(all + i, all + i - 1, sizeof *all) != 0;
    return found;
}

int main(void)
{
    static double reduced[RUNS], atomic[RUNS], indexed[RUNS], whole[RUNS];
    uint64_t state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
    }
    omp_set_dynamic(0);
    omp_set_num_threads(THREADS);
    for (int run = 0; run < RUNS; run++) {
        double sum = 0, shared = 0, part[THREADS] = {0};
        int64_t integer = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += x[i];
        reduced[run] = sum;
#pragma omp parallel for
        for (int i = 0; i < N; i++)
#pragma omp atomic
            shared += x[i];
        atomic[run] = shared;
#pragma omp parallel for schedule(static)
        for (int i = 0; i < N; i++)
            part[omp_get_thread_num()] += x[i];
        for (int t = 0; t < THREADS; t++)
            indexed[run] += part[t];
#pragma omp parallel for
        for (int i = 0; i < N; i++) {
            int64_t units = (int64_t)(x[i] * 0x1p40);
#pragma omp atomic
            integer += units;
        }
        whole[run] = (double)integer;
    }
    printf("{\"reduced\": %d, \"atomic\": %d, \"indexed\": %d, \"integer\": %d}\n", different(reduced),
           different(atomic), different(indexed), different(whole));
    return 0;
}
