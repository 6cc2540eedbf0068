/* A program with a serial and a parallel part, whose instructions are counted.
 *
 * share N ITEMS          fills ITEMS numbers in a chain (serial), then mixes each (parallel) on N
 *                        threads in slices of equal length
 * share slice N ITEMS    the same, but only the first of the N slices: what one thread has to do
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 24, MOST = 64 };

/* Each number needs the one before it: no second processor can help. */
__attribute__((noinline)) void serial_part(uint64_t *a, long items)
{
    uint64_t x = 1;
    for (long i = 0; i < items; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        a[i] = x;
    }
}

/* Each number needs nothing but itself. */
__attribute__((noinline)) void parallel_part(uint64_t *a, long items)
{
    for (long i = 0; i < items; i++) {
        uint64_t x = a[i];
        for (int round = 0; round < ROUNDS; round++)
            x = (x ^ (x >> 29)) * 0x9e3779b97f4a7c15u;
        a[i] = x;
    }
}

struct slice {
    uint64_t *a;
    long items;
};

static void *work(void *argument)
{
    struct slice *slice = argument;
    parallel_part(slice->a, slice->items);
    return NULL;
}

static void on_threads(uint64_t *a, long items, long n)
{
    pthread_t threads[MOST];
    struct slice slices[MOST];
    for (long k = 0; k < n; k++) {
        slices[k] = (struct slice){a + k * (items / n), items / n};
        if (pthread_create(&threads[k], NULL, work, &slices[k])) {
            fputs("share: no thread\n", stderr);
            exit(1);
        }
    }
    for (long k = 0; k < n; k++)
        pthread_join(threads[k], NULL);
}

int main(int argc, char **argv)
{
    int alone = argc == 4 && !strcmp(argv[1], "slice");
    long n = argc == 3 + alone ? atol(argv[1 + alone]) : 0;
    long items = argc == 3 + alone ? atol(argv[2 + alone]) : 0;
    if (n < 1 || n > MOST || items < n || items % n) {
        fputs("usage: share [slice] N ITEMS, with at most 64 slices of equal length\n", stderr);
        return 2;
    }
    uint64_t *a = malloc((size_t)items * sizeof *a);
    if (!a) {
        fputs("share: no memory\n", stderr);
        return 1;
    }
    serial_part(a, items);
    if (alone)
        parallel_part(a, items / n);
    else
        on_threads(a, items, n);
    uint64_t sum = 0;
    for (long i = 0; i < items; i++)
        sum += a[i];
    printf("%016llx\n", (unsigned long long)sum);
    free(a);
    return 0;
}
